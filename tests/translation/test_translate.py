"""`lawspeaker translate`: what it makes, what it keeps, what it drops, and what it says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.cli import app
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compile_name, load
from lawspeaker.text.translation.files import fingerprint
from tests.language.games import GOOD

GERMAN = Path("pebbles/languages/de.yaml")
HOUSE = """\
lawspeaker: 1
variant: greedy
of: pebbles
layer: house rule
title: Greedy
changes:
  - set: most
    to: 5
    because: Three is not much.
  - add: names.most
    to: the most
"""


@pytest.fixture(autouse=True)
def working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(GOOD / "in_one_language", tmp_path / "pebbles")
    (tmp_path / "variants" / "pebbles").mkdir(parents=True)
    (tmp_path / "variants" / "pebbles" / "greedy.yaml").write_text(HOUSE, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LAWSPEAKER_PATH", raising=False)
    return tmp_path


def run_translate(*arguments: str) -> tuple[int, str, str]:
    answer = CliRunner().invoke(app, ["translate", *arguments])
    return answer.exit_code, answer.stdout, answer.stderr


def replace_text(path: str | Path, old: str, new: str) -> None:
    text = Path(path).read_text(encoding="utf-8")
    assert text.count(old) == 1, text
    Path(path).write_text(text.replace(old, new), encoding="utf-8")


def codes(name: str) -> list[str]:
    diagnostics = Diagnostics()
    compile_name(name, diagnostics, Library())
    return sorted(each.code for each in diagnostics)


def test_what_is_in_order_stays_as_it_is() -> None:
    before = GERMAN.read_bytes()
    said = "pebbles/languages/de.yaml: as it was; 0 missing, 0 stale\n"
    assert run_translate("pebbles", "--lang", "de") == (0, said, "")
    assert run_translate("./pebbles", "--lang", "de", "--check") == (0, said, "")
    assert GERMAN.read_bytes() == before


def test_without_a_language_all_that_the_game_offers_are_brought_up_to_date() -> None:
    replace_text("pebbles/game.yaml", "languages: [en, de]", "languages: [en, de, it]")
    code, said, warned = run_translate("pebbles")
    assert (code, warned) == (0, "")
    first, second, *_ = said.splitlines()
    assert first == "pebbles/languages/de.yaml: as it was; 0 missing, 0 stale"
    assert second.startswith("pebbles/languages/it.yaml: written; ")
    assert "language: it" in Path("pebbles/languages/it.yaml").read_text(encoding="utf-8")
    code, said, warned = run_translate("pebbles+greedy", "--check")
    assert code == 1
    assert [line.partition(":")[0] for line in said.splitlines() if not line.startswith(" ")] == [
        "variants/pebbles/languages/greedy.de.yaml",
        "variants/pebbles/languages/greedy.it.yaml",
    ]


def test_rules_in_one_language_alone_need_one_to_be_said() -> None:
    shutil.rmtree("pebbles/languages")
    replace_text("pebbles/game.yaml", "languages: [en, de]", "languages: [en]")
    code, said, warned = run_translate("pebbles")
    assert (code, said) == (2, "")
    assert "say one with --lang" in warned


def test_no_file_is_begun_where_there_is_nothing_to_translate() -> None:
    bare = Path("variants/pebbles/bare.yaml")
    told = HOUSE.partition("    because")[0].replace("variant: greedy", "variant: bare")
    bare.write_text(told.replace("title: Greedy\n", ""), encoding="utf-8")
    assert run_translate("pebbles+bare") == (0, "", "")
    assert not (bare.parent / "languages").exists()


def test_a_new_language_begins_with_what_is_missing() -> None:
    code, said, warned = run_translate("pebbles", "--lang", "it")
    assert code == 0
    assert said.startswith("pebbles/languages/it.yaml: written; 14 missing, 0 stale\n")
    assert warned == "the game does not offer `it` yet: name it under `languages:`\n"
    text = Path("pebbles/languages/it.yaml").read_text(encoding="utf-8")
    assert "    # en: How many of {left} do you take?\n    asks @b5a6b3:\n" in text
    assert "  # en: heap\n  heap @103a36:\n" in text, "what has no name is called by its id"
    assert run_translate("pebbles", "--lang", "it", "--check")[0] == 1, "much is missing"
    assert run_translate("pebbles", "--lang", "it")[1].startswith(
        "pebbles/languages/it.yaml: as it was; 14 missing"
    )
    assert codes("pebbles") == [], "a language that is not offered may be half done"
    replace_text("pebbles/game.yaml", "[en, de]", "[en, de, it]")
    assert "missing-translation" in codes("pebbles")


def test_the_kinds_of_a_series_need_no_name() -> None:
    replace_text(
        "pebbles/game.yaml",
        "pieces:\n  pebble: {count: 9, starts in: heap}\n",
        "words:\n  colour: [red]\npieces:\n  pebble:\n    has: {colour: colour}\n"
        '    starts in: heap\n    kinds: {"{colour}": {for each: {colour: colour}, count: 9}}\n',
    )
    assert run_translate("pebbles", "--lang", "it")[0] == 0
    text = Path("pebbles/languages/it.yaml").read_text(encoding="utf-8")
    assert "colour @" in text
    assert "{colour}" not in text


def test_a_changed_text_leaves_its_translation_to_be_looked_at() -> None:
    replace_text(
        "pebbles/game.yaml", "Nobody takes more than that.", "Nobody may take more than that."
    )
    assert codes("pebbles") == ["stale-translation"]
    code, said, _ = run_translate("pebbles", "--lang", "de")
    assert code == 0
    assert said.splitlines() == [
        "pebbles/languages/de.yaml: written; 0 missing, 1 stale",
        "  stale: rules.turn.guards.not_more",
    ]
    mark = fingerprint("Nobody may take more than that.")
    line = (
        "      # en: Nobody may take more than that.\n"
        f"      not_more @{mark}?: Mehr als so viele nimmt niemand.\n"
    )
    assert line in GERMAN.read_text(encoding="utf-8")
    assert codes("pebbles") == ["stale-translation"]
    before = GERMAN.read_bytes()
    assert run_translate("pebbles", "--lang", "de", "--check")[0] == 1
    run_translate("pebbles", "--lang", "de")
    assert GERMAN.read_bytes() == before
    replace_text(
        GERMAN, f"@{mark}?: Mehr als so viele nimmt niemand.", f"@{mark}: Mehr darf niemand."
    )
    assert codes("pebbles") == []
    run_translate("pebbles", "--lang", "de")
    assert "# en:" not in GERMAN.read_text(encoding="utf-8")


def test_what_is_gone_is_dropped_and_said() -> None:
    replace_text(GERMAN, "  bag @c01801", "  purse @c01801")
    assert codes("pebbles") == ["missing-translation", "unknown-name"]
    code, said, _ = run_translate("pebbles", "--lang", "de")
    assert code == 0
    assert "  bag @c01801: Beutel\n" in GERMAN.read_text(encoding="utf-8"), "it is the same text"
    replace_text(GERMAN, "  game @3cc4c2: Die", "  play @000000: Die")
    _, said, _ = run_translate("pebbles", "--lang", "de")
    assert (
        "  dropped, since the rules have no such text: rules.play: "
        "Die Spieler nehmen Kiesel, bis der Haufen weg ist.\n"
    ) in said
    assert "  # en: The players take pebbles until the heap is gone.\n  game @3cc4c2:\n" in (
        GERMAN.read_text(encoding="utf-8")
    )


def test_a_clause_with_another_name_keeps_its_translation() -> None:
    replace_text("pebbles/game.yaml", "  turn:\n", "  move_on:\n")
    replace_text("pebbles/game.yaml", "do turn", "do move_on")
    run_translate("pebbles", "--lang", "de")
    text = GERMAN.read_text(encoding="utf-8")
    assert "  move_on:\n    says @4c684a: Wer am Zug ist" in text
    assert codes("pebbles") == []


def test_a_line_without_a_print_gets_one_and_comments_stay() -> None:
    replace_text(GERMAN, "  heap @103a36: Haufen", "  # or Berg?\n  heap: Haufen")
    assert codes("pebbles") == []
    run_translate("pebbles", "--lang", "de")
    assert "  # or Berg?\n  heap @103a36: Haufen\n" in GERMAN.read_text(encoding="utf-8")


def test_a_text_that_looks_like_a_number_keeps_its_quotes() -> None:
    replace_text(GERMAN, "pebble @c2b2e5: Stein", 'pebble @c2b2e5: "2"')
    assert run_translate("pebbles", "--lang", "de")[0] == 0
    assert 'pebble @c2b2e5: "2"' in GERMAN.read_text(encoding="utf-8")
    assert codes("pebbles") == []


def test_the_same_text_is_translated_once() -> None:
    replace_text(
        "pebbles/game.yaml", "Nobody takes more than that.", "How many pebbles one may take."
    )
    replace_text(GERMAN, "      not_more @54700e: Mehr als so viele nimmt niemand.\n", "")
    assert codes("pebbles") == []
    before = GERMAN.read_bytes()
    run_translate("pebbles", "--lang", "de")
    assert GERMAN.read_bytes() == before


def test_what_somebody_does_is_not_called_as_a_thing_is() -> None:
    """Neither by the translation of a thing, nor since a thing is called the same in both."""
    replace_text("pebbles/game.yaml", "  ann: Ann\n", "  ann: Ann\n  most: takes\n  turn: bets\n")
    replace_text(
        "pebbles/game.yaml", '{amount}"\n', '{amount}"\n  told.take: takes\n  told.pass: bets\n'
    )
    replace_text(GERMAN, "same: [Ann, Ben]", "same: [Ann, Ben, bets]")
    replace_text(GERMAN, "  active @", f"  most @{fingerprint('takes')}: Fänge\n  active @")
    assert codes("pebbles") == ["missing-translation"]
    _, said, _ = run_translate("pebbles", "--lang", "de")
    assert "2 missing" in said
    takes, bets = f"  told.take @{fingerprint('takes')}:", f"  told.pass @{fingerprint('bets')}:"
    replace_text(GERMAN, takes, f"{takes} nimmt")
    replace_text(GERMAN, bets, f"{bets} bets")
    for how in ("written", "as it was"):
        assert run_translate("pebbles", "--lang", "de")[1].endswith(
            f": {how}; 0 missing, 0 stale\n"
        )
    names = load("pebbles").program.names
    assert (names["most"]["de"], names["told.take"]["de"]) == ("Fänge", "nimmt")
    replace_text("pebbles/game.yaml", "told.pass: bets", "told.turn.take: takes")
    assert load("pebbles").program.names["told.turn.take"]["de"] == "nimmt"


def test_a_change_of_how_something_is_told_is_translated_by_itself() -> None:
    replace_text("variants/pebbles/greedy.yaml", "to: the most\n", "to: takes\n")
    with Path("variants/pebbles/greedy.yaml").open("a", encoding="utf-8") as file:
        file.write("  - add: names.told.take\n    to: takes\n")
    assert "4 missing" in run_translate("pebbles+greedy", "--lang", "de")[1]


def test_a_variant_has_a_translation_of_its_own() -> None:
    code, said, _ = run_translate("pebbles+greedy", "--lang", "de")
    assert code == 0
    assert said.startswith("variants/pebbles/languages/greedy.de.yaml: written; 3 missing")
    text = Path("variants/pebbles/languages/greedy.de.yaml").read_text(encoding="utf-8")
    assert "translates: pebbles+greedy\n" in text
    mark = fingerprint("Three is not much.")
    assert (
        f"changes:\n  set most:\n    # en: Three is not much.\n    because @{mark}:\n"
        "  # en: the most\n  add names.most @"
    ) in text
    replace_text(
        "variants/pebbles/languages/greedy.de.yaml", f"{mark}:", f"{mark}: Drei ist wenig."
    )
    diagnostics = Diagnostics()
    program = compile_name("pebbles+greedy", diagnostics, Library())
    assert program is not None, [str(each) for each in diagnostics]
    assert program.changes[0].because == {"en": "Three is not much.", "de": "Drei ist wenig."}


def test_rules_in_any_language_can_be_translated_into_any_other() -> None:
    replace_text("pebbles/game.yaml", "language: en", "language: it")
    replace_text("pebbles/game.yaml", "[en, de]", "[it, en]")
    shutil.rmtree("pebbles/languages")
    run_translate("pebbles", "--lang", "en")
    text = Path("pebbles/languages/en.yaml").read_text(encoding="utf-8")
    assert "  # it: How many pebbles one may take.\n" in text


@pytest.mark.parametrize(
    "arguments, code, said",
    [
        (("nowhere", "--lang", "de"), 2, "there is no game 'nowhere'"),
        (("pebbles+nothing", "--lang", "de"), 2, "'nothing'"),
        (("pebbles", "--lang", "german"), 2, "'german' is no language"),
        (("pebbles", "--lang", "en"), 2, "pebbles is written in `en` itself"),
    ],
)
def test_a_wrong_call_is_answered(arguments: tuple[str, ...], code: int, said: str) -> None:
    found = run_translate(*arguments)
    assert (found[0], said in found[2]) == (code, True), found


def test_a_file_that_cannot_be_read_is_left_alone() -> None:
    GERMAN.write_text("lawspeaker: 1\nlanguage: [\n", encoding="utf-8")
    code, _, said = run_translate("pebbles", "--lang", "de")
    assert (code, "de.yaml:" in said) == (1, True)
    assert GERMAN.read_text(encoding="utf-8") == "lawspeaker: 1\nlanguage: [\n"


def test_what_fits_nothing_and_has_no_print_stays_as_a_comment() -> None:
    replace_text(GERMAN, "  game @3cc4c2: Die", "  gaem: Die")
    said = run_translate("pebbles", "--lang", "de")[1]
    assert "  the rules have no such text; it stays as a comment: rules.gaem\n" in said
    text = GERMAN.read_text(encoding="utf-8")
    told = "# dropped: rules.gaem: Die Spieler nehmen Kiesel, bis der Haufen weg ist.\n"
    assert text.endswith(told)
    assert "  game @3cc4c2:\n" in text
    run_translate("pebbles", "--lang", "de")
    assert GERMAN.read_text(encoding="utf-8") == text


def test_a_variant_beside_a_game_in_one_file_is_called_as_its_translation_says() -> None:
    game = Path("pebbles/game.yaml").read_text(encoding="utf-8")
    Path("pebbles.yaml").write_text(game, encoding="utf-8")
    shutil.rmtree("pebbles")
    Path("variants/pebbles/greedy.yaml").rename("greedy.yaml")
    assert run_translate("pebbles.yaml+greedy.yaml", "--lang", "it")[0] == 0
    written = Path("languages/greedy.it.yaml").read_text(encoding="utf-8")
    assert "translates: pebbles+greedy\n" in written
    assert run_translate("pebbles+greedy", "--lang", "it")[0] == 0
    code, _, refused = run_translate("pebbles+pebbles", "--lang", "it")
    assert code == 2, "a game is no variant"
    assert "a file that lies elsewhere is named by its path" in refused


def test_a_file_that_is_called_after_another_language_says_how_to_call_it() -> None:
    game = Path("pebbles/game.yaml").read_text(encoding="utf-8")
    Path("pebbles.yaml").write_text(game, encoding="utf-8")
    Path("languages").mkdir()
    german = GERMAN.read_text(encoding="utf-8").replace("language: de", "language: fr")
    Path("languages/pebbles.de.yaml").write_text(german, encoding="utf-8")
    diagnostics = Diagnostics()
    compile_name("pebbles.yaml", diagnostics, Library())
    [fault] = diagnostics
    assert fault.hint == "call it pebbles.fr.yaml, or say which language it is"


def test_what_is_not_translated_yet_is_shown_in_the_language_of_the_rules() -> None:
    replace_text("pebbles/game.yaml", "languages: [en, de]", "languages: [en, de, it]")
    assert codes("pebbles") == ["missing-translation"], "one warning for all of it"
    match = load("pebbles").start(players=2, seed=1)
    assert match.decision is not None
    assert match.decision.prompt_in("it") == "How many of 9 do you take?"
    assert match.decision.options[0].name("it") == "take 1"


def test_check_says_what_a_variant_lacks() -> None:
    assert codes("pebbles+greedy") == [], "a house rule for one table needs no translation"
    run_translate("pebbles+greedy", "--lang", "de")
    diagnostics = Diagnostics()
    assert compile_name("pebbles+greedy", diagnostics, Library()) is not None
    [warning] = diagnostics
    assert warning.message == (
        "3 texts are missing in `de`, and shown in `en`: "
        "`title`, `changes.set most.because`, `changes.add names.most`"
    )


def test_a_remark_on_a_citation_of_no_book_is_not_said_to_be_missing_in_the_rules() -> None:
    says = "    says: Whose turn it is"
    cites = "    cites: {section: Taking, note: So it says.}\n"
    replace_text("pebbles/game.yaml", says, cites + says)
    replace_text(GERMAN, "    asks @", "    note: So steht es da.\n    asks @")
    assert codes("pebbles") == ["unknown-source"]


def test_a_form_of_a_name_is_a_matter_of_its_language() -> None:
    """It makes no translation stale, and the translator is shown the bare name."""
    replace_text(
        "pebbles/game.yaml", "  active: on turn\n", "  active: on turn | is = is on turn\n"
    )
    assert run_translate("pebbles", "--lang", "de", "--check")[0] == 0
    assert codes("pebbles") == []
    run_translate("pebbles", "--lang", "it")
    text = Path("pebbles/languages/it.yaml").read_text(encoding="utf-8")
    assert "# en: on turn\n" in text


def test_a_stale_name_is_marked_in_all_its_forms() -> None:
    replace_text(GERMAN, "@dfe087: am Zug", "@dfe087: am Zug | ist = ist am Zug")
    replace_text("pebbles/game.yaml", "active: on turn", "active: to move")
    program = load("pebbles").program
    assert program.names["active"]["de"] == "am Zug°"
    assert program.forms["active"]["de"] == {"ist": "ist am Zug°"}


def test_a_clause_that_gives_points_has_a_name_in_every_language() -> None:
    """By it players read where their points came from; a title says it as well."""
    replace_text("pebbles/game.yaml", "do turn\n", "do turn\n        do reward\n")
    replace_text(
        "pebbles/game.yaml",
        "\nnames:\n",
        "  reward:\n    says: It is worth a point.\n    rule: active scores 1\n\nnames:\n",
    )
    run_translate("pebbles", "--lang", "de")
    assert "  # en: reward\n  reward @" in GERMAN.read_text(encoding="utf-8")
    unsaid = f"  reward @{fingerprint('It is worth a point.')}:"
    replace_text(GERMAN, unsaid, "  reward: Das ist einen Punkt wert.")
    assert _missing() == "1 text is missing in `de`, and shown in `en`: `names.reward`"
    replace_text("pebbles/game.yaml", "says: It is", "title: The reward\n    says: It is")
    assert "names.reward" not in _missing(), "a title says it as well"
    replace_text("pebbles/game.yaml", "languages: [en, de]", "languages: [en]")
    replace_text("pebbles/game.yaml", "    title: The reward\n", "")
    GERMAN.unlink()
    assert codes("pebbles") == []


def _missing() -> str:
    diagnostics = Diagnostics()
    compile_name("pebbles", diagnostics, Library())
    [warning] = diagnostics
    return warning.message


def test_a_brace_that_stands_alone_in_a_translation_is_named_at_its_place() -> None:
    replace_text(GERMAN, "{amount} nehmen", "{amount nehmen")
    diagnostics = Diagnostics()
    assert compile_name("pebbles", diagnostics, Library()) is None
    [found] = diagnostics
    assert (found.code, found.message) == ("bad-value", "this `{` is never closed")
    line = found.span.file.text.splitlines()[found.span.line - 1]
    assert line[found.span.column - 1 :].startswith("{amount nehmen")


def test_a_house_rule_names_what_gives_points_once_it_is_translated() -> None:
    house = Path("variants/pebbles/greedy.yaml")
    given = "  - add: reward\n    after: turn\n    says: It is worth a point.\n"
    given += "    rule: active scores 1\n"
    house.write_text(HOUSE + given, encoding="utf-8")
    assert codes("pebbles+greedy") == []
    run_translate("pebbles+greedy", "--lang", "de")
    diagnostics = Diagnostics()
    compile_name("pebbles+greedy", diagnostics, Library())
    assert "`reward` has no name in `de`" in {each.message for each in diagnostics}
