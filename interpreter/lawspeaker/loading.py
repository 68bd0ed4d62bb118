"""From a name such as `walhalla` to a game: finding files, reading them, compiling them.

An edge: the only way from the disk into the compiler.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from lawspeaker import ir
from lawspeaker.compile import compile_game
from lawspeaker.diagnostics import Diagnostics, RulesError
from lawspeaker.game import Game
from lawspeaker.library import Library, LibraryError, data_folder
from lawspeaker.source import NOWHERE, SourceFile, Span


@lru_cache(maxsize=8)
def schema(name: str) -> dict[str, Any]:
    """A JSON Schema of the project, by its short name."""
    text = data_folder("schema").joinpath(f"{name}.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def compile_name(
    name: str, diagnostics: Diagnostics, library: Library | None = None
) -> ir.Program | None:
    """Finds, reads and compiles a game; what is wrong goes into the diagnostics."""
    library = library or Library()
    try:
        game, variants = library.split_name(name)
        path = library.game(game)
        main = SourceFile(library.display(path), library.read(path))
        for variant in variants:
            library.variant(game, variant)
    except LibraryError as error:
        diagnostics.error("not-found", str(error), NOWHERE)
        return None
    if variants:
        diagnostics.error("not-found", "this version plays games without variants", NOWHERE)
        return None
    folder = path.parent

    def read(file: str, span: Span) -> SourceFile | None:
        target = folder / file
        if not _inside(target, folder):
            diagnostics.error("not-found", f"{file} lies outside the game's folder", span)
            return None
        try:
            return SourceFile(library.display(target), library.read(target))
        except LibraryError as error:
            diagnostics.error("not-found", str(error), span)
            return None

    return compile_game(main, read, schema("game"), diagnostics)


def _inside(target: Path, folder: Path) -> bool:
    return target.resolve().is_relative_to(folder.resolve())


def load(name: str, library: Library | None = None) -> Game:
    """The game of that name; raises RulesError, which carries the diagnostics."""
    diagnostics = Diagnostics()
    program = compile_name(name, diagnostics, library)
    if program is None:
        raise RulesError(tuple(diagnostics.sorted()))
    return Game(program, name)
