"""The match of a table, with every operation that a table performs on it.

Everything that runs rules is a method here, an *operation* whose arguments and results are plain
data. So a game can be played in the server (`do` calls the method) or in a process of its own
(`sandbox`), and a table need not know which. A result from another process must have the declared
type (`wire`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Annotated, Any, Concatenate, ParamSpec, TypeVar

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon
from lawspeaker.faces.play import answers
from lawspeaker.faces.play.pausing import carried_out
from lawspeaker.faces.play.shown import Sum
from lawspeaker.faces.web import bots_at_table, wire
from lawspeaker.faces.web.bots_at_table import Turn
from lawspeaker.faces.web.drawing.sketches import Sketches
from lawspeaker.faces.web.scene import Teller, scene, unbegun
from lawspeaker.faces.web.store import Broken, KeptReply, KeptTable
from lawspeaker.faces.web.what_is import what_is
from lawspeaker.faces.web.why_not import rule_data, why_not
from lawspeaker.ir.secrecy import keeps_secrets
from lawspeaker.ir.texts import HOUSE_RULE
from lawspeaker.match import undo
from lawspeaker.match.auto_pass import window_hash
from lawspeaker.match.decision import Decision, IllegalChoice, Option
from lawspeaker.match.game import Game
from lawspeaker.match.log import Log
from lawspeaker.match.log.record import FAULT, TOO_LONG
from lawspeaker.match.match import Match, RuleFault
from lawspeaker.match.view import InCommon, View
from lawspeaker.position.layout import layout_for
from lawspeaker.telling.consequences import consequences
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.lesson import lesson

P = ParamSpec("P")
T = TypeVar("T")

SceneData = Annotated[
    dict[str, Any],
    wire.Keys(
        {"svg": str}, {"stages": list[Annotated[dict[str, Any], wire.Keys({}, {"svg": str})]]}
    ),
]
"""A scene for a screen. The server itself reads only its pictures."""
TYPED = -1
"""The option number of a typed answer, which is stored by its text."""
MOST_FORESEEN = 8
"""Consequences of an answer that are listed; the others are counted."""
SHORTEST_NAME = 4
"""Letters of a word by which a variant names its game."""
MOST_SCENES = 16
"""Number of cached scenes: several onlookers see the same."""


class Refused(Exception):
    """Raised when a request is not allowed; nothing has changed.

    `code` is for programs, `sentence` for people; `clause` and `citations` name the rule that
    forbids it, if there is one.
    """

    def __init__(
        self,
        code: str,
        sentence: str,
        clause: str = "",
        citations: Sequence[str] = (),
        anyway: bool = False,
    ) -> None:
        super().__init__(code, sentence, clause, citations, anyway)
        self.code = code
        self.sentence = sentence
        self.clause = clause
        self.citations = tuple(citations)
        self.anyway = anyway

    def __str__(self) -> str:
        return self.sentence

    def to_json(self) -> dict[str, Any]:
        return {
            "code": self.code,
            "sentence": self.sentence,
            "clause": self.clause,
            "citations": list(self.citations),
            "anyway": self.anyway,
        }

    @classmethod
    def from_json(cls, data: object) -> Refused:
        """Parses the result of `to_json`; raises wire.Malformed."""
        found: _Refusal = wire.fit(data, _Refusal)
        return cls(found.code, found.sentence, found.clause, found.citations, found.anyway)


@dataclass(frozen=True, slots=True)
class _Refusal:
    """The JSON fields of a `Refused`."""

    code: str
    sentence: str
    clause: str
    citations: tuple[str, ...]
    anyway: bool


@dataclass(frozen=True, slots=True)
class Look:
    """A request for a scene: the viewer's seat (None for an onlooker), language and screen shape.

    `since` is the number of replies already shown, `people` the names that players chose.
    `in_stages` asks for the events step by step, `in_parts` for only the changed parts of a
    picture.
    """

    seat: int | None
    language: str
    shape: str = "wide"
    since: int = 0
    people: tuple[str, ...] = ()
    in_stages: bool = False
    in_parts: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts about its rules that a table needs; `titles` and player `names` are by language."""

    name: str
    digest: str
    counts: tuple[int, ...]
    languages: tuple[str, ...]
    titles: Mapping[str, str]
    names: Mapping[str, tuple[str, ...]]
    secrets: bool = True
    """Whether a player can know what others cannot."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether a game is over, and who still has to answer which question.

    A question is identified by the number of replies when it was put. Others who are asked at the
    same time may answer without changing it. `asked` are all to whom it was put, which is public;
    which of them has answered is known to each alone.
    """

    finished: bool
    asks: Mapping[int, int]
    asked: tuple[int, ...] = ()
    stretch: str = ""
    """For a question who steps in: what is interrupted (see `match/auto_pass`)."""


@dataclass(frozen=True, slots=True)
class Misfit:
    """The first reply, counted from 1, that other rules would refuse; 0 is the setup.

    `luck` means that it is possible, but luck would bring something else then.
    """

    reply: int
    luck: bool = False


def titles_of(program: ir.Program, rules: str = "") -> dict[str, str]:
    """Returns the heading of a game by language: its title, and those of its variants.

    `rules` is the name by which it is played, GAME+VARIANT: variants that others include are left
    out, house rules excepted. A variant that names the game itself, as a national one does, stands
    for its title.
    """

    chosen = [each.partition("(")[0].strip() for each in rules.split("+")[1:]]
    own = [each for each in program.variants if each.layer == HOUSE_RULE or each.name in chosen]
    titles = program.title or {program.languages[0]: program.name}
    found = {}
    for language, title in titles.items():
        named = [(ir.in_language(each.title, language), each.layer) for each in own]
        instead = any(
            layer != HOUSE_RULE and not _words(title).isdisjoint(_words(each))
            for each, layer in named
        )
        parts = dict.fromkeys(each for each, _ in named if each)
        found[language] = " – ".join(parts if instead else (title, *parts))
    return found


def _words(title: str) -> set[str]:
    return {each for each in title.casefold().split() if len(each) >= SHORTEST_NAME}


def facts_of(program: ir.Program, players: int, rules: str = "") -> Facts:
    """Collects the facts that a table of so many players needs from a program."""
    layout = layout_for(program, players)
    return Facts(
        program.name,
        program.digest,
        program.counts,
        program.languages,
        titles_of(program, rules),
        {
            language: tuple(layout.name(ir.PLAYER, seat, language) for seat in layout.seats)
            for language in program.languages
        },
        keeps_secrets(program),
    )


class GameInPlay:
    """A match replayed from its stored replies; raises Broken if that fails.

    `given` are those replies; the table appends new ones when they are stored. `most_spent` bounds
    the total processor time of all replies, so that an accepted game can also be replayed.
    """

    sandboxed = False

    def __init__(
        self,
        game: Game,
        kept: KeptTable,
        replies: Sequence[KeptReply] = (),
        most_spent: float = float("inf"),
    ) -> None:
        self._game = game
        self._most_spent = most_spent
        self._scenes: dict[Look, dict[str, Any]] = {}
        self._views: dict[int | None, View] = {}
        self._foreseen: dict[Hashable, dict[str, Any]] = {}
        self._common: InCommon | None = None
        self._tellers: dict[Hashable, Teller] = {}
        self._sketches = Sketches()
        began = time.process_time()
        try:
            self._match = game.start(len(kept.seats), kept.seed, discretion=kept.discretion)
            self.given = self.give_again(replies)
            self.standing()
        except (IllegalChoice, RuleFault, LookupError, ValueError) as error:
            raise Broken(str(error)) from error
        self._spent = time.process_time() - began

    @classmethod
    def of(cls, match: Match) -> GameInPlay:
        """Wraps a match in progress, for viewing."""
        made = cls.__new__(cls)
        made._match = match
        made._scenes = {}
        made._views = {}
        made._foreseen = {}
        made._common = None
        made._tellers = {}
        made._sketches = Sketches()
        made.given = [KeptReply(each.seat or 0, 0, each.text) for each in match.replies]
        return made

    def do(
        self, operation: Callable[Concatenate[GameInPlay, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Performs an operation and returns its result."""
        return operation(self, *args, **kwargs)

    def close(self) -> None:
        """Releases resources; there are none here."""

    # ------------------------------------------------------------ queries

    def facts(self) -> Facts:
        return facts_of(self._match.program, self._match.players, self._match.rules)

    def standing(self) -> Standing:
        asked = [each.seat for each in self._match.decisions if each.seat is not None]
        asks = dict.fromkeys(asked, self._ask())
        return Standing(not asked, asks, self._match.seats_asked, window_hash(self._match))

    def _ask(self) -> int:
        """Returns the number of replies when the open question was put."""
        answered = len(self._match.seats_asked) - len(self._match.decisions)
        return len(self._match.replies) - answered

    def scene(self, look: Look) -> SceneData:
        """Returns the current scene for a viewer, cached."""
        found = self._scenes.get(look)
        if found is None:
            self._sketches.tidy()
            view = self._view(look.seat)
            found = _seen(self._match, look, self._teller(look), self._sketches, view)
            if len(self._scenes) >= MOST_SCENES:
                self._scenes.clear()
            self._scenes[look] = found
        return found

    def unbegun(self, look: Look) -> SceneData:
        """Returns the scene of a game that has not begun."""
        layout = self._match.machine.layout.named(look.people)
        return unbegun(layout, look.language, look.in_parts)

    def _view(self, seat: int | None) -> View:
        """Returns a seat's current view, cached for seats that are asked, since their reply needs
        it."""
        view = self._views.get(seat)
        if view is None:
            self._common = self._common or self._match.in_common()
            view = self._match.view(seat, self._common)
            if seat in view.asked:
                self._views[seat] = view
        return view

    def _moved_on(self) -> None:
        """Clears the caches after a change."""
        self._scenes.clear()
        self._views.clear()
        self._foreseen.clear()
        self._common = None

    def _teller(self, look: Look) -> Teller:
        """Returns the narrator for a viewer, which continues from what it has told."""
        key = (look.seat, look.language, look.people)
        if key not in self._tellers:
            if len(self._tellers) >= MOST_SCENES:
                self._tellers.clear()
            layout = self._match.machine.layout.named(look.people)
            self._tellers[key] = Teller(self._match, look.seat, look.language, layout)
        return self._tellers[key]

    def scene_after(self, replies: int, look: Look) -> SceneData:
        """Returns the scene after the first `replies` replies."""
        past = self._match.copy()
        if look.in_stages and replies:
            option = past.replies[replies - 1]
            past.rewind(replies - 1)
            past.choose(option.text, seat=option.seat)
        else:
            past.rewind(replies)
        self._sketches.tidy()
        return _seen(past, look, sketches=self._sketches)

    def log(self, names: Sequence[str]) -> Log:
        """Returns the game's log for `lawspeaker replay`; `names` are the players' names."""
        return self._match.record(names, self._game.files)

    def report(self, rules: str, replies: int, clause: str, about: str) -> str:
        """Returns the position after so many replies as a scenario file, about a problem."""
        from lawspeaker.study.reporting import reported  # a page without a server has no use for it

        return reported(self._match, rules, replies, clause, about)

    # ------------------------------------------------------------ questions of players

    def why_not(self, seat: int, text: str, language: str) -> dict[str, Any]:
        """Explains why something is not offered to a seat that is asked."""
        return why_not(self._match, seat, text, language)

    def rule(self, seat: int | None, clause: str, language: str) -> dict[str, Any]:
        """Returns a clause by id; without an id, the clause of the question to a seat."""
        program, asked = self._match.program, {each.seat: each for each in self._match.decisions}
        decision = None if clause else asked.get(seat)
        found = next((each for each in program.clauses if each.id == clause), None)
        if decision is not None:
            found = decision.clause
        if found is None:
            raise Refused("no_clause", phrase("rules.none", language, text=clause))
        return rule_data(answers.rule(program, found, language, decision))

    def what_is(
        self, seat: int | None, thing: str, language: str, people: Sequence[str] = ()
    ) -> dict[str, Any] | None:
        """Describes a thing in the picture of a seat; None if it is not there."""
        view = self._view(seat)
        return what_is(view, Labels(view), thing, language, view.layout.named(people))

    def foreseen(
        self, seat: int, number: int, language: str, people: Sequence[str] = ()
    ) -> dict[str, Any]:
        """Returns the consequences of an option for a seat that is asked, from its view alone."""
        key = (seat, number, language, tuple(people))
        found = self._foreseen.get(key)
        if found is None:
            view = self._view(seat)
            assert view.decision is not None
            if number >= len(view.decision.options):
                count = len(view.decision.options)
                raise Refused("illegal", phrase("ask.number", language, count=count))
            told = consequences(view, number, language, view.layout.named(people))
            shown = [
                {"text": each.text, "seat": each.seat, "kind": each.kind, "verb": each.verb}
                for each in told.lines[:MOST_FORESEEN]
            ]
            more = len(told.lines) - len(shown)
            found = {"lines": shown, "more": more, "decides": told.decides}
            self._foreseen[key] = found
        return found

    def lesson(self, language: str) -> list[dict[str, Any]]:
        """Returns the cards of the first lesson of the game."""
        return [asdict(each) for each in lesson(self._match.program, language)]

    def points(self, seat: int, language: str) -> dict[str, Any]:
        """Lists where the points of a seat come from."""
        shown = answers.points(self._match, seat, language)[0]
        if isinstance(shown, Sum):
            rows = [list(row) for row in shown.rows]
            return {"seat": seat, "total": shown.total, "rows": rows, "text": ""}
        return {"seat": seat, "total": 0, "rows": [], "text": getattr(shown, "text", "")}

    def chosen(self, turn: Turn) -> int:
        """Returns the option that a bot takes."""
        return bots_at_table.chosen(self._match, turn)

    def advice(self, turn: Turn) -> dict[str, Any]:
        """Returns a hint by a bot."""
        return bots_at_table.advice(self._match, turn)

    def last_reply(self, seat: int, language: str) -> str:
        """Returns the last reply of a seat in words."""
        replies = reversed(self._match.replies)
        return next((each.name(language) for each in replies if each.setting.seat == seat), "")

    # ------------------------------------------------------------ replies and undo

    def reply(
        self, seat: int, number: int, ask: int, language: str, text: str = ""
    ) -> tuple[KeptReply, Standing]:
        """Applies the reply of a seat: option `number` of the question `ask`, or a typed answer.

        Raises Refused. A fault of the rules is raised with all details: they are for the table, not
        for a player.
        """
        decision = self._view(seat).decision
        assert decision is not None
        if ask != self._ask():
            raise Refused("stale", phrase("table.stale", language), decision.clause.id)
        option = self._option(decision, number, language, text)
        before, began = len(self._match.replies), time.process_time()
        try:
            fault = carried_out(self._match, option, seat)
            standing = self.standing()
        except BaseException:
            # An internal error, or out of memory: undo the reply.
            self._match.rewind(before)
            raise
        finally:
            self._moved_on()
        if fault is not None:
            raise Refused(FAULT, str(fault), fault.clause)
        self._spent += time.process_time() - began
        if self._spent > self._most_spent:
            self._match.rewind(before)
            raise Refused(TOO_LONG, phrase("table.too_long", language))
        self._sketches.turn()
        return KeptReply(seat, TYPED if text else number, option.text), standing

    def _option(self, decision: Decision, number: int, language: str, text: str) -> Option:
        """Returns the option for a number or a typed text; raises Refused."""
        options = decision.options
        if not text:
            if not 0 <= number < len(options):
                raise Refused("illegal", phrase("ask.number", language, count=len(options)))
            return options[number]
        found = decision.option(text) or self._match.written(text, decision.seat)[0]
        if found is None:
            why = why_not(self._match, decision.seat, text, language)
            raise Refused("illegal", why["sentence"], why["clause"])
        return found

    def asking(self, seat: int) -> str:
        """Returns the clause that asks a seat."""
        return self._match.shown(seat).clause.id

    def passing(self, seat: int) -> int:
        """Returns the number of the option by which a seat passes."""
        decision = self._view(seat).decision
        assert decision is not None
        return len(decision.options) - 1

    def offered(self, seat: int, number: int, text: str = "") -> tuple[str, str]:
        """Returns the text of an option of a seat's question, or the typed text, and the asking
        clause."""
        decision = self._match.shown(seat)
        return text or decision.options[number].text, decision.clause.id

    def rewind(self, replies: int) -> Standing:
        """Rewinds to the first `replies` replies by replaying them."""
        began = time.process_time()
        self._match.rewind(replies)
        self._spent = time.process_time() - began
        self._moved_on()
        self._tellers.clear()
        return self.standing()

    def give_again(self, replies: Sequence[KeptReply]) -> list[KeptReply]:
        """Replays stored replies; returns them with their current option numbers."""
        return [_given_again(self._match, each) for each in replies]

    def drawn(self) -> list[list[str]]:
        """Lists what luck has brought at the start and with each reply, hidden things included."""
        return [self._drawn_at(number) for number in range(len(self._match.replies) + 1)]

    def _drawn_at(self, number: int) -> list[str]:
        """Lists what luck has brought with a reply, counted from 1; 0 is the setup."""
        match, found = self._match, []
        for event in match.events_of(number - 1 if number else None):
            facts = match.facts(event)
            if facts["kind"] == "chance":
                found.append(str(facts["outcome"]))
            elif facts["kind"] == "move" and facts["drawn"]:
                found.append(str(facts["piece"]))
        return found

    def follow(self, replies: Sequence[KeptReply], drawn: Sequence[Sequence[str]]) -> Misfit | None:
        """Replays a game that was played by other rules, as long as luck brings the same."""
        for number in range(len(replies) + 1):
            try:
                if number:
                    self.given.append(_given_again(self._match, replies[number - 1]))
                self.standing()
            except (IllegalChoice, RuleFault, LookupError, ValueError):
                return Misfit(number)
            if self._drawn_at(number) != list(drawn[number]):
                return Misfit(number, luck=True)
        self._moved_on()
        return None

    def replied(self, number: int, language: str, people: Sequence[str] = ()) -> str:
        """Returns a reply, counted from 1, in words."""
        option = self._match.replies[number - 1]
        layout = self._match.machine.layout.named(people)
        seat = option.setting.seat
        said = option.name(language)
        return (
            said if seat is None else colon(layout.name(ir.PLAYER, seat, language), said, language)
        )

    def barred(self, seat: int, language: str, people: Sequence[str] = ()) -> Refused | None:
        """Returns why a seat cannot undo its last reply without consent; None if it can."""
        if undo.steps_back(self._match, seat):
            return None
        found = undo.barrier(self._match, seat)
        if found is None:
            return Refused("nothing", phrase("undo.nothing", language))
        other = self._match.replies[found.reply].setting.seat
        layout = self._match.machine.layout.named(people)
        player = layout.name(ir.PLAYER, seat if other is None else other, language)
        reason = phrase(f"undo.{found.kind}", language, player=player)
        sentence = phrase("undo.barred", language, reason=reason)
        return Refused("barred", sentence, found.clause, anyway=True)


def _seen(
    match: Match,
    look: Look,
    teller: Teller | None = None,
    sketches: Sketches | None = None,
    view: View | None = None,
) -> dict[str, Any]:
    return scene(
        match,
        look.seat,
        look.language,
        look.since,
        look.shape,
        look.people,
        look.in_stages,
        look.in_parts,
        teller,
        sketches,
        view,
    )


def _given_again(match: Match, kept: KeptReply) -> KeptReply:
    """Replays a stored reply: by its number, or by its text if the number now means another
    option."""
    options = match.shown(kept.seat).options
    if 0 <= kept.option < len(options) and options[kept.option].text == kept.choice:
        match.choose(options[kept.option], seat=kept.seat)
        return kept
    texts = [each.text for each in options]
    match.choose(kept.choice, seat=kept.seat)
    said = match.replies[-1].text
    return replace(kept, option=texts.index(said) if said in texts else TYPED)
