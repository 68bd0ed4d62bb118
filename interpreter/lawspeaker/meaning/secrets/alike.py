"""Finds effects that look the same on two branches, and so do not tell which branch was taken.

Points for Ann show that they are scored, and so the condition for it: but not if she scores as many
on the other branch. So the first visible effect of a branch declassifies the condition only if it
certainly differs from whatever can be seen first on the other branch: in the kind of effect, its
clause, the player, the number of points, the value told, or the target place.

What follows a branch counts up to the end of the game (`after`): the rest of the clause, further
iterations of the enclosing loops, and whatever the callers do afterwards, who may call the same
clause again. An `Opening` is an effect that may be seen first. It is expressed in terms that hold
where the branches part; anything that has changed by then becomes `SOMEBODY`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from lawspeaker import ir
from lawspeaker.base.trees import ByNode
from lawspeaker.base.work import charge
from lawspeaker.ir.walk import everything
from lawspeaker.meaning.secrets.expression_labels import Declarations
from lawspeaker.meaning.secrets.ranges import has_members
from lawspeaker.meaning.secrets.sources import NONE, SOMEBODY, Label, by, differ, in_arguments
from lawspeaker.meaning.secrets.state import Holding

Moves = ir.Move | ir.MoveSome | ir.Draw
Tells = ir.Tell | ir.Score | Moves
Loops = ir.ForEach | ir.Repeat | ir.RepeatUntil | ir.Rank
Rounds = Loops | ir.Ask
"""Statements with a body that may run several times; a question may have several answers."""
LOOKS_ALIKE = "this may be what is seen first instead, and looks the same"
MOST_OPENINGS = 60
LASTING = (ir.Local, ir.Const, ir.Neighbour, ir.EndOf, ir.PlayersOf, ir.SideOf)
"""Expressions whose value does not change by an effect, unless a name in them is reassigned."""


@dataclass(frozen=True, slots=True)
class Key:
    """An operand by which an effect may look different; certainly different from each of
    `apart`."""

    expr: ir.Expr
    apart: frozenset[ir.Expr] = frozenset()

    def said(self, words: Callable[[ir.Expr], ir.Expr]) -> Key:
        apart = frozenset(map(words, self.apart))
        return Key(words(self.expr), frozenset(each for each in apart if not _vague(each)))

    def differs(self, other: Key, holding: Holding) -> bool:
        if self.expr in other.apart or other.expr in self.apart:
            return True
        return differ(self.expr, other.expr, holding)


@dataclass(frozen=True, slots=True)
class Opening:
    """An effect that may be seen first, or any effect (None). `keys` are the player and the points,
    the value told, or the owner of the target place; `what` is the piece that moves, or the place
    that is emptied. `at` is the position of the effect and of the calls that lead to it; `again` is
    the loop in a later iteration of which it happens."""

    clause: int
    statement: Tells | None = field(compare=False)
    at: tuple[int, ...]
    keys: tuple[Key, ...]
    what: ir.Expr | None = None
    again: Loops | None = field(default=None, compare=False)

    def said(self, words: Callable[[ir.Expr], ir.Expr], before: bool = True) -> Opening:
        keys = tuple(each.said(words) for each in self.keys)
        what = words(self.what) if self.what is not None and before else None
        return replace(self, keys=keys, what=None if what is None or _vague(what) else what)

    def said_of_any(self) -> Opening:
        """The same effect for any member of what it distinguishes."""
        return replace(self, keys=tuple(Key(each.expr) for each in self.keys), again=None)


ANYTHING = Opening(-1, None, (), ())


@dataclass(slots=True)
class FirstEffects:
    """The effects that may be seen first in a piece of code. `through`: its end can be reached
    before anything is seen; `out`: the clause can be left before. `names` are the slots it may
    reassign; `done`: it may have effects."""

    first: dict[Opening, None] = field(default_factory=dict)
    through: bool = True
    out: bool = False
    names: set[int] = field(default_factory=set)
    done: bool = False

    def add(self, openings: Iterable[Opening]) -> None:
        for each in openings:
            charge()
            self.first[each] = None
        if len(self.first) > MOST_OPENINGS or ANYTHING in self.first:
            self.first, self.through, self.out = {ANYTHING: None}, False, False

    def then(self, after: FirstEffects) -> None:
        """Sequential composition: what follows counts where this code can be passed unseen."""
        self.through, self.out = after.through, self.out or after.out
        self.add(each.said(self._now, not self.done) for each in after.first)
        self.names |= after.names
        self.done |= after.done

    def left_for(self, callers: Iterable[Opening]) -> None:
        """Continues in the callers where the clause may have been left."""
        self.out = False
        self.add(each.said(self._now, not self.done) for each in callers)

    def or_else(self, other: FirstEffects) -> None:
        self.through, self.out = self.through or other.through, self.out or other.out
        self.add(other.first)
        self.names |= other.names
        self.done |= other.done

    def _now(self, expr: ir.Expr) -> ir.Expr:
        """Translates an expression read at the end into terms of the beginning."""
        for each in everything(expr):
            if isinstance(each, ir.Local) and each.slot in self.names:
                return SOMEBODY
            if self.done and not isinstance(each, LASTING):
                return SOMEBODY
        return expr


@dataclass(frozen=True, slots=True, eq=False)
class Path:
    """The continuation of a statement: the rest of its block, further iterations, and outwards."""

    clause: int
    block: ir.Block
    at: int
    rounds: Rounds | None
    after: Path | None


class Alike:
    """The continuations of all statements of a program."""

    def __init__(self, program: ir.Program, table: Declarations) -> None:
        self.program = program
        self.table = table
        self._paths = ByNode[list[Path]]()
        self._callers: dict[int, list[tuple[ir.Do, Path]]] = {}
        self._bodies: dict[int, FirstEffects] = {}
        self._after: dict[Path, FirstEffects] = {}
        self._later: dict[int, dict[Opening, None]] = {}
        self._names = ByNode[frozenset[int]]()
        self._never_empty: dict[int, set[int]] = {}
        for each in program.clauses:
            self._lay(each.index, each.body, None, None)

    def _lay(self, clause: int, block: ir.Block, rounds: Rounds | None, after: Path | None) -> None:
        for at, each in enumerate(block, start=1):
            path = Path(clause, block, at, rounds, after)
            again: Rounds | None = None
            if isinstance(each, Loops) or (isinstance(each, ir.Ask) and each.each is not None):
                again = each
            for inside in _blocks(each):
                self._lay(clause, inside, again, path)
            if isinstance(each, ir.Do):
                self._callers.setdefault(each.clause, []).append((each, path))
            elif isinstance(each, ir.If | Loops):
                if each not in self._paths:
                    self._paths[each] = []
                self._paths[each].append(path)

    # ------------------------------------------------------------ first visible effects

    def openings(
        self, clause: int, block: ir.Block, statement: ir.Statement
    ) -> tuple[FirstEffects, FirstEffects]:
        """The effects seen first in a block of a statement; alone, and followed by the rest."""
        way, both = FirstEffects(), FirstEffects()
        way.or_else(self._block(clause, block))
        for path in self._paths[statement]:
            on = self._block(clause, block)
            self._on(on, path, statement if isinstance(statement, Loops) else None)
            both.or_else(on)
        return way, both

    def rest(self, statement: ir.Statement) -> FirstEffects:
        """The effects that may be seen first after a statement."""
        found = FirstEffects(through=False)
        for path in self._paths[statement]:
            found.or_else(self._after_of(path))
        return found

    def _on(self, way: FirstEffects, path: Path, rounds: Rounds | None) -> None:
        if way.through:
            out = way.out
            way.out = False
            if rounds is not None:
                way.then(self._again(path.clause, rounds))
            way.then(self._after_of(path))
            way.out |= out
        if way.out:
            way.left_for(self._callers_of(path.clause))

    def _after_of(self, path: Path) -> FirstEffects:
        """The effects seen first from a continuation to the end of the game. Memoised."""
        if path not in self._after:
            way = self._block(path.clause, path.block, path.at)
            left, way.out = way.out, False
            if way.through and path.rounds is not None:
                way.then(self._again(path.clause, path.rounds))
            left, way.out = left or way.out, False
            if way.through and path.after is not None:
                way.then(self._after_of(path.after))
            elif way.through:
                left = True
            if left:
                way.left_for(self._callers_of(path.clause))
            way.through = way.out = False
            self._after[path] = way
        return self._after[path]

    def _callers_of(self, clause: int) -> dict[Opening, None]:
        """The effects seen first after a clause returns, in terms of its parameters."""
        if clause not in self._later:
            found = FirstEffects()
            for statement, path in self._callers.get(clause, ()):
                way = FirstEffects(names={here for _, here in statement.returns}, done=True)
                way.then(self._after_of(path))
                slots = self.program.clauses[clause].slots
                given = {
                    ir.Local(each.type, at, slots[at].name): each
                    for at, each in enumerate(statement.arguments)
                }
                found.add(_as_given(each, given) for each in way.first)
            self._later[clause] = found.first
        return self._later[clause]

    def _again(self, clause: int, rounds: Rounds) -> FirstEffects:
        """Further iterations. A loop over distinct things never meets the same one again."""
        way, body = FirstEffects(), FirstEffects(through=False)
        for block in _blocks(rounds):
            body.or_else(self._block(clause, block))
        names = self.names_in(rounds)
        own = _each_time(rounds)

        def later(key: Key) -> Key:
            if isinstance(key.expr, ir.Local) and key.expr.slot == own:
                return Key(SOMEBODY, frozenset([key.expr]))
            return key.said(lambda expr: SOMEBODY if _reads(expr, names) else expr)

        again = rounds if isinstance(rounds, Loops) else None
        way.add(
            replace(each, keys=tuple(map(later, each.keys)), what=None, again=again)
            for each in body.first
        )
        way.out, way.names, way.done = body.out, {*names}, True
        return way

    def names_in(self, rounds: Rounds) -> frozenset[int]:
        """The slots that may have other values in another iteration."""
        if rounds not in self._names:
            self._names[rounds] = frozenset(_written(rounds))
        return self._names[rounds]

    def _block(self, clause: int, block: ir.Block, start: int = 0) -> FirstEffects:
        way = FirstEffects()
        for at in range(start, len(block)):
            charge()
            way.then(self._statement(clause, block[at]))
            if not way.through:
                break
        return way

    def _statement(self, clause: int, each: ir.Statement) -> FirstEffects:
        way = FirstEffects()
        match each:
            case ir.Tell():
                if each.who is None:
                    way.add([Opening(clause, each, (id(each),), (Key(each.what),))])
                way.through = False
            case ir.Score() | ir.Move() | ir.MoveSome() | ir.Draw():
                way.add([Opening(clause, each, (id(each),), _keys(each), _what(each))])
                way.through = not self.surely_seen(clause, each)
                if isinstance(each, ir.Draw) and each.otherwise is not None:
                    way.then(self._block(clause, each.otherwise))
                    way.through = True
            case ir.Do(clause=number):
                given = dict(enumerate(each.arguments))
                body = self._body(number)
                openings = (one.said(lambda expr: in_arguments(expr, given)) for one in body.first)
                way.add(replace(one, at=(id(each), *one.at)) for one in openings)
                way.through = body.through or body.out
            case ir.SetMarker(marker=marker):
                way.through = self.program.markers[marker].seen_by != "everyone"
            case ir.EndGame() | ir.Shuffle() | ir.Remember():
                way.through = False
            case ir.Finish():
                way.through, way.out = False, True
            case ir.Ask():
                way.through = each.each is not None or not each.must
                if way.through:
                    way.then(self._block(clause, each.otherwise or ()))
                    way.through = True
            case ir.If():
                way.through = False
                for block in _blocks(each):
                    way.or_else(self._block(clause, block))
            case ir.ForEach() | ir.Repeat() | ir.RepeatUntil() | ir.Rank():
                again = self._again(clause, each)
                way.add(each.said_of_any() for each in again.first)
                way.out = again.out
        way.names |= set(_written(each))
        way.done |= not isinstance(each, ir.SetLocal | ir.Tell | ir.If)
        return way

    def _body(self, clause: int) -> FirstEffects:
        """The effects seen first in a whole clause, in terms of its parameters. Memoised."""
        if clause not in self._bodies:
            self._bodies[clause] = self._block(clause, self.program.clauses[clause].body)
        return self._bodies[clause]

    def surely_seen(self, clause: int, each: ir.Score | Moves) -> bool:
        """Whether everyone certainly sees something of a score or a move."""
        if clause not in self._never_empty:
            self._never_empty[clause] = never_empty(self.program.clauses[clause])
        if isinstance(each, ir.Score):
            return scores_surely(each, self._never_empty[clause])
        return not self.table.hidden(each.to) and moves_surely(each, self._never_empty[clause])

    # ------------------------------------------------------------ indistinguishable effects

    def left_open(self, one: Opening, other: Opening, label: Label, holding: Holding) -> Label:
        """What two effects leave undisclosed of the condition that chooses between them. If both
        move the same piece, everyone sees which one it is; if one moves all pieces of a place, what
        that held."""
        if not self.look_alike(one, other, holding):
            return NONE
        match one.statement, one.what, other.what:
            case ir.Move(), ir.Local(slot=slot), ir.Local(slot=again) if slot == again:
                label -= {each for each in label if each.piece == slot}
        emptied = [each.what for each in (one, other) if isinstance(each.statement, ir.MoveSome)]
        found = frozenset(each for each in label if each.thing not in emptied)
        return found if other.statement is None else by(found, other.statement.span, LOOKS_ALIKE)

    def look_alike(self, one: Opening, other: Opening, holding: Holding) -> bool:
        if None in (one.statement, other.statement):
            return True
        if one.clause != other.clause:
            return False
        pairs = list(zip(one.keys, other.keys, strict=False))
        match one.statement, other.statement:
            case ir.Move() | ir.MoveSome() | ir.Draw(), ir.Move() | ir.MoveSome() | ir.Draw():
                if one.statement.to.type != other.statement.to.type:
                    return False
            case ir.Tell(), ir.Tell():
                mine, theirs = one.statement, other.statement
                if (mine.name, mine.what.type) != (theirs.name, theirs.what.type):
                    return False
            case ir.Score(), ir.Score():
                points = _points(one), _points(other)
                if None not in points and points[0] != points[1]:
                    return False
                if self.program.sides:
                    sides = self._side(one.keys[0].expr), self._side(other.keys[0].expr)
                    return None in sides or sides[0] == sides[1]
                pairs = pairs[:1]
            case _:
                return False
        return not any(mine.differs(theirs, holding) for mine, theirs in pairs)

    def _side(self, who: ir.Expr) -> int | None:
        """The side of a named player, or of the players of a named side; else None."""
        match who:
            case ir.EndOf(set=ir.PlayersOf(side=ir.Const(value=int(side)))):
                return side
            case ir.EndOf(set=ir.PlayersOf(side=ir.SideOf(player=ir.Const(value=int(seat))))):
                return next(at for at, side in enumerate(self.program.sides) if seat in side)
        return None


# ---------------------------------------------------------------- certain effects


def never_empty(clause: ir.Clause) -> set[int]:
    """Slots of sets that certainly have members: those tied in a ranking, while unassigned."""
    order = list(everything(clause.body))
    tied = {each.tied_slot for each in order if isinstance(each, ir.Rank)}
    return tied - {slot for each in order for slot in set_by(each)}


def set_by(each: object) -> tuple[int, ...]:
    """The slots that a statement may assign."""
    match each:
        case ir.SetLocal(slot=slot):
            return (slot,)
        case ir.Do(returns=returns):
            return tuple(here for _, here in returns)
        case _:
            return ()


def scores_surely(each: ir.Score, never_empty: set[int]) -> bool:
    """Whether somebody certainly gets the points."""
    who = each.who
    if not isinstance(who.type, ir.SetType):
        return True
    return has_members(who) or (isinstance(who, ir.Local) and who.slot in never_empty)


def moves_surely(each: Moves, never_empty: set[int]) -> bool:
    """Whether at least one piece certainly moves; otherwise nothing may be visible."""
    match each:
        case ir.Move(what=ir.Local(slot=slot)) if slot in never_empty:
            return True
        case ir.Move(what=what):
            return not isinstance(what.type, ir.SetType)
        case ir.MoveSome(most=most, exactly=exactly):
            return exactly and _is_some(most)
        case ir.Draw(count=count, otherwise=otherwise):
            return otherwise is None and (count is None or _is_some(count))


def _is_some(number: ir.Expr | None) -> bool:
    return isinstance(number, ir.Const) and number.value != 0


# ---------------------------------------------------------------- parts of statements


def _blocks(each: ir.Statement) -> list[ir.Block]:
    match each:
        case ir.If():
            return [each.then, each.otherwise]
        case ir.ForEach() | ir.Repeat() | ir.RepeatUntil() | ir.Rank():
            return [each.body]
        case ir.Draw():
            return [each.otherwise or ()]
        case ir.Ask():
            return [*(one.body for one in each.alternatives), each.otherwise or ()]
        case _:
            return []


def _keys(each: ir.Score | Moves) -> tuple[Key, ...]:
    match each:
        case ir.Score(who=who, points=points):
            return Key(who), Key(points)
        case ir.Move(to=to) | ir.MoveSome(to=to) | ir.Draw(to=to):
            found = to.indices if isinstance(to, ir.PlaceAt) else (to,)
            return tuple(map(Key, found))


def _what(each: ir.Score | Moves) -> ir.Expr | None:
    """The piece that is moved by name, or the place that is emptied."""
    match each:
        case ir.Move(what=ir.Local() as what):
            return what
        case ir.MoveSome(binder=ir.Binder(source=ir.Contents(place=place), where=None), most=None):
            return place
    return None


def _points(opening: Opening) -> int | None:
    """The number of points scored, if it is a constant."""
    match opening.statement, opening.keys:
        case ir.Score(loses=loses), (_, Key(expr=ir.Const(value=int(value)))):
            return -value if loses else value
    return None


def _written(code: object) -> Iterator[int]:
    """The slots assigned in a piece of code."""
    for each in everything(code):
        yield from set_by(each)
        match each:
            case ir.Binder(slot=slot) | ir.Draw(slot=slot):
                yield slot
            case ir.Part(set_slot=slot):
                yield slot
            case ir.Rank(tied_slot=tied, place_slot=place, tier_slot=tier):
                yield from (tied, place, tier)


def _each_time(rounds: Rounds) -> int | None:
    """The slot that holds a different thing in each iteration, if there is one."""
    match rounds:
        case ir.ForEach(binder=binder) | ir.Ask(each=ir.Binder() as binder):
            source = binder.source
            while isinstance(source, ir.Filter):
                source = source.binder.source
            different = isinstance(source, ir.Domain | ir.PlayersFrom | ir.Contents)
            return binder.slot if different else None
        case ir.Rank(tied_slot=tied):
            return tied
    return None


def _as_given(opening: Opening, given: Mapping[ir.Local, ir.Expr]) -> Opening:
    """A caller's later effect, in terms of the arguments it passed to the callee."""

    def known(key: Key) -> Key:
        apart = (name for name, each in given.items() if key.differs(Key(each), frozenset()))
        same = (name for name, each in given.items() if each == key.expr and not _vague(each))
        expr = key.expr if isinstance(key.expr, ir.Const) else next(same, SOMEBODY)
        return Key(expr, frozenset(apart))

    return replace(opening, keys=tuple(map(known, opening.keys)), what=None, again=None)


def _reads(expr: ir.Expr, names: frozenset[int]) -> bool:
    return any(isinstance(each, ir.Local) and each.slot in names for each in everything(expr))


def _vague(expr: ir.Expr) -> bool:
    return SOMEBODY in everything(expr)
