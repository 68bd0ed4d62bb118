"""From a name such as `walhalla` to a game: finding files, reading them, compiling them.

An edge: the only way from the disk into the compiler.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from lawspeaker import ir
from lawspeaker.compile import VariantFile, compile_game
from lawspeaker.diagnostics import Diagnostics, RulesError
from lawspeaker.game import Game
from lawspeaker.library import Library, LibraryError, data_folder
from lawspeaker.source import NOWHERE, SourceFile, Span

_ARGUMENTS = re.compile(r"(.+?)\(([^()]*)\)\Z")


@lru_cache(maxsize=8)
def schema(name: str) -> dict[str, Any]:
    """A JSON Schema of the project, by its short name."""
    text = data_folder("schema").joinpath(f"{name}.schema.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def compile_name(
    name: str,
    diagnostics: Diagnostics,
    library: Library | None = None,
    taken: list[SourceFile] | None = None,
) -> ir.Program | None:
    """Finds, reads and compiles a game; what is wrong goes into the diagnostics.

    The files that were read go into `taken`, named as the entry file names them.
    """
    library = library or Library()
    taken = [] if taken is None else taken
    try:
        game, variants = library.split_name(name)
        path = library.game(game)
        main = SourceFile(library.display(path), library.read(path))
        chosen = [_variant(library, game, variant, taken) for variant in variants]
    except LibraryError as error:
        diagnostics.error("not-found", str(error), NOWHERE)
        return None
    folder = path.parent
    taken.insert(0, SourceFile(path.name, main.text))

    def read(file: str, span: Span) -> SourceFile | None:
        target = folder / file
        if not _inside(target, folder):
            diagnostics.error("not-found", f"{file} lies outside the game's folder", span)
            return None
        try:
            text = library.read(target)
        except LibraryError as error:
            diagnostics.error("not-found", str(error), span)
            return None
        taken.append(SourceFile(file, text))
        return SourceFile(library.display(target), text)

    return compile_game(main, read, schema("game"), diagnostics, chosen, schema("variant"))


def _variant(library: Library, game: str, name: str, taken: list[SourceFile]) -> VariantFile:
    """The file of a variant, which may be given values: `long_peninsulas(5, 6, 7)`."""
    found = _ARGUMENTS.match(name)
    arguments: tuple[str, ...] = ()
    if found and library.find_variant(game, name) is None:
        name = found[1]
        arguments = tuple(each.strip() for each in found[2].split(","))
    path = library.variant(game, name)
    file = SourceFile(library.display(path), library.read(path))
    taken.append(SourceFile(f"variants/{path.name}", file.text))
    return VariantFile(file, arguments)


def _inside(target: Path, folder: Path) -> bool:
    return target.resolve().is_relative_to(folder.resolve())


def compile_bundle(
    bundle: Sequence[SourceFile], diagnostics: Diagnostics, within: str
) -> ir.Program | None:
    """Compiles a game from the texts that a log carries; `within` is the name of the log."""
    texts = {each.name: each.text for each in bundle}

    def read(file: str, span: Span) -> SourceFile | None:
        if file in texts:
            return SourceFile(f"{within}/{file}", texts[file])
        diagnostics.error("not-found", f"there is no {file} among the rules of the log", span)
        return None

    main = SourceFile(f"{within}/{bundle[0].name}", bundle[0].text)
    return compile_game(main, read, schema("game"), diagnostics)


def load(name: str, library: Library | None = None) -> Game:
    """The game of that name; raises RulesError, which carries the diagnostics."""
    diagnostics = Diagnostics()
    taken: list[SourceFile] = []
    program = compile_name(name, diagnostics, library, taken)
    if program is None:
        raise RulesError(tuple(diagnostics.sorted()))
    return Game(program, name, tuple(taken))
