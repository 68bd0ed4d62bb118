"""Memory layout of a module.

The position of a game has a fixed address and size, so a snapshot is one memory copy; the frames of
suspended clauses follow it. Around these are the communication areas of the host (`Plan.reply`,
`Plan.asked`), temporary lists (`arena`), the options of the current question, and the journal.

Pieces in a place have one of two representations. A heap has no order, so it is a mask: a bit for
each piece of its type, if there are no more than 64. Everything else is a chain (doubly linked
list): each piece has links to the one below and above, the place has its bottom, its top and the
count. Families of few places share arrays with a common numbering, so that most places need no
dispatch on their family; a board that grows has thousands of places and arrays of its own. Where
pieces are accessed by their number in a place, an array of them is kept beside the chain.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from struct import pack

from lawspeaker import ir
from lawspeaker.ir.progress import progress
from lawspeaker.ir.walk import everything
from lawspeaker.machines.compiled.runtime.past_rows import PastRows
from lawspeaker.machines.compiled.runtime.policy_layout import PolicyRoom
from lawspeaker.machines.compiled.runtime.search_layout import TreeRoom
from lawspeaker.machines.compiled.runtime.turn_layout import TurnRoom
from lawspeaker.machines.compiled.runtime.world_layout import WorldRoom
from lawspeaker.machines.lower.choosable import AllChoosable
from lawspeaker.machines.middle.forms import I32, I64, Expr, Load, const, load
from lawspeaker.machines.planned import condition_bits
from lawspeaker.machines.planned.patterns import KIND, OWNER
from lawspeaker.machines.planned.places import PlacesPlan
from lawspeaker.machines.purpose import Purpose
from lawspeaker.machines.sum_host import SumPlaces
from lawspeaker.machines.sum_layout import SumRoom
from lawspeaker.position.layout import Layout
from lawspeaker.position.position_rows import Recorded

FEW_PLACES = 256
MOST_ITEMS = 4096
LONG = 8
START = (1 << 16) + (1 << 21)
"""Everything is above this address, except for the arena, which ends here: so its end is known at
compile time, and an address minus an index offset is never negative."""
TABLES = 1 << 22
BUCKETS = 64
MOST_BYTES = 1 << 32

_CHAIN = ("state.top", "state.bottom", "state.count")
_LOOSE = ("state.under", "state.loose")
_SHUFFLES = "state.shuffles"

NONE = -1
NO_NUMBER = ir.SMALLEST - 1


def sentinel(of: ir.Type) -> int:
    """Returns the encoding of `nothing` for a type.

    The lowest number of 32 bits is no number of the language (see `ir.types`), and encodes
    `nothing` where a number may be missing.
    """
    while isinstance(of, ir.MaybeType):
        of = of.of
    return NO_NUMBER if isinstance(of, ir.NumberType) else NONE


@dataclass(frozen=True, slots=True)
class Sizes:
    """Sizes in bytes of the regions whose use depends on the course of a game.

    `together`: all memory written while whole games are played is contiguous, before the read-only
    data. This is for small regions; large ones are placed out of the way. Options come last, since
    writing them has no bounds check: an overflow must trap.

    `ahead`: the next RNG word of every seat is precomputed (`random_players`).
    """

    arena: int = 1 << 21
    frames: int = 1 << 15
    replies: int = 1 << 16
    options: int = 1 << 24
    sets: int = 1 << 23
    journal: int = 1 << 22
    records: int = 1 << 22
    together: bool = False
    ahead: bool = True


LARGE = Sizes()


class ConstantTable(ABC):
    """A constant table over numbers: an array, or a formula that replaces one."""

    __slots__ = ("base", "width")

    def __init__(self, base: int, width: int) -> None:
        self.base = base
        self.width = width

    @abstractmethod
    def __getitem__(self, number: Expr) -> Expr:
        """Returns the entry with a number."""

    @abstractmethod
    def from_number(self, first: int) -> ConstantTable:
        """Returns the same entries, numbered from another number on."""


class Column(ConstantTable):
    """An array in memory: the address of entry 0, the width of an entry, and a name for printed
    code."""

    __slots__ = ("name",)

    def __init__(self, base: int, width: int, name: str = "") -> None:
        super().__init__(base, width)
        self.name = name

    def __getitem__(self, number: Expr) -> Load:
        """Returns the entry with a number, which can be assigned."""
        return self.scaled(number * self.width)

    def scaled(self, bytes: Expr) -> Load:
        """Returns the entry at a byte offset from entry 0."""
        type = I64 if self.width == LONG else I32
        return load(type, self.width, bytes, self.base, self.name)

    def from_number(self, first: int) -> Column:
        return self.moved(-first * self.width)

    def moved(self, bytes: int) -> Column:
        """Returns the same array at another offset."""
        return Column(self.base + bytes, self.width, self.name)

    def address(self, index: int) -> int:
        return self.base + index * self.width


class Following(ConstantTable):
    """A constant table of consecutive numbers, which needs no memory."""

    __slots__ = ()

    def __getitem__(self, number: Expr) -> Expr:
        return number + self.base

    def from_number(self, first: int) -> ConstantTable:
        return Following(self.base - first, 0)


class Same(ConstantTable):
    """A constant table whose entries are all the same, which needs no memory."""

    __slots__ = ()

    def __getitem__(self, number: Expr) -> Expr:
        return const(self.base, I64 if self.width == LONG else I32)

    def from_number(self, first: int) -> ConstantTable:
        return self


class PlaceMemory:
    """The representation of the places of a family (see `PlacesPlan`), and the addresses of its
    arrays."""

    __slots__ = (
        "bottom", "condition_bits", "count", "first", "first_piece", "grid", "hash", "held",
        "indexed", "items", "kept", "keyed", "loose", "mask", "masked", "occupied", "of", "order",
        "own", "places", "reached", "room", "shuffles", "size", "spread", "top", "under",
    )  # fmt: skip

    def __init__(self, kept: PlacesPlan) -> None:
        self.kept = kept
        self.of = kept.of
        self.places = kept.places
        self.first = kept.first
        self.size = kept.size
        self.first_piece = kept.first_piece
        self.masked = kept.masked
        self.indexed = kept.indexed
        self.grid = kept.grid
        self.mask = 0
        self.top = self.bottom = self.count = Column(0, 1)
        self.under: Column | None = None
        self.loose: Column | None = None
        self.shuffles: Column | None = None
        self.keyed: Column | None = None
        self.reached = Column(0, 4)
        self.items: Column | None = None
        self.order: Column | None = None
        self.own = (0, 0)
        self.room = 0
        self.occupied = 0
        self.spread = 0
        self.hash = 0
        self.held: dict[int, Column] = {}
        self.condition_bits: dict[condition_bits.Tops, tuple[int, int]] = {}

    @property
    def key(self) -> str:
        return self.of.name

    @property
    def heap(self) -> bool:
        return self.of.arranged == "heap"

    @property
    def masks(self) -> Column:
        """The masks of its places."""
        return Column(self.mask, LONG, "state.mask")

    @property
    def loose_part(self) -> tuple[Column, Column]:
        """The arrays of the numbers of pieces below the loose ones, and of loose pieces, if there
        may be any."""
        assert self.under is not None
        assert self.loose is not None
        return self.under, self.loose


class Plan:
    """The memory layout of a module for a program, a number of players and a purpose."""

    def __init__(
        self,
        layout: Layout,
        kept: Sequence[PlacesPlan],
        sizes: Sizes,
        purpose: Purpose,
    ) -> None:
        self.layout = layout
        self.program = layout.program
        self.sizes = sizes
        self.purpose = purpose
        self.arena = START - sizes.arena
        self._at = START
        self._tables_end = self._large_end = MOST_BYTES
        self._data: dict[bytes, int] = {}
        self._steps: dict[tuple[str, int, int], ConstantTable] = {}
        self._edges: dict[tuple[object, ...], int] = {}
        self.data: list[tuple[int, bytes]] = []
        self.rooms: list[tuple[int, int]] = []  # address ranges
        self.columns: list[tuple[str, tuple[int, int]]] = []  # address ranges by name
        self.families = [PlaceMemory(each) for each in kept]
        self.clause_count = len(self.program.clauses)
        self.choosable = AllChoosable(layout)
        self._plan_talk()
        self._plan_situation()
        self._plan_large()

    @property
    def sum_places(self) -> SumPlaces:
        """The addresses that the host needs to run a module for sums."""
        sums = self.game_sums
        words = {name: (each.start, each.stop) for name, each in sums.words.items()}
        current = self.tree.current.offset
        return SumPlaces(self.layout.players, self.fault, current, sums.odd, sums.totals, words)

    @property
    def record(self) -> dict[str, slice]:
        """The words of a game record by name, see `Compiled.columns`."""
        players = self.layout.players
        sizes = {
            "scores": players,
            "won": 1,
            "winners": players,
            "decisions": 1,
            "options": 1,
        }
        if self.purpose.watching:
            sizes |= {"clauses": self.clause_count, "points": self.clause_count * players}
            sizes |= {"uses": self.choosable.size * players}
            sizes |= {"starter": 1, "leads": 1, "trail": 2}
            sizes |= {"measures": len(self.program.measures)}
        ends = accumulate(sizes.values())
        return {
            name: slice(end - size, end)
            for (name, size), end in zip(sizes.items(), ends, strict=True)
        }

    # ------------------------------------------------------------ allocation

    def room(self, size: int, align: int = 8) -> int:
        """Allocates bytes; what does not fit below the large regions is placed after them."""
        at = -(-self._at // align) * align
        if self._at <= self._tables_end < at + size:
            at = -(-self._large_end // align) * align
        self._at = at + size
        self.rooms.append((at, self._at))
        return at

    def column(
        self, name: str, count: int, width: int, first: int = 0, *, align: int = 0
    ) -> Column:
        """Allocates an array whose entries are numbered from `first` on."""
        at = self.room(count * width, align or width)
        self.columns.append((name, (at, self._at)))
        return Column(at - first * width, width, name)

    def _plan_talk(self) -> None:
        """Allocates the communication areas of host and module."""
        self.fault = self.room(4)
        self.pending = self.room(4)
        self.asked_count = self.room(4)
        self.asked = self.room(16 * max(1, self.layout.players))
        self._plan_counters()
        self.changes = self.room(4)
        self.streams = self.column("luck.streams", max(1, self.layout.players), LONG)
        ready = max(1, self.layout.players) if self.sizes.ahead else 0
        self.ready = self.column("luck.ready", ready, LONG)
        self.winning = self.column("scratch.winning", 1 + self.layout.players, 4)
        self.sums = self.room(16 * max(1, self.layout.players) + 16)
        self.reply = self.room(self.sizes.replies)
        self.settled_replies = self.room(self.sizes.replies)
        if self.purpose.in_turns:
            self.turns = TurnRoom(self.room, self.layout)
        if self.sizes.together:
            self._plan_lists()

    def _plan_counters(self) -> None:
        """Allocates the watched counters contiguously. With room for one record only, they are in
        the record itself (see `Compiled.columns`)."""
        players = max(1, self.layout.players)
        if self.sizes.together or self.purpose.summing:
            size = 4 * max(each.stop for each in self.record.values())
            self.records = self.room(size if self.purpose.summing else self.sizes.records, 16)
            self.counters = self.records
            self.times = self.records + 4 * (2 * self.layout.players + 3)
        else:
            self.counters = self.times = self.room(4 * self.clause_count * (1 + players))
            self.room(4 * self.choosable.size * players, 4)
        self.points = self.times + 4 * self.clause_count
        self.uses = self.points + 4 * self.clause_count * players
        self.counters_end = self.uses + 4 * self.choosable.size * players

    def _plan_situation(self) -> None:
        layout, program = self.layout, self.program
        # The order in which loose pieces will be drawn, and the shuffle it was computed for:
        # derived data, not part of the position. A piece that leaves its place no longer waits.
        pieces = len(layout.piece_type)
        width = fitting(pieces)
        self.keys = self.column("scratch.keys", pieces, LONG)
        self.waiting = self.column("scratch.waiting", pieces, 1)
        # Links of buckets and of pieces have the same layout.
        self.heads = self.column("scratch.heads", BUCKETS + pieces, width)
        self.following = self.heads.moved(BUCKETS * width)
        few = sum(f.size for f in self.families if f.size <= FEW_PLACES)
        self.keyed_size = 4 * few
        self.keyed = self.column("scratch.keyed", few, 4).base
        self.reached = self.column("scratch.reached", few, 4).base
        self.recorded = [Recorded(layout, at) for at in range(len(program.positions))]
        self.past_rows = [self._past_rows(each) for each in self.recorded]
        self.present = [self.room(each.size) for each in self.past_rows]
        self.state = self.room(0, 16)
        self.seed = self.room(8)
        self.ended = self.room(4)
        self.winner_count = self.room(4 * (1 + layout.players))
        self.scores = self.column("state.scores", max(1, layout.players), 4, align=8).base
        markers = max(1, len(layout.first_markers))
        self.markers = self.column("state.markers", markers, 4, align=8).base
        self.picks = {clause: self.room(4, 4) for clause in _picking(program)}
        self.states: list[list[Column]] = []
        for number, piece in enumerate(program.pieces):
            own = layout.pieces_of[number]
            first = own[0] if own else 0
            self.states.append([])
            for state in piece.states:
                # The entries of a state are contiguous, so that one is found by its index.
                entries = layout.entries_of(state)
                count = len(own) * entries
                name = f"state.{state.name}"
                column = self.column(name, count, width_of(layout, state.type), first)
                self.states[-1] += [
                    column.from_number(-len(own) * entry) for entry in range(entries)
                ]
        self.where = self.column("state.where", pieces, fitting(len(layout.place_family)))
        self.below = self.column("state.below", pieces, width)
        self.above = self.column("state.above", pieces, width)
        self._plan_places(width)
        self.past = [
            # The counts and the filter, then a hash and a row for each.
            self.room(LONG + rows.filter + (LONG + rows.size) * rows.most)
            for rows in self.past_rows
        ]
        self.state_end = self.room(0, 16)
        self.frames = self.state_end
        self.frames_end = self._at = self.frames + self.sizes.frames
        kept = self.frames_end - self.state
        if self.sizes.together:
            if self.purpose.flat:
                self.snapshot = self.room(kept, 16)
                self._plan_search()
            self._plan_options()
            # An array is addressed by its entry 0, which may be before its first entry. For
            # read-only arrays that address is kept outside of the written memory.
            self._at += 8 * (len(layout.piece_type) + len(layout.place_family))
            if self.purpose.flat:
                self.worlds.tell(self.room, kept)
        if not (self.sizes.together and self.purpose.flat):
            self.snapshot = self.room(kept, 16)
        self.image = self.room(self.state_end - self.state, 16)

    def first_column(self, piece: int, state: int) -> Column:
        """Returns the array of the first entry of a state."""
        return self.states[piece][self.layout.first_entry[piece][state]]

    def _plan_large(self) -> None:
        """Allocates large regions, rarely accessed by constant addresses, above everything else: a
        constant address beyond the guarded part of memory costs a bounds check per access."""
        tables = self._at
        self._at += TABLES
        if not self.sizes.together:
            self._plan_options()
            self._plan_lists()
        if not (self.sizes.together and self.purpose.flat):
            self._plan_search()
            self.worlds.tell(self.room, self.frames_end - self.state)
        if self.purpose.guided:
            self.policy = PolicyRoom(self.room, self.layout)
        self._tables_end, self._large_end = tables + TABLES, self._at
        self._at = tables

    def _plan_search(self) -> None:
        """Allocates the memory of playouts and search."""
        self.tree = TreeRoom(self.room, max(1, self.layout.players), flat=self.purpose.flat)
        self.worlds = WorldRoom(self.room, self.layout)
        self.progress = progress(self.layout.program, self.layout.sides)
        """The progress of each side towards victory, if points do not measure it."""
        self._near = self.room(4 * self.layout.players)

    @property
    def standing(self) -> int:
        """The address of the scores, or of the progress of the sides."""
        return self._near if self.progress else self.scores

    def _plan_options(self) -> None:
        self.options = self.room(self.sizes.options, 16)
        self.options_end = self._at

    def _plan_lists(self) -> None:
        """Allocates what grows during a question or a game, except for the options."""
        self.sets = self.room(self.sizes.sets, 16)
        self.sets_end = self._at
        self.journal = self.room(self.sizes.journal, 16)
        self.journal_end = self._at
        self.game_sums = SumRoom(self.room, self)
        if not (self.sizes.together or self.purpose.summing):
            self.records = self.room(self.sizes.records, 16)

    def _plan_places(self, width: int) -> None:
        small = [f for f in self.families if f.size <= FEW_PLACES]
        total = sum(f.size for f in small)
        # Unneeded arrays get no memory: the position is copied often.
        masked = total * any(f.masked for f in small)
        chained = total * any(not f.masked for f in small)
        shuffled = total * any(f.kept.shuffled for f in small)
        loosened = total * any(f.kept.shuffled and not f.heap for f in small)
        masks = self.column("state.mask", masked, LONG).base
        chain = tuple(self.column(name, chained, width) for name in _CHAIN)
        middle = tuple(self.column(name, loosened, width) for name in _LOOSE)
        shuffles = self.column(_SHUFFLES, shuffled, 4)
        keyed = Column(self.keyed, 4, "scratch.keyed")
        reached = Column(self.reached, 4, "scratch.reached")
        before = 0
        for family in small:
            shift = family.first - before
            family.mask = masks - 8 * shift
            family.top, family.bottom, family.count = (each.from_number(shift) for each in chain)
            if family.kept.shuffled:
                family.shuffles = shuffles.from_number(shift)
            family.keyed = keyed.from_number(shift)
            family.reached = reached.from_number(shift)
            before += family.size
        for family in self.families:
            if family.size <= FEW_PLACES and family.kept.shuffled and not family.heap:
                shift = (chain[0].base - family.top.base) // width
                family.under, family.loose = (each.from_number(shift) for each in middle)
            room, began = len(self.layout.pieces_of[family.of.holds]), self._at
            if family.loose is not None and family.size * room <= MOST_ITEMS:
                count = family.size * room
                family.order = self.column("state.order", count, width, family.first * room)
                family.room = room
            if family.kept.counted and not family.masked and family.size * room <= MOST_ITEMS:
                count = family.size * room
                family.items = self.column("state.items", count, width, family.first * room)
                family.room = room
            if family.size > FEW_PLACES:
                first, size = family.first, family.size
                if family.masked:
                    family.mask = self.column("state.mask", size, LONG, first).base
                else:
                    family.top, family.bottom, family.count = (
                        self.column(name, size, width, first) for name in _CHAIN
                    )
                if family.kept.shuffled:
                    family.shuffles = self.column(_SHUFFLES, size, 4, first)
                    if not family.heap:
                        family.under, family.loose = (
                            self.column(name, size, width, first) for name in _LOOSE
                        )
            if family.indexed or family.kept.surveyed:
                family.occupied = self.room(8 * -(-family.size // 64))
                family.spread = self.room(8)
            if self._is_hashed(family.kept.number):
                family.hash = self.room(LONG)
            if family.indexed:
                # A mask for each player, kind or word: the places whose piece belongs to him, or
                # shows it. Entry -1 is for pieces of nobody.
                for by in family.kept.holders:
                    words = family.kept.words
                    count = words * (1 + self._shown(family.of.holds, by))
                    name = f"state.held.{family.of.name}.{by}"
                    family.held[by] = self.column(name, count, LONG, first=-words)
            for tops in family.kept.runs:
                columns, rows = (8 * words for words in condition_bits.words(family))
                family.condition_bits[tops] = (self.room(columns), self.room(rows))
            family.own = (began, self._at)

    def _shown(self, piece: int, by: int) -> int:
        """Returns the number of different values a piece can show: players, kinds or words."""
        players = max(len(self.program.player_names), self.layout.players)
        if by == KIND:
            return len(self.program.pieces[piece].kinds)
        of = ir.PlayerType() if by == OWNER else self.program.pieces[piece].states[by].type
        return players if isinstance(of, ir.PlayerType) else len(self.layout.domain(of))

    def _is_hashed(self, number: int) -> bool:
        """Returns whether remembered positions cover a family that can have a hash (see
        `hashes`)."""
        family = self.program.families[number]
        states = self.program.pieces[family.holds].states
        return (
            family.seen_by == "everyone"
            and all(state.seen_by == "everyone" for state in states)
            and any(number in each.position.families for each in self.recorded)
            and all(each.capacity(number) == 1 for each in self.recorded)
        )

    def _past_rows(self, recorded: Recorded) -> PastRows:
        """Returns how positions of a sort are laid out in memory."""
        layout, widths = self.layout, [fitting(max(self.layout.alike, default=0) + 2)]
        for number in recorded.position.families:
            states = layout.states[self.program.families[number].holds]
            widths += [width_of(layout, state.type) for state in states]
        markers = len(recorded.markers)
        return PastRows(max(widths), recorded.size - markers, markers, recorded.position.last)

    @property
    def end(self) -> int:
        return max(self._at, self._large_end)

    # ------------------------------------------------------------ data

    def constant(self, content: bytes, align: int = 8) -> int:
        """Returns the address of constant bytes; equal ones are shared."""
        at = self._data.get(content)
        if at is None:
            at = self._data[content] = self.room(len(content), align)
            self.data.append((at, content))
        return at

    def listing(self, members: tuple[int, ...]) -> int:
        """Returns the address of a constant list: its length, then the members."""
        words = (len(members), *members)
        return self.constant(b"".join(w.to_bytes(4, "little", signed=True) for w in words), 4)

    def table(self, values: list[int]) -> ConstantTable:
        """Returns a constant table, as narrow as its values allow, or a formula if it needs no
        memory."""
        if values and all(value == values[0] for value in values):
            return Same(values[0], 0)
        if all(value == values[0] + at for at, value in enumerate(values)):
            return Following(values[0] if values else 0, 0)
        low, high = min(values, default=0), max(values, default=0)
        width = 1 if low >= -128 and high < 128 else 2 if low >= -32768 and high < 32768 else 4
        content = pack(f"<{len(values)}{' bh i'[width]}", *values)
        return Column(self.constant(content, width), width)

    def steps(self, family: PlaceMemory, step: tuple[int, int]) -> ConstantTable:
        """Returns the table of the number of steps from each place of a grid to its edge."""
        key = (family.of.name, *step)
        if key not in self._steps:
            wide, high = family.grid
            far = [_to_edge(wide, high, offset, step) for offset in range(wide * high)]
            self._steps[key] = self.table(far * (family.size // max(1, wide * high)))
        return self._steps[key]

    def inside(self, family: PlaceMemory, step: tuple[int, int]) -> int:
        """Returns the address of a bitboard of the places of a grid from which a step stays on the
        grid."""
        return self._once("inside", family, (step,), self._inside)

    def _inside(self, family: PlaceMemory, steps: Sequence[tuple[int, int]]) -> bytes:
        (wide, high), ((across, down),) = family.grid, steps
        rows = sum(1 << row for row in range(high) if 0 <= row + down < high)
        bits = 0
        for column in range(family.size // high):
            if 0 <= column % wide + across < wide:
                bits |= rows << column * high
        return bits.to_bytes(8 * -(-family.size // 64), "little")

    def sides(self, family: PlaceMemory, steps: tuple[tuple[int, int], ...]) -> int:
        """Returns the address of a byte per place of a grid: a bit for each of up to eight steps
        that stays on the grid."""
        return self._once("sides", family, steps, self._sides)

    def _sides(self, family: PlaceMemory, steps: Sequence[tuple[int, int]]) -> bytes:
        wide, high = family.grid
        board = bytearray(wide * high)
        for at, (across, down) in enumerate(steps):
            rows = bytes((0 <= row + down < high) << at for row in range(high))
            for column in range(max(0, -across), min(wide, wide - across)):
                start = column * high
                both = int.from_bytes(board[start : start + high]) | int.from_bytes(rows)
                board[start : start + high] = both.to_bytes(high)
        return bytes(board) * (family.size // (wide * high))

    def _once(
        self,
        what: str,
        family: PlaceMemory,
        steps: tuple[tuple[int, int], ...],
        made: Callable[[PlaceMemory, Sequence[tuple[int, int]]], bytes],
    ) -> int:
        key = (what, family.of.name, *steps)
        if key not in self._edges:
            self._edges[key] = self.constant(made(family, steps))
        return self._edges[key]

    def long_table(self, values: list[int]) -> ConstantTable:
        """Returns a constant table of words of 64 bits."""
        if values and all(value == values[0] for value in values):
            return Same(values[0], LONG)
        return Column(self.words(values), LONG)

    def words(self, values: list[int]) -> int:
        """Returns the address of constant words of 64 bits."""
        return self.constant(b"".join(value.to_bytes(8, "little") for value in values))


def _to_edge(wide: int, high: int, offset: int, step: tuple[int, int]) -> int:
    found = []
    for at, size, by in zip(divmod(offset, high), (wide, high), step, strict=True):
        if by:
            found.append((size - 1 - at) // by if by > 0 else at // -by)
    return min(found)


def fitting(count: int) -> int:
    """Returns the bytes for numbers below a bound, and -1."""
    return 1 if count < 128 else 2 if count < 32768 else 4


def width_of(layout: Layout, of: ir.Type) -> int:
    """Returns the bytes for a value of a type."""
    while isinstance(of, ir.MaybeType):
        of = of.of
    if isinstance(of, ir.NumberType):
        return 4
    return fitting(max(layout.domain(of), default=0) + 1)


def _picking(program: ir.Program) -> list[int]:
    """Returns the clauses that pick."""
    picks = ((each.index, everything(each.body)) for each in program.clauses)
    return [index for index, nodes in picks if any(isinstance(node, ir.Pick) for node in nodes)]
