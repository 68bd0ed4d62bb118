"""Sets up a position by hand: pieces, markers, states and scores by their texts.

Pieces that are not mentioned stay at their start. A piece text may begin with a number, for several
pieces that look the same: `2 king`. Pieces are taken from those not yet placed by hand, the first
ones first, and laid in the order given, bottom first.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lawspeaker.base.diagnostics import did_you_mean
from lawspeaker.ir.types import PLAYER, PieceType, PlaceType, Type
from lawspeaker.machines.reference.moving import lay, lift
from lawspeaker.position.layout import Layout, Value, plain
from lawspeaker.position.state import State
from lawspeaker.position.written import Text


class Situation:
    """A state under construction."""

    def __init__(self, layout: Layout, state: State) -> None:
        self.layout = layout
        self.state = state
        self._placed: set[int] = set()

    def apply(self, setup: Mapping[str, Any]) -> None:
        """Sets up `places`, `states`, `markers` and `scores`, all by their texts.

        places:   {place: [piece, …]}            markers: {marker, or "marker player": value}
        scores:   {player: points}               states: [[piece, place, state, value], …]
        """
        for place, pieces in setup.get("places", {}).items():
            self.put([pieces] if isinstance(pieces, str) else pieces, place)
        for piece, place, state, value in setup.get("states", ()):
            self.set_state(piece, place, state, value)
        for marker, value in setup.get("markers", {}).items():
            self.set_marker(marker, value)
        for player, points in setup.get("scores", {}).items():
            self.set_score(player, points)

    def put(self, pieces: Iterable[str], place: str) -> list[int]:
        """Lays pieces into a place; returns their numbers."""
        layout = self.layout
        to = self.place(place)
        number = layout.program.families[layout.place_family[to]].holds
        of = PieceType(layout.program.pieces[number].name, number)
        moved = []
        for text in pieces:
            first, _, rest = text.strip().partition(" ")
            count, name = (int(first), rest) if first.isdecimal() and rest else (1, text)
            free = [p for p in self.read_all(of, name) if p not in self._placed]
            if len(free) < count:
                raise ValueError(f"there are only {len(free)} more of {name}")
            for piece in free[:count]:
                lift(self.state, piece)
                lay(layout, self.state, piece, to, under=False)
                self._placed.add(piece)
                moved.append(piece)
        return moved

    def set_marker(self, name: str, value: Value, player: str | int | None = None) -> None:
        """Sets a marker, by its name; one with indices by its text, as in `price salt`."""
        layout = self.layout
        whose = "" if player is None else f" {layout.text(PLAYER, self.value(PLAYER, player))}"
        names = [entry.text for entry in layout.markers]
        if name + whose not in names:
            raise ValueError(
                f"there is no marker {name}. {did_you_mean(name, names) or ''}".strip()
            )
        at = names.index(name + whose)
        self.state.markers[at] = self.value(layout.markers[at].type, value)

    def set_score(self, player: str | int, points: int) -> None:
        self.state.scores[self.layout.keeper(self.value(PLAYER, player))] = points

    def set_state(self, piece: str, place: str, state: str, value: Value) -> None:
        """Changes a state of the first such piece in a place."""
        layout = self.layout
        here = self.place(place)
        number = layout.program.families[layout.place_family[here]].holds
        declared = layout.program.pieces[number]
        names = [entry.text for entry in layout.states[number]]
        if state not in names:
            raise ValueError(f"a {declared.name} has no {state}")
        held = self.state.contents.get(here, ())
        found = [p for p in self.read_all(PieceType(declared.name, number), piece) if p in held]
        if not found:
            raise ValueError(f"there is no {piece} in {place}")
        at = layout.state_at[number][names.index(state)] + found[0]
        self.state.states[at] = self.value(layout.states[number][names.index(state)].type, value)

    # ------------------------------------------------------------ reading

    def place(self, text: str) -> int:
        for number, family in enumerate(self.layout.program.families):
            found = self.layout.read(PlaceType(family.name, number), text)
            if found:
                place: int = found[0]
                return place
        names = [family.name for family in self.layout.program.families]
        hint = did_you_mean(plain(text).partition(" ")[0], names)
        raise ValueError(f"there is no place {text}. {hint or ''}".strip())

    def read_all(self, of: Type, text: str) -> list[Value]:
        found = self.layout.read(of, text)
        if not found:
            raise ValueError(f"there is no {of} {text}")
        return found

    def value(self, of: Type, value: Value) -> Value:
        """Parses a value given by its text, or returns it as it is."""
        if not isinstance(value, str) or isinstance(value, Text):
            return value
        found = self.read_all(of, value)
        if isinstance(of, PieceType):
            here = [piece for piece in found if piece in self._placed]
            return (here or found)[0]
        if isinstance(found[0], Text):  # equal texts have one spelling
            return next((each for each in self.state.markers if each == found[0]), found[0])
        return found[0]
