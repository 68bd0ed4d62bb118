"""Memoisation: results cached under everything they depend on.

An editor checks rules again at every key press, but only one of many files has changed, and mostly
one of its many clauses. Each stage caches its results under all their inputs, so nothing has to be
invalidated. A cache that is full is cleared altogether.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from lawspeaker.base.diagnostics import MOST, Diagnostics

Key = TypeVar("Key")
Value = TypeVar("Value")


class Itself:
    """A cache key that compares by identity: two equal nodes may have different places.

    It holds a reference to the object, so that its `id` cannot be reused.
    """

    __slots__ = ("thing",)

    def __init__(self, thing: object) -> None:
        self.thing = thing

    def __hash__(self) -> int:
        return id(self.thing)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and self.thing is other.thing


class Remembered(Generic[Key, Value]):
    """A cache of total size at most `most`, in characters or values; cleared when it is full."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._found: dict[Key, Value] = {}
        self._length = 0

    def get(self, key: Key) -> Value | None:
        return self._found.get(key)

    def keep(self, key: Key, value: Value, length: int) -> None:
        if self._length >= self.most:
            self._found.clear()
            self._length = 0
        self._found[key] = value
        self._length += length


class ReportingCache(Generic[Key, Value]):
    """A cache of results together with the diagnostics that their computation reported."""

    def __init__(self, most: int) -> None:
        self._known: Remembered[Key, tuple[Value, Diagnostics]] = Remembered(most)

    def at(
        self, key: Key, length: int, diagnostics: Diagnostics, look: Callable[[Diagnostics], Value]
    ) -> Value:
        """The result for a key, from the cache or computed by `look`; its diagnostics are reported
        each time."""
        known = self._known.get(key)
        if known is None:
            own = Diagnostics(most=diagnostics.most)
            known = look(own), own
            if own.most == MOST:
                self._known.keep(key, known, length)
        diagnostics.extend(known[1])
        return known[0]
