"""Tells which games can be played by mail, with the whole game in a link.

The link reveals the rules, the seed and every reply. So the game may have nothing hidden and no
chance, or its next card could be looked up. The checker has determined who sees each place, and
which statements involve chance.
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.ir.walk import everything
from lawspeaker.study.secrets.trial import hides


def needs_server(program: ir.Program) -> str:
    """Returns why a game cannot be played by mail: `hidden` or `luck`; empty if it can."""
    if hides(program):
        return "hidden"
    statements = everything(tuple(clause.body for clause in program.clauses))
    return (
        "luck"
        if any(isinstance(statement, ir.Shuffle | ir.Pick) for statement in statements)
        else ""
    )
