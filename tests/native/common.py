"""Shared by tests of generated C: whether a compiler is there, and games to compile."""

from __future__ import annotations

from functools import cache

import pytest

from lawspeaker.machines.compiled import Compiled, Instance, formed
from lawspeaker.machines.compiled.compile.compiler import encoded
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.purpose import WATCHING
from lawspeaker.outside import native
from lawspeaker.outside.loading import load
from lawspeaker.position.layout import Layout

QUICKLY = ("-O1", *native.FLAGS[1:])
"""A test compiles more than it plays."""


def needs_compiler() -> None:
    try:
        native.compiler()
    except native.NoCompiler as error:
        pytest.skip(str(error))


@cache
def _made(name: str, players: int) -> tuple[Compiled, Module]:
    layout = Layout(load(name).program, players)
    compiled, form = formed(layout, WATCHING)
    compiled.code = encoded(form, inlined=True)
    return compiled, form


def module(name: str, players: int) -> Compiled:
    return _made(name, players)[0]


def forms(name: str, players: int) -> Module:
    """The same module in the middle form."""
    return _made(name, players)[1]


@cache
def wanted(name: str, players: int, seed: int, first: int, count: int) -> bytes:
    """The records of the compiled machine."""
    return b"".join(Instance(module(name, players)).records(seed, first, count))
