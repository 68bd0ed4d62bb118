"""Hash of those parts of a program that determine the compiled module."""

from __future__ import annotations

import hashlib

from lawspeaker import ir

_WHAT_COUNTS = (
    "counts",
    "player_names",
    "word_sets",
    "pieces",
    "families",
    "markers",
    "choices",
    "functions",
    "clauses",
    "main",
    "goal",
    "sides",
)
"""The attributes of a program that are compiled into a module."""


def hash_of(program: ir.Program) -> str:
    content = tuple(getattr(program, each) for each in _WHAT_COUNTS)
    return hashlib.sha256(repr(content).encode()).hexdigest()
