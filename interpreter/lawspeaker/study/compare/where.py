"""Filters points by the stances of books: `italian=open,french=decides`.

The example selects what the Italian book leaves open and the French one decides. A ruleset is
named by its variant, its book, or words of its title. All conditions must hold in the same row;
for a difference of several rows, in any of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lawspeaker.base.diagnostics import did_you_mean
from lawspeaker.study.compare.comparison import Comparison
from lawspeaker.study.compare.kinds import LETTER, OPEN, SPEAKS
from lawspeaker.study.compare.rows import Cell, Row, RulesetColumn
from lawspeaker.text.books.fingerprint import folded

DECIDES, LEAVES_OPEN, UNSETTLED = "decides", "open", "unsettled"
STANCES = {
    "states": "states",
    "implies": "implies",
    "silent": "silent",
    "ruling": "our_ruling",
    "otherwise": "says_otherwise",
    "contradicts": "contradicts_itself",
}
"""Typed words for single stances."""
WORDS = (DECIDES, LEAVES_OPEN, UNSETTLED, *STANCES)


class NoSuchCondition(Exception):
    """Invalid condition; the message says what is possible."""


@dataclass(frozen=True, slots=True)
class Condition:
    """The books of a ruleset, by its number, have a stance."""

    column: int
    word: str

    def holds(self, row: Row) -> bool:
        return self.word in words_of(row.cells[self.column])


def words_of(cell: Cell) -> tuple[str, ...]:
    """All stance words that apply to a cell.

    Books decide a point if nothing of it is left open or contradictory, and leave it unsettled if
    anything is.
    """
    found = [word for word, stance in STANCES.items() if stance in cell.stances]
    if cell.standing in SPEAKS:
        found.append(DECIDES)
    if any(stance in OPEN for stance in cell.stances):
        found.append(LEAVES_OPEN)
    if any(stance in (*OPEN, *LETTER) for stance in cell.stances):
        found.append(UNSETTLED)
    return tuple(found)


def conditions(asked: str, columns: Sequence[RulesetColumn]) -> tuple[Condition, ...]:
    """Parses conditions such as `italian=open,french=decides`; raises NoSuchCondition."""
    return tuple(_condition(each.strip(), columns) for each in asked.split(",") if each.strip())


def where(asked: Sequence[Condition], comparison: Comparison) -> Comparison:
    """Filters a comparison by all conditions."""
    return comparison.with_rows(lambda row: all(each.holds(row) for each in asked))


def _condition(asked: str, columns: Sequence[RulesetColumn]) -> Condition:
    version, equals, word = (each.strip() for each in asked.partition("="))
    if not equals:
        example = f"{_short(columns[-1])}={LEAVES_OPEN}"
        raise NoSuchCondition(f"say VERSION=WORD, such as {example}, not `{asked}`")
    column = _telling(version, columns)
    if word not in WORDS:
        hint = did_you_mean(word, WORDS)
        known = f"a book {', '.join(WORDS)}"
        raise NoSuchCondition(f"`{word}` is nothing that a book does; {hint or known}")
    return Condition(column, word)


def _telling(called: str, columns: Sequence[RulesetColumn]) -> int:
    names = [_short(column) for column in columns]
    for known in (names, [column.name for column in columns]):
        if called in known:
            return known.index(called)
    meant = [at for at, column in enumerate(columns) if _is_called(column, called)]
    if len(meant) == 1:
        return meant[0]
    if meant:
        several = ", ".join(names[at] for at in meant)
        raise NoSuchCondition(f"`{called}` may be any of {several}: name one of them")
    hint = did_you_mean(called, names) or f"there are {', '.join(names)}"
    raise NoSuchCondition(f"no version here is called `{called}`; {hint}")


def _is_called(column: RulesetColumn, called: str) -> bool:
    """Whether a ruleset is named by the id of its book, or by words of its title."""
    words, wanted = folded(column.title).split(), folded(called).split()
    begun = all(any(word.startswith(each) for word in words) for each in wanted)
    return (bool(wanted) and begun) or called in {id for id, _ in column.sources}


def _short(column: RulesetColumn) -> str:
    """Typed name of a ruleset: its variants, or the game if it has none."""
    return column.name.partition("+")[2] or column.name
