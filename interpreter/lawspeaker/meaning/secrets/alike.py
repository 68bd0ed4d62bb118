"""Deeds that tell, and look the same to everyone.

Points for Ann tell that they are given, and so what decides that: but not if she gets as many on
the other of two ways. So two ways are told apart by what they tell first only if that surely looks
otherwise on each: the kind of deed, its clause, who is meant, how many points, what has the name,
or where a piece goes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from lawspeaker import ir
from lawspeaker.meaning.secrets.needs import Summary
from lawspeaker.meaning.secrets.sources import NONE, Label, differ
from lawspeaker.meaning.secrets.state import Holding

Moves = ir.Move | ir.MoveSome | ir.Draw
Tells = ir.Tell | ir.Score | Moves | ir.Do


class Alike:
    """`surely_seen` says of points and moves whether everyone sees something of them."""

    def __init__(
        self,
        program: ir.Program,
        summaries: Mapping[int, Summary],
        holding: Holding,
        surely_seen: Callable[[ir.Score | Moves], bool],
    ) -> None:
        self.program = program
        self.summaries = summaries
        self.holding = holding
        self.surely_seen = surely_seen

    def openings(self, block: ir.Block) -> list[Tells]:
        """The deeds that tell of which each may be the first to be seen."""
        found: list[Tells] = []
        self._seen(block, found)
        return found

    def _seen(self, block: ir.Block, found: list[Tells]) -> bool:
        """Gathers them; whether something is surely seen, or nothing follows."""
        return any(self._first(each, found) for each in block)

    def _first(self, each: ir.Statement, found: list[Tells]) -> bool:
        match each:
            case ir.Tell():
                if each.who is None:
                    found.append(each)
                return True
            case ir.Score() | ir.Move() | ir.MoveSome() | ir.Draw():
                found.append(each)
                return self.surely_seen(each)
            case ir.Do(clause=clause):
                found.append(each)
                return self.summaries[clause].tells_first
            case ir.SetMarker(marker=marker):
                return self.program.markers[marker].seen_by == "everyone"
            case ir.EndGame() | ir.Finish() | ir.Ask() | ir.Shuffle() | ir.Remember():
                return True
            case ir.If():
                ways = [self._seen(block, found) for block in (each.then, each.otherwise)]
                return all(ways)
            case ir.ForEach() | ir.Repeat() | ir.RepeatUntil() | ir.Rank():
                self._seen(each.body, found)
        return False

    def left_open(self, one: Tells, other: Tells, label: Label) -> Label:
        """What two deeds do not tell of what decides which of them is done. Where the same piece
        is moved by both, everyone sees which it is, and where one moves all that lies in a place,
        what that was."""
        if not self.look_alike(one, other):
            return NONE
        match one, other:
            case ir.Move(what=ir.Local(slot=slot)), ir.Move(what=ir.Local(slot=again)):
                if slot == again:
                    label -= {each for each in label if each.piece == slot}
        emptied = [_emptied(each) for each in (one, other)]
        return frozenset(each for each in label if each.thing not in emptied)

    def look_alike(self, one: Tells, other: Tells) -> bool:
        match one, other:
            case ir.Move() | ir.MoveSome() | ir.Draw(), ir.Move() | ir.MoveSome() | ir.Draw():
                return not self._elsewhere(one.to, other.to)
            case ir.Tell(), ir.Tell():
                same = (one.name, one.what.type) == (other.name, other.what.type)
                return same and not self._differ(one.what, other.what)
            case ir.Score(), ir.Score():
                points = _points(one), _points(other)
                if None not in points and points[0] != points[1]:
                    return False
                return not self._differ_in_sight(one.who, other.who)
            case ir.Do(), ir.Do():
                return one.clause == other.clause and self.summaries[one.clause].tells
        return False

    def _elsewhere(self, one: ir.Expr, other: ir.Expr) -> bool:
        """Whether two places are surely different ones."""
        match one, other:
            case ir.PlaceAt(family=first), ir.PlaceAt(family=second) if first == second:
                return any(map(self._differ, one.indices, other.indices))
        return one.type != other.type or self._differ(one, other)

    def _differ(self, one: ir.Expr, other: ir.Expr) -> bool:
        return differ(one, other, self.holding)

    def _differ_in_sight(self, one: ir.Expr, other: ir.Expr) -> bool:
        """Whether it is seen that others get points; of a side nobody sees which player."""
        if not self.program.sides:
            return self._differ(one, other)
        sides = self._side(one), self._side(other)
        return None not in sides and sides[0] != sides[1]

    def _side(self, who: ir.Expr) -> int | None:
        """The side of a player who is named, or of whom a side that is named consists."""
        match who:
            case ir.EndOf(set=ir.PlayersOf(side=ir.Const(value=int(side)))):
                return side
            case ir.EndOf(set=ir.PlayersOf(side=ir.SideOf(player=ir.Const(value=int(seat))))):
                return next(at for at, side in enumerate(self.program.sides) if seat in side)
        return None


def _emptied(each: Tells) -> ir.Expr | None:
    """The place of which all that lies there is moved."""
    match each:
        case ir.MoveSome(binder=ir.Binder(source=ir.Contents(place=place), where=None), most=None):
            return place
    return None


def _points(each: ir.Score) -> int | None:
    """How many points somebody gets, where a rule says the number."""
    match each.points:
        case ir.Const(value=int(value)):
            return -value if each.loses else value
    return None
