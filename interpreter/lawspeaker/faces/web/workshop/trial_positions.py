"""Positions in which rules are tried: a game between players who do anything, up to some reply."""

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
from lawspeaker.position.luck import Luck
from lawspeaker.study.compare.lockstep import Manner, Reply, some_reply

WITHIN = NAME
LONGEST = 2_000
"""So many replies of a game can be stepped through."""

Files = tuple[RuleFile, ...]
Tellings = tuple[tuple[str, Files], ...]
"""Versions of a game, by their names."""


@dataclass(frozen=True, slots=True)
class Place:
    """So many players and this seed, after so many replies."""

    players: int
    seed: int
    replies: int


_latest: deque[ir.Program] = deque(maxlen=4)


def _sharing(program: ir.Program) -> ir.Program:
    """A program with the things of another one, where they are the same: numbering and naming
    what is on a large table takes longer than reading a rule that was changed."""
    for known in _latest:
        if all(getattr(program, name) == getattr(known, name) for name in THINGS):
            return replace(program, **{name: getattr(known, name) for name in THINGS})
    _latest.append(program)
    return program


@lru_cache(maxsize=16)
def compiled(files: Files) -> tuple[ir.Program | None, Diagnostics]:
    """The program of some rules, and what is to be said about them; the last few are kept."""
    diagnostics = Diagnostics()
    program = compile_bundle(files, diagnostics, WITHIN)
    if program is None or diagnostics.has_errors:
        return None, diagnostics
    return _sharing(program), diagnostics


def program_of(files: Files) -> ir.Program:
    """The program of rules that are known to be sound; raises RulesError."""
    program, diagnostics = compiled(files)
    if program is None:
        raise RulesError(diagnostics)
    return program


@lru_cache(maxsize=64)
def played(files: Files, players: int, seed: int) -> tuple[Reply, ...]:
    """All replies of a game in which everyone does anything, rather than nothing."""
    replies: list[Reply] = []
    try:
        match = Match(program_of(files), players, seed)
        luck = Luck(seed).stream("workshop")
        while len(replies) < LONGEST:
            reply = some_reply(match, luck, Manner.EAGER)
            if reply is None:
                break
            match.choose(reply.text, seat=reply.seat)
            replies.append(reply)
    except RuleFault:
        pass  # it can be stepped through up to where the rules have a hole
    return tuple(replies)
