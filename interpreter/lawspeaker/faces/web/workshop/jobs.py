"""Quick tasks of the workers during editing, each a generator that yields its findings.

Tasks that take very many games are in `studies`.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import RuleFile, SourceFile
from lawspeaker.faces.web.wire import Keys
from lawspeaker.faces.web.workshop.drafts import MAIN, Draft
from lawspeaker.faces.web.workshop.figures import figured
from lawspeaker.faces.web.workshop.filing import begun, moved, removed
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
from lawspeaker.faces.web.workshop.numbers import numbered, set_number
from lawspeaker.faces.web.workshop.packing import folder_of, packed
from lawspeaker.faces.web.workshop.position import looked_at, sought
from lawspeaker.faces.web.workshop.problems import told
from lawspeaker.faces.web.workshop.trial_games import tried
from lawspeaker.faces.web.workshop.trial_positions import WITHIN, Files, Place, compiled
from lawspeaker.outside.loading import open_bundle, schema
from lawspeaker.study.compare.patch import CannotPatch, patch
from lawspeaker.study.compare.ruleset import compiled_ruleset as told_telling
from lawspeaker.text.format import FormatMistake, formatted
from lawspeaker.text.spreadsheet import is_spreadsheet
from lawspeaker.text.translation.naming import SUFFIX, is_of

__all__ = [
    "begun",
    "checked",
    "completed",
    "declared",
    "defined",
    "examined",
    "figured",
    "gathered",
    "hovered",
    "mended",
    "moved",
    "numbered",
    "patched",
    "referred",
    "removed",
    "renamed",
    "set_number",
    "sought",
    "sound",
    "tidied",
    "translated",
    "tried",
]


_GAME = re.compile(r"^game:[ ]+([a-z0-9_]+)", re.MULTILINE)


def examined(
    before: Files, after: Files, place: Place, language: str, shape: str
) -> Iterator[dict[str, Any]]:
    """Compiles rules and yields their diagnostics; if there are no errors, then a position."""
    program, diagnostics = compiled(after)
    found: dict[str, Any] = {"ok": program is not None, "problems": told(diagnostics)}
    if program is not None:
        found["players"] = list(program.counts)
        found["languages"] = list(program.languages)
        found["same"] = before == after
    yield found
    if program is not None and compiled(before)[0] is not None:
        yield {"position": looked_at(before, after, place, language, shape)}


def sound(files: Files) -> Iterator[Annotated[dict[str, Any], Keys({"why": str})]]:
    """Yields whether rules compile, or their first error."""
    program, diagnostics = compiled(files)
    wrong = [each for each in diagnostics.sorted() if each.severity == "error"]
    yield {"why": wrong[0].message if wrong else "" if program is not None else "they are no game"}


def tidied(name: str, text: str) -> Iterator[dict[str, Any]]:
    """Formats a file; yields None as its text if it cannot be parsed."""
    diagnostics = Diagnostics()
    if is_spreadsheet(name):  # a spreadsheet has no layout of ours
        yield {"text": text, "problems": []}
        return
    try:
        found = formatted(SourceFile(f"{WITHIN}/{name}", text), diagnostics)
    except FormatMistake:
        found = None
    yield {"text": found, "problems": told(diagnostics)}


def gathered(files: Files) -> Iterator[dict[str, Any]]:
    """Packs all files of a visitor's own game for download."""
    named = _GAME.search(files[0].text)
    yield _to_keep(files, "game" if named is None else named[1])


def patched(before: Files, after: Files, name: str) -> Iterator[dict[str, Any]]:
    """Yields a variant that turns the original rules into the current ones.

    If only variants and their translations were added, it yields those files, with their comments.
    """
    added = [each for each in after if each not in before]
    variants = [each for each in added if each.given is not None]
    beside = [each for each in added if any(is_of(each.name, own.name) for own in variants)]
    kept = [each for each in after if each in before]
    if kept == list(before) and variants and len(added) == len(variants) + len(beside):
        yield _to_keep(added, variants[0].name.removesuffix(SUFFIX))
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
        text = patch(tellings[0], tellings[1], name)
        yield _to_keep([RuleFile(f"{name}{SUFFIX}", text, ())], name)
    except CannotPatch as error:
        yield {"text": None, "why": str(error), "problems": []}


def _to_keep(files: Sequence[RuleFile], name: str) -> dict[str, Any]:
    """Returns a single file as it is, or several as a ZIP archive (in base64).

    `plays` are the paths with which the unpacked files are played: that of a game, and those of
    variants.
    """
    if len(files) == 1:
        (alone,) = files
        return {"name": alone.name, "text": alone.text, "plays": [f"./{alone.name}"]}
    folder = folder_of(name)
    text = b64encode(packed(name, Draft("", tuple(files)))).decode()
    game = [f"./{folder}" for each in files if each.name == MAIN]
    variants = [f"./{folder}/{each.name}" for each in files if each.given is not None]
    return {"name": f"{folder}.zip", "text": text, "plays": [*game, *variants]}
