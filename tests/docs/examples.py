"""The examples of pages, by default of the language reference, taken out and put together.

A block fenced as `yaml` is a file of a game, and what it shows must hold: it is read without a
single complaint and played to its end. A block fenced as `yaml bad` shows a mistake; the `text`
block after it is what is said about it, word for word.

A block fenced as `rule`, or `rule bad`, is the rule of the clause `game` alone: a further file of
the last game without a clause `game`, on the same page or on the page `examples.md`.

A block whose first line is `# part of: NAME` is a further file of the earlier block with
`game: NAME`, on the same page or on `examples.md`, as if that one named it under `files:`. A file
name in brackets after it is the name under which the earlier block itself names it. Parts do not
know of each other. A block without a clause `game`, or one that names further files, is read only
together with its parts.

Comments that start like these, at the edge of a block, are claims about the game, and are checked:

    # ends with: ann 3, ben 4           the points at the end
    # won by: ben                       who has won
    # first question: ann: left | right    who is asked first, and what is offered
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import dedent, indent

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostic, Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.editing.manual import reading_order
from lawspeaker.machines.reference import RuleFault
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from tests.repo.checkout import ROOT

REFERENCE = ROOT / "docs" / "language"
SHARED = REFERENCE / "examples.md"
"""The page with the games that the examples of all pages of the reference belong to."""
_PART = re.compile(r"# part of: (\w+)(?: \((\S+)\))?\n")
_CLAIM = re.compile(r"^# (ends with|won by|first question): (.*)$", re.MULTILINE)
_REMARK = re.compile(r"^#.*\n?", re.MULTILINE)
_GAME = re.compile(r"^game: (\w+)$", re.MULTILINE)
_FENCE = re.compile(r"^```(.*)$")
_ABOVE = "# part of: {}\nrules:\n  game:\n    says: What the example shows.\n    rule: |\n"


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block: how it is marked, its text, and the page and the line that it starts in.

    Of a rule alone the text is a whole file; so many lines of it are `above` what is shown.
    """

    mark: str
    text: str
    page: Path
    line: int
    above: int = 0

    def __str__(self) -> str:
        return f"{self.page.stem}:{self.line}"

    @property
    def bad(self) -> bool:
        return self.mark.endswith(" bad")

    @property
    def shown(self) -> str:
        return dedent("".join(self.text.splitlines(keepends=True)[self.above :]))

    @property
    def game(self) -> str | None:
        found = _GAME.search(self.text)
        return found[1] if found else None

    @property
    def part_of(self) -> str | None:
        found = _PART.match(self.text)
        return found[1] if found else None

    @property
    def spreadsheet(self) -> bool:
        found = _PART.match(self.text)
        return found is not None and str(found[2]).endswith(".csv")

    @property
    def whole(self) -> bool:
        """Whether it is a game without any other file."""
        has_main = re.search(r"^  game:$", self.text, re.MULTILINE)
        return bool(has_main) and "\nfiles:" not in self.text

    @property
    def stage(self) -> bool:
        """Whether it is a game only together with a part."""
        return self.mark == "yaml" and self.part_of is None and not self.whole


@dataclass(frozen=True, slots=True)
class Example:
    """A block with the game it belongs to; `said` is what a bad one is answered with."""

    block: Block
    base: Block | None
    said: str | None

    def __str__(self) -> str:
        return str(self.block)

    @property
    def claims(self) -> dict[str, str]:
        return dict(_CLAIM.findall(self.block.text))

    def program(self) -> tuple[ir.Program | None, Diagnostics]:
        shown = SourceFile("example.yaml", self.block.text)
        main, further = shown, {}
        if self.base is not None:
            found = _PART.match(self.block.text)
            name = (found[2] if found else None) or "part.yaml"
            text = self.base.text
            if "\nfiles:" not in text:
                text += f"files: [{name}]\n"
            if self.block.spreadsheet:  # which knows no remarks
                shown = SourceFile(name, _REMARK.sub("", self.block.text))
            main, further = SourceFile(f"{self.base.game}.yaml", text), {name: shown}
        diagnostics = Diagnostics()
        found_program = compile_game(
            main, lambda name, span: further.get(name), schema("game"), diagnostics
        )
        return found_program, diagnostics


def pages() -> list[Path]:
    """The pages of the reference, in reading order."""
    index = (REFERENCE / "README.md").read_text(encoding="utf-8")
    return [REFERENCE / f"{name}.md" for name in reading_order(index)]


def reference() -> str:
    """All pages of the reference."""
    return "\n".join(page.read_text(encoding="utf-8") for page in pages())


@cache
def blocks(page: Path = REFERENCE) -> tuple[Block, ...]:
    """The blocks of a page, or of all pages of the reference."""
    if page == REFERENCE:
        return tuple(block for each in pages() for block in blocks(each))
    found: list[Block] = []
    mark, start, lines = "", 0, list[str]()
    table = _stage(SHARED) if page.parent == REFERENCE and page != SHARED else ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        fence = _FENCE.match(line)
        if fence and not start:
            mark, start, lines = fence[1].strip(), number, []
        elif fence:
            text, above = "".join(f"{each}\n" for each in lines), ""
            if mark.startswith("rule"):
                mark, above = mark.replace("rule", "yaml"), _ABOVE.format(table)
                text = above + indent(text, "      ", lambda line: not _CLAIM.match(line))
            block = Block(mark, text, page, start, above.count("\n"))
            if block.stage:
                table = block.game or ""
            found.append(block)
            start = 0
        else:
            lines.append(line)
    assert not start, f"the block of line {start} is never closed"
    return tuple(found)


@cache
def examples(page: Path = REFERENCE) -> tuple[Example, ...]:
    """All examples that can be read by themselves, good and bad."""
    if page == REFERENCE:
        return tuple(example for each in pages() for example in examples(each))
    shared = blocks(SHARED) if page.parent == REFERENCE and page != SHARED else ()
    bases = {block.game: block for block in shared if block.stage}
    found: list[Example] = []
    for at, block in enumerate(blocks(page)):
        if block.mark not in ("yaml", "yaml bad"):
            continue
        said = blocks(page)[at + 1].text if block.bad else None
        base = None
        if block.part_of is not None:
            base = bases[block.part_of]
        elif not block.bad:
            assert block.game is not None, f"{block}: which game is this?"
            assert block.game not in bases, f"{block}: {block.game} is there already"
            bases[block.game] = block
        if block.bad or block.part_of is not None or block.whole:
            found.append(Example(block, base, said))
    return tuple(found)


def good_examples(page: Path = REFERENCE) -> list[Example]:
    return [example for example in examples(page) if example.said is None]


def bad_examples() -> list[Example]:
    return [example for example in examples() if example.said is not None]


def stages() -> list[Block]:
    """The blocks that are games only together with a part."""
    return [block for block in blocks() if block.stage]


def _stage(page: Path) -> str:
    """The name of the last game of a page that is one only together with a part."""
    return next(block.game or "" for block in reversed(blocks(page)) if block.stage)


def anchor(heading: str) -> str:
    """What a link to a heading is called."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def complaints_text(diagnostics: Diagnostics, above: int = 0) -> str:
    """Complaints as the reference prints them, counting lines as they are shown."""
    return "".join(_told(each, above) for each in diagnostics.sorted())


def _told(each: Diagnostic, above: int) -> str:
    severity = "warning: " if each.severity == "warning" else ""
    place = f"line {each.span.line - above}: " if each.span.known else ""
    hint = f"  hint: {each.hint}\n" if each.hint else ""
    return f"{place}{severity}{each.code}: {each.message}\n{hint}"


def accept(example: Example, said: str) -> None:
    """Writes into its page what a bad example is really answered with."""
    page = example.block.page
    text = page.read_text(encoding="utf-8")
    before = f"{example.block.shown}```\n\n```text\n"
    old, new = f"{before}{example.said}```", f"{before}{said}```"
    assert text.count(old) == 1
    page.write_text(text.replace(old, new), encoding="utf-8", newline="\n")


def told_in_play(fault: RuleFault, above: int = 0) -> str:
    return f"in play, line {fault.span.line - above}: {fault.clause}: {fault.message}\n"
