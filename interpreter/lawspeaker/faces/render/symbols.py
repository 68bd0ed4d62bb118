"""Looks up the signs that a game gives to things in its section `symbols`.

A player without a sign gets a unique letter of the player's name; so do kinds.
"""

from __future__ import annotations

from collections.abc import Sequence

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
        """Returns the sign of a thing, in the language or any other."""
        symbol = self.symbol(thing, of)
        if symbol is None or not symbol.sign:
            return None
        return ir.in_language(symbol.sign, self.language)

    def _letters(self) -> list[str]:
        return self.letters_of(self.program.player_names[: self.layout.players], "player")

    def letters_of(self, things: Sequence[str], of: str) -> list[str]:
        """Returns the sign of each thing, or a unique letter of its name."""
        letters = [self.sign(thing, of) or "" for thing in things]
        for number, thing in enumerate(things):
            if letters[number]:
                continue
            called = self.layout.called(thing, of, self.language)
            free = [sign.upper() for sign in called if sign.isalnum()]
            taken = set(letters)
            letters[number] = next((sign for sign in free if sign not in taken), str(number + 1))
        return letters
