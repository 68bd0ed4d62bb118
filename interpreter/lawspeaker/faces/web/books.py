"""Rulebook pages and three-sentence summaries of games, cached by the files they come from.

The page is the one `lawspeaker book --html` writes, with its examples. It is made on request and
cached until a file changes. No rule file states the length of a game: it is measured with a few
games between random bots, and the sentence says so. Minutes follow from how long people took to
reply (`minutes`).
"""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.phrases import phrase
from lawspeaker.faces.render.book import ExampleScenario, book_of, page
from lawspeaker.faces.web.catalogue import Catalogue, Stamp, Unknown
from lawspeaker.faces.web.comparing import Page, policy_for
from lawspeaker.faces.web.minutes import GUESS, Minutes, Thinking, minutes
from lawspeaker.ir.walk import everything
from lawspeaker.match.game import Game
from lawspeaker.match.match import RuleFault
from lawspeaker.outside.examples import examples
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load_ruleset
from lawspeaker.position.rng import RngFactory

MOST_BOOKS = 16
MOST_LENGTHS = 128
GAMES = 10
LONGEST = 2.0
"""Number of games, and seconds of processor time at most, for measuring the length of a game."""
MOST_DECISIONS = 3000


@dataclass(frozen=True, slots=True)
class Length:
    """The games played, which may be fewer than requested: by question, how often it was asked."""

    asked: tuple[Mapping[str, int], ...]

    @property
    def games(self) -> int:
        return len(self.asked)

    @property
    def decisions(self) -> list[int]:
        """The number of decisions of each game."""
        return [sum(each.values()) for each in self.asked]


class Books:
    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._pages: OrderedDict[tuple[str, str], tuple[Stamp, Page]] = OrderedDict()
        self._lengths: OrderedDict[tuple[str, int], tuple[Stamp, Length]] = OrderedDict()

    def page(self, name: str, language: str) -> Page:
        """Returns the rulebook of rules on offer in a language, cached; raises Unknown."""
        known = self.catalogue.checked(name)
        stamp, key = self.catalogue.stamp(known), (known, language)
        found = self._pages.pop(key, None)
        if found is None or found[0] != stamp:
            found = stamp, self._made(known, language)
        self._pages[key] = found
        while len(self._pages) > MOST_BOOKS:
            self._pages.popitem(last=False)
        return found[1]

    def _made(self, name: str, language: str) -> Page:
        game = self.catalogue.game(name)
        spoken = game.program.spoken(language)
        html = RulebookMaker(game, self.catalogue.library).page(spoken)
        return Page(html, policy_for(html))

    def brief(
        self, name: str, players: int, language: str, thinking: Thinking | None = None
    ) -> dict[str, Any]:
        """Returns a summary: what the game is about, who wins, and how long it is, a sentence
        each; `thinking` is how long people took to reply."""
        known = self.catalogue.checked(name)
        game = self.catalogue.game(known)
        if players not in game.players:
            players = game.program.most
        length = self._length(known, game, players)
        return brief(game.program, players, language, length, thinking)

    def minutes(self, name: str, thinking: Thinking) -> Minutes | None:
        """Returns the minutes of a game from the fewest to the most players; None if its games do
        not end in time."""
        known = self.catalogue.checked(name)
        game = self.catalogue.game(known)
        counts = sorted({min(game.players), max(game.players)})
        asked = [each for players in counts for each in self._length(known, game, players).asked]
        return minutes(asked, thinking)

    def _length(self, name: str, game: Game, players: int) -> Length:
        stamp, key = self.catalogue.stamp(name), (name, players)
        found = self._lengths.pop(key, None)
        if found is None or found[0] != stamp:
            found = stamp, measured(game, players)
        self._lengths[key] = found
        while len(self._lengths) > MOST_LENGTHS:
            self._lengths.popitem(last=False)
        return found[1]


class RulebookMaker:
    """Makes the rulebooks of a game, one for each language; reads their examples once."""

    def __init__(self, game: Game, library: Library) -> None:
        """Raises Unknown, naming the example that fails."""
        diagnostics = Diagnostics()
        self._game = game
        self._shown = examples(game.name, game.program, diagnostics, library)
        played = load_ruleset(game.name, diagnostics, library)
        base = None if played is None else played.base(diagnostics)
        if diagnostics.has_errors or base is None:
            raise Unknown("; ".join(each.message for each in diagnostics.sorted()[:3]))
        self._base = base.program

    def page(self, language: str) -> str:
        """Renders the book in a language of the game."""
        own = self._game.program.languages[0]
        titled = []
        for each in self._shown:
            headings = each.scenario.example
            heading = headings.get(language) or (headings.get("", "") if language == own else "")
            if heading:
                variant = "+" in each.scenario.game
                titled.append(ExampleScenario(heading, each.about, each.course, variant))
        return page(book_of(self._game, self._base, language, titled, sources=False))


def brief(
    program: ir.Program,
    players: int,
    language: str,
    length: Length,
    thinking: Thinking | None = None,
) -> dict[str, Any]:
    """Summarizes a game in some sentences: its theme, who wins, how long it is."""
    spoken = program.spoken(language)
    told = [ir.in_language(program.about, spoken) if program.about else ""]
    if any(isinstance(each, ir.Score) for each in _statements(program)):
        key = "fewest" if program.goal is ir.Goal.FEWEST else "most"
        told.append(phrase(f"brief.{key}", spoken))
    if length.games:
        told.append(
            phrase(
                "brief.length",
                spoken,
                players=players,
                games=length.games,
                shortest=min(length.decisions),
                longest=max(length.decisions),
            )
        )
    if found := minutes(length.asked, thinking or {}):
        key = "brief.minutes" if found.replies else "brief.minutes_guess"
        guess = {"least": GUESS[0], "most": GUESS[1]}
        told.append(phrase(key, spoken, **asdict(found), **guess))
    return {"sentences": [each for each in told if each], "language": spoken}


def measured(game: Game, players: int) -> Length:
    """Plays games between random bots and returns how many decisions they took.

    A game that has not ended in time, or faults, does not count.
    """
    games: list[Counter[str]] = []
    until = time.process_time() + LONGEST
    for seed in range(GAMES):
        match, luck = game.start(players, seed), RngFactory(seed).stream("any")
        asked = Counter[str]()
        try:
            while (decision := match.decision) is not None and len(match.replies) < MOST_DECISIONS:
                if time.process_time() > until:
                    break
                asked[decision.clause.id] += 1
                match.choose(luck.choose(decision.options))
        except RuleFault:
            continue
        if match.finished:
            games.append(asked)
        if time.process_time() > until:
            break
    return Length(tuple(games))


def _statements(program: ir.Program) -> list[Any]:
    return [each for clause in program.clauses for each in everything(clause.body)]
