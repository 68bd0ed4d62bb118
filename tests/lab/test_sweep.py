"""Sweeps and tunings: values varied as patches, on the same games."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

import lawspeaker
from lawspeaker.faces.cli import app
from lawspeaker.position.layout import Layout
from lawspeaker.study.lab.statistics import Estimate
from lawspeaker.study.lab.tuning import Target, Trials, Tuning, TuningTrial, front, search
from lawspeaker.study.lab.varying import CannotVary, Values, Varied, combinations, patch, varied
from tests.tiers import sample


def run(*arguments: str) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture(scope="module")
def walhalla() -> Layout:
    return Layout(lawspeaker.load("walhalla").program, 4)


def test_values_to_sweep_are_parsed(walhalla: Layout) -> None:
    assert varied("cards.at_start=1..3", walhalla).values == ("1", "2", "3")
    assert varied("cards.at_start = 2, 4,2", walhalla) == Varied("cards.at_start", ("2", "4"), "1")


@pytest.mark.parametrize(
    "text, words",
    [
        ("cards.at_strt=1..3", "did you mean 'cards.at_start'"),
        ("cards.at_start", "CHOICE=1..5"),
        ("cards.at_start=", "CHOICE=1..5"),
        ("cards.at_start=few", "is a number"),
        ("cards.at_start=5..1", "lowest first"),
        ("cards.at_start=1..9999", "more than"),
        ("cards.at_start=,", "CHOICE=1..5"),
        ("cards.at_start=1,99999999999", "cannot be 99999999999: numbers go from -2147483647 to"),
        (f"cards.at_start={'9' * 5000}", "is a number"),
        ("peninsula.lengths=6", "is a list"),
        ("boarding.order=random", "cannot be `random`; it is one of active_first, guest_first$"),
        ("boarding.order=guest_frst", r"one of .*; did you mean 'guest_first'\?"),
    ],
)
def test_what_cannot_be_varied_is_answered(text: str, words: str, walhalla: Layout) -> None:
    with pytest.raises(CannotVary, match=words):
        varied(text, walhalla)


CHOICES = """\
lawspeaker: 1
game: picnic
players: {from: 2, to: 2, called: [ann, ben]}
choices:
  friendly: {says: Whether nobody loses., is: true}
  goal: {says: Short or long., one of: [10, 20], is: 10}
  again: {says: Whether it is played again., one of: [now, 'off', later], is: later}
rules:
  game:
    says: Points by the choices.
    rule: |
      if friendly or again is later:
        ann scores goal
names: {ann: Ann, ben: Ben}
"""


@pytest.fixture
def picnic(tmp_path: Path) -> Path:
    file = tmp_path / "picnic.yaml"
    file.write_text(CHOICES)
    return file


def test_a_choice_takes_what_its_rule_file_could_say(picnic: Path) -> None:
    layout = Layout(lawspeaker.load(str(picnic)).program, 2)
    assert varied("friendly=false,true", layout) == Varied("friendly", ("false", "true"), "true")
    assert varied("goal=20,010,10", layout) == Varied("goal", ("20", "10"), "10")
    assert varied("again=off,later", layout) == Varied("again", ("off", "later"), "later")
    with pytest.raises(CannotVary, match="friendly cannot be `yes`; it is one of true, false"):
        varied("friendly=yes", layout)
    with pytest.raises(CannotVary, match="goal cannot be `11`; it is one of 10, 20"):
        varied("goal=10..20", layout)


@pytest.mark.parametrize("choice", ["friendly=false,true", "goal=10,20", "again=now,off,later"])
def test_whatever_can_be_varied_is_played(choice: str, picnic: Path) -> None:
    run("sweep", str(picnic), "--vary", choice, "--games", "2", "--workers", "1")


@pytest.mark.parametrize("command", [("sweep",), ("tune", "--target", "length=5")])
@pytest.mark.parametrize(
    "vary, words",
    [
        (("--vary", "friendly=maybe"), "friendly cannot be `maybe`"),
        (("--vary", "goal=10", "--vary", "goal=20"), "goal is varied twice"),
    ],
)
def test_what_the_rules_do_not_allow_is_answered_in_the_words_of_the_call(
    command: tuple[str, ...], vary: tuple[str, ...], words: str, picnic: Path
) -> None:
    result = CliRunner().invoke(app, [command[0], str(picnic), *command[1:], *vary])
    assert result.exit_code == 2
    assert words in result.output
    assert "patch.yaml" not in result.output


def test_too_many_combinations_are_refused() -> None:
    many = Varied("a", tuple(map(str, range(100))), "1")
    with pytest.raises(CannotVary, match="10000 combinations"):
        combinations([many, many])


@pytest.mark.full
def test_a_sweep_is_paired_and_starts_from_the_rules_as_they_are() -> None:
    found = json.loads(
        run(
            *("sweep", "walhalla", "--vary", "cards.at_start=0,1,3", "--games", "6"),
            *("--workers", "1", "--json", "--players", "3"),
        )
    )
    assert [point["reference"] for point in found["points"]] == [False, True, False]
    values = [point["values"] for point in found["points"]]
    assert values == [{"cards.at_start": number} for number in (0, 1, 3)]
    assert [point["changes"] is None for point in found["points"]] == [False, True, False]
    for point in found["points"]:
        if point["changes"] is not None:
            base = found["points"][1]["measures"]["score"]["value"]
            change = point["measures"]["score"]["value"] - base
            assert point["changes"]["score"]["value"] == pytest.approx(change, abs=1e-5)


@pytest.mark.full
def test_the_rules_as_they_are_always_take_part(picnic: Path, tmp_path: Path) -> None:
    """Also where their values are not asked for, and then they are drawn, too."""
    words = ("sweep", str(picnic), "--games", "2", "--workers", "1", "--players", "2")
    told = run(*words, "--vary", "goal=20", "--plot", str(tmp_path / "line.svg"))
    assert "* the rules as they are" in told
    assert re.search(r"^ *\*10 .*\n *20 ", told, re.MULTILINE)
    both = ("--vary", "goal=20", "--vary", "again=now,off")
    found = json.loads(run(*words, *both, "--plot", str(tmp_path / "field.svg"), "--json"))
    points = [(*point["values"].values(), point["reference"]) for point in found["points"]]
    assert points == [("later", 10, True), ("now", 20, False), ("off", 20, False)]
    assert found["points"][1]["changes"]["score"]["value"] == 5
    assert {point["games"] for point in found["points"]} == {2}
    assert [point["pairs"] for point in found["points"]] == [None, 2, 2]


@pytest.mark.full
def test_the_reference_is_what_simulate_says() -> None:
    """The value that the rules have, set by a patch, gives the very games of the rules."""
    common = ("--games", "5", "--workers", "1", "--json", "--players", "3")
    swept = json.loads(run("sweep", "walhalla", "--vary", "cards.at_start=1", *common))
    plain = json.loads(run("simulate", "walhalla", *common))
    measures = swept["points"][0]["measures"]
    assert measures["length"]["value"] == plain["decisions"]["value"]
    assert measures["margin"]["value"] == plain["margin"]["value"]


@pytest.mark.full
def test_two_choices_make_a_field(tmp_path: Path) -> None:
    picture = tmp_path / "field.png"
    page = tmp_path / "field.html"
    found = run(
        *("sweep", "walhalla", "--vary", "cards.at_start=0..1", "--vary", "fields.points=1,2"),
        *("--games", "2", "--workers", "1", "--plot", str(picture), "--html", str(page)),
    )
    assert "cards.at_start" in found
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert page.read_text().count("<table>") == 2


@pytest.mark.full
def test_a_value_that_breaks_the_rules_is_answered() -> None:
    result = CliRunner().invoke(
        app, ["sweep", "walhalla", "--vary", "cards.at_start=99", "--workers", "1"]
    )
    assert result.exit_code == 1
    assert "setup.piles" in result.output


# ---------------------------------------------------------------- tuning


def exact(**values: float) -> dict[str, Estimate]:
    return {name: Estimate(value, value, value) for name, value in values.items()}


def tune(
    choices: list[Varied],
    targets: list[Target],
    measure: Callable[[Values], dict[str, Estimate]],
    seed: int,
) -> Tuning:
    trials = Trials(choices, targets)
    search(trials, measure, seed)
    return trials.tuning()


def test_few_values_are_all_tried() -> None:
    choices = [Varied("a", tuple(map(str, range(10))), "2")]
    found = tune(choices, [Target("length", 49)], lambda at: exact(length=int(at[0]) ** 2), seed=1)
    assert found.best.values == ("7",)
    assert found.tried == len(found.trials) == 10
    assert found.printed is not None
    assert found.printed.values == ("2",)


def test_the_rules_as_they_are_are_no_answer_where_they_are_not_given() -> None:
    choices = [Varied("a", ("5", "6"), "2")]
    found = tune(choices, [Target("length", 0)], lambda at: exact(length=int(at[0])), seed=1)
    assert found.printed is not None
    assert found.printed.values == ("2",)
    assert (found.best.values, found.tried) == (("5",), 2)
    assert [each.values for each in found.front] == [("5",)]
    assert [each.values for each in found.trials] == [("2",), ("5",), ("6",)]


@pytest.mark.parametrize(
    "target, words",
    [
        ("ties=5", "ties is a share and lies between 0 and 1, so it cannot become 5; 5 percent is"),
        ("start=-2", "start is a share and lies between -1 and 1"),
        ("length=5%", "length is no share"),
    ],
)
def test_a_target_out_of_reach_is_refused(target: str, words: str, picnic: Path) -> None:
    result = CliRunner().invoke(app, ["tune", str(picnic), "--vary", "goal=20", "--target", target])
    assert result.exit_code == 2
    assert words in result.output


def test_a_target_that_is_missed_is_told(picnic: Path) -> None:
    words = ("tune", str(picnic), "--vary", "goal=10,20", "--games", "4", "--workers", "1")
    missed = run(*words, "--target", "score=7", "--target", "ties=1%")
    assert "The target of score, 7.0, is missed" in missed
    assert "The target of ties" in missed
    found = json.loads(run(*words, "--target", "score=5", "--target", "ties=50%", "--json"))
    wanted = [(each["value"], each["missed"]) for each in found["targets"]]
    assert wanted == [(5.0, False), (0.5, True)]


def test_many_values_are_searched() -> None:
    choices = [Varied(name, tuple(map(str, range(60))), "5") for name in "ab"]

    def hill(at: Values) -> dict[str, Estimate]:
        return exact(length=(int(at[0]) - 41) ** 2 + (int(at[1]) - 17) ** 2)

    found = tune(choices, [Target("length", 0)], hill, seed=1)
    assert found.best.miss <= 4
    assert found.tried < 600, "of 3,600"


def trial(name: str, *misses: float, change: float) -> TuningTrial:
    return TuningTrial((name,), {}, misses, sum(misses), change)


def test_the_front_keeps_what_nothing_beats() -> None:
    trials = [
        trial("", miss, change=change)
        for miss, change in ((5, 0.0), (6, 0.1), (3, 0.2), (3, 0.4), (1, 0.9))
    ]
    assert [(each.miss, each.change) for each in front(trials)] == [(5, 0), (3, 0.2), (1, 0.9)]


def test_with_several_targets_compromises_are_kept() -> None:
    trials = [
        trial("as it is", 4, 4, change=0),
        trial("near the first", 1, 5, change=1),
        trial("near the second", 5, 1, change=1),
        trial("beaten by all", 6, 6, change=2),
        trial("between", 2, 2, change=1),
        trial("beaten by the one between", 3, 2, change=1),
    ]
    kept = {each.values[0] for each in front(trials)}
    assert kept == {"as it is", "near the first", "near the second", "between"}

    choices = [Varied("a", tuple(map(str, range(9))), "0")]
    targets = [Target("length", 8), Target("score", 0)]
    found = tune(choices, targets, lambda at: exact(length=int(at[0]), score=int(at[0])), seed=1)
    assert len(found.front) == 9, "each step gains something and costs something"
    assert found.best.values == ("0",), "8 too few of 8 weigh less than 8 too many of none"


def test_lists_entries_and_paths_are_varied(walhalla: Layout) -> None:
    lists = varied("peninsula.lengths=[6,6,6],[5, 6,7]", walhalla)
    assert (lists.values, lists.printed) == (("[6, 6, 6]", "[5, 6, 7]"), "[6, 6, 6]")
    entry = varied("peninsula.lengths at 2=5..6", walhalla)
    assert (entry.values, entry.printed) == (("5", "6"), "6")
    path = "pieces.card.kinds.hunt.count"
    count = varied(f"{path}=3..4", walhalla, {path: "4"}.get)
    assert (count.values, count.printed) == (("3", "4"), "4")
    written = patch(walhalla.program, [entry, count], ("5", "3"))
    assert "  - set: peninsula.lengths\n    to: [6, 5, 6]\n" in written
    assert f"  - set: {path}\n    to: 3\n" in written


def test_the_command_varies_lists_and_paths(picnic: Path) -> None:
    for vary in ("heap.sizes=[3,4,5],[1,1,1]", "heap.sizes at 3=1,5"):
        found = json.loads(
            run("sweep", "nim", "--vary", vary, "-n", "20", "--workers", "1", "--json")
        )
        lengths = [each["measures"]["length"]["value"] for each in found["points"]]
        assert len(set(lengths)) == 2
    result = CliRunner().invoke(app, ["sweep", "nim", "--vary", "pieces.stone.cuont=12"])
    assert result.exit_code == 2
    assert "nothing stands at `pieces.stone.cuont` in nim" in result.output


# ---------------------------------------------------------------- measures


@pytest.mark.full
def test_measures_are_named(tmp_path: Path) -> None:
    """Each is held against what a simulation says of the same games."""
    common = ("--games", "30", "--workers", "1", "--json", "--players", "3")
    names = ("part:wheat", "points:wheat", "fires:turn", "chosen:dock bow_first", "ahead:red")
    wanted = [word for name in names for word in ("--measure", name)]
    own = ("--measure", "midgard=count of vikings in midgard of red")
    swept = json.loads(
        run("sweep", "walhalla", "--vary", "cards.at_start=1", *wanted, *own, *common)
    )
    found = {name: each["value"] for name, each in swept["points"][0]["measures"].items()}
    told = json.loads(run("simulate", "walhalla", *common))
    (wheat,) = (each for each in told["sources"] if each["clause"] == "wheat")
    assert found["points:wheat"] == pytest.approx(wheat["points"]["value"], abs=1e-5)
    assert found["part:wheat"] == pytest.approx(wheat["part"], abs=1e-5)
    fired = {each["clause"]: each["times"] for each in told["fired"]}
    assert found["fires:turn"] == fired["turn"]
    (bow,) = (each for each in told["uses"] if each["option"] == "dock …, bow_first")
    assert found["chosen:dock bow_first"] == pytest.approx(bow["times"], abs=1e-5)
    red = told["seats"][0]["wins"]["value"]
    assert found["ahead:red"] == pytest.approx(red - 1 / 3, abs=1e-5)
    assert found["breaks"] == 0
    assert found["midgard"] > 0


SELDOM_MUCH = """\
lawspeaker: 1
game: seldom_much
players: {from: 2, to: 2, called: [ann, ben]}
choices:
  large: {says: What luck gives., is: 100}
rules:
  game:
    says: Everyone calls heads or tails, and is given something.
    rule: |
      for each player:
        do calling(player)
        do small(player)
      do luck
  calling:
    says: A player calls heads or tails.
    asks: Which?
    given: {player: player}
    rule: |
      player must choose one of
        heads
          then: skip
        tails
          then: skip
  small:
    says: A point for each.
    given: {player: player}
    rule: |
      player scores 1
  luck:
    says: In one game of ten everyone wins much, in another everyone loses it.
    rule: |
      pick a random number as die in 1..10
      for each player:
        if die = 1:
          player scores large
        if die = 2:
          player loses large
"""


@pytest.mark.full
def test_a_part_is_the_same_wherever_it_is_told(tmp_path: Path) -> None:
    """What a rule gives of all points, won or lost, in all games together."""
    file = tmp_path / "seldom_much.yaml"
    file.write_text(SELDOM_MUCH)
    common = ("--games", "300", "--workers", "1", "--json")
    told = json.loads(run("simulate", str(file), *common))
    parts = {each["clause"]: each["part"] for each in told["sources"]}
    assert parts["luck"] > 0.9
    wanted = ("--vary", "large=100,1", "--measure", "part:luck")
    much, little = json.loads(run("sweep", str(file), *wanted, *common))["points"]
    now, then = (each["measures"]["part:luck"] for each in (much, little))
    assert now["value"] == pytest.approx(parts["luck"], abs=1e-5)
    assert now["low"] < 20 / 21 < now["high"]
    assert then["low"] < 1 / 6 < then["high"]
    change = little["changes"]["part:luck"]
    assert change["value"] == pytest.approx(then["value"] - now["value"], abs=1e-5)
    aim = ("--vary", "large=1,100", "--target", "part:luck=0.95")
    tuned = json.loads(run("tune", str(file), *aim, *common))
    (best,) = (each for each in tuned["trials"] if each["best"])
    assert best["values"] == {"large": 100}
    reviewed = json.loads(run("review", str(file), "--thinking", "1", "--bots", "random", *common))
    (most,) = (each for each in reviewed["findings"] if each["kind"] == "most of the score")
    assert most["subject"] == "luck"
    assert most["figure"]["value"] == pytest.approx(parts["luck"], abs=1e-5)


@pytest.mark.parametrize(
    "measure, code, words",
    sample(
        [
            ("fun", 2, "there is no measure `fun`; there are score, "),
            ("lenght", 2, "did you mean 'length'?"),
            ("part:wheet", 2, "did you mean 'wheat'?"),
            ("ahead:pink", 2, "there is no seat `pink`; there are red, "),
            ("chosen:jump", 2, "nothing of that name can be chosen"),
            ("chosen:pass", 2, "say which: chosen:"),
            ("rest=count of cardz in hand of red", 1, "did you mean 'cards'?"),
            ("rest=red", 2, "the measure `rest` is a player, not a number or yes or no"),
            ("length=1", 2, "there is a measure `length` already"),
            ("a b=1", 2, "NAME=EXPRESSION"),
        ],
        test=2,
    ),
)
def test_a_wrong_measure_is_answered(measure: str, code: int, words: str) -> None:
    result = CliRunner().invoke(
        app, ["sweep", "walhalla", "--vary", "cards.at_start=1", "--measure", measure]
    )
    assert result.exit_code == code
    assert words in result.output


@pytest.mark.full
def test_the_command_tunes(tmp_path: Path) -> None:
    picture = tmp_path / "curve.svg"
    found = run(
        *("tune", "walhalla", "--vary", "cards.at_start=0..2", "--target", "length=150"),
        *("--games", "4", "--workers", "1", "--plot", str(picture)),
    )
    assert "Closest of 3 tried" in found
    assert "In other games than those it was chosen by: " in found
    assert "<svg" in picture.read_text()
    result = CliRunner().invoke(
        app, ["tune", "walhalla", "--vary", "cards.at_start=0..2", "--target", "fun=11"]
    )
    assert result.exit_code == 2
    assert "there is no measure `fun`" in result.output


@pytest.mark.full
def test_trials_that_cannot_be_the_answer_end_sooner() -> None:
    aim = ("--vary", "heap.sizes at 1=1..3", "--target", "length=5.3", "--precision", "2")
    found = json.loads(run("tune", "nim", *aim, "--workers", "1", "--json"))
    games = {each["values"]["heap.sizes at 1"]: each["games"] for each in found["trials"]}
    assert games[1] < games[3], "which is surely closer"
    (best,) = (each for each in found["trials"] if each["best"])
    length = best["measures"]["length"]
    assert best["values"] == {"heap.sizes at 1": 3}
    assert best["looks"] > 1
    assert (length["high"] - length["low"]) / 2 <= 0.02 * 5.3


def test_a_precision_of_skill_is_refused() -> None:
    aim = ("--vary", "heap.sizes at 1=1,2", "--target", "skill=0.5", "--precision", "2")
    result = CliRunner().invoke(app, ["tune", "nim", *aim])
    assert result.exit_code == 2
    assert "games of its own" in result.stderr


@pytest.mark.full
def test_the_command_tunes_to_several_targets(tmp_path: Path) -> None:
    table = tmp_path / "trials.csv"
    found = run(
        *("tune", "walhalla", "--vary", "cards.at_start=0..2", "--target", "length=150"),
        *("--target", "part:wheat=0.2", "--games", "4", "--workers", "1", "--csv", str(table)),
    )
    assert "closest to all of them together" in found
    rows = list(csv.DictReader(table.read_text().splitlines()))
    assert [row["values.cards.at_start"] for row in rows] == ["1", "0", "2"]
    assert all(0 < float(row["off.part:wheat"]) < 0.2 for row in rows)
    two = ["--target", "length=1", "--target", "length=2"]
    result = CliRunner().invoke(app, ["tune", "walhalla", "--vary", "cards.at_start=0", *two])
    assert result.exit_code == 2
    assert "length has two targets" in result.output


def test_games_end_when_changes_of_shares_are_known() -> None:
    words = ("sweep", "nim", "--vary", "heap.sizes=[3,4,5],[1,1,1]", "--workers", "1")
    told = json.loads(run(*words, "--precision", "8", "--json"))
    (change,) = [each["changes"]["start"] for each in told["points"] if each["changes"]]
    assert (change["high"] - change["low"]) / 2 <= 0.08
    assert 100 < told["games"] < 1000
    assert told["looks"] > 1
    told_in_words = run(*words, "--precision", "8")
    assert f"The games were looked at {told['looks']} times" in " ".join(told_in_words.split())
    few = CliRunner().invoke(app, [*words, "--precision", "1", "--games", "20"])
    assert "the precision of ±1 % is not reached: it is ±" in few.output
    effort = r"Changes of `start` are known to ±\d+\.\d %. ±1 % takes about [\d,]+ games for each"
    assert re.search(effort, few.output)
