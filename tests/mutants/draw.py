"""Mutants of the interpreter, and which of them are drawn.

The order depends on the seed and the fingerprints alone. So a change of one function leaves the
mutants of the others as they were.
"""

from __future__ import annotations

import difflib
import hashlib
import re
import subprocess
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import yaml

from tests.mutants.blocks import PACKAGE
from tests.mutants.operators import Mutation, mutated, mutations

ROOT = Path(__file__).parents[2]
EXPLAINED = Path(__file__).with_name("explained.yaml")


@dataclass(frozen=True, slots=True)
class Mutant:
    file: Path
    mutation: Mutation
    before: str
    after: str

    def __str__(self) -> str:
        mutation = self.mutation
        place = f"{self.file}:{mutation.line} {mutation.function or 'module'}"
        return f"{mutation.fingerprint} {place}: {mutation.kind}"

    @property
    def key(self) -> str:
        return f"{self.mutation.fingerprint} {self.file.as_posix()}"

    @property
    def function(self) -> str:
        return f"{self.file.as_posix()} {self.mutation.function}"

    @property
    def diff(self) -> str:
        before, after = self.before.splitlines(), self.after.splitlines()
        lines = list(difflib.unified_diff(before, after, lineterm="", n=1))
        return "\n".join(f"    {line}" for line in lines[3:])


def draw_mutants(
    files: Iterable[Path],
    seed: int | None,
    count: int | None,
    match: str = "",
    without: Collection[str] = (),
) -> list[Mutant]:
    """So many mutants of these files, or all; without a seed, in the order of the files.

    Only functions or files that match are mutated. Mutations with the fingerprints `without` are
    left out.
    """
    found = [
        (file, text, each)
        for file in files
        for text in [(ROOT / file).read_text(encoding="utf-8")]
        for each in mutations(text)
        if re.search(match, f"{file} {each.function}") and each.fingerprint not in without
    ]
    if seed is not None:
        found.sort(key=lambda each: _lot(seed, each[2]))
    valid = (
        Mutant(file, each, text, after)
        for file, text, each in found
        if (after := mutated(text, each)) is not None
    )
    return list(islice(valid, count))


def _lot(seed: int, mutation: Mutation) -> str:
    return hashlib.sha256(f"{seed} {mutation.fingerprint}".encode()).hexdigest()


def explained() -> dict[str, str]:
    """Reasons why no test can detect a mutant, by fingerprints."""
    entries = yaml.safe_load(EXPLAINED.read_text(encoding="utf-8"))
    return {str(entry["fingerprint"]): str(entry["reason"]) for entry in entries or ()}


def fingerprints(files: Iterable[Path]) -> set[str]:
    texts = [(ROOT / file).read_text(encoding="utf-8") for file in files]
    return {each.fingerprint for text in texts for each in mutations(text)}


def fingerprints_at(revision: str) -> set[str]:
    """The fingerprints of all mutants of the package as it was at a revision."""
    names = _git("ls-tree", "-r", "--name-only", revision, str(PACKAGE)).splitlines()
    texts = (_git("show", f"{revision}:{name}") for name in names if name.endswith(".py"))
    return {each.fingerprint for text in texts for each in mutations(text)}


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True)
    return done.stdout.decode()


def groups(mutants: Iterable[Mutant]) -> list[list[Mutant]]:
    """Mutants in groups that can be made together: no two overlap. One group is usual."""
    found: list[list[Mutant]] = []
    for one in mutants:
        fitting = (group for group in found if not any(_overlap(one, each) for each in group))
        group = next(fitting, None)
        if group is None:
            found.append([one])
        else:
            group.append(one)
    return found


def _overlap(one: Mutant, other: Mutant) -> bool:
    a, b = one.mutation, other.mutation
    return one.file == other.file and a.start <= b.end and b.start <= a.end


def mutated_texts(group: Iterable[Mutant]) -> dict[Path, str]:
    """The texts of the files in which all mutants of a group are made."""
    texts: dict[Path, str] = {}
    for each in sorted(group, key=lambda each: -each.mutation.start):
        text, mutation = texts.get(each.file, each.before), each.mutation
        texts[each.file] = text[: mutation.start] + mutation.after + text[mutation.end :]
    return texts
