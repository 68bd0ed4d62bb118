"""What the canonical layout looks like: ugly files, and the same files as they should be."""

from __future__ import annotations

from pathlib import Path

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.text.format import FormatMistake, formatted, frame
from lawspeaker.text.format.scalars import WIDTH
from tests.conftest import Golden
from tests.format.texts import neat

HERE = Path(__file__).parent
UGLY = sorted((HERE / "ugly").glob("*.yaml"))
NEAT = HERE / "neat"


@pytest.mark.parametrize("file", UGLY, ids=lambda file: file.stem)
def test_an_ugly_file_is_tidied_up(file: Path, golden: Golden) -> None:
    golden(neat(file.read_text(encoding="utf-8"), file.name), NEAT / file.name)


@pytest.mark.parametrize("file", UGLY, ids=lambda file: file.stem)
def test_a_neat_file_stays_as_it_is(file: Path) -> None:
    once = neat(file.read_text(encoding="utf-8"), file.name)
    assert neat(once, file.name) == once


@pytest.mark.parametrize("file", UGLY, ids=lambda file: file.stem)
def test_line_ends_and_a_byte_order_mark_make_no_difference(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert neat("\ufeff" + text.replace("\n", "\r\n")) == neat(text)


@pytest.mark.parametrize(
    "text, code",
    [
        ("rules: [", "yaml-syntax"),
        ("a: 1\na: 2\n", "duplicate-key"),
        ("rules:\n  game:\n    rule: |\n      do 3\n", "syntax"),
        ("rules:\n  game:\n    rule: >\n      finish\n", "code-style"),
        ("always:\n  fine: {holds: 1 +}\n", "syntax"),
        ("variant: x\ndemands: {small: 1 <}\n", "syntax"),
        ("", "yaml-empty"),
    ],
)
def test_a_file_with_errors_is_left_alone_and_they_are_told(text: str, code: str) -> None:
    diagnostics = Diagnostics()
    assert formatted(SourceFile("text.yaml", text), diagnostics) is None
    assert code in {each.code for each in diagnostics}


@pytest.mark.parametrize(
    "text, written",
    [
        ("by: Ann\n", "by: Ben\n"),
        ("by: '1'\n", "by: 1\n"),
        ("by: Ann # a remark\n", "by: Ann\n"),
        ("rules: {a: {as: 1 + 2}}\n", "rules: {a: {as: 1 + 3}}\n"),
        ("rules: {a: {as: 1 + 2}}\n", "rules: {a: {as: 1 +}}\n"),
        ("by: Ann\n", "by: [\n"),
    ],
)
def test_a_text_that_says_something_else_is_never_given_away(
    text: str, written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(frame, "written", lambda file, root: written)
    with pytest.raises(FormatMistake, match=r"text\.yaml"):
        formatted(SourceFile("text.yaml", text), Diagnostics())


def test_what_fits_in_a_line_stays_in_it() -> None:
    def players(width: int) -> str:
        start, end = "players: {from: 2, to: 2, called: [ann, ", "]}"
        return f"{start}{'b' * (width - len(start + end))}{end}\n"

    assert neat(players(WIDTH)) == players(WIDTH)
    assert neat(players(WIDTH + 1)).startswith("players:\n  from: 2\n")


@pytest.mark.parametrize(
    "written, spoken",
    [
        ("a apple", "an apple"),
        ("an pear", "a pear"),
        ("an one_eyed", "a one_eyed"),
        ("an hour", "an hour"),
        ("a house", "a house"),
        ("a unicorn", "a unicorn"),
        ("an uncle", "an uncle"),
    ],
)
def test_an_article_is_as_spoken_or_else_as_written(written: str, spoken: str) -> None:
    rules = "rules:\n  game:\n    rule: |\n      move {} in box to lid\n"
    assert neat(rules.format(written)) == rules.format(spoken)


def test_scenarios_hold_no_code() -> None:
    text = "scenario: x\nrules:\n  game:\n    rule: do do   do\n"
    assert neat(text) == text
