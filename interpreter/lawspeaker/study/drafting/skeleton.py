"""Generates the files of a game skeleton from a book: a stub clause for every rule-like
sentence.

Components become pieces in the box. Each rule-like sentence becomes a clause that does nothing,
cites it, and has the sentence as a comment; any other sentence is a comment only. So the game is
valid from the start, and what is left to do can be searched for.
"""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Iterator

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.phrases import phrase
from lawspeaker.base.source import SourceFile
from lawspeaker.study.drafting.finding import BookChapter, BookFindings
from lawspeaker.text.books.fingerprint import folded
from lawspeaker.text.books.outline import Sentence, Text, cited_as
from lawspeaker.text.format import formatted
from lawspeaker.text.format.scalars import can_be_plain, quoted
from lawspeaker.text.parse import reserved_words

ENTRY = "game.yaml"
MOST_STUBS = 900
MOST_CHAPTERS = 60
LONGEST_ID = 30
WIDTH = 96
_LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l"})
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_SIGNS = str.maketrans({"{": "(", "}": ")", "|": "/"})
"""Replacements of signs with a meaning in rule sentences."""
_TAKEN = frozenset({"game", "box", "player", "players", "number", "truth", "point", "points"})


def skeleton(name: str, title: str, source: str, text: Text, read: BookFindings) -> dict[str, str]:
    """The files by name; `source` is the id of the book, and `text` its content."""
    return _Skeleton(name, title, source, text, read).files()


def edition(name: str, game: str, title: str, source: str, text: Text, read: BookFindings) -> str:
    """The file of a variant that declares a book, and changes nothing yet."""
    language = read.language
    lines = [
        f"# The rules as {text.name} tells them. What it says of each rule is still to be cited.",
        "lawspeaker: 1",
        f"variant: {name}",
        f"of: {game}",
        "layer: edition",
        f"title: {_plain(title)}",
        "sources:",
        f"  {source}:",
        f"    title: {_plain(title)}",
        *([f"    language: {language}"] if language else []),
        f"    file: {_plain(text.name)}",
        *_box(title, text, read),
        "changes: []",
    ]
    return _tidy(f"{name}.yaml", lines)


class _Skeleton:
    def __init__(self, name: str, title: str, source: str, text: Text, read: BookFindings) -> None:
        self.name = name
        self.title = title
        self.source = source
        self.text = text
        self.read = read
        self.ids: set[str] = {*_TAKEN, *reserved_words()}
        self.rules = {id(each) for each in read.rules}
        self.stubs: list[str] = []

    def files(self) -> dict[str, str]:
        """All files; the entry file is first and names the others."""
        parts: dict[str, list[str]] = {}
        for chapter in self._chapters():
            lines = [*self.chapter(chapter)]
            parts[self.file(chapter, parts)] = lines
        with_rules = [name for name, lines in parts.items() if "rules:" in lines]
        loose = [line for name, lines in parts.items() if name not in with_rules for line in lines]
        entry = [*self.entry(with_rules), *loose]
        files = {ENTRY: entry, **{name: parts[name] for name in with_rules}}
        return {name: _tidy(name, lines) for name, lines in files.items()}

    def _chapters(self) -> tuple[BookChapter, ...]:
        """The chapters; merged into one if there are too many."""
        found = self.read.chapters
        if len(found) <= MOST_CHAPTERS:
            return found
        return (BookChapter(None, tuple(each for part in found for each in part.sentences)),)

    # ------------------------------------------------------------ the entry file

    def entry(self, names: list[str]) -> Iterator[str]:
        read, language = self.read, self.read.language
        yield f"# Made of {self.text.name}. A clause that says “{self.todo('…')}” does nothing yet."
        yield "# Sentences of the book stand in remarks; take them out before you give this away."
        yield "lawspeaker: 1"
        yield f"game: {self.name}"
        yield f"title: {_plain(self.title)}"
        if read.players is None:
            yield "# To do: the book does not say, in so many words, how many can play."
            yield "players: {from: 2, to: 4}"
        else:
            yield from _remark("", f"{self.where(read.players[2])}: {read.players[2].text}")
            yield f"players: {{from: {read.players[0]}, to: {read.players[1]}}}"
        yield f"language: {language or 'en'}"
        yield "sources:"
        yield f"  {self.source}:"
        yield f"    title: {_plain(self.read.title or self.title)}"
        if language:
            yield f"    language: {language}"
        yield f"    file: {_plain(self.text.name)}"
        yield from _box(self.title, self.text, read)
        if names:
            yield f"files: [{', '.join(names)}]"
        yield ""
        yield from self.components()
        yield "rules:"
        yield "  game:"
        yield f"    says: {_plain(phrase('new.game', language))}"
        yield "    rule: |"
        yield from (f"      do {each}" for each in self.stubs)
        if not self.stubs:
            yield "      finish"

    def components(self) -> Iterator[str]:
        if not self.read.components:
            return
        ids = [self.id(each.noun) for each in self.read.components]
        yield "pieces:"
        for id, each in zip(ids, self.read.components, strict=True):
            yield from _remark("  ", f"{self.where(each.sentence)}: {each.sentence.text}")
            cites = self.cited(each.sentence, True)
            yield f"  {id}: {{count: {each.count}, starts in: box_{id}, cites: {cites}}}"
        yield ""
        yield "places:"
        for id in ids:
            yield f"  box_{id}: {{holds: {id}, seen by: everyone}}"
        yield ""
        yield "names:"
        names: list[str] = []
        for id, each in zip(ids, self.read.components, strict=True):
            alike = sum(folded(each.noun) == other for other in names)
            yield f"  {id}: {_plain(f'{each.noun} {alike + 1}' if alike else each.noun)}"
            names.append(folded(each.noun))
        yield ""

    # ------------------------------------------------------------ chapters

    def file(self, chapter: BookChapter, known: dict[str, list[str]]) -> str:
        called = _slug(chapter.heading.short, self.read.language) if chapter.heading else ""
        called = called or "rules"
        taken = {ENTRY, *known}
        at, name = 1, f"{called}.yaml"
        while name in taken:
            at += 1
            name = f"{called}_{at}.yaml"
        return name

    def chapter(self, chapter: BookChapter) -> Iterator[str]:
        if chapter.heading is not None:
            yield f"# {chapter.heading.text}"
        rules = [id(each) in self.rules for each in chapter.sentences]
        if any(rules):
            yield "rules:"
        for sentence, is_rule in zip(chapter.sentences, rules, strict=True):
            where = self.where(sentence)
            if not is_rule:
                yield from _remark("  ", f"To decide: {where}: {sentence.text}")
                yield ""
                continue
            heading = sentence.headings[-1].short if sentence.headings else "sentence"
            number = where.rpartition("§ ")[2] if sentence.headings else ""
            stub = self.id(f"{heading} {number}")
            self.stubs.append(stub)
            yield from _remark("  ", f"{where}: {sentence.text}")
            yield f"  {stub}:"
            yield f"    says: {_plain(self.todo(where))}"
            yield f"    cites: {self.cited(sentence)}"
            yield "    rule: finish"
            yield ""

    def todo(self, where: str) -> str:
        shown = where.translate(_SIGNS)
        return phrase("new.clause", self.read.language, where=shown)

    def where(self, sentence: Sentence) -> str:
        return cited_as(self.text, sentence)

    def cited(self, sentence: Sentence, brackets: bool = False) -> str:
        return _cited(self.title, self.text, sentence, brackets)

    def id(self, words: str) -> str:
        """A unique id."""
        plain = _slug(words, self.read.language) or "piece"
        at, found = 1, plain
        while found in self.ids or f"box_{found}" in self.ids:
            at += 1
            found = f"{plain}_{at}"
        self.ids |= {found, f"box_{found}"}
        return found


def of_the_box(read: BookFindings) -> dict[str, str]:
    """Marks of sentences about the box only, by fingerprint."""
    return {} if read.players is None else {read.players[2].print: "box"}


def _box(title: str, text: Text, read: BookFindings) -> Iterator[str]:
    """The box facts on the number of players."""
    if read.players is None:
        return
    fewest, most, sentence = read.players
    number = str(fewest) if fewest == most else f"{fewest}-{most}"
    where = _cited(title, text, sentence, True)
    yield f"    box: {{players: {{is: {quoted(number)}, cites: {where}}}}}"


def _cited(title: str, text: Text, sentence: Sentence, brackets: bool) -> str:
    """A citation; a sentence without a heading is cited by fingerprint alone."""
    if sentence.headings:
        return _plain(cited_as(text, sentence), brackets)
    return f"{{section: {_plain(title, True)}, print: {quoted(sentence.print)}}}"


def _slug(words: str, language: str) -> str:
    """Converts words to an id: lower-case letters, digits and _, starting with a letter."""
    text = words.lower().translate(_LETTERS)
    text = text.translate(_UMLAUTS) if language == "de" else text
    text = re.sub(r"['’]", "", text)
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    parts = re.findall(r"[a-z]+[0-9]*|[0-9]+", plain)
    while parts and parts[0][0].isdigit():
        parts.pop(0)
    tail = f"_{parts.pop()}" if parts and parts[-1][0].isdigit() else ""
    return "_".join(parts)[:LONGEST_ID].rstrip("_") + (tail if parts else "")


def _plain(text: str, brackets: bool = False) -> str:
    """A YAML scalar, quoted if needed."""
    text = " ".join(text.split())
    return text if can_be_plain(text, brackets) and text[:1].isalpha() else quoted(text)


def _remark(indent: str, text: str) -> list[str]:
    shown = " ".join("".join(each if each.isprintable() else " " for each in text).split())
    return textwrap.wrap(
        shown, WIDTH, initial_indent=f"{indent}# ", subsequent_indent=f"{indent}# "
    )


def _tidy(name: str, lines: list[str]) -> str:
    text = "\n".join((*lines, ""))
    tidy = formatted(SourceFile(name, text), Diagnostics())
    assert tidy is not None, f"{name}: what is written here can be read"
    return tidy
