"""No game of this repository gives anything away: twins of all games and some variants, in small.

A nightly run plays more games, with every number of players and every variant.
tests/secrets/test_leaks.py shows that leaks would be found.
"""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import lawspeaker
from lawspeaker.base.phrases import LANGUAGES
from lawspeaker.faces.cli import app
from lawspeaker.faces.render import secrets as shown
from lawspeaker.faces.seat_output import ALL_CHANNELS
from lawspeaker.outside.library import Library
from lawspeaker.study.secrets.trial import LeakSearch, SecretFindings, TrialTable, hides
from tests.library import game, names
from tests.secrets.leaking import leaking
from tests.tiers import NIGHTLY, pick, sample

GAMES = pick(test=3, full=3, nightly=40)
LIBRARY = Library()
HIDING = (
    "blackjack crazy_eights dominoes draw_poker hearts kuhn_poker leduc_poker liars_dice "
    "little_whist pedlars rock_paper_scissors scopa stowaways surveyors voluspa walhalla whist"
).split()
NEEDED = {"no_late_hel": "hel+no_late_hel"}
VARIANTS = [
    f"{name}+{NEEDED.get(each, each)}" for name in HIDING for each in LIBRARY.variants(name)
]
VARIANT_GAMES = pick(test=1, full=1, nightly=40)
FEW_MOMENTS = pick(test=2, full=2, nightly=4)


def looked_for(name: str, players: int, seeds: range, moments: int) -> SecretFindings:
    trial = LeakSearch(game(name).program, players, ALL_CHANNELS)
    for seed in seeds:
        trial.game(TrialTable(players, seed), moments)
    return trial.findings


def leaks(name: str, found: SecretFindings) -> list[str]:
    """What was given away, with the commands that show it."""
    return [f"{leak.sort}: {shown.again(name, leak)}" for leak in found.leaks]


def test_these_games_hide_something_and_the_others_do_not() -> None:
    assert [name for name in LIBRARY.games() if hides(game(name).program)] == HIDING


@pytest.mark.parametrize(
    "name", sample([name for name in HIDING if name in names()], test=8, full=4)
)
def test_no_game_gives_anything_away(name: str) -> None:
    """At a quick and at a discreet table, on the one machine and the other."""
    counts = game(name).players
    for players in counts if NIGHTLY else counts[-1:]:
        found = looked_for(name, players, range(1, 1 + GAMES), FEW_MOMENTS)
        assert not leaks(name, found)
        assert found.answers > 2 * found.games
        assert all(found.compared[each].bytes for each in ("view", "events", "socket"))


@pytest.mark.parametrize("name", sample(VARIANTS, test=70, full=20))
def test_no_variant_gives_anything_away(name: str) -> None:
    counts = game(name).players
    first = 4 + VARIANTS.index(name) % 2
    for players in counts if NIGHTLY else counts[-1:]:
        found = looked_for(name, players, range(first, first + VARIANT_GAMES), FEW_MOMENTS)
        assert not leaks(name, found)


@pytest.mark.full
def test_twins_part_where_rules_tell_something() -> None:
    found = looked_for("kuhn_poker", 2, range(1, 5), 12)
    assert ("told", "showdown") in found.ends
    assert ("told", "game") in found.ends
    assert sum(found.ends.values()) == found.pairs


@pytest.mark.nightly
def test_the_same_seed_gives_the_same_findings() -> None:
    one, two = (looked_for("liars_dice", 3, range(2, 4), 3) for _ in range(2))
    assert one == two


# ---------------------------------------------------------------- the command


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["secrets", *arguments])
    return result.exit_code, result.output


def test_a_game_without_secrets_says_so() -> None:
    code, text = run("nim")
    assert code == 0
    assert text == "Nothing is hidden in nim, so nothing can be given away.\n"
    code, text = run("nim", "--json")
    assert code == 0
    assert json.loads(text) == {"game": "nim", "players": []}


@pytest.mark.parametrize("language", sample(LANGUAGES, test=4))
def test_what_was_compared_is_told_in_every_language(language: str) -> None:
    code, text = run("kuhn_poker", "--games", "2", "--lang", language)
    assert code == 0
    assert "kuhn_poker, 2" in text
    assert "showdown" in text
    assert "secrets." not in text


@pytest.mark.full
def test_what_was_compared_as_data() -> None:
    code, text = run("kuhn_poker", "-n", "2", "--seed", "5", "--players", "2", "--json")
    assert code == 0
    (found,) = json.loads(text)["players"]
    assert (found["players"], found["games"], found["leaks"]) == (2, 2, [])
    assert set(found["compared"]) == {*(each.name for each in ALL_CHANNELS), "fault"}
    assert ("told", "showdown") in {(end["how"], end["clause"]) for end in found["ends"]}
    assert sum(end["times"] for end in found["ends"]) == found["pairs"]


@pytest.mark.full
def test_a_leak_is_told_with_the_way_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    program = leaking("if aces of ben > 0:\n  tally becomes 1")
    game = lawspeaker.Game(program, "leaking")
    monkeypatch.setattr("lawspeaker.faces.cli.secrets.game", lambda name: game)
    code, text = run("leaking", "--players", "2", "--seed", "3", "-n", "1")
    assert code == 1
    assert "deed, events: " in text
    assert "tally is 1" in text
    assert "2 players, seed 3, discreet, wasm" in text
    assert "again: lawspeaker secrets leaking --players 2 --seed 3 -n 1" in text
    code, text = run("leaking", "--players", "2", "--seed", "3", "-n", "1", "--json")
    assert code == 1
    leaks = json.loads(text)["players"][0]["leaks"]
    assert {leak["channel"] for leak in leaks} >= {"events"}
    assert {leak["seed"] for leak in leaks} == {3}
    assert all(leak["one"] != leak["two"] for leak in leaks)


def test_wrong_calls() -> None:
    assert run("kuhn_poker", "--players", "5")[0] == 2
    assert run("kuhn_poker", "--lang", "xx")[0] == 2
