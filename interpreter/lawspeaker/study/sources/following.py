"""A book whose text has changed: which sentence of the old one is which of the new one.

A sentence is the same if its words are: the first one of some words is the first one of these in
the new text, and so on. A sentence whose words are gone has been changed, if under the same heading
a new one has its number; otherwise it is gone. So numbers in citations and in marks can follow
their sentences, and what was said of a sentence is kept when a word in it is mended.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lawspeaker.base.source import SourceFile
from lawspeaker.text.books.citing import citations, cites_in
from lawspeaker.text.books.fingerprint import heading_key
from lawspeaker.text.books.lock import Lock, Marks
from lawspeaker.text.books.outline import Sentence, Text, cited_as
from lawspeaker.text.books.reference import SIGN, BadReference, Reference, in_runs, reference
from lawspeaker.text.document import Mapping, Node, Scalar


class Following:
    """Follows the sentences of a lock into a text; `gone` collects what could not be followed."""

    def __init__(self, lock: Lock, text: Text, marks: Marks) -> None:
        self.lock = lock
        self.text = text
        self.marks = marks
        new = dict(_named(text))
        places = {where: each for each, where in _placed(text)}
        old = {each.print for each in lock.text.sentences}
        at = {id(each): where for each, where in _placed(lock.text)}
        self.found: dict[int, Sentence] = {}
        for name, sentence in _named(lock.text):
            same, there = new.get(name), places.get(at[id(sentence)])
            if same is not None:
                self.found[id(sentence)] = same
            elif there is not None and there.print not in old:
                self.found[id(sentence)] = there

    def reference(self, where: Reference) -> Reference | None:
        """Where the sentences of a citation stand now; None if one of them is gone."""
        known = self.lock.under(where.section)
        now = self.text.under(self.marks.misread.get(where.section, where.section))
        numbers = {id(each): number for number, each in enumerate(now, start=1)}
        followed: list[int] = []
        for each in where.numbers:
            found = self.found.get(id(known[each - 1])) if each <= len(known) else None
            number = None if found is None else numbers.get(id(found))
            if number is None:
                return None
            followed.append(number)
        return replace(where, numbers=tuple(followed))

    def carried(self) -> Marks:
        """The marks, as they are about the new text. What cannot follow stays as it is."""
        reasons = dict(self.marks.reasons)
        for sentence in self.lock.text.sentences:
            found = self.found.get(id(sentence))
            reason = self.marks.reasons.get(sentence.print)
            if reason is not None and found is not None:
                reasons[found.print] = reason
        agrees = tuple(
            replace(each, where=self.reference(each.where) or each.where)
            for each in self.marks.agrees
        )
        return replace(self.marks, reasons=reasons, agrees=agrees)

    def changed(self) -> list[str]:
        """The sentences that read otherwise now, as they are cited."""
        return [
            cited_as(self.lock.text, each)
            for each in self.lock.text.sentences
            if id(each) in self.found and self.found[id(each)].print != each.print
        ]

    def gone(self) -> list[Sentence]:
        """The sentences of the lock that the text has no more."""
        return [each for each in self.lock.text.sentences if id(each) not in self.found]


def _named(text: Text) -> Iterator[tuple[tuple[str, int], Sentence]]:
    """Sentences by their print, and how often that has occurred before."""
    seen: dict[str, int] = {}
    for each in text.sentences:
        seen[each.print] = seen.get(each.print, 0) + 1
        yield (each.print, seen[each.print]), each


def _placed(text: Text) -> Iterator[tuple[Sentence, tuple[str, int]]]:
    """Sentences with the heading right above them, and their number there."""
    seen: dict[str, int] = {}
    for each in text.sentences:
        key = heading_key(each.headings[-1].short) if each.headings else ""
        seen[key] = seen.get(key, 0) + 1
        yield each, (key, seen[key])


def renumbered(
    file: SourceFile, root: Mapping, source: str, own: tuple[str, ...], following: Following
) -> tuple[str, list[str]]:
    """The text of a file of rules with the numbers of its citations following their sentences, and
    what was changed. `own` are the books that are meant where none is named."""
    edits: list[tuple[int, int, str]] = []
    told: list[str] = []
    for cites in cites_in(root):
        for book, node in citations(cites):
            cited = _cited(node)
            if (book or "".join(own)) != source or cited is None or cited.escaped:
                continue
            where = _reference(cited.value)
            now = None if where is None else following.reference(where)
            if where is None or now is None or now == where:
                continue
            sign = cited.content.start + cited.content.text.rindex(SIGN)
            edits.append((sign, cited.content.end, f"{SIGN} {in_runs(now.numbers)}"))
            told.append(
                f"{file.name}:{cited.span.line}: {where} is {SIGN} {in_runs(now.numbers)} now"
            )
    text = file.text
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text, told


def _cited(node: Node) -> Scalar | None:
    section = node.get("section") if isinstance(node, Mapping) else node
    return section if isinstance(section, Scalar) else None


def _reference(text: str) -> Reference | None:
    """A reference with numbers; what is wrong with others is told elsewhere."""
    try:
        found = reference(text)
    except BadReference:
        return None
    return found if found.numbers else None
