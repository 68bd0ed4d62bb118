"""Names what can be chosen in a game: `go yard`, `take gem`, `play …, king`."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.base.cache import LruCache
from lawspeaker.machines.lower.choosable import AllChoosable, Choosable
from lawspeaker.match.decision import worded
from lawspeaker.position.layout import Layout

OPEN = "…"
"""Placeholder for unspecified parts."""

_known: LruCache[AllChoosable] = LruCache(8)


def things(program: ir.Program, players: int) -> AllChoosable:
    """Everything that can be chosen by so many players, cached."""
    return _known.get((id(program), players), lambda: AllChoosable(Layout(program, players)))


def told(layout: Layout, thing: Choosable, language: str | None = None) -> str:
    """Renders a choosable thing as an option: canonical, or in a language.

    An alternative as a whole is rendered with the names of its parts.
    """
    alternative, label = thing.alternative, thing.label
    if label is not None and language is not None:
        label = layout.called(label, layout.program.clauses[thing.clause].id, language)
    if alternative is None:
        return label or ""
    if thing.part is None:
        texts = [part.set_name or part.binder.name for part in alternative.parts]
    else:
        assert thing.of is not None
        if language is None:
            value = layout.text(thing.of, thing.value)
        else:
            value = layout.name(thing.of, thing.value, language)
        part = alternative.parts[thing.part]
        if language is None and value.removeprefix("-").isdecimal():
            # A bare number would be ambiguous.
            value = f"{part.set_name or part.binder.name} {value}"
        texts = [OPEN] * len(alternative.parts)
        texts[thing.part] = value
    return worded(label, alternative, texts, language or "en")
