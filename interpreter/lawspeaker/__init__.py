"""Lawspeaker: a rules language and interpreter for tabletop games.

import lawspeaker
game = lawspeaker.load("NAME")
match = game.start(players=4, seed=7)
while decision := match.decision:
    match.choose(decision.options[0])
print(match.scores)
"""

from lawspeaker.decision import Decision, Option
from lawspeaker.diagnostics import Diagnostic, RulesError
from lawspeaker.game import Game
from lawspeaker.loading import load
from lawspeaker.match import IllegalChoice, Match, imagine
from lawspeaker.view import View

__all__ = [
    "Decision",
    "Diagnostic",
    "Game",
    "IllegalChoice",
    "Match",
    "Option",
    "RulesError",
    "View",
    "imagine",
    "load",
]
__version__ = "0.1.0"
