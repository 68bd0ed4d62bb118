"""The dialect for this computer's processor: one game after the other in one plain memory.

Every door of the module becomes a C function of its name. It is given the memory, the module's
variables, and what the door is given; it says 1 if all went well, 0 if the module stopped, as
WebAssembly stops: at `unreachable`, a division by nothing, an address outside of memory, or calls
that go too deep. Then the memory tells the fault. What a door gives back is thrown away: what it
has to tell lies in memory.
"""

from __future__ import annotations

from lawspeaker.machines.middle.forms import Function
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.passes import leave_needed
from lawspeaker.machines.native.writer import TYPES, constant, function_names, written

DOORS = ("configure", "simulate")
"""What is needed to play whole games."""

_DEEPEST = 4000
"""So many calls of functions that call themselves may be under way at once."""

NUMBERS = """\
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long i64;
"""

ARITHMETIC = """\
SHORT u32 div_s32(GAME, u32 a, u32 b) {
  stop_if(HERE, b == 0 || (a == 0x80000000u && b == 0xFFFFFFFFu));
  return (u32)((i32)a / (i32)b);
}
SHORT u32 div_u32(GAME, u32 a, u32 b) { stop_if(HERE, b == 0); return a / b; }
SHORT u32 rem_s32(GAME, u32 a, u32 b) {
  stop_if(HERE, b == 0);
  return b == 0xFFFFFFFFu ? 0 : (u32)((i32)a % (i32)b);
}
SHORT u32 rem_u32(GAME, u32 a, u32 b) { stop_if(HERE, b == 0); return a % b; }
FUNCTION u64 div_s64(GAME, u64 a, u64 b) {
  stop_if(HERE, b == 0 || (a == 1ull << 63 && b == ~0ull));
  return (u64)((i64)a / (i64)b);
}
FUNCTION u64 div_u64(GAME, u64 a, u64 b) { stop_if(HERE, b == 0); return a / b; }
FUNCTION u64 rem_s64(GAME, u64 a, u64 b) {
  stop_if(HERE, b == 0);
  return b == ~0ull ? 0 : (u64)((i64)a % (i64)b);
}
FUNCTION u64 rem_u64(GAME, u64 a, u64 b) { stop_if(HERE, b == 0); return a % b; }
SHORT u32 select32(u32 which, u32 one, u32 other) { return which ? one : other; }
SHORT u64 select64(u32 which, u64 one, u64 other) { return which ? one : other; }
SHORT double selectreal(u32 which, double one, double other) { return which ? one : other; }
"""

_COUNTING = """\
FUNCTION u32 clz32(u32 a) { return a ? (u32)__builtin_clz(a) : 32; }
FUNCTION u32 ctz32(u32 a) { return a ? (u32)__builtin_ctz(a) : 32; }
FUNCTION u32 popcnt32(u32 a) { return (u32)__builtin_popcount(a); }
FUNCTION u64 clz64(u64 a) { return a ? (u64)__builtin_clzll(a) : 64; }
FUNCTION u64 ctz64(u64 a) { return a ? (u64)__builtin_ctzll(a) : 64; }
FUNCTION u64 popcnt64(u64 a) { return (u64)__builtin_popcountll(a); }
FUNCTION double maxreal(GAME, double a, double b) {
  if (a != a || b != b) return a + b;
  return a == b ? (__builtin_signbit(a) ? b : a) : a > b ? a : b;
}
"""

_MEMORY = """\
FUNCTION u8 *at(GAME, u32 address, u32 offset, u32 size) {
  u64 where = (u64)address + offset;
  stop_if(HERE, where + size > BYTES);
  return memory + where;
}
#define READ(name, kind, back)                                                              \\
  FUNCTION back name(GAME, u32 address, u32 offset) {                                       \\
    kind value;                                                                             \\
    memcpy(&value, at(HERE, address, offset, sizeof(kind)), sizeof(kind));                  \\
    return (back)value;                                                                     \\
  }
#define WRITE(name, kind, given)                                                            \\
  FUNCTION void name(GAME, u32 address, u32 offset, given number) {                         \\
    kind value = (kind)number;                                                              \\
    memcpy(at(HERE, address, offset, sizeof(kind)), &value, sizeof(kind));                  \\
  }
READ(load8_s, i8, u32)
READ(load8_u, u8, u32)
READ(load16_s, i16, u32)
READ(load16_u, u16, u32)
READ(load32, u32, u32)
READ(load64, u64, u64)
READ(loadreal, double, double)
WRITE(store8, u8, u32)
WRITE(store16, u16, u32)
WRITE(store32, u32, u32)
WRITE(store64, u64, u64)
WRITE(storereal, double, double)
FUNCTION void copy(GAME, u32 to, u32 from, u32 count) {
  stop_if(HERE, (u64)to + count > BYTES || (u64)from + count > BYTES);
  memmove(memory + to, memory + from, count);
}
FUNCTION void clear(GAME, u32 to, u32 count) {
  stop_if(HERE, (u64)to + count > BYTES);
  memset(memory + to, 0, count);
}
"""


_RUNNING = """\
#define FUNCTION static inline
#define ONCE FUNCTION
#define SHORT static inline __attribute__((always_inline))
#define ROLLED
#define GAME u8 *restrict const memory, struct variables *restrict const g
#define HERE memory, g
#define GLOBAL(n) g->g##n
__attribute__((noreturn, cold, noinline)) static void stop(GAME) { longjmp(g->out, 1); }
SHORT void stop_if(GAME, u32 when) { if (when) stop(HERE); }
FUNCTION void deeper(GAME) { stop_if(HERE, ++g->depth > DEEPEST); }
FUNCTION void higher(GAME) { g->depth--; }
"""


def c_source(module: Module, doors: tuple[str, ...] = DOORS) -> str:
    """A module as a C file. It is pruned for it."""
    leave_needed(module, doors)
    names = function_names(module)
    return "\n".join(
        [
            "#include <math.h>\n#include <setjmp.h>\n#include <string.h>",
            NUMBERS,
            f"#define BYTES {module.bytes}ull\n#define DEEPEST {_DEEPEST}",
            f"struct variables {{\n{variables(module)}  u32 depth;\n  jmp_buf out;\n}};",
            _RUNNING,
            _COUNTING,
            ARITHMETIC,
            _MEMORY,
            written(module),
            "u64 variables_size(void) { return sizeof(struct variables); }",
            f"void variables_begin(struct variables *g) {{\n{beginning(module)}  g->depth = 0;\n}}",
            *(_door(name, each, names[each]) for name, each in module.exports.items()),
        ]
    )


def variables(module: Module) -> str:
    """The module's variables, as they are declared."""
    return "".join(f"  {TYPES[each.type]} g{each.index};\n" for each in module.globals)


def beginning(module: Module) -> str:
    """The statements that give the module's variables their first values."""
    return "".join(
        f"  GLOBAL({each.index}) = {constant(each.first, each.type)};\n" for each in module.globals
    )


def _door(door: str, function: Function, name: str) -> str:
    given = "".join(f", {TYPES[of]} x{at}" for at, of in enumerate(function.parameters))
    passed = "".join(f", x{at}" for at in range(len(function.parameters)))
    return (
        f"int door_{door}(GAME{given}) {{\n"
        "  g->depth = 0;\n"
        "  if (setjmp(g->out)) return 0;\n"
        f"  {name}(HERE{passed});\n"
        "  return 1;\n"
        "}\n"
    )
