"""Checks expressions about connections: `ends of road`, `roads of town`, and paths over them.

A connection is a word of a set with `joins`, or a place indexed by such a word alone: what is said
of a side between two squares is said of the wall on it in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.meaning.check.checker import CodeChecker
from lawspeaker.meaning.check.fitting import bare
from lawspeaker.meaning.check.mentions import must_mention
from lawspeaker.meaning.check.world import World
from lawspeaker.text import syntax as s

ENDS = "ends"


def network_of(world: World, type: ir.Type) -> int | None:
    """The network whose connections are of a type, or None."""
    match type:
        case ir.WordType(index=index):
            return world.word_sets[index].network
        case ir.PlaceType(index=index) if index < len(world.families):
            indices = world.families[index].indices
            if len(indices) == 1 and isinstance(indices[0].type, ir.WordType):
                return network_of(world, indices[0].type)
    return None


def sorts(world: World) -> Iterator[tuple[ir.Type, int]]:
    """All types of connections, each with its network."""
    for name, type in world.types.items():
        network = network_of(world, type)
        if network is not None and name == str(type):
            yield type, network


def called(world: World) -> Iterator[str]:
    """The nouns of connections, singular and plural, which can precede `of`."""
    for type, _ in sorts(world):
        yield str(type)
        yield world.many(type)


def joined(world: World, operand: ir.Expr) -> bool:
    """Whether something can be an end of a connection."""
    return any(world.networks[each].joins == bare(operand.type) for _, each in sorts(world))


def network_called(world: World, name: str, end: ir.Type) -> ir.Type | None:
    """The type of connections by a noun that things of type `end` have."""
    for type, network in sorts(world):
        if name in (str(type), world.many(type)) and world.networks[network].joins == end:
            return type
    return None


def of(world: World, name: str, operand: ir.Expr, type: ir.Type, span: Span) -> ir.Expr | None:
    """`ends of road`, `roads of town`: resolves an accessor of connections."""
    network = network_of(world, type)
    if network is not None and name == ENDS:
        return ir.Along(ir.SetType(world.networks[network].joins), network, operand, span=span)
    named = network_called(world, name, type)
    if named is None or name == str(named):
        return None
    return ir.Along(ir.SetType(named), _network(world, named), operand, span=span)


def _network(world: World, type: ir.Type) -> int:
    network = network_of(world, type)
    assert network is not None
    return network


def between(
    code: CodeChecker, type: ir.Type, one: bool, end: ir.Expr, other: ir.Expr, span: Span
) -> ir.Expr:
    """`roads of town with other`: the connections between both; with `one`, that one or nothing."""
    network = _network(code.world, type)
    slot = code.scope.new_slot(str(type), type)
    there = _end_of_own(code.world, end, ir.Local(type, slot, str(type), span=span), span)
    source = ir.Along(ir.SetType(type), network, end, span=span)
    where = ir.Compare(ir.TRUTH, "=", there, other, span=span)
    binder = ir.Binder(slot, str(type), type, source, where, span=span)
    found = ir.Filter(ir.SetType(type), binder, span=span)
    return ir.EndOf(ir.MaybeType(type), found, False, span=span) if one else found


def _end_of_own(world: World, end: ir.Expr, connection: ir.Local, span: Span) -> ir.FarEnd:
    """The far end of a connection that is known to begin here."""
    network = _network(world, connection.type)
    return ir.FarEnd(bare(end.type), network, end, connection, span=span)


def neighbours_along(
    code: CodeChecker, name: str, of: ir.Expr, way: ir.Expr, span: Span
) -> ir.Expr:
    """`neighbour of TOWN along ROAD`, or `neighbours of TOWN along ROADS` of a set."""
    world, several = code.world, name == "neighbours"
    connection = way.type.of if isinstance(way.type, ir.SetType) else bare(way.type)
    network = network_of(world, connection)
    fits = network is not None and world.networks[network].joins == bare(of.type)
    if not fits or isinstance(way.type, ir.SetType) != several:
        if not isinstance(way.type, ir.BrokenType):
            _wanted(code, of, way, several)
        return ir.Const(ir.BROKEN, None, span=span)
    code.must_fit(of, bare(of.type))
    if not several:
        code.must_fit(way, connection)
        network = _network(world, connection)
        return ir.FarEnd(ir.MaybeType(bare(of.type)), network, of, way, span=span)
    slot = code.scope.new_slot(str(connection), connection)
    local = ir.Local(connection, slot, str(connection), span=span)
    source = ir.Along(ir.SetType(connection), _network(world, connection), of, span=span)
    where = ir.Includes(ir.TRUTH, way, local, span=span)
    binder = ir.Binder(slot, str(connection), connection, source, where, span=span)
    return _collected(world, of, binder, span)


def _wanted(code: CodeChecker, of: ir.Expr, way: ir.Expr, several: bool) -> None:
    """Reports an operand along which there are no neighbours."""
    world, end = code.world, bare(of.type)
    known = (each for each, number in sorts(world) if world.networks[number].joins == end)
    one = next(known)
    many = world.many(one)
    code.diagnostics.error(
        "wrong-type",
        f"this is {world.a(way.type)}, but {many if several else world.a(one)} "
        f"{'are' if several else 'is'} needed here",
        way.span,
        hint=f"write `neighbours of … along all {many} where …`"
        if several
        else f"along one {one} there is one neighbour; along several, "
        f"`neighbours of … along all {many} where …`",
    )


def neighbours(code: CodeChecker, of: ir.Expr, said: s.Binder, span: Span) -> ir.Expr:
    """`neighbours of TOWN along all roads where …`: filters only the roads of the town."""
    taken, _ = code.binder(said)
    network = network_of(code.world, taken.type)
    if network is None or code.world.networks[network].joins != bare(of.type):
        found = ir.Filter(ir.SetType(taken.type), taken, span=taken.span)
        return neighbours_along(code, "neighbours", of, found, span)
    code.must_fit(of, bare(of.type))
    own: ir.Expr = ir.Along(ir.SetType(taken.type), network, of, span=span)
    where = taken.where
    if not isinstance(taken.source, ir.Domain):
        local = ir.Local(taken.type, taken.slot, taken.name, span=span)
        listed = ir.Includes(ir.TRUTH, taken.source, local, span=span)
        where = listed if where is None else ir.And(ir.TRUTH, listed, where, span=span)
    binder = ir.Binder(taken.slot, taken.name, taken.type, own, where, span=span)
    return _collected(code.world, of, binder, span)


def _collected(world: World, of: ir.Expr, binder: ir.Binder, span: Span) -> ir.Expr:
    """The distinct far ends of some connections."""
    local = ir.Local(binder.type, binder.slot, binder.name, span=span)
    far = _end_of_own(world, of, local, span)
    ends = ir.SetType(bare(of.type))
    return ir.Collect(ends, binder, far, True, span=span)


# ---------------------------------------------------------------- paths


def path_length(code: CodeChecker, expr: s.PathLength) -> ir.Expr:
    """`longest path of length of road over roads where …`, `shortest path from … to … over …`."""
    found = _over(code, expr.binder, expr.value)
    if found is None:
        return ir.Const(ir.BROKEN, None, span=expr.span)
    network, binder, value = found
    joins = code.world.networks[network].joins
    start, goal = (_ends(code, each, joins) for each in (expr.start, expr.goal))
    _right_ends(code, expr)
    if expr.nodes is not None:
        named = code.world.type_named(expr.nodes.text)
        code.meant(expr.nodes, named)
        if named != joins:
            code.diagnostics.error(
                "wrong-type",
                f"{code.world.many(binder.type)} join {code.world.many(joins)}, and not this",
                expr.nodes.span,
                hint=f"write `through different {code.world.many(joins)}`",
            )
    other = code.number(expr.otherwise) if expr.otherwise is not None else None
    if other is None:
        other = ir.Const(ir.NUMBER, 0, span=expr.span)
    apart = expr.nodes is not None
    parts = network, start, goal, binder, value, expr.longest, apart, other
    return ir.PathLength(ir.NUMBER, *parts, span=expr.span)


def path_exists(code: CodeChecker, expr: s.PathExists) -> ir.Expr:
    """`there is a path from … to … over …`: whether its length is at least 0; -1 is no path."""
    found = _over(code, expr.binder, None)
    if found is None:
        return ir.Const(ir.BROKEN, None, span=expr.span)
    network, binder, _ = found
    joins = code.world.networks[network].joins
    start, goal = (_ends(code, each, joins) for each in (expr.start, expr.goal))
    nought, none = (ir.Const(ir.NUMBER, each, span=expr.span) for each in (0, -1))
    parts = network, start, goal, binder, nought, False, False, none
    length = ir.PathLength(ir.NUMBER, *parts, span=expr.span)
    sign = "<" if expr.negated else ">="
    zero = ir.Const(ir.NUMBER, 0, span=expr.span)
    return ir.Compare(ir.TRUTH, sign, length, zero, span=expr.span)


def _over(
    code: CodeChecker, said: s.Binder, counted: s.Expr | None
) -> tuple[int, ir.Binder, ir.Expr] | None:
    """The network a path uses, its connections, and the weight of each."""
    binder, thing = code.binder(said, keep=True)
    value: ir.Expr = ir.Const(ir.NUMBER, 1, span=said.span)
    if counted is not None:
        value = code.number(counted)
        must_mention(code, value, thing, counted.span)
    network = network_of(code.world, binder.type)
    if network is None:
        if not isinstance(binder.type, ir.BrokenType):
            code.diagnostics.error(
                "wrong-type",
                f"{code.world.many(binder.type)} join nothing, so no path leads over them",
                said.noun.span,
                hint=_over_what(code.world),
            )
        return None
    return network, binder, value


def _over_what(world: World) -> str:
    known = [f"`over {world.many(type)}`" for type, _ in sorts(world)]
    return (
        f"write {' or '.join(known[:3])}"
        if known
        else ("declare what joins them under `words:`, with `joins:`")
    )


def _ends(code: CodeChecker, said: s.Expr | None, joins: ir.Type) -> ir.Expr | None:
    """The start or the goal of a path: one thing, or several."""
    if said is None:
        return None
    found = code.expr(said, joins)
    if isinstance(found.type, ir.SetType):
        code.must_fit(found, ir.SetType(joins))
        return found
    code.must_fit(found, joins)
    return ir.ListOf(ir.SetType(joins), (found,), span=found.span)


def _right_ends(code: CodeChecker, expr: s.PathLength) -> None:
    """Reports a shortest path without ends, and a longest one with a goal."""
    if expr.longest and expr.goal is not None:
        code.diagnostics.error(
            "wrong-operands",
            "a longest path ends where it can, not where it is told to",
            expr.goal.span,
            hint="leave out `to …`; where it begins can be said",
        )
    elif not expr.longest and expr.goal is None:
        code.diagnostics.error(
            "wrong-operands",
            "it is not said from where to where the shortest path leads",
            expr.span,
            hint="write `shortest path from … to … over …`",
        )
    if expr.longest and expr.otherwise is not None:
        code.diagnostics.error(
            "unused",
            "a longest path has the length 0 where there is none",
            expr.otherwise.span,
            hint="leave out `otherwise`",
        )
    elif not expr.longest and expr.otherwise is None:
        code.diagnostics.error(
            "maybe-empty",
            "there may be no path at all",
            expr.span,
            hint="add `otherwise 0`, or what it shall be then",
        )
    if not expr.longest and expr.nodes is not None:
        code.diagnostics.error(
            "unused",
            "a shortest path comes to nothing twice anyway",
            expr.nodes.span,
            hint="leave out `through different …`",
        )
