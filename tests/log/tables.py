"""A small game to log, and matches of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import lawspeaker
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.match.game import Game
from lawspeaker.match.log import Log, read
from lawspeaker.match.match import Match
from lawspeaker.outside.library import Library
from lawspeaker.position.rng import RngFactory

HERE = Path(__file__).parent
STICKS = (HERE / "sticks.yaml").read_text(encoding="utf-8")


@cache
def sticks() -> Game:
    return lawspeaker.load("./sticks.yaml", Library(here=HERE, path=()))


def changed_game(old: str, new: str, folder: Path) -> Game:
    """The small game with something in its text replaced, under the same name."""
    assert old in STICKS
    (folder / "sticks.yaml").write_text(STICKS.replace(old, new), encoding="utf-8")
    return lawspeaker.load("./sticks.yaml", Library(here=folder, path=()))


def play(match: Match, seed: int = 1, most: int = 10_000) -> Match:
    """Replies by luck until the end, or so many."""
    luck = RngFactory(seed).stream("test")
    for _ in range(most):
        asked = match.decisions
        if not asked:
            break
        decision = luck.choose(asked)
        match.choose(luck.choose(decision.options), seat=decision.seat)
    return match


def a_match(seed: int = 7, most: int = 10_000) -> Match:
    return play(sticks().start(players=2, seed=seed), seed, most)


def a_log(seed: int = 7, most: int = 10_000, seats: Sequence[str] = ("human", "random")) -> Log:
    return a_match(seed, most).record(seats)


def reread(text: str, name: str = "game.log") -> tuple[Log | None, Diagnostics]:
    diagnostics = Diagnostics()
    return read(SourceFile(name, text), diagnostics), diagnostics
