"""Messages to the author of a rule file, as data.

A `Diagnostic` has a word for a code (`unknown-key`), a sentence, the place it is about, further
places with a word each, and perhaps a hint. How it looks is the business of `render`. Stages do
not raise; they put what they find into a `Diagnostics` and go on with the best they have.
`RulesError` is for the outermost caller, who asked for a game and cannot be given one.

A collector drops exact repetitions and stops after a hundred errors, counting what it left out:
the hundredth error of a file is nearly always an echo of an earlier one.

`nearest` finds what a mistyped name was meant to be. A candidate that is equal but for case,
separators, the order of its words or a plural comes first; then the one with the fewest slips,
where a slip is a letter too many, missing, wrong, or two neighbours exchanged; then one that the
word begins. How many slips are forgiven grows with the length of the word.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
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
    """A further place that belongs to a diagnostic, and what it has to do with it."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
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
"""A value of which it is not clear what was meant: nothing more is said about it."""


class Diagnostics:
    """Collects diagnostics. True if it holds an error; warnings alone leave it false."""

    __slots__ = ("_counts", "_items", "_misread", "_seen", "left_out", "most", "said")

    def __init__(self, items: Iterable[Diagnostic] = (), *, most: int = MOST) -> None:
        self.most = most
        self.left_out = 0
        self.said = 0
        """How often something was complained of, whether or not it had been before."""
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
        """Whether so many errors were found that no more are collected."""
        return self._counts["error"] >= self.most

    def sorted(self) -> list[Diagnostic]:
        """By file, in the order in which files were first complained about, then by place."""
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


class RulesError(Exception):
    """The rules cannot be used; `diagnostics` say why, and `left_out` how many more there were."""

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


def many(count: int, thing: str) -> str:
    """So many things, in English: `1 clause`, `2 clauses`."""
    return f"{count:,} {thing}" if count == 1 else f"{count:,} {thing}s"


def did_you_mean(word: str, candidates: Iterable[str]) -> str | None:
    """A hint that names the nearest candidate, if one is near."""
    found = nearest(word, candidates)
    return None if found is None else f"did you mean '{found}'?"


def nearest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `word` was most probably meant to be, or None if none is near."""
    best: tuple[int, int, str] | None = None
    for candidate in islice(candidates, _MOST_CANDIDATES):
        if candidate == word or not candidate:
            continue
        score = _unlikeness(word, candidate)
        if score is not None:
            rank = (score, abs(len(candidate) - len(word)), candidate)
            best = rank if best is None else min(best, rank)
    return best[2] if best else None


def _unlikeness(word: str, candidate: str) -> int | None:
    """Twice the number of slips from `word` to `candidate`, with odd numbers for near matches of
    other kinds between; None if too far."""
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
    """The words of a name, without order and plural."""
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
