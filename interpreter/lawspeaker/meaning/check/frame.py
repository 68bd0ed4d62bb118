"""Declares players, languages, sources, words and numbers, and parses types in declarations."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Literal

from lawspeaker import ir
from lawspeaker.base import lettering
from lawspeaker.base.counts import counts_in
from lawspeaker.base.diagnostics import Diagnostics, Label, did_you_mean, with_noun
from lawspeaker.base.source import Span
from lawspeaker.meaning.check import sides
from lawspeaker.meaning.check.meaning_lookup import by_type
from lawspeaker.meaning.check.tables import Tables
from lawspeaker.meaning.check.values import NAME, RANGE, constant, texts, whole_number
from lawspeaker.meaning.check.world import BUILT_IN_TYPES, World
from lawspeaker.meaning.check.written import limits
from lawspeaker.text import parse
from lawspeaker.text.document import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    entries_of,
    items_of,
    one_or_more,
    scalars_of,
    text_of,
)
from lawspeaker.text.rulebook import WINS, Entry, Rulebook, promised

MOST_PIECES = 10_000
MOST_PLACES = 100_000
MOST_PLAYERS = 64


class Frame:
    """Reads the head of a game, its words and numbers, and the types that declarations name."""

    def __init__(self, world: World, book: Rulebook, diagnostics: Diagnostics) -> None:
        self.world = world
        self.book = book
        self.diagnostics = diagnostics
        self.tables = Tables(world, diagnostics, self.type)

    # ------------------------------------------------------------ the head

    def head(self) -> None:
        world, head = self.world, self.book.head
        players = head.get("players")
        self.counts(players)
        if isinstance(players, Mapping):
            called = players.get("called")
            names = items_of(called)
            world.player_names = tuple(text_of(each) for each in names)
            if called is not None and len(world.player_names) != world.counts[-1]:
                given = len(world.player_names)
                told = "1 name is" if given == 1 else f"{given} names are"
                self.diagnostics.error(
                    "bad-value",
                    f"{told} given for {with_noun(world.counts[-1], 'player')}",
                    called.span,
                    hint="give each seat a name, also those that are not always taken",
                )
            for at, each in enumerate(names):
                self.new_name(text_of(each), each.span)
                if text_of(each) in world.player_names[:at]:
                    message = f"two players are called `{text_of(each)}`"
                    self.diagnostics.error("duplicate-name", message, each.span)
        while len(world.player_names) < world.counts[-1]:
            world.player_names += (f"player_{len(world.player_names) + 1}",)
        sides.Declared(world, players, self.new_name).read()
        wins = text_of(head.get(WINS))
        if wins in {each.value for each in ir.Goal}:
            world.goal = ir.Goal(wins)
        for name in world.player_names:
            world.declared.setdefault(name, head.span)
        languages = head.get("languages")
        if isinstance(languages, Sequence):
            named = tuple(text_of(each) for each in languages.items)
            world.languages = named or world.languages
        world.languages = promised(head) or world.languages
        for key, node in entries_of(head.get("sources")):
            world.sources[key.value] = _source(key.value, node)

    def counts(self, players: Node | None) -> None:
        """The supported numbers of players: `from` and `to`, or numbers in words."""
        number = players.get("number") if isinstance(players, Mapping) else players
        if isinstance(players, Mapping) and number is None:
            few = whole_number(players.get("from"), 1)
            most = whole_number(players.get("to"), few)
            if not 1 <= few <= most <= MOST_PLAYERS:
                key = players.key("to")
                self.diagnostics.error(
                    "bad-value",
                    f"a game has 1 to {MOST_PLAYERS} players, and `to` is not less than `from`",
                    key.span if key is not None else players.span,
                )
                few = min(max(few, 1), MOST_PLAYERS)
                most = min(max(most, few), MOST_PLAYERS)
            self.world.counts = tuple(range(few, most + 1))
        elif number is not None:
            counts = counts_in(text_of(number), MOST_PLAYERS)
            if not counts:
                self.diagnostics.error(
                    "bad-value",
                    f"`{text_of(number)}` does not say how many can play",
                    number.span,
                    hint=f"write `4`, `2 to 4`, `2 or 4` or `2, 4 to 6`; at most {MOST_PLAYERS}",
                )
            named = {int(each) for each in re.findall(r"\b\d{1,2}\b", text_of(number))}
            likely = sorted(named & set(range(1, MOST_PLAYERS + 1)))
            self.world.counts = counts or tuple(likely) or (1,)

    # ------------------------------------------------------------ names

    def new_name(self, name: str, span: Span) -> bool:
        """Whether a name is valid in code; reports an error if not."""
        if not NAME.match(name):
            meant = re.sub(r"\W+", "_", name.strip().lower())
            better = f"; how about `{meant}`?" if NAME.match(meant) else ""
            mistaken = lettering.mistaken(name)
            better += f"; {mistaken}" if mistaken else ""
            self.diagnostics.error(
                "bad-name",
                f"`{name}` cannot be used as a name",
                span,
                hint="names are small letters (a to z), digits and `_`, and begin with a letter"
                + better,
            )
            self.world.lose(meant)
            return False
        if name in parse.reserved_words() or name in BUILT_IN_TYPES:
            self.diagnostics.error(
                "reserved-word",
                f"`{name}` is a word of the language and cannot be a name",
                span,
                hint=f"call it `{name}_` or something else",
            )
            return False
        return True

    def kinds_called(self, entry: Entry, type: ir.KindType) -> None:
        """Declares the noun for the kinds of a piece as a type: singular, perhaps plural."""
        nouns = scalars_of(entry.get("kinds called"))
        if not nouns:
            return
        one, *more = nouns
        plural = tuple((replace(each, value="plural"), each) for each in more[:1])
        self.new_type(Entry(one.value, one, Mapping(plural, one.span)), type)
        self.world.kind_nouns[one.value] = type

    def new_type(self, entry: Entry, type: ir.Type) -> None:
        world = self.world
        self.new_name(entry.id, entry.span)
        earlier = world.declared.get(entry.id)
        if earlier is not None:
            self.diagnostics.error(
                "duplicate-name",
                f"`{entry.id}` already names something else",
                entry.span,
                Label(earlier, "here"),
                hint="two things need two names",
            )
            return
        world.declared[entry.id] = entry.span
        world.types[entry.id] = type
        plural = entry.text("plural") or entry.id + "s"
        if plural in world.types or plural in world.plurals:
            self.diagnostics.error(
                "duplicate-name",
                f"the plural `{plural}` already names something else",
                entry.key_span("plural"),
                hint="say `plural: …` to choose another",
            )
        elif entry.id in world.plurals:
            self.diagnostics.error(
                "duplicate-name",
                f"`{entry.id}` is already the plural of `{world.plurals[entry.id]}`",
                entry.span,
                hint="say `plural: …` there to choose another",
            )
        world.plurals[plural] = entry.id

    def type(self, node: Node | None, what: str) -> ir.Type:
        """Parses a type in a declaration: a name, a plural for a set, or a range."""
        if not isinstance(node, Scalar):
            return ir.BROKEN
        text = node.value.strip()
        found = self.world.types.get(text)
        if found is None and text in self.world.plurals:
            one = self.world.types.get(self.world.plurals[text])
            found = None if one is None else ir.SetType(one)
        if found is not None:
            self.world.meanings.note(node.content, by_type(found))
            return found
        numbers = RANGE.match(text)
        if numbers:
            low, high = int(numbers[1]), int(numbers[2])
            if low > high:
                self.diagnostics.error(
                    "bad-value", "a range begins with its smaller number", node.span
                )
                high = low
            elif high - low >= MOST_PLACES:
                self.diagnostics.error(
                    "too-large", f"a range has at most {MOST_PLACES:,} numbers", node.span
                )
                high = low
            return ir.NumberType(what, low, high)
        if text not in self.world.lost:
            self.diagnostics.error(
                "unknown-type",
                f"there is no type `{text}`",
                node.span,
                hint=self.world.suggest(text, [*self.world.types, *self.world.plurals])
                or "a type is a word set, a number range, a piece, a place, "
                "`number`, `truth` or `player`",
            )
            self.world.lose(text)
        return ir.BROKEN

    # ------------------------------------------------------------ words and numbers

    def word_set_name(self, entry: Entry) -> None:
        written = limits(entry, self.diagnostics)
        type = ir.WordType(entry.id, len(self.world.word_sets), written is not None)
        self.new_type(entry, type)
        listed = "are" if written is None else "such as"
        body = entry.get(listed) if isinstance(entry.body, Mapping) else entry.body
        if isinstance(body, Sequence):
            keys = [*scalars_of(body)]
        else:
            keys = [key for key, _ in entries_of(body)]
        words: list[str] = []
        for key in keys:
            if key.value in words:
                self.diagnostics.error(
                    "duplicate-name", f"`{key.value}` is in the set twice", key.span
                )
                continue
            self.new_name(key.value, key.span)
            self.world.words.setdefault(key.value, []).append((type, len(words)))
            words.append(key.value)
        rows = () if written is None else ((),) * len(words)
        self.world.word_sets.append(ir.WordSet(entry.id, tuple(words), (), rows, written=written))

    def named_after(self, type: ir.WordType, name: str, span: Span) -> None:
        """Adds a word to a set that players may extend, unless it is a member already."""
        words = self.world.word_sets[type.index]
        if name in words.words or not self.new_name(name, span):
            return
        self.world.words.setdefault(name, []).append((type, len(words.words)))
        more = replace(words, words=(*words.words, name), rows=(*words.rows, ()))
        self.world.word_sets[type.index] = more

    def word_set(self, entry: Entry) -> None:
        type = self.world.types.get(entry.id)
        has, are = entry.get("has"), entry.get("are")
        if not isinstance(type, ir.WordType) or not isinstance(are, Mapping):
            return
        columns = self.columns(has)
        also = () if entry.get("joins") is None else ("joins",)
        rows = tuple(
            self.row(columns, node, key.span, ("words", type.index, at), key.value, also)
            for at, (key, node) in enumerate(are.entries)
        )
        columns = tuple(self.maybe(column, at, rows) for at, column in enumerate(columns))
        old = self.world.word_sets[type.index]
        self.world.word_sets[type.index] = replace(old, columns=columns, rows=rows)

    def columns(self, node: Node | None) -> tuple[ir.Column, ...]:
        entries = entries_of(node)
        found: list[ir.Column] = []
        for key, body in entries:
            self.new_name(key.value, key.span)
            written = body.get("is") if isinstance(body, Mapping) else body
            type = self.single(self.type(written, key.value), written)
            if isinstance(type, (ir.PieceType, ir.PlaceType)):
                self.diagnostics.error(
                    "wrong-type",
                    f"an attribute that never changes cannot be {self.world.a(type)}",
                    body.span,
                    hint="it can be a word, a number, `truth` or `player`; what changes stands "
                    "under `changes:`",
                )
                type = ir.BROKEN
            indices = self.tables.indices(body, places=False)
            found.append(ir.Column(key.value, type, indices))
        return tuple(found)

    def single(self, type: ir.Type, node: Node | None) -> ir.Type:
        """A type of single things: no set is kept on a piece or shown by a marker."""
        if not isinstance(type, ir.SetType) or node is None:
            return type
        self.diagnostics.error(
            "wrong-type",
            f"this is {self.world.a(type)}, but one thing is needed here",
            node.span,
            hint=f"write `{type.of}`; what belongs together can lie in a place",
        )
        return ir.BROKEN

    def row(
        self,
        columns: tuple[ir.Column, ...],
        node: Node,
        span: Span,
        where: tuple[Literal["words", "pieces"], int, int],
        name: str,
        also: tuple[str, ...] = (),
    ) -> tuple[ir.Entries, ...]:
        """The attributes of a word or a kind; `where` locates it in the tables, `name` is what it
        is called. An attribute of a set that players may extend defaults to that name."""
        given = node if isinstance(node, Mapping) else None
        names = [column.name for column in columns]
        for key, _ in given.entries if given else ():
            if key.value not in (*names, *also, *self.world.lost):
                self.diagnostics.error(
                    "unknown-key",
                    f"no attribute `{key.value}` is declared",
                    key.span,
                    hint=did_you_mean(key.value, [*names, *also]) or "declare it under `has:`",
                )
                self.world.lose(key.value)
        values: list[ir.Entries] = []
        for at, column in enumerate(columns):
            found = given.get(column.name) if given else None
            cell = ir.Cell(*where, at)
            if isinstance(column.type, ir.WordType) and column.type.written and not column.indices:
                word = found or Scalar(name, span, span)
                self.named_after(column.type, text_of(word), word.span)
                values.append(constant(self.world, word, column.type))
            elif column.indices:
                read = partial(self.entries, column.type, cell)
                values.append(self.tables.row(found, column, span, read))
            else:
                values.append(self.attribute(found, column.type, [cell]))
        return tuple(values)

    def entries(
        self, type: ir.Type, cell: ir.Cell, node: Node, numbers: Iterable[int]
    ) -> ir.Constant:
        """A value given for some entries of an indexed attribute."""
        return self.attribute(node, type, [replace(cell, entry=each) for each in numbers])

    def attribute(self, node: Node | None, type: ir.Type, cells: list[ir.Cell]) -> ir.Constant:
        """The value of an attribute, possibly taken from a choice."""
        chosen = self.chosen(node, type)
        if chosen is not None:
            self.world.filled.setdefault(text_of(node), []).extend(cells)
        near = self.book.section("choices") if may_be_chosen(type) else ()
        return constant(self.world, chosen or node, type, near)

    def chosen(self, node: Node | None, type: ir.Type) -> Node | None:
        """The value of the choice that an attribute names, if it names one."""
        entry = self.book.section("choices").get(text_of(node))
        if entry is None or not may_be_chosen(type):
            return None
        assert node is not None
        value = entry.get("is")
        if isinstance(value, Scalar):
            return value
        self.world.used.mentioned.add(entry.id)
        self.diagnostics.error(
            "bad-value",
            f"`{entry.id}` is not a single value, the same for all numbers of players",
            node.span,
            Label(entry.span, "chosen here"),
            hint="let a rule ask for the choice instead",
        )
        return replace(node, value="0", kind="number") if isinstance(node, Scalar) else None

    def number_range(self, entry: Entry) -> None:
        if not isinstance(entry.body, Scalar) or not RANGE.match(entry.body.value.strip()):
            if isinstance(entry.body, Scalar) and entry.body.kind in ("text", "number"):
                self.diagnostics.error(
                    "bad-value", "a number range is written `1..6`", entry.body.span
                )
            self.new_type(entry, ir.NumberType(entry.id, 0, 0))
            return
        self.new_type(entry, self.type(entry.body, entry.id))

    @staticmethod
    def maybe(column: ir.Column, at: int, rows: Iterable[tuple[ir.Entries, ...]]) -> ir.Column:
        """Makes an attribute optional if some lack it."""
        given = [row[at] for row in rows if len(row) > at]
        lacking = any(each is None or (isinstance(each, tuple) and None in each) for each in given)
        if column.type != ir.BROKEN and lacking:
            return replace(column, type=ir.MaybeType(column.type))
        return column


def may_be_chosen(type: ir.Type) -> bool:
    """Whether an attribute of this type can take its value from a choice."""
    return isinstance(type, ir.NumberType) or type == ir.TRUTH


def _source(id: str, node: Node) -> ir.Source:
    inside = {key.value: value for key, value in node.entries} if isinstance(node, Mapping) else {}
    note = texts(inside.pop("note", None))
    details = {key: text_of(value) for key, value in inside.items() if isinstance(value, Scalar)}
    title, language = details.pop("title", id), details.pop("language", "en")
    words = inside.get("words")
    told = {
        thing.value: tuple(map(text_of, one_or_more(said))) for thing, said in entries_of(words)
    }
    return ir.Source(id, title, language, details, texts(inside.get("called")), told, note)
