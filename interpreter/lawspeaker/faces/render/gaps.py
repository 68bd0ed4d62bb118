"""Renders the gaps of a book and how they are played, for the terminal and as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon, joined
from lawspeaker.faces.render.blocks import Prose
from lawspeaker.faces.render.compare import also, headed
from lawspeaker.faces.render.words import books
from lawspeaker.study.compare.descriptions import shortened
from lawspeaker.study.compare.gaps import STANDINGS, Gap, Gaps


def text(found: Gaps, ids: bool = False) -> Group:
    """Renders a headline, then each gap in rulebook order; `ids` shows the ids of rules."""
    language = found.language
    parts: list[RenderableType] = [Prose(headline(found), style="bold")]
    if found.column.sources:
        told = joined((title for _, title in found.column.sources), language)
        parts.append(Prose(phrase("compare.after", language, books=told)))
    for number, gap in enumerate(found.each, 1):
        parts += _block(number, gap, language, ids)
    return Group(*parts)


def headline(found: Gaps) -> str:
    """Summarizes how many gaps there are, and of which kinds."""
    language, counts = found.language, found.counts
    if not found.points and found.find and found.column.sources:
        told = ("compare.not_found", "asked.searched")
        return " ".join(phrase(each, language, word=found.find) for each in told)
    if not found.points:
        return phrase("gaps.no_book", language)
    if not found.each:
        return phrase("gaps.none", language, points=found.points)
    many = "one" if len(found.each) == 1 else "many"
    whole = phrase(f"gaps.count.{many}", language, gaps=len(found.each), points=found.points)
    kinds = [
        phrase(f"gaps.kind.{each}", language, count=counts[each])
        for each in STANDINGS
        if counts[each]
    ]
    return colon(whole, f"{joined(kinds, language)}.", language)


def variant_names(gap: Gap) -> str:
    """Lists the variants that play a point differently, with their names."""
    return ", ".join(f"{title} ({name})" for name, title in gap.otherwise)


def decided(gap: Gap, language: str) -> list[str]:
    """Describes the editions whose books decide a point, grouped by what they decide."""
    found: dict[str, list[str]] = {}
    for each in gap.decided:
        played = phrase("gaps.alike", language) if each.alike else shortened(each.played)
        told = f"{played} [{books(each.cites, language)}]"
        found.setdefault(told, []).append(each.title)
    return [
        phrase("gaps.decided", language, edition=joined(titles, language), played=told)
        for told, titles in found.items()
    ]


def _block(number: int, gap: Gap, language: str, ids: bool) -> list[RenderableType]:
    standing = phrase(f"gaps.standing.{gap.standing}", language)
    head = headed(f"{number:>3}", gap.title, standing, gap.id if ids else "")
    lines: list[RenderableType] = [Prose(), head]
    if gap.played != gap.title:
        lines.append(Padding(Prose(shortened(gap.played)), (0, 0, 0, 5)))
    told = books(gap.cites, language)
    lines.append(Padding(Prose(f"[{told}]", style="dim"), (0, 0, 0, 5)))
    for key, notes in (("said", gap.said), ("ruled", gap.ruled)):
        if notes:
            line = phrase(f"gaps.{key}", language, text=" ".join(notes))
            lines.append(Padding(Prose(line, style="italic"), (0, 0, 0, 5)))
    if gap.also:
        lines.append(Padding(Prose(also(gap.also, language), style="dim"), (0, 0, 0, 5)))
    for line in decided(gap, language):
        lines.append(Padding(Prose(line), (0, 0, 0, 5)))
    if gap.otherwise:
        line = phrase("gaps.otherwise", language, variants=variant_names(gap))
        lines.append(Padding(Prose(line, style="dim"), (0, 0, 0, 5)))
    return lines


def to_json(found: Gaps) -> dict[str, Any]:
    """Converts the gaps to JSON, following schema/gaps.schema.json."""
    return {
        "game": found.game,
        "name": found.column.name,
        "title": found.column.title,
        "language": found.language,
        "sources": [{"id": id, "title": title} for id, title in found.column.sources],
        "points": found.points,
        "gaps": [_data(each, found.language) for each in found.each],
    }


def _data(gap: Gap, language: str) -> dict[str, Any]:
    return {
        "id": gap.id,
        "title": gap.title,
        "played": gap.played,
        "standing": gap.standing,
        "cites": _cites(gap.cites, language),
        "said": [*gap.said],
        "ruled": [*gap.ruled],
        "also": [*gap.also],
        "decided": [
            {
                "variant": each.name,
                "title": each.title,
                "played": each.played,
                "alike": each.alike,
                "cites": _cites(each.cites, language),
            }
            for each in gap.decided
        ],
        "otherwise": [{"variant": name, "title": title} for name, title in gap.otherwise],
    }


def _cites(cites: Iterable[ir.Citation], language: str) -> list[dict[str, Any]]:
    return [
        {
            "source": each.source,
            "section": each.section,
            "stance": each.stance,
            "note": each.note_in(language),
        }
        for each in cites
    ]
