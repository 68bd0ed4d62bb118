"""How diagnostics look, and their shape as JSON."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from lawspeaker.base.diagnostics import Diagnostic, Diagnostics, Label
from lawspeaker.base.source import NOWHERE, SourceFile, Span
from lawspeaker.faces.render.diagnostics import text, to_json

FILE = SourceFile("rules/game.yaml", "name: Game\ntile:\n  colr: red\n  color: blue\n")
OTHER = SourceFile("variants/x.yaml", "set: 1\n")


def span(file: SourceFile, word: str) -> Span:
    start = file.text.index(word)
    return Span(file, start, start + len(word))


def test_the_whole_picture() -> None:
    found = Diagnostics()
    found.error(
        "unknown-key",
        "'colr' is not a key of 'tile'",
        span(FILE, "colr"),
        Label(span(FILE, "color"), "this is one"),
        Label(span(OTHER, "set"), "set here"),
        Label(NOWHERE, "built in"),
        hint="did you mean 'color'?",
    )
    found.warning("unused", "nothing reads this", span(OTHER, "1"))
    found.error("early", "first", span(FILE, "Game"))
    assert text(found) == (
        "rules/game.yaml:1:7: error[early]: first\n"
        " 1 | name: Game\n"
        "   |       ^^^^\n"
        "\n"
        "rules/game.yaml:3:3: error[unknown-key]: 'colr' is not a key of 'tile'\n"
        " 3 |   colr: red\n"
        "   |   ^^^^\n"
        " 4 |   color: blue\n"
        "   |   ----- this is one\n"
        "   --> variants/x.yaml:1:1\n"
        " 1 | set: 1\n"
        "   | --- set here\n"
        "note: built in\n"
        "hint: did you mean 'color'?\n"
        "\n"
        "variants/x.yaml:1:6: warning[unused]: nothing reads this\n"
        " 1 | set: 1\n"
        "   |      ^\n"
        "\n"
        "2 errors, 1 warning in 2 files\n"
    )


def excerpt(source: str, start: int, end: int, width: int = 100) -> list[str]:
    file = SourceFile("f", source)
    return text([Diagnostic("c", "m", Span(file, start, end))], width=width).splitlines()[1:3]


def test_no_diagnostics_are_rendered_as_nothing() -> None:
    assert text(Diagnostics()) == ""
    assert to_json(Diagnostics()) == []


def test_the_last_line_counts_errors_and_warnings() -> None:
    one = Diagnostic("c", "m", span(FILE, "red"))
    assert text([one]).endswith("\n\n1 error in 1 file\n")
    assert text([one], left_out=3).endswith("\n\n1 error in 1 file (3 more not shown)\n")
    assert text([Diagnostic("c", "m", NOWHERE, severity="warning")]) == (
        "warning[c]: m\n\n1 warning\n"
    )
    found = Diagnostics(most=1)
    found.error("c", "m", span(FILE, "red"))
    found.error("c", "m", span(FILE, "blue"))
    assert "1 error in 1 file (1 more not shown)" in text(found)


def test_several_lines_are_marked_on_the_first() -> None:
    assert excerpt("a: |  \n  b\nc: 1\n", 3, 10) == [" 1 | a: |", "   |    ^"]


def test_empty_places_get_one_mark() -> None:
    assert excerpt("a:\n", 2, 2) == [" 1 | a:", "   |   ^"]
    assert excerpt("", 0, 0) == [" 1 |", "   | ^"]
    assert excerpt("ab\n\n", 4, 4) == [" 3 |", "   | ^"]


def test_the_gutter_fits_the_longest_number() -> None:
    file = SourceFile("f", "x\n" * 120)
    place, label = Span(file, 230, 231), Label(Span(file, 0, 1), "there")
    assert text([Diagnostic("c", "m", place, (label,))]).splitlines()[1:5] == [
        " 116 | x",
        "     | ^",
        "   1 | x",
        "     | - there",
    ]


def test_wide_combining_and_tabs() -> None:
    assert excerpt("日本: x", 4, 5) == [" 1 | 日本: x", "   |       ^"]
    assert excerpt("e\u0301a: x", 2, 3) == [" 1 | e\u0301a: x", "   |  ^"]
    assert excerpt("日本", 1, 2) == [" 1 | 日本", "   |   ^^"]
    assert excerpt("a\tb", 2, 3) == [" 1 | a   b", "   |     ^"]
    assert excerpt("\tb", 0, 1) == [" 1 |     b", "   | ^^^^"]
    assert excerpt("👩‍🚀 x", 4, 5) == [" 1 | 👩‍🚀 x", "   |    ^"]


def test_byte_order_mark_and_carriage_returns() -> None:
    assert excerpt("\ufeffa: b\r\nc\r\n", 4, 5) == [" 1 | a: b", "   |    ^"]


def test_long_lines_are_cut_around_the_place() -> None:
    source = "x" * 300 + "HERE" + "y" * 300
    line, marks = excerpt(source, 300, 304, width=60)
    assert len(line) <= 60
    assert "…xx" in line
    assert "yy…" in line
    assert line[marks.index("^") : marks.index("^") + 4] == "HERE"
    line, marks = excerpt(source, 0, 1, width=60)
    assert line.startswith(" 1 | xxx")
    assert line.endswith("…")
    assert len(line) <= 60
    line, marks = excerpt(source, 603, 604, width=60)
    assert line.endswith("yyy")
    assert "…" in line
    assert line[marks.index("^")] == "y"


def test_a_terminal_is_not_acted_upon() -> None:
    file = SourceFile("f\x1b[2J", "a\x1b[31mb\u202e\n")
    for colour in (False, True):
        shown = text(
            [Diagnostic("c", "m\x1b]0;x\x07", Span(file, 1, 2), (), "h\nh\x9b")], colour=colour
        )
        for bad in ("\x1b[2J", "\x1b]", "\x07", "\x9b", "\u202e", "a\x1b"):
            assert bad not in shown
    assert "\x1b" not in text([Diagnostic("c", "m\x1b", Span(file, 1, 2))])


def test_colour_only_when_asked() -> None:
    one = Diagnostic("c", "m", span(FILE, "red"), (Label(span(FILE, "blue"), "l"),), "h")
    coloured = text([one], colour=True)
    assert "\x1b[" in coloured
    assert "\x1b[" not in text([one])
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == text([one])


def test_hints_are_wrapped() -> None:
    one = Diagnostic("c", "m", NOWHERE, (), "word " * 30)
    lines = text([one], width=40).splitlines()[1:-2]
    assert len(lines) > 3
    assert all(len(line) <= 40 for line in lines)
    assert lines[0].startswith("hint: word")
    assert lines[1].startswith("      word")


def test_json_has_the_place_the_labels_and_the_hint() -> None:
    one = Diagnostic(
        "c", "m", Span(FILE, 6, 16), (Label(NOWHERE, "l"), Label(span(OTHER, "set"), "k")), "h"
    )
    [data] = json.loads(json.dumps(to_json([one])))
    assert data == {
        "file": "rules/game.yaml",
        "line": 1,
        "column": 7,
        "end_line": 2,
        "end_column": 6,
        "code": "c",
        "severity": "error",
        "message": "m",
        "hint": "h",
        "labels": [
            {
                "file": None,
                "line": None,
                "column": None,
                "end_line": None,
                "end_column": None,
                "text": "l",
            },
            {
                "file": "variants/x.yaml",
                "line": 1,
                "column": 1,
                "end_line": 1,
                "end_column": 4,
                "text": "k",
            },
        ],
    }


@given(
    st.text(alphabet="ab 日😀é\u0301\t\x07\u200d\r\n👩", max_size=60),
    st.integers(0, 60),
    st.integers(0, 20),
    st.integers(10, 80),
)
def test_marks_stand_under_the_place(source: str, start: int, length: int, width: int) -> None:
    start = min(start, len(source))
    place = Span(SourceFile("f", source), start, min(start + length, len(source)))
    line, marks = text([Diagnostic("c", "m", place)], width=width).splitlines()[1:3]
    assert cell_len(line) <= max(width, 20) + 8
    assert set(marks.partition("|")[2]) <= {" ", "^"}
    assert "^" in marks


@pytest.mark.parametrize("colour", [False, True])
def test_wide_lines_with_many_faults_are_quick(colour: bool) -> None:
    file = SourceFile("f", "日" * 500_000)
    faults = [Diagnostic("c", "m", Span(file, at, at + 1)) for at in range(0, 500_000, 5_000)]
    assert text(faults, colour=colour).count("error[c]") == 100
