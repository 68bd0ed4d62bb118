"""Labels of expressions: the hidden sources that a value is computed from.

The number of pieces in a place is public unless declared hidden, so counting or testing for
emptiness reads nothing hidden. A name carries the label of its value. A defined value is analysed
once, in terms of its parameters; its own names are not visible outside.

A fault stops the game, which everyone sees. So whatever decides whether an expression faults is
disclosed to everyone (`fails`): its operands, and the path condition under which it is evaluated
(`path`).
"""

from __future__ import annotations

from collections.abc import Container, Sequence, Set
from dataclasses import dataclass, field, replace

from lawspeaker import ir
from lawspeaker.ir.cost import SMALL
from lawspeaker.ir.walk import children
from lawspeaker.meaning.secrets.ranges import (
    NO_OWNER,
    Owner,
    Ranges,
    adds_up,
    divides,
    lacks,
    may_be_nothing,
    surely_finds,
    was_gone_through,
)
from lawspeaker.meaning.secrets.sources import (
    ALIKE,
    FROM_ANYTHING,
    NOBODY,
    NONE,
    OPEN,
    SOMEBODY,
    HiddenSource,
    Label,
    Mutation,
    SecretStep,
    Sort,
    after_telling,
    anywhere,
    by,
    differ,
    few,
    forgotten,
    holds_pieces,
    in_arguments,
    innermost,
    opened,
    outside,
    passed,
    read,
    turned_up,
)
from lawspeaker.meaning.secrets.state import Holding, State

Shows = ir.Marker | ir.State
Node = ir.Expr | ir.Statement | ir.Binder
Steps = tuple[tuple[Label, int], ...]
"""Numbers of machine steps, each with the label that decides how many."""
Carries = ir.Move | ir.MoveSome | ir.Draw
PAID_WHEN_DONE = (
    *(ir.Binder, ir.Count, ir.Exists, ir.Every, ir.SumOf, ir.Collect, ir.Extreme, ir.Filter),
    *(ir.The, ir.Region, ir.Possible, ir.SupposingDone, ir.PathLength),
)
"""Nodes charged dynamically, when they are evaluated, if they may take many steps."""
FIRST = "of these, which have no order, the first is taken by its kind"
FAILS = "this is not always possible"
ROOM = "whether there is room, which everyone sees since the game stops if there is none,"
_ROUNDS = 8
"""Iterations after which a label that still grows is widened to anything."""


@dataclass(slots=True)
class Declarations:
    """The declarations, and caches of analysis results: `possible` is the label of each clause's
    leading question; `looked_at` is all that clauses used in `supposing` read and move."""

    families: Sequence[ir.Family]
    markers: Sequence[ir.Marker]
    pieces: Sequence[ir.Piece]
    functions: Sequence[ir.Function]
    players: Sequence[str]
    ranges: Ranges | None = None
    """The interval analysis; None if faults are not analysed."""
    certain: Set[int] = frozenset()
    """The ids of statements that certainly find what they move."""
    possible: dict[int, Label] = field(default_factory=dict)
    looked_at: dict[int, Label] = field(default_factory=dict)
    failing: set[int] = field(default_factory=set)
    """Clauses that can fault."""
    possible_failing: dict[int, Label] = field(default_factory=dict)
    """By clause, what decides whether enumerating its answers faults."""
    supposed: frozenset[int] = frozenset()
    shown: dict[int, Shows] = field(init=False)
    """Markers and states that show pieces to somebody, by pseudo-slots below those of all names."""
    hidden_steps: dict[int, Steps] = field(default_factory=dict)
    """By defined value, the steps it takes that depend on something."""
    _looked: dict[int, Label] = field(default_factory=dict)
    _failing: dict[int, Label | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shows: list[Shows] = [*self.markers]
        shows += [state for piece in self.pieces for state in piece.states]
        shows = [each for each in shows if holds_pieces(each.type) and each.seen_by != "nobody"]
        self.shown = dict(enumerate(shows, start=ALIKE.slot - len(shows)))

    def hidden(self, place: ir.Expr) -> bool:
        return isinstance(place.type, ir.PlaceType) and self.seen_by(place) != "everyone"

    def family(self, place: ir.Expr) -> ir.Family:
        assert isinstance(place.type, ir.PlaceType)
        return self.families[place.type.index]

    def seen_by(self, place: ir.Expr) -> ir.SeenBy:
        return self.family(place).seen_by

    def top_seen_by(self, place: ir.Expr) -> ir.SeenBy:
        """The players who see the top of a pile that is not visible as a whole."""
        return self.family(place).top_seen_by

    def counted(self, place: ir.Expr) -> bool:
        """Whether everyone sees how many pieces lie in a place, or on top of it."""
        place = place.place if isinstance(place, ir.TopOf) else place
        if not isinstance(place.type, ir.PlaceType):
            return False
        return self.families[place.type.index].count_seen_by == "everyone"

    def anywhere(self, piece: ir.PieceType) -> Label:
        """The label of a piece that may lie anywhere and whose identity is public."""
        if all(each.seen_by == "everyone" for each in self.families if each.holds == piece.index):
            return NONE
        return frozenset([anywhere(piece)])

    def of_function(self, number: int) -> Label:
        """The label of a defined value in terms of its parameters. Memoised."""
        if number not in self._looked:
            function = self.functions[number]
            given = parameters(function)
            looking = Defined(self, State(known=given), ("function", number))
            meant: dict[int, ir.Expr] = {
                at: ir.Local(slot.type, at, slot.name) for at, slot in enumerate(function.slots)
            }
            for slot, value in function.lets:
                looking.state.known[slot] = looking.looks(value)
                meant[slot] = in_arguments(value, meant)
            self._looked[number] = passed(looking.looks(function.result), given, meant)
            if looking.failing is not None:
                self._failing[number] = passed(looking.failing, given, meant)
            self.hidden_steps[number] = tuple(
                (passed(label, given, meant), steps) for label, steps in looking.hidden_steps
            )
        return self._looked[number]

    def failing_of_function(self, number: int) -> Label | None:
        """The label that decides whether a defined value faults; None if it never does."""
        self.of_function(number)
        return self._failing.get(number)

    # ------------------------------------------------------------ viewers

    def knows(
        self, who: ir.Expr | None, source: HiddenSource, holding: Holding = frozenset()
    ) -> bool:
        """Whether a player certainly knows a source; None is everyone; nobody is told nothing.
        `holding` are comparisons known to be true."""
        if who == NOBODY or source.thing == OPEN:
            return True
        if who is None or who == SOMEBODY:
            return False
        thing = source.thing
        top = isinstance(thing, ir.TopOf)
        match thing.place if isinstance(thing, ir.TopOf) else thing:
            case ir.PlaceAt(family=family, indices=indices):
                sorts, owner = self._sorts(family, top), (*indices, None)[0]
            case ir.MarkerValue(marker=marker, indices=indices):
                sorts, owner = [self.markers[marker].seen_by], (*indices, None)[0]
            case ir.Local(type=ir.PlaceType(index=family)) as place:
                sorts, owner = self._sorts(family, top), ir.OwnerOf(who.type, place)
            case _:
                sorts, owner = [], None
        return who in source.told or any(self.sees(who, each, owner, holding) for each in sorts)

    def _sorts(self, family: int, top: bool) -> list[ir.SeenBy]:
        """The players who see the contents of a place, or its top."""
        found = self.families[family]
        return [found.seen_by, found.top_seen_by] if top else [found.seen_by]

    def sees(
        self, who: ir.Expr, seen_by: ir.SeenBy, owner: ir.Expr | None, holding: Holding
    ) -> bool:
        """Whether a player is certainly among those who see something of an owner."""
        if seen_by == ir.OTHERS:
            return owner is not None and differ(who, owner, holding)
        return who in self.seers(seen_by, owner)

    def seers(self, seen_by: ir.SeenBy, owner: ir.Expr | None) -> list[ir.Expr]:
        """The players who see something of an owner, where they can be named."""
        if seen_by == ir.OTHERS:
            return [SOMEBODY]
        named = (
            owner if each == "owner" else ir.Const(ir.PLAYER, self.players.index(each))
            for each in ir.seers(seen_by)
            if each == "owner" or each in self.players
        )
        return [each for each in named if each is not None]

    def whose(self, source: HiddenSource) -> str:
        """Describes a hidden source for a diagnostic: what it is, and who sees it."""
        thing, top = source.thing, ""
        seen_by: ir.SeenBy
        if isinstance(thing, ir.TopOf):
            thing, top = thing.place, "the top of "
        match thing:
            case (
                ir.PlaceAt(family=family)
                | ir.PlaceOf(family=family)
                | ir.Occupied(family=family)
                | ir.OpenPlaces(family=family)
                | ir.Local(type=ir.PlaceType(index=family))
            ):
                sees = (each for sort in self._sorts(family, bool(top)) for each in ir.seers(sort))
                name, seen_by = self.families[family].name, tuple(dict.fromkeys(sees))
            case ir.MarkerValue(marker=marker):
                name, seen_by = self.markers[marker].name, self.markers[marker].seen_by
            case ir.Domain(of=of):
                return f"where a `{of}` lies, or what it shows there"
            case ir.Local(name="luck"):
                return "luck that is not told, since it goes where not everyone sees it"
            case _:
                return "something hidden"
        return f"{top}`{name}`, which {_who(seen_by)}"


def _who(seen_by: ir.SeenBy) -> str:
    """The players who see something, in words."""
    named = [each for each in ir.seers(seen_by) if each != "nobody"]
    if not named:
        return "nobody sees"
    if ir.OTHERS in named:
        return "its owner does not see"
    *some, last = ("its owner" if each == "owner" else each for each in named)
    return f"only {', '.join(some)} and {last} see" if some else f"only {last} sees"


def parameters(of: ir.Clause | ir.Function) -> dict[int, Label]:
    """The initial labels of parameters: each stands for itself."""
    return {
        at: frozenset([HiddenSource(ir.Local(slot.type, at, slot.name), Sort.GIVEN)])
        for at, slot in enumerate(of.slots[: of.parameters])
    }


class Looking:
    """Computes labels of expressions in a state. `owner` is the clause or definition whose slots
    they use."""

    def __init__(self, table: Declarations, state: State, owner: Owner = NO_OWNER) -> None:
        self.table = table
        self.state = state
        self.owner = owner
        self.path = NONE
        """The label of the path condition under which the expression is evaluated."""
        self.telling = False
        """Whether the value itself is told: then its overflow discloses nothing more."""
        self.dear = False
        """Whether the node is inside another whose steps are counted already."""

    def looks(self, node: ir.Expr | ir.Binder | None) -> Label:
        """The label of an expression or binder. Names bound inside are in the state afterwards;
        conditions assumed inside are not."""
        if node is None:
            return NONE
        holding, outer, steps = self.state.holding, self.dear, self._steps(node)
        self.dear = outer or steps > 0
        found = self._told(node, self._looks(node))
        self.dear = outer
        if isinstance(node, ir.Expr):
            self.state.holding &= holding
        if steps:
            self.takes(node, self._decides_steps(node, found) | self.path, steps)
        return few(found if holds_pieces(node.type) else read(found))

    def _steps(self, node: ir.Expr | ir.Binder) -> int:
        """The most steps a node can take; 0 if prepaid or counted as part of an outer node."""
        ranges = self.table.ranges
        if ranges is None or self.dear or not isinstance(node, PAID_WHEN_DONE):
            return 0
        with ranges.names_of(self.owner):
            steps = ranges.steps(node)
        return steps if steps > SMALL else 0

    def _decides_steps(self, node: ir.Expr | ir.Binder, found: Label) -> Label:
        """The label that decides the number of steps of a node. For combinations that take equally
        many steps each, that is how many there are."""
        binder = node if isinstance(node, ir.Binder) else getattr(node, "binder", None)
        if binder is None or self.table.ranges is None:
            return read(found)
        value = getattr(node, "condition", getattr(node, "value", None))
        with self.table.ranges.names_of(self.owner):
            if not self.table.ranges.same_for_each(binder, value):
                return read(found)
        return self._many(replace(binder, where=None), self.looks(binder.source))

    def takes(self, node: Node, label: Label, steps: int) -> None:
        """Hook: a node takes up to `steps` steps; `label` decides how many."""

    def fails(self, node: Node, label: Label, seen: str = "") -> None:
        """Hook: a node can fault; `label`, besides the path condition, decides whether."""

    def fails_to_find(self, node: Node, binder: ir.Binder, many: Label) -> None:
        """Reports a possible fault if a binder may find nothing."""
        if surely_finds(binder, self.state.holding):
            return
        if surely_finds(binder, self.state.holding, if_any=True):
            source = replace(binder, where=None)
            many = self._many(source, self.looks(binder.source))
        self.fails(node, many)

    def moved(self, statement: Carries) -> tuple[Label, Label]:
        """The labels of what is moved and of how many. Reports the possible faults: too few pieces,
        or no room."""
        to = statement.to
        match statement:
            case ir.Move(what=several):
                what, many = self.looks(several), NONE
            case ir.MoveSome(binder=binder, most=most, exactly=exactly):
                many = self.how_many(binder) | self.looks(most)
                what = self.looks(binder)
                one = _is_one(most) and surely_finds(binder, self.state.holding)
                one = one or most == ir.Const(ir.NUMBER, 0)
                if exactly and not one and id(statement) not in self.table.certain:
                    self.fails(statement, many)
                if most is not None:
                    what = self.one_of(binder, what)
            case ir.Draw(count=count, source=source, otherwise=otherwise, below=below):
                many = self.looks(count) | self.looks(source)
                number = self.table.family(source).holds
                held = ir.SetType(ir.PieceType(self.table.pieces[number].name, number))
                empty = self.looks(ir.IsEmpty(ir.TRUTH, ir.Contents(held, source)))
                end = self.inside(source) if below else self.top(source)
                what = frozenset([end]) if self.table.hidden(source) else NONE
                if otherwise is None:
                    self.fails(statement, many | empty)
                else:
                    many |= empty
        if self.table.family(to).room is not None and not self._has_room(statement):
            full = NONE if self.table.counted(to) else frozenset([self.source(to)])
            exactly = isinstance(statement, ir.MoveSome) and statement.exactly
            self.fails(statement, full if exactly else full | many, seen=ROOM)
        return what, many

    def _has_room(self, statement: Carries) -> bool:
        """Whether a single piece goes to a place that a condition says is free."""
        match statement:
            case ir.Move(what=what) if isinstance(what.type, ir.SetType):
                return False
            case ir.MoveSome(most=most) if not _is_one(most):
                return False
            case ir.Draw(count=count) if count is not None:
                return False
        for condition in self.state.holding:
            match condition:
                case ir.IsEmpty(set=ir.Contents(place=place)) if place == statement.to:
                    return True
        return False

    def may_fail(self, expr: ir.Expr, label: Label) -> None:
        """Reports a fault if the interval analysis cannot exclude it."""
        ranges = self.table.ranges
        if ranges is not None and not (self.telling and adds_up(expr)):
            with ranges.names_of(self.owner):
                if ranges.can_fail(expr, self.state.holding):
                    self.fails(expr, label)

    def only_if(
        self, label: Label, condition: ir.Expr | None, node: ir.Expr | ir.Binder | None
    ) -> Label:
        """The label of a node that is evaluated only if a condition, decided by `label`, holds."""
        outer, self.path = self.path, self.path | label
        self.state.holds(condition)
        found = self.looks(node)
        self.path = outer
        return found

    def _told(self, node: ir.Expr | ir.Binder, found: Label) -> Label:
        for what, who in self.state.told.items():
            if what == node:
                if who is None:
                    return after_telling(found)
                return frozenset(replace(each, told=each.told | {who}) for each in found)
        return found

    def _looks(self, node: ir.Expr | ir.Binder) -> Label:
        table = self.table
        match node:
            case ir.Local(slot=slot):
                return self.state.known.get(slot, NONE)
            case ir.Domain(of=ir.PieceType() as piece):
                return table.anywhere(piece)
            case ir.PieceState(piece=piece, state=state, of=of, indices=indices):
                holder = table.pieces[piece].states[state].seen_by == "holder"
                found = self.looks(of)
                if may_be_nothing(of):
                    self.fails(node, self._is_there(found))
                found = turned_up(found) if holder else read(found)
                return found | self._index(node, indices) | self._shown(node)
            case ir.MarkerValue(marker=marker, indices=indices):
                found = self._index(node, indices) | self._shown(node)
                seen = table.markers[marker].seen_by == "everyone"
                return found if seen else found | {self.source(node)}
            case ir.TopOf(place=place) if table.top_seen_by(place) != "nobody":
                return self._inside(node) | {self.top(place)}
            case ir.Contents(place=place) | ir.TopOf(place=place) | ir.ItemOf(place=place):
                found = self._inside(node)
                if table.hidden(place):
                    found |= {self.inside(place)}
                return found
            case ir.PlaceOf(family=family, of=of):
                found = self.looks(of)
                if may_be_nothing(of):
                    self.fails(node, self._is_there(found))
                seen = table.families[family].seen_by == "everyone"
                return found if seen else found | {self.source(node)}
            case ir.Occupied(family=family) | ir.OpenPlaces(family=family):
                counted = table.families[family].count_seen_by == "everyone"
                return NONE if counted else frozenset([self.source(node)])
            case ir.IsEmpty(set=several) if self._all_counted(several):
                return outside(self.looks(several))
            case ir.Compare(operator="=", left=left, right=ir.Const(value=None)):
                return self._is_there(self.looks(left))
            case ir.Count(binder=binder) | ir.Exists(binder=binder):
                return self.how_many(binder)
            case ir.And(left=left, right=right):
                found = self.looks(left)
                return found | self.only_if(found, left, right)
            case ir.Or(left=left, right=right):
                found = self.looks(left)
                return found | self.only_if(found, ir.Not(left.type, left), right)
            case ir.Conditional(condition=condition, then=then, otherwise=otherwise):
                found = self.looks(condition)
                holding = self.state.holding
                first = self.only_if(found, condition, then)
                self.state.holding = holding
                other = ir.Not(condition.type, condition)
                return found | first | self.only_if(found, other, otherwise)
            case ir.The(binder=binder):
                found = self.looks(binder)
                self.fails_to_find(node, binder, self._many(binder, found))
                return self.one_of(binder, found)
            case ir.Extreme(binder=binder, value=value, otherwise=otherwise):
                found = self.looks(binder)
                many = self._many(binder, found)
                if otherwise is None:
                    self.fails_to_find(node, binder, many)
                return found | self.only_if(many, None, value) | self.looks(otherwise)
            case ir.EndOf(set=several):
                return self.one_of(several, self.looks(several))
            case ir.Binder():
                return self._binds(node)
            case ir.Region(standing=standing, step=step):
                return self._reaches(standing, step)
            case ir.Subsets(least=least, most=most, source=several):
                sizes = read(self.looks(least) | self.looks(most))
                found = self.looks(several)
                many = outside(found) if self._all_counted(several) else read(found)
                if not was_gone_through(node, self.state.holding):
                    self.may_fail(node, sizes | many)
                return found | sizes
            case ir.CallFunction(function=number, arguments=arguments):
                failing = table.failing_of_function(number)
                given, labels = dict(enumerate(arguments)), self.labels_of(arguments)
                if failing is not None:
                    self.fails(node, passed(failing, labels, given))
                for label, steps in table.hidden_steps.get(number, ()) if not self.dear else ():
                    self.takes(node, passed(label, labels, given) | self.path, steps)
                return passed(table.of_function(number), labels, given)
            case ir.Possible(clause=clause, arguments=arguments):
                given, labels = dict(enumerate(arguments)), self.labels_of(arguments)
                if clause in table.possible_failing:
                    self.fails(node, passed(table.possible_failing[clause], labels, given))
                return passed(table.possible[clause], labels, given)
            case ir.Supposing(piece=piece, place=place, condition=condition):
                return opened(self.looks(piece)) | self.looks(place) | self.looks(condition)
            case ir.SupposingDone(clause=clause, arguments=arguments, condition=condition):
                # Supposed effects are not visible: whatever they read or move may be recovered by
                # the condition.
                looked_at = table.looked_at.get(clause, FROM_ANYTHING)
                found = passed(looked_at, self.labels_of(arguments), dict(enumerate(arguments)))
                if clause in table.failing:
                    self.fails(node, found)
                return found | self.looks(condition)
            case _:
                return self._inside(node)

    def _is_there(self, thing: Label) -> Label:
        """The label that the existence of a top piece, or of a drawn one, discloses."""
        counted = self.table.counted
        return frozenset(
            each for each in thing if each.sort is not Sort.INSIDE or not counted(each.thing)
        )

    def how_many(self, binder: ir.Binder) -> Label:
        """The label that the number of things found by a binder discloses."""
        return self._many(binder, self._binds(binder))

    def _many(self, binder: ir.Binder, found: Label) -> Label:
        """The same, given the label `found` of those things."""
        if binder.where is None and self._all_counted(binder.source):
            # The identity of the piece stays undisclosed until its name is used.
            return outside(found)
        return read(_of_any(found, binder.slot))

    def _all_counted(self, several: ir.Expr) -> bool:
        """Whether a set is all pieces of a place whose number is public."""
        while True:
            match several:
                case ir.Contents(place=place):
                    return self.table.counted(place)
                case ir.Filter(binder=ir.Binder(where=None, source=source)):
                    several = source
                case ir.Subsets(source=source):
                    several = source
                case ir.CallFunction(function=number) if not self.table.functions[number].lets:
                    several = self.table.functions[number].result
                case _:
                    return False

    def one_of(self, several: ir.Expr | ir.Binder, label: Label) -> Label:
        """The label that taking one of several pieces discloses: if they are unordered, its kind
        decides."""
        which = (replace(each, sort=Sort.READ) for each in label if self._sorted(each))
        return label | by(frozenset(which), several.span, FIRST)

    def _sorted(self, source: HiddenSource, arranged: Container[str] = ("heap",)) -> bool:
        """Whether the first of some hidden pieces is chosen by its kind; `arranged` are the
        arrangements of places that may be unordered."""
        if source.sort is not Sort.INSIDE or not isinstance(source.thing.type, ir.PlaceType):
            return False
        family = self.table.family(source.thing)
        piece = self.table.pieces[family.holds]
        alike = len(piece.kinds) == 1 and not piece.per_player
        return family.arranged in arranged and family.room != 1 and not alike

    def _binds(self, binder: ir.Binder) -> Label:
        """The label of the things that a binder finds; its name carries it from now on."""
        slot = binder.slot
        found = self.looks(binder.source)
        self.state.named(slot, found)
        many = self._many(replace(binder, where=None), found)
        where = _of_any(self.only_if(many, None, binder.where), slot)
        self.state.known[slot] |= where
        self.state.holds(binder.where)
        return found | where

    def _reaches(self, standing: ir.Binder, step: ir.Binder) -> Label:
        """The label of a region: its start, and all that is read on the way, to a fixed point.
        Pieces of a region are sorted by kind, so their order discloses what they are."""
        found = self.looks(standing)
        for _ in range(_ROUNDS):
            self.state.named(standing.slot, found)
            further = found | _of_any(self.looks(step), standing.slot)
            if further == found:
                return found | read(found)
            found = further
        return FROM_ANYTHING

    def _shown(self, node: ir.Expr) -> Label:
        """The label of a piece known only through what shows it: it may lie anywhere."""
        piece = innermost(node.type)
        return self.table.anywhere(piece) if isinstance(piece, ir.PieceType) else NONE

    def labels_of(self, arguments: Sequence[ir.Expr]) -> dict[int, Label]:
        """The labels of arguments, by number."""
        return {at: self.looks(each) for at, each in enumerate(arguments)}

    def _inside(self, node: object) -> Label:
        """The label of a node's operands, which also decides whether the node faults."""
        found, label, outer = NONE, NONE, self.path
        for each in children(node):
            label = self.looks(each)
            found |= label
            if isinstance(each, ir.Binder):
                self.path |= self._many(each, label)
            elif isinstance(node, ir.Expr) and may_be_nothing(each) and lacks(node):
                self.fails(node, self._is_there(label))
        self.path = outer
        if isinstance(node, ir.Expr):
            self.may_fail(node, label if divides(node) else found)
        return found

    def _index(self, node: ir.Expr, indices: Sequence[ir.Expr]) -> Label:
        """The label of indices; reports a possible fault if no entry may have them."""
        found = NONE.union(*map(self.looks, indices))
        self.may_fail(node, found)
        return found

    def inside(self, place: ir.Expr) -> HiddenSource:
        """The source of a place's hidden contents, with those to whom it was shown since."""
        told = frozenset(who for shown, who in self.state.kept if shown == place)
        return replace(self.source(place, Sort.INSIDE), told=told)

    def top(self, place: ir.Expr) -> HiddenSource:
        """The source of the top of a pile."""
        match self.table.top_seen_by(place):
            case "nobody":
                return self.inside(place)
            case "everyone":
                return self.source(place, Sort.LIES)
            case _:
                held = ir.PieceType("", self.table.family(place).holds)
                return self.source(ir.TopOf(held, place, span=place.span), Sort.INSIDE)

    def source(self, thing: ir.Expr, sort: Sort = Sort.READ) -> HiddenSource:
        source = HiddenSource(thing, sort)
        return replace(source, way=SecretStep(thing.span, "this is hidden"))


def _is_one(number: ir.Expr | None) -> bool:
    return isinstance(number, ir.Const) and number.value == 1


class Defined(Looking):
    """Analyses a definition. `failing` decides whether it faults; None if it never does."""

    failing: Label | None = None
    hidden_steps: Steps = ()

    def takes(self, node: Node, label: Label, steps: int) -> None:
        if label:
            self.hidden_steps = (*self.hidden_steps, (label, steps))

    def fails(self, node: Node, label: Label, seen: str = "") -> None:
        decides = by(label | self.path, node.span, FAILS)
        self.failing = decides if self.failing is None else self.failing | decides


def _of_any(label: Label, slot: int) -> Label:
    """A label with a bound name removed, since it means nothing outside of its binder."""
    return forgotten(label, Mutation("name", slot))
