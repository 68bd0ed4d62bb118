"""Runs a module: loads positions, executes to the next question, plays whole games and playouts.

An `Instance` owns the memory of one module. It keeps no game between calls except where stated
here: `load` copies a state in, `read` copies it out, and the module does the rest.

    instance = Instance(compile_module(layout, STEPPING))
    instance.begin(state, clause, arguments)     runs to the first question; changes the state
    instance.answer(state, replies)              continues with a reply
    instance.offers(state)                       the options of the pending question
    instance.ways(state, depth, forced)          the number of ways to answer so many questions

For many games at once, with a module that is not for stepping:

    instance.games(seed, first, count)           whole games between random players
    instance.add_up(seed, first, count)          the same, added up, with a module for sums
    instance.load(state); instance.keep()        takes a snapshot for playouts
    instance.playouts(seed, first, count)        points and victories by seat, added up
    instance.explore(options, seat, …)           the same for each of these options of a seat
    instance.lay_out(unseen, seats)              a position with gaps, dealt anew for each world

Execution is bounded: more steps than the budget between two questions are a fault of the clause
that takes them. Faults are `RuleFault`, as everywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from struct import iter_unpack, pack, unpack, unpack_from

import wasmtime

from lawspeaker import ir
from lawspeaker.ir.cost import MOST_STEPS
from lawspeaker.machines.compiled.compile.asking import CHOICE, TOGETHER
from lawspeaker.machines.compiled.compile.chance import CHANCE
from lawspeaker.machines.compiled.compile.compiler import Compiled
from lawspeaker.machines.compiled.compile.flow import OVER
from lawspeaker.machines.compiled.host import hidden_information, images
from lawspeaker.machines.compiled.host.frames import Frames, replies, reply_words
from lawspeaker.machines.compiled.host.journal import Journal
from lawspeaker.machines.compiled.runtime.policy_layout import FEATURE, WEIGHTS
from lawspeaker.machines.compiled.runtime.question import offsets, stride
from lawspeaker.machines.compiled.runtime.search_layout import HABIT, HABITS, ORDER, SHARE, TRIAL
from lawspeaker.machines.compiled.runtime.unit import NEVER
from lawspeaker.machines.engine import engine
from lawspeaker.machines.lower.messages import NO_ROOM
from lawspeaker.machines.sum_host import AddsUp, SumPlaces, signed
from lawspeaker.position.fault import CannotCount, OutOfMemory, RuleFault
from lawspeaker.position.rng import MASK
from lawspeaker.position.state import Reply, State, Value
from lawspeaker.position.unseen import Unseen

EVERYONE = -1
"""All seats, as a mask."""
_KINDS = {CHOICE: "choice", TOGETHER: "together", CHANCE: "chance"}


@dataclass(frozen=True, slots=True)
class Played:
    """The result of one whole game: scores, winners, and the numbers of decisions and options."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    decisions: int
    options: int


@dataclass(frozen=True, slots=True)
class Sums:
    """The sums of many playouts, by seat; a shared victory counts in part."""

    count: int
    scores: tuple[int, ...]
    wins: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Tried:
    """The sums of the playouts of an option, for a seat: how many reached the end of the game, the
    victories in these, the points of its side, those of all, the absolute points made, and the
    expected value of the playouts that were cut off."""

    option: int
    playouts: int
    ended: int
    wins: float
    own: int
    total: int
    size: int
    expected: float = 0.0


@dataclass(frozen=True, slots=True)
class Learning:
    """Hyperparameters: the learning rate, the pull towards a uniform policy, the reward for a
    victory and for being ahead, the discount from a seat's next choice on, and about how many
    choices of a game to learn from."""

    rate: float
    pull: float
    victory: float = 1.0
    ahead: float = 1.0
    lasting: float = 1.0
    choices: int = 40


class Instance(AddsUp):
    """A WebAssembly module with its memory, and the calls of its exports."""

    def __init__(
        self, compiled: Compiled, module: wasmtime.Module | None = None, budget: int = MOST_STEPS
    ) -> None:
        self.compiled = compiled
        self.layout = compiled.layout
        self.program = compiled.layout.program
        self.plan = compiled.plan
        self.budget = budget
        self._store = wasmtime.Store(engine())
        self._module = module or wasmtime.Module(engine(), compiled.code)
        exports = wasmtime.Instance(self._store, self._module, []).exports(self._store)
        memory = exports["memory"]
        assert isinstance(memory, wasmtime.Memory)
        self._memory = memory
        self._calls: dict[str, wasmtime.Func] = {}
        doors = ["configure", "begin", "resume", "look", "rewind", "simulate", "keep", "playouts"]
        doors += ["explore", "forget", "imagine"] if compiled.purpose.searches else []
        doors += ["learn"] if compiled.purpose.guided else []
        for name in doors:
            found = exports[name]
            assert isinstance(found, wasmtime.Func)
            self._calls[name] = found
        self._weights = b""  # the policy currently in memory
        self._frames = Frames(compiled.facts)
        self.journal = Journal(compiled.facts, compiled.layout)

    @property
    def sum_places(self) -> SumPlaces:
        return self.plan.sum_places

    @property
    def native(self) -> bytes:
        """The machine code that wasmtime compiled for this computer."""
        return bytes(self._module.serialize())

    def another(self) -> Instance:
        return Instance(self.compiled, self._module, self.budget)

    # ------------------------------------------------------------ positions

    def load(self, state: State) -> None:
        """Copies a position and its control stack into memory.

        Raises `images.CannotHold` for a state this module cannot continue from.
        """
        plan = self.plan
        images.forget_texts()
        frames = self._frames.written(state.stack)
        if len(frames) > plan.frames_end - plan.frames:
            raise OutOfMemory(self.program.name)
        content = images.written(plan, state) + frames
        self._write(plan.state, content)
        self._call("rewind", plan.frames + len(frames))

    def read(self, state: State) -> None:
        """Copies the memory into a state, which keeps its seed and its settings."""
        plan = self.plan
        saved, noted, _, _ = self._call("look")
        end = max(saved, plan.state_end)
        memory = self._read(plan.state, end)
        situation = images.Bytes(plan, bytearray(memory[: plan.state_end - plan.state]))
        images.read(plan, situation, state)
        ended, count, *winners = unpack_from(
            f"<i4xi{self.layout.players}i", memory, plan.ended - plan.state
        )
        state.journal += self.journal.read(self._read(plan.journal, noted))
        state.offered = None
        if ended:
            state.ended = "over" if ended == OVER else "stopped"
            state.winners = tuple(winners[:count])
            state.stack.clear()
            state.pending = None
            return
        self._read_pending(state, memory[plan.frames - plan.state : saved - plan.state])

    def _read_pending(self, state: State, frames: bytes) -> None:
        plan = self.plan
        (kind,) = unpack("<i", self._read(plan.pending, plan.pending + 4))
        state.stack[:] = self._frames.read(frames, kind == TOGETHER)
        if kind == CHANCE:
            state.pending = ("chance", ())
            return
        frame = state.stack[-1]
        ask = self.journal.ask(frame.clause, frame.pc)
        (count,) = unpack("<i", self._read(plan.asked_count, plan.asked_count + 4))
        asked = list(iter_unpack("<iiii", self._read(plan.asked, plan.asked + 16 * count)))
        state.pending = (_KINDS[kind], tuple(seat for seat, *_ in asked))
        state.offered = {
            seat: self._options(ask, start, number) for seat, start, number, _ in asked
        }
        if kind == TOGETHER:
            block = self._list(plan.settled_replies)
            state.secret = {seat: reply for seat, reply, _ in replies(ask, block)}

    def _options(self, ask: ir.Ask, start: int, count: int) -> list[Reply]:
        size = 4 * stride(ask)
        content = self._read(start, start + size * count)
        found: list[Reply] = []
        for at in range(0, len(content), size):
            (number,) = unpack_from("<i", content, at)
            values: list[Value] = []
            alternative = ask.alternatives[number]
            for part, offset in zip(alternative.parts, offsets(alternative), strict=True):
                of = part.binder.type
                if part.several:
                    address, mask = unpack_from("<iQ", content, at + offset)
                    members = self._chosen(address, mask)
                    values.append(tuple(images.value(member, of) for member in members))
                else:
                    values.append(images.value(unpack_from("<i", content, at + offset)[0], of))
            found.append((number, tuple(values)))
        return found

    def _chosen(self, address: int, mask: int) -> list[int]:
        """Returns the members of a list selected by a mask, the highest bit for the first."""
        members = self._list(address)
        if mask == MASK:
            return members
        return [member for at, member in enumerate(members) if mask >> (63 - at) & 1]

    # ------------------------------------------------------------ execution

    def begin(self, state: State, clause: int, arguments: Sequence[Value]) -> None:
        """Executes a clause to the first question."""
        self.load(state)
        self._configure(state)
        slots = self.program.clauses[clause].slots
        self._write(self.plan.reply, self._arguments([s.type for s in slots], arguments))
        self._guarded(lambda: self._call("begin", clause))
        self.read(state)

    def answer(self, state: State, given: Reply | dict[int, Reply]) -> None:
        """Continues with a reply; for several players asked at once, with all replies by seat."""
        self.load(state)
        self._configure(state)
        self.write_reply(state, given)
        self._guarded(lambda: self._call("resume", 0))
        state.secret = {}
        self.read(state)

    def offers(self, state: State) -> dict[int, list[Reply]]:
        """Returns the options of the pending question, by seat."""
        self.load(state)
        self._configure(state)
        self._guarded(lambda: self._call("resume", 1))
        looked = state.copy()
        self.read(looked)
        assert looked.offered is not None
        return looked.offered

    def go_on(self, state: State) -> None:
        """Evaluates the pending question again, perhaps with other settings, and continues."""
        self.load(state)
        self._configure(state)
        self._guarded(lambda: self._call("resume", 1))
        self.read(state)

    def ways(self, state: State, depth: int, forced: bool) -> int:
        """Counts the sequences of `depth` answers from a pending question (perft). `forced`:
        questions with only one answer count, too.

        Each node restores a snapshot of the memory before the next answer. Raises `CannotCount` at
        chance nodes and simultaneous questions.
        """
        self.load(state)
        self._configure(state)
        counted = 0

        def count() -> None:
            nonlocal counted
            self._call("resume", 1)
            counted = self._ways(depth, forced)

        self._guarded(count)
        return counted

    def _ways(self, depth: int, forced: bool) -> int:
        plan = self.plan
        if depth <= 0:
            return 1
        (ended,) = unpack("<i", self._read(plan.ended, plan.ended + 4))
        if ended:
            return 0
        (kind,) = unpack("<i", self._read(plan.pending, plan.pending + 4))
        if kind != CHOICE:
            raise CannotCount(self.program.name)
        _, start, count, _ = unpack("<4i", self._read(plan.asked, plan.asked + 16))
        if depth == 1:
            return int(count)
        saved, _, _, _ = self._call("look")
        here = self._read(plan.state, saved)
        frame = self._frames.read(here[plan.frames - plan.state :], False)[-1]
        ask = self.journal.ask(frame.clause, frame.pc)
        total = 0
        for reply in self._options(ask, start, count):
            self._write(plan.state, here)
            self._call("rewind", saved)
            self._write(plan.reply, self._entry(ask, reply))
            self._call("resume", 0)
            total += self._ways(depth - 1 - (self._forced() if forced else 0), forced)
        return total

    def _forced(self) -> int:
        """Returns the number of forced answers since the last reply."""
        _, noted, _, _ = self._call("look")
        return self.journal.count(self._read(self.plan.journal, noted), "forced")

    def write_reply(self, state: State, given: Reply | dict[int, Reply]) -> None:
        """Stores the answer where the pending question reads it."""
        at, frame = self.plan.reply, state.stack[-1]
        assert state.pending is not None
        if state.pending[0] == "chance":
            assert not isinstance(given, dict)
            self._write(at, pack("<i", int(given[1][0])))
            return
        ask = self.journal.ask(frame.clause, frame.pc)
        if isinstance(given, dict):
            words: list[int] = []
            for seat in frame.slots[ask.replies_slot]:
                words += reply_words(ask, seat, given[seat], seat in state.pending[1])
            self._write(at, pack(f"<{len(words) + 1}i", len(words), *words))
            return
        self._write(at, self._entry(ask, given))

    def _entry(self, ask: ir.Ask, given: Reply) -> bytes:
        """Encodes a reply like an option, with its lists behind it."""
        number, values = given
        head, lists = pack("<i", number), b""
        behind = self.plan.reply + 4 * stride(ask)
        for part, chosen in (
            zip(ask.alternatives[number].parts, values, strict=True) if (number >= 0) else ()
        ):
            of = part.binder.type
            if part.several:
                words = [images.word(member, of) for member in chosen]
                head += pack("<iQ", behind + len(lists), MASK)
                lists += pack(f"<{len(words) + 1}i", len(words), *words)
            else:
                head += pack("<i", images.word(chosen, of))
        return head.ljust(4 * stride(ask), b"\0") + lists

    def _arguments(self, types: Sequence[ir.Type], values: Sequence[Value]) -> bytes:
        """Encodes each value as a word, with the lists behind them."""
        words: list[int] = []
        lists: list[int] = []
        behind = self.plan.reply + 4 * len(values)
        for of, given in zip(types, values, strict=False):
            if isinstance(of, ir.SetType):
                words.append(behind + 4 * len(lists))
                lists += [len(given), *(images.word(member, of.of) for member in given)]
            else:
                words.append(images.word(given, of))
        return pack(f"<{len(words) + len(lists)}i", *words, *lists)

    # ------------------------------------------------------------ many games

    def games(self, seed: int, first: int, count: int) -> list[Played]:
        """Plays games `first`, `first` + 1, … of a simulation with this seed, between random
        players.

        They are the games that `random` bots play with the same seeds on any machine.
        """
        words = f"<{self._record_size // 4}i"
        return [
            self._played(each)
            for content in self.records(seed, first, count)
            for each in iter_unpack(words, content)
        ]

    def finished_games(self, seed: int, first: int, count: int) -> list[Played]:
        """Like `games`, without those that abort with a fault of the rules."""
        try:
            return self.games(seed, first, count)
        except (RuleFault, OutOfMemory):
            finished = []
            for number in range(first, first + count):
                with suppress(RuleFault, OutOfMemory):
                    finished += self.games(seed, number, 1)
            return finished

    def records(self, seed: int, first: int, count: int) -> Iterator[bytes]:
        """Like `games`, but yields the raw records: words of 32 bits, named by `columns`."""
        while count > 0:
            some = min(self.most_games, count)
            self.play(seed, first, some)
            yield self._read(self.plan.records, self.plan.records + self._record_size * some)
            first += some
            count -= some

    @property
    def columns(self) -> dict[str, slice]:
        """The words of a record by name, see `Compiled.columns`."""
        return self.compiled.columns

    @property
    def _record_size(self) -> int:
        return self.compiled.record_size

    @property
    def lead_worth(self) -> int:
        """The value of a lead of one in `Tried.own`: points, or progress."""
        return 1 if self.plan.progress else self.program.goal.worth

    @property
    def most_games(self) -> int:
        """The number of games that can be recorded in one call."""
        return max(1, self.plan.sizes.records // self._record_size)

    def play(self, seed: int, first: int, count: int) -> None:
        """Like `games`, all in one call, leaving the records in memory."""
        self._call("configure", NEVER, -1, 0, 0, self.budget)
        self._guarded(lambda: self._call("simulate", signed(seed), first, count))

    def _played(self, words: tuple[int, ...]) -> Played:
        part = {name: words[each] for name, each in self.columns.items()}
        (won,), (decisions,), (options,) = part["won"], part["decisions"], part["options"]
        return Played(part["scores"], part["winners"][:won], decisions, options)

    def keep(self) -> None:
        """Takes the snapshot from which playouts start."""
        self._call("keep")

    def playouts(
        self,
        seed: int,
        first: int,
        count: int,
        *,
        reseed: bool = True,
        answered: bool = False,
    ) -> Sums:
        """Plays out `count` times from the snapshot, everyone choosing uniformly.

        Playout number n has an RNG of its own, seeded by the seed and n: for the players, and with
        `reseed` for the game (else the game keeps its seed in all of them). `answered`: the first
        question takes the reply from `write_reply` instead of a random one.
        """
        self._call("configure", NEVER, 0, 0, 0, self.budget)
        word = signed(seed)
        self._guarded(
            lambda: self._call("playouts", word, first, count, int(reseed), int(not answered))
        )
        at = self.plan.sums + 8
        content = self._read(at, at + 16 * self.layout.players)
        pairs = list(iter_unpack("<qq", content))
        return Sums(
            count,
            tuple(points for points, _ in pairs),
            tuple(wins / SHARE for _, wins in pairs),
        )

    def forget(self) -> None:
        """Clears the search tree and the playout statistics."""
        self._call("forget")

    def accustom(self, habits: bytes) -> None:
        """Initialises the habits of the playout policy."""
        self._write(self.plan.tree.habits, habits)

    def habits(self) -> bytes:
        """Returns the learned habits of the playout policy."""
        at = self.plan.tree.habits
        return self._read(at, at + HABIT * HABITS)

    def lay_out(self, unseen: Unseen, seats: tuple[int, ...]) -> None:
        """Stores a seat's knowledge as a position with gaps, which `explore` and `imagine` fill.
        The game waits for `seats`.

        Raises `images.CannotHold` if this module cannot fill them.
        """
        template, table = hidden_information.written(self.plan, self._frames, unseen, seats)
        self._write(self.plan.worlds.template, template)
        self._write(self.plan.worlds.table, table)

    def imagine(self, seed: int, number: int) -> None:
        """Deals the world of playout `number` with this seed, and takes a snapshot of it."""
        self._call("imagine", signed(seed), number)

    def explore(
        self,
        options: Sequence[int],
        seat: int,
        seed: int,
        rounds: int,
        *,
        first: int = 0,
        deep: bool = False,
        habits: bool = False,
        reach: int = NEVER,
        turns: int = 0,
        deals: int = 0,
        discreet: bool = False,
    ) -> list[Tried]:
        """Plays out from the snapshot `rounds` times with each option of a seat; `first`: from this
        playout on.

        Playout number n has the same RNG with all options (common random numbers). `deals`: each n
        deals a world of its own into the gaps; a world in which other seats would be asked is dealt
        again, at most so many times. Everyone chooses uniformly; `deep`: a tree search prefers
        replies that did well, see `search.py`. `reach`: cuts a playout off after so many replies
        (at least one) outside the tree. `habits`: outside the tree, the playout policy prefers
        replies that did well, see `playouts/playout_policy`. `turns`: cuts a playout off when the
        seat is asked for so many times more, with `SCORED` for the first time after points were
        made, or with `LEAF` when anyone is asked outside the tree, and takes the learned expected
        value instead. Playouts that end in a fault of the rules are left out."""
        at, last = (each * len(options) for each in (first, first + rounds))
        records = self.plan.records
        trials = records + ORDER
        self._write(trials, b"".join([pack("<i52x", option) for option in options]))
        while at < last:
            how = (deep, habits, reach, deals, discreet, self.budget, turns)
            self._write(records, pack("<q11i", signed(seed), len(options), at, last, seat, *how))
            try:
                self._stoppable(partial(self._call, "explore"))
                break
            except (RuleFault, OutOfMemory):
                at = 1 + self._current()
        content = self._read(trials, trials + TRIAL * len(options))
        return [
            Tried(option, count, ended, wins / SHARE, own, total, size, expected)
            for option, count, ended, wins, own, total, size, expected in iter_unpack(
                "<3i4x4qd", content
            )
        ]

    # ------------------------------------------------------------ a learned policy

    def guide(self, weights: bytes, seats: int = EVERYONE, best: int = 0) -> None:
        """Lets these seats, a bit for each, play by a policy: the `best` of them greedily, the
        others by its probabilities."""
        room = self.plan.policy
        if weights is not self._weights:
            self._write(room.weights, weights)
            self._weights = weights
        self._write(room.seats.offset, pack("<2q", seats, best))

    def learn(
        self, how: Learning, seed: int, first: int, count: int
    ) -> tuple[bytes, list[tuple[int, str]]]:
        """Plays games `first`, `first` + 1, … with this seed by the policy, and learns from each.

        Returns the weights, and the number and fault of each aborted game, from which nothing is
        learned.
        """
        room = self.plan.policy
        numbers = (how.rate, how.pull, how.victory, how.ahead, how.lasting, how.choices)
        # Running sums of results follow; they start at 0.
        self._write(room.rate.offset, pack("<12d", *numbers, *[0.0] * 6))
        self._write(room.learning.offset, pack("<i", 1))
        self._call("configure", NEVER, -1, 0, 0, self.budget)
        last, aborted = first + count, []
        while first < last:
            try:
                self._guarded(partial(self._call, "learn", signed(seed), first, last - first))
                break
            except (RuleFault, OutOfMemory) as fault:
                aborted.append((self._current(), str(fault)))
                first = 1 + self._current()
        self._write(room.learning.offset, pack("<i", 0))
        self._weights = b""
        return self._read(room.weights, room.weights + FEATURE * WEIGHTS), aborted

    def advise(self, seat: int, seed: int, *, deals: int, discreet: bool) -> int:
        """Returns the option that the policy takes for a seat at the snapshot, or at what was laid
        out."""
        room = self.plan.policy
        self._write(room.advising.offset, pack("<2i", 1, -1))
        self.explore([0], seat, seed, 1, deep=False, reach=1, deals=deals, discreet=discreet)
        self._write(room.advising.offset, pack("<i", 0))
        advice = self._read(room.advice.offset, room.advice.offset + 4)
        return int.from_bytes(advice, "little", signed=True)

    def advised(self, options: int) -> list[float]:
        """Returns the probability of each of so many options at the question asked last."""
        at = self.plan.policy.worths
        return list(unpack(f"<{options}d", self._read(at, at + 8 * options)))

    # ------------------------------------------------------------ the module

    def _configure(self, state: State) -> None:
        self._call("configure", 0, -1, int(state.ask_chance), int(state.discreet), self.budget)

    def _call(self, name: str, *given: int) -> list[int]:
        found = self._calls[name](self._store, *given)
        return found if isinstance(found, list) else [found]

    def _guarded(self, work: Callable[[], object]) -> None:
        """Turns a trap of the module into a fault of the rules."""
        self._write(self.plan.fault, bytes(4))
        self._stoppable(work)

    def _stoppable(self, work: Callable[[], object]) -> None:
        try:
            work()
        except wasmtime.Trap as trap:
            (number,) = unpack("<i", self._read(self.plan.fault, self.plan.fault + 4))
            if not number and trap.trap_code is not wasmtime.TrapCode.STACK_OVERFLOW:
                raise
            point = self.compiled.fault(number) if number else None
            if point is None or point.message == NO_ROOM:
                raise OutOfMemory(self.program.name) from None
            raise RuleFault(point.clause, point.message, point.span) from None

    def touched(self, start: int, end: int) -> int:
        """Returns how much of a region was ever written, up to the last byte that is not 0."""
        return len(self._read(start, end).rstrip(b"\0"))

    def word(self, at: int) -> int:
        """Returns the word of 32 bits at an address."""
        return int.from_bytes(self._read(at, at + 4), "little")

    def _read(self, start: int, end: int) -> bytes:
        return bytes(self._memory.read(self._store, start, end))

    def _write(self, at: int, content: bytes) -> None:
        self._memory.write(self._store, content, at)

    def _list(self, at: int) -> list[int]:
        (count,) = unpack("<i", self._read(at, at + 4))
        return list(unpack(f"<{count}i", self._read(at + 4, at + 4 + 4 * count)))
