"""Glossary: the words of each book for the things of a game, and ambiguous words.

Sources declare under `words` what they call pieces, places, words, and rules. If only one book
has a word for a thing, the other has none. A thing is listed by its name; an unnamed rule, by the
word of a book in the reader's language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from lawspeaker.study.compare.ruleset import Ruleset
from lawspeaker.study.sources.terms import words_of


@dataclass(frozen=True, slots=True)
class Term:
    """A thing: its name in the reader's language, the words of each ruleset's books, and all its
    names.
    """

    thing: str
    name: str
    words: tuple[tuple[str, ...], ...]
    names: tuple[str, ...] = ()

    def other_word(self, columns: Iterable[int]) -> tuple[int, str] | None:
        """The first word of these rulesets' books that is not its name, with the ruleset's
        number.
        """
        every = ((column, word) for column in columns for word in self.words[column])
        return next((each for each in every if each[1].casefold() != self.name.casefold()), None)


@dataclass(frozen=True, slots=True)
class Terms:
    """A glossary: terms in the order of the books."""

    each: tuple[Term, ...] = ()

    def shared(self, column: int) -> dict[str, tuple[Term, ...]]:
        """Words that a ruleset's books use for several things, as first spelled."""
        found: dict[str, list[Term]] = {}
        spelled: dict[str, str] = {}
        for term in self.each:
            for word in term.words[column]:
                spelled.setdefault(word.casefold(), word)
                found.setdefault(word.casefold(), []).append(term)
        return {spelled[word]: tuple(own) for word, own in found.items() if len(own) > 1}

    def apart(
        self,
        word: str,
        things: Sequence[Term],
        columns: Sequence[int],
        told: Callable[[int, str], str],
    ) -> list[str]:
        """Disambiguated names of things that share a word.

        If a name equals the word, or two names are equal, another word of the first of these
        rulesets is appended; `told` formats it with its source.
        """
        names = [term.name.casefold() for term in things]
        return [
            f"{term.name} ({told(*other)})"
            if (name == word.casefold() or names.count(name) > 1)
            and (other := term.other_word(columns))
            else term.name
            for name, term in zip(names, things, strict=True)
        ]

    def said_of(self, thing: str) -> Iterator[str]:
        """All names of a thing, and all words of books for it."""
        for term in self.each:
            if term.thing == thing:
                yield from (term.name, *term.names)
                yield from (word for words in term.words for word in words)


def terms(rulesets: Sequence[Ruleset], language: str, name: Callable[[str, str], str]) -> Terms:
    """The glossary of some rulesets, in the order of the books.

    `name` maps a thing's id and a book's word for it to its display name.
    """
    books = [_words(each) for each in rulesets]
    spoken = [_words(each, language) for each in rulesets]
    names = rulesets[0].program.names
    things = dict.fromkeys(thing for own in books for thing in own)
    found = (
        Term(
            thing,
            name(thing, next((own[thing][0] for own in spoken if own.get(thing)), "")),
            tuple(own.get(thing, ()) for own in books),
            tuple(names.get(thing, {}).values()),
        )
        for thing in things
    )
    return Terms(tuple(found))


def _words(ruleset: Ruleset, language: str = "") -> dict[str, tuple[str, ...]]:
    """The words of its own books, or of those in a language."""
    found: dict[str, tuple[str, ...]] = {}
    for source in ruleset.program.sources:
        if source.id not in ruleset.own or (language and source.language != language):
            continue
        for thing, words in words_of(ruleset.program, source.id).items():
            found[thing] = tuple(dict.fromkeys((*found.get(thing, ()), *words)))
    return found
