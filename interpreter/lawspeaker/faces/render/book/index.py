"""Builds the index: the names of things, and the rules that mention them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

from lawspeaker.base.typography import capital
from lawspeaker.faces.render.book.tree import Chapter, IndexEntry, Rule
from lawspeaker.position.layout import Layout

SHORT = 5
ENDING = 3
"""Words up to `SHORT` letters are searched as they are; of longer ones the last letter may differ.

All may have an ending of up to `ENDING` letters.
"""


def index(layout: Layout, chapters: Iterable[Chapter], language: str) -> tuple[IndexEntry, ...]:
    rules = [
        (block.id, _words(block))
        for chapter in chapters
        for block in chapter.blocks
        if isinstance(block, Rule)
    ]
    terms = []
    for word in dict.fromkeys(capital(each) for each in _names(layout, language)):
        stem = word if len(word) <= SHORT else word[:-1]
        speaks = re.compile(rf"\b{re.escape(stem)}\w{{0,{ENDING}}}\b", re.IGNORECASE)
        found = tuple(id for id, words in rules if speaks.search(words))
        if found:
            terms.append(IndexEntry(word, found))
    return tuple(sorted(terms, key=lambda term: sorting(term.word)))


def sorting(word: str) -> str:
    """Returns a sort key without accents and case."""
    bare = unicodedata.normalize("NFKD", word).casefold()
    return "".join(sign for sign in bare if not unicodedata.combining(sign))


def _words(rule: Rule) -> str:
    inner = " ".join(f"{each.title} {each.says}" for each in rule.under)
    return f"{rule.title} {rule.says} {inner}"


def _names(layout: Layout, language: str) -> Iterator[str]:
    """Yields the names of pieces, kinds, places and markers, and the words with a symbol.

    Other words are often ordinary ones. Names with numbers or without a translation are omitted.
    """
    program = layout.program
    named = [(each.name, "piece") for each in program.pieces]
    named += [(kind.name, each.name) for each in program.pieces for kind in each.kinds]
    named += [(each.name, "place") for each in program.families]
    named += [(each.name, "marker") for each in program.markers]
    chosen = {each.id for each in program.choices}
    words = [each for each in program.word_sets if each.name not in chosen]
    seen = program.symbols
    named += [
        (word, each.name)
        for each in words
        for word in each.words
        if word in seen or f"{each.name}.{word}" in seen
    ]
    for thing, of in named:
        name = layout.called(thing, of, language)
        known = language == program.languages[0] or language in program.names.get(thing, {})
        if known and not re.search(r"[\d{}_]", name):
            yield name
