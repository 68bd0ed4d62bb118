"""Matches the lines of a translation file with the texts of the rules.

A text is identified by its address and its contents. First each text takes a line at its own
address: the one with its fingerprint, or one without. A remaining line there translates an older
version of the text, and is stale. A text without a line at its address takes any line with its
fingerprint: so equal sentences are translated once, and a renamed clause keeps its translation. But
phrases for acts take only lines of such phrases. Signs are too short for that: one without a line
of its own is equal in all languages. Lines that no text takes are unfit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lawspeaker.base.remembering import Itself, Remembered
from lawspeaker.text.document import MOST_KNOWN, Scalar
from lawspeaker.text.translation.files import TranslatedText, Translation, fingerprint, plain
from lawspeaker.text.translation.places import Address, is_phrase, is_sign, may_be_same

Original = tuple[Address, str]
"""A text of the rules: its address and its contents."""


@dataclass(frozen=True, slots=True)
class MatchedText:
    """The translation of a text; `stale` if it may be one of an older version."""

    text: Scalar
    stale: bool
    line: TranslatedText | None
    """None if the text is the same in both languages."""


@dataclass(frozen=True, slots=True)
class Matched:
    """The translations of all texts, and the lines and declarations that match none."""

    found: Mapping[Original, MatchedText]
    unfit: tuple[TranslatedText, ...]
    needless: tuple[Scalar, ...]
    """Entries under `same` that are not texts of the rules."""


def matched(originals: Iterable[Original], translation: Translation) -> Matched:
    """Matches the texts of some rules with a translation file. Cached."""
    wanted = tuple(dict.fromkeys(originals))
    key = (wanted, Itself(translation))
    found = _known.get(key)
    if found is None:
        found = _matched(wanted, translation)
        _known.keep(key, found, len(translation.file.text))
    return found


_known: Remembered[tuple[tuple[Original, ...], Itself], Matched] = Remembered(MOST_KNOWN)


def _matched(wanted: tuple[Original, ...], translation: Translation) -> Matched:
    lines: dict[Address, list[TranslatedText]] = {}
    for line in translation.said:
        lines.setdefault(line.address, []).append(line)
    same = {plain(each.value): each for each in translation.same}
    taken: set[int] = set()
    found: dict[Original, MatchedText] = {}

    def take(original: Original, line: TranslatedText, stale: bool) -> None:
        taken.add(id(line))
        if line.text is not None and original not in found:
            found[original] = MatchedText(line.text, stale or line.unsure, line)

    for original in wanted:
        own, mark = lines.get(original[0], ()), fingerprint(original[1])
        for line in own:
            if line.print == mark:
                take(original, line, stale=False)
    for fits_print in (True, False):
        for original in wanted:
            if original in found or (plain(original[1]) in same and may_be_same(original[0])):
                continue
            for line in lines.get(original[0], ()):
                if id(line) not in taken and (line.print is None) is fits_print:
                    take(original, line, stale=not fits_print)
                    break
    by_print = {
        (is_phrase(line.address), line.print): line
        for line in reversed(translation.said)
        if line.text is not None and line.print is not None
    }
    for original in wanted:
        address, text = original
        if original in found or is_sign(address):
            continue
        as_it_is = same.get(plain(text)) if may_be_same(address) else None
        other = by_print.get((is_phrase(address), fingerprint(text)))
        if as_it_is is not None:
            found[original] = MatchedText(as_it_is, stale=False, line=None)
        elif other is not None:
            take(original, other, stale=False)
    texts = {plain(text) for address, text in wanted if may_be_same(address)}
    return Matched(
        found,
        tuple(line for line in translation.said if id(line) not in taken),
        tuple(each for text, each in same.items() if text not in texts),
    )
