"""Parses values written in the YAML itself, outside code: numbers, texts, citations, constants."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics, did_you_mean
from lawspeaker.base.remembering import Itself, Remembered
from lawspeaker.base.source import Span
from lawspeaker.base.typography import typeset
from lawspeaker.meaning.check.meanings import Meaning, Sort
from lawspeaker.meaning.check.world import World
from lawspeaker.text import syntax as s
from lawspeaker.text.document import (
    MOST_KNOWN,
    Mapping,
    Node,
    Scalar,
    entries_of,
    one_or_more,
    text_of,
)

MOST_LISTED = 12
NAME = re.compile(r"[a-z_][a-z0-9_]*\Z")
RANGE = re.compile(r"(-?\d{1,9})\s*\.\.\s*(-?\d{1,9})\Z")
STANCES = (
    "states",
    "implies",
    "silent",
    "says_otherwise",
    "contradicts_itself",
    "our_ruling",
)
NO_SECTION = ("silent", "our_ruling")


def whole_number(node: Node | None, otherwise: int) -> int:
    """The integer in a scalar, or a default."""
    if isinstance(node, Scalar) and node.kind == "number" and len(node.value) < 11:
        return int(node.value)
    return otherwise


def texts(node: Node | None) -> ir.Texts:
    """A text by language; translations were woven in when the rules were read."""
    if not isinstance(node, Mapping):
        return {}
    found = _texts_before.get(Itself(node))
    if found is None:
        said = {key.value: text_of(value).strip() for key, value in node.entries}
        found = {language: typeset(text, language) for language, text in said.items() if text}
        _texts_before.keep(Itself(node), found, sum(map(len, found.values())))
    return found


_texts_before: Remembered[Itself, ir.Texts] = Remembered(MOST_KNOWN)


def key_span(node: Node | None, key: str, otherwise: Span) -> Span:
    """The span of a key in a mapping, or a default."""
    found = node.key(key) if isinstance(node, Mapping) else None
    return otherwise if found is None else found.span


def constant(
    world: World, node: Node | None, type: ir.Type, near: Iterable[str] = ()
) -> ir.Constant:
    """A constant of a type, written as YAML; by default 0, false, or nothing. `near` are further
    names for suggestions."""
    if node is None or (isinstance(node, Scalar) and node.kind == "nothing"):
        if isinstance(type, ir.NumberType):
            return type.low if type.listed and type.low > 0 else 0
        return False if type == ir.TRUTH else None
    text = text_of(node)
    match type:
        case ir.BrokenType():
            return None
        case ir.NumberType(low=low, high=high):
            if isinstance(node, Scalar) and node.kind == "number":
                number = int(node.value) if len(node.value) < 12 else ir.LARGEST + 1
                if not low <= number <= high or not ir.SMALLEST <= number <= ir.LARGEST:
                    world.diagnostics.error(
                        "out-of-range",
                        f"{text} is not among the numbers {low}..{high}",
                        node.span,
                    )
                    return low
                return number
            options: list[str] = []
        case ir.WordType(index=index) | ir.KindType(index=index):
            of_words = isinstance(type, ir.WordType)
            options = list(world.word_sets[index].words if of_words else world.kind_names(index))
            if text in options:
                sort: Sort = "word" if of_words else "kind"
                world.meanings.note(node.span, Meaning(sort, text, type.name, type))
                return options.index(text)
        case _ if type == ir.PLAYER:
            options = list(world.player_names)
            if text in options:
                world.meanings.note(node.span, Meaning("player", text, type=type))
                return options.index(text)
        case _ if type == ir.TRUTH:
            options = ["true", "false"]
            if isinstance(node, Scalar) and node.kind == "truth":
                return node.value == "true"
        case _:
            options = []
    expected = "neither `true` nor `false`" if type == ir.TRUTH else f"not {world.a(type)}"
    world.diagnostics.error(
        "bad-value",
        f"{f'`{text}`' if text else 'this'} is {expected}",
        node.span,
        hint=did_you_mean(text, [*options, *near])
        or (None if type == ir.TRUTH else listed(options))
        or _unset(text, type),
    )
    return 0


def _unset(text: str, type: ir.Type) -> str | None:
    """A hint for a number that is set to nothing."""
    if text != "nothing" or not isinstance(type, ir.NumberType):
        return None
    return "a number is never nothing: leave this out, and it starts as the lowest it can be"


def listed(options: list[str]) -> str | None:
    """A hint that lists the valid values."""
    shown = [f"`{each}`" for each in options[:MOST_LISTED]]
    more = " …" if len(options) > MOST_LISTED else ""
    return f"it can be {', '.join(shown)}{more}" if shown else None


def citations(world: World, node: Node | None) -> tuple[ir.Citation, ...]:
    """The citations of an entry; reports invalid ones."""
    found: list[ir.Citation] = []
    for key, body in entries_of(node):
        if key.value not in world.sources:
            world.diagnostics.error(
                "unknown-source",
                f"no source `{key.value}` is declared",
                key.span,
                hint=did_you_mean(key.value, world.sources) or "sources stand in the entry file",
            )
        for each in one_or_more(body):
            if isinstance(each, Scalar):
                found.append(ir.Citation(key.value, each.value, "states"))
            elif isinstance(each, Mapping):
                stance = text_of(each.get("stance")) or "states"
                if each.get("section") is None and stance not in NO_SECTION:
                    world.diagnostics.error(
                        "missing-key",
                        f"it is not said where `{key.value}` says so",
                        each.span,
                        hint="add `section:`, the heading; only a book that is silent needs none",
                    )
                found.append(
                    ir.Citation(
                        key.value,
                        text_of(each.get("section")),
                        stance,
                        texts(each.get("note")),
                        text_of(each.get("print")) or None,
                    )
                )
    return tuple(found)


def has_lets(tree: s.Value, diagnostics: Diagnostics) -> bool:
    """Whether an expression has `let` lines where only a condition is allowed; reports them."""
    for let in tree.lets:
        diagnostics.error(
            "syntax",
            "no name can be given here: this is a condition and nothing else",
            let.span,
            hint="write it in one expression, or define a value for it",
        )
    return bool(tree.lets)
