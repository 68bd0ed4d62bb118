"""Generates rule files, plays those that are clean as twins, and prints what leaks.

python -m tests.secrets.generated 17         one file, as it was generated and as it is played
python -m tests.secrets.generated 0 1000     the files of these seeds, and counts
python -m tests.secrets.generated 0 1000 60  the same, for so many seconds of CPU time at most
python -m tests.secrets.generated no_faults  the first seed by which a hole is found
python -m tests.secrets.generated forms      seeds of files that have all nodes of the language

LAWSPEAKER_EXTENSIONS=networks,sets before it: of all files with extensions, each has two of these.
"""

from __future__ import annotations

import os
import sys
import time
from collections import Counter
from itertools import count

import pytest

from tests.repo.test_node_tables import EXPRESSIONS, STATEMENTS
from tests.secrets.generated import extended
from tests.secrets.generated.extended import generated
from tests.secrets.generated.forms import covering
from tests.secrets.generated.holes import HOLES
from tests.secrets.generated.playing import SECRETS, accepted, checked, first_leak, play_twins


def print_file(seed: int) -> None:
    file = generated(seed)
    print(file.text)
    for each in checked(file).errors:
        print(f"line {each.span.line}: {each.code}: {each.message}")
    found = accepted(file)
    if found is not None:
        print(*(text for text, _ in found.file.lines), sep="\n")
    print(first_leak(seed) or "Nothing was given away.")


def try_seed(seed: int, counts: Counter[str], spent: dict[str, float]) -> None:
    """Generates a file and plays it."""
    counts["generated"] += 1
    start = time.process_time()
    file = generated(seed)
    first = checked(file)
    codes = {each.code for each in first.errors}
    counts["well-typed"] += codes <= set(SECRETS)
    counts["clean at once"] += not codes
    found = accepted(file, first)
    spent["checking"] += time.process_time() - start
    if found is None:
        return
    counts["accepted"] += 1
    counts["lines"] += len(found.file.lines)
    start = time.process_time()
    try:
        findings = play_twins(found.program, seed)
    except Exception as error:
        counts["crashing"] += 1
        print(f"seed {seed}: {type(error).__name__}: {error}", flush=True)
        return
    spent["playing"] += time.process_time() - start
    counts["pairs"] += findings.pairs
    counts["answers"] += findings.answers
    counts["faulting"] += bool(findings.faults)
    for (how, _), times in findings.ends.items():
        counts[f"end {how}"] += times
    if findings.leaks:
        counts["leaking"] += 1
        print(first_leak(seed), flush=True)


def many(seeds: range, seconds: int) -> None:
    counts = Counter[str]()
    spent = {"checking": 0.0, "playing": 0.0}
    try:
        for seed in seeds:
            if time.process_time() > seconds:
                print(f"stopped before seed {seed}")
                break
            try_seed(seed, counts, spent)
    except KeyboardInterrupt:
        print(f"stopped at seed {seed}")
    print(dict(counts))
    print({name: round(each, 1) for name, each in spent.items()})


def hole(name: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        HOLES[name](patch)
        seed = next(seed for seed in count() if first_leak(seed) is not None)
        print(first_leak(seed))


def only(names: str) -> None:
    """From now on files have these extensions and no others."""
    found = [
        each for each in extended.EXTENSIONS if each.name.replace(" ", "_") in names.split(",")
    ]
    extended.EXTENSIONS = tuple(found or extended.EXTENSIONS)


if __name__ == "__main__":
    only(os.environ.get("LAWSPEAKER_EXTENSIONS", ""))
    first, *rest = sys.argv[1:]
    if first == "forms":
        print(*covering(EXPRESSIONS | STATEMENTS, range(1000)))
    elif first in HOLES:
        hole(first)
    elif rest:
        last, *seconds = map(int, rest)
        many(range(int(first), last), *(seconds or [sys.maxsize]))
    else:
        print_file(int(first))
