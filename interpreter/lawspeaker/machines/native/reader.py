"""The binary of a module, as functions and instructions.

It reads what `compiled/binary.py` writes, and says so if it meets anything else. Numbers of
instructions are those of the WebAssembly specification, which gives most of them in a row.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import unpack_from

I32, I64, F64 = 0x7F, 0x7E, 0x7C
NOTHING = 0x40

Given = int | float | tuple[int, ...] | None
Instruction = tuple[str, Given]
"""Its name, and what stands behind it: a constant, the number of a variable, function or label, the
offset of an address, what a block leaves, or the labels of a table."""

_PARAMETRIC = {0x00: "unreachable", 0x01: "nop", 0x05: "else", 0x0B: "end", 0x0F: "return"}
_PARAMETRIC |= {0x1A: "drop", 0x1B: "select"}
_OPENING = {0x02: "block", 0x03: "loop", 0x04: "if"}
_INDEXED = {0x0C: "br", 0x0D: "br_if", 0x10: "call", 0x20: "local.get", 0x21: "local.set"}
_INDEXED |= {0x22: "local.tee", 0x23: "global.get", 0x24: "global.set"}
_MEMORY = dict(
    enumerate(
        """i32.load i64.load f32.load f64.load i32.load8_s i32.load8_u i32.load16_s i32.load16_u
        i64.load8_s i64.load8_u i64.load16_s i64.load16_u i64.load32_s i64.load32_u
        i32.store i64.store f32.store f64.store i32.store8 i32.store16
        i64.store8 i64.store16 i64.store32""".split(),
        0x28,
    )
)
_COMPARED = "eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u"
_REAL_COMPARED = "eq ne lt gt le ge"
_WHOLE = "clz ctz popcnt add sub mul div_s div_u rem_s rem_u and or xor shl shr_s shr_u rotl rotr"
_REAL = "abs neg ceil floor trunc nearest sqrt add sub mul div min max copysign"


def _numbered(first: int, prefix: str, names: str) -> dict[int, str]:
    return {first + at: f"{prefix}.{name}" for at, name in enumerate(names.split())}


_PLAIN = (
    _PARAMETRIC
    | _numbered(0x45, "i32", f"eqz {_COMPARED}")
    | _numbered(0x50, "i64", f"eqz {_COMPARED}")
    | _numbered(0x61, "f64", _REAL_COMPARED)
    | _numbered(0x67, "i32", _WHOLE)
    | _numbered(0x79, "i64", _WHOLE)
    | _numbered(0x99, "f64", _REAL)
    | {0xA7: "i32.wrap_i64", 0xAC: "i64.extend_i32_s", 0xAD: "i64.extend_i32_u"}
    | _numbered(0xB7, "f64", "convert_i32_s convert_i32_u convert_i64_s convert_i64_u")
)


class UnknownCode(ValueError):
    """Something in a module that is not read here."""


@dataclass(frozen=True, slots=True)
class Function:
    """Types of what it is given, of what it gives back, and of its other variables, which follow
    the parameters in one numbering; and what it does. The last `end` is left out."""

    index: int
    parameters: tuple[int, ...]
    results: tuple[int, ...]
    locals: tuple[int, ...]
    body: tuple[Instruction, ...]


@dataclass(frozen=True, slots=True)
class Module:
    """`globals` are types and first values, `bytes` is how much memory there is, and `data` what
    lies in it at the start. `exports` are the functions that the host calls."""

    functions: tuple[Function, ...]
    globals: tuple[tuple[int, int], ...]
    exports: dict[str, int]
    data: tuple[tuple[int, bytes], ...]
    bytes: int


def read(code: bytes) -> Module:
    """A module from its binary."""
    return _Reader(code).module()


class _Reader:
    def __init__(self, code: bytes) -> None:
        self.code = code
        self.at = 0

    # ------------------------------------------------------------ numbers

    def byte(self) -> int:
        self.at += 1
        return self.code[self.at - 1]

    def unsigned(self) -> int:
        return self._number()[0]

    def signed(self) -> int:
        value, bits = self._number()
        return value - (1 << bits) if value >> bits - 1 else value

    def _number(self) -> tuple[int, int]:
        """A number in groups of seven bits, the lowest first, and how many bits it takes."""
        value, bits = 0, 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << bits
            bits += 7
            if not byte & 0x80:
                return value, bits

    def bytes(self, count: int) -> bytes:
        self.at += count
        return self.code[self.at - count : self.at]

    # ------------------------------------------------------------ sections

    def module(self) -> Module:
        if self.bytes(8) != b"\0asm\1\0\0\0":
            raise UnknownCode("this is no module")
        kinds: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
        used: list[int] = []
        variables: list[tuple[int, int]] = []
        functions: list[Function] = []
        exports: dict[str, int] = {}
        data: list[tuple[int, bytes]] = []
        pages = 0
        while self.at < len(self.code):
            section, size = self.byte(), self.unsigned()
            end = self.at + size
            for _ in range(self.unsigned()):
                if section == 1:
                    self.expect(0x60, "a function's type")
                    kinds.append((self.types(), self.types()))
                elif section == 3:
                    used.append(self.unsigned())
                elif section == 5:
                    self.expect(1, "memory of a fixed size")
                    pages = self.unsigned()
                    self.unsigned()
                elif section == 6:
                    of = self.byte()
                    self.byte()
                    variables.append((of, self.constant()))
                elif section == 7:
                    name = self.bytes(self.unsigned()).decode()
                    kind, index = self.byte(), self.unsigned()
                    if kind == 0:
                        exports[name] = index
                elif section == 10:
                    functions.append(self.function(len(functions), *kinds[used[len(functions)]]))
                elif section == 11:
                    self.expect(0, "data at a fixed place")
                    at = self.constant()
                    data.append((at & 0xFFFFFFFF, self.bytes(self.unsigned())))
                else:
                    raise UnknownCode(f"section {section} is not read here")
            if self.at != end:
                raise UnknownCode(f"section {section} is damaged")
        return Module(tuple(functions), tuple(variables), exports, tuple(data), pages << 16)

    def expect(self, byte: int, what: str) -> None:
        if self.byte() != byte:
            raise UnknownCode(f"{what} was expected at byte {self.at - 1}")

    def types(self) -> tuple[int, ...]:
        return tuple(self.bytes(self.unsigned()))

    def constant(self) -> int:
        """A constant expression: an instruction, and its end."""
        name, given = self.instruction()
        if not isinstance(given, int) or not name.endswith(".const"):
            raise UnknownCode(f"{name} is no constant")
        self.expect(0x0B, "the end of a constant")
        return given

    # ------------------------------------------------------------ code

    def function(
        self, index: int, parameters: tuple[int, ...], results: tuple[int, ...]
    ) -> Function:
        size = self.unsigned()
        end = self.at + size
        variables: list[int] = []
        for _ in range(self.unsigned()):
            count = self.unsigned()
            variables += [self.byte()] * count
        body: list[Instruction] = []
        while self.at < end:
            body.append(self.instruction())
        if self.at != end or body.pop()[0] != "end":
            raise UnknownCode(f"function {index} is damaged")
        return Function(index, parameters, results, tuple(variables), tuple(body))

    def instruction(self) -> Instruction:
        code = self.byte()
        if code in _PLAIN:
            return _PLAIN[code], None
        if code in _INDEXED:
            return _INDEXED[code], self.unsigned()
        if code in _MEMORY:
            self.unsigned()  # nothing is promised about alignment
            return _MEMORY[code], self.unsigned()
        if code in _OPENING:
            return _OPENING[code], self.byte()
        match code:
            case 0x41:
                return "i32.const", self.signed()
            case 0x42:
                return "i64.const", self.signed()
            case 0x44:
                (real,) = unpack_from("<d", self.bytes(8))
                return "f64.const", float(real)
            case 0x0E:
                count = self.unsigned()
                return "br_table", tuple(self.unsigned() for _ in range(count + 1))
            case 0xFC:
                which = self.unsigned()
                if which == 10:
                    self.bytes(2)
                    return "memory.copy", None
                if which == 11:
                    self.bytes(1)
                    return "memory.fill", None
        raise UnknownCode(f"instruction {code:#x} at byte {self.at - 1} is not read here")
