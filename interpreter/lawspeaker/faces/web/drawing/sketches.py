"""A cache of finished parts of pictures, in two generations.

Between replies and between seats most parts stay the same, and a picture is assembled from them.
Entries that were not used for a generation are dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from lawspeaker.faces.web.drawing.boxes import Box

MOST_KEPT = 6000
MOST_WRITTEN = 8_000_000
OF_A_TABLE = 1_000_000
"""Limits in entries and in characters; as much again is kept of the previous generation."""


class Sketches:
    """A two-generation cache of boxes.

    It keeps the entries used since the last `turn` and those of the generation before. An entry is
    one box, or several that are arranged differently each time.
    """

    def __init__(self, most_written: int = OF_A_TABLE) -> None:
        self._most_written = most_written
        self._now: dict[Hashable, tuple[Hashable, tuple[Box, ...]]] = {}
        """Stored with its key, so that a promoted entry keeps the old key object."""
        self._before: dict[Hashable, tuple[Hashable, tuple[Box, ...]]] = {}
        self._written = 0

    def one(self, key: Hashable, draw: Callable[[], Box]) -> Box:
        """Returns the box under a key, drawing it on a miss."""
        return self.several(key, lambda: (draw(),))[0]

    def several(self, key: Hashable, draw: Callable[[], tuple[Box, ...]]) -> tuple[Box, ...]:
        """Returns several boxes under a key, drawing them on a miss.

        A stretchable box is not cached: its closure would keep a view alive.
        """
        known = self._now.get(key)
        if known is not None:
            return known[1]
        known = self._before.pop(key, None) or (key, draw())
        boxes = known[1]
        if all(box.stretch is None for box in boxes):
            self._now[known[0]] = known
            self._written += sum([box.size for box in boxes])
        return boxes

    def tidy(self) -> None:
        """Starts a new generation if the current one is too large."""
        if len(self._now) > MOST_KEPT or self._written > self._most_written:
            self.turn()

    def turn(self) -> None:
        """Starts a new generation; entries not used in the last one are dropped."""
        self._now, self._before, self._written = {}, self._now, 0
