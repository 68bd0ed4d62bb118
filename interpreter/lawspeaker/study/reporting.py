"""Turns a position of a game into a scenario file: a report of a rule that seems wrong.

The scenario plays the game again from its seed to the position, and says what is asked there, what
can be answered and what the points are. It holds as it stands. Whoever expected something else
writes that in place of it, and then has a test that fails until the rule is corrected.

It tells everything hidden, so it is for those who may know the log.
"""

from __future__ import annotations

from typing import Any

from lawspeaker.match.match import Match
from lawspeaker.study.compare.lockstep import pending_questions
from lawspeaker.study.compare.yaml_writer import document

MOST_OFFERED = 40
"""Answers above which a report does not list them."""
DISCREET = "discreet"


def reported(match: Match, rules: str, replies: int, clause: str = "", about: str = "") -> str:
    """Writes the position after some replies of a match as a scenario, `about` a problem with a
    clause."""
    names = match.program.player_names
    again = match.copy()
    again.rewind(0)
    steps: list[dict[str, Any]] = []
    for option in match.replies[:replies]:
        now = pending_questions(again)
        answer: Any = option.text
        if len(now) > 1:
            answer = {names[option.seat or 0]: option.text}
        asks = {names[each.seat or 0]: each.clause for each in now}
        steps.append({"asks": asks, "answer": answer})
        again.choose(option.text, seat=option.seat)
    last: dict[str, Any] = {}
    now = pending_questions(again)
    if now:
        last["asks"] = {names[each.seat or 0]: each.clause for each in now}
        offers = {names[each.seat or 0]: list(each.options) for each in now}
        if all(len(each) <= MOST_OFFERED for each in offers.values()):
            last["offers"] = offers if len(now) > 1 else next(iter(offers.values()))
    last["then"] = {"scores": dict(zip(names, again.scores, strict=False))}
    if again.finished:
        last["winners"] = [names[seat] for seat in again.winners]
    named = f" with {clause}" if clause else ""
    data: dict[str, Any] = {
        "scenario": f"A problem{named} after {replies} {'reply' if replies == 1 else 'replies'}",
        "game": rules,
        "players": match.players,
    }
    if about:
        data["about"] = about
    if match.state.discreet:
        data["table"] = DISCREET
    data["seed"] = match.state.seed
    return document({**data, "steps": [*steps, last]})
