"""Renders the comparison of rules with their books, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from lawspeaker.base.diagnostics import with_noun
from lawspeaker.study.sources.coverage import CoverageResult, Fault, prints
from lawspeaker.study.sources.readings import Review
from lawspeaker.study.sources.second_reading import SecondReading
from lawspeaker.text.books.lock import REASONS

WITHOUT = {
    "implies": "the book only implies",
    "silent": "the book is silent",
    "our_ruling": "the book leaves it open, and we decided",
    "says_otherwise": "the book says otherwise",
    "contradicts_itself": "the book contradicts itself",
}
LONGEST = 60


def text(
    held: CoverageResult,
    excerpts: bool,
    review: Review | None = None,
    second: SecondReading | None = None,
) -> str:
    """Renders the results for one source; `excerpts` shows the beginning of open sentences."""
    lines = (*_lines(held, excerpts), *_reviewed(review), *_read_again(second))
    return "\n".join(lines)


def _read_again(second: SecondReading | None) -> Iterator[str]:
    """Yields the marks of further readers, and where they disagree with the first."""
    if second is None:
        return
    for reader, count in second.said.items():
        found = [each for each in second.disagreements if each.reader == reader]
        marks = with_noun(count, "mark")
        yield f"  read again by {reader}: {marks}, {len(found)} not as the first has"
        for each in found:
            first, other = ", ".join(each.first), ", ".join(each.second)
            yield f"    {each.about}: {first}; {reader}: {other}"


def _reviewed(review: Review | None) -> Iterator[str]:
    """Yields how many points were reviewed beside the book, and what has changed since."""
    if review is None or not (review.read or review.faults):
        return
    days = sorted({*review.read.values()})
    when = f", {' to '.join(dict.fromkeys((days[0], days[-1])))}" if days else ""
    of = len(review.read) + len(review.unread)
    yield f"  read beside the book: {len(review.read)} of {of} points{when}"
    yield from map(_fault, review.faults)


def _fault(fault: Fault) -> str:
    about = f"{fault.id}: " if fault.id else ""
    return f"    {about}{fault.message} ({fault.code})"


def _lines(held: CoverageResult, excerpts: bool) -> Iterator[str]:
    listed = ", ".join(f"{count} {reason}" for reason, count in held.listed.items() if count)
    apart = f"; no rules: {listed}" if listed and held.whole else ""
    gone = f", {held.left_out} left out by variants" if held.left_out else ""
    more = f", {held.elsewhere} by other variants" if held.elsewhere else ""
    part = "" if held.whole else "; the book is cited in part, and not retold"
    counts = f"{held.sentences} sentences, {held.cited} cited{more}{gone}{apart}{part}"
    yield f"{held.source}: {held.file}: {counts}"
    if held.faults:
        yield "  citations that do not hold:"
    for fault in held.faults:
        place = f"{held.file}:{fault.line}: " if fault.line else ""
        about = f"{fault.id}: " if fault.id else ""
        yield f"    {place}{about}{fault.message} ({fault.code})"
    if held.open:
        yield "  sentences without a rule:"
    for sentence in held.open:
        shown = f"  {shortened(sentence.text)}" if excerpts else ""
        names = "  ".join(dict.fromkeys((held.named(sentence), sentence.print)))
        yield f"    {held.file}:{sentence.line}  {names}{shown}"
    for stance, words in WITHOUT.items():
        members = [each for each in held.without if each.citation.stance == stance]
        if members:
            yield f"  rules without a sentence: {words}"
        for each in members:
            section = f"  “{each.citation.section}”" if each.citation.section else ""
            note = f"  {each.citation.note_in('en')}" if each.citation.note else ""
            yield f"    {each.id}{section}{note}"
    if held.unmentioned:
        yield "  rules that do not mention the book:"
    for id in held.unmentioned:
        yield f"    {id}"


def suggestion(held: CoverageResult, review: Review | None = None) -> str:
    """Returns a marks file with all sentences without a rule, to be completed.

    A sentence is cited in the rules by its name, or marked by a word after it; the file is read
    back with --marks. Once points were reviewed beside the book, those left or changed since are
    listed, too.
    """
    left = with_noun(len(held.open), "sentence")
    lines = [f"# {held.source}: {held.file}: {left} without a rule"]
    for each in held.open:
        lines += [f"# {held.file}:{each.line}: {shortened(each.text)}", f"{held.named(each)} ="]
    if held.open:
        lines += [
            "# Cite them, or mark them with one of these words:",
            *(f"#   {reason:10}{words}" for reason, words in REASONS.items()),
            "# In the book of an edition, name the rules of the game that are the same there.",
        ]
    if review is not None and review.read:
        changed = [each.id for each in review.faults if each.id in review.read]
        lines.append(
            f"# {with_noun(len(review.unread) + len(changed), 'point')} to read beside the book"
        )
        lines += (f"read {id} =" for id in (*changed, *review.unread))
    return "\n".join(lines)


def shortened(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"


def to_json(
    held: CoverageResult, review: Review | None = None, second: SecondReading | None = None
) -> dict[str, Any]:
    return {
        "source": held.source,
        "file": held.file,
        "sound": held.sound and not (review is not None and review.faults),
        "whole": held.whole,
        "sentences": held.sentences,
        "cited": held.cited,
        "left_out": held.left_out,
        "elsewhere": held.elsewhere,
        "no_rules": dict(held.listed),
        "open": [
            {
                "line": each.line,
                "print": each.print,
                "reference": held.named(each),
                "headings": [heading.text for heading in each.headings],
            }
            for each in held.open
        ],
        "faults": [
            {"code": each.code, "message": each.message, "id": each.id, "line": each.line}
            for each in (*held.faults, *(() if review is None else review.faults))
        ],
        "read": None if review is None else dict(review.read),
        "read_again": {} if second is None else dict(second.said),
        "disagreements": [
            asdict(each) for each in (() if second is None else second.disagreements)
        ],
        "without": [
            {
                "id": each.id,
                "stance": each.citation.stance,
                "section": each.citation.section,
                "note": each.citation.note_in("en") or None,
                "prints": list(prints(each.citation)),
            }
            for each in held.without
        ],
        "unmentioned": list(held.unmentioned),
    }
