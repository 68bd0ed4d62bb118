"""How different games are, where that is known."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from lawspeaker import study
from lawspeaker.base.phrases import LANGUAGES
from lawspeaker.faces.cli import app
from lawspeaker.faces.render import variety as rendered
from lawspeaker.faces.web.workshop.laboratory import ExperimentRequest, varied
from lawspeaker.study.lab.variety import TooFew, Variety, course, variety
from tests.lab import known_games as known
from tests.lab.known_games import loaded
from tests.repo.checkout import ROOT

SCHEMA = json.loads((ROOT / "schema" / "study.schema.json").read_text(encoding="utf-8"))


def measured(text: str, bot: str, games: int, panel: tuple[str, ...] = ()) -> Variety:
    program = loaded(text).program
    some = [course(program, 2, 1, number, [bot] * 2, panel) for number in range(games)]
    return variety(some, panel)


def test_random_games_part_by_halves() -> None:
    """After n choices between two options, one pair in 2 to the n is still alike."""
    found = measured(known.DIE_FIRST, "random", 150)
    for each in found.openings[:4]:
        assert each.same.low < 0.5**each.decisions < each.same.high
    assert found.openings[-1].same.value == 0, "and then none"
    assert found.results.low < 0.5 < found.results.high, "ann wins, or ben"
    (used,) = found.used
    assert used.effective == pytest.approx(2, abs=0.05)
    assert found.agreement is None


def test_where_one_option_is_best_nothing_is_chosen() -> None:
    found = measured(known.SKILL, "greedy", 8, ("greedy",) * 3)
    assert {each.same.value for each in found.openings} == {1}
    assert found.choices.value == 0
    assert found.choices.high < 0.7, "four separate pairs say little"
    assert found.agreement is not None
    assert found.agreement.value == 1
    (used,) = found.used
    assert (used.usual, used.usual_share, used.effective) == ("left", 1, 1)
    assert used.chance == 0.25, "three choose alike of two options"
    assert used.opinions == 48


def test_where_nothing_matters_a_panel_agrees_by_chance() -> None:
    found = measured(known.DIE_FIRST, "random", 30, ("random",) * 3)
    assert found.agreement is not None
    assert found.agreement.low < 0.25 < found.agreement.high


def test_what_says_nothing_is_refused() -> None:
    program = loaded(known.SKILL).program
    some = [course(program, 2, 1, number, ["random"] * 2, ()) for number in range(3)]
    with pytest.raises(TooFew, match="4 at least"):
        variety(some, ())


def test_the_command_tells_all_of_it(tmp_path: Path) -> None:
    file, table = tmp_path / "skill.yaml", tmp_path / "variety.csv"
    file.write_text(known.SKILL, encoding="utf-8")
    words = ["variety", str(file), "-n", "4", "--bots", "random", "--panel", "greedy"]
    words += ["--players", "2", "--workers", "1"]
    done = CliRunner().invoke(app, [*words, "--json", "--csv", str(table)])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    jsonschema.validate(found, {**SCHEMA, "anyOf": [{"$ref": "#/$defs/variety"}]})
    assert found["panel"] == ["greedy"] * 3
    assert len(table.read_text().splitlines()) == 2
    again = study.variety(file, 4, bots="random", panel="greedy", players=2, workers=1)
    assert again.json == {**found, "game": again.json["game"]}
    assert CliRunner().invoke(app, [*words, "--panel", "gredy"]).exit_code == 2


def test_the_browser_gets_it_in_every_language() -> None:
    found = measured(known.SKILL, "greedy", 4, ("greedy",) * 3)
    sheets = [rendered.sheet(found, "greedy", 2, 1, language) for language in LANGUAGES]
    assert len({each.facts[0].name for each in sheets}) == len(LANGUAGES)
    files = loaded(known.SKILL).files
    last = list(varied(ExperimentRequest(files, "skill", 2, "random", 4, 1, "de")))[-1]
    assert last["over"], last
    assert "lawspeaker variety skill --panel random --games 4" in last["command"]
    assert last["sheet"]["panels"][1]["title"] == "Was gewählt wird"
    assert json.dumps(last["sheet"], allow_nan=False)
    assert all("," in each["value"] for each in last["sheet"]["facts"]), "as Germans write it"
