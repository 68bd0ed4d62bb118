"""Faults of the rules as a way to learn what is hidden, and texts that count what a seat cannot
know: twins find the former and see nothing of the latter."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import lawspeaker
from lawspeaker.faces.cli import app
from lawspeaker.faces.seat_output import ALL_CHANNELS
from lawspeaker.faces.web.scene import Teller
from lawspeaker.machines.reference.machine import machine_for
from lawspeaker.match.match import Match
from lawspeaker.match.undo import Barrier, barrier
from lawspeaker.study.secrets.api_output import OutputChannel
from lawspeaker.study.secrets.trial import LeakSearch, SecretFindings, TrialTable
from lawspeaker.telling.labels import Labels
from tests.secrets.findings import (
    ASKED,
    COMPONENTS,
    FAULTS,
    UNASKED,
    asked_first,
    faulting,
    indented,
)
from tests.secrets.leaking import overheard

FEW_STEPS = 20_000
ANN, BEN = 0, 1


def tried(
    program: lawspeaker.ir.Program,
    seeds: range,
    channels: tuple[OutputChannel, ...] = (),
    moments: int = 4,
) -> SecretFindings:
    trial = LeakSearch(program, 3, channels)
    for seed in seeds:
        trial.game(TrialTable(3, seed, ("reference",)), moments)
    return trial.findings


@pytest.mark.parametrize("name", [*FAULTS, "always"])
def test_answers_that_fault_only_where_something_is_hidden_are_a_leak(name: str) -> None:
    program = faulting(name)
    if name == "budget":
        machine_for(program, 3).budget = FEW_STEPS
    found = tried(program, range(1, 5))
    assert {each.difference.channel for each in found.leaks} == {"fault"}
    assert {each.clause for each in found.leaks} == {"test"}
    assert ANN in {each.seat for each in found.leaks}
    assert BEN not in {each.seat for each in found.leaks}, "to ben his own card is no secret"
    texts = {text for each in found.leaks for text in (each.difference.one, each.difference.two)}
    assert all(each.endswith(("the rules fault", "the game goes on")) for each in texts)


def test_a_fault_that_hangs_on_nothing_hidden_is_no_leak() -> None:
    program = overheard(
        asked_first("let x be 1 / (number - 3) rounded down\nhidden_number becomes x")
    )
    found = tried(program, range(1, 5))
    assert not found.leaks
    assert {each.answer for each in found.faults} == {"3"}
    assert all("a division by zero" in each.fault for each in found.faults)


AT_ITS_START = "let x be 1 / (worth of ben - worth of ben) rounded down\nhidden_number becomes x"


def test_a_game_that_faults_at_its_start_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    program = overheard(COMPONENTS + UNASKED + indented(AT_ITS_START))
    game = lawspeaker.Game(program, "findings")
    monkeypatch.setattr("lawspeaker.faces.cli.secrets.game", lambda name: game)
    answer = CliRunner().invoke(app, ["secrets", "findings", "-n", "1"])
    assert answer.exit_code == 1, answer.output
    assert "at the start" in answer.output
    assert "a division by zero" in answer.output
    answer = CliRunner().invoke(app, ["secrets", "findings", "-n", "1", "--json"])
    assert answer.exit_code == 1
    (found,) = json.loads(answer.output)["players"]
    assert found["faults"][0]["answer"] == ""


# ---------------------------------------------------------------- texts read off the truth

ROLLED = """\
  rolling:
    says: R.
    rule: |
      ann scores worth of ben - worth of ben + worth of cy
  hidden_high:
    says: R.
    rule: |
      hidden_number becomes 1
  hidden_low:
    says: R.
    rule: |
      hidden_number becomes 2
"""
BARRED = (
    COMPONENTS
    + ASKED
    + indented(
        "ann must choose number in 1..2\ndo rolling\n"
        "if worth of ben > 3: do hidden_high\nelse: do hidden_low"
    )
    + ROLLED
)


def test_what_keeps_a_seat_from_going_back_names_no_clause_that_was_done_in_secret() -> None:
    program = overheard(BARRED)
    found = set()
    for seed in range(1, 9):
        match = Match(program, 3, seed)
        match.choose("1")
        found.add(barrier(match, ANN))
    assert found == {Barrier(0, "rolling", "told")}


SILENT = "ann must choose number in 1..2\nif worth of ben > 3: move a card in vault to nook of ben"
HIDDEN_PLACES = """\
  vault: {holds: card, seen by: nobody, count seen by: nobody}
  nook: {of each: player, holds: card, seen by: owner, count seen by: owner}
"""


def test_what_was_shown_in_secret_makes_no_difference_to_going_back() -> None:
    """Ben gets a card where nobody else can count them, if he holds a high one."""
    rules = COMPONENTS.replace("  pile: {", HIDDEN_PLACES + "  pile: {", 1)
    rules = rules.replace("do test", "draw 1 cards from deck to vault\n      do test")
    undo = tuple(each for each in ALL_CHANNELS if each.name == "undo")
    every = (OutputChannel("undo", undo[0].text),)
    found = tried(overheard(rules + ASKED + indented(SILENT)), range(1, 9), every)
    assert not found.leaks, found.leaks[0]
    assert found.compared["undo"].looks


COUNTED = """\
public_number becomes 2
draw card from deck to pile
if worth of ben > 3: hidden_number becomes 1
move a pawn in box to square(1)
"""


RULES = {"barred": BARRED, "counted": COMPONENTS + UNASKED + indented(COUNTED)}


@pytest.mark.full
@pytest.mark.parametrize("name", RULES)
def test_texts_count_only_what_a_seat_knows(name: str) -> None:
    every = tuple(
        OutputChannel(each.name, each.text) for each in ALL_CHANNELS if each.name != "hint"
    )
    found = tried(overheard(RULES[name]), range(1, 4), every, moments=3)
    assert not found.leaks, found.leaks[0]
    assert all(each.looks for name, each in found.compared.items() if name != "puzzle")


def test_the_first_lines_count_only_what_a_seat_knows() -> None:
    """Whether ben holds a high card, and so whether a hidden marker was set, changes no line."""
    program = overheard(RULES["counted"])
    high: dict[bool, set[str]] = {True: set(), False: set()}
    for seed in range(1, 9):
        match = Match(program, 3, seed)
        (shown,) = match.table()["places"]["pile"]["pieces"]
        (held,) = match.table()["places"]["hand ben"]["pieces"]
        teller = Teller(match, ANN, "en", match.machine.layout)
        (_, lines), *_ = teller.told(0, Labels(match.view(ANN)))
        told = " / ".join(line.text for line in lines).replace(shown, "card")
        high[held in ("four", "five", "six")].add(told)
    assert len(high[True]) == 1
    assert high[True] == high[False]


def test_who_has_answered_in_secret_is_not_told_by_a_refusal() -> None:
    rules = (
        COMPONENTS.replace("do ending", "do choosing\n      do ending")
        + ASKED
        + indented("ann must choose number in 1..2")
        + (
            '  choosing:\n    says: All choose.\n    asks: "Pick."\n    rule: |\n'
            "      each player secretly must offer_up: few\n"
        )
    )
    found = []
    for other in (BEN, 2):
        match = Match(overheard(rules), 3, 1)
        match.choose("1")
        match.choose("offer_up 4", seat=other)
        found.append(barrier(match, ANN))
    assert found[0] == found[1] == Barrier(1, "choosing", "secret")
