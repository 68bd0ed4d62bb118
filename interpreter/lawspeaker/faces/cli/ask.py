"""`lawspeaker ask`: answers a question about a game in everyday words, from its rules and books."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from lawspeaker.base.diagnostics import Diagnostics, did_you_mean
from lawspeaker.faces.cli.common import fail
from lawspeaker.faces.cli.editions import NARROWEST, opened, shelf_of
from lawspeaker.faces.cli.options import Lang, Name, Texts, spoken
from lawspeaker.faces.render import answer as asked
from lawspeaker.faces.render import compare as shown
from lawspeaker.meaning.variant import EDITION
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import read_variants
from lawspeaker.study.compare import compare
from lawspeaker.study.compare.answering import Index
from lawspeaker.study.compare.comparison import BOOK
from lawspeaker.study.compare.searching import filter_terms


def ask(
    name: Name,
    words: Annotated[
        list[str], typer.Argument(help="A question, in words of any language.", metavar="QUESTION")
    ],
    lang: Lang = "",
    texts: Texts = None,
) -> None:
    """Answer a question about a game, in everyday words.

    The answer begins with a sentence; below stands what each book says. Of one edition: NAME is
    GAME+VARIANT.

    Example: lawspeaker ask GAME who begins

    Exit code 0: something speaks of it. 1: nothing does, or the rules have a fault. 2: wrong call.
    """
    show_answer(" ".join(words), name, lang, texts)


def show_answer(
    question: str, name: str, lang: str, texts: Path | None, known: Sequence[str] = ()
) -> None:
    """Prints the answer of a game's rules and books to a question; of one edition, if named."""
    names, only = _editions(name)
    found = opened(names)
    language = spoken(lang, found[0].program.languages, found[0].program.name)
    shelf = None if texts is None else shelf_of(found, texts)
    comparison = compare(found, language, everything=True)
    index = Index(comparison, shelf)
    answer = index.ask(question)
    comparison = filter_terms(question, comparison)
    view = shown.CompareOptions(BOOK, shelf=shelf, find=question, numbers=False)
    console = Console()
    width = max(console.width, NARROWEST)
    if not answer.found and not comparison.table.terms.each:
        terms = index.terms_of(question)
        found_by = {each.word: 0 if each.guessed else len(each.rows) for each in terms}
        view = replace(view, counted=found_by if len(found_by) > 1 else {})
        hint = did_you_mean(question, known)
        fail(shown.not_found(comparison, view) + (f" ({hint})" if hint else ""))
    console.print(asked.text(answer, comparison, view, width, only), width=width)


def _editions(name: str) -> tuple[list[str], int | None]:
    """Returns a game with all its editions, and the index of the named one, if any.

    All editions are read even if one is named, since numbers that differ between editions are
    listed individually.
    """
    library = Library()
    game, named = library.split_name(name)
    variants = read_variants(game, Diagnostics(), library)
    without = name if not named else name[: name.index("+")]
    names = [without, *(f"{without}+{each.name}" for each in variants if each.layer == EDITION)]
    if not named:
        return names, None
    if name not in names:
        names.append(name)
    return names, names.index(name)
