"""A shim for `wasmtime`, which runs modules with the browser's own WebAssembly.

A published page carries this file as its module `wasmtime`. It has only what the compiled machine
uses (`compiled/host/instance`, `module_cache`). A module imports nothing and has one memory, so
there is little to do: 64-bit parameters are converted to BigInt, which a browser does not do by
itself, and exceptions of a module become a `Trap`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from importlib import import_module
from typing import Any

try:
    _js: Any = import_module("js")
    _ffi: Any = import_module("pyodide.ffi")
except ImportError as error:
    raise ImportError("there is no browser around this Python") from error

I64 = 0x7E
TYPES, EXPORTS, IMPORTS, FUNCTIONS = 1, 7, 2, 3
calls = 0
"""Number of calls of functions of all modules."""


class WasmtimeError(Exception):
    """Raised for an invalid module."""


class TrapCode(Enum):
    UNREACHABLE = "unreachable"
    STACK_OVERFLOW = "stack overflow"


class Trap(Exception):
    """Raised when a module traps."""

    def __init__(self, message: str, code: TrapCode) -> None:
        super().__init__(message)
        self.trap_code = code


class Config:
    """A configuration without options."""


class Engine:
    def __init__(self, config: Config | None = None) -> None:
        pass


class Store:
    def __init__(self, engine: Engine) -> None:
        pass


class Module:
    def __init__(self, engine: Engine, code: bytes) -> None:
        self.code = bytes(code)
        self.long = _long(self.code)
        try:
            self.made = _js.WebAssembly.Module.new(_ffi.to_js(self.code))
        except _ffi.JsException as error:
            raise WasmtimeError(str(error)) from None

    @classmethod
    def deserialize(cls, engine: Engine, code: bytes) -> Module:
        return cls(engine, code)

    def serialize(self) -> bytes:
        return self.code


class Memory:
    def __init__(self, memory: Any) -> None:
        self._memory = memory

    def read(self, store: Store, start: int, end: int) -> bytes:
        content: bytes = _js.Uint8Array.new(self._memory.buffer, start, end - start).to_bytes()
        return content

    def write(self, store: Store, content: bytes, at: int) -> None:
        if content:
            _js.Uint8Array.new(self._memory.buffer, at, len(content)).assign(content)


class Func:
    def __init__(self, function: Any, long: tuple[bool, ...]) -> None:
        self._function = function
        self._long = long

    def __call__(self, store: Store, *given: int) -> Any:
        global calls  # noqa: PLW0603
        calls += 1
        words = [
            _js.BigInt(str(word)) if long else int(word)
            for word, long in zip(given, self._long, strict=True)
        ]
        try:
            found = self._function(*words)
        except _ffi.JsException as error:
            overflow = "call stack" in str(error) or "recursion" in str(error)
            code = TrapCode.STACK_OVERFLOW if overflow else TrapCode.UNREACHABLE
            raise Trap(str(error), code) from None
        return [int(each) for each in found] if hasattr(found, "length") else found


class Instance:
    def __init__(self, store: Store, module: Module, imports: list[Any]) -> None:
        self._module = module
        self._made = _js.WebAssembly.Instance.new(module.made)

    def exports(self, store: Store) -> Mapping[str, Memory | Func]:
        exported = self._made.exports
        found: dict[str, Memory | Func] = {"memory": Memory(exported.memory)}
        for name, long in self._module.long.items():
            found[name] = Func(getattr(exported, name), long)
        return found


# -------------------------------------------------------------------- module parser


class _Bytes:
    def __init__(self, content: bytes, at: int = 0) -> None:
        self.content, self.at = content, at

    def number(self) -> int:
        found = shift = 0
        while True:
            byte = self.content[self.at]
            self.at += 1
            found |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return found

    def take(self, count: int) -> bytes:
        self.at += count
        return self.content[self.at - count : self.at]


def _long(code: bytes) -> dict[str, tuple[bool, ...]]:
    """Returns, for each exported function, which of its parameters are 64-bit."""
    sections = _sections(code)
    types = [_parameters(each) for each in _types(sections[TYPES])]
    functions = _Bytes(sections[FUNCTIONS])
    kinds = [functions.number() for _ in range(functions.number())]
    exports = _Bytes(sections[EXPORTS])
    found = {}
    for _ in range(exports.number()):
        name = exports.take(exports.number()).decode()
        kind, index = exports.number(), exports.number()
        if kind == 0:
            found[name] = types[kinds[index]]
    return found


def _sections(code: bytes) -> dict[int, bytes]:
    if code[:4] != b"\0asm":
        raise WasmtimeError("this is not WebAssembly")
    reading, found = _Bytes(code, 8), {}
    while reading.at < len(code):
        number = reading.number()
        found[number] = reading.take(reading.number())
    if IMPORTS in found:
        raise WasmtimeError("a module that imports something")
    return found


def _types(section: bytes) -> list[bytes]:
    reading, found = _Bytes(section), []
    for _ in range(reading.number()):
        reading.take(1)
        found.append(reading.take(reading.number()))
        reading.take(reading.number())
    return found


def _parameters(types: bytes) -> tuple[bool, ...]:
    return tuple(each == I64 for each in types)
