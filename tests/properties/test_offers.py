"""What is offered is what a plain enumeration of the guards allows, neither more nor less."""

from __future__ import annotations

from math import prod

import pytest

from lawspeaker import ir
from lawspeaker.ir.types import PlaceType
from lawspeaker.ir.walk import everything
from lawspeaker.match.decision import Decision, IllegalChoice, Option
from lawspeaker.match.match import Match
from lawspeaker.position.layout import Layout
from tests.meaning.meaning import Meaning, allowed, choices, sayable, slots_of
from tests.properties.tables import Table, every_manner, every_table, play, start

EVERY = 7
"""Each so many decisions are tried out: a number out of step with turns, so that all come up."""

MOST = 60
"""Of more options than these, every so many are tried out."""

MOST_WAYS = 200_000

SEEDS = {"quick": range(31, 35), "discreet": range(35, 37)}
"""Discretion adds questions but changes none, so that a few games show those that are added."""


@every_manner
def test_what_is_offered_is_what_the_guards_allow(table: Table, discretion: str) -> None:
    for seed in SEEDS[discretion]:
        match = start(table, seed, discretion=discretion)
        asked = 0
        for _ in play(match, seed):
            # Those who are still asked have been looked at together with who has answered.
            if len(match.decisions) >= asked:
                check_offers(match)
            asked = len(match.decisions)


def supposes(ask: ir.Ask) -> bool:
    """Whether guards suppose whole clauses. To do that plainly for each place of a board takes
    minutes; tests/compiled/test_supposing.py does it on small tables."""
    return any(isinstance(node, ir.SupposingDone) for node in everything(ask))


def ways(layout: Layout, ask: ir.Ask) -> int:
    """How many combinations of places could be said if all were allowed."""
    return sum(
        prod(
            len(layout.domain(part.binder.type))
            for part in each.parts
            if isinstance(part.binder.type, PlaceType) and not part.several
        )
        for each in ask.alternatives
    )


def check_offers(match: Match) -> None:
    """Holds what is offered against what the guards allow; a path of many steps goes more ways than
    can be gone through."""
    for decision in match.decisions:
        setting = decision.setting
        assert setting.ask is not None
        assert decision.seat is not None
        if supposes(setting.ask) or ways(match.machine.layout, setting.ask) > MOST_WAYS:
            continue
        allowed = choices(match.machine.layout, match.state, setting.ask, decision.seat)
        wanted = {Option(setting, reply).text for reply in allowed}
        offered = [option.text for option in decision.options]
        assert len(set(offered)) == len(offered), "two options say the same"
        if decision.may:
            wanted.add("pass")
            assert offered[-1] == "pass"
        assert set(offered) == wanted


@every_table
def test_what_is_offered_is_taken(table: Table) -> None:
    match = start(table, 33)
    for number, _ in enumerate(play(match, 33)):
        if number % EVERY:
            continue
        decision = match.decision
        assert decision is not None
        for option in decision.options[:: 1 + len(decision.options) // MOST]:
            twin = match.copy()
            twin.choose(option.text, seat=decision.seat)
            assert twin.state.steps == match.state.steps + 1
            assert match.why_not(option.text, decision.seat).offered


@every_table
def test_what_is_not_offered_is_refused_by_a_guard(table: Table) -> None:
    match = start(table, 34)
    for number, _ in enumerate(play(match, 34)):
        for decision in match.decisions if number % EVERY == 0 else ():
            offered = {option.text for option in decision.options}
            for text in sorted(refused(match, decision) - offered):
                before = match.state.canonical()
                with pytest.raises(IllegalChoice) as refusal:
                    match.choose(text, seat=decision.seat)
                assert refusal.value.guard is not None, text
                assert refusal.value.sentence
                assert refusal.value.citations or not match.program.sources
                assert match.state.canonical() == before


def refused(match: Match, decision: Decision) -> set[str]:
    """What can be said but is not allowed, with as many in a set as may be (at most a few)."""
    ask, seat = decision.setting.ask, decision.seat
    assert ask is not None
    assert seat is not None
    layout, state = match.machine.layout, match.state
    texts: set[str] = set()
    if supposes(ask):
        return texts
    for number, alternative in enumerate(ask.alternatives):
        meaning = Meaning(layout, state, slots_of(state, ask, seat))
        for values in sayable(meaning, alternative, 0):
            sizes_fit = all(
                part.least is None and part.most is None
                for part in alternative.parts
                if part.several
            )
            if sizes_fit and not allowed(meaning, alternative, values):
                texts.add(Option(decision.setting, (number, values)).text)
    return set(sorted(texts)[:40])
