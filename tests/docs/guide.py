"""A guide is walked as its reader would: in an empty folder, from the first box to the last.

A box fenced as `yaml` is written into the file that its first line names:

    # my_game/game.yaml                    a new file; or, where there is one already, keys that
                                           are added to it or get another value
    # my_game/game.yaml: take these out    keys that are taken out again
    # my_game/game.yaml, for a moment      as the first, but undone after the next console box
    # my_game/game.yaml, as it is now      nothing is written: the file looks exactly so

A box fenced as `text NAME` is a file of this name, such as a book.

A box fenced as `console` holds commands after `$`, and what they print. A line `…` stands for any
lines. Lines after `>` are typed in reply to a prompt. What differs from one machine or day to the
next, such as games a second and fingerprints of rules, is shown as `…`. So are all but the
first of some possible partners, whose order changes with every game that is translated.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import takewhile
from pathlib import Path

from typer.testing import CliRunner

from lawspeaker.base.typography import NO_BREAK
from lawspeaker.faces.cli import app

MENTIONED = re.compile(r"# (\S+\.yaml)(?:(: take these out|, for a moment|, as it is now))?\n")
ORDER = (
    *("lawspeaker", "game", "variant", "scenario", "of", "layer", "title", "about", "by"),
    *("players", "language", "languages", "sources", "files", "words", "numbers", "pieces"),
    *("places", "markers", "choices", "rules", "windows", "always", "table", "names", "symbols"),
)
VOLATILE = re.compile(
    r"(?<=\()[\d.,]+(?= a second\))|(?<=fingerprint is )[0-9a-f]+"
    r"|(?<=games, )(?:about [\d,]+ \w+|less than a second)(?=: --precision)"
    r"|(?P<kept>Perhaps: [^;\n]+; ).*"
)
ELLIPSIS = "…"


# ---------------------------------------------------------------- files that grow


@dataclass(slots=True)
class Part:
    """A key of a mapping, with the remarks and blank lines before it and all that it holds."""

    key: str
    lead: list[str]
    top: str
    below: list[str]

    @property
    def lines(self) -> list[str]:
        return [*self.lead, self.top, *self.below]

    @property
    def keyed(self) -> bool:
        """Whether what it holds is in block style again, and not code."""
        indent = len(self.top) - len(self.top.lstrip())
        opens = self.top.endswith(":") or self.key.startswith("- ")
        return opens and bool(parts(self.below, indent + 2))


def parts(lines: list[str], indent: int) -> list[Part]:
    """What stands in block style, taken apart: a mapping at its keys, a list at its entries, which
    are told apart by their first line. Remarks at the very end are dropped."""
    start = re.compile(rf" {{{indent}}}(?:([a-z0-9_][\w. ]*):(?= |$)|(- .*))")
    found: list[Part] = []
    lead: list[str] = []
    for line in lines:
        key = start.match(line)
        if key:
            found.append(Part(key[1] or key[2], lead, line, []))
            lead = []
        elif not line.strip() or line.startswith(" " * indent + "#"):
            lead.append(line)
        elif found:
            found[-1].below += [*lead, line]
            lead = []
        else:
            return []
    return found


def merge_box(text: str, shown: str, *, without: bool = False) -> str:
    """A file with what a box shows put in, or taken out of it."""
    lines = merge_keys(text.splitlines(), shown.splitlines(), 0, without)
    return "\n".join(lines) + "\n"


def merge_keys(old: list[str], new: list[str], indent: int, without: bool) -> list[str]:
    """A key that both have gets what is new about it, key by key as far as there are keys."""
    entries = parts(old, indent)
    spaced = any(each.lead and not each.lead[0].strip() for each in entries)
    for part in parts(new, indent):
        at = next((i for i, each in enumerate(entries) if each.key == part.key), None)
        if at is None:
            assert not without, f"there is no {part.key} to take out"
            part.lead = ["", *stripped(part.lead)] if spaced else stripped(part.lead)
            entries.insert(insertion_index(part.key, entries, indent), part)
        elif without and not part.below:
            del entries[at]
        elif part.keyed and entries[at].keyed:
            entries[at].below = merge_keys(entries[at].below, part.below, indent + 2, without)
        else:
            blank = takewhile(lambda line: not line.strip(), entries[at].lead)
            kept = entries[at].lead if indent == 0 else [*blank, *stripped(part.lead)]
            entries[at] = Part(part.key, kept, part.top, part.below)
    return [line for each in entries for line in each.lines]


def insertion_index(key: str, entries: list[Part], indent: int) -> int:
    """Where a new key goes: sections in the order of a rulebook, all else to the end."""
    if indent == 0:
        later = (at for at, each in enumerate(entries) if rank(each.key) > rank(key))
        return next(later, len(entries))
    return len(entries)


def stripped(lines: list[str]) -> list[str]:
    """Without blank lines around it."""
    return "\n".join(lines).strip("\n").splitlines()


def rank(key: str) -> int:
    return ORDER.index(key) if key in ORDER else len(ORDER)


# ---------------------------------------------------------------- commands


@dataclass(frozen=True, slots=True)
class Command:
    """A command, what is typed while it runs, and the lines a page shows of what it prints."""

    text: str
    shown: list[str]

    @property
    def typed(self) -> list[str]:
        return [line[2:] for line in self.shown if line.startswith("> ")]


def commands(text: str) -> list[Command]:
    found: list[Command] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append(Command(line[2:], []))
        else:
            assert found, f"no command prints this: {line!r}"
            found[-1].shown.append(line)
    for each in found:
        each.shown[:] = stripped(each.shown)
    return found


def run(command: Command) -> list[str]:
    """What a command really prints, as lines without blanks at their ends."""
    words = shlex.split(command.text)
    if words[0] == "cd":
        os.chdir(words[1])
        return []
    if words[0] == "mkdir":
        Path(words[1]).mkdir()
        return []
    if words[:2] == ["rm", "-r"]:
        shutil.rmtree(words[2])
        return []
    assert words[0] == "lawspeaker", f"what is {words[0]}?"
    typed = "".join(f"{line}\n" for line in command.typed)
    output = CliRunner().invoke(app, words[1:], input=typed).output
    for line in command.typed:
        assert "\n> " in f"\n{output}", f"nobody asks for {line!r}"
        before, _, after = f"\n{output}".partition("\n> ")
        output = f"{before}\n›{line}\n{after}".lstrip("\n")
    output = VOLATILE.sub(
        lambda found: (found["kept"] or "") + ELLIPSIS, output.replace("\n›", "\n> ")
    )
    # A page is typed with plain spaces, whatever the terminal is given.
    return stripped([line.replace(NO_BREAK, " ").rstrip() for line in output.splitlines()])


def as_shown(printed: list[str], shown: list[str]) -> list[str]:
    """What was printed, left out where the page leaves something out."""
    if ELLIPSIS not in shown:
        return printed
    before = shown.index(ELLIPSIS)
    after = len(shown) - before - 1
    if len(printed) <= before + after:
        return printed
    return [*printed[:before], ELLIPSIS, *printed[len(printed) - after :]]


# ---------------------------------------------------------------- pages


@dataclass(frozen=True, slots=True)
class Box:
    """A fenced box of a page: what it is, its text, and the line it starts in."""

    mark: str
    text: str
    line: int


@dataclass(slots=True)
class Chapter:
    """What stands under one heading, and afterwards what did not go as the page says."""

    heading: str
    boxes: list[Box] = field(default_factory=list)


def chapters(page: Path) -> list[Chapter]:
    found = [Chapter("")]
    box: Box | None = None
    lines: list[str] = []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), start=1):
        fence = re.match(r"```(.*)$", line)
        if fence and box is None:
            box, lines = Box(fence[1].strip(), "", number), []
        elif fence and box is not None:
            text = "".join(f"{each}\n" for each in lines)
            found[-1].boxes.append(Box(box.mark, text, box.line))
            box = None
        elif box is not None:
            lines.append(line)
        elif line.startswith("## "):
            found.append(Chapter(line[3:]))
    assert box is None, f"{page.name}: a box is never closed"
    return found


def rewritten(page: str, texts: dict[int, str]) -> str:
    """A page with other texts in the boxes that start in these lines."""
    lines = page.splitlines(keepends=True)
    for start, text in sorted(texts.items(), reverse=True):
        end = lines.index("```\n", start)
        lines[start:end] = [text]
    return "".join(lines)


def box_target(box: Box) -> tuple[str, str, str]:
    """The name of the file a box speaks of, what is done to it, and the text that is meant."""
    found = MENTIONED.match(box.text)
    assert found, f"line {box.line}: which file is this?"
    return found[1], found[2] or "", box.text[found.end() :]


@contextmanager
def in_guide_folder(folder: Path, **settings: str) -> Iterator[None]:
    """In a folder, with a narrow window, without colours, and back again."""
    before = Path.cwd()
    kept = {name: os.environ.get(name) for name in settings}
    os.environ.update(settings)
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)
        for name, value in kept.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


class Walk:
    """Goes through a page box by box, in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.undo: dict[Path, str] = {}
        self.seen: dict[Path, str] = {}

    def box(self, box: Box) -> str:
        """Does what a box says; returns the text it should have."""
        if box.mark == "yaml":
            return self.file(box)
        if box.mark == "console":
            return self.console(box)
        if box.mark.startswith("text "):
            (self.folder / box.mark.removeprefix("text ")).write_text(box.text, encoding="utf-8")
        return box.text

    def file(self, box: Box) -> str:
        name, what, shown = box_target(box)
        path = self.folder / name
        if what == ", as it is now":
            first = box.text.splitlines()[0]
            return f"{first}\n{path.read_text(encoding='utf-8')}"
        old = path.read_text(encoding="utf-8") if path.exists() else None
        if what == ", for a moment":
            assert old is not None
            self.undo[path] = old
        new = box.text if old is None else merge_box(old, shown, without=what == ": take these out")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(new, encoding="utf-8")
        return box.text

    def console(self, box: Box) -> str:
        lines: list[str] = []
        for command in commands(box.text):
            if lines:
                lines.append("")
            lines += [f"$ {command.text}", *as_shown(run(command), command.shown)]
        for path, text in self.undo.items():
            path.write_text(text, encoding="utf-8")
        self.undo = {}
        return "".join(f"{line}\n" for line in lines)

    def changed(self) -> bool:
        """Whether any file has changed since this was last asked."""
        files = sorted(self.folder.rglob("*.yaml"))
        before, self.seen = self.seen, {file: file.read_text(encoding="utf-8") for file in files}
        return self.seen != before

    @property
    def games(self) -> list[Path]:
        return sorted(self.folder.rglob("game.yaml"))
