"""The parser's tables: made from the grammar of today, and reading all code as the grammar does.

`pytest --accept tests/language/test_tables.py` makes them anew after a change of the grammar.
"""

from __future__ import annotations

from functools import cache

import lark
import pytest
from lark import Lark

from lawspeaker.text.parse import tables
from lawspeaker.text.parse.language import OPTIONS, TABLES
from tests.language.test_good import codes
from tests.repo.checkout import PACKAGE

GRAMMAR = (PACKAGE / "text" / "parse" / "grammar.lark").read_text(encoding="utf-8")
KEY = tables.key(GRAMMAR, OPTIONS)


@cache
def analysed() -> Lark:
    return Lark(GRAMMAR, **OPTIONS)


def read(text: str, key: str = KEY) -> Lark | None:
    return tables.read(text, key, OPTIONS)


def test_they_are_those_of_the_grammar(request: pytest.FixtureRequest) -> None:
    file = PACKAGE / "text" / "parse" / TABLES
    if request.config.getoption("--accept") and read(file.read_text(encoding="utf-8")) is None:
        file.write_text(tables.written(analysed(), KEY), encoding="utf-8")
    text = file.read_text(encoding="utf-8")
    # With another version of lark they count for nothing, and play goes on without them.
    if f'"lark {lark.__version__},' in text[:40]:
        assert read(text) is not None, f"{TABLES} is out of date: run pytest --accept"


@pytest.mark.full
def test_code_is_read_as_the_grammar_reads_it() -> None:
    restored = read(tables.written(analysed(), KEY))
    assert restored is not None
    found = list(codes())
    assert len(found) > 50
    for start, code in found:
        assert restored.parse(code, start=start) == analysed().parse(code, start=start)


@pytest.mark.full
def test_the_words_of_the_language_are_the_same() -> None:
    restored = read(tables.written(analysed(), KEY))
    assert restored is not None
    names = [{each.name for each in parser.terminals} for parser in (restored, analysed())]
    assert names[0] == names[1]


@pytest.mark.parametrize("change", ["other grammar", "other question", "other lark"])
def test_tables_of_anything_else_count_for_nothing(
    change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = tables.written(analysed(), KEY)
    grammar, options = GRAMMAR, dict(OPTIONS)
    if change == "other grammar":
        grammar += "\n// one more remark"
    elif change == "other question":
        options["start"] = ["rule"]
    else:
        monkeypatch.setattr(lark, "__version__", "99.0")
    assert read(text, tables.key(grammar, options)) is None
    assert read("") is None
