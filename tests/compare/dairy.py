"""A small game about cheese in two printings, with the texts of both."""

from __future__ import annotations

from pathlib import Path

from lawspeaker.base.source import SourceFile
from lawspeaker.study.sources.splitter import split
from lawspeaker.text.books.lock import Marks, written

GAME = """\
lawspeaker: 1
game: dairy
title: The Dairy
players: {from: 2, to: 2, called: [ann, ben]}
languages: [en, fr]
sources:
  old:
    title: The Dairy
    called: {en: "First printing, 1900", fr: "Premier tirage, 1900"}
    language: en
    file: old.txt
    words: {cheese: cheese, cellar: cellar, ending: Ending}
pieces:
  cheese: {count: 4, starts in: cellar, cites: {old: {stance: silent}}}
places:
  cellar: {holds: cheese, seen by: everyone}
  board: {of each: player, holds: cheese, seen by: everyone}
choices:
  helping:
    title: {en: How much one takes, fr: Combien on prend}
    says: {en: How many cheeses a player takes., fr: Combien de fromages prend un joueur.}
    is: 1
    cites: {old: Taking § 1}
rules:
  game:
    title: {en: Course of the game, fr: Déroulement}
    says: {en: Everyone takes cheese in turn., fr: Chacun prend du fromage à son tour.}
    cites: {old: Taking § 2}
    rule: |
      for each player:
        do taking(player)
      do ending
  taking:
    says: {en: The player takes cheese., fr: Le joueur prend du fromage.}
    cites: {old: Taking § 1}
    given: {player: player}
    rule: |
      move helping cheeses in cellar to board of player
  ending:
    title: {en: The end, fr: La fin}
    says: {en: Nothing is left to do., fr: Il ne reste rien à faire.}
    cites: {old: Ending § 1}
    rule: |
      ann scores 1
names:
  ann: {en: Ann, fr: Anne}
  ben: {en: Ben, fr: Benoît}
  cheese: {en: cheese, fr: fromage}
  cellar: {en: cellar, fr: cave}
  board: {en: board, fr: plateau}
"""
NEW = """\
lawspeaker: 1
variant: new
of: dairy
layer: edition
title: {en: The new rules, fr: Les nouvelles règles}
sources:
  new:
    title: The Dairy
    called: {en: "Second printing, 1910", fr: "Second tirage, 1910"}
    language: en
    file: new.txt
    words: {cheese: wheel, cellar: wheel}
changes:
  - set: helping
    to: 2
    kind: value
    because: {en: Two are printed., fr: Deux sont imprimés.}
    cites: {new: Taking § 1}
  - {cite: game, cites: {new: Taking § 2}}
  - cite: taking
    cites: {new: {section: Taking § 1, note: {en: Wheels are meant., fr: Égalité !}}}
  - {cite: pieces.cheese, cites: {new: {stance: silent}}}
  - {cite: ending, cites: {new: {stance: silent}}}
"""
OLD_TEXT = """\
# Taking
Take one piece of cheese. Then it is the turn of your neighbour.
# Ending
Wash your hands.
"""
NEW_TEXT = """\
# Taking
Take two wheels of cheese. Then it is the turn of your neighbour.
"""


def set_up(folder: Path) -> Path:
    """Writes the game, its second printing, their locks, and the texts of both."""
    game, variant = folder / "rules" / "dairy", folder / "variants" / "dairy"
    for place in (game / "books", variant / "books", folder / "texts"):
        place.mkdir(parents=True)
    (game / "game.yaml").write_text(GAME, encoding="utf-8")
    (variant / "new.yaml").write_text(NEW, encoding="utf-8")
    for where, name, text in ((game, "old", OLD_TEXT), (variant, "new", NEW_TEXT)):
        file = f"{name}.txt"
        (folder / "texts" / file).write_text(text, encoding="utf-8")
        lock = written(split(SourceFile(file, text)), Marks())
        (where / "books" / f"{name}.lock").write_text(lock, encoding="utf-8")
    return folder
