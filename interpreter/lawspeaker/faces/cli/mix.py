"""`lawspeaker mix`: makes a variant with readings picked from several editions."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from lawspeaker.base.diagnostics import Diagnostics, nearest
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon
from lawspeaker.faces.cli.common import complain, fail, say, show_and_leave, variant_name
from lawspeaker.faces.cli.options import Lang, spoken
from lawspeaker.faces.render import mix as shown
from lawspeaker.meaning.variant import EDITION, Variant
from lawspeaker.outside.library import Library, LibraryError
from lawspeaker.outside.loading import load_rulesets, read_variants
from lawspeaker.outside.revisions import at_revision, without_revision
from lawspeaker.outside.storage import write
from lawspeaker.study.compare import Comparison, Ruleset, compare
from lawspeaker.study.compare.mix import CannotMix, Mix, whole
from lawspeaker.study.compare.mix import mix as mixed
from lawspeaker.study.compare.naming import NoSuchDifference, named
from lawspeaker.study.compare.points import texts_of
from lawspeaker.text.books.fingerprint import folded
from lawspeaker.text.rulebook import sources_of

NAME = "mixed"


def mix(
    name: Annotated[str, typer.Argument(help="What is played otherwise: a game, or a version.")],
    take: Annotated[
        list[str] | None,
        typer.Option(
            "--take",
            metavar="EDITION:DIFFERENCE",
            help="Whose reading is played; several with commas. An edition alone: all of it.",
        ),
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Write the variant to this file.")
    ] = None,
    title: Annotated[str, typer.Option(help="What the variant is called.")] = "",
    ids: Annotated[bool, typer.Option("--ids", help="List the ids of rules, too.")] = False,
    lang: Lang = "",
) -> None:
    """Take from each edition what you like: write it as a variant.

    For each difference that is named, the reading of that edition is played; all else stays as it
    is in the game. The variant has the reasons and the citations of the books it was taken from.
    Differences have the titles that `compare` shows, and with --ids the ids; words of them will do.

    Without --take, what can be taken is listed.

    Example: lawspeaker mix GAME

    Example: lawspeaker mix GAME --take VARIANT

    Exit code 0: it was written. 1: it cannot be played, or not be written. 2: wrong call.
    """
    library = Library()
    editions = _Editions(name, library, lang)
    wanted = [_parts(each) for told in take or () for each in told.split(",") if each.strip()]
    names = [editions.name(each) for each, _ in wanted] or editions.every()
    found = _rulesets([name, *(each for each in dict.fromkeys(names) if each != name)], library)
    language = spoken(lang, found[0].program.languages, "this game")
    comparison = compare(found, language)
    if not wanted:
        Console().print(shown.listed(comparison, ids))
        return
    columns = [each.name for each in found]
    picks = _picks(
        comparison,
        [(columns.index(each), what) for each, (_, what) in zip(names, wanted, strict=True)],
    )
    own = variant_name(save, NAME) if save else NAME
    try:
        made = mixed(found, comparison, picks, own, title)
    except CannotMix as error:
        fail(f"cannot be mixed: {error}")
    _told(made, comparison, take or (), name, save)


def _parts(told: str) -> tuple[str, str]:
    """Splits EDITION:DIFFERENCE; an edition alone has no difference."""
    edition, colon, difference = told.strip().rpartition(":")
    return (edition.strip(), difference.strip()) if colon else (difference, "")


def _rulesets(names: Sequence[str], library: Library) -> list[Ruleset]:
    diagnostics = Diagnostics()
    found = load_rulesets(names, diagnostics, library)
    if found is None:
        show_and_leave(diagnostics.sorted())
    if len(found) < 2:
        fail("nothing is named but the game itself: say from which edition to take", 2)
    return found


def _picks(comparison: Comparison, wanted: Sequence[tuple[int, str]]) -> dict[int, int]:
    """Returns the edition that is picked for each difference."""
    found: dict[int, int] = {}
    for column, what in wanted:
        try:
            own = {named(what, comparison).number: column} if what else whole(comparison, column)
        except NoSuchDifference as error:
            names = ", ".join(each.name for each in comparison.table.columns)
            fail(colon(names, str(error), comparison.table.language), 2)
        for number, at in own.items():
            if found.setdefault(number, at) != at:
                one, other = (comparison.table.columns[each].name for each in (found[number], at))
                taken = next(each for each in comparison.differences if each.number == number)
                language = comparison.table.language
                fail(phrase("mix.twice", language, what=taken.title, one=one, other=other), 2)
    return found


def _told(
    made: Mix, comparison: Comparison, take: Sequence[str], name: str, save: Path | None
) -> None:
    """Prints or writes the variant, and reports remarks about it."""
    command = shlex.join(["lawspeaker", "mix", name, *(f"--take={each}" for each in take)])
    text = f"# {command}\n{made.text}"
    for line in shown.remarks(made, comparison):
        complain(line)
    if save is None:
        say(text.rstrip("\n"))
        return
    write(save, text)
    where = save.as_posix() if save.is_absolute() or save.parent != Path() else f"./{save}"
    played = shlex.quote(f"{name}+{where}")
    complain(f"wrote {save}\n")
    for line in (
        f"lawspeaker play {played}",
        f"lawspeaker show {played} --contract",
        f"lawspeaker compare {shlex.quote(name)} {played} --effect 200",
    ):
        complain(f"  {line}")


class _Editions:
    """Resolves names of a game's editions."""

    def __init__(self, name: str, library: Library, language: str) -> None:
        self.library = library
        self.language = language
        try:
            self.game = without_revision(library.split_name(name)[0], library)
        except LibraryError as error:
            fail(str(error), 2)
        self.variants = read_variants(self.game, Diagnostics(), library)

    def every(self) -> list[str]:
        """Returns all editions of the game."""
        own = [each.name for each in self.variants if each.layer == EDITION]
        if not own:
            fail(f"{self.game} has no editions: say what to take with --take VARIANT:DIFFERENCE", 2)
        return [f"{self.game}+{each}" for each in own]

    def name(self, called: str) -> str:
        """Resolves an edition: by the name of its variant, by words of its title, or by its
        book."""
        game = called.partition("+")[0]
        if self.library.find_game(game) is not None or at_revision(game, self.library):
            return called
        first = re.sub(r"\(.*", "", game)
        if self.library.find_variant(self.game, first) is not None:
            return f"{self.game}+{called}"
        meant = [each.name for each in self.variants if _is_called(each, called)]
        if not meant:
            fail(self._unknown(called), 2)
        if len(meant) > 1:
            several = ", ".join(meant)
            fail(phrase("mix.several_editions", self.language, wanted=called, several=several), 2)
        return f"{self.game}+{meant[0]}"

    def _unknown(self, called: str) -> str:
        names = [each.name for each in self.variants]
        known = ", ".join(each.name for each in self.variants if each.layer == EDITION)
        near = nearest(called, [self.game, *names])
        hint = "nearest" if near else "known" if known else "alone"
        told = {"game": self.game, "wanted": called, "nearest": near, "known": known}
        return phrase(f"mix.no_edition.{hint}", self.language, **told)


def _is_called(variant: Variant, called: str) -> bool:
    """Whether words match an edition's name or title, or name its book."""
    titles = texts_of(variant.root.get("title")).values()
    words = [word for text in (variant.name, *titles) for word in folded(text).split()]
    wanted = folded(called).split()
    begun = all(any(word.startswith(each) for word in words) for each in wanted)
    return variant.layer == EDITION and (
        called in sources_of(variant.root) or (begun and bool(wanted))
    )
