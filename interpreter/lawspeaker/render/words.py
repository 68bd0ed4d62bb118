"""Words for what rule files call by short names."""

from __future__ import annotations

from collections.abc import Iterable

from lawspeaker import ir

STANCES = {
    "states": "states",
    "implies": "implies",
    "silent": "silent",
    "says_otherwise": "says otherwise",
    "contradicts_itself": "contradicts itself",
    "our_ruling": "our ruling",
}
"""What a book does about a rule, in a word or two."""


def books(cites: Iterable[ir.Citation]) -> str:
    """What books say and where: `states: Setup, Turns; our ruling: Turns`."""
    found: dict[str, dict[str, None]] = {}
    for cite in cites:
        found.setdefault(STANCES.get(cite.stance, cite.stance), {})[cite.section] = None
    told: list[str] = []
    for stance, sections in found.items():
        named = ", ".join(section for section in sections if section)
        told.append(f"{stance}: {named}" if named else stance)
    return "; ".join(told)
