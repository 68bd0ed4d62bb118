"""What each book calls the things of a game, and where it has one word for several of them.

Books say under `words` of their source what they call things: pieces, places, words, and rules. A
thing of which one book gives a word and another gives none has no word of its own there. A thing is
called by its name; a rule that has none, as a book in the reader's language calls it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from lawspeaker.study.compare.telling import Telling
from lawspeaker.study.sources.terms import words_of


@dataclass(frozen=True, slots=True)
class Term:
    """A thing, its name in the reader's language, the words of each telling's books, and what the
    rules call it in all languages."""

    thing: str
    name: str
    words: tuple[tuple[str, ...], ...]
    names: tuple[str, ...] = ()

    def other_word(self, tellings: Iterable[int]) -> tuple[int, str] | None:
        """The first word of these tellings' books that is not its name, and whose it is."""
        every = ((telling, word) for telling in tellings for word in self.words[telling])
        return next((each for each in every if each[1].casefold() != self.name.casefold()), None)


@dataclass(frozen=True, slots=True)
class Terms:
    each: tuple[Term, ...] = ()

    def shared(self, telling: int) -> dict[str, tuple[Term, ...]]:
        """Words that a telling's books have for several things, as they are first written."""
        found: dict[str, list[Term]] = {}
        spelled: dict[str, str] = {}
        for term in self.each:
            for word in term.words[telling]:
                spelled.setdefault(word.casefold(), word)
                found.setdefault(word.casefold(), []).append(term)
        return {spelled[word]: tuple(own) for word, own in found.items() if len(own) > 1}

    def apart(
        self,
        word: str,
        things: Sequence[Term],
        tellings: Sequence[int],
        told: Callable[[int, str], str],
    ) -> list[str]:
        """The names of things that have a word in common. Where a name is that word, or two names
        are the same, another word stands behind it, of the first of these tellings that has one;
        `told` says whose it is."""
        names = [term.name.casefold() for term in things]
        return [
            f"{term.name} ({told(*other)})"
            if (name == word.casefold() or names.count(name) > 1)
            and (other := term.other_word(tellings))
            else term.name
            for name, term in zip(names, things, strict=True)
        ]

    def said_of(self, thing: str) -> Iterator[str]:
        """All names of a thing, and all words of books for it."""
        for term in self.each:
            if term.thing == thing:
                yield from (term.name, *term.names)
                yield from (word for words in term.words for word in words)


def terms(tellings: Sequence[Telling], language: str, name: Callable[[str, str], str]) -> Terms:
    """The things of which a book gives its word, in the order in which books name them; `name` says
    what a thing is called in the reader's language, by its id and a word of a book for it."""
    books = [_words(each) for each in tellings]
    spoken = [_words(each, language) for each in tellings]
    names = tellings[0].program.names
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


def _words(telling: Telling, language: str = "") -> dict[str, tuple[str, ...]]:
    """The words of its own books, or of those in a language."""
    found: dict[str, tuple[str, ...]] = {}
    for source in telling.program.sources:
        if source.id not in telling.own or (language and source.language != language):
            continue
        for thing, words in words_of(telling.program, source.id).items():
            found[thing] = tuple(dict.fromkeys((*found.get(thing, ()), *words)))
    return found
