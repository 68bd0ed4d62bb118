"""Plays whole games as machine code, made by this computer's C compiler.

A module is written as C (`machines/native`), compiled by `cc` (or the command in CC) into a
shared library, and loaded. Libraries are cached on disk like modules, under a hash of source and
compiler; each process loads its own copy. Records equal those of the compiled machine.
"""

from __future__ import annotations

import ctypes
import hashlib
import mmap
import os
import shlex
import shutil
import subprocess
import time
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from lawspeaker import ir
from lawspeaker.base.cache import LruCache
from lawspeaker.ir.cost import MOST_STEPS
from lawspeaker.machines.compiled import Compiled, ModuleCache, formed
from lawspeaker.machines.compiled.runtime.unit import NEVER
from lawspeaker.machines.lower.messages import NO_ROOM
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.native.cpu import c_source
from lawspeaker.machines.native.kernel import SHARED, Kernel
from lawspeaker.machines.purpose import WATCHING, Purpose
from lawspeaker.machines.sum_host import AddsUp, SumPlaces
from lawspeaker.outside.gpu_driver import KERNELS, Loaded
from lawspeaker.outside.modules import ModuleFolder, cache_folder
from lawspeaker.position.fault import NoMachine, OutOfMemory, RuleFault
from lawspeaker.position.layout import layout_for

FLAGS = ("-O3", "-std=gnu11", "-ffp-contract=off", "-fPIC", "-shared", "-w")
"""Compiler flags; without contraction floating-point results equal those of the other machines."""
PATIENCE = 600
"""Timeout of the compiler in seconds per game."""
_KEPT = 12


class NoCompiler(NoMachine):
    """No C compiler, or it failed; the message says so."""


@cache
def compiler() -> tuple[str, ...]:
    """Command line of the C compiler."""
    return _command("C", os.environ.get("CC") or "cc")


@cache
def cxx_compiler() -> tuple[str, ...]:
    """Command line of the C++ compiler."""
    return _command("C++", os.environ.get("CXX") or "c++")


def _command(language: str, text: str) -> tuple[str, ...]:
    words = shlex.split(text)
    found = shutil.which(words[0])
    if found is None:
        raise NoCompiler(f"there is no {language} compiler here: {words[0]} was not found")
    return (found, *words[1:])


@cache
def tuned(command: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """Returns the flag that allows all instructions of this processor, and the macros that say
    which these are: libraries are cached, perhaps in a folder that other computers use as well."""
    for flag in ("-march=native", "-mcpu=native"):
        macros = [*command, flag, "-dM", "-E", "-x", "c", os.devnull]
        done = subprocess.run(macros, capture_output=True, text=True, check=False)
        if not done.returncode:
            return (flag,), done.stdout
    return (), ""


@cache
def _version(command: tuple[str, ...]) -> str:
    done = subprocess.run([*command, "--version"], capture_output=True, text=True, check=False)
    return done.stdout


def library(
    source: str,
    flags: Sequence[str] = FLAGS,
    kept: ModuleCache | None = None,
    command: tuple[str, ...] = (),
) -> bytes:
    """Compiles C source to a shared library, or takes it from the cache if its checksum holds.

    `command` overrides the compiler.
    """
    command = command or compiler()
    native, processor = tuned(command) if flags is FLAGS else ((), "")
    flags = (*flags, *native)
    parts = (source, *command, *flags, _version(command), processor)
    name = hashlib.sha256("\0".join(parts).encode()).hexdigest()
    found = None if kept is None else kept.get(name)
    if found is not None and hashlib.sha256(found[32:]).digest() == found[:32]:
        return found[32:]
    made = _compiled(command, source, flags)
    if kept is not None:
        kept.put(name, hashlib.sha256(made).digest() + made)
    return made


def _compiled(command: Sequence[str], source: str, flags: Sequence[str]) -> bytes:
    with TemporaryDirectory(prefix="lawspeaker-") as folder:
        file, made = Path(folder, "game.c"), Path(folder, "game.so")
        file.write_text(source, encoding="utf-8")
        try:
            done = subprocess.run(
                [*command, *flags, "-o", str(made), str(file), "-lm"],
                capture_output=True,
                text=True,
                timeout=PATIENCE,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise NoCompiler(f"{command[0]} could not be run: {error}") from None
        if done.returncode:
            raise NoCompiler(f"{command[0]} failed:\n{done.stderr[-2000:]}")
        return made.read_bytes()


def _loaded(made: bytes) -> ctypes.CDLL:
    """Loads a shared library from a temporary file, which is deleted after loading."""
    with TemporaryDirectory(prefix="lawspeaker-") as folder:
        file = Path(folder, "game.so")
        file.write_bytes(made)
        return ctypes.CDLL(str(file))


class NativeGames(AddsUp):
    """A game as machine code, with its own linear memory."""

    def __init__(
        self, compiled: Compiled, module: Module, made: bytes, budget: int = MOST_STEPS
    ) -> None:
        self.compiled, self.plan = compiled, compiled.plan
        self.program = compiled.layout.program
        self._made = compiled, module, made, budget
        self._memory = mmap.mmap(-1, module.bytes)
        for at, content in module.data:
            self._memory[at : at + len(content)] = content
        first = ctypes.c_char.from_buffer(self._memory)
        self._library = _loaded(made)
        self._library.variables_size.restype = ctypes.c_uint64
        self._variables = ctypes.create_string_buffer(self._library.variables_size())
        self._here = (ctypes.c_void_p(ctypes.addressof(first)), self._variables)
        self._library.variables_begin(self._variables)
        self._call("configure", *map(ctypes.c_int32, (NEVER, -1, 0, 0, budget)))

    @property
    def columns(self) -> dict[str, slice]:
        return self.compiled.columns

    @property
    def most_games(self) -> int:
        """Number of records that fit into memory in one call."""
        return max(1, self.compiled.plan.sizes.records // self.compiled.record_size)

    def records(self, seed: int, first: int, count: int) -> Iterator[bytes]:
        """Yields records of games between random players, as `Instance.records`."""
        at, size = self.compiled.plan.records, self.compiled.record_size
        for start in range(first, first + count, self.most_games):
            some = min(self.most_games, first + count - start)
            self.play(seed, start, some)
            yield self._memory[at : at + size * some]

    def play(self, seed: int, first: int, count: int) -> None:
        """As `records`, in one call; the records stay in memory."""
        fault = self.compiled.plan.fault
        self._memory[fault : fault + 4] = bytes(4)
        given = (ctypes.c_uint64(seed), ctypes.c_uint32(first), ctypes.c_uint32(count))
        if not self._call("simulate", *given):
            number = int.from_bytes(self._memory[fault : fault + 4], "little")
            if not number:
                raise RuntimeError("a compiled game stopped without a fault of its rules")
            point = self.compiled.fault(number)
            if point.message == NO_ROOM:
                raise OutOfMemory(self.compiled.layout.program.name)
            raise RuleFault(point.clause, point.message, point.span)

    @property
    def sum_places(self) -> SumPlaces:
        return self.plan.sum_places

    def another(self) -> NativeGames:
        return NativeGames(*self._made)

    def _read(self, start: int, end: int) -> bytes:
        return self._memory[start:end]

    def _write(self, at: int, content: bytes) -> None:
        self._memory[at : at + len(content)] = content

    def _call(self, door: str, *given: object) -> bool:
        return bool(getattr(self._library, f"door_{door}")(*self._here, *given))


# ---------------------------------------------------------------- programs for cards


class Processor:
    """Runs GPU kernels on the CPU, thread after thread, with NumPy arrays: as a fallback and for
    tests.

    `threads` is the simulated number of threads.
    """

    shared = SHARED
    FLAGS = ("-x", "c++", "-std=c++17", "-O2", "-w", "-fPIC", "-shared", "-DEMULATED", "-DCHECKED")

    def __init__(
        self,
        threads: int = 64,
        flags: Sequence[str] = FLAGS,
        kept: ModuleCache | None = None,
    ) -> None:
        self.threads, self.flags, self.kept = threads, flags, kept
        self.command = cxx_compiler()

    def load(self, made: Kernel) -> Loaded:
        return _OnProcessor(self, made)


class _OnProcessor:
    xp: Any = np

    def __init__(self, device: Processor, made: Kernel) -> None:
        self.made, self.threads = made, device.threads
        binary = library(made.source, device.flags, device.kept, device.command)
        self._library = _loaded(binary)
        self._tables = (ctypes.c_char * len(made.tables)).in_dll(self._library, "tables")
        self.tell(0, made.tables)
        self._kernel = getattr(self._library, KERNELS[made.use])

    def tell(self, at: int, content: bytes) -> None:
        ctypes.memmove(ctypes.addressof(self._tables) + at, content, len(content))

    def call(self, threads: int, *given: Any) -> float:
        began = time.perf_counter()
        self._kernel(*map(_passed, given))
        return time.perf_counter() - began


def _passed(given: Any) -> object:
    if given is None:
        return ctypes.c_void_p(0)
    if isinstance(given, np.ndarray):
        assert given.flags.c_contiguous
        return ctypes.c_void_p(given.ctypes.data)
    return ctypes.c_uint64(int(given)) if given.itemsize == 8 else ctypes.c_uint32(int(given))


_games: LruCache[NativeGames] = LruCache(_KEPT)


def native_games(program: ir.Program, players: int, purpose: Purpose = WATCHING) -> NativeGames:
    """Returns the cached native games of a program. Raises `NoCompiler`."""

    def make() -> NativeGames:
        layout = layout_for(program, players)
        compiled, module = formed(layout, purpose)
        try:
            source = c_source(module)
        except RecursionError:
            raise NoCompiler(f"the rules of {program.name} are nested too deep for C") from None
        return NativeGames(compiled, module, library(source, kept=ModuleFolder(cache_folder())))

    return _games.get((id(program), players, purpose), make)
