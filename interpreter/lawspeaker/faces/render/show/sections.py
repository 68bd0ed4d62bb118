"""Determines the section heading of each clause.

A game of several files has a section for each, headed by the file's first comment. In a game of one
file a short comment on a line of its own opens a section; without any, clauses are grouped by the
prefix of their ids.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from lawspeaker import ir
from lawspeaker.base.source import SourceFile
from lawspeaker.base.typography import capital

Heading = tuple[str, str]
"""A title, and the heading in the file if it differs."""

LONGEST = 70
_COMMENT = re.compile(r"\s*#+\s?(.*?)\s*$")


def headings(clauses: Sequence[ir.Clause], rules: str) -> list[Heading]:
    """Returns the section heading of each clause; `rules` is the fallback."""
    files = {clause.span.file for clause in clauses}
    if len(files) > 1:
        of_file = {file: (_title(file) or rules, first_comment(file)) for file in files}
        return [of_file[clause.span.file] for clause in clauses]
    comments = [_comment_above(clause) for clause in clauses]
    if any(comments):
        found: list[Heading] = []
        current = rules
        for comment in comments:
            current = comment or current
            found.append((current, ""))
        return found
    shared = [clause.id.partition(".")[0] for clause in clauses]
    return [(_words(first), "") if shared.count(first) > 1 else (rules, "") for first in shared]


def _title(file: SourceFile) -> str:
    """Converts a file name to a title: `next_raid.yaml` becomes `Next raid`."""
    return _words(PurePosixPath(file.name).stem)


def _words(name: str) -> str:
    words = name.replace("_", " ").replace("-", " ").strip()
    return capital(words)


def first_comment(file: SourceFile) -> str:
    """Returns the first comment of a file, if it precedes everything else and is short."""
    for number in range(1, file.line_count + 1):
        line = file.line_text(number)
        if not line.strip():
            continue
        found = _COMMENT.match(line)
        text = found[1] if found else ""
        return text if len(text) <= LONGEST else ""
    return ""


def _comment_above(clause: ir.Clause) -> str:
    """Returns a short comment alone on the line above a clause, blank lines aside."""
    if not clause.span.known:
        return ""
    file, line = clause.span.file, clause.span.line - 1
    while line >= 1 and not file.line_text(line).strip():
        line -= 1
    found = _COMMENT.match(file.line_text(line)) if line >= 1 else None
    if found is None or (line > 1 and _COMMENT.match(file.line_text(line - 1))):
        return ""
    return found[1] if len(found[1]) <= LONGEST else ""
