"""`lawspeaker format`: formats files of rules, variants and scenarios."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from typing import Annotated, Literal

import typer

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.cli.common import complain, fail, say, show_diagnostics
from lawspeaker.outside.library import DATA, GAME_FILE, SUFFIX, Library, LibraryError
from lawspeaker.outside.loading import schema
from lawspeaker.outside.migrating import migrated
from lawspeaker.outside.storage import NotSaved, write
from lawspeaker.outside.units import UnitFiles, units
from lawspeaker.text.format import FormatMistake, formatted
from lawspeaker.text.splitting import split as taken_apart

STANDARD_INPUT = "-"

Outcome = Literal["as it was", "changed", "failed"]


@dataclass(frozen=True, slots=True)
class _Mode:
    check: bool
    diff: bool

    @property
    def writes(self) -> bool:
        return not self.check and not self.diff


def format(
    names: Annotated[
        list[str],
        typer.Argument(help="Files, folders, or games and variants by name."),
    ],
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit code 1 if a file would change.")
    ] = False,
    diff: Annotated[
        bool, typer.Option("--diff", help="Write nothing; show what would change.")
    ] = False,
    split: Annotated[
        bool,
        typer.Option(
            "--split", help="Move translations into files of their own, beside the rules."
        ),
    ] = False,
) -> None:
    """Bring files of rules into their canonical layout.

    Files of variants and scenarios, too.

    Only spaces, line breaks, quotes and the like change, and forms that older versions of the
    language had: never what a file says, nor its comments.
    A file that cannot be read is left alone. A folder stands for all .yaml files in it, a game for
    its files, GAME+VARIANT for those and the variant's. With - the text comes from standard input,
    and goes to standard output.

    With --split, rules that say everything in several languages keep their own; the others go to
    the folder `languages` beside them. Citations become short, and what they keep of a book goes
    into its lock, if it has one. What the rules mean stays the same. A folder then stands for the
    games and variants in it.

    Example: lawspeaker format my_game.yaml

    Exit code 0: all is well. 1: a file has errors, or with --check is not in canonical layout.
    2: wrong call.
    """
    mode = _Mode(check, diff)
    library = Library()
    if split:
        outcomes = _split(names, library, mode)
        _summarise(outcomes, mode)
        if "failed" in outcomes or (check and "changed" in outcomes):
            raise typer.Exit(1)
        return
    try:
        paths = [each for name in names for each in _files(name, library)]
    except LibraryError as error:
        fail(str(error), 2)
    outcomes = [_file(path, library, mode) for path in dict.fromkeys(paths)]
    if STANDARD_INPUT in names:
        outcomes.append(_standard_input(mode))
    else:
        _summarise(outcomes, mode)
    if "failed" in outcomes or (check and "changed" in outcomes):
        raise typer.Exit(1)


def _summarise(outcomes: list[Outcome], mode: _Mode) -> None:
    changed, failed = outcomes.count("changed"), outcomes.count("failed")
    parts = [f"{_files_of(changed)} {'formatted' if mode.writes else 'would change'}"]
    parts.append(f"{outcomes.count('as it was')} in order")
    if failed:
        parts.append(f"{failed} left alone")
    say(", ".join(parts))


def _files_of(count: int) -> str:
    return f"{count} file" if count == 1 else f"{count} files"


# ---------------------------------------------------------------- file lists


def _files(name: str, library: Library) -> list[Path]:
    """Returns the files that a name stands for; raises LibraryError."""
    if name == STANDARD_INPUT:
        return []
    path = library.here / name
    if _is(path, "folder"):
        found = list(_inside(path))
        if not found:
            raise LibraryError(f"there is no {SUFFIX} file in {name!r}")
        return found
    if _is(path, "file"):
        return [path]
    game, variants = library.split_name(name)
    entry = library.game(game)
    own = list(_inside(entry.parent)) if entry.name == GAME_FILE else [entry]
    found = [*own, *(library.variant(game, each) for each in variants)]
    if any(_comes_with_the_package(each, library) for each in found):
        raise LibraryError(f"{name!r} comes with the package; copy its files to change them")
    return found


def _is(path: Path, what: Literal["file", "folder"]) -> bool:
    """Whether a path exists; False for an impossible name."""
    try:
        return path.is_dir() if what == "folder" else path.is_file()
    except OSError:
        return False


def _inside(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob(f"*{SUFFIX}")):
        hidden = any(part.startswith(".") for part in path.relative_to(folder).parts)
        if path.is_file() and not hidden:
            yield path


def _comes_with_the_package(path: Path, library: Library) -> bool:
    return library.built_in.name == DATA and path.is_relative_to(library.built_in)


# ---------------------------------------------------------------- one file


def _file(path: Path, library: Library, mode: _Mode) -> Outcome:
    name = library.display(path)
    try:
        text = library.read(path)
    except LibraryError as error:
        complain(str(error))
        return "failed"
    result = _formatted(SourceFile(name, migrated(path, text, library)))
    if result is None:
        return "failed"
    if path.read_bytes() == result.encode():
        return "as it was"
    return _put(path, text, result, library, mode)


def _put(path: Path, text: str, result: str, library: Library, mode: _Mode) -> Outcome:
    """Writes the new text of a file, or shows the change."""
    name = library.display(path)
    if mode.diff:
        say(_difference(name, text, result))
    else:
        say(f"{'would change' if mode.check else 'formatted'}: {name}")
    if mode.writes:
        try:
            path.parent.mkdir(exist_ok=True)
            write(path, result)
        except NotSaved as error:
            complain(str(error))
            return "failed"
    return "changed"


def _split(names: list[str], library: Library, mode: _Mode) -> list[Outcome]:
    """Splits the rules that the names stand for, one unit after the other.

    The files split off one unit may be needed by the next.
    """
    outcomes: list[Outcome] = []
    try:
        done: set[str] = set()
        for each in (each for name in names for each in units(name, library)):
            if each.unit.called not in done:
                outcomes += _split_one(each, library, mode)
            done.add(each.unit.called)
    except LibraryError as error:
        fail(str(error), 2)
    return outcomes


def _split_one(each: UnitFiles, library: Library, mode: _Mode) -> list[Outcome]:
    outcomes: list[Outcome] = []
    diagnostics = Diagnostics()
    found = taken_apart(each.unit, schema, diagnostics)
    if found is None:
        show_diagnostics(diagnostics.sorted())
        return ["failed"]
    before = {**each.unit.rules, **each.unit.beside}
    for name, text in {**found.rules, **found.beside}.items():
        path = each.folder / name
        if _comes_with_the_package(path, library):
            fail(f"{each.unit.called!r} comes with the package; copy its files to change them", 2)
        old = before.get(name, "")
        new = old != text
        outcomes.append(_put(path, old, text, library, mode) if new else "as it was")
    for name in sorted(before.keys() - found.rules.keys() - found.beside.keys()):
        outcomes.append(_removed(each.folder / name, library, mode))
    return outcomes


def _removed(path: Path, library: Library, mode: _Mode) -> Outcome:
    """Removes a file whose content was moved elsewhere."""
    say(f"{'removed' if mode.writes else 'would be removed'}: {library.display(path)}")
    if mode.writes:
        try:
            path.unlink()
        except OSError as error:
            complain(f"cannot remove {library.display(path)!r}: {error.strerror}")
            return "failed"
    return "changed"


def _standard_input(mode: _Mode) -> Outcome:
    text = sys.stdin.read().replace("\r\n", "\n").replace("\r", "\n")
    result = _formatted(SourceFile("standard input", text))
    if result is None:
        return "failed"
    if mode.diff and result != text:
        say(_difference("standard input", text, result))
    elif mode.writes:
        typer.echo(result, nl=False)
    return "as it was" if result == text else "changed"


def _formatted(file: SourceFile) -> str | None:
    diagnostics = Diagnostics()
    try:
        result = formatted(file, diagnostics)
    except FormatMistake as mistake:
        complain(f"{mistake}; please report it")
        return None
    if result is None:
        show_diagnostics(diagnostics.sorted())
    return result


def _difference(name: str, old: str, new: str) -> str:
    lines = unified_diff(
        old.splitlines(keepends=True), new.splitlines(keepends=True), name, f"{name}, formatted"
    )
    return "".join(lines).rstrip("\n")
