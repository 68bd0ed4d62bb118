"""Witness: a position and a play in which two rulesets diverge.

A witness is of the difference alone. `whole` says whether the other ruleset as a whole diverges
in the same way, so that what is shown is what is played; `open`, how much the books of both leave
open about the rules involved. `parted` replays it, `witness_search` finds it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lawspeaker import ir
from lawspeaker.ir.walk import guards_of
from lawspeaker.study.compare.kinds import LETTER, OPEN
from lawspeaker.study.compare.lockstep import Divergence, Lockstep, Reply, Side, play_apart
from lawspeaker.study.compare.position_setup import PlayStart, staged

NOTHING_OPEN, SOME_OPEN, ALL_OPEN = range(3)

Books = tuple[tuple[str, ...], ...]
"""Groups of book ids; the first group with a statement counts."""


@dataclass(frozen=True, slots=True)
class Witness:
    """A start, the replies, and the divergence.

    `whole`: the other ruleset, with all its differences, diverges in the same way. `open`: how
    much the books leave open about the rules involved. `before`: the replies that lead to the
    stage, in a game with its seed. `reached`: from the enclosing rules, such as those of a whole
    turn, the other ruleset reaches this stage, too.
    """

    stage: PlayStart
    replies: tuple[Reply, ...]
    divergence: Divergence
    whole: bool = True
    open: int = NOTHING_OPEN
    before: tuple[Reply, ...] = ()
    reached: bool = True

    @property
    def weight(self) -> tuple[bool, bool, bool, int, int, bool, int, int]:
        """Sort key, lowest best: not of the whole ruleset, from the start of the game, not
        reached by the whole ruleset, not in the books, replies, more than the diverging
        clause, differing events, size.
        """
        begun = "" if self.stage.do is None else self.stage.do.partition("(")[0]
        sides = (self.divergence.one, self.divergence.other)
        acting = {each.clause for side in sides for each in side.asked}
        acting |= {each.clause for side in sides for each in side.events[:1]}
        more = begun not in acting
        return (
            not self.whole,
            not begun,
            not self.reached,
            self.open,
            len(self.replies),
            more,
            self.divergence.apart,
            self.stage.size,
        )

    @property
    def good(self) -> bool:
        """Whether only a smaller one would be better."""
        told = self.whole and self.reached and self.stage.do is not None
        return told and self.open == NOTHING_OPEN


@dataclass(frozen=True, slots=True)
class Search:
    """Result of a search; `shown` is the number of its games in which the difference was seen.

    If nothing was found, `came_up` says in how many of `further` games a rule executes that could
    show the difference.
    """

    witness: Witness | None
    games: int
    positions: int
    further: int = 0
    came_up: int = 0
    shown: int = 0


@dataclass(frozen=True, slots=True)
class Rulebooks:
    """The first ruleset, the same with one difference, and the other ruleset as a whole.

    `own` and `books` are the ids of the books of the first and the other (`Ruleset.own`).
    `boxes` are the first two without equalised pieces, if here both have the same (see
    `contrast`).
    """

    one: ir.Program
    alone: ir.Program
    other: ir.Program
    own: Books = ()
    books: Books = ()
    boxes: tuple[ir.Program, ir.Program] | None = None

    @property
    def first(self) -> ir.Program:
        """The first ruleset, unmodified."""
        return self.one if self.boxes is None else self.boxes[0]

    def with_their_boxes(self) -> Rulebooks:
        """The same, each with its own pieces."""
        if self.boxes is None:
            return self
        one, alone = self.boxes
        return replace(self, one=one, alone=alone, other=alone, boxes=None)

    @property
    def players(self) -> tuple[int, ...]:
        """Common numbers of players, greatest first."""
        both = set(self.one.counts) & set(self.other.counts)
        return tuple(sorted(both, reverse=True))

    def left_open(self, divergence: Divergence, rows: Sequence[str]) -> int:
        """How much the books leave open about the clauses of a divergence, and those of their
        guards that differ (`rows`).
        """
        return max(
            _left_open(self.one, divergence.one, self.own, rows),
            _left_open(self.other, divergence.other, self.books, rows),
        )


def _left_open(program: ir.Program, side: Side, books: Books, rows: Sequence[str]) -> int:
    ids = [each.clause for each in (side.events[:1] or side.asked)]
    cites = [cite for clause in program.clauses if clause.id in ids for cite in clause.cites]
    for id, guard in guards_of(program).items():
        if id in rows and id.rpartition(".")[0] in ids:
            cites += guard.cites
    spoken = ([cite.stance for cite in cites if cite.source in group] for group in books)
    stances = next(filter(None, spoken), [])
    if stances and all(each in OPEN for each in stances):
        return ALL_OPEN
    return SOME_OPEN if any(each in (*OPEN, *LETTER) for each in stances) else NOTHING_OPEN


def in_step(one: ir.Program, other: ir.Program, stage: PlayStart) -> Lockstep | None:
    """Two rulebooks at the same stage; None if one of them cannot set it up."""
    left, right = staged(one, stage), staged(other, stage)
    return None if left is None or right is None else Lockstep(left, right)


def parted(
    one: ir.Program, other: ir.Program, stage: PlayStart, replies: Sequence[Reply]
) -> tuple[Lockstep, Divergence] | None:
    """Replays two rulebooks; returns their state and divergence, None if they do not diverge.

    Replies to questions that are not asked are dropped.
    """
    pair = in_step(one, other, stage)
    if pair is None:
        return None
    for divergence in play_apart(pair, None, len(replies), replies=replies):
        if divergence is not None:
            return pair, divergence
    return None
