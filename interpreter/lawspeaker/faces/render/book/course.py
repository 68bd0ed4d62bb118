"""Arranges the rules of a game in chapters, in the order of its files.

A clause with `chapter` opens one, to which earlier clauses of the same file belong as well. A
clause that a variant added comes after the rule of the base game that uses it, and a changed one
stays where the base game has it, so that the books of variant and game can be compared. Clauses
with `in the book: false` are helpers and omitted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby

from lawspeaker import ir
from lawspeaker.base.braces import in_braces
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import capital, colon
from lawspeaker.faces.render.book.tree import Block, Chapter, Note, Rule, Table
from lawspeaker.faces.render.clause import changed, guards
from lawspeaker.faces.render.show.components import choice_values
from lawspeaker.faces.render.show.links import Links
from lawspeaker.match.writing import allowed_texts
from lawspeaker.position.layout import Layout

RULED = "our_ruling"
STATED = "states"


class BookRules:
    """Access to a game's clauses as texts; `base` is the game without its variants."""

    def __init__(
        self, layout: Layout, base: ir.Program, language: str, *, sources: bool = False
    ) -> None:
        self.layout = layout
        self.program = layout.program
        self.base = base
        self.language = language
        self.sources = sources
        self.links = Links(self.program)
        self.by_id = {each.id: each for each in self.program.clauses}
        self.titles = {
            each.name: ir.in_language(each.title, language) or each.name.replace("_", " ")
            for each in self.program.variants
        }

    def phrase(self, key: str, **values: object) -> str:
        return phrase(f"book.{key}", self.language, **values)

    def said(self, texts: ir.Texts) -> str:
        return ir.in_language(texts, self.language)

    def called(self, clause: ir.Clause) -> str:
        """Returns a short name of a clause: its name or its title.

        Without either it returns the full sentence: the beginning of a rule would be mistaken for
        the whole.
        """
        ids = dict.fromkeys((clause.id, clause.id.rpartition(".")[2]))
        names = (self.program.names.get(id) for id in ids if id not in self._things)
        for texts in (*names, clause.title):
            # An option may be named like a clause; then the name has a placeholder for a value.
            if texts and self.language in texts and not in_braces(texts[self.language]):
                return texts[self.language]
        return self.said(clause.says)

    @cached_property
    def _things(self) -> set[str]:
        """The names of things on the table; a clause with such an id is not named by it."""
        game = self.program
        groups = (game.word_sets, game.pieces, game.families, game.markers)
        return {each.name for group in groups for each in group}

    # ------------------------------------------------------------ chapters

    def chapters(self) -> list[Chapter]:
        """Returns all chapters; the main clause is told before them."""
        opened = self._chapter_of()
        found: dict[str, list[ir.Clause]] = {}
        for clause, near in self._in_order():
            own = clause.id if clause.chapter else opened.get(near, near)
            clauses = found.setdefault(own, [])
            if clause.in_book and clause.index != self.program.main:
                clauses.append(clause)
        return [
            Chapter(f"chapter-{id}", title, tuple(self._blocks(clauses, title)))
            for id, clauses in found.items()
            for title in [self._heading(id)]
            if clauses
        ]

    def _chapter_of(self) -> dict[str, str]:
        """Maps each clause of the base game to the clause that opens its chapter; empty if none
        does."""
        found: dict[str, str] = {}
        last = ""
        for _, group in groupby(self.base.clauses, lambda clause: clause.span.file):
            clauses = list(group)
            last = next((each.id for each in clauses if each.chapter), last)
            for clause in clauses:
                last = clause.id if clause.chapter else last
                found[clause.id] = last
        return found

    def _heading(self, id: str) -> str:
        """Returns the heading of a chapter, or the title of a variant for clauses that no rule
        uses."""
        opener = self.by_id.get(id)
        if opener is None:
            return self.phrase("rules")
        return self.said(opener.chapter) or self.mark(opener) or self.phrase("rules")

    def _in_order(self) -> Iterator[tuple[ir.Clause, str]]:
        """Yields the clauses in book order, each with the clause of the base game that determines
        its place."""
        own = {each.id for each in self.base.clauses}
        hanging: dict[str, list[ir.Clause]] = {}
        for clause in self.program.clauses:
            if clause.id not in own:
                hanging.setdefault(self._needed_by(clause, own), []).append(clause)
        for each in self.base.clauses:
            if each.id in self.by_id:
                yield self.by_id[each.id], each.id
            yield from ((clause, each.id) for clause in hanging.pop(each.id, ()))
        firsts: dict[str, str] = {}
        for clause in hanging.pop("", ()):
            yield clause, firsts.setdefault(self.mark(clause), clause.id)

    def _needed_by(self, clause: ir.Clause, own: set[str]) -> str:
        """Returns the clause of the base game that uses an added clause, searching
        breadth-first."""
        seen, near = {clause.id}, [clause.id]
        while near:
            id, *near = near
            for user in self.links.used_by(self.by_id[id].index):
                if user in own:
                    return user
                if user not in seen and user not in own:
                    seen.add(user)
                    near.append(user)
        return ""

    def _blocks(self, clauses: Sequence[ir.Clause], title: str) -> Iterator[Block]:
        values: list[ir.Clause] = []
        for clause in clauses:
            if clause.role == "choice":
                values.append(clause)
            elif clause.says:
                yield self.rule(clause, without=title)
        if values:
            yield self.table(values)

    # ------------------------------------------------------------ one rule

    def rule(self, clause: ir.Clause, without: str = "") -> Rule:
        """Builds a rule with its conditions; a title equal to the chapter's is omitted."""
        title = self.said(clause.title)
        return Rule(
            clause.id,
            "" if title == without else title,
            self.said(clause.says),
            (
                *map(self._condition, self._guards(clause)),
                *self._texts(clause),
                *self._played_in(clause),
            ),
            self.notes(clause.cites),
            self.mark(clause),
        )

    def _guards(self, clause: ir.Clause) -> list[ir.Guard]:
        return [each for each in guards(clause) if each.says]

    def _condition(self, guard: ir.Guard) -> Rule:
        clause = self.program.clauses[guard.clause]
        id = f"{clause.id}.{guard.name}"
        mark = next((self.titles.get(n.variant, "") for n in self.program.changes
                     if n.target == id and n.action != "cite"), "")  # fmt: skip
        return Rule(
            id, self.said(guard.title), self.said(guard.says), (), self.notes(guard.cites), mark
        )

    def _texts(self, clause: ir.Clause) -> Iterator[Rule]:
        """Yields the rules for free text, if the clause asks for it."""
        for name, told in allowed_texts(self.program, clause, self.language).items():
            yield Rule(f"{clause.id}.{name}", "", told)

    def _played_in(self, clause: ir.Clause) -> Iterator[Rule]:
        """Yields what can be played in a window."""
        if clause.role == "window":
            for piece, kind, played in self.links.plays(clause.index):
                name = capital(self.layout.called(kind, piece, self.language))
                yield Rule(f"{clause.id}.{kind}", name, self.said(played.says))

    def mark(self, clause: ir.Clause) -> str:
        """Returns the title of the variant that added a clause or changed it last."""
        notes = changed(self.program, clause)
        own = [each for each in notes if each.target == clause.id]
        return self.titles.get(own[-1].variant, "") if own else ""

    def notes(self, cites: Sequence[ir.Citation]) -> tuple[Note, ...]:
        """Returns the citations of a rule without duplicates, and its rulings."""
        if not self.sources:
            return ()
        found: dict[Note, None] = {}
        for cite in cites:
            note = cite.note_in(self.language)
            if cite.stance == RULED:
                found[Note(self.phrase("ruling"), note, ruling=True)] = None
                continue
            stance = "" if cite.stance == STATED else phrase(f"stance.{cite.stance}", self.language)
            text = " ".join(each for each in (capital(stance), note) if each)
            if stance and note:
                text = colon(capital(stance), note, self.language)
            found[Note(self._where(cite), text)] = None
        return tuple(found)

    def _where(self, cite: ir.Citation) -> str:
        source = next((each for each in self.program.sources if each.id == cite.source), None)
        book = cite.source if source is None else self.said(source.called) or source.title
        return f"{book}, {cite.section}" if cite.section else book

    # ------------------------------------------------------------ values

    def table(self, clauses: Sequence[ir.Clause]) -> Table:
        """Builds the table of a chapter's choices, by number of players if they depend on it."""
        choices = {each.clause: each for each in self.program.choices}
        values = [self.values(choices[clause.index]) for clause in clauses]
        count = max(map(len, values))
        numbers = self.program.counts if count > 1 else ()
        players = [phrase("compare.players", self.language, players=each) for each in numbers]
        return Table(
            self.phrase("numbers"),
            ("", *players) if players else (),
            tuple(
                (self._named(clause), *(own if len(own) == count else own * count))
                for clause, own in zip(clauses, values, strict=True)
            ),
            marks=tuple(map(self.mark, clauses)) if self.program.variants else (),
        )

    def values(self, choice: ir.Choice) -> tuple[str, ...]:
        """Returns the values of a choice: one, or one for each number of players."""
        texts = choice_values(self.layout, choice, self.language)
        return tuple(texts) if len(set(texts)) > 1 else tuple(texts[:1])

    def _named(self, clause: ir.Clause) -> str:
        return self.said(clause.title) or self.said(clause.says).rstrip(".")
