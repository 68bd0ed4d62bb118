"""Luck that is the same on every platform, and stays in step when the rules differ a little.

There is no running generator. Every stroke of luck has a name of its own, and its outcome is
computed from the seed and that name by mixing 64-bit words:

    combine(a, b, …)  starts from 0 and takes in word after word: h = mix(h + GOLDEN + word)
    mix(h)            is the finisher of splitmix64, a bijection on 64-bit words

Among several candidates the one with the highest `mix(base ^ key)` is taken, where the base
names the stroke of luck and the key names the candidate. For a draw from a shuffled place the
base is (seed, name of the place, how often it was shuffled), and the key of a piece is made of
its type, kind, owner and number within its kind. So a variant with one more card leaves the
order of all the others as it is, and one more draw here does not change the luck there: games
with the same seed under two rulebooks stay comparable stroke by stroke. For the same reason a pile
whose order nobody knows is not shuffled by being shuffled again, which would only be another
unknown order, and counts no shuffle.

Names are turned into words by FNV-1a over UTF-8. Whoever needs luck of his own, a bot for
instance, takes a `Stream` with a name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")

MASK = (1 << 64) - 1
_LOW = (1 << 32) - 1
GOLDEN = 0x9E3779B97F4A7C15
_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB
_FNV_START = 0xCBF29CE484222325
_FNV_PRIME = 0x100000001B3


def mix(word: int) -> int:
    """A 64-bit word, thoroughly stirred."""
    word = ((word ^ (word >> 30)) * _FIRST) & MASK
    word = ((word ^ (word >> 27)) * _SECOND) & MASK
    return word ^ (word >> 31)


def combine(*words: int) -> int:
    """One word out of several; their order counts."""
    mixed = 0
    for word in words:
        mixed = further(mixed, word)
    return mixed


def further(so_far: int, word: int) -> int:
    """What was combined so far, and one more word."""
    return mix((so_far + GOLDEN + word) & MASK)


def weighed(word: int, *numbers: int) -> int:
    """A word together with some numbers, each of which weighs as `weight` says for its position.
    That is far quicker than to combine all of them, and tells them apart as well."""
    together = sum(number * weight(position) for position, number in enumerate(numbers))
    return (word + (together & _LOW)) & MASK


def weight(position: int) -> int:
    """An odd number of 32 bits."""
    return mix(position + 1) & _LOW | 1


def word_of(text: str) -> int:
    """The word that stands for a name (FNV-1a, 64 bits, then mixed)."""
    word = _FNV_START
    for byte in text.encode():
        word = ((word ^ byte) * _FNV_PRIME) & MASK
    return mix(word)


def highest(base: int, keys: Sequence[int]) -> int:
    """The position of the key with the highest priority under this base."""
    best, found = -1, 0
    for position, key in enumerate(keys):
        word = base ^ key
        word = ((word ^ (word >> 30)) * _FIRST) & MASK
        word = ((word ^ (word >> 27)) * _SECOND) & MASK
        word ^= word >> 31
        if word > best:
            best, found = word, position
    return found


class Stream:
    """A sequence of luck for one user: word number n is mix(base + n * GOLDEN)."""

    __slots__ = ("base", "taken")

    def __init__(self, base: int) -> None:
        self.base = base
        self.taken = 0

    def word(self) -> int:
        self.taken += 1
        return mix((self.base + self.taken * GOLDEN) & MASK)

    def below(self, bound: int) -> int:
        """A number from 0 up to, not including, the bound."""
        return (self.word() * bound) >> 64

    def choose(self, items: Sequence[T]) -> T:
        return items[(self.word() * len(items)) >> 64]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in an order by chance."""
        rest = list(items)
        for last in range(len(rest) - 1, 0, -1):
            other = self.below(last + 1)
            rest[last], rest[other] = rest[other], rest[last]
        return rest

    def skip(self, words: int) -> None:
        """Goes on as if so many words had been taken."""
        self.taken += max(0, words)

    def copy(self) -> Stream:
        twin = Stream(self.base)
        twin.taken = self.taken
        return twin


class Luck:
    """All the luck that belongs to one seed."""

    __slots__ = ("seed",)

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def stream(self, name: str) -> Stream:
        """A stream of its own for whoever is called so."""
        return Stream(combine(self.seed & MASK, word_of(name)))
