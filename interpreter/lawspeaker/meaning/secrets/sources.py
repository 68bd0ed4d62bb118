"""Where a secret comes from: the hidden things a value was taken from, and who may know them.

A `Source` is a place, a marker or a state that not everyone sees, as it is written where it is
looked at: `hand of player`. A label is a set of sources. What a clause or a defined value is given
stands for itself (`given` and what is read of it), until its callers say what they give.

A piece is more than a value: it lies somewhere. So of a piece a source says that it is one of those
that lie there (`inside`), or that everyone knows which it is, but not what it shows there (`lies`).
Whoever reads a kind, a number, or anything else off a piece has `read` the source. When another
piece goes from where this one may lie, and not everyone knows whether both are the same, this one
has gone `astray`: it may lie anywhere.

Whose a place is, is known as long as the words it was written with mean the same. When a name or a
marker changes, what was written with it before is somebody's, nobody knows whose; so is what was
written with anything else that can change, as soon as something has been done.
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
from lawspeaker.ir.types import PLAYER, TRUTH, MaybeType, PieceType, PlaceType, SetType, Type
from lawspeaker.ir.walk import bound_slots, everything

MOST_SOURCES = 50
LARGEST_NAME = 12
LONGEST_WAY = 6
MOST_MOVES = 200
NO_NAME = -1
"""The number of what is no name of a clause, and the highest of those."""
SOMEBODY: ir.Expr = ir.Local(PLAYER, NO_NAME, "somebody")
NOBODY: ir.Expr = ir.Local(PLAYER, NO_NAME, "nobody")
WHETHER = ir.Local(TRUTH, NO_NAME, "whether it is done")
"""Stands, among what a clause is given, for the conditions under which it is done."""
ALIKE = ir.Local(TRUTH, NO_NAME - 1, "whether it is done, though it tells")
"""The same for what decides that, and is not told by what tells: it may look alike otherwise."""
EVERYONE = ir.Local(PLAYER, NO_NAME, "everyone")
LUCK = ir.Local(PLAYER, NO_NAME, "luck")
ANYTHING = ir.Local(PLAYER, NO_NAME, "anything")
STEADY = (ir.Local, ir.Const, ir.Neighbour, ir.OwnerOf, ir.MarkerValue)
"""What stays the same until it is said to change."""
OPEN = ir.Local(PLAYER, NO_NAME, "where everyone sees it")
"""Stands for all places that everyone sees, where a piece may lie hidden or not."""


class Sort(Enum):
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
"""What says where a piece lies."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step on the way a secret takes, and those before it."""

    span: Span
    words: str
    before: Step | None = None

    def steps(self) -> Iterator[Step]:
        """The first `LONGEST_WAY`, in order."""
        found: list[Step] = []
        step: Step | None = self
        while step is not None:
            found.append(step)
            step = step.before
        yield from found[::-1][:LONGEST_WAY]


@dataclass(frozen=True, slots=True)
class Source:
    """`piece` is the name (its slot) of the very piece or value that it was taken from, if it has
    one; `told` are the players to whom it was told; `other` is, for something given that may have
    gone astray, the piece that has gone."""

    thing: ir.Expr
    sort: Sort = Sort.READ
    piece: int | None = None
    told: frozenset[ir.Expr] = frozenset()
    other: Source | None = None
    way: Step | None = field(default=None, compare=False, repr=False)

    @property
    def given(self) -> bool:
        return self.sort in GIVEN

    @property
    def known(self) -> bool:
        """Whether everyone knows which piece it is."""
        told = self.sort is Sort.GIVEN and EVERYONE in self.told
        return told or self.sort in (Sort.LIES, Sort.GIVEN_ASTRAY)

    @property
    def slot(self) -> int:
        """Which of what is given it stands for."""
        assert isinstance(self.thing, ir.Local)
        return self.thing.slot

    def by(self, span: Span, words: str) -> Source:
        """The same, one step further on its way."""
        if self.way is not None and self.way.span == span:
            return self
        return replace(self, way=Step(span, words, self.way))


T = TypeVar("T", Source, "Gone")
Label = frozenset[Source]
NONE: Label = frozenset()
FROM_ANYTHING: Label = frozenset([Source(ANYTHING)])


def few(label: Label) -> Label:
    """A label of a size that can be handled: what comes from too much comes from anything."""
    return label if len(label) <= MOST_SOURCES else FROM_ANYTHING


def in_order(found: Iterable[T]) -> list[T]:
    """The same on every computer and every day."""
    return sorted(found, key=_written)


@lru_cache(maxsize=4096)
def _written(source: Source | Gone) -> str:
    return repr(source)


def innermost(type: Type) -> Type:
    """What a set has as its members, and what there may be."""
    while isinstance(type, (SetType, MaybeType)):
        type = type.of
    return type


def holds_pieces(type: Type) -> bool:
    return isinstance(innermost(type), PieceType)


_READ = {Sort.INSIDE: Sort.READ, Sort.GIVEN: Sort.GIVEN_READ}
_OPENED = {
    Sort.INSIDE: Sort.READ,
    Sort.LIES: Sort.READ,
    Sort.GIVEN: Sort.GIVEN_OPENED,
    Sort.GIVEN_ASTRAY: Sort.GIVEN_LYING_ASTRAY,
}
_LYING = {Sort.GIVEN: Sort.GIVEN_LYING, Sort.GIVEN_ASTRAY: Sort.GIVEN_LYING_ASTRAY}


def read(label: Label) -> Label:
    """What is known of a thing itself."""
    return frozenset(_as(each, _READ.get(each.sort, each.sort)) for each in label if not each.known)


def _as(source: Source, sort: Sort) -> Source:
    return source if sort is source.sort else replace(source, sort=sort)


def opened(label: Label) -> Label:
    """What only those know of a piece who see it."""
    return frozenset(_as(each, _OPENED.get(each.sort, each.sort)) for each in label)


def turned_up(label: Label) -> Label:
    """The same of what it shows there: who was told which it is does not know that."""
    return opened(frozenset(map(_turned_up, label)))


def _turned_up(source: Source) -> Source:
    if source.sort is Sort.GIVEN:
        return replace(source, sort=Sort.GIVEN_TURNED_UP)
    return replace(source, told=frozenset()) if source.sort is Sort.INSIDE else source


def outside(label: Iterable[Source]) -> Label:
    """What is known of a piece to those who are shown a piece, but not which."""
    return frozenset(each for each in label if each.sort is not Sort.INSIDE and not each.known)


def lying(label: Label) -> Label:
    """The same of those who are shown where it lies, or whether two are the same."""
    return outside(map(_lying, label))


def _lying(source: Source) -> Source:
    anywhere = isinstance(source.thing, ir.Domain)
    return _as(source, Sort.READ if anywhere else _LYING.get(source.sort, source.sort))


def told(label: Label) -> Label:
    """What is left of a piece to be known when everyone was told which it is: where it lies."""
    return frozenset(map(_told, (each for each in label if each.known or each.sort in PLACED)))


def _told(source: Source) -> Source:
    if source.sort is Sort.GIVEN:
        return replace(source, told=source.told | {EVERYONE})
    return replace(source, sort=Sort.LIES) if source.sort is Sort.INSIDE else source


def by(label: Label, span: Span, words: str) -> Label:
    return frozenset(each.by(span, words) for each in label)


# ---------------------------------------------------------------- where pieces lie


def anywhere(piece: Type) -> Source:
    """A piece that may lie anywhere, of which everyone knows which it is."""
    return Source(ir.Domain(piece, piece), Sort.LIES)


def places(label: Label) -> Label:
    """Where a piece may lie; one of which nothing is said lies where everyone sees it."""
    found = frozenset(each for each in label if each.sort in PLACED)
    return found or frozenset([Source(OPEN, Sort.LIES)])


def may_be_one(one: Source, other: Source) -> bool:
    """Whether two places may be the same."""
    here, there = one.thing, other.thing
    if OPEN in (here, there):
        return _may_be_open(one) and _may_be_open(other)
    match here, there:
        case ir.PlaceAt(indices=first), ir.PlaceAt(indices=second) if here.type == there.type:
            return not any(map(differ, first, second))
        case ir.Expr(type=PlaceType(index=first)), ir.Expr(type=PlaceType(index=second)):
            return first == second
    return True


def _may_be_open(place: Source) -> bool:
    return place.given or place.thing == OPEN or isinstance(place.thing, ir.Domain)


def differ(one: ir.Expr, other: ir.Expr, holding: Container[ir.Expr] = ()) -> bool:
    """Whether two expressions surely mean two things, if these conditions hold."""
    if isinstance(one, ir.Const) and isinstance(other, ir.Const):
        return one != other
    same = (ir.Compare(TRUTH, "=", *pair) for pair in ((one, other), (other, one)))
    return any(ir.Not(TRUTH, each) in holding for each in same)


def astray(piece: Type, stays: Label, goes: Label) -> Label:
    """What is known of where a piece lies when another has gone, and not everyone knows whether
    that is the same one."""
    found: set[Source] = set()
    for one in places(stays):
        for other in places(goes):
            if one.given or other.given:
                given, second = (one, other) if one.given else (other, one)
                found.add(Source(given.thing, Sort.GIVEN_ASTRAY, told=given.told, other=second))
            elif may_be_one(one, other) and not (one.known and other.known):
                found.add(anywhere(piece))
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class Gone:
    """Pieces that have gone: what they carried, where they lie now, and which of what the clause is
    given they are, if they are that."""

    piece: Type
    what: Label
    to: Source
    given: int | None = None

    def lies(self, label: Label) -> Label:
        """What a piece carries that may be one of them, but for its having gone astray. Of what is
        given its callers say that."""
        left = (one for one in self._left(label) if not one.given)
        ways = ((one, other) for one in left for other in places(self.what))
        return label | places(label) | {self.to} if any(starmap(may_be_one, ways)) else label

    def astray(self, label: Label) -> Label:
        return astray(self.piece, self._left(label), self.what)

    def _left(self, label: Label) -> Label:
        """Where a piece may lie that is not where they lie now, whether it is one or not."""
        return frozenset(each for each in places(label) if each.thing != self.to.thing)


Moves = tuple[frozenset[Gone], ...]
"""What has gone, one group after the other; those of a group in any order, each as often as not."""


def followed(before: Moves, after: Moves) -> Moves:
    """What has gone when more goes."""
    found = list(before)
    for group in after:
        if not found or not group <= found[-1]:
            found.append(group)
    return tuple(found) if len(found) <= MOST_MOVES else in_any_order(found)


def in_any_order(moves: Iterable[frozenset[Gone]]) -> Moves:
    group = frozenset[Gone]().union(*moves)
    return (group,) if group else ()


def went_since(before: Moves, now: Moves) -> Moves:
    """What has gone in addition; of what went first on both ways only what is the same."""
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(before, now, strict=False))
    return now[sum(1 for _ in alike) :]


# ---------------------------------------------------------------- changes


@dataclass(frozen=True, slots=True)
class Change:
    """Something that is another now: a name (its slot), a marker (its number), or whatever can be
    another after any deed."""

    what: str
    number: int | None = None


@lru_cache(maxsize=4096)
def written_with(expr: ir.Expr | None) -> frozenset[Change]:
    """What changes an expression is open to; everyone, who is None, is open to none. A name that
    is given inside of it is its own."""
    found: set[Change] = set()
    inside = bound_slots(expr)
    for each in everything(expr):
        match each:
            case ir.Local(slot=slot) if slot not in inside:
                found.add(Change("name", slot))
            case ir.MarkerValue(marker=marker):
                found.add(Change("marker", marker))
        if not isinstance(each, STEADY):
            found.add(Change("deed"))
    return frozenset(found)


def touches(change: Change, expr: ir.Expr) -> bool:
    """Whether something an expression is written with is another now."""
    return change in written_with(expr)


@lru_cache(maxsize=4096)
def open_to(label: Label) -> frozenset[Change]:
    """What changes may make a label another one."""
    found = {Change("name", each.piece) for each in label}
    for each in label:
        found.update(*(written_with(one) for one in (*whose(each.thing), *each.told)))
        if each.other is not None:
            found |= open_to(frozenset([each.other]))
    return frozenset(found)


def whose(thing: ir.Expr) -> tuple[ir.Expr, ...]:
    """What says which of several hidden things is meant."""
    match thing:
        case ir.PlaceAt(indices=indices) | ir.MarkerValue(indices=indices):
            return indices
        case ir.Local():
            return (thing,)
        case ir.TopOf(place=place):
            return whose(place)
        case _:
            return ()


def forgotten(label: Label, change: Change) -> Label:
    """A label, without what was known by words that mean something else now."""
    if change not in open_to(label):
        return label
    return frozenset(_forgotten(each, change) for each in label)


def _forgotten(source: Source, change: Change) -> Source:
    if source.given:
        other = source.other
        return source if other is None else replace(source, other=_forgotten(other, change))
    told = frozenset(each for each in source.told if not touches(change, each))
    renamed = change == Change("name", source.piece) and source.thing != LUCK
    piece = None if renamed else source.piece
    return replace(source, thing=_nobody_knows_whose(source.thing, change), piece=piece, told=told)


@lru_cache(maxsize=4096)
def _nobody_knows_whose(thing: ir.Expr, change: Change) -> ir.Expr:
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


# ---------------------------------------------------------------- in the words of a caller


def said(expr: ir.Expr, given: Mapping[int, ir.Expr]) -> ir.Expr:
    """An expression inside a defined value or a clause, in terms of what it was given; what cannot
    be told, or not in few words, is somebody's."""
    found = _translated(expr, given)
    more = islice(everything(found), LARGEST_NAME, None)
    return found if next(more, None) is None else SOMEBODY


def _translated(expr: ir.Expr, given: Mapping[int, ir.Expr]) -> ir.Expr:
    match expr:
        case ir.Local(slot=slot):
            return expr if expr == OPEN else given.get(slot, SOMEBODY)
        case ir.PlaceAt(indices=indices) | ir.MarkerValue(indices=indices):
            found = tuple([said(each, given) for each in indices])
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
    """A label from inside a defined value or a clause, in terms of what it was given."""
    found: set[Source] = set()
    for each in label:
        if not each.given:
            told = frozenset(said(one, given) for one in each.told)
            thing = each.thing if each.thing == LUCK else said(each.thing, given)
            if each.piece is not None or thing is not each.thing or told != each.told:
                each = Source(thing, each.sort, None, told, each.other, each.way)
            found.add(each)
            continue
        found |= as_read(each, labels, given)
    return frozenset(found)


def as_read(source: Source, labels: Mapping[int, Label], given: Mapping[int, ir.Expr]) -> Label:
    """What is known of something given, once it is known what it carries."""
    label = labels.get(source.slot, NONE)
    if EVERYONE in source.told:
        label = told(label)
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
            return lying(label)
        case _:
            return label


def passed_gone(gone: Gone, labels: Mapping[int, Label], given: Mapping[int, ir.Expr]) -> Gone:
    """Pieces that have gone in a clause, in terms of what it was given."""
    (to,) = passed(frozenset([gone.to]), labels, given)
    return Gone(gone.piece, passed(gone.what, labels, given), to)
