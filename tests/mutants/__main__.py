"""Breaks the interpreter in many places, one at a time, and lists what no test notices.

    python -m tests.mutants [--only PART] [--match WORDS] [--since REV] [--seed S] [--list] [-j N]

Which places are taken depends on their prints and the seed alone, so that a change of one function
leaves the others' breaks as they were; with `--since`, only those are taken that were not there at
that revision. What cannot be noticed, because it makes no difference to
anybody, stands in explained.yaml with a reason. The exit status is 1 if anything else is unnoticed,
or if something is explained that is not there any more.
"""

from __future__ import annotations

import argparse
import difflib
import hashlib
import re
import subprocess
import sys
import time
from collections.abc import Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from queue import SimpleQueue

import yaml

from tests.mutants.operators import Break, breaks, broken
from tests.mutants.parts import PACKAGE, PARTS, Part
from tests.mutants.trial import Trial

ROOT = Path(__file__).parents[2]
EXPLAINED = Path(__file__).with_name("explained.yaml")


@dataclass(frozen=True, slots=True)
class Mutant:
    part: Part
    file: Path
    change: Break
    before: str
    after: str

    def __str__(self) -> str:
        change = self.change
        return f"{change.print} {self.file}:{change.line} {change.function}: {change.what}"

    @property
    def diff(self) -> str:
        before, after = self.before.splitlines(), self.after.splitlines()
        lines = list(difflib.unified_diff(before, after, lineterm="", n=1))
        return "\n".join(f"    {line}" for line in lines[3:])


def mutants(part: Part, seed: int, match: str, known: Collection[str] = ()) -> Iterator[Mutant]:
    """As many mutants of a part as it asks for, of those that match and are not known yet."""

    def lot(found: tuple[Path, str, Break]) -> str:
        return hashlib.sha256(f"{seed} {found[2].print}".encode()).hexdigest()

    texts = [(file, (ROOT / file).read_text(encoding="utf-8")) for file in part.modules(ROOT)]
    found = [
        (file, text, change)
        for file, text in texts
        for change in breaks(text)
        if re.search(match, f"{file} {change.function}") and change.print not in known
    ]
    if part.places is not None:
        found.sort(key=lot)
    working = (
        Mutant(part, file, change, text, after)
        for file, text, change in found
        if (after := broken(text, change)) is not None
    )
    return islice(working, part.places)


def prints_at(revision: str, part: Part) -> set[str]:
    """The prints of a part's breaks as the files were at a revision."""
    names = _git("ls-tree", "-r", "--name-only", revision, str(PACKAGE)).splitlines()
    files = [name for name in names if part.has(Path(name))]
    return {each.print for name in files for each in breaks(_git("show", f"{revision}:{name}"))}


def _git(*arguments: str) -> str:
    said = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True)
    return said.stdout.decode()


def explained() -> dict[str, str]:
    """Reasons why nobody can notice, by prints."""
    entries = yaml.safe_load(EXPLAINED.read_text(encoding="utf-8"))
    return {str(entry["print"]): str(entry["reason"]) for entry in entries or ()}


def main() -> int:
    parser = argparse.ArgumentParser("tests.mutants", description=__doc__.partition("\n")[0])
    names = [part.name for part in PARTS]
    parser.add_argument("--only", choices=names, action="append", help="only this part")
    parser.add_argument("--match", default="", help="only functions or files that match this")
    parser.add_argument("--since", help="only breaks that are new since this revision")
    parser.add_argument("--seed", type=int, default=0, help="take other places")
    parser.add_argument("--list", action="store_true", help="only say what would be broken")
    parser.add_argument("-j", type=int, default=1, help="so many at a time")
    chosen = parser.parse_args()
    parts = [part for part in PARTS if not chosen.only or part.name in chosen.only]
    if chosen.list:
        for part in parts:
            for mutant in chosen_ones(part, chosen):
                print(mutant, mutant.diff, sep="\n")
        return 0
    return tried({part: list(chosen_ones(part, chosen)) for part in parts}, chosen.j)


def chosen_ones(part: Part, chosen: argparse.Namespace) -> Iterator[Mutant]:
    known = prints_at(chosen.since, part) if chosen.since else ()
    return mutants(part, chosen.seed, chosen.match, known)


def tried(parts: dict[Part, list[Mutant]], jobs: int) -> int:
    reasons = explained()
    outdated = sorted(reasons.keys() - all_prints())
    for each in outdated:
        print(f"{each} is explained, but there is no such break any more")
    unnoticed: list[Mutant] = []
    with ExitStack() as stack:
        first = stack.enter_context(Trial(ROOT))
        for part in parts:
            if not first.is_sound(part):
                print(f"With nothing broken, tests of {part.name} fail:\n{first.said()}")
                return 1
        free: SimpleQueue[Trial] = SimpleQueue()
        for trial in (first, *(first.twin() for _ in range(jobs - 1))):
            free.put(stack.enter_context(trial))

        def notices(mutant: Mutant) -> bool:
            trial = free.get()
            try:
                return trial.notices(mutant.part, mutant.file, mutant.change.function, mutant.after)
            finally:
                free.put(trial)

        pool = stack.enter_context(ThreadPoolExecutor(jobs))
        for part, found in parts.items():
            began = time.monotonic()
            open_ones = [each for each in found if each.change.print not in reasons]
            missed = 0
            for mutant, noticed in zip(open_ones, pool.map(notices, open_ones), strict=True):
                if not noticed:
                    missed += 1
                    unnoticed.append(mutant)
                    print(mutant, mutant.diff, sep="\n", flush=True)
            known = len(found) - len(open_ones)
            noticed_ones = len(open_ones) - missed
            print(
                f"{part.name}: {len(found)} broken, {noticed_ones} noticed, {known} explained, "
                f"{missed} unnoticed, {(time.monotonic() - began) / 60:.0f} minutes",
                flush=True,
            )
    return 1 if unnoticed or outdated else 0


def all_prints() -> set[str]:
    files = {file for part in PARTS for file in part.modules(ROOT)}
    texts = [(ROOT / file).read_text(encoding="utf-8") for file in files]
    return {change.print for text in texts for change in breaks(text)}


if __name__ == "__main__":
    sys.exit(main())
