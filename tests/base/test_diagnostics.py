"""Collecting messages, and finding the word that was meant."""

import pickle

import pytest

from lawspeaker.base.diagnostics import (
    Diagnostic,
    Diagnostics,
    Label,
    RulesError,
    did_you_mean,
    nearest,
)
from lawspeaker.base.source import NOWHERE, SourceFile, Span

A, B = SourceFile("a", "0123456789" * 20), SourceFile("b", "0123456789" * 20)


def span_at(file: SourceFile, offset: int) -> Span:
    return Span(file, offset, offset + 1)


def test_sorted_by_first_appearance_of_file_then_offset() -> None:
    found = Diagnostics()
    for file, offset in ((B, 5), (A, 7), (B, 2), (A, 1)):
        found.error("c", f"{file.name}{offset}", span_at(file, offset))
    assert [each.message for each in found.sorted()] == ["b2", "b5", "a1", "a7"]
    assert [each.message for each in found] == ["b5", "a7", "b2", "a1"]


def test_identical_ones_are_kept_once() -> None:
    found = Diagnostics()
    for hint in (None, None, "x"):
        found.error("c", "m", span_at(A, 1), hint=hint)
    found.warning("c", "m", span_at(A, 1))
    assert len(found) == 3
    assert found.left_out == 0


def test_truth_means_errors() -> None:
    found = Diagnostics()
    assert not found
    assert not found.has_errors
    found.warning("c", "m", span_at(A, 1))
    assert not found
    assert len(found) == 1
    found.error("c", "m", span_at(A, 1), Label(span_at(B, 1), "there"), hint="h")
    assert found
    assert found.has_errors
    assert list(found)[1].labels == (Label(span_at(B, 1), "there"),)


def test_it_stops_after_a_hundred_errors() -> None:
    found = Diagnostics()
    for offset in range(130):
        found.error("c", "m", span_at(A, offset))
    found.warning("c", "m", span_at(A, 0))
    assert (len(found), found.left_out, found.full) == (100, 31, True)
    more = Diagnostics()
    more.error("d", "m", NOWHERE)
    more.extend(found)
    assert (len(more), more.left_out) == (100, 32)


def test_warnings_do_not_crowd_out_errors() -> None:
    found = Diagnostics()
    for offset in range(130):
        found.warning("c", "m", span_at(A, offset))
    found.error("c", "m", span_at(A, 0))
    assert (len(found), found.left_out, found.full) == (101, 30, False)


def test_rules_error_says_all_briefly() -> None:
    found = Diagnostics()
    found.error("late", "two", span_at(A, 4))
    found.error("early", "one", span_at(A, 2))
    found.error("void", "none", NOWHERE)
    error = RulesError(found)
    assert str(error) == "a:1:3: early: one\na:1:5: late: two\nvoid: none"
    assert [each.code for each in error.diagnostics] == ["early", "late", "void"]
    assert pickle.loads(pickle.dumps(error)).diagnostics == error.diagnostics


def test_rules_error_counts_what_was_left_out() -> None:
    found = Diagnostics(most=1)
    found.error("c", "m", span_at(A, 1))
    found.error("c", "m", span_at(A, 2))
    assert str(RulesError(found)) == "a:1:2: c: m\nand 1 more"


def test_a_diagnostic_is_a_value() -> None:
    assert Diagnostic("c", "m", span_at(A, 1)) == Diagnostic("c", "m", span_at(A, 1))


WORDS = ["hand", "hands_dealt", "hand_size", "colour", "components", "setup", "turn", "to", "city"]


@pytest.mark.parametrize(
    "word, meant",
    [
        ("hnad", "hand"),
        ("Hand", "hand"),
        ("HAND-SIZE", "hand_size"),
        ("size_hand", "hand_size"),
        ("handsize", "hand_size"),
        ("color", "colour"),
        ("compnents", "components"),
        ("component", "components"),
        ("cities", "city"),
        ("turns", "turn"),
        ("stepu", "setup"),
        ("truns", "turn"),
        ("seven", None),
        ("comp", "components"),
        ("ot", "to"),
        ("x", None),
        ("zz", None),
        ("dragon", None),
        ("", None),
    ],
)
def test_nearest_finds_a_word_with_a_slip(word: str, meant: str | None) -> None:
    assert nearest(word, WORDS) == meant


def test_nearest_prefers_fewer_slips_and_is_stable() -> None:
    assert nearest("bat", ["bait", "cat", "bats"]) == "bats"
    assert nearest("bax", ["bay", "bat"]) == nearest("bax", ["bat", "bay"]) == "bat"


def test_nearest_never_gives_the_word_itself() -> None:
    assert nearest("turn", ["turn"]) is None
    assert nearest("turn", ["turn", "turns"]) == "turns"


def test_nearest_is_quick_on_long_words() -> None:
    assert nearest("a" * 100_000, ["a" * 99_999] * 100) is None


def test_did_you_mean() -> None:
    assert did_you_mean("hnad", WORDS) == "did you mean 'hand'?"
    assert did_you_mean("dragon", WORDS) is None
