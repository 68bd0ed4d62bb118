"""The wasmtime engine of this process.

Importing this module raises `NoWasmtime` if wasmtime cannot be loaded.
"""

from __future__ import annotations

from functools import cache

from lawspeaker.position.fault import NoWasmtime

try:
    import wasmtime
except (ImportError, OSError, RuntimeError) as error:  # missing, or not built for this system
    raise NoWasmtime(str(error)) from None

__all__ = ["engine", "wasmtime"]


@cache
def engine() -> wasmtime.Engine:
    """Returns the process-wide engine."""
    return wasmtime.Engine(wasmtime.Config())
