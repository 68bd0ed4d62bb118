"""C and CUDA source files common to all games.

`numbers` and `arithmetic` are for any compiler, those in `cpu` for the C compiler of this
computer, those in `gpu` for a GPU. Game-specific definitions precede them.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def text_of(name: str) -> str:
    """Returns the text of one of these files."""
    return (files(__package__) / name).read_text(encoding="utf-8")
