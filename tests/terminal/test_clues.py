"""What everyone knows of a stone that its holder does not see: told where it lies, in the terminal
and in the browser, and nothing more."""

from __future__ import annotations

import pytest

import lawspeaker
from lawspeaker.faces.render.table_text import table_block
from lawspeaker.faces.web.drawing import draw
from lawspeaker.match.match import Match
from tests.language.games import GOOD


@pytest.fixture(scope="module")
def match() -> Match:
    game = lawspeaker.load(str(GOOD / "clues.yaml"))
    match = game.start(players=2, seed=4)
    match.choose("tell_tint ben, slate")
    match.choose("tell_rank ann, base")
    return match


def rows(match: Match, seat: int | None, language: str = "en") -> list[str]:
    shown = table_block(match.view(seat), language, 100)
    racks = [line.plain for line in shown.lines if line.plain[:1] in ("A", "B")]
    return [each.split("  ")[-1].strip() for each in racks]


def test_clues_stand_beside_hidden_pieces(match: Match) -> None:
    own, other = rows(match, 0)
    assert own == "? (rank told base), ? (rank told base), ? (rank told base)"
    assert "slate shaft (tint told slate)" in other
    own, other = rows(match, 1)[::-1]
    assert own == "B rack: ?, ? (tint told slate), ?"
    assert other == (
        "A rack: ochre base (rank told base), slate base (rank told base), "
        "ochre base (rank told base)"
    )


def test_what_was_told_is_drawn_on_backs(match: Match) -> None:
    """Once each, since equal drawings are kept once."""
    own, other = (draw(match.view(seat), "en") for seat in (0, 1))
    assert ">base</text>" in own
    assert 'weight="700">slate</text>' not in own
    assert 'weight="700">slate</text>' in other
    assert ">base</text>" not in other


def test_a_hidden_piece_without_a_clue_stays_as_it_was() -> None:
    game = lawspeaker.load(str(GOOD / "clues.yaml"))
    fresh = game.start(players=2, seed=4)
    assert rows(fresh, 0)[0] == "3"
