"""The control of a difference: what new luck alone does to who wins, from where two games part.

Two games with the same seed, one without a difference and one with it, go the same way up to some
point. From there on other luck falls, other options are chosen from, and somebody else may win for
no other reason. So each pair has a control: the game without the difference once more, with the
same luck up to the point where the pair parts, and new luck from there on, of the game as of the
bots. Where a pair never parts, the control is the same game. How often somebody else wins there is
what a change that means nothing (a blank card, another order of dealing, an idle question) could do
at most.

What is tested, and why it holds:

- For each pair, W is 1 if the difference has other winners, C is 1 if the control has. Both are
  taken from the same pair, so W - C is a paired difference; its mean is what the difference does
  `beyond` its control.
- Null hypothesis: the rules that differ mean nothing for who wins, so what follows the parting is a
  game by the same rules, at best with new luck. If the luck is new, W and C have the same
  distribution, and the mean of W - C is 0. If luck is shared even after the parting (it is keyed by
  what it decides, see `position/luck`), W is rarer, and the mean is below 0. So a change beyond the
  control is one-sided: only a mean that is surely above 0 is an effect, and the test errs on the
  side of finding none. A difference may matter and still change fewer winners than new luck would;
  that shows in the shares of victories and in scores, whose means hold with any luck.
- Games part where anybody is asked otherwise, or anything but the scores stands otherwise. Scores
  deal nothing: a rule that gives other points alone has a control in which nobody else wins.
- Intervals are those of paired shares (Agresti and Min), at a level at which all that one
  comparison looks at holds at once (Bonferroni).

Controls are played question by question, so they are played for the first `CONTROLLED` pairs of
random players alone; who begins with other pieces parts at once, and needs no game for it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lawspeaker import ir
from lawspeaker.base.cache import Kept
from lawspeaker.machines.reference import Machine, RuleFault
from lawspeaker.match.log.prints import position
from lawspeaker.match.match import Match
from lawspeaker.players.bots import bot, reply, seat_seed
from lawspeaker.position.luck import combine, word_of
from lawspeaker.study.lab.exact_sums import mean
from lawspeaker.study.lab.games import Games
from lawspeaker.study.lab.record import game_seed
from lawspeaker.study.lab.statistics import Mean

CONTROLLED = 200
"""So many pairs have a control."""
RANDOM = "random"
_machines: Kept[Machine] = Kept(8)


def dealt_anew(seed: int) -> int:
    """The seed of games whose luck has nothing in common with those of this one."""
    return combine(seed, word_of("anew")) >> 1


def beyond(
    one: ir.Program,
    other: ir.Program,
    seed: int,
    games: tuple[Games, Games, Games],
) -> tuple[Mean, Mean]:
    """How often somebody else wins in the controls, and how much oftener in the pairs themselves:
    of games without a difference, with it, and without it by other seeds."""
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
"""The winners of a game that parts before anybody is asked: those of a game with another seed."""


def _as_row(winners: Sequence[int], players: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return np.array([seat in winners for seat in range(players)], bool)


def _control(
    one: ir.Program, other: ir.Program, players: int, seed: int, number: int
) -> tuple[int, ...] | None:
    """Who wins the game of a number without the difference, with new luck from the point on at
    which it parts from the game with it; None if the rules have a hole there."""
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
                return _played_on(before, answers[0].text, seat, dealt_anew(own))
        return tuple(left.winners)
    except RuleFault:
        return None


def _begun(program: ir.Program, players: int, seed: int) -> Match:
    machine = _machines.get((id(program), players), lambda: Machine(program, players))
    return Match.from_state(program, machine.start(seed), machine=machine)


def _played_on(match: Match, answer: str, seat: int, seed: int) -> tuple[int, ...]:
    """The same answer once more, and then a game with new luck."""
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
    """How things stand but for the scores, in texts; and who is asked what."""
    found = position(match.machine.layout, match.state)
    return found["places"], found["markers"], _asked(match)


def _raw(match: Match) -> object:
    """The same in numbers, for rules with the same pieces."""
    state = match.state
    return state.contents, state.states, state.markers, _asked(match)
