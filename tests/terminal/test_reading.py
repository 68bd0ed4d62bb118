"""What is typed, read as a choice or a command; and the phrases in every language."""

from __future__ import annotations

import ast
import re
from string import Formatter

import pytest

from lawspeaker.base.phrases import LANGUAGES, phrase, phrases, word
from lawspeaker.faces.play.input import COMMANDS, TypedOption, command, find, words_of
from lawspeaker.match import undo
from tests.repo.checkout import PACKAGE

BOARD = [
    TypedOption(text, (canonical,))
    for text, canonical in (
        ("an Bord: niemand", "board none"),
        ("an Bord: Bug", "board seat bow"),
        ("an Bord: Mitte", "board seat middle"),
        ("an Bord: Bug + Mitte", "board seat bow + seat middle"),
    )
]
DOCK = [
    TypedOption(f"in Fjord {number} anlegen, {name} voran", (f"dock fjord {number}, {end}_first",))
    for number in (1, 2)
    for name, end in (("Bug", "bow"), ("Heck", "stern"))
]
FIELDS = [
    TypedOption("land on peninsula 1 row 2 (cult)", ("go_ashore field 1 2",)),
    TypedOption("land on peninsula 2 row 2 (forest 2)", ("go_ashore field 2 2",)),
]
SPOTS = [TypedOption(f"lay spot {x} {y}", ()) for x in (-1, 0, 1) for y in (-1, 0, 1)]
BIDS = [TypedOption(f"bid {count} × {face}", ()) for count in (1, 2) for face in (1, 2)]
LETTERS = [TypedOption(text, ()) for text in ("Ærø → Łódź", "Hügel – Tür", "Hügel – Oase")]
BELOW = [TypedOption(f"lay spot \N{MINUS SIGN}1 {y}", ()) for y in (0, 1)]
SIGNS = [TypedOption("a + b", ()), TypedOption("a, b", ()), TypedOption("a, b, c", ())]


@pytest.mark.parametrize(
    "choices, text, found",
    [
        (BIDS, "bid 2 × 1", [2]),
        (BIDS, "bid 2 x 1", [2]),
        (BIDS, "2X1", [2]),
        (BIDS, "2 * 1", [2]),
        (BIDS, "x", []),
        (LETTERS, "aero -> lodz", [0]),
        (LETTERS, "AERO", [0]),
        (LETTERS, "huegel - tuer", [1]),
        (LETTERS, "hugel - tur", [1]),
        (BOARD, "an Bord: Bug", [1]),
        (BOARD, "AN BORD BUG", [1]),
        (BOARD, "board seat bow", [1]),
        (BOARD, "bug", [1]),
        (BOARD, "mitte bug", [3]),
        (BOARD, "seat bow + seat middle", [3]),
        (BOARD, "niem", [0]),
        (BOARD, "an bord", [0, 1, 2, 3]),
        (BOARD, "Heck", []),
        (BOARD, "", []),
        (BOARD, "++", []),
        (DOCK, "in fjord 2 anlegen, heck voran", [3]),
        (DOCK, "dock fjord 2, stern_first", [3]),
        (DOCK, "fjord 2 heck", [3]),
        (DOCK, "2 heck", [3]),
        (DOCK, "f 1 b", [0]),
        (DOCK, "fjord 2", [2, 3]),
        (DOCK, "fjord 3", []),
        (FIELDS, "cult", [0]),
        (FIELDS, "forest", [1]),
        (FIELDS, "peninsula 2", [1]),
        (FIELDS, "land", [0, 1]),
        (FIELDS, "field 2 1", []),
        (FIELDS, "row 2 peninsula 1", []),
        (SPOTS, "lay spot 1 0", [7]),
        (SPOTS, "lay spot -1 0", [1]),
        (SPOTS, "lay spot \N{MINUS SIGN}1 -1", [0]),
        (SPOTS, "spot 0 1", [5]),
        (SPOTS, "0 -1", [3]),
        (BELOW, "spot -1 1", [1]),
        (SPOTS, "spot -1", [0, 1, 2, 3, 6]),
        (SIGNS, "a + b", [0]),
        (SIGNS, "A, b", [1]),
        (SIGNS, "a b", [0, 1]),
    ],
)
def test_typed_text_finds_its_options(
    choices: list[TypedOption], text: str, found: list[int]
) -> None:
    assert find(choices, text) == found


def test_accents_may_be_left_out() -> None:
    assert words_of("Zurück, s'il te plaît: Größe_2") == "zuruck s il te plait grosse 2".split()
    assert find([TypedOption("débarquer", ()), TypedOption("rester", ())], "debarquer") == [0]


@pytest.mark.parametrize(
    "text, language, found",
    [
        ("help", "en", ("help", "")),
        ("HELP me", "en", ("help", "me")),
        ("?", "de", ("rule", "")),
        ("? wheat", "de", ("rule", "wheat")),
        ("?wheat", "en", ("rule", "wheat")),
        ("why dock fjord 2", "de", ("why", "dock fjord 2")),
        ("warum Fjord 2", "de", ("why", "Fjord 2")),
        ("zurück", "de", ("undo", "")),
        ("zuruck", "de", ("undo", "")),
        ("perche x", "it", ("why", "x")),
        ("règles blé", "fr", ("rules", "blé")),
        ("log", "fr", ("events", "")),
        ("warum", "en", None),
        ("whyever", "en", None),
        ("dock", "en", None),
    ],
)
def test_commands_are_recognised_in_each_language(
    text: str, language: str, found: tuple[str, str] | None
) -> None:
    assert command(text, language) == found


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_has_its_own_word(language: str) -> None:
    names = [phrase(f"command.{name}", language) for name in COMMANDS]
    assert len(set(names)) == len(names)
    for name in COMMANDS:
        assert command(phrase(f"command.{name}", language), language) == (name, "")
        assert command(name, language) == (name, "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_languages_say_the_same(language: str) -> None:
    english = phrases("en")
    assert list(phrases(language)) == list(english)
    for key, text in phrases(language).items():
        assert text.strip() == text
        assert _fields(text) == _fields(english[key]), key


@pytest.mark.full
def test_every_phrase_that_is_asked_for_is_there() -> None:
    asked = [
        node.args[0].value
        for file in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        if node.func.id == "phrase" and isinstance(node.args[0], ast.Constant)
    ]
    assert len(asked) > 50
    assert not set(asked) - set(phrases("en"))


def _fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_phrases_speak_of_no_command_that_is_not_there() -> None:
    for language in LANGUAGES:
        known = {phrase(f"command.{name}", language) for name in COMMANDS}
        for key in ("why.what", "rules.what", "save.what", "undo.anyway"):
            text = phrase(key, language)
            said = re.findall(r": ([^\W\d]+) ", text) or [text.rsplit()[-2]]
            assert said[-1] in known, (language, key)


def test_every_barrier_to_going_back_has_its_words() -> None:
    kinds = re.findall(r"^    (\w+) {2,}\S", undo.__doc__ or "", re.MULTILINE)
    assert {"answered", "luck", "told"} <= set(kinds)
    for kind in kinds:
        assert f"undo.{kind}" in phrases("en")


def test_an_unknown_language_is_answered_in_english() -> None:
    assert phrase("word.points", "xx") == "points"
    assert word("pass", "xx") == "pass"
    assert word("king", "de") is None
