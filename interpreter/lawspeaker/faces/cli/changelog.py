"""`lawspeaker changelog`: what changed between versions of rules, in words."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated

import typer

from lawspeaker import ir
from lawspeaker.faces.cli.common import fail, say
from lawspeaker.faces.cli.editions import groups_in, opened
from lawspeaker.faces.cli.options import Lang, spoken
from lawspeaker.faces.render import compare as shown
from lawspeaker.faces.render.changelog import changelog as told
from lawspeaker.study.compare import Ruleset, compare


def changelog(
    names: Annotated[
        list[str], typer.Argument(help="Versions of one game, the oldest first: two or more.")
    ],
    only: Annotated[
        str, typer.Option("--only", help="Only some: play, contradictions, silences, words, …")
    ] = "",
    lang: Lang = "",
) -> None:
    """Tell in words what changed from each version of rules to the next, as Markdown.

    NAME@REVISION is a game as git has it in that revision.

    Example: lawspeaker changelog GAME GAME+VARIANT

    Exit code 0: they were compared. 1: the rules have a fault. 2: wrong call.
    """
    if len(names) < 2:
        fail("changelog needs at least two versions of a game", 2)
    found = opened(names)
    show_changelog(found, spoken(lang, found[0].program.languages, "this game"), groups_in(only))


def show_changelog(found: Sequence[Ruleset], language: str, only: Sequence[str]) -> None:
    steps = [compare(pair, language) for pair in pairwise(found)]
    if only:
        steps = [each.only(shown.kinds_of(only)) for each in steps]
    titles = found[-1].program.title
    title = ir.in_language(titles, language, found[-1].name)
    say(told(title, steps).rstrip("\n"))
