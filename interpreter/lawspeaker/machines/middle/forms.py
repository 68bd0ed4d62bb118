"""Nodes of the middle form: expressions and statements on i32, i64 and f64 values.

An expression is evaluated where its statement is executed, each time, from left to right; a value
needed later is stored in a variable (`Body.let`). Operators build expressions: `a + (b << 2)`. A
Python number beside an expression has its type. Integers wrap around. They are compared signed
(`<`) or unsigned (`below`); right shift, division and remainder are unsigned (`>>`, `//`, `%`). A
comparison is 1 or 0.

A memory location is an address, which is an expression, and a constant offset: their sum does not
wrap around. Constant parts of an address are best put into the offset.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, NoReturn

Type = Literal["i32", "i64", "f64"]
I32: Type = "i32"
I64: Type = "i64"
F64: Type = "f64"
BITS = {I32: 32, I64: 64}

_SIGNED = {"lt": "lt_s", "le": "le_s", "gt": "gt_s", "ge": "ge_s"}
COMPARING = frozenset("eq ne lt le gt ge lt_s le_s gt_s ge_s lt_u gt_u le_u ge_u eqz".split())


@dataclass(slots=True, eq=False)
class Expr:
    """Base class of expressions."""

    type: Type

    __hash__ = object.__hash__  # identity; `==` builds an expression

    def parts(self) -> Parts:
        """Returns the operands, in evaluation order."""
        return ()

    def made_of(self, parts: Parts) -> Expr:
        """Returns a copy with other operands."""
        return self

    def __bool__(self) -> NoReturn:
        raise TypeError("what an expression comes to is only known when it is run")

    # ------------------------------------------------------------ arithmetic

    def __add__(self, other: Number) -> Expr:
        return self._with("add", other)

    def __radd__(self, other: Number) -> Expr:
        return as_expr(other, self.type) + self

    def __sub__(self, other: Number) -> Expr:
        return self._with("sub", other)

    def __rsub__(self, other: Number) -> Expr:
        return as_expr(other, self.type)._with("sub", self)

    def __mul__(self, other: Number) -> Expr:
        return self._with("mul", other)

    def __truediv__(self, other: Number) -> Expr:
        if self.type != F64:
            raise TypeError("whole numbers are divided by //")
        return self._with("div", other)

    def __rtruediv__(self, other: Number) -> Expr:
        return as_expr(other, self.type) / self

    def __floordiv__(self, other: Number) -> Expr:
        return self._whole("div_u", other)

    def __rfloordiv__(self, other: Number) -> Expr:
        return as_expr(other, self.type) // self

    def __mod__(self, other: Number) -> Expr:
        return self._whole("rem_u", other)

    def __and__(self, other: Number) -> Expr:
        return self._whole("and", other)

    def __or__(self, other: Number) -> Expr:
        return self._whole("or", other)

    def __xor__(self, other: Number) -> Expr:
        return self._whole("xor", other)

    def __invert__(self) -> Expr:
        return self ^ -1

    def __lshift__(self, by: Number) -> Expr:
        return self._whole("shl", _as_shift(by, self.type))

    def __rlshift__(self, other: Number) -> Expr:
        return as_expr(other, self.type) << self

    def __rshift__(self, by: Number) -> Expr:
        return self._whole("shr_u", _as_shift(by, self.type))

    # ------------------------------------------------------------ comparing

    def __eq__(self, other: Number) -> Expr:  # type: ignore[override]
        return self._with("eq", other)

    def __ne__(self, other: Number) -> Expr:  # type: ignore[override]
        return self._with("ne", other)

    def __lt__(self, other: Number) -> Expr:
        return self._ordered("lt", other)

    def __le__(self, other: Number) -> Expr:
        return self._ordered("le", other)

    def __gt__(self, other: Number) -> Expr:
        return self._ordered("gt", other)

    def __ge__(self, other: Number) -> Expr:
        return self._ordered("ge", other)

    def below(self, other: Number) -> Expr:
        """Unsigned less-than."""
        return self._whole("lt_u", other)

    def above(self, other: Number) -> Expr:
        """Unsigned greater-than."""
        return self._whole("gt_u", other)

    # ------------------------------------------------------------ conversions and bit operations

    def to_long(self, *, signed: bool = False) -> Expr:
        """Extends to 64 bits."""
        return self._to(I64, {I32: "extend_i32_s" if signed else "extend_i32_u"})

    def to_word(self) -> Expr:
        """Truncates to the lower 32 bits."""
        return self._to(I32, {I64: "wrap_i64"})

    def to_real(self) -> Expr:
        """Converts to f64."""
        return self._to(F64, {I32: "convert_i32_s", I64: "convert_i64_s"})

    def square_root(self) -> Expr:
        return Unary(F64, "sqrt", self)

    def lowest_bit(self) -> Expr:
        """Counts trailing zeros: the index of the lowest set bit."""
        return Unary(self.type, "ctz", self).to_word()

    def leading_zeros(self) -> Expr:
        """Counts leading zeros."""
        return Unary(self.type, "clz", self).to_word()

    def count_bits(self) -> Expr:
        """Counts the set bits."""
        return Unary(self.type, "popcnt", self).to_word()

    # ------------------------------------------------------------ construction

    def _to(self, type: Type, ways: dict[Type, str]) -> Expr:
        return self if self.type == type else Unary(type, ways[self.type], self)

    def _whole(self, operation: str, other: Number) -> Expr:
        if self.type == F64:
            raise TypeError(f"{operation} is for whole numbers")
        return self._with(operation, other)

    def _ordered(self, operation: str, other: Number) -> Expr:
        return self._with(operation if self.type == F64 else _SIGNED[operation], other)

    def _with(self, operation: str, other: Number) -> Expr:
        right = as_expr(other, self.type)
        if right.type != self.type:
            raise TypeError(f"{operation} of {self.type} and {right.type}")
        return Binary(I32 if operation in COMPARING else self.type, operation, self, right)


Number = Expr | int | float
Parts = tuple[Expr, ...]


@dataclass(slots=True, eq=False)
class Const(Expr):
    """A constant; an integer as its bits read as signed."""

    value: int | float


@dataclass(slots=True, eq=False)
class Variable(Expr):
    """A local variable. A parameter has a number."""

    name: str
    number: int | None = None


@dataclass(slots=True, eq=False)
class Global(Expr):
    """A global variable of the module, with its initial value."""

    name: str
    index: int
    first: int


@dataclass(slots=True, eq=False)
class Unary(Expr):
    """An operation with one operand, named as in WebAssembly."""

    operation: str
    operand: Expr

    def parts(self) -> Parts:
        return (self.operand,)

    def made_of(self, parts: Parts) -> Unary:
        return Unary(self.type, self.operation, *parts)


@dataclass(slots=True, eq=False)
class Binary(Expr):
    """An operation with two operands, named as in WebAssembly."""

    operation: str
    left: Expr
    right: Expr

    def parts(self) -> Parts:
        return (self.left, self.right)

    def made_of(self, parts: Parts) -> Binary:
        return Binary(self.type, self.operation, *parts)


@dataclass(slots=True, eq=False)
class Load(Expr):
    """A memory location: `bytes` of them, sign- or zero-extended if narrow. The column name is only
    for printing."""

    bytes: int
    address: Expr
    offset: int
    column: str = ""
    signed: bool = True

    def parts(self) -> Parts:
        return (self.address,)

    def made_of(self, parts: Parts) -> Load:
        return Load(self.type, self.bytes, parts[0], self.offset, self.column, self.signed)


@dataclass(slots=True, eq=False)
class Select(Expr):
    """One of two values, both of which are evaluated (branch-free): faster than a branch if both
    are short."""

    condition: Expr
    one: Expr
    other: Expr

    def parts(self) -> Parts:
        return (self.one, self.other, self.condition)

    def made_of(self, parts: Parts) -> Select:
        return Select(self.type, parts[2], parts[0], parts[1])


@dataclass(slots=True, eq=False)
class Either(Expr):
    """One of two values, of which only one is evaluated."""

    condition: Expr
    one: Expr
    other: Expr

    def parts(self) -> Parts:
        return (self.condition, self.one, self.other)

    def made_of(self, parts: Parts) -> Either:
        return Either(self.type, *parts)


@dataclass(slots=True, eq=False)
class Call(Expr):
    """The result of a function. A node occurs in one statement, where it is executed."""

    function: Function
    arguments: tuple[Expr, ...]

    def parts(self) -> Parts:
        return self.arguments

    def made_of(self, parts: Parts) -> Call:
        return Call(self.type, self.function, parts)


# ---------------------------------------------------------------- statements


@dataclass(slots=True, eq=False)
class Label:
    """The target of exits from a block or loop, and of jumps to the start of a loop."""

    name: str


@dataclass(slots=True, eq=False)
class Statement:
    """Base class of statements. `BODIES` names the fields of nested bodies."""

    BODIES: ClassVar[tuple[str, ...]] = ()

    def parts(self) -> Parts:
        """Returns its expressions, in evaluation order."""
        return ()

    def made_of(self, parts: Parts) -> Statement:
        """Returns a copy with other expressions."""
        return self


Statements = list[Statement]


@dataclass(slots=True, eq=False)
class Set(Statement):
    """Assigns to a local or global variable."""

    target: Variable | Global
    value: Expr

    def parts(self) -> Parts:
        return (self.value,)

    def made_of(self, parts: Parts) -> Set:
        return Set(self.target, *parts)


@dataclass(slots=True, eq=False)
class Store(Statement):
    """Stores to memory."""

    target: Load
    value: Expr

    def parts(self) -> Parts:
        return (self.target.address, self.value)

    def made_of(self, parts: Parts) -> Store:
        return Store(self.target.made_of(parts[:1]), parts[1])


@dataclass(slots=True, eq=False)
class Do(Statement):
    """Calls a function; its results go into variables, or are dropped."""

    function: Function
    arguments: tuple[Expr, ...]
    into: tuple[Variable, ...] = ()

    def parts(self) -> Parts:
        return self.arguments

    def made_of(self, parts: Parts) -> Do:
        return Do(self.function, parts, self.into)


@dataclass(slots=True, eq=False)
class If(Statement):
    """A conditional statement."""

    BODIES = ("then", "otherwise")
    condition: Expr
    then: Statements = field(default_factory=list)
    otherwise: Statements = field(default_factory=list)

    def parts(self) -> Parts:
        return (self.condition,)

    def made_of(self, parts: Parts) -> If:
        return If(parts[0], self.then, self.otherwise)


@dataclass(slots=True, eq=False)
class Block(Statement):
    """Executed once, unless it is exited before."""

    BODIES = ("body",)
    label: Label
    body: Statements = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Loop(Statement):
    """Repeated until it is exited."""

    BODIES = ("body",)
    label: Label
    body: Statements = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Leave(Statement):
    """Branches behind a block or loop, conditionally or always."""

    label: Label
    when: Expr | None = None

    def parts(self) -> Parts:
        return () if self.when is None else (self.when,)

    def made_of(self, parts: Parts) -> Leave:
        return Leave(self.label, *parts)


@dataclass(slots=True, eq=False)
class Again(Statement):
    """Branches to the start of a loop, conditionally or always."""

    label: Label
    when: Expr | None = None

    def parts(self) -> Parts:
        return () if self.when is None else (self.when,)

    def made_of(self, parts: Parts) -> Again:
        return Again(self.label, *parts)


@dataclass(slots=True, eq=False)
class Return(Statement):
    """Returns values from the function."""

    values: tuple[Expr, ...]

    def parts(self) -> Parts:
        return self.values

    def made_of(self, parts: Parts) -> Return:
        return Return(parts)


@dataclass(slots=True, eq=False)
class Copy(Statement):
    """Copies bytes."""

    to: Expr
    source: Expr
    size: Expr

    def parts(self) -> Parts:
        return (self.to, self.source, self.size)

    def made_of(self, parts: Parts) -> Copy:
        return Copy(*parts)


@dataclass(slots=True, eq=False)
class Clear(Statement):
    """Sets bytes to 0."""

    at: Expr
    size: Expr

    def parts(self) -> Parts:
        return (self.at, self.size)

    def made_of(self, parts: Parts) -> Clear:
        return Clear(*parts)


@dataclass(slots=True, eq=False)
class Stop(Statement):
    """Traps. A function may be called before, to record the reason."""

    function: Function | None = None
    arguments: tuple[Expr, ...] = ()

    def parts(self) -> Parts:
        return self.arguments

    def made_of(self, parts: Parts) -> Stop:
        return Stop(self.function, parts)


class Function:
    """A function: signature and body. It can be called before its body is built."""

    __slots__ = ("body", "given", "name", "parameters", "results")

    def __init__(self, name: str, parameters: Sequence[Type], results: Sequence[Type]) -> None:
        self.name = name
        self.parameters = tuple(parameters)
        self.results = tuple(results)
        self.given: tuple[Variable, ...] = ()
        self.body: Statements = []

    def __call__(self, *arguments: Number) -> Call:
        """Builds a call of the function."""
        return call(self, *arguments)


# ---------------------------------------------------------------- making expressions


def const(value: float, type: Type = I32) -> Const:
    """Returns a constant."""
    if type == F64:
        return Const(F64, float(value))
    bits, whole = BITS[type], int(value)
    if not -1 << bits - 1 <= whole < 1 << bits:
        raise ValueError(f"{value} has more than {bits} bits")
    return Const(type, wrapped(whole, type))


def long(value: int) -> Const:
    """Returns an i64 constant."""
    return const(value, I64)


def real(value: float) -> Const:
    """Returns an f64 constant."""
    return const(value, F64)


def wrapped(value: int, type: Type) -> int:
    """Wraps an integer around to the signed range of a type."""
    half = 1 << BITS[type] - 1
    if -half <= value < half:
        return value
    return (value + half) % (2 * half) - half


def as_expr(value: Number, type: Type) -> Expr:
    return value if isinstance(value, Expr) else const(value, type)


def _as_shift(by: Number, type: Type) -> Expr:
    """Converts a shift distance to the type of the shifted number; it may be given in 32 bits."""
    given = as_expr(by, type)
    return given.to_long() if type == I64 else given


def not_(condition: Expr) -> Expr:
    """Builds the test whether a number is 0."""
    return Unary(I32, "eqz", condition)


def select(condition: Expr, one: Number, other: Number) -> Expr:
    """Builds a branch-free choice; not for operands with side effects or traps."""
    return Select(*_arms(condition, one, other))


def either(condition: Expr, one: Number, other: Number) -> Expr:
    """Builds a choice of which only one operand is evaluated."""
    return Either(*_arms(condition, one, other))


def lesser(one: Number, other: Expr) -> Expr:
    """Builds a minimum; the operands are duplicated, so they should be trivial."""
    first = as_expr(one, other.type)
    return select(first < other, first, other)


def greater(one: Number, other: Expr) -> Expr:
    """Builds a maximum; integer operands are duplicated, so they should be trivial."""
    first = as_expr(one, other.type)
    if other.type == F64:
        return Binary(F64, "max", first, other)
    return select(first > other, first, other)


def _arms(condition: Expr, one: Number, other: Number) -> tuple[Type, Expr, Expr, Expr]:
    type = next((each.type for each in (one, other) if isinstance(each, Expr)), I32)
    arms = as_expr(one, type), as_expr(other, type)
    if arms[1].type != type or condition.type != I32:
        raise TypeError(f"{arms[0].type} or {arms[1].type} by {condition.type}")
    return type, condition, *arms


def word(address: Expr | int, offset: int = 0) -> Load:
    """A memory location of 32 bits."""
    return load(I32, 4, address, offset)


def long_at(address: Expr | int, offset: int = 0) -> Load:
    """A memory location of 64 bits."""
    return load(I64, 8, address, offset)


def real_at(address: Expr | int, offset: int = 0) -> Load:
    """A memory location of an f64."""
    return load(F64, 8, address, offset)


def load(type: Type, bytes: int, address: Expr | int, offset: int = 0, column: str = "") -> Load:
    """A memory location; a constant address becomes an offset from 0."""
    if isinstance(address, Expr):
        return Load(type, bytes, address, offset, column)
    return Load(type, bytes, const(0), address + offset, column)


def call(function: Function, *arguments: Number) -> Call:
    """Builds a call of a function with one result."""
    (type,) = function.results
    return Call(type, function, checked_arguments(function, arguments))


def checked_arguments(function: Function, arguments: tuple[Number, ...]) -> tuple[Expr, ...]:
    """Converts and checks arguments of a function."""
    pairs = zip(arguments, function.parameters, strict=True)
    found = tuple(as_expr(each, type) for each, type in pairs)
    if tuple(each.type for each in found) != function.parameters:
        raise TypeError(f"{function.name} is given {[each.type for each in found]}")
    return found
