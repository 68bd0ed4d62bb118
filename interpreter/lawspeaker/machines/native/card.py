"""The dialect for a graphics card: a thread for each game that is under way.

Everything that a game writes lies in a row in the memory of a module with small rooms (`small`),
and after it everything that is only read. The first becomes an array of the thread's own, which a
card spreads so that neighbours who do the same read side by side, and keeps near; the second one
table that all threads read. Words need not lie at multiples of their size: where that is not known,
it is looked at. What is looked at most lies in the memory of a block (`near`).

There is a program for each of four uses.

`WHOLE`, the kernel `play`, hands out numbers of games to whoever is free, until none is left; so
nobody waits for a longer game than those of his neighbours. It writes a record for each, word by
word: all first words, then all second ones. A game that stops ends its thread on the spot.
Each thread notes which game it plays, so the host sees which ones were never finished, and plays
them elsewhere.

`SLICES`, the kernel `go_on`, does the same for games that take long: each thread makes a few
choices and looks at the clock. When its time is over, it puts its game aside, word by word beside
those of its neighbours, and the next launch goes on from there. So no launch takes longer than it
should, however long a choice takes.

`TURNS`, the kernel `turns`, is for whoever answers questions himself (`compiled/runtime/turns`): a
thread for each of many tables, which are put aside between launches in the same way. It gives an
answer, goes on to the next question, and writes down who is asked, how many options there are, what
that seat sees, and what the options say. A game that is over makes room for the next.

`TRIALS`, the kernel `trials`, tries options out (`compiled/playouts`): each thread takes the number
of a playout, plays on from a world with one of the options, and adds what came of it to what was
found out about that option. The situation, and how its gaps may be filled, is told in the tables.

`CHECKED`: no address leads out of the game's own memory and the tables, as on the other machines;
without, a rule can do harm.

Compiled by a C++ compiler with EMULATED, the same text plays one thread after the other on the
processor.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lawspeaker.machines.compiled import Compiled, Instance
from lawspeaker.machines.compiled.runtime import sums
from lawspeaker.machines.compiled.runtime.plan import LARGE, LONG, START, Sizes
from lawspeaker.machines.compiled.runtime.tree import ORDER, TRIAL, TRIED, WINS
from lawspeaker.machines.compiled.runtime.turns import OVER
from lawspeaker.machines.compiled.runtime.unit import NEVER
from lawspeaker.machines.middle.forms import Function, Label, Statements, Stop
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.passes import leave_needed
from lawspeaker.machines.middle.walk import operations, with_bodies
from lawspeaker.machines.native import near as nearby
from lawspeaker.machines.native.alignment import Alignment
from lawspeaker.machines.native.calling import Calling
from lawspeaker.machines.native.kernel import (
    COPIES,
    FREELY,
    IN_STEP,
    MEETING_UP,
    NONE,
    ODD,
    SHARED,
    SLICES,
    SUMMED,
    TRIALS,
    TURNS,
    WHOLE,
    Kernel,
)
from lawspeaker.machines.native.looks import Seen
from lawspeaker.machines.native.meeting import long_loops
from lawspeaker.machines.native.near import BEHIND, FAR_APART, NEAR, Array, Near
from lawspeaker.machines.native.processor import beginning, variables
from lawspeaker.machines.native.sources import text_of
from lawspeaker.machines.native.unread import leave_unread
from lawspeaker.machines.native.writer import function_names, written
from lawspeaker.machines.sum_room import can_sum
from lawspeaker.position.layout import Layout

DOORS = {
    WHOLE: ("configure", "simulate"),
    SLICES: ("configure", "slice"),
    TURNS: ("configure", "turn", "observe", "option"),
    TRIALS: ("imagine", "explore"),
}
_DEEPEST = 200
_STEP = 16
_WAITING = 2048
_MARGIN, _LEAST = 4, 512
_LARGE_MODULE = 50_000
"""A game whose module has so many bytes is one of many that wait for memory, and has others go on
meanwhile; of a smaller one the luck that is needed next is kept."""
_LONGEST = 8000
"""A game of so many operations may be written in one piece; of a longer one every function stays
one, since a compiler for cards would take minutes otherwise; and so it does of one that is put
aside, whose functions are longer."""
_UNDER_WAY = {WHOLE: (256, 512), SLICES: (64, 1024), TURNS: (128, 512), TRIALS: (128, 512)}
"""The threads of a block, and the games under way on each multiprocessor: what small games touch
stays near them as long as there are few. In slices there may be fewer games than threads, which are
best spread over all multiprocessors."""
_CROWDED = {WHOLE: (1024, 1024), TRIALS: (512, 1024)}
"""The same for long games. They wait for memory and for instructions in any case, as those in
slices do: the more there are, the more go on meanwhile, with half as many registers for each."""
_FETCHED = 1 << 14
"""Tables of so many bytes are copied to where all threads of a block are near them, if games are
long."""
_FETCHING = 5000
"""Games of so many operations wait for instructions as well."""
_BESIDE, _TOGETHER = (448, 0.77), (704, 0.4)
"""The threads of a block, and games on each multiprocessor, if what is looked at most lies near,
which is worth it if so large a part of all looks leads there; and the same if threads may wait for
each other."""
_NAPS = 200
"""So often somebody sleeps for a fifth of a microsecond who waits for others."""
_LEFT_FREE = 7
"""One in so many bytes is not shared, and keeps other memory near."""


def small(arena: int, options: int, sets: int, record: int, *, ahead: bool = True) -> Sizes:
    """Rooms for one game at a time: several times as large as was seen to be needed. `ahead`:
    luck is worked out ahead."""

    def roomy(size: int) -> int:
        return -(-_MARGIN * size // _STEP) * _STEP + _LEAST

    return replace(
        LARGE,
        arena=roomy(arena),
        frames=_STEP,
        replies=_STEP,
        options=roomy(options),
        sets=roomy(sets),
        journal=0,
        records=record,
        together=True,
        ahead=ahead,
    )


def needed(instance: Instance) -> Sizes:
    """Rooms as large as the games need that this module has played so far, and some more."""
    plan = instance.plan
    return small(
        instance.touched(plan.arena, START),
        instance.touched(plan.options, plan.options_end),
        instance.touched(plan.sets, plan.sets_end),
        instance.compiled.record_size,
        ahead=len(instance.compiled.code) < _LARGE_MODULE,
    )


def in_turns(sizes: Sizes) -> Sizes:
    """The same rooms for games that are put aside and taken up again."""
    return replace(sizes, frames=_WAITING, replies=_WAITING)


def kernel(
    compiled: Compiled,
    module: Module,
    use: str = WHOLE,
    seen: Seen | None = None,
    shared: int = SHARED,
) -> Kernel:
    """The program for a module whose rooms lie together. It is pruned for it. `seen`: what was seen
    in some games; what they look at most lies near then, and if all of them go about the same way,
    threads may wait for each other. `shared`: the bytes for what lies near, for all games of a
    block."""
    for each in module.functions:
        each.body = _silent(each.body)
    sums_up = use in (WHOLE, SLICES) and can_sum(compiled.plan)
    leave_needed(module, (*DOORS[use], *(["sum_up"] if sums_up else [])))
    leave_unread(module, compiled.plan.columns)
    made = _Making(compiled, module, use, sums_up)
    return made.kernel(made.launch(seen, shared))


@dataclass(frozen=True, slots=True)
class _Launch:
    """How the threads of a card go: how many are in a block, and how many games are under way on a
    multiprocessor. `long`: games are. `fetched`: the tables are copied to where all threads of a
    block are near them. `meeting`: the loops in which they wait for each other."""

    block: int
    under_way: int
    long: bool
    fetched: bool
    meeting: set[Label]
    near: Near


class _Making:
    """A program for one use of a module that was pruned for it."""

    def __init__(self, compiled: Compiled, module: Module, use: str, sums_up: bool) -> None:
        plan = compiled.plan
        assert plan.sizes.together
        assert plan.options_end % _STEP == plan.arena % _STEP == 0
        self.plan = plan
        self.module = module
        self.use = use
        self.layout = compiled.layout
        self.sums_up = sums_up
        self.words = compiled.record_size // 4
        self.names, self.calling = function_names(module), Calling(module)
        self.first = plan.options_end
        self.own = -(-(self.first + LONG - plan.arena) // _STEP) * _STEP
        self.tables = self._tables()

    def _tables(self) -> bytes:
        """What all games read."""
        first, data = self.first, self.module.data
        last = max(at + len(content) for at, content in data)
        tables = bytearray(-(-(last - first) // 8) * 8 + 8)
        for at, content in data:
            tables[at - first : at - first + len(content)] = content
        return bytes(tables)

    def launch(self, seen: Seen | None, shared: int) -> _Launch:
        """Decides how threads go; what is looked at most is moved near."""
        # What is done once, when a game is over, does not make the game a long one.
        adding = {self.module.exports["sum_up"]} if self.sums_up else set()
        length = self.calling.length - sum(operations(each.body) for each in adding)
        long = self.use in _CROWDED and length > _LONGEST
        together = seen is not None and seen.alike and length > _FETCHING
        meeting = long_loops(self.module, self.calling.deep | adding) if together else set()
        near = Near()
        block, under_way = _CROWDED[self.use] if long else _UNDER_WAY[self.use]
        fetched = long and len(self.tables) <= _FETCHED
        if seen is not None:
            beside, worth = _TOGETHER if together else _BESIDE
            room = shared - shared // _LEFT_FREE - (len(self.tables) if fetched else 0)
            choice = nearby.choose(self.module, self.plan, seen.looks, room // beside)
            if choice.near.part > worth:
                nearby.move(self.module, self.plan, choice)
                near, block, under_way = choice.near, beside, beside
        return _Launch(block, under_way, long, fetched, meeting, near)

    @property
    def _slot(self) -> int:
        """How many bytes a game takes that is put aside."""
        if self.use not in (SLICES, TURNS):
            return 0
        return self.own + -(-(8 * len(self.module.globals) + 16) // _STEP) * _STEP

    def _numbers(self, launch: _Launch) -> dict[str, int]:
        """What the program knows of the game."""
        plan, players = self.plan, self.layout.players
        numbers = {
            "FIRST": plan.arena,
            "OWN": self.own,
            "GAP": self.first - plan.arena,
            "TABLES": self.first,
            "TABLES_SIZE": len(self.tables),
            "RECORDS": plan.records,
            "WORDS": self.words,
            "DEEPEST": _DEEPEST,
            "NEVER": NEVER,
            "NONE": NONE,
            "FREELY": FREELY,
            "MEETING_UP": MEETING_UP,
            "NAPS": _NAPS,
            "COPIES": COPIES,
            "MOST_ODD": ODD,
            "PLAYERS": players,
            "SUMS": plan.game_sums.bytes // LONG if self.sums_up else 0,
            "BLOCK": launch.block,
            "NEAR": NEAR,
            "FAR_APART": FAR_APART,
            "BEHIND": BEHIND,
            "NEAR_SIZE": launch.near.size,
        }
        if self.use == TRIALS:
            counted = {"TRIED": TRIED, "WINS": WINS, "SUMMED": SUMMED}
            return numbers | {"ORDER": ORDER, "TRIAL": TRIAL} | counted
        if self.use == WHOLE:
            return numbers
        room = plan.turns
        numbers |= {"SLOT": self._slot, "OVER": OVER}
        numbers |= {"ASKED": plan.asked, "TURN_AT": room.at, "ROW": room.row, "SEEN": room.length}
        return numbers | {"OPTION_AT": room.option, "WIDTH": room.width, "SAID": 3 + 2 * players}

    def _source(self, launch: _Launch) -> str:
        use, module, near = self.use, self.module, launch.near
        bounded = launch.long or near.size or use == SLICES
        bounds = f" __launch_bounds__({launch.block}, {launch.under_way // launch.block})"
        parts = [
            text_of("numbers.h"),
            *(f"#define {name} {value}u" for name, value in self._numbers(launch).items()),
            "#define ASKED_OUTSIDE" if use == TURNS else "",
            "#define LONG" if use != WHOLE or launch.long else "",
            "#define FETCHED" if launch.fetched else "",
            "#define MEETING" if launch.meeting else "",
            f"#define BOUNDS{bounds if bounded else ''}",
            f"struct variables {{\n{variables(module)}{_OWN_VARIABLES}}};",
            text_of("card/running.cuh"),
            text_of("card/meeting.cuh"),
            text_of("card/counting.cuh"),
            text_of("arithmetic.h"),
            *(_about(what, near.arrays) for what in ("at", "size", "width")),
            text_of("card/memory.cuh"),
            written(module, Alignment(module), launch.meeting, _own(module)),
            f"DEVICE void begin(GAME) {{\n{beginning(module)}  g->depth = 0;\n}}",
            *(f"#define {door.upper()} {self.names[at]}" for door, at in module.exports.items()),
            "" if use == TURNS else text_of("card/taking.cuh"),
            text_of("card/summing.cuh") if use in (WHOLE, SLICES) else "",
            text_of("card/handing_out.cuh") if use in (WHOLE, SLICES) else "",
            text_of("card/aside.cuh") if use in (SLICES, TURNS) else "",
            text_of(f"card/{use}.cuh"),
        ]
        return "\n".join(parts)

    def kernel(self, launch: _Launch) -> Kernel:
        """The program, and what its driver has to know."""
        plan = self.plan
        made = Kernel(
            source=self._source(launch),
            tables=self.tables,
            own=self.own,
            words=self.words,
            block=launch.block,
            under_way=launch.under_way,
            deep=bool(self.calling.deep),
            use=self.use,
            slot=self._slot,
            players=self.layout.players,
            near=launch.near.size,
        )
        if self.use == TRIALS:
            worlds = plan.worlds
            return replace(made, told=(worlds.template - self.first, worlds.table - self.first))
        if self.use == TURNS:
            room = plan.turns
            looks, like = _looks(self.layout)
            places = len(self.layout.place_family)
            seen = replace(made, seen=room.length, width=room.width, pieces_at=room.places_at)
            return replace(seen, looks=looks, like=like, places=places)
        if self.use == WHOLE:
            ways = (FREELY, IN_STEP, MEETING_UP) if launch.meeting else (FREELY, IN_STEP)
            made = replace(made, ways=ways)
        return replace(made, sums=plan.game_sums.words if self.sums_up else {})


def _own(module: Module) -> dict[Function, str]:
    """Functions that are others on a GPU: the sums are shared by all threads."""
    adds = "if (value_1) atomicAdd(g->sums + at_0, value_1);"
    return {each: adds for each in module.functions if each.name == sums.ADD}


def _about(what: str, arrays: Sequence[Array]) -> str:
    """A function that tells something of each array that lies near; a compiler knows the answer."""
    told = "".join(f"number == {at} ? {getattr(each, what)}u : " for at, each in enumerate(arrays))
    return f"DEVICE u32 near_{what}(u32 number) {{ return {told}0u; }}"


def _looks(layout: Layout) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """By piece, the number of its looks; and by seat which looks take their place for it."""
    numbers: dict[int, int] = {}
    looks = tuple(numbers.setdefault(look, len(numbers)) for look in layout.alike)
    kinds: dict[tuple[int, int, int | None], int] = {}
    about = zip(layout.piece_type, layout.piece_kind, layout.piece_owner, looks, strict=True)
    for of, kind, owner, look in about:
        kinds.setdefault((of, kind, owner), look)
    back = {look: key for key, look in kinds.items()}

    def moved(look: int, seat: int) -> int:
        of, kind, owner = back.get(look, (-1, -1, None))
        if owner is None:
            return look
        return kinds.get((of, kind, (owner - seat) % layout.players), look)

    like = tuple(
        tuple(moved(look, seat) for look in range(len(numbers))) for seat in range(layout.players)
    )
    return looks, like


def _silent(body: Statements) -> Statements:
    """Statements in which nothing is told where something stops."""
    return [Stop() if isinstance(each, Stop) else with_bodies(each, _silent) for each in body]


_OWN_VARIABLES = """\
  u64 *sums;                    /* to which a game that is over is added */
  u32 depth;                    /* of calls under way */
"""
