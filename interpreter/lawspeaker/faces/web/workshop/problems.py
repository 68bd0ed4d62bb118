"""Converts the diagnostics of a draft to JSON, with their places and fixes."""

from __future__ import annotations

from typing import Any

from lawspeaker.base.diagnostics import Diagnostic, Diagnostics
from lawspeaker.editing.fixes import fixes, untranslated
from lawspeaker.faces.web.workshop.places import edits, place
from lawspeaker.text import document

MOST_TOLD = 50


def told(diagnostics: Diagnostics) -> list[dict[str, Any]]:
    """Returns the first diagnostics in order."""
    return [_message(each) for each in diagnostics.sorted()[:MOST_TOLD]]


def _message(found: Diagnostic) -> dict[str, Any]:
    root = document.load(found.span.file, Diagnostics()) if found.span.known else None
    behind = untranslated(found)
    return {
        "code": found.code,
        "severity": found.severity,
        "message": found.message,
        # the hint names a command; the page has a button
        "hint": "" if behind else found.hint or "",
        **place(found.span),
        "also": [{"text": each.text, **place(each.span)} for each in found.labels],
        "untranslated": behind,
        "fixes": [{"title": each.title, "edits": edits(each.edits)} for each in fixes(found, root)],
    }
