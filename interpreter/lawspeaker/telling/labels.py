"""Defined values that the table shows on places, computed from what a seat knows.

The checker admits only public values. They are evaluated in a determinization of the view, never
in the match itself, so that a mistake in the rules could show something wrong but nothing secret. A
value that cannot be evaluated is not shown.

Most of them depend only on the contents of a few public places. Their values are cached by those
contents and shared by all viewers.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from functools import lru_cache

from lawspeaker import ir
from lawspeaker.ir.dependence import Dependence
from lawspeaker.machines.reference import Machine, RuleFault
from lawspeaker.machines.reference.evaluate import Eval
from lawspeaker.match.match import Match, imagine
from lawspeaker.match.view import View
from lawspeaker.position.layout import Layout, Value

MOST_SEEN = 8192
"""The maximal number of cached contents, for all tables together."""


class Labels:
    """The values on the places of one view. `labels_of` are the values to show, by family."""

    def __init__(self, view: View) -> None:
        self.view = view
        self.layout = view.layout
        self.labels_of = _labels_of(view.layout)
        self._known: dict[tuple[int, int | None], Value | None] = {}
        self._shared: dict[int, Values | None] = {}
        """By function: the cached values for equal contents of the places it reads."""
        self._world: Match | None = None
        self._broken = False

    def value(self, function: int, place: int | None = None) -> Value | None:
        """A defined value, for a place or a player if it has an operand; None if it cannot be
        evaluated."""
        key = (function, place)
        if key not in self._known:
            self._known[key] = self._worked_out(function, place)
        return self._known[key]

    def _worked_out(self, function: int, place: int | None) -> Value | None:
        shared = self.shared(function)
        if shared is not None and place in shared.known:
            return shared.known[place]
        world = self._imagined()
        if world is None:
            return None
        value = value_on(world, function, place)
        if shared is not None:
            shared.known[place] = value
        return value

    def shared(self, function: int) -> Values | None:
        """The cache entry for a function: equal for equal contents of what it reads."""
        if function not in self._shared:
            self._shared[function] = self._values(function)
        return self._shared[function]

    def _values(self, function: int) -> Values | None:
        places = _places_looked_into(self.layout, function)
        if places is None:
            return None
        contents, states = self.view.contents, self.view.states
        seen = [
            tuple([(piece, states.get(piece)) for piece in contents.get(place, ())])
            for place in places
        ]
        return _values_for(self.layout, function, tuple(seen))

    def type(self, function: int) -> ir.Type:
        return self.layout.program.functions[function].result.type

    def name(self, place: int, language: str, with_tints: bool = True) -> str | None:
        """The labels of a place, in a language; None without any. A player as a value determines
        its colour instead. Without tints, words that only colour the points of a board are left
        out."""
        told = []
        family = self.layout.place_family[place]
        tinted = not with_tints and family in _boards(self.layout)
        for function in self.labels_of.get(family, ()):
            of = self.type(function)
            if of not in (ir.PLAYER, ir.MaybeType(ir.PLAYER)):
                value = self.value(function, place)
                if value is not None and not (tinted and _is_tint(self.layout, of, value)):
                    told.append(self.layout.name(of, value, language))
        return ", ".join(told) or None

    def _imagined(self) -> Match | None:
        if self._world is None and not self._broken:
            try:
                self._world = imagine(self.view, 0)
            except RuleFault:
                self._broken = True
        return self._world


def value_on(match: Match, function: int, place: int | None) -> Value | None:
    """A defined value in a match, for a place if it has an operand; None if it faults."""
    machine = match.machine
    match.state.left = machine.budget
    try:
        slots = [place, *([None] * len(machine.program.functions[function].slots))]
        return _compiled(machine, function)(match.state, slots)
    except RuleFault:
        return None


@lru_cache(maxsize=64)
def _labels_of(layout: Layout) -> Mapping[int, tuple[int, ...]]:
    found: dict[int, tuple[int, ...]] = {}
    for shown in parts_of(layout):
        if shown.family is not None and shown.labels:
            found.setdefault(shown.family, shown.labels)
    return found


@lru_cache(maxsize=64)
def _boards(layout: Layout) -> frozenset[int]:
    """The families that are drawn as boards."""
    parts = parts_of(layout)
    return frozenset(
        shown.family for shown in parts if shown.family is not None and shown.style == "board"
    )


def _is_tint(layout: Layout, of: ir.Type, value: Value) -> bool:
    """Whether a word has a colour, and no picture."""
    of = ir.plain(of)
    if not isinstance(of, ir.WordType):
        return False
    known, word = layout.program.symbols, layout.text(of, value)
    symbol = known.get(f"{of.name}.{word}") or known.get(word)
    if symbol is None or symbol.colour is None:
        return False
    return not (symbol.picture or symbol.badge)


@lru_cache(maxsize=256)
def _places_looked_into(layout: Layout, function: int) -> tuple[int, ...] | None:
    """The public places whose contents alone determine a function; None if there is more."""
    program = layout.program
    families = Dependence(program).looked_into(function)
    if families is None or isinstance(
        ir.plain(program.functions[function].result.type), ir.PieceType
    ):
        return None
    if any(program.families[family].seen_by != "everyone" for family in families):
        return None
    return tuple(place for family in sorted(families) for place in layout.places_of[family])


class Values:
    """Cached values of a function for equal contents, by place; callers add what they compute."""

    def __init__(self) -> None:
        self.known: dict[int | None, Value | None] = {}


@lru_cache(maxsize=MOST_SEEN)
def _values_for(layout: Layout, function: int, seen: Hashable) -> Values:
    return Values()


@lru_cache(maxsize=256)
def _compiled(machine: Machine, function: int) -> Eval:
    declared = machine.program.functions[function]
    given = declared.slots[: declared.parameters]
    places = tuple(ir.Local(slot.type, at, slot.name) for at, slot in enumerate(given))
    machine.evaluator.clause = declared.clause
    return machine.evaluator.compile(ir.CallFunction(declared.result.type, function, places))


@lru_cache(maxsize=64)
def parts_of(layout: Layout) -> tuple[ir.Show, ...]:
    """All parts of the table layout. Cached."""
    return tuple(everything(layout.program.table))


def everything(shown: ir.Show | None) -> list[ir.Show]:
    """A part of the layout and all its descendants."""
    if shown is None:
        return []
    return [shown, *(inner for part in shown.parts for inner in everything(part))]
