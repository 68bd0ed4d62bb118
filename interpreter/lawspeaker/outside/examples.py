"""Finds the scenarios marked as examples for a printed rulebook.

Each must hold under the rules that it names; one that does not is an error, so a book cannot
contradict its game. An example of a subset of a book's variants is also one of the book, if it
holds there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import NOWHERE, SourceFile
from lawspeaker.outside.library import Library, LibraryError
from lawspeaker.outside.loading import compile_name, schema
from lawspeaker.study.scenario import Scenario, ScenarioRun, course_of, read

WHOLE_GAME = "game"


@dataclass(frozen=True, slots=True)
class Example:
    """A scenario that holds, and its run under the rules of the book."""

    scenario: Scenario
    course: ScenarioRun

    @property
    def about(self) -> str:
        """The clause that it illustrates: the only one that asks, or else the clause of the `do`
        line.
        """
        asked = {each.clause for each in self.course.match.events if each.kind == "choose"}
        if len(asked) == 1:
            return self.course.match.program.clauses[asked.pop()].id
        return self.scenario.text("do").partition("(")[0].strip() or WHOLE_GAME


def examples(
    name: str, program: ir.Program, diagnostics: Diagnostics, library: Library | None = None
) -> list[Example]:
    """Returns all examples for a book of these rules; reports those that do not hold."""
    library = library or Library()
    game, variants = library.split_name(name)
    programs: dict[tuple[str, ...], ir.Program | None] = {variants: program}
    found: list[Example] = []
    for scenario in _marked(game, library, diagnostics):
        _, own = library.split_name(scenario.game)
        if own not in programs:
            programs[own] = compile_name("+".join((game, *own)), diagnostics, library)
        rules = programs[own]
        course = None if rules is None else course_of(scenario, rules, diagnostics)
        if course is None or not set(own) <= set(variants):
            continue
        if own != variants:
            course = course_of(scenario, program, Diagnostics())
        if course is not None:
            found.append(Example(scenario, course))
    return found


def _marked(game: str, library: Library, diagnostics: Diagnostics) -> Iterator[Scenario]:
    """Yields the scenarios of a game and its variants that are marked as examples."""
    for path in library.scenarios(game):
        try:
            file = SourceFile(library.display(path), library.read(path))
        except LibraryError as error:
            diagnostics.error("not-found", str(error), NOWHERE)
            continue
        scenario = read(file, schema("scenario"), diagnostics)
        if scenario is not None and scenario.example:
            yield scenario
