"""A log says the game again: as text, as data, and played."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import lawspeaker
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.match.log import Log, RuleFile, from_json
from lawspeaker.match.log.fingerprints import DIGITS, fingerprinted
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compile_bundle, game_of, schema
from tests.library import game
from tests.log.tables import HERE, STICKS, a_log, a_match, changed_game, play, reread, sticks
from tests.properties.tables import Table, table_id, tables
from tests.tiers import SLOW, sample


@pytest.mark.parametrize("table", sample(tables(), test=3, full=2), ids=table_id)
def test_a_game_is_read_back_and_played_again(table: Table) -> None:
    name, players = table
    assert players, f"{name} cannot be loaded"
    most = 50 if name in SLOW else 250
    for discretion in ("quick", "discreet"):
        match = play(game(name).start(players, seed=5, discretion=discretion), 5, most)
        log = match.record()
        back, diagnostics = reread(log.text())
        assert not len(diagnostics)
        assert back == log
        again = game(name).replay(back)
        assert again.state.canonical() == match.state.canonical()
        assert again.events == match.events
        assert again.record().text() == log.text()


def test_the_text_is_canonical_and_a_reply_is_a_line() -> None:
    log = a_log()
    text = log.text()
    assert json.loads(text) == log.to_json()
    assert from_json(json.loads(text)).text() == text
    lines = text.splitlines()
    assert lines[0] == '{"lawspeaker_log": 1,'
    first = lines.index('"replies": [') + 1
    assert json.loads(lines[first].rstrip(",")) == log.replies[0].to_json()
    assert text.endswith("}\n")


def test_a_log_fits_its_schema() -> None:
    published = schema("log")
    jsonschema.Draft202012Validator.check_schema(published)
    for log in (a_log(), a_log(most=2, seats=()), a_match().record((), sticks().files)):
        jsonschema.validate(log.to_json(), published)


def test_what_a_log_holds() -> None:
    match = a_match()
    log = match.record(("human", "random"))
    assert (log.rules, log.digest) == ("./sticks.yaml", sticks().program.digest)
    assert (log.players, log.seats, log.seed) == (2, ("human", "random"), 7)
    assert log.result is not None
    assert log.result.scores == tuple(match.scores)
    assert log.result.winners == tuple(match.winners)
    assert len(log.replies) == len(match.replies)
    for number, reply in enumerate(log.replies):
        assert len(reply.print) == DIGITS * len(fingerprinted(match.events_of(number)))
        assert reply.clause == "turn"
    events = [match.events_of(None), *(match.events_of(at) for at in range(len(log.replies)))]
    assert [event for each in events for event in each] == match.events


def test_an_unfinished_game_goes_on_where_it_was() -> None:
    whole = a_match()
    cut = sticks().replay(a_log(most=2))
    assert cut.log()["replies"] == whole.log()["replies"][:2]
    assert "result" not in cut.log()
    for option in whole.replies[2:]:
        cut.choose(option.text, seat=option.setting.seat)
    assert cut.log() == whole.log()


def test_asked_luck_is_logged_as_replies_of_nobody() -> None:
    match = play(sticks().start(players=3, seed=1, chance="ask"), 3)
    log = match.record()
    assert {reply.seat for reply in log.replies} == {None, 0, 1, 2}
    assert sticks().replay(log).events == match.events


def test_only_a_game_from_its_start_can_be_logged() -> None:
    match = a_match(most=1)
    other = lawspeaker.Match.from_state(match.program, match.state)
    with pytest.raises(ValueError, match="from its start"):
        other.log()
    with pytest.raises(ValueError, match="2 seats"):
        match.log(seats=["human"])


def test_prints_do_not_hang_on_numbers(tmp_path: Path) -> None:
    """One more clause before all others changes no print."""
    more = "  rounds:\n    says: So many.\n    define: rounds\n    as: 9\n\n  game:\n"
    text = STICKS.replace("  game:\n", more).replace("at most 9 times", "at most rounds times")
    other = changed_game(STICKS, text, tmp_path)
    match = play(other.start(players=2, seed=7), 7)
    assert match.program.digest != sticks().program.digest
    assert match.record().replies == a_log().replies


# ---------------------------------------------------------------- which rules


def test_the_installed_rules_are_taken_while_they_are_the_same() -> None:
    diagnostics = Diagnostics()
    found = game_of(a_match().record((), sticks().files), diagnostics, Library(HERE, ()))
    assert found is not None
    assert found[1] == "installed"
    assert not len(diagnostics)


@pytest.mark.parametrize("gone", [False, True])
def test_a_bundle_opens_after_the_rules_have_changed(tmp_path: Path, gone: bool) -> None:
    log = a_match().record((), sticks().files)
    if not gone:
        changed_game("is: 3", "is: 2", tmp_path)
    diagnostics = Diagnostics()
    found = game_of(log, diagnostics, Library(tmp_path, ()))
    assert found is not None
    assert found[1] == "bundle"
    assert found[0].replay(log).state == a_match().state
    assert found[0].files == sticks().files


def test_without_a_bundle_the_change_is_said(tmp_path: Path) -> None:
    changed_game("is: 3", "is: 2", tmp_path)
    diagnostics = Diagnostics()
    found = game_of(a_log(), diagnostics, Library(tmp_path, ()))
    assert found is not None
    assert found[1] == "changed"
    assert [each.code for each in diagnostics] == ["log-differs"]
    assert not diagnostics.has_errors


def test_without_rules_there_is_no_game(tmp_path: Path) -> None:
    diagnostics = Diagnostics()
    assert game_of(a_log(), diagnostics, Library(tmp_path, ())) is None
    assert [each.code for each in diagnostics] == ["not-found"]


def test_a_bundle_that_was_touched_is_refused(tmp_path: Path) -> None:
    touched = RuleFile("sticks.yaml", STICKS.replace("is: 3", "is: 2"))
    data = {**a_log().to_json(), "bundle": [touched.to_json()]}
    diagnostics = Diagnostics()
    assert game_of(from_json(data), diagnostics, Library(tmp_path, ())) is None
    assert [each.code for each in diagnostics] == ["bad-log"]


def test_a_bundle_takes_variants_and_what_they_were_given_along(tmp_path: Path) -> None:
    (tmp_path / "sticks.yaml").write_text(STICKS, encoding="utf-8")
    (tmp_path / "greedy.yaml").write_text(
        "lawspeaker: 1\nvariant: greedy\nof: sticks\nlayer: house rule\ntitle: Greedy\n"
        "takes: {most: 4}\nchanges:\n  - set: most_at_once\n    to: most\n    because: Haste.\n",
        encoding="utf-8",
    )
    table = lawspeaker.load("./sticks.yaml+./greedy.yaml(5)", Library(tmp_path, ()))
    match = table.start(players=2, seed=1)
    assert match.decision is not None
    assert len(match.decision.options) == 5
    log = play(match).record((), table.files)
    assert log.rules == "./sticks.yaml+./greedy.yaml(5)"
    assert [each.given for each in log.bundle] == [None, ("5",)]
    jsonschema.validate(log.to_json(), schema("log"))
    back, _ = reread(log.text())
    assert back == log
    diagnostics = Diagnostics()
    program = compile_bundle(log.bundle, diagnostics, "game.log")
    assert program is not None
    assert program.digest == log.digest
    assert isinstance(back, Log)
    assert lawspeaker.Game(program, log.rules).replay(back).state == match.state


@pytest.mark.full
def test_the_bundle_of_an_edition_is_the_edition() -> None:
    """An edition takes other variants in; all their files come along."""
    edition = lawspeaker.load("walhalla+italian")
    diagnostics = Diagnostics()
    program = compile_bundle(edition.files, diagnostics, "game.log")
    assert program is not None
    assert program.digest == edition.program.digest
