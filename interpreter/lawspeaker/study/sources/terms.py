"""A book's own words: where a clause speaks of a thing, the section it cites must name it so.

What a clause is about stands in its id: `market.closed` is about the thing `market`, if there is a
piece, a kind, a place, a marker or a word of that id. If the book states the clause, the name of
the thing in the book's language must occur under one of the headings that are cited for it. So a
card that is called otherwise in another edition is noticed, and so is a citation of a wrong place.

**Forms of words.** Names are written in one form, books bend them. Capital letters and accents do
not matter. A word of the book is a form of a word of the name if it begins like it: with all of it
but the last two letters, and at least with its first four. (So compounds count that begin with the
word; those that end with it do not.) Of a name of several words, all that are longer than three
letters must occur in one sentence, or in the headings above it; numbers do not matter.

**Which book.** Names in a language follow the last of the sources in that language: an edition that
retells the game in the same language brings its own terms along.

Where the book has another word, or the id means something else, the list of the text says so:
`other words: {market.closed: [market]}`.
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
"""What a book may have a word for in any game: points and what shows them, a place in a ranking."""


@dataclass(frozen=True, slots=True)
class Term:
    """A thing that a clause is about, and what it is called."""

    thing: str
    name: str


def follows(program: ir.Program, source: str) -> str | None:
    """The language whose names are this source's own; None when they follow another one."""
    told = [each for each in program.sources if each.language and each.details.get("file")]
    last = {each.language: each.id for each in told}
    return next((language for language, id in last.items() if id == source), None)


def words_of(program: ir.Program, source: str) -> Mapping[str, tuple[str, ...]]:
    """What a book calls things, by their ids; a reprint has the words of what it reprints, but for
    those that it names itself."""
    book = next((each for each in program.sources if each.id == source), None)
    if book is None:
        return {}
    original = book.details.get("reprint of", source)
    return {**(words_of(program, original) if original != source else {}), **book.words}


def terms(program: ir.Program, id: str, language: str) -> Iterator[Term]:
    """What an id is about, with the names of a language."""
    known = things(program)
    for part in dict.fromkeys(id.split(".")):
        name = program.names.get(part, {}).get(language) if part in known else None
        if name:
            yield Term(part, name)


def things(program: ir.Program) -> frozenset[str]:
    """Pieces, kinds, places, markers and words, by their ids."""
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
    """Whether a word of a book is a form of a word of a name."""
    if len(word) <= SHORTEST:
        return word == said
    return said.startswith(word[: max(BEGINNING, len(word) - ENDING)])


def headings(text: Text, sections: Iterable[str]) -> list[Heading]:
    sections = list(sections)
    return [each for each in text.headings if any(each.is_called(one) for one in sections)]


def _together(name: str, spoken: Iterable[list[str]]) -> bool:
    """Whether all words of a name that count stand in one of some sentences."""
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
