"""Who may know what: what is offered to a player may depend only on what that player sees.

For every expression this finds the places whose hidden contents it looks into. How many pieces
lie in a place is public unless declared hidden, so counting or asking for emptiness is no look.
A name carries along what had to be looked at to give it its value; a piece that was moved to a
place everyone sees is no secret any more. What a clause is given stands for itself (a Local among
the places), until `flow` knows what its callers give it.

A place is its own player's to see when it is declared `seen by: owner` and it is written with
that very player: `hand of player` in a question to `player`. When a name or a marker changes, what
was written with it before is somebody's, nobody knows whose; so is what was written with anything
else that can change, as soon as something has been done. A clause's callers know whom it asks only
if that has not changed since it began. A defined value is looked through once, in terms of its
operands; its own names mean nothing outside of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeGuard

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.types import PLAYER, PieceType, PlaceType
from lawspeaker.ir.walk import children, everything
from lawspeaker.meaning.check.world import World

if TYPE_CHECKING:
    from lawspeaker.meaning.check.functions import Functions

Places = frozenset[ir.Expr]
Given = Mapping[int, ir.Expr] | None
Test = Callable[[object], bool]
"""Whether a node is another now."""
NONE: Places = frozenset()
SOMEBODY: ir.Expr = ir.Local(PLAYER, -1, "somebody")
STEADY = (ir.Local, ir.Const, ir.Neighbour, ir.OwnerOf, ir.MarkerValue)
"""What stays the same until it is said to change."""
MOST_PLACES = 50
MOST_NEEDS = 10_000
LARGEST_NAME = 12


@dataclass(frozen=True, slots=True)
class Call:
    """A clause that is done: by which, with what, and what was looked at for each operand."""

    caller: int
    target: int
    arguments: tuple[ir.Expr, ...]
    looked: tuple[Places, ...]
    changes: tuple[Test, ...]
    """What may have changed before, since the caller began."""


@dataclass(frozen=True, slots=True)
class Need:
    """A question of a clause depends on one of its parameters, and `who` is asked."""

    slot: int
    who: ir.Expr
    span: Span


class Privacy:
    def __init__(self, world: World, functions: Functions) -> None:
        self.world = world
        self.functions = functions
        self.known: dict[int, Places] = {}
        self.secrets: list[Places] = []
        self.public: list[ir.Expr] = []
        self.changes: list[Test] = []
        self.calls: list[Call] = []
        self.needs: dict[Need, None] = {}

    # ------------------------------------------------------------ what names carry

    def given(self, parameters: list[ir.Local]) -> None:
        """The clause's parameters: what they carry is known to the callers."""
        for each in parameters:
            self.known[each.slot] = frozenset([each])

    def learn(self, slot: int, value: ir.Expr) -> None:
        self.known[slot] = self.looks(value).union(*self.secrets)

    def name_changed(self, slot: int) -> None:
        self.changed(lambda node: isinstance(node, ir.Local) and node.slot == slot)

    def taken(self, binder: ir.Binder) -> None:
        self.looks(binder)

    def ranked(self, slots: tuple[int, ...], binder: ir.Binder, key: ir.Expr) -> None:
        looked = self.looks(binder) | self.looks(key)
        for slot in slots:
            self.known[slot] = looked

    def drawn(self, slot: int, place: ir.Expr) -> None:
        self.known[slot] = frozenset([place]) if self.hidden(place) else NONE

    def moved(self, pieces: ir.Expr, place: ir.Expr) -> None:
        if isinstance(pieces, ir.Local) and not self.hidden(place):
            self.known[pieces.slot] = NONE

    def told(self, what: ir.Expr) -> None:
        """A name that everyone was told is no secret any more; nor is anything else, until
        something is done by which it may change."""
        if isinstance(what, ir.Local):
            self.known[what.slot] = NONE
        else:
            self.public.append(what)

    def marker_changed(self, marker: int) -> None:
        self.changed(lambda node: isinstance(node, ir.MarkerValue) and node.marker == marker)

    def markers_changed(self) -> None:
        """Another clause was done: markers may be others now."""
        self.changed(_is_marker)

    def anything_done(self) -> None:
        """Who has most points or lies on top may be another after any statement."""
        self.public.clear()
        self.changed(_is_unsteady)

    def progress(self) -> tuple[int, int]:
        """How many changes and calls there were so far."""
        return len(self.changes), len(self.calls)

    def again(self, first: int, progress: tuple[int, int]) -> None:
        """A loop begins again: its names are others, and what changes in it has changed before."""
        self._forget(lambda node: isinstance(node, ir.Local) and node.slot >= first)
        changes, calls = progress
        for test in self.changes[changes:]:
            self._forget(test)
        for at, call in enumerate(self.calls[calls:], start=calls):
            self.calls[at] = replace(call, changes=tuple(self.changes))

    def changed(self, test: Test) -> None:
        self.changes.append(test)
        self._forget(test)

    def _forget(self, test: Test) -> None:
        """Whatever was written with something that is another now is somebody's."""

        def forgotten(places: Places) -> Places:
            return frozenset(_forgotten(place, test) for place in places)

        self.secrets[:] = [forgotten(places) for places in self.secrets]
        for slot, places in self.known.items():
            self.known[slot] = forgotten(places)

    def called(
        self, caller: int, target: int, arguments: tuple[ir.Expr, ...], looked: list[Places]
    ) -> None:
        self.calls.append(Call(caller, target, arguments, tuple(looked), tuple(self.changes)))
        self.markers_changed()

    def is_secret(self, slot: int) -> bool:
        """Whether a name carries something that was looked up in a hidden place."""
        return any(
            not is_parameter(place) and not _is_anywhere(place)
            for place in self.known.get(slot, NONE)
        )

    @property
    def secret(self) -> bool:
        """Whether what is done now depends on something hidden."""
        return any(not is_parameter(place) for places in self.secrets for place in places)

    @contextmanager
    def behind(self, condition: ir.Expr | ir.Binder) -> Iterator[None]:
        """Statements that are done only if a condition holds."""
        self.secrets.append(self.looks(condition))
        try:
            with self.perhaps():
                yield
        finally:
            self.secrets.pop()

    @contextmanager
    def perhaps(self) -> Iterator[None]:
        """Statements that may be left out: what was a secret before them may be one after them."""
        before = dict(self.known)
        yield
        for slot, places in before.items():
            self.known[slot] = places | self.known.get(slot, NONE)

    # ------------------------------------------------------------ what is looked at

    def hidden(self, place: ir.Expr) -> bool:
        if not isinstance(place.type, PlaceType):
            return False
        return self.world.families[place.type.index].seen_by != "everyone"

    def looks(self, expr: object) -> Places:
        return self._looks(expr, self.known, None)

    def _looks(self, node: object, known: dict[int, Places], given: Given) -> Places:
        if given is None and node in self.public:
            return NONE
        match node:
            case ir.Local(slot=slot):
                return frozenset(each for each in known.get(slot, NONE) if not _is_anywhere(each))
            case ir.PieceState(piece=piece, state=state, of=ir.Local(slot=slot)):
                seen = self.world.pieces[piece].states[state].seen_by
                return (
                    known.get(slot, NONE) if seen == "holder" else self._inside(node, known, given)
                )
            case ir.MarkerValue(marker=marker, of=of):
                seen = self.world.markers[marker].seen_by
                looked = self._looks(of, known, given)
                return looked if seen == "everyone" else looked | {_said(node, given)}
            case ir.Contents(place=place) | ir.TopOf(place=place) | ir.ItemOf(place=place):
                looked = self._inside(node, known, given)
                return looked | {_said(place, given)} if self.hidden(place) else looked
            case ir.PlaceOf(family=family):
                looked = self._inside(node, known, given)
                if self.world.families[family].seen_by != "everyone":
                    looked |= {_said(node, given)}
                return looked
            case ir.Occupied(family=family) | ir.OpenPlaces(family=family):
                counted = self.world.families[family].count_seen_by == "everyone"
                return NONE if counted else frozenset([node])
            case ir.IsEmpty(set=ir.Contents(place=place)) if self._counted(place):
                return self._looks(place, known, given)
            case ir.Count(binder=binder) | ir.Exists(binder=binder):
                found = self._looks(binder, known, given)
                source = binder.source
                if (
                    binder.where is None
                    and isinstance(source, ir.Contents)
                    and self._counted(source.place)
                ):
                    # Which piece it is stays unknown until its name is used.
                    return self._looks(source.place, known, given)
                return found
            case ir.Binder(slot=slot, source=source, where=where):
                looked = self._looks(source, known, given)
                # All pieces of a type are known; what only those see who see the piece is not.
                known[slot] = frozenset([source]) if _is_anywhere(source) else looked
                looked |= self._looks(where, known, given)
                known[slot] |= looked
                return looked
            case ir.CallFunction(function=number, arguments=arguments):
                looked = NONE.union(*(self._looks(each, known, given) for each in arguments))
                meant = {at: _said(each, given) for at, each in enumerate(arguments)}
                return looked | {_said(each, meant) for each in self.of_function(number)}
            case ir.Possible(clause=clause, arguments=arguments):
                looked = NONE.union(*(self._looks(each, known, given) for each in arguments))
                meant = {at: _said(each, given) for at, each in enumerate(arguments)}
                question = self.world.clauses[clause].opening_question
                assert question is not None
                return looked | {_said(each, meant) for each in question.private}
            case _:
                return self._inside(node, known, given)

    def _inside(self, node: object, known: dict[int, Places], given: Given) -> Places:
        found = NONE
        for each in children(node):
            found |= self._looks(each, known, given)
        return found

    def of_function(self, number: int) -> Places:
        """What a defined value looks at, in terms of its operands."""
        if number not in self.functions.looked:
            function = self.functions.done[number]
            meant: dict[int, ir.Expr] = {
                at: ir.Local(slot.type, at, slot.name) for at, slot in enumerate(function.slots)
            }
            known: dict[int, Places] = {}
            for slot, value in function.lets:
                known[slot] = self._looks(value, known, meant)
                meant[slot] = _said(value, meant)
            found = self._looks(function.result, known, meant)
            if len(found) > MOST_PLACES:
                found = frozenset([SOMEBODY])
            self.functions.looked[number] = found
        return self.functions.looked[number]

    def _counted(self, place: ir.Expr) -> bool:
        if not isinstance(place.type, PlaceType):
            return False
        return self.world.families[place.type.index].count_seen_by == "everyone"

    # ------------------------------------------------------------ whose it is

    def is_own(self, place: ir.Expr, who: ir.Expr) -> bool:
        """Whether a hidden place is surely the player's own to see."""
        if who == SOMEBODY:
            return False
        match place:
            case ir.PlaceAt(family=family, indices=(owner, *_)):
                known = self.world.families[family]
                return known.seen_by == "owner" and owner == who
            case ir.MarkerValue(marker=marker, of=owner):
                return self.world.markers[marker].seen_by == "owner" and owner == who
        return False

    def whose(self, place: ir.Expr) -> str:
        """A hidden place in words: what it is, and who sees it."""
        match place:
            case (
                ir.PlaceAt(family=family)
                | ir.PlaceOf(family=family)
                | ir.Occupied(family=family)
                | ir.OpenPlaces(family=family)
            ):
                known = self.world.families[family]
                name, seen = known.name, known.seen_by
            case ir.MarkerValue(marker=marker):
                name, seen = self.world.markers[marker].name, self.world.markers[marker].seen_by
            case _:
                return "something hidden"
        return f"`{name}`, which {'only its owner' if seen == 'owner' else 'nobody'} sees"


def flow(
    privacy: Privacy, calls: list[Call], needs: Mapping[int, Mapping[Need, None]]
) -> Iterator[tuple[ir.Expr, ir.Expr, Need]]:
    """What clauses are given, followed to the questions that depend on it.

    Gives the operand, the hidden place it comes from, and the question that it decides.
    """
    to: dict[int, list[Call]] = {}
    for call in calls:
        to.setdefault(call.target, []).append(call)
    waiting = [(clause, need) for clause, found in needs.items() for need in found]
    seen = set(waiting)
    while waiting:
        clause, need = waiting.pop()
        for call in to.get(clause, ()):
            if need.slot >= len(call.arguments):
                continue
            who = _said(need.who, dict(enumerate(call.arguments)))
            for place in sorted(call.looked[need.slot], key=repr):
                if not is_parameter(place):
                    if not privacy.is_own(place, who):
                        yield call.arguments[need.slot], place, need
                    continue
                asked = unchanged(who, call.changes)
                further = (call.caller, Need(place.slot, asked, need.span))
                if further not in seen and len(seen) < MOST_NEEDS:
                    seen.add(further)
                    waiting.append(further)


def is_parameter(place: ir.Expr) -> TypeGuard[ir.Local]:
    """Whether it stands for what a clause is given, not for a place."""
    return isinstance(place, ir.Local) and place != SOMEBODY


def unchanged(who: ir.Expr, changes: Iterable[Test]) -> ir.Expr:
    """Somebody who is asked, as those would say it who know nothing of the changes."""
    return SOMEBODY if any(_any(who, test) for test in changes) else who


def _any(node: ir.Expr, test: Test) -> bool:
    return any(test(each) for each in everything(node))


def _is_anywhere(expr: ir.Expr) -> bool:
    """Whether it stands for all pieces of a type, wherever they lie."""
    return isinstance(expr, ir.Domain) and isinstance(expr.of, PieceType)


def _is_marker(node: object) -> bool:
    return isinstance(node, ir.MarkerValue)


def _is_unsteady(node: object) -> bool:
    return not isinstance(node, STEADY)


def _forgotten(place: ir.Expr, test: Test) -> ir.Expr:
    if isinstance(place, ir.PlaceAt):
        indices = (SOMEBODY if _any(each, test) else each for each in place.indices)
        return replace(place, indices=tuple(indices))
    if isinstance(place, ir.MarkerValue) and place.of is not None and _any(place.of, test):
        return replace(place, of=SOMEBODY)
    return place


def _said(expr: ir.Expr, given: Given) -> ir.Expr:
    """An expression inside a defined value or a clause, in terms of the caller's names.

    Without `given` it is the caller's own. What cannot be told is somebody's.
    """
    if given is None:
        return expr
    found = _translated(expr, given)
    return found if sum(1 for _ in everything(found)) <= LARGEST_NAME else SOMEBODY


def _translated(expr: ir.Expr, given: Mapping[int, ir.Expr]) -> ir.Expr:
    match expr:
        case ir.Local(slot=slot):
            return given.get(slot, SOMEBODY)
        case ir.PlaceAt(indices=indices):
            return replace(expr, indices=tuple(_said(each, given) for each in indices))
        case ir.MarkerValue(of=ir.Expr() as of) | ir.OwnerOf(of=of):
            return replace(expr, of=_said(of, given))
        case ir.Neighbour(player=player):
            return replace(expr, player=_said(player, given))
        case ir.MarkerValue() | ir.Const():
            return expr
        case ir.PlaceOf(of=of):
            return replace(expr, of=_said(of, given))
        case _:
            return SOMEBODY
