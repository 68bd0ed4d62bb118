"""A game at one screen without I/O: takes typed lines, and returns what to show.

    session = Session(match, seats, "en")
    shown = session.start()
    while not session.done:
        shown = session.step() if session.waits_for == "others" else session.answer(line)

`seats` holds a bot for each seat, or None for a person. The session waits for `others` (bots, one
reply at each step), for a `curtain` to be opened, or for the `answer` of the seat it faces. With
several people at one screen a curtain falls whenever another of them is asked.

If the rules fault, the game is paused (see `pausing`): the session waits for the people to agree
to resume or end it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from lawspeaker.base.phrases import phrase
from lawspeaker.faces.play import answers
from lawspeaker.faces.play.input import (
    TypedOption,
    command,
    command_name,
    find,
    option_by_number,
    words_of,
)
from lawspeaker.faces.play.pausing import Paused, carried_out
from lawspeaker.faces.play.shown import (
    Curtain,
    Listing,
    SaveRequest,
    Shown,
    ShownNote,
    ShownQuestion,
    ShownTable,
    StoryLines,
)
from lawspeaker.faces.play.watching import Watching, beginning, past_of
from lawspeaker.ir.secrecy import keeps_secrets
from lawspeaker.ir.types import PLAYER
from lawspeaker.match import undo
from lawspeaker.match.auto_pass import Until, window_hash
from lawspeaker.match.decision import Decision, Option
from lawspeaker.match.events import known_to
from lawspeaker.match.log import Log, RuleFile
from lawspeaker.match.match import Match, RuleFault
from lawspeaker.match.view import View
from lawspeaker.match.writing import QUOTES
from lawspeaker.players.bots import Bot, reply
from lawspeaker.players.bots import bot as new_bot
from lawspeaker.telling.circumstances import Circumstances
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.story import Story, brief

MOST_LISTED = 12
RECENT = 40
"""Number of known events before the new ones that are replayed, because they affect how these are
told."""


class Session:
    def __init__(
        self,
        match: Match,
        seats: Sequence[Bot | None],
        language: str,
        paused: Paused | None = None,
    ) -> None:
        if len(seats) != match.players:
            raise ValueError(f"{len(seats)} seats are named for {match.players} players")
        self.match = match
        self.seats = tuple(seats)
        self.language = language
        self.people = [seat for seat, bot in enumerate(seats) if bot is None]
        self.waits_for = "others"
        self.done = False
        self.paused = paused
        """The reply that could not be carried out, if the game is paused or was ended because of
        it."""
        self._proposed: Callable[[], list[Shown]] | None = None
        """The action proposed for a paused game, carried out when all have agreed."""
        self._needed: list[int] = []
        """The people who have still to agree."""
        self.facing: int | None = None
        """The seat whose player is looking at the screen."""
        self.since = [_last_move(match, seat) for seat in range(match.players)]
        """The number of events before each seat's last reply."""
        self.told = self.since.copy()
        """The number of events that each seat was told."""
        self.passing: dict[int, tuple[Until, str]] = {}
        """The seats that pass by themselves: until when, and in which stretch."""
        self.watching = None if self.people else Watching(match, language)
        self._commands: dict[str, Callable[[str], list[Shown]]] = {
            "help": self._help,
            "rule": self._rule,
            "why": self._why,
            "points": self._points,
            "rules": self._rules,
            "table": self._table,
            "events": self._events,
            "undo": self._undo,
            "skip": self._skip,
            "stop": self._stop,
            "save": self._save,
            "quit": self._quit,
        }

    def say(self, key: str, **values: object) -> str:
        return phrase(key, self.language, **values)

    def name(self, seat: int) -> str:
        return self.match.machine.layout.name(PLAYER, seat, self.language)

    # ------------------------------------------------------------ turns

    def start(self) -> list[Shown]:
        """Returns the initial position, for spectators."""
        return [] if self.people else [self._drawn(None)]

    def step(self) -> list[Shown]:
        """Lets one bot reply, or turns to a person, or ends the game."""
        if self.paused is not None:
            return self._pause()
        asked = self.match.decisions
        if not asked:
            return self._end()
        for each in asked:
            bot = self._bot(each)
            if bot is not None and each.seat is not None:
                if not self._give(self._thought(bot, each.seat), each.seat):
                    return self._pause()
                return [SaveRequest(), *(self.watching.news() if self.watching else ())]
        for each in asked:
            if each.seat is not None and self._passes(each.seat):
                return [SaveRequest()] if self._give(each.options[-1], each.seat) else self._pause()
        return self._face(next(each.seat for each in asked if each.seat is not None))

    def _passes(self, seat: int) -> bool:
        """Whether a seat passes by itself now; clears the setting when it expires."""
        until, begun = self.passing.get(seat, (None, ""))
        if until is None:
            return False
        now = window_hash(self.match)
        if now != begun if until is Until.STRETCH and now else until is Until.ASKED and not now:
            del self.passing[seat]
        return seat in self.passing and bool(now)

    def _thought(self, bot: Bot, seat: int) -> Option:
        """Returns a bot's reply; a random one if the rules fault in one of its playouts."""
        try:
            return reply(bot, self.match, seat)
        except RuleFault:
            return reply(new_bot("random", len(self.match.replies)), self.match, seat)

    def _give(self, option: Option, seat: int) -> bool:
        """Applies a reply; returns False if it faults, which pauses the game."""
        asked, clause = self.match.seats_asked, option.clause.id
        fault = carried_out(self.match, option, seat)
        if fault is not None:
            self.paused = Paused(seat, option.text, clause, asked, details=str(fault))
        return fault is None

    def _bot(self, asked: Decision) -> Bot | None:
        return None if asked.seat is None else self.seats[asked.seat]

    def _face(self, seat: int) -> list[Shown]:
        if seat != self.facing and len(self.people) > 1:
            self.facing, self.waits_for = seat, "curtain"
            text = self.say("curtain.pass", player=self.name(seat))
            return [Curtain(seat, text, self.say("curtain.ready", player=self.name(seat)))]
        return self.turn_to(seat)

    def turn_to(self, seat: int) -> list[Shown]:
        """Returns the table, the news and the question for a seat that is asked."""
        self.facing, self.waits_for = seat, "answer"
        events = self.match.events
        news = brief(self._story(seat, self.told[seat]).lines)
        own = [line for line in news if line.kind == "choose" and line.seat == seat]
        lines = tuple(line for line in news if line not in own)
        self.told[seat] = len(events)
        shown: list[Shown] = [self._drawn(seat)]
        if lines:
            shown.append(StoryLines(lines))
        return [*shown, self._question()]

    def _drawn(self, seat: int | None) -> ShownTable:
        view = self.match.view(seat)
        return ShownTable(view, Labels(view))

    def _story(self, seat: int | None, first: int) -> StoryLines:
        labels = Labels(self.match.view(seat))
        events = known_to(self.match.machine, self.match.events, seat)
        news = next((at for at, each in enumerate(events) if each.number >= first), len(events))
        story = Story(
            self.match.machine,
            seat,
            self.language,
            labels,
            past_of(self.match),
            circumstances=Circumstances(self.match, seat),
        )
        # told before; the story keeps it in its context
        story.lines(events[max(news - RECENT, 0) : news])
        return StoryLines(tuple(story.lines(events[news:])))

    def cut_short(self) -> list[Shown]:
        """Returns the untold rest of a game that is aborted."""
        self.done = True
        if self.watching is not None:
            return list(self.watching.news(all_of_it=True))
        left = self._story(self._reader, min(self.told[each] for each in self.people))
        return [StoryLines(brief(left.lines))]

    @property
    def _reader(self) -> int | None:
        """The viewer of the final story: a single person, or else a spectator."""
        return self.people[0] if len(self.people) == 1 else None

    def _end(self) -> list[Shown]:
        shown = [*self.cut_short(), self._drawn(self._reader)]
        return [*shown, answers.result(self.match, self.language), SaveRequest()]

    # ------------------------------------------------------------ pausing

    @property
    def details(self) -> str:
        """The message of a fault, if it reveals nothing hidden here."""
        if self.paused is None:
            return ""
        several = len(self.people) > 1 and keeps_secrets(self.match.program)
        return "" if several and not self.paused.ended else self.paused.details

    def _pause(self) -> list[Shown]:
        """Announces the pause; a game among bots ends with it."""
        assert self.paused is not None
        if self.paused.ended:
            return self._ended()
        if not self.people:
            return [*self.cut_short(), SaveRequest()]
        self.waits_for = "paused"
        shown: list[Shown] = [SaveRequest()]
        if len(self.people) > 1:  # the last view is not for everybody
            shown.append(Curtain(self.people[0], "", ""))
        shown.append(ShownNote(self.say("table.paused"), "bad"))
        if self.details:
            shown.append(ShownNote(self.say("table.paused_by", fault=self.details), "quiet"))
        return [*shown, ShownNote(self.say("paused.how"))]

    def _while_paused(self, text: str) -> list[Shown]:
        if self._proposed is not None:
            return self._agreed(self._proposed, text)
        meant = command(text, self.language)
        if meant is None or meant[0] not in ("undo", "stop", "save", "quit"):
            return [ShownNote(self.say("paused.how"))]
        return self._commands[meant[0]](meant[1])

    def _propose(self, what: Callable[[], list[Shown]], key: str) -> list[Shown]:
        """Asks all people for consent; a single person consents by asking."""
        if len(self.people) == 1:
            return what()
        self._proposed, self._needed = what, self.people.copy()
        return [ShownNote(self.say(key)), self._asks_to_agree()]

    def _asks_to_agree(self) -> ShownNote:
        return ShownNote(self.say("paused.agree", player=self.name(self._needed[0])), "strong")

    def _agreed(self, proposed: Callable[[], list[Shown]], text: str) -> list[Shown]:
        said = words_of(text)
        if said == words_of(self.say("word.yes")):
            self._needed.pop(0)
            if self._needed:
                return [self._asks_to_agree()]
            self._proposed = None
            return proposed()
        if said == words_of(self.say("word.no")):
            self._proposed = None
            return [ShownNote(self.say("paused.how"))]
        return [self._asks_to_agree()]

    def _resume(self, after: int) -> list[Shown]:
        """Resumes after the first `after` replies."""
        self.match.rewind(after)
        self._forget_told()
        self.paused, self.facing = None, None
        return [ShownNote(self.say("table.resumed")), SaveRequest()]

    def _forget_told(self) -> None:
        """Clamps the counters of told events after a rewind."""
        happened = len(self.match.events)
        self.told = [min(count, happened) for count in self.told]
        self.since = [min(count, happened) for count in self.since]
        self.waits_for = "others"

    def _stop(self, rest: str) -> list[Shown]:
        if self.paused is None:
            return [ShownNote(self.say("table.not_paused"), "bad")]
        return self._propose(self._end_paused, "table.proposed_end")

    def _end_paused(self) -> list[Shown]:
        assert self.paused is not None
        self.paused = replace(self.paused, ended=True)
        return [*self._ended(), SaveRequest()]

    def _ended(self) -> list[Shown]:
        return [*self.cut_short(), ShownNote(self.say("table.ended"), "bad")]

    def record(self, seats: Sequence[str], bundle: Sequence[RuleFile] = ()) -> Log:
        """Returns the log of the game."""
        kept = self.match.record(seats, bundle)
        return kept if self.paused is None else replace(kept, fault=self.paused.logged())

    # ------------------------------------------------------------ questions

    @property
    def decision(self) -> Decision:
        """The question to the faced seat."""
        assert self.facing is not None
        return self.match.shown(self.facing)

    def choices(self) -> list[TypedOption]:
        """Returns the listed choices of the question."""
        options = answers.as_listed(self.decision)
        return answers.choices_of(self.match, self.facing, options, self.language)

    def _question(self) -> ShownQuestion:
        decision = self.decision
        assert decision.seat is not None
        heading = self.say("ask.turn", player=self.name(decision.seat))
        prompt = decision.prompt_in(self.language)
        shown = tuple(choice.shown for choice in self.choices())
        told = answers.typed_forms(decision, self.language)
        hint = self.say("text.own" if shown else "text.type", forms=told) if told else ""
        return ShownQuestion(decision.seat, heading, prompt, shown, hint or self.say("ask.hint"))

    def _how(self, choices: list[TypedOption]) -> ShownNote:
        """Explains how to answer, after an empty line."""
        if choices:
            return ShownNote(self.say("ask.empty", count=len(choices)), "quiet")
        forms = answers.typed_forms(self.decision, self.language)
        return ShownNote(self.say("text.type", forms=forms), "quiet")

    # ------------------------------------------------------------ input

    def answer(self, line: str) -> list[Shown]:
        """Handles a line that a person has typed."""
        if self.waits_for == "curtain":
            assert self.facing is not None
            return self.turn_to(self.facing)
        if self.waits_for == "paused":
            return self._while_paused(line.strip())
        if self.waits_for != "answer":
            return []
        try:
            return self._read(line.strip())
        except RuleFault:  # a fault in an explanation changes nothing
            return [ShownNote(self.say("paused.unknown"), "bad")]

    def _read(self, text: str) -> list[Shown]:
        choices = self.choices()
        if not text:
            return [self._how(choices)]
        if (text[0] in QUOTES or not choices) and (written := self._typed(text)):
            return written
        if text.isdecimal() and choices:
            typed = answers.typed_options(self.match, self.decision, text)
            if len(typed) != 1:
                return self._by_number(text, choices)
            if len(text) > 6 or int(text) > len(choices):
                return self._chooses(typed[0])
            shown = typed[0].name(self.language)
            return [ShownNote(self.say("ask.which", number=text, option=shown), "bad")]
        if text[0] == "#" and choices and text[1:].strip().isdecimal():
            return self._chosen(text[1:].strip(), len(choices))
        found = find(choices, text)
        exact = len(found) == 1 and choices[found[0]].says(text)
        meant = None if exact else command(text, self.language)
        if meant is not None:
            return self._commands[meant[0]](meant[1])
        return self._by_words(text, choices, found)

    def _by_number(self, text: str, choices: list[TypedOption]) -> list[Shown]:
        """Chooses by number, unless the number is also the text of another choice."""
        meant = option_by_number(choices, text)
        if meant is not None and meant != int(text) - 1:
            shown = choices[meant].shown
            return [ShownNote(self.say("ask.which", number=text, option=shown), "bad")]
        return self._chosen(text, len(choices))

    def _chosen(self, text: str, count: int) -> list[Shown]:
        number = int(text) if len(text) < 7 else 0
        if not 1 <= number <= count:
            return [ShownNote(self.say("ask.number", count=count), "bad")]
        return self._choose(number - 1)

    def _by_words(self, text: str, choices: list[TypedOption], found: list[int]) -> list[Shown]:
        if len(found) == 1:
            return self._choose(found[0])
        if found:
            listed = tuple((at + 1, choices[at].shown) for at in found[:MOST_LISTED])
            return [ShownNote(self.say("ask.several"), "bad"), Listing(listed)]
        written = self._typed(text)
        return written or answers.why_not(self.match, self.facing, text, self.language)

    def _typed(self, text: str) -> list[Shown]:
        """Applies a typed answer that is not listed; returns nothing if the text is none."""
        options = [*answers.typed_options(self.match, self.decision, text)]
        choices = answers.choices_of(self.match, self.facing, options, self.language)
        found = find(choices, text) if len(options) > 1 else list(range(len(options)))
        if len(found) > 1:
            return [self._how([])]
        return self._chooses(options[found[0]]) if found else []

    def _choose(self, number: int) -> list[Shown]:
        return self._chooses(answers.as_listed(self.decision)[number])

    def _chooses(self, option: Option) -> list[Shown]:
        decision = self.decision
        assert decision.seat is not None
        before = len(self.match.events)
        self.waits_for = "others"
        if not self._give(option, decision.seat):
            return self._pause()
        self.since[decision.seat] = before
        return [SaveRequest()]

    # ------------------------------------------------------------ commands

    def _view(self) -> View:
        return self.match.view(self.facing)

    def _help(self, rest: str) -> list[Shown]:
        return [answers.helping(self.match.program, self.language)]

    def _rule(self, rest: str) -> list[Shown]:
        if rest:
            return self._rules(rest)
        return [
            answers.rule(self.match.program, self.decision.clause, self.language, self.decision)
        ]

    def _why(self, rest: str) -> list[Shown]:
        if not rest:
            return [ShownNote(self.say("why.what"), "bad")]
        if rest.isdecimal():
            choices = self.choices()
            number = int(rest) if len(rest) < 7 else 0
            if 1 <= number <= len(choices):
                option = f"{number}  {choices[number - 1].shown}"
                return [ShownNote(self.say("why.offered", option=option))]
        return answers.why_not(self.match, self.facing, rest, self.language)

    def _points(self, rest: str) -> list[Shown]:
        assert self.facing is not None
        if not rest:
            return answers.points(self.match, self.facing, self.language)
        for seat in range(self.match.players):
            if find([TypedOption(self.name(seat), ())], rest):
                return answers.points(self.match, seat, self.language)
        names = ", ".join(self.name(seat) for seat in range(self.match.players))
        return [ShownNote(self.say("points.nobody", text=rest, names=names), "bad")]

    def _rules(self, rest: str) -> list[Shown]:
        if not rest:
            return [ShownNote(self.say("rules.what"), "bad")]
        return answers.rules(self.match.program, rest, self.language)

    def _table(self, rest: str) -> list[Shown]:
        return [self._drawn(self.facing), self._question()]

    def _events(self, rest: str) -> list[Shown]:
        assert self.facing is not None
        told = self._story(self.facing, 0 if rest else self.since[self.facing])
        return [told] if told.lines else [ShownNote(self.say("events.none"), "quiet")]

    def _undo(self, rest: str) -> list[Shown]:
        if self.paused is not None:
            further = int(rest) - 1 if rest.isdecimal() and len(rest) < 7 else 0
            after = max(0, len(self.match.replies) - max(0, further))
            return self._propose(partial(self._resume, after), "table.proposed_resume")
        assert self.facing is not None
        free = bool(rest) and len(self.people) == 1
        if not undo.steps_back(self.match, self.facing, free):
            return self._barred(self.facing, free)
        self.passing.pop(self.facing, None)
        undo.take_back(self.match, self.facing, free=free)
        self._forget_told()
        return [ShownNote(self.say("undo.done")), SaveRequest()]

    def _skip(self, rest: str) -> list[Shown]:
        """Passes by itself from now on where one may step in; elsewhere ends that."""
        assert self.facing is not None
        now = window_hash(self.match)
        if not now:
            stopped = self.passing.pop(self.facing, None) is not None
            return [ShownNote(self.say("skip.no_more" if stopped else "skip.not_now"), "quiet")]
        self.passing[self.facing] = (Until.STRETCH if rest else Until.ASKED, now)
        options = answers.as_listed(self.decision)
        return self._choose(next(at for at, each in enumerate(options) if not each.alternative))

    def _barred(self, seat: int, free: bool) -> list[Shown]:
        """Explains why undo is refused."""
        barrier = undo.barrier(self.match, seat, free)
        if barrier is None:
            return [ShownNote(self.say("undo.nothing"), "bad")]
        other = self.match.replies[barrier.reply].setting.seat
        player = self.name(seat if other is None else other)
        reason = self.say(f"undo.{barrier.kind}", player=player)
        told = self.say("undo.barred", reason=f"{reason} [{barrier.clause}]")
        shown: list[Shown] = [ShownNote(told, "bad")]
        if len(self.people) == 1:
            shown.append(ShownNote(self.say("undo.anyway"), "quiet"))
        return shown

    def _save(self, rest: str) -> list[Shown]:
        return [SaveRequest(rest)] if rest else [ShownNote(self.say("save.what"), "bad")]

    def _quit(self, rest: str) -> list[Shown]:
        self.done = True
        return [SaveRequest()]

    def completions(self) -> list[str]:
        """Returns everything that could be typed now, for completion."""
        if self.waits_for != "answer":
            return []
        names = [choice.shown for choice in self.choices()]
        return [*names, *(command_name(name, self.language) for name in self._commands)]


def _last_move(match: Match, seat: int) -> int:
    """Returns the number of events before a seat's last reply, or before the game began."""
    for number in range(len(match.replies) - 1, -1, -1):
        if match.replies[number].setting.seat == seat:
            return next((event.number for event in match.events_of(number)), len(match.events))
    return beginning(match, seat)
