"""A small game in a folder of its own, and variants written in tests."""

from __future__ import annotations

from pathlib import Path

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostic, Diagnostics
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compile_name

GAME = """\
lawspeaker: 1
game: fair
players: {from: 2, to: 3, called: [ann, ben, cy]}
sources:
  first: {title: The Fair, year: 1950, language: en}

pieces:
  coin:
    cites: {first: {section: Coins, print: aaaaaaaaaa}}
    in the box: 6
    starts in: bank
    kinds: {penny: 4, shilling: 2}

places:
  bank: {holds: coin, seen by: everyone}
  purse: {of each: player, holds: coin, seen by: everyone}

choices:
  pace:
    says: How fast the fair is.
    one of: [slow, quick]
    is: slow
    cites: {first: {section: Pace, print: bbbbbbbbbb}}
  prize:
    says: What a turn is worth.
    is: 3
    cites: {first: {section: Prizes, stance: our_ruling}}

rules:
  game:
    says: Everyone has a turn, and then there is a closing.
    cites: {first: Course}
    rule: |
      for each player:
        do turn(player)
      do closing

  turn:
    says: A player may take a coin, and is paid.
    cites: {first: Turns}
    asks: Which coin?
    guards:
      not_shilling:
        says: Shillings are too large.
        cites: {first: {section: Turns, print: cccccccccc}}
      slow_only: Nobody takes a coin at a quick fair.
    given: {player: player}
    rule: |
      player may take: coin in bank
        where not_shilling: coin is not shilling
        where slow_only: pace is slow
        then: move coin to purse of player
      player scores prize

  closing:
    says: In the end everybody gets a point.
    cites: {first: Closing}
    rule: |
      players scores 1
"""

HEAD = "lawspeaker: 1\nof: fair\n"


class Fair:
    """The game with the variants of a test, each a text without its head."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "fair.yaml").write_text(GAME, encoding="utf-8")
        (folder / "variants" / "fair").mkdir(parents=True)

    def variant(self, name: str, text: str, layer: str = "house rule") -> None:
        head = f"{HEAD}variant: {name}\nlayer: {layer}\ntitle: {name}\n"
        file = self.folder / "variants" / "fair" / f"{name}.yaml"
        file.write_text(head + text, encoding="utf-8")

    def compiled(self, name: str) -> tuple[ir.Program | None, list[Diagnostic]]:
        diagnostics = Diagnostics()
        program = compile_name(name, diagnostics, Library(here=self.folder, path=()))
        return program, diagnostics.sorted()

    def program(self, name: str) -> ir.Program:
        program, found = self.compiled(name)
        assert program is not None, "\n".join(map(str, found))
        assert not found
        return program

    def faults(self, name: str) -> list[Diagnostic]:
        program, found = self.compiled(name)
        assert program is None
        return found

    def fault(self, name: str) -> Diagnostic:
        (fault,) = self.faults(name)
        return fault


def clause(program: ir.Program, id: str) -> ir.Clause:
    return next(each for each in program.clauses if each.id == id)


def choice(program: ir.Program, id: str) -> object:
    return next(each.values[0] for each in program.choices if each.id == id)
