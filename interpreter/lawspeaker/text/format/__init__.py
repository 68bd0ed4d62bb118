"""One canonical layout for rule files, variants and scenarios.

`formatted` takes a text and gives it back in this layout, its code in the forms of today. Nothing
else about it changes: it says the same, with the same comments, and formatting it once more changes
nothing at all. A file that cannot be read is left alone, and the diagnostics say why.

`frame` lays out the YAML, `scalars` decides on quotes and folding, `remarks` keeps the comments.
`renewing` turns old forms of code into new ones, `code_layout` lays it out, `grouping` and
`breaking` its long lines. `roles` knows which values are code, and `same` makes sure that nothing
was lost.
"""

from __future__ import annotations

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import BYTE_ORDER_MARK, SourceFile
from lawspeaker.text import document
from lawspeaker.text.document import Node
from lawspeaker.text.format import frame, roles, same

__all__ = ["FormatMistake", "formatted"]


class FormatMistake(Exception):
    """The formatter would have changed what a file says: a mistake of its own, not of the file."""

    def __init__(self, name: str) -> None:
        super().__init__(f"{name}: left alone, since formatting would change what it says")


def formatted(file: SourceFile, diagnostics: Diagnostics) -> str | None:
    """The text of a file in canonical layout; None if it has errors, which are then told.

    Raises FormatMistake rather than give a text that says something else.
    """
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
    """The tree of a file, if it and all code in it can be read without an error."""
    own = Diagnostics()
    root = document.load(file, own)
    if root is not None:
        for scalar, start in roles.codes(root):
            same.read_code(scalar, start, own)
    diagnostics.extend(own)
    return None if own.has_errors else root
