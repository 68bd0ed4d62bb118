"""Diagnostics for the author of a rule file: errors and warnings as data.

A `Diagnostic` has a code (`unknown-key`), a message, a span, labels for further spans, and perhaps
a hint. Rendering is up to `faces/render`. Stages do not raise; they add to a `Diagnostics` and
recover as well as they can. `RulesError` is raised to the outermost caller, who asked for a game
that cannot be built.

A collector drops exact duplicates and stops after a hundred errors, counting those left out: the
hundredth error of a file is nearly always a consequence of an earlier one.

`nearest` suggests the intended name for a misspelt one. It ranks candidates in this order: equal
but for case, separators, word order or plural; then smallest edit distance, where an edit inserts,
deletes or replaces a letter or swaps two neighbours; then candidates that have the word as prefix.
The accepted edit distance grows with the length of the word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Literal

from lawspeaker.base.source import Span

Severity = Literal["error", "warning"]
MOST = 100
_LONGEST_WORD = 60
_MOST_SLIPS = 3
_MOST_CANDIDATES = 3_000


@dataclass(frozen=True, slots=True)
class Label:
    """A secondary span of a diagnostic, and what it has to do with it."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """An error or a warning about a span, with a code, a message, labels and perhaps a hint."""

    code: str
    message: str
    span: Span
    labels: tuple[Label, ...] = ()
    hint: str | None = None
    severity: Severity = "error"

    def __str__(self) -> str:
        place = f"{self.span}: " if self.span.known else ""
        return f"{place}{self.code}: {self.message}"


MISREAD = "surprising-truth"
"""The code for an ambiguous value; further diagnostics about its span are suppressed."""


class Diagnostics:
    """Collects diagnostics. True if it holds an error; warnings alone leave it false."""

    __slots__ = ("_counts", "_items", "_misread", "_seen", "left_out", "most", "said")

    def __init__(self, items: Iterable[Diagnostic] = (), *, most: int = MOST) -> None:
        self.most = most
        self.left_out = 0
        self.said = 0
        """The number of reports, including duplicates."""
        self._counts: dict[Severity, int] = {"error": 0, "warning": 0}
        self._items: list[Diagnostic] = []
        self._seen: set[Diagnostic] = set()
        self._misread: set[Span] = set()
        self.extend(items)

    def add(self, diagnostic: Diagnostic) -> None:
        self.said += 1
        if diagnostic in self._seen or diagnostic.span in self._misread:
            return
        if diagnostic.code == MISREAD:
            self._misread.add(diagnostic.span)
        if self.full or self._counts[diagnostic.severity] >= self.most:
            self.left_out += 1
            return
        self._counts[diagnostic.severity] += 1
        self._seen.add(diagnostic)
        self._items.append(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            self.add(diagnostic)
        if isinstance(diagnostics, Diagnostics):
            self.left_out += diagnostics.left_out

    def error(
        self, code: str, message: str, span: Span, *labels: Label, hint: str | None = None
    ) -> None:
        self.add(Diagnostic(code, message, span, labels, hint, "error"))

    def warning(
        self, code: str, message: str, span: Span, *labels: Label, hint: str | None = None
    ) -> None:
        self.add(Diagnostic(code, message, span, labels, hint, "warning"))

    @property
    def has_errors(self) -> bool:
        return self._counts["error"] > 0

    @property
    def full(self) -> bool:
        """Whether the limit of errors is reached, and no more are collected."""
        return self._counts["error"] >= self.most

    def sorted(self) -> list[Diagnostic]:
        """By file, in the order of each file's first diagnostic, then by position."""
        order: dict[str, int] = {}
        for each in self._items:
            order.setdefault(each.span.file.name, len(order))
        return sorted(self._items, key=lambda each: (order[each.span.file.name], each.span.start))

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __bool__(self) -> bool:
        return self.has_errors

    def __repr__(self) -> str:
        return f"Diagnostics({self._items!r})"


class Failure(Exception):
    """Something failed for a reason that is no bug; the message is for the user.

    A command prints it and exits with `exit_code`.
    """

    exit_code = 1


class RulesError(Exception):
    """The rules cannot be used; `diagnostics` say why, and `left_out` counts those beyond the
    limit."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.left_out = 0
        if isinstance(diagnostics, Diagnostics):
            self.left_out = diagnostics.left_out
            diagnostics = diagnostics.sorted()
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        super().__init__(self.diagnostics)

    def __str__(self) -> str:
        lines = [str(each) for each in self.diagnostics]
        if self.left_out:
            lines.append(f"and {self.left_out} more")
        return "\n".join(lines)


def with_noun(count: int, thing: str) -> str:
    """A count with its noun, in English: `1 clause`, `2 clauses`."""
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """A hint that names the nearest candidate, if one is close enough."""
    found = nearest(word, candidates)
    return None if found is None else f"did you mean '{found}'?"


def nearest(word: str, candidates: Iterable[str], rather: Container[str] = ()) -> str | None:
    """The candidate that `word` was most probably meant to be, or None if none is close enough.

    Of candidates that are equally close, one of `rather` wins.
    """
    best: tuple[int, bool, int, str] | None = None
    for candidate in islice(candidates, _MOST_CANDIDATES):
        if candidate == word or not candidate:
            continue
        score = _unlikeness(word, candidate)
        if score is not None:
            off = abs(len(candidate) - len(word))
            rank = (score, candidate not in rather, off, candidate)
            best = rank if best is None else min(best, rank)
    return best[3] if best else None


def _unlikeness(word: str, candidate: str) -> int | None:
    """Twice the edit distance from `word` to `candidate`; odd numbers rank other kinds of near
    match in between. None if the candidate is too far."""
    a, b = _folded(word), _folded(candidate)
    if not a or not b or max(len(a), len(b)) > _LONGEST_WORD:
        return None
    if a == b:
        return 0
    if _words(a) == _words(b):
        return 1
    slips = _forgiven(a, b)
    if slips is not None:
        return 2 * slips
    return 7 if len(a) >= 3 and b.startswith(a) else None


def _forgiven(a: str, b: str) -> int | None:
    """The number of slips from one word to another; None if they are more than one forgives.

    A third of a word, as most compilers forgive: with two slips in five letters, as from `stone` to
    `score`, it is another word, unless all letters but one are the same, as of `truns`.
    """
    if abs(len(a) - len(b)) > _MOST_SLIPS:
        return None
    ours, theirs = Counter(a), Counter(b)
    others = (ours - theirs).total() + (theirs - ours).total()
    third = max(len(a), len(b)) // 3
    forgiven = 0 if len(a) == 1 else min(_MOST_SLIPS, max(2 if others <= 1 else 1, third))
    slips = _slips(a, b, forgiven)
    return slips if len(a) > 2 or not others or len(b) > 2 else None


@lru_cache(maxsize=5_000)
def _folded(word: str) -> str:
    return re.sub(r"[\s_\-]+", "_", word.strip().casefold())


@lru_cache(maxsize=5_000)
def _words(folded: str) -> list[str]:
    """The words of a name, in singular and sorted."""
    return sorted(_singular(part) for part in re.split(r"[_.]", folded) if part)


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        return word[:-1]
    return word


def _slips(a: str, b: str, most: int) -> int | None:
    """The optimal string alignment distance, or None if it is more than `most`."""
    if abs(len(a) - len(b)) > most:
        return None
    before: list[int] = []
    above = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (x != y))
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return None
        before, above = above, row
    return above[-1] if above[-1] <= most else None
