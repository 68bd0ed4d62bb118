"""Renders what a ruleset does on a point, briefly, in one language."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from lawspeaker import ir
from lawspeaker.base.braces import filled
from lawspeaker.base.phrases import phrase, phrases
from lawspeaker.base.typography import capital, colon, flat, joined
from lawspeaker.position.layout import Layout, Value
from lawspeaker.study.compare.clause_trees import CodeTree, one_line
from lawspeaker.study.compare.declarations import Declarations
from lawspeaker.study.compare.points import CALLED, CLAUSE_SORTS, CLAUSES, DECLARED, Point, texts_of
from lawspeaker.study.compare.ruleset import Ruleset
from lawspeaker.study.compare.table_parts import TABLE
from lawspeaker.study.sources.terms import OF_ANY_GAME
from lawspeaker.text.document import Scalar
from lawspeaker.text.rulebook import WINS

LONGEST = 320
_AMENDED = ("where", "unless", "also", "plus", "or", "and")
"""Modes of amendments to guards and values."""


class Speaker:
    """Renders points of one ruleset in one language."""

    def __init__(self, ruleset: Ruleset, language: str) -> None:
        self.ruleset = ruleset
        self.program = ruleset.program
        self.language = language
        self.choices = {choice.id: choice for choice in self.program.choices}
        figures = (choice.figures for choice in self.program.choices)
        self.figures = {name: told for each in figures for name, told in each.items()}
        self.declarations = Declarations(ruleset, language)

    @cached_property
    def layout(self) -> Layout:
        """Layout of the game: large, and needed only to name values."""
        return Layout(self.program, self.program.most)

    def texts(self, texts: dict[str, str] | ir.Texts) -> str:
        """Selects a text by language, defaulting to the first."""
        return ir.in_language(texts, self.language)

    def says(self, point: Point) -> str:
        """The sentence of a point; braces are replaced by the ruleset's numbers."""
        words = point.words
        text = self.texts(words.get("says", {})) if isinstance(words, dict) else ""
        return filled(text, self.figures.get, self.language)

    def title(self, point: Point) -> str:
        """The title of a point, or else its sentence, or its path in words."""
        if point.title:
            return self.texts(point.title)
        return capital(self.untitled(point))

    def untitled(self, point: Point) -> str:
        if point.sort in CALLED:
            return self.about(point)
        if point.sort == WINS:
            return phrase("compare.about.wins", self.language)
        if says := self.says(point):
            return says
        keys = point.id.split(".")[1:]
        named = [self.called(key) for key in keys if key != "kinds"]
        if len(named) > 1 and named[-1].lower().startswith(named[-2].lower()):
            named.pop(-2)  # its name includes the type
        if len(named) < 2:
            return "".join(named)
        return self.colon(", ".join(named[:-1]), named[-1])

    def about(self, point: Point) -> str:
        """Title of a point about a name, a symbol or a part of the table."""
        key = point.id.removeprefix(f"{point.sort}.{point.entry.id}").strip(".")
        # Braces in a name are replaced: `sell …` for `sell {cards}`.
        id = point.entry.id
        if point.sort == TABLE:  # a table part is named by what it shows
            id = point.entry.text("place") or point.entry.text("marker") or id
        named = self.called(id if id in self.program.names else id.rpartition(".")[2])
        thing = filled(named, lambda _: "…", self.language)
        if point.sort == "names" and f"compare.language.{key}" in phrases("en"):
            tongue = phrase(f"compare.language.{key}", self.language)
            return phrase("compare.about.names_in", self.language, thing=thing, tongue=tongue)
        what = phrase(f"compare.about.{point.sort}", self.language, thing=thing)
        return what + (f" ({self.called(key)})" if key else "")

    def colon(self, what: str, text: str) -> str:
        """Joins a subject and a statement with a colon in the language's typography."""
        return colon(what, text, self.language)

    def called(self, thing: str) -> str:
        """Display name of a thing or of a word of rule files."""
        return self.declarations.key(thing)

    def term(self, thing: str, word: str = "") -> str:
        """Display name of a thing in a glossary.

        A kind of piece comes with its piece, as does the rule of a card; another rule without a
        name has a book's word for it, or its title.
        """
        if thing in OF_ANY_GAME:
            return phrase(f"compare.terms.{thing}", self.language)
        book = self.ruleset.book
        sections = [book.section(each) for each in CLAUSES]
        clause = next((own[thing] for own in sections if thing in own), None)
        card = None if clause is None else clause.text("plays")
        if card is not None:
            return self.kind(card)
        if thing not in self.program.names and clause is not None:
            return word or self.texts(texts_of(clause.get("title"))) or self.called(thing)
        declared = any(thing in book.section(each) for each in DECLARED)
        words = {word for each in self.program.word_sets for word in each.words}
        return self.called(thing) if clause or declared or thing in words else self.kind(thing)

    def kind(self, thing: str) -> str:
        """Display name of a kind with its piece; of anything else, its name."""
        piece = next((each.name for each in self.program.pieces if thing in _kinds(each)), "")
        return self.colon(self.called(piece), self.called(thing)) if piece else self.called(thing)

    def does(self, point: Point) -> str:
        """The effect of a point in words: a value, or the sentence of the rule."""
        if point.sort == "choice" and point.id in self.choices:
            return self.choice(self.choices[point.id])
        if point.sort == WINS:
            return phrase(f"goal.{ir.Goal(point.in_play).name.lower()}", self.language)
        if point.sort not in CLAUSE_SORTS:
            return self.declarations.told(point)
        says = self.says(point) or in_code(point.in_play, self.language)
        return " ".join((says, *self.besides(point)))

    def besides(self, point: Point) -> Iterator[str]:
        """Amendments of variants that have no sentence for the whole: their own sentence, their
        reason, or the code."""
        for change in point.changes:
            if change.action != "amend":
                continue
            says = self.texts(texts_of(change.get("says")))
            if not says:
                modes = ((mode, change.get(mode)) for mode in _AMENDED)
                code = [(mode, node) for mode, node in modes if isinstance(node, Scalar)]
                reason = self.texts(texts_of(change.get("because")))
                yield reason or " ".join(self.amended(mode, node) for mode, node in code)
            elif point.sort == "value":  # that of a guard is in place of the guard's sentence
                yield filled(says, self.figures.get, self.language)

    def amended(self, mode: str, code: Scalar) -> str:
        return phrase(f"compare.amended.{mode}", self.language, code=one_line(code.value))

    # ------------------------------------------------------------ values

    def choice(self, choice: ir.Choice) -> str:
        texts = [self.constant(choice.type, value) for value in choice.values]
        if len(set(texts)) == 1:
            told = texts[0]
        else:
            told = joined(
                (
                    phrase("compare.with_players", self.language, number=number, text=text)
                    for number, text in zip(self.program.counts, texts, strict=False)
                ),
                self.language,
            )
        if choice.beyond is None:
            return told
        beyond = self.constant(choice.type, (choice.beyond,))
        return phrase("compare.beyond", self.language, text=told, beyond=beyond)

    def constant(self, of: ir.Type, value: Value) -> str:
        if isinstance(value, tuple):
            inner = of.of if isinstance(of, ir.SetType) else of
            return ", ".join(self.constant(inner, each) for each in value)
        if isinstance(of, ir.NumberType) and value is not None:
            return str(value)
        return self.layout.name(of, value, self.language)


def _kinds(piece: ir.Piece) -> set[str]:
    return {kind.name for kind in piece.kinds}


def unlike(one: Point, other: Point, language: str) -> str:
    """The first code lines that differ between two points with the same sentence."""
    if not isinstance(one.in_play, dict) or not isinstance(other.in_play, dict):
        return ""
    for key, code in other.in_play.items():
        known = one.in_play.get(key)
        if known == code or not isinstance(code, CodeTree):
            continue
        old = known.text.splitlines() if isinstance(known, CodeTree) else []
        new = [each.strip() for each in code.text.splitlines()]
        lines = [each for each in new if each not in {line.strip() for line in old}]
        if lines:
            return phrase("compare.in_code", language, line=lines[0])
    return ""


def in_code(in_play: Any, language: str) -> str:
    """The first code line of a clause or guard without a sentence."""
    parts = in_play.values() if isinstance(in_play, dict) else in_play
    codes = [each.text.strip() for each in parts if isinstance(each, CodeTree)]
    return phrase("compare.in_code", language, line=codes[0].splitlines()[0]) if codes else ""


def shortened(text: str, longest: int = LONGEST) -> str:
    """Truncates a text at a word."""
    text = flat(text)
    if len(text) <= longest:
        return text
    return text[:longest].rsplit(" ", 1)[0].rstrip(",;:. ") + " …"
