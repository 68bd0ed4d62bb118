"""Short fingerprints of what happened and of how things stand.

A print of events has four hexadecimal digits for each of them. They are made of the event in
words, not of its numbers, so a clause more or a piece more in the rules leaves the prints of all
else as they were. Two prints are equal as far as the games were; the first four digits that
differ tell which event was the first to be another.

The print of a position is made of the texts of all that lies anywhere, in the same spirit.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from lawspeaker.ir.types import PieceType, PlaceType
from lawspeaker.machines.reference.machine import Machine
from lawspeaker.match.events import Event, tell
from lawspeaker.position.layout import Layout
from lawspeaker.position.state import State

DIGITS = 4


def print_of(machine: Machine, events: Iterable[Event]) -> str:
    """The print of some events."""
    return "".join(_digits(f"{event.kind} {tell(machine, event)}") for event in printed(events))


def printed(events: Iterable[Event]) -> list[Event]:
    """The events that a print is made of: that an answer was forced follows from the others."""
    return [event for event in events if event.kind != "forced"]


def _digits(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def first_difference(one: str, other: str) -> int:
    """The number (from 0) of the first event in which two prints differ."""
    for at in range(0, min(len(one), len(other)), DIGITS):
        if one[at : at + DIGITS] != other[at : at + DIGITS]:
            return at // DIGITS
    return min(len(one), len(other)) // DIGITS


def position_print(machine: Machine, state: State) -> str:
    """The print of how things stand: pieces, their states, markers, scores and winners."""
    text = json.dumps(position(machine.layout, state), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[: 4 * DIGITS]


def position(layout: Layout, state: State) -> dict[str, Any]:
    """How things stand, in canonical texts; what has no order is sorted by its text."""
    places = {}
    for place, held in state.contents.items():
        texts = [_piece(layout, state, piece) for piece in held]
        if layout.heap[place]:
            texts.sort()
        elif place in state.loose:
            under, loose = state.loose[place]
            texts[under : under + loose] = sorted(texts[under : under + loose])
        places[layout.text(PlaceType("", layout.place_family[place]), place)] = texts
    markers: dict[str, list[str]] = {}
    for entry, value in zip(layout.markers, state.markers, strict=True):
        markers.setdefault(entry.declared.name, []).append(layout.text(entry.type, value))
    return {
        "places": places,
        "markers": markers,
        "scores": list(state.scores),
        "winners": list(state.winners),
    }


def _piece(layout: Layout, state: State, piece: int) -> str:
    number = layout.piece_type[piece]
    words = [layout.text(PieceType("", number), piece)]
    for each, at in zip(layout.states[number], layout.state_at[number], strict=True):
        words.append(f"{each.text} {layout.text(each.type, state.states[at + piece])}")
    return ", ".join(words)
