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
from lawspeaker.machines.native.sources import text_of
from lawspeaker.machines.native.writer import TYPES, constant, function_names, written

DOORS = ("configure", "simulate")
"""What is needed to play whole games."""

_DEEPEST = 4000
"""So many calls of functions that call themselves may be under way at once."""


def c_source(module: Module, doors: tuple[str, ...] = DOORS) -> str:
    """A module as a C file. It is pruned for it."""
    leave_needed(module, doors)
    names = function_names(module)
    return "\n".join(
        [
            "#include <math.h>\n#include <setjmp.h>\n#include <string.h>",
            text_of("numbers.h"),
            f"#define BYTES {module.bytes}ull\n#define DEEPEST {_DEEPEST}",
            f"struct variables {{\n{variables(module)}  u32 depth;\n  jmp_buf out;\n}};",
            text_of("processor/running.h"),
            text_of("processor/counting.h"),
            text_of("arithmetic.h"),
            text_of("processor/memory.h"),
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
