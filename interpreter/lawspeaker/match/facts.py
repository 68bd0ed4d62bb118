"""Serialises table, decisions and events as JSON-like data for programs.

Clients need to parse no text and know no internal number. The table has the format of a view. In
questions and events things are canonical texts, numbers are numbers, truths are truths, nothing
is None, and a set is a list with every member in it, so two aces are two. A piece is

    {"piece": "pawn red", "place": "cell 2 7", "at": 2, "states": {"face": 4}}

of which `place`, `at` (its position in a row, from 1) and `states` are present only if needed to
distinguish pieces. Chance outcomes always have the place that they are taken from.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from lawspeaker import ir
from lawspeaker.ir.walk import names_in
from lawspeaker.match.decision import Decision, Option, differ_in_states, distinguishing
from lawspeaker.match.events import Event, Viewer, informed_seats, seen_by, tell_statement
from lawspeaker.match.numbering import in_order
from lawspeaker.match.view import markers_json, places_json
from lawspeaker.position.entries import Entry
from lawspeaker.position.layout import Layout, Value
from lawspeaker.position.state import State

if TYPE_CHECKING:
    from lawspeaker.machines.reference.machine import Machine


def value_facts(layout: Layout, of: ir.Type, value: Value) -> Any:
    """Serialises a value."""
    if isinstance(of, ir.MaybeType):
        of = of.of
    match of:
        case _ if value is None:
            return None
        case ir.SetType():
            return [value_facts(layout, of.of, member) for member in value]
        case ir.NumberType() | ir.TruthType():
            return value
        case ir.PieceType():
            return {"piece": layout.text(of, value)}
    return layout.text(of, value)


# ---------------------------------------------------------------- the table


def table_facts(layout: Layout, state: State) -> dict[str, Any]:
    """Serialises all places with their contents, all markers and scores, without hiding
    anything.

    Empty places are omitted.
    """
    states = {
        piece: tuple(state.states[at + piece] for at in layout.state_at[layout.piece_type[piece]])
        for held in state.contents.values()
        for piece in held
    }
    names = layout.program.player_names
    contents = {
        place: tuple(in_order(layout, state, place, held)) for place, held in state.contents.items()
    }
    return {
        "places": places_json(layout, contents, state.loose, states),
        "markers": markers_json(layout, [(value,) for value in state.markers]),
        "scores": {names[seat]: points for seat, points in enumerate(layout.shared(state.scores))},
    }


# ---------------------------------------------------------------- what is asked


def decision_facts(decision: Decision) -> dict[str, Any]:
    """Serialises a question with its options, in order."""
    return {
        "kind": decision.kind,
        "seat": _player(decision.setting.layout, decision.seat),
        "clause": decision.clause.id,
        "must": decision.must,
        "options": [option_facts(option) for option in decision.options],
    }


def option_facts(option: Option) -> dict[str, Any]:
    """Serialises an option: label and parts by name; for chance, the outcome and its weight."""
    setting = option.setting
    if setting.kind == "chance":
        assert setting.type is not None
        (value,) = option.values
        outcome = value_facts(setting.layout, setting.type, value)
        if isinstance(setting.type, ir.PieceType):
            outcome["place"] = _place(setting.layout, setting.where[value])
        return {"text": option.text, "outcome": outcome, "weight": option.weight}
    parts = {}
    if option.alternative is not None:
        for part, value in zip(option.alternative.parts, option.values, strict=True):
            told = [_chosen(option, part, each) for each in (value if part.several else (value,))]
            parts[_name_of(part)] = told if part.several else told[0]
    return {"text": option.text, "label": option.label, "parts": parts}


def _name_of(part: ir.Part) -> str:
    return part.set_name or part.binder.name


def _chosen(option: Option, part: ir.Part, value: Value) -> Any:
    """Serialises the value of a part; a piece with all that distinguishes it."""
    setting, of = option.setting, part.binder.type
    layout = setting.layout
    told = value_facts(layout, of, value)
    if not isinstance(of, ir.PieceType):
        return told
    how = distinguishing(layout, part)
    if how == "place":
        told["place"] = _place(layout, setting.where[value])
    if how == "position" or (how == "place" and layout.row[setting.where[value]]):
        told["at"] = setting.contents[setting.where[value]].index(value) + 1
    if differ_in_states(layout, of):
        told["states"] = {
            state.text: value_facts(layout, state.type, setting.states[at + value])
            for state, at in zip(layout.states[of.index], layout.state_at[of.index], strict=True)
        }
    return told


# ---------------------------------------------------------------- what happens


def event_facts(machine: Machine, event: Event, viewer: Viewer = "all") -> dict[str, Any]:
    """Serialises an event as a viewer knows it; empty if he knows nothing of it.

    Only the omniscient viewer gets the number of the event.
    """
    layout = machine.layout
    seen = seen_by(machine, event, viewer)
    if seen is None:
        return {}
    number = {"number": event.number} if viewer == "all" else {}
    return {
        **number,
        "clause": layout.program.clauses[event.clause].id,
        "kind": event.kind,
        **_told(machine, seen, seen.data, layout.sees(event.known, viewer)),
    }


def _told(machine: Machine, event: Event, data: Sequence[Value], knows: bool) -> dict[str, Any]:
    layout = machine.layout
    told: dict[str, Any]
    match event.kind:
        case "move":
            piece, origin, to, under, drawn = data
            told = {"from": _place(layout, origin), "to": _place(layout, to)}
            told |= {"under": under, "drawn": drawn}
            return {"piece": _piece(layout, piece), **told} if knows else told
        case "score":
            seat, points, total, *source = data
            told = {"player": _player(layout, seat), "points": points, "total": total}
            return told | _source(machine, event.clause, *source) if source else told
        case "choose" | "forced":
            clause, at, number, values = data
            told = {"player": _player(layout, event.seat)}
            return told | _choice(machine, clause, at, number, values) if knows else told
        case "chance":
            clause, at, place, value = data
            outcome = value_facts(layout, machine.codes[clause].luck[at].type, value)
            if place is not None:
                outcome["place"] = _place(layout, place)
            return {"outcome": outcome}
        case "marker":
            marker, which, value = data
            entry = layout.markers[layout.marker_at[marker] + (which or 0)]
            told = {"marker": entry.declared.name, "player": _player(layout, entry.owner)}
            told |= _indices(layout, entry)
            return {**told, "value": value_facts(layout, entry.type, value)}
        case "state":
            number, which, piece, value = data
            entry = layout.states[number][which]
            told = {"state": entry.declared.name, **_indices(layout, entry)}
            told["value"] = value_facts(layout, entry.type, value)
            return {**told, "piece": _piece(layout, piece)} if knows else told
        case "cannot":
            return {}
        case "tell":
            statement = tell_statement(machine, event)
            told = {"told": [_player(layout, seat) for seat in informed_seats(layout, event)]}
            if not knows:
                return told
            return {
                **told,
                "name": statement.name,
                "value": value_facts(layout, statement.what.type, data[1]),
            }
        case "shuffle":
            return {"place": _place(layout, data[0])}
        case "end":
            return {"winners": [_player(layout, seat) for seat in data]}
    raise ValueError(event.kind)


def _source(machine: Machine, clause: int, at: int, values: Sequence[Value]) -> dict[str, Any]:
    """Values of the names in the expression that points were computed from."""
    layout, told = machine.layout, {}
    names = names_in(machine.codes[clause].operations[at].statement)
    for each, value in zip(names, values, strict=True):
        if isinstance(each.type, ir.PieceType):
            piece, place = value
            told[each.name] = {**_piece(layout, piece), "place": _place(layout, place)}
        else:
            told[each.name] = value_facts(layout, each.type, value)
    return {"for": told}


def _choice(
    machine: Machine, clause: int, at: int, number: int, values: Sequence[Value]
) -> dict[str, Any]:
    if number < 0:
        return {"label": "pass", "parts": {}}
    alternative = machine.codes[clause].questions[at].ask.alternatives[number]
    parts = {}
    for part, value in zip(alternative.parts, values, strict=True):
        of: ir.Type = ir.SetType(part.binder.type) if part.several else part.binder.type
        parts[_name_of(part)] = value_facts(machine.layout, of, value)
    return {"label": alternative.label, "parts": parts}


def _indices(layout: Layout, entry: Entry) -> dict[str, Any]:
    """Indices of an entry other than its owner."""
    told = {
        index.name: value_facts(layout, index.type, value)
        for index, value in zip(entry.declared.indices, entry.indices, strict=True)
        if not index.owns
    }
    return {"indices": told} if told else {}


def _player(layout: Layout, seat: int | None) -> str | None:
    return None if seat is None else layout.program.player_names[seat]


def _place(layout: Layout, place: int) -> str:
    return layout.text(ir.PlaceType("", layout.place_family[place]), place)


def _piece(layout: Layout, piece: int) -> Any:
    return value_facts(layout, ir.PieceType("", layout.piece_type[piece]), piece)
