"""What each pass makes of a function, as text: files of `passes`, a folder for each pass.

A file has some functions as they were, and below a line `after:` what the pass makes of them.
`pytest --accept` writes what is below that line.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lawspeaker.machines.middle.folding import folded
from lawspeaker.machines.middle.forms import Statements
from lawspeaker.machines.middle.forwarding import forwarded
from lawspeaker.machines.middle.inlining import inline
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.propagation import propagated
from lawspeaker.machines.middle.pruning import prune
from tests.conftest import Golden
from tests.middle.parsing import parsed_module
from tests.middle.printing import printed_module
from tests.middle.random_functions import counts, outcomes, random_module
from tests.tiers import pick

FOLDER = Path(__file__).parent / "passes"
CASES = sorted(FOLDER.glob("*/*.txt"))
AFTER = "\nafter:\n\n"
MODULES = pick(test=30, full=60, nightly=20_000)
SHARD = pick(test=10, full=30, nightly=500)


def each_body(change: Callable[[Statements], Statements]) -> Callable[[Module], None]:
    """A pass from body to body for all functions of a module."""

    def change_all(module: Module) -> None:
        for function in module.functions:
            function.body = change(function.body)

    return change_all


def inlined(module: Module) -> None:
    inline(module, most=400, longest=4000, room=100_000)


def pruned(module: Module) -> None:
    prune(module, [*module.exports], lambda body: body)


PASSES: dict[str, Callable[[Module], None]] = {
    "fold": each_body(folded),
    "forward": each_body(forwarded),
    "inline": inlined,
    "prune": pruned,
    "propagate": each_body(lambda body: propagated(body, {})),
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.parent.name}-{case.stem}")
def test_a_pass_makes_this_of_that(case: Path, golden: Golden) -> None:
    before = case.read_text(encoding="utf-8").partition(AFTER)[0]
    module = parsed_module(before)
    title = before.splitlines()[0]
    text = f"{title}\n\n{printed_module(module)}"
    PASSES[case.parent.name](module)
    golden(f"{text}{AFTER}{printed_module(module)}", case)


@pytest.mark.parametrize("first", range(0, MODULES, SHARD))
def test_passes_change_nothing_that_shows(first: int) -> None:
    """Random functions do the same before and after each pass: what they return, what lies in
    memory, and that they stop after the same stores."""
    kept = dict.fromkeys(PASSES, 0)
    for seed in range(first, first + SHARD):
        before = outcomes(random_module(seed))
        for name, change in PASSES.items():
            module = random_module(seed)
            change(module)
            for one, other in zip(before, outcomes(module), strict=True):
                if counts(one):
                    kept[name] += 1
                    assert one == other, f"{name}, {seed}\n{printed_module(random_module(seed))}"
    assert min(kept.values()) > SHARD


def test_each_pass_has_cases() -> None:
    assert {case.parent.name for case in CASES} == PASSES.keys()
