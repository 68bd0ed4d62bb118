"""What rules do and say: many games, editions side by side, rules held against their books.

For those who use the package this is also a door: `simulate`, `sweep`, `tune`, `effect` and
`review` run a study and give its tables (see `faces/notebook`). They stand in a later room, so
the door only hands them on when somebody asks for one.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lawspeaker.faces.notebook import (
        NoLibrary,
        NotPossible,
        Results,
        Table,
        effect,
        review,
        simulate,
        sweep,
        tune,
    )

__all__ = [
    "NoLibrary",
    "NotPossible",
    "Results",
    "Table",
    "effect",
    "review",
    "simulate",
    "sweep",
    "tune",
]


def __getattr__(name: str) -> Any:
    """A name of the door is fetched when it is first asked for."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("lawspeaker.faces.notebook"), name)
