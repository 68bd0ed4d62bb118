"""Many games, and in each of them many twins: what was compared, what was told, what leaked.

A game is played by players who take any option. From its start and from moments of it twins are
played on for a while; after every answer all that the seat is given is compared. A pair of twins
ends in one of these ways:

    told     a deed told the seat something that was hidden
    chosen   a player chose what can be chosen in one of the games only, or what was answered in
             secret is opened
    asked    a player could answer in one of the games only, and the table is quick
    over     the game is over, or was looked at for long enough
    broken   the rules fault, in both games or in a world that they never come to
    leaked   the seat could have told the games apart

After each look the seat's own answers are tried out, too: which of them fault must be the same in
both games, as a fault stops the table before everybody's eyes. A fault in a game that was really
played is a hole in the rules, whoever learns of it, and is noted as such.
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
from lawspeaker.position.luck import Stream, combine, word_of
from lawspeaker.study.secrets.deeds import Seat, parting
from lawspeaker.study.secrets.given import CHANNELS, Channel
from lawspeaker.study.secrets.twins import (
    Faults,
    NoTwin,
    Twins,
    begun_anew,
    dealt_anew,
    faulting,
    go_on,
    own_answers,
    some_option,
    standing,
    told_before,
)

TOLD, CHOSEN, ASKED, OVER, BROKEN, LEAKED = "told", "chosen", "asked", "over", "broken", "leaked"
MACHINES = ("reference", "wasm")
DISCRETIONS = ("quick", "discreet")
LONGEST_GAME = 400
MOMENTS = 12
"""From so many moments of a game twins are played on."""
LONGEST = 8
"""So many answers twins are followed."""
SHOWN = 200
"""So much of two texts is shown where they part."""
FAULT = "fault"
"""The channel of faults: that a table stops."""
MOST_TRIED = 12
"""So many of the seat's answers are tried out at a look."""

End = tuple[str, str]
"""How twins ended, and the clause by which they did."""


def hides(program: ir.Program) -> bool:
    """Whether there is anything in a game that not everyone sees."""
    declared = (
        *(family.seen_by for family in program.families),
        *(family.count_seen_by for family in program.families),
        *(marker.seen_by for marker in program.markers),
        *(state.seen_by for piece in program.pieces for state in piece.states),
    )
    deeds = everything(tuple(clause.body for clause in program.clauses))
    secretly = any(isinstance(deed, ir.Ask) and deed.each is not None for deed in deeds)
    return secretly or any(each != "everyone" for each in declared)


@dataclass(frozen=True, slots=True)
class Table:
    """A game that is looked at: how many play, its luck, and the machine that runs it. Who repeats
    a seed finds the same discretion and machine, if `machines` are the same."""

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
    """A channel, the language in which it was compared, and the texts of twins that differ."""

    channel: str
    language: str
    one: str
    two: str


@dataclass(frozen=True, slots=True)
class Leak:
    """What a seat could tell twins apart by, and how to come there again: the twins were dealt
    after the answers `before`, and parted after those `since`."""

    table: Table
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
    """A fault of a game that was really played: at which table, after which answers, and what the
    rules say. `answer` is what they faulted at; nothing, if the game could not begin."""

    table: Table
    before: tuple[str, ...]
    answer: str
    fault: str


@dataclass(slots=True)
class Compared:
    """How often a channel was compared, and how much was the same."""

    looks: int = 0
    bytes: int = 0


@dataclass(slots=True)
class Findings:
    """What came of a number of games."""

    players: int
    games: int = 0
    pairs: int = 0
    answers: int = 0
    compared: dict[str, Compared] = field(default_factory=dict)
    """By the name of the channel."""
    ends: Counter[End] = field(default_factory=Counter)
    leaks: list[Leak] = field(default_factory=list)
    faults: list[Hole] = field(default_factory=list)


class Trial:
    """Looks for leaks in a game for so many players."""

    def __init__(
        self, program: ir.Program, players: int, channels: Sequence[Channel] = CHANNELS
    ) -> None:
        self.program = program
        self.channels = channels
        names = [*(each.name for each in channels), FAULT]
        self.findings = Findings(players, compared={name: Compared() for name in names})
        self._looks: Counter[str] = Counter()

    def game(self, table: Table, moments: int = MOMENTS, starts: bool = True) -> None:
        """Plays a game, and twins from some moments of it; with `starts`, also from its start and
        from moments before its first question."""
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

    def _begun(self, table: Table, seed: int, chance: str = "seed") -> Match | None:
        """A game at its first question; None, noted, if the rules fault before that."""
        try:
            return self._started(table, seed, chance)
        except RuleFault as fault:
            self.findings.faults.append(Hole(table, (), "", str(fault)))
            return None

    def _strokes(self, table: Table, match: Match, luck: Stream) -> Iterator[Match]:
        """The moments before the first question at which luck has a say."""
        for _ in range(LONGEST_GAME):
            asked = match.decision
            if asked is None or asked.kind != "chance":
                return
            yield match.copy()
            if not self._chosen(table, match, luck.choose(asked.options)):
                return

    def _played(self, table: Table, match: Match, luck: Stream) -> Iterator[Match]:
        """The moments of a game at which a question is put, and nobody has answered it in
        secret."""
        for _ in range(LONGEST_GAME):
            asked = match.decisions
            if not asked:
                return
            if not match.state.secret:
                yield match.copy()
            mine = luck.choose(asked)
            if not self._chosen(table, match, some_option(mine.options, luck)):
                return

    def _chosen(self, table: Table, match: Match, option: Option) -> bool:
        """Answers in a game that is really played; False, noted, if the rules fault."""
        try:
            match.choose(option)
            _ = match.decisions
        except RuleFault as fault:
            given = tuple(each.text for each in match.replies)
            self.findings.faults.append(Hole(table, given, option.text, str(fault)))
            return False
        return True

    def _started(self, table: Table, seed: int, chance: str = "seed") -> Match:
        return Match(
            self.program, table.players, seed, chance, table.discretion, machine=table.machine
        )

    # ------------------------------------------------------------ a pair

    def _follow(self, table: Table, twins: Twins, before: tuple[str, ...], luck: Stream) -> None:
        """Goes on with twins until they part."""
        self.findings.pairs += 1
        try:
            end = self._parted(table, twins, before, luck)
        except Faults as faults:
            end = self._faulted(table, twins, before, faults)
        except (RuleFault, IllegalChoice, NoTwin):
            end = BROKEN, ""
        self.findings.ends[end] += 1

    def _parted(self, table: Table, twins: Twins, before: tuple[str, ...], luck: Stream) -> End:
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
        """Tries out answers of the seat; raises Faults where it can tell the twins apart by it."""
        for one, two in own_answers(twins, MOST_TRIED):
            faults = faulting(twins.both, one, two)
            if twins.told_by(*faults):
                raise Faults(one, two, *faults)
            self._count(FAULT, one.text)

    def _faulted(self, table: Table, twins: Twins, before: tuple[str, ...], faults: Faults) -> End:
        """The rules have faulted at an answer: a leak, if the seat can tell the twins apart."""
        if not twins.told_by(faults.one, faults.two):
            return BROKEN, ""
        answer = faults.answer
        if told_before(twins, answer, faults.other):
            return TOLD, answer.clause.id
        one, two = (f"{answer.text}: {told(each)}" for each in (faults.one, faults.two))
        return self._leaked(table, twins, before, answer.clause.id, Difference(FAULT, "", one, two))

    def _looked(self, table: Table, twins: Twins, before: tuple[str, ...]) -> End | None:
        """Compares all that the seat is given; how the twins end, if they do."""
        one, two = (eyes.news() for eyes in twins.eyes)
        parted = parting(one, two, twins.same_luck)
        if parted is not None and parted.told:
            return TOLD, self.program.clauses[parted.deed.clause].id
        stopped = parted is not None and not (parted.one and parted.two)
        if stopped or standing(twins.one.state) != standing(twins.two.state):
            window = _window(twins)
            if window:
                return ASKED, window
            unable = _unable(twins)
            if unable:
                return TOLD, unable
        if parted is not None:
            clause = self.program.clauses[parted.deed.clause].id
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
        table: Table,
        twins: Twins,
        before: tuple[str, ...],
        clause: str,
        difference: Difference,
    ) -> End:
        since = tuple(option.text for option in twins.one.replies)
        self.findings.leaks.append(Leak(table, twins.seat, before, since, clause, difference))
        return LEAKED, clause

    def _compared(self, twins: Twins) -> Difference | None:
        """The first channel on which the twins differ. Each is compared in one of the languages, in
        another one the next time."""
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
                return Difference(channel.name, language, told(one is None), told(two is None))
            if one != two:
                return Difference(channel.name, language, *_around(one, two))
            # Where there was nothing to compare, the next look makes up for it.
            if one:
                self._looks[channel.name] += 1
                self._count(channel.name, one)
        return None

    def _count(self, channel: str, text: str) -> None:
        compared = self.findings.compared[channel]
        compared.looks += 1
        compared.bytes += len(text.encode())


def told(faults: bool) -> str:
    """What is seen of an answer, or of a question of the seat's: that the rules fault, or not."""
    return "the rules fault" if faults else "the game goes on"


def _text(channel: Channel, match: Match, seat: Seat, language: str) -> str | None:
    """What a channel gives a seat; None if the rules fault at it."""
    try:
        return channel.text(match, seat, language)
    except RuleFault:
        return None


def _some(moments: Iterator[Match], luck: Stream, most: int) -> list[Match]:
    """Some of the moments of a game, in their order."""
    found = list(moments)
    return [found[at] for at in sorted(luck.shuffled(range(len(found)))[:most])]


def _window(twins: Twins) -> str:
    """The clause of a question that a player may pass, at a quick table: to be asked it may tell
    that one could answer. Empty if there is none."""
    for match in twins.both:
        asked = match.decision
        if asked is not None and asked.may and not match.state.discreet:
            return asked.clause.id
    return ""


def _unable(twins: Twins) -> str:
    """The clause of a question to several at once that some cannot answer: whom the game waits for
    tells what the rules tell anyway when all have answered. Empty if there is none."""
    one, two = (match.decision for match in twins.both)
    if one is None or two is None or one.may or (one.kind, two.kind) != ("together", "together"):
        return ""
    return one.clause.id if one.clause is two.clause else ""


def _around(one: str, two: str) -> tuple[str, str]:
    """Two texts around where they part."""
    at = next((at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), None)
    first = max(0, (min(len(one), len(two)) if at is None else at) - SHOWN // 2)
    return one[first : first + SHOWN], two[first : first + SHOWN]
