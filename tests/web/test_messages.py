"""Messages: whatever a browser sends is understood, or refused as a bad message; nothing else."""

from __future__ import annotations

import json
import re
from dataclasses import fields

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawspeaker.faces.web import messages
from tests.web.conftest import ROOT

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)
FIELDS = sorted({each.name for kind in messages.MESSAGES.values() for each in fields(kind)})
NEARLY = st.dictionaries(
    st.sampled_from(["type", *FIELDS, "seats", "rules", "seed", "after", "\n"]),
    st.sampled_from(sorted(messages.MESSAGES)) | ANYTHING,
)


def refused(text: str) -> list[messages.BadMessage]:
    """What each reader has against a text; any other exception fails the test."""
    found = []
    for read in (messages.message, messages.new_table, messages.branch):
        try:
            read(text)
        except messages.BadMessage as bad:
            found.append(bad)
    return found


@pytest.mark.full
@settings(max_examples=150, deadline=None)
@given(st.text(max_size=200) | ANYTHING.map(json.dumps) | NEARLY.map(json.dumps))
def test_a_text_is_a_message_or_a_bad_message(text: str) -> None:
    for bad in refused(text):
        assert bad.code in ("bad_message", "too_large")
        assert bad.message.isprintable()


@pytest.mark.parametrize("body", [b"\xff\xfe", b'{"rules": "\xff"}', b"\x00", b'"\\ud800"'])
def test_bytes_that_are_no_text_are_refused(body: bytes) -> None:
    with pytest.raises(messages.BadMessage):
        messages.new_table(body)


def test_signs_that_cannot_be_shown_become_spaces() -> None:
    found = messages.message('{"type": "whynot", "text": "a\\nb\\u202ec"}')
    assert found == messages.WhyNot("a b c")


@pytest.mark.parametrize(
    "text",
    [
        '{"type": "say", "text": "\\ud800"}',
        '{"type": "say", "text": "a \\udc00 b"}',
        '{"type": "say", "\\ud800": 1}',
        '{"type": "say", "text": {"deep": ["\\udfff"]}}',
        b'{"type": "say", "text": "\xed\xa0\x80"}',
    ],
)
def test_half_a_character_is_refused(text: str | bytes) -> None:
    """It cannot be written as UTF-8, and so neither be kept nor told to anybody."""
    with pytest.raises(messages.BadMessage) as bad:
        messages.parsed(text)
    assert re.search("surrogate|UTF-8", bad.value.message)


def test_a_pair_of_halves_is_a_character() -> None:
    found = messages.message('{"type": "say", "text": "\\ud83c\\udfb2"}')
    assert found == messages.Say("\N{GAME DIE}")


def test_every_message_has_a_name_and_every_name_a_message() -> None:
    kinds = {kind.__name__ for kind in messages.Message.__subclasses__()}
    assert {kind.__name__ for kind in messages.MESSAGES.values()} == kinds
    assert len(messages.MESSAGES) == len(kinds)


def test_a_key_that_is_not_known_is_told_in_signs_that_can_be_shown() -> None:
    (bad, *_) = refused('{"type": "ping", "a\\nb": 1}')
    assert bad.message == "`ping` has no `a b`"


def test_the_manual_shows_every_message() -> None:
    manual = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    shown = {}
    for text in re.findall(r"`(\{\"type\".*?\})`", manual):
        data = json.loads(text)
        if data["type"] in messages.MESSAGES:
            messages.message(text)
            shown[data["type"]] = data
    assert shown.keys() == messages.MESSAGES.keys()
    wish = re.search(r"```json\n(\{\"rules\".*?)```", manual, re.S)
    assert wish
    assert messages.new_table(wish[1]).rules == "walhalla+italian"
