"""Which games can be played by mail, with the whole game in a link.

Whoever has the link has the game: its rules, its luck and every reply. So nothing may be hidden in
it, and nothing may come by chance, or its next card could be looked up. The checker knows: it has
told of every place who sees it, and of every deed whether it is chance.
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.ir.walk import everything
from lawspeaker.study.secrets.trial import hides


def needs_server(program: ir.Program) -> str:
    """Why a game cannot be played by mail: `hidden` things, or `luck`; empty if it can."""
    if hides(program):
        return "hidden"
    deeds = everything(tuple(clause.body for clause in program.clauses))
    return "luck" if any(isinstance(deed, ir.Shuffle | ir.Pick) for deed in deeds) else ""
