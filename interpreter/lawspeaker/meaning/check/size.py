"""Bounds the amount of code in a game, and the work budget for checking it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import Span
from lawspeaker.base.work import CHECKING, TooMuchWork, work_budget
from lawspeaker.text.document import Scalar
from lawspeaker.text.rulebook import Rulebook

MOST_CODE = 60_000
"""The maximal number of characters of code in all clauses, including those of variants."""
_CODE = ("rule", "as", "define", "offers", "holds")


def check(book: Rulebook, diagnostics: Diagnostics) -> None:
    """Reports rules with too much code."""
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


@contextmanager
def bounded(book: Rulebook, diagnostics: Diagnostics) -> Iterator[None]:
    """Runs its body under the work budget; an exhausted budget is an error at the current
    clause."""
    with work_budget(CHECKING) as work:
        work.span = book.head.span
        try:
            yield
        except TooMuchWork as spent:
            _too_large(diagnostics, f"more than {CHECKING:,} nodes of code are visited", spent.span)
        except RecursionError:
            _too_large(diagnostics, "their code is nested too deep", work.span)


def _too_large(diagnostics: Diagnostics, why: str, span: Span) -> None:
    diagnostics.error(
        "too-large",
        f"these rules are too large to be checked: {why}; this clause was reached",
        span,
        hint="say what several clauses have in common once, and do it with `do`; give what is "
        "needed twice a name with `let`",
    )


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
