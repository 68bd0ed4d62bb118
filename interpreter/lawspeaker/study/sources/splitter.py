"""Splits the text of a rulebook into headings and sentences, with line numbers.

Texts come from scans and notes, as plain text or Markdown. The rules are:

**Noise.** Emphasis (`**`, `*`), HTML tags and superscripts (`<sup>1</sup>`) are removed. Blank
lines only separate.

**Units.** A blank line ends a unit, and so does a list item: a line that begins with a dash, an
arrow, a bullet, or a number with a point or bracket (`2.`, `3a)`). Other lines continue the unit
before them. Table cells, separated by tabs or ` | `, are units of their own. So a list item or a
cell is a sentence even without a full stop. List markers are removed.

**Headings.** If any line begins with `#`, those lines are the headings, and the number of signs
is their level. In other texts, a heading is a line alone between blank lines, of at most eight
words, that neither ends like a sentence nor holds a colon nor begins with a bare number (`18
tiles` is no heading, `2. Landing` is). If some headings are in capitals, the others are below
them; those in capitals need only a blank line before them, and a short line right below a heading
is one, too. Parenthesised text at the end of a heading in capitals (`KING (4x)`) is often said
nowhere else, so such a heading is a sentence as well.

A few words in bold that open a paragraph and end with a colon, or that fill the first cell of a
row, are a heading for just that paragraph; the former stay a part of its first sentence. A
heading is also identified by its text before a bracket.

**Sentences.** A sentence ends at `.`, `!` or `?`, with closing signs after it, before a capital
letter, a quotation mark or a bracket. A single letter with a point (`z. B.`) and a number after
an article (`der 1. Platz`) end none. Brackets of at most three words after a full stop (`(4x)`)
belong to the sentence before them; longer ones are sentences.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lawspeaker.base.source import SourceFile
from lawspeaker.text.books.fingerprint import fingerprint, normalised
from lawspeaker.text.books.manuscript import is_manuscript, read_manuscript
from lawspeaker.text.books.outline import Heading, Sentence, Text

MOST_WORDS_OF_HEADING = 8
MOST_WORDS_OF_REMARK = 3
PARAGRAPH_LEVEL = 7

_RAISED = re.compile(r"<sup>.*?</sup>", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z][^<>]*>", re.IGNORECASE)
_MARKED = re.compile(r"(#{1,6})\s+(.*)")
_MARK = re.compile(r"(?:[-–—→•·✦]\s+)+")
_NUMBER = re.compile(r"\d{1,2}[a-z]?[.)]\s+")
_CELLS = re.compile(r"\t+|\s\|\s")
_BOLD_CELL = re.compile(r"\W*\*\*([^*]+)\*\*\W*")
_IN_CAPITALS = re.compile(r"((?:[^\W\d_]|[ &!/-])+?)\s*(\([^()]*\))?:?")
_BOLD_START = re.compile(r"\*\*([^*]{1,60})(?::\*\*|\*\*:)\s*\w")
_END = re.compile(r"[.!?…]+[)\]»”“\"'’]*(?=\s)")
_OPENING = "([«„“”\"'‘’"
_ORDINAL = re.compile(r"\b(?:der|die|das|den|dem|des|il|lo|la|le|les|the)\s+\d{1,2}\.$", re.I)
_ABBREVIATED = re.compile(r"(?:^|[\s(])[^\W\d_]\.$")


@dataclass(slots=True)
class _Unit:
    """Lines that belong together: (line number, text without markers)."""

    lines: list[tuple[int, str]]
    heading: Heading | None = None
    item: int = 0


def split(file: SourceFile) -> Text:
    """The headings and sentences of a text; a corrected manuscript marks them itself."""
    if is_manuscript(file):
        return read_manuscript(file).text
    lines = [_RAISED.sub("", file.line_text(at)) for at in range(1, file.line_count + 1)]
    marked = any(_MARKED.match(line) for line in lines)
    headings: list[Heading] = []
    above: list[Heading] = []
    sentences: list[Sentence] = []
    for unit in _units(lines, marked):
        if isinstance(unit, Heading):
            headings.append(unit)
            above = [each for each in above if each.level < unit.level] + [unit]
            continue
        if unit.heading is not None and unit.heading not in headings[-1:]:
            headings.append(unit.heading)
        path = (*above, *((unit.heading,) if unit.heading is not None else ()))
        for line, text in _sentences(unit):
            sentences.append(Sentence(text, line, fingerprint(text), path, unit.item))
    return Text(file.name, tuple(headings), tuple(sentences))


# ---------------------------------------------------------------- units


def _units(lines: list[str], marked: bool) -> Iterator[_Unit | Heading]:
    unit: _Unit | None = None
    find = _marked_heading if marked else _plain_heading(lines)
    for number, raw in enumerate(lines, start=1):
        line = _TAG.sub(" ", raw).strip()
        heading = find(line, number)
        cells = [cell for cell in _CELLS.split(_TAG.sub(" ", raw)) if normalised(cell)]
        starts_item = _MARK.match(line) or _NUMBER.match(_plain(line))
        if unit is not None and (not line or heading or starts_item or len(cells) > 1):
            yield unit
            unit = None
        if heading:
            yield heading
            if not marked and heading.text.endswith(")") and _in_capitals(line):
                yield _Unit([(number, heading.text)])
        elif len(cells) > 1:
            yield from _row(cells, number)
        elif normalised(line):
            if unit is None:
                unit = _Unit([], _run_in(line, number), number if starts_item else 0)
            unit.lines.append((number, _bare(line) if not unit.lines else _plain(line)))
    if unit is not None:
        yield unit


def _marked_heading(line: str, number: int) -> Heading | None:
    found = _MARKED.match(line)
    return Heading(_title(found[2]), number, len(found[1])) if found else None


def _plain_heading(lines: list[str]) -> Callable[[str, int], Heading | None]:
    """Returns a function that finds the headings of a text that does not mark them."""
    lines = [_TAG.sub(" ", each).strip() for each in lines]
    capitals = {
        number
        for number, line in enumerate(lines, start=1)
        if _blank(lines, number - 2) and _in_capitals(line)
    }
    found = set(capitals)

    def find(line: str, number: int) -> Heading | None:
        if number in capitals:
            return Heading(_title(line), number, 1)
        alone = _blank(lines, number - 2) or number - 1 in found
        if not (alone and _blank(lines, number) and _looks_like_heading(_plain(line))):
            return None
        found.add(number)
        return Heading(_title(line), number, 2 if capitals else 1)

    return find


def _in_capitals(line: str) -> bool:
    found = _IN_CAPITALS.fullmatch(_plain(line))
    return (
        found is not None and found[1].isupper() and len(found[1].split()) <= MOST_WORDS_OF_HEADING
    )


def _row(cells: list[str], number: int) -> Iterator[_Unit]:
    title = _BOLD_CELL.fullmatch(cells[0])
    heading = Heading(_plain(title[1]), number, PARAGRAPH_LEVEL) if title else None
    for cell in cells[1:] if title else cells:
        yield _Unit([(number, _bare(cell))], heading)


def _run_in(line: str, number: int) -> Heading | None:
    """A run-in heading: a few words in bold that open a paragraph and end with a colon."""
    found = _BOLD_START.match(line)
    if found is None:
        return None
    return Heading(_plain(found[1]), number, PARAGRAPH_LEVEL)


def _looks_like_heading(text: str) -> bool:
    words = normalised(text).split()
    bare_number = re.match(r"\d+\s", text)
    return (
        0 < len(words) <= MOST_WORDS_OF_HEADING
        and not _MARK.match(text)
        and not bare_number
        and ":" not in text
        and text[-1] not in ".!?;,)"
    )


def _blank(lines: list[str], at: int) -> bool:
    return not 0 <= at < len(lines) or not lines[at].strip()


def _plain(text: str) -> str:
    """Removes emphasis and repeated spaces."""
    return " ".join(text.replace("*", "").split())


def _title(text: str) -> str:
    """A heading without markers before it and the colon after it."""
    plain = _plain(text)
    plain = plain[found.end() :] if (found := _MARK.match(plain)) else plain
    return plain.removesuffix(":").rstrip()


def _bare(text: str) -> str:
    """Removes emphasis and list markers."""
    plain = _plain(text)
    plain = plain[found.end() :] if (found := _MARK.match(plain)) else plain
    return plain[found.end() :] if (found := _NUMBER.match(plain)) else plain


# ---------------------------------------------------------------- sentences


def _sentences(unit: _Unit) -> Iterator[tuple[int, str]]:
    """The sentences of a unit, each with its first line."""
    text = ""
    starts: list[tuple[int, int]] = []
    for line, part in unit.lines:
        text = f"{text} {part}" if text else part
        starts.append((len(text) - len(part), line))
    begin = 0
    for end in (*_ends(text), len(text)):
        sentence = text[begin:end].strip()
        if normalised(sentence):
            first = begin + len(text[begin:end]) - len(text[begin:end].lstrip())
            yield max(line for start, line in starts if start <= first), sentence
            begin = end


def _ends(text: str) -> Iterator[int]:
    """Sentence boundaries, except the end of the text."""
    for found in _END.finditer(text):
        end = found.end()
        before, after = text[: found.start() + 1], text[end:].lstrip()
        if _ORDINAL.search(before) or _ABBREVIATED.search(before):
            continue
        if not after or not (after[0].isupper() or after[0] in _OPENING):
            continue
        remark = re.match(r"[(\[][^()\[\]]*[)\]]", after)
        if remark and len(normalised(remark[0]).split()) <= MOST_WORDS_OF_REMARK:
            end += text[end:].index(remark[0]) + len(remark[0])
        yield end
