"""Type compatibility, and hints for mismatches."""

from __future__ import annotations

from lawspeaker.ir.types import (
    NUMBER,
    BrokenType,
    KindType,
    MaybeType,
    NothingType,
    NumberType,
    PieceType,
    PlaceType,
    PlayerType,
    SetType,
    TruthType,
    Type,
    WordType,
)

COMPARABLE_TO_NOTHING = (MaybeType, NothingType, BrokenType)


def bare(type: Type) -> Type:
    """The type without `nothing`."""
    return type.of if isinstance(type, MaybeType) else type


def fits(found: Type, wanted: Type) -> bool:
    """Whether a value of type `found` can be used where `wanted` is needed."""
    if isinstance(found, BrokenType) or isinstance(wanted, BrokenType) or found == wanted:
        return True
    if isinstance(wanted, MaybeType):
        return isinstance(found, NothingType) or fits(bare(found), wanted.of)
    if isinstance(found, SetType) and isinstance(wanted, SetType):
        return fits(found.of, wanted.of)
    return isinstance(found, NumberType) and isinstance(wanted, NumberType)


def covering(one: Type, two: Type) -> Type | None:
    """The least common type of two types; None if there is none."""
    if isinstance(one, NothingType) and not isinstance(two, COMPARABLE_TO_NOTHING):
        return MaybeType(two)
    if isinstance(two, NothingType) and not isinstance(one, COMPARABLE_TO_NOTHING):
        return MaybeType(one)
    if fits(two, one):
        return NUMBER if isinstance(one, NumberType) else one
    return two if fits(one, two) else None


def remedy(found: Type, wanted: Type) -> str | None:
    """A hint for two types that are often confused."""
    match found, wanted:
        case ((SetType() | PlaceType()), NumberType()):
            return "how many there are is `count of …`"
        case PlaceType(), PieceType(name=name):
            return f"a piece that lies there is `the {name} in …`, or `top of …`"
        case SetType(of=of), _ if fits(of, wanted):
            return "take one of them: with `for each`, with `the`, or let a player choose"
        case KindType(name=name), PieceType():
            return f"a kind is not a piece: write `the {name} in … where {name} is …`"
        case WordType(name="side"), PlayerType():
            return "who is on it are `players of …`; whether somebody is: `ann is in …`"
        case PlayerType(), WordType(name="side"):
            return "his side is `side of …`"
        case NumberType(), TruthType():
            return "compare it with another number, as in `… > 0`"
        case ((SetType() | PlaceType()), TruthType()):
            return "ask whether it `is empty`, or whether `there is a …`"
        case _, TruthType():
            return "compare it with something: `… is …`"
    return None
