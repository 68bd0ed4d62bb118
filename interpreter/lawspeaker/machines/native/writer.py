"""Translates functions in the middle form to C.

A variable is a variable of C, an `if` is an `if`, a loop is a loop. Exits of blocks, or of more
than one loop, become `goto`. Integers are unsigned, since those wrap around; signed operations
cast. C does not define the evaluation order of operands. So every call is a statement of its own,
and operands that it could change are read before.

Memory accesses, traps and operations without an operator in C are calls of functions or macros of
the dialect (`cpu`, `cuda`): `load32(HERE, …)`, `store8`, `copy`, `clear`, `stop`, `stop_if`,
`div_s32` and so on. `GAME` is the first parameter of every function, `HERE` the argument for it,
and a global of the module is `GLOBAL(n)`. A function is a `FUNCTION`, or `SHORT` if it is best
inlined, or `ONCE` if it has a single call site; a loop is `ROLLED`, so that a dialect can prevent
unrolling, and may begin each iteration with `soft_barrier`. Accesses at constant addresses are
`_fixed`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence

from lawspeaker.machines.middle import forms as m
from lawspeaker.machines.middle.folding import fold
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.walk import expressions, reads_state
from lawspeaker.machines.native.alignment import Alignment
from lawspeaker.machines.native.call_graph import Calling

TYPES = {m.I32: "u32", m.I64: "u64", m.F64: "double"}
_SIGNED = {m.I32: "i32", m.I64: "i64", m.F64: "double"}
_SUFFIX = {m.I32: "32", m.I64: "64", m.F64: "real"}
_LETTERS = {m.I32: "i", m.I64: "l", m.F64: "d"}

_OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^", "div": "/",
    "shl": "<<", "shr": ">>", "eq": "==", "ne": "!=", "lt": "<", "gt": ">", "le": "<=", "ge": ">=",
}  # fmt: skip
_CALLED = ("div_s", "div_u", "rem_s", "rem_u", "max")
"""Operations that are functions of the dialect."""
_CONVERTED = {
    "wrap_i64": "(u32){}",
    "extend_i32_u": "(u64){}",
    "extend_i32_s": "(u64)(i64)(i32){}",
    "convert_i32_s": "(double)(i32){}",
    "convert_i64_s": "(double)(i64){}",
    "sqrt": "sqrt({})",
}


def written(
    module: Module,
    alignment: Alignment | None = None,
    meeting: Collection[m.Label] = (),
    own: Mapping[m.Function, str] | None = None,
) -> str:
    """Translates all functions of a module, each declared before any is defined. `alignment`:
    selects variants of accesses by known alignment and constant addresses. `meeting`: the loops
    whose iterations begin with `soft_barrier`. `own`: bodies of functions that the dialect defines
    itself."""
    calling = Calling(module)
    names = function_names(module)
    lines = [_result_type(results) for results in sorted({f.results for f in module.functions})]
    headings = {
        each: _heading(each, names[each], _kind(calling, each)) for each in module.functions
    }
    lines += [f"{heading};" for heading in headings.values()]
    parts = ["\n".join(line for line in lines if line)]
    for each, heading in headings.items():
        if own and each in own:
            parts.append(f"{heading} {{\n  {own[each]}\n}}")
            continue
        body = _Body(each, names, alignment, meeting)
        if each in calling.deep:
            inner = f"inner_{names[each]}"
            parts.append(body.text(_heading(each, inner, "FUNCTION")))
            parts.append(_counted(each, heading, inner))
        else:
            parts.append(body.text(heading))
    return "\n\n".join(parts) + "\n"


def _kind(calling: Calling, function: m.Function) -> str:
    if function in calling.short:
        return "SHORT"
    return "ONCE" if function in calling.once else "FUNCTION"


def function_names(module: Module) -> dict[m.Function, str]:
    """Returns the C name of each function of a module; no variable ends like that."""
    return {each: _numbered(each.name, f"f{at}") for at, each in enumerate(module.functions)}


def _numbered(name: str, number: int | str) -> str:
    """Returns a C identifier: the number makes it unique, and distinct from keywords."""
    return f"{re.sub('[^0-9A-Za-z]', '_', name)}_{number}"


def _given(function: m.Function) -> list[str]:
    return [_numbered(each.name, at) for at, each in enumerate(function.given)]


# ---------------------------------------------------------------- headings


def _result_name(results: Sequence[m.Type]) -> str:
    if not results:
        return "void"
    if len(results) == 1:
        return TYPES[results[0]]
    return "struct back_" + "".join(_LETTERS[each] for each in results)


def _result_type(results: Sequence[m.Type]) -> str:
    if len(results) < 2:
        return ""
    fields = " ".join(f"{TYPES[of]} v{at};" for at, of in enumerate(results))
    return f"{_result_name(results)} {{ {fields} }};"


def _heading(function: m.Function, name: str, kind: str) -> str:
    given = zip(function.parameters, _given(function), strict=True)
    listed = "".join(f", {TYPES[of]} {each}" for of, each in given)
    return f"{kind} {_result_name(function.results)} {name}(GAME{listed})"


def _counted(function: m.Function, heading: str, inner: str) -> str:
    """Wraps a recursive function in a check of the recursion depth."""
    call = f"{inner}({', '.join(('HERE', *_given(function)))});"
    lines = [f"{heading} {{", "  deeper(HERE);"]
    if function.results:
        lines += [f"  {_result_name(function.results)} back = {call}", "  higher(HERE);"]
        lines += ["  return back;"]
    else:
        lines += [f"  {call}", "  higher(HERE);"]
    return "\n".join([*lines, "}"])


# ---------------------------------------------------------------- bodies


class _Body:
    """Translator of one function."""

    def __init__(
        self,
        function: m.Function,
        names: dict[m.Function, str],
        alignment: Alignment | None,
        meeting: Collection[m.Label],
    ) -> None:
        self.results = function.results
        self.functions = names
        self.alignment = alignment
        self.meeting = meeting
        self.lines: list[str] = []
        self.variables = dict(zip(function.given, _given(function), strict=True))
        self.declared: list[str] = []
        self.calling: set[m.Expr] = set()  # expressions of a statement that contain calls
        self.loops: list[m.Label] = []
        self.labels: dict[m.Label, int] = {}
        self.left: set[m.Label] = set()  # by a goto
        self.begun: set[m.Label] = set()  # again, by a goto
        self._all(function.body, "  ")

    def text(self, heading: str) -> str:
        return "\n".join([f"{heading} {{", *self.declared, *self.lines, "}"])

    def _all(self, body: m.Statements, indent: str) -> None:
        for each in body:
            self.indent = indent
            self._statement(each)

    def _put(self, line: str) -> None:
        self.lines.append(self.indent + line)

    def _inside(self, opening: str, body: m.Statements, first: str = "") -> None:
        """Writes an opening brace and statements."""
        indent = self.indent
        self._put(f"{opening} {{{first}")
        self._all(body, f"{indent}  ")
        self.indent = indent

    # ------------------------------------------------------------ names

    def _declare(self, name: str, type: m.Type) -> str:
        self.declared.append(f"  {TYPES[type]} {name} = 0;")
        return name

    def _variable(self, variable: m.Variable) -> str:
        if variable not in self.variables:
            stem = variable.name.partition(".")[0]
            name = _numbered(stem, len(self.variables))
            self.variables[variable] = self._declare(name, variable.type)
        return self.variables[variable]

    def _taken(self, text: str, type: m.Type) -> str:
        """Stores a value in a temporary."""
        name = self._declare(f"t{len(self.declared)}", type)
        self._put(f"{name} = {text};")
        return name

    def _label(self, what: str, label: m.Label) -> str:
        return f"{what}_{self.labels.setdefault(label, len(self.labels))}"

    # ------------------------------------------------------------ statements

    def _statement(self, statement: m.Statement) -> None:
        self.calling = _calling(statement)
        match statement:
            case m.Set(target=target, value=m.Call(function=function, arguments=arguments)):
                self._put(f"{self._target(target)} = {self._call(function, arguments)};")
            case m.Set(target=target, value=value):
                text = self._bare(value)
                self._put(f"{self._target(target)} = {text};")
            case m.Store(target=target, value=value):
                address, number = self._several((target.address, value))
                self._put(
                    f"{self._place('store', target)}(HERE, {address}, {target.offset}u, {number});"
                )
            case m.Do(function=function, arguments=arguments, into=into):
                self._do(function, arguments, into)
            case m.If(condition=condition, then=[m.Stop(function=None)], otherwise=[]):
                self._put(f"stop_if(HERE, {self._condition(condition)});")
            case m.If(condition=condition, then=then, otherwise=otherwise):
                self._inside(f"if ({self._condition(condition)})", then)
                if otherwise:
                    self._inside("} else", otherwise)
                self._put("}")
            case m.Block(label=label, body=body):
                self._all(body, self.indent)
                self._behind(label)
            case m.Loop():
                self._loop(statement)
            case m.Leave(label=label, when=when):
                inner = self.loops and self.loops[-1] is label
                self._go("break;" if inner else self._goto("behind", label, self.left), when)
            case m.Again(label=label, when=when):
                inner = self.loops[-1] is label
                self._go("continue;" if inner else self._goto("again", label, self.begun), when)
            case m.Return(values=values):
                self._return(values)
            case m.Copy() | m.Clear():
                name = type(statement).__name__.lower()
                known = all(isinstance(each, m.Const) for each in statement.parts())
                name += "_fixed" if known and self.alignment is not None else ""
                self._put(f"{name}(HERE, {', '.join(self._several(statement.parts()))});")
            case m.Stop(function=function, arguments=arguments):
                if function is not None:
                    self._put(f"{self._call(function, arguments)};")
                self._put("stop(HERE);")
            case _:
                raise TypeError(type(statement).__name__)

    def _target(self, target: m.Variable | m.Global) -> str:
        return f"GLOBAL({target.index})" if isinstance(target, m.Global) else self._variable(target)

    def _do(
        self, function: m.Function, arguments: tuple[m.Expr, ...], into: tuple[m.Variable, ...]
    ) -> None:
        call = self._call(function, arguments)
        if not into:
            self._put(f"{call};")
        elif len(into) == 1:
            self._put(f"{self._variable(into[0])} = {call};")
        else:
            taken = " ".join(
                f"{self._variable(each)} = back.v{at};" for at, each in enumerate(into)
            )
            self._put(f"{{ {_result_name(function.results)} back = {call}; {taken} }}")

    def _loop(self, loop: m.Loop) -> None:
        """Writes a loop. A conditional exit at its beginning becomes the condition of a `while`, if
        it contains no call."""
        body, opening = loop.body, "for (;;)"
        match body:
            case [m.Leave(label=label, when=m.Expr() as when), *rest]:
                if label is loop.label and not _calling(body[0]):
                    body, opening = rest, f"while ({self._condition(fold(m.not_(when)))})"
        self.loops.append(loop.label)
        first = " soft_barrier(HERE);" if loop.label in self.meeting else ""
        self._inside(f"ROLLED {opening}", body, first)
        if loop.label in self.begun:
            self._put(f"  {self._label('again', loop.label)}:;")
        self._put("}")
        self.loops.pop()
        self._behind(loop.label)

    def _behind(self, label: m.Label) -> None:
        if label in self.left:
            self._put(f"{self._label('behind', label)}:;")

    def _goto(self, where: str, label: m.Label, used: set[m.Label]) -> str:
        used.add(label)
        return f"goto {self._label(where, label)};"

    def _go(self, going: str, when: m.Expr | None) -> None:
        self._put(going if when is None else f"if ({self._condition(when)}) {going}")

    def _return(self, values: tuple[m.Expr, ...]) -> None:
        texts = self._several(values)
        if len(texts) > 1:
            set_all = " ".join(f"back.v{at} = {text};" for at, text in enumerate(texts))
            self._put(f"{{ {_result_name(self.results)} back; {set_all} return back; }}")
        else:
            self._put(f"return {texts[0]};" if texts else "return;")

    # ------------------------------------------------------------ expressions

    def _several(self, parts: Sequence[m.Expr], *, operands: bool = False) -> list[str]:
        """Translates expressions that are evaluated from left to right."""
        found = []
        for at, part in enumerate(parts):
            text = self._text(part) if operands else self._bare(part)
            if reads_state(part) and any(later in self.calling for later in parts[at + 1 :]):
                text = self._taken(text, part.type)
            found.append(text)
        return found

    def _call(self, function: m.Function, arguments: tuple[m.Expr, ...]) -> str:
        return f"{self.functions[function]}({', '.join(('HERE', *self._several(arguments)))})"

    def _condition(self, expr: m.Expr) -> str:
        """Translates an expression of which only matters whether it is 0."""
        match expr:
            case m.Unary(operation="eqz", operand=operand):
                return f"!{self._text(operand)}"
            case m.Binary(operation=operation) if operation in m.COMPARING:
                return self._operation(expr)
        return self._bare(expr)

    def _text(self, expr: m.Expr) -> str:
        """Translates an operand, in brackets if needed."""
        match expr:
            case m.Binary(operation=operation) if operation not in _CALLED:
                bare = self._bare(expr)
                return bare if operation in m.COMPARING else f"({bare})"
            case m.Either() if not self.calling & {expr.one, expr.other}:
                return f"({self._bare(expr)})"
        return self._bare(expr)

    def _bare(self, expr: m.Expr) -> str:
        match expr:
            case m.Variable():
                return self._variable(expr)
            case m.Const():
                return constant(expr.value, expr.type)
            case m.Global(index=index):
                return f"GLOBAL({index})"
            case m.Binary(operation=operation) if operation in m.COMPARING:
                return f"(u32)({self._operation(expr)})"
            case m.Binary():
                return self._operation(expr)
            case m.Unary(operation="eqz", operand=operand):
                return f"(u32)!{self._text(operand)}"
            case m.Unary(operation=operation, operand=operand) if operation in _CONVERTED:
                return _CONVERTED[operation].format(self._text(operand))
            case m.Unary(operation=operation, operand=operand):
                return f"{operation}{_SUFFIX[expr.type]}({self._bare(operand)})"
            case m.Load(address=address, offset=offset):
                return f"{self._place('load', expr)}(HERE, {self._bare(address)}, {offset}u)"
            case m.Select():
                one, other, condition = self._several(expr.parts())
                return f"select{_SUFFIX[expr.type]}({condition}, {one}, {other})"
            case m.Either():
                return self._either(expr)
            case m.Call(function=function, arguments=arguments):
                return self._taken(self._call(function, arguments), expr.type)
        raise TypeError(type(expr).__name__)

    def _either(self, expr: m.Either) -> str:
        condition = self._condition(expr.condition)
        if not self.calling & {expr.one, expr.other}:
            return f"{condition} ? {self._text(expr.one)} : {self._text(expr.other)}"
        name, indent = self._declare(f"t{len(self.declared)}", expr.type), self.indent
        self._put(f"if ({condition}) {{")
        for arm, behind in ((expr.one, "} else {"), (expr.other, "}")):
            self.indent = f"{indent}  "
            text = self._bare(arm)
            self._put(f"{name} = {text};")
            self.indent = indent
            self._put(behind)
        return name

    def _place(self, verb: str, place: m.Load) -> str:
        """Returns the name of the access function for a memory location."""
        name = verb + ("real" if place.type == m.F64 else str(8 * place.bytes))
        if verb == "load" and place.bytes < 4:
            name += "_s" if place.signed else "_u"
        if self.alignment is None:
            return name
        if self.alignment.is_whole(place):
            return f"{name}_{'fixed' if isinstance(place.address, m.Const) else 'whole'}"
        long = place.type == m.I64 and place.bytes == 8
        return f"{name}_halves" if long and self.alignment.is_whole(place, 4) else name

    def _operation(self, expr: m.Binary) -> str:
        of, operation = expr.left.type, expr.operation
        stem, _, sign = operation.partition("_")
        if operation in _CALLED:
            return f"{operation}{_SUFFIX[of]}(HERE, {', '.join(self._several(expr.parts()))})"
        one, other = self._several(expr.parts(), operands=True)
        if stem in ("shl", "shr"):
            by = expr.right.value if isinstance(expr.right, m.Const) else -1
            if not 0 <= by < m.BITS[of]:
                other = f"({other} & {m.BITS[of] - 1})"
        cast = f"({_SIGNED[of]})" if sign == "s" else ""
        return f"{cast}{one} {_OPERATORS[stem]} {cast}{other}"


def _calling(statement: m.Statement) -> set[m.Expr]:
    """Returns the expressions in a statement that contain calls."""
    found: set[m.Expr] = set()

    def look(expr: m.Expr) -> bool:
        inside = [look(part) for part in expr.parts()]
        if any(inside) or isinstance(expr, m.Call):
            found.add(expr)
        return expr in found

    if any(isinstance(each, m.Call) for each in expressions(statement)):
        for part in statement.parts():
            look(part)
    return found


def constant(value: float, type: m.Type) -> str:
    """Returns a C literal."""
    if isinstance(value, int):
        return f"{value & 0xFFFFFFFF}u" if type == m.I32 else f"{value & (1 << 64) - 1}ull"
    if math.isfinite(value):
        return f"({value.hex()})"  # exact
    return "NAN" if math.isnan(value) else f"({'-' if value < 0 else ''}INFINITY)"
