"""No word of any one game in the interpreter: games are data.

Words are looked for in code, comments and texts alike, also inside names such as `viking_count` or
`VikingShip`, in small or capital letters, with or without accents. Besides the list below, every
game in rules/ forbids its own folder's name, unless that is a word of boards in general, or of
everyday English.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.repo.checkout import ROOT, files, text_of

WORDS = """
    vikings? fjords? walhalla valhalla drakkars? longships? midgard asgard peninsulas? headlands?
    trolls? skadi fenrirs? valkyr(y|ie|ies) jotunn? jotnar ni[od]hogg(r|s)? voluspa hermod odin thor
    freya loki yggdrasil
""".split()
COMMON = frozenset({"go", "hex"})
SUFFIXES = frozenset(
    {".py", ".lark", ".json", ".toml", ".html", ".css", ".js", ".wat", ".md", ".txt"}
)


def words(text: str) -> list[str]:
    """The words of a text in small letters without accents, names taken apart."""
    bare = "".join(
        sign for sign in unicodedata.normalize("NFKD", text) if not unicodedata.combining(sign)
    )
    parted = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", " ", bare)
    return re.findall(r"[a-z]+", parted.lower())


def forbidden(games: Iterator[str]) -> re.Pattern[str]:
    """What may not occur among words that are joined by single spaces."""
    names = (" ".join(words(game)) for game in games)
    return re.compile(rf"\b(?:{'|'.join((*WORDS, *filter(None, names)))})\b")


def game_names() -> Iterator[str]:
    names = (folder.name for folder in sorted((ROOT / "rules").glob("*/")) if folder.is_dir())
    return (name for name in names if name not in COMMON)


@pytest.mark.full
def test_no_word_of_a_game_in_the_interpreter() -> None:
    pattern = forbidden(game_names())
    found = [
        f"{file.as_posix()}:{number}: {match.group()}"
        for file in files()
        if file.parts[0] == "interpreter" and file.suffix in SUFFIXES
        for number, line in enumerate((text_of(file) or "").splitlines(), start=1)
        if (match := pattern.search(" ".join(words(line))))
    ]
    assert not found, "\n" + "\n".join(found)


def test_no_file_of_the_interpreter_is_named_for_a_game() -> None:
    pattern = forbidden(game_names())
    inside = [file for file in files() if file.parts[0] == "interpreter"]
    assert inside
    named = [file for file in inside if pattern.search(" ".join(words(str(file))))]
    assert not named


@pytest.mark.parametrize(
    "text",
    ["a Viking", "viking_count", "VIKINGS", "class FjordTile:", "Völuspá", "nim game", "NimGame"],
)
def test_a_forbidden_word_is_seen(text: str) -> None:
    assert forbidden(iter(["nim-game"])).search(" ".join(words(text)))


@pytest.mark.parametrize(
    "text", ["author", "trolley", "controls", "game, nim", Path(__file__).stem]
)
def test_a_harmless_word_is_not(text: str) -> None:
    assert not forbidden(iter(["nim-game"])).search(" ".join(words(text)))
