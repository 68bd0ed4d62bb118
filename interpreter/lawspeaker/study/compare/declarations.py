"""Renders declarations in natural language: pieces, places, markers, words, and their layout.

Pieces are described by counts: `56 in the box, 14 for each player`; all else key by key: `room
for 3, seen by: everyone`. Keys and fixed values are phrases; things of the game have their names.
What matters to rules only, such as the list of attributes, is omitted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any

from lawspeaker import ir
from lawspeaker.base.braces import filled
from lawspeaker.base.phrases import phrase, phrases
from lawspeaker.base.typography import NO_BREAK, colon, typeset
from lawspeaker.position.layout import called
from lawspeaker.study.compare.clause_trees import tree
from lawspeaker.study.compare.points import Point, texts_of
from lawspeaker.study.compare.ruleset import Ruleset
from lawspeaker.study.compare.table_parts import TABLE
from lawspeaker.text.rulebook import Entry
from lawspeaker.text.syntax import Header

_INNER = (
    *("has", "plural", "shared with", "id", "means", "place", "marker", "score"),
    *("played from", "played to"),
)
"""Keys that are omitted as internal or redundant."""
_SIGHT = re.compile("^(count|top) (?=seen by)")
_TYPES = ("player", "number", "truth")


class Declarations:
    """Renders declarations of one ruleset in one language."""

    def __init__(self, ruleset: Ruleset, language: str) -> None:
        self.ruleset = ruleset
        self.program = ruleset.program
        self.language = language
        self.plurals = _plurals(ruleset.program)

    def told(self, point: Point) -> str:
        """Renders the declaration of a point: a whole thing, or the value of a key inside it."""
        data = point.in_play if point.words is None else point.words
        keys = point.id.removeprefix(f"{point.sort}.{point.entry.id}").split(".")[1:]
        key = keys[-1] if keys else ""
        if point.sort == "names":
            return self.name(data)
        if point.sort == "pieces" and (not keys or (keys[0] == "kinds" and len(keys) == 2)):
            return self.pieces(data, each=point.entry.text("of each") is not None)
        if point.sort == TABLE and not key:
            return ", ".join([self.phrase("is_shown"), *self.pairs(data)])
        return self.value(key, data)

    def name(self, data: Any) -> str:
        """A name in the language, with `…` for braces: `sell …`, and `sell …, …` for several
        things.
        """
        text = data if isinstance(data, str) else self.text(data)
        return filled(
            text.strip(), lambda thing: "…, …" if thing in self.plurals else "…", self.language
        )

    def text(self, data: Any) -> str:
        """Selects a text by language."""
        texts = dict(data) if isinstance(data, list) else {"": str(data)}
        text = str(ir.in_language(texts, self.language))
        return typeset(text.strip(), self.language)

    # ------------------------------------------------------------ keys and values

    def key(self, key: str) -> str:
        """Display name of a key of rule files, or of an attribute of this game."""
        known = f"compare.key.{key}"
        if key not in self.program.names and known in phrases("en"):
            return phrase(known, self.language)
        return called(self.program, key, "", self.language)

    def pairs(self, data: Iterable[tuple[str, Any]]) -> list[str]:
        return [self.pair(key, value) for key, value in data if key not in _INNER]

    def pair(self, key: str, value: Any) -> str:
        """Renders a key with its value."""
        whole = _WHOLE.get(key)
        if whole is not None and (told := whole(self, value)):
            return told
        if key in ("kinds", "are") and isinstance(value, list):
            return f"{self.key(key)} ({self.value(key, value)})"
        return colon(self.key(key), self.value(key, value), self.language)

    def value(self, key: str, data: Any) -> str:
        """Renders a value without its key."""
        if key in ("assumed", "sign", "title"):
            return self.text(data).rstrip(".")  # more may follow, after a comma
        if key == "kinds" and isinstance(data, list):
            return ", ".join(self.kind(*each) for each in data)
        if key == "are" and isinstance(data, list):
            return ", ".join(self.word(*each) for each in data)
        if key == "changes" and isinstance(data, list):
            return ", ".join(self.change(*each) for each in data)
        if key in ("only", "label") and isinstance(data, str):
            return self.sentence(data)
        if key == "rule" and isinstance(data, str):
            return self.clause(data)
        if key == "badge" and isinstance(data, str):
            return filled(data, self.key, self.language)
        if key == "face" and isinstance(data, list):
            return "; ".join(self.face_part(dict(each)) for each in data)
        if isinstance(data, bool) or data is None:
            word = "nothing" if data is None else "yes" if data else "no"
            return phrase(f"word.{word}", self.language)
        if isinstance(data, str):
            return self.named(key, data)
        if isinstance(data, list) and data and isinstance(data[0], tuple):
            return ", ".join(self.pairs(data))
        if isinstance(data, list):
            return ", ".join(self.value(key, each) for each in data)
        return str(data)

    def named(self, key: str, value: str) -> str:
        """Renders a word: a fixed value of rule files, a range, or a thing of the game."""
        key = "colour" if key == "chequered" else _SIGHT.sub("", key)
        known = f"compare.value.{key}.{value}"
        if known in phrases("en"):
            return phrase(known, self.language)
        low, dots, high = value.partition("..")
        if dots:
            return phrase("show.from_to", self.language, low=low, high=high)
        if value in _TYPES and value not in self.program.names:
            return phrase(f"show.{value}", self.language)
        return called(self.program, value.strip(), "", self.language)

    # ------------------------------------------------------------ parts of declarations

    def face_part(self, part: dict[str, Any]) -> str:
        """Renders what is on the front of a card: what, where, and how large."""
        if "write" in part:
            what = filled(self.text(part["write"]), self.key, self.language)
        elif "icon" in part:
            what = self.phrase("face_icon", name=self.named("picture", part["icon"]))
        else:
            what = self.named("face", part.get("show", ""))
        if "times" in part:
            what = self.phrase("face_times", what=what, name=self.key(part["times"]))
        where = [self.named("face", part[key]) for key in ("at", "size", "behind") if key in part]
        return " ".join([what, *where])

    def pieces(self, data: Any, each: bool) -> str:
        """Renders pieces, or those of a kind: counts, per player if declared so, and kinds.

        Start places and states are a matter of rules.
        """
        said = dict(data) if isinstance(data, list) else {"count": data}
        kinds = said.pop("kinds", None)
        count, box = said.pop("count", None if kinds else 1), said.pop("in the box", None)
        rest = [pair for pair in said.items() if pair[0] not in ("of each", "starts in", "changes")]
        if box is not None and isinstance(kinds, list) and not each:
            box = _number(kinds) or box  # a variant may suppress the diagnostic about a wrong total
        told = [] if box is None else [self.phrase("box", count=box)]
        if count is not None and (each or box is None):
            told.append(self.phrase("each" if each else "box", count=count))
        if kinds is not None:
            which = self.value("kinds", kinds)
            told[-1:] = [colon(told[-1], which, self.language)] if told else [which]
        return ", ".join([*told, *self.pairs(rest)])

    def kind(self, name: str, body: Any) -> str:
        """Renders a kind of piece with its count: `2 × pawn`."""
        counts = (
            [each for key, each in body if key == "count"] if isinstance(body, list) else [body]
        )
        told = called(self.program, name, "", self.language)
        return f"{NO_BREAK}× ".join([*map(str, counts), told])

    def word(self, name: str, body: Any) -> str:
        """Renders a word with its attributes."""
        told = called(self.program, name, "", self.language)
        return f"{told} ({', '.join(self.pairs(body))})" if body else told

    def change(self, name: str, body: Any) -> str:
        """Renders a state of a piece with its initial value."""
        told = called(self.program, name, "", self.language)
        start = [each for each in body if each[0] == "starts as"] if isinstance(body, list) else []
        return f"{told} ({', '.join(self.pairs(start))})" if start else told

    def sentence(self, name: str) -> str:
        """The sentence of a defined value, by name."""
        for entry in self.ruleset.book.section("rules").values():
            header = tree("header", entry.text("define") or "")
            if isinstance(header, Header) and header.name.text == name:
                return self.said(entry, "says") or name
        return called(self.program, name, "", self.language)

    def clause(self, id: str) -> str:
        """The title of a clause, or its sentence."""
        entry = self.ruleset.book.section("rules").get(id)
        return id if entry is None else self.said(entry, "title") or self.said(entry, "says") or id

    def said(self, entry: Entry, key: str) -> str:
        texts = texts_of(entry.get(key))
        return ir.in_language(texts, self.language).rstrip(".")

    # ------------------------------------------------------------ keys told with their values

    def phrase(self, key: str, **values: object) -> str:
        return phrase(f"compare.has.{key}", self.language, **values)

    def of_each(self, value: Any) -> str:
        return self.phrase("of_each")

    def room(self, value: Any) -> str:
        return self.phrase("room", value=value)

    def by(self, value: Any) -> str:
        """Renders the index of places."""
        low, dots, high = value.partition("..") if isinstance(value, str) else ("", "", "")
        if dots:
            return phrase("show.numbered", self.language, low=low, high=high)
        return self.phrase("by", value=self.value("at", value))

    def shows(self, value: Any) -> str:
        return self.phrase(f"shows_{value}") if value in _TYPES else ""

    def grid(self, value: Any) -> str:
        if value == "grows":
            return phrase("show.grid_grows", self.language)
        size, from_below, _ = value.partition(" from below")
        what = "show.grid_from_below" if from_below else "show.grid"
        return colon(phrase(what, self.language), size.replace("by", "×"), self.language)

    def hexes(self, value: Any) -> str:
        if value == "grows":
            return phrase("show.hexes_grow", self.language)
        return colon(phrase("show.hexes", self.language), value.replace("by", "×"), self.language)


_WHOLE: dict[str, Callable[[Declarations, Any], str]] = {
    "of each": Declarations.of_each,
    "room": Declarations.room,
    "at": Declarations.by,
    "grid": Declarations.grid,
    "hexes": Declarations.hexes,
    "shows": Declarations.shows,
    "arranged": lambda speaking, value: speaking.named("arranged", value),
    "as": lambda speaking, value: speaking.named("as", value),
    "whose": lambda speaking, value: speaking.named("whose", value),
}
"""Renderers of keys together with their values; an empty result falls back to the default."""


def _plurals(program: ir.Program) -> set[str]:
    """Plurals used in the rules."""
    pieces = {each.plural for each in program.pieces}
    return pieces | {each.plural for each in program.families}


def _number(kinds: list[tuple[str, Any]]) -> int | None:
    """Total of the kinds' counts, if they are numbers."""
    found = [dict(body).get("count", 1) if isinstance(body, list) else body for _, body in kinds]
    told = [str(each) for each in found]
    return sum(map(int, told)) if all(each.isdigit() for each in told) else None
