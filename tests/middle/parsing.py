"""Parses functions in the middle form from the text that `printing` makes of them.

The text is line-based, with indented bodies. Each line is tokenised. Nested operations are always
in brackets, so there is no operator precedence: an operand, perhaps an operator and another
operand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from lawspeaker.machines.middle.forms import (
    COMPARING,
    F64,
    I32,
    I64,
    Again,
    Binary,
    Block,
    Clear,
    Const,
    Copy,
    Do,
    Expr,
    Function,
    Global,
    If,
    Label,
    Leave,
    Load,
    Loop,
    Return,
    Set,
    Statement,
    Statements,
    Stop,
    Store,
    Type,
    Unary,
    Variable,
    call,
    checked_arguments,
    const,
    either,
    not_,
    select,
)
from lawspeaker.machines.middle.module import Module
from tests.middle.printing import SIGNS, SIZES, VERBS

_WORD = re.compile(
    r"""\s*(
        `[^`]*` | \$?[^\W\d][\w.]*(?:\+[-\w.]+(?=\[))? | \$`[^`]*`   # names
      | 0x[0-9a-f]+l? | -?(?:inf|nan)(?!\w) | -?\d+(?:\.\d+(?:e[-+]?\d+)?|e[-+]?\d+)? l?
      | //s | %s | [<>]=?u | //|<<|>>|[<>=!]= | ->
      | [-+*/%&|^<>~=(),:\[\]]
    )""",
    re.VERBOSE,
)
_OPERATIONS: dict[str, list[str]] = {}
for _operation, _sign in SIGNS.items():
    _OPERATIONS.setdefault(_sign, []).append(_operation)
_CONVERTING: dict[str, Type] = {
    "wrap_i64": I32, "extend_i32_s": I64, "extend_i32_u": I64, "convert_i32_s": F64,
    "convert_i64_s": F64, "sqrt": F64,
}  # fmt: skip
_COUNTING = ("clz", "ctz", "popcnt")
_HEADING = re.compile(r"(door )?(`[^`]*`|[\w.]+)\((.*)\)(?: -> (.*))?")


class NotAForm(ValueError):
    """Raised for a syntax error; the message has the line."""


@dataclass(slots=True)
class _Line:
    """A line with its indented block."""

    number: int
    text: str
    inside: list[_Line] = field(default_factory=list)


def parsed_module(text: str) -> Module:
    """Parses the text of `printed_module`, or of some functions."""
    module = Module()
    functions: list[tuple[Function, _Line]] = []
    for line in _lines(text):
        name, colon, rest = line.text.partition(": ")
        if line.text.startswith("$") and colon:
            type, first = rest.split(" = ")
            module.variable(_plain(name), _type(type, line), int(first, 0))
            continue
        function, is_door = _heading(line)
        module.functions.append(function)
        functions.append((function, line))
        if is_door:
            module.exports[function.name] = function
    by_name = {each.name: each for each in module.functions}
    shared = {each.name: each for each in module.globals}
    for function, line in functions:
        function.body = _Body(function, by_name, shared).whole(line)
    return module


def parsed(
    text: str, functions: Sequence[Function] = (), shared: Sequence[Global] = ()
) -> Function:
    """Parses one function. The functions it calls and the globals are given."""
    (line,) = _lines(text)
    function, _ = _heading(line)
    by_name = {each.name: each for each in (function, *functions)}
    function.body = _Body(function, by_name, {each.name: each for each in shared}).whole(line)
    return function


# ---------------------------------------------------------------- lines


def _lines(text: str) -> list[_Line]:
    """Returns the lines at the margin, each with those that are indented below it."""
    found: list[_Line] = []
    around: list[tuple[int, list[_Line]]] = [(0, found)]
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        made = _Line(number, line.strip())
        depth = len(line) - len(line.lstrip())
        while depth < around[-1][0]:
            around.pop()
        if depth > around[-1][0]:
            if not around[-1][1]:
                raise NotAForm(f"line {number}: nothing stands above what is indented")
            around.append((depth, around[-1][1][-1].inside))
        around[-1][1].append(made)
    return found


def _heading(line: _Line) -> tuple[Function, bool]:
    """Parses a signature, and whether the host calls the function."""
    match = _HEADING.fullmatch(line.text)
    if match is None:
        raise NotAForm(f"line {line.number}: no heading of a function: {line.text}")
    door, name, names, results = match.groups()
    pairs = [each.rsplit(": ", 1) for each in names.split(", ")] if names else []
    types = [_type(type, line) for _, type in pairs]
    back = [_type(type, line) for type in results.split(", ")] if results else []
    function = Function(_plain(name), types, back)
    function.given = tuple(
        Variable(type, _plain(name), at)
        for at, ((name, _), type) in enumerate(zip(pairs, types, strict=True))
    )
    return function, door is not None


def _type(text: str, line: _Line) -> Type:
    for type in (I32, I64, F64):
        if text == type:
            return type
    raise NotAForm(f"line {line.number}: {text} is no type")


def _plain(name: str) -> str:
    """Strips the sigil and quotes of a name."""
    return name.removeprefix("$").strip("`")


# ---------------------------------------------------------------- bodies


class _Body:
    """Parser of the body of one function."""

    def __init__(
        self, function: Function, functions: Mapping[str, Function], shared: Mapping[str, Global]
    ) -> None:
        self.function = function
        self.functions = functions
        self.shared = shared
        self.variables = {each.name: each for each in function.given}
        self.columns: dict[str, tuple[str, str, int]] = {}
        self.labels: dict[str, Label] = {}
        self.line = _Line(0, "")
        self.words: list[str] = []
        self.at = 0

    def whole(self, line: _Line) -> Statements:
        rest = line.inside
        while rest and self._declares(rest[0]):
            rest = rest[1:]
        return self._all(rest)

    def _declares(self, line: _Line) -> bool:
        name, _, what = line.text.rpartition(": ")
        if name.startswith("column "):
            size, _, offset = what.partition(" at ")
            name = name.removeprefix("column ")
            self.columns[name] = (_plain(name.partition("+")[0]), size, int(offset))
            return True
        if what in (I32, I64, F64):
            self.variables[_plain(name)] = Variable(_type(what, line), _plain(name))
            return True
        return False

    def _all(self, lines: Sequence[_Line]) -> Statements:
        found: Statements = []
        for line in lines:
            if line.text == "else:":
                last = found[-1] if found else None
                if not isinstance(last, If):
                    raise NotAForm(f"line {line.number}: else without an if")
                last.otherwise = self._all(line.inside)
            else:
                found.append(self._statement(line))
        return found

    # ------------------------------------------------------------ tokens

    def _cut(self, line: _Line) -> None:
        """Tokenises a line."""
        self.line, self.words, self.at = line, [], 0
        end = 0
        while end < len(line.text):
            match = _WORD.match(line.text, end)
            if match is None:
                raise self._wrong(f"no word: {line.text[end:]}")
            self.words.append(match[1])
            end = match.end()

    def _wrong(self, what: str) -> NotAForm:
        return NotAForm(f"line {self.line.number}: {what}")

    def _next(self) -> str:
        return self.words[self.at] if self.at < len(self.words) else ""

    def _take(self) -> str:
        word = self._next()
        self.at += 1
        return word

    def _skip(self, *words: str) -> None:
        for word in words:
            if self._take() != word:
                raise self._wrong(f"`{word}` expected: {self.line.text}")

    def _has(self, word: str) -> bool:
        """Consumes a token if it is next."""
        if self._next() == word:
            self.at += 1
            return True
        return False

    # ------------------------------------------------------------ statements

    def _statement(self, line: _Line) -> Statement:
        self._cut(line)
        found = self._begun_by_a_word() if self._is_verb() else self._begun_otherwise()
        if self.line is line and self._next():
            raise self._wrong(f"too much: {line.text}")
        return found

    def _is_verb(self) -> bool:
        return self.words[0] in VERBS or self.words[1:2] == [":"]

    def _begun_by_a_word(self) -> Statement:
        line, verb = self.line, self._take()
        match verb:
            case "if":
                condition = self._expr()
                self._skip(":")
                return If(condition, self._all(line.inside))
            case "leave":
                return Leave(self._label(), self._when())
            case "again":
                return Again(self._label(), self._when())
            case "return":
                values = self._several("") if self._next() else ()
                return Return(values)
            case "stop":
                if not self._has(":"):
                    return Stop()
                function = self._function(self._take())
                self._skip("(")
                return Stop(function, self._given(function))
            case "copy":
                self._skip("to")
                to = self._expr()
                self._skip("from")
                source = self._expr()
                self._skip(":")
                return Copy(to, source, self._expr())
            case "clear":
                at = self._expr()
                self._skip(":")
                return Clear(at, self._expr())
        self._skip(":")
        label = self.labels[verb] = Label(verb)
        if verb.startswith("loop"):
            return Loop(label, self._all(line.inside))
        return Block(label, self._all(line.inside))

    def _label(self) -> Label:
        name = self._take()
        if name not in self.labels:
            raise self._wrong(f"no block or loop is called {name}")
        return self.labels[name]

    def _when(self) -> Expr | None:
        return self._expr() if self._has("if") else None

    def _begun_otherwise(self) -> Statement:
        """Parses an assignment, a store, or a call."""
        first = self._take()
        if self._next() == "(":
            return self._do(first, [])
        if self._next() == "[":
            place = self._place(first)
            self._skip("=")
            return Store(place, self._expr())
        if self._next() == ",":
            into = [first]
            while self._has(",") and self._next() != "=":
                into.append(self._take())
            self._skip("=")
            return self._do(self._take(), into)
        self._skip("=")
        value = self._expr()
        if first.startswith("$"):
            return Set(self._shared(first), value)
        return Set(self._set(first, value.type), value)

    def _do(self, name: str, into: list[str]) -> Do:
        function = self._function(name)
        self._skip("(")
        arguments = self._given(function)
        pairs = zip(into, function.results, strict=bool(into))
        return Do(function, arguments, tuple(self._set(each, type) for each, type in pairs))

    def _set(self, name: str, type: Type) -> Variable:
        """Returns an assigned variable, which may be new."""
        return self.variables.setdefault(_plain(name), Variable(type, _plain(name)))

    def _shared(self, name: str) -> Global:
        if _plain(name) not in self.shared:
            raise self._wrong(f"no variable of the module is called {name}")
        return self.shared[_plain(name)]

    def _function(self, name: str) -> Function:
        if _plain(name) not in self.functions:
            raise self._wrong(f"no function is called {name}")
        return self.functions[_plain(name)]

    # ------------------------------------------------------------ expressions

    def _given(self, function: Function) -> tuple[Expr, ...]:
        return checked_arguments(function, self._several(")"))

    def _several(self, end: str) -> tuple[Expr, ...]:
        """Parses expressions up to a bracket, or to the end of the line."""
        found: list[Expr] = []
        while not self._has(end) if end else self._next():
            if found:
                self._skip(",")
            found.append(self._expr())
        return tuple(found)

    def _expr(self) -> Expr:
        left = self._operand()
        if self._next() not in _OPERATIONS:
            return left
        sign = self._take()
        plain = self._next()[:1].isdigit()
        right = self._operand()
        if sign == "-" and plain and isinstance(right, Const) and right.type != F64:
            sign, right = "+", const(-right.value, right.type)
        real = left.type == F64
        operation = next(
            each for each in _OPERATIONS[sign] if not real or each[-2:] not in ("_s", "_u")
        )
        if not real and operation in ("lt", "le", "gt", "ge"):
            operation += "_s"
        return Binary(I32 if operation in COMPARING else left.type, operation, left, right)

    def _operand(self) -> Expr:
        word = self._take()
        if word == "(":
            inner = self._expr()
            self._skip(")")
            return inner
        if word == "not":
            return not_(self._operand())
        if word == "~":
            return ~self._operand()
        if word[:1].isdigit() or word[:1] == "-" or word in ("inf", "nan"):
            return _number(word)
        if self._next() == "[":
            return self._place(word)
        if self._has("("):
            return self._called(word)
        if word.startswith("$"):
            return self._shared(word)
        if _plain(word) not in self.variables:
            raise self._wrong(f"no variable is called {word}")
        return self.variables[_plain(word)]

    def _called(self, name: str) -> Expr:
        if name in _CONVERTING or name in _COUNTING:
            (operand,) = self._several(")")
            return Unary(_CONVERTING.get(name, operand.type), name, operand)
        if name in ("select", "either"):
            make: Callable[[Expr, Expr, Expr], Expr] = select if name == "select" else either
            return make(*self._several(")"))
        function = self._function(name)
        return call(function, *self._several(")"))

    def _place(self, name: str) -> Load:
        """Parses a memory location, whose bracket comes next."""
        self._skip("[")
        if name not in SIZES:
            return self._entry(name)
        type, bytes, signed = SIZES[name]
        address: Expr = const(0)
        offset, column = 0, ""
        if self.words[self.at + 1] in ("]", "of") and self._next().isdigit():
            offset = int(self._take())
            if self._has("of"):
                column = _plain(self._take())
        else:
            address = self._expr()
            match address:
                case Binary(operation="add", right=Const(value=int() as more)) if (
                    self.words[self.at - 1] != ")"
                ):
                    address, offset = address.left, more
        self._skip("]")
        return Load(type, bytes, address, offset, column, signed)

    def _entry(self, name: str) -> Load:
        if name not in self.columns:
            raise self._wrong(f"no column is called {name}")
        column, size, offset = self.columns[name]
        type, bytes, signed = SIZES[size]
        number = self._expr()
        if not self._has("bytes") and bytes > 1:
            number = Binary(number.type, "shl", number, const(bytes.bit_length() - 1))
        self._skip("]")
        return Load(type, bytes, number, offset, column, signed)


def _number(word: str) -> Const:
    if word.endswith("l"):
        return const(int(word[:-1], 0), I64)
    if any(each in word for each in ".ni") or ("e" in word and "x" not in word):
        return const(float(word), F64)
    return const(int(word, 0))
