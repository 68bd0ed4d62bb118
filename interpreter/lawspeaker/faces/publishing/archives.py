"""Packs this package for Pyodide, as reproducible ZIP archives.

A table plays a compiled program, so it needs neither parser nor checker. The workshop needs both,
with their libraries, and the rules on offer. The libraries are pure Python except for two, which
the shims in `browser` replace.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.metadata import distribution, version
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from lawspeaker.faces.publishing.public_names import public_name
from lawspeaker.meaning.variant import plain_name
from lawspeaker.outside.library import DATA, GAME_FILE, SCENARIOS, Library, data_folder

NEVER = frozenset(
    "faces/cli faces/lsp faces/render/book faces/render/show faces/publishing/static "
    "faces/web/static machines/native players/rl data".split()
)
"""Folders of this package that no page needs,"""
NOT_TO_PLAY = NEVER | frozenset(
    "faces/web/workshop outside study editing text meaning/check".split()
)
"""and those that playing a compiled program does not need,"""
NEEDED_ALL_THE_SAME = (
    *("study/__init__.py", "study/lab/__init__.py", "study/lab/statistics.py"),
    *("outside/__init__.py", "outside/crew.py"),
)
"""except for these files, which hints and the modules of bots need."""
TO_PLAY = (".py", ".toml", ".txt")
TO_WRITE = (*TO_PLAY, ".json", ".lark", ".yaml")
LIBRARIES = {
    "lark": ("lark",),
    "PyYAML": ("yaml",),
    "jsonschema": ("jsonschema",),
    "jsonschema-specifications": ("jsonschema_specifications",),
    "referencing": ("referencing",),
    "attrs": ("attr", "attrs"),
}
"""The libraries for reading rules, by distribution name, with their pure-Python packages."""
LEFT_OUT = ("__pycache__", "tests", "benchmarks", "__pyinstaller")
COMPILED = (".so", ".pyd", ".pyc", ".pyi")

Contents = Mapping[str, bytes]


def to_play() -> bytes:
    """Packs what playing needs of this package, and the shim for wasmtime."""
    known = f"Metadata-Version: 2.1\nName: wasmtime\nVersion: {version('wasmtime')}\n"
    return _archive(
        {
            **_own(_playing()),
            "wasmtime.py": _stand_in("wasmtime"),
            f"wasmtime-{version('wasmtime')}.dist-info/METADATA": known.encode(),
        }
    )


def to_write(rules: Contents) -> bytes:
    """Packs what the workshop needs besides: the rest of this package, libraries, and rules on
    offer."""
    package = files("lawspeaker")
    rest = dict(_found(package, "", NEVER, TO_WRITE))
    data = {f"schema/{each.name}": each.read_bytes() for each in data_folder("schema").iterdir()}
    return _archive(
        {
            **_own({name: rest[name] for name in rest.keys() - _playing().keys()}),
            **{f"lawspeaker/{DATA}/{name}": content for name, content in {**data, **rules}.items()},
            **_libraries(),
            "rpds.py": _stand_in("rpds"),
        }
    )


def on_offer(names: Iterable[str], library: Library) -> dict[str, bytes]:
    """Collects the files of games, of all their variants and of named ones, by path in a
    library."""
    found: dict[str, bytes] = {}
    for name in names:
        game, named = library.split_name(name)
        entry, own = library.game(game), public_name(game)
        if entry.name == GAME_FILE:
            found |= _folder(entry.parent, f"rules/{own}")
        else:
            found[f"rules/{own}/{GAME_FILE}"] = entry.read_bytes()
        known = (library.variant(game, each) for each in library.variants(game))
        for folder in dict.fromkeys(file.parent for file in known):
            found |= _folder(folder, f"variants/{own}")
        for each in named:
            file = library.variant(game, plain_name(each))
            for path in (file, *library.translations(file)):
                inside = path.relative_to(file.parent).as_posix()
                found.setdefault(f"variants/{own}/{inside}", path.read_bytes())
    return found


def _folder(folder: Path, inside: str) -> dict[str, bytes]:
    """Returns all files of a folder of rules, except scenarios."""
    return {
        f"{inside}/{path.as_posix()}": (folder / path).read_bytes()
        for path in sorted(each.relative_to(folder) for each in folder.rglob("*"))
        if (folder / path).is_file()
        and path.parts[0] != SCENARIOS
        and not any(part.startswith(".") for part in path.parts)
    }


# -------------------------------------------------------------------- package contents


def _playing() -> dict[str, Traversable]:
    package = files("lawspeaker")
    found = dict(_found(package, "", NOT_TO_PLAY, TO_PLAY))
    return found | {name: package.joinpath(*name.split("/")) for name in NEEDED_ALL_THE_SAME}


def _own(found: Mapping[str, Traversable]) -> dict[str, bytes]:
    return {f"lawspeaker/{name}": file.read_bytes() for name, file in found.items()}


def _found(
    folder: Traversable, path: str, without: frozenset[str], kinds: Sequence[str]
) -> Iterator[tuple[str, Traversable]]:
    for each in folder.iterdir():
        name = f"{path}{each.name}"
        if each.is_dir():
            if each.name != "__pycache__" and name not in without:
                yield from _found(each, f"{name}/", without, kinds)
        elif each.name.endswith(tuple(kinds)):
            yield name, each


def _stand_in(name: str) -> bytes:
    return files(__package__).joinpath("browser", f"{name}.py").read_bytes()


def _libraries() -> dict[str, bytes]:
    """Returns the installed libraries, each with its licence."""
    found: dict[str, bytes] = {}
    for name, packages in LIBRARIES.items():
        for package in packages:
            found |= {
                f"{package}/{path}": file.read_bytes()
                for path, file in _library(files(package), "")
                if not path.endswith(COMPILED)
            }
        for each in distribution(name).files or ():
            if each.name.upper().startswith(("LICENSE", "LICENCE", "COPYING")):
                found[f"licences/{name}/{each.name}"] = Path(str(each.locate())).read_bytes()
    return found


def _library(folder: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for each in folder.iterdir():
        if each.is_file():
            yield f"{path}{each.name}", each
        elif each.name not in LEFT_OUT:
            yield from _library(each, f"{path}{each.name}/")


def _archive(contents: Contents) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(contents):
            archive.writestr(zipfile.ZipInfo(name), contents[name], zipfile.ZIP_DEFLATED)
    return made.getvalue()
