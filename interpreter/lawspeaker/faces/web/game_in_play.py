"""The game of a table: a match, and whatever a table asks of it.

Everything that runs rules is a method here, a *deed*, and goes in and out as plain data. So a game
can be played in the server (`do` does the deed at once) or in a process of its own (`sandbox`), and
a table need not know which. What comes back from another process must have the type that a deed
declares as its result (`wire`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Concatenate, ParamSpec, TypeVar

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
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
from lawspeaker.ir.texts import HOUSE_RULE, Texts
from lawspeaker.ir.types import PLAYER
from lawspeaker.match import undo
from lawspeaker.match.decision import Decision, IllegalChoice, Option
from lawspeaker.match.game import Game
from lawspeaker.match.log import Log
from lawspeaker.match.log.record import FAULT, TOO_LONG
from lawspeaker.match.match import Match, RuleFault
from lawspeaker.match.stepping_in import stretch
from lawspeaker.match.view import InCommon, View
from lawspeaker.position.layout import layout_for
from lawspeaker.telling.labels import Labels

P = ParamSpec("P")
T = TypeVar("T")

SceneData = Annotated[
    dict[str, Any],
    wire.Keys(
        {"svg": str}, {"stages": list[Annotated[dict[str, Any], wire.Keys({}, {"svg": str})]]}
    ),
]
"""What a screen is shown. The server itself reads its pictures alone."""
TYPED = -1
"""An answer that was typed has this number: it is kept by its text."""
MOST_SCENES = 16
"""So many scenes of one moment are remembered: several onlookers see the same."""


class Refused(Exception):
    """What was asked for is not allowed, and nothing has changed. `code` is a word for programs,
    `sentence` is for people; `clause` and `citations` say which rule refuses it, if one does."""

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
        """What `to_json` was made of; raises wire.Malformed."""
        found: _Refusal = wire.fit(data, _Refusal)
        return cls(found.code, found.sentence, found.clause, found.citations, found.anyway)


@dataclass(frozen=True, slots=True)
class _Refusal:
    """The data of a `Refused`."""

    code: str
    sentence: str
    clause: str
    citations: tuple[str, ...]
    anyway: bool


@dataclass(frozen=True, slots=True)
class Look:
    """How somebody looks at a table: as which seat (None: an onlooker), in which language, on
    which shape of screen, and how many replies he has been told of already. `people` is what those
    at the table call themselves. `in_stages`: he wants to see one thing after another; `in_parts`:
    of a picture only what was not in the last one."""

    seat: int | None
    language: str
    shape: str = "wide"
    since: int = 0
    people: tuple[str, ...] = ()
    in_stages: bool = False
    in_parts: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """What a table has to know of its rules: `titles` and the `names` of players by language."""

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

    A question is named by how many replies had been given when it was put. Others who are asked at
    the same time may answer without changing it. `asked` are all to whom it was put, as everybody
    may know; who of them has answered is known to each alone.
    """

    finished: bool
    asks: Mapping[int, int]
    asked: tuple[int, ...] = ()
    stretch: str = ""
    """Where it is asked who steps in, what is interrupted (see `match/stepping_in`)."""


def titles_of(program: ir.Program) -> dict[str, str]:
    """What a game is headed by, by language: its title, and those of the house rules it has."""

    def said(texts: Texts, language: str) -> str:
        return texts.get(language) or next(iter(texts.values()), "")

    own = [each.title for each in program.variants if each.layer == HOUSE_RULE]
    titles = program.title or {program.languages[0]: program.name}
    return {
        language: " – ".join(filter(None, (title, *(said(each, language) for each in own))))
        for language, title in titles.items()
    }


def facts_of(program: ir.Program, players: int) -> Facts:
    """What a table of so many players has to know of a program."""
    layout = layout_for(program, players)
    return Facts(
        program.name,
        program.digest,
        program.counts,
        program.languages,
        titles_of(program),
        {
            language: tuple(layout.name(PLAYER, seat, language) for seat in layout.seats)
            for language in program.languages
        },
        keeps_secrets(program),
    )


class GameInPlay:
    """A match that goes on from the replies that are kept of it; raises Broken if it cannot.

    `given` are those replies; the table adds to them what it has kept. `most_spent` bounds the
    processor time that all replies of a game may take together: then what was accepted can also
    be played again.
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
        """A match that is on its way already, to be looked at."""
        made = cls.__new__(cls)
        made._match = match
        made._scenes = {}
        made._views = {}
        made._common = None
        made._tellers = {}
        made._sketches = Sketches()
        made.given = [KeptReply(each.seat or 0, 0, each.text) for each in match.replies]
        return made

    def do(
        self, deed: Callable[Concatenate[GameInPlay, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """What comes of a deed."""
        return deed(self, *args, **kwargs)

    def close(self) -> None:
        """Nobody needs it any more."""

    # ------------------------------------------------------------ what there is

    def facts(self) -> Facts:
        return facts_of(self._match.program, self._match.players)

    def standing(self) -> Standing:
        asked = [each.seat for each in self._match.decisions if each.seat is not None]
        asks = dict.fromkeys(asked, self._ask())
        return Standing(not asked, asks, self._match.seats_asked, stretch(self._match))

    def _ask(self) -> int:
        """The number of replies when the question was put that is open now."""
        answered = len(self._match.seats_asked) - len(self._match.decisions)
        return len(self._match.replies) - answered

    def scene(self, look: Look) -> SceneData:
        """The table as somebody looks at it now."""
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
        """The table before its game begins."""
        layout = self._match.machine.layout.named(look.people)
        return unbegun(layout, look.language, look.in_parts)

    def _view(self, seat: int | None) -> View:
        """What a seat knows now; that of who is asked is wanted again when he replies."""
        view = self._views.get(seat)
        if view is None:
            self._common = self._common or self._match.in_common()
            view = self._match.view(seat, self._common)
            if seat in view.asked:
                self._views[seat] = view
        return view

    def _moved_on(self) -> None:
        """Nothing of what was seen holds any longer."""
        self._scenes.clear()
        self._views.clear()
        self._common = None

    def _teller(self, look: Look) -> Teller:
        """Who tells the story to those who look so: what they have heard needs no telling again."""
        key = (look.seat, look.language, look.people)
        if key not in self._tellers:
            if len(self._tellers) >= MOST_SCENES:
                self._tellers.clear()
            layout = self._match.machine.layout.named(look.people)
            self._tellers[key] = Teller(self._match, look.seat, look.language, layout)
        return self._tellers[key]

    def scene_after(self, replies: int, look: Look) -> SceneData:
        """The table as it was after so many replies."""
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
        """The whole game as `lawspeaker replay` reads it; `names` say who sat where."""
        return self._match.record(names, self._game.files)

    # ------------------------------------------------------------ questions of players

    def why_not(self, seat: int, text: str, language: str) -> dict[str, Any]:
        """Why something is not offered to a seat that is asked."""
        return why_not(self._match, seat, text, language)

    def rule(self, seat: int | None, clause: str, language: str) -> dict[str, Any]:
        """A clause by its id; without one, that of the question to a seat."""
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
        """What something in the picture of a seat is; None if it is not there."""
        view = self._view(seat)
        return what_is(view, Labels(view), thing, language, view.layout.named(people))

    def points(self, seat: int, language: str) -> dict[str, Any]:
        """Where the points of a seat come from."""
        shown = answers.points(self._match, seat, language)[0]
        if isinstance(shown, Sum):
            rows = [list(row) for row in shown.rows]
            return {"seat": seat, "total": shown.total, "rows": rows, "text": ""}
        return {"seat": seat, "total": 0, "rows": [], "text": getattr(shown, "text", "")}

    def chosen(self, turn: Turn) -> int:
        """What a bot chooses."""
        return bots_at_table.chosen(self._match, turn)

    def advice(self, turn: Turn) -> dict[str, Any]:
        """What a bot would do in somebody's place."""
        return bots_at_table.advice(self._match, turn)

    def last_reply(self, seat: int, language: str) -> str:
        """The last reply of a seat in words."""
        replies = reversed(self._match.replies)
        return next((each.name(language) for each in replies if each.setting.seat == seat), "")

    # ------------------------------------------------------------ going on and back

    def reply(
        self, seat: int, number: int, ask: int, language: str, text: str = ""
    ) -> tuple[KeptReply, Standing]:
        """A seat that is asked takes option `number` of the question `ask`, or gives an answer that
        was typed; raises Refused. A fault of the rules comes with all its details: they are for the
        table, and not for a player."""
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
            # A fault of ours, or no memory: as if nothing had been said.
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
        """The option that is meant by its number, or by what was typed; raises Refused."""
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

    def passing(self, seat: int) -> int:
        """The number of the option by which a seat passes that may."""
        decision = self._view(seat).decision
        assert decision is not None
        return len(decision.options) - 1

    def offered(self, seat: int, number: int, text: str = "") -> tuple[str, str]:
        """What an option of the question to a seat says, or what was typed, and the clause that
        asks."""
        decision = self._match.shown(seat)
        return text or decision.options[number].text, decision.clause.id

    def rewind(self, replies: int) -> Standing:
        """Goes back to the first so many replies, by giving them again."""
        began = time.process_time()
        self._match.rewind(replies)
        self._spent = time.process_time() - began
        self._moved_on()
        self._tellers.clear()
        return self.standing()

    def give_again(self, replies: Sequence[KeptReply]) -> list[KeptReply]:
        """Gives replies that are kept; gives them back as they are called now."""
        return [_given_again(self._match, each) for each in replies]

    def barred(self, seat: int, language: str, people: Sequence[str] = ()) -> Refused | None:
        """Why a seat cannot take back its last reply without asking; None if it can."""
        if undo.steps_back(self._match, seat):
            return None
        found = undo.barrier(self._match, seat)
        if found is None:
            return Refused("nothing", phrase("undo.nothing", language))
        other = self._match.replies[found.reply].setting.seat
        layout = self._match.machine.layout.named(people)
        player = layout.name(PLAYER, seat if other is None else other, language)
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
    """Gives a stored reply: by its number, and if that has come to mean another, by its text."""
    options = match.shown(kept.seat).options
    if 0 <= kept.option < len(options) and options[kept.option].text == kept.choice:
        match.choose(options[kept.option], seat=kept.seat)
        return kept
    texts = [each.text for each in options]
    match.choose(kept.choice, seat=kept.seat)
    said = match.replies[-1].text
    return replace(kept, option=texts.index(said) if said in texts else TYPED)
