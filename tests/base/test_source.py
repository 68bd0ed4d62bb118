"""Places in files: lines, columns and line breaks."""

import pickle

from hypothesis import given
from hypothesis import strategies as st

from lawspeaker.base.source import NOWHERE, SourceFile, Span


def positions(text: str) -> list[tuple[int, int]]:
    file = SourceFile("f", text)
    return [file.position(offset) for offset in range(len(text) + 1)]


def test_lines_and_columns_count_from_one() -> None:
    assert positions("ab\nc") == [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)]


def test_all_three_line_breaks() -> None:
    file = SourceFile("f", "a\r\nb\rc\nd")
    assert [file.line_text(line) for line in (1, 2, 3, 4)] == ["a", "b", "c", "d"]
    assert file.line_count == 4
    assert file.position(file.text.index("d")) == (4, 1)


def test_other_separators_break_no_line() -> None:
    assert SourceFile("f", "a\x0bb\x0cc\u2028d\x85e").line_count == 1


def test_columns_count_characters() -> None:
    assert SourceFile("f", "😀é日x").position(3) == (1, 4)


def test_a_byte_order_mark_takes_no_column() -> None:
    file = SourceFile("f", "\ufeffab\ncd")
    assert file.position(0) == (1, 1)
    assert file.position(1) == (1, 1)
    assert file.position(2) == (1, 2)
    assert file.position(4) == (2, 1)
    assert file.line_text(1) == "ab"


def test_offsets_outside_are_moved_inside() -> None:
    file = SourceFile("f", "ab")
    assert file.position(-5) == (1, 1)
    assert file.position(99) == (1, 3)


def test_an_empty_file_has_one_empty_line() -> None:
    file = SourceFile("f", "")
    assert (file.line_count, file.line_text(1), file.position(0)) == (1, "", (1, 1))


def test_spans_have_line_column_and_text() -> None:
    file = SourceFile("a.yaml", "one\ntwo three")
    two, three = Span(file, 4, 7), Span(file, 8, 13)
    assert (two.line, two.column, two.text) == (2, 1, "two")
    assert two.to(three).text == "two three"
    assert str(three) == "a.yaml:2:5"
    assert three.known
    assert not NOWHERE.known
    assert NOWHERE.text == ""


def test_spans_are_values() -> None:
    span = Span(SourceFile("f", "text"), 1, 2)
    assert span == Span(SourceFile("f", "text"), 1, 2)
    assert span.line == 1
    assert pickle.loads(pickle.dumps(span)) == span
    assert (
        len({span, Span(SourceFile("f", "text"), 1, 2), Span(SourceFile("g", "text"), 1, 2)}) == 2
    )


@given(st.text(alphabet="ab\r\n😀", max_size=40))
def test_position_and_line_start_agree(text: str) -> None:
    file = SourceFile("f", text)
    for offset in range(len(text) + 1):
        line, column = file.position(offset)
        assert file.line_start(line) + column - 1 == offset
    expected = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    assert [file.line_text(line + 1) for line in range(file.line_count)] == expected
