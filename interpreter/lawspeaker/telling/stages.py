"""Splits the events of a reply into stages, for animation.

A stage is a few consecutive events shown at once: a choice with what it moves, cards being turned
up, points for one thing. The viewer takes it in, and then the next one is shown.

- A disclosure of something hidden is a stage of its own: cards are played, dice uncovered.
- Points are one stage, as long as they are for the same reason; so is what a rule tells.
- A piece that moves again starts another stage, and so does a move by another clause, or to another
  family of places.
- Events that change nothing visible join the stage before them.

Stages are computed from what a viewer sees, so they disclose nothing but the order of events.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lawspeaker.ir.types import PLAYER, NumberType
from lawspeaker.machines.reference import Machine
from lawspeaker.match.events import Event, Viewer, seen_by
from lawspeaker.position.layout import Layout
from lawspeaker.telling.story import reasons

MOVE, REVEAL, SCORE, TOLD, LUCK = "move", "reveal", "score", "told", "luck"
MOST = 10
"""The maximal number of stages per reply; the last ones are merged."""
FEW = 5
"""After so many stages, pieces that one clause moves move at once, wherever they go."""


@dataclass(slots=True)
class ScoredPoints:
    """Points that a player got or lost, and the places they were for."""

    seat: int
    points: int
    places: tuple[int, ...] = ()


@dataclass(slots=True)
class Stage:
    """Consecutive events shown at once, from number `first` to `last`; `pieces` are those that
    moved, by their looks (None if hidden), each with its new place."""

    sort: str
    first: int
    last: int
    clause: int
    pieces: list[tuple[int | None, int]] = field(default_factory=list)
    given: list[ScoredPoints] = field(default_factory=list)
    reason: object = None
    visible: bool = False


def stages(machine: Machine, events: Iterable[Event], viewer: Viewer) -> list[Stage]:
    """The stages of a reply's events, for a viewer."""
    found: list[Stage] = []
    for event in events:
        seen = seen_by(machine, event, viewer)
        if seen is None:
            continue
        now = found[-1] if found else None
        sort = _sort(machine.layout, seen, viewer)
        reason = _reason(machine, seen) if sort == SCORE else None
        if now is None or (sort is not None and _begins(machine.layout, found, seen, sort, reason)):
            now = Stage(sort or MOVE, event.number, event.number, event.clause, reason=reason)
            found.append(now)
        now.last = event.number
        _add(machine, now, seen)
    return _joined(found)


def _sort(layout: Layout, event: Event, viewer: Viewer) -> str | None:
    """The sort of stage for an event; None if it joins any."""
    match event.kind:
        case "choose" | "forced":
            return MOVE
        case "move":
            piece, origin, to, *_ = event.data
            if piece is None or layout.sees(layout.seen[origin], viewer):
                return MOVE
            return REVEAL if layout.sees(layout.seen[to], viewer) else MOVE
        case "score":
            return SCORE
        case "tell":
            return TOLD
        case "chance" | "state":
            return LUCK
    return None


def _begins(
    layout: Layout, found: Sequence[Stage], event: Event, sort: str, reason: object
) -> bool:
    """Whether an event begins a new stage."""
    now = found[-1]
    if event.kind in ("choose", "forced"):
        return now.visible
    if event.kind == "move" and now.sort in (MOVE, REVEAL) and now.clause == event.clause:
        if _goes_on(layout, now, event, len(found) < FEW):
            now.sort = REVEAL if sort == REVEAL else now.sort
            return False
        return True
    if now.sort != sort:
        # The immediate consequences of a choice belong to it, whatever they show.
        if now.visible or sort in (SCORE, TOLD):
            return True
        now.sort = sort
        return False
    if sort == SCORE:
        return now.clause != event.clause or now.reason != reason
    return event.kind == "move" and now.visible


def _goes_on(layout: Layout, now: Stage, event: Event, apart: bool) -> bool:
    """Whether a piece moves in the same stage as those a clause moved before; `apart`: only if it
    goes to the same family of places."""
    piece, origin, to, *_ = event.data
    if any(known == piece and place == origin for known, place in now.pieces):
        return False
    family = layout.place_family
    return not apart or not now.pieces or family[now.pieces[-1][1]] == family[to]


def _add(machine: Machine, stage: Stage, event: Event) -> None:
    match event.kind:
        case "move":
            piece, _, to, *_ = event.data
            stage.pieces.append((piece, to))
            stage.clause = event.clause
            stage.visible = True
        case "score":
            seat, points, *_ = event.data
            places = [place for _, _, place in reasons(machine, event) if place is not None]
            if points:
                stage.given.append(ScoredPoints(seat, points, tuple(places)))
                stage.visible = True
            stage.clause = event.clause
        case "state" | "marker":
            stage.visible = True
        case "tell":
            stage.visible = True
            stage.clause = event.clause


def _reason(machine: Machine, event: Event) -> object:
    """The reason for points, apart from the places of single pieces: pieces that score one by one
    are shown together."""
    return tuple(
        value if place is None or value == place else None
        for of, value, place in reasons(machine, event)
        if of != PLAYER and not isinstance(of, NumberType)
    )


def _joined(found: Sequence[Stage]) -> list[Stage]:
    """Merges stages in which nothing is visible, and those beyond `MOST`."""
    kept: list[Stage] = []
    for stage in found:
        if kept and (not stage.visible or len(kept) >= MOST):
            kept[-1].last = stage.last
            kept[-1].pieces += stage.pieces
            kept[-1].given += stage.given
        else:
            kept.append(stage)
    return kept
