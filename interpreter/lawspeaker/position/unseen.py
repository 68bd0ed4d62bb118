"""What somebody does not see, as gaps in a state, so that it can be dealt anew again and again.

`match.determinization` finds the gaps of a view, and either machine can fill them: the same luck,
word by word, makes the same world. First the pools are shuffled, one after the other; then states,
markers and slots that may be anything are chosen, in their order.
"""

from __future__ import annotations

from dataclasses import dataclass

from lawspeaker.position.state import State, Value

SPOKEN = 1 << 30
"""A piece with such a number in a slot of the stack is the dealt one with so much less."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The unseen pieces of a type, and the places with how many of them lie there.

    When they are shuffled the first so many go to the first place, and so on. A `settled` pool
    comes to the same however it is shuffled, so it is in place already; it takes its luck all the
    same.
    """

    pieces: tuple[int, ...]
    places: tuple[tuple[int, int], ...]
    settled: bool = False


@dataclass(frozen=True, slots=True)
class StateGap:
    """A state of one of the dealt pieces, counted through all pools. `hidden`: it is chosen among
    the values; else there is only one, which goes with whatever piece is dealt."""

    dealt: int
    type: int
    state: int
    values: tuple[Value, ...]
    hidden: bool


@dataclass(frozen=True, slots=True)
class MarkerGap:
    """A marker, by its number among all, that may show any of the values."""

    marker: int
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class SlotGap:
    """A slot of a frame of the stack that may hold any of the values."""

    frame: int
    slot: int
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Unseen:
    """A state with gaps. `uncounted`: there are pieces of which nobody says where they may be.
    `partly`: what lies in places of which some pieces are known, tokens below 0 for the others."""

    known: State
    pools: tuple[Pool, ...]
    states: tuple[StateGap, ...]
    markers: tuple[MarkerGap, ...]
    slots: tuple[SlotGap, ...]
    spoken: bool
    uncounted: bool
    partly: dict[int, tuple[int, ...]]

    @property
    def open(self) -> bool:
        """Whether there is more than one way to fill the gaps."""
        dealt = any(not pool.settled for pool in self.pools)
        return dealt or self.uncounted or bool(self.states or self.markers or self.slots)
