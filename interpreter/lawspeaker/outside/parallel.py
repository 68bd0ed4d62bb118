"""Texts that are there in two languages: those of games and their variants, and our own phrases.

An edge: it reads rules and translations from the disk. The aligner of books learns words from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.phrases import LANGUAGES, phrases
from lawspeaker.base.source import SourceFile
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import schema
from lawspeaker.outside.units import units
from lawspeaker.text import document
from lawspeaker.text.document import Mapping
from lawspeaker.text.splitting import Unit, own_of
from lawspeaker.text.translation.files import read_translation
from lawspeaker.text.translation.matching import matched
from lawspeaker.text.translation.weaving import originals

Parallel = tuple[str, str]
"""A text in two languages."""
_BRACES = re.compile(r"\{[^{}]*\}")


def of_game(name: str, first: str, second: str, library: Library) -> Iterator[Parallel]:
    """What a game, and the variants named with it, say in both languages; raises LibraryError."""
    for kept in units(name, library):
        yield from _of_unit(kept.unit, first, second)


def of_everything(first: str, second: str, library: Library, apart: str) -> Iterator[Parallel]:
    """What all games but one, and our own phrases, say in both languages."""
    for game in library.games():
        if game != apart:
            yield from of_game(game, first, second, library)
    if first in LANGUAGES and second in LANGUAGES:
        others = phrases(second)
        for key, text in phrases(first).items():
            yield _BRACES.sub(" ", text), _BRACES.sub(" ", others[key])


def _of_unit(unit: Unit, first: str, second: str) -> Iterator[Parallel]:
    ignored = Diagnostics()
    roots = [document.load(SourceFile(name, text), ignored) for name, text in unit.rules.items()]
    trees = [root for root in roots if isinstance(root, Mapping)]
    if len(trees) < len(roots):
        return
    own = own_of(trees[0], unit.language)
    texts = originals(trees, own)
    told = {own: dict(zip(texts, (text for _, text in texts), strict=True))}
    for name, text in unit.beside.items():
        if name.endswith(".yaml") and name.startswith("languages/"):
            there = read_translation(SourceFile(name, text), schema("translation"), ignored)
            if there is not None and there.language in (first, second):
                found = matched(texts, there).found
                told[there.language] = {key: each.text.value for key, each in found.items()}
    one, other = told.get(first, {}), told.get(second, {})
    for key in texts:
        if key in one and key in other:
            yield _BRACES.sub(" ", one[key]), _BRACES.sub(" ", other[key])
