"""The quick validator and the thorough one say yes to the same files: those of the library, and the
same with something wrong in them. Without the quick one, which is optional, messages are the
same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from random import Random
from typing import Any

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.outside.library import data_folder
from lawspeaker.outside.loading import schema
from lawspeaker.text.document import load, plain
from lawspeaker.text.schema import Schema, form, validate
from tests.language.games import BAD
from tests.tiers import sample

STRANGE: list[Any] = [
    None, True, 0, -1, 10**12, "", "x", "two words", "Große", "9", "a.b", "\u200b", [], {}, [[]],
    ["a", "a"], {"a": 1}, {"en": "a"}, {"en": ""}, [{"a": "b"}],
]  # fmt: skip
DAMAGED = 10


def files(form: str) -> Iterator[Any]:
    folder = data_folder("variants" if form == "variant" else "rules")
    inside = "*/languages/*.yaml" if form == "translation" else "*/*.yaml"
    for path in sorted(folder.glob(inside)):
        node = load(SourceFile(path.name, path.read_text(encoding="utf-8")), Diagnostics())
        assert node is not None
        yield plain(node)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every list and mapping, with each key in it."""
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for key, each in inside:
        yield value, key
        if isinstance(each, dict | list):
            yield from places(each)


def damaged(value: Any, random: Random) -> Iterator[Any]:
    """The same value with one thing wrong in it, which is put right afterwards."""
    every = list(places(value))
    for _ in range(DAMAGED):
        holder, key = random.choice(every)
        right = holder[key]
        holder[key] = random.choice(STRANGE)
        yield value
        holder[key] = right
        added = random.choice(["unknown", "note", "a b", f"{key}s"])
        if isinstance(holder, dict) and added not in holder:
            holder[added] = right
            yield value
            del holder[added]


@pytest.mark.full
@pytest.mark.parametrize("name", sample(["game", "variant", "translation"], full=3))
def test_both_say_yes_to_the_same(name: str) -> None:
    shape: Schema = schema(name).part if name == "game" else schema(name)
    random, refused = Random(7), 0
    for value in files(name):
        assert shape.fits(value)
        for wrong in damaged(value, random):
            fits = shape.fits(wrong)
            assert fits == shape.thorough.is_valid(wrong)
            refused += not fits
    assert refused > 100


def messages() -> list[str]:
    """What a new schema says about each bad file."""
    shape, found = Schema(schema("game")), []
    for path in sorted(BAD.glob("*.yaml")):
        diagnostics = Diagnostics()
        node = load(SourceFile(path.name, path.read_text(encoding="utf-8")), diagnostics)
        if node is not None and len(diagnostics) == 0:
            validate(node, shape, diagnostics, "game")
            found += [str(asdict(each)) for each in diagnostics]
    return found


def test_messages_are_the_same_without_the_quick_one(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("jsonschema_rs")
    both = messages()
    monkeypatch.setattr(form, "QuickValidator", None)
    assert len(both) > 20
    assert messages() == both
