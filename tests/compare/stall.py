"""A small game about a market stall, and variants written in tests."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load_ruleset
from lawspeaker.study.compare import Ruleset

GAME = """\
lawspeaker: 1
game: stall
title: The Stall
players: {from: 2, to: 3, called: [ann, ben, cy]}
languages: [en, de]
sources:
  old: {title: The Old Book, year: 1900, language: en}

pieces:
  fruit:
    cites: {old: Contents}
    starts in: crate
    in the box: 6
    has: {worth: number}
    kinds:
      apple: {count: 4, worth: 1}
      plum: {count: 2, worth: 2}

places:
  crate: {holds: fruit, seen by: everyone}
  basket: {of each: player, holds: fruit, seen by: everyone}

choices:
  rounds:
    says: How many rounds are played.
    is: 2
    cites: {old: Course}
  thanks:
    says: Points for everyone in the end, by number of players.
    is: {2 players: 0, 3 players: 1}
    cites: {old: {section: The end, stance: our_ruling, note: It is not said.}}

rules:
  game:
    says: Everyone picks in each round, and is thanked in the end.
    cites: {old: Course}
    rule: |
      repeat rounds times:
        do round
      do thanking
      do farewell

  round:
    says: Players pick in turn.
    cites: {old: Course}
    rule: |
      for each player:
        do picking(player)

  picking:
    says: A player may take a fruit and is paid its worth.
    cites: {old: Picking}
    asks: {en: Which fruit?, de: Welche Frucht?}
    guards:
      not_full:
        says: A basket holds one fruit.
        cites: {old: Baskets}
    given: {player: player}
    rule: |
      player may take: fruit in crate
        where not_full: basket of player is empty
        then:
          move fruit to basket of player
          player scores worth of fruit

  thanking:
    says: Everyone is thanked.
    cites: {old: The end}
    rule: |
      for each player:
        player scores thanks

  farewell:
    says: Ann has the last word, for a point.
    cites: {old: The end}
    rule: |
      ann scores 1

names:
  ann: {en: Ann, de: Ann}
  ben: {en: Ben, de: Ben}
  cy: {en: Cy, de: Cy}
  fruit: {en: fruit, de: Frucht}
  apple: {en: apple, de: Apfel}
  plum: {en: plum, de: Pflaume}
  crate: {en: crate, de: Kiste}
  basket: {en: basket, de: Korb}
  take: {en: "take {fruit}", de: "{fruit} nehmen"}
"""

HEAD = """\
lawspeaker: 1
variant: {name}
of: stall
layer: {layer}
title: {name} book
"""


def market(folder: Path, variants: Mapping[str, str], layer: str = "edition") -> Library:
    """A folder with the game and variants, given by what comes after their heads."""
    (folder / "rules" / "stall").mkdir(parents=True, exist_ok=True)
    (folder / "rules" / "stall" / "game.yaml").write_text(GAME, encoding="utf-8")
    (folder / "variants" / "stall").mkdir(parents=True, exist_ok=True)
    for name, body in variants.items():
        text = HEAD.format(name=name, layer=layer) + body
        (folder / "variants" / "stall" / f"{name}.yaml").write_text(text, encoding="utf-8")
    return Library(here=folder, path=())


def stall_rulesets(
    folder: Path, variants: Mapping[str, str], *names: str, layer: str = "edition"
) -> list[Ruleset]:
    """The rulesets of these names; without names, the game and each variant."""
    library = market(folder, variants, layer)
    wanted = names or ("stall", *(f"stall+{name}" for name in variants))
    diagnostics = Diagnostics()
    found = [load_ruleset(name, diagnostics, library) for name in wanted]
    assert not list(diagnostics), "\n".join(map(str, diagnostics))
    return [each for each in found if each is not None]
