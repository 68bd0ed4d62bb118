"""The output of the Python interface to a seat, as texts to be compared byte for byte.

view      the view as plain data, including the observation for learning programs
question  the seat's question: in words, its options in order, and as plain data
events    events, in words and as plain data
story     the same as it is narrated to people
why not   explanations of choices that are not offered
undo      number of replies that may be taken back, and the barrier
bots      the answer of a bot in the seat's place
numbers   the raw fields of the view, its events and options
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from json import dumps
from typing import Any

from lawspeaker.ir.types import PieceType
from lawspeaker.match import undo
from lawspeaker.match.match import Match
from lawspeaker.match.view import View
from lawspeaker.players.bots import bot
from lawspeaker.study.secrets.visible_events import Seat
from lawspeaker.telling.circumstances import Circumstances
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.story import Story, option_name

MOST_REFUSED = 12
"""Maximum number of refused choices per comparison."""
BOTS = ("random", "greedy")


@dataclass(frozen=True, slots=True)
class OutputChannel:
    """One output to a seat. `every`: an expensive one is compared only every n-th time."""

    name: str
    text: Callable[[Match, Seat, str], str]
    every: int = 1


def _data(value: Any) -> str:
    return dumps(value, sort_keys=True, ensure_ascii=False, default=repr)


def view(match: Match, seat: Seat, language: str) -> str:
    return _data(match.view(seat).to_json())


def question(match: Match, seat: Seat, language: str) -> str:
    seen = match.view(seat)
    asked = seen.decision
    if asked is None:
        return _data(seen.pending)
    labels = Labels(seen)
    names = [option_name(option, labels, language) for option in asked.options]
    return _data([asked.prompt_in(language), names, match.facts(asked)])


def events(match: Match, seat: Seat, language: str) -> str:
    told = [[match.tell(each, seat), match.facts(each, seat)] for each in match.events]
    return _data([match.view(seat).to_json()["events"], [each for each in told if any(each)]])


def story(match: Match, seat: Seat, language: str) -> str:
    past = match.events if match.from_start else ()
    told = Story(
        match.machine,
        seat,
        language,
        Labels(match.view(seat)),
        past,
        circumstances=Circumstances(match, seat),
    )
    lines = told.lines(match.events)
    return "\n".join(f"{each.seat} {each.kind} {each.clause} {each.text}" for each in lines)


def why_not(match: Match, seat: Seat, language: str) -> str:
    """Explanations of choices that are not offered, and of arbitrary pieces."""
    asked = match.view(seat).decision
    if asked is None:
        return ""
    texts = refused_texts(match, seat)
    found = [match.why_not(text, seat) for text in texts[-MOST_REFUSED:]]
    told = [[each.message, each.clause.id, each.guard and each.guard.name] for each in found]
    return _data([texts, told])


def refused_texts(match: Match, seat: Seat) -> list[str]:
    """Texts that a seat might try without being offered: well-formed choices, then a piece of
    each type.
    """
    layout = match.machine.layout
    asked = match.view(seat).decision
    offered = set() if asked is None else {option.text for option in asked.options}
    formed = [option.text for option in match.well_formed(seat)]
    pieces = [
        layout.text(PieceType("", number), held[len(held) // 2])
        for number, held in enumerate(layout.pieces_of)
        if held
    ]
    return [text for text in [*formed, *pieces] if text not in offered]


def taking_back(match: Match, seat: Seat, language: str) -> str:
    if seat is None:
        return ""
    return f"{undo.steps_back(match, seat)} {undo.barrier(match, seat)}"


def bots(match: Match, seat: Seat, language: str) -> str:
    seen = match.view(seat)
    if seat is None or seen.decision is None:
        return ""
    return "\n".join(bot(name, 1).choose(seen).text for name in BOTS)


def numbers(match: Match, seat: Seat, language: str) -> str:
    """Every field of the view by `repr`, including those that are never printed."""
    seen = match.view(seat)
    fields = {name: getattr(seen, name) for name in View.__slots__ if not name.startswith("_")}
    replies = () if seen.decision is None else [each.reply for each in seen.decision.options]
    told = [(each.number, each.clause, each.kind, each.seat, each.data) for each in seen.events]
    shown = {name: _sorted(each) for name, each in fields.items()}
    return repr((shown, replies, told))


def _sorted(value: Any) -> Any:
    """Sorts by key: insertion order is public, but unknown in a determinization."""
    return sorted(value.items()) if isinstance(value, dict) else value


CHANNELS = (
    OutputChannel("question", question),
    OutputChannel("view", view),
    OutputChannel("events", events),
    OutputChannel("story", story),
    OutputChannel("numbers", numbers),
    OutputChannel("why not", why_not, 2),
    OutputChannel("undo", taking_back, 3),
    OutputChannel("bots", bots, 4),
)
