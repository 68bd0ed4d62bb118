"""Checks terminology: a section cited for a clause about a thing must name the thing.

A clause's id tells what it is about: `market.closed` is about the thing `market`, if a piece, a
kind, a place, a marker or a word has that id. If the book states the clause, the name of the
thing in the book's language must occur under one of the cited headings. This finds different
names in another edition, and wrong citations.

**Inflection.** Names have one form, books inflect them. Case and accents are ignored. A word of
the book matches a word of the name if it has the same beginning: all but the last two letters,
and at least the first four. (So compounds that begin with the word match; those that end with it
do not.) Of a name of several words, all longer than three letters must occur in one sentence, or
in the headings above it; numbers do not matter.

**Choice of book.** Names in a language follow the last of the sources in that language: an
edition in the same language has its own terms.

If the book has another word, or the id means something else, the list of the text has an
exception: `other words: {market.closed: [market]}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.text.books.fingerprint import folded
from lawspeaker.text.books.outline import Heading, Text

SHORTEST = 3
BEGINNING = 4
ENDING = 2
OF_ANY_GAME = ("score", "place")
"""Things that books name in any game: points and what shows them, a place in a ranking."""


@dataclass(frozen=True, slots=True)
class ThingTerm:
    """A thing that a clause is about, and its name."""

    thing: str
    name: str


def follows(program: ir.Program, source: str) -> str | None:
    """The language whose names follow this source; None if they follow another one."""
    told = [each for each in program.sources if each.language and each.details.get("file")]
    last = {each.language: each.id for each in told}
    return next((language for language, id in last.items() if id == source), None)


def words_of(program: ir.Program, source: str) -> Mapping[str, tuple[str, ...]]:
    """A book's words for things, by id; a reprint inherits those of the original."""
    book = next((each for each in program.sources if each.id == source), None)
    if book is None:
        return {}
    original = book.details.get("reprint of", source)
    return {**(words_of(program, original) if original != source else {}), **book.words}


def terms(program: ir.Program, id: str, language: str) -> Iterator[ThingTerm]:
    """The things that an id is about, with their names in a language."""
    known = things(program)
    for part in dict.fromkeys(id.split(".")):
        name = program.names.get(part, {}).get(language) if part in known else None
        if name:
            yield ThingTerm(part, name)


def things(program: ir.Program) -> frozenset[str]:
    """The ids of pieces, kinds, places, markers and words."""
    found = {piece.name for piece in program.pieces}
    found.update(kind.name for piece in program.pieces for kind in piece.kinds)
    found.update(family.name for family in program.families)
    found.update(marker.name for marker in program.markers)
    found.update(word for each in program.word_sets for word in (each.name, *each.words))
    return frozenset(found)


def occurs(name: str, text: Text, sections: Iterable[str]) -> bool:
    """Whether a name occurs in a sentence under one of these headings."""
    return _together(name, _spoken(text, list(sections)))


def spoken_of(name: str, text: Text) -> bool:
    """Whether a name occurs anywhere in a text, in a sentence or a heading."""
    return occurs(name, text, [each.text for each in text.headings]) or _together(
        name, (_words(each.text) for each in text.sentences)
    )


def is_form(word: str, said: str) -> bool:
    """Whether a word of a book matches a word of a name, up to inflection."""
    if len(word) <= SHORTEST:
        return word == said
    return said.startswith(word[: max(BEGINNING, len(word) - ENDING)])


def headings(text: Text, sections: Iterable[str]) -> list[Heading]:
    """The headings of a text with one of these names."""
    sections = list(sections)
    return [each for each in text.headings if any(each.is_called(one) for one in sections)]


def _together(name: str, spoken: Iterable[list[str]]) -> bool:
    """Whether all significant words of a name occur in the same sentence."""
    words = _words(name)
    wanted = [each for each in words if len(each) > SHORTEST and not each.isdecimal()] or words
    return any(all(any(is_form(each, said) for said in own) for each in wanted) for own in spoken)


def _spoken(text: Text, sections: list[str]) -> Iterator[list[str]]:
    """The words of each sentence under the headings, with those of the headings above it."""
    for sentence in text.sentences:
        if any(each.is_called(one) for each in sentence.headings for one in sections):
            above = [word for each in sentence.headings for word in _words(each.text)]
            yield [*_words(sentence.text), *above]


def _words(text: str) -> list[str]:
    return folded(text).split()
