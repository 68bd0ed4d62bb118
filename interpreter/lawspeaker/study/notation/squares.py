"""The squares of a board, by name and row by row."""

from __future__ import annotations

from functools import lru_cache
from string import ascii_letters, ascii_lowercase

from lawspeaker import ir
from lawspeaker.base.diagnostics import Failure
from lawspeaker.machines.reference import Machine, machine_for
from lawspeaker.position.layout import Layout, Value, layout_for
from lawspeaker.position.state import State


class NoNotation(Failure):
    """Something cannot be written down, or read; the message is for the user."""


def notation_of(program: ir.Program) -> ir.Notation:
    """The notation of a game; raises NoNotation if it has none."""
    if program.notation is None:
        raise NoNotation(f"{program.name} declares no notation")
    return program.notation


def truth(machine: Machine, state: State, name: str, value: Value) -> bool:
    """Whether a definition of one thing holds for it."""
    for number, function in enumerate(machine.program.functions):
        if function.name == name and function.parameters == 1:
            state.left = machine.budget
            return bool(machine.worth(state, number, [value]))
    raise NoNotation(f"nothing is defined as `{name}`")


class Squares:
    """The names of the places of a board."""

    def __init__(self, program: ir.Program, players: int) -> None:
        self.notation = notation_of(program)
        self.layout: Layout = layout_for(program, players)
        family = self.notation.family
        self.places = self.layout.places_of[family]
        at = {place: self.layout.place_indices[place] for place in self.places}
        self.columns = sorted({indices[0] for indices in at.values()})
        below = program.families[family].from_below
        self.rows = sorted({indices[1] for indices in at.values()}, reverse=below)
        """The rows, from the top."""
        self._at = {indices: place for place, indices in at.items()}
        self.names = self._numbers() if self.notation.numbered else self._letters()
        self._named = {name: place for place, name in self.names.items()}

    def _letters(self) -> dict[int, str]:
        found: dict[int, str] = {}
        for place in self.places:
            column, row = self.layout.place_indices[place]
            at = self.columns.index(column)
            if at >= len(ascii_lowercase):
                raise NoNotation("a board with more than 26 columns has no letters for them")
            found[place] = f"{ascii_lowercase[at]}{row}"
        return found

    def _numbers(self) -> dict[int, str]:
        """Numbers the squares for which the definition holds, row by row."""
        machine = machine_for(self.layout.program, self.layout.players)
        state = machine.blank(0)
        named = self.notation.numbered
        kept = [
            place
            for row in self.rows
            for column in self.columns
            for place in (self.at(column, row),)
            if truth(machine, state, named, place)
        ]
        return {place: str(number) for number, place in enumerate(kept, 1)}

    def at(self, column: Value, row: Value) -> int:
        return self._at[column, row]

    def place(self, name: str) -> int:
        """The place with a name; raises NoNotation."""
        if name not in self._named:
            first, *_, last = self.names.values()
            raise NoNotation(f"there is no square {name!r}; squares are {first} to {last}")
        return self._named[name]

    def name(self, place: int) -> str:
        """The name of a place; raises NoNotation for a square without one."""
        if place not in self.names:
            raise NoNotation(f"{self.layout.place_text[place]} has no name in the notation")
        return self.names[place]

    def letters(self, place: int) -> str:
        """Two letters for a place: column, and row from the top, as in SGF."""
        column, row = self.layout.place_indices[place]
        across, down = self.columns.index(column), self.rows.index(row)
        if max(across, down) >= len(ascii_letters):
            raise NoNotation("SGF has boards of at most 52 columns and rows")
        return ascii_letters[across] + ascii_letters[down]


@lru_cache(maxsize=16)
def squares_of(layout: Layout) -> Squares:
    """The squares of a game for a number of players, cached."""
    return Squares(layout.program, layout.players)
