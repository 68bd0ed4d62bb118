"""Renders when games are decided, as a sheet and as JSON."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from lawspeaker.base.phrases import phrase
from lawspeaker.faces.render.sheet import Curve, Point, Rows, Sheet, fact, whole
from lawspeaker.faces.render.simulation import json_value
from lawspeaker.study.lab.drama import CLEARLY, SURE, Drama

_MOMENTS = ("favourite", "uncertainty", "decided")


def sheet(found: Drama, bots: str, players: int, seed: int, language: str = "en") -> Sheet:
    def say(key: str, **words: Any) -> str:
        return phrase(f"drama.{key}", language, **words)

    facts = [
        fact(say("open"), found.open),
        fact(say("decided"), found.decided),
        fact(say("lead_changes"), found.lead_changes, share=False),
        fact(say("comebacks"), found.comebacks),
        fact(say("swing"), found.swing),
        fact(say("drama"), found.drama),
    ]
    if found.snowball is not None:
        facts.append(fact(say("snowball"), found.snowball, share=False, least=2))
    if found.exchanged is not None:
        facts.append(fact(say("exchanged"), found.exchanged, share=False, least=2))
    if found.kingmaking is not None:
        facts.append(fact(say("kingmaking"), found.kingmaking))
    panels: list[Curve | Rows] = [
        Curve(
            say(f"curve_{name}"),
            say(f"curve_{name}_about"),
            say("part"),
            tuple(
                Point(each.part, whole(each.part), getattr(each, name)) for each in found.moments
            ),
        )
        for name in _MOMENTS
    ]
    points = (Point(each.predicted, whole(each.predicted), each.happened) for each in found.curve)
    about = say("calibration_about")
    panels.append(Curve(say("calibration"), about, say("predicted"), tuple(points), even=True))
    if found.kingmakers:
        rows = tuple((each.clause, f"{each.times:,}") for each in found.kingmakers)
        panels.append(Rows(say("kings"), "", (say("question"), say("times")), rows))
    told = {"count": found.games, "players": players, "bots": bots, "seed": seed}
    notes = [
        say("sample", positions=f"{found.positions * found.playouts:,}", playouts=found.playouts),
        say("meaning", sure=whole(SURE), clearly=whole(CLEARLY)),
        say("fitted", exponent=f"{found.exponent:.2f}"),
    ]
    if found.skipped:
        notes.append(say("skipped", count=found.skipped))
    if found.broken:
        notes.append(say("broken", count=found.broken))
    return Sheet(say("behind", **told), tuple(facts), tuple(panels), tuple(notes))


def to_json(found: Drama, about: dict[str, Any]) -> dict[str, Any]:
    told = json_value(asdict(found))
    return {**about, **{_JSON.get(name, name): value for name, value in told.items()}}


_JSON = {"curve": "calibration"}
