"""Control experiment of a difference: the effect of fresh randomness alone on who wins.

Two games with the same seed, with and without a difference, are equal up to some point. From
there on chance events differ, other options are offered, and the winner may change for no other
reason. So each pair has a control: the game without the difference once more, with the same
random events up to the point of divergence, and a fresh seed from there on, for the game as for
the bots. If a pair never diverges, the control is the same game. The rate at which the winner
changes there is an upper bound for a change without meaning (a blank card, another order of
dealing, an idle question).

The test, and why it is valid:

- For each pair, W is 1 if the difference changes the winners, C is 1 if the control does. Both
  come from the same pair, so W - C is a paired difference; its mean is the effect `beyond` the
  control.
- Null hypothesis: the differing rules have no effect on who wins, so after the divergence a game
  by the same rules follows, at best with fresh randomness. Then W and C have the same
  distribution, and the mean of W - C is 0. If randomness is shared even after the divergence (it
  is keyed, see `position/rng`), W is rarer, and the mean is below 0. So the test is one-sided:
  only a mean significantly above 0 is an effect, and the test is conservative. A difference may
  matter and still change fewer winners than fresh randomness would; that shows in the shares of
  victories and in scores, whose means are valid in any case.
- Games diverge where a question differs, or anything in the position but the scores. Scores do
  not affect chance: a rule that only changes points has a control with unchanged winners.
- Intervals are those of paired shares (Agresti and Min), at a simultaneous level for everything
  that one comparison looks at (Bonferroni).

Controls are played question by question, so only for the first `CONTROLLED` pairs of random
players; games with different pieces diverge at once, and need no control game.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lawspeaker import ir
from lawspeaker.base.cache import LruCache
from lawspeaker.machines.reference import Machine, RuleFault
from lawspeaker.match.log.fingerprints import position
from lawspeaker.match.match import Match
from lawspeaker.players.bots import bot, reply, seat_seed
from lawspeaker.position.rng import combine, word_of
from lawspeaker.study.lab.exact_sums import mean
from lawspeaker.study.lab.games import Games
from lawspeaker.study.lab.record import game_seed
from lawspeaker.study.lab.statistics import Mean

CONTROLLED = 200
"""Maximum number of pairs with a control."""
RANDOM = "random"
_machines: LruCache[Machine] = LruCache(8)


def independent_seed(seed: int) -> int:
    """An independent seed."""
    return combine(seed, word_of("anew")) >> 1


def control_effect(
    one: ir.Program,
    other: ir.Program,
    seed: int,
    games: tuple[Games, Games, Games],
) -> tuple[Mean, Mean]:
    """Rate of changed winners in the controls, and its excess in the pairs.

    `games` are those without a difference, with it, and without it by other seeds.
    """
    without, with_it, anew = games
    controlled = without.numbers < CONTROLLED
    ended = without.ended & with_it.ended & anew.ended
    changed: list[int] = []
    more: list[int] = []
    for at in np.flatnonzero(controlled & ended):
        won = without.winners[at]
        control = 0
        if without.trail[at] != with_it.trail[at]:
            own = int(without.numbers[at])
            found = _control(one, other, without.players, seed, own)
            if found is None:
                continue
            again = anew.winners[at] if found == _AT_ONCE else _as_row(found, without.players)
            control = int((won != again).any())
        changed.append(control)
        more.append(int((won != with_it.winners[at]).any()) - control)
    return mean(np.array(changed, np.int64)), mean(np.array(more, np.int64))


_AT_ONCE = (-1,)
"""Marker for a divergence before any question: the winners are those of the game with another
seed.
"""


def _as_row(winners: Sequence[int], players: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array([seat in winners for seat in range(players)], bool)


def _control(
    one: ir.Program, other: ir.Program, players: int, seed: int, number: int
) -> tuple[int, ...] | None:
    """The winners of the control of a pair; None if the rules fault."""
    own = game_seed(seed, number)
    try:
        left, right = (_begun(program, players, own) for program in (one, other))
        bots = [[bot(RANDOM, seat_seed(own, seat)) for seat in range(players)] for _ in range(2)]
        if _stands(left) != _stands(right):
            return _AT_ONCE
        alike = _raw(left) == _raw(right)
        while left.decision is not None:
            seat = left.decision.seat
            assert seat is not None
            before = left.copy()
            answers = [
                reply(own_bots[seat], match, seat)
                for own_bots, match in zip(bots, (left, right), strict=True)
            ]
            for match, answer in zip((left, right), answers, strict=True):
                match.choose(answer, seat=seat)
            stands = _raw if alike else _stands
            if answers[0].text != answers[1].text or stands(left) != stands(right):
                return _played_on(before, answers[0].text, seat, independent_seed(own))
        return tuple(left.winners)
    except RuleFault:
        return None


def _begun(program: ir.Program, players: int, seed: int) -> Match:
    machine = _machines.get((id(program), players), lambda: Machine(program, players))
    return Match.from_state(program, machine.start(seed), machine=machine)


def _played_on(match: Match, answer: str, seat: int, seed: int) -> tuple[int, ...]:
    """Repeats the answer, then plays on with a fresh seed."""
    match.state.seed = seed
    match.choose(answer, seat=seat)
    bots = [bot(RANDOM, seat_seed(seed, each)) for each in range(len(match.scores))]
    while match.decision is not None:
        asked = match.decision.seat
        assert asked is not None
        match.choose(reply(bots[asked], match, asked), seat=asked)
    return tuple(match.winners)


def _asked(match: Match) -> list[object]:
    return [
        (each.seat, each.clause.id, [option.text for option in each.options])
        for each in match.decisions
    ]


def _stands(match: Match) -> object:
    """The position without scores, in texts, and the questions."""
    found = position(match.machine.layout, match.state)
    return found["places"], found["markers"], _asked(match)


def _raw(match: Match) -> object:
    """The same in numbers, for rules with equal pieces."""
    state = match.state
    return state.contents, state.states, state.markers, _asked(match)
