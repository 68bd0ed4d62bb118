"""Rejects invisible characters in rule files, and tabs as layout.

Invisible (see `base/lettering`) are control characters, lone surrogates, byte order marks inside
the text, line breaks other than CR and LF (files and editors would count lines differently),
zero-width characters, and bidirectional controls (a rule could read otherwise than it is).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from lawspeaker.base import lettering
from lawspeaker.base.diagnostics import Diagnostic
from lawspeaker.base.source import SourceFile, Span

UNSEEN_IN_FILE = re.compile(lettering.UNSEEN)
UNSEEN_IN_VALUE = re.compile(f"{lettering.UNSEEN}|\r")
_TABS = re.compile(r"\t[ \t]*")


def unseen_fault(character: str, span: Span) -> Diagnostic:
    message = f"{lettering.described(character)} is not allowed, since it cannot be seen"
    return Diagnostic("yaml-character", message, span)


def tab_fault(span: Span) -> Diagnostic:
    return Diagnostic(
        "yaml-tab",
        "a tab is used where only spaces may stand",
        span,
        hint="use spaces to indent; most editors can be set to put spaces for the tab key",
    )


def stray_tabs(file: SourceFile, values: list[Span]) -> Iterator[Diagnostic]:
    """The first tab of each line that is between values. Tabs in values, in comments and at the end
    of a line are harmless."""
    starts = [span.start for span in values]
    last_line = 0
    for match in _TABS.finditer(file.text):
        before = bisect_right(starts, match.start()) - 1
        value_end = values[before].end if before >= 0 else 0
        if match.start() < value_end or file.text[match.end() : match.end() + 1] in "\r\n#":
            continue
        line = file.position(match.start())[0]
        gap = file.text[max(value_end, file.line_start(line)) : match.start()]
        if "#" not in gap and line != last_line:
            yield tab_fault(Span(file, match.start(), match.end()))
            last_line = line
