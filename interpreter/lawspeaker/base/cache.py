"""Things that take long to make, kept for those who ask again: the last few that were asked for.

A key may hold the `id` of a program, if what is kept holds the program itself: then no other can
get that id as long as it is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    def __init__(self, most: int) -> None:
        self.most = most
        self._found: dict[Hashable, T] = {}

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """What is kept under a key, made now if it is not there."""
        found = self._found.pop(key, None)
        if found is None:
            found = make()
        while len(self._found) >= self.most:
            del self._found[next(iter(self._found))]
        self._found[key] = found
        return found
