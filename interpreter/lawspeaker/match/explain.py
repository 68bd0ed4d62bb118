"""Explains why a choice is not offered, and which clauses scored points.

`why_not` parses a text as a choice, leniently: case and commas do not matter, names in any
language of the game are accepted, the label may be missing, and omitted parts may be anything. It
enumerates all completions, ignoring guards, and finds for each the first guard that refuses it.
If different guards refuse them, the most frequent one is reported; of a conjunction, the failing
operand.

A text may also name something that is not available (a card one does not hold), or be no choice
at all; then the answer lists the possible forms.

`well_formed` lists all answers regardless of guards, so that words can be parsed as an answer
whether it is offered or not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, TypeVar

from lawspeaker import ir
from lawspeaker.base.diagnostics import nearest
from lawspeaker.base.source import NOWHERE, Span
from lawspeaker.base.trees import ByNode
from lawspeaker.ir.dependence import PaidValue
from lawspeaker.machines.reference.binders import found_by
from lawspeaker.machines.reference.evaluate import Eval, Slots
from lawspeaker.machines.reference.machine import Machine
from lawspeaker.machines.reference.questions import choosable, looks_key
from lawspeaker.match.decision import (
    Decision,
    Option,
    Setting,
    differ_in_states,
    distinguishing,
    with_receivers,
)
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.layout import Layout, Value, plain
from lawspeaker.position.state import Note, Reply, State
from lawspeaker.position.written import Text

MOST_COMPLETIONS = 5_000
MORE = ", …"
MOST_TRIED = 20_000
"""Values that are tried for parts that a text does not name, until nothing is said of it."""
MOST_READ = 2_000
"""Maximum number of choices that are rendered for parsing typed text."""


_Key = TypeVar("_Key", bound=Hashable)


class Elsewhere(NamedTuple):
    """A named thing that is not where the question takes from; `place` is set if the rule names
    one.
    """

    type: ir.Type
    value: Value
    place_type: ir.Type | None = None
    place: Value = None


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something is not offered: the guard that refuses it, if any, with its position.

    `offered` is true if the choice is allowed after all. `elsewhere` is what was named and is not
    available.
    """

    message: str
    clause: ir.Clause
    guard: ir.Guard | None = None
    span: Span = NOWHERE
    offered: bool = False
    elsewhere: Elsewhere | None = None

    @property
    def citations(self) -> tuple[ir.Citation, ...]:
        return self.clause.cites if self.guard is None else self.guard.cites

    def sentence(self, language: str) -> str:
        """The guard's sentence in a language, or the message."""
        says = self.guard.says if self.guard is not None else {}
        return ir.in_language(says, language, self.message)

    def __repr__(self) -> str:
        guard = "" if self.guard is None else f".{self.guard.name}"
        return f"<Refusal {self.clause.id}{guard}: {self.message}>"


class Points(NamedTuple):
    """Points scored by one clause: amount, total and count; clause None: before the match began."""

    clause: ir.Clause | None
    points: int
    total: int
    times: int

    def __repr__(self) -> str:
        clause = "before the match" if self.clause is None else self.clause.id
        return f"<Points {clause}: {self.times} × {self.points} = {self.total}>"


def points_of(machine: Machine, state: State, journal: Iterable[Note], seat: int) -> list[Points]:
    """Breaks down a side's score by clause, in order of first occurrence."""
    seat = machine.layout.keeper(seat)
    times: Counter[tuple[int, int]] = Counter()
    for kind, clause, who, data, _ in journal:
        if kind == "score" and who == seat:
            times[clause, data[1]] += 1
    rows = [
        Points(machine.program.clauses[clause], points, points * count, count)
        for (clause, points), count in times.items()
    ]
    before = state.scores[seat] - sum(row.total for row in rows)
    rows = [row for row in rows if row.total]
    return [Points(None, before, before, 1), *rows] if before else rows


# ---------------------------------------------------------------- why not


class _Verdict(NamedTuple):
    """Outcome of one completion."""

    message: str
    guard: ir.Guard | None = None
    span: Span = NOWHERE
    offered: bool = False
    elsewhere: Elsewhere | None = None

    @property
    def key(self) -> tuple[str, int, str, int]:
        """Grouping key: equal for the same message or guard."""
        if self.guard is not None:
            return self.message, self.guard.clause, self.guard.name, -1
        return self.message, -1, "", self.span.start


def why_not(machine: Machine, state: State, current: Decision | None, text: str) -> Refusal:
    """Explains why a text is not offered as an answer."""
    program = machine.program
    if current is None:
        return Refusal("nobody is asked that now", program.clauses[program.main])
    words = plain(text).split()
    for option in current.options:
        if plain(option.text).split() == words:
            return Refusal(f"{option.text} is offered", current.clause, offered=True)
    if current.setting.ask is None:
        return Refusal(_forms(current, text), current.clause)
    if words == ["pass"]:
        message = "there is no passing here: something has to be chosen"
        return Refusal(message, current.clause, span=current.setting.ask.span)
    state.left = machine.budget
    verdicts = _Reader(machine, state, current.setting).verdicts(words)
    if not verdicts:
        return Refusal(_forms(current, text), current.clause)
    for verdict in verdicts:
        if verdict.offered:
            return Refusal(verdict.message, current.clause, offered=True)
    guarded = [verdict for verdict in verdicts if verdict.guard is not None] or verdicts
    key = _most_common(verdict.key for verdict in guarded)
    same = [verdict for verdict in guarded if verdict.key == key]
    place = _most_common(verdict.span.start for verdict in same)
    said = next(verdict for verdict in same if verdict.span.start == place)
    clause = current.clause if said.guard is None else program.clauses[said.guard.clause]
    return Refusal(said.message, clause, said.guard, said.span, elsewhere=said.elsewhere)


def _most_common(found: Iterable[_Key]) -> _Key:
    """The most frequent element, the first of several."""
    return Counter(found).most_common(1)[0][0]


def well_formed(machine: Machine, state: State, current: Decision) -> list[Option]:
    """All answers regardless of guards; only the offered ones if there are too many."""
    if current.setting.ask is None:
        return list(current.options)
    state.left = machine.budget
    replies = _Reader(machine, state, current.setting).replies()
    try:
        found = [Option(current.setting, reply) for reply in islice(replies, MOST_READ + 1)]
    except RuleFault:  # too many sets
        return list(current.options)
    if len(found) > MOST_READ:
        return list(current.options)
    told = {option.text for option in found}
    return [*(option for option in current.options if option.text not in told), *found]


def _forms(current: Decision, text: str) -> str:
    """An error message that lists the possible forms."""
    ask = current.setting.ask
    texts = [option.text for option in current.options]
    if ask is not None:
        forms = _of_paths(dict.fromkeys(form_of(alternative) for alternative in ask.alternatives))
        if not ask.must:
            forms.append("pass")
        message = f"{text!r} is no choice here; what can be said: {'; '.join(forms)}"
        if any(part.several for each in ask.alternatives for part in each.parts):
            message += " (several are joined by `+`, as in `red + 2 blue`; `none` is none)"
    else:
        message = f"{text!r} is no outcome here"
    said = plain(text)
    meant = nearest(said, texts)
    if meant is None and ask is not None:
        first, _, rest = said.partition(" ")
        label = nearest(first, [each.label for each in ask.alternatives if each.label])
        meant = None if label is None else f"{label} {rest}".rstrip()
    return f"{message}. Did you mean {meant!r}?" if meant is not None else message


def _of_paths(forms: Iterable[str]) -> list[str]:
    """Joins the forms of a path, which repeat its last part: `jump ORIGIN, LANDING, …`."""
    found: list[str] = []
    for form in forms:
        shorter = found[-1].removesuffix(MORE) if found else ""
        last = shorter.rpartition(" ")[2]
        if shorter and form.removeprefix(shorter).replace(f", {last}", "") == "":
            found[-1] = shorter + MORE
        else:
            found.append(form)
    return found


def form_of(alternative: ir.Alternative) -> str:
    """Syntax of an alternative: `place CELL, SIDE`."""
    parts = [
        (part.set_name or part.binder.name).upper() if part.several else part.binder.name.upper()
        for part in alternative.parts
    ]
    parts = [str(each) for each in with_receivers(alternative, parts, "to")]
    words = ([] if alternative.label is None else [alternative.label]) + (
        [", ".join(parts)] if parts else []
    )
    return " ".join(words)


def labels_of(layout: Layout, clause: int, alternative: ir.Alternative) -> list[list[str]]:
    """The possible labels of an alternative, split into words."""
    if alternative.label is None:
        return []
    id = layout.program.clauses[clause].id
    names = {alternative.label, alternative.label.replace("_", " ")}
    for language in layout.program.languages:
        names.add(layout.called(alternative.label, id, language).partition("{")[0])
    return [plain(name).split() for name in sorted(names) if plain(name)]


class _Reader:
    """Parses words as a choice, and judges every completion."""

    def __init__(self, machine: Machine, state: State, setting: Setting) -> None:
        assert setting.ask is not None
        assert setting.seat is not None
        self.machine = machine
        self.layout = machine.layout
        self.state = state
        self.setting = setting
        self.ask = setting.ask
        self.slots: Slots = machine.scratch(state, setting.seat)
        self.found: list[_Verdict] = []
        self.said: list[_Verdict] = []  # verdicts of completely given paths
        self.beyond: _Verdict | None = None
        self.unsaid = 0  # number of omitted parts
        self.left = MOST_TRIED
        machine.evaluator.clause = setting.frame_clause
        self._compiled: ByNode[Eval] = ByNode()

    def verdicts(self, words: list[str]) -> list[_Verdict]:
        labelled = [
            (alternative, words[len(label) :])
            for alternative in self.ask.alternatives
            for label in labels_of(self.layout, self.setting.clause, alternative)
            if words[: len(label)] == label
        ]
        for alternative, rest in labelled or [(a, words) for a in self.ask.alternatives if words]:
            for values in self._completions(alternative, 0, rest, ()):
                self.found.append(self._judge(alternative, values))
                if not self.unsaid and self._is_path(alternative):
                    self.said.append(self.found[-1])
                if len(self.found) >= MOST_COMPLETIONS:
                    return self.said or self.found
        return self.said or self.found

    def _is_path(self, alternative: ir.Alternative) -> bool:
        """Whether alternatives differ in the number of steps: then only complete matches count."""
        begins = [each.parts[0].binder.slot for each in self.ask.alternatives if each.parts]
        return begins.count(alternative.parts[0].binder.slot) > 1 if alternative.parts else False

    def replies(self) -> Iterator[Reply]:
        """All choices, regardless of guards."""
        for number, alternative in enumerate(self.ask.alternatives):
            for values in self._completions(alternative, 0, [], ()):
                yield number, values

    def _completions(
        self, alternative: ir.Alternative, at: int, words: list[str], values: tuple[Value, ...]
    ) -> Iterator[tuple[Value, ...]]:
        """Enumerates completions; while one is yielded, the slots hold it."""
        if at == len(alternative.parts):
            if not words:
                yield values
            return
        part = alternative.parts[at]
        if part.binder not in self._compiled:
            self._compiled[part.binder] = found_by(self.machine.evaluator, part.binder)
        members = self._compiled[part.binder](*self._now)
        if ir.is_written(part.binder.type):
            members += tuple(text for _, text in self.state.written)
        several = part.several
        ways: Iterable[tuple[Value, list[str]]]
        if part.receives:
            ways = [(member, words) for member in members]
        else:
            ways = (self._sets if several else self._singles)(part, members, words)
        for value, rest in ways:
            if at and alternative.parts[at - 1].receives:
                rest = self._without_receiver(alternative.parts[at - 1], values[-1], rest)
            if words:
                self.left -= 1
                if self.left < 0:
                    return
            self.slots[part.set_slot if several else part.binder.slot] = value
            yield from self._completions(alternative, at + 1, rest, (*values, value))

    def _without_receiver(self, part: ir.Part, value: Value, words: list[str]) -> list[str]:
        """Strips the words that name the receiver."""
        rest = words[1:] if words[:1] == ["to"] else words
        named = self._named(part, (value,), rest)
        return named[0][1] if named else words

    def _singles(
        self, part: ir.Part, members: tuple[Value, ...], words: list[str]
    ) -> Iterator[tuple[Value, list[str]]]:
        """The members that the next words name, or all if they name none."""
        named = self._named(part, members, words)
        if named:
            yield from named
            return
        outside = self._outside(part, members, words)
        if outside is not None:
            if isinstance(part.binder.source, ir.Occupied | ir.OpenPlaces):
                # A guard explains more about a place than that it is not offered.
                self.beyond = outside
                yield from self._named(part, self.layout.domain(part.binder.type), words)
                self.beyond = None
            self.found.append(outside)
        elif self.said:
            return  # do not extend a completely given path
        elif members:
            self.unsaid += 1
            for member in members:
                yield member, words
            self.unsaid -= 1
        elif not words:
            self.found.append(_Verdict(self._nothing(part), span=part.binder.span))

    def _named(
        self, part: ir.Part, members: Iterable[Value], words: list[str]
    ) -> list[tuple[Value, list[str]]]:
        """The members with the longest name that matches the next words."""
        among = tuple(members)
        for length in range(len(words), 0, -1):
            said = self._said(part, among, tuple(words[:length]))
            if said:
                return [(member, words[length:]) for member in among if member in said]
        return []

    def _said(
        self, part: ir.Part, members: tuple[Value, ...], words: tuple[str, ...]
    ) -> set[Value]:
        """The members with this name, or with this distinguishing text at the moment."""
        of, layout = part.binder.type, self.layout
        if isinstance(of, ir.NumberType) and not of.listed:
            return {member for member in members if (layout.text(of, member),) == words}
        found = {*layout.sayings(of).get(words, ())}
        if ir.is_written(of):
            own = (each for each in members if isinstance(each, Text))
            found.update(
                each for each in own if tuple(plain(layout.text(of, each)).split()) == words
            )
        how = distinguishing(layout, part) if self.setting.where else ""
        if self.setting.where and (how or differ_in_states(layout, of)):
            for member in members:
                text = self.setting.thing(of, member, how, None)
                if tuple(plain(text).split()) == words:
                    found.add(member)
        return found

    def _outside(
        self, part: ir.Part, members: tuple[Value, ...], words: list[str]
    ) -> _Verdict | None:
        """The verdict if the words name something that is not available."""
        of = part.binder.type
        if isinstance(of, ir.NumberType) and not of.listed:
            return None
        inside = set(members)
        others = [value for value in self.layout.domain(of) if value not in inside]
        named = self._named(part, others, words)
        if not named:
            return None
        value, source, text = named[0][0], part.binder.source, self.layout.text
        if isinstance(source, ir.Contents):
            place = self.machine.evaluator.present(source.place)(*self._now)
            elsewhere = Elsewhere(of, value, source.place.type, place)
            where = f"in {text(source.place.type, place)}"
        else:
            elsewhere = Elsewhere(of, value)
            where = "among what can be chosen"
        message = f"{text(of, value)} is not {where}"
        return _Verdict(message, span=part.binder.span, elsewhere=elsewhere)

    def _nothing(self, part: ir.Part) -> str:
        return f"there is no {part.binder.name} to choose"

    def _sets(
        self, part: ir.Part, members: tuple[Value, ...], words: list[str]
    ) -> Iterator[tuple[tuple[Value, ...], list[str]]]:
        """The set that the next words name (`2 king + ace`, `none`), or every set."""
        if words[:1] == ["none"]:
            yield (), words[1:]
            return
        if not words:
            look = looks_key(self.machine.evaluator, part.binder)
            question = self.machine.question(self.state)
            assert question is not None
            subsets = choosable(self.state, members, look, 0, len(members), question.too_many)
            yield from ((subset, words) for subset in subsets)
            return
        chosen: list[Value] = []
        while True:
            count = 1
            if len(words) > 1 and words[0].isdecimal():
                count, words = int(words[0]), words[1:]
            named = self._named(part, [m for m in members if m not in chosen], words)
            if len(named) < count:
                outside = self._outside(part, tuple(chosen), words)
                if outside is not None:
                    self.found.append(outside)
                return
            chosen += [member for member, _ in named[:count]]
            words = named[0][1]
            if words[:1] not in (["+"], ["and"]):
                break
            words = words[1:]
        yield tuple(sorted(chosen, key=members.index)), words

    # ------------------------------------------------------------ judging

    def _judge(self, alternative: ir.Alternative, values: tuple[Value, ...]) -> _Verdict:
        """Finds the first guard that refuses a complete choice."""
        evaluator = self.machine.evaluator
        for at, part in enumerate(alternative.parts):
            if not part.several:
                continue
            for guard in alternative.member_guards[at]:
                for member in values[at]:
                    self.slots[part.binder.slot] = member
                    verdict = self._ask(guard)
                    if verdict is not None:
                        return verdict
            least = 0 if part.least is None else evaluator.present(part.least)(*self._now)
            most = None if part.most is None else max(0, evaluator.present(part.most)(*self._now))
            count = len(values[at])
            if count < least:
                return _Verdict(f"at least {least} have to be chosen", span=part.binder.span)
            if most is not None and count > most:
                return _Verdict(f"at most {most} can be chosen", span=part.binder.span)
        for guard in alternative.guards:
            verdict = self._ask(guard)
            if verdict is not None:
                return verdict
        if self.beyond is not None:
            return self.beyond
        number = next(n for n, each in enumerate(self.ask.alternatives) if each is alternative)
        return _Verdict(f"{Option(self.setting, (number, values)).text} is offered", offered=True)

    @property
    def _now(self) -> tuple[State, Slots]:
        return self.state, self.slots

    def _ask(self, guard: ir.Guard) -> _Verdict | None:
        """The verdict of a guard, None if it accepts."""
        says = next(iter(guard.says.values()), guard.name)
        try:
            if self._holds(guard.condition):
                return None
            return _Verdict(says, guard, self._failing(guard.condition))
        except RuleFault as fault:
            return _Verdict(says, guard, fault.span)

    def _holds(self, condition: ir.Expr) -> bool:
        if condition not in self._compiled:
            self._compiled[condition] = self.machine.evaluator.compile(condition)
        return bool(self._compiled[condition](*self._now))

    def _failing(self, condition: ir.Expr) -> Span:
        """The position of the first operand of a condition that fails."""
        if isinstance(condition, PaidValue):
            condition = condition.value
        if isinstance(condition, ir.And):
            if not self._holds(condition.left):
                return self._failing(condition.left)
            return self._failing(condition.right)
        return condition.span
