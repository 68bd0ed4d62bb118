"""The lock files: every package with its version and the hashes of its files.

    python -m tests.dependencies.locking

writes `locks/test.txt`, for all that the tests need, and `locks/serve.txt`, for a server and
nothing else. Both hold for Linux, macOS and Windows from Python 3.11 on, by markers. They contain
no address of a package index: whoever installs from them says where packages come from. What builds
the package itself is in them, too, so that nothing without a hash is ever run.

Packages are resolved by uv.
"""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOCKS = ROOT / "locks"
EXTRAS = {"test": ("test",), "serve": ("web", "postgres", "push", "fast")}
HEADER = "# Made by `make lock`. Install with: pip install --require-hashes -r locks/{name}.txt\n"


def build_requirements() -> list[str]:
    """What is needed to build the package, also into an environment that points to a checkout."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return [*told["build-system"]["requires"], "editables"]


def command(name: str, constraints: Path | None) -> list[str]:
    """How a lock file is resolved; one that is a part of another has its versions."""
    options = "--universal --generate-hashes --python-version 3.11 --no-config --quiet"
    plain = "--no-header --no-annotate --no-emit-index-url --no-emit-find-links"
    extras = [f"--extra={each}" for each in EXTRAS[name]]
    limits = [f"--constraints={constraints}"] if constraints else []
    asked = [*options.split(), *plain.split(), *extras, *limits, "pyproject.toml", "-"]
    return [sys.executable, "-m", "uv", "pip", "compile", *asked]


def main() -> None:
    LOCKS.mkdir(exist_ok=True)
    whole: Path | None = None
    for name in EXTRAS:
        found = subprocess.run(
            command(name, whole),
            cwd=ROOT,
            input="\n".join(build_requirements()),
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        if found.returncode:
            sys.exit(f"locks/{name}.txt is as it was: uv could not resolve the packages")
        whole = LOCKS / f"{name}.txt"
        whole.write_text(HEADER.format(name=name) + found.stdout, encoding="utf-8")
        print(f"locks/{name}.txt: {found.stdout.count('==')} packages")


if __name__ == "__main__":
    main()
