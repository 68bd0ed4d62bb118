"""The reading desk: what it reads of books and rules, and the files it writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import RuleFile, SourceFile
from lawspeaker.outside.loading import compile_bundle
from lawspeaker.study.desk.aligned import Link, links, suggested
from lawspeaker.study.desk.citing import (
    CannotCite,
    Changed,
    RequestedCitation,
    cited,
    marked,
    uncited,
)
from lawspeaker.study.desk.reading import Desk
from lawspeaker.study.sources.splitter import split
from lawspeaker.text.books.lock import Marks, written

EN = "# Eggs\n\nA game of eggs.\n\n## Selling\n\nSell one egg.\nNo golden egg is sold.\n\
It brings 2 points.\n\n## End\n\nThen it ends.\n"
IT = "# Uova\n\n## Vendere\n\nVendi un uovo.\nVale 2 punti.\n\n## Fine\n\nPoi finisce.\n"
TEXTS = {"en.txt": EN, "it.txt": IT}
GAME = """\
# A remark that stays.
lawspeaker: 1
game: eggs
players: {from: 2, to: 2, called: [ann, ben]}
sources:
  en: {title: Eggs, language: en, file: en.txt}

pieces:
  egg: {count: 4, starts in: nest}

places:
  nest: {holds: egg, seen by: everyone}

markers:
  shut: {shows: truth, starts as: false}

rules:
  game:
    says: Everyone sells, and then it ends.
    rule: |
      for each player:
        do selling(player)
      do closing

  # And this one.
  selling:
    says: >-
      A player sells an egg, and scores; this sentence is so long that it stands below its key
      rather than beside it.
    asks: Do you sell?  # why not
    cites: Selling § 1
    guards:
      not_shut: The market is open.
    given: {player: player}
    rule: |
      player may sell
        where not_shut: not shut
        then: player scores 2

  closing:
    says: Then it ends.
    rule: |
      shut becomes yes
"""
EDITION = """\
lawspeaker: 1
variant: italian
of: eggs
layer: edition
title: Italian rules
sources:
  it: {title: Uova, language: it, file: it.txt}
changes:
  - cite: closing
    # A remark.
    cites: Fine § 1
"""


def lock_of(text: str, file: str) -> str:
    return written(split(SourceFile(file, text)), Marks())


def files(game: str = GAME) -> dict[str, RuleFile]:
    found = [
        RuleFile("game.yaml", game),
        RuleFile("books/en.lock", lock_of(EN, "en.txt")),
        RuleFile("books/it.lock", lock_of(IT, "it.txt")),
        RuleFile("italian.yaml", EDITION, ()),
    ]
    return {each.name: each for each in found}


def desk(changed: Changed | None = None, game: str = GAME) -> Desk:
    now = files(game)
    for name, text in (changed or {}).items():
        given = now[name].given if name in now else None
        now[name] = RuleFile(name, text, given)
    return Desk(now.values(), TEXTS)


def mark(book: str, *places: int) -> tuple[str, ...]:
    found = desk().book(book)
    assert found is not None
    return tuple(found.lines[at].sentence.print for at in places)


def sound(changed: Changed) -> None:
    """The result is read by `check` without a complaint about a citation."""
    now = {**{name: each.text for name, each in files().items()}, **changed}
    rules = tuple(RuleFile(name, now[name], each.given) for name, each in files().items())
    diagnostics = Diagnostics()
    assert compile_bundle(rules, diagnostics, "here") is not None, [*diagnostics]
    assert not [str(each) for each in diagnostics]


def test_what_is_cited_is_told() -> None:
    english = desk().book("en")
    assert english is not None
    assert [each.where for each in english.lines] == [
        *("Eggs § 1", "Selling § 1", "Selling § 2", "Selling § 3", "End § 1")
    ]
    assert [each.cited for each in english.lines] == [(), ("selling",), (), (), ()]
    italian = desk().book("it")
    assert italian is not None
    assert (italian.variant, italian.decided) == ("italian.yaml", 1)
    ids = [each.id for each in desk().points]
    assert ids == ["pieces.egg", "game", "selling", "selling.not_shut", "closing"]


def test_a_sentence_joins_those_of_its_section() -> None:
    changed = cited(desk(), RequestedCitation("selling", "en", mark("en", 2, 3)))
    assert changed == {"game.yaml": GAME.replace("Selling § 1", "Selling § 1-3")}
    sound(changed)


def test_a_first_citation_stands_behind_the_sentence() -> None:
    changed = cited(desk(), RequestedCitation("closing", "en", mark("en", 4)))
    told = "    says: Then it ends.\n"
    assert changed == {"game.yaml": GAME.replace(told, told + "    cites: End\n")}
    sound(changed)


def test_a_piece_in_brackets_cites_there() -> None:
    changed = cited(desk(), RequestedCitation("pieces.egg", "en", mark("en", 0), "implies"))
    wanted = "starts in: nest, cites: {section: Eggs § 1, stance: implies}}"
    assert changed == {"game.yaml": GAME.replace("starts in: nest}", wanted)}
    sound(changed)


def test_a_guard_that_is_but_a_sentence_gets_a_citation() -> None:
    changed = cited(desk(), RequestedCitation("selling.not_shut", "en", mark("en", 2)))
    wanted = "not_shut: {says: The market is open., cites: Selling § 2}"
    assert changed == {"game.yaml": GAME.replace("not_shut: The market is open.", wanted)}
    sound(changed)


def test_a_stance_and_a_remark() -> None:
    note = 'It says: "one" #1, {only} one.'
    changed = cited(
        desk(), RequestedCitation("selling", "en", mark("en", 3), "says_otherwise", note)
    )
    text = changed["game.yaml"]
    assert GAME.split("    cites:", maxsplit=1)[0] in text
    assert GAME.split("Selling § 1\n")[1] in text
    found = [each for each in desk(changed).by_id["selling"].cites if each.note]
    assert [(each.stance, each.note, each.numbers) for each in found] == [
        ("says_otherwise", note, (3,))
    ]
    sound(changed)


def test_a_silent_book_is_cited_without_a_sentence() -> None:
    changed = cited(desk(), RequestedCitation("closing", "en", (), "silent"))
    assert "    cites: {stance: silent}\n" in changed["game.yaml"]
    sound(changed)
    with pytest.raises(CannotCite, match="no_sentence"):
        cited(desk(), RequestedCitation("closing", "en", ()))


def test_what_was_cited_can_be_taken_back() -> None:
    for wish in (
        RequestedCitation("closing", "en", mark("en", 4)),
        RequestedCitation("selling", "en", mark("en", 2), "implies"),
        RequestedCitation("pieces.egg", "en", mark("en", 0)),
        RequestedCitation("closing", "en", (), "silent"),
        RequestedCitation("game", "it", mark("it", 0)),
        RequestedCitation("game", "it", mark("it", 0), "implies", "A remark."),
    ):
        changed = cited(desk(), wish)
        sound(changed)
        before = {name: each.text for name, each in files().items()}
        assert {**before, **changed, **uncited(desk(changed), wish)} == before, wish


def test_only_the_citation_that_is_meant_is_taken_back() -> None:
    both = cited(desk(), RequestedCitation("selling", "en", mark("en", 1), "implies", "A remark."))
    left = uncited(desk(both), RequestedCitation("selling", "en", mark("en", 1)))
    assert [each.stance for each in desk(left).by_id["selling"].cites] == ["implies"]


def test_an_edition_that_says_the_same_is_marked_in_its_lock() -> None:
    changed = cited(desk(), RequestedCitation("selling", "it", mark("it", 0, 1)))
    assert [*changed] == ["books/it.lock"]
    assert "agrees italian selling = Vendere § 1-2\n" in changed["books/it.lock"]
    sound(changed)
    italian = desk(changed).book("it")
    assert italian is not None
    assert italian.decided == 3


def test_what_an_edition_says_otherwise_is_a_change() -> None:
    changed = cited(desk(), RequestedCitation("selling", "it", mark("it", 0), "implies"))
    wanted = "  - cite: selling\n    cites: {section: Vendere § 1, stance: implies}\n"
    assert changed == {"italian.yaml": EDITION + wanted}
    sound(changed)
    more = cited(desk(changed), RequestedCitation("selling", "it", mark("it", 1)))
    assert "cites: [{section: Vendere § 1, stance: implies}, Vendere § 2]" in more["italian.yaml"]


def test_a_change_takes_over_what_the_lock_says_of_its_rule() -> None:
    first = cited(desk(), RequestedCitation("selling", "it", mark("it", 0)))
    then = cited(
        desk(first),
        RequestedCitation("selling", "it", (), "silent", "Of the gold it says nothing."),
    )
    assert {*then} == {"books/it.lock", "italian.yaml"}
    assert "agrees" not in then["books/it.lock"]
    note = "{stance: silent, note: Of the gold it says nothing.}"
    assert f"cites: [Vendere § 1, {note}]" in then["italian.yaml"]
    sound({**first, **then})


def test_a_sentence_that_is_no_rule_is_marked_in_the_lock() -> None:
    changed = marked(desk(), "en", mark("en", 0), "flavour")
    assert changed["books/en.lock"] == files()["books/en.lock"].text.replace(
        mark("en", 0)[0], f"{mark('en', 0)[0]} flavour"
    )
    again = marked(desk(changed), "en", mark("en", 0), "")
    assert again["books/en.lock"] == files()["books/en.lock"].text
    with pytest.raises(CannotCite, match="no_rule"):
        cited(desk(changed), RequestedCitation("game", "en", mark("en", 0)))
    with pytest.raises(CannotCite, match="cited"):
        marked(desk(), "en", mark("en", 1), "flavour")


def test_a_layout_of_ones_own_stays() -> None:
    odd = GAME.replace("    cites: Selling § 1\n", "    cites:   'Selling § 1'   # here\n")
    odd = odd.replace("  closing:\n", "  closing :\n")
    changed = cited(desk(game=odd), RequestedCitation("selling", "en", mark("en", 2)))
    assert changed["game.yaml"] == odd.replace("   'Selling § 1'", " Selling § 1-2")


def test_remarks_among_citations_are_left_to_people() -> None:
    odd = GAME.replace("cites: Selling § 1\n", "cites:\n      # first\n      - Selling § 1\n")
    odd = odd.replace("- Selling § 1\n", "- Selling § 1\n      # then\n      - Selling § 3\n")
    with pytest.raises(CannotCite, match="remark"):
        cited(desk(game=odd), RequestedCitation("selling", "en", mark("en", 2)))


@pytest.mark.parametrize(
    "wish, why",
    [
        (RequestedCitation("nothing", "en", ()), "point"),
        (RequestedCitation("game", "de", ()), "text"),
        (RequestedCitation("game", "en", ("0123456789",)), "sentence"),
        (RequestedCitation("game", "en", (), "maybe"), "stance"),
        (RequestedCitation("game", "en", (), "silent", "x" * 3000), "stance"),
    ],
)
def test_what_cannot_be_cited(wish: RequestedCitation, why: str) -> None:
    with pytest.raises(CannotCite, match=why):
        cited(desk(), wish)


def test_a_lock_of_another_text_is_no_ground_to_cite_on() -> None:
    now = files()
    now["books/en.lock"] = RuleFile("books/en.lock", lock_of(EN + "\nMore.\n", "en.txt"))
    stale = Desk(now.values(), TEXTS)
    assert [each.stale for each in stale.books] == [True, False]
    with pytest.raises(CannotCite, match="lock"):
        cited(stale, RequestedCitation("game", "en", mark("en", 0)))


def test_a_book_without_a_lock_gets_one() -> None:
    now = {name: each for name, each in files().items() if name != "books/en.lock"}
    found = marked(Desk(now.values(), TEXTS), "en", mark("en", 0), "flavour")
    assert found["books/en.lock"].count("flavour") == 1


def test_files_that_cannot_be_read_are_told() -> None:
    broken = Desk([RuleFile("game.yaml", GAME), RuleFile("more.yaml", "rules: [")], TEXTS)
    assert broken.faults == ["more.yaml"]
    assert broken.by_id


# ---------------------------------------------------------------- suggestions


def test_partners_of_what_is_cited_are_suggested() -> None:
    pairs = [
        Link(("en", "it"), ((1,), (0,)), 0.9),
        Link(("en", "it"), ((3,), (1,)), 0.9),
        Link(("en", "it"), ((4,), (2,)), 0.2),
    ]
    (found,) = suggested(desk(), pairs)
    assert (found.point, found.book, found.places, found.partner) == ("selling", "it", (0,), "en")
    done = cited(desk(), RequestedCitation("selling", "it", mark("it", 0)))
    assert not [*suggested(desk(done), pairs)]
    unfit = marked(desk(), "it", mark("it", 0), "flavour")
    assert not [*suggested(desk(unfit), pairs)]


def test_the_aligner_pairs_the_books_of_a_desk() -> None:
    folder = Path(__file__).parent / "pairs"
    rules = [
        RuleFile(
            "game.yaml", "lawspeaker: 1\ngame: it\nsources:\n  de: {file: d.md, language: de}\n"
        ),
        RuleFile(
            "it.yaml", "variant: it\nof: it\nsources:\n  it: {file: i.md, language: it}\n", ()
        ),
    ]
    texts = {
        "d.md": (folder / "pedlars-de.md").read_text("utf-8"),
        "i.md": (folder / "pedlars-it.md").read_text("utf-8"),
    }
    one, other = Desk(rules, texts).books
    assert len(links(one, other)) > 40
