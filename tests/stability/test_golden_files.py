"""Files of every released version open, and what they began goes on (docs/stability.md)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import lawspeaker
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.cli import app
from lawspeaker.faces.web import store
from lawspeaker.faces.web.database import Place, Schema
from lawspeaker.faces.web.workshop import draft_store
from lawspeaker.faces.web.workshop.draft_store import Drafts
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compile_name, game_of
from lawspeaker.outside.storage import open_log
from tests.stability.making import VERSIONS, restored, settings
from tests.web.conftest import House
from tests.web.database_server import database_server
from tests.web.visitors import play_on

NAMES = ("harvest", "harvest+long")
pytestmark = pytest.mark.parametrize("version", VERSIONS, ids=lambda folder: folder.name)


def known(version: Path, of: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((version / "known.json").read_text(encoding="utf-8"))[of]
    return found


@pytest.mark.parametrize("name", NAMES)
def test_rules_are_read_and_played(version: Path, name: str) -> None:
    """A game, its translation and a variant, without a warning."""
    diagnostics = Diagnostics()
    library = Library(here=version, path=())
    compile_name(name, diagnostics, library)
    assert not len(diagnostics)
    match = lawspeaker.load(name, library).start(players=2, seed=5)
    while match.decisions:
        for decision in match.decisions[:1]:
            match.choose(decision.options[0], seat=decision.seat)
    assert sum(match.scores) > 0


def test_a_scenario_still_passes(version: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(version)
    result = CliRunner().invoke(app, ["scenario", "scenario.yaml"])
    assert result.exit_code == 0, result.output


@pytest.mark.parametrize("alone", [False, True], ids=["by its game", "by itself"])
def test_a_log_is_replayed_and_played_on(version: Path, alone: bool) -> None:
    """The same seed still shuffles the same, whether the rules are there or only in the log."""
    library = Library(path=()) if alone else Library(here=version, path=())
    log = open_log(version / "game.log", diagnostics := Diagnostics())
    assert log is not None
    found = game_of(log, diagnostics, library)
    assert found is not None
    assert not len(diagnostics)
    match = found[0].replay(log)
    assert match.decision is not None
    assert match.record(log.seats, log.bundle).text() == log.text()
    while match.decisions:
        decision = match.decisions[0]
        match.choose(decision.options[0], seat=decision.seat)
    assert any(match.scores)


def goes_on(version: Path, place: Place, known: dict[str, Any]) -> None:
    """The server asks the same question, the game is played to its end, and the draft is there.
    The game is not among those of the server: the table has its rules with it."""
    with ExitStack() as stack:
        house = House(settings(place), stack)
        screens = dict(enumerate(house.connect(link) for link in known["links"]))
        for screen, options in zip(screens.values(), known["asked"], strict=True):
            assert screen.shown["at"] == known["at"]
            assert (screen.options if screen.asked else None) == options
        play_on(screens)
        assert all(screen.shown["table"]["finished"] for screen in screens.values())
    drafts = Drafts(place)
    draft = drafts.get(known["draft"])
    drafts.close()
    assert draft is not None
    text = (version / "variants/harvest/long.yaml").read_text(encoding="utf-8")
    assert [(each.name, each.text) for each in draft.files] == [("long.yaml", text)]


def test_a_data_folder_goes_on(version: Path, tmp_path: Path) -> None:
    for name in ("tables", "drafts"):
        text = (version / f"{name}.sql").read_text(encoding="utf-8")
        restored(text, tmp_path / f"{name}.sqlite3")
    goes_on(version, tmp_path, known(version, "sqlite"))


@pytest.mark.parametrize("schema", [store.SCHEMA, draft_store.SCHEMA], ids=lambda each: each.name)
def test_the_latest_files_are_of_the_present_schema(version: Path, schema: Schema) -> None:
    """Else the next release would lack golden files of its own: docs/stability.md says how to add
    them. Files of earlier versions are migrated."""
    sqlite = (version / f"{schema.name}.sql").read_text(encoding="utf-8")
    dump = (version / "postgres.sql").read_text(encoding="utf-8")
    found = re.findall(r"^PRAGMA user_version = (\d+);", sqlite, re.M)
    found += re.findall(
        rf"^INSERT INTO public.versions VALUES \('{schema.name}', (\d+)\)", dump, re.M
    )
    assert len(found) == 2
    for each in map(int, found):
        assert each == schema.version if version == VERSIONS[-1] else each <= schema.version


@pytest.fixture
def database() -> Iterator[str]:
    with database_server() as url:
        yield url


@pytest.mark.full
def test_a_dump_of_postgresql_goes_on(version: Path, database: str) -> None:
    import psycopg

    with psycopg.connect(database) as base:
        base.execute((version / "postgres.sql").read_bytes())
    goes_on(version, database, known(version, "postgres"))
