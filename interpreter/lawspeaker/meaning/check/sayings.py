"""Sentences with a number inside: `{hand.most}` in the sentence of a clause or a guard.

In braces stands a choice of the game. Its value takes the place of the braces, so that a variant
that chooses another number need not say the sentence anew. Where the value depends on the number
of players, all values are told: `3/4`. Anything else in braces would be shown as it is, and is
refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from lawspeaker import ir
from lawspeaker.base.diagnostics import did_you_mean
from lawspeaker.base.source import Span
from lawspeaker.ir.types import NumberType
from lawspeaker.meaning.check.values import texts
from lawspeaker.meaning.check.world import World
from lawspeaker.text.document import Mapping, Node, Scalar

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def fill_sentences(world: World) -> None:
    """Fills in the sentences of all clauses, once it is known what was chosen."""
    for section in ("choices", "windows", "rules", "always"):
        for entry in world.book.section(section).values():
            index = world.clause_ids[entry.id]
            clause = world.clauses[index]
            if clause.says and isinstance(entry.get("says"), (Scalar, Mapping)):
                world.clauses[index] = replace(clause, says=filled(world, entry.get("says")))


def filled(world: World, node: Node | None) -> ir.Texts:
    """The sentence as it is shown."""
    values = {choice.id: _told(choice) for choice in world.choices}
    for name, span in _places(node):
        if values.get(name) is None:
            numbers = [id for id, told in values.items() if told is not None]
            world.diagnostics.error(
                "unknown-name",
                f"`{{{name}}}` stands for nothing in a sentence",
                span,
                hint=did_you_mean(name, numbers)
                or "a choice that is a number can stand in braces, by its id",
            )
            world.mentioned.add(name)
    return {
        language: _PLACEHOLDER.sub(lambda found: values.get(found[1]) or found[0], text)
        for language, text in texts(node).items()
    }


def _places(node: Node | None) -> Iterator[tuple[str, Span]]:
    """What stands in braces, and where."""
    said = [value for _, value in node.entries] if isinstance(node, Mapping) else [node]
    for text in (each.content for each in said if isinstance(each, Scalar)):
        for found in _PLACEHOLDER.finditer(text.text):
            yield found[1], Span(text.file, text.start + found.start(), text.start + found.end())


def _told(choice: ir.Choice) -> str | None:
    """The value of a choice, if it is a number."""
    if not isinstance(choice.type, NumberType):
        return None
    return "/".join(dict.fromkeys(str(value) for value in choice.values))
