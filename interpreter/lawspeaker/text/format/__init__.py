"""The formatter: one canonical layout for rule files, variants and scenarios.

`formatted` returns a text in this layout, its code in the current syntax. Values and comments are
preserved, and formatting is idempotent. A file with errors is not changed; they are in the
diagnostics.

`frame` lays out the YAML, `scalars` decides on quotes and folding, `remarks` keeps the comments.
`renewing` migrates old syntax of code, `code_layout` lays code out, `grouping` and `breaking` its
long lines. `roles` knows which values are code, and `same` verifies that nothing was lost.
"""

from __future__ import annotations

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import BYTE_ORDER_MARK, SourceFile
from lawspeaker.text import document
from lawspeaker.text.document import Node
from lawspeaker.text.format import frame, roles, same

__all__ = ["FormatMistake", "formatted"]


class FormatMistake(Exception):
    """The formatter would have changed the contents of a file: a bug in the formatter."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}: left alone, since formatting would change what it says")


def formatted(file: SourceFile, diagnostics: Diagnostics) -> str | None:
    """Formats a file; None if it has errors, which are reported. Raises FormatMistake if the result
    does not have the same contents."""
    plain = SourceFile(file.name, file.text.removeprefix(BYTE_ORDER_MARK))
    root = _read(plain, diagnostics)
    if root is None:
        return None
    result = SourceFile(file.name, frame.written(plain, root))
    again = _read(result, Diagnostics())
    if again is None or not same.says_the_same(plain, root, result, again):
        raise FormatMistake(file.name)
    return result.text


def _read(file: SourceFile, diagnostics: Diagnostics) -> Node | None:
    """The tree of a file, if it and all code in it can be parsed without an error."""
    own = Diagnostics()
    root = document.load(file, own)
    if root is not None:
        for scalar, start in roles.codes(root):
            same.read_code(scalar, start, own)
    diagnostics.extend(own)
    return None if own.has_errors else root
