"""Constant folding and partial evaluation of expressions independent of the game's course.

Much of a rulebook is constant once the number of players is known: named choices, attributes of
kinds, adjacency of places. An expression without free slots folds to one value; one with a few
slots only becomes a table with an entry for each of their values. An expression that would fault is
left alone, so that it faults when it is evaluated.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import product
from math import prod
from typing import Any

from lawspeaker import ir
from lawspeaker.base.trees import ByNode
from lawspeaker.ir.bounds import LONGEST, is_of_numbers
from lawspeaker.ir.dependence import Dependence, SizeOf
from lawspeaker.ir.walk import everything, rebuilt, replaced
from lawspeaker.position.entries import offset
from lawspeaker.position.layout import Layout, Value

MOST_ENTRIES = 4096
MOST_JOINED = 256
"""The most entries of a table, and the lower limit if it would only join two shorter ones."""
_STEPS = 10_000
_TABLE_STEPS = 60_000
_ALL_STEPS = 200_000
"""Step budgets for one expression, for a table, and in total. Games take dozens and thousands; more
expensive expressions are evaluated at run time."""
_LISTED = (ir.PlayerType, ir.WordType, ir.KindType, ir.PieceType, ir.PlaceType, ir.TruthType)
_KNOWN = (ir.ChoiceValue, ir.Domain, ir.PlayerCount)
Slots = dict[int, Value]
Rows = tuple[list[Value], list[Sequence[Value]]]
Table = tuple[list[ir.Local], list[range], list[tuple[Value, ...]]]
"""The slots, their domains, and an entry for each combination of values."""


class Unknown(Exception):
    """Raised if an expression cannot be evaluated at compile time."""


class ConstantFolder:
    """Constant folder for one program and number of players; cached."""

    def __init__(self, layout: Layout, depends: Dependence) -> None:
        self.layout = layout
        self.program = layout.program
        self.depends = depends
        self.seats = range(max(len(self.program.player_names), layout.players))
        self._constants: ByNode[tuple[Value] | None] = ByNode()
        self._rows: dict[tuple[int, int, int], Rows] = {}
        self._attributes: ByNode[tuple[list[Value], ir.Expr] | None] = ByNode()
        self._tables: dict[tuple[Any, ...], Table | None] = {}
        self._called_before: dict[tuple[int, tuple[Value, ...]], Value] = {}
        self._left = 0
        self._all_left = _ALL_STEPS

    def constant(self, expr: ir.Expr | None) -> tuple[Value] | None:
        """Returns the value of a constant expression, in a tuple; or None."""
        if isinstance(expr, ir.Const):
            return (expr.value,)
        if expr is None or isinstance(expr, ir.Local):
            return None
        if expr not in self._constants:
            found: tuple[Value] | None = None
            if isinstance(expr, _KNOWN):
                found = (self._known(expr),)
            elif (length := _length(expr)) is not None:
                found = (length,)
            elif self.depends.fixed(expr) and not self.depends.free(expr):
                with suppress(Unknown):
                    found = (self.worth(expr, {}),)
            if found == (True,) and any(isinstance(part, ir.Exists) for part in everything(expr)):
                found = None  # it also binds a name
            self._constants[expr] = found
        return self._constants[expr]

    def _known(self, expr: ir.Expr) -> Value:
        """Evaluates leaves, which are always folded."""
        match expr:
            case ir.ChoiceValue(choice=number):
                return self.choice(number)
            case ir.Domain(of=domain):
                return self.layout.domain(domain)
        return self.layout.players

    def worth(self, expr: ir.Expr, slots: Slots) -> Value:
        """Evaluates an expression with given slots; raises Unknown if that takes too many steps."""
        self._left = before = min(_STEPS, self._all_left)
        try:
            return self._value(expr, dict(slots))
        finally:
            self._all_left -= before - max(self._left, 0)

    @property
    def spent(self) -> bool:
        """Whether the total step budget is used up: nothing more is folded then."""
        return self._all_left <= 0

    def _pay(self, steps: int) -> None:
        self._left -= steps
        if self._left < 0:
            raise Unknown

    def domain(self, of: ir.Type) -> range | None:
        """Returns all values of a slot of this type, if they are few and known. Texts that players
        write are not."""
        if ir.is_written(of):
            return None
        if isinstance(of, ir.PlayerType):
            return self.seats
        if isinstance(of, _LISTED):
            listed = self.layout.domain(of)
            return range(int(listed[0]), int(listed[-1]) + 1) if listed else None
        return None

    def table(
        self, nodes: tuple[ir.Expr, ...], members: tuple[int, tuple[Value, ...]] | None = None
    ) -> Table | None:
        """Returns the values of constant expressions for all values of their free slots.

        `members` is a slot and the values it takes in turn: then an entry is the members for which
        all expressions are true. None if there would be too many, or one would fault.
        """
        # Cached: the same expressions occur in many places of a rulebook, with different slots for
        # each step of a path.
        key = (nodes, members)
        if key not in self._tables:
            self._tables[key] = self._shared(nodes, members)
        return self._tables[key]

    def _shared(
        self, nodes: tuple[ir.Expr, ...], members: tuple[int, tuple[Value, ...]] | None
    ) -> Table | None:
        """Returns one table for all expressions that are equal up to renaming of slots. The slots
        are renumbered canonically, in the order in which they occur."""
        taken = {*(members or ())[:1]}
        free = set[int]().union(*(self.depends.free(node) for node in nodes)) - taken
        read = (part.slot for part in everything(nodes) if isinstance(part, ir.Local))
        occurring = dict.fromkeys([*(slot for slot in read if slot in free), *sorted(free)])
        numbers = {slot: at - len(free) for at, slot in enumerate(occurring)}
        if members is not None:
            numbers[members[0]] = -1 - len(free)
            members = numbers[members[0]], members[1]

        def renumbered(node: Any) -> Any:
            if isinstance(node, ir.Local) and node.slot in numbers:
                return replace(node, slot=numbers[node.slot], name="")
            return rebuilt(node, renumbered)

        plain_nodes = (self._opened(renumbered(node)) for node in nodes)
        key = (tuple(map(self._with_constants, plain_nodes)), members)
        if key not in self._tables:
            self._tables[key] = self._table(*key)
        found = self._tables[key]
        if found is None:
            return None
        slots = {number: slot for slot, number in numbers.items()}
        own = [replace(local, slot=slots[local.slot]) for local in found[0]]
        return own, *found[1:]

    def _opened(self, node: ir.Expr) -> ir.Expr:
        """Inlines a call whose arguments are names, so that both forms share a table."""
        if not isinstance(node, ir.CallFunction):
            return node
        function = self.program.functions[node.function]
        plain_names = all(isinstance(each, ir.Local) for each in node.arguments)
        if function.lets or not plain_names:
            return node
        opened: ir.Expr = replaced(function.result, dict(enumerate(node.arguments)))
        return opened

    def _with_constants(self, node: Any) -> Any:
        """Replaces constant subexpressions by their values."""
        known = self.constant(node) if isinstance(node, ir.Expr) else None
        if known is not None:
            return ir.Const(node.type, known[0])
        return rebuilt(node, self._with_constants)

    def _table(
        self, nodes: tuple[ir.Expr, ...], members: tuple[int, tuple[Value, ...]] | None
    ) -> Table | None:
        free: set[int] = set().union(*(self.depends.free(node) for node in nodes))
        if not all(map(self.depends.fixed, nodes)) or any(
            isinstance(part, ir.Exists) for part in everything(nodes)
        ):
            return None
        if members is not None:
            free.discard(members[0])
        slots: dict[int, ir.Local] = {}
        for part in everything(nodes):
            if isinstance(part, ir.Local) and part.slot in free:
                # A slot that is known not to be nothing has a narrower type there.
                wider = isinstance(part.type, ir.MaybeType)
                slots[part.slot] = part if wider else slots.get(part.slot, part)
        domains = [self.domain(slots[slot].type) for slot in sorted(free) if slot in slots]
        if len(domains) != len(free) or any(domain is None for domain in domains):
            return None
        if members is not None and sum(_is_piece(slots[slot]) for slot in free) > 1:
            return None  # pairs of pieces take too long
        known = [domain for domain in domains if domain is not None]
        if prod(map(len, known)) * (len(members[1]) if members else 1) > MOST_ENTRIES * 4:
            return None
        most = MOST_JOINED if members is None and any(map(self._joins, nodes)) else MOST_ENTRIES
        if prod(map(len, known)) > most:
            return None
        entries: list[tuple[Value, ...]] = []
        least = self._all_left - _TABLE_STEPS
        try:
            for values in product(*known):
                if self._all_left < least:
                    return None
                given = dict(zip(sorted(free), values, strict=True))
                if members is None:
                    entries.append(tuple(self.worth(node, given) for node in nodes))
                else:
                    slot, all_members = members
                    entries.append(
                        tuple(
                            member
                            for member in all_members
                            if all(self.worth(node, {**given, slot: member}) for node in nodes)
                        )
                    )
        except Unknown:
            return None
        return [slots[slot] for slot in sorted(free)], known, entries

    def _joins(self, node: ir.Expr) -> bool:
        """Returns whether a node only compares or combines two values with disjoint slots: two
        short tables are better than one long one."""
        match node:
            case ir.Not(operand=operand):
                return self._joins(operand)
            case ir.Compare(left=left, right=right) | ir.Arithmetic(left=left, right=right):
                one, other = self.depends.free(left), self.depends.free(right)
                return bool(one and other) and one.isdisjoint(other)
        return False

    def passing(
        self, tests: list[ir.Expr], slot: int, members: tuple[Value, ...]
    ) -> tuple[int, list[ir.Local], list[range], list[tuple[Value, ...]]] | None:
        """Returns how many of the first tests are constant, their free slots, and for each value of
        these the members that pass."""
        for count in range(len(tests), 0, -1):
            found = self.table(tuple(tests[:count]), (slot, members))
            if found is not None:
                return count, *found
        return None

    # ------------------------------------------------------------ attributes

    def attribute(self, expr: ir.Expr) -> tuple[list[Value], ir.Expr] | None:
        """Returns a constant attribute as the list of its values, and the expression it is an
        attribute of."""
        if expr not in self._attributes:
            self._attributes[expr] = self._attribute(expr)
        return self._attributes[expr]

    def _attribute(self, expr: ir.Expr) -> tuple[list[Value], ir.Expr] | None:
        layout = self.layout
        match expr:
            case ir.KindOf(of=of):
                return list(layout.piece_kind), of
            case ir.OwnerOf(of=of):
                piece = isinstance(ir.plain(of.type), ir.PieceType)
                return list(layout.piece_owner if piece else layout.place_owner), of
            case ir.KindColumn(of=of) | ir.WordColumn(of=of):
                rows, domains = self.rows(expr)
                if not expr.indices:
                    return rows, of
                known = [self.constant(each) for each in expr.indices]
                indices = [each[0] for each in known if each is not None]
                if len(indices) < len(known) or None in indices:
                    return None
                at = offset(domains, indices)
                return None if at is None else ([row[at] for row in rows], of)
            case ir.PlaceIndex(family=number, position=position, of=of):
                by_place: list[Value] = [None] * len(layout.place_family)
                for place in layout.places_of[number]:
                    by_place[place] = layout.place_indices[place][position]
                return by_place, of
            case ir.Playing(player=of):
                return [seat < layout.players for seat in self.seats], of
            case ir.Neighbour(player=of, step=step):
                return [(seat + step) % layout.players for seat in self.seats], of
            case ir.SideOf(player=of):
                return [layout.side_of[seat] for seat in self.seats], of
            case ir.PlayersOf(side=of):
                return list(layout.players_of), of
            case ir.PartnersOf(player=of):
                sides = [layout.players_of[layout.side_of[seat]] for seat in self.seats]
                return [
                    tuple(each for each in side if each != seat)
                    for seat, side in zip(self.seats, sides, strict=True)
                ], of
            case ir.PlayersFrom(start=of):
                seats = layout.seats
                turned = [seats[seat:] + seats[:seat] for seat in seats]
                turned += [seats] * (len(self.seats) - len(seats))
                return list(turned), of
        return None

    def rows(self, expr: ir.KindColumn | ir.WordColumn) -> Rows:
        """Returns the values of a column for each word, kind or piece, and the domains of its
        indices; with indices, all entries together."""
        if isinstance(expr, ir.WordColumn):
            key = (0, expr.word_set, expr.column)
        else:
            key = (1 + isinstance(ir.plain(expr.of.type), ir.KindType), expr.piece, expr.column)
        if key not in self._rows:
            self._rows[key] = self._worked_out(expr)
        return self._rows[key]

    def _worked_out(self, expr: ir.KindColumn | ir.WordColumn) -> Rows:
        layout, program = self.layout, self.program
        if isinstance(expr, ir.WordColumn):
            words = program.word_sets[expr.word_set]
            domains = layout.all_players(words.columns[expr.column].indices)
            return [row[expr.column] for row in words.rows], domains
        piece = program.pieces[expr.piece]
        domains = layout.all_players(piece.columns[expr.column].indices)
        values: list[Value] = [kind.values[expr.column] for kind in piece.kinds]
        if isinstance(ir.plain(expr.of.type), ir.KindType):
            return values, domains
        nothing = (None,) * prod(map(len, domains)) if domains else None
        by_piece: list[Value] = [nothing] * len(layout.piece_kind)
        for number in layout.pieces_of[expr.piece]:
            by_piece[number] = values[layout.piece_kind[number]]
        return by_piece, domains

    def choice(self, number: int) -> Value:
        return self.layout.choice(number)

    # ------------------------------------------------------------ values

    def _present(self, expr: ir.Expr, slots: Slots) -> Value:
        found = self._value(expr, slots)
        if found is None:
            raise Unknown
        return found

    def _members(self, binder: ir.Binder, slots: Slots) -> list[Value]:
        found = []
        members = self._present(binder.source, slots)
        self._pay(len(members))
        for member in members:
            slots[binder.slot] = member
            if binder.where is None or self._value(binder.where, slots):
                found.append(member)
        return found

    def _value(self, expr: ir.Expr, slots: Slots) -> Value:
        self._pay(1)
        found = self.attribute(expr)
        if found is not None:
            values, of = found
            # A name takes no extra step.
            whose = slots.get(of.slot) if isinstance(of, ir.Local) else self._value(of, slots)
            if (
                whose is None
                and isinstance(expr, ir.KindOf)
                and isinstance(expr.type, ir.MaybeType)
            ):
                return None
            return values[self._or_unknown(whose)]
        match expr:
            case ir.Const(value=value):
                return value
            case ir.Local(slot=slot):
                return slots.get(slot)
            case ir.ChoiceItem(choice=number, at=at):
                items = self.choice(number)
                items = items if isinstance(items, tuple) else (items,)
                place = self._present(at, slots)
                if 0 < place <= len(items):
                    return items[place - 1]
                return self._or_unknown(self.program.choices[number].beyond)
            case ir.ChoiceValue() | ir.Domain() | ir.PlayerCount():
                known = self.constant(expr)
                return None if known is None else known[0]
            case ir.NumberOf(of=of):
                return self._present(of, slots) + 1
            case ir.PlaceAt(family=number, indices=indices):
                at_indices = tuple(self._present(index, slots) for index in indices)
                return self._or_unknown(self.layout.place(number, at_indices))
            case ir.KindColumn(of=of, indices=indices) | ir.WordColumn(of=of, indices=indices):
                rows, domains = self.rows(expr)
                row = rows[self._present(of, slots)]
                entry = offset(domains, [self._present(index, slots) for index in indices])
                return row[self._or_unknown(entry)]
            case ir.CallFunction(function=number, arguments=arguments):
                given = tuple([self._value(each, slots) for each in arguments])
                return self._called(number, given)
            case ir.Around(family=number, of=of, diagonal=diagonal):
                return around(self.layout, number, self._present(of, slots), diagonal)
            case ir.Along(of=of):
                return along(self.layout, expr, self._present(of, slots))
            case ir.FarEnd(of=of, connection=connection):
                given = self._present(of, slots), self._present(connection, slots)
                return far_end(self.layout, expr, *given)
            case ir.Border(family=number, of=of, diagonal=diagonal):
                inside = self._value(of, slots)
                self._pay(len(inside))
                near = {e for place in inside for e in around(self.layout, number, place, diagonal)}
                return tuple(sorted(near.difference(inside)))
            case ir.Beside(family=number, of=of, across=across, down=down):
                there = beside(
                    self.layout,
                    number,
                    self._present(of, slots),
                    self._present(across, slots),
                    self._present(down, slots),
                )
                if there is None and self.program.families[number].grows:
                    raise Unknown
                return there
        return self._combined(expr, slots)

    def _called(self, number: int, given: tuple[Value, ...]) -> Value:
        """Evaluates a call; memoised, so that definitions which use each other repeatedly do not
        take exponential time."""
        if (number, given) not in self._called_before:
            function, slots = self.program.functions[number], dict(enumerate(given))
            for named, meaning in function.lets:
                slots[named] = self._value(meaning, slots)
            self._called_before[number, given] = self._value(function.result, slots)
        return self._called_before[number, given]

    def _combined(self, expr: ir.Expr, slots: Slots) -> Value:
        match expr:
            case ir.Range(low=low, high=high):
                first, last = self._present(low, slots), self._present(high, slots)
                if last - first >= LONGEST:
                    raise Unknown
                return tuple(range(first, last + 1))
            case ir.ListOf(items=items):
                return tuple(self._value(item, slots) for item in items)
            case ir.Not(operand=operand):
                return not self._value(operand, slots)
            case ir.And(left=left, right=right):
                return self._value(left, slots) and self._value(right, slots)
            case ir.Or(left=left, right=right):
                return self._value(left, slots) or self._value(right, slots)
            case ir.Compare(operator="=", left=left, right=right):
                return self._value(left, slots) == self._value(right, slots)
            case ir.Compare(operator=sign, left=left, right=right):
                one, two = self._present(left, slots), self._present(right, slots)
                return {"<": one < two, "<=": one <= two, ">": one > two, ">=": one >= two}[sign]
            case ir.Arithmetic(operator=sign, left=left, right=right):
                return self._number(sign, self._present(left, slots), self._present(right, slots))
            case ir.Divide(left=left, right=right, up=up):
                one, two = self._present(left, slots), self._present(right, slots)
                if two == 0:
                    raise Unknown
                return -(-one // two) if up else one // two
            case ir.Conditional(condition=condition, then=then, otherwise=otherwise):
                return self._value(then if self._value(condition, slots) else otherwise, slots)
            case ir.Includes(set=several, item=item):
                wanted, members = self._value(item, slots), self._value(several, slots)
                self._pay(len(members) // 16)
                return wanted in members
            case ir.IsEmpty(set=several):
                return not self._value(several, slots)
            case SizeOf(set=several):
                return len(self._value(several, slots))
            case ir.Combine(left=left, right=right, without=without):
                one, two = self._value(left, slots), self._value(right, slots)
                self._pay((len(one) + len(two)) // 4)
                if without:
                    left_out = set(two)
                    return tuple(each for each in one if each not in left_out)
                members = tuple(dict.fromkeys(one + two))
                if len(members) > LONGEST and is_of_numbers(expr.type):
                    raise Unknown
                return members
            case ir.EndOf(set=several, last=last):
                members = self._value(several, slots)
                return members[-1 if last else 0] if members else None
            case ir.ItemOf(place=several, at=at):
                members, number = self._value(several, slots), self._present(at, slots)
                if not 0 < number <= len(members):
                    raise Unknown
                return members[number - 1]
        return self._bound(expr, slots)

    def _bound(self, expr: ir.Expr, slots: Slots) -> Value:
        match expr:
            case ir.Exists(binder=binder):
                members = self._members(binder, slots)
                if members:
                    slots[binder.slot] = members[0]
                return bool(members)
            case ir.Filter(binder=binder):
                return tuple(self._members(binder, slots))
            case ir.Count(binder=binder):
                return len(self._members(binder, slots))
            case ir.The(binder=binder):
                members = self._members(binder, slots)
                if not members:
                    raise Unknown
                slots[binder.slot] = members[0]
                return members[0]
            case ir.Every(binder=binder, condition=condition):
                return all(self._values(binder, condition, slots))
            case ir.SumOf(binder=binder, value=value, product=product):
                total = int(product)
                for each in self._values(binder, value, slots):
                    total = self._fits(total * each if product else total + each)
                return total
            case ir.Extreme(binder=binder, value=value, highest=highest, otherwise=otherwise):
                values = self._values(binder, value, slots)
                if values:
                    return max(values) if highest else min(values)
                if otherwise is None:
                    raise Unknown
                return self._value(otherwise, slots)
            case ir.Region(standing=standing, step=step):
                reached = list(dict.fromkeys(self._members(standing, slots)))
                asked = set(reached)
                for member in reached:
                    slots[standing.slot] = member
                    for following in self._present(step.source, slots):
                        self._pay(1)
                        if following in asked:
                            continue
                        asked.add(following)
                        slots[step.slot] = following
                        if step.where is None or self._value(step.where, slots):
                            reached.append(following)
                return tuple(sorted(reached))
            case ir.Collect(binder=binder, value=value, different=different):
                values = self._values(binder, value, slots)
                return tuple(dict.fromkeys(values) if different else values)
        raise Unknown

    def _values(self, binder: ir.Binder, value: ir.Expr, slots: Slots) -> list[Value]:
        found = []
        for member in self._members(binder, slots):
            slots[binder.slot] = member
            found.append(self._value(value, slots))
        return found

    def _number(self, sign: str, one: int, two: int) -> int:
        match sign:
            case "+":
                return self._fits(one + two)
            case "-":
                return self._fits(one - two)
            case "*":
                return self._fits(one * two)
            case "smaller":
                return min(one, two)
            case "larger":
                return max(one, two)
            case "difference":
                return self._fits(abs(one - two))
        if two == 0:
            raise Unknown
        return one % two

    def _fits(self, number: int) -> int:
        if not ir.SMALLEST <= number <= ir.LARGEST:
            raise Unknown
        return number

    def _or_unknown(self, value: Value) -> Value:
        if value is None:
            raise Unknown
        return value


def _is_piece(local: ir.Local) -> bool:
    return isinstance(ir.plain(local.type), ir.PieceType)


def _length(expr: ir.Expr) -> int | None:
    """Returns the number of items of a list of names, if an expression is that count."""
    match expr:
        case ir.Count(binder=ir.Binder(source=ir.ListOf(items=items), where=None)):
            named = all(isinstance(item, ir.Local | ir.Const) for item in items)
            return len(items) if named else None
    return None


def beside(layout: Layout, family: int, place: int, across: int, down: int) -> int | None:
    """Returns the place of a grid so many columns and rows away; None off the board."""
    columns, rows = (len(domain) for domain in layout.index_domains[family][-2:])
    offset = (place - layout.places_of[family][0]) % (columns * rows)
    column, row = divmod(offset, rows)
    if 0 <= column + across < columns and 0 <= row + down < rows:
        return place + across * rows + down
    return None


def along(layout: Layout, expr: ir.Along, of: int) -> tuple[int, ...]:
    """Returns the ends of a connection, or the connections of an end."""
    network, number = layout.program.networks[expr.network], of - first_of(layout, expr.of.type)
    assert isinstance(expr.type, ir.SetType)
    if ir.plain(expr.of.type) == network.joins:
        found = network.at(number)
    else:
        found = network.ends[number] if 0 <= number < len(network.ends) else ()
    first = first_of(layout, expr.type.of)
    return tuple(first + each for each in found)


def far_end(layout: Layout, expr: ir.FarEnd, of: int, connection: int) -> int | None:
    """Returns the other end of a connection, as seen from one of its ends."""
    first, number = (
        first_of(layout, expr.of.type),
        connection - first_of(layout, expr.connection.type),
    )
    found = layout.program.networks[expr.network].beyond(of - first, number)
    return None if found is None else first + found


def first_of(layout: Layout, of: ir.Type) -> int:
    """Returns the number of the first thing of a type."""
    return next(iter(layout.domain(ir.plain(of))), 0)


def around(layout: Layout, family: int, place: int, diagonal: bool) -> tuple[int, ...]:
    of, first = layout.program.families[family], layout.places_of[family][0]
    if of.lines:
        return tuple(first + each for each in of.joined(place - first))
    steps = of.steps(diagonal)
    found = (beside(layout, family, place, across, down) for across, down in steps)
    return tuple(sorted(each for each in found if each is not None))
