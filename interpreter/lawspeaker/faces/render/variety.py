"""Renders how different games are, as a sheet and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from lawspeaker.base.phrases import phrase
from lawspeaker.faces.render.sheet import Curve, Point, Rows, Sheet, cell, fact, whole
from lawspeaker.faces.render.simulation import json_value
from lawspeaker.study.lab.statistics import Estimate
from lawspeaker.study.lab.variety import Used, Variety

MOST_ROWS = 20


def sheet(found: Variety, bots: str, players: int, seed: int, language: str = "en") -> Sheet:
    def say(key: str, **words: Any) -> str:
        return phrase(f"variety.{key}", language, **words)

    facts = [fact(say("choices"), found.choices), fact(say("results"), found.results)]
    if found.agreement is not None:
        facts.append(fact(say("agreement"), found.agreement))
    points = (Point(each.decisions, str(each.decisions), each.same) for each in found.openings)
    opening = Curve(say("openings"), say("openings_about"), say("decisions"), tuple(points))
    panel = found.agreement is not None
    head = [say("question"), say("asked"), say("effective"), say("usual"), say("share")]
    if panel:
        head += [say("alike"), say("chance")]
    rows = tuple(_row(each, panel=panel) for each in found.used[:MOST_ROWS])
    table = Rows(say("used"), say("used_about"), tuple(head), rows)
    told = {"count": found.games, "players": players, "bots": bots, "seed": seed}
    notes = [say("meaning")]
    if panel:
        notes.append(say("panel", bots=", ".join(dict.fromkeys(found.panel))))
    if found.broken:
        notes.append(phrase("drama.broken", language, count=found.broken))
    behind = phrase("drama.behind", language, **told)
    return Sheet(behind, tuple(facts), (opening, table), tuple(notes))


def _row(used: Used, *, panel: bool) -> tuple[str, ...]:
    effective = f"{used.effective:.1f}"
    row = used.clause, f"{used.asked:,}", effective, used.usual, whole(used.usual_share)
    if not panel:
        return row
    alike: Estimate | None = used.alike
    told = (cell(alike), whole(used.chance)) if alike is not None else ("", "")
    return (*row, *told)


def to_json(found: Variety, about: dict[str, Any]) -> dict[str, Any]:
    return {**about, **json_value({**asdict(found), "panel": list(found.panel)})}
