"""Which database a place is, and opening it."""

from __future__ import annotations

from pathlib import Path

from lawspeaker.faces.web.database import Database, NotKept, Place, Schema, Sqlite


def place(text: str) -> Place:
    """What somebody calls the place where tables are kept."""
    return text if text.startswith(("postgresql://", "postgres://")) else Path(text)


def opened(place: Place, schema: Schema) -> Database:
    """The database at a place, with all its tables; raises NotKept."""
    if isinstance(place, Path):
        return Sqlite(place, schema)
    try:
        from lawspeaker.faces.web.postgres import Postgres
    except ModuleNotFoundError as missing:
        wanted = "pip install 'lawspeaker[postgres]'"
        raise NotKept(f"a PostgreSQL database needs {missing.name}: {wanted}") from None
    return Postgres(place, schema)
