"""Who may know what: what is offered to a player may depend only on what that player sees.

For every expression this finds the places whose hidden contents it looks into. How many pieces
lie in a place is public unless declared hidden, so counting or asking for emptiness is no look.
A name carries along what had to be looked at to give it its value; a piece that was moved to a
place everyone sees is no secret any more.

A place is its own player's to see when it is declared `seen by: owner` and it is written with
that very player: `hand of player` in a question to `player`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lawspeaker import ir
from lawspeaker.check.walk import children
from lawspeaker.check.world import World
from lawspeaker.types import PLAYER, PlaceType

if TYPE_CHECKING:
    from lawspeaker.check.functions import Functions

Places = frozenset[ir.Expr]
NONE: Places = frozenset()


class Privacy:
    def __init__(self, world: World, functions: Functions) -> None:
        self.world = world
        self.functions = functions
        self.known: dict[int, Places] = {}
        self.secrets: list[Places] = []

    # ------------------------------------------------------------ what names carry

    def learn(self, slot: int, value: ir.Expr, also: bool = False) -> None:
        looked = self.looks(value)
        self.known[slot] = (self.known.get(slot, NONE) | looked) if also else looked

    def taken(self, binder: ir.Binder) -> None:
        self.known[binder.slot] = self.looks(binder.source)

    def drawn(self, slot: int, place: ir.Expr) -> None:
        self.known[slot] = frozenset([place]) if self.hidden(place) else NONE

    def moved(self, pieces: ir.Expr, place: ir.Expr) -> None:
        if isinstance(pieces, ir.Local) and not self.hidden(place):
            self.known[pieces.slot] = NONE

    @contextmanager
    def behind(self, condition: ir.Expr) -> Iterator[None]:
        """Statements that are done only if a condition holds."""
        self.secrets.append(self.looks(condition))
        try:
            yield
        finally:
            self.secrets.pop()

    # ------------------------------------------------------------ what is looked at

    def hidden(self, place: ir.Expr) -> bool:
        if not isinstance(place.type, PlaceType):
            return False
        return self.world.families[place.type.index].seen_by != "everyone"

    def looks(self, expr: object) -> Places:
        return self._looks(expr, self.known, {})

    def _looks(self, node: object, known: dict[int, Places], given: dict[int, ir.Expr]) -> Places:
        match node:
            case ir.Local(slot=slot):
                return known.get(slot, NONE)
            case ir.MarkerValue(marker=marker, of=of):
                seen = self.world.markers[marker].seen_by
                looked = self._looks(of, known, given) if of is not None else NONE
                return looked if seen == "everyone" else looked | {self._given(node, given)}
            case ir.Contents(place=place) | ir.TopOf(place=place) | ir.ItemOf(place=place):
                looked = self._inside(node, known, given)
                return looked | {self._given(place, given)} if self.hidden(place) else looked
            case ir.PlaceOf(family=family):
                looked = self._inside(node, known, given)
                if self.world.families[family].seen_by != "everyone":
                    looked |= {self._given(node, given)}
                return looked
            case ir.IsEmpty(set=ir.Contents(place=place)) if self._counted(place):
                return self._looks(place, known, given)
            case ir.Count(binder=binder) | ir.Exists(binder=binder):
                return self._taken(binder, known, given)
            case ir.CallFunction(function=number, arguments=arguments):
                function = self.functions.done[number]
                inner = {at: self._looks(each, known, given) for at, each in enumerate(arguments)}
                meant = {at: self._given(each, given) for at, each in enumerate(arguments)}
                for slot, value in function.lets:
                    inner[slot] = self._looks(value, inner, meant)
                found = self._looks(function.result, inner, meant)
                for each in inner.values():
                    found |= each
                return found
            case _:
                return self._inside(node, known, given)

    def _inside(self, node: object, known: dict[int, Places], given: dict[int, ir.Expr]) -> Places:
        found = NONE
        for each in children(node):
            found |= self._looks(each, known, given)
        return found

    def _taken(
        self, binder: ir.Binder, known: dict[int, Places], given: dict[int, ir.Expr]
    ) -> Places:
        source = binder.source
        if binder.where is None and isinstance(source, ir.Contents) and self._counted(source.place):
            # Which piece it is stays unknown until its name is used.
            known[binder.slot] = self._looks(source, known, given)
            return self._looks(source.place, known, given)
        return self._inside(binder, known, given)

    def _counted(self, place: ir.Expr) -> bool:
        if not isinstance(place.type, PlaceType):
            return False
        return self.world.families[place.type.index].count_seen_by == "everyone"

    def _given(self, expr: ir.Expr, given: dict[int, ir.Expr]) -> ir.Expr:
        """A place inside a defined value, in terms of the caller's names."""
        match expr:
            case ir.PlaceAt(type=type, family=family, indices=indices):
                return ir.PlaceAt(type, family, tuple(self._given(each, given) for each in indices))
            case ir.Local(slot=slot) if slot in given:
                return given[slot]
            case _:
                return expr

    # ------------------------------------------------------------ whose it is

    def is_own(self, place: ir.Expr, who: ir.Expr) -> bool:
        """Whether a hidden place is surely the player's own to see."""
        match place:
            case ir.PlaceAt(family=family, indices=(owner, *_)):
                known = self.world.families[family]
                return known.seen_by == "owner" and owner == who
            case ir.MarkerValue(marker=marker, of=owner):
                return self.world.markers[marker].seen_by == "owner" and owner == who
            case _:
                return False


def player_local(slot: int, name: str) -> ir.Expr:
    return ir.Local(PLAYER, slot, name)
