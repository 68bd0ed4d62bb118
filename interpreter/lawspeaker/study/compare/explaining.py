"""Explains a witness to people: the position, what each ruleset allows or does, and why.

Both rulesets are replayed here, the first and the one with the difference alone; sentences and
citations are those of the rulesets themselves. Chance outcomes are mentioned only where nothing
else shows the difference: hidden cards are described as for a spectator, and setups by counts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon, joined
from lawspeaker.ir.walk import guards_of
from lawspeaker.match.events import Viewer
from lawspeaker.match.match import Match
from lawspeaker.study.compare.amounts import Lines, how_many, how_many_of_each
from lawspeaker.study.compare.descriptions import Speaker
from lawspeaker.study.compare.lockstep import (
    ASKED,
    HAPPENED,
    OFFERED,
    SETUP,
    Lockstep,
    PendingQuestion,
    events_since,
    happened,
    pending_questions,
)
from lawspeaker.study.compare.points import CLAUSES, texts_of
from lawspeaker.study.compare.position_setup import begun_with, laid_out, staged
from lawspeaker.study.compare.rows import Cell
from lawspeaker.study.compare.ruleset import Ruleset
from lawspeaker.study.compare.witness import Rulebooks, Witness
from lawspeaker.study.scenario.running import NOTHING
from lawspeaker.telling.story import Story
from lawspeaker.text.document import Mapping as Tree


@dataclass(frozen=True, slots=True)
class Why:
    """A clause, guard or value with its title, sentence and citations."""

    id: str
    title: str
    says: str
    cites: tuple[ir.Citation, ...]


@dataclass(frozen=True, slots=True)
class Account:
    """The options or events under one ruleset, line by line, with reasons."""

    lines: tuple[str, ...]
    why: tuple[Why, ...]


@dataclass(frozen=True, slots=True)
class Explained:
    """Explanation of a witness.

    `begins` describes the start, `replies` the answers; `match` is the position to draw for the
    seat `viewer` (None: a spectator), if any.
    """

    begins: str
    replies: tuple[str, ...]
    one: Account
    other: Account
    match: Match | None = field(repr=False)
    viewer: int | None = None


def explained(
    witness: Witness,
    first: Ruleset,
    other: Ruleset,
    rules: Rulebooks,
    cells: Mapping[str, tuple[Cell, Cell]],
    language: str,
) -> Explained:
    """Explains a witness; `cells` are the rulesets' cells of each differing point, the main one
    first.
    """
    stage, sort = witness.stage, witness.divergence.sort
    if sort == SETUP:
        rules = rules.with_their_boxes()
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
        who = layout.name(ir.PLAYER, reply.seat, language)
        replies.append(colon(who, chosen.name(language), language))
        since = (len(match.events), len(rival.events))
        pair.answer(reply)
    one = _Telling(first, match, language, pair.idle)
    two = _Telling(other, rival, language, pair.idle)
    if sort == OFFERED:
        told = one.offered(two), two.offered(one)
    elif sort == ASKED:
        told = one.asked(), two.asked()
    elif sort == SETUP:
        lines = how_many_of_each(match, rival, language)
        told = Account(lines[0], ()), Account(lines[1], ())
    else:
        at = _first_difference(pair, since)
        from_start = not witness.before and not replies
        lines = how_many(match, rival, language) if from_start else ((), ())
        lines = lines if any(lines) else _stories(one, two, since)
        # A game that asks differently has stopped, which is part of what happens.
        asks = _whom(match) != _whom(rival)
        told = (
            one.happened(lines[0], since[0], at, asks),
            two.happened(lines[1], since[1], at, asks),
        )
    # If only one of them has rules for the pieces, only its table shows them all.
    drawn, viewer = _picture(witness, rules.one if rules.one is rules.first else rules.alone)
    speakers = (Speaker(first, language), Speaker(other, language))
    sides = _reasons(told[0], told[1], cells, speakers)
    begins = _begins(witness, one, rules.one, language)
    if rules.boxes is not None:
        begins += " " + phrase("compare.same_pieces", language)
    if not witness.reached:
        begins += " " + phrase("compare.not_reached", language)
    if not witness.whole:
        begins += " " + phrase("compare.only_alone", language)
    return Explained(begins, tuple(replies), *sides, drawn, viewer)


def _whom(match: Match) -> list[tuple[int | None, str]]:
    return [(each.seat, each.clause) for each in pending_questions(match)]


def _stories(one: _Telling, two: _Telling, since: tuple[int, int]) -> Lines:
    """The events in each, without common beginning and end.

    Lines merge several events, so whole lines are compared: `9 ×`, not `2 × more`.
    """
    for viewer in (None, "all"):
        left, right = one.story(since[0], viewer), two.story(since[1], viewer)
        if left != right:
            break
    while left and right and left[0] == right[0]:
        left, right = left[1:], right[1:]
    while left and right and left[-1] == right[-1]:
        left, right = left[:-1], right[:-1]
    return tuple(left), tuple(right)


def _reasons(
    one: Account,
    other: Account,
    cells: Mapping[str, tuple[Cell, Cell]],
    speakers: Sequence[Speaker],
) -> tuple[Account, Account]:
    """Puts the differing point first, and removes reasons that both give."""

    def title(id: str) -> str:
        """The title of a row in the words of a ruleset that has it."""
        pairs = zip(speakers, cells[id], strict=True)
        known = (speaker.title(cell.point) for speaker, cell in pairs if cell.point is not None)
        return next(known, "")

    def of_the_row(why: Why, side: int) -> Why:
        """Uses the text of a row, which includes amendments of variants."""
        cell = cells[why.id][side] if why.id in cells else None
        return why if cell is None else Why(why.id, title(why.id), cell.text, cell.cites)

    whys = [[of_the_row(why, side) for why in told.why] for side, told in enumerate((one, other))]
    said = [{(why.id, why.says) for why in side} for side in whys]
    main, stand = next(iter(cells.items()))
    found: list[Account] = []
    for told, side, cell in zip((one, other), whys, stand, strict=True):
        kept = [w for w in side if (w.id, w.says) not in said[0] & said[1] and w.id != main]
        found.append(Account(told.lines, (Why(main, title(main), cell.text, cell.cites), *kept)))
    return found[0], found[1]


def _begins(witness: Witness, ruleset: _Telling, program: ir.Program, language: str) -> str:
    stage = witness.stage
    if stage.do == NOTHING:
        players = phrase("compare.players", language, players=stage.players)
        return f"{players}. {phrase('compare.in_the_box', language)}"
    told = [phrase("compare.game", language, players=stage.players, seed=stage.seed)]
    if stage.do is None:
        return ", ".join([*told, phrase("compare.from_its_beginning", language)]) + "."
    before = len(witness.before)
    count = "none" if before == 0 else "one" if before == 1 else "many"
    told.append(phrase(f"compare.begun.{count}", language, count=before))
    says = ruleset.why(stage.do.partition("(")[0]).says
    given = joined(begun_with(program, stage, language), language)
    return f"{', '.join(told)}. {says}" + (f" ({given})" if given else "")


def _picture(witness: Witness, program: ir.Program) -> tuple[Match | None, int | None]:
    """The position to draw: at the question, before the last reply, or before anything is done."""
    stage, replies = witness.stage, witness.replies
    if witness.divergence.sort == SETUP:
        return None, None
    if witness.divergence.sort == HAPPENED:
        if not replies:
            return (laid_out(program, stage), None) if stage.situation else (None, None)
        replies = replies[:-1]
    match = staged(program, stage)
    for reply in replies:
        assert match is not None
        match.choose(reply.text, seat=reply.seat)
    decision = None if match is None else match.decision
    if decision is not None:
        return match, decision.seat
    sides = (witness.divergence.one, witness.divergence.other)
    return match, next((each.seat for side in sides for each in side.asked), None)


def _first_difference(pair: Lockstep, since: tuple[int, int]) -> int:
    left = happened(pair.one, since[0], pair.idle)
    right = happened(pair.other, since[1], pair.idle)
    for at, (one, other) in enumerate(zip(left, right, strict=False)):
        if (one.kind, one.text) != (other.kind, other.text):
            return at
    return min(len(left), len(right))


class _Telling:
    """One ruleset at the point of divergence."""

    def __init__(
        self, ruleset: Ruleset, match: Match, language: str, idle: Collection[str]
    ) -> None:
        self.own = ruleset.own
        self.program = ruleset.program
        self.match = match
        self.language = language
        self.idle = idle
        self.clauses = {clause.id: clause for clause in match.program.clauses}
        # The isolated difference has no citations; the ruleset itself has them.
        self.sayings = {clause.id: clause for clause in ruleset.program.clauses}
        self.book = ruleset.book

    def asked(self) -> Account:
        lines = [
            self.phrase(
                "under.asked", player=self.name(each.seat), prompt=each.prompt_in(self.language)
            )
            for each in self.match.decisions
        ]
        why = [self.why(each.clause) for each in pending_questions(self.match)]
        return Account(tuple(lines) or (self.phrase("compare.nobody_asked"),), tuple(why))

    def offered(self, other: _Telling) -> Account:
        lines: list[str] = []
        why: list[Why] = []
        for here, there in zip(
            pending_questions(self.match), pending_questions(other.match), strict=True
        ):
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
        return Account(tuple(lines), tuple(why))

    def reasons(self, asker: _Telling) -> list[Why]:
        """The guards that refuse here what is offered there, in the words of the other ruleset."""
        found: list[Why] = []
        for here, there in zip(
            pending_questions(self.match), pending_questions(asker.match), strict=True
        ):
            for option in [each for each in there.options if each not in here.options]:
                guard = self.match.why_not(option, here.seat).guard
                if guard is not None:
                    id = f"{self.match.program.clauses[guard.clause].id}.{guard.name}"
                    reason = asker.guard(id)
                    found += [reason] if reason is not None and reason not in found else []
        return found or [asker.why(each.clause) for each in pending_questions(asker.match)]

    def named(self, here: PendingQuestion, there: PendingQuestion) -> list[str]:
        """The options that only this ruleset offers, in the language."""
        decision = next(each for each in self.match.decisions if each.seat == here.seat)
        return [
            option.name(self.language)
            for option in decision.options
            if option.text not in there.options
        ]

    def story(self, since: int, viewer: Viewer) -> list[str]:
        """Lines about what happened from an event on."""
        story = Story(self.match.machine, viewer, self.language)
        layout, lines = (
            self.match.machine.layout,
            story.lines(events_since(self.match, since, self.idle)),
        )
        return [line.said(layout, self.language) for line in lines]

    def happened(self, lines: Sequence[str], since: int, at: int, asks: bool) -> Account:
        """Lines, with the next question if wanted, and the clause that caused the first of them."""
        events = events_since(self.match, since, self.idle)[at : at + 1]
        then = self.asked() if asks and self.match.decisions else Account((), ())
        by = [self.why(self.match.program.clauses[event.clause].id) for event in events if lines]
        told = (*lines, *then.lines) or (self.phrase("under.nothing"),)
        return Account(told, tuple(by) or then.why)

    def name(self, seat: int | None) -> str:
        if seat is None:
            return self.phrase("compare.luck")
        return self.match.machine.layout.name(ir.PLAYER, seat, self.language)

    def phrase(self, key: str, **values: object) -> str:
        return phrase(key, self.language, **values)

    # ------------------------------------------------------------ why

    def why(self, id: str) -> Why:
        clause = self.sayings.get(id) or self.clauses[id]
        return Why(id, self.title(id), self.says(clause.says), self.cites(clause.cites))

    def guard(self, id: str) -> Why | None:
        guard = guards_of(self.program).get(id) or guards_of(self.match.program).get(id)
        if guard is None:
            return None
        return Why(id, self.title(id), self.says(guard.says), self.cites(guard.cites))

    def title(self, id: str) -> str:
        """The title of a clause or of a guard; empty if it has none."""
        entries = {name: each for part in CLAUSES for name, each in self.book.section(part).items()}
        if id in entries:
            return self.says(texts_of(entries[id].get("title")))
        clause, _, guard = id.rpartition(".")
        guards = entries[clause].get("guards") if clause in entries else None
        node = guards.get(guard) if isinstance(guards, Tree) else None
        return self.says(texts_of(node.get("title") if isinstance(node, Tree) else None))

    def says(self, texts: ir.Texts) -> str:
        return ir.in_language(texts, self.language)

    def cites(self, cites: Sequence[ir.Citation]) -> tuple[ir.Citation, ...]:
        own = tuple(each for each in cites if each.source in self.own)
        return own or tuple(each for each in cites if each.stance != "says_otherwise")
