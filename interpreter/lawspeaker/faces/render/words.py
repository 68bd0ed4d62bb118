"""Words for what rule files call by short names, and figures as a language writes them."""

from __future__ import annotations

from collections.abc import Iterable

from lawspeaker import ir
from lawspeaker.base.phrases import phrase, phrases
from lawspeaker.base.typography import NO_BREAK, colon, joined

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
    """What books say and where: `states: Setup, Turns; our ruling: Turns`. Where we have decided, a
    book is silent: that is not said twice."""
    found: dict[str, dict[str, None]] = {}
    for cite in cites:
        found.setdefault(cite.stance, {})[cite.section] = None
    if "our_ruling" in found:
        found["our_ruling"] = {**found.pop("silent", {}), **found["our_ruling"]}
    told: list[str] = []
    for stance, sections in found.items():
        named = ", ".join(section for section in sections if section)
        name = stance_name(stance, language)
        told.append(colon(name, named, language) if named else name)
    return joined(told, language)


def figure(value: float, style: str, language: str) -> str:
    """A number in a style of Python's, with the signs of a language: `1.234,5` in German."""
    thousands, decimals = _SEPARATORS.get(language, (",", "."))
    return f"{value:{style}}".translate(str.maketrans(",.", thousands + decimals))


def percent(value: float, language: str, style: str = ".1f") -> str:
    """A share in percent: `8,0 %` in German; the sign stays with its figure."""
    return f"{figure(100 * value, style, language)}{NO_BREAK}%"
