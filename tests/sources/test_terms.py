"""A book's own words: what a clause is about is called so where the book states the clause."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compiled_with_books, open_name, schema
from lawspeaker.study.sources.coverage import CoverageResult, check_coverage
from lawspeaker.study.sources.splitter import split
from lawspeaker.study.sources.terms import is_form, occurs
from lawspeaker.text.books.fingerprint import fingerprint
from lawspeaker.text.books.listing import read_listing
from lawspeaker.text.books.lock import Marks

BOOK = """# Der Markt

## Verkaufen

Wer am Zug ist, verkauft ein Ei. Alte Hennen bringen nichts.

## Ende

Die meisten Punkte gewinnen.
"""
SELL = fingerprint("Wer am Zug ist, verkauft ein Ei.")
OLD = fingerprint("Alte Hennen bringen nichts.")
WIN = fingerprint("Die meisten Punkte gewinnen.")

GAME = f"""lawspeaker: 1
game: market
players: {{from: 2, to: 2, called: [ann, ben]}}
languages: [en, de]
sources:
  book: {{title: Der Markt, language: de, file: market.txt}}
pieces:
  hen: {{count: 2, starts in: coop}}
places:
  coop: {{holds: hen, seen by: everyone}}
rules:
  game:
    says: Hens are worth nothing, and most points win.
    cites: {{book: {{section: Ende, print: {WIN}}}}}
    rule: |
      do hen.sold
      do coop.closed
  hen.sold:
    says: Everyone sells an egg, and nobody a hen.
    cites: {{book: {{section: Verkaufen, print: {SELL} {OLD}}}}}
    rule: |
      players scores 1
  coop.closed:
    says: The coop is closed.
    cites: {{book: {{stance: our_ruling}}}}
    rule: |
      players scores count of hens in coop
names:
  ann: {{en: Ann, de: Anna}}
  ben: {{en: Ben, de: Benno}}
  hen: {{en: hen, de: HENNE}}
  coop: {{en: coop, de: Hühnerstall}}
"""
CALLED = "de: HENNE"
HOUSE_RULE = """lawspeaker: 1
variant: no_hens
of: market
layer: house rule
title: No hens
changes:
  - remove: hen.sold
"""
MODULE = f"""lawspeaker: 1
variant: late
of: market
layer: module
title: Late
sources:
  other: {{title: Ein anderer Markt, language: de, file: market.txt}}
changes:
  - add: closing
    after: coop.closed
    says: Whoever is late gets a point.
    cites: {{other: {{section: Ende, print: {WIN}}}}}
    rule: |
      ann scores 1
"""


def held(
    folder: Path,
    game: str = GAME,
    listing: Marks | None = None,
    variant: str = "",
    source: str = "book",
) -> CoverageResult:
    (folder / "market.yaml").write_text(game, encoding="utf-8")
    name = "market.yaml"
    if variant:
        (folder / "more.yaml").write_text(variant, encoding="utf-8")
        name += "+./more.yaml"
    diagnostics = Diagnostics()
    opened = open_name(name, diagnostics, Library(here=folder, path=()))
    both = None if opened is None else compiled_with_books(opened, diagnostics)
    assert both is not None, "\n".join(map(str, diagnostics))
    text = split(SourceFile("market.txt", BOOK))
    return check_coverage(both[0], source, text, listing or Marks(), both[1])


@pytest.mark.parametrize(
    "word, said",
    [
        ("wald", "walder"),
        ("attacco", "attacchi"),
        ("angriff", "angriffskarte"),
        ("wikinger", "wikingern"),
        ("zug", "zug"),
    ],
)
def test_forms_of_a_word(word: str, said: str) -> None:
    assert is_form(word, said)


@pytest.mark.parametrize(
    "word, said", [("wald", "walhalla"), ("zug", "zugig"), ("attacke", "angriff"), ("feld", "fels")]
)
def test_other_words_are_no_forms_of_a_term(word: str, said: str) -> None:
    assert not is_form(word, said)


def test_a_name_of_several_words_stands_in_one_sentence() -> None:
    text = split(SourceFile("market.txt", BOOK))
    assert occurs("alte Henne", text, ["Verkaufen"])
    assert occurs("am Zug", text, ["Verkaufen"])
    assert occurs("alte Henne 3", text, ["Der Markt"])
    assert not occurs("alte Henne", text, ["Ende"])
    assert not occurs("alte Punkte", text, ["Der Markt"])


def test_what_is_called_as_in_the_book(tmp_path: Path) -> None:
    assert held(tmp_path).sound


def test_what_is_called_otherwise_is_shown_with_the_line_of_the_heading(tmp_path: Path) -> None:
    found = held(tmp_path, GAME.replace(CALLED, "de: Huhn"))
    assert [(each.code, each.id, each.line) for each in found.faults] == [
        ("missing-term", "hen.sold", 3)
    ]
    message = "`hen` is called “Huhn”, which does not occur under “Verkaufen”"
    assert found.faults[0].message == message


def test_only_what_the_book_states_is_looked_at(tmp_path: Path) -> None:
    """The coop is our ruling: the book has no word for it."""
    stated = f"{{section: Ende, print: {WIN}}}"
    found = held(tmp_path, GAME.replace("{stance: our_ruling}", stated))
    assert [(each.code, each.id) for each in found.faults] == [("missing-term", "coop.closed")]


def test_a_book_may_have_other_words(tmp_path: Path) -> None:
    game = GAME.replace(CALLED, "de: Huhn")
    diagnostics = Diagnostics()
    file = SourceFile("book.yaml", "lawspeaker: 1\ntext: book\nother words:\n  hen.sold: [hen]\n")
    listing = read_listing(file, schema("texts"), diagnostics)
    assert listing is not None, "\n".join(map(str, diagnostics))
    assert held(tmp_path, game, listing).sound


def test_other_words_that_nothing_needs(tmp_path: Path) -> None:
    listing = Marks(other_words={"hen.gone": ("hen",), "hen.sold": ("coop",)})
    found = held(tmp_path, listing=listing)
    assert [(each.code, each.id) for each in found.faults] == [
        ("other-words", "hen.gone"),
        ("other-words", "hen.sold"),
    ]


def test_names_follow_the_last_book_of_a_language(tmp_path: Path) -> None:
    """An edition with its own terms: the older book is not held against them."""
    edition = f"""lawspeaker: 1
variant: new
of: market
layer: edition
title: New
sources:
  new: {{title: Der Markt, language: de, file: market.txt}}
changes:
  - set: names.hen.de
    to: Huhn
  - cite: hen.sold
    cites: {{new: {{section: Verkaufen, print: {SELL} {OLD}}}}}
  - cite: game
    cites: {{new: {{section: Ende, print: {WIN}}}}}
"""
    assert held(tmp_path, variant=edition).sound
    found = held(tmp_path, variant=edition, source="new")
    assert [(each.code, each.id) for each in found.faults] == [("missing-term", "hen.sold")]


def test_a_rule_that_a_house_rule_takes_out_leaves_no_sentence_open(tmp_path: Path) -> None:
    found = held(tmp_path, variant=HOUSE_RULE)
    assert found.sound
    assert (found.cited, found.left_out) == (1, 2)


def test_a_book_that_a_module_cites_is_not_retold(tmp_path: Path) -> None:
    found = held(tmp_path, variant=MODULE, source="other")
    assert found.sound
    assert not found.whole
    assert (found.cited, found.unmentioned) == (1, ())
    wrong = held(tmp_path, variant=MODULE.replace("Ende", "Schluss"), source="other")
    assert [each.code for each in wrong.faults] == ["unknown-heading"]
