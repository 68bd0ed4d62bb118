"""Checks the layout of the table: arrangement of parts, and how things are drawn.

It is independent of the front end, and shows only public information: a defined value that reads a
hidden place cannot be shown on the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from lawspeaker import ir
from lawspeaker.base.braces import names_in
from lawspeaker.base.diagnostics import Label
from lawspeaker.base.source import Span
from lawspeaker.meaning import secrets
from lawspeaker.meaning.check.card_faces import Faces
from lawspeaker.meaning.check.functions import Functions
from lawspeaker.meaning.check.meaning_lookup import by_type
from lawspeaker.meaning.check.meanings import Meaning
from lawspeaker.meaning.check.own_pictures import OwnPictures
from lawspeaker.meaning.check.values import constant, texts, whole_number
from lawspeaker.meaning.check.world import World
from lawspeaker.text.document import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    child,
    entries_of,
    one_or_more,
    scalars_of,
    text_of,
)
from lawspeaker.text.pictures.naming import is_own
from lawspeaker.text.rulebook import Entry

_WORD = re.compile(r"\S+")
_OF_PLACES = ("at", "as", "laid out", "joined by", "label", "whose", "means")
_Meant = tuple[tuple[str, int], ...]

COUNTED_FROM_0 = "then this counts from 0, too"
ADD_1 = "older files counted from 0 here: `lawspeaker format` adds 1 to each of these numbers"


def table(world: World, functions: Functions) -> ir.Show | None:
    """The layout of the table, if the game declares one."""
    node = world.book.table
    if node is None:
        return None
    layout = _Table(world, functions)
    found = layout.show(node)
    layout.counted_from_0()
    return found


def symbols(world: World) -> dict[str, ir.Symbol]:
    """The signs and colours of things, by their names."""
    known = [*world.types, *world.words, *world.kinds, *world.player_names, *world.marker_index]
    found: dict[str, ir.Symbol] = {}
    pictures = OwnPictures(world)
    faces = Faces(world, pictures)
    for entry in world.book.section("symbols").values():
        if entry.id.rsplit(".", 1)[-1] not in known:
            _unknown(world, f"nothing is called `{entry.id}`", entry.id, entry.span, known)
        carries = entry.text("carries")
        family = world.family_types.get(carries or "")
        if carries and family is None:
            said = f"there is no place `{carries}`"
            _unknown(world, said, carries, _span(entry, "carries"), world.family_types)
        found[entry.id] = ir.Symbol(
            texts(entry.get("sign")),
            entry.text("colour"),
            entry.text("shape"),
            _picture(entry, pictures),
            _badge(world, entry),
            _written(world, entry),
            whole_number(entry.get("size"), 1),
            whole_number(entry.get("turn"), 0),
            None if family is None else family.index,
            entry.text("chequered"),
            texts(entry.get("text")),
            faces.parts(entry),
        )
    return found


def _picture(entry: Entry, pictures: OwnPictures) -> str | ir.Picture | None:
    """The name of a stock picture, or one of the game's own pictures."""
    name = entry.text("picture")
    own = name is not None and is_own(name)
    return pictures.named(name, _span(entry, "picture")) if name and own else name


def _written(world: World, entry: Entry) -> int | None:
    """The index of the clause whose sentence is written on a thing."""
    wanted = entry.text("rule")
    if wanted is None:
        return None
    clauses = {clause.id: index for index, clause in world.clauses.items()}
    if wanted not in clauses:
        said = f"there is no clause `{wanted}`"
        _unknown(world, said, wanted, _span(entry, "rule"), clauses)
    return clauses.get(wanted)


def _badge(world: World, entry: Entry) -> str | None:
    """The text in the corner of a thing; its placeholders can name attributes only."""
    badge = entry.text("badge")
    columns = [column.name for each in world.word_sets for column in each.columns]
    columns += [column.name for piece in world.pieces for column in piece.columns]
    columns += [state.name for piece in world.pieces for state in piece.states]
    for name in sorted(names_in(badge or "")):
        if name not in columns:
            said = f"nothing has an attribute `{name}`"
            _unknown(world, said, name, _span(entry, "badge"), columns)
    return badge


def _span(entry: Entry, key: str) -> Span:
    """The span of the value of a key."""
    found = entry.get(key)
    return entry.span if found is None else found.span


def _unknown(world: World, said: str, name: str, span: Span, known: Iterable[str]) -> None:
    world.diagnostics.error("unknown-name", said, span, hint=world.suggest(name, known))


class _Table:
    """Checks the layout of the table, part by part."""

    def __init__(self, world: World, functions: Functions) -> None:
        self.world = world
        self.functions = functions
        self.diagnostics = world.diagnostics
        self.counted: list[tuple[Scalar, str]] = []
        """The numbers that stand for words, kinds or players, and what is said of their range."""

    def show(self, node: Node) -> ir.Show | None:
        if not isinstance(node, Mapping):
            return None
        title = text_of(node.get("title")) or None
        ground = text_of(node.get("ground")) or None
        for shape in ("across", "down", "flow", "players"):
            inner = node.get(shape)
            if isinstance(inner, Sequence):
                parts = [(each, found) for each in inner.items if (found := self.show(each))]
                if shape == "players":
                    parts = [each for each in parts if self.of_each_player(*each)]
                shown = tuple(found for _, found in parts)
                playing = node.get("only") if shape == "players" else None
                only = self.value(playing, ir.PLAYER, truth=True)
                return ir.Show(shape, title, shown, ground=ground, only=only)
        marker, score = node.get("marker"), node.get("score")
        if marker is not None:
            self.only_of_places(node, "marker")
            return self.marker(node, marker, title)
        if score is not None:
            self.only_of_places(node, "score")
            return ir.Show("score", title)
        place = node.get("place")
        return self.place(node, place, title) if place is not None else None

    def only_of_places(self, node: Mapping, shown: str) -> None:
        """Reports keys that apply to places only."""
        for key, _ in node.entries:
            if key.value in _OF_PLACES:
                self.diagnostics.error(
                    "unused",
                    f"`{key.value}` is for a `place`, and changes nothing about a `{shown}`",
                    key.span,
                    hint="delete it",
                )

    def of_each_player(self, node: Node, shown: ir.Show) -> bool:
        """Whether a part can be in the row of a player; reports an error if not."""
        if shown.family is not None:
            indices = self.world.families[shown.family].indices
            fits = len(indices) == 1 and indices[0].type == ir.PLAYER
        elif shown.marker is not None:
            marker = self.world.markers[shown.marker]
            fits = marker.per_player or (marker.type == ir.PLAYER and not marker.indices)
        else:
            fits = shown.shape == "score"
        if not fits:
            self.diagnostics.error(
                "wrong-type",
                "in the line of a player stands only what each player has one of",
                node.span,
                hint="a place or marker `of each: player`, a marker showing a player, or `score`",
            )
        return fits

    def marker(self, node: Mapping, marker: Node, title: str | None) -> ir.Show | None:
        name = text_of(marker)
        index = self.world.marker_index.get(name)
        if index is None:
            self.unknown("marker", name, marker, list(self.world.marker_index))
            return None
        self.world.meanings.note(marker.span, Meaning("marker", name))
        only = self.value(node.get("only"), None, truth=True)
        return ir.Show("marker", title, marker=index, only=only)

    def unknown(self, what: str, name: str, node: Node, known: list[str]) -> None:
        if name in self.world.lost:
            return
        self.world.lose(name)
        self.diagnostics.error(
            "unknown-name",
            f"there is no {what} `{name}`",
            node.span,
            hint=self.world.suggest(name, known),
        )

    def place(self, node: Mapping, place: Node, title: str | None) -> ir.Show | None:
        others: tuple[Node, ...] = ()
        if isinstance(place, Sequence):
            place, *more = place.items
            others = tuple(more)
        name = text_of(place)
        family = self.world.family_types.get(name)
        if family is None:
            self.unknown("place", name, place, list(self.world.family_types))
            return None
        self.world.meanings.note(place.span, by_type(family))
        known = self.world.families[family.index]
        at = node.get("at")
        allowed: list[tuple[int, ...] | None] = []
        for column in known.indices:
            chosen = child(at, column.name)
            allowed.append(self.allowed(chosen, column.type) if chosen is not None else None)
        if isinstance(at, Mapping):
            names = [column.name for column in known.indices]
            for key, _ in at.entries:
                if key.value not in names:
                    self.diagnostics.error(
                        "unknown-key",
                        f"`{name}` is not told apart by `{key.value}`",
                        key.span,
                        hint=self.world.suggest(key.value, names),
                    )
        style = text_of(node.get("as")) or "pile"
        labels = [self.value(each, family) for each in one_or_more(node.get("label"))]
        only = self.value(node.get("only"), family, truth=True)
        own = self.own(node.get("whose"), known)
        means, pieces_mean = self.means(node.get("means"), name, known)
        nodes = self.nodes(node, known, allowed) if style == "map" else None
        return ir.Show(
            "place",
            title,
            family=family.index,
            at=tuple(allowed),
            style=style,
            joined=self.joined(node, style, nodes or family),
            others=self.others(others, style, nodes),
            labels=tuple(each for each in labels if each is not None),
            only=only,
            own=own,
            ground=text_of(node.get("ground")) or None,
            means=means,
            pieces_mean=pieces_mean,
            rows=self.rows(node, style, known, allowed, nodes),
        )

    # ------------------------------------------------------------ maps

    def nodes(
        self, node: Mapping, family: ir.Family, at: list[tuple[int, ...] | None]
    ) -> ir.WordType | None:
        """The nodes of a map: the words that index its places, or what these connect; reports an
        error if there are none."""
        types = [column.type for column, fixed in zip(family.indices, at, strict=True) if not fixed]
        if len(types) == 1 and isinstance(types[0], ir.WordType):
            joined = self.joins(types[0]) or types[0]
            if isinstance(joined, ir.WordType) and any(
                network.joins == joined for network in self.world.networks
            ):
                return joined
        style = node.get("as")
        self.diagnostics.error(
            "wrong-type",
            f"`{family.name}` is not told apart by words that are joined, or that join others",
            node.span if style is None else style.span,
            hint="a map shows places `at:` the words of a set that `joins` others, or at the words "
            "that are joined; of a grid write `as: grid`, and `joined by:` what lies between",
        )
        return None

    def joined(self, node: Mapping, style: str, nodes: ir.Type) -> int | None:
        """The family of places that are drawn along the edges of a map."""
        written = node.get("joined by")
        if written is None:
            return None
        name = text_of(written)
        family = self.world.family_types.get(name)
        if family is None:
            self.unknown("place", name, written, list(self.world.family_types))
            return None
        self.world.meanings.note(written.span, by_type(family))
        columns = self.world.families[family.index].indices
        if style not in ("grid", "board", "map"):
            said, hint = "only a map, a grid or a board shows what joins its places", None
        elif len(columns) == 1 and self.joins(columns[0].type) == nodes:
            return family.index
        else:
            said = f"the places `{name}` are not at connections of {self.world.many(nodes)}"
            hint = "such places are `at:` a word of a set that `joins:` them"
        self.diagnostics.error("wrong-type", said, written.span, hint=hint)
        return None

    def others(self, places: Iterable[Node], style: str, nodes: ir.Type | None) -> tuple[int, ...]:
        """Further families of places at the same nodes of a map."""
        found = []
        for place in places:
            name = text_of(place)
            family = self.world.family_types.get(name)
            if family is None:
                self.unknown("place", name, place, list(self.world.family_types))
                continue
            self.world.meanings.note(place.span, by_type(family))
            columns = self.world.families[family.index].indices
            if style == "map" and [column.type for column in columns] == [nodes]:
                found.append(family.index)
            elif style != "map" or nodes is not None:
                self.diagnostics.error(
                    "wrong-type",
                    f"`{name}` does not lie at what this map joins"
                    if style == "map"
                    else "only a map shows several places in one",
                    place.span,
                    hint="show it by itself: `- {place: " + name + "}`",
                )
        return tuple(found)

    def joins(self, type: ir.Type) -> ir.Type | None:
        """The type that the words of a set join."""
        if not isinstance(type, ir.WordType):
            return None
        number = self.world.word_sets[type.index].network
        return None if number is None else self.world.networks[number].joins

    def own(self, whose: Node | None, family: ir.Family) -> bool:
        """Whether only the viewer's own place is shown; reports places without owners."""
        if whose is None or text_of(whose) != "own":
            return False
        if not family.per_player:
            self.diagnostics.error(
                "no-owner",
                f"`{family.name}` belongs to nobody, so nobody would see it here",
                whose.span,
                hint="leave out `whose: own`, or declare the place `of each: player`",
            )
        return family.per_player

    def rows(
        self,
        node: Mapping,
        style: str,
        family: ir.Family,
        at: list[tuple[int, ...] | None],
        nodes: ir.Type | None,
    ) -> tuple[tuple[int | None, ...], ...]:
        """The layout of a board, row by row: the index of each place, None between them; for a map,
        its nodes."""
        drawn = node.get("laid out")
        if style == "map":
            rows = drawn.items if isinstance(drawn, Sequence) and nodes is not None else ()
            return tuple(self.laid(row, nodes) for row in rows if nodes and isinstance(row, Scalar))
        if drawn is None and family.grid in ("fixed", "grows", "growing hexes"):
            return ()  # the grid determines the layout
        if (drawn is not None) != (style in ("board", "stacks")):
            self.diagnostics.error(
                "missing-key" if drawn is None else "wrong-type",
                "where do the places of this board lie?"
                if drawn is None
                else "only a board, a map or stacks are laid out by hand",
                node.span if drawn is None else drawn.span,
                hint="say `as: board`, and row by row: `laid out: [a3 . c3, . b2 ., a1 . c1]`",
            )
            return ()
        open_ = [column.type for column, fixed in zip(family.indices, at, strict=True) if not fixed]
        if not isinstance(drawn, Sequence):
            return ()
        if len(open_) != 1:
            self.diagnostics.error(
                "wrong-type",
                f"each `{family.name}` is told apart by {len(open_)} things here, not by one",
                drawn.span,
                hint="pick places out with `at:` until one thing tells them apart",
            )
            return ()
        return tuple(self.laid(row, open_[0]) for row in drawn.items if isinstance(row, Scalar))

    def laid(self, row: Scalar, type: ir.Type) -> tuple[int | None, ...]:
        found: list[int | None] = []
        for each in _WORD.finditer(row.value):
            word, number = each[0], each[0].lstrip("-").isdigit()
            start = row.content.start + each.start()
            span = replace(row.span, start=start, end=start + len(word))
            named = replace(row, value=word, kind="number" if number else "text", span=span)
            picked = None if word == "." else self.picked(named, type)
            found.append(picked if isinstance(picked, int) else None)
        return tuple(found)

    def means(self, node: Node | None, name: str, family: ir.Family) -> tuple[_Meant, _Meant]:
        """Which part of a question clicking a place answers, by which of its indices; and which
        part a piece there, by which of its states."""
        indices = [column.name for column in family.indices]
        held = self.world.pieces[family.holds] if family.holds >= 0 else None
        states = [] if held is None else [each.name for each in held.states]
        places: list[tuple[str, int]] = []
        pieces: list[tuple[str, int]] = []
        for part, by in entries_of(node):
            word = text_of(by)
            if word in indices:
                places.append((part.value, indices.index(word)))
            elif word in states:
                pieces.append((part.value, states.index(word)))
            elif held is not None:
                said = f"`{name}` is not told apart by `{word}`"
                _unknown(self.world, said, word, by.span, [*indices, *states])
        return tuple(places), tuple(pieces)

    def allowed(self, node: Node, type: ir.Type) -> tuple[int, ...]:
        """The index values that select places: numbers; words and players by name, or from 1."""
        found = [self.picked(each, type) for each in scalars_of(node)]
        return tuple(each for each in found if isinstance(each, int))

    def picked(self, node: Scalar, type: ir.Type) -> ir.Constant:
        if isinstance(type, ir.PlaceType):
            inner = self.world.families[type.index].indices
            if len(inner) == 1:
                return self.picked(node, inner[0].type)
            self.diagnostics.error(
                "wrong-type",
                f"a {type} has no single number to pick it out by",
                node.span,
                hint="pick places out with `only:` and a condition that you define",
            )
            return None
        listed: tuple[str, ...] = ()
        if isinstance(type, ir.WordType):
            listed = self.world.word_sets[type.index].words
        elif isinstance(type, ir.KindType):
            listed = self.world.kind_names(type.index)
        elif type == ir.PLAYER:
            listed = self.world.player_names
        if not listed or node.kind != "number":
            return constant(self.world, node, type)
        number = whole_number(node, 0)
        said = f"{self.world.many(type)} are counted from 1 to {len(listed)}"
        self.counted.append((node, said))
        if number and not 1 <= number <= len(listed):
            self.diagnostics.error("out-of-range", said, node.span)
        return number - 1

    def counted_from_0(self) -> None:
        """Reports a table with a 0. All its numbers counted from there in older files."""
        zeros = [each for each in self.counted if not whole_number(each[0], 0)]
        if zeros:
            first, said = zeros[0]
            others = [each.span for each, _ in self.counted if each.span != first.span]
            labels = [Label(span, COUNTED_FROM_0) for span in dict.fromkeys(others)]
            self.diagnostics.error("out-of-range", said, first.span, *labels, hint=ADD_1)

    def value(self, node: Node | None, family: ir.Type | None, truth: bool = False) -> int | None:
        """A public value (or condition) defined for places of this family, for players, or without
        operands."""
        if node is None:
            return None
        name = text_of(node)
        for signature in self.world.signatures.get(name, ()):
            if signature.types == (() if family is None else (family,)):
                self.world.used.called.add(signature.function)
                number = self.functions.number(signature)
                return number if number is None or self.fits(number, node, truth) else None
        hint = self.world.suggest(name, self.world.signatures)
        said = f"there is no value `{f'{family} is {name}' if truth else f'{name} of {family}'}`"
        if family is None:
            said = f"there is no condition `{name}` that is asked of nothing else"
            hint = hint or f"define it by its name alone, `define: {name}`, and what it is `as`"
        self.diagnostics.error("unknown-name", said, node.span, hint=hint)
        return None

    def fits(self, number: int, node: Node, truth: bool) -> bool:
        function = self.functions.done[number]
        if truth and function.result.type != ir.TRUTH:
            self.diagnostics.error("wrong-type", f"`{function.name}` is no condition", node.span)
            return False
        if secrets.is_hidden_value(self.world, self.functions.done, number):
            self.diagnostics.error(
                "hidden-label",
                f"`{function.name}` looks into what not everyone sees, and the table is for all",
                node.span,
                hint="show only what follows from what lies open",
            )
            return False
        return True
