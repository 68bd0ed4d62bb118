"""Finished parts of pictures, kept under all that they depend on.

From one reply to the next and from seat to seat most parts stay what they were, and a picture is
put together from them. What has not been wanted for a while is forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable

from lawspeaker.faces.web.drawing.boxes import Box

MOST_KEPT = 6000
MOST_WRITTEN = 8_000_000
OF_A_TABLE = 1_000_000
"""So many sketches, or characters of them, are kept, and as many again of those wanted before."""


class Sketches:
    """The sketches that were wanted lately: since the last `turn`, or in the time before. One is a
    box, or several that are put together otherwise each time."""

    def __init__(self, most_written: int = OF_A_TABLE) -> None:
        self._most_written = most_written
        self._now: dict[Hashable, tuple[Hashable, tuple[Box, ...]]] = {}
        """With its key: what is kept on stays with the old one, and nothing new has to be kept."""
        self._before: dict[Hashable, tuple[Hashable, tuple[Box, ...]]] = {}
        self._written = 0

    def one(self, key: Hashable, draw: Callable[[], Box]) -> Box:
        """What is kept under a key, drawn only the first time."""
        return self.several(key, lambda: (draw(),))[0]

    def several(self, key: Hashable, draw: Callable[[], tuple[Box, ...]]) -> tuple[Box, ...]:
        """The same of several boxes. What can still be stretched is not kept: it holds on to the
        view it was drawn of."""
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
        """Another time begins if it is too much."""
        if len(self._now) > MOST_KEPT or self._written > self._most_written:
            self.turn()

    def turn(self) -> None:
        """Another time begins: what was not wanted in the one that ends is forgotten."""
        self._now, self._before, self._written = {}, self._now, 0
