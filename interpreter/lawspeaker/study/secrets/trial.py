"""Runs many games with many twins, and records what was compared, revealed and leaked.

Random players play a game. From its start and from sampled moments, twins are continued for a
while; after every answer everything the seat is given is compared. A pair of twins ends in one of
these ways:

    told     an event legitimately revealed something hidden
    chosen   a player chose an option that exists in only one of the games, or secret answers that
             differ are opened
    asked    a player could answer in only one of the games, and the table is quick
    over     the game is over, or was compared for long enough
    broken   the rules fault, in both games or in an unreachable determinization
    leaked   the seat could distinguish the games

After each comparison the seat's own answers are tried, too: the same ones must fault in both
games, since everybody sees that a fault stops the table. A fault in the real game is a defect of
the rules, whoever learns of it, and is recorded as such.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lawspeaker import ir
from lawspeaker.ir.walk import everything
from lawspeaker.machines.reference import RuleFault
from lawspeaker.match.decision import IllegalChoice, Option
from lawspeaker.match.match import Match
from lawspeaker.position.rng import Stream, combine, word_of
from lawspeaker.study.secrets.api_output import CHANNELS, OutputChannel
from lawspeaker.study.secrets.twins import (
    Faults,
    NoTwin,
    Twins,
    begun_anew,
    dealt_anew,
    distinguished_before,
    faulting,
    go_on,
    own_answers,
    some_option,
    standing,
)
from lawspeaker.study.secrets.visible_events import Seat, parting

TOLD, CHOSEN, ASKED, OVER, BROKEN, LEAKED = "told", "chosen", "asked", "over", "broken", "leaked"
MACHINES = ("reference", "wasm")
DISCRETIONS = ("quick", "discreet")
LONGEST_GAME = 400
MOMENTS = 12
"""Number of moments of a game from which twins are continued."""
LONGEST = 8
"""Maximum number of answers per pair of twins."""
SHOWN = 200
"""Maximum length of the excerpts shown of differing texts."""
FAULT = "fault"
"""Channel name of faults, which visibly stop a table."""
MOST_TRIED = 12
"""Maximum number of the seat's answers that are tried per comparison."""

End = tuple[str, str]
"""How twins ended, and the clause that caused it."""


def hides(program: ir.Program) -> bool:
    """Whether a game has any hidden information."""
    declared = (
        *(family.seen_by for family in program.families),
        *(family.count_seen_by for family in program.families),
        *(marker.seen_by for marker in program.markers),
        *(state.seen_by for piece in program.pieces for state in piece.states),
    )
    visibles = everything(tuple(clause.body for clause in program.clauses))
    secretly = any(isinstance(visible, ir.Ask) and visible.each is not None for visible in visibles)
    return secretly or any(each != "everyone" for each in declared)


@dataclass(frozen=True, slots=True)
class TrialTable:
    """Configuration of a test game: players, seed, and machines.

    The seed determines discretion and machine, for equal `machines`.
    """

    players: int
    seed: int
    machines: tuple[str, ...] = MACHINES

    @property
    def discretion(self) -> str:
        return DISCRETIONS[self.seed % 2]

    @property
    def machine(self) -> str:
        return self.machines[self.seed // 2 % len(self.machines)]


@dataclass(frozen=True, slots=True)
class Difference:
    """A channel, its language, and the differing texts of twins."""

    channel: str
    language: str
    one: str
    two: str


@dataclass(frozen=True, slots=True)
class Leak:
    """A way to distinguish twins, and how to reproduce it: they were determinized after the
    answers `before`, and diverged after those `since`.
    """

    table: TrialTable
    seat: Seat
    before: tuple[str, ...]
    since: tuple[str, ...]
    clause: str
    difference: Difference

    @property
    def sort(self) -> tuple[str, str]:
        return self.clause, self.difference.channel


@dataclass(frozen=True, slots=True)
class Hole:
    """A fault of a real game: its table, the answers before, and the message.

    `answer` is what it faulted at; empty if the game could not begin.
    """

    table: TrialTable
    before: tuple[str, ...]
    answer: str
    fault: str


@dataclass(slots=True)
class Compared:
    """Number of comparisons of a channel, and the bytes compared."""

    looks: int = 0
    bytes: int = 0


@dataclass(slots=True)
class SecretFindings:
    """Results of a number of games."""

    players: int
    games: int = 0
    pairs: int = 0
    answers: int = 0
    compared: dict[str, Compared] = field(default_factory=dict)
    """By name of the channel."""
    ends: Counter[End] = field(default_factory=Counter)
    leaks: list[Leak] = field(default_factory=list)
    faults: list[Hole] = field(default_factory=list)


class LeakSearch:
    """Searches leaks in a game for a number of players."""

    def __init__(
        self, program: ir.Program, players: int, channels: Sequence[OutputChannel] = CHANNELS
    ) -> None:
        self.program = program
        self.channels = channels
        names = [*(each.name for each in channels), FAULT]
        self.findings = SecretFindings(players, compared={name: Compared() for name in names})
        self._looks: Counter[str] = Counter()

    def game(self, table: TrialTable, moments: int = MOMENTS, starts: bool = True) -> None:
        """Plays a game, and twins from some moments of it.

        With `starts`, also from its start and from chance events before its first question.
        """
        luck = Stream(combine(table.seed, word_of("secrets")))
        self.findings.games += 1
        match = self._begun(table, table.seed)
        viewers: tuple[Seat, ...] = (*range(table.players), None)
        setup: list[Match] = []
        if starts:
            other = self._begun(table, luck.word() >> 1)
            if match is not None and other is not None:
                for seat in viewers:
                    self._follow(table, begun_anew(match.copy(), other.copy(), seat), (), luck)
        if match is None:
            return
        if starts:
            asking = self._begun(table, table.seed, "ask")
            strokes = iter(()) if asking is None else self._strokes(table, asking, luck)
            setup = _some(strokes, luck, moments // 3)
        for moment in [*setup, *_some(self._played(table, match, luck), luck, moments)]:
            seat, same_luck = luck.choose(viewers), luck.below(2) == 0
            try:
                twins = dealt_anew(moment, seat, luck.word() >> 1, same_luck)
            except NoTwin:
                continue
            self._follow(table, twins, tuple(option.text for option in moment.replies), luck)

    def _begun(self, table: TrialTable, seed: int, chance: str = "seed") -> Match | None:
        """A game at its first question; None, recorded, if the rules fault before that."""
        try:
            return self._started(table, seed, chance)
        except RuleFault as fault:
            self.findings.faults.append(Hole(table, (), "", str(fault)))
            return None

    def _strokes(self, table: TrialTable, match: Match, luck: Stream) -> Iterator[Match]:
        """The chance events before the first question."""
        for _ in range(LONGEST_GAME):
            asked = match.decision
            if asked is None or asked.kind != "chance":
                return
            yield match.copy()
            if not self._chosen(table, match, luck.choose(asked.options)):
                return

    def _played(self, table: TrialTable, match: Match, luck: Stream) -> Iterator[Match]:
        """The moments of a game at which a question is asked, without secret answers pending."""
        for _ in range(LONGEST_GAME):
            asked = match.decisions
            if not asked:
                return
            if not match.state.secret:
                yield match.copy()
            mine = luck.choose(asked)
            if not self._chosen(table, match, some_option(mine.options, luck)):
                return

    def _chosen(self, table: TrialTable, match: Match, option: Option) -> bool:
        """Answers in the real game; False, recorded, if the rules fault."""
        try:
            match.choose(option)
            _ = match.decisions
        except RuleFault as fault:
            given = tuple(each.text for each in match.replies)
            self.findings.faults.append(Hole(table, given, option.text, str(fault)))
            return False
        return True

    def _started(self, table: TrialTable, seed: int, chance: str = "seed") -> Match:
        return Match(
            self.program, table.players, seed, chance, table.discretion, machine=table.machine
        )

    # ------------------------------------------------------------ a pair

    def _follow(
        self, table: TrialTable, twins: Twins, before: tuple[str, ...], luck: Stream
    ) -> None:
        """Continues twins until they end."""
        self.findings.pairs += 1
        try:
            end = self._parted(table, twins, before, luck)
        except Faults as faults:
            end = self._faulted(table, twins, before, faults)
        except (RuleFault, IllegalChoice, NoTwin):
            end = BROKEN, ""
        self.findings.ends[end] += 1

    def _parted(
        self, table: TrialTable, twins: Twins, before: tuple[str, ...], luck: Stream
    ) -> End:
        for _ in range(LONGEST):
            end = self._looked(table, twins, before)
            if end is not None:
                return end
            asked = twins.one.decision
            if asked is None:
                break
            self._try_own(twins)
            if not go_on(twins, luck) or twins.opened:
                return CHOSEN, asked.clause.id
            self.findings.answers += 1
        return OVER, ""

    def _try_own(self, twins: Twins) -> None:
        """Tries answers of the seat; raises Faults if they distinguish the twins."""
        for one, two in own_answers(twins, MOST_TRIED):
            faults = faulting(twins.both, one, two)
            if twins.told_by(*faults):
                raise Faults(one, two, *faults)
            self._count(FAULT, one.text)

    def _faulted(
        self, table: TrialTable, twins: Twins, before: tuple[str, ...], faults: Faults
    ) -> End:
        """Classifies a fault at an answer: a leak, if it distinguishes the twins."""
        if not twins.told_by(faults.one, faults.two):
            return BROKEN, ""
        answer = faults.answer
        if distinguished_before(twins, answer, faults.other):
            return TOLD, answer.clause.id
        one, two = (f"{answer.text}: {visible_effect(each)}" for each in (faults.one, faults.two))
        return self._leaked(table, twins, before, answer.clause.id, Difference(FAULT, "", one, two))

    def _looked(self, table: TrialTable, twins: Twins, before: tuple[str, ...]) -> End | None:
        """Compares everything the seat is given; returns how the twins end, if they do."""
        one, two = (eyes.news() for eyes in twins.eyes)
        parted = parting(one, two, twins.same_luck)
        if parted is not None and parted.told:
            return TOLD, self.program.clauses[parted.visible.clause].id
        stopped = parted is not None and not (parted.one and parted.two)
        if stopped or standing(twins.one.state) != standing(twins.two.state):
            window = _window(twins)
            if window:
                return ASKED, window
            unable = _unable(twins)
            if unable:
                return TOLD, unable
        if parted is not None:
            clause = self.program.clauses[parted.visible.clause].id
            difference = Difference("events", "", parted.one, parted.two)
        else:
            asked = twins.one.decision or twins.two.decision
            number = one[-1].clause if one else self.program.main
            clause = self.program.clauses[number].id if asked is None else asked.clause.id
            found = self._compared(twins)
            if found is None:
                return None
            difference = found
        return self._leaked(table, twins, before, clause, difference)

    def _leaked(
        self,
        table: TrialTable,
        twins: Twins,
        before: tuple[str, ...],
        clause: str,
        difference: Difference,
    ) -> End:
        since = tuple(option.text for option in twins.one.replies)
        self.findings.leaks.append(Leak(table, twins.seat, before, since, clause, difference))
        return LEAKED, clause

    def _compared(self, twins: Twins) -> Difference | None:
        """The first channel that differs. Languages take turns."""
        languages = self.program.languages
        for channel in self.channels:
            looks = self._looks[channel.name]
            if looks % channel.every:
                self._looks[channel.name] += 1
                continue
            language = languages[looks // channel.every % len(languages)]
            one, two = (_text(channel, match, twins.seat, language) for match in twins.both)
            if one is None or two is None:
                if not twins.told_by(one is None, two is None):
                    raise NoTwin
                return Difference(
                    channel.name, language, visible_effect(one is None), visible_effect(two is None)
                )
            if one != two:
                return Difference(channel.name, language, *_around(one, two))
            # Empty outputs do not count as a comparison.
            if one:
                self._looks[channel.name] += 1
                self._count(channel.name, one)
        return None

    def _count(self, channel: str, text: str) -> None:
        compared = self.findings.compared[channel]
        compared.looks += 1
        compared.bytes += len(text.encode())


def visible_effect(faults: bool) -> str:
    """The visible effect of an answer: a fault, or none."""
    return "the rules fault" if faults else "the game goes on"


def _text(channel: OutputChannel, match: Match, seat: Seat, language: str) -> str | None:
    """The output of a channel to a seat; None if the rules fault."""
    try:
        return channel.text(match, seat, language)
    except RuleFault:
        return None


def _some(moments: Iterator[Match], luck: Stream, most: int) -> list[Match]:
    """A random sample of moments, in order."""
    found = list(moments)
    return [found[at] for at in sorted(luck.shuffled(range(len(found)))[:most])]


def _window(twins: Twins) -> str:
    """The clause of an optional question at a quick table, which reveals that somebody could
    answer.

    Empty if there is none.
    """
    for match in twins.both:
        asked = match.decision
        if asked is not None and asked.may and not match.state.discreet:
            return asked.clause.id
    return ""


def _unable(twins: Twins) -> str:
    """The clause of a simultaneous question that some cannot answer; empty if there is none.

    Whom the game waits for reveals only what the rules reveal anyway when all have answered.
    """
    one, two = (match.decision for match in twins.both)
    if one is None or two is None or one.may or (one.kind, two.kind) != ("together", "together"):
        return ""
    return one.clause.id if one.clause is two.clause else ""


def _around(one: str, two: str) -> tuple[str, str]:
    """Excerpts of two texts around their first difference."""
    at = next((at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), None)
    first = max(0, (min(len(one), len(two)) if at is None else at) - SHOWN // 2)
    return one[first : first + SHOWN], two[first : first + SHOWN]
