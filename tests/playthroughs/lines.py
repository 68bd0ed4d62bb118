"""Lists of texts as lines that fit the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

WIDTH = 100


def filled(
    start: str, items: Iterable[str], between: str = ", ", indent: int | None = None
) -> Iterator[str]:
    """Items over as many lines as they need, with something between them."""
    texts = list(items)
    words = [f"{text}{between.rstrip()}" for text in texts[:-1]] + texts[-1:]
    return wrapped(start, words, indent)


def wrapped(start: str, words: Iterable[str], indent: int | None = None) -> Iterator[str]:
    """Words over as many lines as they need; none is broken. Lines after the first are indented, as
    far as the first word if nothing else is said. The last line ends without a semicolon."""
    line, empty = start, True
    for word in words:
        if empty:
            line, empty = line + word, False
        elif len(line) + 1 + len(word) <= WIDTH:
            line += f" {word}"
        else:
            yield line
            line = " " * (len(start) if indent is None else indent) + word
    yield line.removesuffix(";")


def in_runs(texts: Iterable[str]) -> Iterator[str]:
    """Equal texts in a row, told once with their number."""
    for text, run in groupby(texts):
        count = sum(1 for _ in run)
        yield text if count == 1 else f"{count} x {text}"
