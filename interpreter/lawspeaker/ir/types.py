"""The types of the language, shared by the checker and the back ends.

Every type is finite except `number`, a 32-bit integer. Its range is symmetric: a number can always
be negated, and the 32-bit word that is left over can encode `nothing`. At run time every value is
an integer (a seat, the index of a word, of a kind, of a piece, of a place), a truth, None for
`nothing`, or a tuple of those for a set. Only a text that a player wrote, and that is no word of
its set, is itself (`position/written`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

LARGEST = 2**31 - 1
SMALLEST = -LARGEST


@dataclass(frozen=True, slots=True)
class Type:
    """Base class of types."""


@dataclass(frozen=True, slots=True)
class NumberType(Type):
    """Integers; a named range such as `row: 1..16` can be listed and chosen from."""

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
    """Truth values."""

    def __str__(self) -> str:
        return "yes or no"


@dataclass(frozen=True, slots=True)
class PlayerType(Type):
    """Players, by seat."""

    def __str__(self) -> str:
        return "player"


@dataclass(frozen=True, slots=True)
class WordType(Type):
    """A word of a set; `index` is its index in the program's word sets. `written`: players may
    write others."""

    name: str
    index: int
    written: bool = field(default=False, compare=False)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class PieceType(Type):
    """Pieces of one type; its index in the program."""

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
    """An ordered set of things of one type, without duplicates unless collected."""

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
    """The type of `nothing`."""

    def __str__(self) -> str:
        return "nothing"


@dataclass(frozen=True, slots=True)
class BrokenType(Type):
    """The type of an expression with a reported error."""

    def __str__(self) -> str:
        return "?"


NUMBER = NumberType()
TRUTH = TruthType()
PLAYER = PlayerType()
NOTHING = NothingType()
BROKEN = BrokenType()


def is_written(of: Type) -> bool:
    """Returns whether a type is a text that players may write."""
    of = plain(of)
    return isinstance(of, WordType) and of.written


def plain(of: Type) -> Type:
    """Strips `MaybeType`."""
    return of.of if isinstance(of, MaybeType) else of
