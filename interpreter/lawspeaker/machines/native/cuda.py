"""CUDA dialect: runs one game per GPU thread.

With small memory regions (`small`), everything that a game writes is contiguous in the memory of a
module, followed by all read-only data. The first becomes an array of local memory, which the GPU
interleaves by thread, so that neighbours in lockstep access it coalesced, and caches; the second is
one table that all threads read. Words may be unaligned: where alignment is not known at compile
time, it is tested. The hottest arrays are in shared memory (`shared_memory`).

There is a program for each of four uses.

`WHOLE`, the kernel `play`, hands out game numbers to idle threads until none is left; so no thread
waits for a longer game of its neighbours. It stores a record for each, interleaved: all first
words, then all second ones. A game that traps ends its thread at once. Each thread stores the
number of its game, so the host sees which ones were never finished, and plays them elsewhere.

`SLICES`, the kernel `go_on`, does the same for long games: each thread makes a few choices and
checks the clock. When its time is over, it saves its game, interleaved with those of its
neighbours, and the next launch continues from there. So no launch takes longer than it should,
however long a choice takes.

`TURNS`, the kernel `turns`, is for answers from the host (`compiled/runtime/turns`): a thread for
each of many tables, which are saved between launches in the same way. It gives an answer, continues
to the next question, and stores who is asked, how many options there are, the observation of that
seat, and the encoded options. A finished game is replaced by the next.

`TRIALS`, the kernel `trials`, evaluates options (`compiled/playouts`): each thread takes the number
of a playout, plays it out from a world with one of the options, and adds the result to the
statistics of that option. The position, and how to deal its gaps, are in the tables.

`CHECKED`: all addresses are bounds-checked, as on the other machines; without it, a rule can do
harm.

Compiled by a C++ compiler with EMULATED, the same text runs one thread after the other on the CPU.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lawspeaker.machines.compiled import Compiled, Instance
from lawspeaker.machines.compiled.runtime import sums
from lawspeaker.machines.compiled.runtime.plan import LARGE, LONG, START, Sizes
from lawspeaker.machines.compiled.runtime.search_layout import ORDER, TRIAL, TRIED, WINS
from lawspeaker.machines.compiled.runtime.turns import OVER
from lawspeaker.machines.compiled.runtime.unit import NEVER
from lawspeaker.machines.middle.forms import Function, Label, Statements, Stop
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.passes import leave_needed
from lawspeaker.machines.middle.walk import operations, with_bodies
from lawspeaker.machines.native import shared_memory
from lawspeaker.machines.native.alignment import Alignment
from lawspeaker.machines.native.call_graph import Calling
from lawspeaker.machines.native.cpu import beginning, variables
from lawspeaker.machines.native.dead_stores import leave_unread
from lawspeaker.machines.native.kernel import (
    COPIES,
    FREE_RUNNING,
    LOCKSTEP,
    NONE,
    ODD,
    SHARED,
    SLICES,
    SOFT_BARRIERS,
    SUMMED,
    TRIALS,
    TURNS,
    WHOLE,
    Kernel,
)
from lawspeaker.machines.native.memory_profile import MemoryProfile
from lawspeaker.machines.native.shared_memory import (
    BEHIND,
    SHARED_BASE,
    SHARED_SPACING,
    Array,
    SharedArrays,
)
from lawspeaker.machines.native.sources import text_of
from lawspeaker.machines.native.sync_points import long_loops
from lawspeaker.machines.native.writer import function_names, written
from lawspeaker.machines.sum_layout import can_sum
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
"""A game whose module is at least so large is bound by memory latency, and other threads hide it;
for a smaller one the next RNG word is precomputed."""
_LONGEST = 8000
"""Games of up to so many operations may be inlined completely; of longer ones every function stays
separate, since CUDA compilers would take minutes otherwise, and so it is for suspendable games,
whose functions are longer."""
_IN_FLIGHT = {WHOLE: (256, 512), SLICES: (64, 1024), TURNS: (128, 512), TRIALS: (128, 512)}
"""Threads of a block, and games in flight on each multiprocessor: few games keep the memory they
touch cached. In slices there may be fewer games than threads, which are best spread over all
multiprocessors."""
_CROWDED = {WHOLE: (1024, 1024), TRIALS: (512, 1024)}
"""The same for long games. They wait for memory and for instruction fetches in any case, as those
in slices do: more threads hide the latency, with half as many registers for each."""
_FETCHED = 1 << 14
"""Tables of up to so many bytes are copied to shared memory, if games are long."""
_FETCHING = 5000
"""Games of so many operations wait for instruction fetches as well."""
_BESIDE, _TOGETHER = (448, 0.77), (704, 0.4)
"""Threads of a block and games on each multiprocessor, if the hottest arrays are in shared memory,
and the least share of all accesses that makes it worth it; and the same if threads may
synchronise."""
_NAPS = 200
"""The most sleeps of 0.2 µs in which a thread waits for others."""
_LEFT_FREE = 7
"""One in so many bytes of shared memory is left unused, for the L1 cache."""


def small(arena: int, options: int, sets: int, record: int, *, ahead: bool = True) -> Sizes:
    """Returns region sizes for one game at a time: several times the measured need. `ahead`: RNG
    words are precomputed."""

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
    """Returns region sizes from the need of the games that this module has played so far, with a
    margin."""
    plan = instance.plan
    return small(
        instance.touched(plan.arena, START),
        instance.touched(plan.options, plan.options_end),
        instance.touched(plan.sets, plan.sets_end),
        instance.compiled.record_size,
        ahead=len(instance.compiled.code) < _LARGE_MODULE,
    )


def in_turns(sizes: Sizes) -> Sizes:
    """Returns the sizes for games that are suspended and resumed."""
    return replace(sizes, frames=_WAITING, replies=_WAITING)


def kernel(
    compiled: Compiled,
    module: Module,
    use: str = WHOLE,
    seen: MemoryProfile | None = None,
    shared: int = SHARED,
) -> Kernel:
    """Returns the GPU program for a module with contiguous regions; prunes the module. `seen`: a
    profile of some games; their hottest arrays go to shared memory, and if all games take similar
    paths, threads may synchronise. `shared`: the bytes of shared memory per block."""
    for each in module.functions:
        each.body = _silent(each.body)
    sums_up = use in (WHOLE, SLICES) and can_sum(compiled.plan)
    leave_needed(module, (*DOORS[use], *(["sum_up"] if sums_up else [])))
    leave_unread(module, compiled.plan.columns)
    made = _Making(compiled, module, use, sums_up)
    return made.kernel(made.launch(seen, shared))


@dataclass(frozen=True, slots=True)
class _Launch:
    """Launch configuration: the threads of a block, and the games in flight on a multiprocessor.
    `long`: games are. `fetched`: the tables are copied to shared memory. `meeting`: the loops in
    which threads synchronise."""

    block: int
    in_flight: int
    long: bool
    fetched: bool
    meeting: set[Label]
    shared: SharedArrays


class _Making:
    """Generator of a program for one use of a pruned module."""

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
        """Returns the read-only data of all games."""
        first, data = self.first, self.module.data
        last = max(at + len(content) for at, content in data)
        tables = bytearray(-(-(last - first) // 8) * 8 + 8)
        for at, content in data:
            tables[at - first : at - first + len(content)] = content
        return bytes(tables)

    def launch(self, seen: MemoryProfile | None, shared: int) -> _Launch:
        """Decides the launch configuration; moves the hottest arrays to shared memory."""
        # Code that runs once, at the end of a game, does not make it a long one.
        adding = {self.module.exports["sum_up"]} if self.sums_up else set()
        length = self.calling.length - sum(operations(each.body) for each in adding)
        long = self.use in _CROWDED and length > _LONGEST
        together = seen is not None and seen.alike and length > _FETCHING
        meeting = long_loops(self.module, self.calling.deep | adding) if together else set()
        arrays = SharedArrays()
        block, in_flight = _CROWDED[self.use] if long else _IN_FLIGHT[self.use]
        fetched = long and len(self.tables) <= _FETCHED
        if seen is not None:
            beside, worth = _TOGETHER if together else _BESIDE
            room = shared - shared // _LEFT_FREE - (len(self.tables) if fetched else 0)
            choice = shared_memory.choose(self.module, self.plan, seen.accesses, room // beside)
            if choice.shared.part > worth:
                shared_memory.move(self.module, self.plan, choice)
                arrays, block, in_flight = choice.shared, beside, beside
        return _Launch(block, in_flight, long, fetched, meeting, arrays)

    @property
    def _slot(self) -> int:
        """The bytes of a saved game."""
        if self.use not in (SLICES, TURNS):
            return 0
        return self.own + -(-(8 * len(self.module.globals) + 16) // _STEP) * _STEP

    def _numbers(self, launch: _Launch) -> dict[str, int]:
        """Returns the constants of the program."""
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
            "FREE_RUNNING": FREE_RUNNING,
            "SOFT_BARRIERS": SOFT_BARRIERS,
            "NAPS": _NAPS,
            "COPIES": COPIES,
            "MOST_ODD": ODD,
            "PLAYERS": players,
            "SUMS": plan.game_sums.bytes // LONG if self.sums_up else 0,
            "BLOCK": launch.block,
            "SHARED_BASE": SHARED_BASE,
            "SHARED_SPACING": SHARED_SPACING,
            "BEHIND": BEHIND,
            "SHARED_SIZE": launch.shared.size,
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
        use, module, shared = self.use, self.module, launch.shared
        bounded = launch.long or shared.size or use == SLICES
        bounds = f" __launch_bounds__({launch.block}, {launch.in_flight // launch.block})"
        parts = [
            text_of("numbers.h"),
            *(f"#define {name} {value}u" for name, value in self._numbers(launch).items()),
            "#define ASKED_OUTSIDE" if use == TURNS else "",
            "#define LONG" if use != WHOLE or launch.long else "",
            "#define FETCHED" if launch.fetched else "",
            "#define SOFT_BARRIER" if launch.meeting else "",
            f"#define BOUNDS{bounds if bounded else ''}",
            f"struct variables {{\n{variables(module)}{_OWN_VARIABLES}}};",
            text_of("gpu/runtime.cuh"),
            text_of("gpu/soft_barrier.cuh"),
            text_of("gpu/bits.cuh"),
            text_of("arithmetic.h"),
            *(_about(what, shared.arrays) for what in ("at", "size", "width")),
            text_of("gpu/memory.cuh"),
            written(module, Alignment(module), launch.meeting, _own(module)),
            f"DEVICE void begin(GAME) {{\n{beginning(module)}  g->depth = 0;\n}}",
            *(f"#define {door.upper()} {self.names[at]}" for door, at in module.exports.items()),
            "" if use == TURNS else text_of("gpu/work_queue.cuh"),
            text_of("gpu/sums.cuh") if use in (WHOLE, SLICES) else "",
            text_of("gpu/work.cuh") if use in (WHOLE, SLICES) else "",
            text_of("gpu/suspension.cuh") if use in (SLICES, TURNS) else "",
            text_of(f"gpu/{use}.cuh"),
        ]
        return "\n".join(parts)

    def kernel(self, launch: _Launch) -> Kernel:
        """Returns the program, and the data for its driver."""
        plan = self.plan
        made = Kernel(
            source=self._source(launch),
            tables=self.tables,
            own=self.own,
            words=self.words,
            block=launch.block,
            in_flight=launch.in_flight,
            deep=bool(self.calling.deep),
            use=self.use,
            slot=self._slot,
            players=self.layout.players,
            shared_bytes=launch.shared.size,
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
            modes = (
                (FREE_RUNNING, LOCKSTEP, SOFT_BARRIERS)
                if launch.meeting
                else (FREE_RUNNING, LOCKSTEP)
            )
            made = replace(made, sync_modes=modes)
        return replace(made, sums=plan.game_sums.words if self.sums_up else {})


def _own(module: Module) -> dict[Function, str]:
    """Returns functions with a different body on a GPU: the sums are shared by all threads."""
    adds = "if (value_1) atomicAdd(g->sums + at_0, value_1);"
    return {each: adds for each in module.functions if each.name == sums.ADD}


def _about(what: str, arrays: Sequence[Array]) -> str:
    """Returns a function of an array's number, which the compiler evaluates to a constant."""
    told = "".join(f"number == {at} ? {getattr(each, what)}u : " for at, each in enumerate(arrays))
    return f"DEVICE u32 shared_{what}(u32 number) {{ return {told}0u; }}"


def _looks(layout: Layout) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """Returns by piece the number of its looks; and by seat the looks that replace them for it."""
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
    """Removes the recording of reasons from traps."""
    return [Stop() if isinstance(each, Stop) else with_bodies(each, _silent) for each in body]


_OWN_VARIABLES = """\
  u64 *sums;                    /* to which a game that is over is added */
  u32 depth;                    /* of active calls */
"""
