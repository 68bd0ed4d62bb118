"""Function inlining for the WebAssembly back end.

    half(a: i32) -> i32          f(b: i32) -> i32              f(b: i32) -> i32
      if not a:                    return half(b + 1) + 5        a = b + 1
        return 7                                                 block:
      return a >> 1                                                if not a:
                                                                     back = 7
                                                                     leave block
                                                                   back = a >> 1
                                                                 return back + 5

A call takes about as long as a dozen instructions, so a function of a few dozen is better inlined.
Arguments go into variables of the caller, a `return` sets the result and leaves a block. Evaluation
order is preserved: operands before the call that it might change are evaluated before it, and the
arm of an `either` becomes that of an `if`. A variable that may be read before it is set is reset to
0 each time, as in a call.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from lawspeaker.machines.middle import forms as m
from lawspeaker.machines.middle.folding import folded
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.pruning import leave_out_uncalled
from lawspeaker.machines.middle.walk import (
    STOPPING,
    bodies,
    expressions,
    reads_state,
    rebuilt,
    statements,
    with_bodies,
)

_Node = TypeVar("_Node", m.Expr, m.Statement)


def inline(module: Module, most: int, longest: int, room: int) -> None:
    """Inlines functions of at most `most` operations, as long as no caller grows beyond `longest`,
    nor the module beyond `room`, and removes uncalled functions."""
    scans = {each: _Scan(each) for each in module.functions}
    short = _Short(most, longest, room - sum(each.length for each in scans.values()))
    for function in _called_first(scans):
        scan = scans[function]
        if any(short.has(each) for each in scan.called):
            caller = _Caller(scan, short)
            body = caller.all(function.body)
            if caller.took:
                function.body = body
                scan.called = caller.kept.union(*(scans[each].called for each in caller.took))
                scan.length = caller.length
        if function not in scan.called:
            short.lengths[function] = scan.length
    leave_out_uncalled(module, lambda function: scans[function].called)


class _Scan:
    """Facts about a function: the calls by statement, the called functions, the names in use, and
    the number of operations. `stopping`: functions that record the reason of a trap."""

    def __init__(self, function: m.Function) -> None:
        self.length = 0
        self.calls: dict[m.Statement, list[m.Call]] = {}
        self.called: set[m.Function] = set()
        self.stopping: set[m.Function] = set()
        self.names = {each.name for each in function.given}
        for statement in statements(function.body):
            parts = expressions(statement)
            self.length += 1 + len(parts)
            for each in parts:
                if type(each) is m.Variable:
                    self.names.add(each.name)
                elif type(each) is m.Call:
                    self.calls.setdefault(statement, []).append(each)
                    self.called.add(each.function)
            self._note(statement)

    def _note(self, statement: m.Statement) -> None:
        if isinstance(statement, m.Set):
            self.names.add(statement.target.name)
            return
        match statement:
            case m.Do(function=function, into=into):
                self.calls.setdefault(statement, [])
                self.called.add(function)
                self.names |= {each.name for each in into}
            case m.Stop(function=m.Function() as function):
                self.called.add(function)
                self.stopping.add(function)
            case m.Block(label=label) | m.Loop(label=label):
                self.names.add(label.name)


def _called_first(scans: Mapping[m.Function, _Scan]) -> Iterable[m.Function]:
    """Returns functions in postorder of the call graph (except for cycles)."""
    found: dict[m.Function, None] = {}
    begun: set[m.Function] = set()
    order = {each: at for at, each in enumerate(scans)}
    waiting = list(reversed([*scans]))
    while waiting:
        function = waiting.pop()
        if function in begun:
            found.setdefault(function)
            continue
        begun.add(function)
        called = sorted(scans[function].called, key=order.__getitem__)
        waiting += [function, *(each for each in called if each not in begun)]
    return found


class _Short:
    """Decides which functions are inlined. `lengths`: of those that are finished and do not call
    themselves."""

    def __init__(self, most: int, longest: int, room: int) -> None:
        self.most = most
        self.longest = longest
        self.room = room
        self.lengths: dict[m.Function, int] = {}
        self._unset: dict[m.Function, list[m.Variable]] = {}

    def unset_in(self, function: m.Function) -> list[m.Variable]:
        """Returns the variables of a finished function that may be read before they are set."""
        if function not in self._unset:
            self._unset[function] = _may_be_unset(function)
        return self._unset[function]

    def has(self, called: m.Function) -> bool:
        return self.lengths.get(called, self.most + 1) <= self.most

    def take(self, called: m.Function, length: int) -> bool:
        """Reserves space for inlining a function once more into one of this length; returns whether
        it fits."""
        size = self.lengths[called]
        if size > self.room or length + size >= self.longest:
            return False
        self.room -= size
        return True


class _Caller:
    """A function into which others are inlined."""

    def __init__(self, scan: _Scan, short: _Short) -> None:
        self.short = short
        self.length = scan.length
        self.took: set[m.Function] = set()
        self.kept = set(scan.stopping)  # the callees that are not inlined
        self.before: m.Statements = []  # statements to insert before the current one
        self.taken: set[m.Call] = set()  # the calls in it that are inlined
        self._calls_in = scan.calls
        self._names = scan.names

    def all(self, body: m.Statements) -> m.Statements:
        found: m.Statements = []
        for each in body:
            calls = self._calls_in.get(each)
            inner = with_bodies(each, self.all)
            found += [inner] if calls is None else self._statement(inner, calls)
        return found

    def fresh(self, name: str) -> str:
        """Returns a name that is unused in this function."""
        stem, number = name.partition(".")[0], 1
        name = stem
        while name in self._names:
            number += 1
            name = f"{stem}.{number}"
        self._names.add(name)
        return name

    # ------------------------------------------------------------ statements

    def _statement(self, statement: m.Statement, calls: Sequence[m.Call]) -> m.Statements:
        self.taken = {each for each in calls if self._takes(each.function)}
        done = isinstance(statement, m.Do) and self._takes(statement.function)
        if not self.taken and not done:
            return [statement]
        self.before = []
        match statement:
            case m.Do(function=function, arguments=arguments, into=into) if done:
                types = function.results if not into else ()
                unread = [self._variable("unread", type) for type in types]
                self._write(function, arguments, [*into, *unread])
            case m.Set(target=m.Variable() as target, value=m.Call() as value) if (
                value in self.taken
            ):
                self._write(value.function, value.arguments, [target])
            case m.Return(values=(m.Call() as value,)) if value in self.taken:
                self._write(value.function, value.arguments, None)
            case _:
                self.before.append(_with_parts(statement, self._in_order(statement.parts())))
        return self.before

    def _takes(self, called: m.Function) -> bool:
        if not self.short.has(called) or not self.short.take(called, self.length):
            self.kept.add(called)
            return False
        self.length += self.short.lengths[called]
        self.took.add(called)
        return True

    # ------------------------------------------------------------ expressions

    def _in_order(self, parts: m.Parts) -> m.Parts:
        """Rewrites operands some of which contain inlined calls. These are executed before the
        statement, and so are operands before them, unless their value cannot change."""
        last = max((at for at, each in enumerate(parts) if self._calls(each)), default=-1)
        found: list[m.Expr] = []
        for at, part in enumerate(parts):
            each = self._expr(part)
            found.append(each if at >= last or _is_settled(each) else self._let("before", each))
        return tuple(found)

    def _calls(self, expr: m.Expr) -> bool:
        return expr in self.taken or any(each in self.taken for each in expressions(expr))

    def _expr(self, expr: m.Expr) -> m.Expr:
        """Rewrites an expression, moving inlined calls before the statement."""
        if not self._calls(expr):
            return expr
        if isinstance(expr, m.Call) and expr in self.taken:
            back = self._variable("back", expr.type)
            self._write(expr.function, expr.arguments, [back])
            return back
        if isinstance(expr, m.Either):
            condition = self._expr(expr.condition)
            chosen = self._variable("chosen", expr.type)
            arms = [self._arm(each, chosen) for each in (expr.one, expr.other)]
            self.before.append(m.If(condition, *arms))
            return chosen
        return _with_parts(expr, self._in_order(expr.parts()))

    def _arm(self, arm: m.Expr, chosen: m.Variable) -> m.Statements:
        around, self.before = self.before, []
        self.before.append(m.Set(chosen, self._expr(arm)))
        found, self.before = self.before, around
        return found

    def _variable(self, name: str, type: m.Type) -> m.Variable:
        return m.Variable(type, self.fresh(name))

    def _let(self, name: str, value: m.Expr) -> m.Variable:
        made = self._variable(name, value.type)
        self.before.append(m.Set(made, value))
        return made

    # ------------------------------------------------------------ inlining

    def _write(
        self, function: m.Function, arguments: m.Parts, into: Sequence[m.Variable] | None
    ) -> None:
        """Inlines a function. Its results go into variables, or are returned by the caller."""
        arguments = self._in_order(arguments)
        copied = _Copied(self, function, into)
        for name, value in zip(function.given, arguments, strict=True):
            if isinstance(value, m.Const | m.Variable) and name not in copied.set:
                copied.values[name] = value
            else:
                self.before.append(m.Set(copied.variable(name), value))
        for each in self.short.unset_in(function):
            self.before.append(m.Set(copied.variable(each), m.const(0, each.type)))
        body = copied.all(function.body, last=True)
        if any(isinstance(each, m.Const) for each in copied.values.values()):
            body = folded(body)
        self.before += [m.Block(copied.end, body)] if copied.leaves else body


class _Copied:
    """A copy of a function's body within another one, where a `return` is an exit of a block."""

    def __init__(
        self, caller: _Caller, function: m.Function, into: Sequence[m.Variable] | None
    ) -> None:
        self.caller = caller
        self.into = into
        self.values: dict[m.Variable, m.Expr] = {}
        self.labels: dict[m.Label, m.Label] = {}
        self.set = _set_in(function.body)
        self.end = m.Label(caller.fresh("block"))
        self.leaves = False

    def variable(self, variable: m.Variable) -> m.Variable:
        """Returns the renamed variable."""
        if variable not in self.values:
            self.values[variable] = m.Variable(variable.type, self.caller.fresh(variable.name))
        found = self.values[variable]
        assert isinstance(found, m.Variable)
        return found

    def all(self, body: m.Statements, *, last: bool) -> m.Statements:
        """Copies a body; `last`: nothing is executed after it."""
        found: m.Statements = []
        for at, each in enumerate(body, 1):
            found += self._statement(each, last=last and at == len(body))
        return found

    def _statement(self, statement: m.Statement, *, last: bool) -> m.Statements:
        parts = tuple([self._expr(each) for each in statement.parts()])
        match statement:
            case m.Return() if self.into is not None:
                found = _set_all(self.into, parts, self.caller)
                if not last:
                    self.leaves = True
                    found.append(m.Leave(self.end))
                return found
            case m.Set(target=m.Variable() as target):
                return [m.Set(self.variable(target), *parts)]
            case m.Do(function=function, into=into):
                return [m.Do(function, parts, tuple(self.variable(each) for each in into))]
            case m.If(then=then, otherwise=otherwise):
                one, other = (self.all(each, last=last) for each in (then, otherwise))
                return [m.If(parts[0], one, other)]
            case m.Block(label=label, body=body):
                return [m.Block(self._label(label), self.all(body, last=last))]
            case m.Loop(label=label, body=body):
                return [m.Loop(self._label(label), self.all(body, last=False))]
            case m.Leave(label=label):
                return [m.Leave(self.labels[label], *parts)]
            case m.Again(label=label):
                return [m.Again(self.labels[label], *parts)]
        return [statement.made_of(parts)]

    def _label(self, label: m.Label) -> m.Label:
        self.labels[label] = m.Label(self.caller.fresh(label.name))
        return self.labels[label]

    def _expr(self, expr: m.Expr) -> m.Expr:
        if isinstance(expr, m.Variable):
            return self.values[expr] if expr in self.values else self.variable(expr)
        if isinstance(expr, m.Call):  # call nodes must be distinct
            return m.Call(expr.type, expr.function, tuple(map(self._expr, expr.arguments)))
        return rebuilt(expr, self._expr)


def _set_all(into: Sequence[m.Variable], values: m.Parts, caller: _Caller) -> m.Statements:
    """Assigns variables in parallel: the values may read them."""
    names = set(into)
    if not any(each in names for value in values[1:] for each in (value, *expressions(value))):
        return [m.Set(name, value) for name, value in zip(into, values, strict=True)]
    held = [m.Variable(each.type, caller.fresh("back")) for each in values]
    return [
        *(m.Set(name, value) for name, value in zip(held, values, strict=True)),
        *(m.Set(name, value) for name, value in zip(into, held, strict=True)),
    ]


def _with_parts(node: _Node, parts: m.Parts) -> _Node:
    made = node.made_of(parts)
    assert type(made) is type(node)
    return made


def _is_settled(expr: m.Expr) -> bool:
    """Returns whether an expression is independent of calls, and cannot trap."""
    stops = (
        isinstance(each, m.Binary) and each.operation in STOPPING
        for each in (expr, *expressions(expr))
    )
    return not reads_state(expr) and not any(stops)


def _set_in(body: m.Statements) -> set[m.Variable]:
    """Returns the variables that are assigned in a body."""
    found: set[m.Variable] = set()
    for each in statements(body):
        match each:
            case m.Set(target=m.Variable() as target):
                found.add(target)
            case m.Do(into=into):
                found.update(into)
    return found


# ---------------------------------------------------------------- definite assignment


def _may_be_unset(function: m.Function) -> list[m.Variable]:
    """Returns the variables that may be read before they are set (definite-assignment analysis)."""
    found: dict[m.Variable, None] = {}
    behind: dict[m.Label, set[m.Variable] | None] = {}

    def known_after(body: m.Statements, known: set[m.Variable]) -> set[m.Variable] | None:
        """The variables that are set behind a body; None if nothing comes behind it."""
        for each in body:
            for part in expressions(each):
                if isinstance(part, m.Variable) and part not in known:
                    found[part] = None
            after: set[m.Variable] | None = known
            match each:
                case m.Set(target=m.Variable() as target):
                    known.add(target)
                case m.Do(into=into):
                    known.update(into)
                case m.If():
                    one, other = (known_after(inner, set(known)) for inner in bodies(each))
                    after = _both(one, other)
                case m.Block(label=label, body=inner):
                    behind[label] = None
                    end = known_after(inner, set(known))
                    after = _both(end, behind[label])
                case m.Loop(label=label, body=inner):
                    behind[label] = None
                    known_after(inner, set(known))
                    after = behind[label]
                case m.Leave(label=label, when=when):
                    behind[label] = _both(behind[label], set(known))
                    after = None if when is None else known
                case m.Again(when=None) | m.Return() | m.Stop():
                    after = None
            if after is None:
                return None
            known = after
        return known

    known_after(function.body, set(function.given))
    return list(found)


def _both(one: set[m.Variable] | None, other: set[m.Variable] | None) -> set[m.Variable] | None:
    """Meets the sets of two paths, of which each may be unreachable."""
    if one is None or other is None:
        return other if one is None else one
    return one & other
