"""Names with something inside: `{card}` in the name of a choice, `{row}` in that of a place.

In the name of a choice a placeholder stands for one of its parts, in that of a family of places
for one of the numbers by which its places are told. Anywhere else, it would be shown as it is.
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.base.diagnostics import did_you_mean
from lawspeaker.ir.types import SetType, Type
from lawspeaker.meaning.check.sayings import braces_of, rightly_written
from lawspeaker.meaning.check.world import World


def wordings(world: World) -> None:
    """Complains about placeholders that stand for nothing, once for all languages.

    In the name of something that is not there nothing is looked at: that was complained about.
    """
    parts = _parts(world)
    for entry in world.book.section("names").values():
        last = entry.id.rsplit(".", 1)[-1]
        if last in world.mentioned or entry.id in world.lost:
            continue
        known = dict(parts.get(last, {}))
        if last in world.family_types:
            family = world.families[world.family_types[last].index]
            known |= {column.name: column.type for column in family.indices}
        told_apart: list[ir.Marker | ir.State] = [*world.markers]
        told_apart += [state for piece in world.pieces for state in piece.states]
        named = (each for each in told_apart if each.name == last)
        known |= {i.name: i.type for each in named for i in each.indices if not i.owns}
        told: set[str] = set()
        for brace, span in braces_of(entry.body):
            name = brace.name
            if name in known:
                rightly_written(world, brace, known[name], span)
            elif name not in told:
                told.add(name)
                world.diagnostics.error(
                    "unknown-name",
                    f"`{{{name}}}` stands for nothing in the name of `{entry.id}`",
                    span,
                    hint=did_you_mean(name, known)
                    or "in the name of a choice its parts can stand in braces, in that of a "
                    "place its numbers",
                )


def _parts(world: World) -> dict[str, dict[str, Type]]:
    """By the label of a choice, the names of its parts and what they are."""
    found: dict[str, dict[str, Type]] = {}
    for _, node in world.code:
        if isinstance(node, ir.Alternative) and node.label is not None:
            found.setdefault(node.label, {}).update(
                (part.set_name or part.binder.name, _type(part)) for part in node.parts
            )
    return found


def _type(part: ir.Part) -> Type:
    of = part.binder.type
    return SetType(of) if part.several else of
