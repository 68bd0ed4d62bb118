"""A witness told to people: what is on the table, what each telling then allows or gives, and why.

Both tellings are played again here, the first and the one with the difference alone; sentences and
citations are those of the tellings themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import takewhile

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.ir.types import PLAYER
from lawspeaker.machines.reference.tracing import guards_of
from lawspeaker.match.events import Event
from lawspeaker.match.match import Match
from lawspeaker.study.compare.lockstep import (
    ASKED,
    HAPPENED,
    OFFERED,
    Asked,
    Lockstep,
    asked,
    happened,
)
from lawspeaker.study.compare.position_setup import Stage, laid_out, staged
from lawspeaker.study.compare.rows import Cell
from lawspeaker.study.compare.telling import Telling
from lawspeaker.study.compare.witness import Rulebooks, Witness
from lawspeaker.telling.story import Story


@dataclass(frozen=True, slots=True)
class Why:
    """A clause or guard, its sentence, and what the telling's books say about it."""

    id: str
    says: str
    cites: tuple[ir.Citation, ...]


@dataclass(frozen=True, slots=True)
class Told:
    """What one telling allows or gives, line by line, and why."""

    lines: tuple[str, ...]
    why: tuple[Why, ...]


@dataclass(frozen=True, slots=True)
class Explained:
    """`begins` says where it begins, `replies` what is answered; `match` is the position to be
    drawn for the seat `viewer` (None: a spectator), if there is one."""

    begins: str
    replies: tuple[str, ...]
    one: Told
    other: Told
    match: Match | None = field(repr=False)
    viewer: int | None = None


def explained(
    witness: Witness,
    first: Telling,
    other: Telling,
    rules: Rulebooks,
    cells: tuple[str, Cell, Cell],
    language: str,
) -> Explained:
    """`cells` are the point that differs and what the two tellings do on it."""
    stage = witness.stage
    match, rival = staged(rules.one, stage), staged(rules.alone, stage)
    assert match is not None
    assert rival is not None
    pair = Lockstep(match, rival)
    replies: list[str] = []
    since = (0, 0)
    for reply in witness.replies:
        layout = match.machine.layout
        decision = next(each for each in match.decisions if each.seat == reply.seat)
        chosen = next(each for each in decision.options if each.text == reply.text)
        who = layout.name(PLAYER, reply.seat, language)
        replies.append(f"{who}: {chosen.name(language)}")
        since = (len(match.events), len(rival.events))
        pair.answer(reply)
    one = _Telling(first, match, language)
    two = _Telling(other, rival, language)
    sort = witness.divergence.sort
    if sort == OFFERED:
        told = one.offered(two), two.offered(one)
    elif sort == ASKED:
        told = one.asked(), two.asked()
    else:
        at = _first_difference(match, rival, since)
        stories = one.story(since[0]), two.story(since[1])
        # Lines put several deeds together, so they are compared as lines: `9 ×`, not `2 × more`.
        both = zip(*stories, strict=False)
        same = sum(1 for _ in takewhile(lambda lines: lines[0] == lines[1], both))
        told = (
            one.happened(stories[0][same:], since[0] + at),
            two.happened(stories[1][same:], since[1] + at),
        )
    drawn, viewer = _picture(witness, rules.one)
    sides = _reasons(told[0], told[1], *cells)
    begins = _begins(witness.stage, one, language)
    if not witness.whole:
        begins += " " + phrase("compare.only_alone", language)
    return Explained(begins, tuple(replies), *sides, drawn, viewer)


def _reasons(one: Told, other: Told, id: str, here: Cell, there: Cell) -> tuple[Told, Told]:
    """The point that differs comes first; what both give as a reason alike is none."""
    same = {why.id for why in one.why} & {why.id for why in other.why}
    alike = {
        why.id for why in one.why for also in other.why if why.id in same and why.says == also.says
    }
    found: list[Told] = []
    for told, cell in ((one, here), (other, there)):
        kept = [why for why in told.why if why.id not in alike and why.id != id]
        found.append(Told(told.lines, (Why(id, cell.text, cell.cites), *kept)))
    return found[0], found[1]


def _begins(stage: Stage, telling: _Telling, language: str) -> str:
    players, seed = stage.players, stage.seed
    if stage.do is None:
        return phrase("compare.whole_game", language, players=players, seed=seed)
    told = [phrase("compare.players", language, players=players)]
    if not stage.situation:
        told.append(phrase("compare.as_it_starts", language))
    if "shuffle" in stage.situation or not stage.situation:
        told.append(phrase("compare.seed", language, seed=seed))
    says = telling.why(stage.do.partition("(")[0]).says
    return f"{', '.join(told)}. {says} ({stage.do})"


def _picture(witness: Witness, program: ir.Program) -> tuple[Match | None, int | None]:
    """The position to draw: at the question, before the last reply, or before anything is done."""
    stage, replies = witness.stage, witness.replies
    if witness.divergence.sort == HAPPENED:
        if not replies:
            return (laid_out(program, stage), None) if stage.situation else (None, None)
        replies = replies[:-1]
    match = staged(program, stage)
    for reply in replies:
        assert match is not None
        match.choose(reply.text, seat=reply.seat)
    decision = None if match is None else match.decision
    return match, None if decision is None else decision.seat


def _first_difference(match: Match, rival: Match, since: tuple[int, int]) -> int:
    left, right = happened(match, since[0]), happened(rival, since[1])
    for at, (one, other) in enumerate(zip(left, right, strict=False)):
        if (one.kind, one.text) != (other.kind, other.text):
            return at
    return min(len(left), len(right))


class _Telling:
    """One telling at the point where it parts from the other."""

    def __init__(self, telling: Telling, match: Match, language: str) -> None:
        self.own = telling.own
        self.program = telling.program
        self.match = match
        self.language = language
        self.clauses = {clause.id: clause for clause in match.program.clauses}
        # The difference alone has no citations; the telling itself has them.
        self.sayings = {clause.id: clause for clause in telling.program.clauses}

    def asked(self) -> Told:
        lines = [
            self.phrase(
                "under.asked", player=self.name(each.seat), prompt=each.prompt_in(self.language)
            )
            for each in self.match.decisions
        ]
        why = [self.why(each.clause) for each in asked(self.match)]
        return Told(tuple(lines) or (self.phrase("compare.nobody_asked"),), tuple(why))

    def offered(self, other: _Telling) -> Told:
        lines: list[str] = []
        why: list[Why] = []
        for here, there in zip(asked(self.match), asked(other.match), strict=True):
            who = self.name(here.seat)
            mine = self.named(here, there)
            if mine:
                lines += [self.phrase("compare.may", player=who), *mine]
            for option in [each for each in there.options if each not in here.options]:
                refusal = self.match.why_not(option, here.seat)
                id = refusal.clause.id
                if refusal.guard is not None:
                    clause = self.match.program.clauses[refusal.guard.clause].id
                    id = f"{clause}.{refusal.guard.name}"
                found = self.guard(id) or self.why(refusal.clause.id)
                why += [found] if found not in why else []
            theirs = other.named(there, here)
            if not mine and theirs:
                lines += [self.phrase("compare.may_not", player=who), *theirs]
            why = why or other.reasons(self)
        return Told(tuple(lines), tuple(why))

    def reasons(self, asker: _Telling) -> list[Why]:
        """What refuses here what is offered there, in the words of the other telling."""
        found: list[Why] = []
        for here, there in zip(asked(self.match), asked(asker.match), strict=True):
            for option in [each for each in there.options if each not in here.options]:
                guard = self.match.why_not(option, here.seat).guard
                if guard is not None:
                    id = f"{self.match.program.clauses[guard.clause].id}.{guard.name}"
                    reason = asker.guard(id)
                    found += [reason] if reason is not None and reason not in found else []
        return found or [asker.why(each.clause) for each in asked(asker.match)]

    def named(self, here: Asked, there: Asked) -> list[str]:
        """The options that only this telling offers, in the language."""
        decision = next(each for each in self.match.decisions if each.seat == here.seat)
        return [
            option.name(self.language)
            for option in decision.options
            if option.text not in there.options
        ]

    def events(self, since: int) -> Sequence[Event]:
        """Those of the game; that a clause is done is none."""
        match = self.match
        events = match.events[since:]
        if match.state.ended and match.state.ended != "over":
            events = [event for event in events if event.kind != "end"]
        return events

    def story(self, since: int) -> list[str]:
        """What has happened from an event on, line by line."""
        told = Story(self.match.machine, "all", self.language).lines(self.events(since))
        return [
            line.text if line.seat is None else f"{self.name(line.seat)}: {line.text}"
            for line in told
        ]

    def happened(self, lines: Sequence[str], since: int) -> Told:
        """Lines, and by which clause the first of them came about, from an event on."""
        events = self.events(since)
        clauses = dict.fromkeys(self.match.program.clauses[event.clause].id for event in events[:3])
        why = [self.why(id) for id in list(clauses)[:1]]
        return Told(tuple(lines) or (self.phrase("under.nothing"),), tuple(why))

    def name(self, seat: int | None) -> str:
        if seat is None:
            return self.phrase("compare.luck")
        return self.match.machine.layout.name(PLAYER, seat, self.language)

    def phrase(self, key: str, **values: object) -> str:
        return phrase(key, self.language, **values)

    # ------------------------------------------------------------ why

    def why(self, id: str) -> Why:
        clause = self.sayings.get(id) or self.clauses[id]
        return Why(id, self.says(clause.says), self.cites(clause.cites))

    def guard(self, id: str) -> Why | None:
        guard = guards_of(self.program).get(id) or guards_of(self.match.program).get(id)
        return None if guard is None else Why(id, self.says(guard.says), self.cites(guard.cites))

    def says(self, texts: ir.Texts) -> str:
        return texts.get(self.language) or next(iter(texts.values()), "")

    def cites(self, cites: Sequence[ir.Citation]) -> tuple[ir.Citation, ...]:
        own = tuple(each for each in cites if each.source in self.own)
        return own or tuple(each for each in cites if each.stance != "says_otherwise")
