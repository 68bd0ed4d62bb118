"""Every mistake in bad/ is found on its line, with its code, in the words that stand beside it."""

from __future__ import annotations

import pytest

from lawspeaker.faces.render import diagnostics as render
from tests.conftest import Golden
from tests.language.games import BAD, Game, compiled, expected, found, games

GAMES = games(BAD)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_mistakes_are_found_where_they_are(game: Game, golden: Golden) -> None:
    program, diagnostics = compiled(game.entry, BAD)
    shown = render.text(diagnostics)
    marks = expected(game, BAD)
    assert marks, "nothing is marked in this file"
    assert found(diagnostics) == marks, f"\n{shown}"
    only_warnings = all(severity == "warning" for _, _, severity, _ in marks)
    assert (program is not None) == only_warnings
    golden(shown, BAD / f"{game.name}.txt")


def test_every_text_belongs_to_a_game() -> None:
    assert {file.stem for file in BAD.glob("*.txt")} <= {game.name for game in GAMES}
