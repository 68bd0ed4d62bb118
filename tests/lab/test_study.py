"""Results as data: the same names as JSON, CSV, Parquet and data frames; the guide runs."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from typer.testing import CliRunner

from lawspeaker import study
from lawspeaker.faces.cli import app
from lawspeaker.faces.render.data import KEY, table, tables

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "schema" / "study.schema.json").read_text(encoding="utf-8"))
ALONE = ("--workers", "1")


def wrong_one(value: object) -> Any:
    """A value that a checker of types would refuse."""
    return value


SIMULATE = ("simulate", "nim", "-n", "12", *ALONE)
SWEEP = ("sweep", "nim", "--vary", "heap.sizes=[3,4,5],[1,1,1]", "-n", "10", *ALONE)
SKILLED = (*SWEEP, "--measure", "skill:mc:4")
TUNE = ("tune", "nim", "--vary", "heap.sizes at 3=4,5", "--target", "length=5", "-n", "8", *ALONE)
REVIEW = ("review", "nim", "-n", "20", "--thinking", "1", "--bots", "mc:2", *ALONE)
EFFECT = ("compare", "walhalla", "walhalla+no_exodus", "--effect", "2", "--players", "3", *ALONE)


@pytest.fixture(autouse=True)
def own_state_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def run(*words: str) -> str:
    result = CliRunner().invoke(app, [*words])
    assert result.exit_code == 0, result.output
    return result.stdout


def rows_of(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"))))


def heading(file: Path) -> list[str]:
    return next(csv.reader(io.StringIO(file.read_text(encoding="utf-8"))))


@pytest.mark.full
@pytest.mark.parametrize(
    "words, kind, name",
    [
        (SIMULATE, "simulate", ""),
        (SKILLED, "sweep", "points"),
        (TUNE, "tune", "trials"),
        (REVIEW, "review", "findings"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_names_are_the_same_everywhere(
    words: tuple[str, ...], kind: str, name: str, tmp_path: Path
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    files = tmp_path / "t.csv", tmp_path / "t.parquet"
    found = json.loads(run(*words, "--json", "--csv", str(files[0]), "--parquet", str(files[1])))
    jsonschema.validate(found, {**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{kind}"}]})
    lines, kept = rows_of(files[0]), parquet.read_table(files[1])
    assert heading(files[0]) == kept.column_names
    assert len(lines) == kept.num_rows
    about = json.loads(kept.schema.metadata[KEY])
    assert (about["game"], about["seed"], about["bots"]) == ("nim", 1, found["bots"])
    if name:
        told = tables(found)[name]
        assert kept.to_pylist() == told.rows
        assert set(table(found[name]).columns) <= set(kept.column_names)
        assert {"game", "players", "bots", "games", "seed"} <= set(kept.column_names)
        assert {(row["game"], row["seed"]) for row in lines} <= {("nim", "1")}
    else:
        for row in kept.to_pylist():
            jsonschema.validate(row, {**SCHEMA, "anyOf": [{"$ref": "#/$defs/game"}]})
            assert row["winners"] in ("ann", "ben")
            assert (row["players"], json.loads(row["bots"])) == (2, ["random", "random"])


@pytest.mark.full
def test_effects_are_a_table(tmp_path: Path) -> None:
    file = tmp_path / "effects.csv"
    found = json.loads(run(*EFFECT, "--json", "--csv", str(file)))
    lines = rows_of(file)
    behind = {
        (row["game"], row["players"], row["bots"], row["games"], row["seed"]) for row in lines
    }
    assert behind == {("walhalla", "3", '["random", "random", "random"]', "2", "1")}
    together = [row for row in lines if not row["difference"]]
    assert len(together) == 1
    (whole,) = found["tellings"][1]["effects"]
    assert float(together[0]["length.value"]) == whole["length"]["value"]
    assert float(together[0]["seats.red.wins.low"]) == whole["seats"][0]["wins"]["low"]
    result = CliRunner().invoke(app, ["compare", "nim", "nim", "--csv", str(file)])
    assert result.exit_code == 2
    assert "--effect 200" in result.output


@pytest.mark.full
def test_a_frame_has_the_names_of_the_command() -> None:
    pytest.importorskip("pandas")
    found = study.sweep("nim", "heap.sizes=[3,4,5],[1,1,1]", 10, measure="skill:mc:4", workers=1)
    told = json.loads(run(*SKILLED, "--json"))
    assert found.json == told
    frame = found["points"].frame()
    assert list(frame["values.heap.sizes"]) == ["[3, 4, 5]", "[1, 1, 1]"]
    assert frame["measures.skill:mc:4.low"].notna().all()
    assert frame["changes.length.value"].isna().sum() == 1, "the reference has no change"
    with pytest.raises(KeyError, match="there is no table 'pints'; there are "):
        found["pints"]


@pytest.mark.parametrize(
    "wrong, words",
    [
        (lambda: study.simulate("nim", players=9), "is for 2 players, not 9"),
        (lambda: study.simulate("nim", bots="mx:3"), "there is no bot `mx:3`"),
        (lambda: study.sweep("nim", "heap.size=1"), "has no choice `heap.size`"),
        (lambda: study.sweep("nim", "heap.sizes at 3=4", measure="skill:random"), "that thinks"),
        (lambda: study.tune("nim", "heap.sizes at 3=4", "length"), "MEASURE=NUMBER"),
        (lambda: study.tune("nim", "heap.sizes at 3=4", ()), "a target is wanted"),
        (lambda: study.simulate("nimm"), "nimm"),
        (lambda: study.effect("nim", "nim+nothing"), "nothing"),
        (lambda: study.effect("nim", "nim", players=9), "is for 2 players, not 9"),
        (lambda: study.simulate("nim", 0), "games is 1 at least, not 0"),
        (lambda: study.sweep("nim", "heap.sizes at 3=4", 1), "games is 2 at least, not 1"),
        (lambda: study.review("nim", games=20, thinking=0), "thinking is 1 at least, not 0"),
        (lambda: study.simulate("nim", wrong_one("many")), "games is a whole number, not 'many'"),
        (lambda: study.simulate("nim", precision=0), "precision is 0.01 at least"),
        (lambda: study.simulate("nim", seed=wrong_one(None)), "seed is a whole number"),
        (lambda: study.simulate("nim", bots=wrong_one(3)), "bots is a text, or several, not 3"),
        (lambda: study.simulate("nim", workers=0), "workers is 1 at least"),
        (lambda: study.sweep("nim", ()), "one or two choices"),
        (
            lambda: study.sweep("nim", "heap.sizes at 3=4", measure="x=count of"),
            "something is missing here",
        ),
    ],
)
def test_what_is_asked_for_wrongly_is_answered(wrong: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        wrong()


def test_bots_may_be_listed_and_other_names_are_refused() -> None:
    found = study.simulate("nim", 2, bots=["random", "greedy"], workers=1)
    assert found.json["bots"] == ["random", "greedy"]
    with pytest.raises(TypeError, match="no argument 'bot'; did you mean 'bots'"):
        study.simulate("nim", 2, bot="random")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="there are name, games, precision, players, seed, bots"):
        study.simulate("nim", 2, xxxxx=1)  # type: ignore[call-arg]


COMMANDS = (SIMULATE, SWEEP, TUNE, REVIEW, EFFECT)


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_a_file_that_cannot_be_written_is_told_of_before_any_game(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def play(*_: Any) -> None:
        raise AssertionError("nothing is played")

    monkeypatch.setattr("lawspeaker.outside.workers.play_games", play)
    for file in (tmp_path / "no" / "t.csv", tmp_path):
        result = CliRunner().invoke(app, [*words, "--csv", str(file)])
        assert result.exit_code == 1, result.output
        assert f"cannot write '{file}'" in result.output
    assert [each.name for each in tmp_path.iterdir()] == []


@pytest.mark.full
def test_the_notebook_runs() -> None:
    pytest.importorskip("pandas")
    notebook = json.loads((ROOT / "docs" / "study.ipynb").read_text(encoding="utf-8"))
    names: dict[str, Any] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [], "outputs would be out of date some day"
            exec("".join(cell["source"]), names)
    assert names["points"]["changes.score.low"].isna().sum() == 1
    assert len(names["games"]) == 400
