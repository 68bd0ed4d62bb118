"""The abstract state at a point of a clause: the label of each name, and the path conditions.

Where two branches meet, a name carries the union of its labels. A statement that tells everyone
something also tells that it was reached: its path conditions are declassified.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, field, replace
from operator import or_

from lawspeaker import ir
from lawspeaker.base.work import charge
from lawspeaker.meaning.secrets.sources import (
    NONE,
    SOMEBODY,
    HiddenSource,
    Label,
    MovedPieces,
    Moves,
    Mutation,
    after_telling,
    followed,
    forgotten,
    open_to,
    places,
    touches,
    went_since,
    whose,
    written_with,
)

Holding = frozenset[ir.Expr]
"""Conditions that certainly hold."""


@dataclass(slots=True)
class State:
    """The abstract state at one point.

    - `conditions`: labels of the caller's path conditions, then of each enclosing block.
    - `untold`: the same, with those disclosed only by the other branch; used for faults, which come
      before anything is told.
    - `rounds`: labels of what loops iterate over, by slot.
    - `shown`: where the pieces lie that markers and states show, by pseudo-slot.
    - `gone`: the pieces that have moved, in terms valid at the beginning of the clause.
    - `told`: expressions that were told, and to whom (None: everyone).
    - `kept`: places shown to somebody who has seen all changes since.
    - `holding`: comparisons that hold here: two players differ, a number is not zero.
    - `left`: set if the clause has been left here: the label of what decided that.
    - `alike`: the part of `conditions` that telling does not disclose.
    """

    known: dict[int, Label] = field(default_factory=dict)
    rounds: dict[int, Label] = field(default_factory=dict)
    shown: dict[int, Label] = field(default_factory=dict)
    conditions: list[Label] = field(default_factory=list)
    untold: list[Label] = field(default_factory=list)
    told: dict[ir.Expr, ir.Expr | None] = field(default_factory=dict)
    changes: frozenset[Mutation] = frozenset()
    gone: Moves = ()
    holding: Holding = frozenset()
    kept: frozenset[tuple[ir.Expr, ir.Expr]] = frozenset()
    left: Label | None = None
    alike: list[Label] = field(default_factory=list)

    def copy(self) -> State:
        return State(
            self.known.copy(),
            self.rounds.copy(),
            self.shown.copy(),
            self.conditions.copy(),
            self.untold.copy(),
            self.told.copy(),
            self.changes,
            self.gone,
            self.holding,
            self.kept,
            self.left,
            self.alike.copy(),
        )

    @property
    def whether(self) -> Label:
        """The label of whether this point is reached."""
        return NONE.union(*self.conditions)

    @property
    def whether_fault(self) -> Label:
        """The label of whether a fault here occurs."""
        return NONE.union(*self.untold)

    # ------------------------------------------------------------ changes

    def changed(self, change: Mutation) -> None:
        self.changes |= {change}
        charge(len(self.known) + len(self.rounds) + len(self.shown))
        for labels in (self.known, self.rounds, self.shown):
            labels.update((slot, forgotten(label, change)) for slot, label in labels.items())
        self.conditions = [forgotten(label, change) for label in self.conditions]
        self.untold = [forgotten(label, change) for label in self.untold]
        self.alike = [forgotten(label, change) for label in self.alike]
        self.told = {
            each: who
            for each, who in self.told.items()
            if not touches(change, each) and (who is None or not touches(change, who))
        }
        self.holding = frozenset(
            each for each in self.holding if not any(touches(change, part) for part in _sides(each))
        )
        self.kept = frozenset(
            (place, who)
            for place, who in self.kept
            if not any(touches(change, each) for each in (*whose(place), who))
        )

    def holds(self, condition: ir.Expr | None) -> None:
        """Assumes a condition from here on."""
        match condition:
            case ir.And(left=left, right=right):
                self.holds(left)
                self.holds(right)
            case ir.Not(operand=ir.Or(left=left, right=right)):
                self.holds(ir.Not(left.type, left))
                self.holds(ir.Not(right.type, right))
            case ir.Not(operand=ir.Not(operand=again)):
                self.holds(again)
            case ir.Exists(binder=binder):
                self.holding |= {condition}
                self.holds(binder.where)
            case ir.Local():
                for meant in self.meanings(condition):
                    self.holds(meant)
            case ir.Compare() | ir.IsEmpty() | ir.Not(operand=ir.Compare() | ir.IsEmpty()):
                self.holding |= {condition}

    def means(self, name: ir.Local, value: ir.Expr) -> None:
        """Assumes that a name equals the value it was assigned."""
        if Mutation("name", name.slot) not in written_with(value):
            self.holds(ir.Compare(ir.TRUTH, "=", name, value))

    def meanings(self, name: ir.Local) -> list[ir.Expr]:
        """The expressions that a name was assigned from, if they are unchanged."""
        return [
            each.right
            for each in self.holding
            if isinstance(each, ir.Compare) and each.operator == "=" and each.left == name
        ]

    def unchanged(self, who: ir.Expr | None) -> ir.Expr | None:
        """A player in terms valid at the beginning of the clause; `SOMEBODY` if changed since."""
        return who if self.changes.isdisjoint(written_with(who)) else SOMEBODY

    def at_first(self, given: HiddenSource) -> HiddenSource:
        """A source that stands for a parameter, in terms valid at the beginning of the clause."""
        (found,) = _without(frozenset([given]), self.changes)
        return found

    def leave(self, *group: MovedPieces) -> None:
        """Records that pieces have moved, in any order."""
        self.gone = followed(self.gone, (frozenset(map(self._gone_at_first, group)),))

    def _gone_at_first(self, gone: MovedPieces) -> MovedPieces:
        if self.changes.isdisjoint(open_to(gone.what) | open_to(frozenset([gone.to]))):
            return gone
        (to,) = _without(frozenset([gone.to]), self.changes)
        return replace(gone, what=_without(gone.what, self.changes), to=to)

    def named(self, slot: int, label: Label) -> None:
        """Assigns a label to a slot. Sources without a named piece are tied to this slot."""
        if slot in self.known:
            self.changed(Mutation("name", slot))
        self.known[slot] = frozenset(
            replace(each, piece=slot) if each.piece is None else each
            for each in forgotten(label, Mutation("name", slot))
        )

    def end_names(self, slots: Iterable[int]) -> None:
        """Ends the scope of names: removes their labels, and forgets sources written with them."""
        for slot in slots:
            del self.known[slot]
            self.changed(Mutation("name", slot))

    def with_names(self, slots: Set[int]) -> State:
        """The state restricted to the scope of these names."""
        found = self.copy()
        found.end_names(self.known.keys() - slots)
        return found

    # ------------------------------------------------------------ declassification

    def tell(self, what: ir.Expr, who: ir.Expr | None) -> None:
        """Declassifies an expression for everyone, or for some."""
        if isinstance(what, ir.Not):
            what = what.operand
        self.told[what] = who
        if isinstance(what, ir.Local):
            self.tell_name(what.slot, who)
        if who is None:
            self.told_that()

    def keep(self, what: ir.Expr, who: ir.Expr) -> None:
        """Records that all contents of a place were shown to somebody."""
        match what:
            case ir.Filter(binder=ir.Binder(source=ir.Contents(place=place), where=None)):
                self.kept |= {(place, who)}

    def told_that(self) -> None:
        """Declassifies the path conditions, except between branches that look alike."""
        self.conditions = self.alike.copy()
        self.untold = self.alike.copy()

    def tell_name(self, slot: int, who: ir.Expr | None) -> None:
        """Declassifies a name, and so whatever was computed from it."""
        given = any(each.given and each.slot == slot for each in self.known.get(slot, NONE))
        own = given and Mutation("name", slot) not in self.changes

        def without(label: Label, named: bool) -> Label:
            about = frozenset(
                each
                for each in label
                if named or each.piece == slot or (own and each.given and each.slot == slot)
            )
            if who is None:
                return label - about | after_telling(about)
            return label - about | {replace(each, told=each.told | {who}) for each in about}

        self.known = {at: without(label, at == slot) for at, label in self.known.items()}

    # ------------------------------------------------------------ copies and joins

    def met(self, other: State) -> State:
        """Joins two branches. One that has left the clause contributes nothing but the condition
        for it."""
        if self.left is not None and other.left is not None:
            return replace(self, left=self.left | other.left)
        if self.left is not None:
            return other.met(self)
        if other.left is not None:
            found = self.copy()
            found.conditions[0] |= other.left
            found.untold[0] |= other.left
            return found
        return State(
            _either(self.known, other.known),
            _either(self.rounds, other.rounds),
            _either(self.shown, other.shown),
            list(map(or_, self.conditions, other.conditions)),
            list(map(or_, self.untold, other.untold)),
            {each: who for each, who in self.told.items() if (each, who) in other.told.items()},
            self.changes | other.changes,
            followed(self.gone, went_since(self.gone, other.gone)),
            self.holding & other.holding,
            self.kept & other.kept,
            None,
            list(map(or_, self.alike, other.alike)),
        )


def _sides(condition: ir.Expr) -> tuple[ir.Expr, ...]:
    """The operands of a comparison; the condition itself, if it is none."""
    match condition:
        case ir.Compare(left=left, right=right):
            return (left, right)
        case ir.Not(operand=ir.Compare(left=left, right=right)):
            return (left, right)
    return (condition,)


def _without(label: Label, changes: frozenset[Mutation]) -> Label:
    """A label after several changes."""
    for change in changes & open_to(label):
        label = forgotten(label, change)
    return label


def _either(one: dict[int, Label], other: dict[int, Label]) -> dict[int, Label]:
    """Joins labels by slot. A piece that is hidden on one branch may lie in a public place on the
    other."""
    found = {**one, **other}
    for at in one.keys() & other.keys():
        found[at] = one[at] | other[at] | places(one[at]) | places(other[at])
    return found


def all_met(states: Iterable[State]) -> State:
    """Joins several states."""
    first, *others = states
    for each in others:
        first = first.met(each)
    return first
