"""Drops privileges of the current process for good: files, network, programs, other processes.

Processes that run visitors' rules call it before they receive any. A well-behaved program needs
nothing that it forbids, so this is a second line of defence: it limits the damage if such rules
ever managed to run code of their own.

On Linux there are three mechanisms, all provided by the kernel and called through `ctypes`:

- `no_new_privs`: no started program can gain privileges.
- Landlock (kernel 5.13): files can be read below a few folders, and written nowhere. TCP (6.7),
  signals to and abstract sockets of other processes (6.12) are denied as well.
- A seccomp filter (64-bit x86 and ARM): no sockets, no programs, no new processes, no signals to
  other processes, no access to their memory.

A mechanism is skipped where the kernel lacks it. Other systems have none of them. The two libraries
for this on PyPI are no alternative: `landlock` is a pre-release without the network rules, and
`pyseccomp` has not been changed since 2021. docs/security.md says which guarantees hold where.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import sys
from collections.abc import Iterable
from pathlib import Path

PR_SET_NO_NEW_PRIVS = 38
SYS_CREATE_RULESET, SYS_ADD_RULE, SYS_RESTRICT_SELF = 444, 445, 446
VERSION_FLAG, PATH_BENEATH = 1, 1
READ_FILE, READ_DIR = 1 << 2, 1 << 3
FILE_RIGHTS = {1: 1 << 13, 2: 1 << 14, 3: 1 << 15, 5: 1 << 16}
"""Landlock ABI version to the exclusive upper bound of the file rights that it handles."""
TCP, SCOPES = 0b11, 0b11
TCP_SINCE, SCOPES_SINCE = 4, 6


def give_up(reads: Iterable[Path] = ()) -> tuple[str, ...]:
    """Drops privileges; returns the names of the mechanisms that the system supports.

    Only the calling thread and those it starts are restricted: call it before there are others.
    Missing folders in `reads` are ignored.
    """
    if sys.platform != "linux":
        return ()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, *map(ctypes.c_ulong, (1, 0, 0, 0))) != 0:
        return ()
    parts = (
        ("no_new_privs", True),
        ("landlock", _landlock(libc, reads)),
        ("seccomp", _seccomp(libc)),
    )
    return tuple(name for name, holds in parts if holds)


# -------------------------------------------------------------------- Landlock


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("handled_access_fs", ctypes.c_uint64),
        ("handled_access_net", ctypes.c_uint64),
        ("scoped", ctypes.c_uint64),
    )


class _PathBeneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed_access", ctypes.c_uint64), ("parent_fd", ctypes.c_int32))


def _landlock(libc: ctypes.CDLL, reads: Iterable[Path]) -> bool:
    """Denies access to all files except reading below some folders."""
    version = _landlock_version(libc)
    if version < 1:
        return False
    handled = max(most for since, most in FILE_RIGHTS.items() if since <= version) - 1
    rules = _Ruleset(
        handled, TCP if version >= TCP_SINCE else 0, SCOPES if version >= SCOPES_SINCE else 0
    )
    # An older kernel has a shorter structure; the bytes beyond it must be zero, and are.
    size = ctypes.c_size_t(ctypes.sizeof(rules))
    ruleset = _call(libc, SYS_CREATE_RULESET, ctypes.byref(rules), size, 0)
    if ruleset < 0:
        return False
    try:
        for path in reads:
            _let_read(libc, ruleset, path)
        return _call(libc, SYS_RESTRICT_SELF, ruleset, 0) == 0
    finally:
        os.close(ruleset)


def _landlock_version(libc: ctypes.CDLL) -> int:
    """Returns the Landlock ABI version of the kernel; less than 1 without Landlock."""
    return _call(libc, SYS_CREATE_RULESET, None, ctypes.c_size_t(0), VERSION_FLAG)


def has_landlock() -> bool:
    """Whether this system can restrict the files of a process."""
    return sys.platform == "linux" and _landlock_version(ctypes.CDLL(None)) > 0


def _let_read(libc: ctypes.CDLL, ruleset: int, path: Path) -> None:
    try:
        opened = os.open(path, os.O_RDONLY)
    except OSError:
        return
    try:
        rights = READ_FILE | (READ_DIR if path.is_dir() else 0)
        rule = _PathBeneath(rights, opened)
        _call(libc, SYS_ADD_RULE, ruleset, PATH_BENEATH, ctypes.byref(rule), 0)
    finally:
        os.close(opened)


def _call(libc: ctypes.CDLL, number: int, *args: object) -> int:
    libc.syscall.restype = ctypes.c_long
    return int(libc.syscall(ctypes.c_long(number), *args))


# -------------------------------------------------------------------- seccomp

PR_SET_SECCOMP, MODE_FILTER = 22, 2
ALLOW, DENY, KILL = 0x7FFF0000, 0x00050000, 0x80000000
LOAD, EQUAL, AT_LEAST, HAS_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER_AT, ARCH_AT, FIRST_AT = 0, 4, 16
"""Offsets in `struct seccomp_data`: syscall number, architecture, first argument."""
CLONE_THREAD = 0x00010000
X32 = 0x40000000

_DENIED = {
    # name: (x86_64, aarch64); 0 where an architecture does not have it
    "socket": (41, 198),
    "execve": (59, 221),
    "execveat": (322, 281),
    "fork": (57, 0),
    "vfork": (58, 0),
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_send_signal": (424, 424),
    "pidfd_getfd": (438, 438),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "io_uring_setup": (425, 425),  # it would perform denied calls
    "open_by_handle_at": (304, 265),
    "mount": (165, 40),
    "unshare": (272, 97),
    "setns": (308, 268),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "keyctl": (250, 219),
}
_CLONE, _CLONE3, _PRLIMIT = (56, 220), (435, 435), (302, 261)
_ARCHES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}


class _Instruction(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_uint16),
        ("if_true", ctypes.c_uint8),
        ("if_false", ctypes.c_uint8),
        ("value", ctypes.c_uint32),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.POINTER(_Instruction)))


def _filter(machine: str) -> list[tuple[int, int, int, int]]:
    """Builds the BPF program for an architecture: tuples of opcode, jump if true, jump if false,
    value.

    A call passes the tests in turn and is allowed unless one of them denies it.
    """
    column, arch = _ARCHES[machine]
    refused, allowed = (RETURN, 0, 0, DENY | errno.EPERM), (RETURN, 0, 0, ALLOW)
    found = [
        (LOAD, 0, 0, ARCH_AT),
        (EQUAL, 1, 0, arch),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER_AT),
    ]
    if machine == "x86_64":
        found += [(AT_LEAST, 0, 1, X32), refused]
    for numbers in _DENIED.values():
        if numbers[column]:
            found += [(EQUAL, 0, 1, numbers[column]), refused]
    # Threads are allowed, processes are not. The flags of clone3 are behind a pointer that a filter
    # cannot read: since it reports ENOSYS, the C library falls back to clone.
    found += [(EQUAL, 0, 1, _CLONE3[column]), (RETURN, 0, 0, DENY | errno.ENOSYS)]
    found += [
        (EQUAL, 0, 4, _CLONE[column]),
        (LOAD, 0, 0, FIRST_AT),
        (HAS_BIT, 1, 0, CLONE_THREAD),
        refused,
        allowed,
    ]
    # A process may access its own limits (pid 0), but not those of others.
    found += [
        (EQUAL, 0, 4, _PRLIMIT[column]),
        (LOAD, 0, 0, FIRST_AT),
        (EQUAL, 1, 0, 0),
        refused,
        allowed,
    ]
    return [*found, allowed]


def _seccomp(libc: ctypes.CDLL) -> bool:
    machine = platform.machine()
    if machine not in _ARCHES or sys.maxsize < 1 << 32 or sys.byteorder != "little":
        return False
    instructions = [_Instruction(*each) for each in _filter(machine)]
    written = (_Instruction * len(instructions))(*instructions)
    program = _Program(len(instructions), written)
    args = (ctypes.c_ulong(MODE_FILTER), ctypes.byref(program), *map(ctypes.c_ulong, (0, 0)))
    return int(libc.prctl(PR_SET_SECCOMP, *args)) == 0
