"""Serialises positions to the memory layout of a module, and back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextvars import ContextVar
from itertools import pairwise
from operator import attrgetter
from struct import Struct, pack_into

from lawspeaker.ir.types import MaybeType, TruthType, Type, is_written
from lawspeaker.machines.compiled.compile import repetitions
from lawspeaker.machines.compiled.runtime import hashes
from lawspeaker.machines.compiled.runtime.plan import LONG, Column, PlaceMemory, Plan, sentinel
from lawspeaker.machines.planned import condition_bits
from lawspeaker.machines.planned.patterns import KIND, OWNER
from lawspeaker.machines.planned.places import MASK_BITS
from lawspeaker.position.position_rows import NOTHING
from lawspeaker.position.rng import MASK
from lawspeaker.position.state import State, Value
from lawspeaker.position.written import Text

_UNSIGNED = {width: Struct(f"<{code}") for width, code in ((1, "B"), (2, "H"), (4, "I"), (8, "Q"))}
_SIGNED = {1: "b", 2: "h", 4: "i"}


class CannotHold(ValueError):
    """Raised for a position that does not fit into the memory of this module."""


_texts: ContextVar[tuple[str, ...]] = ContextVar("texts", default=())
"""The interned texts of the position loaded last. Their numbers are valid within one call, from
loading a position to reading it back: the first is -2, and -1 stands for nothing."""
_FIRST_TEXT = -2


def forget_texts() -> None:
    """Clears the interned texts before another position is loaded."""
    _texts.set(())


def word(value: Value, of: Type) -> int:
    """Encodes a plain value as the module represents it."""
    if isinstance(value, Text):
        # Compared as strings: a dead value may be spelled differently from a live one.
        told = str(value)
        if told not in _texts.get():
            _texts.set((*_texts.get(), told))
        return _FIRST_TEXT - _texts.get().index(told)
    return sentinel(of) if value is None else int(value)


def value(number: int, of: Type) -> Value:
    """Decodes a plain value."""
    if number == sentinel(of):
        return None
    while isinstance(of, MaybeType):
        of = of.of
    if number <= _FIRST_TEXT and is_written(of):
        return Text(_texts.get()[_FIRST_TEXT - number])
    return bool(number) if isinstance(of, TruthType) else number


class Bytes:
    """The bytes of a position, addressed as in the module's memory."""

    def __init__(self, plan: Plan, content: bytearray | None = None) -> None:
        self.first = plan.state
        size = plan.state_end - plan.state
        self.content = bytearray(size) if content is None else content

    def put(self, at: int, number: int, width: int = 4) -> None:
        inside = (1 << 8 * width) - 1
        _UNSIGNED[width].pack_into(self.content, at - self.first, number & inside)

    def get(self, at: int, width: int = 4) -> int:
        start = at - self.first
        return int.from_bytes(self.content[start : start + width], "little", signed=True)

    def set(self, column: Column, index: int, number: int) -> None:
        self.put(column.address(index), number, column.width)

    def fill(self, column: Column, index: int, numbers: Sequence[int]) -> None:
        """Stores consecutive entries at once."""
        code = f"<{len(numbers)}{_SIGNED[column.width]}"
        pack_into(code, self.content, column.address(index) - self.first, *numbers)

    def at(self, column: Column, index: int) -> int:
        return self.get(column.address(index), column.width)


def image(plan: Plan) -> bytes:
    """Serialises the initial position."""
    layout = plan.layout
    held: dict[int, list[int]] = {}
    for piece, place in enumerate(layout.start):
        held.setdefault(place, []).append(piece)
    content = _empty(plan)
    contents = {place: tuple(pieces) for place, pieces in held.items()}
    _write_pieces(plan, content, contents, layout.first_states)
    _write_values(plan, content, layout.first_markers, layout.first_states)
    return bytes(content.content)


def written(plan: Plan, state: State) -> bytes:
    """Serialises a position."""
    content = _empty(plan)
    content.put(plan.seed, state.seed & MASK, 8)
    for seat, score in enumerate(state.scores):
        content.put(plan.scores + 4 * seat, score)
    _write_pieces(plan, content, state.contents, state.states)
    _write_values(plan, content, state.markers, state.states)
    families = plan.families
    for place, (under, loose) in state.loose.items():
        family = families[plan.layout.place_family[place]]
        if family.under is None or family.loose is None:
            raise CannotHold(f"the pieces in {family.of.name} cannot be loose here")
        content.set(family.under, place, under)
        content.set(family.loose, place, loose)
    for place, count in state.shuffles.items():
        shuffles = families[plan.layout.place_family[place]].shuffles
        if shuffles is not None:
            content.set(shuffles, place, count)
    for clause, count in state.picks.items():
        if clause in plan.picks:
            content.put(plan.picks[clause], count)
    _write_past(plan, content, state)
    return bytes(content.content)


_FIXED = {OWNER: attrgetter("piece_owner"), KIND: attrgetter("piece_kind")}
"""The piece attributes that never change."""


def _empty(plan: Plan) -> Bytes:
    """Returns a position with all places empty."""
    content = Bytes(plan)
    for family in plan.families:
        if family.occupied:
            one_word = family.size <= MASK_BITS
            content.put(family.spread, 0 if one_word else -(-family.size // 64))
            content.put(family.spread + 4, 0 if one_word else -1)
        if not family.masked:
            for column in (family.top, family.bottom):
                start = column.address(family.first) - plan.state
                end = start + family.size * column.width
                content.content[start:end] = b"\xff" * (family.size * column.width)
    return content


def _write_pieces(
    plan: Plan, content: Bytes, contents: dict[int, tuple[int, ...]], states: list[Value]
) -> None:
    layout = plan.layout
    nowhere = [-1] * len(layout.piece_type)
    where, below, above = nowhere, nowhere.copy(), nowhere.copy()
    owned: dict[int, list[int]] = {}
    filled: dict[int, list[int]] = {}
    for place, held in contents.items():
        family = plan.families[layout.place_family[place]]
        for piece in held:
            where[piece] = place
        if family.masked:
            mask = sum([1 << (piece - family.first_piece) for piece in held])
            content.put(family.mask + 8 * place, mask, 8)
        else:
            content.set(family.bottom, place, held[0])
            content.set(family.top, place, held[-1])
            content.set(family.count, place, len(held))
            for lower, upper in pairwise(held):
                above[lower] = upper
                below[upper] = lower
            if family.items is not None:
                content.fill(family.items, place * family.room, held)
        if family.indexed and len(held) > 1:
            raise CannotHold(f"there is more than one piece in {family.of.name}")
        if family.hash:
            told = _told(plan, family, held, states)
            content.put(family.hash, content.get(family.hash, LONG) ^ hashes.key(place, told), LONG)
        if family.occupied:
            filled.setdefault(layout.place_family[place], []).append(place)
        for by, masks in family.held.items():
            holds, fixed = family.of.holds, _FIXED.get(by)
            tells = states if fixed is None else fixed(layout)
            at = 0 if fixed else layout.state_at[holds][layout.first_entry[holds][by]]
            for piece in held:
                who = tells[at + piece]
                owned.setdefault(masks.address(int(who or 0) * family.kept.words), []).append(
                    place - family.first
                )
        for tops, along in family.condition_bits.items():
            if tops[1 + held[-1]]:
                for base, bit in zip(along, condition_bits.bits(family, place), strict=True):
                    owned.setdefault(base, []).append(bit)
    for column, numbers in ((plan.where, where), (plan.below, below), (plan.above, above)):
        content.fill(column, 0, numbers)
    for number, places in filled.items():
        fill_bitboard(content, plan.families[number], places)
    for base, offsets in owned.items():
        _mark(content, base, offsets)


def _told(
    plan: Plan, family: PlaceMemory, held: tuple[int, ...], states: list[Value]
) -> Iterator[int]:
    """Yields the numbers that encode the only piece of a place in a remembered position."""
    (piece,) = held
    yield plan.layout.alike[piece] + 1
    for first in plan.layout.state_at[family.of.holds]:
        shown = states[first + piece]
        yield NOTHING if shown is None else int(shown)


def fill_bitboard(content: Bytes, family: PlaceMemory, places: Sequence[int]) -> None:
    """Marks places as occupied."""
    offsets = [place - family.first for place in places]
    first, last = content.get(family.spread), content.get(family.spread + 4)
    content.put(family.spread, min(first, min(offsets) // 64))
    content.put(family.spread + 4, max(last, max(offsets) // 64))
    _mark(content, family.occupied, offsets)


def _mark(content: Bytes, base: int, offsets: Sequence[int]) -> None:
    """Sets bits, counted from an address."""
    words: dict[int, int] = {}
    for offset in offsets:
        words[offset // 64] = words.get(offset // 64, 0) | 1 << offset % 64
    for number, bits in words.items():
        at = base + 8 * number
        content.put(at, content.get(at, 8) | bits, 8)


def _write_values(plan: Plan, content: Bytes, markers: list[Value], states: list[Value]) -> None:
    layout, program = plan.layout, plan.program
    for at, entry in enumerate(layout.markers):
        content.put(plan.markers + 4 * at, word(markers[at], entry.type))
    for number in range(len(program.pieces)):
        own = layout.pieces_of[number]
        if not own:
            continue
        for state, column, before in zip(
            layout.states[number], plan.states[number], layout.state_at[number], strict=True
        ):
            nothing = sentinel(state.type)
            values = states[before + own[0] : before + own[-1] + 1]
            words = [nothing if value is None else int(value) for value in values]
            content.fill(column, own[0], words)


def _write_past(plan: Plan, content: Bytes, state: State) -> None:
    for number, rows in enumerate(state.past):
        content.put(plan.past[number], len(rows))
        at = repetitions.first_row(plan, number) - content.first
        for row in rows:
            plan.past_rows[number].write(content.content, at, row)
            at += plan.past_rows[number].size


def _read_past(plan: Plan, content: Bytes, state: State) -> None:
    state.past = []
    for number, rows in enumerate(plan.past_rows):
        first = repetitions.first_row(plan, number) - content.first
        begins = range(first, first + rows.size * content.get(plan.past[number]), rows.size)
        state.past.append(tuple(rows.read(content.content, at) for at in begins))


def read(plan: Plan, content: Bytes, state: State) -> None:
    """Decodes the position in memory into a state."""
    layout, program = plan.layout, plan.program
    state.scores = [content.get(plan.scores + 4 * seat) for seat in layout.seats]
    state.where = [content.at(plan.where, piece) for piece in range(len(layout.piece_type))]
    state.contents = _contents(plan, content, state.where)
    state.loose = {}
    for place in state.contents:
        family = plan.families[layout.place_family[place]]
        if not family.masked and family.loose is not None and family.under is not None:
            loose = content.at(family.loose, place)
            if loose:
                state.loose[place] = (content.at(family.under, place), loose)
    state.markers = [
        value(content.get(plan.markers + 4 * at), entry.type)
        for at, entry in enumerate(layout.markers)
    ]
    state.states = list(layout.first_states)
    for number in range(len(program.pieces)):
        for declared, column, first in zip(
            layout.states[number], plan.states[number], layout.state_at[number], strict=True
        ):
            for each in layout.pieces_of[number]:
                state.states[first + each] = value(content.at(column, each), declared.type)
    _read_counts(plan, content, state)
    _read_past(plan, content, state)


def _read_counts(plan: Plan, content: Bytes, state: State) -> None:
    """Decodes how often places were shuffled and clauses have picked."""
    for family in plan.families:
        if family.shuffles is not None:
            for place in family.places:
                count = content.at(family.shuffles, place)
                if count:
                    state.shuffles[place] = count
    for clause, at in plan.picks.items():
        count = content.get(at)
        if count:
            state.picks[clause] = count


def _contents(plan: Plan, content: Bytes, where: list[int]) -> dict[int, tuple[int, ...]]:
    held: dict[int, list[int]] = {}
    for piece, place in enumerate(where):
        held.setdefault(place, []).append(piece)
    contents = {}
    for place, pieces in held.items():
        family = plan.families[plan.layout.place_family[place]]
        contents[place] = tuple(pieces) if family.heap else _chain(plan, content, family, place)
    return contents


def _chain(plan: Plan, content: Bytes, family: PlaceMemory, place: int) -> tuple[int, ...]:
    pieces = []
    piece = content.at(family.bottom, place)
    while piece >= 0:
        pieces.append(piece)
        piece = content.at(plan.above, piece)
    return tuple(pieces)
