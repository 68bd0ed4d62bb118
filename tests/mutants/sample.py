"""A sample of mutants of the whole interpreter: does the quick tier detect what the full one does?

On each mutant run the tests of the quick tier that cover it, then types are checked, then the tests
of the full tier run that cover it, until something detects it. A cap limits the time of each tier.
The whole full tier may run on the survivors afterwards (`whole`).
"""

from __future__ import annotations

import time
from collections.abc import Callable

from tests.mutants.blocks import Blocks
from tests.mutants.copies import Copy
from tests.mutants.coverage import FULL, QUICK, Map
from tests.mutants.draw import Mutant
from tests.mutants.results import COVERING_FULL, COVERING_TEST, TYPES, Results
from tests.mutants.trial import Outcome, Trials, types


class Sample:
    def __init__(self, blocks: Blocks, known: Map, results: Results, cap: float) -> None:
        self.trials = Trials(blocks, known)
        self.results = results
        self.cap = cap

    def tried(self, copy: Copy, mutant: Mutant) -> Mutant:
        """Does the stages that are not done yet."""
        stages: dict[str, Callable[[], Outcome]] = {
            COVERING_TEST: lambda: self.trials.covering(copy, mutant, QUICK, self.cap),
            TYPES: lambda: types(copy, mutant.file),
            COVERING_FULL: lambda: self.trials.covering(copy, mutant, FULL, self.cap),
        }
        with copy.mutated({mutant.file: mutant.after}):
            for stage, run in stages.items():
                if self.results.detected(mutant):
                    break
                if stage not in self.results.of(mutant):
                    began = time.monotonic()
                    self.results.add(mutant, stage, run(), time.monotonic() - began)
        return mutant
