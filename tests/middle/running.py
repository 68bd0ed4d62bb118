"""Functions in the middle form, run as WebAssembly."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import wasmtime

from lawspeaker.machines.compiled import writer
from lawspeaker.machines.compiled.binary import PAGE, Module
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import Type

Build = Callable[..., None]


def body_of(build: Build, parameters: Sequence[Type], results: Sequence[Type]) -> Body:
    """A function as it is built; what it is given is called a, b, c and so on."""
    body = Body(results)
    build(body, *(body.parameter(chr(97 + at), type) for at, type in enumerate(parameters)))
    return body


def run_all(
    builds: Sequence[Build],
    parameters: Sequence[Type],
    results: Sequence[Type],
    given: Sequence[Sequence[float]],
) -> list[list[object]]:
    """What each of some functions gives back for each row of what it is given."""
    module = Module()
    module.bytes = PAGE
    for number, build in enumerate(builds):
        b = module.function(f"run{number}", parameters, results)
        writer.write(body_of(build, parameters, results), b)
        module.exports[b.name] = b
    engine = wasmtime.Engine()
    store = wasmtime.Store(engine)
    instance = wasmtime.Instance(store, wasmtime.Module(engine, module.encode()), [])
    found = []
    for name in module.exports:
        function = instance.exports(store)[name]
        assert isinstance(function, wasmtime.Func)
        found.append([function(store, *row) for row in given])
    return found


def run(build: Build, parameters: Sequence[Type], results: Sequence[Type], *given: float) -> object:
    """What a function gives back."""
    return run_all([build], parameters, results, [given])[0][0]
