"""Renders a ladder of bots, as a sheet and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from math import isinf
from typing import Any

from lawspeaker.base.phrases import phrase
from lawspeaker.faces.render.estimates import rounded
from lawspeaker.faces.render.sheet import Curve, Fact, Point, Rows, Sheet, cell, whole
from lawspeaker.faces.render.simulation import json_value
from lawspeaker.study.lab.skill_ladder import Ladder, Step


def sheet(found: Ladder, seed: int, language: str = "en") -> Sheet:
    def say(key: str, **words: Any) -> str:
        return phrase(f"ladder.{key}", language, **words)

    played = [each for each in found.steps if each.deals]
    points = (Point(at, each.bot, each.wins) for at, each in enumerate(played, 1))
    together = found.sides == 1
    title = say("gain" if together else "wins")
    about = say("gain_about" if together else "wins_about", fair=whole(1 / found.sides))
    head = (say("bot"), say("against"), title, say("games"), *(() if together else (say("elo"),)))
    rows = tuple(_row(each, together=together) for each in played)
    total = Fact(say("clear"), f"{found.clear} / {len(played)}")
    deals = max((each.deals for each in played), default=0)
    told = {"players": found.players, "count": deals, "seed": seed}
    notes = [say("meaning"), *([] if together else [say("elo_about")])]
    curve = Curve(title, about, say("bot"), tuple(points), joined=False)
    return Sheet(say("behind", **told), (total,), (curve, Rows("", "", head, rows)), tuple(notes))


def _row(step: Step, *, together: bool) -> tuple[str, ...]:
    row = step.bot, step.rival, cell(step.wins), f"{step.games:,}"
    if together or step.elo is None:
        return row
    value, low, high = map(_points, (step.elo.value, step.elo.low, step.elo.high))
    return (*row, f"{value} ({low} – {high})")


def _points(number: float) -> str:
    if isinf(number):
        return "∞" if number > 0 else "-∞"
    return rounded(number, 0)


def to_json(found: Ladder, about: dict[str, Any]) -> dict[str, Any]:
    steps = [{**asdict(each), "clear": each.clear} for each in found.steps if each.deals]
    return {**about, "sides": found.sides, "clear": found.clear, "steps": [*map(json_value, steps)]}
