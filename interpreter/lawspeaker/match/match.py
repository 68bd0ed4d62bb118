"""A match: plays one game by answering decisions.

A match is a machine, a state, and the record of events and replies. `decision` is the pending
question (the first of `decisions`, when several seats are asked at once), and `choose` answers it
with an option, its text or its number. Illegal replies change nothing.

    match = Match(program, players=4, seed=7)
    while decision := match.decision:
        match.choose(decision.options[0])
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from lawspeaker import ir
from lawspeaker.machines.reference import Machine, RuleFault, machine_for
from lawspeaker.machines.reference.situation import Situation
from lawspeaker.match.decision import Decision, IllegalChoice, Option, chance_decision, decision
from lawspeaker.match.determinization import determinized
from lawspeaker.match.events import Event, Viewer, event_text, is_silent
from lawspeaker.match.explain import Points, Refusal, points_of, well_formed, why_not
from lawspeaker.match.facts import decision_facts, event_facts, option_facts, table_facts
from lawspeaker.match.log import Log, LoggedReply, Result, RuleFile
from lawspeaker.match.log.fingerprints import fingerprint, position_fingerprint
from lawspeaker.match.scripted_chance import ImpossibleLuck, ScriptedChance, Told
from lawspeaker.match.view import InCommon, View, in_seat_numbering, view_of
from lawspeaker.match.writing import Writing, writing
from lawspeaker.position.layout import Value
from lawspeaker.position.state import Note, Reply, State

Setup = Mapping[str, Any] | Callable[[Situation], None]
KEPT = 3
"""Number of last replies for which the previous state is kept."""


class Match:
    """A game between `players` seats; chance is decided by the seed, or asked with chance='ask'.

    `luck` scripts draws and picks: see `scripted_chance`. `discretion` is quick or discreet:
    whether players with nothing to choose are asked as well, so that nobody learns that. `machine`
    is reference or wasm, with equal behaviour.
    """

    def __init__(
        self,
        program: ir.Program,
        players: int,
        seed: int,
        chance: str = "seed",
        discretion: str = "quick",
        machine: str = "reference",
        luck: Told | None = None,
    ) -> None:
        if chance not in ("seed", "ask"):
            raise ValueError(f"chance is seed or ask, not {chance}")
        if discretion not in ("quick", "discreet"):
            raise ValueError(f"discretion is quick or discreet, not {discretion}")
        made = _maker(machine)(program, players)
        given = ScriptedChance(made.layout, luck, asks=chance == "ask") if luck else None
        asks = chance == "ask" or given is not None
        state = made.blank(seed, ask_chance=asks, discreet=discretion == "discreet")
        self._set_up(made, state, given)
        self.from_start = True
        made.begin(state, program.main, ())
        self._settle(state, ())
        self._after()

    def _set_up(
        self,
        machine: Machine,
        state: State,
        luck: ScriptedChance | None = None,
    ) -> None:
        self.machine = machine
        self.program = machine.program
        self.state = state
        self._luck = luck
        self._journal: list[Note] = []
        self._events: list[Event] = []
        self._given: list[Option] = []
        self._marks: list[int] = []
        self._moment: object = object()
        self._moments: list[object] = []
        self._first: State | None = None
        self._befores: dict[int, State] = {}
        self.from_start = False
        self._decisions: dict[int | None, Decision] | None = None
        self.rules = machine.program.name

    @classmethod
    def from_state(
        cls,
        program: ir.Program,
        state: State,
        machine: Machine | None = None,
    ) -> Match:
        """Continues from a state, without a record of earlier events.

        `machine` overrides the machine that runs this program.
        """
        match = cls.__new__(cls)
        machine = machine or machine_for(program, state.players)
        match._set_up(machine, state.copy())
        return match

    def begin(self, clause: ir.Clause, arguments: Sequence[Value]) -> None:
        """Runs a clause in the current state."""
        self._decisions = None
        self.machine.begin(self.state, clause.index, arguments)
        self._after()

    @classmethod
    def at(
        cls,
        program: ir.Program,
        players: int,
        clause_id: str,
        arguments: Sequence[Value] | Mapping[str, Value] = (),
        setup: Setup | None = None,
        *,
        seed: int = 0,
        chance: str = "seed",
        discretion: str = "quick",
    ) -> Match:
        """Starts with a given clause in a situation set up by hand (see `Situation`).

        Arguments are texts or plain values, in order or by name. The match is over when the
        clause is done, stopped rather than won.
        """
        match = cls.__new__(cls)
        found = [clause for clause in program.clauses if clause.id == clause_id]
        if not found:
            raise ValueError(f"there is no clause {clause_id}")
        program, clause = program.entering(found[0])
        machine = machine_for(program, players)
        state = machine.blank(seed, ask_chance=chance == "ask", discreet=discretion == "discreet")
        match._set_up(machine, state)
        situation = Situation(machine.layout, state)
        if callable(setup):
            setup(situation)
        elif setup is not None:
            situation.apply(setup)
        wanted = clause.slots[: clause.parameters]
        if isinstance(arguments, Mapping):
            arguments = [arguments[slot.name] for slot in wanted]
        values = [
            situation.value(slot.type, value) for slot, value in zip(wanted, arguments, strict=True)
        ]
        machine.begin(state, clause.index, values)
        match._after()
        return match

    # ------------------------------------------------------------ asking and answering

    def __repr__(self) -> str:
        return f"<Match {self.program.name}: {self.players} players, {len(self.replies)} replies>"

    @property
    def decision(self) -> Decision | None:
        """The pending question; None when the game is over."""
        asked = self._asked()
        for each in asked.values():
            return each
        return None

    @property
    def decisions(self) -> tuple[Decision, ...]:
        """All pending questions, one for each seat that has not answered yet."""
        return tuple(self._asked().values())

    @property
    def situation(self) -> str:
        """Canonical text of the position, equal for indistinguishable ones however they were
        reached.
        """
        state = self.state
        data = state.to_json()
        for passing in ("steps", "picks", "shuffles", "states"):
            del data[passing]
        data.pop("known", None)
        data["contents"] = {
            str(place): [self._looks_of(piece) for piece in held]
            for place, held in sorted(state.contents.items())
        }
        return json.dumps(data, sort_keys=True, separators=(",", ":"))

    def _looks_of(self, piece: int) -> list[Value]:
        """Distinguishing properties of a piece: appearance, states, and who knows it."""
        layout, state = self.machine.layout, self.state
        states = [state.states[at + piece] for at in layout.state_at[layout.piece_type[piece]]]
        known = state.known.get(piece)
        return [layout.alike[piece], states, *([] if known is None else [known])]

    def asked(self, seat: int) -> Decision:
        """The question to a seat, for omniscient callers.

        The seat itself gets the question in its view, whose options may be in another order.
        """
        return self._asked()[seat]

    def shown(self, seat: int) -> Decision:
        """The question to a seat, as the seat sees it."""
        asked = self.view(seat).decision
        if asked is None:
            raise KeyError(seat)
        return asked

    def _asked(self) -> dict[int | None, Decision]:
        if self._decisions is None:
            state = self.state
            if state.pending is None:
                self._decisions = {}
            elif state.pending[0] == "chance":
                self._decisions = {None: chance_decision(self.machine, state)}
            else:
                self._decisions = {
                    seat: decision(self.machine, state, seat)
                    for seat in state.pending[1]
                    if seat not in state.secret
                }
        return self._decisions

    def choose(self, option: Option | str | int, seat: int | None = None) -> None:
        """Answers the question with an option, its text, or its number from 0.

        A text or a number answers for `seat`, or else for the seat asked first. An option answers
        for the seat it was offered to, and only the question it was offered for.
        """
        asked = self._asked()
        if not asked:
            clause = self.program.clauses[self.program.main]
            raise IllegalChoice("the game is over; nobody is asked", clause)
        if isinstance(option, Option):
            self._answer(*self._meant(option, seat))
            return
        current = self._question_to(next(iter(asked)) if seat is None else seat)
        if isinstance(option, str):
            self._answer(current, self._find(current, option))
        elif 0 <= option < len(current.options):
            self._answer(current, current.options[option])
        else:
            message = f"there are {len(current.options)} options, counted from 0"
            raise IllegalChoice(message, current.clause)

    def _question_to(self, seat: int | None) -> Decision:
        asked = self._asked()
        if seat in asked:
            return asked[seat]
        first = next(iter(asked.values()))
        raise IllegalChoice(f"{self._called(seat)} is not asked now", first.clause)

    def _meant(self, option: Option, seat: int | None) -> tuple[Decision, Option]:
        """The question that an option answers, and the equal option of this match.

        It may come from a copy or a determinization, where the same is asked. Options of
        questions that this match has answered are refused, even if the same is asked again.
        """
        own, clause = option.seat, option.clause
        if seat is not None and seat != own:
            message = f"{option.text} is an option of {self._called(own)}, not of "
            raise IllegalChoice(message + self._called(seat), clause)
        asked = self._asked().get(own)
        if asked is not None and option.setting is asked.setting:
            return asked, option
        if self._is_past(option):
            message = f"{option.text} is an option of a question that is answered already"
            raise IllegalChoice(message, clause)
        current = self._question_to(own)
        if current.clause.id != clause.id:
            message = f"{option.text} is an option of {clause.id}; what is asked now is "
            raise IllegalChoice(message + current.clause.id, current.clause)
        return current, self._find(current, option.text)

    def _is_past(self, option: Option) -> bool:
        """Whether an option belongs to a question that its seat has answered in this match."""
        setting = option.setting
        return any(
            setting is given.setting or (setting.moment is moment and given.seat == setting.seat)
            for given, moment in zip(self._given, self._moments, strict=True)
        )

    def _called(self, seat: int | None) -> str:
        if seat is None:
            return "luck"
        known = 0 <= seat < self.players
        return self.program.player_names[seat] if known else f"seat {seat}"

    def _find(self, current: Decision, wanted: str) -> Option:
        option = current.option(wanted)
        if option is not None:
            return option
        own = writing(self.machine, self.state, current, wanted)
        if isinstance(own, Writing) and own.option is not None:
            return own.option
        refusal = self.why_not(wanted, current.seat)
        raise IllegalChoice(refusal.message, refusal.clause, refusal.guard, refusal.span)

    def _answer(self, current: Decision, option: Option) -> None:
        if self._first is None:
            self._first = self.state.copy()
        before = self.state.copy()
        try:
            self.machine.answer(self.state, current.setting.seat, option.reply)
            self._settle(self.state, self._journal)
        except (RuleFault, ImpossibleLuck):
            # Roll back on a fault of the rules.
            self.state = before
            self._decisions = None
            raise
        self._befores[len(self._given)] = before
        if len(self._befores) > KEPT:
            del self._befores[min(self._befores)]
        self._given.append(option)
        self._marks.append(len(self._journal))
        self._moments.append(self._moment)
        if self.state.pending is not before.pending:  # else others still have the same question
            self._moment = object()
        self._decisions = None
        self._after()

    def _settle(self, state: State, past: Sequence[Note]) -> None:
        if self._luck is not None:
            self._luck.settle(self.machine, state, past, asks=self._luck.asks)

    def leave_to_luck(self) -> None:
        """Lets the seed resolve pending chance events until a player is asked."""
        state = self.state
        if state.pending is not None and state.pending[0] == "chance":
            self._decisions = None
            if self._luck is not None:
                self._luck.settle(self.machine, state, self._journal, asks=False)
            else:
                state.pending = None
                state.ask_chance = False
                self.machine.run(state)
                state.ask_chance = True
            self._after()

    def _after(self) -> None:
        if self.state.journal:
            self._journal += self.state.journal
            self.state.journal = []

    def why_not(self, text: str, seat: int | None = None) -> Refusal:
        """Explains why a choice is not offered: the guard that refuses it, or what is wrong with
        it.
        """
        state, current = self._as_told(seat)
        own = None if current is None else writing(self.machine, state, current, text)
        if isinstance(own, Refusal):
            return own
        if own is not None and current is not None:
            offered = own.option
            if offered is None:
                return why_not(self.machine, own.state, current, own.said)
            return Refusal(f"{offered.text} is offered", current.clause, offered=True)
        return why_not(self.machine, state, current, text)

    def written(self, text: str, seat: int | None = None) -> tuple[Option | None, Sequence[Option]]:
        """Parses an answer with a player's own text; returns the option and all options with
        that text.

        Empty if the rules refuse the text, or the question asks for none.
        """
        state, current = self._as_told(seat)
        own = None if current is None else writing(self.machine, state, current, text)
        if not isinstance(own, Writing):
            return None, ()
        return own.option, own.decision.options

    def well_formed(self, seat: int | None = None) -> list[Option]:
        """All answers to a seat's question regardless of guards."""
        state, current = self._as_told(seat)
        return [] if current is None else well_formed(self.machine, state, current)

    def _as_told(self, seat: int | None) -> tuple[State, Decision | None]:
        """The question to a seat, or the first, in a state with the seat's numbering of pieces."""
        current = self.decision if seat is None else self._asked().get(seat)
        if current is None or current.seat is None:
            return self.state, current
        state = in_seat_numbering(self.machine, self.state, current.seat)
        return state, decision(self.machine, state, current.seat)

    # ------------------------------------------------------------ what there is to see

    @property
    def players(self) -> int:
        return self.machine.players

    @property
    def seats_asked(self) -> tuple[int, ...]:
        """The seats of the pending question, whether they have answered or not."""
        return () if self.state.pending is None else self.state.pending[1]

    @property
    def scores(self) -> list[int]:
        """Scores by seat; members of a side share one."""
        return list(self.machine.layout.shared(self.state.scores))

    @property
    def finished(self) -> bool:
        return bool(self.state.ended)

    @property
    def winners(self) -> tuple[int, ...]:
        return self.state.winners

    @property
    def events(self) -> list[Event]:
        """All events, in order."""
        for number in range(len(self._events), len(self._journal)):
            kind, clause, seat, data, known = self._journal[number]
            if kind == "chance" and is_silent(self.machine.layout, data):
                known = 0
            self._events.append(Event(number, clause, kind, seat, data, known))
        return self._events

    def tell(self, event: Event, viewer: Viewer = "all") -> str:
        """Renders an event as a viewer (a seat, None, or `all`) knows it."""
        return event_text(self.machine, event, viewer)

    def facts(self, of: Event | Decision | Option, viewer: Viewer = "all") -> dict[str, Any]:
        """Serialises an event (as a viewer knows it), a question or an option."""
        if isinstance(of, Decision):
            return decision_facts(of)
        return option_facts(of) if isinstance(of, Option) else event_facts(self.machine, of, viewer)

    def table(self) -> dict[str, Any]:
        """Serialises the whole table including hidden information: places, markers and scores.

        For referees and storage; players get their view.
        """
        return table_facts(self.machine.layout, self.state)

    def view(self, seat: int | None, common: InCommon | None = None) -> View:
        """The view of a seat (None: a spectator); `common` is the cache of `in_common`."""
        events, moment = self.events, self._moment
        return view_of(self.machine, self.state, seat, events, moment, common=common)

    def in_common(self) -> InCommon:
        """Cache of what is the same in all views until the next reply."""
        return InCommon(self.machine, self.state)

    def why_points(self, seat: int) -> list[Points]:
        """Breaks down a seat's score by clause; the totals add up to its score."""
        return points_of(self.machine, self.state, self._journal, seat)

    # ------------------------------------------------------------ keeping

    def copy(self) -> Match:
        """An independent match in the same situation."""
        twin = Match.__new__(Match)
        twin.machine = self.machine
        twin.program = self.program
        twin.state = self.state.copy()
        twin._luck = self._luck
        twin._journal = self._journal.copy()
        twin._events = self._events.copy()
        twin._given = self._given.copy()
        twin._marks = self._marks.copy()
        twin._moment = object()
        twin._moments = self._moments.copy()
        twin._first = self._first
        twin._befores = self._befores.copy()
        twin.from_start = self.from_start
        twin._decisions = None
        twin.rules = self.rules
        return twin

    # ------------------------------------------------------------ going back

    @property
    def replies(self) -> tuple[Option, ...]:
        """All replies so far, in order."""
        return tuple(self._given)

    def events_of(self, reply: int | None) -> list[Event]:
        """The events caused by a reply (counted from 0; None: the start)."""
        first = 0 if reply is None else self._marks[reply]
        after = 0 if reply is None else reply + 1
        last = self._marks[after] if after < len(self._marks) else len(self._journal)
        return self.events[first:last]

    def reply_of(self, event: int) -> int | None:
        """The reply that caused an event, by the event's number; None for the start."""
        found = bisect_right(self._marks, event) - 1
        return found if found >= 0 else None

    def state_after(self, replies: int) -> State:
        """Recomputes the state after the first so many replies."""
        if not 0 <= replies <= len(self._given):
            raise ValueError(f"there are {len(self._given)} replies")
        state = (self._first or self.state).copy()
        before = self._journal[: self._marks[0]] if self._marks else ()
        for option in self._given[:replies]:
            self.machine.answer(state, option.setting.seat, option.reply)
            self._settle(state, before)
        state.journal = []
        return state

    def before(self, reply: int) -> State | None:
        """The state before a reply (counted from 0), if it is one of the last."""
        found = self._befores.get(reply)
        return None if found is None else found.copy()

    def rewind(self, replies: int) -> None:
        """Truncates the match to the first so many replies."""
        if replies == len(self._given):
            return
        self.state = self.state_after(replies)
        kept = self._marks[replies]
        del self._journal[kept:], self._events[kept:]
        del self._given[replies:], self._marks[replies:], self._moments[replies:]
        self._befores = {at: kept for at, kept in self._befores.items() if at < replies}
        self._moment = object()
        self._decisions = None

    # ------------------------------------------------------------ logs

    def log(self, seats: Sequence[str] = (), bundle: Sequence[RuleFile] = ()) -> dict[str, Any]:
        """Serialises the game for replay (see schema/log.schema.json).

        `seats` says who sat where; `bundle` includes the files of the rules.
        """
        return self.record(seats, bundle).to_json()

    def record(self, seats: Sequence[str] = (), bundle: Sequence[RuleFile] = ()) -> Log:
        """The log of a match that was played from its start."""
        if not self.from_start:
            raise ValueError("only a game that was played from its start can be logged")
        if seats and len(seats) != self.players:
            raise ValueError(f"there are {self.players} seats, and {len(seats)} are named")
        machine, state = self.machine, self.state
        replies = tuple(
            LoggedReply(
                option.setting.seat,
                option.text,
                self.program.clauses[option.setting.clause].id,
                fingerprint(machine, self.events_of(number)),
            )
            for number, option in enumerate(self.replies)
        )
        result = None
        if self.finished:
            position = position_fingerprint(machine, state)
            result = Result(tuple(self.scores), tuple(self.winners), position)
        return Log(
            self.rules,
            self.program.digest,
            self.players,
            tuple(seats),
            state.seed,
            "ask" if state.ask_chance and (self._luck is None or self._luck.asks) else "seed",
            "discreet" if state.discreet else "quick",
            fingerprint(machine, self.events_of(None)),
            replies,
            result,
            tuple(bundle),
            {} if self._luck is None else self._luck.told,
        )


def _maker(machine: str) -> Callable[[ir.Program, int], Machine]:
    """The factory of the machine with this name."""
    if machine == "reference":
        return machine_for
    if machine == "wasm":
        from lawspeaker.machines.adapter import compiled_for

        return compiled_for
    raise ValueError(f"the machine is reference or wasm, not {machine}")


def imagine(view: View, seed: int) -> Match:
    """A match in a determinization of a view; everything unseen is drawn from the seed."""
    return Match.from_state(view.program, determinized(view, seed))


__all__ = ["IllegalChoice", "ImpossibleLuck", "Match", "Reply", "RuleFault", "Setup", "imagine"]
