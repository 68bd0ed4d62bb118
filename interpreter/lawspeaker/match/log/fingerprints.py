"""Fingerprints of event sequences and of positions.

Events are hashed to four hexadecimal digits each, from their text, not their numbers, so adding a
clause or a piece to the rules leaves other fingerprints unchanged. Two fingerprints are equal up
to the first diverging event, whose four digits differ.

The fingerprint of a position is made of the texts of all contents, for the same reason.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from lawspeaker.ir.types import PieceType, PlaceType
from lawspeaker.machines.reference.machine import Machine
from lawspeaker.match.events import Event, event_text
from lawspeaker.position.layout import Layout
from lawspeaker.position.state import State

DIGITS = 4


def fingerprint(machine: Machine, events: Iterable[Event]) -> str:
    """Fingerprint of some events."""
    return "".join(
        _digits(f"{event.kind} {event_text(machine, event)}") for event in fingerprinted(events)
    )


def fingerprinted(events: Iterable[Event]) -> list[Event]:
    """Filters out forced answers, which follow from the other events."""
    return [event for event in events if event.kind != "forced"]


def _digits(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:DIGITS]


def first_difference(one: str, other: str) -> int:
    """The index of the first event at which two fingerprints differ."""
    for at in range(0, min(len(one), len(other)), DIGITS):
        if one[at : at + DIGITS] != other[at : at + DIGITS]:
            return at // DIGITS
    return min(len(one), len(other)) // DIGITS


def position_fingerprint(machine: Machine, state: State) -> str:
    """Fingerprint of a position: pieces, their states, markers, scores and winners."""
    text = json.dumps(position(machine.layout, state), sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[: 4 * DIGITS]


def position(layout: Layout, state: State) -> dict[str, Any]:
    """Position in canonical texts; unordered contents are sorted."""
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
