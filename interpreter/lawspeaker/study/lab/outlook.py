"""Who will win, by playouts after every decision of a game.

A game between bots is played, and each of its positions is played out many times at random, with
new luck each time: every shuffle, draw and die that is still to come. What has been dealt stays as
it is, so this is how the game stands for somebody who sees all hands but not the future. Long
games are sampled at evenly spaced decisions.

Playouts are not those who play: `calibration` turns these shares into probabilities.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.machines.adapter import playing_instance
from lawspeaker.machines.compiled.host.images import CannotHold
from lawspeaker.machines.compiled.host.instance import Instance, Sums
from lawspeaker.match.decision import Decision, Option
from lawspeaker.match.match import Match
from lawspeaker.position.fault import OutOfMemory, RuleFault
from lawspeaker.position.layout import sides_of
from lawspeaker.position.rng import combine, word_of
from lawspeaker.position.state import State
from lawspeaker.study.lab.kingmaking import Kingmaking, Position, made_kings
from lawspeaker.study.lab.record import Watcher, game_seed, play_game

POSITIONS = 60
"""Maximum number of positions of a game that are played out."""


@dataclass(frozen=True, slots=True)
class Outlook:
    """A position: the part of the game that is over, and each side's share of the victories in
    playouts.
    """

    part: float
    shares: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """The lead of the first side over the last one half way, and the points that it is worth.

    Both swap their points, and nothing else. By how many points the first side then makes less
    than the last one, compared with as it was: `worth` is half of that, by playouts.
    """

    lead: int
    worth: float


@dataclass(frozen=True, slots=True)
class GameOutlook:
    """The outlooks of a game in order, each side's share of its victory, and the final points.

    `halfway` are the points after the whole rounds that are nearest to half of the decisions.
    `skipped` positions could not be played out, or most of their playouts aborted. `fault`: the
    game aborted. `kingmaking` are its decisions that chose between others. `exchange`: what the
    lead half way was worth; None without one.
    """

    number: int
    decisions: int
    outlooks: tuple[Outlook, ...]
    won: tuple[float, ...]
    points: tuple[int, ...]
    halfway: tuple[int, ...] = ()
    skipped: int = 0
    kingmaking: tuple[Kingmaking, ...] = ()
    fault: str = ""
    exchange: Exchange | None = None


def game_outlook(
    program: ir.Program,
    players: int,
    seed: int,
    number: int,
    bots: Sequence[str],
    playouts: int,
) -> GameOutlook:
    """Plays the game of a number, and plays its positions out so many times."""
    watcher = _Watcher()
    record = play_game(program, players, seed, number, bots, watcher)
    if record.fault:
        return GameOutlook(number, record.decisions, (), (), (), fault=record.fault)
    sides = sides_of(program, players)
    first = [side[0] for side in sides]
    whole = len(watcher.states)
    instance = playing_instance(program, players)
    own = combine(game_seed(seed, number), word_of("outlook"))
    found: list[Outlook] = []
    hopeless: list[Position] = []
    every = _spaced(whole, POSITIONS)
    for at in every:
        state = watcher.states[at]
        played = _played_out(instance, (state,), combine(own, at), playouts)
        if played is None:
            continue
        (sums,) = played
        shares = tuple(sums.wins[seat] / sums.count for seat in first)
        found.append(Outlook(at / whole, shares))
        position = Position(at, state, watcher.asked_of[at], shares)
        if position.kingmaker(sides) is not None:
            hopeless.append(position)
    won = [side for side in sides if side[0] in record.winners]
    return GameOutlook(
        number,
        record.decisions,
        tuple(found),
        tuple(1 / len(won) if side in won else 0.0 for side in sides),
        tuple(record.scores[seat] for seat in first),
        tuple(watcher.states[_halfway(watcher)].scores[seat] for seat in first) if whole else (),
        len(every) - len(found),
        made_kings(program, players, instance, hopeless, combine(own, word_of("kings"))),
        exchange=_exchange(instance, watcher, first, combine(own, word_of("lead")), playouts),
    )


def _exchange(
    instance: Instance, watcher: _Watcher, sides: Sequence[int], seed: int, playouts: int
) -> Exchange | None:
    """Plays the position half way out as it is, and with the points of first and last swapped.

    Both have the same luck, so what differs is due to the points. `sides` are their first seats.
    """
    if not watcher.states or len(sides) < 2:
        return None
    as_it_is = watcher.states[_halfway(watcher)]
    leader = max(sides, key=lambda seat: as_it_is.scores[seat])
    last = min(sides, key=lambda seat: as_it_is.scores[seat])
    lead = as_it_is.scores[leader] - as_it_is.scores[last]
    if not lead:
        return None
    swapped = as_it_is.copy()
    swapped.scores[leader], swapped.scores[last] = swapped.scores[last], swapped.scores[leader]
    both = _played_out(instance, (as_it_is, swapped), seed, playouts)
    if both is None:
        return None
    # In whole points of all playouts, so that equal courses differ by exactly nothing.
    more = [
        (sums.scores[leader] - sums.count * state.scores[leader])
        - (sums.scores[last] - sums.count * state.scores[last])
        for state, sums in zip((as_it_is, swapped), both, strict=True)
    ]
    return Exchange(lead, (more[0] - more[1]) / (2 * both[0].count))


def _played_out(
    instance: Instance, states: Sequence[State], seed: int, playouts: int
) -> tuple[Sums, ...] | None:
    """Plays each of some positions out so many times, all with the same luck.

    Playouts that abort are left out, in all of them alike; None if most do, or if the positions
    cannot be held.
    """
    ended: list[tuple[Sums, ...]] = []
    parts, aborted = [range(playouts)], 0
    while parts and 2 * aborted < playouts:
        part = parts.pop()
        try:
            ended.append(tuple(_sums(instance, state, seed, part) for state in states))
        except RuleFault:
            half = len(part) // 2
            parts += [each for each in (part[half:], part[:half]) if half]
            aborted += not half
        except (CannotHold, OutOfMemory):
            return None
    if parts or not ended:
        return None
    return tuple(_added(each) for each in zip(*ended, strict=True))


def _sums(instance: Instance, state: State, seed: int, numbers: range) -> Sums:
    instance.load(state)
    instance.keep()
    return instance.playouts(seed, numbers.start, len(numbers))


def _added(parts: Sequence[Sums]) -> Sums:
    scores = zip(*(each.scores for each in parts), strict=True)
    wins = zip(*(each.wins for each in parts), strict=True)
    count = sum(each.count for each in parts)
    return Sums(count, tuple(map(sum, scores)), tuple(map(sum, wins)))


def _halfway(watcher: _Watcher) -> int:
    """The decision nearest to the middle with which a round begins: the one who was asked first is
    asked again, after others.

    In the middle of a round those who have had their turn would be ahead for that alone. If there
    are no such rounds, it is the middle.
    """
    seats = [each.seat for each in watcher.asked_of]
    middle = len(seats) / 2
    rounds = [at for at in range(1, len(seats)) if seats[at - 1] != seats[at] == seats[0]]
    return min(rounds or [len(seats) // 2], key=lambda at: abs(at - middle))


def _spaced(count: int, most: int) -> list[int]:
    """So many numbers below a count at most, evenly spaced from the first."""
    if count <= most:
        return list(range(count))
    return [each * count // most for each in range(most)]


class _Watcher(Watcher):
    """Keeps every position in which somebody is asked."""

    def __init__(self) -> None:
        self.states: list[State] = []
        self.asked_of: list[Decision] = []

    def asked(self, match: Match, decision: Decision, option: Option) -> None:
        self.states.append(match.state.copy())
        self.asked_of.append(decision)
