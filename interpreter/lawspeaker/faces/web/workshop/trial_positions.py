"""Positions in which rules are tried: those of a game between random players."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from functools import lru_cache

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics, RulesError
from lawspeaker.base.source import RuleFile
from lawspeaker.match.match import Match, RuleFault
from lawspeaker.outside.bundle import NAME
from lawspeaker.outside.loading import compile_bundle
from lawspeaker.position.layout import THINGS
from lawspeaker.position.rng import RngFactory
from lawspeaker.study.compare.lockstep import Manner, Reply, some_reply

WITHIN = NAME
LONGEST = 2_000
"""Maximum number of replies of a game that can be stepped through."""

Files = tuple[RuleFile, ...]
Tellings = tuple[tuple[str, Files], ...]
"""Versions of a game, as pairs of name and files."""


@dataclass(frozen=True, slots=True)
class Place:
    """A position: the number of players, the seed, and the number of replies."""

    players: int
    seed: int
    replies: int


_latest: deque[ir.Program] = deque(maxlen=4)


def _sharing(program: ir.Program) -> ir.Program:
    """Reuses the declarations of an earlier program if they are equal.

    Numbering and naming the things of a large table takes longer than compiling a changed rule.
    """
    for known in _latest:
        if all(getattr(program, name) == getattr(known, name) for name in THINGS):
            return replace(program, **{name: getattr(known, name) for name in THINGS})
    _latest.append(program)
    return program


@lru_cache(maxsize=16)
def compiled(files: Files) -> tuple[ir.Program | None, Diagnostics]:
    """Compiles rules and returns their diagnostics, cached."""
    diagnostics = Diagnostics()
    program = compile_bundle(files, diagnostics, WITHIN)
    if program is None or diagnostics.has_errors:
        return None, diagnostics
    return _sharing(program), diagnostics


def program_of(files: Files) -> ir.Program:
    """Returns the program of rules that are known to compile; raises RulesError."""
    program, diagnostics = compiled(files)
    if program is None:
        raise RulesError(diagnostics)
    return program


@lru_cache(maxsize=64)
def played(files: Files, players: int, seed: int) -> tuple[Reply, ...]:
    """Plays a game with random replies that prefer acting over passing; returns all replies."""
    replies: list[Reply] = []
    try:
        match = Match(program_of(files), players, seed)
        luck = RngFactory(seed).stream("workshop")
        while len(replies) < LONGEST:
            reply = some_reply(match, luck, Manner.EAGER)
            if reply is None:
                break
            match.choose(reply.text, seat=reply.seat)
            replies.append(reply)
    except RuleFault:
        pass  # it can be stepped through up to the fault
    return tuple(replies)
