"""What tests of written C share: the compiler, if there is one, and games to play."""

from __future__ import annotations

from functools import cache

import pytest

from lawspeaker.machines.compiled import Compiled, Instance, compile_module
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
def module(name: str, players: int) -> Compiled:
    return compile_module(Layout(load(name).program, players), stepping=False, watching=True)


@cache
def wanted(name: str, players: int, seed: int, first: int, count: int) -> bytes:
    """The records of the compiled machine."""
    return b"".join(Instance(module(name, players)).records(seed, first, count))
