"""A designer's versions: revisions of git as editions, the head of a game, and a change log."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.cli import app
from lawspeaker.faces.render.changelog import changelog
from lawspeaker.outside import revisions
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load_rulesets
from lawspeaker.study.compare import compare
from lawspeaker.study.compare.mix import CannotMix, mix
from lawspeaker.study.compare.naming import named
from lawspeaker.study.compare.patch import CannotPatch, patch
from tests.compare.stall import HEAD, market

GAME = Path("rules") / "stall" / "game.yaml"
HURRY = HEAD.format(name="hurry", layer="house rule") + "changes: [{set: rounds, to: 1}]\n"


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *words], cwd=folder, check=True, capture_output=True)


@pytest.fixture(scope="module")
def versions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with three versions: v1, v2, and what is not committed yet."""
    folder = tmp_path_factory.mktemp("designer")
    market(folder, {})
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "The first version")
    git(folder, "tag", "v1")
    (folder / "variants" / "stall" / "hurry.yaml").write_text(HURRY, encoding="utf-8")
    text = (folder / GAME).read_text(encoding="utf-8")
    (folder / GAME).write_text(text.replace("is: 2\n", "is: 3\n"), encoding="utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "More rounds, and a variant")
    git(folder, "tag", "v2")
    git(folder, "branch", "side/way")
    text = (folder / GAME).read_text(encoding="utf-8")
    text = text.replace("{from: 2, to: 3,", "{from: 3, to: 3,")
    text = text.replace("{2 players: 0, 3 players: 1}", "1")
    (folder / GAME).write_text(text, encoding="utf-8")
    return folder


def library(folder: Path) -> Library:
    return Library(here=folder, path=())


def problems(name: str, folder: Path) -> str:
    diagnostics = Diagnostics()
    assert load_rulesets([name], diagnostics, library(folder)) is None
    return "\n".join(each.message for each in diagnostics)


def run(folder: Path, monkeypatch: pytest.MonkeyPatch, *words: str) -> Result:
    monkeypatch.chdir(folder)
    return CliRunner().invoke(app, [*words])


def test_three_versions_are_compared_as_editions_are(versions: Path) -> None:
    diagnostics = Diagnostics()
    found = load_rulesets(["stall@v1", "stall@v2", "stall"], diagnostics, library(versions))
    assert found is not None, "\n".join(map(str, diagnostics))
    rows = {row.id: [cell.text for cell in row.cells] for row in compare(found).table.rows}
    assert rows["rounds"] == ["2", "3", "3"]
    assert rows["head.players"] == ["2–3: Ann, Ben, Cy", "2–3: Ann, Ben, Cy", "3: Ann, Ben, Cy"]
    assert {*rows} == {"rounds", "thanks", "head.players"}


@pytest.mark.parametrize(
    "name",
    ["stall@v2", "stall@HEAD", "stall@side/way", "rules/stall@v2", "rules/stall/game.yaml@v2"],
)
def test_a_revision_is_whatever_git_knows(name: str, versions: Path) -> None:
    found = load_rulesets([name, f"{name}+hurry"], Diagnostics(), library(versions))
    assert found is not None
    rounds = [each.book.section("choices")["rounds"].text("is") for each in found]
    assert rounds == ["3", "1"]
    assert all(each.name.partition("+")[0] == name for each in found)


def test_a_variant_is_that_of_the_revision(versions: Path) -> None:
    assert "no variant of" in problems("stall@v1+hurry", versions)


def test_a_game_that_is_gone_is_still_in_its_revision(versions: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(versions), "copy")
    copy = tmp_path / "copy"
    (copy / GAME).unlink()
    assert load_rulesets(["stall@v1"], Diagnostics(), library(copy)) is not None


def test_what_is_wrong_is_shown_in_the_revision(versions: Path, tmp_path: Path) -> None:
    git(tmp_path, "clone", "-q", str(versions), "copy")
    copy = tmp_path / "copy"
    text = (copy / GAME).read_text(encoding="utf-8").replace("do farewell", "do fairwell")
    (copy / GAME).write_text(text, encoding="utf-8")
    git(copy, "commit", "-qam", "A slip")
    diagnostics = Diagnostics()
    assert load_rulesets(["stall@HEAD"], diagnostics, library(copy)) is None
    (slip,) = diagnostics
    assert str(slip.span).startswith("HEAD/rules/stall/game.yaml:")


@pytest.mark.parametrize(
    "name, message",
    [
        ("stall@v9", "git knows no revision 'v9' in .*; its newest tags: v"),
        ("stal@v1", "there is no game in revision 'v1' named 'stal'; did you mean 'stall'"),
        ("stall@v1+quick", "there is no variant of 'v1/rules/stall/game.yaml' named 'quick'"),
        ("stall@", "names no revision"),
        ("stall@--output=x", "names no revision"),
        ("stall@v1:rules", "git knows no revision"),
    ],
)
def test_what_is_not_there_is_told(name: str, message: str, versions: Path) -> None:
    assert re.search(message, problems(name, versions))


def test_without_a_repository_or_without_git(
    tmp_path: Path, versions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    market(tmp_path, {})
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert "it lies in no git repository" in problems("stall@v1", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "git is not installed" in problems("stall@v1", versions)


def test_what_is_too_much_is_not_read(versions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revisions, "MOST_FILES", 0)
    assert "too many files" in problems("stall@v1", versions)


# ---------------------------------------------------------------- what is made of versions


def test_the_title_of_a_game_cannot_be_patched_and_all_else_can(
    versions: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    git(tmp_path, "clone", "-q", str(versions), "copy")
    now = (versions / GAME).read_text(encoding="utf-8").replace("title: ", "title: New ", 1)
    (copy / GAME).write_text(now, encoding="utf-8")
    found = load_rulesets(["stall@v1", "stall"], Diagnostics(), library(copy))
    assert found is not None
    comparison = compare(found)
    with pytest.raises(CannotPatch, match="head of a game"):
        patch(found[0], found[1], "retold")
    title = named("head.title", comparison)
    with pytest.raises(CannotMix, match="head of the game"):
        mix(found, comparison, {title.number: 1}, "mixed")
    players = named("head.players", comparison)
    assert "set: players" in mix(found, comparison, {players.number: 1}, "mixed").text
    rounds = named("rounds", comparison)
    assert "set: rounds" in mix(found, comparison, {rounds.number: 1}, "mixed").text


def test_a_reading_is_taken_from_an_older_version(
    versions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = run(versions, monkeypatch, "mix", "stall", "--take", "stall@v1:rounds")
    assert found.exit_code == 0, found.output
    assert "  - set: rounds\n    to: 2\n    kind: value\n    cites: {old: Course}\n" in found.stdout


def test_a_log_of_what_has_changed(versions: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = run(versions, monkeypatch, "compare", "stall@v1", "stall@v2", "stall", "--changelog")
    assert found.exit_code == 0, found.output
    assert found.stdout == (
        "# The Stall: what has changed\n\n"
        "## stall, since stall@v2\n\n"
        "### Changed\n\n"
        "- Players: 2–3: Ann, Ben, Cy → 3: Ann, Ben, Cy.\n"
        "- Points for everyone in the end, by number of players: 2 players: 0; 3 players: 1 → 1."
        "\n\n"
        "## stall@v2, since stall@v1\n\n"
        "### Changed\n\n"
        "- How many rounds are played: 2 → 3.\n"
    )


EVERYTHING = """\
changes:
  - replace: round
    says: Players pick twice.
    rule: |
      for each player:
        do picking(player)
        do picking(player)
  - {remove: farewell}
  - add: tip
    says: A tip.
    after: thanking
    rule: |
      ann scores 1
  - {set: names.plum.en, to: damson}
"""


def test_the_log_tells_what_is_new_changed_gone_and_said_otherwise(tmp_path: Path) -> None:
    market(tmp_path, {"other": EVERYTHING}, layer="house rule")
    diagnostics = Diagnostics()
    found = load_rulesets(["stall", "stall+other"], diagnostics, library(tmp_path))
    assert found is not None, "\n".join(map(str, diagnostics))
    log = changelog("The Stall", [compare(found)])
    parts = [line for line in log.splitlines() if line.startswith("#")][2:]
    assert parts == ["### New", "### Changed", "### Taken out", "### Only said otherwise"]
    assert "- Players pick twice. (Before: Players pick in turn.)" in log
    assert "- A tip." in log
    assert "- Ann has the last word, for a point." in log
    assert "plum → damson." in log


CALLED = """\
changes:
  - replace: thanking
    says: Everyone is thanked.
    cites: {old: The end}
    rule: |
      for each player:
        player scores thanks
        do bonus(player)
  - add: bonus
    says: Whoever has a plum scores once more.
    given: {player: player}
    rule: |
      if there is a fruit in basket of player where fruit is plum:
        player scores 1
"""


@pytest.mark.parametrize("names, group", [(("", "+more"), "New"), (("+more", ""), "Taken out")])
def test_a_rule_that_comes_or_goes_is_told_without_the_one_that_does_it(
    names: tuple[str, str], group: str, tmp_path: Path
) -> None:
    market(tmp_path, {"more": CALLED}, layer="house rule")
    diagnostics = Diagnostics()
    found = load_rulesets([f"stall{each}" for each in names], diagnostics, library(tmp_path))
    assert found is not None, "\n".join(map(str, diagnostics))
    told = changelog("The Stall", [compare(found)]).split("\n\n")[2:]
    assert told == [f"### {group}", "- Whoever has a plum scores once more.\n"]
