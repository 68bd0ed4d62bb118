"""The parts of programs that are the same for every game, in C and CUDA.

`numbers` and `arithmetic` are for any compiler, those of `processor` for the C compiler of this
computer, those of `card` for a graphics card. What a part needs of a game is defined before it.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def text_of(name: str) -> str:
    """The text of one of these files."""
    return (files(__package__) / name).read_text(encoding="utf-8")
