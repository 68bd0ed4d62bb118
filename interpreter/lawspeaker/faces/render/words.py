"""Translates short names of rule files, and formats numbers by language."""

from __future__ import annotations

from collections.abc import Iterable

from lawspeaker import ir
from lawspeaker.base.phrases import phrase, phrases
from lawspeaker.base.typography import NO_BREAK, colon, joined
from lawspeaker.ir.texts import RULING

_SEPARATORS = {"de": (".", ","), "it": (".", ","), "fr": ("\u202f", ",")}
"""Thousands and decimal separators that differ from English."""


def stance_name(stance: str, language: str) -> str:
    """Names a stance of a book in a word or two."""
    key = f"compare.stance.{stance}"
    return phrase(key, language) if key in phrases("en") else stance


def kind_name(kind: str, language: str) -> str:
    """Names a kind of difference, as the comparison page does."""
    return phrase(f"web.comparing.kind_{kind.replace(' ', '_').replace('-', '_')}", language)


def books(cites: Iterable[ir.Citation], language: str = "en") -> str:
    """Formats stances and sections, each section once: `states: Setup; states, our ruling: Turns`.

    A ruling implies that the book is silent, so silence is then omitted.
    """
    said = list(cites)
    named = without_silence(cite.stance for cite in said)
    stances: dict[str, dict[str, None]] = {}
    for cite in sorted(said, key=lambda cite: not cite.section):
        stance = cite.stance if cite.stance in named else RULING
        if cite.section or not any(stance in own for own in stances.values()):
            stances.setdefault(cite.section, {})[stance] = None
    sections: dict[tuple[str, ...], list[str]] = {}
    for section, found in stances.items():
        sections.setdefault(tuple(found), []).append(section)
    told: list[str] = []
    for does, own in sections.items():
        names = ", ".join(stance_name(each, language) for each in does)
        where = ", ".join(section for section in own if section)
        told.append(colon(names, where, language) if where else names)
    return joined(told, language)


def without_silence(stances: Iterable[str]) -> tuple[str, ...]:
    """Returns the stances to be named: a ruling implies silence, which is then omitted."""
    found = tuple(dict.fromkeys(stances))
    return tuple(each for each in found if each != "silent" or RULING not in found)


def figure(value: float, style: str, language: str) -> str:
    """Formats a number in a Python format, with the separators of a language: `1.234,5` in
    German."""
    thousands, decimals = _SEPARATORS.get(language, (",", "."))
    return f"{value:{style}}".translate(str.maketrans(",.", thousands + decimals))


def percent(value: float, language: str, style: str = ".1f") -> str:
    """Formats a share in percent with a no-break space: `8,0 %` in German."""
    return f"{figure(100 * value, style, language)}{NO_BREAK}%"
