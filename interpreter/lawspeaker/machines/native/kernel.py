"""A GPU program and its parameters as plain data: a driver needs nothing else of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

COPIES, ODD = 64, 4096
"""The number of copies of the sums, and of games listed that do not fit into them."""
NONE = 0xFFFFFFFF
"""The game number of an idle thread."""
WHOLE, SLICES, TURNS, TRIALS = "whole", "slices", "turns", "trials"
"""The uses of a program, see `cuda`."""
SUMMED = 6
"""Words of statistics of an option: playouts, those that reached the end of the game, victories,
the points of its side, those of all, the absolute points."""
SHARED = 227 << 10
"""The most bytes of shared memory per block on a large GPU."""
FREE_RUNNING, LOCKSTEP, SOFT_BARRIERS = 0, 1, 2
"""Synchronisation of the threads of a block: none; starting their games together; or also in long
loops."""
GOES_ON, IS_OVER, STOPPED = 0, 1, 2
"""The status of a table after a turn."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """The GPU program of a game: its source, the read-only table, the bytes of local memory per
    thread, the words of a record, the best number of threads per block and of games in flight per
    multiprocessor, whether calls are recursive, its use, and the bytes of a saved game. For turns:
    the words of an observation and of an encoded option."""

    source: str
    tables: bytes
    own: int
    words: int
    block: int
    in_flight: int
    deep: bool
    use: str = WHOLE
    slot: int = 0
    players: int = 0
    seen: int = 0
    width: int = 0
    pieces_at: int = 0
    """Index in an observation where the places of pieces begin."""
    looks: tuple[int, ...] = ()
    """By piece, the number of its looks, as encoded in a row."""
    like: tuple[tuple[int, ...], ...] = ()
    """By seat, for each of these looks the one that the same piece would have if everyone sat so
    many seats further back: so that one's own come first, for any seat."""
    places: int = 0
    told: tuple[int, int] = (0, 0)
    """Offsets in the tables of the position to play out from, and of the table to deal its gaps."""
    shared_bytes: int = 0
    """Bytes of each game in shared memory."""
    sync_modes: tuple[int, ...] = (FREE_RUNNING,)
    """The possible synchronisation modes; the fastest depends on the game and on the GPU."""
    sums: Mapping[str, slice] = field(default_factory=dict)
    """The word indices of its sums by name (`sums`); empty: it cannot add up."""

    @property
    def said(self) -> int:
        """Words stored for a table: the asked seat, the number of options, the status of the last
        turn, and of a finished game the scores and the winners."""
        return 3 + 2 * self.players
