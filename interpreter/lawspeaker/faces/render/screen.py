"""Prints the output of a session on a console."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby

from rich.console import Console
from rich.text import Text

from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon, joined, numeral
from lawspeaker.faces.play.shown import (
    Curtain,
    Holder,
    Listing,
    Pairs,
    Rule,
    Shown,
    ShownNote,
    ShownQuestion,
    ShownResult,
    ShownTable,
    StoryLines,
    Sum,
)
from lawspeaker.faces.render.blocks import Block, beside, block, in_columns, ink, wrapped
from lawspeaker.faces.render.signs import Signs
from lawspeaker.faces.render.table_text import table_block
from lawspeaker.position.layout import Layout
from lawspeaker.telling.story import StoryLine

TONES = {"plain": "", "quiet": "dim", "bad": "bold red", "strong": "bold"}
HIDE = "\x1b[H\x1b[2J\x1b[3J"
"""Escape codes that clear the screen and the scrollback buffer."""


class Screen:
    def __init__(self, console: Console, layout: Layout, language: str) -> None:
        self.console = console
        self.language = language
        self.signs = Signs(layout, language)

    @property
    def width(self) -> int:
        return max(self.console.width, 20)

    def show(self, shown: Iterable[Shown]) -> None:
        for each in shown:
            self._one(each)

    def _one(self, shown: Shown) -> None:
        match shown:
            case ShownNote(text=text, tone=tone):
                self.paragraph(ink(text, TONES.get(tone, "")))
            case ShownTable(view=view, labels=labels):
                self.line()
                self.block(table_block(view, self.language, self.width, labels))
            case StoryLines(lines=lines, apart=apart):
                if apart:
                    self.line()
                self.told(lines)
            case ShownQuestion():
                self.question(shown)
            case Listing(choices=choices):
                self.block(in_columns([self.choice(n, text) for n, text in choices], self.width))
            case Rule():
                self.rule(shown)
            case Pairs(title=title, rows=rows):
                self.pairs(title, rows)
            case Sum():
                self.sum(shown)
            case ShownResult():
                self.result(shown)
            case Curtain(text=text):
                self.curtain(text)

    # ------------------------------------------------------------ lines

    def line(self, text: Text | str = "") -> None:
        self.console.print(text, no_wrap=True, overflow="ignore", crop=False, soft_wrap=True)

    def block(self, shown: Block) -> None:
        for line in shown.lines:
            self.line(line)

    def paragraph(self, text: Text, indent: int = 0, first: int = 0) -> None:
        """Prints a text wrapped to the width, with a hanging indent."""
        lines = wrapped(text, self.width - max(indent, first))
        for at, line in enumerate(lines):
            line.rstrip()
            self.line(Text(" " * (indent if at else first)) + line)

    # ------------------------------------------------------------ questions

    def choice(self, number: int, text: str) -> Text:
        return ink(f"{number:>3} ", "bold cyan") + Text(text)

    def question(self, asked: ShownQuestion) -> None:
        self.line()
        heading = self.signs.chip(asked.seat) + ink(f" {asked.heading} ", "bold")
        self.paragraph(heading + ink(asked.prompt, "bold"))
        choices = [self.choice(at, text) for at, text in enumerate(asked.choices, 1)]
        self.block(in_columns(choices, self.width))
        self.paragraph(ink(asked.hint, "dim"))

    def curtain(self, text: str) -> None:
        if self.console.is_terminal:
            self.console.file.write(HIDE)
            self.console.file.flush()
        self.line()
        self.paragraph(ink(text, "bold"))

    # ------------------------------------------------------------ events

    def told(self, lines: Iterable[StoryLine]) -> None:
        """Prints events; those of one rule for one player in a row form a paragraph."""
        for (kind, seat, _), group in groupby(lines, self._belongs):
            first, *_ = own = list(group)
            texts = [line.text for line in own]
            if kind == "marker":
                for text in texts:
                    whole = ink(text, "bold")
                    self.paragraph(whole if seat is None else self.signs.chip(seat) + " " + whole)
            elif seat is None:
                for text in texts:
                    self.paragraph(Text(text), indent=4, first=2)
            else:
                all_of_it = replace(first, text=joined(texts, self.language))
                told = f" {all_of_it.said(self.signs.layout, self.language)}"
                self.paragraph(self.signs.chip(seat) + Text(told), indent=4, first=2)

    @staticmethod
    def _belongs(line: StoryLine) -> tuple[str, int | None, int | None]:
        return "marker" if line.kind == "marker" else "", line.seat, line.clause

    # ------------------------------------------------------------ answers

    def rule(self, shown: Rule) -> None:
        if shown.lead:
            self.paragraph(Text(shown.lead))
        self.paragraph(Text(shown.sentence) + ink(f"  [{shown.title or shown.id}]", "dim"))
        for source in shown.sources:
            self.paragraph(ink(source, "dim"), indent=4, first=2)
        if shown.guards:
            self.paragraph(Text(shown.heading))
        for name, said in shown.guards:
            self.paragraph(Text(f"– {said}") + ink(f"  [{name}]", "dim"), 4, 2)

    def pairs(self, title: str, rows: Iterable[tuple[str, str]]) -> None:
        pairs = list(rows)
        if title:
            self.paragraph(ink(title, "bold"))
        wide = max(len(left) for left, _ in pairs) + 2
        if wide > self.width // 2:
            wide = 4
            for left, right in pairs:
                self.paragraph(ink(left, "cyan"), first=2)
                self.paragraph(Text(right), indent=wide, first=wide)
            return
        for left, right in pairs:
            lines = wrapped(Text(right), self.width - wide - 2)
            shown = Block(tuple(lines))
            head = block(ink(f"  {left}".ljust(wide + 2), "cyan"))
            self.block(beside([head, shown], 0))

    def sum(self, shown: Sum) -> None:
        points = phrase("word.points", self.language)
        name = self.holder(shown.holder)
        self.line(name + ink(colon("", f"{numeral(shown.total)} {points}", self.language), "bold"))
        names = max(len(row[1]) for row in shown.rows)
        hows = max(len(row[2]) for row in shown.rows)
        for total, reason, how, sentence in shown.rows:
            points = numeral(total).rjust(5)
            head = f"{points}  {reason.ljust(names)}  {how.ljust(hows)}  "
            if len(head) > self.width // 2:
                self.paragraph(Text(f"{points}  {reason}  {how}"), 7)
                self.paragraph(ink(sentence, "dim"), 7, 7)
            else:
                lines = wrapped(ink(sentence, "dim"), self.width - len(head))
                self.block(beside([block(head), Block(tuple(lines))], 0))

    def holder(self, holder: Holder) -> Text:
        """Formats the holder of a score: the signs of all its players, and its name."""
        signs = Text(" ").join(self.signs.chip(seat) for seat in holder.seats)
        return signs + Text(f" {holder.name}")

    def result(self, shown: ShownResult) -> None:
        self.line()
        if shown.scores:
            self.line(ink(shown.title, "bold"))
        names = [self.holder(holder) for holder, _, _ in shown.scores]
        wide = max((name.cell_len for name in names), default=0) + 2
        for name, (_, total, parts) in zip(names, shown.scores, strict=True):
            row = name + Text(" " * (wide - name.cell_len)) + ink(numeral(total).rjust(4), "bold")
            self.paragraph(row + ink(f"  {parts}", "dim"), wide + 6)
        self.paragraph(ink(shown.text, "bold"))
