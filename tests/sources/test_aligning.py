"""Books side by side: the invented pairs, with alignments that were written by hand before."""

from __future__ import annotations

import json
from functools import cache

import pytest
from jsonschema import Draft202012Validator

from benchmarks.aligning import PAIRS, Case, invented, known, measured
from lawspeaker.base.phrases import LANGUAGES
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.render.alignment import text, to_json
from lawspeaker.faces.render.alignment_page import page
from lawspeaker.outside.library import Library
from lawspeaker.study.alignment.aligning import AlignedBook, Alignment, align
from lawspeaker.study.alignment.flags import Flag, in_numbers, in_sums, out_of_order
from lawspeaker.study.alignment.words import language_of, tokens
from lawspeaker.study.sources.splitter import split
from tests.repo.checkout import ROOT, files
from tests.sources.books import verbatim_copies


@cache
def aligned() -> tuple[Case, Alignment]:
    case = invented("pedlars", "de", "it")
    return case, align(case.first, case.second, known(case, "package", Library()))


@pytest.mark.full
def test_a_translation_is_aligned() -> None:
    """The figures of this pair in docs/aligning.md, with a little to spare."""
    found = measured(*aligned())
    assert found.precision >= 0.95
    assert found.recall >= 0.95
    assert found.first_three == 1


@pytest.mark.full
def test_what_only_one_book_says_stays_alone() -> None:
    """The tie is only in the first book, the leaflet itself is only in the list of the second."""
    _, found = aligned()
    alone = [
        [found.books[side].text.sentences[at].text for at in found.alone[side]] for side in (0, 1)
    ]
    assert "Bei Gleichstand gewinnt, wer mehr Silber besitzt." in alone[0]
    assert "questo regolamento" in alone[1]


@pytest.mark.full
def test_what_differs_is_flagged() -> None:
    """These were put into the Italian book: a price, a longer list, a false sum, another order."""
    _, found = aligned()
    said = {
        (flag.kind, flag.first, flag.second): found.books[0].text.sentences[each.first[0]].text
        for each in found.pairs
        for flag in each.flags
        if flag.kind != "order"
    }
    assert said["number", (9,), (8,)].startswith("Gewürze kosten")
    assert ("list", (5,), (6,)) in said
    assert [each for _, _, each in found.wrong] == [Flag("sum", (14,), (16,))]
    assert len(said) == 3  # the third is 14 / 16, the numbers of that sum
    moved = {
        found.books[0].text.sentences[each.first[0]].headings[-1].text
        for each in found.pairs
        if Flag("order") in each.flags
    }
    assert moved == {"Vorbereitung", "Waren"}


def test_numbers_hold_for_so_many_players() -> None:
    german = "Jeder erhält bei vier Spielern 7 und bei drei Spielern 9 Wikinger."
    same = "Ogni giocatore prende i vichinghi (7 in 4 giocatori, 9 in 3 giocatori)."
    other = "Chacun reçoit 9 vikings (seulement 7 à 3 joueurs)."
    assert not [*in_numbers((german, "de"), (same, "it"))]
    assert Flag("number", (9,), (7,), 3) in [*in_numbers((german, "de"), (other, "fr"))]


def test_sums_are_worked_out() -> None:
    assert not [*in_sums("3 x 2 + 2 × 4 = 14, und 7 - 1 - 6 = 0")]
    assert [*in_sums("10 + 8 = 19")] == [Flag("sum", (18,), (19,))]


def test_what_crosses_is_out_of_order() -> None:
    pairs = [((0,), (1,)), ((1,), (2,)), ((2,), (0,)), ((3,), (3,))]
    assert out_of_order(pairs) == {2}


def test_number_words_count_by_their_value() -> None:
    assert tokens("Zieh zwölf Karten", "de") == ["zieh", "#12", "karten"]
    assert tokens("pesca dodici carte", "it") == ["pesca", "#12", "carte"]
    assert tokens("une carte", "fr") == ["une", "carte"]


@pytest.mark.parametrize("name", sorted(each.name for each in PAIRS.glob("*.md")))
def test_the_language_is_told_from_the_words(name: str) -> None:
    found = split(SourceFile(name, (PAIRS / name).read_text(encoding="utf-8")))
    assert AlignedBook.of(found).language == name[-5:-3]
    assert language_of("") == ""


def test_books_without_anything_in_common() -> None:
    """Nothing is linked, and nothing breaks."""
    one = AlignedBook(split(SourceFile("a.txt", "Nebel zieht.\n\nSturm kommt.")), "de")
    other = AlignedBook(split(SourceFile("b.txt", "Luna.")), "it")
    found = align(one, other)
    assert (len(found.alone[0]), len(found.alone[1])) == (2, 1)
    assert not found.pairs


@pytest.mark.full
def test_the_answer_has_its_shape() -> None:
    form = json.loads((ROOT / "schema" / "alignment.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator(form).validate(json.loads(json.dumps(to_json(aligned()[1]))))


@pytest.mark.full
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_sentence_is_shown_once(language: str) -> None:
    _, found = aligned()
    shown, told = page(found, language), text(found, language)
    for book in found.books:
        assert shown.count("<cite>") == sum(len(each.text.sentences) for each in found.books)
        assert all(each.text in told for each in book.text.sentences)


@pytest.mark.full
def test_no_invented_book_is_a_copy() -> None:
    """The books tell the games in words of their own, not in those of the rule files."""
    games = {each.name.partition("-")[0] for each in PAIRS.glob("*.md")}
    rules = [each for each in files() if each.parts[0] == "rules" and each.parts[1] in games]
    assert rules
    for path in PAIRS.glob("*.md"):
        found = split(SourceFile(path.name, path.read_text(encoding="utf-8")))
        long = [each for each in found.sentences if len(each.text.split()) > 7]
        assert not verbatim_copies(long, rules)
