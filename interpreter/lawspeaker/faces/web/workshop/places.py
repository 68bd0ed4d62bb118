"""Converts places in files to UTF-16 offsets, as a browser counts, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lawspeaker.base.lettering import utf16_index, utf16_length
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.editing.fixes import Edit
from lawspeaker.outside.bundle import NAME


def offset(file: SourceFile, at: int) -> int:
    """Converts a UTF-16 offset to an index into the text, at most its length."""
    return utf16_index(file.text, at)


def file_name(shown: str) -> str:
    return shown.removeprefix(f"{NAME}/")


def place(span: Span) -> dict[str, Any]:
    """Converts a span to JSON: UTF-16 offsets for the editor, line and column for people."""
    if not span.known:
        return {"file": "", "from": 0, "to": 0, "line": 0, "column": 0}
    start = utf16_length(span.file.text[: span.start])
    return {
        "file": file_name(span.file.name),
        "from": start,
        "to": start + utf16_length(span.text),
        "line": span.line,
        "column": span.column,
    }


def edits(some: Iterable[Edit]) -> list[dict[str, Any]]:
    """Converts edits to JSON, each with its place."""
    return [{**place(each.span), "text": each.text} for each in some]
