"""A position and a play in which two tellings part, as small as can be found.

First whole games are played in step, with the same seed and the same replies, by players who do
anything and by players who do something rather than nothing, for every number of players. A game
that parts the tellings is then shortened in two ways. It is lifted out of the game: the position
just before is set up by hand, and only the clause is done that was being done there, or one that
leads to what came out otherwise. And the position is thinned out: whatever can be left away is.

A witness is looked for with the difference alone. Where that is possible it is one in which the
other telling as a whole comes out in just the same way, so that what is shown is what is played,
and one at a rule about which its book is not silent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.walk import clauses_used
from lawspeaker.match.match import Match
from lawspeaker.position.luck import Stream, combine, word_of
from lawspeaker.study.compare.kinds import OPEN
from lawspeaker.study.compare.lockstep import (
    HAPPENED,
    Divergence,
    Lockstep,
    Reply,
    Side,
    play_apart,
)
from lawspeaker.study.compare.position_setup import Stage, call_text, described, laid_out, staged

GAMES = 400
ENOUGH = 6
"""So many games that part are shortened; the smallest play is shown."""
FEW = (1, 2, 3)
"""Instead of many pieces or points, so few are tried."""
TRIES = 4
LONGEST = 3
PASSES = 3
_MANY = re.compile(r"(\d+) (.+)")


@dataclass(frozen=True, slots=True)
class Witness:
    """Where to begin, what is answered, and how the tellings then part.

    `whole`: the other telling, with all its differences, comes out in the same way. `silent`: its
    book says nothing about the rule by which they part.
    """

    stage: Stage
    replies: tuple[Reply, ...]
    divergence: Divergence
    whole: bool = True
    silent: bool = False

    @property
    def weight(self) -> tuple[bool, bool, bool, int, int]:
        """The less the better: not of the whole telling, not lifted out, not in the book, replies,
        size."""
        lifted = self.stage.do is not None
        return not self.whole, not lifted, self.silent, len(self.replies), self.stage.size


@dataclass(frozen=True, slots=True)
class Search:
    """What a search has found, and how far it went."""

    witness: Witness | None
    games: int
    positions: int


@dataclass(frozen=True, slots=True)
class Rulebooks:
    """The first telling, the same with one difference, and the other telling as a whole, with the
    ids of the books whose word counts for it."""

    one: ir.Program
    alone: ir.Program
    other: ir.Program
    books: tuple[str, ...] = ()

    def silent(self, divergence: Divergence) -> bool:
        """Whether the books say nothing about the rule by which they part."""
        side = divergence.other
        ids = [each.clause for each in (side.events[:1] or side.asked)]
        cites = [
            cite
            for clause in self.other.clauses
            if clause.id in ids
            for cite in clause.cites
            if cite.source in self.books
        ]
        return bool(cites) and all(cite.stance in OPEN for cite in cites)


def search(rules: Rulebooks, clauses: Sequence[str], *, positions: int, seed: int = 1) -> Search:
    """Looks for a witness; `clauses` are the ids of those in which the difference is."""
    found, games, looked = _games(rules, seed, positions)
    if not found:
        return Search(None, games, looked)
    shortening = _Shortening(rules, clauses)
    small: list[Witness] = []
    for each in found:
        small += shortening.lifted(each)
    best = sorted(small or found, key=lambda each: each.weight)[:ENOUGH]
    thinned = [shortening.thinned(each) for each in best]
    return Search(min(thinned, key=lambda each: each.weight), games, looked)


def _games(rules: Rulebooks, seed: int, most: int) -> tuple[list[Witness], int, int]:
    """Games in which the difference shows, how many were played, and how many positions seen."""
    few, many = max(rules.one.fewest, rules.other.fewest), min(rules.one.most, rules.other.most)
    counts = range(many, few - 1, -1)
    found: list[Witness] = []
    games = positions = 0
    while counts and positions < most and len(found) < ENOUGH and games < GAMES:
        players = counts[games % len(counts)]
        eager = games // len(counts) % 2 == 1
        stage = Stage(players, seed + games, {})
        pair = _pair(rules.one, rules.alone, stage)
        games += 1
        if pair is None:
            positions += 1
            continue
        luck = Stream(combine(stage.seed, word_of("witness")))
        for divergence in play_apart(pair, luck, most, eager):
            positions += 1
            if divergence is not None:
                found.append(Witness(stage, tuple(pair.replies), divergence))
    return found, games, positions


def _pair(one: ir.Program, other: ir.Program, stage: Stage) -> Lockstep | None:
    left, right = staged(one, stage), staged(other, stage)
    return None if left is None or right is None else Lockstep(left, right)


def played(
    one: ir.Program, other: ir.Program, stage: Stage, replies: Sequence[Reply]
) -> Divergence | None:
    """How two rulebooks part after just these replies; None if they do not."""
    pair = _pair(one, other, stage)
    if pair is None:
        return None
    for divergence in play_apart(pair, Stream(0), len(replies), replies=replies):
        if divergence is not None:
            return divergence if len(pair.replies) == len(replies) else None
    return None


class _Shortening:
    def __init__(self, rules: Rulebooks, clauses: Sequence[str]) -> None:
        self.rules = rules
        self.clauses = clauses
        self.callers = _callers(rules.one)
        self.ids = {clause.id: clause for clause in rules.one.clauses}

    # ------------------------------------------------------------ lifting out of the game

    def lifted(self, found: Witness) -> Iterator[Witness]:
        """Plays that begin at a clause in a position of this game."""
        happened = found.divergence.sort == HAPPENED
        replies = found.replies[:-1] if happened else found.replies
        match = _replayed(self.rules.one, found.stage, replies)
        if match is None:
            return
        state = match.state
        situation = described(match.machine.layout, state)
        last = found.replies[-1:] if happened else ()
        # What parts them before the first reply can be seen from the very beginning.
        situations = [situation] if found.replies else [{}, situation]
        for call in dict.fromkeys(self._calls(match, found.divergence)):
            for each in situations:
                stage = Stage(match.players, found.stage.seed, each, call)
                yield from self._parts(stage, last)

    def _calls(self, match: Match, divergence: Divergence) -> Iterator[str]:
        """What could be done here to show it: what was being done, then what leads to it."""
        layout, state = match.machine.layout, match.state
        for frame in reversed(state.stack[1:]):
            call = call_text(layout, state, frame)
            if call is not None:
                yield call
        sides = (divergence.one, divergence.other)
        acting = [event.clause for side in sides for event in side.events[:1]]
        for id in (*acting, *self.clauses):
            if id in self.ids:
                yield from self._leading_to(self.ids[id])

    def _leading_to(self, clause: ir.Clause) -> Iterator[str]:
        """The nearest clauses that lead to this one and need nothing to be given."""
        seen = {clause.index}
        level = [clause]
        while level:
            for each in level:
                if each.parameters == 0 and each.role == "rule" and each.index != self.main:
                    yield each.id
            above = {index for each in level for index in self.callers.get(each.index, ())}
            level = [self.rules.one.clauses[index] for index in sorted(above - seen)]
            seen |= above

    @property
    def main(self) -> int:
        return self.rules.one.main

    def _parts(self, stage: Stage, last: tuple[Reply, ...]) -> Iterator[Witness]:
        """The shortest plays from here that part the tellings."""
        best = LONGEST + 1
        for attempt in range(TRIES):
            pair = _pair(self.rules.one, self.rules.alone, stage)
            if pair is None:
                return
            given = last if attempt == 0 else ()
            luck = Stream(combine(stage.seed, attempt))
            for divergence in play_apart(pair, luck, best - 1, attempt % 2 == 1, given):
                if divergence is not None:
                    best = len(pair.replies)
                    replies = tuple(pair.replies)
                    yield self._witness(stage, replies, divergence)
            if best == 0:
                return

    def _witness(self, stage: Stage, replies: tuple[Reply, ...], divergence: Divergence) -> Witness:
        whole = self._whole(stage, replies, divergence)
        return Witness(stage, replies, divergence, whole, self.rules.silent(divergence))

    def _whole(self, stage: Stage, replies: tuple[Reply, ...], alone: Divergence) -> bool:
        """Whether the other telling as a whole does what the difference alone does."""
        found = played(self.rules.one, self.rules.other, stage, replies)
        return found is not None and found.sort == alone.sort and _alike(found.other, alone.other)

    # ------------------------------------------------------------ thinning it out

    def thinned(self, found: Witness) -> Witness:
        """The same play in a position without all that does not matter."""
        if found.stage.do is None:
            return self._witness(found.stage, found.replies, found.divergence)
        for _ in range(PASSES):
            before = found.stage.size
            for situation in _smaller(found.stage.situation):
                found = self._with(found, situation)
            if found.stage.size == before:
                break
        match = laid_out(self.rules.one, found.stage)
        if match is None:
            return found
        return self._in(found, described(match.machine.layout, match.state))

    def _with(self, found: Witness, change: _Change) -> Witness:
        situation = change.applied(found.stage.situation)
        return found if situation is None else self._in(found, situation)

    def _in(self, found: Witness, situation: dict[str, Any]) -> Witness:
        """The same play in another situation, if it parts the tellings in the same way."""
        stage = replace(found.stage, situation=situation)
        divergence = played(self.rules.one, self.rules.alone, stage, found.replies)
        if divergence is None or divergence.signature != found.divergence.signature:
            return found
        if found.whole and not self._whole(stage, found.replies, divergence):
            return found
        return replace(found, stage=stage, divergence=divergence)


def _alike(one: Side, other: Side) -> bool:
    """Whether the same happens and the same is asked, by whatever clause."""
    happens = [[(each.kind, each.text, each.seat) for each in side.events] for side in (one, other)]
    asks = [[(each.seat, set(each.options)) for each in side.asked] for side in (one, other)]
    return happens[0] == happens[1] and asks[0] == asks[1]


def _replayed(program: ir.Program, stage: Stage, replies: Sequence[Reply]) -> Match | None:
    match = staged(program, stage)
    for reply in replies if match is not None else ():
        assert match is not None
        match.choose(reply.text, seat=reply.seat)
    return match


def _callers(program: ir.Program) -> dict[int, set[int]]:
    """For each clause, the clauses that do it or use its value."""
    found: dict[int, set[int]] = {}
    bodies: list[tuple[int, object]] = [(each.index, each.body) for each in program.clauses]
    bodies += [(each.clause, (each.lets, each.result)) for each in program.functions]
    for index, body in bodies:
        for target in clauses_used(program, body):
            found.setdefault(target, set()).add(index)
    return found


# ---------------------------------------------------------------- leaving things away


@dataclass(frozen=True, slots=True)
class _Change:
    """Something left away from a situation: whole entries, a part of one, or some of many."""

    keys: tuple[str, ...]
    part: object = None
    count: int | None = None

    def applied(self, situation: dict[str, Any]) -> dict[str, Any] | None:
        if any(key not in situation for key in self.keys):
            return None
        key = self.keys[0]
        if self.count is not None:
            return self._fewer(situation, key, self.count)
        if self.part is None:
            return {key: each for key, each in situation.items() if key not in self.keys}
        value = situation[key]
        if isinstance(value, dict):
            value = {name: each for name, each in value.items() if name != self.part}
        elif isinstance(value, list):
            value = [each for each in value if each != self.part]
            value = value[0] if len(value) == 1 and key != "shuffle" else value
        return {**situation, key: value} if value else None

    def _fewer(self, situation: dict[str, Any], key: str, count: int) -> dict[str, Any] | None:
        value = situation[key]
        if isinstance(value, dict):
            points = value.get(self.part)
            if not isinstance(points, int) or points <= count:
                return None
            return {**situation, key: {**value, self.part: count}}
        many = _MANY.fullmatch(value) if isinstance(value, str) else None
        if many is None or int(many[1]) <= count:
            return None
        return {**situation, key: f"{count} {many[2]}"}


def _smaller(situation: dict[str, Any]) -> list[_Change]:
    """What could be left away: all of a sort first, then one by one, then parts and numbers."""
    groups: dict[str, list[str]] = {}
    for key in situation:
        groups.setdefault(key.partition(" ")[0], []).append(key)
    changes = [_Change(tuple(keys)) for keys in groups.values() if len(keys) > 1]
    changes += [_Change((key,)) for key in situation]
    for key, value in situation.items():
        parts = value if isinstance(value, dict | list) else ()
        changes += [_Change((key,), part) for part in parts]
        for count in FEW:
            if isinstance(value, dict):
                changes += [_Change((key,), part, count) for part in value]
            elif isinstance(value, str):
                changes.append(_Change((key,), None, count))
    return changes
