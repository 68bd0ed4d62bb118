"""Diffs two versions of a book: maps old sentences to new ones.

1. A sentence with the same words is the same. The sequences of fingerprints are aligned
   (`difflib`), so sentences with the same neighbours are matched first; the rest is matched by
   fingerprint in order: it has moved.
2. A missing heading was renamed if most of its sentences are together under a new one.
3. What is left between two matched neighbours has been changed, if as many new sentences are
   between them under the same heading. Otherwise the match is ambiguous, and the sentence is
   gone.

So citations and marks can follow their sentences. A citation of a sentence that is gone would
point at whatever has its number now; it gets the old fingerprints instead, and so is reported
until somebody has looked at it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from lawspeaker.base.source import SourceFile
from lawspeaker.text.books.citing import NEED_A_SENTENCE, citations, cites_in
from lawspeaker.text.books.fingerprint import heading_key
from lawspeaker.text.books.lock import Agreement, Lock, Marks, Said
from lawspeaker.text.books.outline import Heading, Sentence, Text, called, cited_as
from lawspeaker.text.books.reference import SIGN, BadReference, Reference, in_runs, reference
from lawspeaker.text.document import Mapping, Node, Scalar, child
from lawspeaker.text.format.scalars import one_line


@dataclass(frozen=True, slots=True)
class Followed:
    """New location of a citation's sentences; or their `prints`, if one of them is gone or they
    have no common heading any more.
    """

    where: Reference
    prints: tuple[str, ...] = ()


class Following:
    """Maps the sentences of a lock to a text, and records what cites them.

    `found` has the new sentence of each old one, by identity; `marks` are converted to the new
    text.
    """

    def __init__(self, lock: Lock, text: Text, marks: Marks) -> None:
        self.lock = lock
        self.text = text
        self.found: dict[int, Sentence] = {}
        self.cited: dict[int, list[str]] = {}
        gaps = self._same()
        self.renamed = dict(self._renamed())
        for old, new in gaps:
            self._changed(old, new)
        self.marks = replace(marks, misread=dict(self._misread(marks)))
        self.marks = replace(
            self.marks,
            reasons=self._reasons(),
            agrees=tuple(self._agrees()),
            others={by: self._said(said) for by, said in self.marks.others.items()},
        )

    # ------------------------------------------------------------ which is which

    def _same(self) -> list[tuple[list[Sentence], list[Sentence]]]:
        """Matches sentences with the same words; returns the unmatched runs in between, old and
        new.
        """
        old, new = self.lock.text.sentences, self.text.sentences
        beside = SequenceMatcher(
            None, [each.print for each in old], [each.print for each in new], autojunk=False
        )
        between: list[tuple[tuple[Sentence, ...], tuple[Sentence, ...]]] = []
        for tag, first, last, now_first, now_last in beside.get_opcodes():
            pair = old[first:last], new[now_first:now_last]
            if tag == "equal":
                self.found |= {id(one): other for one, other in zip(*pair, strict=True)}
            else:
                between.append(pair)
        free: dict[str, deque[Sentence]] = {}
        for _, added in between:
            for each in added:
                free.setdefault(each.print, deque()).append(each)
        for removed, _ in between:
            for each in removed:
                if free.get(each.print):
                    self.found[id(each)] = free[each.print].popleft()
        taken = {id(each) for each in self.found.values()}
        return [
            (
                [each for each in removed if id(each) not in self.found],
                [each for each in added if id(each) not in taken],
            )
            for removed, added in between
        ]

    def _renamed(self) -> Iterator[tuple[str, Heading]]:
        """Headings that are missing in the text, with their new names."""
        added = {
            each: {id(one) for one in self.text.under(each.short)}
            for each in self.text.headings
            if not self.lock.text.has(each.short)
        }
        for heading in self.lock.text.headings:
            if self.text.has(heading.short):
                continue
            old = self.lock.text.under(heading.short)
            same = {id(self.found[id(each)]) for each in old if id(each) in self.found}
            holding = [each for each, under in added.items() if same <= under]
            if holding and 2 * len(same) >= len(old) > 0:
                nearest = min(holding, key=lambda each: (len(added[each]), each.line))
                yield heading_key(heading.short), nearest

    def _changed(self, old: list[Sentence], new: list[Sentence]) -> None:
        """Pairs unmatched sentences between two neighbours, heading by heading."""
        places: dict[str, tuple[list[Sentence], list[Sentence]]] = {}
        for each in old:
            key = _above(each)
            now = heading_key(self.renamed[key].short) if key in self.renamed else key
            places.setdefault(now, ([], []))[0].append(each)
        for each in new:
            places.setdefault(_above(each), ([], []))[1].append(each)
        for before, after in places.values():
            if len(before) == len(after):
                self.found |= {id(one): other for one, other in zip(before, after, strict=True)}

    # ------------------------------------------------------------ citations

    def section(self, name: str) -> str:
        """The new name of a section."""
        if name in self.marks.misread or self.text.has(name):
            return name
        heading = self.renamed.get(heading_key(self.lock.marks.misread.get(name, name)))
        return name if heading is None else called(heading, self.marks.misread)

    def reference(self, where: Reference, stated: bool, by: str) -> Followed:
        """The new form of a citation; numbers that the lock does not know stay.

        `by` is its owner; `stated` marks citations that need a sentence.
        """
        known = self.lock.under(where.section)
        only = stated and len(known) == 1 and not where.numbers
        numbers = (1,) if only else where.numbers
        section = self.section(where.section)
        meant = [known[each - 1] for each in numbers if each <= len(known)]
        for each in meant:
            self.cited.setdefault(id(each), []).append(by)
        if not meant:
            return Followed(replace(where, section=section))
        now = [self.found[id(each)] for each in meant if id(each) in self.found]
        above = [called(each, self.marks.misread) for one in now for each in one.headings[::-1]]
        places = {each: self._numbers(each) for each in (section, *above)}
        common = (each for each, at in places.items() if at and all(id(one) in at for one in now))
        place = next(common, None)
        if place is None or len(now) < len(meant):
            prints = (self.found.get(id(each), each).print for each in meant)
            return Followed(Reference(place or section), tuple(dict.fromkeys(prints)))
        if only and len(places[place]) == 1:
            return Followed(Reference(place))
        at = [
            places[place][id(self.found[id(known[each - 1])])] if each <= len(known) else each
            for each in numbers
        ]
        return Followed(Reference(place, tuple(at)))

    def _numbers(self, section: str) -> dict[int, int]:
        """The numbers of the new sentences in a section, by identity."""
        under = self.text.under(self.marks.misread.get(section, section))
        return {id(each): number for number, each in enumerate(under, start=1)}

    # ------------------------------------------------------------ marks

    def _misread(self, marks: Marks) -> Iterator[tuple[str, str]]:
        """Corrections of misread headings, updated to the new text."""
        for wanted, read in marks.misread.items():
            heading = None if self.text.has(read) else self.renamed.get(heading_key(read))
            if heading is None:
                yield wanted, read
            elif not heading.is_called(wanted):
                yield wanted, heading.short

    def _reasons(self) -> dict[str, str]:
        """Reasons why sentences are no rules, copied to changed sentences."""
        reasons = dict(self.marks.reasons)
        for old, new in self._prints():
            if old in self.marks.reasons:
                reasons.setdefault(new, self.marks.reasons[old])
        return reasons

    def _said(self, said: Said) -> Said:
        """A further reader's statements, copied to changed sentences."""
        kept = dict(said)
        for old, new in self._prints():
            if old in said:
                kept.setdefault(new, said[old])
        return kept

    def _prints(self) -> Iterator[tuple[str, str]]:
        """Pairs of old and new fingerprints of sentences that still exist."""
        for sentence in self.lock.text.sentences:
            found = self.found.get(id(sentence))
            if found is not None:
                yield sentence.print, found.print

    def _agrees(self) -> Iterator[Agreement]:
        """Agreements, sentence by sentence, since one may have moved or be gone."""
        for each in self.marks.agrees:
            numbers: dict[str, list[int]] = {}
            for number in each.where.numbers:
                alone = replace(each.where, numbers=(number,))
                now = self.reference(alone, True, f"{each.id} (agrees)")
                numbers.setdefault(now.where.section, []).extend(now.where.numbers)
            for section, at in numbers.items():
                if at:
                    yield replace(each, where=Reference(section, tuple(at)))

    # ------------------------------------------------------------ what is told

    def told(self) -> Iterator[str]:
        """Messages about renamed headings, and about changed and missing sentences."""
        for heading in self.lock.text.headings:
            now = self.renamed.get(heading_key(heading.short))
            if now is not None:
                yield f"renamed: “{heading.short}” is called “{now.short}” now"
        for each in self.lock.text.sentences:
            found = self.found.get(id(each))
            by = ", ".join(dict.fromkeys(self.cited.get(id(each), ())))
            if found is None:
                section = each.headings[-1].text if each.headings else ""
                reason = self.marks.reasons.get(each.print)
                was = f", {reason}" if reason else ""
                cited = f", cited by {by}" if by else ""
                yield f"gone: {each.print} under “{section}”{was}{cited}"
            elif found.print != each.print:
                cited = f", cited by {by}" if by else ""
                yield f"changed: {cited_as(self.text, found, self.marks.misread)}{cited}"


def _above(sentence: Sentence) -> str:
    return heading_key(sentence.headings[-1].short) if sentence.headings else ""


# ---------------------------------------------------------------- files of rules


def renumbered(
    file: SourceFile, root: Mapping, source: str, own: tuple[str, ...], following: Following
) -> tuple[str, list[str]]:
    """Updates the citations in a rule file; returns its text and messages.

    `own` are the books that are meant where none is named.
    """
    edits: list[tuple[int, int, str]] = []
    told: list[str] = []
    for by, cites in cites_in(root):
        for book, node in citations(cites):
            cited = _cited(node)
            where = None if cited is None else _reference(cited.value)
            if (book or "".join(own)) != source or cited is None or where is None:
                continue
            now = following.reference(where, _stated(node), by)
            if now == Followed(where):
                continue
            edits.append(_edit(node, cited, where, now))
            told.append(f"{file.name}:{cited.span.line}: {_told(where, now)}")
    text = file.text
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text, told


def _told(where: Reference, now: Followed) -> str:
    if now.prints:
        return f"{where} is not all there any more: it is cited by prints now"
    same = now.where.section == where.section
    return f"{where} is {f'{SIGN} {in_runs(now.where.numbers)}' if same else now.where} now"


def _edit(node: Node, cited: Scalar, where: Reference, now: Followed) -> tuple[int, int, str]:
    """The edit that updates a citation, or a part of it."""
    same_section = now.where.section == where.section and not now.prints
    if same_section and where.numbers and not cited.escaped:
        sign = cited.content.start + cited.content.text.rindex(SIGN)
        return sign, cited.content.end, f"{SIGN} {in_runs(now.where.numbers)}"
    section = one_line(replace(cited, value=str(now.where)), brackets=True)
    if now.prints:
        prints = one_line(replace(cited, value=" ".join(now.prints), style="double"), brackets=True)
        key = node.key("section") if isinstance(node, Mapping) else None
        if key is None:
            section = f"{{section: {section}, print: {prints}}}"
        elif node.span.text.startswith("{"):
            section = f"{section}, print: {prints}"
        else:
            section = f"{section}\n{' ' * (key.span.column - 1)}print: {prints}"
    return cited.span.start, cited.span.end, section


def _cited(node: Node) -> Scalar | None:
    """The section of a citation; None if it has fingerprints."""
    if isinstance(node, Mapping):
        section = None if node.get("print") is not None else node.get("section")
    else:
        section = node
    return section if isinstance(section, Scalar) else None


def _stated(node: Node) -> bool:
    stance = child(node, "stance")
    return not isinstance(stance, Scalar) or stance.value in NEED_A_SENTENCE


def _reference(text: str) -> Reference | None:
    """Parses a reference; errors are reported elsewhere."""
    try:
        return reference(text)
    except BadReference:
        return None
