"""What a program is shown when it prints results: a line, not the tree of a rule."""

from __future__ import annotations

from lawspeaker.match.explain import Points
from lawspeaker.match.match import Match
from tests.reference import games

CARDS = games.cards()


def test_results_are_a_line_each() -> None:
    setup = {"places": {"hand red": ["2 ace", "pawn"], "hand black": ["pawn"]}}
    match = Match.at(CARDS, 2, "laying", setup=setup)
    decision = match.decision
    assert decision is not None
    options = len(decision.options)
    clause = decision.clause
    assert repr(match) == "<Match cards: 2 players, 0 replies>"
    assert repr(decision) == f"<Decision laying: seat 0 has {options} options>"
    assert repr(decision.options[0]) == f"<Option {decision.options[0].text}>"
    assert repr(match.view(1)) == f"<View of seat 1: cards after {len(match.events)} events>"
    assert repr(match.view(None)).startswith("<View of a spectator: cards after ")
    assert repr(match.why_not("lay pawn")) == "<Refusal laying.no_pawns: Pawns are never laid.>"
    assert repr(match.why_not("dance")).startswith("<Refusal laying: ")
    assert repr(Points(clause, 3, 6, 2)) == "<Points laying: 2 × 3 = 6>"
    assert repr(Points(None, 4, 4, 1)) == "<Points before the match: 1 × 4 = 4>"
    match.choose(decision.options[0])
    assert all(len(repr(event)) < 120 and "Clause" not in repr(event) for event in match.events)
