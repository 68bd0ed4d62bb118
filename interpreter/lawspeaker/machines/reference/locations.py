"""Closures for pieces and places: where a piece is, what a place holds, hypothetical moves."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.ir.dependence import AttributeOfFirst, plain_local
from lawspeaker.machines.lower import messages
from lawspeaker.machines.reference.evaluate import Eval, Evaluator, Slots
from lawspeaker.machines.reference.moving import lay, lift
from lawspeaker.position.layout import Value
from lawspeaker.position.state import State


def piece_state(ev: Evaluator, expr: ir.PieceState) -> Eval:
    """Compiles a read of a piece's state."""
    at = ev.layout.state_at[expr.piece][ev.layout.first_entry[expr.piece][expr.state]]
    piece = ev.present(expr.of)
    if not expr.indices:
        return lambda s, f: s.states[at + piece(s, f)]
    declared = ev.program.pieces[expr.piece].states[expr.state]
    domains = ev.layout.domains(declared.indices)
    entry = ev.entry(declared.name, expr.indices, domains, expr.span)
    pieces = len(ev.layout.pieces_of[expr.piece])
    return lambda s, f: s.states[at + piece(s, f) + pieces * entry(s, f)]


def place_at(ev: Evaluator, expr: ir.PlaceAt) -> Eval:
    """Compiles the place of a family with given indices, specialised by their number."""
    family = ev.program.families[expr.family]
    domains = ev.layout.index_domains[expr.family]
    places = ev.layout.places_of[expr.family]
    if not expr.indices:
        only = places[0]
        return lambda s, f: only
    fault = ev.fault(messages.no_place_there(family.name), expr.span)
    first = places[0] if places else 0
    if len(expr.indices) == 1:
        index = ev.present(expr.indices[0])
        low = domains[0][0] if domains[0] else 0
        high, base = low + len(domains[0]), first - low
        if plain_local(expr.indices[0]):
            slot = expr.indices[0].slot

            def place_at_slot(s: State, f: Slots) -> int:
                i: int = f[slot]
                if low <= i < high:
                    return base + i
                raise fault()

            return place_at_slot

        def place_1(s: State, f: Slots) -> int:
            i: int = index(s, f)
            if low <= i < high:
                return base + i
            raise fault()

        return place_1
    if len(expr.indices) == 2:
        one, two = (ev.present(e) for e in expr.indices)
        low_1, low_2 = (domain[0] if domain else 0 for domain in domains)
        size_1, size_2 = map(len, domains)
        high_1, high_2 = low_1 + size_1, low_2 + size_2
        start = first - low_1 * size_2 - low_2

        def place_2(s: State, f: Slots) -> int:
            i: int = one(s, f)
            j: int = two(s, f)
            if low_1 <= i < high_1 and low_2 <= j < high_2:
                return start + i * size_2 + j
            raise fault()

        return place_2
    indices = [ev.present(e) for e in expr.indices]
    number, find = expr.family, ev.layout.place

    def place_n(s: State, f: Slots) -> int:
        found = find(number, tuple([index(s, f) for index in indices]))
        if found is None:
            raise fault()
        return found

    return place_n


def place_of(ev: Evaluator, expr: ir.PlaceOf) -> Eval:
    """Compiles the place of a piece, or nothing outside of the family."""
    places = ev.layout.places_of[expr.family]
    first, last = (places[0], places[-1]) if places else (0, -1)
    piece = ev.present(expr.of)

    def place_of(s: State, f: Slots) -> int | None:
        place = s.where[piece(s, f)]
        return place if first <= place <= last else None

    return place_of


def contents(ev: Evaluator, expr: ir.Contents) -> Eval:
    """Compiles the pieces in a place."""
    known = ev.constant(expr.place)
    if known is not None:
        (number,) = known
        return lambda s, f: s.contents.get(number, ())
    if plain_local(expr.place):
        slot = expr.place.slot
        return lambda s, f: s.contents.get(f[slot], ())
    place = ev.present(expr.place)
    return lambda s, f: s.contents.get(place(s, f), ())


def item_of(ev: Evaluator, expr: ir.ItemOf) -> Eval:
    """Compiles an item of a place or set; a missing or shuffled one is a fault."""
    if isinstance(expr.place.type, ir.SetType):
        return _member(ev, expr)
    place, at = ev.present(expr.place), ev.present(expr.at)
    missing = ev.fault(messages.NO_SUCH_PIECE, expr.span)
    unknown = ev.fault(messages.SHUFFLED, expr.span)

    def item(s: State, f: Slots) -> int:
        here, number = place(s, f), at(s, f)
        held = s.contents.get(here, ())
        if not 0 < number <= len(held):
            raise missing()
        if here in s.loose:
            under, loose = s.loose[here]
            if under < number <= under + loose:
                raise unknown()
        piece: int = held[number - 1]
        return piece

    return item


def _member(ev: Evaluator, expr: ir.ItemOf) -> Eval:
    members, at = ev.present(expr.place), ev.present(expr.at)
    missing = ev.fault(messages.NO_SUCH_MEMBER, expr.span)

    def member(s: State, f: Slots) -> Value:
        listed, number = members(s, f), at(s, f)
        if not 0 < number <= len(listed):
            raise missing()
        return listed[number - 1]

    return member


def top_of(ev: Evaluator, expr: ir.TopOf) -> Eval:
    """Compiles the top piece of a place; a shuffled top is a fault."""
    place = ev.present(expr.place)
    unknown = ev.fault(messages.SHUFFLED_TOP, expr.span)

    def top(s: State, f: Slots) -> int | None:
        here = place(s, f)
        held = s.contents.get(here)
        if not held:
            return None
        if here in s.loose and sum(s.loose[here]) == len(held):
            raise unknown()
        return held[-1]

    return top


def attribute_of_first(ev: Evaluator, expr: AttributeOfFirst) -> Eval:
    """Compiles the attribute of the first piece in a place."""
    found = ev.table(expr.attribute)
    assert found is not None
    table = found[0]
    otherwise = ev.compile(expr.otherwise)
    if plain_local(expr.place):
        slot = expr.place.slot
        known = ev.constant(expr.otherwise)
        if known is not None:
            (value,) = known

            def of_first_in_slot(s: State, f: Slots) -> Value:
                held = s.contents.get(f[slot])
                return value if held is None else table[held[0]]

            return of_first_in_slot
    here = ev.constant(expr.place)
    if here is not None:
        (number,) = here

        def of_first_here(s: State, f: Slots) -> Value:
            held = s.contents.get(number)
            return otherwise(s, f) if held is None else table[held[0]]

        return of_first_here
    place = ev.present(expr.place)

    def of_first(s: State, f: Slots) -> Value:
        held = s.contents.get(place(s, f))
        return otherwise(s, f) if held is None else table[held[0]]

    return of_first


def supposing(ev: Evaluator, expr: ir.Supposing) -> Eval:
    """Compiles a hypothetical move, which is undone after evaluating the condition."""
    piece, place = ev.present(expr.piece), ev.present(expr.place)
    condition = ev.compile(expr.condition)
    layout = ev.layout

    def supposing(s: State, f: Slots) -> Value:
        moved, to = piece(s, f), place(s, f)
        origin = s.where[moved]
        before = {here: s.contents.get(here) for here in (origin, to)}
        loose = s.loose.copy()
        lift(s, moved)
        lay(layout, s, moved, to, under=False)
        try:
            return condition(s, f)
        finally:
            s.where[moved] = origin
            s.loose = loose
            for here, held in before.items():
                if held is None:
                    del s.contents[here]
                else:
                    s.contents[here] = held

    return supposing


def appearances(ev: Evaluator, expr: ir.Appearances) -> Eval:
    recorded, number = ev.recorded(expr.position), expr.position
    return lambda s, f: s.past[number].count(recorded.row(s))
