"""Executes a scenario: sets up its situation, performs its steps, and checks its assertions.

Everything that happens must be mentioned: an unexpected question, unscripted chance (without a
seed), or a question left at the end is a failure. If a step cannot be executed, the rest is
skipped; other failures are collected.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NoReturn

from lawspeaker import ir
from lawspeaker.base.counts import not_for
from lawspeaker.base.diagnostics import Diagnostic, Diagnostics, Label, did_you_mean
from lawspeaker.base.source import Span
from lawspeaker.ir.walk import guards_of
from lawspeaker.machines.reference import Machine, RuleFault, machine_for
from lawspeaker.machines.reference.tracing import (
    Heard,
    TracingMachine,
    hearing_for,
    tracing_for,
)
from lawspeaker.match.decision import Decision, IllegalChoice, Option
from lawspeaker.match.match import Match
from lawspeaker.position.layout import layout_for
from lawspeaker.position.state import State
from lawspeaker.study.scenario.expecting import FAILED, Expecting
from lawspeaker.study.scenario.model import OF_A_QUESTION, Scenario, ScenarioResult
from lawspeaker.study.scenario.references import BAD, Texts
from lawspeaker.study.scenario.setting import Setting
from lawspeaker.text.document import Mapping, Node, Scalar, entries_of, scalars_of

NOT_THERE = "not there"
NOTHING = "nothing"
THE_END = "the end"
MOST_SKIPPED = 5_000
MOST_NAMED = 12


class _Stop(Exception):
    """The rest of the scenario cannot be executed."""


@dataclass(frozen=True, slots=True)
class Refused:
    """An option that a guard refused a seat, with the number of replies before."""

    seat: int
    option: Option
    guard: ir.Guard
    replies: int


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """A question that a step answers: the match before the answer, the seat, the full answer,
    and the number of the step.
    """

    match: Match
    seat: int
    answer: str
    step: int


@dataclass(frozen=True, slots=True)
class ScenarioRun:
    """The run of a scenario.

    `before` is the match in the initial situation or at the first question, `match` at the end,
    with the refused options and the questions. `laid` are the places that the situation names.
    """

    before: Match
    match: Match
    refused: tuple[Refused, ...]
    asked: tuple[AnsweredQuestion, ...] = ()
    laid: frozenset[int] = frozenset()


def run(
    scenario: Scenario, program: ir.Program, *, trace: bool = False, name: str | None = None
) -> ScenarioResult:
    """Runs a scenario under some rules; with `trace`, records coverage.

    `name` is that of the rules, if they are not those that the scenario names.
    """
    running = _Running(scenario, program, trace)
    running.go()
    found = tuple(running.diagnostics.sorted())
    return ScenarioResult(
        scenario.file.name,
        scenario.title,
        name or scenario.game,
        scenario.players,
        running.done,
        found,
        running.machine.touched if isinstance(running.machine, TracingMachine) else None,
    )


def last_of(scenario: Scenario, program: ir.Program, diagnostics: Diagnostics) -> Match | None:
    """The match at the end of a scenario; None, with diagnostics, if it fails."""
    course = course_of(scenario, program, diagnostics)
    return None if course is None else course.match


def course_of(
    scenario: Scenario, program: ir.Program, diagnostics: Diagnostics
) -> ScenarioRun | None:
    """The run of a scenario; None, with diagnostics, if it fails."""
    running = _Running(scenario, program, False, keeps_refused=True)
    running.go()
    diagnostics.extend(running.diagnostics)
    if running.diagnostics.has_errors or running.before is None or running.match is None:
        return None
    refused, asked = tuple(running.refused), tuple(running.asked)
    return ScenarioRun(running.before, running.match, refused, asked, running.laid)


def holds_with(scenario: Scenario, program: ir.Program, number: int, answer: str) -> bool:
    """Whether a scenario's assertions also hold with another answer to its question of that
    number (from 0).
    """
    running = _Running(scenario, program, False, instead=(number, answer))
    running.go()
    return not running.diagnostics.has_errors


class _Running:
    texts: Texts

    def __init__(
        self,
        scenario: Scenario,
        program: ir.Program,
        trace: bool,
        keeps_refused: bool = False,
        instead: tuple[int, str] | None = None,
    ) -> None:
        self.scenario = scenario
        self.program = program
        self.trace = trace
        self.diagnostics = Diagnostics()
        self.done = 0
        self.machine: Machine | None = None
        self.match: Match | None = None
        self.before: Match | None = None
        self.keeps_refused = keeps_refused
        self.refused: list[Refused] = []
        self.instead = instead
        self.asked: list[AnsweredQuestion] = []
        self.heard: list[Heard] = []
        self.laid: frozenset[int] = frozenset()
        self.entered: dict[int, ir.Clause] = {}
        """Wrapped clause by the index of a clause that is started here."""

    def go(self) -> None:
        try:
            self._prepare()
            self._begin()
            for step in self.scenario.steps:
                self._step(step)
                self.done += 1
            self._end()
        except _Stop:
            pass

    def fail(self, message: str, span: Span, *labels: Label, hint: str | None = None) -> None:
        self.diagnostics.error(FAILED, message, span, *labels, hint=hint)

    def add(self, diagnostic: Diagnostic) -> None:
        self.diagnostics.add(diagnostic)

    # ------------------------------------------------------------ the beginning

    def _prepare(self) -> None:
        """Creates the machine for the scenario's settings."""
        scenario, program = self.scenario, self.program
        if scenario.players not in program.counts:
            message = not_for(program.name, program.counts, scenario.players)
            self.refuse(message, scenario.span("players"))
        choices = scenario.mapping("choices")
        if choices is not None:
            self.program = self._with_choices(choices)
        self._enter()
        self.machine = self._machine()
        self.texts = Texts(self.machine.layout, self.diagnostics)
        self._check_sources()

    def _enter(self) -> None:
        """Wraps the clauses that are started here, to include the rules that variants insert
        around them.
        """
        for key in ("do", "after"):
            named = self.scenario.text(key).partition("(")[0].strip()
            clause = next((each for each in self.program.clauses if each.id == named), None)
            if clause is not None and clause.index not in self.entered:
                self.program, self.entered[clause.index] = self.program.entering(clause)

    def _machine(self) -> Machine:
        """Creates the machine, with tracing if needed."""
        nodes = (self.scenario.node, *self.scenario.steps)
        listens = any(node.get("outcomes") is not None for node in nodes)
        if not self.trace and not listens:
            return machine_for(self.program, self.scenario.players)
        machine = (tracing_for if self.trace else hearing_for)(self.program, self.scenario.players)
        self.heard = machine.heard
        return machine

    def refuse(self, message: str, span: Span, hint: str | None = None) -> NoReturn:
        """Reports an error in the scenario itself, and stops."""
        self.diagnostics.error(BAD, message, span, hint=hint)
        raise _Stop

    def _with_choices(self, node: Mapping) -> ir.Program:
        program = self.program
        texts = Texts(layout_for(program, self.scenario.players), self.diagnostics)
        ids = [choice.id for choice in program.choices]
        for key, value in node.entries:
            if key.value not in ids:
                hint = did_you_mean(key.value, ids) or f"choices: {', '.join(ids)}"
                self.refuse(f"there is no named choice '{key.value}'", key.span, hint)
            number = ids.index(key.value)
            if program.choices[number].shapes:
                hint = "a variant can set it: lay one over the game"
                self.refuse(f"'{key.value}' says how large a board is", key.span, hint)
            found = _choice_value(texts, program.choices[number], value)
            if found is None:
                raise _Stop
            for cell in program.choices[number].fills:
                of = program.column(cell).type
                if isinstance(of, ir.NumberType) and found[0] not in range(of.low, of.high + 1):
                    self.refuse(f"'{key.value}' goes from {of.low} to {of.high}", value.span)
            program = program.choosing(number, found)
        return program

    def _check_sources(self) -> None:
        cites = self.scenario.mapping("cites")
        known = [source.id for source in self.program.sources]
        for key, _ in cites.entries if cites is not None else ():
            if key.value not in known:
                hint = did_you_mean(key.value, known) or f"sources: {', '.join(known)}"
                self.texts.complain(f"the game has no source '{key.value}'", key.span, hint)

    def _begin(self) -> None:
        scenario, machine = self.scenario, self.machine
        assert machine is not None
        call = self._call()
        state = machine.blank(
            scenario.seed or 0, ask_chance=True, discreet=scenario.text("table") == "discreet"
        )
        after = scenario.get("after")
        if isinstance(after, Scalar):
            state = self._after(machine, state, after)
        setting = Setting(self.texts, state)
        setting.set_up(scenario.mapping("situation"))
        self.laid = frozenset(setting.plans)
        values = None
        if call is not None and not self.diagnostics.has_errors:
            clause, texts = call
            values = self.texts.arguments(clause, texts, state.where, scenario.span("do"))
        if self.diagnostics.has_errors:
            raise _Stop
        self.match = Match.from_state(self.program, state, machine=machine)
        self.before = self.match.copy()
        try:
            if call is None:
                machine.check_always(state)
            else:
                self.match.begin(call[0], values or ())
                if scenario.get("situation") is None:
                    self.before = self.match.copy()
        except RuleFault as fault:
            expecting = None if scenario.steps else scenario.node
            self._broke(fault, expecting, scenario.span("do", "situation"))

    def _after(self, machine: Machine, state: State, after: Scalar) -> State:
        """Runs the `after` clause and returns its final state."""
        call = self._rule(after)
        values = self.texts.arguments(*call, state.where, after.span)
        if values is None:
            raise _Stop
        match = Match.from_state(self.program, state, machine=machine)
        try:
            match.begin(call[0], values)
            self._by_seed(match, after.span)
        except RuleFault as fault:
            self._broke(fault, None, after.span)
        if match.decision is not None:
            hint = "here stands a clause that asks nobody; put what is asked into `steps:`"
            self.refuse(f"in {call[0].id} {self._asked_now(match)}", after.span, hint)
        match.state.ended, match.state.stack = "", []
        return match.state

    def _call(self) -> tuple[ir.Clause, list[str]] | None:
        """The clause to run with the texts of its arguments, or None."""
        scenario = self.scenario
        do = scenario.get("do")
        if not isinstance(do, Scalar):
            # A situation without steps only asserts what holds in it.
            only_looks = scenario.get("situation") is not None and not scenario.steps
            return None if only_looks else (self.program.clauses[self.program.main], [])
        return None if do.value == NOTHING else self._rule(do)

    def _rule(self, node: Scalar) -> tuple[ir.Clause, list[str]]:
        """Resolves a clause that can be run, with the texts of its arguments."""
        call = self.texts.call(node.value, node.span)
        if call is None:
            raise _Stop
        clause = call[0]
        if clause.role != "rule":
            message = f"{clause.id} is a {clause.role}, not a rule that can be done"
            hint = f"write `do: {NOTHING}`, and look at it under `values:`"
            self.refuse(message, node.span, hint if clause.role == "value" else None)
        return self.entered.get(clause.index, clause), call[1]

    # ------------------------------------------------------------ steps

    def _broke(self, fault: RuleFault, expecting: Mapping | None, span: Span) -> None:
        """Handles a fault of the rules, which the scenario may assert."""
        breaks = expecting.get("breaks") if expecting is not None else None
        if isinstance(breaks, Scalar) and self.texts.clause(breaks) is not None:
            if breaks.value != fault.clause:
                message = f"expected {breaks.value} to break, found that {fault.clause} does"
                label = Label(fault.span, fault.message)
                self.fail(message, breaks.span, label)
        else:
            message = f"the rules break here: {fault.clause}: {fault.message}"
            self.fail(message, span, Label(fault.span, "in this rule"))
        raise _Stop

    def _step(self, step: Mapping) -> None:
        match = self.match
        assert match is not None
        since = len(match.events), len(self.heard)
        try:
            if (luck := step.get("luck")) is not None:
                self._luck(match, luck)
            else:
                self._by_seed(match, step.span)
                if (target := step.get("skip to")) is not None and isinstance(target, Scalar):
                    self._skip(match, target, step.get("answering"))
                elif any(step.get(key) is not None for key in OF_A_QUESTION):
                    self._question(match, step)
        except RuleFault as fault:
            self._broke(fault, step, step.span)
        self._expect(match, step, since)
        self._not_broken(step)
        if any(each.code != FAILED for each in self.diagnostics):
            raise _Stop

    def _not_broken(self, node: Mapping) -> None:
        breaks = node.get("breaks")
        if isinstance(breaks, Scalar) and self.texts.clause(breaks) is not None:
            self.fail(f"expected {breaks.value} to break, found that nothing does", breaks.span)

    def _luck(self, match: Match, node: Node) -> None:
        for told in scalars_of(node):
            decision = match.decision
            if decision is None or decision.kind != "chance":
                now = self._asked_now(match)
                self.fail(f"nothing is left to luck here; {now}", told.span)
                raise _Stop
            option = decision.option(told.value)
            if option is None:
                can = _listed([option.text for option in decision.options])
                message = f"luck cannot bring '{told.value}' in {decision.clause.id}"
                self.fail(message, told.span, hint=f"it can bring: {can}")
                raise _Stop
            match.choose(option)

    def _by_seed(self, match: Match, span: Span) -> None:
        """Resolves unscripted chance by the seed, if there is one."""
        decision = match.decision
        if decision is None or decision.kind != "chance":
            return
        if self.scenario.seed is None:
            can = _listed([option.text for option in decision.options])
            self.fail(
                f"in {decision.clause.id} luck decides, and the scenario does not say how",
                span,
                hint=f"put a step `luck: …` here ({can}), or give a `seed:`",
            )
            raise _Stop
        match.leave_to_luck()

    def _skip(self, match: Match, target: Scalar, answering: Node | None) -> None:
        if target.value != THE_END and self.texts.clause(target) is None:
            raise _Stop
        replies: dict[str, Scalar] = {}
        for key, node in entries_of(answering):
            if self.texts.clause(key) is None:
                raise _Stop
            if isinstance(node, Scalar):
                replies[key.value] = node
        for _ in range(MOST_SKIPPED):
            for asked in match.decisions:
                reply = replies.get(asked.clause.id)
                if reply is not None:
                    self._answer(match, asked.seat, reply)
                else:
                    match.choose(asked.options[0], asked.seat)
            self._by_seed(match, target.span)
            decision = match.decision
            if decision is None or decision.clause.id == target.value:
                break
        decision = match.decision
        found = THE_END if decision is None else decision.clause.id
        if found != target.value:
            self.fail(f"expected to come to {target.value}, found {found}", target.span)
            raise _Stop

    # ------------------------------------------------------------ questions

    def _question(self, match: Match, step: Mapping) -> None:
        """Executes a question step; without `asks`, whoever is asked is meant."""
        asks = step.get("asks")
        asked = {each.seat: each for each in match.decisions if each.seat is not None}
        if isinstance(asks, Scalar):
            if asked:
                self.fail(f"expected nobody to be asked; {self._asked_now(match)}", asks.span)
                raise _Stop
            return
        if not asked:
            self.fail(f"expected a question; {self._asked_now(match)}", step.span)
            raise _Stop
        wanted = self._asked(match, asks, asked) if isinstance(asks, Mapping) else asked
        self._offers(step, wanted)
        for seat, node in self._by_seat(step.get("refuses"), wanted, nested=True):
            self._refuses(match, seat, node)
        before = match.copy() if self.keeps_refused else match
        for seat, node in self._by_seat(step.get("answer"), wanted):
            if isinstance(node, Scalar):
                said = self._said(node)
                option = wanted[seat].option(said.value)
                text = said.value if option is None else option.text
                self.asked.append(AnsweredQuestion(before, seat, text, self.done))
                self._answer(match, seat, said)

    def _said(self, node: Scalar) -> Scalar:
        """The scripted answer, or its replacement under test."""
        if self.instead is None or self.instead[0] != len(self.asked):
            return node
        return replace(node, value=self.instead[1])

    def _asked(
        self, match: Match, asks: Mapping, asked: dict[int, Decision]
    ) -> dict[int, Decision]:
        """The pending decisions, checked against those that the step names."""
        wanted: dict[int, Decision] = {}
        for key, by in asks.entries:
            seat = self.texts.seat(key)
            clause = self.texts.clause(by) if isinstance(by, Scalar) else None
            if seat is None or clause is None:
                raise _Stop
            if seat not in asked or asked[seat].clause.id != clause.id:
                message = f"expected {key.value} to be asked by {clause.id}"
                self.fail(f"{message}; {self._asked_now(match)}", by.span)
                raise _Stop
            wanted[seat] = asked[seat]
        others = [self._name(seat) for seat in asked if seat not in wanted]
        if others:
            names = " and ".join(self._name(seat) for seat in wanted)
            self.fail(
                f"expected only {names} to be asked; {' and '.join(others)} too, at the same time",
                asks.span,
                hint="name all who are asked",
            )
            raise _Stop
        return wanted

    def _by_seat(
        self, node: Node | None, asked: dict[int, Decision], nested: bool = False
    ) -> list[tuple[int, Node]]:
        """Splits a value of a step by seat; if only one is asked, the name may be omitted.

        `nested`: the value for a seat is itself a mapping.
        """
        if node is None:
            return []
        entries = entries_of(node)
        if not entries or (nested and not isinstance(entries[0][1], Mapping)):
            if len(asked) == 1:
                return [(next(iter(asked)), node)]
            one, two = [self._name(seat) for seat in asked][:2]
            self.refuse(
                "several players are asked, and this does not say which is meant",
                node.span,
                f"write {{{one}: …, {two}: …}}",
            )
        found: list[tuple[int, Node]] = []
        for key, value in entries:
            seat = self.texts.seat(key)
            if seat is None:
                raise _Stop
            if seat not in asked:
                self.refuse(f"{key.value} is not among those who are asked", key.span)
            found.append((seat, value))
        return found

    def _offers(self, step: Mapping, asked: dict[int, Decision]) -> None:
        for key in ("offers", "offers among others"):
            for seat, node in self._by_seat(step.get(key), asked):
                told: set[str] = set()
                for each in scalars_of(node):
                    option = asked[seat].option(each.value)
                    if option is None and self.match is not None:
                        option, _ = self.match.written(each.value, seat)
                    if option is None:
                        self._missing(asked[seat], each)
                    else:
                        told.add(option.text)
                more = [each.text for each in asked[seat].options if each.text not in told]
                if more and key == "offers":
                    message = f"{self._name(seat)} is offered what the scenario does not list"
                    self.fail(f"{message}: {_listed(more)}", node.span)

    def _missing(self, decision: Decision, wanted: Scalar) -> None:
        assert self.match is not None
        refusal = self.match.why_not(wanted.value, decision.seat)
        message = f"expected '{wanted.value}' to be offered"
        labels = (Label(refusal.guard.span, "this guard"),) if refusal.guard is not None else ()
        if refusal.guard is not None:
            message += f", found it refused by {self._guard_id(refusal.guard)}"
        elif refusal.offered:
            message += "; write it as it is told in full"
        else:
            message += f", found that it is not: {refusal.message}"
        texts = _listed([option.text for option in decision.options])
        self.fail(message, wanted.span, *labels, hint=f"offered: {texts}")

    def _guard_id(self, guard: ir.Guard) -> str:
        return f"{self.program.clauses[guard.clause].id}.{guard.name}"

    def _refuses(self, match: Match, seat: int, node: Node) -> None:
        for key, by in entries_of(node):
            if not isinstance(by, Scalar):
                continue
            refusal = match.why_not(key.value, seat)
            if refusal.offered:
                self.fail(f"expected '{key.value}' to be refused, found it offered", key.span)
            elif refusal.guard is not None:
                if self.keeps_refused:
                    self._keep(match, seat, key.value, refusal.guard)
                found = self._guard_id(refusal.guard)
                if by.value not in (found, refusal.guard.name):
                    self._know_guard(by)
                    label = Label(refusal.guard.span, "this guard")
                    who = "no guard" if by.value == NOT_THERE else by.value
                    message = f"expected {who} to refuse '{key.value}', found {found}"
                    self.fail(message, by.span, label)
            elif not refusal.span.known:
                self.refuse(refusal.message, key.span)
            elif by.value != NOT_THERE:
                self._know_guard(by)
                message = f"expected {by.value} to refuse '{key.value}'"
                hint = f"no guard is needed: write `{NOT_THERE}`"
                self.fail(f"{message}, found: {refusal.message}", by.span, hint=hint)

    def _keep(self, match: Match, seat: int, text: str, guard: ir.Guard) -> None:
        replies = len(match.replies)
        options = (each for each in match.well_formed(seat) if each.text == text)
        self.refused += [Refused(seat, each, guard, replies) for each in options]

    def _know_guard(self, node: Scalar) -> None:
        """Reports an unknown guard."""
        guards = guards_of(self.program)
        names = [NOT_THERE, *(guard.name for guard in guards.values()), *guards]
        if node.value not in names:
            hint = did_you_mean(node.value, names)
            self.refuse(f"there is no guard '{node.value}'", node.span, hint)

    def _answer(self, match: Match, seat: int | None, node: Scalar) -> None:
        try:
            match.choose(node.value, seat)
        except IllegalChoice as illegal:
            options = next(d.options for d in match.decisions if d.seat == seat)
            offered = _listed([option.text for option in options])
            labels = (Label(illegal.span, "by this guard"),) if illegal.guard is not None else ()
            message = f"{self._name(seat)} cannot answer '{node.value}': {illegal.message}"
            self.fail(message, node.span, *labels, hint=f"offered: {offered}")
            raise _Stop from None

    # ------------------------------------------------------------ the end

    def _end(self) -> None:
        match, scenario = self.match, self.scenario
        assert match is not None
        last = scenario.steps[-1] if scenario.steps else None
        asks = last is not None and any(last.get(key) is not None for key in OF_A_QUESTION)
        left_open = asks and last is not None and last.get("answer") is None
        span = scenario.span("do") if last is None else last.span
        try:
            if not left_open:
                self._by_seed(match, span)
        except RuleFault as fault:
            self._broke(fault, scenario.node, span)
        if match.decision is not None and not left_open:
            self.fail(
                f"the scenario ends, but {self._asked_now(match)}",
                span,
                hint="add a step for this question; without an answer the scenario ends there",
            )
        self._expect(match, scenario.node, (0, 0))
        self._not_broken(scenario.node)

    def _expect(self, match: Match, node: Mapping, since: tuple[int, int]) -> None:
        """Checks assertions; `since` are the numbers of the first event and the first return
        value.
        """
        events, outcomes = since
        heard = [
            (clause, value)
            for state, clause, value in self.heard[outcomes:]
            if state is match.state
        ]
        Expecting(self.texts, match, self.add).check(node, events, heard)

    def _name(self, seat: int | None) -> str:
        return "nobody" if seat is None else self.program.player_names[seat]

    def _asked_now(self, match: Match) -> str:
        told = [
            f"luck decides in {each.clause.id}"
            if each.kind == "chance"
            else f"{self._name(each.seat)} is asked by {each.clause.id}"
            for each in match.decisions
        ]
        return " and ".join(told) or "nobody is asked"


def _choice_value(
    texts: Texts, choice: ir.Choice, node: Node
) -> tuple[ir.Constant | tuple[ir.Constant, ...], ...] | None:
    """The value of a choice, the same for all numbers of players."""
    of = choice.type
    several = isinstance(of, ir.SetType)
    member = of.of if isinstance(of, ir.SetType) else of
    scalars = scalars_of(node)
    found = [texts.value(member, each.value, each.span) for each in scalars]
    values = [value[0] for value in found if value is not None]
    if len(values) < len(scalars):
        return None
    if not several and len(values) != 1:
        texts.complain(f"{choice.id} is one value", node.span)
        return None
    return (tuple(values),) if several else (values[0],)


def _listed(texts: list[str]) -> str:
    more = f" and {len(texts) - MOST_NAMED} more" if len(texts) > MOST_NAMED else ""
    return "; ".join(texts[:MOST_NAMED]) + more if texts else "nothing"
