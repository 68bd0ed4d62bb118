"""Random functions in the middle form, the same for the same seed, and all that a run shows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from random import Random

import wasmtime

from lawspeaker.machines.compiled.compile.binary import PAGE
from lawspeaker.machines.compiled.compile.compiler import encoded
from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import (
    I32,
    Expr,
    Function,
    Global,
    Label,
    Variable,
    const,
    either,
    select,
    word,
)
from lawspeaker.machines.middle.module import Module

SEEN = 256
"""Memory that is read and written."""
FUEL = 100_000
ROWS = ((0, 0), (1, 5), (-3, 2), (7, -1))
"""What the last function is given."""
Outcome = tuple[object, object, bytes]
_TOLD = 12
"""So many variables of each function are added up in memory behind that."""
_TRAPPING = 1 << 30
"""No address of memory."""


def random_module(seed: int) -> Module:
    """A module of a few functions, each of which may call those before it. They read and write
    memory, share a variable, divide by what may be 0, read at addresses that may not be there,
    stop, and go through loops that come to an end. `run` and `shared` are its doors."""
    random, module = Random(seed), Module()
    module.bytes = PAGE
    shared = module.variable("shared", I32, 3)
    before: list[Function] = []
    for number in range(4):
        results = (I32,) if number == 3 else random.choice([(), (I32,), (I32,), (I32, I32)])
        function = module.function(f"f{number}", (I32, I32), results)
        f = Body(results)
        given = [f.parameter("a", I32), f.parameter("b", I32)]
        _Writer(random, f, shared, before, given).whole(results, 3 if number == 3 else 2)
        function.given, function.body = tuple(f.parameters), f.statements
        before.append(function)
    module.exports["run"] = before[-1]
    told = module.exports["shared"] = module.function("shared", (), (I32,))
    f = Body((I32,))
    f.return_(shared)
    told.body = f.statements
    return module


class _Writer:
    def __init__(
        self,
        random: Random,
        f: Body,
        shared: Global,
        functions: Sequence[Function],
        variables: list[Variable],
    ) -> None:
        self.random = random
        self.f = f
        self.shared = shared
        self.functions = functions
        self.variables = variables
        self.labels: list[Label] = []

    def whole(self, results: Sequence[str], depth: int) -> None:
        self.results = len(results)
        unset = self.f.variable("unset")  # is 0 until something is set
        self.variables.append(unset)
        for _ in range(depth):
            self.some(depth)
        for at, each in enumerate(self.variables[:_TOLD]):
            self.f.set(word(SEEN + 4 * at), each + word(SEEN + 4 * at))
        self.give_back()

    def give_back(self) -> None:
        self.f.return_(*(self.expr(2) for _ in range(self.results)))

    def some(self, depth: int) -> None:
        for _ in range(self.random.randint(1, 4)):
            self.one(depth)

    def one(self, depth: int) -> None:
        f, random = self.f, self.random
        plain: list[Callable[[], None]] = [
            lambda: f.set(random.choice(self.variables), self.expr(2)),
            lambda: self.variables.append(f.let("x", self.expr(2))),
            lambda: f.set(word(self.address()), self.expr(2)),
            lambda: f.set(self.shared, self.expr(1)),
            self.call,
            self.call,
        ]
        nested = [self.if_, self.block, self.loop, self.leave, self.end]
        if depth and random.random() < 0.4:
            random.choice(nested)(depth)
        else:
            random.choice(plain)()

    def inside(self, opened: AbstractContextManager[object], depth: int) -> None:
        known = len(self.variables)
        with opened:
            self.some(depth - 1)
        if self.random.random() < 0.7:  # else what is set there is read behind it
            del self.variables[known:]

    def if_(self, depth: int) -> None:
        self.inside(self.f.if_(self.expr(2)), depth)
        if self.random.random() < 0.6:
            self.inside(self.f.else_(), depth)

    def block(self, depth: int) -> None:
        with self.f.block() as label:
            self.labels.append(label)
            self.some(depth - 1)
            self.labels.pop()

    def loop(self, depth: int) -> None:
        """At most a few rounds."""
        f = self.f
        rounds = f.let("rounds", 0)
        with f.loop() as label:
            f.leave(label, rounds >= self.random.randint(1, 3))
            f.add(rounds, 1)
            self.labels.append(label)
            self.some(depth - 1)
            self.labels.pop()
            if self.random.random() < 0.3:
                f.again(label, self.expr(1))

    def leave(self, depth: int) -> None:
        if self.labels:
            self.f.leave(self.random.choice(self.labels), self.expr(1))

    def end(self, depth: int) -> None:
        with self.f.if_(self.expr(2) == self.expr(1)):
            if self.random.random() < 0.5:
                self.give_back()
            else:
                self.f.stop()

    def call(self) -> None:
        if not self.functions:
            return
        called = self.random.choice(self.functions)
        into = [self.f.variable("got") for _ in called.results]
        if self.random.random() < 0.3:
            into = []
        self.f.do(called, self.expr(1), self.expr(1), into=into)
        self.variables += into

    def address(self) -> Expr:
        found = (self.expr(1) & SEEN // 4 - 1) << 2
        return found | (self.expr(1) & _TRAPPING) if self.random.random() < 0.03 else found

    def expr(self, depth: int) -> Expr:
        random = self.random
        if depth == 0:
            return random.choice([*self.variables, self.shared, const(random.randint(-2, 9))])
        one, other = self.expr(depth - 1), self.expr(depth - 1)
        match random.randrange(14):
            case 0:
                return one + other
            case 1:
                return one - other
            case 2:
                return one & other
            case 3:
                return one == other
            case 4:
                return one < other
            case 5:
                return (one.to_long(signed=True) * other.to_long()).to_word()
            case 6:
                return one // (other if random.random() < 0.05 else other & 7 | 1)
            case 7 | 8:
                return word(self.address())
            case 9:
                return select(one, self.expr(0), self.expr(0))  # none of both may do anything
            case 10:
                return either(one, other, self.expr(depth - 1))
            case 11 | 12:
                single = [each for each in self.functions if len(each.results) == 1]
                return random.choice(single)(one, other) if single else one
        return one


def outcomes(module: Module) -> list[Outcome]:
    """For each row of what is given: what comes back or how it stops, what the functions share and
    what lies in memory then."""
    config = wasmtime.Config()
    config.consume_fuel = True
    engine = wasmtime.Engine(config)
    compiled = wasmtime.Module(engine, encoded(module, inlined=False))
    return [_outcome(engine, compiled, row) for row in ROWS]


def counts(outcome: Outcome) -> bool:
    """Whether a pass has to keep this: a run that comes to an end, or to a `stop`. Where the
    machine itself stops, by a division by 0 or an address outside memory, a pass may go on."""
    return isinstance(outcome[0], int) or outcome[0] is wasmtime.TrapCode.UNREACHABLE


def _outcome(engine: wasmtime.Engine, compiled: wasmtime.Module, row: Sequence[int]) -> Outcome:
    store = wasmtime.Store(engine)
    store.set_fuel(FUEL)
    instance = wasmtime.Instance(store, compiled, [])
    run, shared, memory = (instance.exports(store)[each] for each in ("run", "shared", "memory"))
    assert isinstance(run, wasmtime.Func)
    assert isinstance(shared, wasmtime.Func)
    assert isinstance(memory, wasmtime.Memory)
    try:
        back = run(store, *row)
    except wasmtime.Trap as trap:
        back = trap.trap_code
    store.set_fuel(FUEL)
    return back, shared(store), bytes(memory.read(store, 0, SEEN + 4 * _TOLD))
