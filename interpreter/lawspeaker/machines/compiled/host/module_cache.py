"""Cache of compiled modules, so that a game is compiled once.

An entry is the engine's machine code for this computer. Its key consists of the rules, the number
of players, and the versions of this compiler and of the engine. A cache only stores bytes by name:
the I/O layer decides where. Entries have a checksum; a damaged one is compiled again.
"""

from __future__ import annotations

import hashlib
from importlib.metadata import version
from typing import Protocol

import wasmtime

from lawspeaker.ir.cost import MOST_STEPS
from lawspeaker.machines.compiled.compile.compiler import VERSION, compile_module, described
from lawspeaker.machines.compiled.host.instance import Instance
from lawspeaker.machines.engine import engine
from lawspeaker.machines.identity import hash_of
from lawspeaker.machines.purpose import Purpose
from lawspeaker.position.layout import Layout


class ModuleCache(Protocol):
    """Protocol for a store of bytes by name. Either method may fail harmlessly."""

    def get(self, name: str) -> bytes | None: ...

    def put(self, name: str, content: bytes) -> None: ...


def entry_name(layout: Layout, purpose: Purpose) -> str:
    """Returns the cache key of a module.

    The digest of the rules is not enough: a choice may have been set to another value since.
    """
    program = layout.program
    parts = (
        program.digest,
        hash_of(program),
        str(layout.players),
        str(purpose),
        VERSION,
        version("wasmtime"),
    )
    return hashlib.sha256("/".join(parts).encode()).hexdigest()


def instance_for(
    layout: Layout,
    purpose: Purpose,
    *,
    budget: int = MOST_STEPS,
    cache: ModuleCache | None = None,
) -> Instance:
    """Returns a module for a layout, from the cache or compiled now (and then cached)."""
    name = entry_name(layout, purpose)
    kept = None if cache is None else _opened(cache.get(name))
    if kept is not None:
        try:
            module = wasmtime.Module.deserialize(engine(), kept)
            known = described(layout, purpose)
            return Instance(known, module, budget)
        except wasmtime.WasmtimeError:
            pass
    compiled = compile_module(layout, purpose)
    module = wasmtime.Module(engine(), compiled.code)
    if cache is not None:
        cache.put(name, _packed(bytes(module.serialize())))
    return Instance(compiled, module, budget)


def _packed(native: bytes) -> bytes:
    return hashlib.sha256(native).digest() + native


def _opened(kept: bytes | None) -> bytes | None:
    """Returns the content of an entry, or None if it is missing or damaged."""
    if kept is None or hashlib.sha256(kept[32:]).digest() != kept[:32]:
        return None
    return kept[32:]
