"""The language service for the editor in the browser: takes a draft and a place in it.

A process caches the last few drafts. `earlier` are the files as they were when they last compiled
up to names: questions about a draft that is broken now are answered from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from lawspeaker.base.lettering import utf16_length
from lawspeaker.base.source import Span
from lawspeaker.editing.colours import colours
from lawspeaker.editing.completion import Item
from lawspeaker.editing.fixes import Edit, Fix, untranslated
from lawspeaker.editing.hints import let_types
from lawspeaker.editing.renaming import CannotRename, can_be_renamed
from lawspeaker.faces.web.wire import Keys
from lawspeaker.faces.web.workshop.places import edits, offset, place
from lawspeaker.faces.web.workshop.problems import told
from lawspeaker.faces.web.workshop.trial_positions import Files
from lawspeaker.outside.bundle import NAME, Bundle
from lawspeaker.outside.language_service import LanguageService

MOST_OFFERED = 400
MOST_PLACES = 1_000

Found = dict[str, Any]


@lru_cache(maxsize=6)
def _bundle(files: Files) -> Bundle:
    return Bundle(files)


class _Asked:
    """A request about a place in a file of the draft."""

    def __init__(self, files: Files, earlier: Files, name: str, at: int = 0) -> None:
        bundle = _bundle(files)
        bundle.earlier = _bundle(earlier) if earlier != files else None
        self.service = LanguageService(bundle)
        self.path = Path(NAME, name)
        self.file = bundle.source(self.path)
        self.offset = offset(self.file, at)


def checked(
    files: Files, earlier: Files, name: str
) -> Iterator[Annotated[Found, Keys({"known": bool})]]:
    """Yields the diagnostics of names and types, and the tokens of the open file.

    `known` is whether the files could be put together.
    """
    asked = _Asked(files, earlier, name)
    analysis = asked.service.look(asked.path)
    if analysis is None:
        return
    yield {
        "known": analysis.world is not None,
        "ok": analysis.program is not None,
        "problems": told(analysis.diagnostics),
        "file": name,
        "colours": _colours(asked),
        "hints": [
            [utf16_length(asked.file.text[: span.end]), said]
            for span, said in let_types(analysis, asked.file.name)
        ],
    }


def _colours(asked: _Asked) -> list[Any]:
    """Returns the tokens as a flat list of start, end and kind."""
    named = asked.service.named_in(asked.path)
    found: list[Any] = []
    text, before, count = asked.file.text, 0, 0
    for span, sort in colours(asked.service.root(asked.path), named):
        count += utf16_length(text[before : span.start])
        before = span.start
        found += (count, count + utf16_length(span.text), sort.replace(" ", "-"))
    return found


def completed(files: Files, earlier: Files, name: str, at: int) -> Iterator[Found]:
    """Yields completions at a place, the likeliest first."""
    asked = _Asked(files, earlier, name, at)
    (start, end), items = asked.service.complete(asked.path, asked.offset)
    where = place(Span(asked.file, start, end))
    yield {**where, "items": [_item(each) for each in items[:MOST_OFFERED]]}


def _item(item: Item) -> Found:
    return {
        "text": item.text,
        "sort": item.sort,
        "detail": "" if item.detail == item.sort else item.detail,
        "says": item.says,
        "rank": item.rank,
    }


def hovered(files: Files, earlier: Files, name: str, at: int) -> Iterator[Found]:
    """Yields hover text in Markdown, and whether the word can be renamed."""
    asked = _Asked(files, earlier, name, at)
    found = asked.service.hover(asked.path, asked.offset)
    if found is None:
        yield {"text": ""}
        return
    named = asked.service.known_at(asked.path, asked.offset)
    yield {
        **place(found[0]),
        "text": found[1],
        "word": found[0].text,
        "named": named is not None and can_be_renamed(named[1]),
    }


def defined(files: Files, earlier: Files, name: str, at: int) -> Iterator[Found]:
    """Yields the place where the thing at a place is declared."""
    asked = _Asked(files, earlier, name, at)
    found = asked.service.definition(asked.path, asked.offset)
    yield {"place": None if found is None else place(_shown(*found))}


def declared(files: Files, earlier: Files, name: str, id: str) -> Iterator[Found]:
    """Yields the place of a clause or a guard: `landing` or `landing.not_his_own`."""
    asked = _Asked(files, earlier, name)
    found = asked.service.declaration(asked.path, id)
    yield {"place": None if found is None else place(_shown(*found))}


def referred(files: Files, earlier: Files, name: str, at: int) -> Iterator[Found]:
    """Yields all references to a thing, each with its line."""
    asked = _Asked(files, earlier, name, at)
    named = asked.service.known_at(asked.path, asked.offset)
    found = asked.service.references(asked.path, asked.offset)[:MOST_PLACES]
    yield {
        "word": "" if named is None else named[1].meaning.name,
        "places": [
            {**place(span), "text": span.file.line_text(span.line).strip()} for _, span in found
        ],
    }


def renamed(files: Files, earlier: Files, name: str, at: int, new: str) -> Iterator[Found]:
    """Yields the edits that rename a thing in all files, or why it cannot be renamed."""
    asked = _Asked(files, earlier, name, at)
    try:
        found = asked.service.rename(asked.path, asked.offset, new)
    except CannotRename as error:
        yield {"why": str(error), "edits": []}
        return
    yield {"why": "", "edits": edits(each for _, each in found)}


def mended(files: Files, earlier: Files, name: str, at: int) -> Iterator[Found]:
    """Yields the code actions at the caret."""
    asked = _Asked(files, earlier, name, at)
    cited = asked.service.citation(asked.path, asked.offset)
    some: list[Fix] = [] if cited is None else [cited]
    if _untranslated(asked):
        brought = _translations(asked)
        some += [Fix("Bring the translations up to date", tuple(brought))] if brought else []
    layout = asked.service.formatted(asked.path)
    if layout is not None:
        some.append(Fix("Bring into canonical layout", (layout,)))
    yield {"fixes": [{"title": each.title, "edits": edits(each.edits)} for each in some]}


def translated(files: Files, earlier: Files, name: str) -> Iterator[Found]:
    """Yields the edits that update the translations of the draft."""
    asked = _Asked(files, earlier, name)
    brought = _translations(asked)
    fix = {"title": "Bring the translations up to date", "edits": edits(brought)}
    yield {"fixes": [fix] if brought else []}


def _translations(asked: _Asked) -> list[Edit]:
    """Returns the edits that update the translations; missing files are created."""
    return [each for _, each in asked.service.translations(asked.path)]


def _untranslated(asked: _Asked) -> bool:
    """Whether something in the line of the caret has no translation or an outdated one."""
    analysis = asked.service.look(asked.path)
    line = Span(asked.file, asked.offset, asked.offset).line
    return analysis is not None and any(
        untranslated(each) and each.span.file.name == asked.file.name
        for each in analysis.diagnostics
        if each.span.line == line
    )


def _shown(path: Path, span: Span) -> Span:
    """Returns a span that has its file's path, also for a file that was not parsed."""
    if span.file.name == str(path):
        return span
    return Span(type(span.file)(str(path), span.file.text), span.start, span.end)
