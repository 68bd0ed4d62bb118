"""Goes through hostile games in a process with bounds, and says what became of each.

    python -m tests.language.hostile_worker COUNT SEED

A line of JSON for each game: what it is, whether it was refused, the most memory so far, and how
much the compiler wrote. The bounds on time are there only so that something that never ends ends.
"""

from __future__ import annotations

import json
import resource
import sys

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.render import diagnostics as render
from lawspeaker.machines.compiled.compiler import written
from lawspeaker.machines.middle.walk import operations
from lawspeaker.machines.reference import Machine
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from lawspeaker.position.fault import TooLargeToCompile
from lawspeaker.position.layout import layout_for
from tests.language.hostile import some

MEMORY = 1 << 30
SECONDS = 120
"""For each game, of a processor: many times what it takes."""


def memory() -> int:
    """The most memory that this process has had so far, in MiB."""
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most >> (20 if sys.platform == "darwin" else 10)


def outcome(text: str) -> dict[str, object]:
    """What becomes of a game: it is refused, or made ready to be played on both machines."""
    diagnostics = Diagnostics()
    file = SourceFile("hostile.yaml", text)
    program = compile_game(file, lambda name, span: None, schema("game"), diagnostics)
    told = render.text(diagnostics)
    if program is None:
        codes = sorted({each.code for each in diagnostics if each.severity == "error"})
        return {"refused": codes, "told": len(told)}
    Machine(program, program.most)
    layout = layout_for(program, program.most)
    found: dict[str, object] = {"refused": []}
    for name, stepping in (("stepping", True), ("playing", False)):
        try:
            unit, _ = written(layout, stepping=stepping)
        except TooLargeToCompile:
            found[name] = -1
        else:
            found[name] = sum(operations(function.body) for function in unit.module.functions)
    return found


def main() -> None:
    count, seed = map(int, sys.argv[1:])
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS * count, SECONDS * count))
    print(json.dumps({"memory": memory()}), flush=True)
    for name, text in some(count, seed):
        print(json.dumps({"name": name, **outcome(text), "memory": memory()}), flush=True)


if __name__ == "__main__":
    main()
