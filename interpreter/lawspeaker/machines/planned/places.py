"""Planning pass for the representation of the places of each family.

A heap of few pieces is a mask, anything else a chain. If rules test one place after another for
emptiness or holder, and the places fit into few words of bits, bitboards of the occupied and of the
held places are kept as well. Conditions of walks on the top piece are kept as bits (see
`condition_bits`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from lawspeaker import ir
from lawspeaker.ir.walk import everything
from lawspeaker.machines.planned.condition_bits import Tops, WalkConditions
from lawspeaker.machines.planned.patterns import (
    KIND,
    OWNER,
    SHOWN,
    held_place,
    indexed_families,
    shown_of,
)
from lawspeaker.position.layout import Layout

MASK_BITS = 64
_MOST_WORDS = 6
"""The most words of a bitboard: a board of 19 by 19 takes six."""


@dataclass(frozen=True, slots=True)
class PlacesPlan:
    """The representation of the places of a family.

    `masked`: the pieces in a place are a mask. `indexed`: bitboards of the occupied places, and of
    those where a piece shows a player, a kind or a word; `holders` says by which attribute (see
    `patterns.holder`): for players always, for the others where rules use them. `runs` are the
    conditions kept as bits. `surveyed`: the rules iterate over the places in use; `shuffled`: they
    shuffle some; `counted`: they access a piece by its number in a place.
    """

    number: int
    of: ir.Family = field(repr=False)
    places: tuple[int, ...] = field(repr=False)
    first_piece: int
    grid: tuple[int, int]
    masked: bool
    indexed: bool
    holders: tuple[int, ...]
    runs: tuple[Tops, ...] = field(repr=False)
    surveyed: bool
    shuffled: bool
    counted: bool

    @property
    def first(self) -> int:
        return self.places[0] if self.places else 0

    @property
    def size(self) -> int:
        return len(self.places)

    @property
    def words(self) -> int:
        """The words of a bitboard of its places."""
        return -(-len(self.places) // MASK_BITS)


def kept_places(layout: Layout, going: WalkConditions, uses: Uses) -> tuple[PlacesPlan, ...]:
    """Plans the representation of each family."""
    runs = going.kept(uses.walks)
    return tuple(
        _kept(layout, number, uses, runs.get(number, set()))
        for number in range(len(layout.program.families))
    )


def _kept(layout: Layout, number: int, uses: Uses, runs: set[Tops]) -> PlacesPlan:
    of, places = layout.program.families[number], layout.places_of[number]
    pieces = layout.pieces_of[of.holds]
    most = MASK_BITS * (_MOST_WORDS if of.grid and of.grid != "grows" else 1)
    indexed = of.room == 1 and len(places) <= most and number in uses.indexed
    shuffled, grid = number in uses.shuffled, (0, 0)
    if of.grid:
        columns, rows = layout.index_domains[number][-2:]
        grid = (len(columns), len(rows))
    return PlacesPlan(
        number,
        of,
        places,
        pieces[0] if pieces else 0,
        grid,
        masked=of.arranged == "heap" and len(pieces) <= MASK_BITS,
        indexed=indexed,
        holders=_holders(layout, of, uses.shown.get(number, set())) if indexed else (),
        runs=() if (indexed and len(places) <= MASK_BITS) or shuffled else tuple(sorted(runs)),
        surveyed=number in uses.surveyed,
        shuffled=shuffled,
        counted=number in uses.counted,
    )


_MOST_SHOWN = 16
"""Attributes with fewer kinds or words are kept as masks."""


def _holders(layout: Layout, of: ir.Family, asked: set[int]) -> tuple[int, ...]:
    """Returns the attributes by which bitboards are kept: the owner, and each state that is a
    player; also the kind and states that are words, if rules use them where everyone sees them."""
    piece = layout.program.pieces[of.holds]
    showing = [OWNER] if piece.per_player else []
    if KIND in asked and of.seen_by == "everyone" and len(piece.kinds) in range(2, _MOST_SHOWN):
        showing.append(KIND)
    for number, state in enumerate(piece.states):
        few = number in asked and of.seen_by == state.seen_by == "everyone"
        few = few and len(layout.domain(state.type)) in range(2, _MOST_SHOWN)
        if not state.indices and (isinstance(state.type, ir.PlayerType) or few):
            showing.append(number)
    return tuple(showing)


def single_families(program: ir.Program, uses: Uses) -> set[int]:
    """Returns the families whose places never hold more than one piece."""
    return {n for n, each in enumerate(program.families) if each.room == 1} - uses.supposed


class Uses:
    """Collects what a program does with places: shuffles, surveys, counts, hypothetical moves."""

    def __init__(self, program: ir.Program) -> None:
        self.shuffled: set[int] = set()
        self.surveyed: set[int] = set()
        self.supposed: set[int] = set()
        self.counted: set[int] = set()
        self.walks: list[ir.Walk] = []
        self.shown: dict[int, set[int]] = {}
        self._program = program
        nodes: list[Any] = []
        for whole in _whole(program):
            for node in everything(whole):
                self._note(node)
                nodes.append(node)
        # A hypothetical move may put two pieces into one place, so no holders are kept there.
        self.indexed = indexed_families(program, nodes) - self.supposed

    def _note(self, node: Any) -> None:
        match node:
            case ir.Walk():
                self.walks.append(node)
            case ir.Conditional():
                held = held_place(self._program, node)
                if held is not None:
                    self._shows(held[0], held[1], node.then)
            case ir.Binder(source=ir.Contents(place=place), where=ir.Expr() as where):
                for part in everything(where):
                    by = shown_of(part, node.slot) if isinstance(part, ir.Expr) else None
                    if by is not None:
                        self._shows(place, by, part)
            case ir.Shuffle(place=place) | ir.Draw(source=place):
                of = place.type.of if isinstance(place.type, ir.MaybeType) else place.type
                assert isinstance(of, ir.PlaceType)
                self.shuffled.add(of.index)
            case ir.Occupied(family=family) | ir.OpenPlaces(family=family):
                self.surveyed.add(family)
            case ir.ItemOf(place=place) if not isinstance(place.type, ir.SetType):
                of = place.type.of if isinstance(place.type, ir.MaybeType) else place.type
                assert isinstance(of, ir.PlaceType)
                self.counted.add(of.index)
            case ir.Supposing(place=place):
                of = place.type.of if isinstance(place.type, ir.MaybeType) else place.type
                assert isinstance(of, ir.PlaceType)
                self.supposed.add(of.index)

    def _shows(self, place: ir.Expr, by: int, told: ir.Expr) -> None:
        """Records that the kind or a word of the piece in a place is used."""
        of = ir.plain(place.type)
        if isinstance(of, ir.PlaceType) and by != OWNER and isinstance(ir.plain(told.type), SHOWN):
            self.shown.setdefault(of.index, set()).add(by)


def _whole(program: ir.Program) -> Iterable[Any]:
    """Yields the bodies of clauses and the expressions of definitions."""
    for clause in program.clauses:
        yield clause.body
    for function in program.functions:
        yield (function.result, *(value for _, value in function.lets))
