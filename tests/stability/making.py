"""Makes the golden files of a version before its release.

    python -m tests.stability.making 1.1

Rules, variants and the scenario are written by hand; a new folder begins with copies of those of
the latest version. Files of a released version are never made anew, since they are to be opened as
they were.
"""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import lawspeaker
from lawspeaker.base.source import RuleFile
from lawspeaker.faces.web.database import Place
from lawspeaker.faces.web.settings import Settings
from lawspeaker.faces.web.workshop.draft_store import Drafts
from lawspeaker.faces.web.workshop.drafts import Draft
from lawspeaker.outside.library import Library
from tests.web.conftest import House
from tests.web.database_server import database_server
from tests.web.visitors import everyone, set_up

HERE = Path(__file__).parent
VERSIONS = sorted(
    (each.parent for each in HERE.glob("*/scenario.yaml")),
    key=lambda folder: [int(part) for part in folder.name.split(".")],
)
"""The folders of golden files, the latest version last."""
WRITTEN = ("rules", "variants", "scenario.yaml")
RULES = "harvest+long"
REPLIES = 3


def settings(place: Place, **more: Any) -> Settings:
    inside = "" if isinstance(place, Path) else "127.0.0.1"
    return Settings(place, inside=inside, pace=0, thinkers=0, hurry=1000, most_of_one=1000, **more)


def played(version: Path, place: Place) -> dict[str, Any]:
    """Begins a game on a server and stores a draft; gives what is known of them afterwards."""
    with ExitStack() as stack:
        house = House(settings(place, library=Library(path=(version,))), stack)
        host = set_up(house.post, RULES, ["me", "friend"])
        found = everyone(host, house.connect(host).shown)
        screens = [house.connect(found[0] if seat == 0 else found[seat]) for seat in (0, 1)]
        for at in range(REPLIES):
            for screen in screens:
                screen.see_at(at)
            next(each for each in screens if each.asked).reply(0)
        for screen in screens:
            screen.see_at(REPLIES)
        links = [screen.token for screen in screens]
        asked = [screen.options if screen.asked else None for screen in screens]
    drafts = Drafts(place)
    text = (version / "variants/harvest/long.yaml").read_text(encoding="utf-8")
    draft = drafts.add(Draft("nim", (RuleFile("long.yaml", text, None),)))
    drafts.close()
    return {"links": links, "at": REPLIES, "asked": asked, "draft": draft}


def dumped(file: Path) -> str:
    with closing(sqlite3.connect(file)) as base:
        (version,) = base.execute("PRAGMA user_version").fetchone()
        return "\n".join((*base.iterdump(), f"PRAGMA user_version = {version};", ""))


def restored(text: str, file: Path) -> None:
    with closing(sqlite3.connect(file)) as base:
        base.executescript(text)


def cleaned_dump(lines: Iterable[str]) -> str:
    """A dump without remarks, settings and commands of psql."""
    left_out = re.compile(r"--|\\|SET |SELECT pg_catalog|$")
    return "\n".join(each for each in lines if not left_out.match(each)) + "\n"


def copy_latest(version: Path) -> None:
    """Copies what is written by hand from the latest version into a folder that is not there."""
    version.mkdir()
    for name in WRITTEN:
        source = VERSIONS[-1] / name
        copy = shutil.copytree if source.is_dir() else shutil.copyfile
        copy(source, version / name)


def make(version: Path) -> None:
    """Writes the log, the data folder, the dump and what is known of them."""
    game = lawspeaker.load(RULES, Library(here=version, path=()))
    match = game.start(players=3, seed=11)
    for _ in range(4):
        assert match.decision is not None
        match.choose(match.decision.options[-1])
    log = match.record(("human", "random", "human"), game.files)
    (version / "game.log").write_text(log.text(), encoding="utf-8")
    known = {}
    with TemporaryDirectory() as folder:
        known["sqlite"] = played(version, Path(folder))
        for each in sorted(Path(folder).glob("*.sqlite3")):
            (version / f"{each.stem}.sql").write_text(dumped(each), encoding="utf-8")
    with database_server() as url:
        known["postgres"] = played(version, url)
        command = ["pg_dump", "--inserts", "--no-owner", "--no-privileges", url]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        text = cleaned_dump(done.stdout.splitlines())
        (version / "postgres.sql").write_text(text, encoding="utf-8")
    text = json.dumps(known, indent=1, ensure_ascii=False)
    (version / "known.json").write_text(text + "\n", encoding="utf-8")


def main(name: str) -> None:
    if not re.fullmatch(r"\d+\.\d+", name):
        sys.exit(f"a version is written like 1.1, not {name!r}")
    version = HERE / name
    if (version / "game.log").exists():
        sys.exit(f"{version} is made already")
    if not version.exists():
        copy_latest(version)
    make(version)


if __name__ == "__main__":
    main(sys.argv[1])
