"""Preview pictures of games: the table after some random replies."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace

from lawspeaker.faces.web.catalogue import Catalogue
from lawspeaker.faces.web.drawing import draw
from lawspeaker.match.game import Game
from lawspeaker.position.rng import RngFactory

REPLIES = 26
SEED = 11
MOST_KEPT = 64


def preview(game: Game, language: str) -> str:
    """Draws the table in the middle of a game, as a spectator sees it.

    If the game ends before that, the position before its end is drawn. Options near the end of the
    list are preferred: they tend to change more.
    """
    # A copy has its own machine: those of the tables belong to the game thread.
    own = Game(replace(game.program), game.name)
    match = own.start(own.players[-1], seed=SEED)
    luck = RngFactory(SEED).stream("preview")
    for _ in range(REPLIES):
        decision = match.decision
        if decision is None:
            break
        many = len(decision.options)
        before = match.copy()
        match.choose(max(luck.below(many), luck.below(many)), seat=decision.seat)
        if match.finished:
            match = before
            break
    return draw(match.view(None), language)


class Previews:
    """Preview pictures, cached by digest and language."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self._kept: OrderedDict[tuple[str, str], str] = OrderedDict()

    def picture(self, name: str, language: str) -> str:
        game = self.catalogue.game(name)
        languages = game.program.languages
        spoken = language if language in languages else languages[0]
        key = (game.program.digest, spoken)
        if key not in self._kept:
            self._kept[key] = preview(game, spoken)
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return self._kept[key]
