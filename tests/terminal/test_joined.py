"""What is said at a question whose alternatives come from other clauses."""

from __future__ import annotations

from lawspeaker.faces.play import answers
from lawspeaker.faces.play.shown import Rule
from lawspeaker.outside.loading import load
from tests.language.games import GOOD


def test_the_rule_names_what_each_clause_offers() -> None:
    match = load(str(GOOD / "joined_only.yaml")).start(players=2, seed=1)
    assert match.decision is not None
    shown = answers.rule(match.program, match.decision.clause, "en", match.decision)
    assert shown.title == "A turn"
    assert shown.heading == "What can be chosen, and what it must keep to:"
    assert shown.guards == (
        ("The guard", "A guard names a player."),
        ("another", "Not yourself."),
        ("The priest", "A priest does nothing."),
        ("never", "A priest is never played."),
        ("The baron", "A baron brings three points."),
    )


def test_why_names_the_rule_by_its_title() -> None:
    match = load(str(GOOD / "joined_only.yaml")).start(players=2, seed=1)
    [shown] = answers.why_not(match, 0, "play priest", "en")
    assert isinstance(shown, Rule)
    assert (shown.title, shown.id) == ("The priest", "priest.never")
    assert shown.sentence == "A priest is never played."
    assert match.decision is not None
    assert [option.text for option in match.decision.options] == [
        "play guard, ben",
        "play baron, ann",
        "play baron, ben",
    ]
