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
from dataclasses import replace

from lawspeaker.machines.compiled import Compiled, Instance
from lawspeaker.machines.compiled.runtime import sums
from lawspeaker.machines.compiled.runtime.plan import LARGE, LONG, START, Sizes
from lawspeaker.machines.compiled.runtime.tree import ORDER, TRIAL, TRIED, WINS
from lawspeaker.machines.compiled.runtime.turns import OVER
from lawspeaker.machines.compiled.runtime.unit import NEVER
from lawspeaker.machines.middle.forms import Function, Statements, Stop
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
    plan = compiled.plan
    leave_unread(module, plan.columns)
    names, calling = function_names(module), Calling(module)
    assert plan.sizes.together
    assert plan.options_end % _STEP == plan.arena % _STEP == 0
    last = max(at + len(content) for at, content in module.data)
    first = plan.options_end
    tables = bytearray(-(-(last - first) // 8) * 8 + 8)
    for at, content in module.data:
        tables[at - first : at - first + len(content)] = content
    own = -(-(first + LONG - plan.arena) // _STEP) * _STEP
    words = compiled.record_size // 4
    numbers = {
        "FIRST": plan.arena,
        "OWN": own,
        "GAP": first - plan.arena,
        "TABLES": first,
        "TABLES_SIZE": len(tables),
        "RECORDS": plan.records,
        "WORDS": words,
        "DEEPEST": _DEEPEST,
        "NEVER": NEVER,
        "NONE": NONE,
        "FREELY": FREELY,
        "MEETING_UP": MEETING_UP,
        "NAPS": _NAPS,
        "COPIES": COPIES,
        "MOST_ODD": ODD,
        "PLAYERS": compiled.layout.players,
        "SUMS": plan.game_sums.bytes // LONG if sums_up else 0,
    }
    # What is done once, when a game is over, does not make the game a long one.
    adding = {module.exports["sum_up"]} if sums_up else set()
    length = calling.length - sum(operations(each.body) for each in adding)
    long = use in _CROWDED and length > _LONGEST
    together = seen is not None and seen.alike and length > _FETCHING
    meeting = long_loops(module, calling.deep | adding) if together else set()
    near = Near()
    block, under_way = _CROWDED[use] if long else _UNDER_WAY[use]
    fetched = len(tables) if long and len(tables) <= _FETCHED else 0
    if seen is not None:
        beside, worth = _TOGETHER if together else _BESIDE
        each_has = (shared - shared // _LEFT_FREE - fetched) // beside
        choice = nearby.choose(module, plan, seen.looks, each_has)
        if choice.near.part > worth:
            nearby.move(module, plan, choice)
            near, block, under_way = choice.near, beside, beside
    numbers |= {"BLOCK": block, "NEAR": NEAR, "FAR_APART": FAR_APART, "BEHIND": BEHIND}
    numbers |= {"NEAR_SIZE": near.size}
    slot = 0
    if use == TRIALS:
        numbers |= {"ORDER": ORDER, "TRIAL": TRIAL, "TRIED": TRIED, "WINS": WINS, "SUMMED": SUMMED}
    elif use != WHOLE:
        slot = own + -(-(8 * len(module.globals) + 16) // _STEP) * _STEP
        room = plan.turns
        numbers |= {"SLOT": slot, "OVER": OVER}
        numbers |= {"ASKED": plan.asked, "TURN_AT": room.at, "ROW": room.row, "SEEN": room.length}
        numbers |= {
            "OPTION_AT": room.option,
            "WIDTH": room.width,
            "SAID": 3 + 2 * compiled.layout.players,
        }
    source = "\n".join(
        [
            text_of("numbers.h"),
            *(f"#define {name} {value}u" for name, value in numbers.items()),
            "#define ASKED_OUTSIDE" if use == TURNS else "",
            "#define LONG" if use != WHOLE or long else "",
            "#define FETCHED" if fetched else "",
            "#define MEETING" if meeting else "",
            f"#define BOUNDS __launch_bounds__({block}, {under_way // block})"
            if long or near.size or use == SLICES
            else "#define BOUNDS",
            f"struct variables {{\n{variables(module)}{_OWN_VARIABLES}}};",
            text_of("card/running.cuh"),
            text_of("card/meeting.cuh"),
            text_of("card/counting.cuh"),
            text_of("arithmetic.h"),
            *(_about(what, near.arrays) for what in ("at", "size", "width")),
            text_of("card/memory.cuh"),
            written(module, Alignment(module), meeting, _own(module)),
            f"DEVICE void begin(GAME) {{\n{beginning(module)}  g->depth = 0;\n}}",
            *(f"#define {door.upper()} {names[each]}" for door, each in module.exports.items()),
            "" if use == TURNS else text_of("card/taking.cuh"),
            text_of("card/summing.cuh") if use in (WHOLE, SLICES) else "",
            text_of("card/handing_out.cuh") if use in (WHOLE, SLICES) else "",
            text_of("card/aside.cuh") if use in (SLICES, TURNS) else "",
            text_of(f"card/{use}.cuh"),
        ]
    )
    made = Kernel(
        source, bytes(tables), own, words, block, under_way, bool(calling.deep), use, slot
    )
    made = replace(made, near=near.size)
    if use == WHOLE:
        made = replace(made, ways=(FREELY, IN_STEP, MEETING_UP) if meeting else (FREELY, IN_STEP))
    if use == TRIALS:
        worlds = plan.worlds
        told = (worlds.template - first, worlds.table - first)
        return replace(made, players=compiled.layout.players, told=told)
    if use != TURNS:
        places = plan.game_sums.words if sums_up else {}
        return replace(made, players=compiled.layout.players, sums=places)
    room = plan.turns
    alike, like = _looks(compiled.layout)
    return replace(
        made,
        players=compiled.layout.players,
        seen=room.length,
        width=room.width,
        pieces_at=room.places_at,
        looks=alike,
        like=like,
        places=len(compiled.layout.place_family),
    )


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
