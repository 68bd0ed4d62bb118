"""Substitutes numbers in sentences: `{hand.most}` in the sentence of a clause or a guard.

A placeholder names a choice of the game and is replaced by its value, so a variant that changes the
number need not repeat the sentence. A value that depends on the number of players is shown for each
of them: `3/4`. For a list, `{prizes at 1}` is its first item, and `{prizes}` all: `6, 5`. Any other
placeholder is an error.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from lawspeaker import ir
from lawspeaker.base import braces
from lawspeaker.base.braces import Brace
from lawspeaker.base.diagnostics import Diagnostics, did_you_mean
from lawspeaker.base.source import Span
from lawspeaker.meaning.check.name_forms import complete
from lawspeaker.meaning.check.values import texts
from lawspeaker.meaning.check.world import World
from lawspeaker.text.document import Mapping, Node, Scalar, entries_of


def fill_sentences(world: World) -> None:
    """Fills the sentences of all clauses, once the values of choices are known."""
    for choice in world.choices:
        world.figures.update(choice.figures)
    for section in ("choices", "windows", "rules", "always"):
        for entry in world.book.section(section).values():
            index = world.clause_ids[entry.id]
            clause = world.clauses[index]
            if clause.says and isinstance(entry.get("says"), (Scalar, Mapping)):
                world.clauses[index] = replace(clause, says=filled(world, entry.get("says")))


def filled(world: World, node: Node | None) -> ir.Texts:
    """A sentence with its placeholders filled."""
    values = world.figures
    for brace, span, language in braces_of(node, world.diagnostics):
        name = brace.name
        if name in values:
            rightly_written(world, brace, ir.NUMBER, span, language)
        else:
            world.diagnostics.error(
                "unknown-name",
                f"`{{{name}}}` stands for nothing in a sentence",
                span,
                hint=did_you_mean(name, values)
                or "a choice that is a number can stand in braces, by its id",
            )
            world.used.mentioned.add(name)
    return {
        language: braces.filled(text, values.get, language)
        for language, text in texts(node).items()
    }


def braces_of(node: Node | None, diagnostics: Diagnostics) -> Iterator[tuple[Brace, Span, str]]:
    """The placeholders in a text, with spans and languages. Reports unbalanced braces."""
    for language, each in entries_of(node):
        if not isinstance(each, Scalar):
            continue
        text = each.content
        alone = braces.unpaired(text.text)
        if alone is not None:
            opens = text.text[alone] == "{"
            diagnostics.error(
                "bad-value",
                "this `{` is never closed" if opens else "this `}` closes nothing",
                Span(text.file, text.start + alone, text.start + alone + 1),
                hint="what a value takes the place of stands between two braces, as `{card}`",
            )
            continue
        for brace in braces.in_braces(text.text):
            span = Span(text.file, text.start + brace.start, text.start + brace.end)
            yield brace, span, language.value


def rightly_written(
    world: World, brace: Brace, type: ir.Type, span: Span, language: str, *, truths: bool = False
) -> None:
    """Reports placeholder words that do not suit the type of the value. `truths`: booleans may have
    words."""
    if brace.nought is not None and not _can_be_nothing(type):
        world.diagnostics.error(
            "bad-value",
            f"`{brace.name}` is {world.a(type)}, and never nothing",
            span,
            hint="`0 = …` is told where a number is 0, a set is empty, or there is nothing",
        )
    elif brace.form and not isinstance(ir.plain(type), ir.NumberType | ir.TruthType):
        complete(world, brace, type, span, language)
    elif truths and isinstance(type, ir.TruthType):
        if brace.words and (len(brace.words) != 2 or not any(brace.words)):
            world.diagnostics.error(
                "bad-value",
                f"after `{brace.name}` stand two words, one if it is so and one if it is not",
                span,
                hint=f"write `{{{brace.name} | it is so | it is not so}}`, with your words; one "
                "of them may be left out",
            )
    elif len(brace.words) == 1 or not all(brace.words):
        world.diagnostics.error(
            "bad-value",
            f"after `{brace.name}` stand two words, one for a single thing and one for several, or "
            "a word for each number",
            span,
            hint=f"write `{{{brace.name} | coin | coins}}` or `{{{brace.name} | first | second | "
            "third}`, with your words",
        )
    elif not brace.words:
        return
    elif not isinstance(type, ir.NumberType):
        world.diagnostics.error(
            "wrong-type",
            f"`{brace.name}` is {world.a(type)}, but only a number is told with words",
            span,
        )
    elif len(brace.words) > 2 and not 1 <= type.low <= type.high <= len(brace.words):
        world.diagnostics.error(
            "bad-value",
            f"the {len(brace.words)} words after `{brace.name}` stand for 1 to {len(brace.words)}, "
            "but it can be another number",
            span,
            hint="give a word for each number, from 1 on",
        )


def _can_be_nothing(type: ir.Type) -> bool:
    """Whether a word for zero is possible: for a number, a set, or an optional value."""
    if isinstance(type, ir.NumberType):
        return type.low <= 0
    return isinstance(type, ir.SetType | ir.MaybeType)
