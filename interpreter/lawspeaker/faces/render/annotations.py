"""Renders diagnostics for other tools: GitHub workflow commands, and SARIF 2.1.0.

A workflow command is a line of a job's log that becomes a mark on the line of the file:

    ::error file=rules/shop/game.yaml,line=3,col=5,title=unknown-key::'colr' is not a key of 'tile'

In SARIF, the codes are the rules of the tool, with their explanations from the catalogue. Columns
count code points from 1, the end is exclusive, as in `diagnostics.to_json`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

from lawspeaker.base.codes import CODES
from lawspeaker.base.diagnostics import Diagnostic
from lawspeaker.base.source import Span

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_IN_MESSAGE = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_IN_PROPERTY = {**_IN_MESSAGE, ":": "%3A", ",": "%2C"}


def workflow_commands(diagnostics: Iterable[Diagnostic]) -> list[str]:
    """Returns a workflow command for each diagnostic."""
    return [_command(each) for each in diagnostics]


def sarif(diagnostics: Sequence[Diagnostic], version: str) -> dict[str, Any]:
    """Returns a SARIF log with one run. `version` is that of this package."""
    codes = sorted({each.code for each in diagnostics})
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "Lawspeaker",
                        "version": version,
                        "rules": [_rule(code) for code in codes],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(each, codes) for each in diagnostics],
            }
        ],
    }


def _command(diagnostic: Diagnostic) -> str:
    span = diagnostic.span
    properties: dict[str, object] = {}
    if span.known:
        (line, column), (end_line, end_column) = _ends(span)
        properties = {"file": span.file.name, "line": line, "endLine": end_line, "col": column}
        if line == end_line:
            properties["endColumn"] = end_column
    properties["title"] = diagnostic.code
    told = [diagnostic.message, *(_label_line(each.span, each.text) for each in diagnostic.labels)]
    if diagnostic.hint:
        told.append(f"hint: {diagnostic.hint}")
    listed = ",".join(f"{key}={_escaped(value, _IN_PROPERTY)}" for key, value in properties.items())
    return f"::{diagnostic.severity} {listed}::{_escaped(chr(10).join(told), _IN_MESSAGE)}"


def _label_line(span: Span, text: str) -> str:
    return f"{span}: {text}" if span.known else f"note: {text}"


def _ends(span: Span) -> tuple[tuple[int, int], tuple[int, int]]:
    return span.file.position(span.start), span.file.position(span.end)


def _escaped(value: object, signs: dict[str, str]) -> str:
    return "".join(signs.get(sign, sign) for sign in str(value))


def _rule(code: str) -> dict[str, Any]:
    about = CODES[code]
    return {
        "id": code,
        "shortDescription": {"text": about.title},
        "fullDescription": {"text": about.text},
        "help": {"text": about.text},
    }


def _result(diagnostic: Diagnostic, codes: Sequence[str]) -> dict[str, Any]:
    told = diagnostic.message
    if diagnostic.hint:
        told += f"\nhint: {diagnostic.hint}"
    labels = [each for each in diagnostic.labels if each.span.known]
    notes = [f"note: {each.text}" for each in diagnostic.labels if not each.span.known]
    result: dict[str, Any] = {
        "ruleId": diagnostic.code,
        "ruleIndex": codes.index(diagnostic.code),
        "level": diagnostic.severity,
        "message": {"text": "\n".join([told, *notes])},
        "locations": [_location(diagnostic.span)] if diagnostic.span.known else [],
    }
    if labels:
        result["relatedLocations"] = [
            {"id": at, **_location(each.span), "message": {"text": each.text}}
            for at, each in enumerate(labels)
        ]
    return result


def _location(span: Span) -> dict[str, Any]:
    (line, column), (end_line, end_column) = _ends(span)
    region = {
        "startLine": line,
        "startColumn": column,
        "endLine": end_line,
        "endColumn": end_column,
    }
    uri = quote(span.file.name.replace("\\", "/"))
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}
