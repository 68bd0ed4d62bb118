"""Games that cost too much are bounded: what is worked out, written and kept is counted.

Some kinds are tried in a process of their own, and a nightly run tries 1,000 games. No clock is
read.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from benchmarks.hostile import table
from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.base.work import PREPARING, Work
from lawspeaker.ir.dependence import Dependence
from lawspeaker.ir.walk import everything
from lawspeaker.machines.compiled.compile import compiler
from lawspeaker.machines.compiled.compile.compiler import written
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.fold import ConstantFolder
from lawspeaker.machines.middle.walk import operations
from lawspeaker.machines.purpose import PLAYING, STEPPING, Purpose
from lawspeaker.machines.reference import Machine, machine
from lawspeaker.match.game import Game
from lawspeaker.meaning.check import size, work
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from lawspeaker.players.bots import bot
from lawspeaker.position.fault import NoCompiledMachine, RuleFault, TooLargeToCompile
from lawspeaker.position.layout import layout_for
from lawspeaker.study.lab.games import play_games
from tests.compiled.side_by_side import SideBySide
from tests.language import hostile
from tests.language.hostile_forms import FORMS
from tests.repo.checkout import ROOT
from tests.tiers import NIGHTLY, pick, sample

MUCH_TO_WORK_OUT = hostile.arguments_that_double(16).replace(
    "players score v0(1)", "\n      ".join(f"players score v0({i})" for i in range(30))
)
SECONDS = 60
"""Of a processor: many times what any form takes."""
COUNT = pick(test=0, full=6, nightly=1000)
MEGABYTES = 200


def program_of(text: str) -> ir.Program:
    diagnostics = Diagnostics()
    file = SourceFile("hostile.yaml", text)
    program = compile_game(file, lambda name, span: None, schema("game"), diagnostics)
    assert program is not None, [str(each) for each in diagnostics]
    return program


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets through what takes too much work, for what comes after the checker holds by itself."""
    monkeypatch.setattr(work, "check", lambda program, diagnostics: None)


def length(program: ir.Program, purpose: Purpose) -> int:
    """How many operations there are in a module."""
    unit = written(layout_for(program, program.most), purpose)
    return sum(operations(function.body) for function in unit.module.functions)


@pytest.mark.full
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such bounds")
def test_hostile_games_stay_within_bounds() -> None:
    """They are refused, or can be played; nothing takes more memory than it may."""
    command = [sys.executable, "-m", "tests.language.hostile_worker", str(COUNT), "1"]
    path = os.pathsep.join((str(ROOT / "interpreter"), str(ROOT)))
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    first, *games = map(json.loads, done.stdout.splitlines())
    assert len(games) == COUNT
    for each in games:
        check_outcome(each, first["memory"])


def check_outcome(found: Mapping[str, Any], before: int) -> None:
    assert found["memory"] - before < MEGABYTES, found
    assert found.get("told", 0) < 100_000, found
    for module in ("stepping", "playing"):
        assert found.get(module, 0) <= PREPARING, found


@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize(
    "kind", [hostile.sums_that_double, hostile.truths_that_double, hostile.clauses_that_double]
)
def test_what_doubles_is_written_once(kind: hostile.Kind) -> None:
    """Ninety steps that double are some dozen operations each."""
    assert length(program_of(kind(90)), STEPPING) < 10_000


@pytest.mark.full
@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize("kind", [hostile.truths_that_double, hostile.values_of_values])
def test_what_is_written_out_stays_short(kind: hostile.Kind) -> None:
    """Values are written out where they are used, but not without end."""
    machine = Machine(program_of(kind(60)), 2)
    bodies = machine.evaluator.simplifier._bodies.values()
    assert sum(len(list(everything(body))) for body in bodies) < 100_000


@pytest.mark.full
@pytest.mark.usefixtures("unchecked")
def test_what_is_fixed_is_worked_out_within_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    program = program_of(MUCH_TO_WORK_OUT)
    steps = 0
    value = ConstantFolder._value

    def counted(folder: ConstantFolder, expr: ir.Expr, slots: dict[int, object]) -> object:
        nonlocal steps
        steps += 1
        return value(folder, expr, slots)

    monkeypatch.setattr(ConstantFolder, "_value", counted)
    machine = Machine(program, 2)
    assert machine.evaluator.folder.spent
    assert 0 < steps < 250_000


def test_what_doubles_is_worked_out_once() -> None:
    """Twenty values that need each other twice are a number, in a few steps."""
    program = program_of(hostile.numbers_that_double(20))
    folder = ConstantFolder(layout_for(program, 2), Dependence(program))
    (deed,) = program.clauses[program.main].body
    assert isinstance(deed, ir.Score)
    before = folder._all_left
    assert folder.constant(deed.points) == (2**20,)
    assert before - folder._all_left < 1_000


@pytest.mark.full
@pytest.mark.usefixtures("unchecked")
@pytest.mark.parametrize(
    "text, why",
    [
        *([(hostile.parts(60), "more than 400,000 nodes")] * NIGHTLY),
        (hostile.guards_that_look(100), "more than 400,000 nodes"),
        (MUCH_TO_WORK_OUT, "takes too long to be precomputed"),
        *([(hostile.values_of_values(60), "more than 400,000 nodes and operations")] * NIGHTLY),
    ],
)
def test_what_is_too_large_to_be_compiled_says_so(text: str, why: str) -> None:
    program = program_of(text)
    with pytest.raises(TooLargeToCompile, match=why):
        length(program, PLAYING)
    assert issubclass(TooLargeToCompile, NoCompiledMachine)


LARGE = hostile.guards_that_look(100)


@pytest.mark.nightly
def test_what_is_too_large_is_played_by_the_reference_machine() -> None:
    """By the lab, and by bots that would look ahead."""
    program = program_of(LARGE)
    games = play_games(program, 2, 5, range(1), ("random", "random"))
    assert len(games) == 1
    match = Game(program, "large").start(players=2, seed=1)
    assert match.decision is not None
    options = [each.text for each in match.decision.options]
    assert bot("mc:4", 1).choose(match.view(0)).text in options
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lawspeaker.machines.adapter.instance_for", None)  # nothing is tried again
        assert bot("mc:4", 1).choose(match.view(0)).text in options
    with pytest.raises(TooLargeToCompile):
        Game(program, "large").start(players=2, seed=1, machine="wasm")


class Spent:
    """Stands for the current budget, never ends, and tells all that is charged."""

    ENDLESS = 10**12

    def __init__(self) -> None:
        self.work = Work(self.ENDLESS)

    @property
    def units(self) -> int:
        return self.ENDLESS - self.work.left

    def get(self) -> Work:
        return self.work

    def set(self, other: Work) -> None:
        """The budget of a part is charged here, too."""

    def reset(self, token: None) -> None:
        pass


def units(text: str) -> int:
    """How many units of work are done to check a game, and to prepare it for both machines."""
    spent = Spent()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lawspeaker.base.work._current", spent)
        program = program_of(text)
        Machine(program, program.most)
        written(layout_for(program, program.most), STEPPING)
    assert spent.units
    return spent.units


GROWING: dict[str, hostile.Kind] = {
    **{
        name: FORMS[name]
        for name in ("named add", "named count", "repeated_line move", "repeated_line rank")
    },
    "alternatives": hostile.plain_alternatives,
    "then by": hostile.then_by,
}


@pytest.mark.parametrize("name", sample(GROWING, test=5))
def test_work_grows_with_the_rules_and_no_faster(name: str) -> None:
    """Twice as many `let` lines, statements, alternatives or keys are little more than twice the
    work."""
    kind = GROWING[name]
    assert units(kind(4)) < 2.6 * units(kind(2))


def test_names_that_double_are_worked_out_once() -> None:
    """On both machines, however many there are, and whatever loops are in them."""
    text = FORMS["named count_pieces"](40)
    assert SideBySide(program_of(text), 2).play(1) >= 0


def test_a_budget_that_is_spent_names_the_clause(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the checker it is a message, and on the reference machine a fault."""
    text = hostile.many_questions(3)
    program = program_of(text)
    monkeypatch.setattr(size, "CHECKING", 1_000)
    diagnostics = Diagnostics()
    file = SourceFile("hostile.yaml", text)
    assert compile_game(file, lambda name, span: None, schema("game"), diagnostics) is None
    (found,) = diagnostics
    assert found.code == "too-large"
    assert found.span.text.startswith("c")
    monkeypatch.setattr(machine, "PREPARING", 200)
    with pytest.raises(RuleFault, match=messages.TOO_LARGE) as fault:
        Machine(program, 2)
    assert fault.value.clause in {each.id for each in program.clauses}
    monkeypatch.setattr(compiler, "PREPARING", 200)
    with pytest.raises(TooLargeToCompile):
        written(layout_for(program, 2), STEPPING)


@pytest.mark.parametrize("name", sample(FORMS, test=40, full=20))
def test_every_form_is_a_game(name: str) -> None:
    """So that what is nested and repeated is no mistake, which would be refused at once."""
    assert SideBySide(program_of(FORMS[name](1)), 2).play(1, longest=5) >= 0


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such bounds")
def test_every_form_is_bounded() -> None:
    """Nested, repeated, doubled and widened to its limit, each is refused, stopped or played."""
    command = [sys.executable, "-m", "benchmarks.hostile", "--json", "--seconds", str(SECONDS)]
    path = os.pathsep.join((str(ROOT / "interpreter"), str(ROOT)))
    environment = {**os.environ, "PYTHONPATH": path}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-2_000:]
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(found) == len(FORMS) + len(hostile.KINDS)
    print(table(found, 10))
    bad = [
        each["name"] for each in found if each["killed"] or "error" in each or each["memory"] > 300
    ]
    assert not bad


@pytest.mark.parametrize(
    "kind", sample(hostile.KINDS, test=6, full=5), ids=lambda kind: kind.__name__
)
def test_both_machines_play_hostile_games_alike(kind: hostile.Kind) -> None:
    """To their end, or to the same fault in the same clause: mostly that they take too long."""
    program = program_of(kind(8))
    try:
        both = SideBySide(program, program.fewest)
    except TooLargeToCompile:
        assert kind is hostile.loops, "loops in loops are written out for each member"
        return
    assert both.play(1, discreet=True) >= 0
