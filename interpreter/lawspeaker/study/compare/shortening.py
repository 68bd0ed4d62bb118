"""A play in which two tellings part, shortened in two ways.

It is lifted out of its game: the position just before is set up by hand, and only the clause is
done that was being done there, or one that leads to what came out otherwise. And the position is
thinned out: whatever can be left away is. It stays one from which the game could go on: markers
show what they showed, what lies in a row is left as it is or left away altogether, nothing lies
where the table has no place for it, and whatever is offered can be done.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lawspeaker import ir
from lawspeaker.machines.reference import RuleFault
from lawspeaker.match.match import Match
from lawspeaker.position.luck import Stream, combine
from lawspeaker.study.compare.coming_up import callers
from lawspeaker.study.compare.lockstep import (
    OFFERED,
    Divergence,
    Lockstep,
    Reply,
    Side,
    asked,
    idle_markers,
    play_apart,
)
from lawspeaker.study.compare.position_setup import Stage, call_text, described, laid_out, staged
from lawspeaker.study.compare.witness import Rulebooks, Witness, in_step, parted
from lawspeaker.telling.labels import everything, value_on

FEW = (1, 2, 3)
"""Instead of many pieces or points, so few are tried."""
TRIES = 4
LONGEST = 3
PASSES = 3
ANSWERED = 8
"""So many replies are tried to see whether the game goes on."""
_MANY = re.compile(r"(\d+) (.+)")


class Shortening:
    def __init__(self, rules: Rulebooks, clauses: Sequence[str]) -> None:
        self.rules = rules
        self.clauses = clauses
        self.idle = idle_markers(rules.one, rules.alone)
        self.callers = callers((rules.one, rules.alone))
        self.clause_of = {clause.id: clause for clause in rules.one.clauses}
        self.shown = {
            each.family: each.only
            for each in everything(rules.one.table)
            if each.family is not None and each.only is not None
        }

    # ------------------------------------------------------------ lifting out of the game

    def lifted(self, found: Witness) -> Iterator[Witness]:
        """Plays that begin at a clause in a position of this game: the one before they part, and
        those in which they then stand. Who is not asked has gone on, and only the other one still
        stands where the difference is."""
        rules, replies = self.rules, found.replies
        if found.divergence.sort != OFFERED:
            yield from self._lifted_from(rules.one, found, replies[:-1], replies[-1:])
        yield from self._lifted_from(rules.one, found, replies)
        if found.divergence.sort != OFFERED:
            yield from self._lifted_from(rules.alone, found, replies)

    def _lifted_from(
        self,
        program: ir.Program,
        found: Witness,
        before: tuple[Reply, ...],
        last: tuple[Reply, ...] = (),
    ) -> Iterator[Witness]:
        match = _replayed(program, found.stage, before)
        if match is None:
            return
        # Idle markers tell of rules that the first has not got, and that are not under way here.
        situation = {
            key: each
            for key, each in described(match.machine.layout, match.state).items()
            if key.partition(" ")[0] not in self.idle
        }
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
            yield from self._leading_to(id)

    def _leading_to(self, id: str) -> Iterator[str]:
        """The nearest clauses of the first that lead to this one and need nothing to be given."""
        main = self.rules.one.clauses[self.rules.one.main].id
        seen = {id}
        level = [id]
        while level:
            for each in level:
                clause = self.clause_of.get(each)
                bare = clause is not None and clause.parameters == 0 and clause.role == "rule"
                if bare and each != main:
                    yield each
            above = {caller for each in level for caller in self.callers.get(each, ())}
            level = sorted(above - seen)
            seen |= above

    def _parts(self, stage: Stage, last: tuple[Reply, ...]) -> Iterator[Witness]:
        """The shortest plays from here that part the tellings."""
        best = LONGEST + 1
        for attempt in range(TRIES):
            pair = in_step(self.rules.one, self.rules.alone, stage)
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
        left_open = self.rules.left_open(divergence, self.clauses)
        return Witness(stage, replies, divergence, whole, left_open)

    def _whole(self, stage: Stage, replies: tuple[Reply, ...], alone: Divergence) -> bool:
        """Whether the other telling as a whole does what the difference alone does."""
        found = parted(self.rules.one, self.rules.other, stage, replies)
        if found is None:
            return False
        pair, divergence = found
        same_play = tuple(pair.replies) == replies and divergence.sort == alone.sort
        return same_play and _alike(divergence.other, alone.other)

    # ------------------------------------------------------------ thinning it out

    def thinned(self, found: Witness) -> Witness:
        """The same play in a position without all that does not matter."""
        if found.stage.do is None:
            return self._witness(found.stage, found.replies, found.divergence)
        for _ in range(PASSES):
            before = found.stage.size
            for change in _smaller(found.stage.situation, self.rules.one):
                found = self._with(found, change)
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
        now = parted(self.rules.one, self.rules.alone, stage, found.replies)
        if now is None or now[1].signature != found.divergence.signature:
            return found
        if not _goes_on(now[0]) or not self._on_the_table(stage):
            return found
        pair, divergence = now
        witness = self._witness(stage, tuple(pair.replies), divergence)
        return found if found.whole and not witness.whole else witness

    def _on_the_table(self, stage: Stage) -> bool:
        """Whether every piece lies in a place that the table shows."""
        if not self.shown:
            return True
        match = laid_out(self.rules.one, stage)
        return match is not None and all(
            value_on(match, self.shown[family], place)
            for place, held in match.state.contents.items()
            if held and (family := match.machine.layout.place_family[place]) in self.shown
        )


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


def _goes_on(pair: Lockstep) -> bool:
    """Whether what only one of them offers can be done: where the rules break, the position is
    none of a game."""
    for match, rival in ((pair.one, pair.other), (pair.other, pair.one)):
        known = {(each.seat, option) for each in asked(rival) for option in each.options}
        own = ((each.seat, option) for each in asked(match) for option in each.options)
        for seat, option in [each for each in own if each not in known][:ANSWERED]:
            try:
                match.copy().choose(option, seat=seat)
            except RuleFault:
                return False
    return True


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


def _smaller(situation: dict[str, Any], program: ir.Program) -> list[_Change]:
    """What could be left away: all of a sort first, then one by one, then parts and numbers.

    Without what a marker shows the table would be no smaller, only another one; and a part of a row
    would lie elsewhere without what lies before it.
    """
    markers = {each.name for each in program.markers}
    rows = {each.name for each in program.families if each.arranged == "row"}
    groups: dict[str, list[str]] = {}
    for key in situation:
        groups.setdefault(key.partition(" ")[0], []).append(key)
    groups = {name: keys for name, keys in groups.items() if name not in markers}
    changes = [_Change(tuple(keys)) for keys in groups.values() if len(keys) > 1]
    changes += [_Change((key,)) for keys in groups.values() for key in keys]
    for key in (key for name, keys in groups.items() if name not in rows for key in keys):
        value = situation[key]
        parts = value if isinstance(value, dict | list) else ()
        changes += [_Change((key,), part) for part in parts]
        for count in FEW:
            if isinstance(value, dict):
                changes += [_Change((key,), part, count) for part in value]
            elif isinstance(value, str):
                changes.append(_Change((key,), None, count))
    return changes
