"""Compiles a typed program to a WebAssembly module, which wasmtime runs.

It matches the reference machine decision by decision and event by event, and plays whole games
inside one call. Neither machine imports the other.
"""

from lawspeaker.position.fault import NoWasmtime

try:
    import wasmtime  # noqa: F401
except (ImportError, OSError, RuntimeError) as error:  # missing, or not built for this system
    raise NoWasmtime(str(error)) from None

from lawspeaker.machines.compiled.compile.compiler import Compiled, compile_module, formed
from lawspeaker.machines.compiled.host.instance import Instance, Played, Sums
from lawspeaker.machines.compiled.host.module_cache import ModuleCache, instance_for

__all__ = [
    "Compiled",
    "Instance",
    "ModuleCache",
    "Played",
    "Sums",
    "compile_module",
    "formed",
    "instance_for",
]
