"""Shortens a witness: starts the play from the latest possible moment of its game.

The game is replayed, recording the state whenever a clause begins. The witness starts at the
latest of these moments from which that clause alone, with the remaining replies, diverges like
the game. So a witness is always a position reached in a game, and the replies that led to it are
kept.

The books may be about another place than the first divergence. So the first ruleset plays on, and
wherever a rule begins that can exercise the difference, it is tested again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from lawspeaker import ir
from lawspeaker.machines.reference import RuleFault, machine_for
from lawspeaker.machines.reference.watching import WatchingMachine
from lawspeaker.match.match import Match
from lawspeaker.position.rng import Stream, combine, word_of
from lawspeaker.position.state import State
from lawspeaker.study.compare.lockstep import (
    Divergence,
    Lockstep,
    Manner,
    Reply,
    Side,
    idle_markers,
    some_reply,
    standing,
)
from lawspeaker.study.compare.position_setup import PlayStart, call_text, described, laid_out
from lawspeaker.study.compare.triggers import callers, rules_with
from lawspeaker.study.compare.witness import Rulebooks, Witness, parted

LONGEST = 3
"""Maximum replies from the start of a play to the divergence."""
TRIES = 8
"""Maximum moments tried per game, and per clause."""
ON = 200
"""Maximum replies of a game after the divergence."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """State after some replies when the clause on top begins."""

    state: State
    clause: str
    after: int


class Shortening:
    """Shortens witnesses of one difference."""

    def __init__(self, rules: Rulebooks, clauses: Sequence[str]) -> None:
        self.rules = rules
        self.clauses = clauses
        self.idle = idle_markers(rules.one, rules.alone)
        both = (rules.one, rules.alone)
        self.callers = callers(both)
        self.concerned = frozenset(id for each in clauses for id in rules_with(both, each))

    def shortened(self, game: Witness) -> Iterator[Witness]:
        """Yields shortened plays, latest moment first, until one is good."""
        watched = _Watched(self.rules.one, game.stage, self._leading_to(game.divergence))
        for reply in game.replies:
            watched.answer(reply)
        late = [each for each in watched.moments if each.after + LONGEST >= len(game.replies)]
        for moment in reversed(late[-TRIES:]):
            found = self._from(moment, game.stage, game.replies, watched.moments)
            if found is not None and found.divergence.like(game.divergence):
                yield found
                if found.good:
                    return

    def _leading_to(self, divergence: Divergence) -> set[str]:
        """The clauses of a divergence and their callers."""
        sides = (divergence.one, divergence.other)
        level = {each.clause for side in sides for each in side.events[:1]}
        level |= {each.clause for side in sides for each in side.asked}
        seen: set[str] = set()
        while level:
            seen |= level
            level = {above for each in level for above in self.callers.get(each, ())} - seen
        return seen

    def later(self, game: Witness) -> Iterator[Witness]:
        """Yields later occurrences of the difference, as the first ruleset plays on."""
        watched = _Watched(self.rules.one, game.stage, self.concerned)
        for reply in game.replies:
            watched.answer(reply)
        watched.moments.clear()
        watched.go_on(Stream(combine(game.stage.seed, word_of("later"))))
        tried: Counter[str] = Counter()
        shown: set[str] = set()
        for moment in watched.moments:
            tried[moment.clause] += 1
            if moment.clause not in shown and tried[moment.clause] <= TRIES:
                replies = watched.replies[: moment.after]
                found = self._from(moment, game.stage, replies, watched.moments)
                if found is not None:
                    shown.add(moment.clause)
                    yield found

    def as_a_game(self, game: Witness) -> Witness:
        """The play as a whole game."""
        return self._witness(game.stage, game.replies, game.divergence)

    def _from(
        self, moment: _Moment, game: PlayStart, replies: Sequence[Reply], moments: Sequence[_Moment]
    ) -> Witness | None:
        """The play from a moment on; None if the clause cannot begin there or does not diverge.

        `moments` are those of the game.
        """
        stage = self._stage(moment, game)
        found = None if stage is None else self._parted(stage, replies[moment.after :])
        if stage is None or found is None:
            return None
        pair, divergence = found
        before = tuple(replies[: moment.after])
        witness = self._witness(stage, tuple(pair.replies), divergence, before)
        around = _around(moment, moments) if witness.whole else ()
        reached = all(self._comes_there(each, game, replies) for each in around)
        return witness if reached else replace(witness, reached=False)

    def _comes_there(self, moment: _Moment, game: PlayStart, replies: Sequence[Reply]) -> bool:
        """Whether the other ruleset reaches the difference by the same replies.

        True if the clause cannot be begun by itself.
        """
        stage = self._stage(moment, game)
        found = None if stage is None else self._parted(stage, replies[moment.after :])
        if stage is None or found is None:
            return True
        pair, divergence = found
        return self._whole(stage, tuple(pair.replies), divergence)

    def _parted(
        self, stage: PlayStart, replies: Sequence[Reply]
    ) -> tuple[Lockstep, Divergence] | None:
        return parted(self.rules.one, self.rules.alone, stage, replies)

    def _stage(self, moment: _Moment, game: PlayStart) -> PlayStart | None:
        """The moment as a stage; None if the clause cannot begin there by itself."""
        one = self.rules.one
        layout = machine_for(one, game.players).layout
        call = call_text(layout, moment.state, moment.state.stack[-1])
        # Idle markers belong to rules that the other lacks, and that are not running here.
        situation = {
            key: each
            for key, each in described(layout, moment.state).items()
            if key.partition(" ")[0] not in self.idle
        }
        stage = PlayStart(game.players, game.seed, situation, call)
        return None if call is None or not self._stands(stage, moment.state) else stage

    def _stands(self, stage: PlayStart, state: State) -> bool:
        """Whether the stage reproduces the position of the game."""
        match = laid_out(self.rules.one, stage)
        if match is None:
            return False
        game = Match.from_state(match.program, state, match.machine)
        return standing(match, self.idle) == standing(game, self.idle)

    def _witness(
        self,
        stage: PlayStart,
        replies: tuple[Reply, ...],
        divergence: Divergence,
        before: tuple[Reply, ...] = (),
    ) -> Witness:
        whole = self._whole(stage, replies, divergence)
        left_open = self.rules.left_open(divergence, self.clauses)
        return Witness(stage, replies, divergence, whole, left_open, before)

    def _whole(self, stage: PlayStart, replies: tuple[Reply, ...], alone: Divergence) -> bool:
        """Whether the other ruleset as a whole diverges like the difference alone."""
        found = parted(self.rules.one, self.rules.other, stage, replies)
        if found is None:
            return False
        pair, divergence = found
        same_play = tuple(pair.replies) == replies and divergence.sort == alone.sort
        return same_play and _alike(divergence.other, alone.other)


def _around(moment: _Moment, moments: Sequence[_Moment]) -> Iterator[_Moment]:
    """Recently begun clauses that are active at a moment."""
    stack = [frame.clause for frame in moment.state.stack]
    at = next(at for at, each in enumerate(moments) if each is moment)
    for each in reversed(moments[:at]):
        own = [frame.clause for frame in each.state.stack]
        if each.after + LONGEST < moment.after:
            return
        if len(own) < len(stack) and stack[: len(own)] == own:
            stack = own
            yield each


def _alike(one: Side, other: Side) -> bool:
    """Whether events and questions are equal, ignoring clauses."""
    happens = [[(each.kind, each.text, each.seat) for each in side.events] for side in (one, other)]
    asks = [[(each.seat, set(each.options)) for each in side.asked] for side in (one, other)]
    return happens[0] == happens[1] and asks[0] == asks[1]


class _Watched:
    """Replays a game and records the state whenever one of some clauses begins."""

    def __init__(self, program: ir.Program, stage: PlayStart, clauses: Collection[str]) -> None:
        self.program = program
        self.clauses = clauses
        self.moments: list[_Moment] = []
        self.replies: list[Reply] = []
        machine = WatchingMachine(machine_for(program, stage.players), self._begins)
        self.match = Match.from_state(program, machine.blank(stage.seed), machine)
        self.match.begin(program.clauses[program.main], ())

    def _begins(self, state: State) -> None:
        clause = self.program.clauses[state.stack[-1].clause].id
        if clause in self.clauses:
            self.moments.append(_Moment(state.copy(), clause, len(self.replies)))

    def answer(self, reply: Reply) -> None:
        self.replies.append(reply)
        self.match.choose(reply.text, seat=reply.seat)

    def go_on(self, luck: Stream) -> None:
        """Plays on, up to a limit."""
        try:
            for _ in range(ON):
                reply = some_reply(self.match, luck, Manner.EAGER)
                if reply is None:
                    return
                self.answer(reply)
        except RuleFault:
            return
