"""What is known at a point of a clause: what each name carries, and under which hidden conditions
the clause has come here.

Two ways that meet leave a name with what it carries on either of them. A deed that tells everyone
something also tells that it is done: the conditions it was done under are no secret after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass, field, replace
from operator import or_

from lawspeaker import ir
from lawspeaker.base.work import charge
from lawspeaker.ir.types import TRUTH
from lawspeaker.meaning.secrets.sources import (
    NONE,
    SOMEBODY,
    Change,
    Gone,
    Label,
    Moves,
    Source,
    followed,
    forgotten,
    open_to,
    places,
    told,
    touches,
    went_since,
    whose,
    written_with,
)

Holding = frozenset[ir.Expr]
"""Conditions that surely hold."""


@dataclass(slots=True)
class State:
    """`conditions` are those of the clause's caller, then of the blocks around, one each. `untold`
    are the same, with those that only the other way tells: a fault comes before that.

    `rounds` is what loops have in mind of all their rounds, by the name of what they go through.
    `shown` is where the pieces lie that markers and states show, by the number that stands for
    each. `gone` are the pieces that have gone, in the words of those who know nothing of `changes`.
    `told` are expressions that were told, to whom (None: everyone); `kept` are places that were
    shown to somebody, who has seen since what became of them. `holding` are comparisons that
    hold here: two players are not the same, a number is not zero. `left` is set where the clause
    has been left: what decided that.
    """

    known: dict[int, Label] = field(default_factory=dict)
    rounds: dict[int, Label] = field(default_factory=dict)
    shown: dict[int, Label] = field(default_factory=dict)
    conditions: list[Label] = field(default_factory=list)
    untold: list[Label] = field(default_factory=list)
    told: dict[ir.Expr, ir.Expr | None] = field(default_factory=dict)
    changes: frozenset[Change] = frozenset()
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
        """What decides whether something is done here."""
        return NONE.union(*self.conditions)

    @property
    def whether_fault(self) -> Label:
        """What decides whether a fault here is one."""
        return NONE.union(*self.untold)

    # ------------------------------------------------------------ changes

    def changed(self, change: Change) -> None:
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
        """From here on a condition holds."""
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
        """A name was given this value."""
        if Change("name", name.slot) not in written_with(value):
            self.holds(ir.Compare(TRUTH, "=", name, value))

    def meanings(self, name: ir.Local) -> list[ir.Expr]:
        """What a name was given its value from, as long as that is the same."""
        return [
            each.right
            for each in self.holding
            if isinstance(each, ir.Compare) and each.operator == "=" and each.left == name
        ]

    def unchanged(self, who: ir.Expr | None) -> ir.Expr | None:
        """Somebody, as those would say it who know nothing of the changes since the beginning."""
        return who if self.changes.isdisjoint(written_with(who)) else SOMEBODY

    def at_first(self, given: Source) -> Source:
        """The same of something given."""
        (found,) = _without(frozenset([given]), self.changes)
        return found

    def leave(self, *group: Gone) -> None:
        """Pieces have gone, in any order."""
        self.gone = followed(self.gone, (frozenset(map(self._gone_at_first, group)),))

    def _gone_at_first(self, gone: Gone) -> Gone:
        if self.changes.isdisjoint(open_to(gone.what) | open_to(frozenset([gone.to]))):
            return gone
        (to,) = _without(frozenset([gone.to]), self.changes)
        return replace(gone, what=_without(gone.what, self.changes), to=to)

    def named(self, slot: int, label: Label) -> None:
        """A name means something else now, and carries this. What has no name is known by it."""
        if slot in self.known:
            self.changed(Change("name", slot))
        self.known[slot] = frozenset(
            replace(each, piece=slot) if each.piece is None else each
            for each in forgotten(label, Change("name", slot))
        )

    def end_names(self, slots: Iterable[int]) -> None:
        """Names hold no longer: nothing more is asked of them, and what was written with them is
        somebody's."""
        for slot in slots:
            del self.known[slot]
            self.changed(Change("name", slot))

    def with_names(self, slots: Set[int]) -> State:
        """The same where only these names hold."""
        found = self.copy()
        found.end_names(self.known.keys() - slots)
        return found

    # ------------------------------------------------------------ telling

    def tell(self, what: ir.Expr, who: ir.Expr | None) -> None:
        """Something is told to everyone or to some."""
        if isinstance(what, ir.Not):
            what = what.operand
        self.told[what] = who
        if isinstance(what, ir.Local):
            self.tell_name(what.slot, who)
        if who is None:
            self.told_that()

    def keep(self, what: ir.Expr, who: ir.Expr) -> None:
        """All that lies in a place was shown to somebody."""
        match what:
            case ir.Filter(binder=ir.Binder(source=ir.Contents(place=place), where=None)):
                self.kept |= {(place, who)}

    def told_that(self) -> None:
        """Everyone knows now what has led to here, but which of two ways it was that may begin
        alike."""
        self.conditions = self.alike.copy()
        self.untold = self.alike.copy()

    def tell_name(self, slot: int, who: ir.Expr | None) -> None:
        """What a name means is told, and so whatever was taken from it."""
        given = any(each.given and each.slot == slot for each in self.known.get(slot, NONE))
        own = given and Change("name", slot) not in self.changes

        def without(label: Label, named: bool) -> Label:
            about = frozenset(
                each
                for each in label
                if named or each.piece == slot or (own and each.given and each.slot == slot)
            )
            if who is None:
                return label - about | told(about)
            return label - about | {replace(each, told=each.told | {who}) for each in about}

        self.known = {at: without(label, at == slot) for at, label in self.known.items()}

    # ------------------------------------------------------------ ways that part and meet

    def met(self, other: State) -> State:
        """What is known where two ways meet; one that has left the clause does not come here, but
        whether it was gone decides whether anything comes here."""
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
    """What a condition compares; itself, if it does not."""
    match condition:
        case ir.Compare(left=left, right=right):
            return (left, right)
        case ir.Not(operand=ir.Compare(left=left, right=right)):
            return (left, right)
    return (condition,)


def _without(label: Label, changes: frozenset[Change]) -> Label:
    """A label, without what was known by words that mean something else since."""
    for change in changes & open_to(label):
        label = forgotten(label, change)
    return label


def _either(one: dict[int, Label], other: dict[int, Label]) -> dict[int, Label]:
    """What names carry that carry one thing or the other. A piece that lies hidden on one way may
    lie where everyone sees it on the other."""
    found = {**one, **other}
    for at in one.keys() & other.keys():
        found[at] = one[at] | other[at] | places(one[at]) | places(other[at])
    return found


def all_met(states: Iterable[State]) -> State:
    first, *others = states
    for each in others:
        first = first.met(each)
    return first
