"""Known vulnerabilities of the packages in the lock files.

    python -m tests.dependencies.audit

asks the advisory database of PyPI through pip-audit. Exit code 0: none is known. 1: some are, and
they are listed. 2: not all packages could be checked, as without a network; that is no all-clear.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.dependencies.locking import LOCKS

NOT_REACHED = (
    "Nothing was checked: the advisory database cannot be reached. `make audit` needs the network."
)


@dataclass(frozen=True, slots=True)
class Audit:
    """What pip-audit says of a lock file: found vulnerabilities as lines, packages by name."""

    found: tuple[str, ...]
    checked: tuple[str, ...]
    skipped: tuple[str, ...]


def parse_report(told: str) -> Audit | None:
    """The report of pip-audit, in JSON; None where it has ended without one."""
    try:
        packages: list[dict[str, Any]] = json.loads(told)["dependencies"]
    except (ValueError, KeyError, TypeError):
        return None
    found = []
    for package in packages:
        for each in package.get("vulns", ()):
            cure = ", ".join(each.get("fix_versions") or ()) or "no version yet"
            found.append(f"{package['name']} {package['version']}: {each['id']}, cured by {cure}")
    skipped = [each["name"] for each in packages if "skip_reason" in each]
    checked = [each["name"] for each in packages if "skip_reason" not in each]
    return Audit(tuple(found), tuple(checked), tuple(skipped))


def verdict(audit: Audit | None) -> tuple[int, list[str]]:
    """The exit code, and what is said."""
    if audit is None or not audit.checked:
        return 2, [NOT_REACHED]
    lines = list(audit.found) or [f"{len(audit.checked)} packages: no known vulnerability."]
    if audit.skipped:
        lines.append(f"Not checked, since the database has no answer: {', '.join(audit.skipped)}")
    return 1 if audit.found else 2 if audit.skipped else 0, lines


def audited(lock: Path) -> Audit | None:
    command = [sys.executable, "-m", "pip_audit", "-r", str(lock), "--format=json"]
    options = ["--require-hashes", "--disable-pip", "--progress-spinner=off"]
    done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
    return parse_report(done.stdout)


def main(names: Sequence[str]) -> int:
    worst = 0
    for name in names:
        code, lines = verdict(audited(LOCKS / f"{name}.txt"))
        print("\n".join(f"locks/{name}.txt: {line}" for line in lines))
        worst = worst or code
    return worst


if __name__ == "__main__":
    # All that a server needs is among what the tests need.
    sys.exit(main(sys.argv[1:] or ["test"]))
