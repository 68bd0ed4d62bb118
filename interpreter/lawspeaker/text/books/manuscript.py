"""The text of a book in a form for proofreading: one sentence per line.

    lawspeaker 1: book in de, one sentence on a line; correct it, then run …

    # Landing
    §1 A dragon lands at the first free shore.
    §2 In each field there is room for one piece:
    - §3 in a village,
    - §4 in a wood.
      §5 A wood is worth two points.

A line with `#` is a heading, by its level. A dash begins a list item, and an indented line
continues it. Numbers after § are for the reader and ignored: sentences count from 1 under each
heading, so lines can be cut, joined or added without renumbering.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lawspeaker.base.source import SourceFile
from lawspeaker.text.books.fingerprint import fingerprint, normalised
from lawspeaker.text.books.outline import Heading, Sentence, Text

FIRST = (
    "lawspeaker 1: book in {language}, one sentence on a line; correct it, then run "
    "`lawspeaker books add` on it"
)
UNKNOWN = "unknown"
_FIRST = re.compile(r"lawspeaker 1: book in (\S+?),")
_HEADING = re.compile(r"(#{1,7})(?:\s+(\S.*))?")
_LINE = re.compile(r"(?P<inner>\s*)(?P<item>-\s+)?(?:§\s?\d{1,4}\s+)?(?P<text>\S.*)")
_MERGE = re.compile(r"<{7}|={7}|>{7}|\|{7}")
_LANGUAGE = re.compile(rf"[a-z]{{2,3}}|{UNKNOWN}")


@dataclass(frozen=True, slots=True)
class Manuscript:
    """A parsed manuscript, and its language, empty if unknown. `faults` are lines that cannot be
    parsed, each with the reason."""

    text: Text
    language: str
    faults: tuple[tuple[int, str], ...] = ()


def is_manuscript(file: SourceFile) -> bool:
    return _FIRST.match(file.line_text(1)) is not None


def read_manuscript(file: SourceFile) -> Manuscript:
    """Parses a manuscript."""
    faults: list[tuple[int, str]] = []
    headings: list[Heading] = []
    above: tuple[Heading, ...] = ()
    sentences: list[Sentence] = []
    item = 0

    first = _FIRST.match(file.line_text(1))
    language = "" if first is None else first[1]
    if not _LANGUAGE.fullmatch(language):
        faults.append((1, f"`{language}` is no language; write its code, such as de, en, fr or it"))
    for number in range(2, file.line_count + 1):
        line = file.line_text(number).rstrip()
        heading = _HEADING.fullmatch(line)
        found = _LINE.fullmatch(line)
        if _MERGE.match(line):
            faults.append((number, "two versions were not merged; keep the lines of one"))
        elif heading is not None and heading[2] is None:
            faults.append((number, "this heading has no words; write some, or take it out"))
        elif heading is not None:
            level = len(heading[1])
            headings.append(Heading(heading[2], number, level))
            above = (*(each for each in above if each.level < level), headings[-1])
            item = 0
        elif found is not None and normalised(found["text"]):
            item = number if found["item"] else item if found["inner"] else 0
            text = found["text"]
            sentences.append(Sentence(text, number, fingerprint(text), above, item))
        elif line:
            faults.append((number, "this line has no words; take it out"))
    if not sentences:
        faults.append((1, "there is no sentence in this book; make it anew with --anew"))
    text = Text(file.name, tuple(headings), tuple(sentences))
    return Manuscript(text, "" if language == UNKNOWN else language, tuple(faults))


def manuscript(text: Text, language: str) -> str:
    """Serialises a text as a manuscript, sentences numbered under each heading."""
    return "\n".join((FIRST.format(language=language or UNKNOWN), *_lines(text), ""))


def _lines(text: Text) -> Iterator[str]:
    """Headings and sentences. A heading is repeated where the text returns to it."""
    everything: list[Heading | Sentence] = [*text.headings, *text.sentences]
    everything.sort(key=lambda each: (each.line, isinstance(each, Sentence)))
    here: Heading | None = None
    item = 0
    for each in everything:
        if isinstance(each, Heading):
            here = each
            yield from ("", _heading(each))
            continue
        own = each.headings[-1] if each.headings else None
        if own != here or each is text.sentences[0]:
            yield ""
        if own is not None and own != here:
            yield _heading(own)
        here = own
        under = text.sentences if own is None else text.under(own.short)
        number = next(at for at, other in enumerate(under, start=1) if other is each)
        mark = "" if not each.item else "  " if each.item == item else "- "
        item = each.item
        yield f"{mark}§{number} {each.text}"


def _heading(heading: Heading) -> str:
    return f"{'#' * heading.level} {heading.text}"
