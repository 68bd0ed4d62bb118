"""Expressions and statements on numbers of 32 and 64 bits and numbers with a fraction.

An expression is worked out where its statement is done, each time, from left to right; whoever
needs a value later gives it a name (`Body.let`). Operators make expressions: `a + (b << 2)`. A
number of Python beside an expression has its type. Whole numbers wrap around. They are compared
with their sign (`<`) or without (`below`); they are shifted down, divided and taken the rest of
without (`>>`, `//`, `%`). A comparison is 1 or 0.

A place in memory is an address, which is an expression, and an offset, which is not: the sum of
both does not wrap around. What is known beforehand is best an offset.
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
    """Something that has a value."""

    type: Type

    __hash__ = object.__hash__  # each is itself alone; `==` makes an expression

    def parts(self) -> Parts:
        """The expressions it is made of, in the order in which they are worked out."""
        return ()

    def made_of(self, parts: Parts) -> Expr:
        """The same, made of other expressions."""
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
        """Whether it is less, both without a sign."""
        return self._whole("lt_u", other)

    def above(self, other: Number) -> Expr:
        """Whether it is more, both without a sign."""
        return self._whole("gt_u", other)

    # ------------------------------------------------------------ other types, single numbers

    def to_long(self, *, signed: bool = False) -> Expr:
        """In 64 bits."""
        return self._to(I64, {I32: "extend_i32_s" if signed else "extend_i32_u"})

    def to_word(self) -> Expr:
        """The lower 32 bits."""
        return self._to(I32, {I64: "wrap_i64"})

    def to_real(self) -> Expr:
        """As a number with a fraction."""
        return self._to(F64, {I32: "convert_i32_s", I64: "convert_i64_s"})

    def square_root(self) -> Expr:
        return Unary(F64, "sqrt", self)

    def lowest_bit(self) -> Expr:
        """How many zeros stand below the lowest bit that is set."""
        return Unary(self.type, "ctz", self).to_word()

    def leading_zeros(self) -> Expr:
        """How many zeros stand above the highest bit that is set."""
        return Unary(self.type, "clz", self).to_word()

    def count_bits(self) -> Expr:
        """How many bits are set."""
        return Unary(self.type, "popcnt", self).to_word()

    # ------------------------------------------------------------ making them

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
    """A known number; a whole one as its bits read with a sign."""

    value: int | float


@dataclass(slots=True, eq=False)
class Variable(Expr):
    """A variable of a function. One that is there already in the target has a number."""

    name: str
    number: int | None = None


@dataclass(slots=True, eq=False)
class Global(Expr):
    """A variable of the module, and what it is at the start."""

    name: str
    index: int
    first: int


@dataclass(slots=True, eq=False)
class Unary(Expr):
    operation: str
    operand: Expr

    def parts(self) -> Parts:
        return (self.operand,)

    def made_of(self, parts: Parts) -> Unary:
        return Unary(self.type, self.operation, *parts)


@dataclass(slots=True, eq=False)
class Binary(Expr):
    operation: str
    left: Expr
    right: Expr

    def parts(self) -> Parts:
        return (self.left, self.right)

    def made_of(self, parts: Parts) -> Binary:
        return Binary(self.type, self.operation, *parts)


@dataclass(slots=True, eq=False)
class Load(Expr):
    """What lies in memory: so many bytes, read with their sign, or without, where they are few. The
    name of the column it is an entry of is only printed."""

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
    """One of two, both of which are worked out: that is quicker than to ask first where both are
    short."""

    condition: Expr
    one: Expr
    other: Expr

    def parts(self) -> Parts:
        return (self.one, self.other, self.condition)

    def made_of(self, parts: Parts) -> Select:
        return Select(self.type, parts[2], parts[0], parts[1])


@dataclass(slots=True, eq=False)
class Either(Expr):
    """One of two, of which only one is worked out."""

    condition: Expr
    one: Expr
    other: Expr

    def parts(self) -> Parts:
        return (self.condition, self.one, self.other)

    def made_of(self, parts: Parts) -> Either:
        return Either(self.type, *parts)


@dataclass(slots=True, eq=False)
class Call(Expr):
    """What a function gives back. It stands in one statement, where it is done."""

    function: Function
    arguments: tuple[Expr, ...]

    def parts(self) -> Parts:
        return self.arguments

    def made_of(self, parts: Parts) -> Call:
        return Call(self.type, self.function, parts)


# ---------------------------------------------------------------- statements


@dataclass(slots=True, eq=False)
class Label:
    """A block or loop that can be left, or begun again."""

    name: str


@dataclass(slots=True, eq=False)
class Statement:
    """Something that is done. `BODIES` are the statements in it."""

    BODIES: ClassVar[tuple[str, ...]] = ()

    def parts(self) -> Parts:
        """The expressions in it, in the order in which they are worked out."""
        return ()

    def made_of(self, parts: Parts) -> Statement:
        """The same, with other expressions."""
        return self


Statements = list[Statement]


@dataclass(slots=True, eq=False)
class Set(Statement):
    target: Variable | Global
    value: Expr

    def parts(self) -> Parts:
        return (self.value,)

    def made_of(self, parts: Parts) -> Set:
        return Set(self.target, *parts)


@dataclass(slots=True, eq=False)
class Store(Statement):
    """Writes to memory."""

    target: Load
    value: Expr

    def parts(self) -> Parts:
        return (self.target.address, self.value)

    def made_of(self, parts: Parts) -> Store:
        return Store(self.target.made_of(parts[:1]), parts[1])


@dataclass(slots=True, eq=False)
class Do(Statement):
    """Calls a function; what it gives back goes into variables, or is not needed."""

    function: Function
    arguments: tuple[Expr, ...]
    into: tuple[Variable, ...] = ()

    def parts(self) -> Parts:
        return self.arguments

    def made_of(self, parts: Parts) -> Do:
        return Do(self.function, parts, self.into)


@dataclass(slots=True, eq=False)
class If(Statement):
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
    """Done once, unless it is left before."""

    BODIES = ("body",)
    label: Label
    body: Statements = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Loop(Statement):
    """Done again and again until it is left."""

    BODIES = ("body",)
    label: Label
    body: Statements = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Leave(Statement):
    """Goes behind a block or loop, if a condition holds or none is asked."""

    label: Label
    when: Expr | None = None

    def parts(self) -> Parts:
        return () if self.when is None else (self.when,)

    def made_of(self, parts: Parts) -> Leave:
        return Leave(self.label, *parts)


@dataclass(slots=True, eq=False)
class Again(Statement):
    """Begins a loop again, if a condition holds or none is asked."""

    label: Label
    when: Expr | None = None

    def parts(self) -> Parts:
        return () if self.when is None else (self.when,)

    def made_of(self, parts: Parts) -> Again:
        return Again(self.label, *parts)


@dataclass(slots=True, eq=False)
class Return(Statement):
    values: tuple[Expr, ...]

    def parts(self) -> Parts:
        return self.values

    def made_of(self, parts: Parts) -> Return:
        return Return(parts)


@dataclass(slots=True, eq=False)
class Copy(Statement):
    """Copies so many bytes."""

    to: Expr
    source: Expr
    size: Expr

    def parts(self) -> Parts:
        return (self.to, self.source, self.size)

    def made_of(self, parts: Parts) -> Copy:
        return Copy(*parts)


@dataclass(slots=True, eq=False)
class Clear(Statement):
    """So many bytes become 0."""

    at: Expr
    size: Expr

    def parts(self) -> Parts:
        return (self.at, self.size)

    def made_of(self, parts: Parts) -> Clear:
        return Clear(*parts)


@dataclass(slots=True, eq=False)
class Stop(Statement):
    """Stops everything: nothing comes after it. A function may be called before, to tell why."""

    function: Function | None = None
    arguments: tuple[Expr, ...] = ()

    def parts(self) -> Parts:
        return self.arguments

    def made_of(self, parts: Parts) -> Stop:
        return Stop(self.function, parts)


class Function:
    """A function: the types of what it is given and gives back, and what it does with what it is
    given. It can be called before that is written."""

    __slots__ = ("body", "given", "name", "parameters", "results")

    def __init__(self, name: str, parameters: Sequence[Type], results: Sequence[Type]) -> None:
        self.name = name
        self.parameters = tuple(parameters)
        self.results = tuple(results)
        self.given: tuple[Variable, ...] = ()
        self.body: Statements = []

    def __call__(self, *arguments: Number) -> Call:
        """What it gives back for what it is given."""
        return call(self, *arguments)


# ---------------------------------------------------------------- making expressions


def const(value: float, type: Type = I32) -> Const:
    """A known number."""
    if type == F64:
        return Const(F64, float(value))
    bits, whole = BITS[type], int(value)
    if not -1 << bits - 1 <= whole < 1 << bits:
        raise ValueError(f"{value} has more than {bits} bits")
    return Const(type, wrapped(whole, type))


def long(value: int) -> Const:
    """A known number of 64 bits."""
    return const(value, I64)


def real(value: float) -> Const:
    """A known number with a fraction."""
    return const(value, F64)


def wrapped(value: int, type: Type) -> int:
    """A number as its lowest bits read with a sign."""
    half = 1 << BITS[type] - 1
    if -half <= value < half:
        return value
    return (value + half) % (2 * half) - half


def as_expr(value: Number, type: Type) -> Expr:
    return value if isinstance(value, Expr) else const(value, type)


def _as_shift(by: Number, type: Type) -> Expr:
    """How far a number of a type is shifted; that may be said in 32 bits."""
    given = as_expr(by, type)
    return given.to_long() if type == I64 else given


def not_(condition: Expr) -> Expr:
    """Whether a number is 0."""
    return Unary(I32, "eqz", condition)


def select(condition: Expr, one: Number, other: Number) -> Expr:
    """One of two, both of which are worked out; not for what changes something or may stop."""
    return Select(*_arms(condition, one, other))


def either(condition: Expr, one: Number, other: Number) -> Expr:
    """One of two; the other is not worked out."""
    return Either(*_arms(condition, one, other))


def lesser(one: Number, other: Expr) -> Expr:
    """The lower of two numbers that cost nothing to be worked out twice."""
    first = as_expr(one, other.type)
    return select(first < other, first, other)


def greater(one: Number, other: Expr) -> Expr:
    """The higher of two numbers; whole ones cost nothing to be worked out twice."""
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
    """The word of 32 bits at an address."""
    return load(I32, 4, address, offset)


def long_at(address: Expr | int, offset: int = 0) -> Load:
    """The word of 64 bits at an address."""
    return load(I64, 8, address, offset)


def real_at(address: Expr | int, offset: int = 0) -> Load:
    """The number with a fraction at an address."""
    return load(F64, 8, address, offset)


def load(type: Type, bytes: int, address: Expr | int, offset: int = 0, column: str = "") -> Load:
    """What lies at an address; one that is known is an offset from 0."""
    if isinstance(address, Expr):
        return Load(type, bytes, address, offset, column)
    return Load(type, bytes, const(0), address + offset, column)


def call(function: Function, *arguments: Number) -> Call:
    """What a function gives back for what it is given."""
    (type,) = function.results
    return Call(type, function, given(function, arguments))


def given(function: Function, arguments: tuple[Number, ...]) -> tuple[Expr, ...]:
    """Arguments as a function wants them."""
    pairs = zip(arguments, function.parameters, strict=True)
    found = tuple(as_expr(each, type) for each, type in pairs)
    if tuple(each.type for each in found) != function.parameters:
        raise TypeError(f"{function.name} is given {[each.type for each in found]}")
    return found
