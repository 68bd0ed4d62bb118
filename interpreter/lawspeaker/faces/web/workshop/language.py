"""The language service for the editor in the browser: a draft and a place in it go in, findings
come out.

A process remembers the last few drafts it has looked at. `earlier` are the files as they last could
be put together: what stands in a draft that is broken just now is told from them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from lawspeaker.base.source import Span
from lawspeaker.editing.colours import colours
from lawspeaker.editing.completion import Item
from lawspeaker.editing.fixes import Edit, Fix, untranslated
from lawspeaker.editing.hints import let_types
from lawspeaker.editing.renaming import CannotRename, can_be_renamed
from lawspeaker.faces.web.wire import Keys
from lawspeaker.faces.web.workshop.places import edits, offset, place, units
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
    """A question about a place in a file that the draft has."""

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
    """What is wrong with names and types, at once; and what every word of the open file is.
    `known`: whether the files could be put together."""
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
            [units(asked.file.text[: span.end]), said]
            for span, said in let_types(analysis, asked.file.name)
        ],
    }


def _colours(asked: _Asked) -> list[Any]:
    """From where to where, and what it is, one after the other in one list."""
    named = asked.service.named_in(asked.path)
    found: list[Any] = []
    text, before, count = asked.file.text, 0, 0
    for span, sort in colours(asked.service.root(asked.path), named):
        count += units(text[before : span.start])
        before = span.start
        found += (count, count + units(span.text), sort.replace(" ", "-"))
    return found


def completed(files: Files, earlier: Files, name: str, at: int) -> Iterator[Found]:
    """What could be written at a place, the likeliest first."""
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
    """What a word is, as Markdown; whether it has a declaration, and a name that can be changed."""
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
    """Where the thing is declared that is named at a place."""
    asked = _Asked(files, earlier, name, at)
    found = asked.service.definition(asked.path, asked.offset)
    yield {"place": None if found is None else place(_shown(*found))}


def declared(files: Files, earlier: Files, name: str, id: str) -> Iterator[Found]:
    """Where a clause, or a guard of it, stands: `landing` or `landing.not_his_own`."""
    asked = _Asked(files, earlier, name)
    found = asked.service.declaration(asked.path, id)
    yield {"place": None if found is None else place(_shown(*found))}


def referred(files: Files, earlier: Files, name: str, at: int) -> Iterator[Found]:
    """All places at which something is named, each with its line."""
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
    """The changes of all files that give a thing another name, or why that cannot be done."""
    asked = _Asked(files, earlier, name, at)
    try:
        found = asked.service.rename(asked.path, asked.offset, new)
    except CannotRename as error:
        yield {"why": str(error), "edits": []}
        return
    yield {"why": "", "edits": edits(each for _, each in found)}


def mended(files: Files, earlier: Files, name: str, at: int) -> Iterator[Found]:
    """What else can be done where the caret is."""
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
    """The translations of the draft, brought up to date."""
    asked = _Asked(files, earlier, name)
    brought = _translations(asked)
    fix = {"title": "Bring the translations up to date", "edits": edits(brought)}
    yield {"fixes": [fix] if brought else []}


def _translations(asked: _Asked) -> list[Edit]:
    """What brings the translations up to date; one that has no file yet is begun."""
    return [each for _, each in asked.service.translations(asked.path)]


def _untranslated(asked: _Asked) -> bool:
    """Whether something in the line of the caret has no translation, or an old one."""
    analysis = asked.service.look(asked.path)
    line = Span(asked.file, asked.offset, asked.offset).line
    return analysis is not None and any(
        untranslated(each) and each.span.file.name == asked.file.name
        for each in analysis.diagnostics
        if each.span.line == line
    )


def _shown(path: Path, span: Span) -> Span:
    """A place in a file that is named but was not read has the name of the file all the same."""
    if span.file.name == str(path):
        return span
    return Span(type(span.file)(str(path), span.file.text), span.start, span.end)
