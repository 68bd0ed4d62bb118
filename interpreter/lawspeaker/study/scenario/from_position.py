"""Begins a match in a position that is written in the notation of its game."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics, RulesError
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.machines.reference import machine_for
from lawspeaker.machines.reference.unforced import unforced_for
from lawspeaker.match.match import Match
from lawspeaker.study.notation.positions import situation
from lawspeaker.study.notation.squares import NoNotation, notation_of
from lawspeaker.study.scenario.references import Texts
from lawspeaker.study.scenario.setting import Setting


def match_at(
    program: ir.Program, text: str, players: int = 0, seed: int = 1, *, unforced: bool = True
) -> Match:
    """A match that goes on from a position; raises NoNotation.

    With `unforced`, it asks first even if there is only one answer.
    """
    notation = notation_of(program)
    if not notation.clause:
        raise NoNotation(f"{program.name} does not say by which clause a position is played on")
    found = next(each for each in program.clauses if each.id == notation.clause)
    program, clause = program.entering(found)
    machine = (unforced_for if unforced else machine_for)(program, players or program.fewest)
    state = machine.blank(seed)
    file, diagnostics = SourceFile("position", text), Diagnostics()
    whole = situation(machine.layout, text, Span(file, 0, len(text)))
    Setting(Texts(machine.layout, diagnostics), state).set_up(whole)
    if diagnostics.has_errors:
        raise NoNotation(diagnostics.sorted()[0].message) from RulesError(diagnostics)
    match = Match.from_state(program, state, machine)
    match.begin(clause, ())
    return match
