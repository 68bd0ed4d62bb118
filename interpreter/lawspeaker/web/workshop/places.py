"""Positions in which rules are tried: a game between players who do anything, up to some reply."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from lawspeaker import ir
from lawspeaker.compare.parting import Reply, some_reply
from lawspeaker.diagnostics import Diagnostics, RulesError
from lawspeaker.loading import compile_bundle
from lawspeaker.luck import Luck
from lawspeaker.match import Match, RuleFault
from lawspeaker.source import RuleFile

WITHIN = "draft"
LONGEST = 2_000
"""So many replies of a game can be stepped through."""

Files = tuple[RuleFile, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """So many players and this seed, after so many replies."""

    players: int
    seed: int
    replies: int


@lru_cache(maxsize=16)
def compiled(files: Files) -> tuple[ir.Program | None, Diagnostics]:
    """The program of some rules, and what is to be said about them; the last few are kept."""
    diagnostics = Diagnostics()
    program = compile_bundle(files, diagnostics, WITHIN)
    return (None if diagnostics.has_errors else program), diagnostics


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
            reply = some_reply(match, luck, eager=True)
            if reply is None:
                break
            match.choose(reply.text, seat=reply.seat)
            replies.append(reply)
    except RuleFault:
        pass  # it can be stepped through up to where the rules have a hole
    return tuple(replies)
