"""Candidates for a hole in code: the names that are in scope there and fit its type."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lawspeaker import ir
from lawspeaker.editing.lexicon import Lexicon
from lawspeaker.meaning.check.fitting import bare, fits
from lawspeaker.meaning.check.forms import forms_of
from lawspeaker.meaning.check.meanings import Hole, Meaning, Sort
from lawspeaker.meaning.check.world import World, played_kind

FITS, LEADS, OTHER = 0, 1, 3
"""Ranks: the candidate fits, it begins an expression that fits (`owner of …`), or neither."""


@dataclass(frozen=True, slots=True)
class Candidate:
    text: str
    sort: str
    detail: str = ""
    says: str = ""
    rank: int = OTHER
    type: ir.Type = ir.BROKEN


class Candidates:
    """Enumerates candidates.

    `program` gives the types of defined values, if the rules last compiled.
    """

    def __init__(self, world: World, lexicon: Lexicon | None, program: ir.Program | None) -> None:
        self.world = world
        self.lexicon = lexicon
        self.results = {
            each.clause: each.result.type for each in (program.functions if program else ())
        }
        self.program = program

    def of(self, hole: Hole) -> Iterator[Candidate]:
        match hole.sort:
            case "clause":
                for id, procedure in self.world.procedures.items():
                    if played_kind(procedure.entry) is None:
                        yield self.named("clause", id, form=_call(id, procedure.names), rank=FITS)
            case "window":
                for id in self.world.windows:
                    yield self.named("window", id, rank=FITS)
            case "noun":
                yield from self.nouns(hole)
            case "place" | "pieces" | "set":
                for each in self.values(replace(hole, expected=None)):
                    near = FITS if each.sort == "local" else LEADS
                    yield replace(each, rank=near if self.suits(each, hole) else OTHER)
            case _ if hole.of is not None:
                yield from self.belonging(hole.of, hole.word)
            case _:
                yield from self.values(hole)

    def suits(self, found: Candidate, hole: Hole) -> bool:
        """Whether a candidate is, or begins, a place, movable pieces, or a set, as the hole
        requires."""
        types = [each.type for each in hole.variables if each.name == found.text]
        type = bare(types[0] if types else found.type)
        if isinstance(type, ir.PlaceType):
            held = self.world.held(type.index)
            wanted = hole.expected or ir.BROKEN
            wanted = wanted.of if isinstance(wanted, ir.SetType) else wanted
            return hole.sort != "place" or fits(held, bare(wanted))
        if hole.sort == "pieces":
            one = type.of if isinstance(type, ir.SetType) else type
            return isinstance(one, ir.PieceType)
        return hole.sort == "set" and isinstance(type, ir.SetType)

    # ------------------------------------------------------------ values

    def values(self, hole: Hole) -> Iterator[Candidate]:
        wanted = hole.expected
        for each in hole.variables:
            detail = self.world.a(each.type)
            yield Candidate(each.name, "local", detail, rank=self.rank(each.type, wanted) or FITS)
        yield from self.literals(wanted)
        world = self.world
        for marker in world.markers:
            alone = not marker.indices
            yield self.thing("marker", marker.name, marker.type, wanted, leads=not alone)
        for name, place in world.family_types.items():
            several = bool(world.families[place.index].indices)
            yield self.thing("place", name, place, wanted, leads=several)
        for choice in world.choices:
            yield self.thing("choice", choice.id, choice.type, wanted)
        for signatures in world.signatures.values():
            for signature in signatures:
                type = self.result(signature.function)
                named = bool(signature.names) and not signature.predicate
                if signature.predicate:
                    if wanted is None or not fits(bare(wanted), signature.types[0]):
                        continue
                    type = wanted
                call = named and not signature.prepositions
                text = str(signature) if call else ""
                yield self.thing(
                    "value", signature.name, type, wanted, leads=named, form=text,
                    of=world.clauses[signature.function].id,
                )  # fmt: skip
        for plural, one in world.plurals.items():
            if isinstance(wanted, ir.SetType) and one in world.types:
                yield self.thing("piece", plural, ir.SetType(world.types[one]), wanted)
        for name, type in self.attributes():
            if wanted is not None and fits(bare(type), bare(wanted)):
                yield Candidate(name, "attribute", self.world.a(type), rank=LEADS)

    def literals(self, wanted: ir.Type | None) -> Iterator[Candidate]:
        """Yields words, kinds and players, where a value of their type is expected."""
        world = self.world
        match None if wanted is None else bare(wanted):
            case ir.WordType(name=name, index=index):
                for word in world.word_sets[index].words:
                    yield self.named("word", word, of=name, rank=FITS)
            case ir.KindType(name=name, index=index) | ir.PieceType(name=name, index=index):
                for kind in world.kind_names(index):
                    yield self.named("kind", kind, of=name, rank=FITS)
            case one if one == ir.PLAYER:
                for player in world.player_names:
                    yield self.named("player", player, rank=OTHER)

    def thing(
        self,
        sort: Sort,
        name: str,
        type: ir.Type,
        wanted: ir.Type | None,
        *,
        leads: bool = False,
        form: str = "",
        of: str = "",
    ) -> Candidate:
        rank = self.rank(type, wanted)
        found = self.named(sort, name, of=of, form=form, rank=max(rank, LEADS) if leads else rank)
        return replace(found, type=type)

    def rank(self, type: ir.Type, wanted: ir.Type | None) -> int:
        if wanted is None or isinstance(wanted, ir.BrokenType):
            return LEADS
        return FITS if type != ir.BROKEN and fits(bare(type), bare(wanted)) else OTHER

    def result(self, function: int) -> ir.Type:
        """Returns the type of a defined value by its clause, as of the last compiled program."""
        return self.results.get(function, ir.BROKEN)

    # ------------------------------------------------------------ nouns and attributes

    def nouns(self, hole: Hole) -> Iterator[Candidate]:
        for plural, one in self.world.plurals.items():
            yield self.named(self.sort_of(one), one, rank=FITS)
            yield self.named(self.sort_of(one), one, form=plural, rank=LEADS)
        for name in ("player", "number"):
            yield Candidate(name, "built-in", rank=FITS)
        for each in hole.variables:
            if isinstance(each.type, ir.SetType):
                yield Candidate(each.name, "local", self.world.a(each.type), rank=FITS)

    def sort_of(self, noun: str) -> Sort:
        match self.world.types.get(noun):
            case ir.PieceType():
                return "piece"
            case ir.PlaceType():
                return "place"
            case ir.WordType():
                return "word set"
            case _:
                return "number"

    def belonging(self, of: ir.Type, word: str) -> Iterator[Candidate]:
        """Yields what can precede `of` and similar prepositions, given the type of the owner."""
        owner = bare(of)
        for signatures in self.world.signatures.values():
            for each in signatures:
                if each.prepositions[:1] == (word,) and fits(owner, each.types[0]):
                    clause = self.world.clauses[each.function].id
                    yield self.named("value", each.name, of=clause, rank=FITS)
        for forms in forms_of(self.world).values():
            for form in forms:
                type = form.type(word)
                if type is not None and fits(owner, type):
                    yield Candidate(form.name, "attribute", str(form), rank=FITS)
        if word == "of":
            yield from self.owned(owner)

    def owned(self, owner: ir.Type) -> Iterator[Candidate]:
        world = self.world
        names: list[tuple[str, ir.Type]] = []
        built_in: tuple[str, ...] = ()
        match owner:
            case ir.PieceType(index=index):
                piece = world.pieces[index]
                names = _attributes(piece)
                places = [each for each in world.families if each.holds == index]
                names += [(each.name, world.family_types[each.name]) for each in places]
                built_in = ("kind", "owner") if piece.per_player else ("kind",)
            case ir.KindType(index=index):
                names = [(each.name, each.type) for each in world.pieces[index].columns]
            case ir.WordType(index=index):
                names = [(each.name, each.type) for each in world.word_sets[index].columns]
                built_in = ("number",)
                built_in += ("score", "players") if owner == world.side else ()
            case ir.PlaceType(index=index):
                family = world.families[index]
                names = [(each.name, each.type) for each in family.indices]
                built_in = ("top", "owner") if family.per_player else ("top",)
                built_in += ("neighbours",) if family.has_neighbours else ()
            case ir.SetType():
                built_in = ("first", "last", "number")
            case one if one == ir.PLAYER:
                for marker in world.markers:
                    names += [(marker.name, marker.type)] if marker.per_player else []
                own = [each for each in world.families if each.per_player]
                names += [(each.name, world.family_types[each.name]) for each in own]
                built_in = ("score", "left_neighbour", "right_neighbour")
                built_in += () if world.side is None else ("side", "partner", "partners")
        for each, type in names:
            yield Candidate(each, "attribute", world.a(type), rank=FITS)
        for each in built_in:
            yield Candidate(each, "built-in", rank=LEADS)

    def attributes(self) -> Iterator[tuple[str, ir.Type]]:
        """Yields all attributes with their types."""
        world = self.world
        for piece in world.pieces:
            yield from _attributes(piece)
        for words in world.word_sets:
            yield from ((each.name, each.type) for each in words.columns)
        yield from (("owner", ir.PLAYER), ("score", ir.NUMBER), ("left_neighbour", ir.PLAYER))

    def named(
        self, sort: Sort, name: str, *, of: str = "", form: str = "", rank: int = OTHER
    ) -> Candidate:
        thing = None if self.lexicon is None else self.lexicon.find(Meaning(sort, name, of))
        said = "" if thing is None else thing.says
        detail = f"{sort} of {of}" if of and sort != "value" else sort
        if thing is not None and thing.form and not form:
            detail = thing.form
        return Candidate(form or name, sort, detail, said, rank)


def _attributes(piece: ir.Piece) -> list[tuple[str, ir.Type]]:
    columns = [(each.name, each.type) for each in piece.columns]
    return columns + [(each.name, each.type) for each in piece.states]


def _call(name: str, given: tuple[str, ...]) -> str:
    return f"{name}({', '.join(given)})" if given else name
