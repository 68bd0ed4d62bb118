"""What a program for cards reads and writes, byte by byte, as it is run on the processor."""

from __future__ import annotations

import ctypes

import pytest

from lawspeaker.machines.native import cuda
from lawspeaker.machines.native.shared_memory import BEHIND, SHARED_BASE, SHARED_SPACING
from lawspeaker.machines.native.sources import text_of
from lawspeaker.outside import native
from tests.native.common import needs_compiler

FIRST, GAP, TABLES_SIZE = 1 << 12, 96, 64
OWN, TABLES = GAP + 16, FIRST + GAP
DEFINED = {
    "FIRST": FIRST, "OWN": OWN, "GAP": GAP, "TABLES": TABLES, "TABLES_SIZE": TABLES_SIZE,
    "DEEPEST": 9, "BLOCK": 32, "SHARED_BASE": SHARED_BASE, "SHARED_SPACING": SHARED_SPACING,
    "BEHIND": BEHIND, "SHARED_SIZE": 0,
}  # fmt: skip
TRIED = """
#define TRIED(work) try { struct variables *g = 0; work; return 0; } catch (ended) { return 1; }
extern "C" int read(u8 *memory, u32 size, u32 address, u32 offset, u64 *found) {
  TRIED(*found = size == 8 ? load64(HERE, address, offset)
               : size == 4 ? load32(HERE, address, offset)
               : load16_u(HERE, address, offset))
}
extern "C" int write(u8 *memory, u32 address, u32 offset, u64 number) {
  TRIED(store64(HERE, address, offset, number))
}
extern "C" int copied(u8 *memory, u32 to, u32 from, u32 count) {
  TRIED(copy_fixed(HERE, to, from, count))
}
extern "C" int cleared(u8 *memory, u32 to, u32 count) { TRIED(clear_fixed(HERE, to, count)) }
extern "C" u64 low_bit(u64 number) { return ctz64(number); }
"""


@pytest.fixture(scope="module")
def memory_library() -> ctypes.CDLL:
    needs_compiler()
    source = "\n".join(
        [
            text_of("numbers.h"),
            *(f"#define {name} {value}u" for name, value in DEFINED.items()),
            "struct variables { u32 depth; };",
            text_of("gpu/runtime.cuh"),
            text_of("gpu/bits.cuh"),
            text_of("arithmetic.h"),
            *(cuda._about(what, ()) for what in ("at", "size", "width")),
            text_of("gpu/memory.cuh"),
            TRIED,
        ]
    )
    flags, command = native.Processor.FLAGS, native.cxx_compiler()
    made = native._loaded(native.library(source, flags, command=command))
    tables = (ctypes.c_ubyte * TABLES_SIZE).in_dll(made, "tables")
    tables[:] = [200 - at for at in range(TABLES_SIZE)]
    return made


class Memory:
    """Some bytes of a game's own, at a multiple of 16."""

    def __init__(self) -> None:
        self._bytes = (ctypes.c_ubyte * (OWN + 16))()
        self._start = -ctypes.addressof(self._bytes) % 16
        for at in range(OWN):
            self._bytes[self._start + at] = (7 * at + 1) % 256

    @property
    def at(self) -> ctypes.c_void_p:
        return ctypes.c_void_p(ctypes.addressof(self._bytes) + self._start)

    @property
    def content(self) -> bytes:
        return bytes(self._bytes)[self._start : self._start + OWN]


@pytest.mark.parametrize("size", [2, 4, 8])
def test_in_an_array_words_may_lie_anywhere(memory_library: ctypes.CDLL, size: int) -> None:
    memory, found = Memory(), ctypes.c_uint64()
    tables = bytes(200 - at for at in range(TABLES_SIZE))
    for base, content in ((FIRST, memory.content[:GAP]), (TABLES, tables)):
        for start in range(9):
            for address in range(len(content) - size - start - 7):
                offset = base + start
                assert not memory_library.read(
                    memory.at, size, address, offset, ctypes.byref(found)
                )
                wanted = content[start + address : start + address + size]
                assert found.value == int.from_bytes(wanted, "little")


def test_who_follows_a_pointer_to_part_of_a_word_stops(memory_library: ctypes.CDLL) -> None:
    memory, found = Memory(), ctypes.c_uint64()
    for size in (4, 8):
        for at in range(12):
            stopped = memory_library.read(memory.at, size, FIRST + at, 8, ctypes.byref(found))
            assert bool(stopped) == bool(at % 4)
            if not stopped:
                wanted = memory.content[8 + at : 8 + at + size]
                assert found.value == int.from_bytes(wanted, "little")


def test_words_are_written_at_multiples_of_half_their_size(memory_library: ctypes.CDLL) -> None:
    for at in range(12):
        memory, before = Memory(), Memory().content
        stopped = memory_library.write(memory.at, at, FIRST + 16, ctypes.c_uint64(1 << 63 | 5))
        assert bool(stopped) == bool(at % 4)
        new = (1 << 63 | 5).to_bytes(8, "little")
        wanted = before if stopped else before[: 16 + at] + new + before[24 + at :]
        assert memory.content == wanted


@pytest.mark.parametrize("count", [0, 1, 3, 8, 17, 40])
def test_what_is_copied_and_cleared_is_all_there(memory_library: ctypes.CDLL, count: int) -> None:
    tables = bytes(200 - at for at in range(TABLES_SIZE))
    for to in range(18):
        for source in (*range(18), 48):
            for base in (FIRST, TABLES):
                memory, before = Memory(), Memory().content
                if base == TABLES and source + count > TABLES_SIZE:
                    continue
                assert not memory_library.copied(memory.at, FIRST + to, base + source, count)
                origin = before if base == FIRST else tables
                new = origin[source : source + count]
                assert memory.content == before[:to] + new + before[to + count :]
        memory, before = Memory(), Memory().content
        assert not memory_library.cleared(memory.at, FIRST + to, count)
        assert memory.content == before[:to] + bytes(count) + before[to + count :]


def test_nothing_is_copied_beyond_what_is_ones_own(memory_library: ctypes.CDLL) -> None:
    for to, source in ((OWN - 8, 0), (0, GAP - 4)):
        memory, before = Memory(), Memory().content
        size = OWN if source else 9
        assert memory_library.copied(memory.at, FIRST + to, FIRST + source, size)
        assert memory.content == before


def test_the_lowest_bit_is_found(memory_library: ctypes.CDLL) -> None:
    memory_library.low_bit.restype = ctypes.c_uint64
    for at in range(64):
        assert (
            memory_library.low_bit(ctypes.c_uint64((0xF0F0F0F0F0F0F0F1 << at) & (1 << 64) - 1))
            == at
        )
    assert memory_library.low_bit(ctypes.c_uint64(0)) == 64
