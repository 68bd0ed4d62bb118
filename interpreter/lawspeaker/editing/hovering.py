"""Hover texts: kind, sentence, type and sources of the symbol at a place."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.editing.analysis import Analysis
from lawspeaker.editing.lexicon import Symbol
from lawspeaker.editing.manual import Manual
from lawspeaker.meaning.check.meanings import Meaning
from lawspeaker.meaning.check.world import World
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence

LANGUAGE = "en"
MOST_CITED = 4


def of_language(
    source: SourceFile, root: Node | None, offset: int, manual: Manual
) -> tuple[Span, str] | None:
    """Returns the meaning of a key or keyword as Markdown, with its span."""
    key = None if root is None else _key_at(root, offset)
    if key is not None:
        means = manual.keys.get(key.value, [])
        return (key.span, "\n\n".join((f"**{key.value}**", *means))) if means else None
    span = word_at(source.text, offset)
    chapter = manual.chapter(source.text[span[0] : span[1]])
    if chapter is None:
        return None
    return Span(source, *span), f"**{chapter.title}**\n\n{chapter.text}"


def symbol_markdown(analysis: Analysis, meaning: Meaning) -> str:
    """Describes a symbol as Markdown."""
    world, lexicon = analysis.world, analysis.lexicon
    assert world is not None
    assert lexicon is not None
    thing = lexicon.find(meaning) or Symbol(meaning)
    lines = [_title(world, thing, meaning)]
    if thing.says:
        lines.append(thing.says)
    if thing.detail:
        lines.append(f"`{thing.detail}`")
    lines += [_cited(world, each) for each in thing.cites[:MOST_CITED]]
    return "\n\n".join(lines)


def _title(world: World, thing: Symbol, meaning: Meaning) -> str:
    of = f" of `{meaning.of}`" if meaning.of and meaning.sort != "value" else ""
    sort = "name" if meaning.sort == "local" else meaning.sort
    title = f"**{thing.form or meaning.name}** · {sort}{of}"
    type = typed(world, meaning.type)
    return f"{title} · {type}" if type and meaning.sort not in ("piece", "place") else title


def typed(world: World, type: ir.Type) -> str:
    """Names a type in words; empty if it is unknown."""
    return "" if isinstance(type, ir.BrokenType) else world.a(type)


def _cited(world: World, cite: ir.Citation) -> str:
    source = world.sources.get(cite.source)
    title = cite.source if source is None else source.title
    section = f", {phrase('cite.section', LANGUAGE, section=cite.section)}" if cite.section else ""
    note = f" – {cite.note_in(LANGUAGE)}" if cite.note else ""
    return f"*{title} [{cite.source}]{section}: {phrase(f'stance.{cite.stance}', LANGUAGE)}{note}*"


def word_at(text: str, offset: int) -> tuple[int, int]:
    """Returns the range of the word at an offset; an empty range if there is none."""
    start = end = offset
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] in "_."):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return start, end


def _key_at(node: Node, offset: int) -> Scalar | None:
    """Returns the mapping key at an offset."""
    if isinstance(node, Mapping):
        for key, value in node.entries:
            if key.span.start <= offset <= key.span.end:
                return key
            if value.span.start <= offset <= value.span.end:
                return _key_at(value, offset)
    elif isinstance(node, Sequence):
        for each in node.items:
            if each.span.start <= offset <= each.span.end:
                return _key_at(each, offset)
    return None
