"""What is said at the end: who won, and scores only where there are any."""

from __future__ import annotations

import pytest

from lawspeaker import load
from lawspeaker.base.phrases import LANGUAGES, phrase
from lawspeaker.faces.play import answers
from lawspeaker.ir.types import PLAYER


@pytest.mark.parametrize("game, heading", [("nim", "end.over"), ("pig", "end.title")])
def test_scores_are_announced_where_there_are_any(game: str, heading: str) -> None:
    match = load(game).start(2, 1)
    while decision := match.decision:
        match.choose(decision.options[-1])
    for language in LANGUAGES:
        found = answers.result(match, language)
        assert found.title == phrase(heading, language)
        assert bool(found.scores) is (game == "pig")
        assert len(match.winners) == 1
        assert match.machine.layout.name(PLAYER, match.winners[0], language) in found.text
