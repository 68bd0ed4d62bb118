"""Mutations: every way to change one place of a Python module.

    if a < b:   becomes   if a <= b:    or    if True:    or    if False:

A mutation is a range of the text and a replacement. So a mutated file differs from the original in
one place and keeps its comments and its layout. Places are found in the syntax tree: conditions are
always or never true, statements and cases are skipped, loops have no iterations, one operand of a
union is dropped, an element of a table is missing, an operand of `and` is left out, numbers are one
off, calls return their argument, functions return something empty. Mutations that are no valid
Python, or that change nothing, are left out.

A mutation is known by its *fingerprint*: a hash of the function it is in, the kind of mutation and
the code before and after. Line numbers and the file do not count, so a fingerprint survives most
changes elsewhere. Equal mutations of a function are numbered.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_NEXT_DOOR: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_ONE_SIDE = (ast.Add, ast.Sub, ast.BitOr, ast.BitAnd, ast.BitXor)
_OTHER_WAY: dict[type[ast.operator], str] = {
    ast.Mult: "+",
    ast.FloorDiv: "*",
    ast.Mod: "+",
    ast.LShift: ">>",
    ast.RShift: "<<",
    ast.Div: "*",
    ast.Pow: "*",
}
_TWINS = {"any": "all", "all": "any", "min": "max", "max": "min"}
_EMPTY = {
    "bool": ("True", "False"),
    "int": ("0",),
    "str": ("''",),
    "tuple": ("()",),
    "list": ("[]",),
    "dict": ("{}",),
    "set": ("set()",),
    "frozenset": ("frozenset()",),
}
_STATEMENTS = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Delete, ast.Raise)
_JUMPS = (ast.Continue, ast.Break)
_BLOCKS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)

Change = tuple[ast.AST, str, str]
"""The node that is replaced, the kind of mutation, and the replacement."""


@dataclass(frozen=True, slots=True)
class Mutation:
    function: str
    kind: str
    before: str
    after: str
    line: int
    start: int
    end: int
    count: int
    """Which of several equal ones in the same function."""

    @property
    def fingerprint(self) -> str:
        said = "\n".join((self.function, self.kind, self.before, self.after, str(self.count)))
        return hashlib.sha256(said.encode()).hexdigest()[:10]


def mutations(text: str) -> Iterator[Mutation]:
    """All mutations of a module. Some may be no valid Python, or change nothing: see `mutated`."""
    lines = line_starts(text)
    counts: dict[tuple[str, ...], int] = {}
    covered: set[tuple[int, int]] = set()
    for function, (node, kind, after) in _walk(ast.parse(text), "", None):
        assert isinstance(node, ast.expr | ast.stmt | ast.pattern | ast.Slice)
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = offset(text, lines, node.lineno, node.col_offset)
        end = offset(text, lines, node.end_lineno, node.end_col_offset)
        if kind in ("always", "never", "statement skipped"):
            covered.add((start, end))
        elif kind in ("turned round", "its argument") and (start, end) in covered:
            continue
        key = (function, kind, ast.unparse(node), after)
        counts[key] = counts.get(key, 0) + 1
        yield Mutation(*key, node.lineno, start, end, counts[key])


def mutated(text: str, one: Mutation) -> str | None:
    """The text with a mutation in it, or nothing if that is no Python or the same code."""
    after = text[: one.start] + one.after + text[one.end :]
    try:
        same = ast.dump(ast.parse(after)) == _dumped(text)
    except SyntaxError:
        return None
    return None if same else after


@lru_cache(maxsize=1)
def _dumped(text: str) -> str:
    return ast.dump(ast.parse(text))


def line_starts(text: str) -> list[int]:
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


def offset(text: str, starts: list[int], line: int, column: int) -> int:
    """Syntax trees count columns in bytes."""
    start = starts[line - 1]
    return start + len(text[start : starts[line]].encode()[:column].decode())


# ---------------------------------------------------------------- the places of a tree


def _walk(node: ast.AST, function: str, returns: ast.expr | None) -> Iterator[tuple[str, Change]]:
    if isinstance(node, ast.JoinedStr):  # Older Pythons do not know where its parts are.
        return
    if _is_only_for_types(node):
        return
    if isinstance(node, _BLOCKS):
        function = f"{function}.{node.name}".lstrip(".")
        returns = node.returns if not isinstance(node, ast.ClassDef) else None
    for change in _own(node, returns):
        yield function, change
    inside_class = isinstance(node, ast.ClassDef | ast.Module)
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "bases", "pattern", "target"):
            continue
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, ast.stmt) and not inside_class:
                for change in _skipped(each):
                    yield function, change
            if isinstance(each, ast.AST):
                yield from _walk(each, function, returns)


def _is_only_for_types(node: ast.AST) -> bool:
    match node:
        case ast.If(test=ast.Name(id="TYPE_CHECKING")):
            return True
        case ast.Assign(targets=[ast.Name(id=name)]):  # Types are written LikeThis.
            return name[:1].isupper() and not name.isupper()
        case ast.Call(func=ast.Name(id="cast" | "TypeVar")):
            return True
        case _:
            return False


def _skipped(node: ast.stmt) -> Iterator[Change]:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return
    if isinstance(node, _STATEMENTS + _JUMPS) or (
        isinstance(node, ast.Return) and node.value is None
    ):
        yield node, "statement skipped", "pass"


def _own(node: ast.AST, returns: ast.expr | None) -> Iterator[Change]:
    match node:
        case ast.If(test=test) | ast.IfExp(test=test):
            yield from _condition(test)
        case ast.While(test=test):
            yield test, "never", "False"
        case ast.match_case(pattern=pattern, guard=guard):
            yield from _case(pattern, guard)
        case ast.For(iter=rounds):
            yield rounds, "no rounds", "()"
        case ast.comprehension(iter=rounds, ifs=conditions):
            yield rounds, "no rounds", "()"
            for condition in conditions:
                yield from _condition(condition)
        case ast.BoolOp(op=op, values=values):
            for each in values:
                rest = [other for other in values if other is not each]
                yield node, "not asked", _in_brackets(ast.BoolOp(op, rest) if rest[1:] else rest[0])
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            kind = "one off" if isinstance(op, _ORDERS) else "turned round"
            sides = f"{_in_brackets(left)} {_NEXT_DOOR[type(op)]} {_in_brackets(right)}"
            yield node, kind, f"({sides})"
        case ast.UnaryOp(operand=operand):
            yield node, "turned round", _in_brackets(operand)
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _ONE_SIDE):
            yield node, "left side only", _in_brackets(left)
            yield node, "right side only", _in_brackets(right)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OTHER_WAY:
            sides = f"{_in_brackets(left)} {_OTHER_WAY[type(op)]} {_in_brackets(right)}"
            yield node, "calculated otherwise", f"({sides})"
        case ast.AugAssign(target=target, value=value):
            yield node, "set anew", f"{ast.unparse(target)} = {ast.unparse(value)}"
        case ast.Constant(value=bool() as value):
            yield node, "turned round", str(not value)
        case ast.Constant(value=int() as value):
            yield node, "one off", str(value + 1)
        case ast.Tuple(elts=items, ctx=ast.Load()) | ast.List(elts=items, ctx=ast.Load()):
            for number in range(len(items)):
                fewer = type(node)(items[:number] + items[number + 1 :], ast.Load())
                yield node, f"element {number + 1} missing", ast.unparse(fewer)
        case ast.Set(elts=items):
            for number in range(len(items)):
                few = items[:number] + items[number + 1 :]
                after = ast.unparse(ast.Set(few)) if few else "set()"
                yield node, f"element {number + 1} missing", after
        case ast.Dict(keys=keys, values=values):
            for number in range(len(keys)):
                one_less = ast.Dict(
                    keys[:number] + keys[number + 1 :], values[:number] + values[number + 1 :]
                )
                yield node, f"element {number + 1} missing", ast.unparse(one_less)
        case ast.Slice(lower=lower, upper=upper, step=step):
            if lower is not None:
                yield node, "from the start", ast.unparse(ast.Slice(None, upper, step)) or ":"
            if upper is not None:
                yield node, "to the end", ast.unparse(ast.Slice(lower, None, step)) or ":"
        case ast.Call():
            yield from _call(node)
        case ast.Return(value=ast.expr() as value):
            name = ast.unparse(returns).partition("[")[0] if returns is not None else ""
            for empty in _EMPTY.get(name, ("None",)):
                yield value, f"returns {empty}", empty


def _condition(test: ast.expr) -> Iterator[Change]:
    yield test, "always", "True"
    yield test, "never", "False"


def _case(pattern: ast.pattern, guard: ast.expr | None) -> Iterator[Change]:
    if guard is not None:
        yield from _condition(guard)
    else:
        yield pattern, "case skipped", f"{ast.unparse(pattern)} if False"
    if isinstance(pattern, ast.MatchOr):
        for each in pattern.patterns:
            rest = [other for other in pattern.patterns if other is not each]
            yield pattern, "case skipped", ast.unparse(ast.MatchOr(rest) if rest[1:] else rest[0])


def _call(call: ast.Call) -> Iterator[Change]:
    match call.func:
        case ast.Name(id=name) if name in _TWINS:
            yield call.func, "the other of two", _TWINS[name]
        case ast.Name(id="isinstance"):
            yield call, "turned round", f"(not {ast.unparse(call)})"
    match call.args:
        case [ast.Starred()]:
            pass
        case [given] if not call.keywords:
            yield call, "its argument", _in_brackets(given)
    for each in call.args:
        if isinstance(each, ast.Starred):
            fewer = ast.Call(
                call.func, [one for one in call.args if one is not each], call.keywords
            )
            yield call, "argument missing", ast.unparse(fewer)
    for keyword in call.keywords:
        kept = [one for one in call.keywords if one is not keyword]
        yield call, "argument missing", ast.unparse(ast.Call(call.func, call.args, kept))


def _in_brackets(node: ast.expr) -> str:
    said = ast.unparse(node)
    return said if isinstance(node, ast.Name | ast.Constant | ast.Call) else f"({said})"
