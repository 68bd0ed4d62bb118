"""Functions in the middle form, run as WebAssembly."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import wasmtime

from lawspeaker.machines.compiled.compile.binary import PAGE
from lawspeaker.machines.compiled.compile.compiler import encoded
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import Function, Type
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.passes import simplified

Build = Callable[..., None]


def build_into(function: Function, build: Build) -> None:
    """What a function does; what it is given is called a, b, c and so on."""
    body = Body(function.results)
    build(body, *(body.parameter(chr(97 + at), of) for at, of in enumerate(function.parameters)))
    function.given, function.body = tuple(body.parameters), body.statements


def function_of(build: Build, parameters: Sequence[Type], results: Sequence[Type]) -> Function:
    """A function as it is built."""
    made = Function("f", parameters, results)
    build_into(made, build)
    return made


def run_all(
    builds: Sequence[Build],
    parameters: Sequence[Type],
    results: Sequence[Type],
    given: Sequence[Sequence[float]],
    module: Module | None = None,
) -> list[list[object]]:
    """What each of some functions gives back for each row of what it is given."""
    module = module or Module()
    module.bytes = PAGE
    for number, build in enumerate(builds):
        function = module.function(f"run{number}", parameters, results)
        build_into(function, build)
        function.body = simplified(function.body)
        module.exports[function.name] = function
    engine = wasmtime.Engine()
    store = wasmtime.Store(engine)
    code = encoded(module, inlined=False)
    instance = wasmtime.Instance(store, wasmtime.Module(engine, code), [])
    found = []
    for name in module.exports:
        function_there = instance.exports(store)[name]
        assert isinstance(function_there, wasmtime.Func)
        found.append([function_there(store, *row) for row in given])
    return found


def run(
    build: Build,
    parameters: Sequence[Type],
    results: Sequence[Type],
    *given: float,
    module: Module | None = None,
) -> object:
    """What a function gives back."""
    return run_all([build], parameters, results, [given], module)[0][0]
