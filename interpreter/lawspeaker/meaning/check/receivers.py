"""Lowers one thing for each of several receivers, as one answer.

`card in hand of player for each player as receiver except player` is chosen as a whole: a card for
the first receiver, another for the second, … For each possible number of receivers there is an
alternative with two parts per receiver: the receiver, which has a single option, and what is chosen
for it. The machines know nothing of it. A guard that mentions the thing or its receiver applies to
each pair, any other to the whole; the consequences are done for each pair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.walk import rebuilt, replaced, slots_read
from lawspeaker.meaning.check.paths import Paths, fresh
from lawspeaker.text import syntax as s

MOST_RECEIVERS = 8


@dataclass(frozen=True, slots=True)
class Receivers:
    """A choice per receiver that is being checked. `things` is the slot of all that is chosen,
    `pairs` are the slots of each receiver and of what is for it; `fewest` is the least number of
    receivers; `listed` is the slot used to enumerate them."""

    thing: ir.Binder
    receiver: ir.Binder
    things: int
    pairs: tuple[tuple[int, int], ...]
    fewest: int
    listed: int
    span: Span

    def is_of_a_pair(self, guard: ir.Guard) -> bool:
        """Whether a guard applies to each pair rather than to the whole."""
        pair = {self.thing.slot, self.receiver.slot}
        return not pair.isdisjoint(slots_read(guard.condition))

    def alternatives(self, whole: ir.Alternative) -> list[ir.Alternative]:
        """One alternative per number of receivers. The last part of `whole` stands for all
        pairs."""
        most = len(self.pairs)
        return [self._for_so_many(whole, many) for many in range(self.fewest, most + 1)]

    def _for_so_many(self, whole: ir.Alternative, many: int) -> ir.Alternative:
        before = whole.parts[:-1]
        parts = [part for at in range(many) for part in self._parts(at, many)]
        guards: list[ir.Guard] = []
        ready: list[int] = []
        for guard, due in zip(whole.guards, whole.ready, strict=True):
            if self.is_of_a_pair(guard):
                for at in range(many):
                    guards.append(_renamed(guard, self._names(at)))
                    ready.append(len(before) + 2 * (at + 1))
                continue
            reads = self.things in slots_read(guard.condition)
            guards.append(replaced(guard, {self.things: self._listed(many)}))
            ready.append(len(before) + 2 * many if reads else due)
        bodies = (_renamed(each, self._names(at)) for at in range(many) for each in whole.body)
        found: ir.Alternative = fresh(
            replace(
                whole,
                parts=(*before, *parts),
                guards=tuple(guards),
                member_guards=((),) * (len(before) + 2 * many),
                ready=tuple(ready),
                body=tuple(bodies),
            )
        )
        return found

    def _parts(self, at: int, many: int) -> Iterator[ir.Part]:
        """The receiver of a pair, with a single option, and what is chosen for it; no piece is for
        two receivers. The first pair also requires that there are exactly so many receivers."""
        to, it = self.pairs[at]
        several = ir.SetType(self.receiver.type)
        all_of_them = ir.Filter(several, self._taken(self.receiver, self.listed), span=self.span)
        number = ir.Const(ir.NUMBER, at + 1, span=self.span)
        one = ir.ItemOf(self.receiver.type, all_of_them, number, span=self.span)
        source: ir.Expr = ir.ListOf(several, (one,), span=self.span)
        if at == 0:
            counted = ir.Count(ir.NUMBER, self._taken(self.receiver, self.listed), span=self.span)
            wanted = ir.Const(ir.NUMBER, many, span=self.span)
            so_many = ir.Compare(ir.TRUTH, "=", counted, wanted, span=self.span)
            nobody = ir.ListOf(several, (), span=self.span)
            source = ir.Conditional(several, so_many, source, nobody, span=self.span)
        yield ir.Part(replace(self.receiver, slot=to, source=source, where=None), receives=True)
        thing = replace(_renamed(self.thing, self._names(at)), slot=it)
        if isinstance(self.thing.type, ir.PieceType):
            taken = [_not(self._thing(it), self._thing(other)) for _, other in self.pairs[:at]]
            thing = replace(thing, where=_all((*taken, thing.where)))
        yield ir.Part(thing)

    def _taken(self, binder: ir.Binder, slot: int) -> ir.Binder:
        taken: ir.Binder = _renamed(binder, {binder.slot: slot})
        return replace(taken, slot=slot)

    def _names(self, at: int) -> dict[int, int]:
        """The slots of the two names at one pair."""
        to, it = self.pairs[at]
        return {self.receiver.slot: to, self.thing.slot: it}

    def _thing(self, slot: int) -> ir.Local:
        return ir.Local(self.thing.type, slot, self.thing.name, span=self.span)

    def _listed(self, many: int) -> ir.Expr:
        of = ir.SetType(self.thing.type)
        return ir.ListOf(of, tuple(self._thing(it) for _, it in self.pairs[:many]), span=self.span)


class ForReceivers(Paths):
    """Checks choices for each of several receivers."""

    receivers: Receivers | None = None
    """The receivers of the alternative that is being checked."""

    def part_for_each(self, each: s.Part, things_name: str) -> ir.Part:
        """`card in hand of player for each player as receiver`: one part for all pairs."""
        assert each.receivers is not None
        receiver, to = self.binder(each.receivers, keep=True)
        fewest, most = self.how_many_receive(each.receivers, receiver)
        thing, one = self.binder(each.binder, keep=True)
        things = self.scope.declare(things_name, ir.SetType(thing.type), each.span, one.name)
        if self.receivers is None:
            new = self.scope.new_slot
            pairs = tuple(
                (new(to.name, receiver.type), new(one.name, thing.type)) for _ in range(most)
            )
            listed = new(to.name, receiver.type)
            self.receivers = Receivers(
                thing, receiver, things.slot, pairs, fewest, listed, each.span
            )
        return ir.Part(thing)

    def how_many_receive(self, written: s.Binder, receiver: ir.Binder) -> tuple[int, int]:
        """The least and greatest number of receivers."""
        match receiver.type:
            case type if type == ir.PLAYER:
                fewest, most = self.world.counts[0], self.world.counts[-1]
            case ir.WordType(index=index):
                fewest = most = len(self.world.word_sets[index].words)
            case type if type == ir.BROKEN:
                return 1, 1
            case _:
                self.diagnostics.error(
                    "wrong-type",
                    f"something is chosen for each player or for each word, not for "
                    f"{self.world.many(receiver.type)}",
                    written.noun.span,
                )
                return 1, 1
        whole = isinstance(receiver.source, ir.Domain | ir.PlayersFrom) and written.where is None
        if not whole or isinstance(written.without, s.ListOf):
            fewest = 1
        elif written.without is not None:
            fewest, most = fewest - 1, most - 1
        if most > MOST_RECEIVERS:
            self.diagnostics.error(
                "too-large",
                f"there may be {most} receivers, and at most {MOST_RECEIVERS} can be chosen for at "
                "once",
                written.span,
                hint="let each of them be asked about on its own",
            )
            most = MOST_RECEIVERS
        return max(1, fewest), most


def _all(conditions: Iterable[ir.Expr | None]) -> ir.Expr | None:
    found = [each for each in conditions if each is not None]
    if not found:
        return None
    return reduce(lambda one, other: ir.And(ir.TRUTH, one, other, span=one.span), found)


def _not(one: ir.Expr, other: ir.Expr) -> ir.Expr:
    return ir.Not(ir.TRUTH, ir.Compare(ir.TRUTH, "=", one, other, span=one.span), span=one.span)


def _renamed(node: Any, slots: Mapping[int, int]) -> Any:
    """A tree with slots renumbered."""
    match node:
        case ir.Local(slot=slot) if slot in slots:
            return replace(node, slot=slots[slot])
        case ir.SetLocal(slot=slot) if slot in slots:
            node = replace(node, slot=slots[slot])
        case ir.Do(returns=returns) if returns:
            own = tuple((theirs, slots.get(ours, ours)) for theirs, ours in returns)
            node = replace(node, returns=own)
    return rebuilt(node, lambda part: _renamed(part, slots))
