"""Signs and colours for the terminal: players, pieces, words and places in short form.

A piece is drawn by the sign of its kind, else of its type, else by its sides, else by its owner and
first state, else by its name. Colours only repeat what letters say already.
"""

from __future__ import annotations

from rich.text import Text

from lawspeaker.faces.render.blocks import ink
from lawspeaker.faces.render.sides import Sides, sides_of
from lawspeaker.faces.render.symbols import Symbols
from lawspeaker.ir.types import PLAYER, TRUTH, KindType, MaybeType, PlaceType, Type, WordType
from lawspeaker.match.decision import states_name
from lawspeaker.position.layout import Value

_CHIPS = {
    "black": "bold bright_white on grey15",
    "blue": "bold bright_white on blue",
    "brown": "bold bright_white on dark_orange3",
    "cyan": "bold black on cyan",
    "green": "bold bright_white on dark_green",
    "grey": "bold black on grey62",
    "magenta": "bold bright_white on magenta",
    "orange": "bold black on dark_orange",
    "pink": "bold black on pink1",
    "purple": "bold bright_white on purple",
    "red": "bold bright_white on red",
    "white": "bold black on bright_white",
    "yellow": "bold black on yellow",
}
_INKS = {
    "black": "bold",
    "blue": "blue",
    "brown": "dark_orange3",
    "cyan": "cyan",
    "green": "green",
    "grey": "grey62",
    "magenta": "magenta",
    "orange": "dark_orange",
    "pink": "pink1",
    "purple": "purple",
    "red": "red",
    "white": "bold",
    "yellow": "yellow",
}
EMPTY = "·"


class Signs(Symbols):
    def style(self, thing: str, of: str = "") -> str:
        """Returns the style of a thing's name."""
        symbol = self.symbol(thing, of)
        return _INKS.get(symbol.colour or "", "") if symbol is not None else ""

    def chip(self, seat: int) -> Text:
        """Draws a player as a letter on the player's colour."""
        symbol = self.symbol(self.program.player_names[seat], "player")
        colour = symbol.colour if symbol is not None else None
        names = self.program.player_names
        if colour is None and all(name in _CHIPS for name in names):
            colour = names[seat]
        return ink(self.letters[seat], _CHIPS.get(colour or "", "bold"))

    def player(self, seat: int) -> Text:
        """Draws a player as letter and name."""
        name = self.layout.name(PLAYER, seat, self.language)
        return self.chip(seat) + Text(f" {name}")

    def piece(self, piece: int, states: tuple[Value, ...] = ()) -> list[Text]:
        """Draws a piece in short form, line by line."""
        layout = self.layout
        declared = self.program.pieces[layout.piece_type[piece]]
        kind = declared.kinds[layout.piece_kind[piece]].name
        for thing in (kind, declared.name):
            sign = self.sign(thing, declared.name)
            if sign is not None:
                style = self.style(thing, declared.name) or self.style(declared.name)
                lines = [ink(line, style) for line in sign.splitlines()]
                whose = layout.piece_owner[piece]
                # A sign is the same for all players: whose it is must not hang on a colour.
                return lines if whose is None else [self.chip(whose) + lines[0], *lines[1:]]
        sides = sides_of(layout, piece, states)
        if sides is not None:
            return self._sided(sides)
        owner = layout.piece_owner[piece]
        first = declared.states[:1]
        shown = None
        if states and states[0] is not None and len(declared.kinds) == 1 and not first[0].indices:
            shown = self.value(first[0].type, states[0], short=True)
        if owner is not None and len(declared.kinds) == 1:
            truth = shown is None or first[0].type == TRUTH
            return [self.chip(owner) if truth else self.chip(owner) + Text(" ") + shown]
        if shown is not None:
            return [shown]
        name = ink(layout.called(kind, declared.name, self.language), self.style(kind))
        return [name if owner is None else self.chip(owner) + Text(" ") + name]

    def _sided(self, sides: Sides) -> list[Text]:
        """Draws a tile by its sides, with its player next to a side."""
        top, right, bottom, left = (self._side(sides.of, word) for word in sides.words)
        gaps = [Text(" ") for _ in sides.words]
        middle = Text(" ")
        if sides.seat is not None:
            if sides.at is None:
                middle = self.chip(sides.seat)
            else:
                gaps[sides.at] = self.chip(sides.seat)
        return [
            Text("  ") + top + gaps[0] + Text(" "),
            left + gaps[3] + middle + gaps[1] + right,
            Text("  ") + bottom + gaps[2] + Text(" "),
        ]

    def _side(self, of: WordType, word: int | None) -> Text:
        if word is None:
            return Text(" ")
        shown = self.value(of, word, short=True)
        return shown[:1]

    def piece_name(self, piece: int, states: tuple[Value, ...] = ()) -> Text:
        """Formats the name of a piece for a list, with states that only text can show."""
        layout = self.layout
        declared = self.program.pieces[layout.piece_type[piece]]
        kind = declared.kinds[layout.piece_kind[piece]].name
        word = kind if len(declared.kinds) > 1 else declared.name
        style = self.style(word, declared.name) or self.style(declared.name)
        name = ink(layout.called(word, declared.name, self.language), style)
        if states and len(declared.kinds) == 1:
            name += Text(states_name(layout, layout.piece_type[piece], states, self.language))
        owner = layout.piece_owner[piece]
        return name if owner is None else self.chip(owner) + Text(" ") + name

    def value(self, of: Type, value: object, short: bool) -> Text:
        """Formats a value of any type; in short form by its sign, if it has one."""
        if isinstance(of, MaybeType):
            of = of.of
        if of == PLAYER and isinstance(value, int):
            return self.chip(value) if short else self.player(value)
        text, thing, kind = self.layout.name(of, value, self.language), "", ""
        if isinstance(of, (WordType, KindType)):
            thing, kind = self.layout.text(of, value), of.name
        sign = self.sign(thing, kind) if short and thing else None
        return ink(sign or text, self.style(thing, kind) if thing else "")

    def place(self, place: int) -> str:
        family = self.layout.place_family[place]
        return self.layout.name(PlaceType("", family), place, self.language)

    def family(self, family: int) -> str:
        """Returns the name of a family of places."""
        return self.layout.family_name(family, self.language)
