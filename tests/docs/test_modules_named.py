"""Files that the pages for engineers name exist, and lists of what to change forget none."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatch
from functools import cache

import pytest

from tests.repo.checkout import PACKAGE, ROOT

PAGES = ("CONTRIBUTING.md", "docs/architecture.md", "docs/performance.md")
PATH = re.compile(r"`(\w[\w.*-]*(?:/[\w.*-]+)+)/?(?::\w+)?`")
PLACEHOLDERS = {"NAME", "CODE", "LANGUAGE", "PART"}
CELL_NAME = re.compile(r"`(\w[\w.*-]*(?:/[\w.*-]+)*)/?`")
FILE = re.compile(r"\w+\.(?:py|js|md|json|toml|yaml)")
LOCKS = "books/*.lock"
"""In the folder of a game."""


def quoted_paths(text: str) -> set[str]:
    """The paths between backquotes, outside of blocks."""
    found = PATH.findall(re.sub(r"^```.*?^```", "", text, flags=re.M | re.S))
    return {each for each in found if not PLACEHOLDERS & set(re.split(r"\W", each))}


@cache
def in_the_package() -> tuple[str, ...]:
    """Everything in the package, by its path below it."""
    return tuple(f"/{each.relative_to(PACKAGE).as_posix()}" for each in PACKAGE.rglob("*"))


def exists(path: str) -> bool:
    """Whether a path is one of the checkout, or the end of one in the package; a module needs no
    ending."""
    if any(ROOT.glob(path)):
        return True
    if "*" in path:
        return any(fnmatch(each, f"*/{path}") for each in in_the_package())
    return any(each.endswith((f"/{path}", f"/{path}.py")) for each in in_the_package())


@pytest.mark.parametrize("page", PAGES)
def test_every_path_that_is_named_exists(page: str) -> None:
    found = quoted_paths((ROOT / page).read_text(encoding="utf-8"))
    assert found
    assert sorted(each for each in found if each != LOCKS and not exists(each)) == []


def test_a_path_that_is_gone_is_noticed() -> None:
    assert quoted_paths("`study/lab`, `NAME/x.py`, `a b/c`") == {"study/lab"}
    assert exists("planned/finding")
    assert not exists("planned/nothing")


# ---------------------------------------------------------------- what a change touches

MAKES = "makes nodes of it"
EXAMPLES: dict[str, dict[str, dict[str, str]]] = {
    "A statement": {
        "ir.Shuffle": {"faces/publishing/play_by_mail.py": "looks whether there is any chance"},
        "ir.Draw": {},
        "ir.Remember": {"machines/compiled/compile/repetitions.py": "its code, called by flow.py"},
    },
    "An expression or a function": {
        '"larger"': {"ir/progress.py": MAKES, "meaning/check/statements.py": MAKES},
        '"difference"': {
            "faces/render/compare_json.py": "another word",
            "faces/render/gaps_page.py": "another word",
            "faces/render/replay.py": "another word",
        },
        "ir.Divide": {},
        "ir.SumOf": {"ir/progress.py": MAKES},
        "ir.Collect": {
            "machines/lower/clauses.py": MAKES,
            "meaning/check/connections.py": MAKES,
            "meaning/check/sides.py": MAKES,
        },
        "ir.EndOf": {
            "machines/compiled/compile/effects.py": MAKES,
            "meaning/check/connections.py": MAKES,
            "meaning/check/sides.py": MAKES,
            "meaning/secrets/alike.py": "values that no statement changes",
        },
    },
    "A board shape": {'"hexes"': {}, '"hex"': {}},
    "A chart in the lab": {"_lengths(": {}, "lab.lengths": {}},
}
"""Things of the sort that a section of CONTRIBUTING says how to add, and files that mention one for
another reason."""


def cell_names(text: str) -> Iterator[str]:
    """The paths of each cell of a table and each line; a file without a folder is in that of the
    path before it."""
    for line in text.splitlines():
        for cell in line.split("|"):
            folder = ""
            for name in CELL_NAME.findall(cell):
                if "/" in name:
                    folder = name.rpartition("/")[0]
                    yield name
                elif folder and FILE.fullmatch(name):
                    yield f"{folder}/{name}"


@cache
def section(title: str) -> tuple[str, ...]:
    """The paths that a section of CONTRIBUTING names."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    text = page.split(f"\n## {title}\n", 1)[1].split("\n## ", 1)[0]
    return tuple(each for each in cell_names(text) if not PLACEHOLDERS & set(re.split(r"\W", each)))


@cache
def sources() -> dict[str, str]:
    """All Python modules and scripts of the package."""
    files = (each for end in ("py", "js") for each in PACKAGE.rglob(f"*.{end}"))
    return {
        each.relative_to(PACKAGE).as_posix(): each.read_text(encoding="utf-8") for each in files
    }


def forgotten(title: str, example: str, text: dict[str, str]) -> list[str]:
    """The files that mention an example and are not in the section about such things."""
    word = re.compile(rf"(?<!\w){re.escape(example)}(?!\w)")
    mention = (file for file, code in text.items() if example in code and word.search(code))
    return sorted(file for file in mention if not any(fnmatch(file, p) for p in section(title)))


@pytest.mark.parametrize("title", EXAMPLES)
def test_a_list_of_what_to_change_is_complete(title: str) -> None:
    for example, others in EXAMPLES[title].items():
        assert any(example in code for code in sources().values()), example
        assert forgotten(title, example, sources()) == sorted(others), example


def test_files_of_a_list_exist() -> None:
    missing = [each for title in EXAMPLES for each in section(title) if not exists(each)]
    assert missing == []


def test_a_file_that_a_list_forgets_is_noticed() -> None:
    text = {"ir/expressions.py": "ir.Divide", "study/new.py": "ir.Divide()", "a.py": "ir.Divided"}
    assert forgotten("An expression or a function", "ir.Divide", text) == ["study/new.py"]
    assert list(cell_names("| `a/b.py`, `c.py` | `d.py`, `e/f` |")) == ["a/b.py", "a/c.py", "e/f"]
