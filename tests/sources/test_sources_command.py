"""`lawspeaker sources` as it is called: what it prints, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner

from lawspeaker import load
from lawspeaker.faces.cli import app
from lawspeaker.outside.loading import schema
from tests.sources.test_coverage import BOOK, ENDING, FLAVOUR, GAME, KEEP, SELL, SELLING, WIN


@pytest.fixture
def market(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "market").mkdir()
    write(tmp_path, SELLING, ENDING)
    (tmp_path / "market" / "texts").mkdir()
    listing = f"lawspeaker: 1\ntext: book\nno rules: {{flavour: [{FLAVOUR}]}}\n"
    (tmp_path / "market" / "texts" / "book.yaml").write_text(listing, encoding="utf-8")
    (tmp_path / "books").mkdir()
    (tmp_path / "books" / "market.txt").write_text(BOOK, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, selling: str, ending: str) -> None:
    (folder / "market" / "game.yaml").write_text(GAME % (selling, ending), encoding="utf-8")


def run_sources(*arguments: str) -> tuple[int, str]:
    answer = CliRunner().invoke(app, ["sources", *arguments])
    return answer.exit_code, answer.output


def test_all_is_in_order(market: Path) -> None:
    code, output = run_sources("market", "--texts", "books")
    assert code == 0
    assert output == "book: market.txt: 4 sentences, 3 cited; no rules: 1 flavour\n"


def test_what_is_open_is_listed(market: Path) -> None:
    write(market, f"{{section: Sale, print: {SELL}}}", "{section: End, stance: implies}")
    code, output = run_sources("market", "--texts", "books")
    assert code == 1
    assert "game: the text has no heading “Sale” (unknown-heading)" in output
    assert f"market.txt:7  Selling § 2  {KEEP}  You may keep the hen." in output
    assert "rules without a sentence: the book only implies\n    ending  “End”\n" in output


MODULE = """\
lawspeaker: 1
variant: hens
of: market
layer: module
title: Hens
changes:
  - add: keeping
    says: A hen is kept.
    cites: {book: {section: Selling, print: %s}}
    rule: |
      finish
"""


def test_a_sentence_may_belong_to_a_variant(market: Path) -> None:
    write(market, f"{{section: Selling, print: {SELL}}}", ENDING)
    assert run_sources("market", "--texts", "books")[0] == 1
    (market / "variants" / "market").mkdir(parents=True)
    file = market / "variants" / "market" / "hens.yaml"
    file.write_text(MODULE % KEEP, encoding="utf-8")
    code, output = run_sources("market", "--texts", "books")
    assert code == 0
    assert output.startswith(
        "book: market.txt: 4 sentences, 2 cited, 1 by other variants; no rules"
    )
    file.write_text(MODULE % "0000000000", encoding="utf-8")
    code, output = run_sources("market", "--texts", "books")
    assert code == 1
    assert "keeping: the text has no sentence 0000000000 (unknown-print)" in output


def test_a_variant_that_cannot_be_read(market: Path) -> None:
    (market / "variants" / "market").mkdir(parents=True)
    file = market / "variants" / "market" / "hens.yaml"
    file.write_text("variant: hens\n", encoding="utf-8")
    code, output = run_sources("market", "--texts", "books")
    assert code == 1
    assert "variants/market/hens.yaml:1:1" in output


def test_suggestions_can_be_put_into_the_rules(market: Path) -> None:
    write(market, f"{{section: Selling, print: {SELL}}}", ENDING)
    assert run_sources("market", "--texts", "books", "--write")[0] == 1
    code, output = run_sources("market", "--texts", "books", "--suggest")
    assert code == 1
    assert "# market.txt:7: You may keep the hen.\nSelling § 2 =\n" in output
    write(market, "[Selling § 1, Selling § 2]", ENDING)
    assert run_sources("market", "--texts", "books")[0] == 0


# ---------------------------------------------------------------- locks

LOCK = f"""\
lawspeaker 1: written by `lawspeaker sources --write`, never by hand
text market.txt

# The Market
1 {FLAVOUR} flavour
## Selling
1 {SELL}
2 {KEEP}
## End
1 {WIN}
"""


@pytest.fixture
def locked(market: Path) -> Path:
    """The market with short citations and a lock, and without the list it had before."""
    assert run_sources("market", "--texts", "books", "--write")[0] == 0
    (market / "market" / "texts" / "book.yaml").unlink()
    write(market, "Selling § 1-2", "End")
    return market


def lock(folder: Path) -> Path:
    return folder / "market" / "books" / "book.lock"


def change_book(folder: Path, old: str, new: str) -> None:
    """Changes the text of the book."""
    file = folder / "books" / "market.txt"
    file.write_text(file.read_text("utf-8").replace(old, new), encoding="utf-8")


def test_a_lock_takes_over_what_was_listed(market: Path) -> None:
    code, output = run_sources("market", "--texts", "books", "--write")
    assert (code, output.splitlines()[0]) == (0, "written: market/books/book.lock")
    assert lock(market).read_text("utf-8") == LOCK


def test_a_lock_is_written_once(locked: Path) -> None:
    code, output = run_sources("market", "--texts", "books", "--write")
    assert code == 0
    assert "written" not in output
    assert lock(locked).read_text("utf-8") == LOCK


def test_without_texts_the_lock_tells(locked: Path) -> None:
    answer = "book: market/books/book.lock: 4 sentences, 3 cited; no rules: 1 flavour\n"
    assert run_sources("market") == (0, answer)
    write(locked, "Selling § 1", "End")
    code, output = run_sources("market")
    assert code == 1
    assert f"market/books/book.lock:8  Selling § 2  {KEEP}\n" in output


def test_without_texts_and_lock(market: Path) -> None:
    code, output = run_sources("market")
    assert code == 1
    assert "book has no lock yet" in output


def test_a_sentence_that_has_changed_is_named(locked: Path) -> None:
    change_book(locked, "keep the hen", "keep all hens")
    code, output = run_sources("market", "--texts", "books")
    assert code == 1
    assert "game: “Selling” § 2 has changed, or is gone (changed-sentence)" in output
    assert "the text has 1 sentences that the lock has not, and lacks 1 (stale-lock)" in output
    code, output = run_sources("market", "--texts", "books", "--write")
    assert code == 0
    assert "changed: Selling § 2, cited by game\n" in output
    assert run_sources("market", "--texts", "books")[0] == 0


def test_numbers_follow_sentences_that_have_moved(locked: Path) -> None:
    change_book(locked, "You must sell", "Eggs are dear. You must sell")
    code, output = run_sources("market", "--texts", "books")
    assert code == 1
    assert "market.txt:7: game: “Selling” § 1 is § 2 now (moved-sentence)" in output
    mark = ("--mark", "Selling § 1 = flavour")
    code, output = run_sources("market", "--texts", "books", "--write", *mark)
    assert code == 0
    assert "market/game.yaml:9: Selling § 1-2 is § 2-3 now\n" in output
    rules = (locked / "market" / "game.yaml").read_text("utf-8")
    assert "    cites: {book: Selling § 2-3}\n" in rules
    again = run_sources("market", "--texts", "books", "--write")
    assert again == (0, "book: market.txt: 5 sentences, 3 cited; no rules: 2 flavour\n")


def test_what_was_said_of_a_sentence_is_kept_when_it_is_mended(locked: Path) -> None:
    change_book(locked, "A merry day", "A very merry day")
    assert run_sources("market", "--texts", "books", "--write")[0] == 0
    assert " flavour\n" in lock(locked).read_text("utf-8")


def test_a_sentence_that_is_gone_is_told(locked: Path) -> None:
    change_book(locked, "A merry day at the market.", "")
    code, output = run_sources("market", "--texts", "books", "--write")
    assert code == 0
    assert f"gone: {FLAVOUR} under “The Market”, flavour\n" in output


@pytest.mark.parametrize(
    "mark, line",
    [
        ("End § 1 = legal", f"1 {WIN} legal"),
        (f"{WIN} = legal", f"1 {WIN} legal"),
        ("The Market § 1 =", f"1 {FLAVOUR}"),
        ("misread Sale = Selling", "misread Sale = Selling"),
        ("other words game = egg hen", "other words game = egg hen"),
    ],
)
def test_a_mark_is_written_into_the_lock(locked: Path, mark: str, line: str) -> None:
    write(locked, "Selling § 1-2", "{stance: silent}")
    run_sources("market", "--texts", "books", "--write", "--mark", mark)
    assert line in lock(locked).read_text("utf-8").splitlines()


def test_a_list_that_was_filled_in_is_given_back(locked: Path) -> None:
    write(locked, "{stance: silent}", "End")
    _, sheet = run_sources("market", "--suggest")
    (locked / "sheet").write_text(sheet.replace(" =\n", " = example\n"), encoding="utf-8")
    code, output = run_sources("market", "--texts", "books", "--write", "--marks", "sheet")
    assert code == 0
    assert "no rules: 1 flavour, 2 example" in output


@pytest.mark.parametrize(
    "mark, answer",
    [
        ("Selling § 3 = legal", "“Selling” has 2 sentences, no 3"),
        ("Selling = legal", "“Selling” has 2 sentences: say which, after §"),
        ("Seling § 1 = legal", "there is no heading “Seling”; did you mean 'Selling'?"),
        ("Selling § 1 = leagl", "`leagl` is neither a reason nor a rule; did you mean 'legal'?"),
        ("Selling § 1 = game", "only the book of a variant agrees; let the rules cite this one"),
        ("Selling § 2-1 = legal", "`2-1` is no number of a sentence"),
        ("0123456789 = legal", "the text has no sentence 0123456789"),
        ("Selling § 1", "has no ` = `"),
        ("Selling § 2 = flavour", "Selling § 2 is cited by game: it cannot be `flavour`"),
        (f"{WIN} = legal", "End § 1 is cited by ending: it cannot be `legal`"),
    ],
)
def test_marks_that_say_nothing(locked: Path, mark: str, answer: str) -> None:
    code, output = run_sources("market", "--texts", "books", "--write", "--mark", mark)
    assert code == 2
    assert answer in output
    assert lock(locked).read_text("utf-8") == LOCK


def test_all_marks_that_say_nothing_are_told_at_once(locked: Path) -> None:
    marks = ("--mark", "Selling § 3 = legal", "--mark", "Seling § 1 = legal")
    code, output = run_sources("market", "--texts", "books", "--write", *marks)
    assert code == 2
    assert "“Selling” has 2 sentences, no 3\nthere is no heading “Seling”" in output


def test_before_the_first_lock(market: Path) -> None:
    write(market, "Selling § 1-2", "{section: End § 1, stance: implies}")
    code, output = run_sources("market", "--texts", "books")
    assert code == 1
    told = "the book has no lock yet, which knows the sentences of “%s”; `lawspeaker sources NAME"
    assert f"game: {told % 'Selling § 1-2'}" in output
    assert f"ending: {told % 'End § 1'}" in output
    assert run_sources("market", "--texts", "books", "--write", "--mark", "End = legal")[0] == 2
    assert not lock(market).exists()


GUARDED = """\
    asks: Do you sell?
    guards:
      enough:
        says: There must be eggs.
        cites: {book: Selling § 2}
    rule: |
      ann must choose one of
        sell
          where enough: score of ann is 0
          then: do ending
        keep
          then: do ending
"""


def test_a_heading_that_is_not_there_names_guards_and_what_was_meant(locked: Path) -> None:
    change_book(locked, "## Selling", "## Selling eggs")
    lock(locked).unlink()
    rules = (GAME % ("Selling § 1", "End")).replace("    rule: |\n      do ending\n", GUARDED)
    (locked / "market" / "game.yaml").write_text(rules, encoding="utf-8")
    _, output = run_sources("market", "--texts", "books")
    told = "the text has no heading “Selling”; did you mean 'Selling eggs'? (unknown-heading)"
    assert f"game: {told}" in output
    assert f"game.enough: {told}" in output


def test_rules_follow_a_heading_that_was_renamed(locked: Path) -> None:
    change_book(locked, "## Selling", "## Trade")
    _, output = run_sources("market", "--texts", "books")
    assert "no heading “Selling”; if it was renamed, --write lets citations follow" in output
    code, output = run_sources("market", "--texts", "books", "--write")
    assert code == 0
    assert "market/game.yaml:9: Selling § 1-2 is Trade § 1-2 now\n" in output
    assert "renamed: “Selling” is called “Trade” now\n" in output


def test_calls_that_go_nowhere(locked: Path) -> None:
    assert run_sources("market", "--write")[0] == 2
    assert run_sources("market", "--texts", "books", "--mark", "End = legal")[0] == 2


EDITION = """\
lawspeaker: 1
variant: second
of: market
layer: edition
title: The second edition
sources:
  new: {title: The Market, file: second.txt}
changes:
  - cite: ending
    cites: {stance: silent}
"""


def edition(folder: Path, text: str) -> tuple[tuple[str, ...], Path]:
    """Another edition with a book of its own: how it is called, and the lock of the book."""
    (folder / "variants" / "market").mkdir(parents=True)
    (folder / "variants" / "market" / "second.yaml").write_text(EDITION, encoding="utf-8")
    (folder / "books" / "second.txt").write_text(text, encoding="utf-8")
    new = ("market+second", "--source", "new", "--texts", "books")
    assert run_sources(*new, "--write")[0] == 1
    return new, folder / "variants" / "market" / "books" / "new.lock"


def test_a_rule_agrees_with_one_sentence_after_another(locked: Path) -> None:
    new, file = edition(locked, "## Trade\n\nSell an egg. Sell a hen. Sell a goose.\n")
    for number in (3, 1):
        run_sources(*new, "--write", "--mark", f"Trade § {number} = game")
    assert "agrees second game = Trade § 1 3\n" in file.read_text("utf-8")


def test_where_an_edition_agrees(locked: Path) -> None:
    new, file = edition(locked, "## Trade\n\nSell an egg.\n")
    assert run_sources(*new, "--write", "--mark", "Trade = game")[0] == 0
    assert "agrees second game = Trade § 1\n" in file.read_text("utf-8")
    cites = {each.id: each.cites for each in load("market+second").program.clauses}["game"]
    said = [(each.source, each.section, each.stance) for each in cites]
    assert said == [("book", "Selling", "states"), ("new", "Trade", "states")]
    assert run_sources(*new, "--write", "--mark", "Trade § 1 = gaem")[0] == 2
    assert run_sources(*new, "--write", "--mark", "Trade § 1 =")[0] == 1
    assert "agrees" not in file.read_text("utf-8")


DAMAGED = LOCK.replace(f"1 {SELL}\n", "").replace("# The", "missread Sale = Selling\n# The")


def test_a_damaged_lock_is_written_anew_with_its_marks(locked: Path) -> None:
    lock(locked).write_text(DAMAGED, encoding="utf-8")
    code, output = run_sources("market", "--texts", "books")
    assert code == 1
    assert "market/books/book.lock:8:1: error[bad-lock]: here should stand sentence 1" in output
    assert "hint: `lawspeaker sources NAME --texts FOLDER --write` keeps what can be read" in output
    code, output = run_sources("market", "--texts", "books", "--write")
    assert code == 0
    assert "market/books/book.lock:4:1: error[bad-lock]: this is no line of a lock" in output
    assert "market/books/book.lock was damaged: citations keep their numbers" in output
    assert lock(locked).read_text("utf-8") == LOCK
    assert run_sources("market", "--texts", "books")[0] == 0


def test_two_versions_that_were_not_merged_are_written_as_one(locked: Path) -> None:
    both = f"<<<<<<< ours\n1 {WIN} legal\n=======\n1 {WIN}\n>>>>>>> theirs\n"
    lock(locked).write_text(LOCK.replace(f"1 {WIN}\n", both), encoding="utf-8")
    write(locked, "Selling § 1-2", "{stance: silent}")
    assert run_sources("market", "--texts", "books", "--write")[0] == 0
    assert lock(locked).read_text("utf-8") == LOCK.replace(WIN, f"{WIN} legal")


def test_a_damaged_lock_keeps_nobody_from_playing(locked: Path) -> None:
    lock(locked).write_text(DAMAGED, encoding="utf-8")
    cites = {each.id: each.cites for each in load("market").program.clauses}["ending"]
    assert [(each.section, each.print) for each in cites] == [("End", None)]
    answer = CliRunner().invoke(app, ["check", "market"])
    assert answer.exit_code == 1
    assert "error[bad-lock]" in answer.output
    assert "no errors" not in answer.output


@pytest.mark.parametrize("selling", [SELLING, f"{{section: Sale, print: {SELL}}}"])
def test_the_answer_for_programs(market: Path, selling: str) -> None:
    write(market, selling, ENDING)
    code, output = run_sources("market", "--texts", "books", "--json")
    answer = json.loads(output)
    jsonschema.validate(answer, schema("sources"))
    assert [each["sound"] for each in answer] == [code == 0]


def test_a_text_that_is_not_there(market: Path) -> None:
    (market / "books" / "market.txt").unlink()
    code, output = run_sources("market", "--texts", "books")
    assert code == 1
    assert "there is no file 'books/market.txt'" in output


def test_a_game_without_texts(market: Path) -> None:
    assert run_sources("market", "--texts", "books", "--source", "bock") == (
        1,
        "market cites no book whose text has a file as bock\n",
    )


def test_a_listing_that_cannot_be_read(market: Path) -> None:
    (market / "market" / "texts" / "book.yaml").write_text("lawspeaker: 1\n", encoding="utf-8")
    code, output = run_sources("market", "--texts", "books")
    assert code == 1
    assert "market/texts/book.yaml:1:1" in output
    assert "missing-key" in output


def test_a_game_that_is_not_sound(market: Path) -> None:
    write(market, "{section: Selling, stence: implies}", ENDING)
    code, output = run_sources("market", "--texts", "books")
    assert code == 1
    assert "stence" in output
