"""Words for what rule files call by short names, and figures as a language writes them."""

from __future__ import annotations

from collections.abc import Iterable

from lawspeaker import ir
from lawspeaker.base.phrases import phrase, phrases
from lawspeaker.base.typography import NO_BREAK, colon, joined
from lawspeaker.ir.texts import RULING

_SEPARATORS = {"de": (".", ","), "it": (".", ","), "fr": ("\u202f", ",")}
"""Between thousands, and before decimals, where that is not done as in English."""


def stance_name(stance: str, language: str) -> str:
    """What a book does about a rule, in a word or two."""
    key = f"compare.stance.{stance}"
    return phrase(key, language) if key in phrases("en") else stance


def kind_name(kind: str, language: str) -> str:
    """A kind of difference, as the page of comparisons calls it, too."""
    return phrase(f"web.comparing.kind_{kind.replace(' ', '_').replace('-', '_')}", language)


def books(cites: Iterable[ir.Citation], language: str = "en") -> str:
    """What books say and where, each section once: `states: Setup; states, our ruling: Turns`.
    Where we have decided, a book is silent: that is not said twice."""
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
    """Stances as they are named: where we have decided, a book is silent, and that goes without
    saying."""
    found = tuple(dict.fromkeys(stances))
    return tuple(each for each in found if each != "silent" or RULING not in found)


def figure(value: float, style: str, language: str) -> str:
    """A number in a style of Python's, with the signs of a language: `1.234,5` in German."""
    thousands, decimals = _SEPARATORS.get(language, (",", "."))
    return f"{value:{style}}".translate(str.maketrans(",.", thousands + decimals))


def percent(value: float, language: str, style: str = ".1f") -> str:
    """A share in percent: `8,0 %` in German; the sign stays with its figure."""
    return f"{figure(100 * value, style, language)}{NO_BREAK}%"
