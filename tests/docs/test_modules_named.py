"""Files and modules that the pages for engineers name exist."""

from __future__ import annotations

import re
from fnmatch import fnmatch
from functools import cache

import pytest

from tests.repo.checkout import PACKAGE, ROOT

PAGES = ("CONTRIBUTING.md", "docs/architecture.md", "docs/performance.md")
PATH = re.compile(r"`(\w[\w.*-]*(?:/[\w.*-]+)+)/?(?::\w+)?`")
PLACEHOLDERS = {"NAME", "CODE", "LANGUAGE", "PART"}
LOCKS = "books/*.lock"
"""In the folder of a game."""


def named(text: str) -> set[str]:
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
    found = named((ROOT / page).read_text(encoding="utf-8"))
    assert found
    assert sorted(each for each in found if each != LOCKS and not exists(each)) == []


def test_a_path_that_is_gone_is_noticed() -> None:
    assert named("`study/lab`, `NAME/x.py`, `a b/c`") == {"study/lab"}
    assert exists("planned/finding")
    assert not exists("planned/nothing")
