"""What cannot be seen, what looks strange, and what looks the same."""

from __future__ import annotations

import unicodedata

import pytest

from lawspeaker.base import lettering

HONEST = """
Ann Анна Αθηνά 日本語 あン太郎A 한국어漢字 नमस्ते שלום עִבְרִית ไทย العربية Łódź Straße Þór Æ
1ª m² №5 Ⅳ ﬁsh O’Neil ʻOkina µm Ω β-test ﾊﾝｶｸ K2 ½ ★ ❤️ ♠ 👩‍👩‍👧‍👦 1️⃣
""".split()


@pytest.mark.parametrize(
    "name", [*HONEST, "Ann Анна", "Ω mega", "e\u0301te\u0301", "می\u200cخواهم"]
)
def test_honest_names_of_all_alphabets_are_welcome(name: str) -> None:
    assert lettering.unseen(name) is None
    assert lettering.strange(name) is None
    assert lettering.strange(unicodedata.normalize("NFD", name)) is None


@pytest.mark.parametrize(
    "name, trouble",
    [
        ("\u0430nn", "U+0430 (cyrillic small letter a) and U+006E (latin small letter n)"),
        ("Ann\u03b1", "U+0041 (latin capital letter a) and U+03B1 (greek small letter alpha)"),
        ("日本\u0430", "different alphabets"),
        ("A日本\u0430", "different alphabets"),
        ("\uff21nn", "U+FF21 (fullwidth latin capital letter a) is drawn like `A`"),
        ("\U0001d482nn", "is drawn like `a`"),
        ("\u0301nn", "stands on no letter"),
        ("Ann \u0301", "stands on no letter"),
        ("a" + "\u0316\u0317\u0318\u0319\u031c", "too many marks"),
        ("An\u200dn", "U+200D (zero width joiner) cannot be seen"),
        ("An\u034fn", "cannot be seen"),
        ("Ann\ufe0f", "cannot be seen"),
        ("\u3164", "U+3164 (hangul filler) cannot be seen"),
        ("\u202eAnn", "U+202E (right-to-left override) cannot be seen"),
    ],
)
def test_strange_names_are_told_why(name: str, trouble: str) -> None:
    told = lettering.strange(name)
    assert told is not None
    assert trouble in told


@pytest.mark.parametrize("number", [*range(0x20), *range(0x7F, 0xA0), *range(0x200B, 0x2010)])
def test_what_has_no_width_is_not_seen(number: int) -> None:
    if chr(number) not in "\t\n\r":
        assert lettering.unseen(f"An{chr(number)}n") == chr(number)
        assert lettering.without_unseen(f"An{chr(number)}n") == "An n"


def test_no_format_character_passes_unseen_in_a_latin_word() -> None:
    """All there are, but those of Arabic and such, which are drawn."""
    drawn = set(range(0x600, 0x606)) | {0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
    passing = [
        number
        for number in range(0x110000)
        if unicodedata.category(chr(number)) == "Cf"
        and lettering.unseen(f"a{chr(number)}b") is None
    ]
    rest = {each for each in set(passing) - drawn if not 0x13430 <= each < 0x13460}
    assert {each for each in rest if not 0x1BCA0 <= each <= 0x1BCA3} == set()


@pytest.mark.parametrize(
    "one, two, same",
    [
        ("Ann", "\u0410nn", True),
        ("Coca", "\u0421\u043e\u0441\u0430", True),
        ("Ann", "\uff21nn", True),
        ("Ann", "A\u200bnn", True),
        ("Ann", "A  nn".replace("  ", "\u00ad"), True),
        ("O'Neil", "O\u2019Neil", True),
        ("été", "e\u0301te\u0301", True),
        ("Ann", "Anna", False),
        ("Masse", "Maße", False),
        ("x2", "x²", False),
        ("Anna", "Анна", False),
        ("Kö", "Ko", False),
    ],
)
def test_names_that_look_the_same_have_one_skeleton(one: str, two: str, same: bool) -> None:
    assert (lettering.skeleton(one) == lettering.skeleton(two)) == same


def test_letters_that_only_look_like_plain_ones_are_named() -> None:
    assert lettering.mistaken("ann") is None
    assert lettering.mistaken("é") is None
    told = lettering.mistaken("\u0430nn")
    assert told == "U+0430 (cyrillic small letter a) only looks like `a`"
