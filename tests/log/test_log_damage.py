"""A damaged log is refused: with the place, the reason, and what to do."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawspeaker.base.diagnostics import RulesError
from lawspeaker.match.log import BadLog, from_json
from lawspeaker.outside.loading import schema
from tests.log.tables import a_log, a_match, reread, sticks

TEXT = a_log().text()
LINES = TEXT.splitlines()
FIRST = LINES.index('"replies": [') + 2
"""The line of the first reply, counted from 1."""


def broken(old: str, new: str) -> str:
    assert TEXT.count(old) >= 1, old
    return TEXT.replace(old, new, 1)


@pytest.mark.parametrize(
    "text, message, line",
    [
        ("", "the log is empty", 1),
        ("take 2\n", "this is not JSON", 1),
        ("[1, 2]", "the log must be an object", 1),
        ('{"rules": "sticks"}', "this is no log of a game", 1),
        (broken('log": 1,', 'log": 2,'), "a log of version 2", 1),
        (broken('log": 1,', 'log": true,'), "`lawspeaker_log` must be a whole number", 1),
        (broken('"seed": 7', '"seed": "7"'), "`seed` must be a whole number", 6),
        (broken('"seed": 7', '"seed": 7, "seed": 8'), "`seed` stands twice", 6),
        (broken('"seed": 7', '"seed": NaN'), "NaN is no number", 6),
        (broken('"seed": 7', '"sede": 7'), "`sede` is no part of the log", 6),
        (broken('"seed": 7,\n', ""), "the log has no `seed`", 1),
        (broken('"seed": 7', '"seed": 1' + "0" * 5000), "a number that is far too long", 1),
        (broken('"players": 2', '"players": 0'), "`players` must be a number from 1 to 64", 4),
        (broken('["human", "random"]', '["human"]'), "`seats` must be a list of 2", 5),
        (broken('["human"', '["\\ud800"'), "`seats` must be a list of texts", 5),
        (broken('"chance": "seed"', '"chance": "dice"'), "`chance` must be seed or ask", 7),
        (broken('"digest": "', '"digest": "x'), "`digest` must be 64 hexadecimal digits", 3),
        (broken('"seat": 0', '"seat": 2'), "`seat` must be a number from 0 to 1", FIRST),
        (broken('"choice": "take', '"choice": ["take'), "this is not JSON", FIRST),
        (broken('"choice": "take 1"', '"choice": 1'), "`choice` must be a text", 0),
        (broken('"choice": "take', '"choice": "\\ud800take'), "`choice` must be a text", FIRST),
        (broken('"clause": "turn", ', ""), "a reply has no `clause`", FIRST),
        (broken('"print": "', '"print": "0'), "`print` must be a multiple of 4", FIRST),
        (broken('"winners": [', '"winners": [7, '), "`winners` must be a list of seats", 0),
        (TEXT.rstrip()[:-1], "the log ends in the middle", len(LINES)),
        ("[" * 100_000, "nested too deeply", 1),
    ],
)
def test_damage_is_told_with_its_place(text: str, message: str, line: int) -> None:
    log, diagnostics = reread(text)
    assert log is None
    (found,) = diagnostics
    assert found.code == "bad-log"
    assert message in found.message
    assert found.span.file.name == "game.log"
    if line:
        assert found.span.line == line


def test_a_log_that_was_cut_off_anywhere_is_refused() -> None:
    for length in range(0, len(TEXT.rstrip()) - 1, 7):
        log, diagnostics = reread(TEXT[:length])
        assert log is None
        assert [each.code for each in diagnostics] == ["bad-log"]


def test_how_to_save_what_was_cut_off() -> None:
    """The hint can be followed: whole replies, then `]}`."""
    log, diagnostics = reread("\n".join(LINES[: FIRST + 2])[:-30])
    assert log is None
    (found,) = diagnostics
    assert found.message == "the log ends in the middle"
    assert found.hint is not None
    assert "`]}`" in found.hint
    saved, _ = reread("\n".join(LINES[: FIRST + 1]).rstrip(",") + "\n]}\n")
    assert saved is not None
    assert sticks().replay(saved).log()["replies"] == a_match().log()["replies"][:2]


def test_an_illegal_reply_is_told_with_its_line_and_guard() -> None:
    line = LINES[FIRST]
    text = TEXT.replace(line, line.replace('"take ', '"take 7', 1).replace("77", "7"))
    log, diagnostics = reread(text)
    assert log is not None
    assert not len(diagnostics)
    with pytest.raises(RulesError) as caught:
        sticks().replay(log)
    (found,) = caught.value.diagnostics
    assert found.code == "log-differs"
    assert found.message.startswith("reply 2, clause `turn")
    assert found.span.line == FIRST + 1
    assert found.hint


def test_plain_data_are_refused_too() -> None:
    with pytest.raises(RulesError) as caught:
        sticks().replay({"players": 2})
    assert caught.value.diagnostics[0].code == "bad-log"


# ---------------------------------------------------------------- reader and schema agree

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=5,
)
WHOLE = a_match().record(("a", "b"), sticks().files).text()
VALID = jsonschema.Draft202012Validator(schema("log"))
PATHS: list[tuple[Any, ...]] = [
    *((key,) for key in a_log().to_json()),
    *(("replies", 0, key) for key in ("seat", "choice", "clause", "print")),
    *(("result", key) for key in ("scores", "winners", "position")),
    *(("bundle", 0, key) for key in ("name", "text", "given")),
    ("bundle",),
    ("replies", 1),
    ("more",),
]


@pytest.mark.full
@given(path=st.sampled_from(PATHS), value=JSON)
def test_what_is_read_fits_the_schema(path: tuple[Any, ...], value: Any) -> None:
    data = json.loads(WHOLE)
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    inner[path[-1]] = value
    try:
        log = from_json(data)
    except BadLog:
        return
    VALID.validate(data)
    assert from_json(log.to_json()) == log
