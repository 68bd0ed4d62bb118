"""Chooses the database back end for a place, and opens it."""

from __future__ import annotations

from pathlib import Path

from lawspeaker.faces.web.database import Database, NotKept, Place, Schema, Sqlite


def place(text: str) -> Place:
    """Parses a place: a PostgreSQL URL or a folder."""
    return text if text.startswith(("postgresql://", "postgres://")) else Path(text)


def opened(place: Place, schema: Schema) -> Database:
    """Opens the database at a place and creates or migrates its tables; raises NotKept."""
    if isinstance(place, Path):
        return Sqlite(place, schema)
    try:
        from lawspeaker.faces.web.postgres import Postgres
    except ModuleNotFoundError as missing:
        wanted = "pip install 'lawspeaker[postgres]'"
        raise NotKept(f"a PostgreSQL database needs {missing.name}: {wanted}") from None
    return Postgres(place, schema)
