"""Resolves names in scenarios: players, clauses, places, markers, pieces, arguments.

Everything is named by its canonical text. Unknown names are reported at their position, with the
closest match.

A key such as `hand` that is a prefix of place names stands for all of them. Pieces are described
by a phrase:

    [NUMBER] NAME [OWNER] [with STATE VALUE and STATE VALUE …]

NAME is a kind, or the type of piece (also in the plural) where the kind does not matter. The
owner defaults to the owner of the place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics, did_you_mean, nearest, with_noun
from lawspeaker.base.source import Span
from lawspeaker.position.layout import Layout, Value, plain
from lawspeaker.text.document import Node, Scalar, scalars_of

BAD = "bad-scenario"
EMPTY = "empty"
TRUTHS = {"true": "yes", "false": "no"}
"""Truths in YAML, and in the rules."""
_CALL = re.compile(r"\s*([a-z0-9_.]+)\s*(?:\((.*)\))?\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Pieces:
    """A number of equal pieces; None for a kind or an owner that does not matter."""

    count: int
    type: int
    kind: int | None
    owner: int | None
    states: tuple[tuple[int, Value], ...]
    text: str
    span: Span

    def fits(self, layout: Layout, piece: int) -> bool:
        """Whether a piece has this type, kind and owner."""
        return (
            layout.piece_type[piece] == self.type
            and self.kind in (None, layout.piece_kind[piece])
            and self.owner in (None, layout.piece_owner[piece])
        )


class Texts:
    """Resolves the texts of one scenario for one game and number of players."""

    def __init__(self, layout: Layout, diagnostics: Diagnostics) -> None:
        self.layout = layout
        self.program = layout.program
        self.diagnostics = diagnostics
        self._places = layout.places_by_text()

    def complain(self, message: str, span: Span, hint: str | None = None) -> None:
        self.diagnostics.error(BAD, message, span, hint=hint)

    # ------------------------------------------------------------ players and clauses

    def seat(self, node: Scalar) -> int | None:
        names = self.program.player_names[: self.layout.players]
        if node.value in names:
            return names.index(node.value)
        if node.value in self.program.player_names:
            self.complain(f"{node.value} does not play: there are {len(names)} players", node.span)
        else:
            hint = did_you_mean(node.value, names) or f"players: {', '.join(names)}"
            self.complain(f"there is no player '{node.value}'", node.span, hint)
        return None

    def holder(self, node: Scalar) -> int | None:
        """The seat that stores the score of a player or side."""
        side = self.side(node)
        seat = self.seat(node) if side is None else side[0]
        return None if seat is None else self.layout.keeper(seat)

    def side(self, node: Scalar) -> tuple[int, ...] | None:
        """The players of a side with this name, unless a player has it."""
        words = self.program.side_words
        if words is None or node.value in self.program.player_names:
            return None
        names = self.program.word_sets[words].words
        return self.layout.players_of[names.index(node.value)] if node.value in names else None

    def clause(self, node: Scalar) -> ir.Clause | None:
        return self.clause_of(node.value, node.span)

    def clause_of(self, name: str, span: Span) -> ir.Clause | None:
        for clause in self.program.clauses:
            if clause.id == name:
                return clause
        ids = [clause.id for clause in self.program.clauses]
        self.complain(f"there is no clause '{name}'", span, did_you_mean(name, ids))
        return None

    # ------------------------------------------------------------ places and markers

    def place_text(self, place: int) -> str:
        return self.layout.text(ir.PlaceType("", self.layout.place_family[place]), place)

    def places(self, text: str) -> list[int]:
        """The place with this text, or all with this prefix."""
        wanted = plain(text)
        if wanted in self._places:
            return [self._places[wanted]]
        beginning = wanted + " "
        return [place for name, place in self._places.items() if name.startswith(beginning)]

    def marker(self, text: str) -> int | None:
        """Position of a marker entry: its name and indices, `price salt`, or as in the rules,
        `price of salt`.
        """
        wanted = plain(text)
        for at, entry in enumerate(self.layout.markers):
            if wanted in (plain(entry.text), plain(entry.said)):
                return at
        return None

    def unknown_key(self, key: Scalar, more: Iterable[str] = ()) -> None:
        markers = [marker.name for marker in self.program.markers]
        markers += [entry.text for entry in self.layout.markers]
        families = [family.name for family in self.program.families]
        hint = did_you_mean(key.value, [*more, *markers, *families, *self._places])
        if hint is None:
            first = plain(key.value).partition(" ")[0]
            near = nearest(first, families)
            if first in families or near is not None:
                of = next(p for p in self._places.values() if self._family(p) == (near or first))
                hint = f"a {near or first} is named like this: {self.place_text(of)}"
        self.complain(f"there is no place or marker '{key.value}'", key.span, hint)

    def _family(self, place: int) -> str:
        return self.program.families[self.layout.place_family[place]].name

    # ------------------------------------------------------------ pieces

    def contents(self, node: Node, place: int) -> list[Pieces] | None:
        """Parses the contents of a place; None if invalid."""
        if isinstance(node, Scalar) and plain(node.value) == EMPTY:
            return []
        scalars = scalars_of(node)
        found = [self.pieces(each, place) for each in scalars]
        understood = [each for each in found if each is not None]
        return understood if len(understood) == len(scalars) else None

    def pieces(self, node: Scalar, place: int) -> Pieces | None:
        number = self.program.families[self.layout.place_family[place]].holds
        piece = self.program.pieces[number]
        told, _, states = node.value.partition(" with ")
        words = plain(told).split()
        count = 1
        if len(words) > 1 and words[0].isdecimal():
            count, words = int(words[0]), words[1:]
        owner = self.layout.place_owner[place] if piece.per_player else None
        if piece.per_player and len(words) > 1 and words[-1] in self.program.player_names:
            owner = self.program.player_names.index(words.pop())
            if owner >= self.layout.players:
                self.complain(f"{self.program.player_names[owner]} does not play", node.span)
                return None
        name = " ".join(words)
        kinds = [kind.name for kind in piece.kinds]
        kind: int | None
        if name in kinds:
            kind = kinds.index(name)
        elif name in (piece.name, piece.plural):
            kind = 0 if len(kinds) == 1 else None
        else:
            where = self.place_text(place)
            hint = did_you_mean(name, [*kinds, piece.name, piece.plural])
            hint = hint or f"it holds {piece.plural}: {', '.join(kinds)}"
            self.complain(f"'{node.value}' is nothing that {where} can hold", node.span, hint)
            return None
        known = self._states(piece, number, states, node.span)
        if known is None:
            return None
        return Pieces(count, number, kind, owner, known, node.value, node.span)

    def _states(
        self, piece: ir.Piece, number: int, text: str, span: Span
    ) -> tuple[tuple[int, Value], ...] | None:
        entries = self.layout.states[number]
        found: list[tuple[int, Value]] = []
        for phrase in text.split(" and ") if text.strip() else ():
            words = plain(phrase)
            named = [
                (at, said)
                for at, entry in enumerate(entries)
                for said in (plain(entry.text), plain(entry.said))
                if words.startswith(f"{said} ")
            ]
            if not named:
                name, names = words.partition(" ")[0], [entry.text for entry in entries]
                hint = did_you_mean(name, names) or (
                    f"what changes about it: {', '.join(names)}" if names else None
                )
                self.complain(f"a {piece.name} has no '{name}' that changes", span, hint)
                return None
            at, said = max(named, key=lambda each: len(each[1]))
            read = self.value(entries[at].type, words.removeprefix(said).strip(), span)
            if not read:
                return None
            found.append((at, read[0]))
        return tuple(found)

    # ------------------------------------------------------------ values

    def value(self, of: ir.Type, text: str, span: Span) -> tuple[Value] | None:
        """Parses a value of a type, wrapped in a tuple; set members are joined by `+`."""
        if isinstance(of, ir.SetType):
            parts = [] if plain(text) == "none" else text.split("+")
            members = [self.value(of.of, part, span) for part in parts]
            known = [member[0] for member in members if member]
            return (tuple(known),) if len(known) == len(members) else None
        found = self.layout.read(of, TRUTHS.get(text, text) if of == ir.TRUTH else text)
        if found:
            return (found[0],)
        hint = did_you_mean(plain(text), self._possible(of))
        if of == ir.TRUTH:
            hint = "write `true` or `false`"
        self.complain(f"'{text.strip()}' is no {of}", span, hint)
        return None

    def _possible(self, of: ir.Type) -> list[str]:
        try:
            domain = self.layout.domain(of.of if isinstance(of, ir.MaybeType) else of)
        except ValueError:
            return []
        return [self.layout.text(of, value) for value in domain]

    def call(self, text: str, span: Span) -> tuple[ir.Clause, list[str]] | None:
        """Parses a clause with the texts of its arguments: `landing(ship, field 2 7)`."""
        match = _CALL.fullmatch(text)
        if match is None:
            hint = "write the id of a clause, and what it is given in brackets: trade(red, 2)"
            self.complain(f"'{text}' is no clause with arguments", span, hint)
            return None
        clause = self.clause_of(match.group(1), span)
        if clause is None:
            return None
        arguments = [each.strip() for each in (match.group(2) or "").split(",")]
        return clause, [] if arguments == [""] else arguments

    def arguments(
        self,
        clause: ir.Clause,
        texts: Sequence[str],
        where: Sequence[int],
        span: Span,
        slots: Sequence[ir.Slot] | None = None,
    ) -> list[Value] | None:
        """Evaluates arguments; `where` is the place of each piece."""
        wanted = clause.slots[: clause.parameters] if slots is None else slots
        if len(texts) != len(wanted):
            names = ", ".join(slot.name for slot in wanted)
            needs = f"{clause.id}({names})" if wanted else f"{clause.id}, without anything"
            self.complain(
                f"{clause.id} is given {with_noun(len(texts), 'thing')} here",
                span,
                f"write {needs}",
            )
            return None
        values: list[Value] = []
        for slot, text in zip(wanted, texts, strict=True):
            if isinstance(slot.type, ir.PieceType):
                found = self._piece(slot.type, text, where, span)
            else:
                found = self.value(slot.type, text, span)
            if found is None:
                return None
            values += found
        return values

    def _piece(
        self, of: ir.PieceType, text: str, where: Sequence[int], span: Span
    ) -> tuple[Value] | None:
        """Resolves a piece such as `pawn red in field 2 7`."""
        name, _, place = plain(text).partition(" in ")
        read = self.value(of, name, span)
        if read is None:
            return None
        found = self.layout.read(of, name)
        if place:
            places = self.places(place)
            if len(places) != 1:
                hint = did_you_mean(place, self._places)
                self.complain(f"there is no place '{place}'", span, hint)
                return None
            found = [piece for piece in found if where[piece] == places[0]]
            if not found:
                self.complain(f"there is no {name} in {self.place_text(places[0])}", span)
                return None
        if len({where[piece] for piece in found}) > 1:
            example = f"{name} in {self.place_text(where[found[0]])}"
            self.complain(f"there are several {name}", span, f"say where it is: {example}")
            return None
        return (found[0],)

    def value_texts(self, of: ir.Type, value: Value) -> list[str]:
        """The texts of a value; of a set, one for each member."""
        if isinstance(of, ir.SetType):
            return [self.layout.text(of.of, member) for member in value]
        return [self.layout.text(of, value)]
