"""Kingmaking: a player who cannot win any more decides between the others.

A side counts as hopeless if it wins in no playout of a position, nor of what its options lead to.
Half of the playouts select the option that is best and the one that is worst for some other side,
the other half measure the difference: with the same playouts for both, there would always be some.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import sqrt

from lawspeaker import ir
from lawspeaker.machines.compiled.host.images import CannotHold
from lawspeaker.machines.compiled.host.instance import Instance
from lawspeaker.match.decision import Decision
from lawspeaker.position.fault import OutOfMemory, RuleFault
from lawspeaker.position.layout import sides_of
from lawspeaker.position.rng import combine
from lawspeaker.position.state import State

DECISIONS, OPTIONS, PLAYOUTS = 8, 8, 100
"""Maximum number of decisions of a game and of options of each that are looked at, and playouts of
an option in each half."""
BEYOND_DOUBT = 3.1
"""Standard errors for significance: one false positive in a thousand decisions."""


@dataclass(frozen=True, slots=True)
class Kingmaking:
    """A decision of a hopeless side after so many replies: by how much the victories of another
    side depend on it, and whether that is significant.
    """

    replies: int
    seat: int
    clause: str
    swing: float
    clear: bool


@dataclass(frozen=True, slots=True)
class Position:
    """A position after so many replies, who is asked what, and the sides' shares of victories."""

    replies: int
    state: State
    decision: Decision
    shares: tuple[float, ...]

    def kingmaker(self, sides: Sequence[Sequence[int]]) -> int | None:
        """The side that is asked, if it is hopeless while several others are not."""
        seat = self.decision.seat
        if seat is None or self.decision.kind != "choice" or len(self.decision.options) < 2:
            return None
        side = next(at for at, seats in enumerate(sides) if seat in seats)
        others = sum(share > 0 for share in self.shares)
        return side if self.shares[side] == 0 and others > 1 else None


def made_kings(
    program: ir.Program, players: int, instance: Instance, positions: Sequence[Position], seed: int
) -> tuple[Kingmaking, ...]:
    """Measures the decisions of hopeless sides, the last ones of a game first."""
    sides = sides_of(program, players)
    found: list[Kingmaking] = []
    for position in positions[-DECISIONS:]:
        with suppress(CannotHold, OutOfMemory, RuleFault):
            one = _made(instance, sides, position, combine(seed, position.replies))
            if one is not None:
                found.append(one)
    return tuple(found)


def _made(
    instance: Instance, sides: Sequence[Sequence[int]], position: Position, seed: int
) -> Kingmaking | None:
    own = position.kingmaker(sides)
    assert own is not None
    assert position.decision.seat is not None
    options = position.decision.options
    step = max(1, len(options) // OPTIONS)
    tried = options[::step][:OPTIONS]
    first: list[list[float]] = []
    second: list[list[float]] = []
    instance.load(position.state)
    instance.keep()
    for option in tried:
        for half, results in enumerate((first, second)):
            instance.write_reply(position.state, option.reply)
            sums = instance.playouts(seed, half * PLAYOUTS, PLAYOUTS, answered=True)
            results.append([sums.wins[side[0]] / PLAYOUTS for side in sides])
    if any(results[own] > 0 for results in (*first, *second)):
        return None
    swings = []
    for side in range(len(sides)):
        gains = [each[side] for each in first]
        swings.append((max(gains) - min(gains), side, gains))
    _, side, gains = max(swings, key=lambda each: each[0])
    one = second[gains.index(max(gains))][side]
    other = second[gains.index(min(gains))][side]
    error = sqrt((one * (1 - one) + other * (1 - other)) / PLAYOUTS)
    swing = one - other
    clear = swing > BEYOND_DOUBT * max(error, 1 / PLAYOUTS)
    return Kingmaking(
        position.replies, position.decision.seat, position.decision.clause.id, swing, clear
    )
