"""The signs that a game gives to things in its section `symbols`, however they are drawn.

A player without a sign gets a letter of the player's name that no other player has.
"""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.position.layout import Layout


class Symbols:
    def __init__(self, layout: Layout, language: str) -> None:
        self.layout = layout
        self.program = layout.program
        self.language = language
        self.letters = self._letters()

    def symbol(self, thing: str, of: str = "") -> ir.Symbol | None:
        symbols = self.program.symbols
        return symbols.get(f"{of}.{thing}") or symbols.get(thing)

    def sign(self, thing: str, of: str = "") -> str | None:
        """The sign a game gives to a thing, in the language or any other."""
        symbol = self.symbol(thing, of)
        if symbol is None or not symbol.sign:
            return None
        return symbol.sign.get(self.language) or next(iter(symbol.sign.values()))

    def _letters(self) -> list[str]:
        names = self.program.player_names[: self.layout.players]
        letters = [self.sign(name, "player") or "" for name in names]
        for seat, name in enumerate(names):
            if letters[seat]:
                continue
            called = self.layout.called(name, "player", self.language)
            free = [sign.upper() for sign in called if sign.isalnum()]
            taken = set(letters)
            letters[seat] = next((sign for sign in free if sign not in taken), str(seat + 1))
        return letters
