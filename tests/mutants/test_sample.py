"""A sample of mutants: blocks and their marks, the order of the tests, groups, results."""

from __future__ import annotations

import builtins
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.mutants.blocks import LOADER, Blocks, marked, ranges
from tests.mutants.coverage import FULL, QUICK, Map, Test
from tests.mutants.draw import Mutant, groups, mutated_texts
from tests.mutants.operators import mutated, mutations
from tests.mutants.order import batches, ordered, plain_id
from tests.mutants.results import COVERING_FULL, COVERING_TEST, TYPES, Results, report, wilson
from tests.mutants.trial import Outcome

TEXT = '''\
"""A module."""

from __future__ import annotations


def sign(x: int) -> int:
    """The sign."""
    if x < 0:
        return -1
    y = 1
    return y
'''
FILE = Path("interpreter/lawspeaker/module.py")


def mutants(text: str = TEXT) -> list[Mutant]:
    found = ((each, mutated(text, each)) for each in mutations(text))
    return [Mutant(FILE, each, text, after) for each, after in found if after is not None]


def test_a_block_ends_where_a_function_may_return() -> None:
    found = [TEXT[start:end].splitlines()[0] for start, end in ranges(TEXT)]
    assert found == ["def sign(x: int) -> int:", "if x < 0:", "y = 1", "return -1"]


@pytest.mark.parametrize("x, expected", [(-1, {5, 6, 8}), (1, {5, 6, 7})])
def test_blocks_that_run_are_marked(
    x: int, expected: set[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    marks = bytearray(9)
    monkeypatch.setattr(builtins, "__marks__", marks, raising=False)
    monkeypatch.setitem(sys.modules, LOADER, ModuleType(LOADER))
    module: dict[str, object] = {}
    exec(marked(TEXT, 5, "module.py"), module)
    assert eval("sign(x)", module, {"x": x}) == x
    assert {number for number, mark in enumerate(marks) if mark} == expected


def test_a_mutant_is_in_the_innermost_block(tmp_path: Path) -> None:
    (tmp_path / FILE).parent.mkdir(parents=True)
    (tmp_path / FILE).write_text(TEXT, encoding="utf-8")
    blocks = Blocks(tmp_path)
    found = {each.mutation.kind: blocks.at(FILE, each.mutation.start) for each in mutants()}
    assert found == {
        "always": 1,
        "never": 1,
        "one off": 2,
        "statement skipped": 2,
        "returns 0": 2,
        "turned round": 3,
    }


def case(name: str, seconds: float, blocks: int = 1, *tiers: str) -> Test:
    return Test(name, frozenset(tiers or (QUICK, FULL)), seconds, blocks)


def test_files_take_turns() -> None:
    collecting = {"a": 1.0, "b": 2.0, "c": 9.0}
    tests = [case("a::1", 0.5), case("a::2", 0.6), case("b::1", 0.01), case("c::1", 0.02)]
    assert [each.id for each in ordered(tests, collecting, ())] == ["a::1", "b::1", "a::2", "c::1"]
    assert ordered(tests, collecting, ["c::1"])[0].id == "c::1"


def test_batches_grow() -> None:
    tests = [case(f"a::{number}", 1) for number in range(20)]
    assert [len(each) for each in batches(tests, {"a": 0})] == [2, 4, 12, 2]


def test_tests_of_a_tier_that_cover_a_block() -> None:
    tests = [case("a::1", 1, 0b10), case("a::2", 1, 0b01), case("a::3", 1, 0b11, FULL)]
    known = Map({each.id: each for each in tests}, {"a": 0}, ())
    assert [each.id for each in known.covering(1, QUICK)] == ["a::1"]
    assert [each.id for each in known.covering(1, FULL)] == ["a::1", "a::3"]


def test_a_group_of_xdist_is_no_part_of_an_id() -> None:
    assert plain_id("a::1[x@y]@group", {"a::1[x@y]"}) == plain_id("a::1[x@y]", {"a::1[x@y]"})


def test_mutants_that_overlap_are_in_different_groups() -> None:
    first, second = groups(mutants())[:2]
    assert {"always", "never"} & {each.mutation.kind for each in first}
    assert {"always", "never"} & {each.mutation.kind for each in second}
    for group in (first, second):
        text = mutated_texts(group)[FILE]
        assert all(each.mutation.after in text for each in group)


def test_an_interval_as_in_the_tables() -> None:
    found = wilson(90, 100)
    assert (round(found.low, 3), round(found.high, 3)) == (0.826, 0.945)


def test_results_go_on_where_they_stopped(tmp_path: Path) -> None:
    one, two, three, *_ = mutants()
    file = tmp_path / "results"
    results = Results(file, {"seed": 1})
    results.add(one, COVERING_TEST, Outcome("tests/a.py::test"))
    for stage in (COVERING_TEST, TYPES):
        results.add(two, stage, Outcome())
        results.add(three, stage, Outcome(left=3))
    results.add(two, COVERING_FULL, Outcome("tests/b.py::test"))
    again = Results(file, {"seed": 1})
    assert again.detected(two) == (COVERING_FULL, "tests/b.py::test")
    assert again.survivors([one, two, three]) == [three]
    found = "\n".join(report([one, two, three], again))
    assert "make test detects 1," in found
    assert "make full detects 2\n" in found
    assert f"{two}\n{two.diff}\n    detected by tests/b.py::test" in found
    assert f"{three} (6 covering tests not run)" in found
    with pytest.raises(SystemExit, match="another sample"):
        Results(file, {"seed": 2})
