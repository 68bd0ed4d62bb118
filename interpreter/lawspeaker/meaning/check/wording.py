"""Checks placeholders in names: `{card}` in the name of a choice, `{row}` in that of a place.

In the name of an alternative a placeholder is one of its parts, in that of a family of places one
of its indices. A phrase for anything else that is told (`told.…`) can contain what is told. A
placeholder anywhere else is an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lawspeaker import ir
from lawspeaker.base.braces import names_in
from lawspeaker.base.diagnostics import did_you_mean
from lawspeaker.meaning.check.sayings import braces_of, rightly_written
from lawspeaker.meaning.check.world import World
from lawspeaker.text.document import Mapping, Scalar
from lawspeaker.text.rulebook import Entry
from lawspeaker.text.translation.places import TOLD


def wordings(world: World) -> None:
    """Reports unknown placeholders, once for all languages. Names of nothing are skipped."""
    parts, told_as, asked = _parts(world), placeholders_by_word(world), _asked(world)
    told_apart: list[ir.Marker | ir.State] = [*world.markers]
    told_apart += [state for piece in world.pieces for state in piece.states]
    for entry in world.book.section("names").values():
        last = entry.id.rsplit(".", 1)[-1]
        forms = (Mapping(((language, each),), each.span) for language, each in _forms(world, entry))
        texts = (entry.body, *forms)
        inside = [each for text in texts for each in braces_of(text, world.diagnostics)]
        if last in world.used.mentioned or entry.id in world.lost:
            continue
        known = dict(parts.get(last, {}))
        happens = entry.id.startswith(TOLD) and not known
        if happens:
            known = dict(told_as.get(last, {}))
        if entry.id.startswith(TOLD):
            known |= asked.get(entry.id.removeprefix(TOLD), {})
        if last in world.family_types:
            family = world.families[world.family_types[last].index]
            known |= {column.name: column.type for column in family.indices}
        named = (each for each in told_apart if each.name == last)
        known |= {i.name: i.type for each in named for i in each.indices if not i.owns}
        told: set[str] = set()
        for brace, span, language in inside:
            name = brace.name
            if name in known:
                type = known[name]
                if happens and brace.form and name in world.family_types:
                    # The pieces that come to a place are told.
                    type = _held(world, name)
                rightly_written(world, brace, type, span, language, truths=happens)
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


def _forms(world: World, entry: Entry) -> Iterator[tuple[Scalar, Scalar]]:
    """The forms of a name, each with its language."""
    for language, forms in world.book.forms.get(entry.id, {}).items():
        yield from ((replace(each, value=language), each) for each in forms.values())


def _held(world: World, family: str) -> ir.PieceType:
    """The type of the pieces that a place can hold."""
    held = world.families[world.family_types[family].index].holds
    return ir.PieceType(world.pieces[held].name, held)


def placeholders_by_word(world: World) -> dict[str, dict[str, ir.Type]]:
    """What is told besides answers, by its word, with the placeholders available there: names that
    rules tell, with public markers and choices; points; markers, and attributes of pieces; arrivals
    at places. If a player is told, his name precedes the sentence."""
    found: dict[str, dict[str, ir.Type]] = {}
    known_to_all = _open_to_all(world)
    for family in world.families:
        found[family.name] = {family.name: ir.NUMBER}
    for _, node in world.code:
        if isinstance(node, ir.Tell) and node.name:
            own = {} if node.what.type == ir.PLAYER else {node.name: node.what.type}
            found[node.name] = known_to_all | own
        elif isinstance(node, ir.Score):
            found |= {word: {word: ir.NUMBER} for word in ("points", "loss")}
    states = (state for piece in world.pieces for state in piece.states)
    return {
        **{each.name: {each.name: each.type} for each in states},
        **{each.name: known_to_all | {each.name: each.type} for each in world.markers},
        **found,
    }


def _parts(world: World) -> dict[str, dict[str, ir.Type]]:
    """By the label of an alternative, the names and types of its parts."""
    found: dict[str, dict[str, ir.Type]] = {}
    for _, node in world.code:
        if isinstance(node, ir.Alternative) and node.label is not None:
            found.setdefault(node.label, {}).update(
                (part.set_name or part.binder.name, _type(part)) for part in node.parts
            )
    return found


def _open_to_all(world: World) -> dict[str, ir.Type]:
    """Public markers, and choices that are a number or a boolean."""
    return {
        each.id: each.type
        for each in world.choices
        if isinstance(each.type, ir.NumberType | ir.TruthType)
    } | {
        each.name: each.type
        for each in world.markers
        if not each.indices and each.seen_by == "everyone"
    }


def _asked(world: World) -> dict[str, dict[str, ir.Type]]:
    """By alternative, also qualified by its clause: the names that can be told with the answer,
    since all questions that offer it mention them, and what is public."""
    found: dict[str, dict[str, ir.Type]] = {}
    known_to_all = _open_to_all(world)
    for clause, node in world.code:
        if not isinstance(node, ir.Ask):
            continue
        asking = world.clauses[node.clause]
        spoken_of = set().union(*map(names_in, asking.asks.values()))
        slots = {slot.name: slot.type for slot in clause.slots if slot.name in spoken_of}
        names = {**known_to_all, **slots}
        labels = {each.label for each in node.alternatives if each.label is not None}
        for label in labels if node.must else {*labels, "pass"}:
            for key in (label, f"{asking.id}.{label}"):
                known = found.setdefault(key, names)
                found[key] = {name: names[name] for name in known.keys() & names.keys()}
    return found


def _type(part: ir.Part) -> ir.Type:
    of = part.binder.type
    return ir.SetType(of) if part.several else of
