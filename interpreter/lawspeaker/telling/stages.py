"""What a reply brought about, cut where people at a table would stop.

A stage is a few events in a row that are seen at once: a choice with what it moves, cards that are
turned up, points that are given for one thing. After it one looks, and then the next one comes.

- Something that was hidden and is seen now is a stage of its own: cards are played, dice lifted.
- Points are one, as long as they are for the same; so is what a rule tells.
- A piece that moves a second time moves in another stage, and so does what another clause moves, or
  what goes elsewhere.
- What changes nothing that can be seen on the table is no stage: it comes with the one before it.

Stages are made of what a viewer is told, so he learns from them nothing but in which order things
happened.
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
"""More stages than these nobody wants to see after one reply: the last ones come at once."""
FEW = 5
"""After so many, pieces that one clause moves move at once, wherever they go."""


@dataclass(slots=True)
class Given:
    """Points that a player got or lost, and the places they were for."""

    seat: int
    points: int
    places: tuple[int, ...] = ()


@dataclass(slots=True)
class Stage:
    """Events that are seen at once, the numbers of the first and the last; `pieces` are those that
    moved, by their looks, each with where it lies then (None of a hidden one)."""

    sort: str
    first: int
    last: int
    clause: int
    pieces: list[tuple[int | None, int]] = field(default_factory=list)
    given: list[Given] = field(default_factory=list)
    reason: object = None
    visible: bool = False


def stages(machine: Machine, events: Iterable[Event], viewer: Viewer) -> list[Stage]:
    """The stages of what a reply brought about, as a viewer is told of it."""
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
    """What sort of stage an event belongs to; None: to any that is there."""
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
    """Whether an event begins another stage."""
    now = found[-1]
    if event.kind in ("choose", "forced"):
        return now.visible
    if event.kind == "move" and now.sort in (MOVE, REVEAL) and now.clause == event.clause:
        if _goes_on(layout, now, event, len(found) < FEW):
            now.sort = REVEAL if sort == REVEAL else now.sort
            return False
        return True
    if now.sort != sort:
        # What follows from a choice at once belongs to it, whatever it shows.
        if now.visible or sort in (SCORE, TOLD):
            return True
        now.sort = sort
        return False
    if sort == SCORE:
        return now.clause != event.clause or now.reason != reason
    return event.kind == "move" and now.visible


def _goes_on(layout: Layout, now: Stage, event: Event, apart: bool) -> bool:
    """Whether a piece moves together with those that a clause has moved before; `apart`: only if
    it goes to such a place as they do."""
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
                stage.given.append(Given(seat, points, tuple(places)))
                stage.visible = True
            stage.clause = event.clause
        case "state" | "marker":
            stage.visible = True
        case "tell":
            stage.visible = True
            stage.clause = event.clause


def _reason(machine: Machine, event: Event) -> object:
    """For what points are, apart from where single pieces lie: pieces that score one by one are
    looked at together."""
    return tuple(
        value if place is None or value == place else None
        for of, value, place in reasons(machine, event)
        if of != PLAYER and not isinstance(of, NumberType)
    )


def _joined(found: Sequence[Stage]) -> list[Stage]:
    """The stages without those in which nothing is seen, and no more than anybody wants to see."""
    kept: list[Stage] = []
    for stage in found:
        if kept and (not stage.visible or len(kept) >= MOST):
            kept[-1].last = stage.last
            kept[-1].pieces += stage.pieces
            kept[-1].given += stage.given
        else:
            kept.append(stage)
    return kept
