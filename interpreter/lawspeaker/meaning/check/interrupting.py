"""Lowers clauses that interrupt others: they run after every answer given during those.

`interrupts: trick` means: whenever somebody has answered during `trick`, and the consequences are
done, this clause runs. A clause asks at most one question, so the consequences are done when the
asking clause returns. So a call is inserted after each call of an asking clause within `trick` or
its callees. The machines know nothing of it. If `trick` itself asks, the call follows `trick`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from operator import is_not
from typing import Any

from lawspeaker import ir
from lawspeaker.base.diagnostics import Label
from lawspeaker.base.source import Span
from lawspeaker.ir.walk import everything
from lawspeaker.meaning.check.world import Procedure, World
from lawspeaker.text.document import Scalar, scalars_of

KEY = "interrupts"
Calls = dict[int, list[tuple[int, Span]]]


@dataclass(frozen=True, slots=True)
class CallSite:
    """A call site: clause `by` calls the clause `asking`; with None, every call of it."""

    by: int | None
    asking: int


Added = dict[CallSite, dict[int, ir.Do]]
"""The calls to insert at each point, by clause: each once, in the order of declaration."""


def interrupt(world: World, calls: Calls) -> None:
    """Inserts the calls of all interrupting clauses."""
    added: Added = {}
    for entry in world.book.section("rules").values():
        if entry.get(KEY) is None:
            continue
        procedure = world.procedures.get(entry.id)
        if procedure is None or procedure.names:
            world.diagnostics.error(
                "cannot-do",
                f"`{entry.id}` cannot interrupt anything",
                entry.key_span(KEY),
                hint="only a clause with a `rule:`, which is given nothing, can be done at any "
                "time; what it has to know is shown by markers",
            )
            continue
        clause = world.clauses[procedure.index]
        world.clauses[procedure.index] = replace(clause, interrupts=True)
        for node in scalars_of(entry.get(KEY)):
            done = ir.Do(procedure.index, (), span=node.span)
            for point in _points(world, procedure, node):
                added.setdefault(point, {}).setdefault(done.clause, done)
    if not added or world.diagnostics.has_errors:
        return
    for index, clause in world.clauses.items():
        put: list[ir.Do] = []
        body = _spliced(clause.body, index, added, put)
        if put:
            calls[index] = calls.get(index, []) + [(each.clause, each.span) for each in put]
            world.clauses[index] = replace(clause, body=body)


def _points(world: World, procedure: Procedure, node: Scalar) -> list[CallSite]:
    """The call sites after which an interrupting clause runs."""
    stretch = world.procedures.get(node.value)
    if stretch is None:
        world.diagnostics.error(
            "unknown-name",
            f"there is no clause `{node.value}` that is done",
            node.span,
            hint=world.suggest(node.value, world.procedures),
        )
        return []
    if stretch.index == procedure.index:
        found: list[CallSite] = []
    elif _asks(world, stretch.index):
        found = [CallSite(None, stretch.index)]
    else:
        found = list(_inside(world, stretch.index, procedure.index, {stretch.index}))
    if not found and not world.diagnostics.has_errors:
        world.diagnostics.error(
            "unused",
            f"nobody is asked anything during `{node.value}` that could be interrupted",
            node.span,
            Label(stretch.entry.span, "this clause"),
            hint="name a clause with a question, or one that does such clauses",
        )
    return found


def _inside(world: World, by: int, but: int, seen: set[int]) -> Iterator[CallSite]:
    done = dict.fromkeys(
        each.clause for each in everything(world.clauses[by].body) if isinstance(each, ir.Do)
    )
    for clause in done:
        if clause == but:
            continue
        if _asks(world, clause):
            yield CallSite(by, clause)
        elif clause not in seen:
            seen.add(clause)
            yield from _inside(world, clause, but, seen)


def _asks(world: World, clause: int) -> bool:
    return any(isinstance(each, ir.Ask) for each in everything(world.clauses[clause].body))


def _spliced(node: Any, by: int, added: Added, put: list[ir.Do]) -> Any:
    """The code with calls inserted after what they interrupt; the same object if there are none.
    Appends what was inserted to `put`."""
    if isinstance(node, tuple):
        items: list[Any] = []
        for each in node:
            items.append(_spliced(each, by, added, put))
            if isinstance(each, ir.Do):
                points = CallSite(by, each.clause), CallSite(None, each.clause)
                dos = {at: done for point in points for at, done in added.get(point, {}).items()}
                new = [replace(done) for done in dos.values()]
                items += new
                put += new
        return tuple(items) if any(map(is_not, items, node)) or len(items) > len(node) else node
    if not isinstance(node, ir.Statement | ir.Alternative):
        return node
    changed = {}
    for field in fields(node):
        value = getattr(node, field.name)
        if isinstance(value, tuple):
            new = _spliced(value, by, added, put)
            if new is not value:
                changed[field.name] = new
    return replace(node, **changed) if changed else node
