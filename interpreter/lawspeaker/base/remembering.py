"""What was worked out once, kept by what it was worked out from.

Whoever looks at rules again and again, as an editor does at every key that is pressed, has changed
one of many files, and mostly one of its many clauses. What does not depend on that is not worked
out anew: each stage remembers its results under all that they depend on, so nothing ever has to be
told that something has changed. All of it is let go of when there is too much.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from lawspeaker.base.diagnostics import MOST, Diagnostics

Key = TypeVar("Key")
Value = TypeVar("Value")


class Itself:
    """Something as a key that is equal to itself alone: two nodes that say the same may stand in
    different places. It is kept as long as the key, so nothing else can come to be taken for it."""

    __slots__ = ("thing",)

    def __init__(self, thing: object) -> None:
        self.thing = thing

    def __hash__(self) -> int:
        return id(self.thing)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Itself) and self.thing is other.thing


class Remembered(Generic[Key, Value]):
    """`most` is how long all that is kept may be together, in characters of text or in values."""

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


class Looks(Generic[Key, Value]):
    """The same for what is not only found, but complained of, too."""

    def __init__(self, most: int) -> None:
        self._known: Remembered[Key, tuple[Value, Diagnostics]] = Remembered(most)

    def at(
        self, key: Key, length: int, diagnostics: Diagnostics, look: Callable[[Diagnostics], Value]
    ) -> Value:
        """What was found then, or is now, with all that is to be said about it."""
        known = self._known.get(key)
        if known is None:
            own = Diagnostics(most=diagnostics.most)
            known = look(own), own
            if own.most == MOST:
                self._known.keep(key, known, length)
        diagnostics.extend(known[1])
        return known[0]
