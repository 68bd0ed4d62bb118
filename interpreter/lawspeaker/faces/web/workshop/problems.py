"""What is wrong with a draft, as an editor can show it at its place, with ways to mend it."""

from __future__ import annotations

from typing import Any

from lawspeaker.base.diagnostics import Diagnostic, Diagnostics
from lawspeaker.editing.fixes import TRANSLATIONS, fixes
from lawspeaker.faces.web.workshop.places import edits, place
from lawspeaker.text import document

MOST_TOLD = 50


def told(diagnostics: Diagnostics) -> list[dict[str, Any]]:
    """Messages with their places, the first of them."""
    return [_message(each) for each in diagnostics.sorted()[:MOST_TOLD]]


def _message(found: Diagnostic) -> dict[str, Any]:
    root = document.load(found.span.file, Diagnostics()) if found.span.known else None
    return {
        "code": found.code,
        "severity": found.severity,
        "message": found.message,
        "hint": found.hint or "",
        **place(found.span),
        "also": [{"text": each.text, **place(each.span)} for each in found.labels],
        "untranslated": found.code in TRANSLATIONS,
        "fixes": [{"title": each.title, "edits": edits(each.edits)} for each in fixes(found, root)],
    }
