"""In which loops threads wait for each other."""

from __future__ import annotations

from lawspeaker.machines.middle.building import Body
from lawspeaker.machines.middle.forms import I32, Function, Label, Variable
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.native import sync_points
from lawspeaker.machines.native.sync_points import long_loops
from lawspeaker.machines.native.writer import written
from tests.middle.running import build_into


def nested_loop(
    module: Module, labels: dict[str, Label], called: Function | None = None
) -> Function:
    """A loop in which another one is, in which a function may be called."""

    def build(f: Body, a: Variable) -> None:
        with f.while_(a < 9) as labels["outer"]:
            f.add(a, 1)
            with f.while_(a < 5) as labels["inner"]:
                f.add(a, 1)
                if called is not None:
                    f.do(called, a)

    function = module.function("made", (I32,))
    build_into(function, build)
    return function


def long_function(module: Module) -> Function:
    def build(f: Body, a: Variable) -> None:
        for _ in range(sync_points._LONG):
            f.add(a, 1)

    function = module.function("long", (I32,))
    build_into(function, build)
    return function


def test_short_rounds_are_no_reason_to_wait() -> None:
    module, labels = Module(), dict[str, Label]()
    nested_loop(module, labels)
    assert not long_loops(module, set())


def test_what_is_called_makes_a_round_long() -> None:
    module, labels = Module(), dict[str, Label]()
    nested_loop(module, labels, long_function(module))
    assert long_loops(module, set()) == set(labels.values())


def test_functions_that_call_themselves_are_left_out() -> None:
    module, labels = Module(), dict[str, Label]()
    called = long_function(module)
    function = nested_loop(module, labels, called)
    assert not long_loops(module, {called})
    assert not long_loops(module, {function})


def test_each_round_of_such_a_loop_begins_with_a_meeting() -> None:
    module, labels = Module(), dict[str, Label]()
    nested_loop(module, labels)
    text = written(module, meeting={labels["outer"]})
    assert text.count("soft_barrier(HERE);") == 1
    assert text.index("soft_barrier(HERE);") < text.rindex("while")
