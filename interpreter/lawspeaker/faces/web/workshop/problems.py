"""What is wrong with a draft, as an editor can show it at its place."""

from __future__ import annotations

from typing import Any

from lawspeaker.base.diagnostics import Diagnostic, Diagnostics
from lawspeaker.base.source import Span
from lawspeaker.faces.web.workshop.trial_positions import WITHIN

MOST_TOLD = 50


def told(diagnostics: Diagnostics) -> list[dict[str, Any]]:
    """Messages with their places, the first of them."""
    return [_message(each) for each in diagnostics.sorted()[:MOST_TOLD]]


def _message(found: Diagnostic) -> dict[str, Any]:
    return {
        "code": found.code,
        "severity": found.severity,
        "message": found.message,
        "hint": found.hint or "",
        **_place(found.span),
        "also": [{"text": each.text, **_place(each.span)} for each in found.labels],
    }


def _place(span: Span) -> dict[str, Any]:
    """Where it is; offsets count as browsers do, which take some signs for two."""
    if not span.known:
        return {"file": "", "from": 0, "to": 0, "line": 0, "column": 0}
    text = span.file.text
    start = _units(text[: span.start])
    return {
        "file": span.file.name.removeprefix(f"{WITHIN}/"),
        "from": start,
        "to": start + _units(text[span.start : span.end]),
        "line": span.line,
        "column": span.column,
    }


def _units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
