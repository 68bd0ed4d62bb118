"""The dialect for a graphics card: a thread for each game that is under way.

Everything that a game writes lies in a row in the memory of a module with small rooms (`small`),
and after it everything that is only read. The first becomes the thread's own memory, the second one
table that all threads read. Each 32 threads share a stretch of the card's memory, in which words of
8 bytes take turns, so that neighbours who do the same read side by side. Words need not lie at
multiples of their size: where that is not known, it is looked at.

The kernel `play` hands out numbers of games to whoever is free, until none is left; so nobody waits
for a longer game than those of his neighbours. It writes a record for each, word by word: all first
words, then all second ones. A game that stops, for whatever reason, is noted with its number and
its fault, and ends its thread; the others go on, and the host plays the rest. `CHECKED`: no address
leads out of the game's own memory and the tables, as on the other machines; without, a rule can do
harm.

Compiled by a C++ compiler with EMULATED, the same text plays one thread after the other on the
processor.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from lawspeaker.machines.compiled import Compiled, Instance
from lawspeaker.machines.compiled.plan import LARGE, START, Sizes
from lawspeaker.machines.compiled.unit import NEVER
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.native.alignment import Alignment
from lawspeaker.machines.native.calling import Calling
from lawspeaker.machines.native.processor import ARITHMETIC, NUMBERS, beginning, variables
from lawspeaker.machines.native.pruning import prune
from lawspeaker.machines.native.writer import function_names, written

DOORS = ("configure", "simulate")
_DEEPEST = 200
_STEP = 16
_MARGIN, _LEAST = 4, 512
_LONGEST = 8000
"""A game of so many operations may be written in one piece; of a longer one every function stays
one, since a compiler for cards would take minutes otherwise."""


@dataclass(frozen=True, slots=True)
class Kernel:
    """What a card needs for a game: the text of the program, the bytes that all threads read, how
    many bytes a thread has for itself, the words of a record, and whether calls go deep."""

    source: str
    tables: bytes
    own: int
    words: int
    deep: bool


def small(arena: int, options: int, sets: int, record: int) -> Sizes:
    """Rooms for one game at a time: several times as large as was seen to be needed."""

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
    )


def needed(instance: Instance) -> Sizes:
    """Rooms as large as the games need that this module has played so far, and some more."""
    plan = instance.plan
    return small(
        instance.touched(plan.arena, START),
        instance.touched(plan.options, plan.options_end),
        instance.touched(plan.sets, plan.sets_end),
        instance.compiled.record_size,
    )


def kernel(compiled: Compiled, module: Module) -> Kernel:
    """The program for a module whose rooms lie together. It is pruned for it."""
    prune(module, DOORS)
    plan, names, calling = compiled.plan, function_names(module), Calling(module)
    assert plan.sizes.together
    last = max(at + len(content) for at, content in module.data)
    tables = bytearray(-(-(last - plan.image) // 8) * 8 + 8)
    for at, content in module.data:
        tables[at - plan.image : at - plan.image + len(content)] = content
    own = -(-(plan.options_end - plan.arena) // _STEP) * _STEP
    words = compiled.record_size // 4
    numbers = {
        "FIRST": plan.arena,
        "OWN": own,
        "GAP": plan.options_end - plan.arena,
        "TABLES": plan.image,
        "TABLES_SIZE": len(tables),
        "RECORDS": plan.records,
        "WORDS": words,
        "FAULT": plan.fault,
        "DEEPEST": _DEEPEST,
        "NEVER": NEVER,
    }
    source = "\n".join(
        [
            NUMBERS,
            *(f"#define {name} {value}u" for name, value in numbers.items()),
            "#define LONG" if calling.length > _LONGEST else "",
            f"struct variables {{\n{variables(module)}{_OWN_VARIABLES}}};",
            _RUNNING,
            _COUNTING,
            ARITHMETIC,
            _MEMORY,
            written(module, Alignment(module)),
            f"DEVICE void begin(GAME) {{\n{beginning(module)}  g->depth = 0;\n}}",
            f"#define CONFIGURE {names[module.exports['configure']]}",
            f"#define SIMULATE {names[module.exports['simulate']]}",
            _KERNEL,
        ]
    )
    return Kernel(source, bytes(tables), own, words, bool(calling.deep))


_OWN_VARIABLES = """\
  u32 depth, number;            /* of calls under way, and of the game */
  struct faults *faults;
  u64 print, *prints;           /* what this thread's games come to, and where it is added up */
"""

_RUNNING = """\
struct faults { u32 count, most; u32 told[2]; };
#ifdef EMULATED
#include <math.h>
#define DEVICE static inline
#define SHORT DEVICE
#define FUNCTION static
#define APART static
#define END throw ended()
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
#define APART static __device__ __noinline__
#define END asm volatile("exit;"); __builtin_unreachable()
#endif
#define GAME u8 *const memory, const u8 *const tables, struct variables *const g
#define HERE memory, tables, g
#define GLOBAL(n) g->g##n
[[noreturn]] APART void stop(GAME);
DEVICE void deeper(GAME) { if (++g->depth > DEEPEST) stop(HERE); }
DEVICE void higher(GAME) { g->depth--; }
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
DEVICE u32 ctz32(u32 a) { return a ? (u32)__ffs((int)a) - 1 : 32; }
DEVICE u32 popcnt32(u32 a) { return (u32)__popc(a); }
DEVICE u64 clz64(u64 a) { return (u64)__clzll((i64)a); }
DEVICE u64 ctz64(u64 a) { return a ? (u64)__ffsll((i64)a) - 1 : 64; }
DEVICE u64 popcnt64(u64 a) { return (u64)__popcll(a); }
#endif
"""

_MEMORY = """\
#define SPREAD(at) (((at) >> 3 << 8) | ((at) & 7))
#ifdef EMULATED
#define IS_OWN
#define IS_TABLE
#define EVEN(kind) if ((address + offset) % sizeof(kind)) stop(HERE)
#else
#define IS_OWN __builtin_assume(__isGlobal(memory))
#define IS_TABLE __builtin_assume(__isGlobal(tables))
#define EVEN(kind)
#endif
/* What lies beyond what is one's own, or nowhere at all. */
#ifdef CHECKED
#define WITHIN(at, size, all) if ((at) > (all) - (size)) stop(HERE)
#else
#define WITHIN(at, size, all)
#endif
/* The same bytes may be read as words of one size and written as words of another.
   Offsets before one's own memory are those of pointers, which may lead anywhere; others are those
   of arrays, which lie where their entry 0 does: on one side or on the other. */
#define READ(name, kind, back)                                                              \\
  DEVICE back name(GAME, u32 address, u32 offset) {                                         \\
    u32 at = address + offset - FIRST;                                                      \\
    typedef kind __attribute__((may_alias)) word;                                           \\
    EVEN(kind);                                                                             \\
    if (offset < FIRST ? at < GAP : offset < FIRST + GAP) {                                 \\
      WITHIN(at, sizeof(kind), OWN);                                                        \\
      IS_OWN;                                                                               \\
      return (back)*(const word *)(memory + SPREAD(at));                                    \\
    }                                                                                       \\
    at = address + offset - TABLES;                                                         \\
    WITHIN(at, sizeof(kind), TABLES_SIZE);                                                  \\
    IS_TABLE;                                                                               \\
    return (back)*(const word *)(tables + at);                                              \\
  }
#define WRITE(name, kind, given)                                                            \\
  DEVICE void name(GAME, u32 address, u32 offset, given number) {                           \\
    u32 at = address + offset - FIRST;                                                      \\
    typedef kind __attribute__((may_alias)) word;                                           \\
    EVEN(kind);                                                                             \\
    WITHIN(at, sizeof(kind), OWN);                                                          \\
    IS_OWN;                                                                                 \\
    *(word *)(memory + SPREAD(at)) = (kind)number;                                          \\
  }
READ(load8_s, i8, u32)
READ(load8_u, u8, u32)
READ(load16_s_whole, i16, u32)
READ(load16_u_whole, u16, u32)
READ(load32_whole, u32, u32)
READ(load64_whole, u64, u64)
WRITE(store8, u8, u32)
WRITE(store16_whole, u16, u32)
WRITE(store32_whole, u32, u32)
WRITE(store64_whole, u64, u64)
/* Where nobody knows whether a word lies at a multiple of its size, it mostly does. */
#define ODD(mask) ((address + offset) & (mask))
APART u32 odd_load32(GAME, u32 address, u32 offset) {
  u32 odd = ODD(3), first = address + offset - odd;
  u32 low = load32_whole(HERE, first, 0), high = load32_whole(HERE, first, 4);
  return low >> 8 * odd | high << (32 - 8 * odd);
}
APART void odd_store32(GAME, u32 address, u32 offset, u32 number) {
  for (u32 at = 0; at < 4; at++) store8(HERE, address, offset + at, number >> 8 * at);
}
DEVICE u32 load16_u(GAME, u32 address, u32 offset) {
  if (!ODD(1)) return load16_u_whole(HERE, address, offset);
  return load8_u(HERE, address, offset) | load8_u(HERE, address, offset + 1) << 8;
}
DEVICE u32 load16_s(GAME, u32 address, u32 offset) {
  return (u32)(i32)(i16)load16_u(HERE, address, offset);
}
DEVICE u32 load32(GAME, u32 address, u32 offset) {
  if (!ODD(3)) return load32_whole(HERE, address, offset);
  return odd_load32(HERE, address, offset);
}
APART u64 odd_load64(GAME, u32 address, u32 offset) {
  return load32(HERE, address, offset) | (u64)load32(HERE, address, offset + 4) << 32;
}
DEVICE u64 load64(GAME, u32 address, u32 offset) {
  if (!ODD(7)) return load64_whole(HERE, address, offset);
  return odd_load64(HERE, address, offset);
}
DEVICE void store16(GAME, u32 address, u32 offset, u32 number) {
  if (!ODD(1)) { store16_whole(HERE, address, offset, number); return; }
  store8(HERE, address, offset, number);
  store8(HERE, address, offset + 1, number >> 8);
}
DEVICE void store32(GAME, u32 address, u32 offset, u32 number) {
  if (!ODD(3)) store32_whole(HERE, address, offset, number);
  else odd_store32(HERE, address, offset, number);
}
APART void odd_store64(GAME, u32 address, u32 offset, u64 number) {
  store32(HERE, address, offset, (u32)number);
  store32(HERE, address, offset + 4, (u32)(number >> 32));
}
DEVICE void store64(GAME, u32 address, u32 offset, u64 number) {
  if (!ODD(7)) store64_whole(HERE, address, offset, number);
  else odd_store64(HERE, address, offset, number);
}
APART void copy(GAME, u32 to, u32 from, u32 count) {
  if (from < to && to - from < count) {
    while (count--) store8(HERE, to, count, load8_u(HERE, from, count));
    return;
  }
  u32 at = 0;
  if (!((to | from) & 7))
    for (; at + 8 <= count; at += 8)
      store64_whole(HERE, to + at, 0, load64_whole(HERE, from + at, 0));
  if (!((to | from) & 3))
    for (; at + 4 <= count; at += 4)
      store32_whole(HERE, to + at, 0, load32_whole(HERE, from + at, 0));
  for (; at < count; at++) store8(HERE, to + at, 0, load8_u(HERE, from + at, 0));
}
APART void clear(GAME, u32 to, u32 count) {
  u32 at = 0;
  if (!(to & 7))
    for (; at + 8 <= count; at += 8) store64_whole(HERE, to + at, 0, 0);
  if (!(to & 3))
    for (; at + 4 <= count; at += 4) store32_whole(HERE, to + at, 0, 0);
  for (; at < count; at++) store8(HERE, to + at, 0, 0);
}
"""

_KERNEL = """\
void stop(GAME) {
  typedef u32 __attribute__((may_alias)) word;
  u32 at = atomicAdd(&g->faults->count, 1u);
  if (at < g->faults->most) {
    g->faults->told[2 * at] = g->number;
    g->faults->told[2 * at + 1] = *(const word *)(memory + SPREAD(FAULT - FIRST));
  }
  if (g->prints) atomicAdd(g->prints, g->print);
  END;
}
struct work {
  u64 seed;
  u32 first, count, budget;
  u32 *next;                    /* how many games were handed out */
  const u8 *tables;
  u8 *memory;                   /* of all threads */
  u32 *records;                 /* or nothing, if nobody wants them */
  u64 *print;                   /* a sum that stands for all records, or nothing */
  struct faults *faults;
};
#define WORK                                                                                \\
  u64 seed, u32 first, u32 count, u32 budget, u32 *next, const u8 *tables, u8 *memory,      \\
  u32 *records, u64 *print, struct faults *faults
#define GIVEN {seed, first, count, budget, next, tables, memory, records, print, faults}
DEVICE u32 take(const struct work &work) {
#ifdef EMULATED
  return atomicAdd(work.next, 1u);
#else
  /* Neighbours that are free at the same time get numbers that follow each other. */
  u32 free = __activemask(), lane = threadIdx.x & 31, start = 0;
  u32 leader = __ffs((int)free) - 1;
  if (lane == leader) start = atomicAdd(work.next, (u32)__popc(free));
  start = __shfl_sync(free, start, (int)leader);
  return start + __popc(free & ((1u << lane) - 1));
#endif
}
DEVICE void play_all(const struct work &work, u32 thread) {
  u8 *const memory = work.memory + (u64)(thread >> 5) * OWN * 32 + (thread & 31) * 8;
  const u8 *const tables = work.tables;
  struct variables variables;
  struct variables *const g = &variables;
  g->faults = work.faults;
  g->print = 0;
  g->prints = work.print;
  begin(HERE);
  CONFIGURE(HERE, NEVER, ~0u, 0, 0, work.budget);
  for (;;) {
    u32 number = take(work);
    if (number >= work.count) break;
    g->number = work.first + number;
    store32_whole(HERE, FAULT, 0, 0);
    SIMULATE(HERE, work.seed, work.first + number, 1);
    if (work.records)
      for (u32 at = 0; at < WORDS; at++)
        work.records[(u64)at * work.count + number] = load32_whole(HERE, RECORDS, 4 * at);
    if (work.print) {
      u64 mixed = g->number;
      for (u32 at = 0; at < WORDS; at++)
        mixed = (mixed ^ load32_whole(HERE, RECORDS, 4 * at)) * 0x9E3779B97F4A7C15ull;
      g->print += mixed ^ mixed >> 32;
    }
  }
  if (work.print) atomicAdd(work.print, g->print);
}
#ifdef EMULATED
extern "C" void play(WORK, u32 threads) {
  struct work work = GIVEN;
  for (u32 thread = 0; thread < threads; thread++) {
    try { play_all(work, thread); } catch (ended) {}
  }
}
#else
extern "C" __global__ void play(WORK) {
  struct work work = GIVEN;
  play_all(work, blockIdx.x * blockDim.x + threadIdx.x);
}
#endif
"""
