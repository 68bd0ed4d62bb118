"""`lawspeaker book`: makes a printable rulebook from the rules."""

from __future__ import annotations

from typing import Annotated

import typer

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.cli.common import complain, say, show_and_leave
from lawspeaker.faces.cli.options import Html, Name
from lawspeaker.faces.cli.printing import Pdf, print_to, to_print
from lawspeaker.faces.render import book as rendered
from lawspeaker.faces.render.book import Book, ExampleScenario, book_of, supplement_of
from lawspeaker.match.game import Game
from lawspeaker.outside.examples import Example, examples
from lawspeaker.outside.loading import load_ruleset


def book(
    name: Name,
    pdf: Pdf = None,
    html: Html = None,
    lang: Annotated[str, typer.Option("--lang", help="The language of the book.")] = "",
    sources: Annotated[
        bool, typer.Option("--sources", help="Where the books say it, and rulings, in the margin.")
    ] = False,
    supplement: Annotated[
        bool, typer.Option("--supplement", help="Only what the variants change.")
    ] = False,
) -> None:
    """Make a rulebook to print.

    What is in the box, the table set up for each number of players, the rules chapter by chapter,
    the pieces one by one, examples, a game added up, an index, a page for those who know the game,
    and a card with the course of play.

    Scenarios with an `example:` are shown as examples, and each must hold: a book that would
    contradict its game is not made.

    Example: lawspeaker book GAME --pdf rules.pdf

    Example: lawspeaker book GAME+VARIANT --html changes.html --supplement

    Exit code 0: made. 1: the rules have errors, an example does not hold, or the file cannot be
    written. 2: wrong call.
    """
    found, language = to_print(name, pdf, html, lang)
    if supplement and not found.program.variants:
        raise typer.BadParameter(f"{name} has no variant", param_hint="--supplement")
    made = _made(found, language, sources, supplement)
    file = print_to(pdf, html, lambda: rendered.pdf(made), lambda: rendered.page(made))
    say(f"{made.title}: {file}")


def _made(found: Game, language: str, sources: bool, supplement: bool) -> Book:
    """Builds the book; prints the errors and exits if an example fails."""
    diagnostics = Diagnostics()
    shown = examples(found.name, found.program, diagnostics)
    played = load_ruleset(found.name, diagnostics)
    base = None if played is None else played.base(diagnostics)
    if diagnostics.has_errors or played is None or base is None:
        show_and_leave(diagnostics.sorted())
    titled = _titled(shown, found, language)
    if supplement:
        return supplement_of(found, base, played, language, titled)
    return book_of(found, base.program, language, titled, sources=sources)


def _titled(shown: list[Example], found: Game, language: str) -> list[ExampleScenario]:
    """Returns the examples with a heading in this language, and reports the others."""
    own = found.program.languages[0]
    titled: list[ExampleScenario] = []
    for each in shown:
        headings = each.scenario.example
        heading = headings.get(language) or (headings.get("", "") if language == own else "")
        if heading:
            titled.append(
                ExampleScenario(heading, each.about, each.course, "+" in each.scenario.game)
            )
        else:
            file = each.scenario.file.name
            complain(f"left out, since its `example:` has no heading in `{language}`: {file}")
    return titled
