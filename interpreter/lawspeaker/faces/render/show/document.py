"""Collects the content of a game's document from its program.

All texts are in one language; a thing without a name in it is shown by its id. The parts follow a
rulebook: components, places, choices of editions, rules in reading order, windows, invariants,
assumptions, and sources.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import STALE
from lawspeaker.faces.render.clause import (
    changed,
    guards,
    has_stale,
    rule_text,
    source_title,
)
from lawspeaker.faces.render.show import components
from lawspeaker.faces.render.show.components import Marker, Piece, Place, Words
from lawspeaker.faces.render.show.links import Links
from lawspeaker.faces.render.show.sections import headings
from lawspeaker.meaning import secrets
from lawspeaker.position.layout import Layout

OPEN = ("our_ruling", "silent")
"""Stances under which the book does not decide."""


@dataclass(frozen=True, slots=True)
class Cite:
    """A citation; `stance` is the word in the rule file, `words` its meaning."""

    source: str
    title: str
    section: str
    stance: str
    words: str
    note: str | None


@dataclass(frozen=True, slots=True)
class Guard:
    id: str
    name: str
    says: str
    cites: tuple[Cite, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a variant to a clause, and its reason."""

    variant: str
    action: str
    target: str
    because: str


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause with its links.

    `uses` are the ids of the clauses it calls or needs, `used_by` of those that need it; `tells`
    lists the hidden things that it reveals.
    """

    id: str
    role: str
    says: str
    asks: str
    cites: tuple[Cite, ...]
    guards: tuple[Guard, ...]
    tells: tuple[str, ...]
    code: str
    file: str
    line: int
    uses: tuple[str, ...]
    used_by: tuple[str, ...]
    assumed: str | None
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Section:
    title: str
    heading: str
    clauses: tuple[Clause, ...]


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a choice; `players` is the number of players, empty if it does not matter."""

    players: str
    value: str


@dataclass(frozen=True, slots=True)
class Choice:
    clause: Clause
    values: tuple[Value, ...]
    alternatives: tuple[str, ...]

    @property
    def value(self) -> str:
        """All values in one line."""
        return "; ".join(
            f"{each.players}: {each.value}" if each.players else each.value for each in self.values
        )


@dataclass(frozen=True, slots=True)
class Play:
    piece: str
    clause: str
    says: str


@dataclass(frozen=True, slots=True)
class Window:
    clause: Clause
    plays: tuple[Play, ...]


@dataclass(frozen=True, slots=True)
class Assumption:
    """An assumption; `why` is assumed, our_ruling or silent; `about` the id of a clause, guard or
    piece."""

    about: str
    anchor: str
    why: str
    says: str
    note: str
    cite: Cite | None


@dataclass(frozen=True, slots=True)
class Source:
    id: str
    title: str
    language: str
    details: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Variant:
    name: str
    layer: str
    title: str
    about: str
    changes: tuple[Change, ...]


@dataclass(frozen=True, slots=True)
class Document:
    name: str
    language: str
    title: str
    by: str | None
    about: str
    digest: str
    counts: tuple[int, ...]
    players: tuple[str, ...]
    goal: str
    """The goal, as written in a rule file."""
    sides: tuple[tuple[str, ...], ...]
    side_names: tuple[str, ...]
    """The names of the sides; empty if they have none."""
    variants: tuple[Variant, ...]
    pieces: tuple[Piece, ...]
    words: tuple[Words, ...]
    places: tuple[Place, ...]
    markers: tuple[Marker, ...]
    choices: tuple[Choice, ...]
    sections: tuple[Section, ...]
    windows: tuple[Window, ...]
    always: tuple[Clause, ...]
    assumptions: tuple[Assumption, ...]
    sources: tuple[Source, ...]
    stale: str
    """The explanation of the mark for stale translations, if there are any."""

    def phrase(self, key: str, **values: object) -> str:
        """Returns a phrase in the language of the document."""
        return phrase(f"show.{key}", self.language, **values)

    def to_json(self) -> dict[str, Any]:
        """Converts the document to JSON, following schema/show.schema.json."""
        data = asdict(self)
        del data["stale"]
        for source in data["sources"]:
            source["details"] = dict(source["details"])
        return data


def document(program: ir.Program, name: str, language: str) -> Document:
    """Builds the document of a game that was loaded under a name."""
    return _Gathering(program, language).document(name)


class _Gathering:
    def __init__(self, program: ir.Program, language: str) -> None:
        self.program = program
        self.language = language
        self.layout = Layout(program, program.most)
        self.links = Links(program)
        self.made_known = secrets.disclosures(program)

    def document(self, name: str) -> Document:
        program, language = self.program, self.language
        clauses = {each.index: self.clause(each) for each in program.clauses}
        choices = tuple(self.choice(each, clauses[each.clause]) for each in program.choices)
        things = components.Components(self.layout, language)
        return Document(
            name,
            language,
            self.said(program.title) or program.name,
            program.by,
            self.said(program.about),
            program.digest,
            program.counts,
            self.players(range(len(program.player_names))),
            program.goal.value,
            tuple(map(self.players, program.sides)),
            self.side_names(),
            tuple(self.variant(each) for each in program.variants),
            things.pieces(),
            things.words(),
            things.places(),
            things.markers(),
            choices,
            self.sections(clauses),
            tuple(
                self.window(each, clauses[each.index])
                for each in program.clauses
                if each.role == "window"
            ),
            tuple(clauses[each.clause] for each in program.always),
            tuple(self.assumptions(clauses.values(), choices)),
            tuple(
                Source(each.id, each.title, each.language, tuple(self.details(each)))
                for each in program.sources
            ),
            f"{STALE} {phrase('show.stale', language)}" if has_stale(program, language) else "",
        )

    def details(self, source: ir.Source) -> Iterator[tuple[str, str]]:
        yield from source.details.items()
        if source.note:
            yield "note", self.said(source.note)

    def said(self, texts: ir.Texts) -> str:
        return ir.in_language(texts, self.language)

    def side_names(self) -> tuple[str, ...]:
        """Returns the names of the sides, or nothing unless all are named."""
        layout, sides = self.layout, self.program.sides
        named = all(layout.named_side(side[0]) is not None for side in sides)
        names = (layout.holder_name(side[0], self.language) for side in sides)
        return tuple(names) if named else ()

    def players(self, seats: Iterable[int]) -> tuple[str, ...]:
        names = self.program.player_names
        return tuple(self.layout.called(names[each], "player", self.language) for each in seats)

    # ------------------------------------------------------------ clauses

    def clause(self, clause: ir.Clause) -> Clause:
        program, span = self.program, clause.span
        return Clause(
            clause.id,
            clause.role,
            self.said(clause.says),
            self.said(clause.asks),
            self.cites(clause.cites),
            tuple(
                Guard(
                    f"{clause.id}.{each.name}",
                    each.name,
                    self.said(each.says),
                    self.cites(each.cites),
                )
                for each in guards(clause)
            ),
            tuple(self.telling(each) for each in self.made_known.get(clause.index, ())),
            rule_text(program, clause),
            span.file.name,
            span.line if span.known else 0,
            self.links.uses(clause.index),
            self.links.used_by(clause.index),
            self.said(clause.assumed) or None,
            tuple(self.change(each) for each in changed(program, clause)),
        )

    def telling(self, each: secrets.Disclosure) -> str:
        """Describes what a statement reveals: things by their names, other values as written."""
        sort = "told" if each.sort == "value" and each.who else each.sort
        what = each.what
        if each.sort in ("moved", "owned", "partly") or what in self.program.names:
            what = self.layout.called(what, "", self.language)
        return phrase(f"show.tells.{sort}", self.language, who=each.who, what=what)

    def cites(self, cites: Iterable[ir.Citation]) -> tuple[Cite, ...]:
        return tuple(
            Cite(
                each.source,
                source_title(self.program, each.source),
                each.section,
                each.stance,
                phrase(f"stance.{each.stance}", self.language),
                each.note_in(self.language) or None,
            )
            for each in cites
        )

    def sections(self, clauses: dict[int, Clause]) -> tuple[Section, ...]:
        gathered: dict[tuple[str, str], list[Clause]] = {}
        rules = [each for each in self.program.clauses if each.role in ("rule", "value")]
        titles = headings(rules, phrase("show.rules", self.language))
        for each, heading in zip(rules, titles, strict=True):
            gathered.setdefault(heading, []).append(clauses[each.index])
        return tuple(Section(*heading, tuple(own)) for heading, own in gathered.items())

    def change(self, note: ir.ChangeNote) -> Change:
        return Change(note.variant, note.action, note.target, self.said(note.because))

    def variant(self, note: ir.VariantNote) -> Variant:
        own = tuple(self.change(each) for each in self.program.changes if each.variant == note.name)
        title = self.said(note.title) or note.name.replace("_", " ")
        return Variant(note.name, note.layer, title, self.said(note.about), own)

    # ------------------------------------------------------------ choices and windows

    def choice(self, choice: ir.Choice, clause: Clause) -> Choice:
        texts = components.choice_values(self.layout, choice, self.language)
        if len(set(texts)) == 1:
            values: tuple[Value, ...] = (Value("", texts[0]),)
        else:
            pairs = zip(self.program.counts, texts, strict=True)
            values = tuple(
                Value(phrase("compare.players", self.language, players=number), text)
                for number, text in pairs
            )
        one_of = components.bare(choice.type)
        alternatives = (
            components.constant(self.layout, one_of, each, self.language) for each in choice.one_of
        )
        return Choice(clause, values, tuple(alternatives))

    def window(self, clause: ir.Clause, shown: Clause) -> Window:
        plays = tuple(
            Play(self.layout.called(kind, piece, self.language), each.id, self.said(each.says))
            for piece, kind, each in self.links.plays(clause.index)
        )
        return Window(shown, plays)

    # ------------------------------------------------------------ assumptions

    def assumptions(
        self, clauses: Iterable[Clause], choices: Iterable[Choice]
    ) -> Iterable[Assumption]:
        for piece in self.program.pieces:
            if piece.assumed:
                name = self.layout.called(piece.name, "piece", self.language)
                guess = self.said(piece.assumed)
                yield Assumption(name, f"piece-{piece.name}", "assumed", guess, "", None)
        chosen = {each.clause.id: each.value for each in choices}
        for clause in clauses:
            says = clause.says
            if clause.id in chosen:
                says = f"{says.rstrip('.')}: {chosen[clause.id]}."
            if clause.assumed:
                yield Assumption(clause.id, clause.id, "assumed", says, clause.assumed, None)
            yield from _open(clause.id, clause.id, says, clause.cites)
            for guard in clause.guards:
                yield from _open(guard.id, guard.id, guard.says, guard.cites)


def _open(about: str, anchor: str, says: str, cites: Iterable[Cite]) -> Iterable[Assumption]:
    """Yields the citations under which the source does not decide."""
    for cite in cites:
        if cite.stance in OPEN:
            yield Assumption(about, anchor, cite.stance, says, cite.note or "", cite)
