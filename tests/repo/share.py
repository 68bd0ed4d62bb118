"""How much of a game's files is rule: `python -m tests.repo.share FOLDER…`.

Counted are the lines of the files of rules that are not blank; translations, scenarios and what is
locked to books lie in folders of their own, and how the story tells what has happened (`told.…`) is
no part of the rules. A line is *code* if it is part of a rule, a defined
value, a condition, an alternative or a choice; *components* are words, numbers, pieces, places,
markers, the table and the symbols; the rest are sentences, names, citations and comments.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.text import document
from lawspeaker.text.document import Mapping, Node, Scalar
from lawspeaker.text.format import roles
from lawspeaker.text.translation.places import TOLD

_COMPONENTS = ("words", "numbers", "pieces", "places", "markers", "table", "symbols")
_SAID = ("cites", "assumed")
_CODE = ("given", "plays", "when", "joins", "interrupts", "is", "one of", "beyond", "may change")


@dataclass(frozen=True, slots=True)
class Share:
    lines: int
    code: int
    components: int

    @property
    def rule(self) -> float:
        """The part of all lines that says how the game is played, not how that is told."""
        return (self.code + self.components) / self.lines

    def __add__(self, other: Share) -> Share:
        return Share(
            self.lines + other.lines, self.code + other.code, self.components + other.components
        )


def of_folder(folder: Path) -> Share:
    found = Share(0, 0, 0)
    for file in sorted(folder.glob("*.yaml")):
        found += of_file(SourceFile(file.name, file.read_text(encoding="utf-8")))
    return found


def of_file(file: SourceFile) -> Share:
    root = document.load(file, Diagnostics())
    assert isinstance(root, Mapping)
    code = {line for each in _code(root) for line in each}
    parts = {line for each in _components(root) for line in each}
    story = {line for each in _told(root) for line in each}
    filled = {n for n in range(1, file.line_count + 1) if file.line_text(n).strip()} - story
    return Share(len(filled), len(code & filled), len(parts & filled - code))


def _code(root: Mapping) -> Iterator[range]:
    code = {id(scalar) for scalar, _ in roles.codes(root)}
    yield from _lines_of(root, lambda key, node: id(node) in code or key.value in _CODE)


def _components(root: Mapping) -> Iterator[range]:
    for key, node in root.entries:
        if key.value in _COMPONENTS:
            said = {line for each in _said(node) for line in each}
            for line in _range(key, node):
                if line not in said:
                    yield range(line, line + 1)


def _told(root: Mapping) -> Iterator[range]:
    yield from _lines_of(root, lambda key, _: key.value.startswith(TOLD))


def _said(node: Node) -> Iterator[range]:
    yield from _lines_of(node, lambda key, _: key.value in _SAID)


def _lines_of(node: Node, counts: object) -> Iterator[range]:
    assert callable(counts)
    if isinstance(node, Mapping):
        for key, value in node.entries:
            if counts(key, value):
                yield _range(key, value)
            else:
                yield from _lines_of(value, counts)


def _range(key: Scalar, value: Node) -> range:
    last = value.span.file.position(max(value.span.start, value.span.end - 1))[0]
    return range(key.span.line, last + 1)


if __name__ == "__main__":
    for name in sys.argv[1:]:
        share = of_folder(Path(name))
        print(
            f"{name}: {share.lines} lines, {share.code / share.lines:.0%} code, "
            f"{share.components / share.lines:.0%} components, {share.rule:.0%} rule"
        )
