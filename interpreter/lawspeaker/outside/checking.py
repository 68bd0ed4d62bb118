"""Loads and checks games by name, from the cache if nothing has changed.

The code that reads and checks rules is imported only on a cache miss.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.outside import programs
from lawspeaker.outside.library import SIGN, Library
from lawspeaker.outside.programs import Verdict

if TYPE_CHECKING:
    from lawspeaker.match.game import Game


def loaded(name: str) -> Game:
    """Returns the game of a name. Raises RulesError."""
    from lawspeaker.match.game import Game

    kept = None if SIGN in name else programs.cached(name, Library())
    if kept is not None:
        return Game(kept.program, name, kept.taken)
    from lawspeaker.outside.loading import load

    return load(name)


def checked(name: str, diagnostics: Diagnostics, library: Library | None = None) -> Verdict | None:
    """Returns the verdict on the rules of a name, None if they have errors; fills the
    diagnostics.
    """
    library = library or Library()
    known = None if SIGN in name else programs.verdict(name, library)
    if known is not None:
        diagnostics.extend(known.warnings)
        return known
    from lawspeaker.outside.loading import compile_name

    program = compile_name(name, diagnostics, library)
    return None if program is None else Verdict.of(program, tuple(diagnostics))
