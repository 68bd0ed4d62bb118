"""Three tiny games, written as typed programs by hand.

`cards`: two or three players. A shuffled deck, hidden hands, a secret choice of a set of cards by
all at once, a ranking with ties, and a deck that is made anew from the discards.

`grid`: stones on a board of three by three, laid beside each other; guards with an `and`.

`lots`: single clauses for things the others do not need: labels, `may`, picks, counters, faults.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lawspeaker import ir
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.ir.types import (
    NUMBER,
    PLAYER,
    TRUTH,
    KindType,
    NumberType,
    PieceType,
    PlaceType,
    SetType,
    Type,
    WordType,
)

CARD, CARD_KIND = PieceType("card", 0), KindType("card", 0)
DECK, HAND, TABLE, DISCARDS = (
    PlaceType(name, number) for number, name in enumerate(("deck", "hand", "table", "discards"))
)
OF_EACH_PLAYER = ir.Index("of", "player", PLAYER)
CITE = ir.Citation("book", "The one section", "states")


def number(value: int) -> ir.Const:
    return ir.Const(NUMBER, value)


def local(of: Type, slot: int, name: str = "it") -> ir.Local:
    return ir.Local(of, slot, name)


def place(of: PlaceType, *indices: ir.Expr) -> ir.PlaceAt:
    return ir.PlaceAt(of, of.index, indices)


def contents(where: ir.Expr, of: Type = CARD) -> ir.Contents:
    return ir.Contents(SetType(of), where)


def everything(of: Type) -> ir.Domain:
    return ir.Domain(SetType(of), of)


def binder(
    slot: int, of: Type, source: ir.Expr, where: ir.Expr | None = None, name: str = "it"
) -> ir.Binder:
    return ir.Binder(slot, name, of, source, where)


def compare(operator: str, left: ir.Expr, right: ir.Expr, **rest: Any) -> ir.Compare:
    return ir.Compare(TRUTH, operator, left, right, **rest)


def guard(name: str, clause: int, condition: ir.Expr, says: str) -> ir.Guard:
    return ir.Guard(name, clause, condition, {"en": says}, (CITE,))


def alternative(
    label: str | None,
    parts: tuple[ir.Part, ...] = (),
    guards: tuple[ir.Guard, ...] = (),
    body: ir.Block = (),
    *,
    members: tuple[tuple[ir.Guard, ...], ...] | None = None,
    ready: tuple[int, ...] | None = None,
) -> ir.Alternative:
    return ir.Alternative(
        label,
        parts,
        guards,
        tuple(() for _ in parts) if members is None else members,
        tuple(len(parts) for _ in guards) if ready is None else ready,
        body,
    )


def clause(
    index: int,
    name: str,
    body: ir.Block,
    slots: tuple[tuple[str, Type], ...] = (),
    *,
    parameters: int = 0,
    asks: Mapping[str, str] | None = None,
) -> ir.Clause:
    return ir.Clause(
        index,
        name,
        "rule",
        {"en": f"What {name} says."},
        asks or {},
        (CITE,),
        parameters,
        tuple(ir.Slot(called, of) for called, of in slots),
        body,
    )


def program(name: str, clauses: tuple[ir.Clause, ...], **rest: Any) -> ir.Program:
    given: dict[str, Any] = {
        "title": {"en": name},
        "about": {},
        "counts": (2, 3),
        "player_names": ("red", "black", "white"),
        "languages": ("en", "de"),
        "sources": (),
        "word_sets": (),
        "pieces": (),
        "families": (),
        "markers": (),
        "choices": (),
        "functions": (),
        "always": (),
        "table": None,
        "names": {},
        "main": 0,
        "digest": "0" * 64,
    }
    return ir.Program(name=name, clauses=clauses, **(given | rest))


def family(
    name: str,
    holds: int = 0,
    *,
    of_each: bool = False,
    indices: tuple[ir.Column, ...] = (),
    room: int | None = None,
    arranged: str = "heap",
    seen_by: str = "everyone",
    count_seen_by: str = "everyone",
) -> ir.Family:
    columns = (ir.Column("player", PLAYER), *indices) if of_each else indices
    return ir.Family(
        name, f"{name}s", columns, of_each, holds, room, arranged, seen_by, count_seen_by
    )


def card_families() -> tuple[ir.Family, ...]:
    return (
        family("deck", arranged="pile", seen_by="nobody"),
        family("hand", of_each=True, seen_by="owner"),
        family("table", of_each=True),
        family("discards", arranged="pile"),
    )


def card_piece(*counts: tuple[str, int, int]) -> ir.Piece:
    """Cards by kind: name, how many, worth."""
    kinds = tuple(ir.Kind(name, count, (worth,), 0) for name, count, worth in counts)
    return ir.Piece("card", "cards", False, kinds, (ir.Column("worth", NUMBER),), (), None)


CARDS = (("ace", 2, 3), ("king", 3, 2), ("pawn", 4, 1))


def worth(card: ir.Expr) -> ir.KindColumn:
    return ir.KindColumn(NUMBER, 0, 0, card)


def cards(*counts: tuple[str, int, int]) -> ir.Program:
    """Two rounds of: refill hands, lay cards secretly, the best layers score."""
    player = local(PLAYER, 0, "player")
    game = clause(
        0,
        "game",
        (
            ir.Shuffle(place(DECK)),
            ir.Repeat(number(2), (ir.Do(1, ()), ir.Do(3, ()), ir.Do(4, ())), 0),
            ir.EndGame(None),
        ),
        (("left", NUMBER),),
    )
    refill = clause(
        1,
        "refill",
        (ir.ForEach(binder(0, PLAYER, everything(PLAYER)), (ir.Do(2, (player,)),), 1, 2),),
        (("player", PLAYER), ("players", SetType(PLAYER)), ("at", NUMBER)),
    )
    drawing = clause(
        2,
        "drawing",
        (
            ir.Draw(
                1,
                "card",
                number(2),
                place(DECK),
                place(HAND, player),
                False,
                (
                    ir.MoveSome(
                        binder(3, CARD, contents(place(DISCARDS))), None, False, place(DECK), False
                    ),
                    ir.Shuffle(place(DECK)),
                ),
                2,
            ),
        ),
        (("player", PLAYER), ("card", CARD), ("left", NUMBER), ("card", CARD)),
        parameters=1,
    )
    own, chosen, laid = local(PLAYER, 0), local(SetType(CARD), 2, "cards"), 3
    hand = place(HAND, own)
    laying = clause(
        laid,
        "laying",
        (
            ir.Ask(
                None,
                binder(0, PLAYER, everything(PLAYER), name="player"),
                True,
                (
                    alternative(
                        "lay",
                        (
                            ir.Part(
                                binder(1, CARD, contents(hand), name="card"),
                                True,
                                number(0),
                                None,
                                2,
                                "cards",
                            ),
                        ),
                        (
                            guard(
                                "at_most_two",
                                laid,
                                compare("<=", ir.Count(NUMBER, binder(5, CARD, chosen)), number(2)),
                                "At most two cards are laid.",
                            ),
                        ),
                        (ir.Move(chosen, place(TABLE, own), False),),
                        members=(
                            (
                                guard(
                                    "no_pawns",
                                    laid,
                                    compare(">", worth(local(CARD, 1)), number(1)),
                                    "Pawns are never laid.",
                                ),
                            ),
                        ),
                    ),
                ),
                None,
                (hand,),
                laid,
                3,
                4,
            ),
        ),
        (
            ("player", PLAYER),
            ("card", CARD),
            ("cards", SetType(CARD)),
            ("replies", NUMBER),
            ("at", NUMBER),
            ("counted", CARD),
        ),
        asks={"en": "Which cards do you lay, {player}?", "de": "Welche Karten?"},
    )
    on_table = contents(place(TABLE, local(PLAYER, 0)))
    strength = ir.SumOf(NUMBER, binder(7, CARD, on_table), worth(local(CARD, 7)))
    scoring = clause(
        4,
        "scoring",
        (
            ir.Rank(
                binder(0, PLAYER, everything(PLAYER), compare(">", strength, number(0))),
                strength,
                True,
                1,
                2,
                3,
                (
                    ir.If(
                        compare("=", local(NUMBER, 2), number(1)),
                        (ir.Score(local(SetType(PLAYER), 1), number(5), False),),
                        (ir.Score(local(SetType(PLAYER), 1), local(NUMBER, 3), False),),
                    ),
                ),
                4,
                5,
            ),
            ir.ForEach(
                binder(0, PLAYER, everything(PLAYER)),
                (ir.MoveSome(binder(6, CARD, on_table), None, False, place(DISCARDS), False),),
                4,
                5,
            ),
        ),
        (
            ("player", PLAYER),
            ("tied", SetType(PLAYER)),
            ("place", NUMBER),
            ("tier", NUMBER),
            ("listed", SetType(NUMBER)),
            ("at", NUMBER),
            ("card", CARD),
            ("card", CARD),
        ),
    )
    return program(
        "cards",
        (game, refill, drawing, laying, scoring),
        pieces=(card_piece(*(counts or CARDS)),),
        families=card_families(),
        names={"card.king": {"de": "König"}, "ace": {"de": "Ass"}, "lay": {"de": "lege"}},
    )


STONE, CELL, SUPPLY = PieceType("stone", 0), PlaceType("cell", 0), PlaceType("supply", 1)
LINE = NumberType("line", 1, 3)
SOURCE = SourceFile("grid.yaml", "the cell is free and the cell is beside another")
FREE_SPAN, BESIDE_SPAN = Span(SOURCE, 0, 16), Span(SOURCE, 21, 47)


def grid() -> ir.Program:
    """Players lay stones in turn; the first anywhere, the others beside one that lies."""
    who, here = local(PLAYER, 0), local(CELL, 1)

    def line(of: ir.Expr, position: int) -> ir.PlaceIndex:
        return ir.PlaceIndex(NUMBER, 0, position, of)

    def distance(position: int) -> ir.Arithmetic:
        one, two = line(here, position), line(local(CELL, 2), position)
        larger = ir.Arithmetic(NUMBER, "larger", one, two)
        return ir.Arithmetic(NUMBER, "-", larger, ir.Arithmetic(NUMBER, "smaller", one, two))

    apart = ir.Arithmetic(NUMBER, "+", distance(0), distance(1))
    taken = ir.Not(TRUTH, ir.IsEmpty(TRUTH, contents(local(CELL, 2), STONE)))
    beside = ir.Exists(
        TRUTH,
        binder(2, CELL, everything(CELL), ir.And(TRUTH, compare("=", apart, number(1)), taken)),
    )
    empty = ir.IsEmpty(
        TRUTH,
        ir.Filter(
            SetType(CELL),
            binder(
                2,
                CELL,
                everything(CELL),
                ir.Not(TRUTH, ir.IsEmpty(TRUTH, contents(local(CELL, 2), STONE))),
            ),
        ),
    )
    fits = ir.And(
        TRUTH,
        ir.IsEmpty(TRUTH, contents(here, STONE), span=FREE_SPAN),
        ir.Or(TRUTH, empty, beside, span=BESIDE_SPAN),
    )
    game = clause(
        0,
        "game",
        (
            ir.ForEach(
                binder(0, PLAYER, everything(PLAYER)),
                (ir.Do(1, (local(PLAYER, 0),)), ir.Do(1, (local(PLAYER, 0),))),
                1,
                2,
            ),
            ir.EndGame(everything(PLAYER)),
        ),
        (("player", PLAYER), ("players", SetType(PLAYER)), ("at", NUMBER)),
    )
    turn = clause(
        1,
        "turn",
        (
            ir.Ask(
                who,
                None,
                True,
                (
                    alternative(
                        "lay",
                        (
                            ir.Part(
                                binder(3, STONE, contents(place(SUPPLY, who), STONE), name="stone")
                            ),
                            ir.Part(binder(1, CELL, everything(CELL), name="cell")),
                        ),
                        (guard("fits", 1, fits, "Stones are laid on free cells beside others."),),
                        (ir.Move(local(STONE, 3), here, False),),
                    ),
                ),
                None,
                (),
                1,
            ),
        ),
        (("player", PLAYER), ("cell", CELL), ("other", CELL), ("stone", STONE)),
        parameters=1,
        asks={"en": "Where, {player}?"},
    )
    stone = ir.Piece("stone", "stones", True, (ir.Kind("stone", 3, (), 1),), (), (), None)
    return program(
        "grid",
        (game, turn),
        pieces=(stone,),
        families=(
            family("cell", indices=(ir.Column("row", LINE), ir.Column("column", LINE)), room=1),
            family("supply", of_each=True),
        ),
    )


MOOD = WordType("mood", 0)


def lots(body: ir.Block, slots: tuple[tuple[str, Type], ...] = (), **rest: Any) -> ir.Program:
    """One clause with the given body, played with the cards of `cards`."""
    given: dict[str, Any] = {
        "pieces": (card_piece(*CARDS),),
        "families": card_families(),
        "word_sets": (ir.WordSet("mood", ("glad", "sad"), (), ((), ())),),
        "markers": (
            ir.Marker("round", NUMBER, (), 0, "everyone"),
            ir.Marker("secret", NumberType("small", 0, 9), (OF_EACH_PLAYER,), 0, "owner"),
        ),
    }
    return program("lots", (clause(0, "game", body, slots),), **(given | rest))
