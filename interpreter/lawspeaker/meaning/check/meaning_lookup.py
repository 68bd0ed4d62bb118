"""Maps resolved types, signatures and IR nodes to the meanings of their names."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.meaning.check.meanings import Meaning
from lawspeaker.meaning.check.world import Signature, World


def by_type(type: ir.Type) -> Meaning | None:
    """The meaning of a noun that names a type."""
    match type:
        case ir.SetType(of=of) | ir.MaybeType(of=of):
            return by_type(of)
        case ir.PieceType(name=name):
            return Meaning("piece", name, type=type)
        case ir.PlaceType(name=name):
            return Meaning("place", name, type=type)
        case ir.WordType(name=name):
            return Meaning("word set", name, type=type)
        case ir.NumberType(name=str(name)) if name != "number":
            return Meaning("number", name, type=type)
        case ir.KindType(name=name):
            return Meaning("piece", name, type=type)
        case _:
            return Meaning("built-in", str(type), type=type)


def by_signature(world: World, signature: Signature) -> Meaning:
    """The meaning of a defined value, whose parent is its clause."""
    clause = world.clauses[signature.function].id
    return Meaning("value", signature.name, clause, signature.result)


def by_node(world: World, name: str, found: ir.Expr) -> Meaning | None:
    """The meaning of a name that was compiled to this node; None if it has none."""
    type = found.type
    match found:
        case ir.Const(type=ir.WordType(name=of, index=index), value=int(at)):
            return Meaning("word", world.word_sets[index].words[at], of, type)
        case ir.Const(type=ir.KindType(name=of, index=index), value=int(at)):
            return Meaning("kind", world.kind_names(index)[at], of, type)
        case ir.Const(type=one, value=int(at)) if one == ir.PLAYER:
            return Meaning("player", world.player_names[at], type=type)
        case ir.Const():
            return None
        case ir.MarkerValue(marker=index):
            return Meaning("marker", world.markers[index].name, type=type)
        case ir.PlaceAt(family=index) | ir.PlaceOf(family=index):
            return Meaning("place", world.families[index].name, type=type)
        case ir.Occupied(family=index) | ir.OpenPlaces(family=index):
            return Meaning("place", world.families[index].name, type=type)
        case ir.ChoiceValue(choice=index) | ir.ChoiceItem(choice=index):
            return Meaning("choice", world.choices[index].id, type=type)
        case ir.Domain(of=of):
            return by_type(of)
        case ir.WordColumn(word_set=index):
            return Meaning("attribute", name, world.word_sets[index].name, type)
        case ir.KindColumn(piece=index) | ir.PieceState(piece=index):
            return Meaning("attribute", name, world.pieces[index].name, type)
        case ir.PlaceIndex(family=index):
            return Meaning("attribute", name, world.families[index].name, type)
        case _:
            return Meaning("built-in", name, type=type)
