"""Games with cards that nobody but their holder sees, and one rule that is tried out; compiled
whatever the checker says, as it refuses most of them."""

from __future__ import annotations

from lawspeaker import ir
from tests.secrets.leaking import overheard

COMPONENTS = """\
lawspeaker: 1
game: findings
players: {from: 3, to: 3, called: [ann, ben, cy]}
numbers:
  few: 0..9
pieces:
  card:
    has: {value: number}
    starts in: deck
    kinds:
      one: {count: 1, value: 1}
      two: {count: 1, value: 2}
      three: {count: 1, value: 3}
      four: {count: 1, value: 4}
      five: {count: 1, value: 5}
      six: {count: 2, value: 6}
  pawn: {count: 20, starts in: box}
places:
  deck: {holds: card, arranged: pile}
  hand: {of each: player, holds: card, seen by: owner}
  pile: {holds: card, arranged: pile, seen by: everyone}
  box: {holds: pawn, seen by: everyone}
  square: {at: 1..6, holds: pawn, seen by: everyone}
markers:
  public_number: {shows: number}
  hidden_number: {shows: number, seen by: nobody}
rules:
  game:
    says: Cards are dealt and something is done.
    rule: |
      shuffle deck
      draw 1 cards from deck to hand of ben
      draw 1 cards from deck to hand of ann
      draw 1 cards from deck to hand of cy
      do test
      do ending
  worth:
    says: Worth.
    define: worth of player
    as: sum of value of card for each card in hand of player
  ending:
    says: Everybody may end.
    asks: Ready?
    rule: |
      ann must choose one of
        yes_please
        no_thanks
"""
ASKED = '  test:\n    says: Something is done here.\n    asks: "Pick."\n    rule: |\n'
UNASKED = "  test:\n    says: Something is done here.\n    rule: |\n"


def indented(code: str, by: int = 6) -> str:
    return "".join(f"{' ' * by}{line}\n" for line in code.strip("\n").split("\n"))


def asked_first(code: str) -> str:
    """Ann names a number, and then something is done."""
    return COMPONENTS + ASKED + indented("ann must choose number in 1..6\n" + code)


FAULTS = {
    "division": "let x be 1 / (worth of ben - number) rounded down\nhidden_number becomes x",
    "index": (
        "let n be if worth of ben = number then 7 else 1\n"
        "move a pawn in box to square(n)\nmove a pawn in square(n) to box"
    ),
    "budget": (
        "if worth of ben = number:\n  repeat 9000 times:\n    hidden_number becomes 1\n"
        "hidden_number becomes 2"
    ),
}
"""Rules that fault if ann names the worth of ben's hidden card."""
ALWAYS = """\
always:
  bound:
    says: The hidden number is no nine.
    holds: hidden_number is not 9
"""


def faulting(name: str) -> ir.Program:
    if name == "always":
        code = "hidden_number becomes if worth of ben = number then 9 else 1"
        return overheard(asked_first(code) + ALWAYS)
    return overheard(asked_first(FAULTS[name]))
