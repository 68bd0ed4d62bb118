"""What each book says, to be seen: titles, names of editions, words, sentences, searching."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
from rich.console import Console
from typer.testing import CliRunner

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.base.typography import NARROW, NO_BREAK
from lawspeaker.faces.cli import app
from lawspeaker.faces.render import compare as shown
from lawspeaker.faces.render.compare_json import to_json
from lawspeaker.faces.render.compare_page import page
from lawspeaker.ir import Citation
from lawspeaker.outside.books import shelf
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load_rulesets, schema
from lawspeaker.study.compare import Comparison, compare
from lawspeaker.study.compare.comparison import BOOK, KIND, MATTERS
from lawspeaker.study.compare.differences import Difference
from lawspeaker.study.compare.findings import Findings
from lawspeaker.study.compare.searching import ALIKE, INFLECTED, SAID, TITLE, Search, found_by
from lawspeaker.study.compare.terms import Term, Terms
from lawspeaker.study.sources.coverage import check_coverage
from lawspeaker.study.sources.quoting import CHANGED, GONE, MOVED, BookTexts, Quote, marked
from lawspeaker.study.sources.splitter import split
from lawspeaker.text.books.fingerprint import folded
from lawspeaker.text.books.lock import Lock, Marks
from tests.compare.dairy import NEW_TEXT, OLD_TEXT, set_up


@pytest.fixture(scope="module")
def dairy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return set_up(tmp_path_factory.mktemp("dairy"))


def compared(folder: Path, language: str = "en", everything: bool = False) -> Comparison:
    diagnostics = Diagnostics()
    found = load_rulesets(["dairy", "dairy+new"], diagnostics, Library(folder, ()))
    assert found is not None, list(map(str, diagnostics))
    return compare(found, language, everything=everything)


def texts(folder: Path, here: Path | None = None) -> BookTexts:
    library = Library(folder, ())
    found = load_rulesets(["dairy", "dairy+new"], Diagnostics(), library)
    assert found is not None
    return shelf(found, here or folder / "texts", library)


def printed(comparison: Comparison, view: shown.CompareOptions) -> str:
    out = io.StringIO()
    Console(file=out, width=100, no_color=True).print(shown.text(comparison, None, 100, view))
    return " ".join(out.getvalue().split())


# ---------------------------------------------------------------- a matrix


def test_rows_have_titles_and_editions_the_names_people_give_them(dairy: Path) -> None:
    for language, title, name in (
        ("en", "How much one takes", "Second printing, 1910"),
        ("fr", "Combien on prend", "Second tirage, 1910"),
    ):
        found = compared(dairy, language)
        text = printed(found, shown.CompareOptions())
        assert title in text
        assert name in text
        assert "helping" not in text
        assert "helping" in printed(found, shown.CompareOptions(ids=True))
        assert f">{title}</a>" in page(found, Findings())


def test_a_rule_without_a_title_is_called_by_its_sentence(dairy: Path) -> None:
    rows = {row.id: row for row in compared(dairy).table.rows}
    assert rows["taking"].title == "The player takes cheese."
    assert rows["taking"].says == ""
    assert rows["helping"].says == "How many cheeses a player takes."


def test_each_cell_says_what_is_played_or_what_the_book_does(dairy: Path) -> None:
    rows = {row.id: row for row in compared(dairy, everything=True).table.rows}
    cells = {id: [cell.text for cell in row.cells] for id, row in rows.items()}
    assert cells["helping"] == ["1", "2"]
    assert cells["taking"] == ["says so", "says so"]
    assert cells["ending"] == ["says so", "is silent"]
    assert not any("as the first" in text for own in cells.values() for text in own)


def test_what_matters_comes_first_unless_another_order_is_wanted(dairy: Path) -> None:
    found = compared(dairy, everything=True)
    orders = {
        by: [each.row.id for each in found.in_order(by) if isinstance(each, Difference)]
        for by in (MATTERS, BOOK, KIND)
    }
    assert orders[MATTERS] == ["helping", "ending", "taking"]
    assert orders[BOOK] == ["helping", "taking", "ending"]
    assert orders[KIND] == ["helping", "ending", "taking"]
    assert len(found.in_order(BOOK)) == len(found.in_order(MATTERS)) > 3


# ---------------------------------------------------------------- words


def test_words_of_books_stand_side_by_side_and_shared_ones_are_named(dairy: Path) -> None:
    found = compared(dairy, "fr")
    terms = {term.thing: term for term in found.table.terms.each}
    assert terms["cheese"].name == "fromage"
    assert terms["cheese"].words == (("cheese",), ("wheel",))
    assert not found.table.terms.shared(0)
    (shared,) = found.table.terms.shared(1).items()
    assert (shared[0], [term.thing for term in shared[1]]) == ("wheel", ["cheese", "cellar"])
    for text in (printed(found, shown.CompareOptions()), page(found, Findings())):
        plain = text.replace(NO_BREAK, " ").replace(NARROW, " ")
        assert "un seul mot pour plusieurs choses : « wheel » pour fromage, cave." in plain
    assert not found.only(shown.kinds_of(["play"])).table.terms.each
    assert to_json(found)["terms"][0]["words"] == [["cheese"], ["wheel"]]


def test_things_with_one_word_are_told_apart() -> None:
    """By their names; where those say no more than the word, by another book's word, of which it is
    said whose it is."""
    raid = Term("raid", "attaque", (("Raubzug",), ("attaque",)))
    card = Term("card", "carte", (("Angriff",), ("attaque",)))
    other = Term("fight", "attaque", ((), ("attaque", "combat")))
    told = ("allemand : {}".format, "{}".format)

    def apart(word: str, *things: Term) -> list[str]:
        return Terms().apart(word, things, (1, 0), lambda at, word: told[at](word))

    assert apart("attaque", raid, card) == ["attaque (allemand : Raubzug)", "carte"]
    assert apart("coup", raid, other) == ["attaque (allemand : Raubzug)", "attaque (combat)"]


def test_a_rule_without_a_name_is_called_as_a_book_of_the_readers_language_calls_it(
    dairy: Path,
) -> None:
    called = {
        language: {term.thing: term.name for term in compared(dairy, language).table.terms.each}
        for language in ("en", "fr")
    }
    assert called["en"]["ending"] == "Ending"
    assert called["fr"]["ending"] == "La fin"


def test_a_word_that_a_book_does_not_have_is_a_fault(dairy: Path) -> None:
    found = load_rulesets(["dairy+new"], Diagnostics(), Library(dairy, ()))
    assert found is not None
    text = split(SourceFile("new.txt", NEW_TEXT.replace("wheels", "lumps")))
    faults = check_coverage(found[0].program, "new", text, Marks()).faults
    assert [each.id for each in faults if each.code == "missing-word"] == ["cheese", "cellar"]


def test_a_word_for_nothing_is_a_fault(dairy: Path) -> None:
    found = load_rulesets(["dairy"], Diagnostics(), Library(dairy, ()))
    assert found is not None
    program = found[0].program
    (book,) = program.sources
    other = replace(program, sources=(replace(book, words={"chese": ("cheese",)}),))
    faults = check_coverage(other, "old", split(SourceFile("old.txt", OLD_TEXT)), Marks()).faults
    (fault,) = [each for each in faults if each.code == "unknown-thing"]
    assert "did you mean" in fault.message


# ---------------------------------------------------------------- searching


@pytest.mark.parametrize(
    "query, ids",
    [
        ("EGALITE", {"taking"}),  # a remark in French, while English is read
        ("fromag", {"helping", "taking"}),
        ("imprimés", {"helping"}),
        ("wheel", {"taking", "helping"}),  # the new book's word for cheese
        ("fromages", {"helping", "taking"}),  # another form of the word
        ("cheese two", {"helping"}),  # in any order
        ("end", {"ending"}),
        ("cheese tire-bouchon", set()),
    ],
)
def test_a_word_of_any_language_finds_rules(dairy: Path, query: str, ids: set[str]) -> None:
    found = found_by(query, compared(dairy))
    assert {each.id for each in found.differences} == ids


def test_sentences_are_searched_by_those_who_have_them(dairy: Path) -> None:
    comparison = compared(dairy)
    assert not found_by("wash", comparison).differences
    assert [each.id for each in found_by("wash", comparison, texts(dairy)).differences] == [
        "ending"
    ]


def rank(query: str, words: str, title: str = "") -> int | None:
    return Search(query, Terms()).rank(title.split(), words.split())


@pytest.mark.parametrize(
    "query, words",
    [
        ("vendere", "vendita"),
        ("carte", "carta"),
        ("verkaufen", "verkaufte"),
        ("cards", "card"),
        ("égalités", "egalite"),
    ],
)
def test_a_word_is_found_in_other_forms(query: str, words: str) -> None:
    assert rank(query, words) == INFLECTED


@pytest.mark.parametrize("query, words", [("pareggio", "parita"), ("tie", "gleichstand")])
def test_what_players_call_the_same_is_found(query: str, words: str) -> None:
    assert rank(query, words) == ALIKE
    assert rank(query, "carta") is None


def test_the_books_words_for_a_thing_find_each_other() -> None:
    """A name of several words is found only if all of them are there."""
    term = Term("cheese", "cheese", (("wheel",), ("bleu d'alpage",)), ("Käse",))
    search = Search("wheel", Terms((term,)))
    assert search.rank((), ("kase",)) == ALIKE
    assert search.rank((), ("bleu",)) is None
    assert search.rank((), ("alpage", "d", "bleu")) == ALIKE
    assert Search("alpage", Terms((term,))).rank((), ("wheel",)) is None


def test_what_fits_best_comes_first(dairy: Path) -> None:
    assert rank("take", "take", "take one") == TITLE < SAID < INFLECTED < ALIKE
    found = found_by("fin", compared(dairy, everything=True)).in_order(BOOK)
    first = found[0]
    assert (first.row if isinstance(first, Difference) else first).id == "ending"


@pytest.mark.full
def test_words_may_stand_in_several_rows_of_a_difference() -> None:
    """What is sold stands in a name, and for what in a rule."""
    found = load_rulesets(["walhalla", "walhalla+italian"], Diagnostics())
    assert found is not None
    comparison = compare(found)
    for words in ("vendere carte", "carte vendita", "sell cards", "Karten verkaufen"):
        assert found_by(words, comparison).in_order(MATTERS)[0].id == "selling"


def test_accents_and_capitals_do_not_matter() -> None:
    assert folded("Égalité, STRASSE: straße") == "egalite strasse strasse"
    assert rank("égal", "egalite") == SAID
    assert rank("galite", "egalite") is None
    assert rank("", "") is not None


def test_the_page_has_the_words_it_is_searched_by(dairy: Path) -> None:
    text = page(compared(dairy), Findings())
    row = text[text.index('id="taking"') :]
    words = row[row.index('data-words="') + 12 :].split('"')[0].split()
    assert {"egalite", "wheels", "fromage", "taking"} <= set(words)


def test_explain_takes_a_word(dairy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(dairy)
    for arguments in (["dairy", "fromage"], ["fromage", "--of", "dairy"]):
        answer = CliRunner().invoke(app, ["explain", *arguments])
        assert answer.exit_code == 0
        assert "Second printing," in answer.output
        assert "Two are printed." in answer.output
        assert "wheel" in answer.output
    answer = CliRunner().invoke(app, ["explain", "dairy", "fin", "--lang", "fr"])
    assert "Il ne reste rien à faire." in answer.output
    answer = CliRunner().invoke(app, ["explain", "dairy", "wash", "--texts", "texts"])
    assert "Wash your hands." in answer.output
    assert CliRunner().invoke(app, ["explain", "dairy", "zebra"]).exit_code == 1


@pytest.mark.full
def test_explain_begins_with_the_rule_whose_id_is_asked_for() -> None:
    """Others speak of it, too, and come before it in the book. None has a number here: numbers are
    those of one comparison."""
    answer = CliRunner().invoke(app, ["explain", "walhalla+french", "landing"]).output
    heads = re.findall(r"^     (\S.*?)(?:  |$)", answer, re.MULTILINE)
    assert heads[0] == "Order of landing"
    assert "Moment" in heads[1:]


# ---------------------------------------------------------------- sentences of books


def test_sentences_stand_beside_each_other_with_what_differs_marked(dairy: Path) -> None:
    comparison, view = compared(dairy), shown.CompareOptions(shelf=texts(dairy))
    text = printed(comparison, view)
    assert "“Take *one piece* of cheese.” (Taking § 1)" in text
    assert "“Take *two wheels* of cheese.”" in text
    assert "Between stars stand words in which two books in one language differ." in text
    html = page(comparison, Findings(), view)
    assert '<q lang="en">Take <mark>two wheels</mark> of cheese.</q>' in html
    assert "for your own use only" in html
    data = to_json(comparison, None, view)
    jsonschema.validate(json.loads(json.dumps(data)), schema("compare"))
    cell = next(row for row in data["rows"] if row["id"] == "helping")["cells"][1]
    assert cell["quotes"] == [
        {
            "source": "new",
            "where": f"Taking §{NO_BREAK}1",
            "stance": "states",
            "text": "Take two wheels of cheese.",
            "since": "",
            "unlike": ["two wheels"],
        }
    ]


def test_without_texts_no_sentence_is_shown_and_the_page_says_so(dairy: Path) -> None:
    comparison = compared(dairy)
    for text in (page(comparison, Findings()), json.dumps(to_json(comparison))):
        assert "two wheels" not in text
    assert "their texts are not here" in page(comparison, Findings())


def test_a_text_that_is_not_there_is_named(dairy: Path, tmp_path: Path) -> None:
    (tmp_path / "old.txt").write_text(OLD_TEXT, encoding="utf-8")
    books = texts(dairy, tmp_path)
    assert dict(books.missing) == {"new": "new.txt"}
    assert "new.txt is not there" in printed(compared(dairy), shown.CompareOptions(shelf=books))


@pytest.mark.parametrize(
    "text, since, said",
    [
        (OLD_TEXT, "", "Take one piece of cheese."),
        (OLD_TEXT.replace("Take one", "Sit down. Take one"), MOVED, "Take one piece of cheese."),
        (OLD_TEXT.replace("one piece", "one lump"), CHANGED, "Take one lump of cheese."),
        ("# Taking\nSing.\nDance. Eat. Then it is the turn of your neighbour.\n", GONE, ""),
    ],
)
def test_a_sentence_that_moved_or_changed_is_named(
    dairy: Path, tmp_path: Path, text: str, since: str, said: str
) -> None:
    (tmp_path / "old.txt").write_text(text, encoding="utf-8")
    row = next(row for row in compared(dairy).table.rows if row.id == "helping")
    (quote,) = texts(dairy, tmp_path).quotes(row.cells[0].cites)
    assert (quote.since, quote.text) == (since, said)


def test_words_are_marked_whatever_their_case_and_signs() -> None:
    assert marked("Take, one!", "take ONE") == (("Take, one!", False),)
    assert marked("a b c", "a x c") == (
        ("a", False),
        (" ", False),
        ("b", True),
        (" ", False),
        ("c", False),
    )
    assert marked("a", "") == (("a", True),)


def test_only_sentences_that_correspond_are_held_against_each_other() -> None:
    here = "# Aims\nPlay for three to four people.\n# Ends\nLay the wood. "
    here += "Then count all your points, at last."
    there = "# Ends\nLay the wool. Sing. Then count all your points at last."
    books = {"a": split(SourceFile("a", here)), "b": split(SourceFile("b", there))}
    shelf = BookTexts(books, {})

    def quote(book: str, at: int) -> Quote:
        return Quote(book, "", "states", books[book].sentences[at].text)

    def unlike(one: Quote, *others: Quote) -> list[str]:
        return [text for text, other in shelf.marked(one, others) if other]

    lay, sing, count = (quote("b", at) for at in range(3))
    assert unlike(quote("a", 1), sing, lay) == ["wood."]
    assert unlike(quote("a", 0), lay, sing) == [], "it corresponds to none of them"
    assert unlike(quote("a", 1)) == []
    assert unlike(quote("a", 2), lay) == [], "it stands there word for word"
    whole = Quote("b", "", "states", "Lay the wool. Lay the wood. Then count all your points.")
    assert unlike(whole, quote("a", 2)) == ["Lay the wool. Lay the wood."]
    joint = Quote("b", "", "states", "Then count all your points at last, lay the wood then count")
    assert unlike(joint, quote("a", 2)) == [], "what follows stands there as well"
    assert unlike(count, quote("a", 2)) == []


def test_a_sentence_of_an_example_is_named_by_its_caption() -> None:
    text = "# Ends\nLay it.\n\nA whole turn:\n\nAnn lays it. Ben does.\n# Aims\nWin."
    book = split(SourceFile("a", text))
    lay, caption, ann, _, win = book.sentences
    for reason, told in (("example", ", A whole turn"), ("picture", "")):
        lock = Lock(SourceFile("a.lock", ""), book, Marks({caption.print: reason}))
        shelf = BookTexts({"a": book}, {"a": lock})
        cites = [
            Citation("a", section, "states", {}, each.print)
            for section, each in (("Ends", lay), ("Ends", ann), ("Aims", win))
        ]
        found = [quote.where.replace(NO_BREAK, " ") for quote in shelf.quotes(cites)]
        assert found == ["Ends § 1", f"Ends § 3{told}", "Aims § 1"]


def test_sentences_stand_in_the_order_of_their_book(dairy: Path) -> None:
    books = texts(dairy)
    marks = [each.print for each in books.texts["old"].sentences]
    cites = [
        Citation("new", "Taking", "states", {}, books.texts["new"].sentences[0].print),
        Citation("old", "Ending", "states", {}, marks[2]),
        Citation("old", "Taking", "implies", {}, f"{marks[1]} {marks[0]}"),
    ]
    found = [quote.where.replace(NO_BREAK, " ") for quote in books.quotes(cites)]
    assert found == ["Taking § 1", "Taking § 1", "Taking § 2", "Ending § 1"]


def test_compare_takes_texts_an_order_and_a_word(
    dairy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(dairy)
    names = ["compare", "dairy", "dairy+new"]
    answer = CliRunner().invoke(app, [*names, "--texts", "texts", "--find", "helping", "--ids"])
    assert answer.exit_code == 0
    assert "Take *one piece*" in answer.output
    assert "The end" not in answer.output
    assert CliRunner().invoke(app, [*names, "--by", "colour"]).exit_code == 2
    assert CliRunner().invoke(app, [*names, "--texts", "rules"]).exit_code == 2


def test_a_server_quotes_books_on_its_own_machine_alone(dairy: Path) -> None:
    for more in (["--host", "0.0.0.0"], ["--name", "games.example.org"]):
        answer = CliRunner().invoke(app, ["serve", "--texts", str(dairy / "texts"), *more])
        assert answer.exit_code == 2
        assert "for this machine alone" in answer.output
    answer = CliRunner().invoke(app, ["serve", "--texts", str(dairy / "nowhere")])
    assert answer.exit_code == 2
