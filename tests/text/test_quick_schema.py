"""The quick validator and the thorough one say yes to the same files: those of the library, and the
same with something wrong in them."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.outside.library import data_folder
from lawspeaker.outside.loading import schema
from lawspeaker.text.document import load, plain
from lawspeaker.text.schema import Schema
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
@pytest.mark.parametrize("name", sample(["game", "variant", "translation"], test=3))
def test_both_say_yes_to_the_same(name: str) -> None:
    form: Schema = schema(name).part if name == "game" else schema(name)
    random, refused = Random(7), 0
    for value in files(name):
        assert form.fits(value)
        for wrong in damaged(value, random):
            fits = form.fits(wrong)
            assert fits == form.thorough.is_valid(wrong)
            refused += not fits
    assert refused > 100
