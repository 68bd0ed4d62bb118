"""When games are decided, in games in which that is known."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from typer.testing import CliRunner

from lawspeaker import study
from lawspeaker.base.phrases import LANGUAGES
from lawspeaker.faces.cli import app
from lawspeaker.faces.render import drama as rendered
from lawspeaker.faces.web.workshop.laboratory import ExperimentRequest, dramatic
from lawspeaker.study.lab.calibration import calibrated
from lawspeaker.study.lab.drama import Drama, NothingOpen, drama
from lawspeaker.study.lab.outlook import GameOutlook, Outlook, game_outlook
from tests.lab import known_games as known
from tests.lab.known_games import loaded
from tests.repo.checkout import ROOT

SCHEMA = json.loads((ROOT / "schema" / "study.schema.json").read_text(encoding="utf-8"))


@cache
def measured(
    text: str, players: int = 2, games: int = 40, playouts: int = 60, seed: int = 1
) -> Drama:
    program = loaded(text).program
    some = [
        game_outlook(program, players, seed, number, ["random"] * players, playouts)
        for number in range(games)
    ]
    return drama(some, playouts)


def test_what_the_first_die_decides_is_known_at_once() -> None:
    found = measured(known.DIE_FIRST)
    assert all(each.favourite.value == 1 for each in found.moments)
    assert found.open.value < 0.01
    assert (found.decided.value, found.lead_changes.value, found.comebacks.value) == (0, 0, 0)


def test_what_a_toss_at_the_end_decides_is_open_until_then() -> None:
    found = measured(known.TOSS_AT_THE_END)
    assert found.open.high > 0.95
    assert found.decided.value == 1
    for each in found.moments:
        assert each.favourite.low < 0.5 < each.favourite.high
        assert each.decided.value == 0
    assert found.swing.low > 0.4, "the last toss takes half of the probability"
    assert found.comebacks.value == 0


@pytest.mark.full
def test_who_leads_runs_away_where_the_leader_is_paid() -> None:
    found = measured(known.RICH_GET_RICHER, 3)
    assert found.snowball is not None
    assert found.snowball.low > 0.4
    assert found.decided.high < 0.5
    steady = measured(known.STEADY, 2, 80, 2, 2)
    assert steady.snowball is not None
    assert steady.snowball.low < 0 < steady.snowball.high


@pytest.mark.full
def test_a_lead_that_is_exchanged_shows_what_points_do() -> None:
    """The snowball also rolls where leaders lead for what makes points, and not for points."""
    paid = measured(known.RICH_GET_RICHER, 3).exchanged
    assert paid is not None
    assert paid.low > 0.2
    engine = measured(known.ENGINE, 3)
    assert engine.snowball is not None
    assert engine.exchanged is not None
    assert engine.snowball.low > 0.4
    assert engine.exchanged.low <= 0 <= engine.exchanged.high < 0.01
    assert measured(known.TOSS_AT_THE_END).exchanged is None, "nobody leads half way"


@pytest.mark.full
def test_who_had_a_turn_more_is_not_ahead_for_that() -> None:
    """Half of five rounds is in the middle of one."""
    odd = measured(known.ODD_ROUNDS, 3, 60, 2)
    assert odd.snowball is not None
    assert odd.snowball.low < 0 < odd.snowball.high


@pytest.mark.full
def test_the_last_player_is_a_kingmaker() -> None:
    found = measured(known.KING, 3, 12)
    assert found.kingmaking is not None
    assert found.kingmaking.value == 1
    assert [(each.clause, each.times) for each in found.kingmakers] == [("crown", 12)]
    nobody = measured(known.RICH_GET_RICHER, 3)
    assert nobody.kingmaking is not None
    assert nobody.kingmaking.value == 0
    assert measured(known.DIE_FIRST).kingmaking is None, "between two there is nobody to choose"


def outlooks(share: float, truth: float, games: int) -> list[GameOutlook]:
    """Games of two positions whose first side wins with a probability that playouts misjudge."""
    luck = np.random.default_rng(1)
    points = (0, 0)
    at = Outlook(0.0, (share, 1 - share)), Outlook(0.5, (share, 1 - share))
    won = luck.random(games) < truth
    return [
        GameOutlook(number, 4, at, (1.0, 0.0) if each else (0.0, 1.0), points, points)
        for number, each in enumerate(won)
    ]


@pytest.mark.parametrize("share, truth", [(0.6, 0.9), (0.9, 0.6), (0.7, 0.7)])
def test_probabilities_are_fitted_to_those_who_play(share: float, truth: float) -> None:
    found = calibrated(outlooks(share, truth, 800), 100)
    assert np.mean([each[0, 0] for each in found.probabilities]) == pytest.approx(truth, abs=0.04)
    assert (found.exponent > 1) == (truth > share) or truth == share
    for each in found.curve:
        assert each.happened.low - 0.03 < each.predicted < each.happened.high + 0.03


def test_shared_victories_are_open_to_the_end() -> None:
    games = [replace(each, won=(0.5, 0.5)) for each in outlooks(0.5, 0.5, 8)]
    assert drama(games, 100).decided.value == 1


@pytest.mark.full
def test_playouts_that_stop_do_not_take_the_position_with_them() -> None:
    program = loaded(known.SELDOM_STOPS).program
    games = [game_outlook(program, 2, 1, number, ["random"] * 2, 60) for number in range(30)]
    ended = [each for each in games if not each.fault]
    assert len(ended) < len(games), "some stop"
    assert not any(each.skipped for each in ended)
    for each in ended:
        for outlook in each.outlooks:
            assert sum(outlook.shares) == pytest.approx(1)
    assert drama(ended, 60).open.high > 0.95


def test_positions_from_which_most_playouts_stop_are_left_out() -> None:
    program = loaded(known.SELDOM_STOPS.replace("1..100", "1..5")).program
    games = (game_outlook(program, 2, 1, number, ["random"] * 2, 20) for number in range(100))
    ended = next(each for each in games if not each.fault)
    assert 0 < ended.skipped < ended.decisions


def test_what_says_nothing_is_refused() -> None:
    some = outlooks(0.5, 0.5, 3)
    with pytest.raises(NothingOpen, match="3 games came to their end; 4 at least"):
        drama(some, 100)
    with pytest.raises(NothingOpen, match="do not end"):
        drama([replace(each, outlooks=(), skipped=2) for each in some], 100)
    alone = Outlook(0.0, (0.5,))
    with pytest.raises(NothingOpen, match="all play together"):
        drama([replace(each, outlooks=(alone,), won=(1.0,)) for each in some * 2], 100)


@pytest.mark.full
def test_the_command_tells_all_of_it(tmp_path: Path) -> None:
    file = tmp_path / "king.yaml"
    file.write_text(known.KING, encoding="utf-8")
    table, page = tmp_path / "drama.csv", tmp_path / "drama.html"
    words = ["drama", str(file), "-n", "6", "--playouts", "20", "--workers", "1"]
    done = CliRunner().invoke(app, [*words, "--json", "--csv", str(table), "--html", str(page)])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    jsonschema.validate(found, {**SCHEMA, "anyOf": [{"$ref": "#/$defs/drama"}]})
    assert len(table.read_text().splitlines()) == 1 + len(found["moments"]) == 11
    assert "<svg" in page.read_text(encoding="utf-8")
    told = CliRunner().invoke(app, words).stdout
    assert "games with kingmaking" in told
    assert "crown" in told
    again = study.drama(file, 6, playouts=20, workers=1)
    assert again.json == {**found, "game": again.json["game"]}
    assert [each["clause"] for each in again["kingmakers"].rows] == ["crown"]
    few = CliRunner().invoke(app, ["drama", str(file), "-n", "3"])
    assert few.exit_code == 2


def test_the_browser_gets_it_in_every_language() -> None:
    sheets = {}
    for language in LANGUAGES:
        sheets[language] = rendered.sheet(measured(known.KING, 3, 12), "random", 3, 1, language)
        assert len(sheets[language].curves) == 4
    assert len({each.facts[0].name for each in sheets.values()}) == len(LANGUAGES)
    files = loaded(known.KING).files
    told = list(dramatic(ExperimentRequest(files, "king", 3, "random", 12, 1, "it")))
    last = told[-1]
    assert last["over"], last
    assert last["sheet"]["panels"][0]["title"] == sheets["it"].panels[0].title
    assert json.dumps(last["sheet"], allow_nan=False)
    assert "lawspeaker drama king" in last["command"]
