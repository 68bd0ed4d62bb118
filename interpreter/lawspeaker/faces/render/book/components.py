"""Builds the component list, the setup, and the reference of all kinds of pieces."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from lawspeaker import ir
from lawspeaker.base.counts import counts_in_table
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import capital, colon, joined
from lawspeaker.faces.render.book.course import BookRules
from lawspeaker.faces.render.book.cropping import Subject, subjects
from lawspeaker.faces.render.book.pictures import Pieces, part_of_table, table
from lawspeaker.faces.render.book.setting_up import arrangements, tables_set_up
from lawspeaker.faces.render.book.tree import Figure, Figures, Gallery, Item
from lawspeaker.faces.render.clause import guards
from lawspeaker.match.match import Match

MOST_TOLD = 30
MOST_SILENT = 12
"""Of more kinds than these, those without a text are left out of the reference."""
MOST_SENTENCES = 3
"""Limits for quoting sentences: of a piece with at most so many kinds, so many sentences each."""
SHORTEST = 3
"""Minimum length of a name to search for; shorter ones are ambiguous."""


_OR = "(?:or|oder|o|ou)"


class Components:
    def __init__(self, rules: BookRules) -> None:
        self.rules = rules
        self.layout = rules.layout
        self.program = rules.program
        self.base = rules.base
        self.language = rules.language
        self.pieces = Pieces(self.layout, self.language)
        self.does = dict(self._statements())
        """By piece and kind, the clause that states its effect."""

    def called(self, thing: str, of: str) -> str:
        return capital(self.layout.called(thing, of, self.language))

    def box(self) -> Gallery:
        """Lists every type of piece with its number."""
        items = [self._type(at, piece) for at, piece in enumerate(self.program.pieces)]
        return Gallery("", tuple(items))

    def _type(self, number: int, piece: ir.Piece) -> Item:
        total, left = len(self.layout.pieces_of[number]), ""
        if laid := self._laid(number):
            if len(set(laid.values())) == 1:
                more = total - laid[self.program.most]
                total, left = total - more, self.rules.phrase("more_ready", count=more)
            else:
                numbers = (f"{count} ({self._for_players(each)})" for each, count in laid.items())
                left = self.rules.phrase("at_the_start_by_players", numbers=", ".join(numbers))
        text = []
        if piece.per_player:
            each = total // self.layout.players
            text.append(phrase("show.of_each", self.language, count=each))
        if len(piece.kinds) > 1:
            text.append(phrase("show.kinds", self.language, count=len(piece.kinds)))
        if left:
            text.append(left)
        name = self.called(piece.name, "piece")
        return Item(self.pieces.of_type(number), name, str(total), joined(text, self.language))

    def _laid(self, number: int) -> dict[int, int]:
        """Returns how many pieces are set up, by number of players, while others lie ready.

        It is empty if all are set up or none, or if the others cannot be seen.
        """
        laid = {match.players: len(self._laid_out(match, number)) for match in self._tables}
        ready = any(0 < laid[each.players] < self._all(each, number) for each in self._tables)
        starts = {each.starts for each in self.program.pieces[number].kinds}
        seen = all(self.program.families[each].seen_by == "everyone" for each in starts)
        return laid if ready and seen else {}

    def _all(self, match: Match, number: int) -> int:
        return len(match.machine.layout.pieces_of[number])

    def _laid_out(self, match: Match, number: int) -> list[int]:
        """Returns the pieces of a type that are no longer where they start."""
        starts = {each.starts for each in self.program.pieces[number].kinds}
        layout, contents = match.machine.layout, match.state.contents
        inside = (each for each in contents if layout.place_family[each] in starts)
        left = {piece for place in inside for piece in contents[place]}
        return [each for each in layout.pieces_of[number] if each not in left]

    def _of_kind(self, number: int, at: int) -> int:
        """Returns how many pieces of a kind there are: for each player, if every player has them.

        Where the same number is set up for any number of players, only those are counted.
        """
        piece = self.program.pieces[number]
        if len(set(self._laid(number).values())) != 1:
            return piece.kinds[at].count
        match = self._tables[-1]
        layout = match.machine.layout
        kinds = [layout.piece_kind[each] for each in self._laid_out(match, number)]
        return kinds.count(at) // (match.players if piece.per_player else 1)

    def _for_players(self, *counts: int) -> str:
        players = counts[0] if len(counts) == 1 else counts_in_table(counts, self.language)
        return phrase("compare.players", self.language, players=players)

    def reference(self) -> Iterator[Gallery]:
        """Yields the kinds of each type of piece with several kinds, with drawing and effect."""
        for number, piece in enumerate(self.program.pieces):
            if len(piece.kinds) > 1:
                items = [self._kind(number, at) for at in range(len(piece.kinds))]
                if len(items) > MOST_SILENT:  # a deck of cards, of which there is nothing to say
                    items = [each for each in items if each.text or each.mark]
                if not items:
                    continue
                yield Gallery(self.called(piece.name, "piece"), tuple(items))

    def _kind(self, number: int, at: int) -> Item:
        piece = self.program.pieces[number]
        kind = piece.kinds[at]
        clause = self.does.get((piece.name, kind.name))
        told = list(self._values(number, at))
        written = self._written(piece, kind)
        if written:
            told.append(written)
        elif clause is not None:
            told.append(self.rules.said(clause.says))
        elif len(piece.kinds) <= MOST_TOLD:
            told += self._said_of(self.layout.called(kind.name, piece.name, self.language))
        return Item(
            self.pieces.of_kind(number, at),
            self.called(kind.name, piece.name),
            f"{self._of_kind(number, at)}\u00a0×",
            " ".join(told),
            self._mark(piece, kind),
        )

    def _written(self, piece: ir.Piece, kind: ir.Kind) -> str:
        """Returns the text on a kind that no clause says."""
        found = (
            self.program.symbols.get(name) for name in (f"{piece.name}.{kind.name}", kind.name)
        )
        return next((self.rules.said(each.text) for each in found if each and each.text), "")

    def _said_of(self, name: str) -> list[str]:
        """Returns the sentences that begin with a name, optionally after an article, else those
        that mention it."""
        if len(name) < SHORTEST:
            return []
        begins = re.compile(rf"(?:\w+[ '’])?{re.escape(name)}\b", re.IGNORECASE)
        names = re.compile(rf"\b{re.escape(name)}\b", re.IGNORECASE)
        own = [each for each in self.sentences if begins.match(each)]
        if own:
            return own[:MOST_SENTENCES]
        found = [each for each in self.sentences if names.search(each)]
        # In a list, as “becomes a queen, a rook or a knight”, little is said of each.
        one = re.escape(name)
        listed = re.compile(
            rf"\b{one}(?:\s*,|\s{_OR}\b)|\b{_OR}\s(?:\w+[ '’])?{one}\b", re.IGNORECASE
        )
        return ([each for each in found if not listed.search(each)] or found)[:MOST_SENTENCES]

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """All sentences of rules and conditions in the book, without duplicates."""
        said = self.rules.said
        clauses = [each for each in self.program.clauses if each.in_book and each.role != "choice"]
        texts = [said(each.says) for each in clauses]
        texts += [said(guard.says) for each in clauses for guard in guards(each)]
        return tuple(dict.fromkeys(text for text in texts if text))

    def _values(self, number: int, at: int) -> Iterator[str]:
        """Yields the attributes of a kind: `Value: 4.`

        Omitted are those in its name, and those its drawing shows unless the game names them in
        this language.
        """
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

    def _statements(self) -> Iterator[tuple[tuple[str, str], ir.Clause]]:
        """Yields the clause that states the effect of each kind.

        It is the one written on it, the one executed when it is played, or the one with the same
        id.
        """
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
        """Returns the title of the variant that added a kind or changed its number."""
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
        """Draws the table after setup, for each number of players."""
        return Figures(tuple(self._set_up(match) for match in self._tables))

    def setup_in_brief(self) -> tuple[Figures, ...]:
        """Draws the table after setup for the most players; of the others only the part where
        things are laid, if something else lies there."""
        *fewer, most = self._tables
        laid = arrangements(self.program)
        alike, others = [most.players], list[Figure]()
        for match in fewer:
            about = self._where_laid(match)
            there = {thing for each in about for thing in each.things}
            one, other = ({thing: laid[each.players].get(thing) for thing in there}
                          for each in (match, most))  # fmt: skip
            if about and one == other:
                alike.append(match.players)
            else:
                others.append(self._set_up(match, about))
        whole = replace(self._set_up(most), caption=self._for_players(*sorted(alike)))
        return (Figures((whole,)), *([Figures(tuple(others))] if others else []))

    def _where_laid(self, match: Match) -> list[Subject]:
        """Returns the parts of the table where most things are laid."""
        view = match.view(None)
        return subjects((view, view), (), view.contents)

    def _set_up(self, match: Match, about: Sequence[Subject] = ()) -> Figure:
        caption, view = self._for_players(match.players), match.view(None)
        if about:
            picture, _ = part_of_table(view, self.language, caption, about, "wide")
        else:
            picture = table(view, self.language, caption)
        return Figure(picture, caption)

    @cached_property
    def _tables(self) -> tuple[Match, ...]:
        return tables_set_up(self.program)


def _has_any(of: ir.Type, value: ir.Entries) -> bool:
    """Whether a value is worth telling: neither 0, no nor nothing."""
    if isinstance(value, tuple):
        return any(_has_any(of, each) for each in value)
    return bool(value) if isinstance(of, ir.NumberType | ir.TruthType) else value is not None
