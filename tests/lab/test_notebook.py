"""What a notebook shows of results: tables with intervals, findings, comparisons and pictures."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import lawspeaker
from lawspeaker import study
from lawspeaker.faces.render import data, notebook_html
from tests.compare.stall import GAME, market


class Balanced(HTMLParser):
    """Checks that tags are closed in order, and collects texts."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in ("br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def texts(html: str) -> list[str]:
    parser = Balanced()
    parser.feed(html)
    parser.close()
    assert not parser.open
    return parser.texts


def test_a_table_joins_figures_and_intervals() -> None:
    rows = [
        {"name": f"<b>{at}</b>", "wins": {"value": 0.5, "low": 0.25, "high": 0.75}, "none": None}
        for at in range(25)
    ]
    table = data.behind(data.table(rows), {"game": "a & b", "seed": 7, "bots": ["x", "x"]})
    html = table._repr_html_()
    told = texts(html)
    assert told[0] == "game: a & b, bots: x, seed: 7"
    assert told.count("0.5 (0.25 to 0.75)") == notebook_html.MOST_ROWS
    assert "<b>3</b>" in told
    assert "<b>" not in html
    assert told[-1] == "and 5 more"


def test_a_missing_interval_is_left_out() -> None:
    table = data.table(
        [
            {"wins": {"value": 2.0, "low": None, "high": None}, "all": [1] * 50},
            {"wins": {"value": None, "low": None, "high": None}, "all": []},
        ]
    )
    told = texts(table._repr_html_())
    assert "2.00" in told
    assert any(each.endswith("…") and len(each) == notebook_html.LONGEST_LIST for each in told)


def test_a_simulation_shows_its_tables() -> None:
    told = texts(study.simulate("kuhn_poker", games=20, workers=1)._repr_html_())
    assert told[0] == "kuhn_poker"
    assert "seats (2)" in told
    assert "games (20)" in told
    assert "proof (0)" not in told


def test_a_review_shows_its_findings() -> None:
    found = study.review("kuhn_poker", games=200, thinking=2, bots="greedy", workers=1)
    told = texts(found._repr_html_())
    says = [each["says"] for each in found["findings"].rows]
    assert says
    assert set(says) <= set(told)


def test_a_comparison_shows_what_each_version_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changes = "changes:\n  - {set: names.plum.en, to: sloe}\n  - {set: rounds, to: 3}\n"
    market(tmp_path, {"other": changes.replace("sloe", '"<script>"')})
    monkeypatch.chdir(tmp_path)
    found = study.differences("stall", "stall+other")
    rows = found["differences"].rows
    assert ("2", "says otherwise; played: 3") in [
        (each["stall"], each["stall+other"]) for each in rows
    ]
    html = found._repr_html_()
    told = texts(html)
    assert "<script>" not in html
    assert told[0].startswith("2 differences")
    first = told.index("1") if "1" in told else told.index("2")
    assert "How many rounds" in told[first + 1], "what changes play comes first"
    with pytest.raises(ValueError, match="at least two"):
        study.differences("stall")
    with pytest.raises(ValueError, match="no game"):
        study.differences("stall", "stalls")
    with pytest.raises(ValueError, match="speaks en, de"):
        study.differences("stall", "stall+other", language="fr")
    (tmp_path / "alone.yaml").write_text(GAME.replace("game: stall", "game: alone"), "utf-8")
    with pytest.raises(ValueError, match="alone"):
        study.differences("stall", "alone.yaml")


def test_a_picture_shows_only_what_a_seat_sees() -> None:
    match = lawspeaker.load("kuhn_poker").start(players=2, seed=1)
    found = study.picture(match, seat=0)
    ET.fromstring(found.svg)
    assert re.fullmatch(
        r'<img alt="[^"]+" src="data:image/svg\+xml;base64,[\w+/=]+">', found._repr_html_()
    )
    assert found.svg != study.picture(match, seat=1).svg
    assert str(study.picture(match)) == f"Picture(label={found.label!r})"
    with pytest.raises(ValueError, match="seat 2"):
        study.picture(match, seat=2)
    with pytest.raises(ValueError, match="speaks"):
        study.picture(match, language="xx")
