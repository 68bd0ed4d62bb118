"""WebAssembly assembler: instructions with structured control flow, and the binary format.

A `Function` is written instruction by instruction for the stack machine. `with` opens a block; a
`Label` stores its nesting depth, from which a branch computes its relative depth. A `Module`
gathers functions, globals, data and one memory, and encodes them. It has no imports: it can access
nothing but its own memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import groupby
from struct import pack

from lawspeaker.machines.middle.forms import F64, I32, I64, Global, Type

NOTHING = None
"""The type of a block without a result."""
PAGE = 65536

_TYPES: dict[object, int] = {I32: 0x7F, I64: 0x7E, F64: 0x7C, NOTHING: 0x40}

_PLAIN = {
    "unreachable": 0x00, "return": 0x0F, "drop": 0x1A, "select": 0x1B,
    "i32.eqz": 0x45, "i32.eq": 0x46, "i32.ne": 0x47, "i32.lt_s": 0x48, "i32.lt_u": 0x49,
    "i32.gt_s": 0x4A, "i32.gt_u": 0x4B, "i32.le_s": 0x4C, "i32.le_u": 0x4D, "i32.ge_s": 0x4E,
    "i32.ge_u": 0x4F, "i64.eqz": 0x50, "i64.eq": 0x51, "i64.ne": 0x52, "i64.lt_s": 0x53,
    "i64.lt_u": 0x54, "i64.gt_s": 0x55, "i64.gt_u": 0x56, "i64.le_s": 0x57, "i64.le_u": 0x58,
    "i64.ge_s": 0x59, "i64.ge_u": 0x5A,
    "i32.clz": 0x67, "i32.ctz": 0x68, "i32.popcnt": 0x69, "i32.add": 0x6A, "i32.sub": 0x6B,
    "i32.mul": 0x6C, "i32.div_s": 0x6D, "i32.div_u": 0x6E, "i32.rem_s": 0x6F, "i32.rem_u": 0x70,
    "i32.and": 0x71, "i32.or": 0x72, "i32.xor": 0x73, "i32.shl": 0x74, "i32.shr_u": 0x76,
    "i64.clz": 0x79, "i64.ctz": 0x7A, "i64.popcnt": 0x7B, "i64.add": 0x7C,
    "i64.sub": 0x7D, "i64.mul": 0x7E, "i64.div_s": 0x7F, "i64.div_u": 0x80, "i64.rem_s": 0x81,
    "i64.rem_u": 0x82, "i64.and": 0x83, "i64.or": 0x84, "i64.xor": 0x85, "i64.shl": 0x86,
    "i64.shr_u": 0x88, "i32.wrap_i64": 0xA7, "i64.extend_i32_s": 0xAC,
    "i64.extend_i32_u": 0xAD, "f64.eq": 0x61, "f64.lt": 0x63, "f64.gt": 0x64, "f64.sqrt": 0x9F,
    "f64.add": 0xA0, "f64.sub": 0xA1, "f64.mul": 0xA2, "f64.div": 0xA3, "f64.max": 0xA5,
    "f64.convert_i32_s": 0xB7, "f64.convert_i64_s": 0xB9,
}  # fmt: skip
_INDEXED = {
    "local.get": 0x20,
    "local.set": 0x21,
    "local.tee": 0x22,
    "global.get": 0x23,
    "global.set": 0x24,
    "br": 0x0C,
    "br_if": 0x0D,
}
_MEMORY = {
    "i32.load": 0x28, "i64.load": 0x29, "i32.load8_s": 0x2C, "i32.load8_u": 0x2D,
    "i32.load16_s": 0x2E, "i32.load16_u": 0x2F, "i32.store": 0x36, "i64.store": 0x37,
    "i32.store8": 0x3A, "i32.store16": 0x3B, "f64.load": 0x2B, "f64.store": 0x39,
}  # fmt: skip
_OPENING = {"block": 0x02, "loop": 0x03, "if": 0x04}


@lru_cache(maxsize=4096)
def unsigned(value: int) -> bytes:
    """Encodes a non-negative number as LEB128."""
    out = bytearray()
    while True:
        low = value & 0x7F
        value >>= 7
        if not value:
            out.append(low)
            return bytes(out)
        out.append(low | 0x80)


@lru_cache(maxsize=4096)
def signed(value: int) -> bytes:
    """Encodes a signed number as LEB128."""
    out = bytearray()
    while True:
        low = value & 0x7F
        value >>= 7
        if (value == 0 and not low & 0x40) or (value == -1 and low & 0x40):
            out.append(low)
            return bytes(out)
        out.append(low | 0x80)


class Label:
    """A block or loop that can be branched to."""

    __slots__ = ("depth",)

    def __init__(self, depth: int) -> None:
        self.depth = depth


Instruction = tuple[str, object]


class Function:
    """Builder of one function."""

    def __init__(
        self, name: str, index: int, parameters: Sequence[Type], results: Sequence[Type]
    ) -> None:
        self.name = name
        self.index = index
        self.parameters = tuple(parameters)
        self.results = tuple(results)
        self.locals: list[Type] = []
        self.body: list[Instruction] = []
        self._depth = 0

    def local(self, type: Type = I32) -> int:
        """Returns the index of a new local variable."""
        self.locals.append(type)
        return len(self.parameters) + len(self.locals) - 1

    # ------------------------------------------------------------ instructions

    def op(self, *names: str) -> None:
        for name in names:
            self.body.append((name, None))

    def const(self, value: int) -> None:
        self.body.append(("i32.const", value))

    def long(self, value: int) -> None:
        """Pushes a constant of 64 bits; values from 2^63 are encoded as the same bits with a
        sign."""
        self.body.append(("i64.const", value - (1 << 64) if value >> 63 == 1 else value))

    def real(self, value: float) -> None:
        self.body.append(("f64.const", value))

    def get(self, variable: int | Global) -> None:
        self._variable("get", variable)

    def set(self, variable: int | Global) -> None:
        self._variable("set", variable)

    def _variable(self, verb: str, variable: int | Global) -> None:
        if isinstance(variable, Global):
            self.body.append((f"global.{verb}", variable.index))
        else:
            self.body.append((f"local.{verb}", variable))

    def load(self, offset: int = 0, kind: str = "i32.load") -> None:
        """Loads from the address on the stack plus the offset."""
        self.body.append((kind, offset))

    def store(self, offset: int = 0, kind: str = "i32.store") -> None:
        self.body.append((kind, offset))

    def copy(self) -> None:
        """Emits memory.copy; destination, source and size are on the stack."""
        self.body.append(("memory.copy", None))

    def fill(self) -> None:
        """Emits memory.fill; destination, byte and size are on the stack."""
        self.body.append(("memory.fill", None))

    def call(self, function: Function) -> None:
        self.body.append(("call", function))

    def br(self, label: Label) -> None:
        self.body.append(("br", self._depth - label.depth))

    def br_if(self, label: Label) -> None:
        self.body.append(("br_if", self._depth - label.depth))

    def _open(self, kind: str, result: Type | None) -> Label:
        self.body.append((kind, result))
        self._depth += 1
        return Label(self._depth)

    def _close(self) -> None:
        self.body.append(("end", None))
        self._depth -= 1

    @contextmanager
    def block(self, result: Type | None = NOTHING) -> Iterator[Label]:
        """Opens a block; a branch to its label exits it."""
        yield self._open("block", result)
        self._close()

    @contextmanager
    def loop(self) -> Iterator[Label]:
        """Opens a loop; a branch to its label starts the next iteration."""
        yield self._open("loop", NOTHING)
        self._close()

    @contextmanager
    def if_(self, result: Type | None = NOTHING) -> Iterator[Label]:
        """Opens a block that is executed if the value on the stack is not zero."""
        yield self._open("if", result)
        self._close()

    def else_(self) -> None:
        self.body.append(("else", None))

    # ------------------------------------------------------------ encoding

    def encode(self) -> bytes:
        """Encodes locals and body for the code section."""
        out = bytearray()
        groups = [(type, len(list(found))) for type, found in groupby(self.locals)]
        out += unsigned(len(groups))
        for type, count in groups:
            out += unsigned(count)
            out.append(_TYPES[type])
        for name, given in self.body:
            if name in _PLAIN:
                out.append(_PLAIN[name])
            elif name in _INDEXED and isinstance(given, int):
                out.append(_INDEXED[name])
                out += unsigned(given)
            else:
                _encode(out, name, given)
        out.append(0x0B)
        return unsigned(len(out)) + bytes(out)

    def text(self) -> str:
        """Returns a readable disassembly, for debugging."""
        lines = [f"{self.name} #{self.index} {len(self.parameters)} -> {len(self.results)}"]
        depth = 1
        for name, given in self.body:
            if name in ("end", "else"):
                depth -= 1
            told = given.name if isinstance(given, Function) else given
            lines.append("  " * depth + (name if told is None else f"{name} {told}"))
            if name in ("block", "loop", "if", "else"):
                depth += 1
        return "\n".join(lines)


def _encode(out: bytearray, name: str, given: object) -> None:
    if name in _OPENING:
        out.append(_OPENING[name])
        out.append(_TYPES[given])
    elif isinstance(given, int):
        if name in _MEMORY:
            out.append(_MEMORY[name])
            out.append(0)  # no alignment hint
            out += unsigned(given)
        else:
            out.append(0x41 if name == "i32.const" else 0x42)
            out += signed(given)
    elif isinstance(given, float):
        out += b"\x44" + pack("<d", given)
    elif isinstance(given, Function):
        out.append(0x10)
        out += unsigned(given.index)
    elif name == "end":
        out.append(0x0B)
    elif name == "else":
        out.append(0x05)
    elif name == "memory.copy":
        out += b"\xfc\x0a\x00\x00"
    elif name == "memory.fill":
        out += b"\xfc\x0b\x00"
    else:
        raise ValueError(name)


class Module:
    """A module under construction: functions, globals, data and one memory."""

    def __init__(self) -> None:
        self.functions: list[Function] = []
        self.globals: list[Global] = []
        self.exports: dict[str, Function] = {}
        self.data: list[tuple[int, bytes]] = []
        self.bytes = 0

    def function(
        self, name: str, parameters: Sequence[Type] = (), results: Sequence[Type] = ()
    ) -> Function:
        made = Function(name, len(self.functions), parameters, results)
        self.functions.append(made)
        return made

    def encode(self) -> bytes:
        """Encodes the module in the WebAssembly binary format."""
        kinds: dict[tuple[tuple[Type, ...], tuple[Type, ...]], int] = {}
        for each in self.functions:
            kinds.setdefault((each.parameters, each.results), len(kinds))
        types = [
            b"\x60" + b"".join(unsigned(len(each)) + _codes(each) for each in kind)
            for kind in kinds
        ]
        used = [unsigned(kinds[each.parameters, each.results]) for each in self.functions]
        pages = -(-self.bytes // PAGE)
        memory = [b"\x01" + unsigned(pages) + unsigned(pages)]
        variables = [
            _codes((each.type,)) + b"\x01" + _constant(each.type, each.first) + b"\x0b"
            for each in self.globals
        ]
        exports = [_name("memory") + b"\x02\x00"]
        exports += [_name(n) + b"\x00" + unsigned(f.index) for n, f in self.exports.items()]
        codes = [each.encode() for each in self.functions]
        data = [
            b"\x00\x41" + signed(at) + b"\x0b" + unsigned(len(content)) + content
            for at, content in self.data
        ]
        sections = ((1, types), (3, used), (5, memory), (6, variables), (7, exports))
        out = b"\0asm" + pack("<I", 1)
        for number, items in (*sections, (10, codes), (11, data)):
            content = unsigned(len(items)) + b"".join(items)
            out += bytes([number]) + unsigned(len(content)) + content
        return out

    def text(self) -> str:
        return "\n\n".join(each.text() for each in self.functions)


def _name(text: str) -> bytes:
    return unsigned(len(text.encode())) + text.encode()


def _constant(type: Type, value: int) -> bytes:
    return (b"\x41" if type == I32 else b"\x42") + signed(value)


def _codes(types: tuple[Type, ...]) -> bytes:
    return bytes(_TYPES[each] for each in types)
