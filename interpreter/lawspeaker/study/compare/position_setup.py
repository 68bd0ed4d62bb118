"""Serialises a position as a scenario's setup, and sets it up again under other rules.

Rulebooks number pieces and places differently, so positions are transferred as texts: contents,
markers, points. `described` writes what deviates from the start; `PlayStart` adds what is done in
it; `staged` sets it up and begins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping as AnyMapping
from dataclasses import dataclass
from typing import Any

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import NOWHERE
from lawspeaker.machines.reference import RuleFault, machine_for
from lawspeaker.match.match import Match
from lawspeaker.position.layout import Layout, Value
from lawspeaker.position.state import Frame, State
from lawspeaker.study.scenario.references import Texts
from lawspeaker.study.scenario.running import NOTHING
from lawspeaker.study.scenario.setting import Setting
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence

Situation = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PlayStart:
    """Start of a play: a situation and a clause with arguments, or (`do` is None) a whole game;
    with `nothing`, the position only. The seed determines chance.
    """

    players: int
    seed: int
    situation: Situation
    do: str | None = None

    @property
    def size(self) -> int:
        """Length of the description."""
        return sum(
            len(value) if isinstance(value, list | dict) else 1 for value in self.situation.values()
        )


def staged(program: ir.Program, stage: PlayStart) -> Match | None:
    """Sets up the stage and begins play; None if that is impossible."""
    try:
        if stage.do is None:
            return Match(program, stage.players, stage.seed)
        match = laid_out(program, stage)
        if match is None or stage.do == NOTHING:
            return match
        texts = _texts(match.machine.layout)
        call = texts.call(stage.do, NOWHERE)
        values = None
        if call is not None and call[0].role == "rule":
            values = texts.arguments(call[0], call[1], match.state.where, NOWHERE)
        if call is None or values is None:
            return None
        match.begin(call[0], values)
    except RuleFault:
        return None
    return match


def begun_with(program: ir.Program, stage: PlayStart, language: str) -> list[str]:
    """Display names of the arguments of a stage's clause: pieces with their places, and empty
    places.
    """
    match = laid_out(program, stage)
    if match is None or stage.do is None or stage.do == NOTHING:
        return []
    layout, where = match.machine.layout, match.state.where
    texts = _texts(layout)
    call = texts.call(stage.do, NOWHERE)
    values = None if call is None else texts.arguments(*call, where, NOWHERE)
    if call is None or values is None:
        return []
    told: list[str] = []
    for slot, value in zip(call[0].slots, values, strict=False):
        named = layout.name(slot.type, value, language)
        if isinstance(slot.type, ir.PieceType):
            place = where[value]
            lies = layout.name(ir.PlaceType("", layout.place_family[place]), place, language)
            named += f" ({lies})"
        if not any(named in each for each in told):
            told.append(named)
    return told


def laid_out(program: ir.Program, stage: PlayStart) -> Match | None:
    """The situation before anything is done."""
    machine = machine_for(program, stage.players)
    state = machine.blank(stage.seed)
    texts = _texts(machine.layout)
    node = as_node(stage.situation)
    assert isinstance(node, Mapping)
    Setting(texts, state).set_up(node)
    if texts.diagnostics.has_errors:
        return None
    try:
        machine.check_always(state)
    except RuleFault:
        return None
    return Match.from_state(program, state, machine=machine)


KEPT = 16
"""Maximum number of cached text readers, one per layout."""
_kept: dict[int, Texts] = {}


def _texts(layout: Layout) -> Texts:
    """The cached text reader of a game; it lists all places, so it is expensive."""
    texts = _kept.get(id(layout))
    if texts is None or texts.layout is not layout:
        if len(_kept) > KEPT:
            _kept.clear()
        texts = _kept[id(layout)] = Texts(layout, Diagnostics())
    texts.diagnostics = Diagnostics()
    return texts


def as_node(data: Any) -> Node:
    """Converts plain data to a node without a source position."""
    if isinstance(data, AnyMapping):
        entries = (
            (Scalar(str(key), NOWHERE, NOWHERE), as_node(each)) for key, each in data.items()
        )
        return Mapping(tuple(entries), NOWHERE)
    if isinstance(data, list | tuple):
        return Sequence(tuple(as_node(each) for each in data), NOWHERE)
    return Scalar(
        str(data), NOWHERE, NOWHERE, "plain", "number" if isinstance(data, int) else "text"
    )


def in_the_box(program: ir.Program) -> Counter[tuple[str, str, str]]:
    """Piece counts by start place, type and kind."""
    return Counter(
        {
            (program.families[kind.starts].name, piece.name, kind.name): kind.count
            for piece in program.pieces
            for kind in piece.kinds
        }
    )


# ---------------------------------------------------------------- from a state to texts


def piece_text(layout: Layout, piece: int) -> str:
    """Canonical text of a piece."""
    return layout.text(ir.PieceType("", layout.piece_type[piece]), piece)


def described(layout: Layout, state: State) -> Situation:
    """The contents that deviate from the start."""
    program = layout.program
    found: Situation = {}
    started: dict[int, list[int]] = {}
    for piece, place in enumerate(layout.start):
        started.setdefault(place, []).append(piece)
    for entry, value in zip(layout.markers, state.markers, strict=True):
        if value != entry.start:
            found[entry.text] = _plain(layout.text(entry.type, value))
    scores = {program.player_names[seat]: points for seat, points in enumerate(state.scores)}
    if any(scores.values()):
        found["scores"] = {name: points for name, points in scores.items() if points}
    loose: list[str] = []
    for place in range(len(layout.place_family)):
        held = state.contents.get(place, ())
        if place in state.loose and held:
            loose.append(place_text(layout, place))
        if not _leftover(layout, state, place, held, started.get(place, [])):
            phrases = contents_texts(layout, state, place)
            told = phrases[0] if len(phrases) == 1 else phrases or "empty"
            found[place_text(layout, place)] = told
    if loose:
        found["shuffle"] = loose
    return found


def _leftover(
    layout: Layout, state: State, place: int, held: tuple[int, ...], started: list[int]
) -> bool:
    """Whether a place holds only pieces that start there, in their initial state."""
    if not started:
        return not held
    own = [layout.alike[piece] for piece in started]
    here = [layout.alike[piece] for piece in held]
    ordered = not layout.heap[place] and place not in state.loose
    if ordered and list(held) != sorted(held):
        return False
    changed = any(_changed(layout, state, piece) for piece in held)
    return not changed and all(here.count(look) <= own.count(look) for look in set(here))


def contents_texts(layout: Layout, state: State, place: int) -> list[str]:
    """The pieces in a place, with runs of equal ones counted."""
    held = state.contents.get(place, ())
    texts = [_phrase(layout, state, piece, place) for piece in held]
    if layout.heap[place] or place in state.loose:
        texts.sort()
    runs: list[tuple[str, int]] = []
    for text in texts:
        if runs and runs[-1][0] == text:
            runs[-1] = (text, runs[-1][1] + 1)
        else:
            runs.append((text, 1))
    piece = layout.program.pieces[layout.program.families[layout.place_family[place]].holds]
    return [text if count == 1 else f"{count} {_many(piece, text)}" for text, count in runs]


def _many(piece: ir.Piece, text: str) -> str:
    """The plural for pieces without kinds: `3 pawns red`."""
    name, space, rest = text.partition(" ")
    return f"{piece.plural}{space}{rest}" if len(piece.kinds) == 1 and name == piece.name else text


def _phrase(layout: Layout, state: State, piece: int, place: int) -> str:
    declared = layout.program.pieces[layout.piece_type[piece]]
    kind = declared.kinds[layout.piece_kind[piece]].name
    words = kind if len(declared.kinds) > 1 else declared.name
    owner = layout.piece_owner[piece]
    if owner is not None and layout.place_owner[place] != owner:
        words += f" {layout.program.player_names[owner]}"
    states = _changed(layout, state, piece)
    return words + (f" with {' and '.join(states)}" if states else "")


def _changed(layout: Layout, state: State, piece: int) -> list[str]:
    """The changed states of a piece."""
    number = layout.piece_type[piece]
    found: list[str] = []
    for entry, at in zip(layout.states[number], layout.state_at[number], strict=True):
        value = state.states[at + piece]
        if value != entry.start:
            found.append(f"{entry.text} {layout.text(entry.type, value)}")
    return found


def place_text(layout: Layout, place: int) -> str:
    """Canonical text of a place."""
    return layout.text(ir.PlaceType("", layout.place_family[place]), place)


def call_text(layout: Layout, state: State, frame: Frame) -> str | None:
    """A frame's clause with its arguments in source form; None if not expressible."""
    clause = layout.program.clauses[frame.clause]
    texts: list[str] = []
    for slot, value in zip(clause.slots[: clause.parameters], frame.slots, strict=False):
        if value is None:
            return None
        text = _argument(layout, state, slot, value)
        if "," in text:
            return None
        texts.append(text)
    return f"{clause.id}({', '.join(texts)})" if texts else clause.id


def _argument(layout: Layout, state: State, slot: ir.Slot, value: Value) -> str:
    if isinstance(slot.type, ir.PieceType):
        text = layout.text(slot.type, value)
        return f"{text} in {place_text(layout, state.where[value])}"
    if isinstance(slot.type, ir.SetType):
        return " + ".join(layout.text(slot.type.of, each) for each in value) or "none"
    return layout.text(slot.type, value)


def _plain(text: str) -> str | int:
    return int(text) if text.removeprefix("-").isdecimal() else text
