"""Pieces that certainly still lie where they start: follows the beginning of a game.

    move a tile in bag where tile is gate to cell(0, 0)

finds its tile if nothing was taken out of the bag before. Execution is followed from the first
statement of the rules, into clauses that are called in one place only. A statement that is not
understood is assumed to take anything.
"""

from __future__ import annotations

from collections import Counter

from lawspeaker import ir
from lawspeaker.ir.walk import code_of, everything


def surely_there(program: ir.Program) -> set[int]:
    """The ids of move statements whose pieces certainly lie there."""
    return _Beginning(program).found


class _Beginning:
    """Tracks the stock of single places from the start of the game."""

    def __init__(self, program: ir.Program) -> None:
        self.program = program
        self.found: set[int] = set()
        self.stock: dict[int, Counter[int]] = {
            number: Counter()
            for number, family in enumerate(program.families)
            if not family.indices
        }
        """By single place: the certain number of pieces there, by kind."""
        for piece in program.pieces:
            owners = program.fewest if piece.per_player else 1
            for number, kind in enumerate(piece.kinds):
                if kind.starts in self.stock:
                    self.stock[kind.starts][number] += kind.count * owners
        statements = (each for each in everything(code_of(program)) if isinstance(each, ir.Do))
        self.done = Counter(each.clause for each in statements)
        self.follow(program.clauses[program.main].body)

    def follow(self, block: ir.Block) -> None:
        for statement in block:
            if not self.stock:
                return
            match statement:
                case ir.MoveSome() if (known := _moved(statement)) is not None:
                    self.take(statement, *known)
                case ir.Do(clause=number) if self.done[number] == 1:
                    self.follow(self.program.clauses[number].body)
                case ir.Finish() | ir.EndGame():
                    self.stock = {}
                case _:
                    self.spoil(statement)

    def take(self, statement: ir.MoveSome, family: int, kind: int, most: int | None) -> None:
        """Removes pieces of a kind from the tracked stock of a place."""
        there = self.stock.get(family)
        if there is None:
            return
        if most is not None and there[kind] < most:
            del self.stock[family]
            return
        if statement.exactly:
            self.found.add(id(statement))
        there[kind] -= there[kind] if most is None else most

    def spoil(self, statement: ir.Statement) -> None:
        """Stops tracking whatever a statement may have moved."""
        waiting: list[object] = [statement]
        seen: set[int] = set()
        for code in waiting:
            for each in everything(code):
                match each:
                    case ir.Do(clause=number) if number not in seen:
                        seen.add(number)
                        waiting.append(self.program.clauses[number].body)
                    case ir.Move(to=to) | ir.MoveSome(to=to) | ir.Draw(to=to):
                        self.forget(to)

    def forget(self, to: ir.Expr) -> None:
        """Stops tracking all places from which pieces moved to `to` may have come."""
        families = self.program.families
        if isinstance(to.type, ir.PlaceType):
            holds = families[to.type.index].holds
            for number in [each for each in self.stock if families[each].holds == holds]:
                del self.stock[number]
        else:
            self.stock = {}


def _moved(statement: ir.MoveSome) -> tuple[int, int, int | None] | None:
    """The place, kind and number of pieces that a statement moves, if it is that explicit."""
    match statement:
        case ir.MoveSome(
            binder=ir.Binder(
                slot=slot,
                source=ir.Contents(place=ir.PlaceAt(family=family, indices=())),
                where=ir.Compare(
                    operator="=",
                    left=ir.KindOf(of=ir.Local(slot=at)),
                    right=ir.Const(value=int(kind)),
                ),
            ),
            most=None | ir.Const() as most,
        ) if at == slot:
            number = None if most is None else most.value
            if number is None or (isinstance(number, int) and number >= 0):
                return family, kind, number
    return None
