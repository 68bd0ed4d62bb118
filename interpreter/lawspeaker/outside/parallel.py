"""Parallel texts in two languages, from games, variants and built-in phrases.

I/O module: it reads rules and translations. The aligner of books learns its lexicon from them.
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
from lawspeaker.text.splitting import RuleTexts, own_of
from lawspeaker.text.translation.files import read_translation
from lawspeaker.text.translation.matching import matched
from lawspeaker.text.translation.weaving import originals

Parallel = tuple[str, str]
"""A text in two languages."""
_BRACES = re.compile(r"\{[^{}]*\}")


def of_game(name: str, first: str, second: str, library: Library) -> Iterator[Parallel]:
    """Yields the parallel texts of a game and of the variants in its name; raises LibraryError."""
    for kept in units(name, library):
        yield from _of_unit(kept.unit, first, second)


def of_everything(first: str, second: str, library: Library, apart: str) -> Iterator[Parallel]:
    """Yields the parallel texts of all games but one, and of the built-in phrases."""
    for game in library.games():
        if game != apart:
            yield from of_game(game, first, second, library)
    if first in LANGUAGES and second in LANGUAGES:
        others = phrases(second)
        for key, text in phrases(first).items():
            yield _BRACES.sub(" ", text), _BRACES.sub(" ", others[key])


def _of_unit(unit: RuleTexts, first: str, second: str) -> Iterator[Parallel]:
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
