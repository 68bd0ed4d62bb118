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

`TURNS`, the kernel `turns`, is for whoever answers questions himself (`compiled/turns`): a thread
for each of many tables, which are put aside between launches in the same way. It gives an
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

from lawspeaker.machines.compiled import Compiled, Instance, sums
from lawspeaker.machines.compiled.plan import LARGE, LONG, START, Sizes
from lawspeaker.machines.compiled.tree import ORDER, TRIAL, TRIED, WINS
from lawspeaker.machines.compiled.turns import OVER
from lawspeaker.machines.compiled.unit import NEVER
from lawspeaker.machines.middle.forms import Function, Statements, Stop
from lawspeaker.machines.middle.module import Module
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
from lawspeaker.machines.native.processor import ARITHMETIC, NUMBERS, beginning, variables
from lawspeaker.machines.native.pruning import prune
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
    prune(module, (*DOORS[use], *(["sum_up"] if sums_up else [])))
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
            NUMBERS,
            *(f"#define {name} {value}u" for name, value in numbers.items()),
            "#define ASKED_OUTSIDE" if use == TURNS else "",
            "#define LONG" if use != WHOLE or long else "",
            "#define FETCHED" if fetched else "",
            "#define MEETING" if meeting else "",
            f"#define BOUNDS __launch_bounds__({block}, {under_way // block})"
            if long or near.size or use == SLICES
            else "#define BOUNDS",
            f"struct variables {{\n{variables(module)}{_OWN_VARIABLES}}};",
            _RUNNING,
            _MEETING,
            _COUNTING,
            ARITHMETIC,
            *(_about(what, near.arrays) for what in ("at", "size", "width")),
            _MEMORY,
            written(module, Alignment(module), meeting, _own(module)),
            f"DEVICE void begin(GAME) {{\n{beginning(module)}  g->depth = 0;\n}}",
            *(f"#define {door.upper()} {names[each]}" for door, each in module.exports.items()),
            "" if use == TURNS else _TAKING,
            *([_SUMMING, _HANDING_OUT] if use in (WHOLE, SLICES) else []),
            _ASIDE if use in (SLICES, TURNS) else "",
            {WHOLE: _KERNEL, SLICES: _SLICES, TURNS: _TURNS, TRIALS: _TRIALS}[use],
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

_RUNNING = """\
#ifdef EMULATED
#include <math.h>
#define DEVICE static inline
#define SHORT DEVICE
#define FUNCTION static
#define ONCE static
#define APART static
#define DATA
#define ROLLED
#define SEVERAL
struct ended {};
template <class T> static T atomicAdd(T *at, T more) { T was = *at; *at += more; return was; }
#else
#define DEVICE static __device__ __forceinline__
#define SHORT DEVICE
#if defined(LONG) && !defined(INLINED)
#define FUNCTION static __device__ __noinline__
#else
#define FUNCTION static __device__
#endif
/* Threads that went different ways come together behind a branch or a call, but not if too many
   of these are inside each other: a card has room for 16. So what is called from one place only is
   written there, and calls go less deep. */
#ifdef ASKED_OUTSIDE
#define ONCE FUNCTION
#else
#define ONCE DEVICE
#endif
#define APART static __device__ __noinline__
#define DATA __device__
#define ROLLED _Pragma("unroll 1")
#define SEVERAL _Pragma("unroll 4")
#endif
#define GAME u8 *const memory, struct variables *const g
#define HERE memory, g
#define GLOBAL(n) g->g##n
extern "C" { alignas(16) DATA u8 tables[TABLES_SIZE]; }
#if defined(FETCHED) && !defined(EMULATED)
alignas(16) __shared__ u8 fixed[TABLES_SIZE];
DEVICE void fetch() {
  for (u32 at = 8 * threadIdx.x; at < TABLES_SIZE; at += 8 * blockDim.x)
    *(u64 *)(fixed + at) = *(const u64 *)(tables + at);
  __syncthreads();
}
#else
#define fixed tables
DEVICE void fetch() {}
#endif
#ifdef EMULATED
[[noreturn]] DEVICE void stop(GAME) { throw ended(); }
DEVICE void stop_if(GAME, u32 when) { if (when) stop(HERE); }
DEVICE u32 up_to(GAME, u32 most, u32 number) { stop_if(HERE, number > most); return number; }
#else
/* A thread ends on the spot. For the compiler that is no branch: so threads that went different
   ways come together again as if nobody could stop. What was looked at is handed through, so that
   nobody uses it before. */
[[noreturn]] DEVICE void stop(GAME) { asm volatile("exit;"); __builtin_unreachable(); }
DEVICE void stop_if(GAME, u32 when) {
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p exit; }" : : "r"(when));
}
DEVICE u32 up_to(GAME, u32 most, u32 number) {
  asm volatile("{ .reg .pred p; setp.gt.u32 p, %0, %1; @p exit; }" : "+r"(number) : "r"(most));
  return number;
}
#endif
DEVICE void deeper(GAME) { stop_if(HERE, ++g->depth > DEEPEST); }
DEVICE void higher(GAME) { g->depth--; }
"""

_MEETING = """\
#if defined(MEETING) && !defined(EMULATED)
/* Whoever is half a round ahead of the others of a block waits, so that all need the same
   instructions at about the same time. Nobody waits for long, whatever others do. Threads that come
   by together count for as many as they are. */
__shared__ u32 rounds_of[BLOCK / 32], rounds_of_all, waiting;
DEVICE void open_meetings(bool open) {
  if (threadIdx.x < BLOCK / 32) rounds_of[threadIdx.x] = 0;
  rounds_of_all = 0, waiting = open;
  __syncthreads();
}
static __device__ __noinline__ void wait_for_others() {
  u32 here = __activemask(), came = __popc(here);
  if (threadIdx.x % 32 == __ffs((int)here) - 1) {
    u32 own = (atomicAdd(rounds_of + threadIdx.x / 32, came) + came) * (BLOCK / 32);
    atomicAdd(&rounds_of_all, came);
    for (u32 nap = 0; nap < NAPS; nap++) {
      if ((i32)(own - *(volatile u32 *)&rounds_of_all) <= (i32)(BLOCK / 2)) break;
      __nanosleep(200);
    }
  }
  __syncwarp(here);
}
#define meet(...) do if (waiting) wait_for_others(); while (0)
#else
#define meet(...)
DEVICE void open_meetings(bool open) {}
#endif
"""

_COUNTING = """\
#ifdef EMULATED
DEVICE u32 clz32(u32 a) { return a ? (u32)__builtin_clz(a) : 32; }
DEVICE u32 ctz32(u32 a) { return a ? (u32)__builtin_ctz(a) : 32; }
DEVICE u32 popcnt32(u32 a) { return (u32)__builtin_popcount(a); }
DEVICE u64 clz64(u64 a) { return a ? (u64)__builtin_clzll(a) : 64; }
DEVICE u64 ctz64(u64 a) { return a ? (u64)__builtin_ctzll(a) : 64; }
DEVICE u64 popcnt64(u64 a) { return (u64)__builtin_popcountll(a); }
#else
DEVICE u32 clz32(u32 a) { return (u32)__clz((int)a); }
DEVICE u32 ctz32(u32 a) { return (u32)__clz((int)__brev(a)); }
DEVICE u32 popcnt32(u32 a) { return (u32)__popc(a); }
DEVICE u64 clz64(u64 a) { return (u64)__clzll((i64)a); }
DEVICE u64 ctz64(u64 a) { return (u32)a ? ctz32((u32)a) : 32 + ctz32((u32)(a >> 32)); }
DEVICE u64 popcnt64(u64 a) { return (u64)__popcll(a); }
#endif
"""

_MEMORY = """\
#ifdef EMULATED
#define EVEN(kind) stop_if(HERE, (address + offset) % sizeof(kind))
#else
#define EVEN(kind)
#endif
/* Nothing lies beyond what is one's own, or the tables: so far behind a place in them. Who writes
   where a pointer leads stops there: so it shows that there is no more room for options. Nobody
   goes beyond the end of an array. If it were done after all, it would be the last word that lies
   within: that takes one operation, where to stop takes three. */
#ifdef CHECKED
DEVICE u32 within(GAME, u32 far, u32 place, u32 size, u32 all) {
  return up_to(HERE, place > all - size ? 0 : all - size - place, far);
}
#else
DEVICE u32 within(GAME, u32 far, u32 place, u32 size, u32 all) { return far; }
#endif
#if defined(CHECKED) && !defined(EMULATED)
DEVICE u32 at_most(GAME, u32 far, u32 place, u32 size, u32 all) {
  u32 most = place > all - size ? 0 : all - size - place;
  return far < most ? far : most;
}
#else
#define at_most within
#endif
/* The same, where all of it is known. */
DEVICE u32 at_once(GAME, u32 far, u32 place, u32 size, u32 all) {
  if (place > all - size || far > all - size - place) stop(HERE);
  return far;
}
/* The same bytes may be read as words of one size and written as words of another.
   Offsets before one's own memory are those of pointers, which may lead anywhere; others are those
   of arrays, which lie where their entry 0 does: on one side or on the other. No entry lies before
   it. */
#define WORD(kind, at) (*(kind __attribute__((may_alias)) *)(at))
#define POINTS (offset < FIRST)
#define FAR(from) (POINTS ? address + offset - (from) : address)
#define PLACE(from) (POINTS ? 0 : offset - (from))
#define OWN_PLACE(looked, size) \\
  (memory + PLACE(FIRST) + looked(HERE, FAR(FIRST), PLACE(FIRST), (size), OWN))
/* What lies near: the entries of neighbours lie side by side. Of each array it is known where it
   lies and how large it is, and nobody goes beyond its end. */
#ifdef EMULATED
static u8 near[NEAR_SIZE + 8];
#define NEAR_WORD(kind, at) WORD(kind, near + (at))
DEVICE u32 at_near(GAME, u32 far, u32 most) { return up_to(HERE, most, far); }
#else
extern __shared__ __align__(16) u8 near[];
#define NEAR_WORD(kind, at) WORD(kind, near + (at) * BLOCK + threadIdx.x * (u32)sizeof(kind))
#ifdef CHECKED
DEVICE u32 at_near(GAME, u32 far, u32 most) { return far < most ? far : most; }
#else
DEVICE u32 at_near(GAME, u32 far, u32 most) { return far; }
#endif
#endif
#define NEAR_ARRAY(place) (((place) - NEAR) / FAR_APART)
#define NEAR_FAR(place) ((place) - NEAR - NEAR_ARRAY(place) * FAR_APART - BEHIND)
#define NEAR_PLACE(kind) (near_at(NEAR_ARRAY(offset)) + at_near(HERE,                       \\
  address + NEAR_FAR(offset), near_size(NEAR_ARRAY(offset)) - (u32)sizeof(kind)))
#define READING(name, looked, kind, back)                                                   \\
  DEVICE back name(GAME, u32 address, u32 offset) {                                         \\
    EVEN(kind);                                                                             \\
    if (offset >= NEAR) return (back)NEAR_WORD(const kind, NEAR_PLACE(kind));               \\
    if (POINTS) {                                                                           \\
      u32 at = looked(HERE, FAR(FIRST), 0, sizeof(kind), GAP + TABLES_SIZE);                \\
      return (back)WORD(const kind, at < GAP ? memory + at : fixed + (at - GAP));           \\
    }                                                                                       \\
    if (offset < TABLES) {                                                                  \\
      return (back)WORD(const kind, OWN_PLACE(looked, sizeof(kind)));                       \\
    }                                                                                       \\
    u32 at = looked(HERE, address + offset - TABLES, 0, sizeof(kind), TABLES_SIZE);         \\
    return (back)WORD(const kind, fixed + at);                                              \\
  }
#define WRITING(name, looked, kind, given)                                                  \\
  DEVICE void name(GAME, u32 address, u32 offset, given number) {                           \\
    EVEN(kind);                                                                             \\
    if (offset >= NEAR) { NEAR_WORD(kind, NEAR_PLACE(kind)) = (kind)number; return; }       \\
    u8 *const at = POINTS ? OWN_PLACE(within, sizeof(kind)) : OWN_PLACE(looked, sizeof(kind)); \\
    WORD(kind, at) = (kind)number;                                                          \\
  }
#define READ(name, kind, back)                                                              \\
  READING(name##_whole, at_most, kind, back)                                                \\
  READING(name##_fixed, at_once, kind, back)
#define WRITE(name, kind, given)                                                            \\
  WRITING(name##_whole, at_most, kind, given)                                               \\
  WRITING(name##_fixed, at_once, kind, given)
READ(load8_s, i8, u32)
READ(load8_u, u8, u32)
READ(load16_s, i16, u32)
READ(load16_u, u16, u32)
READ(load32, u32, u32)
READ(load64, u64, u64)
WRITE(store8, u8, u32)
WRITE(store16, u16, u32)
WRITE(store32, u32, u32)
WRITE(store64, u64, u64)
/* Of a long word both halves lie at multiples of theirs. */
DEVICE u64 load64_halves(GAME, u32 address, u32 offset) {
  u32 low = load32_whole(HERE, address, offset), high = load32_whole(HERE, address, offset + 4);
  return low | (u64)high << 32;
}
DEVICE void store64_halves(GAME, u32 address, u32 offset, u64 number) {
  store32_whole(HERE, address, offset, (u32)number);
  store32_whole(HERE, address, offset + 4, (u32)(number >> 32));
}
/* Where nobody knows whether a word lies at a multiple of its size, or its halves do. Whatever is
   written does, and what a pointer leads to; whoever finds something else stops. What is read in
   an array is put together from all words it may lie in. */
#define ODD(mask) ((address + offset) & (mask))
#ifdef EMULATED
DEVICE u32 across(u32 low, u32 high, u32 by) { return (u32)((low | (u64)high << 32) >> by); }
#else
DEVICE u32 across(u32 low, u32 high, u32 by) { return __funnelshift_r(low, high, by); }
#endif
DEVICE u64 load_across(GAME, u32 address, u32 offset, bool more) {
  u32 place = offset & ~3u, far = address + (offset & 3), odd = far & 3, first = far - odd;
  u32 one = load32_whole(HERE, first, place), two = load32_whole(HERE, first, place + 4);
  u32 three = more ? load32_whole(HERE, first, place + 8) : 0;
  return across(one, two, 8 * odd) | (u64)across(two, three, 8 * odd) << 32;
}
DEVICE u32 load16_u(GAME, u32 address, u32 offset) {
  return load8_u_whole(HERE, address, offset) | load8_u_whole(HERE, address, offset + 1) << 8;
}
DEVICE u32 load16_s(GAME, u32 address, u32 offset) {
  return (u32)(i32)(i16)load16_u(HERE, address, offset);
}
DEVICE u32 load32(GAME, u32 address, u32 offset) {
  if (!POINTS) return (u32)load_across(HERE, address, offset, false);
  stop_if(HERE, ODD(3));
  return load32_whole(HERE, address, offset);
}
DEVICE u64 load64(GAME, u32 address, u32 offset) {
  if (!POINTS) return load_across(HERE, address, offset, true);
  stop_if(HERE, ODD(3));
  return load64_halves(HERE, address, offset);
}
DEVICE void store16(GAME, u32 address, u32 offset, u32 number) {
  stop_if(HERE, ODD(1));
  store16_whole(HERE, address, offset, number);
}
DEVICE void store32(GAME, u32 address, u32 offset, u32 number) {
  stop_if(HERE, ODD(3));
  store32_whole(HERE, address, offset, number);
}
DEVICE void store64(GAME, u32 address, u32 offset, u64 number) {
  stop_if(HERE, ODD(3));
  store64_halves(HERE, address, offset, number);
}
APART void copy_far(GAME, u32 to, u32 from, u32 count) {
  bool inside = from - FIRST < GAP;
  u32 all = inside ? OWN : TABLES_SIZE;
  count = up_to(HERE, all < OWN ? all : OWN, count);
  u32 target = up_to(HERE, OWN - count, to - FIRST);
  u32 source = up_to(HERE, all - count, from - (inside ? FIRST : TABLES));
  const u8 *origin = (inside ? memory : fixed) + source;
  u8 *const goal = memory + target;
  u32 at = 0;
  if (from < to && to - from < count) {
    ROLLED while (count--) goal[count] = origin[count];
    return;
  }
  if (!((to | from) & 7)) {
    ROLLED for (; at + 32 <= count; at += 32) {
      u64 a = WORD(u64, origin + at), b = WORD(u64, origin + at + 8);
      u64 c = WORD(u64, origin + at + 16), d = WORD(u64, origin + at + 24);
      WORD(u64, goal + at) = a, WORD(u64, goal + at + 8) = b;
      WORD(u64, goal + at + 16) = c, WORD(u64, goal + at + 24) = d;
    }
    ROLLED for (; at + 8 <= count; at += 8) WORD(u64, goal + at) = WORD(u64, origin + at);
  }
  if (!((to | from) & 3))
    ROLLED for (; at + 4 <= count; at += 4) WORD(u32, goal + at) = WORD(u32, origin + at);
  ROLLED for (; at < count; at++) goal[at] = origin[at];
}
APART void clear_far(GAME, u32 to, u32 count) {
  count = up_to(HERE, OWN, count);
  u8 *const goal = memory + up_to(HERE, OWN - count, to - FIRST);
  u32 at = 0;
  if (!(to & 7))
    ROLLED for (; at + 8 <= count; at += 8) WORD(u64, goal + at) = 0;
  if (!(to & 3))
    ROLLED for (; at + 4 <= count; at += 4) WORD(u32, goal + at) = 0;
  ROLLED for (; at < count; at++) goal[at] = 0;
}
/* What is copied or cleared near is known beforehand. It comes from the tables, or goes to where a
   pointer leads, which points to a word. */
#define NEAR_BY_WIDTH(where, what)                                                          \\
  u32 place = near_at(NEAR_ARRAY(where)) + NEAR_FAR(where);                                 \\
  switch (near_width(NEAR_ARRAY(where))) {                                                  \\
    case 8: what(u64) break;                                                                \\
    case 4: what(u32) break;                                                                \\
    case 2: what(u16) break;                                                                \\
    default: what(u8)                                                                       \\
  }
#define EACH(kind) ROLLED for (u32 at = 0; at < count; at += sizeof(kind))
#define COPIED(kind) \\
  EACH(kind) NEAR_WORD(kind, place + at) = WORD(const kind, fixed + (from - TABLES) + at);
#define CLEARED(kind) EACH(kind) NEAR_WORD(kind, place + at) = 0;
#define TAKEN(kind) EACH(kind) WORD(kind, goal + at) = NEAR_WORD(const kind, place + at);
DEVICE void copy(GAME, u32 to, u32 from, u32 count) {
  if (to >= NEAR) {
    NEAR_BY_WIDTH(to, COPIED)
  } else if (from >= NEAR) {
    u8 *const goal = memory + up_to(HERE, OWN - count, to - FIRST);
    NEAR_BY_WIDTH(from, TAKEN)
  } else {
    copy_far(HERE, to, from, count);
  }
}
DEVICE void clear(GAME, u32 to, u32 count) {
  if (to < NEAR) { clear_far(HERE, to, count); return; }
  NEAR_BY_WIDTH(to, CLEARED)
}
/* The same, where all of it is known: in words as large as can be. */
struct __attribute__((may_alias, aligned(16))) pair { u64 one, two; };
#define PAIR(at) (*(struct pair *)(at))
#define EACH_OF(size) SEVERAL for (; at + size <= count; at += size)
#define COPY_BY(kind) \\
  EACH_OF(sizeof(kind)) WORD(kind, goal + at) = WORD(const kind, origin + at);
#define CLEAR_BY(kind) EACH_OF(sizeof(kind)) WORD(kind, goal + at) = 0;
#define BY_SIZE(odd, what)                                                                  \\
  if (!((odd) & 7)) what(u64)                                                               \\
  if (!((odd) & 3)) what(u32)                                                               \\
  what(u8)
DEVICE void copy_fixed(GAME, u32 to, u32 from, u32 count) {
  bool inside = from - FIRST < GAP;
  if (to >= NEAR || from >= NEAR || (inside && from < to + count && to < from + count)) {
    copy(HERE, to, from, count);
    return;
  }
  u8 *const goal = memory + at_once(HERE, to - FIRST, 0, count, OWN);
  const u8 *const origin = inside ? memory + at_once(HERE, from - FIRST, 0, count, OWN)
                                  : fixed + at_once(HERE, from - TABLES, 0, count, TABLES_SIZE);
  u32 at = 0;
  if (!((to | from) & 15))
    EACH_OF(16) PAIR(goal + at) = *(const struct pair *)(origin + at);
  BY_SIZE(to | from, COPY_BY)
}
DEVICE void clear_fixed(GAME, u32 to, u32 count) {
  if (to >= NEAR) { clear(HERE, to, count); return; }
  u8 *const goal = memory + at_once(HERE, to - FIRST, 0, count, OWN);
  u32 at = 0;
  if (!(to & 15))
    EACH_OF(16) PAIR(goal + at) = {0, 0};
  BY_SIZE(to, CLEAR_BY)
}
"""

_TAKING = """\
DEVICE u32 take(u32 *next) {
#ifdef EMULATED
  return atomicAdd(next, 1u);
#else
  /* Neighbours that are free at the same time get numbers that follow each other. */
  u32 free = __activemask(), lane = threadIdx.x & 31, start = 0;
  u32 leader = __ffs((int)free) - 1;
  if (lane == leader) start = atomicAdd(next, (u32)__popc(free));
  start = __shfl_sync(free, start, (int)leader);
  return start + __popc(free & ((1u << lane) - 1));
#endif
}
"""

_SUMMING = """\
/* Whether the record of a game fits into the sums, and then was added. */
APART bool summed(GAME, u64 *sums) {
#if SUMS
  g->sums = sums;
  return SUM_UP(HERE);
#else
  return false;
#endif
}
"""

_HANDING_OUT = """\
struct work {
  u64 seed;
  u32 first, count, budget, going;
  u32 *next;                    /* how many games were handed out */
  u32 *playing;                 /* for each thread which game it plays, counted from the first */
  u32 *records;                 /* or nothing, if nobody wants them */
  u64 *print;                   /* a sum that stands for all records, or nothing */
  u64 *sums;                    /* what games add up to, in some copies, or nothing */
  u32 *odd;                     /* how many games do not fit into these, and their numbers */
};
#define WORK                                                                                \\
  u64 seed, u32 first, u32 count, u32 budget, u32 going, u32 *next, u32 *playing,           \\
  u32 *records, u64 *print, u64 *sums, u32 *odd
#define GIVEN {seed, first, count, budget, going, next, playing, records, print, sums, odd}
/* A game is over: its record, and a word that stands for it. */
DEVICE u64 recorded(GAME, const struct work &work, u32 number, u32 thread) {
  if (work.sums && !summed(HERE, work.sums + (u64)(thread / 32 % COPIES) * SUMS)) {
    u32 at = atomicAdd(work.odd, 1u);
    if (at < MOST_ODD) work.odd[1 + at] = number;
  }
  if (work.records)
    ROLLED for (u32 at = 0; at < WORDS; at++)
      work.records[(u64)at * work.count + number] = load32_whole(HERE, 4 * at, RECORDS);
  if (!work.print) return 0;
  u64 mixed = work.first + number;
  ROLLED for (u32 at = 0; at < WORDS; at++)
    mixed = (mixed ^ load32_whole(HERE, 4 * at, RECORDS)) * 0x9E3779B97F4A7C15ull;
  return mixed ^ mixed >> 32;
}
"""

_KERNEL = """\
/* Whether there is another game. In step, all threads of a block begin a game together, so that
   they need the same part of a long program at about the same time. Where some have no more games,
   or have stopped, nobody waits for them. */
DEVICE bool in_step(const struct work &work, bool more) {
#ifndef EMULATED
  if (work.going != FREELY) {
    u32 playing = __syncthreads_count(more);
    open_meetings(work.going == MEETING_UP && playing == BLOCK);
    return playing > 0;
  }
#endif
  return more;
}
DEVICE void play_all(const struct work &work, u32 thread) {
  alignas(16) u8 memory[OWN];
  struct variables variables;
  struct variables *const g = &variables;
  u64 print = 0;
#ifdef EMULATED
  for (u32 at = 0; at < OWN; at++) memory[at] = 0xA5;
#endif
  begin(HERE);
  CONFIGURE(HERE, NEVER, ~0u, 0, 0, work.budget);
  for (;;) {
    u32 number = take(work.next);
    if (!in_step(work, number < work.count)) break;
    if (number >= work.count) continue;
    work.playing[thread] = number;
    SIMULATE(HERE, work.seed, work.first + number, 1);
    print += recorded(HERE, work, number, thread);
  }
  work.playing[thread] = NONE;
  if (work.print) atomicAdd(work.print, print);
}
#ifdef EMULATED
extern "C" void play(WORK, u32 threads) {
  struct work work = GIVEN;
  for (u32 thread = 0; thread < threads; thread++) {
    try { play_all(work, thread); } catch (ended) {}
  }
}
#else
extern "C" __global__ void BOUNDS play(WORK, u32 threads) {
  struct work work = GIVEN;
  fetch();
  open_meetings(false);
  play_all(work, blockIdx.x * blockDim.x + threadIdx.x);
}
#endif
"""

_ASIDE = """\
/* A game that is put aside: its memory and its variables, word by word beside those of others. */
union variables_kept { struct variables variables; u64 words[(SLOT - OWN) / 8]; };
static_assert(sizeof(struct variables) <= SLOT - OWN, "room for all variables");
DEVICE void take_up(u8 *memory, union variables_kept *kept, const u64 *aside, u32 all, u32 own) {
  ROLLED for (u32 at = 0; at < OWN / 8; at++)
    WORD(u64, memory + 8 * at) = aside[(u64)at * all + own];
  ROLLED for (u32 at = 0; at < (SLOT - OWN) / 8; at++)
    kept->words[at] = aside[(u64)(OWN / 8 + at) * all + own];
}
DEVICE void put_aside(const u8 *memory, const union variables_kept *kept, u64 *aside, u32 all,
                      u32 own) {
  ROLLED for (u32 at = 0; at < OWN / 8; at++)
    aside[(u64)at * all + own] = WORD(const u64, memory + 8 * at);
  ROLLED for (u32 at = 0; at < (SLOT - OWN) / 8; at++)
    aside[(u64)(OWN / 8 + at) * all + own] = kept->words[at];
}
"""

_SLICES = """\
#ifdef EMULATED
static u64 looks = 0;           /* here a look at the clock takes a nanosecond */
DEVICE u64 now() { return looks++; }
#else
DEVICE u64 now() { u64 time; asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time)); return time; }
#endif
DEVICE void go_on_with(const struct work &work, u32 choices, u64 nanoseconds, u64 *aside,
                       u32 *left, u32 threads, u32 thread) {
  alignas(16) u8 memory[OWN];
  union variables_kept kept;
  struct variables *const g = &kept.variables;
  u64 print = 0, began = now();
  u32 number = work.playing[thread];
  bool fresh = number == NONE;
  left[thread] = 0;
  if (fresh) {
#ifdef EMULATED
    for (u32 at = 0; at < OWN; at++) memory[at] = 0xA5;
#endif
    begin(HERE);
    CONFIGURE(HERE, NEVER, ~0u, 0, 0, work.budget);
  } else {
    take_up(memory, &kept, aside, threads, thread);
  }
  do {
    if (fresh) {
      number = take(work.next);
      if (number >= work.count) { number = NONE; break; }
      work.playing[thread] = number;
    }
    u32 status = SLICE(HERE, work.seed, work.first + number, fresh, choices);
    fresh = status == OVER;
    if (fresh) {
      print += recorded(HERE, work, number, thread);
      work.playing[thread] = number = NONE;
    }
  } while (now() - began < nanoseconds);
  if (number != NONE) put_aside(memory, &kept, aside, threads, thread);
  if (work.print && print) atomicAdd(work.print, print);
  left[thread] = 1;
}
#ifdef EMULATED
extern "C" void go_on(WORK, u32 choices, u64 nanoseconds, u64 *aside, u32 *left, u32 threads) {
  struct work work = GIVEN;
  for (u32 thread = 0; thread < threads; thread++) {
    try { go_on_with(work, choices, nanoseconds, aside, left, threads, thread); } catch (ended) {}
  }
}
#else
extern "C" __global__ void BOUNDS go_on(WORK, u32 choices, u64 nanoseconds, u64 *aside, u32 *left,
                                        u32 threads) {
  struct work work = GIVEN;
  u32 thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread < threads) go_on_with(work, choices, nanoseconds, aside, left, threads, thread);
}
#endif
"""

_TURNS = """\
enum { SEAT, OFFERED, ENDED, SCORES };
enum { GOES_ON, IS_OVER, STOPPED };
struct tables_given {
  u64 seed;
  u32 games, budget;
  u64 *aside;                   /* what is put aside of each table */
  const u32 *answers;
  u32 *numbers;                 /* of the game at each table */
  u32 *said;
  u32 *rows;                    /* what the seat sees that is asked */
  u32 *options;                 /* what its options say, up to `most` */
  u32 most;
};
#define TABLES_GIVEN                                                                        \\
  u64 seed, u32 games, u32 budget, u64 *aside, const u32 *answers, u32 *numbers, u32 *said,  \\
  u32 *rows, u32 *options, u32 most
#define GIVEN {seed, games, budget, aside, answers, numbers, said, rows, options, most}
DEVICE void turn_at(const struct tables_given &all, u32 game) {
  alignas(16) u8 memory[OWN];
  union variables_kept kept;
  struct variables *const g = &kept.variables;
  u32 *const said = all.said + (u64)game * SAID;
  bool fresh = said[ENDED] == STOPPED;
  u32 ended = GOES_ON, answer = all.answers[game];
  said[ENDED] = STOPPED;        /* if it stops, nobody says anything else */
  if (fresh) {
#ifdef EMULATED
    for (u32 at = 0; at < OWN; at++) memory[at] = 0xA5;
#endif
    all.numbers[game] += all.games;
    begin(HERE);
    CONFIGURE(HERE, 0, ~0u, 0, 0, all.budget);
  } else {
    take_up(memory, &kept, all.aside, all.games, game);
  }
  u32 status = TURN(HERE, all.seed, all.numbers[game], fresh, answer);
  if (status == OVER) {
    ended = IS_OVER;
    ROLLED for (u32 seat = 0; seat < PLAYERS; seat++) {
      said[SCORES + seat] = load32_whole(HERE, 4 * seat, RECORDS);
      said[SCORES + PLAYERS + seat] = 0;
    }
    u32 won = load32_whole(HERE, 4 * PLAYERS, RECORDS);
    ROLLED for (u32 at = 0; at < won && at < PLAYERS; at++) {
      u32 seat = load32_whole(HERE, 4 * (PLAYERS + 1 + at), RECORDS);
      if (seat < PLAYERS) said[SCORES + PLAYERS + seat] = 1;
    }
    all.numbers[game] += all.games;
    status = TURN(HERE, all.seed, all.numbers[game], 1, 0);
    if (status == OVER) stop(HERE);   /* games in which nobody is asked are no good here */
  }
  u32 who = load32_whole(HERE, 0, TURN_AT) * 16;
  u32 seat = load32_whole(HERE, who, ASKED), count = load32_whole(HERE, who, ASKED + 8);
  u32 offered = count + load32_whole(HERE, who, ASKED + 12);
  OBSERVE(HERE, seat);
  ROLLED for (u32 at = 0; at < SEEN; at++)
    all.rows[(u64)game * SEEN + at] = load32_whole(HERE, 4 * at, ROW);
  ROLLED for (u32 number = 0; number < all.most; number++) {
    u32 *const to = all.options + ((u64)game * all.most + number) * WIDTH;
    if (number < offered) OPTION(HERE, number);
    ROLLED for (u32 at = 0; at < WIDTH; at++)
      to[at] = number < offered ? load32_whole(HERE, 4 * at, OPTION_AT) : 0;
  }
  put_aside(memory, &kept, all.aside, all.games, game);
  said[SEAT] = seat;
  said[OFFERED] = offered;
  said[ENDED] = ended;
}
#ifdef EMULATED
extern "C" void turns(TABLES_GIVEN) {
  struct tables_given all = GIVEN;
  for (u32 game = 0; game < games; game++) {
    try { turn_at(all, game); } catch (ended) {}
  }
}
#else
extern "C" __global__ void turns(TABLES_GIVEN) {
  struct tables_given all = GIVEN;
  u32 game = blockIdx.x * blockDim.x + threadIdx.x;
  if (game < games) turn_at(all, game);
}
#endif
"""

_TRIALS = """\
struct trials_given {
  u64 seed;
  u32 options, first, count;    /* how many of them; from which playout on, and how many */
  u32 seat, reach, deals, discreet, budget;
  const u32 *tried;             /* the numbers of the options */
  u32 *next;                    /* how many playouts were handed out */
  u32 *playing;                 /* for each thread which one it plays */
  u64 *found;                   /* what they add up to, by option */
};
#define TRIALS_GIVEN                                                                        \\
  u64 seed, u32 options, u32 first, u32 count, u32 seat, u32 reach, u32 deals, u32 discreet, \\
  u32 budget, const u32 *tried, u32 *next, u32 *playing, u64 *found
#define GIVEN                                                                               \\
  {seed, options, first, count, seat, reach, deals, discreet, budget, tried, next, playing, found}
DEVICE void try_all(const struct trials_given &all, u32 thread) {
  alignas(16) u8 memory[OWN];
  struct variables variables;
  struct variables *const g = &variables;
#ifdef EMULATED
  for (u32 at = 0; at < OWN; at++) memory[at] = 0xA5;
#endif
  begin(HERE);
  if (!all.deals) IMAGINE(HERE, 0, 0);
  for (;;) {
    u32 number = take(all.next);
    if (number >= all.count) break;
    all.playing[thread] = number;
    number += all.first;
    u32 round = number / all.options, which = number % all.options;
    const u32 order[] = {
      (u32)all.seed, (u32)(all.seed >> 32), 1, round, round + 1, all.seat, 0, 0, all.reach,
      all.deals, all.discreet, all.budget, 0,
    };
    ROLLED for (u32 at = 0; at < sizeof(order) / 4; at++)
      store32_whole(HERE, 4 * at, RECORDS, order[at]);
    store32_whole(HERE, 0, RECORDS + ORDER, all.tried[which]);
    ROLLED for (u32 at = 4; at < TRIAL; at += 4) store32_whole(HERE, at, RECORDS + ORDER, 0);
    EXPLORE(HERE);
    u64 *const found = all.found + (u64)which * SUMMED;
    ROLLED for (u32 at = 0; at < 2; at++)
      atomicAdd(found + at, (u64)load32_whole(HERE, 4 * at, RECORDS + ORDER + TRIED));
    ROLLED for (u32 at = 2; at < SUMMED; at++)
      atomicAdd(found + at, load64_halves(HERE, 8 * (at - 2), RECORDS + ORDER + WINS));
  }
  all.playing[thread] = NONE;
}
#ifdef EMULATED
extern "C" void trials(TRIALS_GIVEN, u32 threads) {
  struct trials_given all = GIVEN;
  for (u32 thread = 0; thread < threads; thread++) {
    try { try_all(all, thread); } catch (ended) {}
  }
}
#else
extern "C" __global__ void BOUNDS trials(TRIALS_GIVEN, u32 threads) {
  struct trials_given all = GIVEN;
  fetch();
  try_all(all, blockIdx.x * blockDim.x + threadIdx.x);
}
#endif
"""
