"""What is offered is what a plain enumeration of the guards allows, neither more nor less."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from lawspeaker import ir
from lawspeaker.ir.walk import everything
from lawspeaker.match.decision import Decision, IllegalChoice, Option
from lawspeaker.match.match import Match
from lawspeaker.position.rng import RngFactory, Stream
from tests.meaning.meaning import Meaning, Value, allowed, choices, sayable, slots_of, ways
from tests.properties.tables import Table, every_manner, every_table, pace, play, start
from tests.tiers import NIGHTLY

EVERY = 7
"""Each so many decisions are tried out: a number out of step with turns, so that all come up."""

MOST = 60
"""Of more options than these, every so many are tried out."""

MOST_WAYS = 1_000
"""What can be said in more ways than these is tried in some of them, which luck picks."""

MOST_REFUSED = 40
"""So many refusals of a question are looked at."""

SEEDS = {"quick": range(31, 35 if NIGHTLY else 33), "discreet": range(35, 37 if NIGHTLY else 36)}
"""Discretion adds questions but changes none, so that a few games show those that are added."""


@every_manner
def test_what_is_offered_is_what_the_guards_allow(table: Table, discretion: str) -> None:
    for seed in SEEDS[discretion]:
        match = start(table, seed, discretion=discretion)
        asked = 0
        for number, _ in enumerate(play(match, seed)):
            # Those who are still asked have been looked at together with who has answered.
            if len(match.decisions) >= asked and number % pace(table) == 0:
                check_offers(match)
            asked = len(match.decisions)


def supposes(ask: ir.Ask) -> bool:
    """Whether guards suppose whole clauses. To do that plainly for each place of a board takes
    minutes; tests/compiled/test_supposing.py does it on small tables."""
    return any(isinstance(node, ir.SupposingDone) for node in everything(ask))


def check_offers(match: Match) -> None:
    """Holds what is offered against what the guards allow."""
    for decision in match.decisions:
        setting = decision.setting
        assert setting.ask is not None
        assert decision.seat is not None
        if supposes(setting.ask):
            continue
        allowed = choices(match.machine.layout, match.state, setting.ask, decision.seat)
        offered = [option.text for option in decision.options]
        wanted = {_as_offered(Option(setting, reply).text, decision) for reply in allowed}
        assert len(set(offered)) == len(offered), "two options say the same"
        if decision.may:
            wanted.add("pass")
            assert offered[-1] == "pass"
        assert set(offered) == wanted


def _as_offered(text: str, decision: Decision) -> str:
    """The text as it is offered, if it is: members of a set stand in any order."""
    if any(option.text == text for option in decision.options):
        return text
    return next((option.text for option in decision.options if option.said_by(text)), text)


@every_table
def test_asking_early_refuses_no_more(table: Table) -> None:
    """What is worked out here asks guards as soon as it can, which is to make no difference."""
    match = start(table, 36)
    for _ in play(match, 36, most=2):
        for decision in match.decisions:
            ask, seat = decision.setting.ask, decision.seat
            assert ask is not None
            assert seat is not None
            for alternative in () if supposes(ask) else ask.alternatives:
                meaning = Meaning(
                    match.machine.layout, match.state, slots_of(match.state, ask, seat)
                )
                if is_much(meaning, alternative):
                    continue
                everything_said = list(sayable(meaning, alternative))
                wanted = [each for each in everything_said if allowed(meaning, alternative, each)]
                assert list(ways(meaning, alternative)) == wanted


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
        for decision in match.decisions if number % (EVERY * pace(table)) == 0 else ():
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
        for values in sayable_values(meaning, alternative):
            sizes_fit = all(
                part.least is None and part.most is None
                for part in alternative.parts
                if part.several
            )
            if sizes_fit and not allowed(meaning, alternative, values):
                texts.add(Option(decision.setting, (number, values)).text)
    return set(sorted(texts)[:: 1 + len(texts) // MOST_REFUSED])


def sayable_values(meaning: Meaning, alternative: ir.Alternative) -> Iterator[tuple[Value, ...]]:
    """What can be said of an alternative; where that is very much, some of it that luck picks."""
    if not is_much(meaning, alternative):
        yield from sayable(meaning, alternative)
        return
    luck = RngFactory(meaning.state.steps).stream("said")
    for _ in range(MOST_REFUSED):
        values = tuple(picked(meaning, alternative, luck))
        if len(values) == len(alternative.parts):
            yield values


def is_much(meaning: Meaning, alternative: ir.Alternative) -> bool:
    """Whether more can be said of an alternative than can be gone through."""
    return next(islice(sayable(meaning, alternative), MOST_WAYS, None), None) is not None


def picked(meaning: Meaning, alternative: ir.Alternative, luck: Stream) -> Iterator[Value]:
    """A member of each part, or some of its members, as far as there are any."""
    for part in alternative.parts:
        members = list(meaning.found(part.binder))
        if part.several:
            members = [tuple(each for each in members if luck.below(2))]
        if not members:
            return
        value = luck.choose(members)
        meaning.slots[part.set_slot if part.several else part.binder.slot] = value
        yield value
