"""Code lenses: results of scenarios, changes of variants, and firing counts of clauses.

The last are shown once somebody has requested a measurement.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as MappingType
from dataclasses import dataclass
from typing import Literal

from lawspeaker.base.diagnostics import with_noun
from lawspeaker.base.source import Span
from lawspeaker.editing.lexicon import Lexicon
from lawspeaker.study.scenario import ScenarioResult
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence, child, entries_of, items_of
from lawspeaker.text.translation.places import ACTIONS

Deed = Literal["run", "position", "changes", "fires"]


@dataclass(frozen=True, slots=True)
class Fired:
    """Firing rate of a clause: times per game, and fraction of games."""

    times: float
    games: float

    def __str__(self) -> str:
        if not self.times:
            return "never"
        return f"{self.times:.3g} times a game, in {self.games:.0%} of games"


@dataclass(frozen=True, slots=True)
class Measured:
    """The measured firing counts of all clauses; `how` describes the games."""

    how: str
    clauses: MappingType[str, Fired]


@dataclass(frozen=True, slots=True)
class Lens:
    """A line above a span, and the command that it executes."""

    span: Span
    title: str
    command: Deed


def of_scenario(root: Node | None, outcome: ScenarioResult) -> Iterator[Lens]:
    key = root.key("scenario") if isinstance(root, Mapping) else None
    if key is None:
        return
    wrong = [each for each in outcome.diagnostics if each.severity == "error"]
    result = f"✗ {wrong[0].message}" if wrong else f"✓ holds, {with_noun(outcome.steps, 'step')}"
    yield Lens(key.span, f"Run this scenario: {result}", "run")
    if not wrong:
        yield Lens(key.span, "Play from here", "position")


def of_variant(root: Node | None) -> Iterator[Lens]:
    key = root.key("variant") if isinstance(root, Mapping) else None
    changes = child(root, "changes")
    if key is not None and isinstance(changes, Sequence):
        count = with_noun(len(changes.items), "change")
        yield Lens(key.span, f"What does this variant change? {count}", "changes")


def of_rules(root: Node | None, measured: Measured | None, how: str) -> Iterator[Lens]:
    """Yields the firing count of each clause; before a measurement, a lens that offers it.

    `how` describes the games to be played.
    """
    for key, node in entries_of(root):
        if key.value == "rules" and isinstance(node, Mapping):
            asks = f"How often does each rule fire? Play {how}"
            yield Lens(key.span, asks if measured is None else f"Measured: {measured.how}", "fires")
            for clause, _ in node.entries if measured is not None else ():
                if measured is not None and clause.value in measured.clauses:
                    yield Lens(clause.span, f"fires {measured.clauses[clause.value]}", "fires")
        elif key.value == "changes" and isinstance(node, Sequence) and measured is not None:
            for span, target in _targets(node):
                if target in measured.clauses:
                    yield Lens(span, f"`{target}` fires {measured.clauses[target]}", "fires")


def _targets(node: Sequence) -> Iterator[tuple[Span, str]]:
    """Yields the targets of a variant's changes."""
    for change in node.items:
        for key, value in entries_of(change):
            if key.value in ACTIONS and isinstance(value, Scalar):
                yield key.span, value.value


def changes(root: Node | None, before: Lexicon, after: Lexicon) -> str:
    """Describes the changes of a variant as Markdown: each target with its new and old sentence."""
    lines: list[str] = []
    for change in items_of(child(root, "changes")):
        for key, value in entries_of(change):
            if key.value in ACTIONS and isinstance(value, Scalar):
                lines.append(f"- **{key.value}** `{value.value}`{_value(change)}")
                lines += _sentences(value.value, before, after)
    return "\n".join(lines)


def _value(change: Node) -> str:
    to = child(change, "to")
    return f": {to.value}" if isinstance(to, Scalar) else ""


def _sentences(target: str, before: Lexicon, after: Lexicon) -> list[str]:
    old = before.called(target, "clause", "choice", "window")
    new = after.called(target, "clause", "choice", "window")
    was = "" if old is None else old.says
    now = "" if new is None else new.says
    if was == now:
        return [f"  {now}"] if now else []
    return [f"  {text}" for text in (f"~~{was}~~" if was else "", now) if text]
