"""Differences chosen by what each book does: in the terminal, on the page and as data."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.cli import app
from lawspeaker.faces.render.compare_page import page
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load_rulesets, schema
from lawspeaker.study.compare import Comparison, compare
from lawspeaker.study.compare.findings import Findings
from lawspeaker.study.compare.where import NoSuchCondition, conditions, where
from tests.compare.dairy import set_up


@pytest.fixture(scope="module")
def dairy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return set_up(tmp_path_factory.mktemp("dairy"))


@pytest.fixture(scope="module")
def comparison(dairy: Path) -> Comparison:
    found = load_rulesets(["dairy", "dairy+new"], Diagnostics(), Library(dairy, ()))
    assert found is not None
    return compare(found)


@pytest.mark.parametrize(
    "asked, ids",
    [
        ("new=open", ["ending"]),
        ("dairy=decides, new=open", ["ending"]),
        ("new=silent", ["ending"]),
        ("dairy=open", []),
        ("new=states", ["helping", "taking"]),
        ("second printing=silent", ["ending"]),
        ("dairy+new=ruling", []),
        ("new=unsettled", ["ending"]),
        ("dairy=unsettled", []),
    ],
)
def test_books_are_asked(comparison: Comparison, asked: str, ids: list[str]) -> None:
    found = where(conditions(asked, comparison.table.columns), comparison)
    assert [each.id for each in found.differences] == ids
    assert found.counts == comparison.counts


@pytest.mark.parametrize(
    "asked, message",
    [
        ("nwe=open", "no version here is called `nwe`; did you mean 'new'?"),
        ("zebra=open", "no version here is called `zebra`; there are dairy, new"),
        ("printing=open", "`printing` may be any of dairy, new: name one of them"),
        ("new=opne", "`opne` is nothing that a book does; did you mean 'open'?"),
        (
            "new=xyzzy",
            "a book decides, open, unsettled, states, implies, silent, ruling, otherwise",
        ),
        ("new", "say VERSION=WORD, such as new=open, not `new`"),
    ],
)
def test_what_cannot_be_asked_is_told_with_what_can(
    comparison: Comparison, asked: str, message: str
) -> None:
    with pytest.raises(NoSuchCondition) as told:
        conditions(asked, comparison.table.columns)
    assert message in str(told.value)


@pytest.mark.full
def test_all_must_hold_of_one_row() -> None:
    """One row of selling is decided by a book and another left open; neither is both."""
    found = load_rulesets(["walhalla", "walhalla+italian"], Diagnostics())
    assert found is not None
    comparison = compare(found)
    for asked, there in (("it=decides", True), ("it=open", True), ("it=decides,it=open", False)):
        some = where(conditions(asked, comparison.table.columns), comparison)
        assert ("selling" in {each.id for each in some.differences}) is there, asked


@pytest.mark.full
def test_what_contradicts_itself_or_says_otherwise_is_not_settled() -> None:
    found = load_rulesets(["walhalla", "walhalla+italian"], Diagnostics())
    assert found is not None
    comparison = compare(found, everything=True)

    def rows(word: str) -> set[str]:
        some = where(conditions(f"it={word}", comparison.table.columns), comparison)
        return {row.id for row in some.table.rows}

    letter = rows("otherwise") | rows("contradicts")
    assert letter - rows("open")
    assert rows("unsettled") == letter | rows("open")


def test_compare_asks(dairy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(dairy)
    names = ["compare", "dairy", "dairy+new", "--where"]
    answer = CliRunner().invoke(app, [*names, "dairy=decides,new=open"]).output
    assert "(First printing, 1900: decides it; Second printing, 1910: leaves it open)." in " ".join(
        answer.split()
    )
    assert "Shown: 1 of 3" in answer
    data = json.loads(CliRunner().invoke(app, [*names, "new=open", "--json"]).stdout)
    jsonschema.validate(data, schema("compare"))
    assert data["where"] == [{"telling": 1, "does": "open"}]
    assert [each["id"] for each in data["differences"]] == ["ending"]
    wrong = CliRunner().invoke(app, [*names, "new=opne"])
    assert wrong.exit_code == 2
    assert "did you mean 'open'?" in wrong.output


def test_the_page_knows_what_every_book_does(comparison: Comparison) -> None:
    text = page(comparison, Findings())
    row = text[text.index('id="ending"') :]
    assert (
        row[row.index('data-does="') + 11 :].split('"')[0] == "states decides|silent open unsettled"
    )
    assert text.count('<select name="where"') == 2
