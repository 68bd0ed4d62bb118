"""Replays games up to the moment that shows a finding, as logs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lawspeaker.match.game import Game
from lawspeaker.match.log import Log
from lawspeaker.players.bots import bot, reply, seat_seed
from lawspeaker.study.lab.record import broken_off, game_seed
from lawspeaker.study.reviewing.instrumented_games import Moment


@dataclass(frozen=True, slots=True)
class Witness:
    """A game up to a moment, and the seat to move there."""

    log: Log
    seat: int


def witnesses(
    game: Game, seed: int, bots: Sequence[str], moments: Iterable[Moment]
) -> dict[Moment, Witness]:
    """Logs up to each of these moments of games between these bots.

    Each game is played once; a moment with -1 replies is that of the fault.
    """
    found: dict[Moment, Witness] = {}
    by_game: dict[int, set[int]] = {}
    for moment in moments:
        by_game.setdefault(moment.game, set()).add(moment.replies)
    for number, replies in sorted(by_game.items()):
        if replies == {-1}:
            breaking = broken_off(game, len(bots), seed, number, bots)
            if breaking is not None:
                found[Moment(number, -1)] = Witness(breaking.log, breaking.seat)
            continue
        for at, witness in _stops(game, seed, bots, number, replies - {-1}):
            found[Moment(number, at)] = witness
    return found


def _stops(
    game: Game, seed: int, bots: Sequence[str], number: int, replies: set[int]
) -> Iterable[tuple[int, Witness]]:
    own = game_seed(seed, number)
    match = game.start(len(bots), own)
    seats = [bot(name, seat_seed(own, seat)) for seat, name in enumerate(bots)]
    last = max(replies)
    while decision := match.decision:
        seat, at = decision.seat, len(match.replies)
        assert seat is not None
        if at in replies:
            yield at, Witness(match.record(bots, game.files), seat)
        if at >= last:
            return
        match.choose(reply(seats[seat], match, seat), seat=seat)
