"""What is in the box, how the table is set up, and what each kind of piece is and does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import capital, colon, joined
from lawspeaker.faces.render.book.course import Rules
from lawspeaker.faces.render.book.pictures import Pieces, table
from lawspeaker.faces.render.book.setting_up import tables_set_up
from lawspeaker.faces.render.book.tree import Figure, Figures, Gallery, Item
from lawspeaker.faces.render.clause import guards
from lawspeaker.ir.types import NumberType, TruthType, Type
from lawspeaker.match.match import Match

MOST_TOLD = 30
MOST_SENTENCES = 3
"""Of so many kinds at most, so many sentences at most are looked up that begin with their name."""
SHORTEST = 3
"""Shorter names may be anything."""


class Components:
    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.layout = rules.layout
        self.program = rules.program
        self.base = rules.base
        self.language = rules.language
        self.pieces = Pieces(self.layout, self.language)
        self.does = dict(self._deeds())
        """By piece and kind, the clause that says what it does."""

    def called(self, thing: str, of: str) -> str:
        return capital(self.layout.called(thing, of, self.language))

    def box(self) -> Gallery:
        """Every type of piece, and how many there are."""
        items = [self._type(at, piece) for at, piece in enumerate(self.program.pieces)]
        return Gallery("", tuple(items))

    def _type(self, number: int, piece: ir.Piece) -> Item:
        total = len(self.layout.pieces_of[number])
        text = []
        if piece.per_player:
            each = total // self.layout.players
            text.append(phrase("show.of_each", self.language, count=each))
        if len(piece.kinds) > 1:
            text.append(phrase("show.kinds", self.language, count=len(piece.kinds)))
        if started := self._at_the_start(number):
            text.append(started)
        name = self.called(piece.name, "piece")
        return Item(self.pieces.of_type(number), name, str(total), joined(text, self.language))

    def _at_the_start(self, number: int) -> str:
        """How many are set up while others still lie, for all to see, where they come from."""
        starts = {each.starts for each in self.program.pieces[number].kinds}
        if any(self.program.families[each].seen_by != "everyone" for each in starts):
            return ""
        laid, ready = {}, False
        for match in self._tables:
            layout, contents = match.machine.layout, match.view(None).contents
            inside = (each for each in contents if layout.place_family[each] in starts)
            left = sum(len(contents[each]) for each in inside)
            laid[match.players] = len(layout.pieces_of[number]) - left
            ready |= left > 0 < laid[match.players]
        if not ready:
            return ""
        if len(set(laid.values())) == 1:
            return self.rules.phrase("at_the_start", count=laid[self.program.most])
        each = (f"{count} ({self._for_players(players)})" for players, count in laid.items())
        return self.rules.phrase("at_the_start_by_players", numbers=", ".join(each))

    def _for_players(self, players: int) -> str:
        return phrase("compare.players", self.language, players=players)

    def reference(self) -> Iterator[Gallery]:
        """The kinds of each type of piece that has several: drawn, and what each does."""
        for number, piece in enumerate(self.program.pieces):
            if len(piece.kinds) > 1:
                items = [self._kind(number, at) for at in range(len(piece.kinds))]
                yield Gallery(self.called(piece.name, "piece"), tuple(items))

    def _kind(self, number: int, at: int) -> Item:
        piece = self.program.pieces[number]
        kind = piece.kinds[at]
        clause = self.does.get((piece.name, kind.name))
        told = list(self._values(number, at))
        if clause is not None:
            told.append(self.rules.said(clause.says))
        elif len(piece.kinds) <= MOST_TOLD:
            told += self._said_of(self.layout.called(kind.name, piece.name, self.language))
        return Item(
            self.pieces.of_kind(number, at),
            self.called(kind.name, piece.name),
            f"{kind.count}\u00a0×",
            " ".join(told),
            self._mark(piece, kind),
        )

    def _said_of(self, name: str) -> list[str]:
        """The sentences that begin with a thing, with or without an article before it; or else
        those that speak of it."""
        if len(name) < SHORTEST:
            return []
        begins = re.compile(rf"(?:\w+[ '’])?{re.escape(name)}\b", re.IGNORECASE)
        names = re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
        own = [each for each in self.sentences if begins.match(each)]
        found = own or [each for each in self.sentences if names.search(each)]
        return found[:MOST_SENTENCES]

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """All that the book says, each sentence of a rule and of a condition once."""
        said = self.rules.said
        clauses = [each for each in self.program.clauses if each.in_book and each.role != "choice"]
        texts = [said(each.says) for each in clauses]
        texts += [said(guard.says) for each in clauses for guard in guards(each)]
        return tuple(dict.fromkeys(text for text in texts if text))

    def _values(self, number: int, at: int) -> Iterator[str]:
        """What a kind has: `Value: 4.` What its name says is not said again; what its drawing shows
        only where the game has a word for it in this language."""
        piece = self.program.pieces[number]
        kind = piece.kinds[at]
        own = self.layout.called(kind.name, piece.name, self.language)
        for column, value in zip(piece.columns, kind.values, strict=True):
            text = self.layout.values_name(column.indices, column.type, value, self.language)
            if not _has_any(column.type, value) or re.search(rf"\b{re.escape(text)}\b", own, re.I):
                continue
            if self._has_word(column, piece) or not self.pieces.shows(number, at, column, value):
                told = colon(self.called(column.name, piece.name), text, self.language)
                yield f"{told}."

    def _has_word(self, column: ir.Column, piece: ir.Piece) -> bool:
        keys = (f"{piece.name}.{column.name}", column.name)
        return any(self.language in self.program.names.get(key, {}) for key in keys)

    def _deeds(self) -> Iterator[tuple[tuple[str, str], ir.Clause]]:
        """What kinds do: what is written on them, what is done when they are played, or a clause
        that is called as they are."""
        program = self.program
        by_id = {each.id.rpartition(".")[2]: each for each in program.clauses if each.in_book}
        windows = [each.index for each in program.clauses if each.role == "window"]
        played = {
            (piece, kind): clause
            for window in windows
            for piece, kind, clause in self.rules.links.plays(window)
        }
        for piece in program.pieces:
            for kind in piece.kinds if len(piece.kinds) > 1 else ():
                names = (f"{piece.name}.{kind.name}", kind.name)
                symbol = next((program.symbols[n] for n in names if n in program.symbols), None)
                key = (piece.name, kind.name)
                if symbol is not None and symbol.rule is not None:
                    yield key, program.clauses[symbol.rule]
                elif found := played.get(key) or by_id.get(kind.name):
                    yield key, found

    def _mark(self, piece: ir.Piece, kind: ir.Kind) -> str:
        """The variant by which there is such a kind, or another number of it."""
        before = next((each for each in self.base.pieces if each.name == piece.name), None)
        if before is not None and any((each.name, each.count) == (kind.name, kind.count)
                                      for each in before.kinds):  # fmt: skip
            return ""
        path = f"pieces.{piece.name}"
        for note in self.program.changes:
            inner = f"{path}.kinds.{kind.name}"
            if note.target == path or f"{note.target}.".startswith(f"{inner}."):
                return self.rules.titles.get(note.variant, "")
        return ""

    def setup(self) -> Figures:
        """The table as it is set up, for each number of players."""
        figures = []
        for match in self._tables:
            caption = self._for_players(match.players)
            picture = table(match.view(None), self.language, caption)
            figures.append(Figure(picture, caption))
        return Figures(tuple(figures))

    @cached_property
    def _tables(self) -> tuple[Match, ...]:
        return tables_set_up(self.program)


def _has_any(of: Type, value: ir.Entries) -> bool:
    """Whether there is something to tell: neither 0, no nor nothing."""
    if isinstance(value, tuple):
        return any(_has_any(of, each) for each in value)
    return bool(value) if isinstance(of, NumberType | TruthType) else value is not None
