"""The interpreter: runs a program from one decision to the next.

A `Machine` is a program compiled for a number of players: everything numbered, every clause a list
of operations. It holds nothing of a running game; that is in the `State`, which `answer` changes in
place. Events go to the state's journal.

    state = machine.start(seed)          runs to the first question
    machine.offers(state)                the legal replies, by seat
    machine.answer(state, seat, reply)   runs on to the next question, or to the end

At every question, and at the end of the game, the invariants are checked; a broken one is a fault.

Machines are cached by program and number of players: see `machine_for`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from lawspeaker import ir
from lawspeaker.base.cache import LruCache
from lawspeaker.base.source import Span
from lawspeaker.base.work import PREPARING, TooMuchWork, work_budget
from lawspeaker.ir.cost import MOST_STEPS
from lawspeaker.machines.lower import messages
from lawspeaker.machines.lower.clauses import lowered
from lawspeaker.machines.lower.metering import metered
from lawspeaker.machines.lower.operations import Kind
from lawspeaker.machines.reference.asking import counting, gather
from lawspeaker.machines.reference.assembler import PAUSE, ClauseClosures
from lawspeaker.machines.reference.chance import Outcome
from lawspeaker.machines.reference.evaluate import Evaluator, Slots
from lawspeaker.machines.reference.expressions import BUILDERS
from lawspeaker.machines.reference.knowing import Knowing
from lawspeaker.machines.reference.operations import assemble
from lawspeaker.machines.reference.questions import Question
from lawspeaker.machines.reference.slot_pieces import slot_shapes
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.layout import Layout, Value, layout_for
from lawspeaker.position.state import Frame, Reply, State
from lawspeaker.position.written import Text

_KEPT = 32


class Machine:
    """A program compiled to closures for a number of players."""

    def __init__(self, program: ir.Program, players: int, budget: int = MOST_STEPS) -> None:
        self.program = program
        self.players = players
        self.budget = budget
        with work_budget(PREPARING) as work:
            try:
                self._prepare()
            except (TooMuchWork, RecursionError):
                raise self._too_large(work.span) from None

    def _too_large(self, span: Span) -> RuleFault:
        """Returns the fault for rules that are too large to compile, at the clause that was
        reached."""
        clauses = self.program.clauses
        reached = next((each for each in clauses if each.span == span), clauses[self.program.main])
        return RuleFault(reached.id, messages.TOO_LARGE, reached.span)

    def _prepare(self) -> None:
        """Compiles everything that does not depend on a game."""
        program = self.program
        self.layout = layout_for(program, self.players)
        self.evaluator = self.make_evaluator()
        ev = self.evaluator
        self.lowered = lowered(ev.costs, ev.depends, ev.guards, ev.constant)
        self.codes: list[ClauseClosures] = assemble(self.evaluator, self.lowered)
        ev.suppose = self.suppose
        self.shapes = [slot_shapes(clause) for clause in program.clauses]
        self.private = [
            frozenset(at for at, slot in enumerate(clause.slots) if slot.private)
            for clause in program.clauses
        ]
        self.knowing = Knowing(self.layout, self.codes)
        self.telling: dict[tuple[int, int], bool] = {}
        self.reads_texts = any(words.written for words in program.word_sets)
        self._always = []
        for always in ev.program.always:
            self.evaluator.clause = always.clause
            self._always.append((always, self.evaluator.compile(always.condition)))

    def make_evaluator(self) -> Evaluator:
        return Evaluator(metered(self.layout), BUILDERS)

    # ------------------------------------------------------------ running

    def blank(self, seed: int, *, ask_chance: bool = False, discreet: bool = False) -> State:
        """Returns the initial state, with an empty control stack."""
        state = blank_state(self.layout)
        state.seed = seed
        state.ask_chance = ask_chance
        state.discreet = discreet
        return state

    def start(self, seed: int, *, ask_chance: bool = False, discreet: bool = False) -> State:
        state = self.blank(seed, ask_chance=ask_chance, discreet=discreet)
        self.begin(state, self.program.main, ())
        return state

    def begin(self, state: State, clause: int, arguments: Sequence[Value]) -> None:
        """Executes a clause to the first question."""
        with self._looking_on(state):
            self._begin(state, clause, arguments)

    def run(self, state: State) -> None:
        """Runs until a question, or the end of the game."""
        with self._looking_on(state):
            self._go_on(state)

    def answer(self, state: State, seat: int | None, reply: Reply) -> None:
        """Continues with a reply, which must be one that is offered."""
        with self._looking_on(state):
            if self.reads_texts:
                reply = self._spelled(state, seat, reply)
            self._answer(state, seat, reply)

    def _spelled(self, state: State, seat: int | None, reply: Reply) -> Reply:
        """Returns a reply whose texts are spelled as equal texts in the state: equal texts have one
        spelling. Secret replies are compared when all of them are in."""
        assert state.pending is not None
        kind, asked = state.pending
        replies = {**state.secret, **({} if seat is None else {seat: reply})}
        if kind == "together" and not all(each in replies for each in asked):
            return reply
        known: dict[Text, Text] = {}

        def spelled(value: Value) -> Value:
            if isinstance(value, tuple):
                return tuple(map(spelled, value))
            return known.setdefault(value, value) if isinstance(value, Text) else value

        spelled(tuple(state.markers))
        for depth, frame in enumerate(reversed(state.stack)):
            operation = self.codes[frame.clause].operations[frame.pc]
            live = operation.live_after if depth else operation.live
            spelled(tuple(frame.slots[slot] for slot in sorted(live)))
        for each in sorted(replies):
            replies[each] = (replies[each][0], spelled(replies[each][1]))
        state.secret = {each: replies[each] for each in state.secret}
        return reply if seat is None else replies[seat]

    @contextmanager
    def _looking_on(self, state: State) -> Iterator[None]:
        """Updates what seats know by the events of a run."""
        if not self.knowing.needed:
            yield
            return
        before, first = state.copy(), len(state.journal)
        yield
        self.knowing.follow(before, state, first)

    def _begin(self, state: State, clause: int, arguments: Sequence[Value]) -> None:
        slots: Slots = [None] * len(self.program.clauses[clause].slots)
        slots[: len(arguments)] = arguments
        state.stack = [Frame(clause, 0, slots)]
        state.pending = None
        state.ended = ""
        entry = self.lowered.entry[clause]
        state.left = self.budget - entry
        if state.left < 0:
            begun = self.program.clauses[clause]
            raise RuleFault(begun.id, messages.too_long(entry, begun.span), begun.span)
        self._run(state)

    def _go_on(self, state: State) -> None:
        state.left = self.budget
        self._run(state)

    def _run(self, state: State) -> None:
        codes, stack = self.codes, state.stack
        pc = 0
        while pc != PAUSE:
            frame = stack[-1]
            ops, slots, pc = codes[frame.clause].ops, frame.slots, frame.pc
            while pc >= 0:
                pc = ops[pc](state, slots)
        self.check_always(state)

    def suppose(self, state: State, clause: int, slots: Slots) -> None:
        """Executes a clause that does not suspend, hypothetically, on a copy of the state."""
        state.stack = [Frame(clause, 0, slots)]
        while state.stack:
            frame = state.stack[-1]
            ops, slots, pc = self.codes[frame.clause].ops, frame.slots, frame.pc
            while pc >= 0:
                pc = ops[pc](state, slots)

    def _answer(self, state: State, seat: int | None, reply: Reply) -> None:
        assert state.pending is not None
        frame = state.stack[-1]
        code, at = self.codes[frame.clause], frame.pc
        operation = code.operations[at]
        kind, asked = state.pending
        state.steps += 1
        if kind == "chance":
            state.pending = None
            code.luck[at].settle(state, frame.slots, reply[1][0])
            # A draw continues; a pick is done.
            if operation.kind is Kind.PICK:
                (frame.pc,) = operation.exits
        elif kind == "choice":
            state.pending = state.offered = None
            question = code.questions[at]
            assert seat is not None
            question.note(state, "choose", at, seat, reply)
            if reply[0] >= 0:
                question.bind(state, frame.slots, reply)
            frame.pc = operation.exits[reply[0]]
        else:
            assert seat is not None
            state.secret[seat] = reply
            if not all(other in state.secret for other in asked):
                return
            state.pending = state.offered = None
            question = code.questions[at]
            for other in counting(state, frame.slots, question.ask):
                kind = "choose" if other in asked else "forced"
                question.note(state, kind, at, other, state.secret[other])
            gather(state, frame.slots, question.ask)
            (frame.pc,) = operation.exits
        state.left = self.budget
        self._run(state)

    # ------------------------------------------------------------ asking

    def question(self, state: State) -> Question | None:
        """Returns the pending question; None at a chance node, or if nothing is pending."""
        if state.pending is None or state.pending[0] == "chance":
            return None
        frame = state.stack[-1]
        return self.codes[frame.clause].questions[frame.pc]

    def offers(self, state: State) -> dict[int, list[Reply]]:
        """Returns the legal replies by seat, without `pass`."""
        if state.offered is None:
            state.left = self.budget
            question = self.question(state)
            state.offered = {}
            if question is not None and state.pending is not None:
                listed: list[Reply] = []
                for seat in state.pending[1]:
                    scratch = self.scratch(state, seat)
                    state.offered[seat] = question.replies(state, scratch, listed)
        return state.offered

    def scratch(self, state: State, seat: int) -> Slots:
        """Returns a copy of the slots as they are when this seat is asked."""
        frame = state.stack[-1]
        slots = frame.slots.copy()
        each = self.codes[frame.clause].questions[frame.pc].ask.each
        if each is not None:
            slots[each.slot] = seat
        return slots

    def outcomes(self, state: State) -> list[Outcome]:
        """Returns the outcomes of the pending chance node, with weights."""
        frame = state.stack[-1]
        return self.codes[frame.clause].luck[frame.pc].outcomes(state, frame.slots)

    def by_seed(self, state: State) -> Value:
        """Returns the outcome of the pending chance node by the seed."""
        frame = state.stack[-1]
        return self.codes[frame.clause].luck[frame.pc].by_seed(state, frame.slots)

    def worth(self, state: State, function: int, arguments: Sequence[Value]) -> Value:
        """Evaluates a definition in a state."""
        state.left = self.budget
        slots: Slots = [None] * len(self.program.functions[function].slots)
        slots[: len(arguments)] = arguments
        return self.evaluator.function(function)(state, slots)

    def check_always(self, state: State) -> None:
        """Faults if an invariant is broken. They are not checked at chance nodes, which are in the
        middle of a statement."""
        if state.pending is not None and state.pending[0] == "chance":
            return
        left = state.left
        for always, condition in self._always:
            state.left = self.budget
            if not condition(state, [None] * len(always.slots)):
                clause = self.program.clauses[always.clause].id
                message = messages.broken(self.program, always)
                raise RuleFault(clause, message, always.condition.span)
        state.left = left


def blank_state(layout: Layout) -> State:
    """Returns the initial state, with an empty control stack."""
    state = State()
    state.seed = 0
    state.players = layout.players
    state.ask_chance = state.discreet = False
    state.where = list(layout.start)
    held: dict[int, list[int]] = {}
    for piece, place in enumerate(layout.start):
        held.setdefault(place, []).append(piece)
    state.contents = {place: tuple(pieces) for place, pieces in held.items()}
    state.loose = {}
    state.known = {}
    state.states = list(layout.first_states)
    state.markers = list(layout.first_markers)
    state.scores = [0] * layout.players
    state.past = [() for _ in layout.program.positions]
    state.stack = []
    state.pending = None
    state.secret = {}
    state.shuffles = {}
    state.picks = {}
    state.ended = ""
    state.winners = ()
    state.steps = 0
    state.journal = []
    state.offered = None
    state.left = 0
    state.written = ()
    return state


_machines: LruCache[Machine] = LruCache(_KEPT)


def machine_for(program: ir.Program, players: int, budget: int = MOST_STEPS) -> Machine:
    """Returns the machine for a program and a number of players; cached."""
    key = (id(program), players, budget)
    return _machines.get(key, lambda: Machine(program, players, budget))
