"""Hidden information as gaps in a state, to be filled by many determinizations.

`match.determinization` finds the gaps of a view, and either machine can fill them: equal RNG
words give equal determinizations. First the pools are shuffled in order; then unknown states,
markers and slots are sampled in order.
"""

from __future__ import annotations

from dataclasses import dataclass

from lawspeaker.position.state import State, Value

SPOKEN = 1 << 30
"""Offset of placeholder piece numbers in stack slots: minus this, they index the dealt pieces."""


@dataclass(frozen=True, slots=True)
class Pool:
    """The unseen pieces of a type, and the places with how many of them lie there.

    A shuffle fills the places in order. A `settled` pool has only one distinguishable deal, so it
    is in place already; its RNG words are still consumed.
    """

    pieces: tuple[int, ...]
    places: tuple[tuple[int, int], ...]
    settled: bool = False


@dataclass(frozen=True, slots=True)
class StateGap:
    """A state of a dealt piece, by its index over all pools.

    `hidden`: it is sampled from the values; else there is only one, independent of the piece
    dealt.
    """

    dealt: int
    type: int
    state: int
    values: tuple[Value, ...]
    hidden: bool


@dataclass(frozen=True, slots=True)
class MarkerGap:
    """A marker entry that may have any of the values."""

    marker: int
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class SlotGap:
    """A slot of a stack frame that may have any of the values."""

    frame: int
    slot: int
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Unseen:
    """A state with gaps.

    `uncounted`: some pieces may be in places whose counts are hidden. `partly`: contents of
    places in which some pieces are known, with tokens below 0 for the others.
    """

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
