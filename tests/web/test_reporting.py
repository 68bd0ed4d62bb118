"""A problem with a rule is reported as a scenario of the position, which holds as it stands."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.cli.replay import replay
from lawspeaker.ir.program import Program
from lawspeaker.outside.loading import schema
from lawspeaker.position.rng import RngFactory
from lawspeaker.study.reporting import reported
from lawspeaker.study.scenario import read, run
from tests.properties.tables import Table, start, table_id
from tests.tiers import sample
from tests.web.conftest import House

TABLES = [("leduc_poker", 2), ("stowaways", 3), ("hearts", 4), ("walhalla", 4), ("liars_dice", 3)]


def holds(text: str, program: Program) -> bool:
    diagnostics = Diagnostics()
    found = read(SourceFile("problem.yaml", text), schema("scenario"), diagnostics)
    assert found is not None, [str(each) for each in diagnostics.sorted()]
    return run(found, program).passed


@pytest.mark.parametrize("table", sample(TABLES, test=2), ids=table_id)
def test_a_report_holds_at_any_moment(table: Table) -> None:
    match, luck = start(table, seed=5), RngFactory(2).stream("any")
    for _ in range(12):
        if not match.decisions:
            break
        seat = luck.choose([each.seat for each in match.decisions if each.seat is not None])
        match.choose(luck.choose(match.shown(seat).options), seat=seat)
    for replies in {0, 3, len(match.replies)}:
        text = reported(match, table[0], replies, "setup", 'He says: "no", #1')
        assert holds(text, match.program)
        assert "He says" in text
    expected = re.sub(r"(scores: \{\w+: )-?\d+", r"\g<1>77", text)
    assert expected != text
    assert not holds(expected, match.program)


def test_who_may_know_the_log_reports_a_problem(house: House) -> None:
    body = {"rules": "nim", "seats": [{"who": "me"}, {"who": "greedy"}], "seed": 3}
    token = house.post("/api/tables", body)["link"].split("/")[-1]
    asked = f"/api/report/{token}?clause=turn&about=I%20expected%0Amore"
    answer = house.client.get(asked)
    assert answer.status_code == 200
    assert "problem" in answer.headers["content-disposition"]
    assert "I expected more" in answer.text
    assert "game: nim" in answer.text
    assert house.client.get(f"{asked}&after=99").status_code == 400


def test_who_plays_with_others_reports_nothing_before_the_end(house: House) -> None:
    body = {"rules": "leduc_poker", "seats": [{"who": "me"}, {"who": "friend"}]}
    token = house.post("/api/tables", body)["link"].split("/")[-1]
    answer = house.client.get(f"/api/report/{token}")
    assert answer.status_code == 403
    assert "seed" not in answer.text


def test_a_log_becomes_a_scenario(tmp_path: Path) -> None:
    match = start(("nim", 2), seed=3)
    for _ in range(3):
        assert match.decision is not None
        match.choose(match.decision.options[0])
    log = tmp_path / "game.log"
    log.write_text(json.dumps(match.log()), encoding="utf-8")
    replay(log, last=2, scenario=tmp_path / "problem.yaml")
    text = (tmp_path / "problem.yaml").read_text(encoding="utf-8")
    assert text.count("answer:") == 2
    assert holds(text, match.program)
