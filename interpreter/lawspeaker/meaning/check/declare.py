"""Reads the declarations of a rulebook into a `World`: types, pieces, places, markers, signatures.

They are read in dependency order: words and number ranges, then the names of pieces and places,
then their details and what joins them, then markers, choices, windows and the heads of clauses.
Code is not checked here.
"""

from __future__ import annotations

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.ir.types import NUMBER, PLAYER, TRUTH, KindType, PieceType, PlaceType
from lawspeaker.meaning.check.clauses import declare_clauses
from lawspeaker.meaning.check.networks import Networks
from lawspeaker.meaning.check.world import World
from lawspeaker.text.rulebook import Rulebook


def declare(book: Rulebook, diagnostics: Diagnostics) -> World:
    """The world of a rulebook's declarations."""
    world = World(book, diagnostics)
    _Declaring(world, book, diagnostics).everything()
    return world


class _Declaring(Networks):
    """Reads all declarations, in dependency order."""

    def everything(self) -> None:
        self.head()
        self.world.types.update({"number": NUMBER, "truth": TRUTH, "player": PLAYER})
        self.world.plurals.update({"players": "player", "numbers": "number"})
        for entry in self.book.section("words").values():
            self.word_set_name(entry)
        for entry in self.book.section("numbers").values():
            self.number_range(entry)
        for index, entry in enumerate(self.book.section("pieces").values()):
            self.new_type(entry, PieceType(entry.id, index))
        for index, entry in enumerate(self.book.section("pieces").values()):
            self.kinds_called(entry, KindType(entry.id, index))
        for index, entry in enumerate(self.book.section("places").values()):
            family = PlaceType(entry.id, index)
            self.new_type(entry, family)
            self.world.family_types[entry.id] = family
            self.lines_are_named(entry)
        for entry in self.book.section("words").values():
            self.word_set(entry)
        for entry in self.book.section("words").values():
            self.network(entry)
        for entry in self.book.section("places").values():
            self.family(entry)
        for entry in self.book.section("pieces").values():
            self.piece(entry)
        for entry in self.book.section("markers").values():
            self.marker(entry)
        for entry in self.book.section("markers").values():
            if entry.get("remembers") is not None:
                self.position(entry)
        declare_clauses(self.world, self)
