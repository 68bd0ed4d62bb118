"""Writes down whole games, so that a change of the rules or of the machine shows as a diff.

The text has, decision by decision, who is asked what by which clause, what could be chosen and what
was, and what happened then, as somebody sees it who sees everything; what not everyone may know
says who may. Now and then the table is shown: what everyone sees, and what each seat sees besides.
At the end stand the points by clause, the winners and a hash of the last state.

Replies are chosen by a fixed rule. A stream of luck, named `playthrough` and started from the seed
of the match, gives a number below 4 for each decision. At 0 the reply is any option with the same
chance. Otherwise it is an eager one: what takes the most things (pass takes less than nothing, a
set as many as are in it); among equals that after which the most happens before the next decision;
among those, the first. Where equals are very many, it is any of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lawspeaker.match.decision import Decision, Option
from lawspeaker.match.events import Event
from lawspeaker.match.explain import Points
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from lawspeaker.position.luck import Luck, Stream
from tests.tiers import LONG_QUESTIONS

WIDTH = 100
TABLE_EVERY = 40
"""After how many decisions the table is shown again."""
FEWEST_DECISIONS, MOST_GAMES = 20, 8
"""Games of fewer decisions are followed by more games."""
MOST_DECISIONS = 150
"""A longer game is told so far."""
FEWER_DECISIONS = 40
"""A game whose questions take long is told less far, and played by the compiled machine."""
VERY_MANY, SOME = 250, 5
"""Of very many options some are told."""


def playthrough(game: Game, players: int, seed: int, tried: bool = True) -> str:
    """The text of a game; of several, with the seeds that follow, where one is soon over. If
    nothing is `tried`, replies are any option with the same chance."""
    lines: list[str] = []
    decisions = games = 0
    while games == 0 or (decisions < FEWEST_DECISIONS and games < MOST_GAMES):
        machine = "wasm" if game.program.name in LONG_QUESTIONS else "reference"
        match = game.start(players, seed + games, machine=machine)
        lines += ["", ""] if games else []
        lines += [f"{game.name}, {players} players, seed {seed + games}", "", *told(match, tried)]
        decisions += len(match.replies)
        games += 1
    return "".join(f"{line.rstrip()}\n" for line in lines)


def told(match: Match, tried: bool) -> Iterator[str]:
    """Plays a match to its end, if it is not too far off, and tells it."""
    luck = Luck(match.state.seed).stream("playthrough")
    table = Table(match)
    if match.events:
        yield from ["Before the first decision", *happenings(match, 0), ""]
    number = 0
    most = FEWER_DECISIONS if match.program.name in LONG_QUESTIONS else MOST_DECISIONS
    while (decision := match.decision) and number < most:
        if number % TABLE_EVERY == 0:
            yield from [*table.lines(), ""]
        number += 1
        option = (reply if tried else any_reply)(match, decision, luck)
        yield from question(match, number, decision)
        before = len(match.events)
        match.choose(option, seat=decision.seat)
        yield from [f"   > {option.text}{known_to(match, before)}", *happenings(match, before), ""]
    yield from [*table.lines(), "", *(ending(match) if match.finished else ["And so on."])]


# ---------------------------------------------------------------- replies


def reply(match: Match, decision: Decision, luck: Stream) -> Option:
    """The reply, by the rule told above."""
    if luck.below(4) == 0:
        return luck.choose(decision.options)
    most = max(map(things_taken, decision.options))
    eager = [option for option in decision.options if things_taken(option) == most]
    if len(eager) == 1:
        return eager[0]
    if len(eager) > VERY_MANY:
        return luck.choose(eager)
    return max(eager, key=lambda option: much_happens(match, decision, option))


def any_reply(match: Match, decision: Decision, luck: Stream) -> Option:
    return luck.choose(decision.options)


def things_taken(option: Option) -> int:
    if option.alternative is None:
        return -1
    pairs = zip(option.alternative.parts, option.values, strict=True)
    return sum(len(value) if part.several else 1 for part, value in pairs)


def much_happens(match: Match, decision: Decision, option: Option) -> int:
    """How many events follow before somebody else is asked."""
    twin = match.copy()
    twin.choose(option.text, seat=decision.seat)
    return sum(event.kind != "forced" for event in twin.events)


# ---------------------------------------------------------------- decisions and events


def question(match: Match, number: int, decision: Decision) -> Iterator[str]:
    """Who is asked, and what can be chosen, by label."""
    seat = "luck" if decision.seat is None else match.program.player_names[decision.seat]
    names = [
        match.program.player_names[each.seat]
        for each in match.decisions[1:]
        if each.seat is not None
    ]
    others = f" (as {', '.join(names)})" if names else ""
    yield f"{number}. {seat} is asked by {decision.clause.id}{others}: {decision.prompt}"
    labels: dict[str, list[str]] = {}
    for option in decision.options:
        labels.setdefault(option.label or "", []).append(option.text)
    single = [texts[0] for texts in labels.values() if len(texts) == 1]
    for label, texts in labels.items():
        if len(texts) > 1:
            ends = [text.removeprefix(label).strip() for text in texts]
            if len(ends) > VERY_MANY:
                ends = [*ends[:SOME], f"{len(ends) - SOME} more"]
            yield from filled(f"   - {label} ", ends, " | ")
    if single:
        yield from filled("   - ", single, " | ")


def filled(start: str, items: Iterable[str], between: str = ", ") -> Iterator[str]:
    """Items over as many lines as they need; those after the first are indented as far."""
    line, first = start, True
    for item in items:
        if first:
            line, first = line + item, False
        elif len(line) + len(between) + len(item) < WIDTH:
            line += between + item
        else:
            yield line + between
            line = " " * len(start) + item
    yield line


def happenings(match: Match, since: int) -> Iterator[str]:
    """The events since one of them, equal ones in a row told once.

    The first of them is left out when it says that the reply just told was given.
    """
    runs: list[tuple[str, str, int]] = []
    for event in match.events[since + replied(match, since) :]:
        clause = match.program.clauses[event.clause].id
        text = f"{match.tell(event, 'all')}{known(match, event)}"
        if runs and runs[-1][:2] == (clause, text):
            runs[-1] = (clause, text, runs[-1][2] + 1)
        else:
            runs.append((clause, text, 1))
    for clause, text, count in runs:
        times = f" ({count} times)" if count > 1 else ""
        yield f"     {clause}: {text}{times}"


def replied(match: Match, since: int) -> bool:
    """Whether the next event is that one seat, asked alone, has replied."""
    kinds = [event.kind for event in match.events[since : since + 2]]
    return kinds[:1] == ["choose"] and kinds[1:] != ["choose"]


def known_to(match: Match, since: int) -> str:
    """Who may know a reply just given, where that is not everyone."""
    return known(match, match.events[since]) if replied(match, since) else ""


def known(match: Match, event: Event) -> str:
    """Who may know the details of an event, where that is not everyone."""
    layout = match.machine.layout
    if event.known == layout.everyone:
        return ""
    names = [match.program.player_names[s] for s in layout.seats if layout.sees(event.known, s)]
    return f" (known to {', '.join(names) or 'nobody'})"


# ---------------------------------------------------------------- the table


class Table:
    """What everyone sees and what each seat sees besides, and what of it has changed."""

    def __init__(self, match: Match) -> None:
        self.match = match
        self.shown: dict[str, list[str]] = {}

    def lines(self) -> Iterator[str]:
        seen = self.match.view(None).to_json()
        yield "The table, as everyone sees it"
        now = sights(seen)
        same = [sight for sight, lines in now.items() if self.shown.get(sight) == lines]
        for sight, lines in now.items():
            if sight not in same:
                yield from lines
        if same:
            yield from filled("     as before: ", same)
        self.shown = now
        for seat in range(self.match.players):
            yield from self.besides(seat, seen)

    def besides(self, seat: int, seen: Mapping[str, Any]) -> Iterator[str]:
        """What a seat sees otherwise than everyone."""
        own = self.match.view(seat).to_json()
        found = {
            sort: {
                name: sight for name, sight in own[sort].items() if seen[sort].get(name) != sight
            }
            for sort in ("places", "markers", "scores")
        }
        lines = [line for lines in sights(found).values() for line in lines]
        asked = own["pending"] and own["pending"].get("clause")
        question = f", and is asked by {asked}" if asked else ""
        name = self.match.program.player_names[seat]
        yield f"   {name} sees {'besides' if lines else 'no more'}{question}"
        yield from lines


def sights(seen: Mapping[str, Any]) -> dict[str, list[str]]:
    """What is to be seen, in lines: by family of places (without the empty ones), then the rest."""
    found: dict[str, list[str]] = {}
    for place, entry in seen["places"].items():
        family, _, index = place.partition(" ")
        texts = contents(entry)
        texts[0] = f"{index} {texts[0]}".strip()
        found.setdefault(family, []).extend([*texts[:-1], f"{texts[-1]};"])
    for items in found.values():
        items[-1] = items[-1].removesuffix(";")
    for sort in ("markers", "scores"):
        found[sort] = [f"{name} {value}" for name, value in seen[sort].items()]
    return {
        name: [line.replace(";,", ";") for line in filled(f"     {name}: ", items)]
        for name, items in found.items()
        if items
    }


def contents(entry: Mapping[str, Any]) -> list[str]:
    """What lies in a place, bottom first: `2 hunt`, `5 hidden`."""
    states = entry.get("states") or [{}] * len(entry["pieces"])
    texts = []
    for piece, state in zip(entry["pieces"], states, strict=True):
        shown = f" ({' '.join(state.values())})" if state else ""
        texts.append(f"{piece or 'hidden'}{shown}")
    return list(in_runs(texts))


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
        by_clause: dict[str, list[Points]] = {}
        for row in match.why_points(seat):
            clause = "before the match" if row.clause is None else row.clause.id
            by_clause.setdefault(clause, []).append(row)
        for clause, rows in by_clause.items():
            times = (
                f"{row.points}" if row.times == 1 else f"{row.times} x {row.points}" for row in rows
            )
            yield f"     {clause}: {sum(row.total for row in rows)} ({', '.join(times)})"
    yield f"   winners: {', '.join(names[seat] for seat in match.winners) or 'none'}"
    yield f"   state: {match.state.digest()}"
