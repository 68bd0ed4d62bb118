"""What a game declares, by name: the dictionary in which the checker looks words up."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics, nearest
from lawspeaker.base.source import NOWHERE, Span
from lawspeaker.ir.types import (
    BROKEN,
    BrokenType,
    KindType,
    MaybeType,
    NothingType,
    NumberType,
    PieceType,
    PlaceType,
    SetType,
    TruthType,
    Type,
    WordType,
)
from lawspeaker.meaning.check.meanings import Meanings
from lawspeaker.meaning.check.used import Used
from lawspeaker.text.document import Mapping
from lawspeaker.text.rulebook import Entry, Rulebook

NAMES = re.compile(r"[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*")
"""Whatever in code may be a name."""
BUILT_IN_TYPES = ("number", "truth", "player")


@dataclass(frozen=True, slots=True)
class Signature:
    """How a defined value is called: `name prep1 parameter1 prep2 parameter2`."""

    name: str
    prepositions: tuple[str, ...]
    names: tuple[str, ...]
    types: tuple[Type, ...]
    result: Type
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
    """How one of several values is asked for that are told apart by indices: `influence of player
    with faction`. Each operand has its word, and they may come in any order."""

    name: str
    words: tuple[str, ...]
    names: tuple[str, ...]
    types: tuple[Type, ...]
    make: Callable[[tuple[ir.Expr, ...], Span], ir.Expr]

    def __str__(self) -> str:
        pairs = zip(self.words, self.names, strict=True)
        return " ".join([self.name, *(f"{word} {name}" for word, name in pairs)])

    def type(self, word: str) -> Type | None:
        """What the operand with a word has to be; None, if it takes none with it."""
        return self.types[self.words.index(word)] if word in self.words else None


@dataclass(frozen=True, slots=True)
class Procedure:
    """A clause that can be done: its parameters by name."""

    index: int
    names: tuple[str, ...]
    types: tuple[Type, ...]
    entry: Entry


@dataclass(frozen=True, slots=True)
class Play:
    """A kind of piece that can be played in a window, and the clause that says what it does.
    `stays`: it is only shown."""

    piece: int
    kind: int
    clause: int
    entry: Entry
    stays: bool


@dataclass(slots=True)
class Window:
    name: str
    clause: int
    names: tuple[str, ...]
    types: tuple[Type, ...]
    changes: tuple[str, ...]
    entry: Entry
    plays: list[Play] = field(default_factory=list)


@dataclass(slots=True)
class World:
    book: Rulebook
    diagnostics: Diagnostics
    counts: tuple[int, ...] = (1,)
    player_names: tuple[str, ...] = ()
    goal: ir.Goal = ir.Goal.MOST
    sides: tuple[tuple[int, ...], ...] = ()
    side: WordType | None = None
    """The type of sides, where the game has any."""
    side_names: tuple[str, ...] = ()
    """The sides that have a name of their own."""
    languages: tuple[str, ...] = ("en",)
    sources: dict[str, ir.Source] = field(default_factory=dict)
    types: dict[str, Type] = field(default_factory=dict)
    plurals: dict[str, str] = field(default_factory=dict)
    declared: dict[str, Span] = field(default_factory=dict)
    word_sets: list[ir.WordSet] = field(default_factory=list)
    networks: list[ir.Network] = field(default_factory=list)
    joined: dict[int, int] = field(default_factory=dict)
    """By the number of a family of places with lines: the network of its lines."""
    words: dict[str, list[tuple[WordType, int]]] = field(default_factory=dict)
    pieces: list[ir.Piece] = field(default_factory=list)
    played: dict[int, tuple[int, int]] = field(default_factory=dict)
    kinds: dict[str, list[tuple[KindType, int]]] = field(default_factory=dict)
    kind_nouns: dict[str, KindType] = field(default_factory=dict)
    """What the kinds of a piece are called, where it is said (`kinds called`)."""
    families: list[ir.Family] = field(default_factory=list)
    family_types: dict[str, PlaceType] = field(default_factory=dict)
    markers: list[ir.Marker] = field(default_factory=list)
    marker_index: dict[str, int] = field(default_factory=dict)
    positions: dict[str, ir.Position] = field(default_factory=dict)
    choices: list[ir.Choice] = field(default_factory=list)
    choice_index: dict[str, int] = field(default_factory=dict)
    code: list[tuple[ir.Clause, Any]] = field(default_factory=list)
    """All nodes of what clauses do, once that is checked."""
    figures: dict[str, str] = field(default_factory=dict)
    """What stands for the numbers of choices in a sentence, and how they are told."""
    filled: dict[str, list[ir.Cell]] = field(default_factory=dict)
    """By the id of a choice: the attributes that have its value."""
    signatures: dict[str, list[Signature]] = field(default_factory=dict)
    procedures: dict[str, Procedure] = field(default_factory=dict)
    windows: dict[str, Window] = field(default_factory=dict)
    joining: dict[str, list[Entry]] = field(default_factory=dict)
    """By the id of a clause: those that offer something more in its question."""
    clauses: dict[int, ir.Clause] = field(default_factory=dict)
    clause_ids: dict[str, int] = field(default_factory=dict)
    function_count: int = 0
    accessors: set[str] = field(default_factory=set)
    forms: dict[str, list[Form]] | None = None
    """What is told apart by indices, by name; gathered when it is first asked for."""
    told: set[tuple[int, str]] = field(default_factory=set)
    """Clauses in which it is not said which one is meant by a name."""
    plays: int = 0
    """How many kinds can be played at all moments that were looked at so far."""
    unplayable: set[str] = field(default_factory=set)
    """Clauses of pieces that cannot be played, since it is not known how."""
    lost: set[str] = field(default_factory=set)
    """Names that nothing has, and that were complained about: where they were meant to be
    declared, or where one was first used."""
    formless: set[tuple[str, str, str]] = field(default_factory=set)
    """Names that lack a form in a language, once that was said: language, form, name."""
    shaping: set[str] = field(default_factory=set)
    """Choices that say how large a board is."""
    used: Used = field(default_factory=Used)
    alone: bool = True
    """Whether the code that is being checked says all itself, beside what is declared: it did not
    matter so far what was found in the code of others."""

    @property
    def meanings(self) -> Meanings:
        return self.used.meanings

    def near(self, word: str, candidates: Iterable[str]) -> str | None:
        """The nearest candidate, which so is not called unused."""
        found = None if self.diagnostics.full else nearest(word, candidates)
        if found is not None:
            self.used.mentioned.add(found)
        return found

    def suggest(self, word: str, candidates: Iterable[str]) -> str | None:
        """A hint that names the nearest candidate."""
        found = self.near(word, candidates)
        return None if found is None else f"did you mean '{found}'?"

    def lose(self, name: str) -> None:
        """A name that nothing has was complained about; once is enough."""
        self.lost.update((name, f"{name}s", name.removesuffix("s")))

    def is_lost(self, name: str) -> bool:
        """Whether a name was complained about, by whichever code was checked before."""
        self.alone = False
        return name in self.lost

    def held(self, family: int) -> Type:
        """The piece that a family of places holds; broken, if that is not known."""
        index = self.families[family].holds
        return PieceType(self.pieces[index].name, index) if index >= 0 else BROKEN

    def a(self, type: Type) -> str:
        """A thing of a type, in a sentence: a card, several cards, a player or nothing."""
        match type:
            case TruthType():
                return "yes or no"
            case NothingType():
                return "nothing"
            case BrokenType():
                return "something unknown"
            case MaybeType(of=of):
                return f"{self.a(of)} or nothing"
            case SetType(of=of):
                return f"several {self.many(of)}"
            case NumberType(name=None):
                return "a number"
            case NumberType(name=name, low=low, high=high):
                return f"a number {low}..{high}" if name == "number" else f"{_article(name)} {name}"
            case KindType(name=name):
                return f"a kind of {name}"
            case WordType(name=name) if name in self.choice_index:
                return f"a value of `{name}`"
            case _:
                return f"{_article(str(type))} {type}"

    def many(self, type: Type) -> str:
        """Things of a type: cards, players, numbers."""
        match type:
            case TruthType() | NothingType() | BrokenType() | MaybeType() | SetType():
                return "things"
            case KindType(name=name):
                return f"kinds of {name}"
            case WordType(name=name) if name in self.choice_index:
                return f"values of `{name}`"
        name = str(type)
        many = next((many for many, one in self.plurals.items() if one == name), f"{name}s")
        return name if many == f"{name}s" and name.endswith("s") else many

    def kind_names(self, piece: int) -> tuple[str, ...]:
        """The kinds of a piece as its entry has them, read before the piece itself is declared."""
        entry = list(self.book.section("pieces").values())[piece]
        kinds = entry.get("kinds")
        names = [key.value for key, _ in kinds.entries] if isinstance(kinds, Mapping) else []
        return tuple(names or [entry.id])

    def piece_of(self, type: Type) -> ir.Piece | None:
        return self.pieces[type.index] if isinstance(type, PieceType) else None

    def entry_of(self, clause: int) -> Entry | None:
        """The entry of a rule, by the number of its clause."""
        return self.book.section("rules").get(self.clauses[clause].id)

    def is_added(self, span: Span) -> bool:
        """Whether something stands in the file of a variant, not in one of the game's own."""
        return any(span.file == variant.file for variant in self.book.variants)

    def type_named(self, noun: str) -> Type | None:
        """The type a noun names, in the singular or the plural."""
        return self.types.get(noun) or self.types.get(self.plurals.get(noun, ""))

    def singular(self, noun: str) -> str:
        return self.plurals.get(noun, noun)

    def all_names(self) -> list[str]:
        """Every name that could have been meant; for suggestions."""
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
    """The key under which a clause names the kind of piece that it is about, if it is."""
    return next((key for key in ("plays", "shows") if entry.get(key) is not None), None)


def _article(noun: str | None) -> str:
    return "an" if noun and noun[0] in "aeiou" else "a"
