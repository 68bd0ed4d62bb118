"""Rule files as trees of lines, so that parts of them can be left out.

A file is a fixed table, a fixed beginning, and clauses that were generated. Only clauses that the
others mention are written, so a file from which lines were taken away stays a whole one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostic, Diagnostics
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema

TABLE = """\
words:
  colour: [red, blue]
numbers:
  column: 1..4
pieces:
  card:
    has: {value: number, colour: colour}
    changes: {marked: truth, boost: number}
    starts in: deck
    played from: hand
    played to: discard
    kinds:
      low:  {count: 9, value: 1, colour: red}
      high: {count: 9, value: 2, colour: blue}
      gold: {count: 7, value: 4, colour: blue}
  die:
    plural: dice
    of each: player
    count: 2
    starts in: cup
    changes: {chipped: truth, face: {is: number, seen by: holder}}
  stone: {count: 9, starts in: bag}
places:
  deck:    {holds: card, arranged: pile, seen by: nobody}
  aside:   {holds: card, arranged: pile, seen by: nobody, count seen by: nobody}
  hand:    {of each: player, holds: card, seen by: owner}
  vault:   {of each: player, holds: card, seen by: nobody}
  brow:    {of each: player, holds: card, arranged: row, seen by: everyone but its owner}
  hoard:
    {of each: player, holds: card, arranged: pile, top seen by: owner, stays known: true}
  heap:    {holds: card, arranged: pile, seen by: nobody, top seen by: everyone}
  shelf:   {holds: card, seen by: [ann, ben]}
  discard: {holds: card, arranged: pile, seen by: everyone}
  slot:    {at: column, holds: card, arranged: pile, seen by: everyone}
  sleeve:  {of each: player, holds: card, room: 1, seen by: owner}
  cup:     {of each: player, holds: die, seen by: owner}
  tray:    {holds: die, seen by: everyone}
  bag:     {holds: stone, seen by: everyone}
  field:   {at: column, holds: stone, seen by: everyone}
  purse:   {of each: player, holds: stone, seen by: owner, count seen by: owner}
  sack:    {of each: player, holds: stone, seen by: nobody}
markers:
  active: {shows: player}
  price:  {shows: number}
  tint:   {shows: colour}
  prize:  {shows: card}
  ready:  {of each: player, shows: truth}
  plan:   {of each: player, shows: number, seen by: owner}
  rumour: {of each: player, shows: number, seen by: everyone but its owner}
  note:   {shows: number, seen by: [ann, ben]}
  fate:   {shows: number, seen by: nobody}
  mood:   {shows: column, seen by: nobody}
  omen:   {shows: card, seen by: nobody}
  doom:   {of each: player, shows: number, seen by: nobody}
"""
HEAD = """\
lawspeaker: 1
game: generated
players: {from: 3, to: 3, called: [ann, ben, cy]}
files: [table.yaml]
"""
BEGINNING = """\
rules:
  game:
    says: Cards are dealt. Then it happens three times, and in between somebody looks at it.
    rule: |
      do dealing
      repeat 3 times:
        do looking
        do test
      do looking
  dealing:
    says: Cards are dealt and dice are rolled.
    rule: |
      shuffle deck
      draw 2 cards from deck to hand of ann
      draw 2 cards from deck to hand of ben
      draw 1 cards from deck to vault of ann
      draw 2 cards from deck to brow of ben
      draw 2 cards from deck to hoard of ben
      draw 1 cards from deck to shelf
      draw 2 cards from deck to aside
      draw 2 cards from deck to heap
      draw 2 cards from deck to discard
      move 2 stones in bag to purse of ben
      pick a random column as rolled
      fate becomes rolled
      plan of ben becomes rolled - 1
  looking:
    says: Somebody looks at the table.
    asks: Do you see?
    rule: |
      ann must choose one of
        see
        look_away
"""
WINDOW = """\
windows:
  moment:
    says: A card may be played.
    asks: Do you play a card?
    given: {points: number}
    may change: [points]
"""
WORTH = "worth"
FIRST = "test"
_GUARD = re.compile(r"where (guard_\d+):")
ASKS = re.compile(r"\b(?:must|may)\b")
_WORD = re.compile(r"[a-z_][a-z_0-9.]*")
_SCHEMA = schema("game")

Path = tuple[int, ...]
"""Where a line stands: the number of its clause, then at each depth which line it is."""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of code and what is indented below it. `beside` are lines that belong to it and are
    indented like it: its `else`."""

    text: str
    below: tuple[Line, ...] = ()
    beside: tuple[Line, ...] = ()

    @property
    def parts(self) -> tuple[Line, ...]:
        return self.below + self.beside

    def without(self, at: int, instead: tuple[Line, ...] = ()) -> Line:
        """The same with a part replaced by other lines, or by none."""
        if at < len(self.below):
            return replace(self, below=self.below[:at] + instead + self.below[at + 1 :])
        at -= len(self.below)
        return replace(self, beside=self.beside[:at] + instead + self.beside[at + 1 :])


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause; `head` are its lines in YAML before the code, `key` is what the code is: `rule`,
    `as` of a defined value, or `offers`."""

    name: str
    code: tuple[Line, ...]
    head: tuple[str, ...] = ()
    key: str = "rule"

    @property
    def unmentioned(self) -> bool:
        """Whether it is done although no other clause mentions it."""
        if self.key == "offers":
            return bool(self.code)
        return self.name.startswith("card.") or any("interrupts:" in each for each in self.head)


@dataclass(frozen=True, slots=True)
class RuleFile:
    """`table` are its words, pieces, places and markers, `dealt` what else is done at first,
    `beginning` its head."""

    seed: int
    clauses: tuple[Clause, ...]
    table: str = TABLE
    dealt: tuple[str, ...] = ()
    beginning: str = HEAD

    @property
    def players(self) -> int:
        return self.beginning.partition("called: [")[2].partition("]")[0].count(",") + 1

    @property
    def lines(self) -> list[tuple[str, Path]]:
        """The lines of the rules that were generated, each with where it comes from."""
        found = []
        for number in sorted(self._mentioned()):
            found += _written(self.clauses[number], number)
        return found

    def _mentioned(self) -> set[int]:
        names = {each.name: number for number, each in enumerate(self.clauses)}
        waiting = [names[FIRST]]
        waiting += [at for at, each in enumerate(self.clauses) if each.unmentioned]
        found = set(waiting)
        for number in waiting:
            for text, _ in _written(self.clauses[number], number):
                for word in _WORD.findall(text):
                    more = names.get(word)
                    if more is not None and more not in found:
                        found.add(more)
                        waiting.append(more)
        return found

    @property
    def before(self) -> str:
        """All that stands before the lines."""
        cards = any(each.name.startswith("card.") for each in self.clauses)
        dealt = "".join(f"      {line}\n" for line in self.dealt)
        rules = BEGINNING.replace("  looking:\n", f"{dealt}  looking:\n", 1)
        return self.beginning + (WINDOW if cards else "") + rules

    @property
    def text(self) -> str:
        return self.before + "".join(f"{text}\n" for text, _ in self.lines)

    def at(self, path: Path) -> Line:
        number, *rest = path
        line = Line("", self.clauses[number].code)
        for at in rest:
            line = line.parts[at]
        return line

    def changed(self, path: Path, text: str) -> RuleFile:
        """The same with another text of a line."""
        number, *rest = path
        return self._with(number, _changed(Line("", self.clauses[number].code), rest, text))

    def _with(self, number: int, code: Line) -> RuleFile:
        clauses = list(self.clauses)
        clauses[number] = replace(clauses[number], code=code.below)
        return replace(self, clauses=tuple(clauses))

    def without(self, path: Path, unwrapped: bool = False) -> RuleFile:
        """The same without a line; `unwrapped`: with what is indented below it in its place."""
        number, *rest = path
        return self._with(number, _without(Line("", self.clauses[number].code), rest, unwrapped))


def _changed(line: Line, path: list[int], text: str) -> Line:
    if not path:
        return replace(line, text=text)
    at, *rest = path
    return line.without(at, (_changed(line.parts[at], rest, text),))


def _without(line: Line, path: list[int], unwrapped: bool) -> Line:
    at, *rest = path
    part = line.parts[at]
    if rest:
        return line.without(at, (_without(part, rest, unwrapped),))
    return line.without(at, part.below if unwrapped else ())


def _written(clause: Clause, number: int) -> list[tuple[str, Path]]:
    code = list(_indented(clause.code, (number,), 6, range(len(clause.code))))
    words = "\n".join(text for text, _ in code)
    asks = ASKS.search(words) is not None
    kept = (each for each in clause.head if asks or not each.startswith("asks:"))
    head = [f"  {clause.name}:", "    says: So it is.", *(f"    {each}" for each in kept)]
    if clause.key == "rule" and asks and not any("asks:" in each for each in head):
        head.append('    asks: "What?"')
    guards = dict.fromkeys(_GUARD.findall(words))
    if guards:
        head += ["    guards:", *(f"      {each}: So it must be." for each in guards)]
    head.append(f"    {clause.key}: |")
    return [(text, (number,)) for text in head] + (code or [("      skip", (number,))])


def _indented(
    lines: tuple[Line, ...], path: Path, by: int, numbers: range
) -> Iterator[tuple[str, Path]]:
    for at, line in zip(numbers, lines, strict=True):
        here = (*path, at)
        yield " " * by + line.text, here
        below = len(line.below)
        yield from _indented(line.below, here, by + 2, range(below))
        if not below and line.text.endswith(":"):
            yield " " * (by + 2) + "skip", here
        beside = range(below, below + len(line.beside))
        yield from _indented(line.beside, here, by, beside)


# ---------------------------------------------------------------- checked


@dataclass(frozen=True, slots=True)
class Checked:
    """What the checker says of a file: its errors, and the program if there are none."""

    errors: tuple[Diagnostic, ...]
    program: ir.Program | None


def check_text(text: str, table: str = TABLE) -> Checked:
    found = Diagnostics()

    def read(name: str, span: Span) -> SourceFile:
        return SourceFile(name, table)

    program = compile_game(SourceFile("generated.yaml", text), read, _SCHEMA, found)
    errors = tuple(each for each in found.sorted() if each.severity == "error")
    return Checked(errors, None if errors else program)
