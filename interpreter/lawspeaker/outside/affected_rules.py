"""Finds the rules that files and folders belong to, for commands that check what has changed.

A name of rules stands for itself. A file stands for the rules it is part of: a further file or a
translation of a game for the game, a variant for its game with it, a scenario for the rules it
plays. A folder that is no game stands for all games and variants in it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lawspeaker.outside.folder import FolderWorkspace
from lawspeaker.outside.library import GAME_FILE, SUFFIX, Library
from lawspeaker.outside.units import entries
from lawspeaker.outside.workspace import OpenRules


@dataclass(frozen=True, slots=True)
class Named:
    """Rules by name, the library in which they are found, and how to show the name."""

    name: str
    shown: str
    library: Library = field(compare=False)


def is_path(name: str, library: Library) -> bool:
    """Whether a name has to be resolved: a file, or a folder that is no game."""
    path = library.here / name
    try:
        if path.is_file():
            return path.suffix == SUFFIX
        return path.is_dir() and library.find_game(name) is None
    except OSError:
        return False


def rules_of(names: Iterable[str], library: Library) -> list[Named]:
    """Returns the rules that names, files and folders stand for, each once."""
    return list(dict.fromkeys(each for name in names for each in _of(name, library)))


def _of(name: str, library: Library) -> Iterator[Named]:
    if not is_path(name, library):
        yield Named(name, name, library)
        return
    path, workspace = library.here / name, FolderWorkspace(library.here)
    files = [path] if path.is_file() else list(entries(path))
    found = [(file, workspace.unit(file)) for file in files]
    known = [_named(file, unit, workspace) for file, unit in found if unit is not None]
    # What belongs to no rules is reported by the check of that name.
    yield from known or [Named(name, name, library)]


def _named(file: Path, unit: OpenRules, workspace: FolderWorkspace) -> Named:
    library, entry = workspace.library(file.resolve()), Path(unit.game)
    short = entry.parent.name if entry.name == GAME_FILE else library.display(entry)
    variants = unit.name.removeprefix(unit.game).split("+")[1:]
    shown = "+".join((short, *(Path(each).stem for each in variants)))
    return Named(unit.name, shown, library)
