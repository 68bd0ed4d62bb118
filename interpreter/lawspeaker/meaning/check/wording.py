"""Names with something inside: `{card}` in the name of a choice, `{row}` in that of a place.

In the name of a choice a placeholder stands for one of its parts, in that of a family of places
for one of the numbers by which its places are told. Anywhere else, it would be shown as it is.
"""

from __future__ import annotations

import re

from lawspeaker import ir
from lawspeaker.base.diagnostics import did_you_mean
from lawspeaker.ir.walk import everything
from lawspeaker.meaning.check.world import World
from lawspeaker.text.document import Mapping, Scalar

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def wordings(world: World) -> None:
    """Complains about placeholders that stand for nothing, once for all languages.

    In the name of something that is not there nothing is looked at: that was complained about.
    """
    parts = _parts(world)
    for entry in world.book.section("names").values():
        last = entry.id.rsplit(".", 1)[-1]
        if last in world.mentioned or entry.id in world.lost:
            continue
        known = list(parts.get(last, ()))
        if last in world.family_types:
            family = world.families[world.family_types[last].index]
            known += [column.name for column in family.indices]
        texts = entry.body.entries if isinstance(entry.body, Mapping) else ()
        told: set[str] = set()
        for _, text in texts:
            for name in _PLACEHOLDER.findall(text.value) if isinstance(text, Scalar) else ():
                if name not in known and name not in told:
                    told.add(name)
                    world.diagnostics.error(
                        "unknown-name",
                        f"`{{{name}}}` stands for nothing in the name of `{entry.id}`",
                        text.span,
                        hint=did_you_mean(name, known)
                        or "in the name of a choice its parts can stand in braces, in that of a "
                        "place its numbers",
                    )


def _parts(world: World) -> dict[str, set[str]]:
    """By the label of a choice, the names of its parts."""
    found: dict[str, set[str]] = {}
    for clause in world.clauses.values():
        for node in everything(clause.body):
            if isinstance(node, ir.Alternative) and node.label is not None:
                names = {part.set_name or part.binder.name for part in node.parts}
                found.setdefault(node.label, set()).update(names)
    return found
