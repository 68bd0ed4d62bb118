"""`lawspeaker compare`, `show --contract` and `replay --under` from the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
from typer.testing import CliRunner, Result

from lawspeaker.faces.cli import app
from lawspeaker.faces.render.clause import guards
from lawspeaker.outside.loading import load, schema
from lawspeaker.players.bots import bot, reply, seat_seed
from tests.compare.stall import market

HOUSE = {
    "longer": "about: A longer game.\nchanges: [{set: rounds, to: 3, because: It is short.}]\n",
    "strict": "changes: [{amend: picking.not_full, also: fruit is not plum, says: No plums.}]\n",
    "curt": "changes: [{remove: farewell}]\n",
    "sober": """\
changes:
  - add: picking.not_plum
    where: fruit is not plum
    says: Plums stay in the crate.
  - add: blessing
    says: Ann is blessed.
    after: farewell
    rule: ann scores 1
  - add: picking.not_last
    where: count of fruits in crate > 1
    says: The last fruit stays.
    cites: {old: Leftovers}
""",
}


@pytest.fixture(autouse=True)
def working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    market(tmp_path, HOUSE, layer="house rule")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def run(*words: str, code: int = 0) -> Result:
    result = CliRunner().invoke(app, list(words))
    assert result.exit_code == code, result.output
    return result


def test_rulesets_are_compared() -> None:
    text = run("compare", "stall", "stall+longer", "stall+strict").output
    assert "2 differences: 2 change play by the text of the rules." in text
    assert "≠  longer book  3  [" in text
    assert "=  strict book  2\n" in re.sub(" +\n", "\n", text)


def test_the_older_way_to_ask_for_a_format_still_works() -> None:
    wanted = run("compare", "stall", "stall+longer", "--markdown").stdout
    assert wanted.startswith("**1 difference: ")
    older = run("compare", "stall", "stall+longer", "--format", "markdown")
    assert older.stdout == wanted
    assert older.stderr == "(--format markdown is --markdown now)\n"
    json = run("compare", "stall", "stall+longer", "--format", "json")
    assert json.stdout == run("compare", "stall", "stall+longer", "--json").stdout
    assert "--format" not in run("compare", "--help").output
    run("compare", "stall", "stall+longer", "--markdown", "--json", code=2)


def test_whether_secrets_are_kept_is_asked_of_those_who_play(working_folder: Path) -> None:
    leak = """\
changes:
  - {set: places.basket.seen by, to: owner}
  - amend: picking.not_full
    also: there is no fruit as own in basket of left_neighbour of player where own is plum
    says: A neighbour with a plum is envied.
"""
    market(working_folder, {"leaky": leak}, layer="house rule")
    assert "hidden-from-chooser" in run("check", "stall+leaky", code=1).output
    names = ("compare", "stall", "stall+leaky")
    assert "A neighbour with a plum is envied." in run(*names).output
    assert "hidden-from-chooser" in run(*names, "--witness", "--workers", "1", code=1).output


def test_a_patch_turns_one_into_the_other(working_folder: Path) -> None:
    run("compare", "stall+longer", "stall+strict", "--patch", "turned.yaml")
    text = run("compare", "stall+longer+./turned.yaml", "stall+strict").output
    assert text.startswith("No differences.")


def test_witnesses_are_saved_as_scenarios(working_folder: Path) -> None:
    run("compare", "stall", "stall+strict", "--save", "found", "--workers", "1", "--only", "play")
    files = sorted(file.name for file in (working_folder / "found").iterdir())
    assert files == [
        "picking_not_full_stall_not_strict.yaml",
        "picking_not_full_strict_not_stall.yaml",
    ]
    assert "2 passed" in run("scenario", "found").output


@pytest.mark.full
def test_the_answer_for_programs_keeps_to_its_schema() -> None:
    words = ("--witness", "--effect", "3", "--workers", "1", "--json")
    data = json.loads(run("compare", "stall", "stall+longer", *words).stdout)
    jsonschema.validate(data, schema("compare"))
    effects = data["differences"][0]["findings"][0]["effects"]
    assert [(each["players"], each["games"]) for each in effects] == [(2, 3), (3, 3)]


def test_a_page_is_written(working_folder: Path) -> None:
    run("compare", "stall", "stall+longer", "--html", "page.html")
    assert "<h1>1 difference: 1 changes play" in (working_folder / "page.html").read_text(
        encoding="utf-8"
    )


def test_wrong_calls_are_refused() -> None:
    assert "at least two" in run("compare", "stall", "--witness", code=2).output
    two = "these are two different games: nim is a version of nim, not of stall"
    assert two in run("compare", "stall", "nim", code=2).output
    for option in ("--html", "--effect", "--find", "--texts"):
        told = run("compare", "stall", "stall+curt", "--changelog", option, "1", code=2).output
        assert f"{option} does not go with --changelog" in told
    run("compare", "stall", "stall+curt", "--only", "colours", code=2)
    run("compare", "stall", "stall+curt", "--players", "9", code=2)
    assert "there is no variant" in run("compare", "stall", "stall+curtt", code=2).output
    both = ("compare", "stall", "stall+curt", "stall+longer", "--patch", "x.yaml")
    assert "two versions" in run(*both, code=2).output


# ---------------------------------------------------------------- contracts


@pytest.mark.parametrize("command", ["check", "compare", "explain", "play", "show", "simulate"])
def test_a_game_that_is_not_there_is_a_wrong_call(command: str) -> None:
    words = [command, "stal", *(["fruit"] if command == "explain" else [])]
    assert "there is no game 'stal'; did you mean 'stall'?" in run(*words, code=2).output


def test_a_game_without_books_is_not_asked_for_any(working_folder: Path) -> None:
    head = "lawspeaker: 1\nvariant: short\nof: pig\nlayer: house rule\ntitle: Short\n"
    (working_folder / "short.yaml").write_text(
        f"{head}changes: [{{set: goal, to: 20}}]\n", encoding="utf-8"
    )
    text = run("compare", "pig", "pig+./short.yaml").output
    assert text.startswith("1 difference: 1 changes play by the text of the rules.")
    assert "not cited" not in text
    data = json.loads(run("compare", "pig", "pig+./short.yaml", "--json").stdout)
    assert {cell["said"] for row in data["rows"] for cell in row["cells"]} == {""}


def test_a_word_that_nothing_speaks_of_is_told() -> None:
    nothing = "Nothing here speaks of “xyzzy”. Titles, rules, questions, remarks, headings and"
    text = " ".join(run("compare", "stall", "stall+curt", "--find", "xyzzy").output.split())
    assert nothing in text
    assert nothing in run("ask", "stall", "xyzzy", code=1).output
    found = run("ask", "stall", "xyzzy", "--lang", "de", code=1)
    assert found.output.startswith("Von „xyzzy“ ist hier nirgends die Rede.")
    assert found.stdout == ""
    text = run("ask", "stall", "fruit", "xyzzy", code=1).output
    assert re.search("“fruit” alone is found in [0-9]+ places. “xyzzy” is found nowhere.", text)


def test_a_name_alone_is_no_answer() -> None:
    assert "Nothing here" in run("ask", "stall", "Ben", code=1).output


def test_older_spellings_work_and_name_the_new_command() -> None:
    for old, new in (
        (("explain", "stall", "fruit"), ("ask", "stall", "fruit")),
        (("compare", "stall"), ("gaps", "stall")),
        (("compare", "stall", "stall+curt", "--changelog"), ("changelog", "stall", "stall+curt")),
    ):
        found = run(*old)
        assert found.stdout == run(*new).stdout
        assert f"lawspeaker {' '.join(new)}`" in found.stderr
    assert "at least two versions" in run("changelog", "stall", code=2).output


def test_a_contract_says_what_was_agreed_on() -> None:
    text = run("show", "stall+longer+curt", "--contract", "--width", "78").output
    assert "House rule: longer book" in text
    assert "A longer game." in text
    assert "How many rounds are played: 3" in text
    assert "Before: 2" in text
    assert "Why: It is short." in text
    assert "Left out: Ann has the last word, for a point." in text
    assert "Whatever is not listed here is played by these rules: The Stall." in " ".join(
        text.split()
    )


def test_a_contract_says_what_is_the_tables_own() -> None:
    text = run("show", "stall+longer+strict+sober", "--contract", "--width", "78").output
    told = dict(re.findall(r"\d\. ([^\n]*)(?:\n +(?!Source)[^\n]*)*\n +Source: ([^\n]*)", text))
    assert told == {
        "How many rounds are played: 3": "the table's own choice; Course [old], says otherwise",
        "No plums.": "the table's own rule; Baskets [old], says otherwise",
        "Plums stay in the crate.": "the table's own rule",
        "The last fruit stays.": "Leftovers [old]",
        "Ann is blessed.": "the table's own rule",
    }


def test_a_guard_of_the_table_is_refused_in_no_books_name() -> None:
    """Wherever it is shown: the guard does not stand where its clause stands."""
    program = load("stall+sober").program
    clause = next(each for each in program.clauses if each.id == "picking")
    assert [cite.section for cite in clause.cites] == ["Picking"]
    cited = {guard.name: [cite.section for cite in guard.cites] for guard in guards(clause)}
    assert cited == {"not_full": ["Baskets"], "not_plum": [], "not_last": ["Leftovers"]}


def test_a_contract_of_nothing() -> None:
    assert "plays the base game as it is" in run("show", "stall", "--contract").output


def test_a_contract_as_markdown_and_as_a_page(working_folder: Path) -> None:
    text = run("show", "stall+longer", "--contract", "--markdown").output
    assert "## House rule: longer book" in text
    assert "1. **How many rounds are played** 3" in text
    run("show", "stall+longer", "--contract", "--html", "agreed.html")
    page = (working_folder / "agreed.html").read_text(encoding="utf-8")
    assert '<p class="says"><b>How many rounds are played</b> 3</p>' in page
    assert "<dt>Before</dt><dd>2</dd>" in page
    assert "http" not in page
    run("show", "stall", "--contract", "--json", code=2)


# ---------------------------------------------------------------- under other rules


@pytest.fixture
def log(working_folder: Path) -> Path:
    """A game in which plums were taken."""
    match = load("stall").start(players=3, seed=2)
    bots = [bot("random", seat_seed(2, seat)) for seat in range(3)]
    while decision := match.decision:
        assert decision.seat is not None
        plums = [option for option in decision.options if "plum" in option.text]
        option = plums[0] if plums else reply(bots[decision.seat], match, decision.seat)
        match.choose(option, seat=decision.seat)
    file = working_folder / "game.log"
    file.write_text(match.record().text(), encoding="utf-8")
    return file


def test_a_reply_that_is_not_allowed_any_more(log: Path) -> None:
    text = run("replay", str(log), "--under", "stall+strict", code=1).output
    assert "Reply 1 (Ann: take plum) would not have been allowed under stall+strict." in text
    assert "by picking.not_full: No plums." in text
    assert "both go up to reply 0" in text


def test_something_else_happens_and_both_go_on_to_the_end(log: Path) -> None:
    text = run("replay", str(log), "--under", "stall+curt", code=1).output
    assert "would have gone otherwise under stall+curt" in text
    assert "Both can be played to the end with these replies." in text
    data = json.loads(run("replay", str(log), "--under", "stall+curt", "--json", code=1).stdout)
    jsonschema.validate(data, schema("replay-under"))
    assert data["finished"]
    gaps = [then - now for then, now in zip(data["scores_then"], data["scores_now"], strict=True)]
    assert gaps == [1, 0, 0]


def test_nothing_is_otherwise_under_the_same_rules(log: Path) -> None:
    assert "everything comes out the same" in run("replay", str(log), "--under", "stall").output
    assert "not a version" in run("replay", str(log), "--under", "nim", code=2).output
