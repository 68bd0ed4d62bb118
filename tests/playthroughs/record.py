"""Writes down a whole game, so that a change of the rules or of the machine shows as a diff.

The text has, decision by decision, who is asked what by which clause, what could be chosen and what
was, and what happened then, as somebody sees it who sees everything; what not everyone may know
says who may. Now and then the table is shown: what everyone sees, and what each seat sees besides.
At the end stand the points by clause, the winners and a hash of the last state.

Replies are chosen by a fixed rule. A stream of luck, named `playthrough` and started from the seed
of the match, gives a number below 3 for each decision. At 0 the reply is any option with the same
chance. Otherwise it is an eager one: what takes the most things (pass takes less than nothing, a
set as many as are in it); among equals that after which the most happens before the next decision;
among those, the first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from textwrap import wrap
from typing import Any

from lawspeaker.decision import Decision, Option
from lawspeaker.events import Event
from lawspeaker.game import Game
from lawspeaker.luck import Luck, Stream
from lawspeaker.match import Match

WIDTH = 100
TABLE_EVERY = 16
"""After how many decisions the table is shown again."""


def playthrough(game: Game, players: int, seed: int) -> str:
    """The text of a game from the first decision to the last."""
    match = game.start(players, seed, check_always=True)
    luck = Luck(seed).stream("playthrough")
    lines = [f"{game.name}, {players} players, seed {seed}", "", "Before the first decision"]
    lines += happenings(match, 0)
    number = 0
    while decision := match.decision:
        number += 1
        if number % TABLE_EVERY == 1:
            lines += ["", *table(match)]
        option = reply(match, decision, luck)
        before = len(match.events)
        lines += ["", *question(match, number, decision, option)]
        match.choose(option, seat=decision.seat)
        lines += happenings(match, before)
    lines += ["", *table(match), "", *ending(match)]
    return "".join(f"{line.rstrip()}\n" for line in lines)


# ---------------------------------------------------------------- replies


def reply(match: Match, decision: Decision, luck: Stream) -> Option:
    """The reply, by the rule told above."""
    if luck.below(3) == 0:
        return luck.choose(decision.options)
    most = max(map(things_taken, decision.options))
    eager = [option for option in decision.options if things_taken(option) == most]
    if len(eager) == 1:
        return eager[0]
    return max(eager, key=lambda option: much_happens(match, decision, option))


def things_taken(option: Option) -> int:
    if option.alternative is None:
        return -1
    pairs = zip(option.alternative.parts, option.values, strict=True)
    return sum(len(value) if part.several else 1 for part, value in pairs)


def much_happens(match: Match, decision: Decision, option: Option) -> int:
    """How many events follow before somebody else is asked."""
    twin = match.copy()
    twin.choose(option.text, seat=decision.seat)
    return len(twin.events)


# ---------------------------------------------------------------- decisions and events


def question(match: Match, number: int, decision: Decision, chosen: Option) -> Iterator[str]:
    """Who is asked, what can be chosen (by label), and what is."""
    seat = "luck" if decision.seat is None else match.program.player_names[decision.seat]
    together = ", together with others" if decision.kind == "together" else ""
    yield f"{number}. {seat}: {decision.clause.id}{together}"
    yield f"   {decision.prompt}"
    labels: dict[str, list[str]] = {}
    for option in decision.options:
        label = option.label or ""
        labels.setdefault(label, []).append(option.text.removeprefix(label).strip())
    for label, texts in labels.items():
        yield from filled(f"   - {label} ", " | ".join(texts))
    yield f"   > {chosen.text}"


def filled(start: str, text: str) -> Iterator[str]:
    """A text over several lines, the first with its start, the others indented as far."""
    indent = " " * len(start)
    lines = wrap(text, WIDTH, initial_indent=start, subsequent_indent=indent)
    yield from lines or [start]


def happenings(match: Match, since: int) -> Iterator[str]:
    """The events since one of them, equal ones in a row told once."""
    told = [(clause_id(match, event), told_to_all(match, event)) for event in match.events[since:]]
    runs: list[tuple[str, str, int]] = []
    for clause, text in told:
        if runs and runs[-1][:2] == (clause, text):
            runs[-1] = (clause, text, runs[-1][2] + 1)
        else:
            runs.append((clause, text, 1))
    for clause, text, count in runs:
        times = f" ({count} times)" if count > 1 else ""
        yield f"     {clause}: {text}{times}"


def clause_id(match: Match, event: Event) -> str:
    return match.program.clauses[event.clause].id


def told_to_all(match: Match, event: Event) -> str:
    """An event in words, and who may know it where that is not everyone."""
    layout = match.machine.layout
    text = match.tell(event, "all")
    if event.known == layout.everyone:
        return text
    names = [match.program.player_names[s] for s in layout.seats if layout.sees(event.known, s)]
    return f"{text} (known to {', '.join(names) or 'nobody'})"


# ---------------------------------------------------------------- the table


def table(match: Match) -> Iterator[str]:
    """What everyone sees, then what each seat sees besides."""
    seen = match.view(None).to_json()
    yield "The table, as everyone sees it"
    yield from sights(seen["places"])
    markers = ", ".join(f"{name} {value}" for name, value in seen["markers"].items())
    if markers:
        yield from filled("     markers: ", markers)
    scores = ", ".join(f"{name} {points}" for name, points in seen["scores"].items())
    yield from filled("     scores: ", scores)
    for seat in range(match.players):
        own = match.view(seat).to_json()
        yield from besides(match.program.player_names[seat], own, seen)


def besides(name: str, own: Mapping[str, Any], seen: Mapping[str, Any]) -> Iterator[str]:
    """What a seat sees otherwise than everyone."""
    places = {
        place: entry for place, entry in own["places"].items() if seen["places"].get(place) != entry
    }
    markers = {
        marker: value
        for marker, value in own["markers"].items()
        if seen["markers"].get(marker) != value
    }
    question = own["pending"] or {}
    asked = f"; is asked by {question['clause']}" if "clause" in question else ""
    yield f"   {name} sees{asked}"
    yield from sights(places)
    if markers:
        yield f"     markers: {', '.join(f'{name} {value}' for name, value in markers.items())}"
    if not places and not markers:
        yield "     nothing else"


def sights(places: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """A line for each family of places, empty ones left out."""
    families: dict[str, list[str]] = {}
    for place, entry in places.items():
        family, _, index = place.partition(" ")
        families.setdefault(family, []).append(f"{index} {contents(entry)}".strip())
    for family, texts in families.items():
        yield from filled(f"     {family}: ", "; ".join(texts))


def contents(entry: Mapping[str, Any]) -> str:
    """What lies in a place, bottom first: `2 hunt, 5 hidden`."""
    states = entry.get("states") or [{}] * len(entry["pieces"])
    texts = []
    for piece, state in zip(entry["pieces"], states, strict=True):
        shown = f" ({' '.join(state.values())})" if state else ""
        texts.append(f"{piece or 'hidden'}{shown}")
    return ", ".join(in_runs(texts))


def in_runs(texts: Iterable[str]) -> Iterator[str]:
    """Equal texts in a row, told once with their number."""
    runs: list[tuple[str, int]] = []
    for text in texts:
        if runs and runs[-1][0] == text:
            runs[-1] = (text, runs[-1][1] + 1)
        else:
            runs.append((text, 1))
    return (text if count == 1 else f"{count} {text}" for text, count in runs)


# ---------------------------------------------------------------- the end


def ending(match: Match) -> Iterator[str]:
    """Points by clause, winners, and the hash of the state."""
    names = match.program.player_names
    yield "The end"
    for seat, score in enumerate(match.scores):
        yield f"   {names[seat]}: {score}"
        for points in match.why_points(seat):
            clause = "at the start" if points.clause is None else points.clause.id
            yield f"     {points.points} {clause}"
    yield f"   winners: {', '.join(names[seat] for seat in match.winners) or 'none'}"
    yield f"   state: {match.state.digest()}"
