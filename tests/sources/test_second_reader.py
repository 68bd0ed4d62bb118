"""What a second reader marks stands beside the marks of the first, and where they disagree."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from lawspeaker.outside.loading import schema
from tests.sources.test_coverage import BOOK
from tests.sources.test_sources_command import market as _market
from tests.sources.test_sources_command import run_sources

market = _market


def test_a_second_reader_marks_beside_the_first(market: Path) -> None:
    """His marks change nothing of what the first has said, follow their sentences, and are told
    where they are not the same."""
    written = ("market", "--texts", "books", "--write")
    assert run_sources(*written)[0] == 0
    lock = market / "market" / "books" / "book.lock"
    first = lock.read_text(encoding="utf-8")
    by = (*written, "--reader", "kb")
    marks = ("Selling § 1 = flavour", "Selling § 2 = game", "ending = implies")
    code, output = run_sources(*by, *(each for mark in marks for each in ("--mark", mark)))
    assert code == 0, output
    assert "read again by kb: 3 marks, 2 not as the first has" in output
    assert "Selling § 1: game; kb: flavour" in output
    assert "ending: states; kb: implies" in output
    kept = [line for line in lock.read_text("utf-8").splitlines() if not line.startswith("by kb")]
    assert "\n".join((*kept, "")) == first
    book = market / "books" / "market.txt"
    book.write_text(BOOK.replace("You may keep the hen.", "You may keep a hen."), encoding="utf-8")
    assert "read again by kb: 4 marks" in run_sources(*written)[1]
    [told] = json.loads(run_sources("market", "--json")[1])
    jsonschema.validate([told], schema("sources"))
    assert [each["about"] for each in told["disagreements"]] == ["Selling § 1", "ending"]
    assert (
        "kb"
        not in run_sources(*by, "--mark", "Selling § 1 =", "--mark", "ending =")[1].splitlines()[0]
    )
    assert "0 not as the first has" in run_sources("market")[1]


@pytest.mark.parametrize(
    "mark, reader, message",
    [
        ("ending = maybe", "kb", "`maybe` is nothing that a book does about a rule"),
        ("Selling § 1 = nowhere", "kb", "`nowhere` is neither a reason nor a rule"),
        ("Selling § 9 = flavour", "kb", "2 sentences, no 9"),
        ("Selling § 1", "kb", "has no ` = `"),
        ("Selling § 1 = flavour", "K B", "no name of a reader"),
    ],
)
def test_a_mark_that_says_nothing_is_refused(
    market: Path, mark: str, reader: str, message: str
) -> None:
    words = ("--write", "--reader", reader, "--mark", mark)
    code, output = run_sources("market", "--texts", "books", *words)
    assert code == 2
    assert message in " ".join(output.split())
