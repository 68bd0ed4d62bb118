"""Prepares the pages of the documentation for Sphinx.

Sphinx reads the Markdown of `docs` as it is, but for this:

- docs/README.md becomes the first page, and its tables the navigation;
- links to files of the checkout lead to copies of them, those to folders to lists of their files;
- below an example of rules there is a button that opens it in the workshop;
- the list of games has a picture of each.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

from tests.repo.checkout import ROOT, files
from tests.site.trying import drafts, letters

DOCS = ROOT / "docs"
MORE = ("CONTRIBUTING.md", "CHANGELOG.md")
"""Pages that lie beside the folder docs."""
FILES = "files"
"""The folder for copies of other files."""
TRY = '<p class="try"><a href="{}workshop.html#draft={}">Try it</a></p>'
_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])+)\]\(([^)\s]+)\)")
_FENCE = re.compile(r"```(.*)$")
_GAME = re.compile(r"\[`(\w+)`\]\(\.\./rules/\w+/game\.yaml\)")
_LEXERS = {"rule": "text", "": "text"}


def stage_pages(source: Path) -> list[str]:
    """Writes the sources of all pages; returns the paths of further files for the site."""
    copies: set[str] = set()
    pages = [*sorted(DOCS.rglob("*.md")), *(ROOT / name for name in MORE)]
    for page in pages:
        target = source / source_path(page)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(page_source(page, copies), encoding="utf-8")
    for folder in sorted(each for each in copies if (ROOT / each).is_dir()):
        target = source / FILES / f"{folder}.md"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(folder_page(folder, copies), encoding="utf-8")
    shutil.copytree(DOCS / "images", source / "images")
    return sorted(each for each in copies if (ROOT / each).is_file())


def source_path(page: Path) -> str:
    """Where the source of a page lies."""
    if page == DOCS / "README.md":
        return "index.md"
    if page.name == "README.md" and page.parent != ROOT:
        return page.relative_to(DOCS).with_name("index.md").as_posix()
    return page.relative_to(DOCS if page.is_relative_to(DOCS) else ROOT).as_posix()


def copy_name(file: str) -> str:
    """What the copy of a file is called: so every browser shows it, from any host or a disk."""
    return f"{FILES}/{file}" if file.endswith(".ipynb") else f"{FILES}/{file}.txt"


def copy_bytes(file: str) -> bytes:
    """A copy. A browser recognises UTF-8 by the mark at its beginning."""
    own = (ROOT / file).read_bytes()
    return own if file.endswith(".ipynb") else b"\xef\xbb\xbf" + own


def way_up(target: str) -> str:
    """The way from a page up to the first one."""
    return "../" * target.count("/")


# -------------------------------------------------------------------- a page


def page_source(page: Path, copies: set[str]) -> str:
    """The source of a page; adds the files that it links to."""
    up = way_up(source_path(page))
    with TemporaryDirectory() as folder:
        tried = drafts(page, Path(folder).resolve())
    lines: list[str] = []
    fence = 0
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = number
            name = mark[1].split(" ")[0]
            lines.append(f"```{_LEXERS.get(name, name)}")
        elif mark:
            lines.append(line)
            if fence in tried:
                lines += ["", TRY.format(f"{up}../", letters(tried[fence]))]
            fence = 0
        elif fence:
            lines.append(line)
        else:
            lines.append(_LINK.sub(lambda found: rewritten_link(page, up, found, copies), line))
            lines += library_pictures(line, up) if page.name == "library.md" else []
    if page.name == "README.md":
        lines += navigation(page)
    return "\n".join((*lines, ""))


def rewritten_link(page: Path, up: str, found: re.Match[str], copies: set[str]) -> str:
    """A link, with its new target."""
    target, _, anchor = found[2].partition("#")
    if not target or ":" in target:
        return found[0]
    other = Path(os.path.normpath(page.parent / target))
    file = other.relative_to(ROOT).as_posix()
    if other.suffix == ".md" and (other.is_relative_to(DOCS) or file in MORE):
        # A link named after its file gets the title of the page.
        text = "" if found[1].endswith(".md") and not anchor else found[1]
        return f"[{text}]({up}{source_path(other)}{f'#{anchor}' if anchor else ''})"
    if other == DOCS / "language":
        return f"[{found[1]}]({up}language/index.md)"
    assert other.exists(), f"{page.name} links to {target}, which is not there"
    copies.add(file)
    if other.is_dir():
        return f"[{found[1]}]({up}{FILES}/{file}.md)"
    return f'<a href="{up}{quote(copy_name(file))}">{found[1]}</a>'


def library_pictures(line: str, up: str) -> Iterator[str]:
    """Below what the library says of a game: its table, and the ways in."""
    found = _GAME.match(line)
    if found:
        name = found[1]
        table = f'<img src="{up}../games/{name}.en.wide.svg" alt="The table" loading="lazy">'
        shop = f"{up}../workshop.html?as=house&amp;rules={name}"
        yield from (
            "",
            '<p class="gallery">',
            f'<a href="{up}../{name}.html">{table}</a>',
            f'<a class="button" href="{up}../{name}.html">Play</a>',
            f'<a class="button" href="{shop}">Change its rules</a>',
            "</p>",
        )


def navigation(page: Path) -> Iterator[str]:
    """The pages that the tables of an overview list, by the heading or the bold row above them."""
    groups: dict[str, list[str]] = {}
    caption = ""
    for line in page.read_text(encoding="utf-8").splitlines():
        heading = re.match(r"(?:## (.+)|\| \*\*(.+?)\*\* \|)", line)
        row = re.match(r"\| \[.+?\]\(([^)#]+\.md)\)", line)
        if heading:
            caption = heading[1] or heading[2]
        elif row:
            other = Path(os.path.normpath(page.parent / row[1]))
            own = Path(source_path(page)).parent
            groups.setdefault(caption, []).append(os.path.relpath(source_path(other), own))
    if page.parent == DOCS:
        groups["More"] = ["glossary.md", "CHANGELOG.md"]
    for name, listed in groups.items():
        yield from ("", "```{toctree}", ":hidden:", f":caption: {name}", "", *listed, "```")


# -------------------------------------------------------------------- a folder


def folder_page(folder: str, copies: set[str]) -> str:
    """A page with all files of a folder, which are then copied as well."""
    up = way_up(f"{FILES}/{folder}")
    own = [each.as_posix() for each in files() if each.as_posix().startswith(f"{folder}/")]
    copies |= set(own)
    rows = (
        f'- <a href="{up}{quote(copy_name(each))}">{escape(each.removeprefix(f"{folder}/"))}</a>'
        for each in own
    )
    return "\n".join(("---", "orphan: true", "---", "", f"# {folder}", "", *rows, ""))
