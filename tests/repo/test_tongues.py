"""Whoever plays a game of this repository, or compares its editions, reads it in four languages.

The checker holds names and questions to the languages a game promises. Here the same is asked of
every sentence, title and reason, and of every game and variant there is: a new one that is missing
a language is named with its file, its line and its key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.phrases import LANGUAGES
from lawspeaker.base.source import SourceFile
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load
from lawspeaker.position.layout import PLACEHOLDER
from lawspeaker.text import document
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted(
    str(file.relative_to(ROOT))
    for folder in ("rules", "variants")
    for file in (ROOT / folder).rglob("*.yaml")
    if file.parent.name not in ("texts", "scenarios")
)
SENTENCES = ("title", "about", "says", "asks", "because", "note", "assumed")
ELSEWHERE = ("sources", "table")
"""Where titles are those of books, or names of things."""

Told = tuple[str, Node]
"""A text for people, by the way to it."""


def told(node: Node, way: str = "") -> Iterator[Told]:
    """Every text for people in a file."""
    if isinstance(node, Mapping):
        for key, value in node.entries:
            yield from _under(key.value, value, f"{way}.{key.value}".lstrip("."))
    elif isinstance(node, Sequence):
        for each in node.items:
            yield from _changed(each, way)


def _under(key: str, value: Node, way: str) -> Iterator[Told]:
    if key in ELSEWHERE:
        return
    if key in SENTENCES or (key == "sign" and isinstance(value, Mapping)):
        yield way, value
    elif key == "guards" and isinstance(value, Mapping):
        for name, body in value.entries:
            says = body.get("says") if isinstance(body, Mapping) else body
            assert says is not None
            yield f"{way}.{name.value}", says
    elif key == "names" and isinstance(value, Mapping):
        yield from ((f"{way}.{name.value}", body) for name, body in value.entries)
    else:
        yield from told(value, way)


def _changed(node: Node, way: str) -> Iterator[Told]:
    """A change of a variant is known by what it does to what."""
    target = None
    if isinstance(node, Mapping):
        deeds = ("add", "set", "replace", "amend", "cite", "remove")
        target = next((node.get(deed) for deed in deeds if node.get(deed) is not None), None)
    if isinstance(target, Scalar):
        way = f"{way}.{target.value}"
        to = node.get("to") if isinstance(node, Mapping) else None
        if target.value.startswith("names.") and isinstance(to, Mapping):
            yield way, to
    yield from told(node, way)


def gaps(file: SourceFile) -> list[str]:
    """What is not said in every language, or not about the same things, and where."""
    diagnostics = Diagnostics()
    root = document.load(file, diagnostics)
    assert root is not None
    found: list[str] = []
    for way, node in told(root):
        texts = {"en": ""}
        if isinstance(node, Mapping):
            texts = {
                key.value: text.value
                for key, text in node.entries
                if key.value in LANGUAGES and isinstance(text, Scalar)
            }
        missing = [language for language in LANGUAGES if language not in texts]
        if missing:
            found.append(f"{node.span}: `{way}` lacks {', '.join(missing)}")
        elif len({frozenset(PLACEHOLDER.findall(text)) for text in texts.values()}) > 1:
            found.append(f"{node.span}: `{way}` has not the same in braces in every language")
    return found


@pytest.mark.parametrize("name", FILES)
def test_every_sentence_is_there_in_every_language(name: str) -> None:
    found = gaps(SourceFile(name, (ROOT / name).read_text(encoding="utf-8")))
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize("game", sorted(Library().games()))
def test_every_game_promises_every_language(game: str) -> None:
    """So that the checker asks for the names, too."""
    assert set(load(game).program.languages) == set(LANGUAGES)


def test_a_gap_is_named_with_its_place() -> None:
    text = (
        "variant: other\n"
        "title: Other\n"
        "changes:\n"
        "  - add: names.take\n"
        "    to: {en: take it, de: nehmen, it: prendere}\n"
        "  - add: turn\n"
        "    asks: {en: 'Which {card}?', de: Welche?, it: 'Quale {card}?', fr: 'Quelle {card} ?'}\n"
        "    guards:\n"
        "      open: It is shut.\n"
    )
    assert gaps(SourceFile("other.yaml", text)) == [
        "other.yaml:2:8: `title` lacks de, it, fr",
        "other.yaml:5:9: `changes.names.take` lacks fr",
        "other.yaml:7:11: `changes.turn.asks` has not the same in braces in every language",
        "other.yaml:9:13: `changes.turn.guards.open` lacks de, it, fr",
    ]


@pytest.mark.parametrize("name", FILES)
def test_french_leaves_room_before_high_signs(name: str) -> None:
    file = SourceFile(name, (ROOT / name).read_text(encoding="utf-8"))
    root = document.load(file, Diagnostics())
    assert root is not None
    french = [node.get("fr") for _, node in told(root) if isinstance(node, Mapping)]
    for text in french:
        if isinstance(text, Scalar):
            assert not re.search(r"\w[;:?!](\s|$)", text.value), f"{text.span}: {text.value}"
