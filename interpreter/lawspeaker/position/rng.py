"""Keyed, counter-based RNG: reproducible on every platform and robust to small rule changes.

There is no sequential generator. Every random event has a key, and its outcome is a hash of the
seed and that key, by mixing 64-bit words:

    combine(a, b, …)  starts from 0 and takes in word after word: h = mix(h + GOLDEN + word)
    mix(h)            is the finisher of splitmix64, a bijection on 64-bit words

Among several candidates the one with the highest `mix(base ^ key)` is taken, where the base
identifies the event and the key the candidate. For a draw from a shuffled place the base is
(seed, name of the place, number of shuffles), and the key of a piece is made of its type, kind,
owner and number within its kind. So a variant with one more card preserves the relative order of
all others, and an extra draw in one place does not affect others: games with the same seed under
two rulebooks stay comparable event by event (common random numbers). For the same reason
reshuffling a pile whose order nobody knows is a no-op and does not count as a shuffle.

Names are hashed by FNV-1a over UTF-8. Other consumers, such as bots, take a named `Stream`.
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
    """Finaliser of splitmix64."""
    word = ((word ^ (word >> 30)) * _FIRST) & MASK
    word = ((word ^ (word >> 27)) * _SECOND) & MASK
    return word ^ (word >> 31)


def combine(*words: int) -> int:
    """Hashes words into one; order matters."""
    mixed = 0
    for word in words:
        mixed = further(mixed, word)
    return mixed


def further(so_far: int, word: int) -> int:
    """Continues `combine` with one more word."""
    return mix((so_far + GOLDEN + word) & MASK)


def weighted_hash(word: int, *numbers: int) -> int:
    """Hashes a word with numbers by a weighted sum, much faster than `combine` on all of them."""
    together = sum(number * weight(position) for position, number in enumerate(numbers))
    return (word + (together & _LOW)) & MASK


def weight(position: int) -> int:
    """The odd 32-bit weight of a position."""
    return mix(position + 1) & _LOW | 1


def word_of(text: str) -> int:
    """Hash of a name (FNV-1a, 64 bits, then mixed)."""
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
    """Sequential RNG for one consumer: word number n is mix(base + n * GOLDEN)."""

    __slots__ = ("base", "taken")

    def __init__(self, base: int) -> None:
        self.base = base
        self.taken = 0

    def word(self) -> int:
        self.taken += 1
        return mix((self.base + self.taken * GOLDEN) & MASK)

    def below(self, bound: int) -> int:
        """A random integer in [0, bound)."""
        return (self.word() * bound) >> 64

    def choose(self, items: Sequence[T]) -> T:
        return items[(self.word() * len(items)) >> 64]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """A random permutation of the items (Fisher-Yates)."""
        rest = list(items)
        for last in range(len(rest) - 1, 0, -1):
            other = self.below(last + 1)
            rest[last], rest[other] = rest[other], rest[last]
        return rest

    def skip(self, words: int) -> None:
        """Advances the stream by so many words."""
        self.taken += max(0, words)

    def copy(self) -> Stream:
        twin = Stream(self.base)
        twin.taken = self.taken
        return twin


class RngFactory:
    """Factory of RNG streams for one seed."""

    __slots__ = ("seed",)

    def __init__(self, seed: int) -> None:
        self.seed = seed

    def stream(self, name: str) -> Stream:
        """The stream of this name."""
        return Stream(combine(self.seed & MASK, word_of(name)))
