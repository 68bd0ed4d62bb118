"""Declares clauses: ids, sentences, citations, parameters, and signatures of defined values.

Choices, windows, rules and invariants are all clauses. They are numbered in reading order, and
their declarations are read here; their code is checked later, when every name is known.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Protocol

from lawspeaker import ir
from lawspeaker.base import lettering
from lawspeaker.base.diagnostics import Label, did_you_mean
from lawspeaker.base.source import Span
from lawspeaker.meaning.check.meaning_lookup import by_type
from lawspeaker.meaning.check.meanings import Meaning
from lawspeaker.meaning.check.sayings import fill_sentences
from lawspeaker.meaning.check.values import citations, constant, texts
from lawspeaker.meaning.check.world import (
    Play,
    Procedure,
    Signature,
    Window,
    World,
    played_kind,
)
from lawspeaker.text import parse, syntax
from lawspeaker.text.document import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    entries_of,
    items_of,
    scalars_of,
    text_of,
)
from lawspeaker.text.rulebook import Entry

MOST_MEANINGS = 50
MOST_ITEMS = 1_000
_PLAYERS = re.compile(r"(\d{1,2}) players?\Z")
_WORDS = re.compile(r"[a-z_][a-z0-9_]*")
_ID = re.compile(r"[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)*\Z")
ROLES = {"choices": "choice", "windows": "window", "rules": "rule", "always": "always"}


class Declaring(Protocol):
    """The other declarations that clauses refer to: types and names as written in YAML."""

    def type(self, node: Node | None, what: str) -> ir.Type: ...
    def new_name(self, name: str, span: Span) -> bool: ...


def declare_clauses(world: World, declaring: Declaring) -> None:
    """Declares all clauses, numbered in reading order."""
    heads = _Heads(world, declaring)
    places = {file: at for at, file in enumerate(world.book.files)}
    in_order = sorted(
        (
            (places[entry.span.file], entry.span.start, section, entry)
            for section in ROLES
            for entry in world.book.section(section).values()
        ),
        key=lambda each: each[:2],
    )
    for index, (_, _, section, entry) in enumerate(in_order):
        heads.clause(index, section, entry)
    for _, _, section, entry in in_order:
        if section == "choices":
            heads.choice(entry)
        elif section == "windows":
            heads.window(entry)
    fill_sentences(world)
    for _, _, section, entry in in_order:
        if section == "rules":
            heads.rule(entry)
    for _, _, section, entry in in_order:
        if section == "rules" and (key := played_kind(entry)) is not None:
            heads.play(entry, key)


class _Heads:
    """Reads the declarations of clauses."""

    def __init__(self, world: World, declaring: Declaring) -> None:
        self.world = world
        self.diagnostics = world.diagnostics
        self.declaring = declaring

    def clause(self, index: int, section: str, entry: Entry) -> None:
        world = self.world
        if not _ID.match(entry.id):
            mistaken = lettering.mistaken(entry.id)
            self.diagnostics.error(
                "bad-name",
                f"`{entry.id}` cannot be the id of a clause",
                entry.span,
                hint="an id is names joined by dots, such as `scoring.bonus`: small letters "
                "(a to z), digits and `_`" + (f"; {mistaken}" if mistaken else ""),
            )
            world.used.mentioned.add(entry.id)
        if entry.id in world.clause_ids:
            earlier = world.clauses[world.clause_ids[entry.id]]
            self.diagnostics.error(
                "duplicate-name",
                f"`{entry.id}` is the id of another clause",
                entry.span,
                Label(earlier.span, "here"),
                hint="rules, choices, windows and what holds always need ids of their own",
            )
            world.used.mentioned.add(entry.id)
        world.clause_ids.setdefault(entry.id, index)
        role = ROLES[section]
        if role == "rule" and entry.get("define") is not None:
            role = "value"
        world.clauses[index] = ir.Clause(
            index,
            entry.id,
            role,
            {"en": "?"} if isinstance(entry.get("says"), Sequence) else texts(entry.get("says")),
            texts(entry.get("asks")),
            citations(world, entry.get("cites")),
            0,
            (),
            (),
            texts(entry.get("assumed")),
            title=texts(entry.get("title")),
            chapter=texts(entry.get("chapter")),
            in_book=entry.text("in the book") != "false",
            span=entry.span,
        )

    def index(self, entry: Entry) -> int:
        return self.world.clause_ids[entry.id]

    # ------------------------------------------------------------ choices

    def choice(self, entry: Entry) -> None:
        world = self.world
        world.choice_index[entry.id] = len(world.choices)
        one_of = entry.get("one of")
        type: ir.Type = ir.NUMBER
        allowed: tuple[ir.Constant, ...] = ()
        if isinstance(one_of, Sequence):
            options = scalars_of(one_of)
            if options and all(each.kind == "number" for each in options):
                allowed = tuple(constant(world, each, ir.NUMBER) for each in options)
            else:
                type = self.words_of_choice(entry, options)
                allowed = tuple(range(len(options)))
        node = entry.get("is")
        given = world.book.given.get(entry.id, node)  # a value that a variant sets keeps this type
        if allowed == () and isinstance(given, Scalar) and given.kind == "truth":
            type = ir.TRUTH
        values = tuple(
            self.choice_value(self.for_players(node, players), type, allowed)
            for players in world.counts
        )
        if isinstance(node, Mapping):
            self.player_keys(node)
        beyond = entry.get("beyond")
        found = constant(world, beyond, type) if beyond is not None else None
        if beyond is not None and not any(isinstance(value, tuple) for value in values):
            self.diagnostics.error(
                "unused",
                "`beyond` is for lists, and this is a single value",
                entry.key_span("beyond"),
            )
        if any(isinstance(value, tuple) for value in values):
            if not all(isinstance(value, tuple) for value in values):
                self.diagnostics.error(
                    "wrong-type",
                    "this is a list for some numbers of players, and a single value for others",
                    entry.key_span("is"),
                )
                values = tuple(each if isinstance(each, tuple) else (each,) for each in values)
            type = ir.SetType(type)
        fills = tuple(world.filled.get(entry.id, ()))
        world.choices.append(
            ir.Choice(
                entry.id,
                self.index(entry),
                type,
                values,
                found,
                allowed,
                fills,
                entry.id in world.shaping,
            )
        )

    def words_of_choice(self, entry: Entry, options: tuple[Scalar, ...]) -> ir.WordType:
        world = self.world
        type = ir.WordType(entry.id, len(world.word_sets))
        for at, each in enumerate(options):
            self.declaring.new_name(each.value, each.span)
            world.words.setdefault(each.value, []).append((type, at))
        names = tuple(each.value for each in options)
        world.word_sets.append(ir.WordSet(entry.id, names, (), ()))
        return type

    def for_players(self, node: Node | None, players: int) -> Node | None:
        if not isinstance(node, Mapping):
            return node
        for key, value in node.entries:
            found = _PLAYERS.match(key.value)
            if found and int(found[1]) == players:
                return value
        if all(_PLAYERS.match(key.value) for key, _ in node.entries):
            self.diagnostics.error(
                "missing-key",
                f"there is no value for {players} players",
                node.span,
                hint=f"add `{players} players: …`",
            )
        return None

    def player_keys(self, node: Mapping) -> None:
        """Checks the keys of a value that depends on the number of players."""
        for key, _ in node.entries:
            found = _PLAYERS.match(key.value)
            if found is None:
                self.diagnostics.error(
                    "unknown-key",
                    f"`{key.value}` is no number of players",
                    key.span,
                    hint="a value for each number of players is written "
                    "`{3 players: 9, 4 players: 7}`",
                )
            elif int(found[1]) not in self.world.counts:
                self.diagnostics.error(
                    "unused", f"the game is never played by {key.value}", key.span
                )

    def choice_value(
        self, node: Node | None, type: ir.Type, allowed: tuple[ir.Constant, ...]
    ) -> ir.Constant | tuple[ir.Constant, ...]:
        if isinstance(node, Sequence):
            if len(node.items) > MOST_ITEMS:
                self.diagnostics.error(
                    "too-large", f"a list has at most {MOST_ITEMS:,} items", node.span
                )
                return ()
            return tuple(self.single_value(each, type, allowed) for each in node.items)
        return self.single_value(node, type, allowed)

    def single_value(
        self, node: Node | None, type: ir.Type, allowed: tuple[ir.Constant, ...]
    ) -> ir.Constant:
        if allowed and isinstance(node, Scalar) and type == ir.NUMBER:
            value = constant(self.world, node, type) if node.kind == "number" else None
            if value not in allowed:
                options = ", ".join(str(each) for each in allowed)
                self.diagnostics.error(
                    "bad-value", f"`{node.value}` is none of the values: {options}", node.span
                )
                return allowed[0]
            return value
        if isinstance(node, Scalar) and type == ir.NUMBER and node.kind == "text":
            self.diagnostics.error(
                "bad-value",
                f"`{node.value}` is not a number",
                node.span,
                hint=None
                if self.world.is_added(node.span)
                else "if it is one of several words, list them all under `one of:`",
            )
            return 0
        return constant(self.world, node, type)

    # ------------------------------------------------------------ windows and rules

    def given(self, entry: Entry) -> tuple[tuple[str, ...], tuple[ir.Type, ...]]:
        node = entry.get("given")
        names: list[str] = []
        types: list[ir.Type] = []
        for key, body in entries_of(node):
            if key.value != "player" or body != key:
                self.name_of_parameter(key)
            names.append(key.value)
            types.append(self.declaring.type(body, key.value))
        return tuple(names), tuple(types)

    def name_of_parameter(self, key: Scalar) -> None:
        if key.value in ("number", "player"):
            return
        self.declaring.new_name(key.value, key.span)

    def window(self, entry: Entry) -> None:
        names, types = self.given(entry)
        node = entry.get("may change")
        changes: list[str] = []
        for each in items_of(node):
            if text_of(each) not in names:
                self.diagnostics.error(
                    "unknown-name",
                    f"`{text_of(each)}` is not among what the window is given",
                    each.span,
                    hint=did_you_mean(text_of(each), names),
                )
            else:
                changes.append(text_of(each))
        self.world.windows[entry.id] = Window(
            entry.id, self.index(entry), names, types, tuple(changes), entry
        )

    def rule(self, entry: Entry) -> None:
        define, joins = entry.get("define"), entry.get("joins")
        if joins is not None:
            self.joining(entry, joins)
            return
        if define is None:
            names, types = self.given(entry)
            self.world.procedures[entry.id] = Procedure(self.index(entry), names, types, entry)
            if entry.get("rule") is None:
                self.diagnostics.error(
                    "missing-key",
                    f"`{entry.id}` does nothing",
                    entry.span,
                    hint="a clause has a `rule:`, or `define:` with `as:`",
                )
            for key in ("as", "when", "where"):
                need = "define" if key == "as" else "plays"
                if entry.get(key) is not None and (key == "as" or played_kind(entry) is None):
                    self.diagnostics.error(
                        "unused", f"`{key}` says nothing without `{need}`", entry.key_span(key)
                    )
            return
        if entry.get("as") is None:
            self.diagnostics.error(
                "missing-key", f"it is not said what `{entry.id}` is", entry.span, hint="add `as:`"
            )
        for key in ("rule", "plays", "shows", "when", "where", "asks", "guards"):
            if entry.get(key) is not None:
                self.diagnostics.error(
                    "unused",
                    f"a clause that defines a value has no `{key}`",
                    entry.key_span(key),
                    hint="what is done stands in a clause of its own",
                )
        if isinstance(define, Scalar):
            header = parse.header(define, self.diagnostics)
            if header is None:
                self.world.lost.update(_WORDS.findall(define.value))
            else:
                self.signature(entry, header.name.text, header)

    def joining(self, entry: Entry, joins: Node) -> None:
        """Declares a clause that adds an alternative to the question of another."""
        target = self.world.book.section("rules").get(text_of(joins))
        if target is None or target.get("rule") is None:
            self.diagnostics.error(
                "unknown-name",
                f"there is no clause `{text_of(joins)}` that asks a question",
                joins.span,
                hint=did_you_mean(text_of(joins), self.world.book.section("rules")),
            )
        else:
            self.world.meanings.note(joins.span, Meaning("clause", target.id))
        if entry.get("offers") is None:
            self.diagnostics.error(
                "missing-key",
                f"it is not said what `{entry.id}` offers",
                entry.span,
                hint="add `offers:` and the alternative, as it would stand in the question",
            )
        for key in ("rule", "define", "as", "plays", "shows", "when", "where", "given"):
            if entry.get(key) is not None:
                self.diagnostics.error(
                    "unused",
                    f"a clause that joins a question has no `{key}`",
                    entry.key_span(key),
                    hint="it knows what the clause knows that asks the question",
                )
        self.world.joining.setdefault(text_of(joins), []).append(entry)

    def signature(self, entry: Entry, name: str, header: syntax.Header) -> None:
        world = self.world
        names, types = self.given(entry)
        known = dict(zip(names, types, strict=True))
        parameters: list[ir.Type] = []
        names_of_them: list[str] = []
        world.meanings.note(header.name.span, Meaning("value", name, entry.id))
        for each in header.parameters:
            if each.text in world.types and each.text not in known:
                world.meanings.note(each.span, by_type(world.types[each.text]))
            type, name_of_it = known.pop(each.text, None) or world.types.get(each.text), each.text
            if type is None:
                near = world.near(each.text, [*known, *world.types])
                self.diagnostics.error(
                    "unknown-type",
                    f"it is not said what `{each.text}` is",
                    each.span,
                    hint=f"did you mean '{near}'?"
                    if near
                    else f"add `given: {{{each.text}: TYPE}}`",
                )
                world.lose(each.text)
                if near is not None:
                    type, name_of_it = known.pop(near, None) or world.types[near], near
                else:
                    type = ir.BROKEN
            names_of_them.append(name_of_it)
            parameters.append(type)
        for unused in known:
            given = entry.get("given")
            key = given.key(unused) if isinstance(given, Mapping) else None
            self.diagnostics.error(
                "unused",
                f"`{unused}` does not occur in `define`",
                key.span if key is not None else entry.span,
            )
        new = Signature(
            name,
            tuple(each.text for each in header.prepositions),
            tuple(names_of_them),
            tuple(parameters),
            ir.BROKEN,
            self.index(entry),
            header.predicate,
            header.span,
        )
        same = [
            each
            for each in world.signatures.get(name, ())
            if (each.prepositions, each.predicate, each.types)
            == (new.prepositions, new.predicate, new.types)
        ]
        if same:
            self.diagnostics.error(
                "duplicate-name",
                f"`{new}` is defined twice",
                header.span,
                Label(same[0].span, "here first"),
            )
            world.used.mentioned.add(name)
        meanings = world.signatures.setdefault(name, [])
        if len(meanings) == MOST_MEANINGS and name not in world.lost:
            self.diagnostics.error(
                "too-large", f"`{name}` has more than {MOST_MEANINGS} meanings", header.span
            )
            world.lost.add(name)
        if len(meanings) < MOST_MEANINGS:
            meanings.append(new)

    def play(self, entry: Entry, key: str) -> None:
        """Declares a clause for a kind of piece that is played, or shown, in a window."""
        world = self.world
        kind_node, when = entry.get(key), entry.get("when")
        if key == "plays" and entry.get("shows") is not None:
            self.diagnostics.error(
                "unused",
                "a piece is played or shown, not both",
                entry.key_span("shows"),
                hint="what is shown stays where it is; what is played is laid down",
            )
        world.unplayable.add(entry.id)
        window = world.windows.get(text_of(when))
        if when is None:
            self.diagnostics.error(
                "missing-key",
                f"it is not said when `{text_of(kind_node)}` can be played",
                entry.key_span(key),
                hint="say in which window: `when: …`",
            )
        elif window is None:
            self.diagnostics.error(
                "unknown-name",
                f"there is no window `{text_of(when)}`",
                when.span,
                hint=world.suggest(text_of(when), world.windows)
                or "windows stand under `windows:`",
            )
        if entry.get("given") is not None:
            self.diagnostics.error(
                "unused",
                "a clause that is played is given what its window is given",
                entry.key_span("given"),
            )
        found = world.kinds.get(text_of(kind_node), [])
        if len(found) != 1:
            pieces = " and ".join(f"`{type.name}`" for type, _ in found)
            self.diagnostics.error(
                "which-one" if found else "unknown-name",
                f"{pieces} both have a kind `{text_of(kind_node)}`"
                if found
                else f"there is no kind `{text_of(kind_node)}`",
                kind_node.span if kind_node else entry.span,
                hint=None if found else world.suggest(text_of(kind_node), world.kinds),
            )
        if window is None or len(found) != 1:
            return
        type, kind = found[0]
        if kind_node is not None:
            world.meanings.note(
                kind_node.span, Meaning("kind", text_of(kind_node), type.name, type)
            )
        if when is not None:
            world.meanings.note(when.span, Meaning("window", window.name))
        if type.index not in world.played:
            self.diagnostics.error(
                "missing-key",
                f"it is not said from where a {type.name} is played",
                entry.key_span(key),
                hint=f"say `played from:` and `played to:` in the piece `{type.name}`",
            )
            return
        if min(world.played[type.index]) < 0:
            return
        world.unplayable.discard(entry.id)
        old = world.procedures[entry.id]
        piece = ir.PieceType(type.name, type.index)
        world.procedures[entry.id] = replace(
            old,
            names=(*window.names, "player", type.name),
            types=(*window.types, ir.PLAYER, piece),
        )
        window.plays.append(Play(type.index, kind, self.index(entry), entry, key == "shows"))
