"""Builds a variant from selected differences: cherry-picking between rulesets.

A mix takes some differences from the rulesets that have them, and leaves all others as in the
first. It is an ordinary variant file, with the reasons and citations of its sources. A difference
that does not compile by itself brings along a minimal set of others from the same ruleset, which
the result lists.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon
from lawspeaker.study.compare.alone import breaks
from lawspeaker.study.compare.comparison import Comparison
from lawspeaker.study.compare.descriptions import Speaker
from lawspeaker.study.compare.differences import Difference
from lawspeaker.study.compare.kinds import BOX, HEAD, HOW_MANY
from lawspeaker.study.compare.patch import (
    LAYER,
    cited_changes,
    laid_over,
    new_sources,
)
from lawspeaker.study.compare.ruleset import Ruleset
from lawspeaker.study.compare.yaml_writer import document

Picks = Mapping[int, int]
"""Selected ruleset by number of difference."""
_NO_RULES = {
    BOX: "is a fact about the game and changes no rule",
    HEAD: "is said in the head of the game, and no rule",
}


class CannotMix(Exception):
    """The selection does not compile; the message says why."""


@dataclass(frozen=True, slots=True)
class TakenDifference:
    """A selected difference; `along` marks one that was added because it is needed."""

    difference: Difference
    column: int
    along: bool = False


@dataclass(frozen=True, slots=True)
class Mix:
    """The variant, and the first ruleset with it applied.

    `idle` are selected differences that equal the first ruleset already.
    """

    text: str = field(repr=False)
    ruleset: Ruleset
    taken: tuple[TakenDifference, ...]
    idle: tuple[TakenDifference, ...] = ()

    @property
    def along(self) -> tuple[TakenDifference, ...]:
        return tuple(each for each in self.taken if each.along)


def _no_rule(difference: Difference) -> str:
    """Why a difference cannot be selected; empty if it can."""
    return "" if difference.row.id == HOW_MANY else _NO_RULES.get(difference.row.sort, "")


def can_be_taken(difference: Difference, column: int) -> bool:
    """Whether a ruleset differs there in a selectable way; if play differs at all, it must
    differ in play.
    """
    if _no_rule(difference):
        return False
    if difference.changes_play:
        return difference.plays_otherwise(column)
    return column in difference.columns


def whole(comparison: Comparison, column: int) -> dict[int, int]:
    """Selects all differences of one ruleset."""
    return {each.number: column for each in comparison.differences if can_be_taken(each, column)}


def mix(
    rulesets: Sequence[Ruleset],
    comparison: Comparison,
    picks: Picks,
    name: str,
    title: str = "",
) -> Mix:
    """Builds the variant of a selection; raises CannotMix."""
    return _Mixing(rulesets, comparison, name, title).mixed(picks)


class _Mixing:
    def __init__(
        self, rulesets: Sequence[Ruleset], comparison: Comparison, name: str, title: str
    ) -> None:
        self.rulesets, self.first = rulesets, rulesets[0]
        self.comparison = comparison
        self.numbered = {each.number: each for each in comparison.differences}
        self.name, self.title = name, title

    def mixed(self, picks: Picks) -> Mix:
        wanted = {number: at for number, at in picks.items() if self.takes(number, at)}
        if not wanted:
            raise CannotMix("nothing is taken that the first does not do already")
        text, told, problem = self.tried(wanted)
        if told is not None:
            return self.told(text, told, wanted, picks)
        for column in dict.fromkeys(wanted.values()):
            needed = self.widened(wanted, column)
            if needed is not None:
                text, told, problem = self.tried(needed)
                assert told is not None
                return self.told(text, told, needed, picks)
        raise CannotMix(problem)

    def takes(self, number: int, column: int) -> bool:
        """Whether the selection differs from the first ruleset."""
        difference = self.numbered[number]
        if why := _no_rule(difference):
            raise CannotMix(f"“{difference.title}” {why}")
        return can_be_taken(difference, column)

    def widened(self, wanted: Picks, column: int) -> dict[int, int] | None:
        """The selection with a minimal set of further differences of one ruleset; None if that
        fails.
        """
        others = {
            each.number: column
            for each in self.comparison.differences
            if each.number not in wanted and each.plays_otherwise(column)
        }
        found = {**wanted, **others}
        if self.tried(found)[1] is None:
            return None
        for number in others:
            fewer = {each: at for each, at in found.items() if each != number}
            if self.tried(fewer)[1] is not None:
                found = fewer
        return found

    def tried(self, picks: Picks) -> tuple[str, Ruleset | None, str]:
        """The variant, the patched ruleset if it can be played, and else the problem."""
        text = self.variant(picks)
        diagnostics = Diagnostics()
        told = self.first.with_patch(text, self.name, diagnostics)
        if told is None:
            return text, None, next((each.message for each in diagnostics.sorted()), "")
        problem = breaks(told.program)
        return text, None if problem else told, problem

    def told(self, text: str, ruleset: Ruleset, taken: Picks, picks: Picks) -> Mix:
        return Mix(
            text,
            ruleset,
            tuple(self.taken(number, at, number not in picks) for number, at in taken.items()),
            tuple(self.taken(number, at) for number, at in picks.items() if number not in taken),
        )

    def taken(self, number: int, column: int, along: bool = False) -> TakenDifference:
        return TakenDifference(self.numbered[number], column, along)

    # ------------------------------------------------------------ the file

    def variant(self, picks: Picks) -> str:
        changes: list[dict[str, Any]] = []
        sources: dict[str, Any] = {}
        for at, other in enumerate(self.rulesets):
            own = [number for number in sorted(picks) if picks[number] == at]
            if own:
                rows = {row for number in own for row in self.numbered[number].rows_of(at)}
                found = cited_changes(self.first, other, rows, self.comparison.table, at)
                cited = {source for each in found for source in _cited(each)}
                known = new_sources(self.first, other)
                sources.update({id: said for id, said in known.items() if id in cited})
                changes += found
        languages = self.first.program.languages
        spoken = {each: phrase("mix.title", each) for each in languages}
        return document(
            {
                "lawspeaker": 1,
                "variant": self.name,
                "of": self.first.program.name,
                "layer": LAYER,
                "title": self.title or _texts(spoken, self.first),
                "about": _texts({each: self.about(picks, each) for each in languages}, self.first),
                **({"sources": sources} if sources else {}),
                **laid_over(self.first),
                "changes": changes,
            }
        )

    def about(self, picks: Picks, language: str) -> str:
        """Describes what is taken from which ruleset, a sentence for each."""
        sentences: list[str] = []
        for at, other in enumerate(self.rulesets):
            own = [self.numbered[number] for number in sorted(picks) if picks[number] == at]
            if own:
                points = " ".join(self.called(each, at, language) for each in own)
                edition = other.title(language)
                sentences.append(colon(edition, points, language))
        return " ".join(sentences)

    def called(self, difference: Difference, at: int, language: str) -> str:
        """Title of a difference in a language."""
        row = difference.row_of(at)
        for column in (0, at):
            point = row.cells[column].point
            if point is not None:
                title = Speaker(self.rulesets[column], language).title(point)
                return title if title.endswith(".") else f"{title}."
        return row.title


def _texts(texts: dict[str, str], ruleset: Ruleset) -> Any:
    """A text in rule-file form: a plain string if only the game's language is used."""
    return texts if len(texts) > 1 else texts.get(ruleset.opened.book.language, "")


def _cited(data: Any) -> set[str]:
    """The sources cited anywhere in a change."""
    if not isinstance(data, dict):
        return set()
    cites = data.get("cites")
    own = {*cites} if isinstance(cites, dict) else set()
    return own.union(*(_cited(value) for value in data.values()))
