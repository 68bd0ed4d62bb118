"""Renders the alignment of two books as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import joined
from lawspeaker.study.alignment.aligning import Alignment, Pairing
from lawspeaker.study.alignment.flags import Flag
from lawspeaker.text.books.outline import Heading, Sentence, Text, cited_as

SURE = 0.8
"""Confidence below which a pair is marked as unsure."""


def outline(path: str, text: Text, language: str) -> str:
    """Lists the sections of a book, with the number of sentences of each."""
    counts: dict[Heading | None, int] = dict.fromkeys(text.headings, 0)
    for sentence in text.sentences:
        own = sentence.headings[-1] if sentence.headings else None
        counts[own] = counts.get(own, 0) + 1
    spoken = language or "language unknown"
    lines = [f"{path} ({spoken}): {len(text.headings)} sections, {len(text.sentences)} sentences"]
    ordered = sorted(counts, key=lambda each: 0 if each is None else each.line)
    for number, each in enumerate(ordered, start=1):
        name = "(before the first heading)" if each is None else each.text
        indent = "  " * (1 if each is None else each.level)
        lines.append(f"{number:>4}{indent}{name}: {counts[each]}")
    return "\n".join(lines)


def summary(found: Alignment, language: str) -> str:
    """Counts aligned sentences, sentences without a partner, and flags."""
    first, second = found.books
    flags = sum(len(each.flags) for each in found.pairs) + len(found.wrong)
    return phrase(
        "align.summary",
        language,
        first=first.text.name,
        second=second.text.name,
        pairs=len(found.pairs),
        one=len(found.alone[0]),
        other=len(found.alone[1]),
        flags=flags,
    )


def text(found: Alignment, language: str) -> str:
    return "\n".join((summary(found, language), *_lines(found, language)))


def _lines(found: Alignment, language: str) -> Iterator[str]:
    texts = found.books[0].text, found.books[1].text
    for each in found.pairs:
        unsure = "" if each.confidence >= SURE else f"  {phrase('align.unsure', language)}"
        yield ""
        yield f"{citations_text(found, each, language)}  {each.confidence:.2f}{unsure}"
        for side, members in enumerate((each.first, each.second)):
            for at in members:
                yield f"  {'<' if side == 0 else '>'} {texts[side].sentences[at].text}"
        for flag in each.flags:
            yield f"  ! {flagged(flag, language)}"
    for side, members in enumerate(found.alone):
        if members:
            yield ""
            yield phrase("align.alone", language, book=texts[side].name)
        for at in members:
            sentence = texts[side].sentences[at]
            yield f"  {cited_as(texts[side], sentence)}: {sentence.text}"
            yield f"    {nearest(found, side, at, language)}"
    if found.wrong:
        yield ""
    for side, at, flag in found.wrong:
        sentence = texts[side].sentences[at]
        place = f"{texts[side].name}:{sentence.line}"
        yield f"! {place}: {flagged(flag, language)}"


def citations_text(found: Alignment, pair: Pairing, language: str) -> str:
    """Formats the citations of the sentences of a pair."""
    return " = ".join(
        joined(names(found.books[side].text, members), language)
        for side, members in enumerate((pair.first, pair.second))
    )


def names(text: Text, members: tuple[int, ...]) -> list[str]:
    return [cited_as(text, text.sentences[at]) for at in members]


def nearest(found: Alignment, side: int, at: int, language: str) -> str:
    """Formats where the other book may say the same as a sentence without a partner."""
    places = joined(names(found.books[1 - side].text, found.near[side][at]), language)
    return phrase("align.near", language, places=places)


def flagged(flag: Flag, language: str) -> str:
    """Describes a flag in words."""
    first, second = (", ".join(map(str, each)) for each in (flag.first, flag.second))
    key = "players" if flag.players else flag.kind
    return phrase(f"align.flag.{key}", language, first=first, second=second, players=flag.players)


def to_json(found: Alignment) -> dict[str, Any]:
    """Converts an alignment to JSON, following schema/alignment.schema.json."""
    return {
        "books": [
            {
                "file": book.text.name,
                "language": book.language,
                "sentences": [_sentence(book.text, each) for each in book.text.sentences],
            }
            for book in found.books
        ],
        "pairs": [
            {
                "first": list(each.first),
                "second": list(each.second),
                "confidence": each.confidence,
                "flags": [_flag(flag) for flag in each.flags],
            }
            for each in found.pairs
        ],
        "alone": [list(each) for each in found.alone],
        "near": [[list(own) for own in each] for each in found.near],
        "wrong": [
            {"book": side, "sentence": at, "flag": _flag(flag)} for side, at, flag in found.wrong
        ],
    }


def _sentence(text: Text, each: Sentence) -> dict[str, Any]:
    return {
        "cited": cited_as(text, each),
        "line": each.line,
        "print": each.print,
        "text": each.text,
    }


def _flag(flag: Flag) -> dict[str, Any]:
    return {
        "kind": flag.kind,
        "first": list(flag.first),
        "second": list(flag.second),
        "players": flag.players or None,
    }
