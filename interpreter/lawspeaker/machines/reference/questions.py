"""Enumerates the options of a question, in their order.

An alternative has parts; its options are the product of the candidates of the parts, in the order
listed, the last part varying fastest. A guard is evaluated as soon as the parts it needs are bound.
A part that is a set enumerates the subsets of those members that pass their own guards, by size and
then in the order listed.

Indistinguishable pieces (same type, kind, owner and states, in the same place) are one choice: the
first stands for all. In a row the position distinguishes pieces.

Enumeration writes into the slots it is given, so it gets a copy. A reply is the number of the
alternative and the values of its parts; `bind` writes a reply into the real slots.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations, takewhile

from lawspeaker import ir
from lawspeaker.ir.cost import PartCost
from lawspeaker.ir.dependence import SizeOf
from lawspeaker.ir.open_parts import is_answered_in_words, is_counted, open_parts
from lawspeaker.ir.subsets import MOST_OPTIONS, subset_count
from lawspeaker.ir.walk import slots_read
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.guards import GuardPlan
from lawspeaker.machines.lower.operations import Operation
from lawspeaker.machines.reference.binders import Members, candidates_of
from lawspeaker.machines.reference.evaluate import Eval, Evaluator, Slots
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.layout import Value
from lawspeaker.position.state import Reply, State

Listing = Callable[[State, Slots, tuple[Value, ...], list[Reply]], None]
"""Appends all replies that begin with the values chosen so far."""

Look = Callable[[State, int], Hashable]
_FEW = 8
"""The subsets of up to so few members are cached."""


class Question:
    """A compiled `Ask` of a clause."""

    def __init__(self, ev: Evaluator, ask: ir.Ask, clause: int, op: Operation) -> None:
        self.ask = ask
        self.clause = clause
        self._layout = ev.layout
        self._asks_forced = ev.asks_forced
        self.asking = ask.clause
        self.must = ask.must
        chosen = {part.binder.slot for alt in ask.alternatives for part in alt.parts}
        families = ev.program.families
        self._private = [
            ev.present(place)
            for place in ask.private
            if is_counted(families, place) and chosen.isdisjoint(slots_read(place))
        ]
        self._open = [
            (ev.present(place), ev.present(least), ev.present(most))
            for place, least, most in open_parts(families, ask)
        ]
        self._secret = len(self._private) < len(ask.private)
        self._written = is_answered_in_words(ask)
        self._slots = [
            tuple(part.set_slot if part.several else part.binder.slot for part in alt.parts)
            for alt in ask.alternatives
        ]
        ways = [
            AlternativeOptions(
                ev, alternative, op.guards[number], op.listing[number] if op.listing else None
            )
            for number, alternative in enumerate(ask.alternatives)
        ]
        self._again = [each.again() for each in ways]
        self.too_many = ev.fault(messages.TOO_MANY_OPTIONS, ask.span)
        self._listings = [each.replies(at, self.too_many) for at, each in enumerate(ways)]

    def replies(self, s: State, scratch: Slots, others: list[Reply] | None = None) -> list[Reply]:
        """Returns all legal replies (without pass). If several are asked at once, `others` are
        those of earlier players: together they have a limit."""
        found = [] if others is None else others
        first = len(found)
        for listing in self._listings:
            listing(s, scratch, (), found)
        return found[first:]

    def hidden(self, s: State, f: Slots) -> bool:
        """Returns whether the options may depend on hidden information."""
        return self._secret or any(place(s, f) in s.contents for place in self._private)

    def forced(self, s: State, f: Slots) -> bool:
        """Returns whether, given at most one answer, everyone can see that."""
        return not (self._asks_forced or self._written or self.hidden(s, f)) and all(
            len(s.contents.get(place(s, f), ())) <= least(s, f) or most(s, f) <= 0
            for place, least, most in self._open
        )

    def note(self, s: State, kind: str, at: int, seat: int, reply: Reply) -> None:
        """Writes a chosen or `forced` reply to the journal. An empty list of options is not
        recorded."""
        number, values = reply
        if kind == "forced" and number < 0:
            return
        known = self._layout.everyone
        if number >= 0:
            seen, where = self._layout.seen, s.where
            for part, value in zip(self.ask.alternatives[number].parts, values, strict=True):
                if isinstance(part.binder.type, ir.PieceType):
                    for piece in value if part.several else (value,):
                        known &= seen[where[piece]]
        note = (self.clause, at, number, values)
        s.journal.append((kind, self.asking, seat, note, known | 1 << seat))

    def bind(self, s: State, f: Slots, reply: Reply) -> None:
        number, values = reply
        for slot, value in zip(self._slots[number], values, strict=True):
            f[slot] = value
        for guard in self._again[number]:
            guard(s, f)


def possible(ev: Evaluator, expr: ir.Possible) -> Eval:
    """Tests whether the question that opens a clause has any option."""
    clause = ev.program.clauses[expr.clause]
    ask = clause.opening_question
    assert ask is not None
    arguments = [ev.compile(argument) for argument in expr.arguments]
    outer, ev.clause = ev.clause, expr.clause
    lets = [
        (each.slot, ev.compile(each.value))
        for each in takewhile(lambda each: each is not ask, clause.body)
        if isinstance(each, ir.SetLocal)
    ]
    costs = ev.costs.opening(expr.clause)
    finds = [
        AlternativeOptions(
            ev,
            alternative,
            ev.guards.plan(alternative, expr.clause),
            costs[number] if costs else None,
        ).finds()
        for number, alternative in enumerate(ask.alternatives)
    ]
    ev.clause = outer
    pad = [None] * (len(clause.slots) - len(arguments))

    def possible(s: State, f: Slots) -> bool:
        own = [argument(s, f) for argument in arguments] + pad
        for slot, value in lets:
            own[slot] = value(s, own)
        return any(find(s, own) for find in finds)

    return possible


class _Found(Exception):
    """Raised to stop the enumeration at the first option."""


class AlternativeOptions:
    """The options of an alternative. `plan` says when its guards are evaluated; `costs` are those
    of its parts, unless they were charged at once."""

    def __init__(
        self,
        ev: Evaluator,
        alternative: ir.Alternative,
        plan: GuardPlan,
        costs: Sequence[PartCost] | None,
    ) -> None:
        self.ev = ev
        self.alternative = alternative
        self.plan = plan
        self.costs = costs

    def replies(self, number: int, too_many: Callable[[], RuleFault]) -> Listing:
        """Lists all options as replies with a number."""
        return self._all_parts(_complete(number, too_many, self.alternative), number)

    def again(self) -> list[Eval]:
        """Returns the guards to evaluate once more when a choice is made."""
        conditions = [self.alternative.guards[number].condition for number in self.plan.again]
        return [self.ev.compile(condition) for condition in conditions]

    def finds(self) -> Eval:
        """Tests whether there is any option; stops at the first."""
        parts = self.alternative.parts
        if self.costs is not None or any(part.several for part in parts):
            return self._finds_dear()
        guards = self._guards()
        find: Eval = lambda s, f: True  # noqa: E731
        for position in range(len(parts) - 1, -1, -1):
            find = _finds_part(self.ev, parts[position], guards[position + 1], find)
        condition = _all(guards[0])
        if condition is None:
            return find
        return lambda s, f: condition(s, f) and find(s, f)

    def _finds_dear(self) -> Eval:
        """Does the same by listing, which charges for the search, up to the first one."""

        def stop(s: State, f: Slots, chosen: tuple[Value, ...], found: list[Reply]) -> None:
            raise _Found

        listing = self._all_parts(stop)

        def finds(s: State, f: Slots) -> bool:
            try:
                listing(s, f, (), [])
            except _Found:
                return True
            return False

        return finds

    def _guards(self) -> list[list[Eval]]:
        """Returns the guards to evaluate before the first part is chosen, after it, after the
        second …"""
        simple, guards = self.ev.simplifier.simple, self.alternative.guards
        return [
            [self.ev.compile(simple(guards[number].condition)) for number in some]
            for some in self.plan.asked
        ]

    def _all_parts(self, complete: Listing, number: int | None = None) -> Listing:
        """Calls `complete` for each option; with a number, options become replies with that number,
        and the search of the first part is charged already."""
        ev, alternative, guards = self.ev, self.alternative, self._guards()
        listing = complete
        for position in range(len(alternative.parts) - 1, -1, -1):
            part = alternative.parts[position]
            last = position == len(alternative.parts) - 1
            cost = None if self.costs is None else self.costs[position]
            if part.several:
                most = self.plan.limits[position]
                own = [ev.compile(guard.condition) for guard in alternative.member_guards[position]]
                condition = _all(guards[position + 1])
                listing = _set_part(ev, part, own, condition, listing, most, cost)
                if last and number is not None:
                    listing = _not_too_many(ev, part, listing)
            elif last and number is not None:
                listing = _last_part(ev, number, part, guards[position + 1])
            else:
                listing = _part(ev, part, guards[position + 1], listing)
            if cost is not None:
                paid = position == 0 and number is not None
                listing = _paying(ev, part, cost, listing, first=paid)
        condition = _all(guards[0])
        return listing if condition is None else _guarded(condition, listing)


def _finds_part(ev: Evaluator, part: ir.Part, guards: list[Eval], then: Eval) -> Eval:
    slot = part.binder.slot
    candidates, where = candidates_of(ev, part.binder)
    condition = _all(guards if where is None else [where, *guards])

    def finds(s: State, f: Slots) -> bool:
        for member in candidates(s, f):
            f[slot] = member
            if (condition is None or condition(s, f)) and then(s, f):
                return True
        return False

    return finds


def _paying(
    ev: Evaluator, part: ir.Part, cost: PartCost, listing: Listing, *, first: bool
) -> Listing:
    """Charges for the search of a part. Of the first one only the pieces are left to charge."""
    look, piece = 0 if first else cost.look, cost.piece
    if not look and not piece:
        return listing
    size = ev.compile(SizeOf(ir.NUMBER, part.binder.source)) if piece else None
    span = part.binder.span
    too_long = ev.fault(messages.too_long(max(look, piece), span), span)

    def paying(s: State, f: Slots, chosen: tuple[Value, ...], found: list[Reply]) -> None:
        s.left -= look
        if size is not None:
            s.left -= piece * size(s, f)
        if s.left < 0:
            raise too_long()
        listing(s, f, chosen, found)

    return paying


def members_of(ev: Evaluator, binder: ir.Binder) -> tuple[Members, Eval | None]:
    """Returns the candidates of a part, and the rest of the condition. A text being written is a
    candidate beside the listed ones."""
    of = binder.type
    if not isinstance(of, ir.WordType) or not of.written:
        return candidates_of(ev, binder)
    listed: Members = ev.compile(binder.source)

    def members(s: State, f: Slots) -> tuple[Value, ...]:
        return (*listed(s, f), *(text for number, text in s.written if number == of.index))

    return members, None if binder.where is None else ev.compile(binder.where)


def _all(conditions: Sequence[Eval]) -> Eval | None:
    """Joins conditions by `and`."""
    if not conditions:
        return None
    if len(conditions) == 1:
        return conditions[0]
    first, rest = conditions[0], _all(conditions[1:])
    assert rest is not None
    return lambda s, f: first(s, f) and rest(s, f)


def _guarded(condition: Eval, listing: Listing) -> Listing:
    def guarded(s: State, f: Slots, chosen: tuple[Value, ...], found: list[Reply]) -> None:
        if condition(s, f):
            listing(s, f, chosen, found)

    return guarded


def _complete(
    number: int, too_many: Callable[[], RuleFault], alternative: ir.Alternative
) -> Listing:
    """Appends a reply. An alternative without parts has just one."""
    alone = not alternative.parts

    def complete(s: State, f: Slots, chosen: tuple[Value, ...], found: list[Reply]) -> None:
        found.append((number, chosen))
        if alone and len(found) > MOST_OPTIONS:
            raise too_many()

    return complete


def _not_too_many(ev: Evaluator, part: ir.Part, listing: Listing) -> Listing:
    too_many = ev.fault(messages.TOO_MANY_OPTIONS, part.binder.span)

    def checked(s: State, f: Slots, chosen: tuple[Value, ...], found: list[Reply]) -> None:
        listing(s, f, chosen, found)
        if len(found) > MOST_OPTIONS:
            raise too_many()

    return checked


def _part(ev: Evaluator, part: ir.Part, guards: list[Eval], then: Listing) -> Listing:
    slot = part.binder.slot
    candidates, where = members_of(ev, part.binder)
    condition = _all(guards if where is None else [where, *guards])
    look = looks_key(ev, part.binder)

    def listing(s: State, f: Slots, chosen: tuple[Value, ...], found: list[Reply]) -> None:
        seen: set[Hashable] = set()
        for member in candidates(s, f):
            f[slot] = member
            if condition is not None and not condition(s, f):
                continue
            if look is not None:
                looks_like = look(s, member)
                if looks_like in seen:
                    continue
                seen.add(looks_like)
            then(s, f, (*chosen, member), found)

    return listing


def _last_part(ev: Evaluator, number: int, part: ir.Part, guards: list[Eval]) -> Listing:
    """Specialises `_part` for the last part: each candidate is a reply."""
    slot = part.binder.slot
    candidates, where = members_of(ev, part.binder)
    condition = _all(guards if where is None else [where, *guards])
    look = looks_key(ev, part.binder)
    too_many = ev.fault(messages.TOO_MANY_OPTIONS, part.binder.span)

    def listing(s: State, f: Slots, chosen: tuple[Value, ...], found: list[Reply]) -> None:
        passed = []
        for member in candidates(s, f):
            if condition is not None:
                f[slot] = member
                if not condition(s, f):
                    continue
            passed.append(member)
        if look is not None and len(passed) > 1:
            passed = [group[0] for group in grouped(s, passed, look)]
        found += [(number, (*chosen, member)) for member in passed]
        if len(found) > MOST_OPTIONS:
            raise too_many()

    return listing


def _set_part(
    ev: Evaluator,
    part: ir.Part,
    own: list[Eval],
    condition: Eval | None,
    then: Listing,
    limits: Sequence[ir.Expr],
    cost: PartCost | None,
) -> Listing:
    slot, set_slot = part.binder.slot, part.set_slot
    candidates, where = candidates_of(ev, part.binder)
    passes = _all(own if where is None else [where, *own])
    look = looks_key(ev, part.binder)
    least = None if part.least is None else ev.present(part.least)
    most = None if part.most is None else ev.present(part.most)
    allowed = [ev.compile(each) for each in limits]
    too_many = ev.fault(messages.TOO_MANY_OPTIONS, part.binder.span)
    way, span = 0 if cost is None else cost.way, part.binder.span
    too_long = ev.fault(messages.too_long(way, span), span)
    tries_all = ev.asks_all

    def listing(s: State, f: Slots, chosen: tuple[Value, ...], found: list[Reply]) -> None:
        members = []
        for member in candidates(s, f):
            f[slot] = member
            if passes is None or passes(s, f):
                members.append(member)
        low = 0 if least is None else max(0, least(s, f))
        high = len(members) if most is None else min(len(members), max(0, most(s, f)))
        fewer = min([high, *[limit(s, f) for limit in allowed]]) if allowed else high
        if way:
            s.left -= way * subset_count(len(members), low, fewer)
            if s.left < 0:
                raise too_long()
        for subset in choosable(s, members, look, low, high if tries_all else fewer, too_many):
            f[set_slot] = subset
            if condition is None or condition(s, f):
                then(s, f, (*chosen, subset), found)

    return listing


def looks_key(ev: Evaluator, binder: ir.Binder) -> Look | None:
    """Returns a key for the looks of a piece; None if no two pieces look the same."""
    layout = ev.layout
    if not isinstance(binder.type, ir.PieceType):
        return None
    piece_type = binder.type.index
    pieces = layout.pieces_of[piece_type]
    alike, row = layout.alike, layout.row
    if len({alike[piece] for piece in pieces}) == len(pieces):
        return None
    states = layout.state_at[piece_type]

    def look(s: State, piece: int) -> Hashable:
        place = s.where[piece]
        if row[place]:
            return piece
        if states:
            return (alike[piece], place, *[s.states[at + piece] for at in states])
        return (alike[piece], place)

    return look


def grouped(s: State, members: Sequence[Value], look: Look | None) -> list[list[Value]]:
    """Groups members that look the same, in order of the first of each."""
    if look is None:
        return [[member] for member in members]
    groups: dict[Hashable, list[Value]] = {}
    for member in members:
        groups.setdefault(look(s, member), []).append(member)
    return list(groups.values())


def choosable(
    s: State,
    members: Sequence[Value],
    look: Look | None,
    low: int,
    high: int,
    too_many: Callable[[], RuleFault],
) -> Iterator[tuple[Value, ...]]:
    """Enumerates the subsets of these sizes, up to indistinguishable members; too many are a fault
    as soon as one more is requested."""
    if look is None:
        pattern = tuple(range(len(members)))
    else:
        numbers: dict[Hashable, int] = {}
        pattern = tuple([numbers.setdefault(look(s, m), len(numbers)) for m in members])
    few = len(members) <= _FEW
    subsets = _few_subsets(pattern, low, high) if few else _subsets(pattern, low, high)
    for number, subset in enumerate(subsets):
        if number >= MOST_OPTIONS:
            raise too_many()
        yield tuple([members[at] for at in subset])


@lru_cache(maxsize=4096)
def _few_subsets(pattern: tuple[int, ...], low: int, high: int) -> list[tuple[int, ...]]:
    return list(_subsets(pattern, low, high))


def _subsets(pattern: tuple[int, ...], low: int, high: int) -> Iterator[tuple[int, ...]]:
    """Yields index sets, by size, then in the order listed; equal numbers are interchangeable."""
    latest: dict[int, int] = {}
    before: list[int] = []
    for at, number in enumerate(pattern):
        before.append(latest.get(number, -1))
        latest[number] = at
    for size in range(low, high + 1):
        if len(latest) == len(pattern):
            yield from combinations(range(len(pattern)), size)
        else:
            yield from _first_of_equals(before, size)


def _first_of_equals(before: list[int], size: int) -> Iterator[tuple[int, ...]]:
    """Yields index sets of a size; an index is only taken if its predecessor among equals, which is
    given, is taken."""
    taken: list[int] = []
    used = [False] * len(before)
    at = 0
    while True:
        missing = size - len(taken)
        if missing and at <= len(before) - missing:
            if before[at] < 0 or used[before[at]]:
                taken.append(at)
                used[at] = True
            at += 1
            continue
        if not missing:
            yield tuple(taken)
        if not taken:
            return
        at = taken.pop()
        used[at] = False
        at += 1
