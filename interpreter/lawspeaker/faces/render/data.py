"""Results as tables, with the same names as JSON, as CSV, as Parquet and for pandas.

A result is JSON. Its lists of objects are tables, and a column is named by the path to its value:
what JSON has as `{"wins": {"low": 0.2}}` stands in the column `wins.low`. A list in a cell is
written as JSON. Nothing is computed here. A row that is taken out of its file still says which
figures it has: what the result as a whole says of its game, players and luck is in every row.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lawspeaker.study.lab.rows import Rows

if TYPE_CHECKING:
    import pandas as pd

TABLES = (
    *("proof", "seats", "sources", "uses", "fired", "points", "targets", "trials", "broken"),
    *("skill", "tables", "findings", "changes", "worths"),
)
"""The tables that a result can have."""
FINDINGS = (
    *("kind", "subject", "says", "players", "bots", "games"),
    *("figure.value", "figure.low", "figure.high", "weight"),
)
"""What is told of every finding."""
WORTHS = (
    *("sort", "name", "bots", "games", "broken", "differs"),
    *("victories.value", "victories.low", "victories.high", "victories.clear"),
    *("points.value", "points.low", "points.high", "points.clear"),
)
"""What is told of everything that is worth something."""
BEHIND = ("game", "players", "bots", "games", "seed")
"""What is behind the figures of every table, where its rows do not say so themselves."""
KEY = b"lawspeaker"
"""Under this name a Parquet file says how its figures came about."""


class NoLibrary(Exception):
    """What makes such tables is not installed; the message says what to install."""


@dataclass(frozen=True, slots=True)
class Table:
    """Equally long columns by their names; None where there is no value."""

    columns: Mapping[str, Sequence[Any]]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    @property
    def rows(self) -> list[dict[str, Any]]:
        """Each row by the names of the columns."""
        every = zip(*self.columns.values(), strict=True)
        return [dict(zip(self.columns, row, strict=True)) for row in every]

    def csv(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(zip(*self.columns.values(), strict=True))
        return out.getvalue()

    def parquet(self, about: Mapping[str, Any] | None = None) -> bytes:
        """As the content of a Parquet file, which says what it is `about`. Raises `NoLibrary`."""
        try:
            import pyarrow as pa
            from pyarrow import parquet
        except ModuleNotFoundError:
            raise NoLibrary("Parquet needs pyarrow: pip install 'lawspeaker[data]'") from None
        table = pa.table({name: _of_one_sort(each) for name, each in self.columns.items()})
        told = json.dumps(about or {}, ensure_ascii=False, sort_keys=True).encode()
        out = pa.BufferOutputStream()
        parquet.write_table(table.replace_schema_metadata({KEY: told}), out)
        return bytes(out.getvalue())

    def frame(self) -> pd.DataFrame:
        """As a data frame of pandas. Raises `NoLibrary`."""
        try:
            import pandas as pd
        except ModuleNotFoundError:
            raise NoLibrary("a data frame needs pandas: pip install 'lawspeaker[data]'") from None
        return pd.DataFrame({name: list(each) for name, each in self.columns.items()})

    def _repr_html_(self) -> str:
        """What a notebook shows of it."""
        html: str = self.frame()._repr_html_()
        return html


def _of_one_sort(column: Sequence[Any]) -> list[Any]:
    """Texts, where some values are numbers and some are not: `2` and `[2, 3]`."""
    sorts = {isinstance(each, str) for each in column if each is not None}
    if len(sorts) < 2:
        return list(column)
    return [None if each is None else str(each) for each in column]


def table(rows: Iterable[Mapping[str, Any]], always: Sequence[str] = ()) -> Table:
    """Objects as they stand in JSON, as a table. Not all need have the same names; the columns that
    are there `always` are so without any row."""
    flat = [dict(_flat(row)) for row in rows]
    names = dict.fromkeys((*always, *(name for row in flat for name in row)))
    # A value that is missing as a whole has no column: its parts are named in other rows.
    kept = [name for name in names if not any(other.startswith(f"{name}.") for other in names)]
    return Table({name: [row.get(name) for row in flat] for name in kept})


def _flat(value: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, each in value.items():
        if isinstance(each, Mapping):
            yield from _flat(each, f"{path}{name}.")
        elif isinstance(each, (list, tuple)):
            yield f"{path}{name}", json.dumps(each, ensure_ascii=False)
        else:
            yield f"{path}{name}", each


def games(rows: Rows, result: Mapping[str, Any]) -> Table:
    """Games one by one, which have numbers and seeds of their own."""
    own = Table({name: column.tolist() for name, column in rows.columns.items()})
    return behind(own, result)


def tables(result: Mapping[str, Any]) -> dict[str, Table]:
    """All tables of a result. Proofs have players of their own."""
    found = {name: result.get(name) for name in TABLES}
    always = {"findings": FINDINGS, "worths": WORTHS}
    return {
        name: table(rows, always.get(name, ()))
        if name == "proof"
        else behind(table(rows, always.get(name, ())), result)
        for name, rows in found.items()
        if isinstance(rows, list)
    }


def behind(table: Table, result: Mapping[str, Any]) -> Table:
    """A table of a result, in whose rows stands what is behind them."""
    said = dict(_flat({name: result[name] for name in BEHIND if name in result}))
    more = {name: value for name, value in said.items() if name not in table.columns}
    return Table({**table.columns, **{name: [said[name]] * len(table) for name in more}})


def about(result: Mapping[str, Any]) -> dict[str, Any]:
    """What a result says besides its tables: the game, who played, with which seed."""
    plain = (str, int, float, bool)
    return {
        name: value
        for name, value in result.items()
        if isinstance(value, plain)
        or (isinstance(value, list) and all(isinstance(each, plain) for each in value))
    }
