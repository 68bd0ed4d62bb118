"""What better play wins, in games in which that is known."""

from __future__ import annotations

import json
from math import inf
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from lawspeaker import study
from lawspeaker.base.phrases import LANGUAGES
from lawspeaker.faces.cli import app
from lawspeaker.faces.render import ladder as rendered
from lawspeaker.faces.web.workshop.laboratory import ExperimentRequest, laddered
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.experiments.ladders import laddered as climbed
from lawspeaker.outside.experiments.requests import NotPossible
from lawspeaker.outside.experiments.steps import finished
from lawspeaker.outside.rules import Rules
from lawspeaker.study.lab.proving import Won
from lawspeaker.study.lab.skill_ladder import Ladder, step
from tests.lab import known_games as known
from tests.lab.known_games import loaded
from tests.repo.checkout import ROOT

SCHEMA = json.loads((ROOT / "schema" / "study.schema.json").read_text(encoding="utf-8"))


def climb(text: str, *rungs: str, players: int = 2, deals: int = 12) -> Ladder:
    rules = Rules.of_game(loaded(text), "known")
    return finished(climbed(rules, players, rungs, 1, deals, Crew(1)))


def test_luck_has_no_steps() -> None:
    """Each deal is played from both sides, so nobody wins more than half of it."""
    found = climb(known.DIE_FIRST, "random", "greedy", "mc:4")
    assert [each.wins.value for each in found.steps] == [0.5, 0.5]
    assert [each.elo and each.elo.value for each in found.steps] == [0, 0]
    assert found.clear == 0


def test_thinking_is_a_step_until_there_is_nothing_to_learn() -> None:
    found = climb(known.SKILL, "random", "greedy", "mc:40", deals=8)
    first, second = found.steps
    assert first.clear
    assert first.wins.value > 0.9
    assert first.elo is not None
    assert first.elo.low > 0
    assert second.wins.low < 0.5 < second.wins.high, "both say left whenever they are asked"


def test_teams_play_the_same_deals() -> None:
    boat = (ROOT / "tests" / "language" / "good" / "leaky_boat.yaml").read_text(encoding="utf-8")
    (found,) = climb(boat, "random", "mc:20", deals=6).steps
    assert found.wins.value >= 0.5, "more than the random team, of the same deals"
    assert (found.fair, found.elo, found.games) == (0, None, 6)


def test_a_deal_is_one_observation() -> None:
    """A deal that one side wins from both seats says as much as two that are won once."""
    unit = 2
    always = step("a", "b", [Won(2, 2 * unit)] * 8, 2, 2, 1)
    assert always.wins.value == 1
    assert always.elo is not None
    assert always.elo.value == inf
    mixed = step("a", "b", [Won(2, 2 * unit)] * 4 + [Won(2, 0)] * 4, 2, 2, 1)
    level = step("a", "b", [Won(2, unit)] * 8, 2, 2, 1)
    assert mixed.wins.value == level.wins.value == 0.5
    assert mixed.wins.half > level.wins.half
    assert step("a", "b", [Won(1, unit)], 2, 2, 1).deals == 0, "half a deal is none"


def test_the_command_tells_all_of_it(tmp_path: Path) -> None:
    file, table = tmp_path / "skill.yaml", tmp_path / "ladder.csv"
    file.write_text(known.SKILL, encoding="utf-8")
    words = ["ladder", str(file), "-n", "4", "--ladder", "random,greedy", "--players", "2"]
    done = CliRunner().invoke(app, [*words, "--workers", "1", "--json", "--csv", str(table)])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    jsonschema.validate(found, {**SCHEMA, "anyOf": [{"$ref": "#/$defs/ladder"}]})
    assert len(table.read_text().splitlines()) == 2
    again = study.ladder(file, 4, rungs=["random", "greedy"], players=2, workers=1)
    assert again.json == {**found, "game": again.json["game"]}
    for wrong in ("greedy", "greedy,greedy", "greedy,gredy"):
        assert CliRunner().invoke(app, [*words, "--ladder", wrong]).exit_code == 2
    with pytest.raises(NotPossible, match="two different bots"):
        study.ladder(file, 4, rungs=["greedy"])


def test_the_browser_gets_it_in_every_language() -> None:
    found = climb(known.SKILL, "random", "greedy")
    sheets = [rendered.sheet(found, 1, language) for language in LANGUAGES]
    assert len({each.facts[0].name for each in sheets}) == len(LANGUAGES)
    files = loaded(known.SKILL).files
    last = list(laddered(ExperimentRequest(files, "skill", 2, "random", 4, 1, "fr")))[-1]
    assert last["over"], last
    told = (
        "lawspeaker ladder skill --ladder random,greedy,mc:50,mc:200 --deals 4 --players 2 --seed 1"
    )
    assert last["command"] == told
    assert last["sheet"]["panels"][1]["rows"][0][:2] == ("greedy", "random")
    assert json.dumps(last["sheet"], allow_nan=False)
