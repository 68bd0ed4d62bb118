"""Checks, starts and compiles hostile rule files in processes with limits; measures each stage.

    python -m tests.language.hostile_worker COUNT SEED

A line of JSON for each game: what it is, whether it was refused, the most memory so far, and how
much the compiler wrote. The bounds on time are there only so that something that never ends ends.

`measure_stages` goes with one game from its text to its first question, in a process of its own.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from collections.abc import Callable, Iterator
from time import process_time
from typing import Any

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.render import diagnostics as render
from lawspeaker.machines.compiled.compile.compiler import compile_module, written
from lawspeaker.machines.middle.walk import operations
from lawspeaker.machines.purpose import PLAYING, STEPPING
from lawspeaker.machines.reference import Machine
from lawspeaker.match.game import Game
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from lawspeaker.position.fault import NoCompiledMachine, RuleFault, TooLargeToCompile
from lawspeaker.position.layout import layout_for
from tests.language.hostile import hostile_games

MEMORY = 1 << 30
ADDRESSES = 16 << 30
"""Of them a compiled game takes many, and uses few."""
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
    for purpose in (STEPPING, PLAYING):
        name = str(purpose)
        try:
            unit = written(layout, purpose)
        except TooLargeToCompile:
            found[name] = -1
        else:
            found[name] = sum(operations(function.body) for function in unit.module.functions)
    return found


def measure_stages(text: str, seconds: int = SECONDS) -> dict[str, Any]:
    """What became of a game in each of its stages, and what that took: `check` it, start it on the
    `reference` machine and on the compiled one (`wasm`), and compile it for `playing` many games.
    `killed`, if it took more than so many seconds of processor time. `memory` in MiB."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        _confined(seconds)
        with os.fdopen(write, "w", encoding="utf-8") as told:
            try:
                for stage in _stages(text):
                    print(json.dumps(stage), file=told, flush=True)
            except Exception as error:
                print(json.dumps({"error": f"{type(error).__name__}: {error}"}), file=told)
        os._exit(0)
    os.close(write)
    found: dict[str, Any] = {}
    with os.fdopen(read, encoding="utf-8") as stages:
        for line in stages:
            found |= json.loads(line)
    _, status, used = os.wait4(child, 0)
    return {**found, "killed": status != 0, "cpu": used.ru_utime + used.ru_stime}


def _confined(seconds: int) -> None:
    used = int(process_time()) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (used + seconds, used + seconds))
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESSES, ADDRESSES))


def _stages(text: str) -> Iterator[dict[str, Any]]:
    diagnostics = Diagnostics()
    before, began = memory(), process_time()
    file = SourceFile("hostile.yaml", text)
    program = compile_game(file, lambda name, span: None, schema("game"), diagnostics)
    codes = sorted({each.code for each in diagnostics if each.severity == "error"})
    yield {"check": process_time() - began, "refused": codes, "memory": memory() - before}
    if program is None:
        return

    def started(machine: str) -> None:
        Game(program, "hostile").start(program.most, 1, machine=machine)

    stages: dict[str, Callable[[], object]] = {
        "reference": lambda: started("reference"),
        "wasm": lambda: started("wasm"),
        "playing": lambda: compile_module(layout_for(program, program.most), PLAYING),
    }
    for name, stage in stages.items():
        began, why = process_time(), ""
        try:
            stage()
        except (RuleFault, NoCompiledMachine) as error:
            why = str(error)
        yield {name: process_time() - began, f"{name}_stopped": why, "memory": memory() - before}


def main() -> None:
    count, seed = map(int, sys.argv[1:])
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS * count, SECONDS * count))
    print(json.dumps({"memory": memory()}), flush=True)
    for name, text in hostile_games(count, seed):
        print(json.dumps({"name": name, **outcome(text), "memory": memory()}), flush=True)


if __name__ == "__main__":
    main()
