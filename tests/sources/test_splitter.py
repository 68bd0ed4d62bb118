"""Texts are taken apart into headings and sentences, as the splitter's docstring says."""

from __future__ import annotations

import pytest

from lawspeaker.base.source import SourceFile
from lawspeaker.study.sources.splitter import split
from lawspeaker.text.books.fingerprint import fingerprint, heading_key, normalised
from lawspeaker.text.books.outline import Text
from tests.sources.books import EDITIONS, text


def parted(written: str) -> Text:
    return split(SourceFile("book.txt", written))


def sentences(written: str) -> list[str]:
    return [each.text for each in parted(written).sentences]


# ---------------------------------------------------------------- fingerprints


@pytest.mark.parametrize(
    "one, two",
    [
        ("Take **one** card.", "take one card"),
        ("Take one\n  card!", "Take one card."),
        ("“Take” one-card", "take one card"),
        ("① Take one card (4x)", "1 Take one card 4x"),
        ("Ko\u0308nige", "KÖNIGE"),
    ],
)
def test_a_print_is_about_words(one: str, two: str) -> None:
    assert normalised(one) == normalised(two)
    assert fingerprint(one) == fingerprint(two)


def test_a_print_is_the_start_of_a_hash() -> None:
    # printf 'take one card' | sha256sum | cut -c 1-10
    assert fingerprint("Take one card.") == "603c472d42"
    assert fingerprint("Take two cards.") != fingerprint("Take one card.")


def test_headings_are_known_without_their_numbers() -> None:
    assert heading_key("2. THE TURN:") == heading_key("The turn") == "the turn"


# ---------------------------------------------------------------- sentences


@pytest.mark.parametrize(
    "written, expected",
    [
        ("Draw a card. Then play one! Who wins?", ["Draw a card.", "Then play one!", "Who wins?"]),
        ("Draw a card (see Cards). Then play.", ["Draw a card (see Cards).", "Then play."]),
        ("Ask “Do you pass?” and wait.", ["Ask “Do you pass?” and wait."]),
        (
            "Der Erste, z. B. Anna, beginnt. Dann wir.",
            ["Der Erste, z. B. Anna, beginnt.", "Dann wir."],
        ),
        ("Der 1. Platz gewinnt.", ["Der 1. Platz gewinnt."]),
        ("Ann has 3, Ben 2. The lowest is 2. So it ends.", None),
        ("One point each. (4x)", ["One point each. (4x)"]),
        ("One point. (4x) Next card.", ["One point. (4x)", "Next card."]),
        (
            "Take one. (The first player takes ten, the second nine etc.) Note: keep it.",
            ["Take one.", "(The first player takes ten, the second nine etc.)", "Note: keep it."],
        ),
        ("The prize: 4 / 2 / 1.", ["The prize: 4 / 2 / 1."]),
        (
            "Lose: he goes. The other stays; he wins.",
            ["Lose: he goes.", "The other stays; he wins."],
        ),
    ],
)
def test_where_sentences_end(written: str, expected: list[str] | None) -> None:
    if expected is None:
        expected = ["Ann has 3, Ben 2.", "The lowest is 2.", "So it ends."]
    assert sentences(written) == expected


def test_lines_go_on_and_blank_lines_part() -> None:
    found = parted("Draw a\ncard. Then\nplay.\n\nAnd score it.\n").sentences
    assert [(each.line, each.text) for each in found] == [
        (1, "Draw a card."),
        (2, "Then play."),
        (5, "And score it."),
    ]


def test_items_of_a_list_are_sentences_without_their_marks() -> None:
    written = "You may:\n- 1. **draw** a card\n 2) pass\n→ score\n— wait\n3a) go home. Rest.\n"
    assert sentences(written) == [
        "You may:",
        "draw a card",
        "pass",
        "score",
        "wait",
        "go home.",
        "Rest.",
    ]


def test_cells_of_a_table_are_sentences() -> None:
    row = "\t<p>One point (4x)</p>\t\t<p>Two points. <b>Note:</b> once</p>\n"
    written = f"{row}---\t---\t---\n3 | 60 min\n"
    assert sentences(written) == ["One point (4x)", "Two points.", "Note: once", "3", "60 min"]


def test_noise_is_left_out() -> None:
    assert sentences("A *card*<sup>2</sup> is **drawn**.\n\n\n***\n---\n") == ["A card is drawn."]


# ---------------------------------------------------------------- headings


def test_headings_of_marked_texts() -> None:
    found = parted(
        "# GAME<sup>1.0</sup>\n\nFor all\n\n## **1. Turn:**\n\nPlay.\n\n"
        "### • Cards (all)\n\nDraw.\n"
    )
    assert [(each.text, each.level) for each in found.headings] == [
        ("GAME", 1),
        ("1. Turn", 2),
        ("Cards (all)", 3),
    ]
    assert [[heading.text for heading in each.headings] for each in found.sentences] == [
        ["GAME"],
        ["GAME", "1. Turn"],
        ["GAME", "1. Turn", "Cards (all)"],
    ]
    cards = found.headings[-1]
    assert cards.is_called("cards")
    assert cards.is_called("Cards (all)")
    assert not cards.is_called("all")


def test_headings_of_plain_texts() -> None:
    written = """THE GAME

18 tiles

For: all

the turn

1. Drawing

Take a card.

Go on

1. draw
2. play
"""
    found = parted(written)
    assert [each.text for each in found.headings] == ["THE GAME", "the turn", "1. Drawing", "Go on"]
    assert [each.text for each in found.sentences] == [
        *("18 tiles", "For: all", "Take a card.", "draw", "play")
    ]


def test_headings_in_capitals_stand_above_the_others() -> None:
    written = """THE GAME

About it

All play.

KING (4x)
Ruler of all

Takes one.

QUEEN (2x)

her own

Takes two.
JACK
is no heading here.

NO (not here).
"""
    found = parted(written)
    assert [(each.text, each.level) for each in found.headings] == [
        ("THE GAME", 1),
        ("About it", 2),
        ("KING (4x)", 1),
        ("Ruler of all", 2),
        ("QUEEN (2x)", 1),
        ("her own", 2),
    ]
    assert [(each.text, *(above.text for above in each.headings)) for each in found.sentences] == [
        ("All play.", "THE GAME", "About it"),
        ("KING (4x)", "KING (4x)"),
        ("Takes one.", "KING (4x)", "Ruler of all"),
        ("QUEEN (2x)", "QUEEN (2x)"),
        ("Takes two.", "QUEEN (2x)", "her own"),
        ("JACK is no heading here.", "QUEEN (2x)", "her own"),
        ("NO (not here).", "QUEEN (2x)", "her own"),
    ]
    assert found.headings[2].is_called("King")


def test_headings_within_a_line() -> None:
    found = parted(
        "# A\n\n→ **setup** | Mix. | Deal.\n\n**Sale:** Sell a card. Pay.\n\n**All.** Rest\n"
    )
    assert [(each.text, each.headings[-1].text) for each in found.sentences] == [
        ("Mix.", "setup"),
        ("Deal.", "setup"),
        ("Sale: Sell a card.", "Sale"),
        ("Pay.", "Sale"),
        ("All.", "A"),
        ("Rest", "A"),
    ]


# ---------------------------------------------------------------- the real texts


@pytest.mark.parametrize(
    "name, headings, sentences",
    [
        ("walhalla", 19, 191),
        ("walhalla+german_attacke", 18, 185),
        ("walhalla+italian", 24, 203),
        ("walhalla+french", 14, 61),
    ],
)
def test_books_split_into_the_counted_sentences(name: str, headings: int, sentences: int) -> None:
    found = text(name, EDITIONS[name])
    assert (len(found.headings), len(found.sentences)) == (headings, sentences)
    lines = [each.line for each in found.sentences]
    assert lines == sorted(lines)
    assert all(each.headings or each.line < 12 for each in found.sentences)
    assert not [each for each in found.sentences if "**" in each.text or "<p>" in each.text]


def test_the_two_german_texts_differ_in_few_sentences() -> None:
    one, two = text("walhalla", "de"), text("walhalla+german_attacke", "de_attacke")
    prints, others = ({each.print for each in found.sentences} for found in (one, two))
    assert len(prints & others) == 177
    assert len(others - prints) == 7
