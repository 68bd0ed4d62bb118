"""Writes a witness as a scenario file that tests one ruleset.

The file sets up the position, gives the replies, and asserts the questions and options, or the
position and points, as far as the rulesets differ. It is returned only if it passes under its
ruleset and fails under the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.machines.reference import RuleFault
from lawspeaker.match.decision import IllegalChoice
from lawspeaker.match.match import Match
from lawspeaker.position.layout import Layout
from lawspeaker.study.compare.lockstep import (
    ASKED,
    OFFERED,
    SETUP,
    PendingQuestion,
    Reply,
    pending_questions,
)
from lawspeaker.study.compare.position_setup import PlayStart, contents_texts, place_text, staged
from lawspeaker.study.compare.ruleset import Ruleset
from lawspeaker.study.compare.witness import Rulebooks, Witness
from lawspeaker.study.compare.yaml_writer import document
from lawspeaker.study.scenario import read, run
from lawspeaker.text.schema import Schema

Data = dict[str, Any]
NOT_THERE = "not there"
MOST_OFFERED = 12


def scenario(
    witness: Witness,
    ruleset: Ruleset,
    rules: Rulebooks,
    about: tuple[str, str],
    schema: Schema,
) -> str | None:
    """The text of a scenario for one of two rulesets.

    `about` is a title and a sentence. None if it would not pass, or would pass under both.
    """
    own, first = ruleset.program, rules.first
    if witness.divergence.sort == SETUP:
        rules = rules.with_their_boxes()
    other = rules.other if own is first else rules.one
    match, rival, one, alone = (
        _replayed(each, witness.stage, witness.replies)
        for each in (own, other, rules.one, rules.alone)
    )
    if match is None or rival is None or one is None or alone is None:
        return None
    meant = {*_outcome(one, alone), *_outcome(alone, one)}
    data = _data(witness, ruleset.name, about, match, rival, meant)
    for seed in ({}, {"seed": witness.stage.seed}):
        text = document(_in_order({**data, **seed}))
        if _passes(text, own, schema):
            return None if _passes(text, other, schema) else text
    return None


def _passes(text: str, program: ir.Program, schema: Schema) -> bool:
    diagnostics = Diagnostics()
    found = read(SourceFile("witness.yaml", text), schema, diagnostics)
    return found is not None and run(found, program).passed


def _replayed(program: ir.Program, stage: PlayStart, replies: Sequence[Reply]) -> Match | None:
    match = staged(program, stage)
    try:
        for reply in replies if match is not None else ():
            assert match is not None
            match.choose(reply.text, seat=reply.seat)
    except (IllegalChoice, RuleFault):
        return None
    return match


def _data(
    witness: Witness,
    name: str,
    about: tuple[str, str],
    match: Match,
    rival: Match,
    meant: set[str],
) -> Data:
    stage, divergence, program = witness.stage, witness.divergence, match.program
    data: Data = {"scenario": about[0], "game": name, "players": stage.players}
    if about[1]:
        data["about"] = about[1]
    if stage.situation:
        data["situation"] = stage.situation
    if stage.do is not None:
        data["do"] = stage.do
    steps = _steps(program, stage, witness.replies)
    last: Data = {}
    if match.decision is not None:
        last["asks"] = _asks(program, pending_questions(match))
    if divergence.sort == OFFERED:
        last.update(_offers(match, rival))
    elif divergence.sort != ASKED:
        # Chance after a reply is resolved only when the next step begins.
        (last if steps else data).update(_expected(match, rival, meant))
    if last:
        steps.append(last)
    if steps:
        data["steps"] = steps
    return data


def _steps(program: ir.Program, stage: PlayStart, replies: Sequence[Reply]) -> list[Data]:
    match = staged(program, stage)
    assert match is not None
    steps: list[Data] = []
    for reply in replies:
        now = pending_questions(match)
        answer: Any = reply.text
        if len(now) > 1:
            answer = {program.player_names[reply.seat]: reply.text}
        steps.append({"asks": _asks(program, now), "answer": answer})
        match.choose(reply.text, seat=reply.seat)
    return steps


def _asks(program: ir.Program, now: Sequence[PendingQuestion]) -> Data:
    return {program.player_names[each.seat or 0]: each.clause for each in now}


def _offers(match: Match, rival: Match) -> Data:
    """Options here, and options only there with the guard that refuses them here."""
    names = match.program.player_names
    offers: Data = {}
    refuses: Data = {}
    here, there = pending_questions(match), pending_questions(rival)
    for own, other in zip(here, there, strict=True):
        name = names[own.seat or 0]
        only = [option for option in other.options if option not in own.options]
        offers[name] = list(own.options)
        refused = {option: _refusing(match, option, own.seat) for option in only}
        refused = {option: by for option, by in refused.items() if by is not None}
        if refused:
            refuses[name] = refused
    few = all(len(options) <= MOST_OFFERED for options in offers.values())
    found: Data = {}
    if few:
        found["offers"] = offers
    else:
        particular = {
            names[own.seat or 0]: [o for o in own.options if o not in other.options]
            for own, other in zip(here, there, strict=True)
        }
        found["offers among others"] = {name: each for name, each in particular.items() if each}
    if refuses:
        found["refuses"] = refuses
    if len(here) == 1:
        found = {key: next(iter(value.values())) for key, value in found.items() if value}
    return found


def _refusing(match: Match, option: str, seat: int | None) -> str | None:
    """The guard that refuses; None for a choice that cannot be expressed here."""
    refusal = match.why_not(option, seat)
    if refusal.guard is None:
        return NOT_THERE if refusal.span.known else None
    return refusal.guard.name


def _expected(match: Match, rival: Match, meant: set[str]) -> Data:
    """Expected final position: the parts that differ because of the difference."""
    then = {key: value for key, value in _outcome(match, rival).items() if key in meant}
    scores = {key: then.pop(key) for key in list(then) if key in match.program.player_names}
    found: Data = {}
    if scores or then:
        found["then"] = {**({"scores": scores} if scores else {}), **then}
    if match.state.ended == "over" and match.winners != rival.winners:
        found["winners"] = [match.program.player_names[seat] for seat in match.winners]
    return found


def _outcome(match: Match, rival: Match) -> Data:
    """Contents, markers and points that differ from the rival's."""
    here, there = _standing(match), _standing(rival)
    return {key: value for key, value in here.items() if there.get(key) != value}


def _standing(match: Match) -> Data:
    layout = match.machine.layout
    found: Data = dict(zip(match.program.player_names, match.scores, strict=False))
    found.update(_markers(match, layout))
    for place in range(len(layout.place_family)):
        held = contents_texts(layout, match.state, place)
        found[place_text(layout, place)] = held[0] if len(held) == 1 else held or "empty"
    return found


def _markers(match: Match, layout: Layout) -> dict[str, str]:
    return {
        entry.text: layout.text(entry.type, value)
        for entry, value in zip(layout.markers, match.state.markers, strict=True)
    }


def _in_order(data: Data) -> Data:
    keys = ("scenario", "game", "players", "about", "seed", "situation", "do", "steps")
    return {**{key: data[key] for key in keys if key in data}, **data}
