"""`lawspeaker sources` as it is called: what it prints, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from lawspeaker.faces.cli import app
from lawspeaker.outside.loading import schema
from tests.sources.test_coverage import BOOK, ENDING, FLAVOUR, GAME, KEEP, SELL, SELLING


@pytest.fixture
def market(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "market").mkdir()
    write(tmp_path, SELLING, ENDING)
    (tmp_path / "market" / "texts").mkdir()
    listing = f"lawspeaker: 1\ntext: book\nno rules: {{flavour: [{FLAVOUR}]}}\n"
    (tmp_path / "market" / "texts" / "book.yaml").write_text(listing, encoding="utf-8")
    (tmp_path / "books").mkdir()
    (tmp_path / "books" / "market.txt").write_text(BOOK, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, selling: str, ending: str) -> None:
    (folder / "market" / "game.yaml").write_text(GAME % (selling, ending), encoding="utf-8")


def called(*arguments: str) -> tuple[int, str]:
    answer = CliRunner().invoke(app, ["sources", *arguments])
    return answer.exit_code, answer.output


def test_all_is_in_order(market: Path) -> None:
    code, output = called("market", "--texts", "books")
    assert code == 0
    assert output == "book: market.txt: 4 sentences, 3 cited; no rules: 1 flavour\n"


def test_what_is_open_is_listed(market: Path) -> None:
    write(market, f"{{section: Sale, print: {SELL}}}", "{section: End, stance: implies}")
    code, output = called("market", "--texts", "books")
    assert code == 1
    assert "game: the text has no heading “Sale” (unknown-heading)" in output
    assert f"market.txt:7  {KEEP}  You may keep the hen." in output
    assert "rules without a sentence: the book only implies\n    ending  “End”\n" in output


MODULE = """\
lawspeaker: 1
variant: hens
of: market
layer: module
title: Hens
changes:
  - add: keeping
    says: A hen is kept.
    cites: {book: {section: Selling, print: %s}}
    rule: |
      finish
"""


def test_a_sentence_may_belong_to_a_variant(market: Path) -> None:
    write(market, f"{{section: Selling, print: {SELL}}}", ENDING)
    assert called("market", "--texts", "books")[0] == 1
    (market / "variants" / "market").mkdir(parents=True)
    file = market / "variants" / "market" / "hens.yaml"
    file.write_text(MODULE % KEEP, encoding="utf-8")
    code, output = called("market", "--texts", "books")
    assert code == 0
    assert output.startswith(
        "book: market.txt: 4 sentences, 2 cited, 1 by other variants; no rules"
    )
    file.write_text(MODULE % "0000000000", encoding="utf-8")
    code, output = called("market", "--texts", "books")
    assert code == 1
    assert "keeping: the text has no sentence 0000000000 (unknown-print)" in output


def test_a_variant_that_cannot_be_read(market: Path) -> None:
    (market / "variants" / "market").mkdir(parents=True)
    file = market / "variants" / "market" / "hens.yaml"
    file.write_text("variant: hens\n", encoding="utf-8")
    code, output = called("market", "--texts", "books")
    assert code == 1
    assert "variants/market/hens.yaml:1:1" in output


def test_suggestions_can_be_put_into_the_rules(market: Path) -> None:
    write(market, f"{{section: Selling, print: {SELL}}}", ENDING)
    code, output = called("market", "--texts", "books", "--suggest")
    assert code == 1
    citation = f"{{section: Selling, stance: states, print: {KEEP}}}"
    assert citation in output
    write(market, f"[{{section: Selling, print: {SELL}}}, {citation}]", ENDING)
    assert called("market", "--texts", "books")[0] == 0


@pytest.mark.parametrize("selling", [SELLING, f"{{section: Sale, print: {SELL}}}"])
def test_the_answer_for_programs(market: Path, selling: str) -> None:
    write(market, selling, ENDING)
    code, output = called("market", "--texts", "books", "--json")
    answer = json.loads(output)
    jsonschema.validate(answer, schema("sources"))
    assert [each["sound"] for each in answer] == [code == 0]


def test_a_text_that_is_not_there(market: Path) -> None:
    (market / "books" / "market.txt").unlink()
    code, output = called("market", "--texts", "books")
    assert code == 1
    assert "there is no file 'books/market.txt'" in output


def test_a_game_without_texts(market: Path) -> None:
    assert called("market", "--texts", "books", "--source", "bock") == (
        1,
        "market cites no book whose text has a file as bock\n",
    )


def test_a_listing_that_cannot_be_read(market: Path) -> None:
    (market / "market" / "texts" / "book.yaml").write_text("lawspeaker: 1\n", encoding="utf-8")
    code, output = called("market", "--texts", "books")
    assert code == 1
    assert "market/texts/book.yaml:1:1" in output
    assert "missing-key" in output


def test_a_game_that_is_not_sound(market: Path) -> None:
    write(market, "{section: Selling, stence: implies}", ENDING)
    code, output = called("market", "--texts", "books")
    assert code == 1
    assert "stence" in output
