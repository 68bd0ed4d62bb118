"""Cached modules for sums, which run without importing the compiler (that import is slow).

A cache entry is a SHA-256, the addresses needed to run the module (`SumPlaces`), and its machine
code. Its key is a hash of the rules, the number of players and the version of wasmtime. The I/O
layer separates modules of different compiler versions.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from importlib.metadata import version
from typing import Protocol

from lawspeaker import ir
from lawspeaker.ir.cost import MOST_STEPS
from lawspeaker.machines.engine import engine, wasmtime
from lawspeaker.machines.identity import hash_of
from lawspeaker.machines.sum_host import AddsUp, SumPlaces, signed
from lawspeaker.position.fault import OutOfMemory

_SHA256 = hashlib.sha256().digest_size
_LENGTH = 8
_NEVER = 0x7FFFFFFF


class Bytes(Protocol):
    """Protocol for a store of bytes by name, see `ModuleCache`."""

    def get(self, name: str) -> bytes | None: ...

    def put(self, name: str, content: bytes) -> None: ...


def name_of(program: ir.Program, players: int) -> str:
    """Returns the cache key of a module. The digest of the rules is not enough: a choice may have
    been set to another value since."""
    parts = (program.digest, hash_of(program), str(players), version("wasmtime"), "sums")
    return hashlib.sha256("/".join(parts).encode()).hexdigest()


def keep(program: ir.Program, places: SumPlaces, native: bytes, cache: Bytes) -> None:
    told = json.dumps(asdict(places)).encode()
    content = len(told).to_bytes(_LENGTH, "little") + told + native
    cache.put(name_of(program, places.players), hashlib.sha256(content).digest() + content)


def kept(program: ir.Program, players: int, cache: Bytes) -> KeptSums | None:
    """Returns the cached module for a program, or None if it is missing, damaged or unreadable."""
    content = cache.get(name_of(program, players))
    if content is None or hashlib.sha256(content[_SHA256:]).digest() != content[:_SHA256]:
        return None
    start = _SHA256 + _LENGTH
    end = start + int.from_bytes(content[_SHA256:start], "little")
    try:
        module = wasmtime.Module.deserialize(engine(), content[end:])
    except wasmtime.WasmtimeError:
        return None
    return KeptSums(program, SumPlaces(**json.loads(content[start:end])), module)


class KeptSums(AddsUp):
    """A cached module for sums, instantiated with its own memory."""

    def __init__(
        self,
        program: ir.Program,
        places: SumPlaces,
        module: wasmtime.Module,
        budget: int = MOST_STEPS,
    ) -> None:
        self.program, self._places, self._module, self._budget = program, places, module, budget
        self._store = wasmtime.Store(engine())
        exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        memory, configure, simulate = (
            exports[each] for each in ("memory", "configure", "simulate")
        )
        assert isinstance(memory, wasmtime.Memory)
        assert isinstance(configure, wasmtime.Func)
        assert isinstance(simulate, wasmtime.Func)
        self._memory, self._simulate = memory, simulate
        configure(self._store, _NEVER, -1, 0, 0, budget)

    @property
    def sum_places(self) -> SumPlaces:
        return self._places

    def another(self) -> KeptSums:
        return KeptSums(self.program, self._places, self._module, self._budget)

    def play(self, seed: int, first: int, count: int) -> None:
        """Raises OutOfMemory when a game stops for any reason; the caller plays that game
        elsewhere."""
        fault = self._places.fault
        self._write(fault, bytes(4))
        try:
            self._simulate(self._store, signed(seed), first, count)
        except wasmtime.Trap as trap:
            told = any(self._read(fault, fault + 4))
            if not told and trap.trap_code is not wasmtime.TrapCode.STACK_OVERFLOW:
                raise
            raise OutOfMemory(self.program.name) from None

    def _read(self, start: int, end: int) -> bytes:
        return bytes(self._memory.read(self._store, start, end))

    def _write(self, at: int, content: bytes) -> None:
        self._memory.write(self._store, content, at)
