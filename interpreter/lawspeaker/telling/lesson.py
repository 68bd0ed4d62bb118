"""Derives the first lesson of a game from its rules: what wins, what scores, and what a turn is.

A lesson has up to three cards, each with a few sentences of the rules. No rule is on two of them:

- The *goal* has the sentence about the game, and the rules that end it without asking anybody.
- The *points* have how points decide, and the rules that give some. Points that are given before
  the first question, such as coins at the start, are no such rule.
- A *turn* has the rules that lead to a question, from the frame of a turn to its parts; not those
  of single kinds that can be played, which are read when one holds them.

A rule that does two of these is told on the first card that needs it: what can be answered belongs
to the turn, unless it is the only rule that gives points.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.ir.walk import everything

MOST = 6
"""Sentences on a card; where there are more, the card says so."""
DEEPEST = 3
"""A turn is told to this depth of clauses below the main one."""


@dataclass(frozen=True, slots=True)
class Card:
    """A card of a lesson; `more` are the rules that had no room on it."""

    title: str
    sentences: tuple[str, ...]
    more: int = 0


def lesson(program: ir.Program, language: str) -> tuple[Card, ...]:
    """Returns the cards of a game, in a language that it speaks or its first one."""
    rules = _Rules(program)
    spoken = program.spoken(language)

    def said(clauses: Iterable[ir.Clause]) -> list[str]:
        return [text for each in clauses if (text := ir.in_language(each.says, spoken))]

    goal, points, turn = rules.goal(), rules.points(), rules.turn()
    about = [ir.in_language(program.about, spoken)] if program.about else []
    key = "fewest" if program.goal is ir.Goal.FEWEST else "most"
    decided = [phrase(f"brief.{key}", spoken)] if rules.counts_points else []
    found = (
        ("goal", [*about, *said(goal)]),
        ("points", [*decided, *said(points)]),
        ("turn", said(turn)),
    )
    return tuple(
        Card(
            phrase(f"lesson.{key}", spoken),
            tuple(sentences[:MOST]),
            max(0, len(sentences) - MOST),
        )
        for key, sentences in found
        if sentences
    )


class _Rules:
    """The clauses of a game that its book tells, by what they do."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self._asking: dict[int, bool] = {}
        self._main = program.clauses[program.main]
        self._kinds = {
            alternative.offered_by
            for clause in program.clauses
            for node in everything(clause.body)
            if isinstance(node, ir.Ask)
            for alternative in node.alternatives
        }
        scoring = self._told(lambda clause: _does(clause, ir.Score))
        begun = self._reached_after_the_start()
        self._scoring = [each for each in scoring if each.index in begun]
        ends = self._told(lambda clause: _does(clause, ir.EndGame))
        self._ending = [each for each in ends if not _asks_itself(each)]

    @property
    def counts_points(self) -> bool:
        """Whether the winners are found by points, and some can be made."""
        return self.program.goal is not ir.Goal.NAMED and bool(self._scoring)

    def goal(self) -> list[ir.Clause]:
        """The rules that end the game without asking; else the main rule, which ends with it."""
        ending = [each for each in self._ending if not self._in_points(each)]
        return ending or [each for each in (self._main,) if each.in_book]

    def points(self) -> list[ir.Clause]:
        known = {each.index for each in self.goal()}
        return [each for each in self._scoring if self._in_points(each) and each.index not in known]

    def _in_points(self, clause: ir.Clause) -> bool:
        """Whether a rule is told with the points."""
        if not self.counts_points or clause not in self._scoring or clause is self._main:
            return False
        if all(_does(each, ir.EndGame) for each in self._scoring):
            return False
        return not _asks_itself(clause) or all(map(_asks_itself, self._scoring))

    def turn(self) -> list[ir.Clause]:
        """The rules that lead to a question, callers first."""
        known = {self._main.index, *(each.index for each in (*self.goal(), *self.points()))}
        return [
            each
            for each in self._leading(self._main, 0, {self._main.index})
            if each.in_book and each.index not in known
        ]

    def _leading(self, clause: ir.Clause, depth: int, seen: set[int]) -> Iterator[ir.Clause]:
        for called in _called(clause):
            if called in seen or called in self._kinds or not self._asks(called):
                continue
            seen.add(called)
            found = self.program.clauses[called]
            yield found
            if depth + 1 < DEEPEST:
                yield from self._leading(found, depth + 1, seen)

    def _told(self, wanted: Callable[[ir.Clause], bool]) -> list[ir.Clause]:
        return [each for each in self.program.clauses if each.in_book and wanted(each)]

    def _asks(self, number: int) -> bool:
        """Whether a clause leads to a question."""
        if number not in self._asking:
            self._asking[number] = False
            clause = self.program.clauses[number]
            self._asking[number] = _does(clause, ir.Ask) or any(map(self._asks, _called(clause)))
        return self._asking[number]

    def _reached_after_the_start(self) -> set[int]:
        """The clauses that can be executed once somebody has been asked."""
        waiting: list[int] = [self._main.index]
        asked = _does(self._main, ir.Ask)
        for called in _called(self._main):
            asked = asked or self._asks(called)
            if asked:
                waiting.append(called)
        found: set[int] = set()
        while waiting:
            number = waiting.pop()
            if number not in found:
                found.add(number)
                if number != self._main.index:
                    waiting += _called(self.program.clauses[number])
        return found


def _called(clause: ir.Clause) -> list[int]:
    """The clauses that a clause calls, in the order written."""
    found = [node.clause for node in everything(clause.body) if isinstance(node, ir.Do)]
    return list(dict.fromkeys(found))


def _does(clause: ir.Clause, what: type[ir.Statement]) -> bool:
    return any(isinstance(node, what) for node in everything(clause.body))


def _asks_itself(clause: ir.Clause) -> bool:
    """Whether a clause has a question of its own, and not only windows that it opens."""
    asks = (node for node in everything(clause.body) if isinstance(node, ir.Ask))
    return any(node.clause == clause.index for node in asks)
