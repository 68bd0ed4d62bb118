"""Mutates the interpreter in many places, one at a time, and lists the mutants no test detects.

    python -m tests.mutants [--only PART] [--match WORDS] [--since REV] [--seed S] [--list] [-j N]
    python -m tests.mutants --sample N --map FILE --results FILE [--seed S] [-j N] [--whole]

The first form mutates parts of the interpreter, each with its own tests (`parts`). Its exit status
is 1 if a mutant survives that is not explained in explained.yaml, or if one is explained that is
gone. The second form draws mutants from the whole interpreter and compares the tiers (`sample`).
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.mutants import coverage
from tests.mutants.blocks import Blocks
from tests.mutants.copies import Copies
from tests.mutants.coverage import FULL, QUICK
from tests.mutants.draw import ROOT, Mutant, draw_mutants, explained, fingerprints, fingerprints_at
from tests.mutants.parts import PARTS, PartTrials
from tests.mutants.results import WHOLE_FULL, Results, report
from tests.mutants.sample import Sample
from tests.mutants.whole import Whole


def main() -> int:
    parser = argparse.ArgumentParser("tests.mutants", description=__doc__.partition("\n")[0])
    names = [part.name for part in PARTS]
    parser.add_argument("--only", choices=names, action="append", help="only this part")
    parser.add_argument("--match", default="", help="only functions or files that match this")
    parser.add_argument("--since", help="only mutants that are new since this revision")
    parser.add_argument("--seed", type=int, default=0, help="draw other mutants")
    parser.add_argument("--list", action="store_true", help="only list the mutants")
    parser.add_argument("-j", type=int, default=1, help="how many run side by side")
    sample = parser.add_argument_group("a sample of the whole interpreter")
    sample.add_argument(
        "--sample", type=int, metavar="N", help="draw so many; 0 only makes the map"
    )
    sample.add_argument("--map", type=Path, help="the coverage map; it is made if it is not there")
    sample.add_argument(
        "--results", type=Path, help="results go here; a run goes on after the last"
    )
    sample.add_argument("--cap", type=float, default=45, help="seconds per mutant and tier (45)")
    sample.add_argument("--whole", action="store_true", help="run the full tier on all survivors")
    sample.add_argument("--tests", nargs="+", default=["tests"], help="only tests in these places")
    chosen = parser.parse_args()
    known = fingerprints_at(chosen.since) if chosen.since else set()
    if chosen.sample is None:
        return in_parts(chosen, known)
    if not chosen.list and not (chosen.map and (chosen.results or not chosen.sample)):
        parser.error("--sample needs --map and --results")
    return sampled(chosen, known)


def listed(mutants: list[Mutant]) -> int:
    for mutant in mutants:
        print(mutant, mutant.diff, sep="\n")
    return 0


def in_parts(chosen: argparse.Namespace, known: set[str]) -> int:
    parts = [part for part in PARTS if not chosen.only or part.name in chosen.only]
    found = {}
    for part in parts:
        seed = chosen.seed if part.count is not None else None
        found[part] = draw_mutants(part.modules(ROOT), seed, part.count, chosen.match, known)
    if chosen.list:
        return listed([mutant for mutants in found.values() for mutant in mutants])
    reasons = explained()
    outdated = reasons.keys() - fingerprints(file for part in PARTS for file in part.modules(ROOT))
    for each in sorted(outdated):
        print(f"{each} is explained, but there is no such mutant any more")
    blocks = Blocks(ROOT)
    tests = {part: part.test_files(ROOT) for part in parts}
    with TemporaryDirectory() as folder:
        map_file = Path(folder) / "map"
        files = sorted({file for each in tests.values() for file in each})
        coverage.complete(map_file, blocks, files, [FULL], chosen.j)
        covered = coverage.read_map(map_file)
    if covered.failed:
        print("These tests fail on the unmutated code:", *covered.failed, sep="\n")
        return 1
    survived = 0
    with Copies(chosen.j) as copies:
        for part, mutants in found.items():
            began = time.monotonic()
            tried = [each for each in mutants if each.mutation.fingerprint not in reasons]
            survivors = 0
            with PartTrials(blocks, covered, tests[part]) as trials:
                for mutant, outcome in zip(tried, copies.map(trials.tried, tried), strict=True):
                    if not outcome.by:
                        survivors += 1
                        print(mutant, mutant.diff, sep="\n", flush=True)
            survived += survivors
            print(
                f"{part.name}: {len(mutants)} mutants, {len(tried) - survivors} detected, "
                f"{len(mutants) - len(tried)} explained, {survivors} survive, "
                f"{(time.monotonic() - began) / 60:.0f} minutes",
                flush=True,
            )
    return 1 if survived or outdated else 0


def sampled(chosen: argparse.Namespace, known: set[str]) -> int:
    blocks = Blocks(ROOT)
    without = known | explained().keys()
    mutants = draw_mutants(blocks.texts, chosen.seed, chosen.sample, chosen.match, without)
    if chosen.list:
        return listed(mutants)
    tests = coverage.files_in(ROOT, chosen.tests)
    coverage.complete(chosen.map, blocks, tests, [QUICK, FULL], chosen.j)
    covered = coverage.read_map(chosen.map)
    if covered.failed:
        print("Left out, since they fail on the unmutated code:", *covered.failed, sep="\n")
    if not chosen.sample:
        return 0
    head = {"seed": chosen.seed, "cap": chosen.cap, "code": blocks.digest}
    results = Results(chosen.results, head)
    with Copies(chosen.j) as copies:
        sample = Sample(blocks, covered, results, chosen.cap)
        for number, mutant in enumerate(copies.map(sample.tried, mutants), 1):
            print(f"{number}/{len(mutants)} {mutant}", flush=True)
        if chosen.whole:
            whole = Whole(copies, chosen.j, blocks, covered)
            survivors = results.survivors(mutants)
            whole.run([each for each in survivors if WHOLE_FULL not in results.of(each)], results)
            for test in whole.odd:
                print(f"{test} fails on several mutants together, but on none alone")
    print(f"\nseed {chosen.seed}, {chosen.cap:g} seconds per mutant and tier")
    print(*report(mutants, results), sep="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
