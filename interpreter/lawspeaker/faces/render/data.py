"""Converts results to tables with the names of their JSON: as CSV, as Parquet and for pandas.

A result is JSON. Its lists of objects are tables, and a column is named by the path to its value:
`{"wins": {"low": 0.2}}` in JSON is the column `wins.low`. A list in a cell is written as JSON.
Nothing is computed here. Every row also has the columns that describe the whole result, such as
game, players and seed, so that a row makes sense outside its file.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lawspeaker.base.diagnostics import Failure
from lawspeaker.study.lab.rows import Rows

if TYPE_CHECKING:
    import pandas as pd

TABLES = (
    *("proof", "seats", "sources", "uses", "fired", "points", "targets", "trials", "broken"),
    *(
        "skill",
        "tables",
        "findings",
        "changes",
        "worths",
        "by_cost",
        "moments",
        "calibration",
        "kingmakers",
        "openings",
        "used",
        "steps",
    ),
)
"""The tables that a result can have."""
FINDINGS = (
    *("kind", "subject", "says", "players", "bots", "games"),
    *("figure.value", "figure.low", "figure.high", "weight"),
)
"""Columns of every finding."""
WORTHS = (
    *("sort", "name", "bots", "games", "broken", "differs"),
    *("victories.value", "victories.low", "victories.high", "victories.clear"),
    *("points.value", "points.low", "points.high", "points.clear"),
)
"""Columns of everything whose worth was measured."""
BEHIND = ("game", "players", "bots", "games", "seed")
"""Fields of the result added to all tables as columns, unless their rows have them."""
KEY = b"lawspeaker"
"""Metadata key in Parquet files that describes how the figures were produced."""


class NoLibrary(Failure):
    """Raised when a required library is not installed; the message says what to install."""


@dataclass(frozen=True, slots=True)
class DataTable:
    """Equally long columns by name; None stands for a missing value."""

    columns: Mapping[str, Sequence[Any]]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The rows as dictionaries."""
        every = zip(*self.columns.values(), strict=True)
        return [dict(zip(self.columns, row, strict=True)) for row in every]

    def csv(self) -> str:
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows(zip(*self.columns.values(), strict=True))
        return out.getvalue()

    def parquet(self, about: Mapping[str, Any] | None = None) -> bytes:
        """Serializes the table as Parquet, with `about` as metadata. Raises `NoLibrary`."""
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
        """Converts the table to a pandas data frame. Raises `NoLibrary`."""
        try:
            import pandas as pd
        except ModuleNotFoundError:
            raise NoLibrary("a data frame needs pandas: pip install 'lawspeaker[data]'") from None
        return pd.DataFrame({name: list(each) for name, each in self.columns.items()})

    def _repr_html_(self) -> str:
        """Renders the table in a notebook."""
        # Imported here: only notebooks need it.
        from lawspeaker.faces.render.notebook_html import table

        return table(self.columns)


def _of_one_sort(column: Sequence[Any]) -> list[Any]:
    """Converts a column of mixed types to strings: `2` and `[2, 3]`."""
    sorts = {isinstance(each, str) for each in column if each is not None}
    if len(sorts) < 2:
        return list(column)
    return [None if each is None else str(each) for each in column]


def table(rows: Iterable[Mapping[str, Any]], always: Sequence[str] = ()) -> DataTable:
    """Builds a table from JSON objects.

    Their keys may differ; the columns in `always` exist without any row.
    """
    flat = [dict(_flat(row)) for row in rows]
    names = dict.fromkeys((*always, *(name for row in flat for name in row)))
    # A missing nested value has no column of its own: other rows name its parts.
    kept = [name for name in names if not any(other.startswith(f"{name}.") for other in names)]
    return DataTable({name: [row.get(name) for row in flat] for name in kept})


def _flat(value: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    for name, each in value.items():
        if isinstance(each, Mapping):
            yield from _flat(each, f"{path}{name}.")
        elif isinstance(each, (list, tuple)):
            yield f"{path}{name}", json.dumps(each, ensure_ascii=False)
        else:
            yield f"{path}{name}", each


def games(rows: Rows, result: Mapping[str, Any]) -> DataTable:
    """Builds the table of single games, with their numbers and seeds."""
    own = DataTable({name: column.tolist() for name, column in rows.columns.items()})
    return behind(own, result)


def tables(result: Mapping[str, Any]) -> dict[str, DataTable]:
    """Returns all tables of a result. Proofs have players of their own."""
    found = {name: result.get(name) for name in TABLES}
    always = {"findings": FINDINGS, "worths": WORTHS}
    return {
        name: table(rows, always.get(name, ()))
        if name == "proof"
        else behind(table(rows, always.get(name, ())), result)
        for name, rows in found.items()
        if isinstance(rows, list)
    }


def behind(table: DataTable, result: Mapping[str, Any]) -> DataTable:
    """Adds the columns that describe the whole result."""
    said = dict(_flat({name: result[name] for name in BEHIND if name in result}))
    more = {name: value for name, value in said.items() if name not in table.columns}
    return DataTable({**table.columns, **{name: [said[name]] * len(table) for name in more}})


def about(result: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the fields of a result besides its tables: game, players, seed."""
    plain = (str, int, float, bool)
    return {
        name: value
        for name, value in result.items()
        if isinstance(value, plain)
        or (isinstance(value, list) and all(isinstance(each, plain) for each in value))
    }
