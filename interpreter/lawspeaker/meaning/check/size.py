"""How much code a game may have altogether, so that it is always read and checked in a moment."""

from __future__ import annotations

from collections.abc import Iterator

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.text.document import Scalar
from lawspeaker.text.rulebook import Rulebook

MOST_CODE = 60_000
"""So many characters the code of all clauses has, with what variants put in."""
_CODE = ("rule", "as", "define", "offers", "holds")


def check(book: Rulebook, diagnostics: Diagnostics) -> None:
    length = 0
    for code in _codes(book):
        length += code.content.end - code.content.start
        if length > MOST_CODE:
            diagnostics.error(
                "too-large",
                f"with this clause the code of the game has more than {MOST_CODE:,} characters",
                code.content,
                hint="say what several clauses have in common once, and do it with `do`",
            )
            return


def _codes(book: Rulebook) -> Iterator[Scalar]:
    for section in ("rules", "always"):
        for entry in book.section(section).values():
            for key in _CODE:
                code = entry.get(key)
                if isinstance(code, Scalar):
                    yield code
    for amendments in book.amendments.values():
        yield from (each.code for each in amendments if each.code is not None)
    for added in book.added.values():
        yield from (each.code for each in added)
    for instead in book.instead.values():
        yield from (each.when for each in instead)
