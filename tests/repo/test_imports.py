"""The laws of the package's architecture, held by reading its imports.

The rooms are the folders of the package, and ROOMS is their order: a room may import those before
it, and no file imports itself through others. ir is the waist: between it and the uses of a game
nothing knows of YAML, the parser or variants; left of it nothing runs. Only the edges touch files,
the terminal, clocks and luck.

A new room is entered in ROOMS, a new dependency in LIBRARIES.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

from lawspeaker.outside import modules, programs
from tests.repo.checkout import PACKAGE, ROOT, parsed

pytestmark = pytest.mark.xdist_group("source tree")
ROOMS = (
    *("base", "text", "ir", "meaning", "position", "machines", "match"),
    *("telling", "players", "study", "editing", "outside", "faces"),
)
# The package itself: what `import lawspeaker` gives, and `python -m lawspeaker`.
TOP = "lawspeaker"

# Rooms, or single modules of them, that are closed although they come before.
TEXT = ("text", "meaning")
CLOSED: dict[str, tuple[str, ...]] = {
    "ir": ("text",),
    **dict.fromkeys(("position", "machines", "match", "telling"), TEXT),
    # Two tellings of one meaning: neither may lean on the other.
    "machines.reference": ("machines.compiled",),
    "machines.compiled": ("machines.reference",),
    # It plans, and writes nothing.
    "machines.planned": ("machines.reference", "machines.compiled", "machines.native"),
    # It knows no rules, and is for no target.
    "machines.middle": (
        *("ir", "position", "machines.lower", "machines.reference", "machines.compiled"),
        "machines.native",
    ),
    # Who plays sees a game through its view alone.
    "players": (*TEXT, "position.state", "machines.reference"),
    "faces.web": ("position.state", "machines.reference"),
}

# The package of a room that is also a door for users: it hands names of a later room on, when they
# are asked for, as the package itself does. Nobody inside goes through it.
DOORS = {"study": "faces.notebook"}

# What comes from outside, and the rooms that may know of it.
LIBRARIES: dict[str, tuple[str, ...]] = {
    "lark": ("text",),
    "yaml": ("text",),
    "jsonschema": ("text",),
    "jsonschema_rs": ("text",),
    "wasmtime": ("machines",),
    "numpy": ("players", "study", "outside", "faces"),
    "scipy": ("study",),
    "snowballstemmer": ("study",),
    "gymnasium": ("players",),
    "pettingzoo": ("players",),
    "pdfplumber": ("outside",),
    "cupy": ("outside",),
    "distributed": ("outside",),
    "rich": ("faces",),
    "typer": ("faces",),
    "matplotlib": ("faces",),
    "pandas": ("faces",),
    "pyarrow": ("faces",),
    "typst": ("faces",),
    "starlette": ("faces",),
    "uvicorn": ("faces",),
    "psycopg": ("faces",),
    "py_vapid": ("faces",),
    "pywebpush": ("faces",),
    "segno": ("faces",),
    "pygls": ("faces",),
    "lsprotocol": ("faces",),
    "mcp": ("faces",),
    "pyspiel": ("faces",),
    "benchmarks": ("faces",),
}

# What only the edges and the top may use.
WITH_IO = ("outside", "faces", TOP)
IO_MODULES = frozenset(
    "os sys io pathlib glob shutil tempfile fileinput time datetime random secrets uuid subprocess "
    "multiprocessing threading socket ssl http urllib requests asyncio sqlite3 logging getpass "
    "locale platform ctypes signal".split()
)
IO_BUILTINS = frozenset("open print input breakpoint eval exec __import__".split())

TABLE = Path(__file__).name


@dataclass(frozen=True, slots=True)
class Use:
    """Something a module imports or calls: a dotted name, and the line it stands in."""

    name: str
    line: int


def module_of(file: Path) -> str:
    """The dotted name of a file inside the package; the package itself is the empty name."""
    parts = file.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    """The room of a module: its outermost folder, or the top."""
    first = module.partition(".")[0]
    return first if (PACKAGE / first).is_dir() and first else TOP


def lies_in(module: str, place: str) -> bool:
    return module == place or module.startswith(f"{place}.")


def imports(tree: ast.Module, package: tuple[str, ...]) -> Iterator[Use]:
    """All that is imported, anywhere in the file, as absolute names.

    `package` is the package that the file lies in: a relative import starts from there. Of what is
    taken from a package of ours the name is given as well, since it may be a module.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Use(alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = (*above, *(node.module.split(".") if node.module else ()))
            if base and base[0] == "lawspeaker":
                for alias in node.names:
                    yield Use(".".join((*base, alias.name)), node.lineno)
            else:
                yield Use(".".join(base), node.lineno)


def builtin_uses(tree: ast.Module) -> Iterator[Use]:
    """All built-in names that touch the world, whether called or handed on.

    A field or a method of that name is no such use.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in IO_BUILTINS:
            yield Use(node.id, node.lineno)


def broken_laws(module: str, tree: ast.Module, package: tuple[str, ...]) -> list[str]:
    """What is wrong with one file, each with its line."""
    room = room_of(module)
    if room not in (*ROOMS, TOP):
        return [f"1: {room!r} is no room yet: enter it in ROOMS in tests/repo/{TABLE}"]
    wrong = []
    for use in imports(tree, package):
        first, _, rest = use.name.partition(".")
        if first == "lawspeaker":
            complaint = _own(module, room, rest)
        elif first in IO_MODULES:
            complaint = None if room in WITH_IO else f"only the edges may use {first}"
        elif first in sys.stdlib_module_names:
            complaint = None
        else:
            complaint = _foreign(room, first)
        if complaint:
            wrong.append(f"{use.line}: {complaint}")
    if room not in WITH_IO:
        wrong += [f"{use.line}: only the edges may use {use.name}" for use in builtin_uses(tree)]
    return wrong


def _own(module: str, room: str, imported: str) -> str | None:
    other = room_of(imported)
    for place, closed in CLOSED.items():
        for each in closed:
            if lies_in(module, place) and lies_in(imported, each):
                return f"{place} may not import {each}"
    if TOP in (room, other):
        # The faces stand around the public interface, so they may use it as anybody else does.
        return None if room in (TOP, "faces") else f"{room} may not import the package itself"
    if other not in ROOMS:
        return f"imports {other!r}, which is no room yet: enter it in ROOMS in tests/repo/{TABLE}"
    if module in DOORS and lies_in(imported, DOORS[module]):
        return None
    if ROOMS.index(other) > ROOMS.index(room):
        return f"{room} may not import {other}, which comes after it"
    return None


def _foreign(room: str, library: str) -> str | None:
    if library not in LIBRARIES:
        return f"{library!r} is not a known dependency: enter it in LIBRARIES in tests/repo/{TABLE}"
    if room not in (*LIBRARIES[library], TOP):
        return f"{room} may not import {library}, only {', '.join(LIBRARIES[library])} may"
    return None


FILES = sorted(PACKAGE.rglob("*.py"))
MODULES = {module_of(file): file for file in FILES}


def test_every_file_keeps_the_laws() -> None:
    wrong = [
        f"{file.relative_to(ROOT).as_posix()}:{complaint}"
        for file in FILES
        for complaint in broken_laws(
            module_of(file),
            parsed(file),
            ("lawspeaker", *file.relative_to(PACKAGE).parent.parts),
        )
    ]
    assert not wrong, "\n" + "\n".join(wrong)


def test_every_room_is_in_the_table() -> None:
    folders = {each.name for each in PACKAGE.iterdir() if (each / "__init__.py").is_file()}
    assert folders == set(ROOMS)


def test_only_the_top_lies_outside_the_rooms() -> None:
    assert {file.name for file in PACKAGE.glob("*.py")} == {"__init__.py", "__main__.py"}


@cache
def imported_modules(file: Path) -> set[str]:
    """The modules of the package that a file imports, wherever in it and for whatever purpose."""
    package = ("lawspeaker", *file.relative_to(PACKAGE).parent.parts)
    own = (use.name for use in imports(parsed(file), package))
    inside = {name.partition(".")[2] for name in own if name.startswith("lawspeaker.")}
    # What is no module is a name inside one.
    return {name if name in MODULES else name.rpartition(".")[0] for name in inside}


def circles(arrows: Mapping[str, Iterable[str]]) -> list[list[str]]:
    """The groups of modules that import each other round about (Tarjan)."""
    found: list[list[str]] = []
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []

    def visit(module: str) -> None:
        number[module] = lowest[module] = len(number)
        stack.append(module)
        for other in sorted(arrows.get(module, ())):
            if other not in number:
                visit(other)
            if other in stack:
                lowest[module] = min(lowest[module], lowest[other])
        if lowest[module] == number[module]:
            group = stack[stack.index(module) :]
            del stack[-len(group) :]
            if len(group) > 1 or module in arrows.get(module, ()):
                found.append(sorted(group))

    for module in sorted(arrows):
        if module not in number:
            visit(module)
    return found


# Circles that are still to be opened, each named by its first module.
OPEN: set[str] = set()


@pytest.mark.full
def test_no_file_imports_itself_through_others() -> None:
    # The package's own face hands names on; it is nobody's ground.
    inner = {module: file for module, file in MODULES.items() if module not in ("", *DOORS)}
    arrows = {module: imported_modules(file) - {""} for module, file in inner.items()}
    found = {group[0] for group in circles(arrows)}
    assert found == OPEN


@pytest.mark.full
def test_nobody_inside_goes_through_a_door() -> None:
    for module, file in MODULES.items():
        assert not imported_modules(file) & set(DOORS), module


def test_modules_are_cached_by_all_code_that_compiles_them() -> None:
    """A compiled game must not outlive a change of anything that wrote it."""
    reached: set[str] = set()
    waiting = [name for name in MODULES if lies_in(name, "machines.compiled")]
    while waiting:
        module = waiting.pop()
        if module and module not in reached:
            reached.add(module)
            waiting += imported_modules(MODULES[module])
    folders = {MODULES[each].parent.relative_to(PACKAGE).as_posix() for each in reached}
    assert folders - {"base/phrases"} == set(modules.COMPILED_BY)


def test_programs_are_cached_by_all_code_that_checks_them() -> None:
    """The same of a checked program. What only finds files is not part of it."""
    reached: set[str] = set()
    waiting = [name for name in MODULES if lies_in(name, "meaning")]
    while waiting:
        module = waiting.pop()
        if module and module not in reached:
            reached.add(module)
            waiting += imported_modules(MODULES[module])
    folders = {MODULES[each].relative_to(PACKAGE).parts[0] for each in reached}
    assert folders == {each for each in programs.CHECKED_BY if "/" not in each}


def test_a_circle_is_seen() -> None:
    assert circles({"a": ["b"], "b": ["c"], "c": ["b"], "d": ["a"]}) == [["b", "c"]]
    assert not circles({"a": ["b", "c"], "b": ["c"], "c": []})


def test_a_module_and_a_folder_do_not_share_a_name() -> None:
    both = [file.stem for file in FILES if file.with_suffix("").is_dir()]
    assert not both


@pytest.mark.parametrize(
    "module, source, complaint",
    [
        ("machines.reference.machine", "from lawspeaker.ir import Program", None),
        ("machines.reference.machine", "from lawspeaker.text.parse import parse", "import text"),
        ("machines.reference.machine", "def f():\n    from lawspeaker import meaning", "2: mach"),
        ("machines.reference.machine", "from lawspeaker.machines import compiled", "may not"),
        ("machines.middle.forms", "from lawspeaker.machines.compiled import plan", "may not"),
        ("machines.compiled.compile.writer", "from lawspeaker.machines.middle import forms", None),
        ("text.parse.parser", "import lawspeaker.position.state", "may not import position"),
        ("meaning.check.code", "from lawspeaker.machines import reference", "which comes after"),
        ("meaning.check.code", "from lawspeaker import load", "the package itself"),
        ("faces.cli.check", "from lawspeaker import load", None),
        ("study", "from lawspeaker.faces.notebook import sweep", None),
        ("study", "from lawspeaker.faces.cli import app", "which comes after"),
        ("study.lab", "from lawspeaker.faces.notebook import sweep", "which comes after"),
        ("meaning.check.code", "from lawspeaker import ir, text", None),
        ("ir.program", "from lawspeaker.text.syntax import Node", "ir may not import text"),
        ("players.bots.simple", "from lawspeaker.position.state import State", "players may not"),
        ("players.bots.simple", "from lawspeaker.position import state", "players may not"),
        ("players.bots.simple", "from lawspeaker.match.view import View", None),
        ("base.source", "from lawspeaker.base.diagnostics import Diagnostic", None),
        ("base.source", "from lawspeaker.nowhere import something", "the package itself"),
        ("position.state", "import random", "only the edges may use random"),
        ("position.state", "from os.path import join", "only the edges may use os"),
        ("match.perft", "import json\nprint(json.dumps(1))", "2: only the edges may use print"),
        ("text.parse.parser", "reader = open", "only the edges may use open"),
        ("text.syntax", "class Window:\n    open: bool\nWindow().open", None),
        ("outside.library", "from pathlib import Path\nopen(Path('a'))", None),
        ("text.parse.parser", "from lark import Lark", None),
        ("match.view", "import yaml", "match may not import yaml"),
        ("faces.cli.check", "import polars as pl", "'polars' is not a known dependency"),
    ],
)
def test_a_broken_law_is_seen(module: str, source: str, complaint: str | None) -> None:
    wrong = broken_laws(module, ast.parse(source), ("lawspeaker",))
    if complaint is None:
        assert not wrong
    else:
        assert len(wrong) == 1
        assert complaint in wrong[0]


def test_relative_imports_from_a_folder_are_followed() -> None:
    module, inside = "machines.reference.machine", ("lawspeaker", "machines", "reference")
    allowed = ast.parse("from .step import run\nfrom ...ir import Program")
    assert not broken_laws(module, allowed, inside)
    assert broken_laws(module, ast.parse("from ...meaning.overlay import apply"), inside)
