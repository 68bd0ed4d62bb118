"""Resolves how things look: from a game's `symbols` section, with defaults where it is silent.

A piece takes its shape, colour and picture from its kind, else from its type. If neither has a
picture or colour, it comes from the words and players that the kind refers to: a card of a suit
shows that suit, and one with the word `red` is red. A piece that belongs to a player has that
player's colour.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any

from lawspeaker import ir
from lawspeaker.base.braces import filled, names_in
from lawspeaker.base.typography import numeral
from lawspeaker.faces.render.sides import sides_of
from lawspeaker.faces.render.symbols import Symbols
from lawspeaker.faces.web.drawing.palette import KINDS, NEUTRAL, SEATS, SHADES, Shades, shades
from lawspeaker.match.decision import changed_states
from lawspeaker.position.layout import Layout, Value
from lawspeaker.telling.maps import joined_at, only_number


@dataclass(frozen=True, slots=True)
class Mark:
    """The part of a long piece that is marked with a player's colour: its index, the number of
    parts, the seat."""

    part: int
    of: int
    seat: int


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a tile: its shades, and whether it is only a strip, such as a road."""

    tones: Shades
    strip: bool = False


Icons = tuple[str | ir.Picture, Shades, int]
"""A picture, its shades, and how often it is drawn."""


@dataclass(frozen=True, slots=True)
class FaceItem:
    """A part of a card's face: a text, or pictures in a row, each with how often it is drawn; the
    name, the text of the card and its picture (`show`) are drawn in ways of their own."""

    at: str
    size: str
    behind: str | None = None
    show: str | None = None
    text: str = ""
    pictures: tuple[Icons, ...] = ()


@dataclass(frozen=True, slots=True)
class Look:
    """The resolved appearance of a thing: everything that drawing it needs."""

    name: str
    shape: str = "disc"
    tones: Shades = NEUTRAL
    picture: str | ir.Picture | None = None
    badge: str = ""
    letter: str = ""
    text: str = ""
    size: int = 1
    turn: int = 0
    mark: Mark | None = None
    mark_tones: Shades = NEUTRAL
    mark_letter: str = ""
    pips: int | None = None
    sides: tuple[Side | None, ...] = ()
    mark_at: int | None = None
    hidden: bool = False
    fields: tuple[Look, ...] = ()
    """For a tile that shows several words of a set, the look of each."""
    face: tuple[FaceItem, ...] = ()
    """The parts of a card's front, if the game arranges them."""
    initial: str = ""
    """Replaces the name of a kind where that would be too small to read."""


_Valued = tuple[ir.Type, tuple[ir.Index, ...], ir.Entries]
"""The type of an attribute, its indices and its value."""


class Looks:
    def __init__(
        self,
        layout: Layout,
        language: str,
        states: Mapping[int, tuple[Value, ...]] | None = None,
        known: dict[Hashable, Look] | None = None,
    ) -> None:
        """`states` are those of pieces as the viewer knows them;

        `known` caches looks of pieces in this language.
        """
        self.layout = layout
        self.program = layout.program
        self.language = language
        self.states = states or {}
        self.signs, self._shapes, self._initials = _known_of(layout, language)
        self._known: dict[Hashable, Look] = {} if known is None else known

    # ------------------------------------------------------------ players and words

    def seat(self, seat: int) -> Shades:
        """Returns the shades of a player's colour."""
        symbol = self.signs.symbol(self.program.player_names[seat], "player")
        colour = symbol.colour if symbol is not None else None
        return shades(colour or self._by_name(seat) or SEATS[seat % len(SEATS)])

    def _by_name(self, seat: int) -> str | None:
        """Returns the colour by which a player is called, if all players are called by one."""
        names = self.program.player_names
        return names[seat] if all(name in SHADES for name in names) else None

    def letter(self, seat: int) -> str:
        return self.signs.letters[seat]

    def player(self, seat: int) -> str:
        return self.layout.name(ir.PLAYER, seat, self.language)

    def value(self, of: ir.Type, value: Value) -> Look | None:
        """Returns the look of a word, a kind or a player, if the game declares one."""
        if isinstance(of, ir.MaybeType):
            of = of.of
        if value is None:
            return None
        if of == ir.PLAYER:
            symbol = self.signs.symbol(self.program.player_names[value], "player")
            picture = None if symbol is None else symbol.picture
            name = self.player(value)
            return Look(name, tones=self.seat(value), picture=picture, letter=self.letter(value))
        if not isinstance(of, ir.WordType | ir.KindType):
            return None
        symbol = self.signs.symbol(self.layout.text(of, value), of.name)
        if symbol is None:
            return None
        named = self._attributes(of, value)
        return Look(
            self.layout.name(of, value, self.language),
            tones=shades(symbol.colour),
            picture=symbol.picture,
            badge=self._filled(symbol.badge, named),
            turn=symbol.turn,
        )

    def connection(self, of: ir.WordType, value: int) -> Look:
        """Returns the look of a connection.

        Its colour is its own, or that of a word it refers to. Its badge is declared, else its only
        number.
        """
        words = self.program.word_sets[of.index]
        pairs = zip(words.columns, words.rows[value] if words.rows else (), strict=False)
        said = [(c.type, each) for c, each in pairs if not c.indices and each is not None]
        looks = [look for look in (self.value(*each) for each in said) if look is not None]
        own = self.value(of, value) or Look(self.layout.name(of, value, self.language))
        tones = [each.tones for each in (own, *looks) if each.tones is not NEUTRAL]
        tones += [
            SHADES[word]
            for type, each in said
            if isinstance(type, ir.WordType)
            and isinstance(each, int)
            and (word := self.program.word_sets[type.index].words[each]) in SHADES
        ]
        number = only_number(self.program, of, value)
        badge = own.badge or ("" if number is None else numeral(number))
        return replace(own, tones=next(iter(tones), NEUTRAL), badge=badge)

    def family(self, family: int) -> ir.Symbol | None:
        return self.signs.symbol(self.program.families[family].name)

    def _attributes(self, of: ir.WordType | ir.KindType, value: int) -> dict[str, str]:
        if isinstance(of, ir.KindType):
            piece = self.program.pieces[of.index]
            columns, values = piece.columns, piece.kinds[value].values
        else:
            words = self.program.word_sets[of.index]
            columns, values = words.columns, words.rows[value] if words.rows else ()
        return self._named(columns, values)

    def _named(
        self, columns: tuple[ir.Column, ...], values: tuple[ir.Entries, ...]
    ) -> dict[str, str]:
        pairs = zip(columns, values, strict=False)
        return {
            column.name: self._short(column, value) for column, value in pairs if value is not None
        }

    def _short(self, column: ir.Column, value: ir.Entries) -> str:
        """Returns a value in short form for a badge: its sign, if the game declares one."""
        of = column.type
        if isinstance(of, ir.MaybeType):  # another kind may have none
            of = of.of
        if not column.indices and isinstance(of, ir.WordType | ir.KindType):
            sign = self.signs.sign(self.layout.text(of, value), of.name)
            if sign is not None:
                return sign
        return self.layout.values_name(column.indices, column.type, value, self.language)

    @staticmethod
    def _filled(badge: str | None, named: dict[str, str]) -> str:
        return filled(badge or "", lambda name: named.get(name, ""), "en")

    # ------------------------------------------------------------ pieces

    def shape(self, number: int) -> str:
        """Returns the shape of pieces of a type, regardless of kind."""
        return self._shapes[number]

    def hidden(self, number: int, token: int | None = None) -> Look:
        """Returns the look of a face-down piece of a type, with what is public about it."""
        states = () if token is None else self.states.get(token, ())
        clues = changed_states(self.layout, number, states, self.language)
        piece = self.program.pieces[number]
        symbol = self.signs.symbol(piece.name)
        return Look(
            self.layout.called(piece.name, "", self.language),
            self.shape(number),
            shades(None if symbol is None else symbol.colour),
            None if symbol is None else symbol.picture,
            badge=" · ".join(value or name for name, value in clues),
            size=1 if symbol is None else symbol.size,
            hidden=True,
        )

    def piece(self, piece: int) -> Look:
        """Returns the look of a visible piece, with its states as the viewer knows them; cached."""
        states = self.states.get(piece, ())
        key = (self.layout.alike[piece], states)
        if key not in self._known:
            self._known[key] = self._piece(piece, states)
        return self._known[key]

    def _piece(self, piece: int, states: tuple[Value, ...]) -> Look:
        layout, number = self.layout, self.layout.piece_type[piece]
        declared = self.program.pieces[number]
        kind = declared.kinds[layout.piece_kind[piece]]
        own = self.signs.symbol(kind.name, declared.name) if len(declared.kinds) > 1 else None
        general = self.signs.symbol(declared.name)
        symbols = [symbol for symbol in (own, general) if symbol is not None]
        owner = layout.piece_owner[piece]
        changing = [
            (entry.type, value)
            for entry, value in zip(layout.states[number], states, strict=False)
            if not entry.indices
        ]
        spoken = self._spoken_of(declared, kind, changing)
        if owner is not None and (owned := self.value(ir.PLAYER, owner)) is not None:
            spoken.append(owned)
        named = self._named(declared.columns, kind.values)
        for entry, value in zip(layout.states[number], states, strict=False):
            if value is not None:
                named[entry.text] = layout.name(entry.type, value, self.language)
        word = kind.name if len(declared.kinds) > 1 else declared.name
        mark = self._mark(declared, kind)
        marked = None if mark is None else mark.seat
        sides = sides_of(layout, piece, states)
        if sides is not None:
            marked = sides.seat
        letter, tones = self._whose(owner, symbols, spoken, general)
        if tones is NEUTRAL and len(declared.kinds) > 1:
            in_turn = KINDS[layout.piece_kind[piece] % len(KINDS)]
            tones = shades(self._colour_word(declared, kind) or in_turn)
        rules = [symbol.rule for symbol in symbols if symbol.rule is not None]
        texts = [symbol.text for symbol in symbols if symbol.text]
        look = Look(
            layout.called(word, declared.name, self.language),
            shape=next((s.shape for s in symbols if s.shape), self.shape(number)),
            tones=tones,
            picture=next(
                (s.picture for s in symbols if s.picture),
                next((look.picture for look in spoken if look.picture), None),
            ),
            badge=next((self._filled(s.badge, named) for s in symbols if s.badge), ""),
            letter=letter,
            text=self._in(texts[0]) if texts else self._sentence(rules[0]) if rules else "",
            size=max([1, *(symbol.size for symbol in symbols)]),
            turn=0 if sides else sum(look.turn for look in spoken) % 360,
            mark=mark,
            mark_tones=NEUTRAL if marked is None else self.seat_called(marked),
            mark_letter="" if marked is None else self.letter_called(marked),
            pips=_pips(changing),
            sides=() if sides is None else tuple(self._side(sides.of, w) for w in sides.words),
            mark_at=None if sides is None else sides.at,
            fields=() if any(s.picture for s in symbols) else self._fields(declared, kind),
            initial=self._initials[number][layout.piece_kind[piece]],
        )
        face = next((each.face for each in symbols if each.face), ())
        values: dict[str, _Valued] = {
            column.name: (column.type, column.indices, value)
            for column, value in zip(declared.columns, kind.values, strict=True)
        }
        for state, at in zip(declared.states, layout.first_entry[number], strict=True):
            several = layout.states[number][at].indices != ()
            own_values = states[at:] if several else (states[at] if at < len(states) else None)
            values[state.name] = (state.type, state.indices, own_values)
        items = (self._item(part, look, named, values) for part in face)
        return replace(look, face=tuple(each for each in items if each is not None))

    # ------------------------------------------------------------ faces

    def _item(
        self,
        part: ir.FacePart,
        look: Look,
        named: dict[str, str],
        values: Mapping[str, _Valued],
    ) -> FaceItem | None:
        """Returns a part of a face; None if this card has nothing to show there."""
        text = ""
        pictures: tuple[Icons, ...] = ()
        if part.show == "picture":
            pictures = () if look.picture is None else ((look.picture, look.tones, 1),)
        elif part.show is not None:
            text = look.name if part.show == "name" else look.text
        elif part.write:
            # A text about an attribute that this card lacks is left out.
            wanted = names_in(self._in(part.write))
            if not wanted or any(name in named for name in wanted):
                said = self._in(part.write)
                text = filled(said, lambda name: named.get(name, ""), self.language).strip()
        elif part.attribute is not None:
            pictures = self._icons(*values[part.attribute])
        elif part.icon is not None:
            pictures = ((part.icon, look.tones, 1),)
        if part.times is not None:
            times = values[part.times][2]
            so_often = times if isinstance(times, int) else 0
            pictures = tuple((a, b, n * so_often) for a, b, n in pictures if so_often > 0)
        if not text and not pictures:
            return None
        return FaceItem(part.at, part.size, part.behind, part.show, text, pictures)

    def _icons(
        self, of: ir.Type, indices: tuple[ir.Index, ...], value: ir.Entries
    ) -> tuple[Icons, ...]:
        """Returns the picture of a value; or, of numbers for each word, its picture so often."""
        if not indices:
            pairs: list[tuple[ir.Type, Any, int]] = [(of, value, 1)]
        else:
            counts = value if isinstance(value, tuple) else ()
            every = (at for (at,) in product(*self.layout.all_players(indices)))
            pairs = [
                (indices[0].type, at, count if isinstance(count, int) else 0)
                for at, count in zip(every, counts, strict=False)
            ]
        found = [(self.value(type, each), times) for type, each, times in pairs if times]
        return tuple(
            (look.picture, look.tones, times)
            for look, times in found
            if look is not None and look.picture and times > 0
        )

    def _fields(self, declared: ir.Piece, kind: ir.Kind) -> tuple[Look, ...]:
        """Returns the looks of the words of one set, if a kind has several of it, such as two
        lands."""
        found: dict[ir.Type, list[Look]] = {}
        for column, value in zip(declared.columns, kind.values, strict=True):
            if not isinstance(column.type, ir.WordType) or column.indices:
                continue
            if (look := self.value(column.type, value)) is not None:
                found.setdefault(column.type, []).append(look)
        return next((tuple(each) for each in found.values() if len(each) > 1), ())

    def _side(self, of: ir.WordType, word: int | None) -> Side | None:
        if word is None:
            return None
        symbol = self.signs.symbol(self.layout.text(of, word), of.name)
        if symbol is None:
            return Side(NEUTRAL)
        return Side(shades(symbol.colour), symbol.shape == "stick")

    def _whose(
        self,
        owner: int | None,
        symbols: list[ir.Symbol],
        spoken: list[Look],
        general: ir.Symbol | None,
    ) -> tuple[str, Shades]:
        """Returns the letter and the shades of a piece."""
        if owner is not None:
            return self.letter(owner), self.seat(owner)
        colours = [symbol.colour for symbol in symbols if symbol.colour]
        if colours and (general is None or colours[0] != general.colour or not spoken):
            return "", shades(colours[0])
        own = next((look for look in spoken if look.tones is not NEUTRAL), None)
        if own is not None and (general is None or not general.colour):
            return own.letter, own.tones
        return "", shades(colours[0] if colours else None)

    def _spoken_of(
        self, declared: ir.Piece, kind: ir.Kind, changing: list[tuple[ir.Type, Value]]
    ) -> list[Look]:
        """Returns the looks of the words and players that a kind and its states refer to."""
        said = changing + [
            (column.type, value)
            for column, value in zip(declared.columns, kind.values, strict=True)
            if not column.indices and not self._absent(column.type, value)
        ]
        found = [self.value(of, value) for of, value in said]
        return [look for look in found if look is not None]

    def _colour_word(self, declared: ir.Piece, kind: ir.Kind) -> str | None:
        """Returns a word of a kind that is itself the name of a colour."""
        words = (
            self.program.word_sets[column.type.index].words[value]
            for column, value in zip(declared.columns, kind.values, strict=True)
            if isinstance(column.type, ir.WordType) and isinstance(value, int)
        )
        return next((word for word in words if word in SHADES), None)

    def _absent(self, of: ir.Type, value: ir.Entries) -> bool:
        """Whether the value is a player who is not in this game."""
        return of == ir.PLAYER and isinstance(value, int) and value >= self.layout.players

    def _mark(self, declared: ir.Piece, kind: ir.Kind) -> Mark | None:
        """Returns the mark of a kind that refers to a player and to one part of a long piece."""
        symbol = self.signs.symbol(declared.name)
        if symbol is None or symbol.size < 2:
            return None
        seat = part = None
        for column, value in zip(declared.columns, kind.values, strict=True):
            if column.type == ir.PLAYER:
                seat = value
            elif isinstance(column.type, ir.WordType):
                words = self.program.word_sets[column.type.index].words
                part = value if len(words) == symbol.size else part
        if not isinstance(seat, int) or not isinstance(part, int):
            return None
        return Mark(part, symbol.size, seat)

    def seat_called(self, number: int) -> Shades:
        """Returns the shades of a player by number, also of one who is not in this game."""
        return self.seat(number) if number < len(self.program.player_names) else shades(None)

    def letter_called(self, number: int) -> str:
        return self.letter(number) if number < self.layout.players else ""

    def _sentence(self, clause: int) -> str:
        return self._in(self.program.clauses[clause].says)

    def _in(self, texts: ir.Texts) -> str:
        return ir.in_language(texts, self.language)

    # ------------------------------------------------------------ names

    def place(self, place: int) -> str:
        return self.layout.name(
            ir.PlaceType("", self.layout.place_family[place]), place, self.language
        )


@lru_cache(maxsize=64)
def _known_of(layout: Layout, language: str) -> tuple[Symbols, list[str], list[list[str]]]:
    """Returns what is independent of the viewer: the symbols, and by piece type the shape and
    initials."""
    signs, pieces = Symbols(layout, language), layout.program.pieces
    shapes = [_shape(signs, number) for number in range(len(pieces))]
    return signs, shapes, [_initials(signs, piece) for piece in pieces]


def _initials(signs: Symbols, piece: ir.Piece) -> list[str]:
    if len(piece.kinds) == 1:
        return [""]
    return signs.letters_of([kind.name for kind in piece.kinds], piece.name)


def _shape(signs: Symbols, number: int) -> str:
    piece = signs.program.pieces[number]
    symbol = signs.symbol(piece.name)
    if symbol is not None and symbol.shape:
        return symbol.shape
    named = [symbol, *(signs.symbol(kind.name, piece.name) for kind in piece.kinds)]
    if any(each is not None and each.face for each in named):
        return "card"
    held = [family for family in signs.program.families if family.holds == number]
    if any(isinstance(joined_at(signs.program, family), ir.PlaceType) for family in held):
        return "stick"
    if len(piece.kinds) == 1:
        return "disc"
    return (
        "card"
        if any(
            family.per_player and family.seen_by not in ("everyone", "nobody") for family in held
        )
        else "tile"
    )


def _pips(changing: list[tuple[ir.Type, Value]]) -> int | None:
    """Returns the number that a die shows: its first numeric state."""
    for of, value in changing:
        if isinstance(of, ir.NumberType) and isinstance(value, int):
            return value
    return None
