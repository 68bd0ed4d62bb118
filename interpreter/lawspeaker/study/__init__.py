"""Studies of rules: scenarios, simulation, comparison of editions, source books.

For users of the package this is also an entry point: `simulate`, `sweep`, `tune`, `drama`,
`variety`, `ladder`, `worth`, `effect`, `differences` and `review` run a study and return tables
(see `faces/notebook`). They belong to a later package, so they are imported lazily.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lawspeaker.faces.notebook import (
        NoLibrary,
        NotPossible,
        Picture,
        Results,
        Table,
        differences,
        drama,
        effect,
        ladder,
        picture,
        review,
        simulate,
        sweep,
        tune,
        variety,
        worth,
    )

__all__ = [
    "NoLibrary",
    "NotPossible",
    "Picture",
    "Results",
    "Table",
    "differences",
    "drama",
    "effect",
    "ladder",
    "picture",
    "review",
    "simulate",
    "sweep",
    "tune",
    "variety",
    "worth",
]


def __getattr__(name: str) -> Any:
    """Imports an exported name on first access."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("lawspeaker.faces.notebook"), name)
