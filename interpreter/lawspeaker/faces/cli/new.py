"""`lawspeaker new`: a game or a house rule to start from."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.cli.common import fail, say, show_diagnostics
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compile_name, open_name
from lawspeaker.outside.scaffold import Made, NotMade, check_name, new_game, new_variant
from lawspeaker.text.rulebook import Rulebook


def new(
    name: Annotated[str, typer.Argument(help="Its name: small letters (a to z), digits and _.")],
    folder: Annotated[Path, typer.Option(help="Where to put it; here, if left out.")] = Path(),
    game: Annotated[
        bool, typer.Option("--game", help="A game of its own; this is meant if nothing is said.")
    ] = False,
    variant: Annotated[
        str, typer.Option("--variant", metavar="OF", help="A house rule of this game.")
    ] = "",
) -> None:
    """Make a new game, or a house rule, that plays at once.

    What is there already is never overwritten.

    Example: lawspeaker new my_own

    Example: lawspeaker new my_rule --variant GAME

    Exit code 0: it was made. 1: the game it is a rule of has errors. 2: it cannot be made.
    """
    if game and variant:
        fail("it is either a game of its own (--game) or a house rule of one (--variant OF)", 2)
    library = Library()
    try:
        if variant:
            check_name(name)
            made = new_variant(name, variant, _rulebook(variant, library), folder, library)
        else:
            made = new_game(name, folder, library)
    except NotMade as error:
        fail(str(error), 2)
    for line in _next_steps(made, variant):
        say(line)


def _rulebook(game: str, library: Library) -> Rulebook:
    """What the game says, if it is sound; what is wrong with a variant could otherwise not be told
    from what is wrong with its game."""
    diagnostics = Diagnostics()
    opened = open_name(game, diagnostics, library)
    if opened is None or compile_name(game, diagnostics, library) is None:
        found = diagnostics.sorted()
        if all(not each.span.known for each in found):
            fail("; ".join(each.message for each in found), 2)
        show_diagnostics(found)
        raise typer.Exit(1)
    if opened.variants:
        base, _ = library.split_name(game)
        fail(f"a house rule is laid over a game, not over its variants: --variant {base}", 2)
    return opened.book


def _next_steps(made: Made, variant: str) -> list[str]:
    played = shlex.quote(made.name)
    lines = ["Made:", *(f"  {file.as_posix()}" for file in made.files), "", "Next:"]
    steps = {
        f"lawspeaker play {played}": "play it against bots",
        f"lawspeaker check {played}": "after every change",
    }
    if variant:
        steps[f"lawspeaker compare {shlex.quote(variant)} {played}"] = "what it changes"
        guide = "write-a-variant"
    else:
        steps[f"lawspeaker scenario {played}"] = "what must come of it"
        guide = "write-your-own-game"
    width = max(map(len, steps))
    lines += [f"  {command:{width}}  {what}" for command, what in steps.items()]
    return [*lines, "", f"The guide docs/{guide}.md goes on from here."]
