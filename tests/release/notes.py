"""Release notes, and what disagrees with the version that is to be released."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LONGEST = 240
"""Characters of an item: two lines."""
_SECTION = re.compile(r"^## (.+)$", re.M)
_DATED = re.compile(r"(?P<version>\S+) - (?P<date>\d{4}-\d{2}-\d{2})\Z")
_SHOWN = re.compile(r"lawspeaker(?:==|[ -]v?)(\d+\.\d+(?:\.\d+)?)\b")
INTENDED = "Until 1.0 is released"
STABLE = "Development Status :: 5 - Production/Stable"


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the changelog: its heading, its text, and the line that it begins on."""

    heading: str
    text: str
    line: int


def sections(changelog: str) -> list[Section]:
    found = list(_SECTION.finditer(changelog))
    ends = [*(each.start() for each in found[1:]), len(changelog)]
    return [
        Section(each[1], changelog[each.end() : end], changelog[: each.end()].count("\n") + 1)
        for each, end in zip(found, ends, strict=True)
    ]


def released(changelog: str, version: str) -> tuple[Section, str] | None:
    """The section of a version and its date, if it is the latest one and nothing is unreleased."""
    for each in sections(changelog):
        dated = _DATED.match(each.heading)
        if each.heading == "Unreleased" and not each.text.strip():
            continue
        return (each, dated["date"]) if dated and dated["version"] == version else None
    return None


def items(section: Section) -> Iterator[tuple[int, str, str]]:
    """The line, the heading (Players, Security) and the text of each item."""
    heading, item, begun = "", "", 0
    for number, line in enumerate([*section.text.splitlines(), ""], section.line):
        if item and not line.startswith("  "):
            yield begun, heading, item
            item = ""
        if line.startswith("### "):
            heading = line[4:].strip()
        elif line.startswith("- "):
            item, begun = line[2:].strip(), number
        elif item:
            item += f" {line.strip()}"


def notes(section: Section, version: str) -> str:
    lines = [f"# Lawspeaker {version}"]
    last = ""
    for _, heading, item in items(section):
        if heading != last:
            lines += ["", f"## {heading}", ""]
            last = heading
        lines.append(f"- {item}")
    return "\n".join((*lines, ""))


def disagreements(root: Path, version: str) -> list[str]:
    """What has to be put right before this version can be released."""

    def read(name: str) -> str:
        return (root / name).read_text(encoding="utf-8")

    found = []
    section = released(read("CHANGELOG.md"), version)
    if section is None:
        found.append(
            f"CHANGELOG.md: `## Unreleased` is not empty, or `## {version} - YYYY-MM-DD` is not the"
            " first section after it"
        )
    else:
        found += [
            f"CHANGELOG.md:{line}: the item has more than {LONGEST} characters"
            for line, _, item in items(section[0])
            if len(item) > LONGEST
        ]
    for name in ("editors/vscode/package.json", "editors/vscode/package-lock.json"):
        package = json.loads(read(name))["version"]
        if package != version:
            found.append(f"{name}: has version {package}, not {version}")
    project = tomllib.loads(read("pyproject.toml"))["project"]
    whole = int(version.split(".", maxsplit=1)[0]) >= 1
    if whole and STABLE not in project["classifiers"]:
        found.append(f"pyproject.toml: lacks the classifier `{STABLE}`")
    if whole and INTENDED in read("docs/stability.md"):
        found.append(f"docs/stability.md: still says `{INTENDED}`")
    for page in (root / "README.md", *sorted((root / "docs").rglob("*.md"))):
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            found += [
                f"{page.relative_to(root).as_posix()}:{number}: names version {other}"
                for other in _SHOWN.findall(line)
                if other != version
            ]
    return found
