"""The processor time and memory that hostile rule files take, from their text to the first question.

    python -m benchmarks.hostile [--only WORDS] [--size 100] [--slowest 20]

Each rule file (`tests/language/hostile.py`) is checked, and started on both machines with the most
players, in a process of its own. Printed are the slowest: seconds of the processor for each of the
three, MiB, and what became of it.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import time

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.render import diagnostics as render
from lawspeaker.machines.reference import Machine
from lawspeaker.machines.compiled.compiler import compile_module
from lawspeaker.machines.compiled.instance import Instance
from lawspeaker.match.game import Game
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from lawspeaker.position.fault import NoCompiledMachine, RuleFault
from lawspeaker.text.parse import grammar
from tests.language import hostile, hostile_forms

SECONDS = 20


def measured(text: str, told) -> None:
    def part(name, work):
        began = time.process_time()
        outcome = work()
        told({name: round(time.process_time() - began, 2), f"{name} outcome": outcome})

    programs = []

    def check():
        diagnostics = Diagnostics()
        file = SourceFile("hostile.yaml", text)
        program = compile_game(file, lambda name, span: None, schema("game"), diagnostics)
        render.text(diagnostics)
        if program is None:
            first = [each for each in diagnostics if each.severity == "error"][0]
            return f"{first.code}: {first.message[:90]}"
        programs.append(program)
        return "ok"

    def started(machine):
        def work():
            try:
                match = Game(programs[0], "hostile").start(players=programs[0].most, seed=1, machine=machine)
                match.decision
                return "ok"
            except RuleFault as fault:
                return f"fault: {fault.message}"
            except NoCompiledMachine as error:
                return str(error)[-60:]
        return work

    def playing():
        try:
            from lawspeaker.machines.compiled.compiler import compile_module
            from lawspeaker.position.layout import layout_for
            from lawspeaker.machines.compiled.instance import Instance
            compiled = compile_module(layout_for(programs[0], programs[0].most), stepping=False)
            Instance(compiled)
            return "ok"
        except NoCompiledMachine as error:
            return str(error)[-60:]

    part("check", check)
    if programs:
        part("reference", started("reference"))
        part("wasm", started("wasm"))
        part("playing", playing)


def tried(text: str, seconds: int = SECONDS) -> dict:
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))
        used = int(time.process_time())
        resource.setrlimit(resource.RLIMIT_CPU, (used + seconds, used + seconds + 1))
        found = {}

        def told(more):
            os.write(write, json.dumps(more).encode() + b"\n")
        try:
            measured(text, told)
        except BaseException as error:
            told({"error": f"{type(error).__name__}: {str(error)[:200]}"})
        told({"memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10})
        os._exit(0)
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as lines:
        found = {}
        for line in lines:
            found |= json.loads(line)
    _, status, used = os.wait4(child, 0)
    found["cpu"] = round(used.ru_utime + used.ru_stime, 1)
    found["memory"] = used.ru_maxrss >> 10
    if status:
        found["killed"] = status
    return found


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--size", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=SECONDS)
    parser.add_argument("--out", default="")
    parser.add_argument("--old", action="store_true")
    options = parser.parse_args()
    grammar()
    kinds = [(kind.__name__, kind) for kind in hostile.KINDS] if options.old else hostile_forms.kinds()
    for name, kind in kinds:
        if options.only not in name:
            continue
        text = kind(options.size)
        found = {"name": name, "size": len(text), **tried(text, options.seconds)}
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
