"""A least-recently-used (LRU) cache for expensive objects.

A key may contain the `id` of a program if the cached value holds a reference to that program: then
no other object can get the same id while the entry exists.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class LruCache(Generic[T]):
    """An LRU cache with room for `most` entries."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._found: dict[Hashable, T] = {}

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """The value under a key, created with `make` on a miss."""
        found = self._found.pop(key, None)
        if found is None:
            found = make()
        while len(self._found) >= self.most:
            del self._found[next(iter(self._found))]
        self._found[key] = found
        return found
