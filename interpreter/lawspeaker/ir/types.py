"""The types of the language, shared by the checker and the machines.

Every type is finite but `number`, which is a whole number of 32 bits. As many are below zero as
above: a number can always be negated, and the word of 32 bits that is left over can stand for
`nothing`. At run time every value is a plain integer (a seat, the index of a word, of a kind, of a
piece, of a place), a truth, None for `nothing`, or a tuple of those for a set. Only a text that a
player wrote, and that is no word of its set, is itself (`position/written`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

LARGEST = 2**31 - 1
SMALLEST = -LARGEST


@dataclass(frozen=True, slots=True)
class Type:
    """A type; subclasses say which."""


@dataclass(frozen=True, slots=True)
class NumberType(Type):
    """Whole numbers; a named range such as `row: 1..16` can be listed and chosen from."""

    name: str | None = None
    low: int = SMALLEST
    high: int = LARGEST

    @property
    def listed(self) -> bool:
        return self.name is not None

    def __str__(self) -> str:
        return self.name or "number"


@dataclass(frozen=True, slots=True)
class TruthType(Type):
    def __str__(self) -> str:
        return "yes or no"


@dataclass(frozen=True, slots=True)
class PlayerType(Type):
    def __str__(self) -> str:
        return "player"


@dataclass(frozen=True, slots=True)
class WordType(Type):
    """One of the words of a set; `index` is its place in the program's word sets. `written`:
    players may write others."""

    name: str
    index: int
    written: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class PieceType(Type):
    name: str
    index: int

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class KindType(Type):
    """The kinds of a type of piece."""

    name: str
    index: int

    def __str__(self) -> str:
        return f"kind of {self.name}"


@dataclass(frozen=True, slots=True)
class PlaceType(Type):
    """A place of a family; the family's index in the program."""

    name: str
    index: int

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class SetType(Type):
    """Several things of one type, in order, each at most once unless collected."""

    of: Type

    def __str__(self) -> str:
        return f"set of {self.of}"


@dataclass(frozen=True, slots=True)
class MaybeType(Type):
    """A thing or nothing."""

    of: Type

    def __str__(self) -> str:
        return f"{self.of} or nothing"


@dataclass(frozen=True, slots=True)
class NothingType(Type):
    def __str__(self) -> str:
        return "nothing"


@dataclass(frozen=True, slots=True)
class BrokenType(Type):
    """What an expression has that was already complained about."""

    def __str__(self) -> str:
        return "?"


NUMBER = NumberType()
TRUTH = TruthType()
PLAYER = PlayerType()
NOTHING = NothingType()
BROKEN = BrokenType()


def is_written(of: Type) -> bool:
    """Whether it is a text that players may write."""
    of = plain(of)
    return isinstance(of, WordType) and of.written


def plain(of: Type) -> Type:
    """The type of what is there, if it may be nothing."""
    return of.of if isinstance(of, MaybeType) else of
