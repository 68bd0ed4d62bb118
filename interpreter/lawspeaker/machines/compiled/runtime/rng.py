"""Generates the RNG: hash-based words, mixed exactly as in `position.luck`."""

from __future__ import annotations

from lawspeaker.machines.compiled.runtime.plan import LONG, Column
from lawspeaker.machines.compiled.runtime.unit import Long, Unit, routine
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    I64,
    Expr,
    Number,
    Variable,
    const,
    long,
    long_at,
    not_,
)
from lawspeaker.position.rng import GOLDEN, weight

_FIRST = 0xBF58476D1CE4E5B9
_SECOND = 0x94D049BB133111EB


def mix(f: Body, word: Variable) -> None:
    """Mixes a word (the finaliser of SplitMix64)."""
    for shift, factor in ((30, _FIRST), (27, _SECOND)):
        f.set(word, (word ^ (word >> shift)) * factor)
    f.set(word, word ^ (word >> 31))


@routine("combine", returns=I64)
def combine(unit: Unit, f: Body, so_far: Long, word: Long) -> None:
    """(hash so far, next word) -> the hash of both"""
    both = f.let("both", so_far + GOLDEN + word)
    mix(f, both)
    f.return_(both)


def combined(unit: Unit, *words: Number) -> Expr:
    """Hashes several words."""
    return combined_with(unit, long(0), *words)


def combined_with(unit: Unit, so_far: Expr, *words: Number) -> Expr:
    """Continues a hash by several words."""
    for word in words:
        so_far = combine(unit)(so_far, word)
    return so_far


def weighed(word: Expr, *numbers: Expr) -> Expr:
    """Adds a weighted sum of numbers to a word, as `position.rng.weighted_hash`."""
    together: Expr = const(0)
    for position, number in enumerate(numbers):
        together = together + number * weight(position)
    return word + together.to_long()


def below(word: Variable, bound: Expr) -> Expr:
    """Returns a number below a bound: the high part of the word times the bound."""
    times = bound.to_long()
    carried = ((word & 0xFFFFFFFF) * times) >> 32
    return (((word >> 32) * times + carried) >> 32).to_word()


def stroke(unit: Unit, name: Number, count: Expr) -> Expr:
    """Returns the word of a random event: the hash of seed, name and count."""
    return combined(unit, long_at(unit.plan.seed), name, count.to_long())


def piece_word(unit: Unit, piece: Expr) -> Expr:
    """Returns the random word of a piece."""
    return Column(unit.plan.words(unit.layout.piece_word), LONG, "fixed.luck")[piece]


class Best:
    """The candidate with the highest word so far, each mixed with that of the event."""

    def __init__(self, f: Body, stroke: Expr) -> None:
        self._stroke = f.let("stroke", stroke)
        self._high = f.let("high", 0, I64)
        self.found = f.let("found", 0)
        self.any = f.let("any", 0)

    def consider(self, f: Body, candidate: Expr, own: Expr) -> None:
        word = f.let("word", own ^ self._stroke)
        mix(f, word)
        # The first candidate is taken whatever its word is.
        with f.if_(word.above(self._high) | not_(self.any)):
            f.set(self._high, word)
            f.set(self.found, candidate)
            f.set(self.any, 1)
