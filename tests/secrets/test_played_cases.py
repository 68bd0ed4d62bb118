"""The cases that the checker calls clean, played: twins cannot be told apart in any of them.

Each case is done again and again at a table where cards are dealt and dice rolled, and somebody
looks at it in between. A case that is clean and leaks here is a fault of the checker.
"""

from __future__ import annotations

import re

import pytest

from lawspeaker.study.secrets.api_output import CHANNELS
from lawspeaker.study.secrets.trial import LeakSearch, TrialTable
from tests.secrets.leaking import overheard
from tests.secrets.test_cases import ALL, Case
from tests.tiers import pick, sample

GAMES = pick(test=1, full=1, nightly=40)
MOMENTS = 5
QUICK = ("question", "view", "events", "story", "numbers")
QUICKLY = [each for each in CHANNELS if each.name in QUICK]
GAME = """\
rules:
  game:
    says: Cards are dealt and dice rolled; then it happens, and somebody looks at it.
    rule: |
      shuffle deck
      for each player:
        draw 3 cards from deck to hand of player
        draw card as hoard from deck to vault of player
        for each die in cup of player:
          pick a random column as rolled
          face of die becomes rolled
        pick a random column as planned
        plan of player becomes planned
        move 2 stones in bag to purse of player
      pick a random column as fated
      fate becomes fated
      draw 2 cards from deck to aside
      draw 3 cards from deck to discard
      active becomes ann
      repeat 3 times:
        do looking
        do the_case
      do looking
  looking:
    says: Somebody looks at the table.
    asks: Do you see?
    rule: |
      ann must choose one of
        see
        look_away
"""


def playable_text(case: Case) -> str:
    """The rules of a case, with a game around them."""
    text = re.sub(r"^  game:$", "  the_case:", case.text, flags=re.MULTILINE)
    return text.replace("rules:\n", GAME, 1)


KEPT = [case for case in ALL if not case.expected]


@pytest.mark.parametrize(
    "case", sample(KEPT, test=32, full=12), ids=lambda case: f"{case.file}: {case.name}"
)
def test_a_clean_case_keeps_its_secrets(case: Case) -> None:
    trial = LeakSearch(overheard(playable_text(case)), 3, QUICKLY)
    first = 1 + KEPT.index(case) % 2
    for seed in range(first, first + GAMES):
        trial.game(TrialTable(3, seed, ("reference",)), MOMENTS)
    assert not trial.findings.leaks, trial.findings.leaks[0]
    assert trial.findings.pairs > 4
