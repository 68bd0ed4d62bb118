"""`lawspeaker new`: creates a game or a house rule to start from."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Annotated

import typer

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.cli.common import fail, say, show_diagnostics
from lawspeaker.outside.drafting import Begun, edition_from, game_from
from lawspeaker.outside.importing import NotAdded
from lawspeaker.outside.library import Library, LibraryError
from lawspeaker.outside.loading import compile_name, open_name
from lawspeaker.outside.scaffold import (
    Loaded,
    NotMade,
    WrittenFiles,
    check_name,
    new_game,
    new_numbers,
    new_variant,
)
from lawspeaker.outside.storage import NotSaved


def new(
    name: Annotated[str, typer.Argument(help="Its name: small letters (a to z), digits and _.")],
    folder: Annotated[Path, typer.Option(help="Where to put it; here, if left out.")] = Path(),
    game: Annotated[
        bool, typer.Option("--game", help="A game of its own; this is meant if nothing is said.")
    ] = False,
    variant: Annotated[
        str, typer.Option("--variant", metavar="OF", help="A house rule of this game.")
    ] = "",
    values: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NUMBER=VALUE",
            help="With --variant: a choice or count, and its value; as often as you like.",
        ),
    ] = None,
    book: Annotated[
        Path | None,
        typer.Option("--from", metavar="BOOK", help="A rulebook: .txt, .md, .html or .pdf."),
    ] = None,
) -> None:
    """Make a new game, or a house rule, that plays at once; or begin the rules of a book.

    With --from, the components that the book counts become pieces, its chapters files, and each
    sentence like a rule a clause that cites it and does nothing yet. It checks from the start.
    With --variant as well, the book becomes that of an edition of a game that is there.

    With --variant and --set, the house rule sets these numbers and nothing else. Choices have the
    names that `lawspeaker show GAME` lists, counts of pieces are pieces.card.kinds.fox.count; the
    number in the box follows. A list is written [6, 4].

    What is there already is never overwritten.

    Example: lawspeaker new my_own

    Example: lawspeaker new my_rule --variant GAME

    Example: lawspeaker new longer --variant GAME --set CHOICE=5

    Example: lawspeaker new my_game --from books/rules.txt

    Example: lawspeaker new italian --variant ./my_game --from books/rules-it.txt

    Exit code 0: it was made. 1: the game it is a rule of has errors, or the numbers that were set
    do not fit it. 2: it cannot be made.
    """
    if game and variant:
        fail("it is either a game of its own (--game) or a house rule of one (--variant OF)", 2)
    if values and (not variant or book is not None):
        fail("--set goes with --variant OF", 2)
    library = Library()
    if book is not None:
        _begin(name, book, folder, variant, library)
        return
    if variant:
        check_name(name)
        rules, program = _loaded(variant, library)
        if values:
            made = new_numbers(name, variant, values, (rules, program), folder, library)
        else:
            made = new_variant(name, variant, rules, folder, library)
    else:
        made = new_game(name, folder, library)
    for line in _next_steps(made, variant):
        say(line)
    if values:
        _sound(made.name, library)


def _sound(name: str, library: Library) -> None:
    """Shows what is wrong with new rules; exits if they cannot be played."""
    diagnostics = Diagnostics()
    program = compile_name(name, diagnostics, library)
    if program is None or diagnostics.has_errors:
        say("")
        show_diagnostics(diagnostics.sorted())
        raise typer.Exit(1)


def _begin(name: str, book: Path, folder: Path, variant: str, library: Library) -> None:
    """Drafts a game or an edition from a book, and prints the findings and the next steps."""
    try:
        if variant:
            rules, _ = _loaded(variant, library)
            _begun(edition_from(name, variant, rules, book, library))
            return
        begun = game_from(name, book, folder, library)
    except (NotMade, NotAdded, LibraryError, NotSaved) as error:
        fail(str(error), 2)
    found = begun.found
    numbers = found.players
    open_ones = sum(len(each.sentences) for each in found.chapters) - len(found.rules)
    say(f"Found in {begun.text.as_posix()}:")
    if numbers is None:
        say("  how many can play: not understood, so see to `players`")
    else:
        say(f"  players: {' to '.join(dict.fromkeys(map(str, numbers[:2])))}")
    counted = ", ".join(f"{each.count} {each.noun}" for each in found.components)
    say(f"  components: {counted or 'none that are counted in a list'}")
    say(f"  sentences like rules: {len(found.rules)}, each a clause that does nothing yet")
    say(f"  sentences to decide on: {open_ones}, as remarks")
    say("")
    _begun(begun)


def _begun(begun: Begun) -> None:
    """Prints the files made from a book, and the next steps."""
    played = shlex.quote(begun.made.name)
    say("Made:")
    for file in begun.made.files:
        say(f"  {file.as_posix()}")
    texts = shlex.quote(begun.text.parent.as_posix())
    steps = {
        f"lawspeaker check {played}": "after every change",
        f"lawspeaker sources {played} --texts {texts}": "what is not decided yet",
        f"lawspeaker serve . --texts {texts} --open": "the workshop, with a reading desk",
    }
    width = max(map(len, steps))
    say("")
    say("Next:")
    for command, what in steps.items():
        say(f"  {command:{width}}  {what}")
    say("")
    say("The guide docs/two-books.md goes on from here.")


def _loaded(game: str, library: Library) -> Loaded:
    """Loads a game's rulebook and program; prints the errors and exits if it is invalid.

    Otherwise errors of a variant could not be told from those of its game.
    """
    diagnostics = Diagnostics()
    opened = open_name(game, diagnostics, library)
    program = None if opened is None else compile_name(game, diagnostics, library)
    if opened is None or program is None:
        found = diagnostics.sorted()
        if all(not each.span.known for each in found):
            fail("; ".join(each.message for each in found), 2)
        show_diagnostics(found)
        raise typer.Exit(1)
    if opened.variants:
        base, _ = library.split_name(game)
        fail(f"a house rule is laid over a game, not over its variants: --variant {base}", 2)
    return opened.book, program


def _next_steps(made: WrittenFiles, variant: str) -> list[str]:
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
