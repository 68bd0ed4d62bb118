"""The results of a sample, as lines of JSON in a file, and the report on them.

A line is added whenever a stage is done with a mutant, so a run can be stopped at any time. The
next run goes on after the last line. The first line says to which sample the results belong.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import sqrt
from pathlib import Path
from threading import Lock

from tests.mutants.blocks import PACKAGE
from tests.mutants.draw import Mutant
from tests.mutants.trial import Outcome

COVERING_TEST, TYPES, COVERING_FULL = "covering test", "types", "covering full"
"""The first stages: covering tests of the quick tier, types, covering tests of the full tier."""
WHOLE_TEST, WHOLE_FULL = "whole test", "whole full"
"""The last stage: tests that have failed when the whole full tier ran on all survivors together,
run on each survivor alone, as tests of the quick and of the full tier."""
BY_TEST = (COVERING_TEST, TYPES, WHOLE_TEST)


class Results:
    def __init__(self, file: Path | None, head: Mapping[str, object]) -> None:
        """Without a file the results are only kept in memory."""
        self.file = file
        self.lock = Lock()
        self.stages: dict[str, dict[str, Outcome]] = {}
        """By mutants the stages that are done."""
        lines = file.read_text(encoding="utf-8").splitlines() if file and file.exists() else []
        if not lines:
            self._write(head)
        elif json.loads(lines[0]) != head:
            raise SystemExit(f"{file} has the results of another sample: remove it")
        for line in map(json.loads, lines[1:]):
            outcome = Outcome(line["by"], line["left"])
            self.stages.setdefault(line["mutant"], {})[line["stage"]] = outcome

    def _write(self, line: Mapping[str, object]) -> None:
        if self.file is not None:
            with self.file.open("a", encoding="utf-8") as file:
                file.write(f"{json.dumps(line)}\n")

    def of(self, mutant: Mutant) -> Mapping[str, Outcome]:
        return self.stages.get(mutant.key, {})

    def add(self, mutant: Mutant, stage: str, outcome: Outcome, seconds: float = 0) -> None:
        with self.lock:
            self.stages.setdefault(mutant.key, {})[stage] = outcome
            line = {"mutant": mutant.key, "stage": stage, "by": outcome.by, "left": outcome.left}
            self._write({**line, "seconds": round(seconds, 1)})

    def detected(self, mutant: Mutant) -> tuple[str, str] | None:
        """The stage that has detected a mutant, and by which test."""
        found = ((stage, outcome.by) for stage, outcome in self.of(mutant).items() if outcome.by)
        return next(found, None)

    def survivors(self, mutants: Iterable[Mutant]) -> list[Mutant]:
        return [mutant for mutant in mutants if self.of(mutant) and not self.detected(mutant)]


@dataclass(frozen=True, slots=True)
class Interval:
    low: float
    high: float


def wilson(hits: int, count: int) -> Interval:
    """The interval that has the true share with a confidence of 95 %, after Wilson."""
    z = 1.96
    share, weight = hits / count, z * z / count
    middle = (share + weight / 2) / (1 + weight)
    reach = z * sqrt(share * (1 - share) / count + weight / 4 / count) / (1 + weight)
    return Interval(middle - reach, middle + reach)


def report(mutants: Sequence[Mutant], results: Results) -> Iterator[str]:
    found = {mutant: results.detected(mutant) for mutant in mutants if results.of(mutant)}
    stages = [each[0] for each in found.values() if each is not None]
    quick = sum(stage in BY_TEST for stage in stages)
    yield f"{len(found)} of {len(mutants)} mutants tried"
    yield f"make test detects {quick}, {stages.count(TYPES)} of them by types alone"
    yield f"make full detects {len(stages)}"
    if stages:
        interval = wilson(quick, len(stages))
        yield (
            f"make test detects {quick / len(stages):.1%} of what make full detects "
            f"(95 % interval {interval.low:.1%} to {interval.high:.1%})"
        )
    survivors = results.survivors(mutants)
    unsettled = [each for each in survivors if WHOLE_FULL not in results.of(each)]
    cut = [each for each in unsettled if any(done.left for done in results.of(each).values())]
    if unsettled:
        yield (
            f"{len(unsettled)} of {len(survivors)} survivors have not run the whole full tier; "
            f"{len(cut)} of these have not run all covering tests, for lack of time"
        )
    only = [(each, by[1]) for each, by in found.items() if by and by[0] not in BY_TEST]
    yield f"\nOnly make full detects {len(only)}:"
    for (package, kind), group in groupby(sorted(only, key=_group), _group):
        yield f"  {package}, {kind}"
        for mutant, by in group:
            yield f"{mutant}\n{mutant.diff}\n    detected by {by}"
    yield f"\n{len(survivors)} survive:"
    for mutant in sorted(survivors, key=str):
        left = sum(outcome.left for outcome in results.of(mutant).values())
        note = f" ({left} covering tests not run)" if mutant in cut else ""
        yield f"{mutant}{note}\n{mutant.diff}"


def _group(found: tuple[Mutant, str]) -> tuple[str, str]:
    """Package and kind of mutation, without numbers."""
    mutant, _ = found
    package = mutant.file.parent.relative_to(PACKAGE).as_posix()
    return package, re.sub(" [0-9]+", "", mutant.mutation.kind)
