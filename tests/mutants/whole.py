"""The whole full tier, run on all survivors together.

Running it on each survivor would take days. So all of them are put into one copy. If no test fails
there, the full tier detects none of them. If some fail, the quickest of them runs on each survivor
alone; those on which it fails are detected and taken out, and the tests that failed run again on
the others. When none of them fails any more the whole tier runs again, since one mutant may hide
another, until it passes.

A test that fails with all of them but with none alone is listed: mutants have worked together, or
the test fails by chance.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable
from pathlib import Path

import pytest

from tests.mutants.blocks import Blocks
from tests.mutants.copies import PLAIN, TESTED, Copies, Copy
from tests.mutants.coverage import FULL, QUICK, Map, Test
from tests.mutants.draw import Mutant, groups, mutated_texts
from tests.mutants.order import Limited, limit, plain_id
from tests.mutants.results import WHOLE_FULL, WHOLE_TEST, Results
from tests.mutants.trial import Outcome, run_tests

MOST_ODD = 20
LIMITS, STARTED, FAILED = "limits.json", "started.txt", "failed.txt"


def pytest_configure(config: pytest.Config) -> None:
    """This module is a plugin of the processes that share the tests of a whole run."""
    folder = Path.cwd().parent
    limits = json.loads((folder / LIMITS).read_bytes())
    if "PYTEST_XDIST_WORKER" in os.environ:
        config.pluginmanager.register(Limited(limits, folder / STARTED, between=0))
    else:
        config.pluginmanager.register(Failures(limits, folder / FAILED))


class Failures:
    """A plugin for pytest that writes down which tests fail."""

    def __init__(self, tests: Collection[str], file: Path) -> None:
        self.tests = tests
        self.file = file

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.write([plain_id(report.nodeid, self.tests)])

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.write(each for each in self.tests if each.startswith(f"{report.nodeid}::"))

    def write(self, tests: Iterable[str]) -> None:
        with self.file.open("a", encoding="utf-8") as file:
            file.writelines(f"{test}\n" for test in tests)


def run_side_by_side(copy: Path, jobs: int, files: Iterable[str]) -> int:
    """Runs in a process of its own."""
    shared = ["-n", str(jobs), "--dist", "loadgroup", "--max-worker-restart", "1000"]
    return pytest.main([*PLAIN, *shared, "--continue-on-collection-errors", "-p", __name__, *files])


def failures(copy: Copy, jobs: int, known: Map, tests: Iterable[str]) -> list[str]:
    """The tests of the full tier that fail on a copy, the quickest first."""
    folder = copy.path.parent
    limits = {test: limit(known.tests[test].seconds) for test in tests}
    (folder / LIMITS).write_text(json.dumps(limits), encoding="utf-8")
    (folder / FAILED).write_text("", encoding="utf-8")
    files = sorted({known.tests[test].file for test in tests})
    status = copy.run(FULL, run_side_by_side, jobs, files)
    if status not in (TESTED, TESTED + 1):
        raise RuntimeError(f"The tests ended with {status}:\n{copy.output}")
    failed = {*(folder / FAILED).read_text(encoding="utf-8").splitlines()}
    return sorted(failed, key=lambda test: known.tests[test].seconds)


def alone(copy: Copy, mutant: Mutant, test: Test) -> tuple[str, Outcome]:
    """Whether a test fails on a mutant alone, and in which tier."""
    outcome = Outcome()
    with copy.mutated({mutant.file: mutant.after}):
        for stage, tier in (WHOLE_TEST, QUICK), (WHOLE_FULL, FULL):
            if tier in test.tiers and not outcome.by:
                outcome = run_tests(copy, tier, [{test.id: limit(test.seconds)}], None)
                found = stage
    return found, outcome


class Whole:
    def __init__(self, copies: Copies, jobs: int, blocks: Blocks, known: Map) -> None:
        self.copies = copies
        self.jobs = jobs
        self.blocks = blocks
        self.known = known
        self.odd: list[str] = []
        """Tests that fail on several mutants together, but on none of them alone."""

    def run(self, mutants: Iterable[Mutant], results: Results) -> None:
        for group in groups(mutants):
            for survivor in self.survivors(group, results):
                results.add(survivor, WHOLE_FULL, Outcome())

    def survivors(self, group: list[Mutant], results: Results) -> list[Mutant]:
        """Those that no test of the full tier detects; the others are put into the results."""
        everything = [test for test, each in self.known.tests.items() if FULL in each.tiers]
        found = True
        while group and found:
            failed, found = self.failing(group, everything), False
            while failed and len(self.odd) < MOST_ODD:
                test = failed.pop(0)
                detected = self.detected(group, test, results)
                if detected:
                    found = True
                    group = [mutant for mutant in group if mutant not in detected]
                    failed = self.failing(group, [test, *failed]) if group else []
                else:
                    self.odd.append(test)
        return group

    def failing(self, group: Collection[Mutant], tests: Collection[str]) -> list[str]:
        first = self.copies.first
        with first.mutated(mutated_texts(group)):
            failed = failures(first, self.jobs, self.known, tests)
        print(f"{len(failed)} of {len(tests)} tests fail on {len(group)} mutants", flush=True)
        return [test for test in failed if test not in self.odd]

    def detected(self, group: list[Mutant], test: str, results: Results) -> list[Mutant]:
        """The mutants on which a test fails alone; those that it does not cover are only tried if
        it fails on no other."""
        known = self.known.tests[test]
        covered = {
            each: known.covers(self.blocks.at(each.file, each.mutation.start)) for each in group
        }
        for candidates in ([each for each in group if covered[each] is on] for on in (True, False)):
            tried = self.copies.map(lambda copy, each: alone(copy, each, known), candidates)
            found = []
            for mutant, (stage, outcome) in zip(candidates, tried, strict=True):
                if outcome.by:
                    results.add(mutant, stage, outcome)
                    found.append(mutant)
            if found:
                return found
        return []
