"""Functions of a module as functions of C.

A stack machine's value at a height is a variable named for the height, so every instruction is a
statement; the C compiler sees through that. Constants and variables are only written where they are
used. Blocks and loops are labels, a branch is a `goto`, an `if` is one. Whole numbers are unsigned,
since those wrap around as WebAssembly says they do; where a sign counts, it is cast.

What touches memory, stops everything or has no operator in C is a call of something that the
dialect defines beforehand (`processor`, `card`): `load32(memory, …)`, `store8`, `copy`, `fill`,
`stop`, `div_s32` and so on. `GAME` stands for what every function is given first, `HERE` for
handing it on, and a variable of the module is `GLOBAL(n)`. Of each address it is told whether it is
surely a multiple of 8, as far as that can be seen in the function: not every computer reads a long
word anywhere.

The module must have been `pruned`: what is never reached is not looked at here.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from copy import deepcopy
from dataclasses import dataclass

from lawspeaker.machines.native.reader import F64, I32, I64, NOTHING, Function, Instruction, Module

TYPES = {I32: "u32", I64: "u64", F64: "double"}
_SLOTS = {I32: "s", I64: "l", F64: "d"}
_LETTERS = {I32: "i", I64: "l", F64: "d"}
_BY_NAME = {"i32": I32, "i64": I64, "f64": F64}
_SIGNED = {I32: "i32", I64: "i64"}
_BITS = {I32: 32, I64: 64}
_FULLY = 64
"""So many low bits of 0 are 0."""
_NEVER = _FULLY + 1
_ALIGNED = {"load16_s": 1, "load16_u": 1, "store16": 1, "load32": 2, "store32": 2}
_ALIGNED |= {"load64": 3, "store64": 3}
"""So many low bits of an address are 0 if it is a multiple of the size."""

_OPERATORS = {
    "add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^", "div": "/",
    "eq": "==", "ne": "!=", "lt": "<", "gt": ">", "le": "<=", "ge": ">=",
}  # fmt: skip
_COMPARING = ("eq", "ne", "lt", "gt", "le", "ge")
_HELPED = ("div_s", "div_u", "rem_s", "rem_u", "rotl", "rotr")
_COUNTING = ("clz", "ctz", "popcnt")
_CONVERTED = {
    "i32.wrap_i64": "(u32){}",
    "i64.extend_i32_u": "(u64){}",
    "i64.extend_i32_s": "(u64)(i64)(i32){}",
    "f64.convert_i32_s": "(double)(i32){}",
    "f64.convert_i32_u": "(double){}",
    "f64.convert_i64_s": "(double)(i64){}",
    "f64.convert_i64_u": "(double){}",
}


@dataclass(frozen=True, slots=True)
class _Value:
    """Something on the stack: how it is written, its type, how many of its lowest bits are surely
    0, and the number of the variable it stands for, if it does."""

    text: str
    type: int
    zeros: int = 0
    variable: int = -1


@dataclass(slots=True)
class _Label:
    """An open block: where a branch to it goes, how high the stack was, and what it leaves. Of an
    `if`: whether it may be passed by, or left at the end of its first arm."""

    name: str
    kind: str
    height: int
    result: int
    opened: int
    used: bool = False
    passed: bool = False


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a module: its functions by number, and the types of its variables."""

    functions: dict[int, Function]
    globals: tuple[int, ...]
    zeros: _Zeros


@dataclass(slots=True)
class _Zeros:
    """How many low bits are surely 0 of what functions are given and give back, and of what the
    variables of the module hold."""

    given: dict[int, list[int]]
    back: dict[int, list[int]]
    globals: list[int]

    @classmethod
    def of(cls, module: Module, bits: int) -> _Zeros:
        return cls(
            {each.index: [bits] * len(each.parameters) for each in module.functions},
            {each.index: [bits] * len(each.results) for each in module.functions},
            [bits for _ in module.globals],
        )

    @classmethod
    def nowhere(cls, module: Module) -> _Zeros:
        return cls.of(module, 0)

    def lower(self, of: list[int], found: Sequence[_Value]) -> None:
        of[:] = [min(pair) for pair in zip(of, (each.zeros for each in found), strict=True)]


def _zeros(module: Module) -> _Zeros:
    """Begins with the best and takes back whatever is not so, until nothing changes."""
    found = _Zeros.of(module, _FULLY)
    found.globals = [_trailing(first) for _, first in module.globals]
    for door in module.exports.values():
        found.given[door] = [0] * len(found.given[door])
    known = _Known(
        {each.index: each for each in module.functions},
        tuple(of for of, _ in module.globals),
        found,
    )
    while True:
        before = deepcopy(found)
        for function in module.functions:
            _settled(function, known)
        if found == before:
            return found


def written(module: Module, *, aligned: bool = False) -> str:
    """All functions of a pruned module, each declared before any is defined. `aligned`: through all
    calls it is followed which addresses are multiples of what."""
    deep = recursive(module)
    known = _Known(
        {each.index: each for each in module.functions},
        tuple(of for of, _ in module.globals),
        _zeros(module) if aligned else _Zeros.nowhere(module),
    )
    lines = [_result_type(results) for results in sorted({f.results for f in module.functions})]
    lines += [f"{_heading(each)};" for each in module.functions]
    lines += [f"{_heading(each, inner=True)};" for each in module.functions if each.index in deep]
    parts = ["\n".join(line for line in lines if line)]
    for each in module.functions:
        parts.append(_function(each, known, inner=each.index in deep))
        if each.index in deep:
            parts.append(_counted(each))
    return "\n\n".join(parts) + "\n"


def recursive(module: Module) -> set[int]:
    """The functions that may be under way more than once, however they come to be called again."""
    calls = {
        each.index: {given for name, given in each.body if name == "call"}
        for each in module.functions
    }
    reached: dict[int, set[object]] = {index: set(callees) for index, callees in calls.items()}
    changed = True
    while changed:
        changed = False
        for found in reached.values():
            size = len(found)
            for callee in tuple(found):
                assert isinstance(callee, int)
                found |= reached[callee]
            changed |= len(found) > size
    return {index for index, found in reached.items() if index in found}


# ---------------------------------------------------------------- headings


def _result_name(results: Sequence[int]) -> str:
    if not results:
        return "void"
    if len(results) == 1:
        return TYPES[results[0]]
    return "struct back_" + "".join(_LETTERS[each] for each in results)


def _result_type(results: Sequence[int]) -> str:
    if len(results) < 2:
        return ""
    fields = " ".join(f"{TYPES[of]} v{at};" for at, of in enumerate(results))
    return f"{_result_name(results)} {{ {fields} }};"


def _heading(function: Function, *, inner: bool = False) -> str:
    given = "".join(f", {TYPES[of]} x{at}" for at, of in enumerate(function.parameters))
    name = f"{'inner' if inner else 'f'}{function.index}"
    return f"FUNCTION {_result_name(function.results)} {name}(GAME{given})"


def _counted(function: Function) -> str:
    """A function that may call itself is counted going in and out, since the stack has an end."""
    given = "".join(f", x{at}" for at in range(len(function.parameters)))
    call = f"inner{function.index}(HERE{given});"
    lines = [f"{_heading(function)} {{", "  deeper(HERE);"]
    if function.results:
        lines += [f"  {_result_name(function.results)} back = {call}", "  higher(HERE);"]
        lines += ["  return back;"]
    else:
        lines += [f"  {call}", "  higher(HERE);"]
    return "\n".join([*lines, "}"])


def _function(function: Function, known: _Known, *, inner: bool) -> str:
    count = len(function.parameters)
    body = _settled(function, known)
    lines = [f"{_heading(function, inner=inner)} {{"]
    for at, of in enumerate(function.locals, count):
        lines.append(f"  {TYPES[of]} x{at} = 0;")
    lines += [f"  {TYPES[of]} {_SLOTS[of]}{height} = 0;" for of, height in sorted(body.slots)]
    return "\n".join([*lines, *(f"  {line}" for line in body.lines), "}"])


def _settled(function: Function, known: _Known) -> _Body:
    """A body, with the low bits found that are 0 in all that each variable ever holds."""
    zeros = known.zeros.given[function.index] + [_FULLY] * len(function.locals)
    body = _Body(function, known, zeros)
    while body.zeros != zeros:
        zeros = body.zeros
        body = _Body(function, known, zeros)
    return body


# ---------------------------------------------------------------- bodies


class _Body:
    """The statements of one function."""

    def __init__(self, function: Function, known: _Known, zeros: list[int]) -> None:
        self.function = function
        self.known = known
        self.zeros = list(zeros)
        self.types = (*function.parameters, *function.locals)
        self.lines: list[str] = []
        self.slots: set[tuple[int, int]] = set()
        self.stack: list[_Value] = []
        self.labels: list[_Label] = []
        self.live = True
        self.opened = 0
        for instruction in function.body:
            self._write(instruction)
        if self.live:
            self._return()

    # ------------------------------------------------------------ the stack

    def _slot(self, of: int, height: int) -> str:
        self.slots.add((of, height))
        return f"{_SLOTS[of]}{height}"

    def _push(self, of: int, text: str, zeros: int = 0) -> None:
        """A value that is worked out now."""
        slot = self._slot(of, len(self.stack))
        self.lines.append(f"{slot} = {text};")
        self.stack.append(_Value(slot, of, zeros))

    def _pop(self) -> _Value:
        return self.stack.pop()

    def _settle(self, which: Iterable[int]) -> None:
        """Values at these heights that stand for a variable are taken from it now."""
        for height in which:
            value = self.stack[height]
            if value.variable >= 0:
                slot = self._slot(value.type, height)
                self.lines.append(f"{slot} = {value.text};")
                self.stack[height] = _Value(slot, value.type, value.zeros)

    def _set(self, number: int, value: _Value) -> None:
        self._settle(at for at, each in enumerate(self.stack) if each.variable == number)
        self.zeros[number] = min(self.zeros[number], value.zeros)
        if value.text != f"x{number}":
            self.lines.append(f"x{number} = {value.text};")

    # ------------------------------------------------------------ branches

    def _open(self, kind: str, result: int) -> None:
        condition = self._pop().text if kind == "if" else ""
        self._settle(range(len(self.stack)))
        self.opened += 1
        label = _Label(f"{kind}{self.opened}", kind, len(self.stack), result, len(self.lines))
        label.passed = kind == "if"
        self.labels.append(label)
        if kind == "if":
            self.lines.append(f"if ({condition}) {{")

    def _leave_value(self, label: _Label) -> None:
        """What a block leaves is put where whoever comes after it looks for it."""
        if label.result == NOTHING:
            return
        value, slot = self.stack[-1], self._slot(label.result, label.height)
        if value.text != slot:
            self.lines.append(f"{slot} = {value.text};")

    def _else(self) -> None:
        label = self.labels[-1]
        label.passed = self.live
        if self.live:
            self._leave_value(label)
        self.lines.append("} else {")
        del self.stack[label.height :]
        self.live = True

    def _end(self) -> None:
        label = self.labels.pop()
        if self.live:
            self._leave_value(label)
        if label.kind == "if":
            self.lines.append("}")
        if label.used:
            if label.kind == "loop":
                self.lines.insert(label.opened, f"{label.name}:;")
            else:
                self.lines.append(f"{label.name}:;")
        self.live |= label.passed or (label.used and label.kind != "loop")
        del self.stack[label.height :]
        if label.result != NOTHING:
            self.stack.append(_Value(self._slot(label.result, label.height), label.result))

    def _branch(self, away: int) -> str:
        """The statements of a branch, in one line."""
        if away == len(self.labels):
            return self._returning()
        label = self.labels[-1 - away]
        label.used = True
        moved = ""
        if label.kind != "loop" and label.result != NOTHING:
            value, slot = self.stack[-1], self._slot(label.result, label.height)
            moved = f"{slot} = {value.text}; " if value.text != slot else ""
        return f"{moved}goto {label.name};"

    def _returning(self) -> str:
        results = self.function.results
        if not results:
            return "return;"
        back = self.stack[len(self.stack) - len(results) :]
        self.known.zeros.lower(self.known.zeros.back[self.function.index], back)
        values = [each.text for each in back]
        if len(values) == 1:
            return f"return {values[0]};"
        set_all = " ".join(f"back.v{at} = {text};" for at, text in enumerate(values))
        return f"{{ {_result_name(results)} back; {set_all} return back; }}"

    def _return(self) -> None:
        self.lines.append(self._returning())

    def _table(self, aways: tuple[int, ...]) -> None:
        which = self._pop().text
        self.lines.append(f"switch ({which}) {{")
        for at, away in enumerate(aways[:-1]):
            self.lines.append(f"case {at}: {self._branch(away)}")
        self.lines.append(f"default: {self._branch(aways[-1])}")
        self.lines.append("}")

    # ------------------------------------------------------------ instructions

    def _write(self, instruction: Instruction) -> None:
        name, given = instruction
        match name:
            case "block" | "loop" | "if":
                assert isinstance(given, int)
                self._open(name, given)
            case "else":
                self._else()
            case "end":
                self._end()
            case "br":
                assert isinstance(given, int)
                self.lines.append(self._branch(given))
                self.live = False
            case "br_if":
                assert isinstance(given, int)
                condition = self._pop().text
                self.lines.append(f"if ({condition}) {{ {self._branch(given)} }}")
            case "br_table":
                assert isinstance(given, tuple)
                self._table(given)
                self.live = False
            case "return":
                self._return()
                self.live = False
            case "unreachable":
                self.lines.append("stop(HERE);")
                self.live = False
            case "nop":
                pass
            case "drop":
                self._pop()
            case "select":
                which, other, one = self._pop(), self._pop(), self._pop()
                text = f"{which.text} ? {one.text} : {other.text}"
                self._push(one.type, text, min(one.zeros, other.zeros))
            case "call":
                assert isinstance(given, int)
                self._call(self.known.functions[given])
            case _:
                self._write_value(name, given)

    def _call(self, callee: Function) -> None:
        count = len(callee.parameters)
        given = self.stack[len(self.stack) - count :]
        del self.stack[len(self.stack) - count :]
        zeros, back = self.known.zeros, self.known.zeros.back[callee.index]
        zeros.lower(zeros.given[callee.index], given)
        call = f"f{callee.index}(HERE{''.join(f', {each.text}' for each in given)})"
        if not callee.results:
            self.lines.append(f"{call};")
        elif len(callee.results) == 1:
            self._push(callee.results[0], call, back[0])
        else:
            height = len(self.stack)
            self.stack += [
                _Value(self._slot(of, height + at), of) for at, of in enumerate(callee.results)
            ]
            taken = " ".join(
                f"{each.text} = back.v{at};" for at, each in enumerate(self.stack[height:])
            )
            self.lines.append(f"{{ {_result_name(callee.results)} back = {call}; {taken} }}")

    def _write_value(self, name: str, given: object) -> None:
        match name:
            case "i32.const" | "i64.const":
                assert isinstance(given, int)
                self.stack.append(_constant(_BY_NAME[name[:3]], given))
            case "f64.const":
                assert isinstance(given, float)
                self.stack.append(_Value(_real(given), F64))
            case "local.get":
                assert isinstance(given, int)
                zeros = self.zeros[given]
                self.stack.append(_Value(f"x{given}", self.types[given], zeros, given))
            case "local.set":
                assert isinstance(given, int)
                self._set(given, self._pop())
            case "local.tee":
                assert isinstance(given, int)
                held_on = self._pop()
                self._set(given, held_on)
                self.stack.append(held_on)
            case "global.get":
                assert isinstance(given, int)
                zeros = self.known.zeros.globals[given]
                self._push(self.known.globals[given], f"GLOBAL({given})", zeros)
            case "global.set":
                assert isinstance(given, int)
                value, held = self._pop(), self.known.zeros.globals
                held[given] = min(held[given], value.zeros)
                self.lines.append(f"GLOBAL({given}) = {value.text};")
            case "memory.copy" | "memory.fill":
                many, second, first = self._pop(), self._pop(), self._pop()
                what = name.partition(".")[2]
                self.lines.append(f"{what}(HERE, {first.text}, {second.text}, {many.text});")
            case _:
                of, _, operation = name.partition(".")
                if operation.startswith(("load", "store")):
                    assert isinstance(given, int)
                    self._touch(_BY_NAME[of], operation, given)
                else:
                    self._work_out(name, _BY_NAME[of], operation)

    def _touch(self, of: int, operation: str, offset: int) -> None:
        """A read or write of memory."""
        wide = operation in ("load", "store")
        told = {I32: "32", I64: "64", F64: "real"}[of] if wide else ""
        name = f"{operation}{told}"
        if operation.startswith("store"):
            value, address = self._pop(), self._pop()
        else:
            value, address = None, self._pop()
        if min(address.zeros, _trailing(offset)) >= _ALIGNED.get(name, _NEVER):
            name += "_whole"
        where = f"HERE, {address.text}, {offset}u"
        if value is not None:
            self.lines.append(f"{name}({where}, {value.text});")
        else:
            self._push(of, f"{name}({where})")

    def _work_out(self, name: str, of: int, operation: str) -> None:
        stem, _, sign = operation.partition("_")
        if name in _CONVERTED:
            self._push(of, _CONVERTED[name].format(self._pop().text))
        elif operation == "eqz":
            self._push(I32, f"{self._pop().text} == 0")
        elif operation in _COUNTING:
            self._push(of, f"{operation}{_BITS[of]}({self._pop().text})")
        elif operation == "sqrt":
            self._push(of, f"sqrt({self._pop().text})")
        elif operation in ("max", "min"):
            other, one = self._pop(), self._pop()
            self._push(of, f"real_{operation}({one.text}, {other.text})")
        elif operation in _HELPED:
            other, one = self._pop(), self._pop()
            self._push(of, f"{operation}{_BITS[of]}(HERE, {one.text}, {other.text})")
        elif stem in ("shl", "shr"):
            self._shift(of, operation)
        else:
            self._operate(of, stem, sign)

    def _shift(self, of: int, operation: str) -> None:
        other, one = self._pop(), self._pop()
        mask = _BITS[of] - 1
        if operation == "shl":
            known = _number(other)
            zeros = 0 if known is None else min(_FULLY, one.zeros + (known & mask))
            self._push(of, f"{one.text} << ({other.text} & {mask})", zeros)
        elif operation == "shr_u":
            self._push(of, f"{one.text} >> ({other.text} & {mask})")
        else:
            signed = _SIGNED[of]
            self._push(of, f"({TYPES[of]})(({signed}){one.text} >> ({other.text} & {mask}))")

    def _operate(self, of: int, stem: str, sign: str) -> None:
        other, one = self._pop(), self._pop()
        operator = _OPERATORS.get(stem)
        if operator is None:
            raise ValueError(f"{stem} cannot be written in C yet")
        cast = f"({_SIGNED[of]})" if sign == "s" else ""
        text = f"{cast}{one.text} {operator} {cast}{other.text}"
        match stem:
            case "add" | "sub" | "or" | "xor":
                zeros = min(one.zeros, other.zeros)
            case "and":
                zeros = max(one.zeros, other.zeros)
            case "mul":
                zeros = min(_FULLY, one.zeros + other.zeros)
            case _:
                zeros = 0
        self._push(I32 if stem in _COMPARING else of, text, zeros)


def _constant(of: int, value: int) -> _Value:
    text = f"{value & 0xFFFFFFFF}u" if of == I32 else f"{value & (1 << 64) - 1}ull"
    return _Value(text, of, _trailing(value))


def _real(value: float) -> str:
    """A number with a fraction, to the last bit."""
    if math.isfinite(value):
        return f"({value.hex()})"
    return "NAN" if math.isnan(value) else f"({'-' if value < 0 else ''}INFINITY)"


def _number(value: _Value) -> int | None:
    """The number that a constant is."""
    return int(value.text.rstrip("ul")) if value.text[0].isdigit() else None


def _trailing(value: int) -> int:
    """How many low bits of a number are 0."""
    return _FULLY if not value else (value & -value).bit_length() - 1
