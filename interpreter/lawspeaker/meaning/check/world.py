"""The symbol table: all declarations of a game, by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field
from typing import Any

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics, nearest
from lawspeaker.base.source import NOWHERE, Span
from lawspeaker.meaning.check.meanings import Meanings
from lawspeaker.meaning.check.used import Used
from lawspeaker.text.document import entries_of
from lawspeaker.text.rulebook import Entry, Rulebook

NAMES = re.compile(r"[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*")
"""Matches whatever may be a name in code."""
BUILT_IN_TYPES = ("number", "truth", "player")


@dataclass(frozen=True, slots=True)
class Signature:
    """The signature of a defined value: `name prep1 parameter1 prep2 parameter2`."""

    name: str
    prepositions: tuple[str, ...]
    names: tuple[str, ...]
    types: tuple[ir.Type, ...]
    result: ir.Type
    function: int
    predicate: bool
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def __str__(self) -> str:
        if self.predicate:
            return f"{self.names[0]} is {self.name}"
        if self.names and not self.prepositions:
            return f"{self.name}({', '.join(self.names)})"
        pairs = zip(self.prepositions, self.names, strict=True)
        return " ".join([self.name, *(f"{word} {name}" for word, name in pairs)])


@dataclass(frozen=True, slots=True)
class Form:
    """How an entry of an indexed value is accessed: `influence of player with faction`. Each
    operand has a word, and they may come in any order."""

    name: str
    words: tuple[str, ...]
    names: tuple[str, ...]
    types: tuple[ir.Type, ...]
    make: Callable[[tuple[ir.Expr, ...], Span], ir.Expr]

    def __str__(self) -> str:
        pairs = zip(self.words, self.names, strict=True)
        return " ".join([self.name, *(f"{word} {name}" for word, name in pairs)])

    def type(self, word: str) -> ir.Type | None:
        """The type of the operand after a word; None if there is none."""
        return self.types[self.words.index(word)] if word in self.words else None


@dataclass(frozen=True, slots=True)
class Procedure:
    """A clause that can be called: its parameters by name."""

    index: int
    names: tuple[str, ...]
    types: tuple[ir.Type, ...]
    entry: Entry


@dataclass(frozen=True, slots=True)
class Play:
    """A kind that can be played in a window, and its clause. `stays`: it is shown, not moved."""

    piece: int
    kind: int
    clause: int
    entry: Entry
    stays: bool


@dataclass(slots=True)
class Window:
    """A declared window: its parameters, those that plays may change, and the plays."""

    name: str
    clause: int
    names: tuple[str, ...]
    types: tuple[ir.Type, ...]
    changes: tuple[str, ...]
    entry: Entry
    plays: list[Play] = field(default_factory=list)


@dataclass(slots=True)
class World:
    """The declarations of a game, and what checking its code has found so far."""

    book: Rulebook
    diagnostics: Diagnostics
    counts: tuple[int, ...] = (1,)
    player_names: tuple[str, ...] = ()
    goal: ir.Goal = ir.Goal.MOST
    sides: tuple[tuple[int, ...], ...] = ()
    side: ir.WordType | None = None
    """The type of sides, if the game has any."""
    side_names: tuple[str, ...] = ()
    """The sides that have a name of their own."""
    languages: tuple[str, ...] = ("en",)
    sources: dict[str, ir.Source] = field(default_factory=dict)
    types: dict[str, ir.Type] = field(default_factory=dict)
    plurals: dict[str, str] = field(default_factory=dict)
    declared: dict[str, Span] = field(default_factory=dict)
    word_sets: list[ir.WordSet] = field(default_factory=list)
    networks: list[ir.Network] = field(default_factory=list)
    joined: dict[int, int] = field(default_factory=dict)
    """By the index of a family of places with lines: the network of its lines."""
    words: dict[str, list[tuple[ir.WordType, int]]] = field(default_factory=dict)
    pieces: list[ir.Piece] = field(default_factory=list)
    played: dict[int, tuple[int, int]] = field(default_factory=dict)
    kinds: dict[str, list[tuple[ir.KindType, int]]] = field(default_factory=dict)
    kind_nouns: dict[str, ir.KindType] = field(default_factory=dict)
    """The nouns for the kinds of a piece (`kinds called`)."""
    families: list[ir.Family] = field(default_factory=list)
    family_types: dict[str, ir.PlaceType] = field(default_factory=dict)
    markers: list[ir.Marker] = field(default_factory=list)
    marker_index: dict[str, int] = field(default_factory=dict)
    positions: dict[str, ir.Position] = field(default_factory=dict)
    choices: list[ir.Choice] = field(default_factory=list)
    choice_index: dict[str, int] = field(default_factory=dict)
    code: list[tuple[ir.Clause, Any]] = field(default_factory=list)
    """All IR nodes of clauses, once they are checked."""
    figures: dict[str, str] = field(default_factory=dict)
    """Placeholders for the numbers of choices in a sentence, with their texts."""
    filled: dict[str, list[ir.Cell]] = field(default_factory=dict)
    """By the id of a choice: the attributes that take its value."""
    signatures: dict[str, list[Signature]] = field(default_factory=dict)
    procedures: dict[str, Procedure] = field(default_factory=dict)
    windows: dict[str, Window] = field(default_factory=dict)
    joining: dict[str, list[Entry]] = field(default_factory=dict)
    """By the id of a clause: the clauses that join its question."""
    clauses: dict[int, ir.Clause] = field(default_factory=dict)
    clause_ids: dict[str, int] = field(default_factory=dict)
    accessors: set[str] = field(default_factory=set)
    forms: dict[str, list[Form]] | None = None
    """Accessor forms of indexed values, by name; computed on first use."""
    told: set[tuple[int, str]] = field(default_factory=set)
    """Ambiguous names that were reported, by clause."""
    plays: int = 0
    """The number of plays in all windows so far."""
    unplayable: set[str] = field(default_factory=set)
    """Clauses of pieces whose play is not fully declared."""
    lost: set[str] = field(default_factory=set)
    """Unknown names that were reported: at their intended declaration, or at their first use."""
    formless: set[tuple[str, str, str]] = field(default_factory=set)
    """Missing forms that were reported: language, form, name."""
    shaping: set[str] = field(default_factory=set)
    """Choices that determine the size of a board."""
    used: Used = field(default_factory=Used)
    alone: bool = True
    """Whether the result of the code being checked depends only on itself and the declarations, and
    not on what was found in other code."""

    @property
    def meanings(self) -> Meanings:
        return self.used.meanings

    def near(self, word: str, candidates: Iterable[str], rather: Container[str] = ()) -> str | None:
        """Returns the closest name and marks it as used; one of `rather` if others are as close."""
        found = None if self.diagnostics.full else nearest(word, candidates, rather)
        if found is not None:
            self.used.mentioned.add(found)
        return found

    def suggest(
        self, word: str, candidates: Iterable[str], rather: Container[str] = ()
    ) -> str | None:
        """A hint with the closest name."""
        found = self.near(word, candidates, rather)
        return None if found is None else f"did you mean '{found}'?"

    def lose(self, name: str) -> None:
        """Marks an unknown name as reported, so that it is reported once."""
        self.lost.update((name, f"{name}s", name.removesuffix("s")))

    def is_lost(self, name: str) -> bool:
        """Whether an unknown name was reported, by whichever code was checked before."""
        self.alone = False
        return name in self.lost

    def held(self, family: int) -> ir.Type:
        """The type of the pieces that a family of places holds; broken if unknown."""
        index = self.families[family].holds
        return ir.PieceType(self.pieces[index].name, index) if index >= 0 else ir.BROKEN

    def a(self, type: ir.Type) -> str:
        """A thing of a type, in a sentence: a card, several cards, a player or nothing."""
        match type:
            case ir.TruthType():
                return "yes or no"
            case ir.NothingType():
                return "nothing"
            case ir.BrokenType():
                return "something unknown"
            case ir.MaybeType(of=of):
                return f"{self.a(of)} or nothing"
            case ir.SetType(of=of):
                return f"several {self.many(of)}"
            case ir.NumberType(name=None):
                return "a number"
            case ir.NumberType(name=name, low=low, high=high):
                return f"a number {low}..{high}" if name == "number" else f"{_article(name)} {name}"
            case ir.KindType(name=name):
                return f"a kind of {name}"
            case ir.WordType(name=name) if name in self.choice_index:
                return f"a value of `{name}`"
            case _:
                return f"{_article(str(type))} {type}"

    def many(self, type: ir.Type) -> str:
        """Things of a type: cards, players, numbers."""
        match type:
            case (
                ir.TruthType() | ir.NothingType() | ir.BrokenType() | ir.MaybeType() | ir.SetType()
            ):
                return "things"
            case ir.KindType(name=name):
                return f"kinds of {name}"
            case ir.WordType(name=name) if name in self.choice_index:
                return f"values of `{name}`"
        name = str(type)
        many = next((many for many, one in self.plurals.items() if one == name), f"{name}s")
        return name if many == f"{name}s" and name.endswith("s") else many

    def kind_names(self, piece: int) -> tuple[str, ...]:
        """The kinds of a piece from its entry, before the piece is declared."""
        entry = list(self.book.section("pieces").values())[piece]
        kinds = entry.get("kinds")
        names = [key.value for key, _ in entries_of(kinds)]
        return tuple(names or [entry.id])

    def piece_of(self, type: ir.Type) -> ir.Piece | None:
        return self.pieces[type.index] if isinstance(type, ir.PieceType) else None

    def entry_of(self, clause: int) -> Entry | None:
        """The entry of a rule, by the index of its clause."""
        return self.book.section("rules").get(self.clauses[clause].id)

    def is_added(self, span: Span) -> bool:
        """Whether a span is in the file of a variant."""
        return any(span.file == variant.file for variant in self.book.variants)

    def type_named(self, noun: str) -> ir.Type | None:
        """The type that a noun names, in the singular or the plural."""
        return self.types.get(noun) or self.types.get(self.plurals.get(noun, ""))

    def singular(self, noun: str) -> str:
        return self.plurals.get(noun, noun)

    def all_names(self) -> list[str]:
        """Every name, for suggestions."""
        return [
            *self.types,
            *self.plurals,
            *self.words,
            *self.kinds,
            *self.family_types,
            *self.marker_index,
            *self.choice_index,
            *self.signatures,
            *self.player_names,
        ]


def played_kind(entry: Entry) -> str | None:
    """The key by which a clause names the kind that it is for: `plays` or `shows`."""
    return next((key for key in ("plays", "shows") if entry.get(key) is not None), None)


def _article(noun: str | None) -> str:
    return "an" if noun and noun[0] in "aeiou" else "a"
