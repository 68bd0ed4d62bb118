"""C dialect for the CPU: runs one game after the other in one flat memory.

Every export of the module becomes a C function of its name. Its parameters are the memory, the
module's globals, and those of the export; it returns 1, or 0 if the module trapped, as WebAssembly
traps: at `unreachable`, a division by 0, an address outside of memory, or too deep a recursion.
Then the memory has the fault number. Results of an export are dropped: they are read from memory.
"""

from __future__ import annotations

from lawspeaker.machines.middle.forms import Function
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.passes import leave_needed
from lawspeaker.machines.native.sources import text_of
from lawspeaker.machines.native.writer import TYPES, constant, function_names, written

DOORS = ("configure", "simulate")
"""The exports needed to play whole games."""

_DEEPEST = 4000
"""The most calls of recursive functions in flight."""


def c_source(module: Module, doors: tuple[str, ...] = DOORS) -> str:
    """Returns a module as a C file; prunes the module."""
    leave_needed(module, doors)
    names = function_names(module)
    return "\n".join(
        [
            "#include <math.h>\n#include <setjmp.h>\n#include <string.h>",
            text_of("numbers.h"),
            f"#define BYTES {module.bytes}ull\n#define DEEPEST {_DEEPEST}",
            f"struct variables {{\n{variables(module)}  u32 depth;\n  jmp_buf out;\n}};",
            text_of("cpu/runtime.h"),
            text_of("cpu/bits.h"),
            text_of("arithmetic.h"),
            text_of("cpu/memory.h"),
            written(module),
            "u64 variables_size(void) { return sizeof(struct variables); }",
            f"void variables_begin(struct variables *g) {{\n{beginning(module)}  g->depth = 0;\n}}",
            *(_door(name, each, names[each]) for name, each in module.exports.items()),
        ]
    )


def variables(module: Module) -> str:
    """Returns the declarations of the module's globals."""
    return "".join(f"  {TYPES[each.type]} g{each.index};\n" for each in module.globals)


def beginning(module: Module) -> str:
    """Returns the initialisation of the module's globals."""
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
