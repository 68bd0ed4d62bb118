"""The laws of the package's architecture, held by reading its imports.

Imports point one way: from the edges through the uses and the machine to the waist (ir), and from
the meaning through the text to the ground. Right of the waist nothing knows of YAML, the parser or
variants; left of it nothing runs. Only the edges touch files, the terminal, clocks and luck.

A new module is entered in LAYERS, a new dependency in LIBRARIES. A folder counts as one module,
named for the folder.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.repo.checkout import PACKAGE, ROOT

LAYERS: dict[str, tuple[str, ...]] = {
    "ground": ("source", "diagnostics", "codes", "phrases"),
    "text": (
        "document",
        "schema",
        "yaml_syntax",
        "parse",
        "slips",
        "syntax",
        "rulebook",
        "format",
    ),
    "waist": ("types", "ir"),
    "meaning": ("variant", "overlay", "resolve", "check", "compile"),
    "machine": (
        "kept",
        "luck",
        "layout",
        "state",
        "unseen",
        "fault",
        "analysis",
        "decision",
        "events",
        "operations",
        "machine",
        "wasm",
        "view",
        "imagining",
        "explain",
        "offers",
    ),
    "uses": (
        "compiled",
        "match",
        "game",
        "scenario",
        "bots",
        "lab",
        "perft",
        "compare",
        "play",
        "log",
        "undo",
        "labels",
        "arrangement",
        "story",
        "sources",
    ),
    "edges": (
        "render",
        "library",
        "loading",
        "modules",
        "storage",
        "scaffold",
        "crew",
        "workers",
        "server",
        "web",
        "rl",
        "cli",
        "__main__",
    ),
    "top": ("__init__",),
}

# Which layers a layer may import, besides itself.
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "ground": (),
    "text": ("ground",),
    "waist": ("ground",),
    "meaning": ("ground", "text", "waist"),
    "machine": ("ground", "waist"),
    "uses": ("ground", "text", "waist", "meaning", "machine"),
    # The edges stand around the public interface, so they may use it as anybody else does.
    "edges": ("ground", "text", "waist", "meaning", "machine", "uses", "top"),
    "top": ("ground", "text", "waist", "meaning", "machine", "uses", "edges"),
}

# Single modules that may not be imported although their layer may: view is the only door to those
# who play.
CLOSED: dict[str, tuple[str, ...]] = {
    "machine": ("wasm",),
    "wasm": ("machine",),
    "bots": ("state", "operations", "machine"),
    "rl": ("state", "operations", "machine"),
    "server": ("state", "operations", "machine"),
    "web": ("state", "operations", "machine"),
}

# What comes from outside, and the layers that may know of it.
LIBRARIES: dict[str, tuple[str, ...]] = {
    "lark": ("text",),
    "yaml": ("text",),
    "jsonschema": ("text",),
    "rich": ("edges",),
    "typer": ("edges",),
    "wasmtime": ("machine",),
    "pyspiel": ("edges",),
    "benchmarks": ("edges",),
    "numpy": ("uses", "edges"),
    "gymnasium": ("edges",),
    "pettingzoo": ("edges",),
    "joblib": ("edges",),
    "distributed": ("edges",),
    "matplotlib": ("edges",),
    "scipy": ("uses",),
    "starlette": ("edges",),
    "uvicorn": ("edges",),
}

# What only the edges and the top may use.
WITH_IO = ("edges", "top")
IO_MODULES = frozenset(
    "os sys io pathlib glob shutil tempfile fileinput time datetime random secrets uuid subprocess "
    "multiprocessing threading socket ssl http urllib requests asyncio sqlite3 logging getpass "
    "locale platform ctypes signal".split()
)
IO_BUILTINS = frozenset("open print input breakpoint eval exec __import__".split())

TABLE = Path(__file__).name
LAYER_OF = {module: layer for layer, modules in LAYERS.items() for module in modules}


@dataclass(frozen=True, slots=True)
class Use:
    """Something a module imports or calls: a dotted name, and the line it stands in."""

    name: str
    line: int


def module_of(file: Path) -> str:
    """The module a file of the package belongs to: its name, or that of its outermost folder."""
    first = file.relative_to(PACKAGE).parts[0]
    return first.removesuffix(".py")


def imports(tree: ast.Module, package: tuple[str, ...]) -> Iterator[Use]:
    """All that is imported, anywhere in the file, as absolute names.

    `package` is the package that the file lies in: a relative import starts from there.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (Use(alias.name, node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            base = (*above, *(node.module.split(".") if node.module else ()))
            if base == ("lawspeaker",):
                yield from (Use(f"lawspeaker.{alias.name}", node.lineno) for alias in node.names)
            else:
                yield Use(".".join(base), node.lineno)


def builtin_uses(tree: ast.Module) -> Iterator[Use]:
    """All built-in names that touch the world, whether called or handed on.

    A field or a method of that name is no such use.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in IO_BUILTINS:
            yield Use(node.id, node.lineno)


def broken_laws(module: str, source: str, package: tuple[str, ...]) -> list[str]:
    """What is wrong with one file, each with its line."""
    if module not in LAYER_OF:
        return [f"1: module {module!r} is in no layer: enter it in LAYERS in tests/repo/{TABLE}"]
    layer = LAYER_OF[module]
    tree = ast.parse(source)
    wrong = []
    for use in imports(tree, package):
        first, _, rest = use.name.partition(".")
        if first == "lawspeaker":
            complaint = _own(module, layer, rest.partition(".")[0])
        elif first in IO_MODULES:
            complaint = None if layer in WITH_IO else f"only the edges may use {first}"
        elif first in sys.stdlib_module_names:
            complaint = None
        else:
            complaint = _foreign(layer, first)
        if complaint:
            wrong.append(f"{use.line}: {complaint}")
    if layer not in WITH_IO:
        wrong += [f"{use.line}: only the edges may use {use.name}" for use in builtin_uses(tree)]
    return wrong


def _own(module: str, layer: str, imported: str) -> str | None:
    # A name that is no module comes from the package itself, that is, from the top.
    is_module = imported in LAYER_OF or (PACKAGE / imported).is_dir()
    is_module = is_module or (PACKAGE / f"{imported}.py").is_file()
    target = imported if imported and is_module else "__init__"
    if target not in LAYER_OF:
        return f"imports {target!r}, which is in no layer: enter it in LAYERS in tests/repo/{TABLE}"
    other = LAYER_OF[target]
    if target in CLOSED.get(module, ()):
        return f"{module} may not import {target}: it sees a game through view alone"
    if other != layer and other not in MAY_IMPORT[layer]:
        return f"{module} ({layer}) may not import {target} ({other})"
    return None


def _foreign(layer: str, library: str) -> str | None:
    if library not in LIBRARIES:
        return f"{library!r} is not a known dependency: enter it in LIBRARIES in tests/repo/{TABLE}"
    if layer not in (*LIBRARIES[library], "top"):
        return f"{layer} may not import {library}, only {', '.join(LIBRARIES[library])} may"
    return None


FILES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_every_file_keeps_the_laws(file: Path) -> None:
    package = ("lawspeaker", *file.relative_to(PACKAGE).parent.parts)
    wrong = broken_laws(module_of(file), file.read_text(encoding="utf-8"), package)
    name = file.relative_to(ROOT).as_posix()
    assert not wrong, "\n" + "\n".join(f"{name}:{complaint}" for complaint in wrong)


def test_the_table_names_each_module_once() -> None:
    modules = [module for layer in LAYERS.values() for module in layer]
    assert len(modules) == len(set(modules))
    assert MAY_IMPORT.keys() == LAYERS.keys()


def test_a_module_and_a_folder_do_not_share_a_name() -> None:
    both = [file.stem for file in FILES if file.with_suffix("").is_dir()]
    assert not both


@pytest.mark.parametrize(
    "module, source, complaint",
    [
        ("machine", "from lawspeaker.ir import Program\nfrom .source import Span", None),
        ("machine", "from lawspeaker.parse import parse", "may not import parse (text)"),
        ("machine", "def f():\n    from . import overlay", "2: machine (machine) may not import"),
        ("parse", "import lawspeaker.state", "may not import state (machine)"),
        ("check", "from lawspeaker import machine", "may not import machine (machine)"),
        ("check", "from lawspeaker import load", "may not import __init__ (top)"),
        ("cli", "from lawspeaker import load", None),
        ("check", "from . import ir, syntax, types", None),
        ("ir", "from .syntax import Node", "may not import syntax (text)"),
        ("bots", "from .view import View\nfrom .machine.step import step", "through view alone"),
        ("source", "from .diagnostics import Diagnostic", None),
        ("source", "from .nowhere import something", "may not import __init__ (top)"),
        ("state", "import random", "only the edges may use random"),
        ("state", "from os.path import join", "only the edges may use os"),
        ("perft", "import json\nprint(json.dumps(1))", "2: only the edges may use print"),
        ("parse", "reader = open", "only the edges may use open"),
        ("syntax", "class Window:\n    open: bool\nWindow().open", None),
        ("library", "from pathlib import Path\nopen(Path('a'))", None),
        ("parse", "from lark import Lark", None),
        ("view", "import yaml", "machine may not import yaml"),
        ("cli", "import polars as pl", "'polars' is not a known dependency"),
        ("manager", "", "'manager' is in no layer"),
    ],
)
def test_a_broken_law_is_seen(module: str, source: str, complaint: str | None) -> None:
    wrong = broken_laws(module, source, ("lawspeaker",))
    if complaint is None:
        assert not wrong
    else:
        assert len(wrong) == 1
        assert complaint in wrong[0]


def test_relative_imports_from_a_folder_are_followed() -> None:
    inside = ("lawspeaker", "machine")
    assert not broken_laws("machine", "from .step import run\nfrom ..ir import Program", inside)
    assert broken_laws("machine", "from ..overlay import apply", inside)
