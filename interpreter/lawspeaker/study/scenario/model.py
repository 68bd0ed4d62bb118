"""Data model of a scenario file and of its outcome.

Reading checks the file against the schema; texts are interpreted when it runs, since they depend
on the game.
"""

from __future__ import annotations

from dataclasses import dataclass

from lawspeaker.base.diagnostics import Diagnostic, Diagnostics
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.machines.reference.tracing import Touched
from lawspeaker.study.scenario.references import BAD
from lawspeaker.text import document, schema
from lawspeaker.text.document import Mapping, Node, Scalar, entries_of, items_of, text_of
from lawspeaker.text.schema import Schema

OF_A_QUESTION = ("asks", "offers", "offers among others", "refuses", "answer")
"""Keys of a step about the current question."""


@dataclass(frozen=True, slots=True)
class Scenario:
    """A scenario file that conforms to the schema."""

    file: SourceFile
    node: Mapping

    @property
    def title(self) -> str:
        return self.text("scenario")

    @property
    def game(self) -> str:
        return self.text("game")

    @property
    def players(self) -> int:
        return int(self.text("players"))

    @property
    def seed(self) -> int | None:
        return int(self.text("seed")) if self.get("seed") is not None else None

    @property
    def steps(self) -> tuple[Mapping, ...]:
        steps = self.get("steps")
        return tuple(step for step in items_of(steps) if isinstance(step, Mapping))

    @property
    def example(self) -> dict[str, str]:
        """Its heading as an example in the printed rulebook, by language.

        The language is empty if there is only one text; the result is empty for other scenarios.
        """
        return self._texts("example")

    @property
    def puzzle(self) -> dict[str, str]:
        """Its question as a published puzzle, in the same form."""
        return self._texts("puzzle")

    def _texts(self, key: str) -> dict[str, str]:
        found = self.node.get(key)
        if isinstance(found, Scalar):
            return {"": found.value}
        entries = entries_of(found)
        return {key.value: text.value for key, text in entries if isinstance(text, Scalar)}

    def get(self, key: str) -> Node | None:
        return self.node.get(key)

    def mapping(self, key: str) -> Mapping | None:
        found = self.node.get(key)
        return found if isinstance(found, Mapping) else None

    def text(self, key: str) -> str:
        return text_of(self.node.get(key))

    def span(self, *keys: str) -> Span:
        """The span of the first of these keys that is present, or of the title."""
        for key in (*keys, "scenario"):
            found = self.node.get(key)
            if found is not None:
                return found.span
        return self.node.span


@dataclass(frozen=True, slots=True)
class ScenarioResult:
    """Result of a scenario. `touched` is set if it was traced; `steps` is the number of steps
    executed.
    """

    file: str
    title: str
    game: str
    players: int
    steps: int
    diagnostics: tuple[Diagnostic, ...]
    touched: Touched | None = None

    @property
    def passed(self) -> bool:
        return not any(each.severity == "error" for each in self.diagnostics)


def read(file: SourceFile, scenario_schema: Schema, diagnostics: Diagnostics) -> Scenario | None:
    """Parses a scenario file; None if it does not conform."""
    own = Diagnostics()
    root = document.load(file, own)
    if root is not None:
        schema.validate(root, scenario_schema, own, "scenario")
    if isinstance(root, Mapping):
        _check_steps(root, own)
    diagnostics.extend(own)
    return Scenario(file, root) if isinstance(root, Mapping) and not own.has_errors else None


def _check_steps(root: Mapping, diagnostics: Diagnostics) -> None:
    """Checks that each step has one purpose, and that only the last leaves a question open."""
    steps = root.get("steps")
    items = items_of(steps)
    for number, step in enumerate(items):
        if not isinstance(step, Mapping):
            continue
        of_a_question = [key for key in OF_A_QUESTION if step.get(key) is not None]
        kinds = [key for key in ("luck", "skip to") if step.get(key) is not None]
        kinds += of_a_question[:1]
        if len(kinds) > 1:
            second = step.key(kinds[1])
            diagnostics.error(
                BAD,
                f"'{kinds[0]}' and '{kinds[1]}' cannot be in one step",
                step.span if second is None else second.span,
                hint="make two steps of it",
            )
        asks = step.get(of_a_question[0]) if of_a_question else None
        nobody = isinstance(step.get("asks"), Scalar)
        if asks and not nobody and step.get("answer") is None and number < len(items) - 1:
            diagnostics.error(
                BAD,
                "this question is not answered, but more steps follow",
                asks.span,
                hint="add `answer: …`",
            )
