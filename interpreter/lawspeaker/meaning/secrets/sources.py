"""Hidden sources and labels: where a value comes from, and who may know it.

A `HiddenSource` is a place, a marker or a state that not everyone sees, as written where it is
read: `hand of player`. A label is a set of sources. A parameter is a source that stands for itself
(`GIVEN` and variants), until a caller substitutes the argument's label.

A piece has an identity and a location. Its source says either that it is one of those that lie in a
place (`INSIDE`), or that its identity is public, but not what it shows there (`LIES`). A kind, a
number or anything else read off a piece has the source as `READ`. When another piece moves away
from where this one may lie, and not everyone knows whether both are the same, this one goes
`astray`: it may lie anywhere.

The owner of a place is known as long as the expressions it was written with keep their values. When
a name or a marker changes, sources written with it belong to `SOMEBODY`; so do those written with
any other mutable expression, after any effect.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from itertools import islice, starmap, takewhile
from typing import TypeVar

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.walk import bound_slots, everything

MOST_SOURCES = 50
LARGEST_NAME = 12
LONGEST_WAY = 6
MOST_MOVES = 200
NO_NAME = -1
"""A pseudo-slot below those of all names; the highest of those in use."""
SOMEBODY: ir.Expr = ir.Local(ir.PLAYER, NO_NAME, "somebody")
NOBODY: ir.Expr = ir.Local(ir.PLAYER, NO_NAME, "nobody")
WHETHER = ir.Local(ir.TRUTH, NO_NAME, "whether it is done")
"""The pseudo-parameter for the caller's path conditions."""
ALIKE = ir.Local(ir.TRUTH, NO_NAME - 1, "whether it is done, though it tells")
"""The pseudo-parameter for path conditions that telling does not disclose, since the other branch
may look the same."""
EVERYONE = ir.Local(ir.PLAYER, NO_NAME, "everyone")
LUCK = ir.Local(ir.PLAYER, NO_NAME, "luck")
ANYTHING = ir.Local(ir.PLAYER, NO_NAME, "anything")
STEADY = (ir.Local, ir.Const, ir.Neighbour, ir.OwnerOf, ir.MarkerValue)
"""Expressions that keep their value until a name or marker in them is assigned."""
OPEN = ir.Local(ir.PLAYER, NO_NAME, "where everyone sees it")
"""All public places together, as the location of a piece."""


class Sort(Enum):
    """The known aspect of a source: its value, its identity, or its location."""

    READ = "read"
    INSIDE = "inside"
    LIES = "lies"
    GIVEN = "given"
    GIVEN_READ = "read off what is given"
    GIVEN_OPENED = "read off what is given, and shown only to who sees the piece"
    GIVEN_TURNED_UP = "what that shows which is given, where it lies"
    GIVEN_LYING = "where lies what is given"
    GIVEN_ASTRAY = "what is given, if it may be the same as another that has gone"
    GIVEN_LYING_ASTRAY = "where lies what is given, if it may be the same as another"


GIVEN = tuple(each for each in Sort if each.name.startswith("GIVEN"))
PLACED = (Sort.INSIDE, Sort.LIES, Sort.GIVEN)
"""Sorts that say where a piece lies."""


@dataclass(frozen=True, slots=True)
class SecretStep:
    """A step on the path of a secret, and those before it."""

    span: Span
    words: str
    before: SecretStep | None = None

    def steps(self) -> Iterator[SecretStep]:
        """The first `LONGEST_WAY` steps, in order."""
        found: list[SecretStep] = []
        step: SecretStep | None = self
        while step is not None:
            found.append(step)
            step = step.before
        yield from found[::-1][:LONGEST_WAY]


@dataclass(frozen=True, slots=True)
class HiddenSource:
    """`piece` is the slot that names the very piece or value it was read from, if any; `told` are
    the players to whom it was told; `other` is, for a parameter that may have gone astray, the
    piece that moved."""

    thing: ir.Expr
    sort: Sort = Sort.READ
    piece: int | None = None
    told: frozenset[ir.Expr] = frozenset()
    other: HiddenSource | None = None
    way: SecretStep | None = field(default=None, compare=False, repr=False)

    @property
    def given(self) -> bool:
        return self.sort in GIVEN

    @property
    def known(self) -> bool:
        """Whether the identity of the piece is public."""
        told = self.sort is Sort.GIVEN and EVERYONE in self.told
        return told or self.sort in (Sort.LIES, Sort.GIVEN_ASTRAY)

    @property
    def slot(self) -> int:
        """The number of the parameter that it stands for."""
        assert isinstance(self.thing, ir.Local)
        return self.thing.slot

    def by(self, span: Span, words: str) -> HiddenSource:
        """The same source, one step further on its path."""
        if self.way is not None and self.way.span == span:
            return self
        return replace(self, way=SecretStep(span, words, self.way))


T = TypeVar("T", HiddenSource, "MovedPieces")
Label = frozenset[HiddenSource]
NONE: Label = frozenset()
FROM_ANYTHING: Label = frozenset([HiddenSource(ANYTHING)])


def few(label: Label) -> Label:
    """Widens a label with too many sources to `FROM_ANYTHING`."""
    return label if len(label) <= MOST_SOURCES else FROM_ANYTHING


def in_order(found: Iterable[T]) -> list[T]:
    """Sorts deterministically."""
    return sorted(found, key=_written)


@lru_cache(maxsize=4096)
def _written(source: HiddenSource | MovedPieces) -> str:
    return repr(source)


def innermost(type: ir.Type) -> ir.Type:
    """The element type of a set or optional type, however nested."""
    while isinstance(type, (ir.SetType, ir.MaybeType)):
        type = type.of
    return type


def holds_pieces(type: ir.Type) -> bool:
    """Whether a type is of pieces, or of sets or options of them."""
    return isinstance(innermost(type), ir.PieceType)


_READ = {Sort.INSIDE: Sort.READ, Sort.GIVEN: Sort.GIVEN_READ}
_OPENED = {
    Sort.INSIDE: Sort.READ,
    Sort.LIES: Sort.READ,
    Sort.GIVEN: Sort.GIVEN_OPENED,
    Sort.GIVEN_ASTRAY: Sort.GIVEN_LYING_ASTRAY,
}
_LYING = {Sort.GIVEN: Sort.GIVEN_LYING, Sort.GIVEN_ASTRAY: Sort.GIVEN_LYING_ASTRAY}


def read(label: Label) -> Label:
    """The label of a value read off a thing; public identities drop out."""
    return frozenset(_as(each, _READ.get(each.sort, each.sort)) for each in label if not each.known)


def _as(source: HiddenSource, sort: Sort) -> HiddenSource:
    return source if sort is source.sort else replace(source, sort=sort)


def opened(label: Label) -> Label:
    """The label of what only those know who see the piece itself."""
    return frozenset(_as(each, _OPENED.get(each.sort, each.sort)) for each in label)


def turned_up(label: Label) -> Label:
    """The same for what a piece shows where it lies: being told its identity does not disclose
    that."""
    return opened(frozenset(map(_turned_up, label)))


def _turned_up(source: HiddenSource) -> HiddenSource:
    if source.sort is Sort.GIVEN:
        return replace(source, sort=Sort.GIVEN_TURNED_UP)
    return replace(source, told=frozenset()) if source.sort is Sort.INSIDE else source


def outside(label: Iterable[HiddenSource]) -> Label:
    """The label for those who see that a piece moves, but not which."""
    return frozenset(each for each in label if each.sort is not Sort.INSIDE and not each.known)


def location_label(label: Label) -> Label:
    """The same for those who see where it lies, or whether two are the same."""
    return outside(map(_lying, label))


def _lying(source: HiddenSource) -> HiddenSource:
    anywhere = isinstance(source.thing, ir.Domain)
    return _as(source, Sort.READ if anywhere else _LYING.get(source.sort, source.sort))


def after_telling(label: Label) -> Label:
    """The label of a piece after its identity was told to everyone: where it lies stays hidden."""
    return frozenset(map(_told, (each for each in label if each.known or each.sort in PLACED)))


def _told(source: HiddenSource) -> HiddenSource:
    if source.sort is Sort.GIVEN:
        return replace(source, told=source.told | {EVERYONE})
    return replace(source, sort=Sort.LIES) if source.sort is Sort.INSIDE else source


def by(label: Label, span: Span, words: str) -> Label:
    """The label with its sources one step further on their paths."""
    return frozenset(each.by(span, words) for each in label)


# ---------------------------------------------------------------- locations of pieces


def anywhere(piece: ir.Type) -> HiddenSource:
    """A piece that may lie anywhere, and whose identity is public."""
    return HiddenSource(ir.Domain(piece, piece), Sort.LIES)


def places(label: Label) -> Label:
    """The places where a piece may lie; without a source it lies in a public place."""
    found = frozenset(each for each in label if each.sort in PLACED)
    return found or frozenset([HiddenSource(OPEN, Sort.LIES)])


def may_be_one(one: HiddenSource, other: HiddenSource) -> bool:
    """Whether two places may be the same."""
    here, there = one.thing, other.thing
    if OPEN in (here, there):
        return _may_be_open(one) and _may_be_open(other)
    match here, there:
        case ir.PlaceAt(indices=first), ir.PlaceAt(indices=second) if here.type == there.type:
            return not any(map(differ, first, second))
        case ir.Expr(type=ir.PlaceType(index=first)), ir.Expr(type=ir.PlaceType(index=second)):
            return first == second
    return True


def _may_be_open(place: HiddenSource) -> bool:
    return place.given or place.thing == OPEN or isinstance(place.thing, ir.Domain)


def differ(one: ir.Expr, other: ir.Expr, holding: Container[ir.Expr] = ()) -> bool:
    """Whether two expressions certainly have different values, under some conditions."""
    if isinstance(one, ir.Const) and isinstance(other, ir.Const):
        return one != other
    same = (ir.Compare(ir.TRUTH, "=", *pair) for pair in ((one, other), (other, one)))
    return any(ir.Not(ir.TRUTH, each) in holding for each in same)


def astray(piece: ir.Type, stays: Label, goes: Label) -> Label:
    """The label of where a piece lies after another has moved that may have been the same."""
    found: set[HiddenSource] = set()
    for one in places(stays):
        for other in places(goes):
            if one.given or other.given:
                given, second = (one, other) if one.given else (other, one)
                found.add(
                    HiddenSource(given.thing, Sort.GIVEN_ASTRAY, told=given.told, other=second)
                )
            elif may_be_one(one, other) and not (one.known and other.known):
                found.add(anywhere(piece))
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class MovedPieces:
    """Pieces that have moved: their label, where they lie now, and the parameter that they are, if
    any."""

    piece: ir.Type
    what: Label
    to: HiddenSource
    given: int | None = None

    def lies(self, label: Label) -> Label:
        """The label of a piece that may be one of them, apart from having gone astray. For
        parameters the callers determine that."""
        left = (one for one in self._left(label) if not one.given)
        ways = ((one, other) for one in left for other in places(self.what))
        return label | places(label) | {self.to} if any(starmap(may_be_one, ways)) else label

    def astray(self, label: Label) -> Label:
        return astray(self.piece, self._left(label), self.what)

    def _left(self, label: Label) -> Label:
        """The locations of a piece other than where these pieces are now."""
        return frozenset(each for each in places(label) if each.thing != self.to.thing)


Moves = tuple[frozenset[MovedPieces], ...]
"""Pieces that have moved, in successive groups; within a group in any order, each any number of
times."""


def followed(before: Moves, after: Moves) -> Moves:
    """Concatenates moves; merges groups beyond `MOST_MOVES`."""
    found = list(before)
    for group in after:
        if not found or not group <= found[-1]:
            found.append(group)
    return tuple(found) if len(found) <= MOST_MOVES else in_any_order(found)


def in_any_order(moves: Iterable[frozenset[MovedPieces]]) -> Moves:
    """Merges groups of moves into one."""
    group = frozenset[MovedPieces]().union(*moves)
    return (group,) if group else ()


def went_since(before: Moves, now: Moves) -> Moves:
    """The moves since an earlier point; only a common prefix is dropped."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(before, now, strict=False))
    return now[sum(1 for _ in alike) :]


# ---------------------------------------------------------------- changes


@dataclass(frozen=True, slots=True)
class Mutation:
    """A mutation: of a name (its slot), a marker (its number), or of anything an effect may
    change."""

    what: str
    number: int | None = None


@lru_cache(maxsize=4096)
def written_with(expr: ir.Expr | None) -> frozenset[Mutation]:
    """The changes that can alter an expression; everyone, who is None, has none. Names bound inside
    do not count."""
    found: set[Mutation] = set()
    inside = bound_slots(expr)
    for each in everything(expr):
        match each:
            case ir.Local(slot=slot) if slot not in inside:
                found.add(Mutation("name", slot))
            case ir.MarkerValue(marker=marker):
                found.add(Mutation("marker", marker))
        if not isinstance(each, STEADY):
            found.add(Mutation("statement"))
    return frozenset(found)


def touches(change: Mutation, expr: ir.Expr) -> bool:
    """Whether a change can alter an expression."""
    return change in written_with(expr)


@lru_cache(maxsize=4096)
def open_to(label: Label) -> frozenset[Mutation]:
    """The changes that can alter a label."""
    found = {Mutation("name", each.piece) for each in label}
    for each in label:
        found.update(*(written_with(one) for one in (*whose(each.thing), *each.told)))
        if each.other is not None:
            found |= open_to(frozenset([each.other]))
    return frozenset(found)


def whose(thing: ir.Expr) -> tuple[ir.Expr, ...]:
    """The expressions that select one of several hidden things."""
    match thing:
        case ir.PlaceAt(indices=indices) | ir.MarkerValue(indices=indices):
            return indices
        case ir.Local():
            return (thing,)
        case ir.TopOf(place=place):
            return whose(place)
        case _:
            return ()


def forgotten(label: Label, change: Mutation) -> Label:
    """A label after a change: expressions that it alters are replaced by `SOMEBODY`."""
    if change not in open_to(label):
        return label
    return frozenset(_forgotten(each, change) for each in label)


def _forgotten(source: HiddenSource, change: Mutation) -> HiddenSource:
    if source.given:
        other = source.other
        return source if other is None else replace(source, other=_forgotten(other, change))
    told = frozenset(each for each in source.told if not touches(change, each))
    renamed = change == Mutation("name", source.piece) and source.thing != LUCK
    piece = None if renamed else source.piece
    return replace(source, thing=_nobody_knows_whose(source.thing, change), piece=piece, told=told)


@lru_cache(maxsize=4096)
def _nobody_knows_whose(thing: ir.Expr, change: Mutation) -> ir.Expr:
    match thing:
        case ir.PlaceAt(indices=indices) | ir.MarkerValue(indices=indices):
            changed = (SOMEBODY if touches(change, each) else each for each in indices)
            return replace(thing, indices=tuple(changed))
        case ir.Local() if touches(change, thing):
            return SOMEBODY
        case ir.TopOf(place=place):
            return replace(thing, place=_nobody_knows_whose(place, change))
        case _:
            return thing


# ---------------------------------------------------------------- translation to the caller


def in_arguments(expr: ir.Expr, given: Mapping[int, ir.Expr]) -> ir.Expr:
    """An expression of a callee in terms of its arguments; `SOMEBODY` if that is impossible or too
    long."""
    found = _translated(expr, given)
    more = islice(everything(found), LARGEST_NAME, None)
    return found if next(more, None) is None else SOMEBODY


def _translated(expr: ir.Expr, given: Mapping[int, ir.Expr]) -> ir.Expr:
    match expr:
        case ir.Local(slot=slot):
            return expr if expr == OPEN else given.get(slot, SOMEBODY)
        case ir.PlaceAt(indices=indices) | ir.MarkerValue(indices=indices):
            found = tuple([in_arguments(each, given) for each in indices])
            same = all(one is other for one, other in zip(found, indices, strict=True))
            return expr if same else replace(expr, indices=found)
        case ir.OwnerOf(of=of) | ir.PlaceOf(of=of):
            return replace(expr, of=_translated(of, given))
        case ir.Neighbour(player=player):
            return replace(expr, player=_translated(player, given))
        case ir.TopOf(place=place):
            return replace(expr, place=_translated(place, given))
        case _:
            names = any(isinstance(each, ir.Local) for each in everything(expr))
            return SOMEBODY if names else expr


def passed(label: Label, labels: Mapping[int, Label], given: Mapping[int, ir.Expr]) -> Label:
    """A label of a callee in terms of its arguments."""
    found: set[HiddenSource] = set()
    for each in label:
        if not each.given:
            told = frozenset(in_arguments(one, given) for one in each.told)
            thing = each.thing if each.thing == LUCK else in_arguments(each.thing, given)
            if each.piece is not None or thing is not each.thing or told != each.told:
                each = HiddenSource(thing, each.sort, None, told, each.other, each.way)
            found.add(each)
            continue
        found |= as_read(each, labels, given)
    return frozenset(found)


def as_read(
    source: HiddenSource, labels: Mapping[int, Label], given: Mapping[int, ir.Expr]
) -> Label:
    """The label of something read off a parameter, given the argument's label."""
    label = labels.get(source.slot, NONE)
    if EVERYONE in source.told:
        label = after_telling(label)
    if source.other is not None:
        other = passed(frozenset([source.other]), labels, given)
        label = astray(innermost(source.thing.type), label, other)
    match source.sort:
        case Sort.GIVEN_READ:
            return read(label)
        case Sort.GIVEN_OPENED:
            return opened(label)
        case Sort.GIVEN_TURNED_UP:
            return turned_up(label)
        case Sort.GIVEN_LYING | Sort.GIVEN_LYING_ASTRAY:
            return location_label(label)
        case _:
            return label


def passed_gone(
    gone: MovedPieces, labels: Mapping[int, Label], given: Mapping[int, ir.Expr]
) -> MovedPieces:
    """Moves of a callee in terms of its arguments."""
    (to,) = passed(frozenset([gone.to]), labels, given)
    return MovedPieces(gone.piece, passed(gone.what, labels, given), to)
