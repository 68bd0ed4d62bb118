"""The scenarios of the repository, the rules they are about, and what they touch."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.outside.loading import schema
from lawspeaker.study.scenario import Scenario, ScenarioResult, read, run
from tests.library import game
from tests.repo.checkout import ROOT

FOLDER = Path(__file__).parent
BAD = "bad"
PATHS = {
    path.relative_to(FOLDER).as_posix(): path
    for path in FOLDER.glob("*/*.yaml")
    if path.parent.name != BAD
} | {
    f"{game.name}/{path.name}": path
    for game in FOLDER.iterdir()
    for path in ROOT.glob(f"rules/{game.name}/scenarios/*.yaml")
}
"""Those of this folder, and those that the same games keep beside their rules, as examples of
their books."""
FILES = sorted(PATHS)


@cache
def scenario(name: str) -> Scenario:
    """A scenario by the name of its game and of its file."""
    diagnostics = Diagnostics()
    file = SourceFile(name, PATHS[name].read_text(encoding="utf-8"))
    found = read(file, schema("scenario"), diagnostics)
    assert found is not None, "\n".join(map(str, diagnostics))
    return found


def program(name: str) -> ir.Program:
    return game(name).program


def about(game: str) -> list[str]:
    """The scenarios about a game as it is, without variants."""
    return [name for name in FILES if scenario(name).game == game]


@cache
def traced(name: str) -> ScenarioResult:
    """What became of a scenario, and what it touches."""
    found = scenario(name)
    return run(found, program(found.game), trace=True)
