"""What is done by the workers while somebody writes, each as a generator that tells what it has
found so far. What takes very many games is among `studies`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.web.workshop.figures import figured
from lawspeaker.faces.web.workshop.language import (
    checked,
    completed,
    declared,
    defined,
    hovered,
    mended,
    referred,
    renamed,
    translated,
)
from lawspeaker.faces.web.workshop.position import looked_at, sought
from lawspeaker.faces.web.workshop.problems import told
from lawspeaker.faces.web.workshop.trial_games import tried
from lawspeaker.faces.web.workshop.trial_positions import WITHIN, Files, Place, compiled
from lawspeaker.outside.loading import open_bundle, schema
from lawspeaker.study.compare.patch import CannotPatch, patch
from lawspeaker.study.compare.telling import told as told_telling
from lawspeaker.text.format import FormatMistake, formatted

__all__ = [
    "checked",
    "completed",
    "declared",
    "defined",
    "examined",
    "figured",
    "hovered",
    "mended",
    "patched",
    "referred",
    "renamed",
    "sought",
    "sound",
    "tidied",
    "translated",
    "tried",
]


def examined(
    before: Files, after: Files, place: Place, language: str, shape: str
) -> Iterator[dict[str, Any]]:
    """What is wrong with rules; then, if nothing is, what they do in a position."""
    program, diagnostics = compiled(after)
    found: dict[str, Any] = {"ok": program is not None, "problems": told(diagnostics)}
    if program is not None:
        found["players"] = list(range(program.fewest, program.most + 1))
        found["languages"] = list(program.languages)
        found["same"] = before == after
    yield found
    if program is not None and compiled(before)[0] is not None:
        yield {"position": looked_at(before, after, place, language, shape)}


def sound(files: Files) -> Iterator[dict[str, Any]]:
    """Whether rules can be played; if not, the first thing that is wrong with them."""
    program, diagnostics = compiled(files)
    wrong = [each for each in diagnostics.sorted() if each.severity == "error"]
    yield {"why": wrong[0].message if wrong else "" if program is not None else "they are no game"}


def tidied(name: str, text: str) -> Iterator[dict[str, Any]]:
    """A file in canonical layout; nothing where it cannot be read."""
    diagnostics = Diagnostics()
    try:
        found = formatted(SourceFile(f"{WITHIN}/{name}", text), diagnostics)
    except FormatMistake:
        found = None
    yield {"text": found, "problems": told(diagnostics)}


def patched(before: Files, after: Files, name: str) -> Iterator[dict[str, Any]]:
    """A variant that turns the rules as they were into those they are now.

    If all that is new is one variant, that is it, with its comments.
    """
    added = [each for each in after if each not in before]
    if [each for each in after if each in before] == list(before) and len(added) == 1:
        yield {"text": added[0].text, "name": added[0].name}
        return
    diagnostics = Diagnostics()
    tellings = []
    for files in (before, after):
        opened = open_bundle(files, diagnostics, WITHIN)
        found = (
            None if opened is None else told_telling(name, opened, schema("variant"), diagnostics)
        )
        if found is None:
            yield {"text": None, "why": "", "problems": told(diagnostics)}
            return
        tellings.append(found)
    try:
        yield {"text": patch(tellings[0], tellings[1], name), "name": f"{name}.yaml"}
    except CannotPatch as error:
        yield {"text": None, "why": str(error), "problems": []}
