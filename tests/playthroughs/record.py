"""Plays fixed games and writes their transcripts for golden files.

Games are played to their end, but not all decisions are told in full (question, options, reply,
events). One is, if its reply executes a clause for the first time in the file, or chooses a label
that was not chosen there before. The others are listed in short, by their replies alone. So a long
game needs few lines, and another reply anywhere still shows.

The table is shown at the beginning, at the end, and once between: what everyone sees, and what each
seat sees besides. Replies and events say who may know them, where not everyone may. The state at
the end is written in full, see `state_text`: the same seed must lead to it on every platform.

Every game is played on two machines at once, a usual one and the tracing machine, which notes the
clauses that are executed. Both must reach the same state.

Replies follow a fixed rule, with random numbers from the seed of the match. The first number says
how many quarters of the replies are eager: none to three. An eager reply is one of the options that
take the most things (pass takes less than nothing, a set as many as are in it). Other replies are
any option.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from lawspeaker import ir
from lawspeaker.machines.reference.tracing import TracingMachine
from lawspeaker.match.decision import Decision, Option
from lawspeaker.match.events import Event
from lawspeaker.match.explain import Points
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from lawspeaker.position.rng import RngFactory
from tests.playthroughs.lines import filled, in_runs, wrapped
from tests.playthroughs.state_text import state_lines

COMPILED = frozenset({"chess", "go"})
"""Games of the compiled machine: the reference machine takes longer to find their options."""
BETWEEN = 10
"""Before this decision of the first game the table is shown."""
MOST, SOME = 20, 5
"""Of more options of one label, or of more events of one clause in a row, only some are listed."""

PARAGRAPH = 40
"""So many replies that are told in short make a paragraph."""

Table = tuple[int, int]
"""A number of players and a seed."""


@dataclass(frozen=True, slots=True)
class Playthrough:
    """The text of some games. `shown` has the ids of the clauses that they execute, and the labels
    that are chosen, as `clause: label`."""

    text: str
    shown: frozenset[str]


def playthrough(game: Game, tables: Sequence[Table]) -> Playthrough:
    """Plays a game at some tables, one after the other."""
    shown: set[str] = set()
    lines: list[str] = []
    for number, (players, seed) in enumerate(tables):
        lines += ["", ""] if number else []
        lines += [f"{game.program.name}, {players} players, seed {seed}", ""]
        lines += Telling(game, players, seed, shown).lines(first=number == 0)
    return Playthrough("".join(f"{line.rstrip()}\n" for line in lines), frozenset(shown))


def executable(program: ir.Program) -> frozenset[str]:
    """All clauses but choices of the size of a board: nothing that happens on it asks for them."""
    shapes = {choice.clause for choice in program.choices if choice.shapes}
    return frozenset(clause.id for clause in program.clauses if clause.index not in shapes)


class Telling:
    """One game, played and told. What is shown of the rules is added to `shown`."""

    def __init__(self, game: Game, players: int, seed: int, shown: set[str]) -> None:
        machine = "wasm" if game.program.name in COMPILED else "reference"
        self.match = game.start(players, seed, machine=machine)
        self.tracing = TracingMachine(game.program, players)
        self.traced = self.tracing.start(seed)
        self.random = RngFactory(seed).stream("playthrough")
        self.eager = self.random.below(4)
        self.shown = shown
        self.short: list[Option] = []
        """The last replies that are not told in full."""
        self.sights: dict[str, list[str]] = {}
        """The table as it was last shown."""

    def lines(self, first: bool) -> Iterator[str]:
        """Plays the game. The first one of a file is told more fully."""
        match = self.match
        new = self.news()
        if match.events and (first or new):
            yield from ["Before the first decision", *happenings(match, 0, new), ""]
        yield from [*self.table(), ""]
        number = 0
        while asked := match.decisions:
            number += 1
            if first and number == BETWEEN:
                yield from [*self.in_short(number, after=[""]), *self.table(), "   state"]
                yield from [*state_lines(match.machine.layout, match.state, table=False), ""]
            option = self.reply(asked[0])
            before = len(match.events)
            match.choose(option)
            self.tracing.answer(self.traced, option.seat, option.reply)
            new = self.news(option)
            if new:
                yield from [*self.in_short(number), *question(number, asked)]
                yield f"   > {option.text}{known_to(match, before)}"
                yield from [*happenings(match, before, new - {asked[0].clause.id}), ""]
            else:
                self.short.append(option)
        yield from self.in_short(number + 1, after=[""])
        yield from [*self.table(), "", *ending(match), "   state"]
        yield from state_lines(match.machine.layout, match.state)
        assert self.traced == match.state, "the tracing machine has played another game"

    def reply(self, decision: Decision) -> Option:
        """The reply, by the rule above."""
        options = decision.options
        if self.random.below(4) < self.eager:
            most = max(map(things_taken, options))
            options = tuple(option for option in options if things_taken(option) == most)
        return self.random.choose(options)

    def news(self, chosen: Option | None = None) -> set[str]:
        """The clauses that are executed, and the label that is chosen, for the first time."""
        self.tracing.offers(self.traced)
        new = set(self.tracing.touched.clauses)
        if chosen is not None and chosen.alternative is not None:
            new.add(f"{chosen.clause.id}: {chosen.label}")
        new -= self.shown
        self.shown |= new
        return new

    def in_short(self, number: int, after: Sequence[str] = ()) -> Iterator[str]:
        """The replies before this decision that were not told in full, in paragraphs."""
        since = number - len(self.short)
        for at in range(0, len(self.short), PARAGRAPH):
            told = list(in_a_row(self.short[at : at + PARAGRAPH]))
            first, last = since + at, since + at + len(told) - 1
            numbers = f"{first}" if first == last else f"{first}-{last}"
            yield from filled(f"{numbers}. ", in_runs(told), "; ", indent=3)
        yield from after if self.short else ()
        self.short = []

    # ------------------------------------------------------------ the table

    def table(self) -> Iterator[str]:
        """What everyone sees, as far as it has changed, and what each seat sees besides."""
        seen = self.match.view(None).to_json()
        yield "The table, as everyone sees it"
        now = sights(seen)
        same = [name for name, words in now.items() if self.sights.get(name) == words]
        for name, words in now.items():
            if name not in same:
                yield from wrapped(f"     {name}: ", words, 7)
        if same:
            yield from filled("     as before: ", same)
        self.sights = now
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
        words = [
            word
            for name, (first, *others) in sights(found).items()
            for word in (f"{name}: {first}", *others)
        ]
        asked = own["pending"] and own["pending"].get("clause")
        who = f"{seat_name(self.match.program, seat)}{f' (asked by {asked})' if asked else ''}"
        yield from wrapped(f"   {who} {'also sees ' if words else 'sees no more'}", words, 7)


def in_a_row(options: Sequence[Option]) -> Iterator[str]:
    """Replies with player and label; each is told when it is another than before."""
    for before, option in zip((None, *options), options, strict=False):
        text = option.text
        if before is not None and before.label == option.label:
            text = text.removeprefix(f"{option.label} ")
        if before is None or before.seat != option.seat:
            text = f"{seat_name(option.setting.layout.program, option.seat)} {text}"
        yield text


def things_taken(option: Option) -> int:
    if option.alternative is None:
        return -1
    pairs = zip(option.alternative.parts, option.values, strict=True)
    return sum(len(value) if part.several else 1 for part, value in pairs)


def seat_name(program: ir.Program, seat: int | None) -> str:
    return "luck" if seat is None else program.player_names[seat]


# ---------------------------------------------------------------- decisions and events


def question(number: int, asked: Sequence[Decision]) -> Iterator[str]:
    """The question to the first of those who are asked, and the options by label."""
    decision = asked[0]
    program = decision.setting.layout.program
    names = ", ".join(seat_name(program, each.seat) for each in asked[1:])
    others = f" (as {names})" if names else ""
    name = seat_name(program, decision.seat)
    yield f"{number}. {name} is asked by {decision.clause.id}{others}: {decision.prompt}"
    labels: dict[str, list[str]] = {}
    for option in decision.options:
        labels.setdefault(option.label or "", []).append(option.text)
    single = [texts[0] for texts in labels.values() if len(texts) == 1]
    for label, texts in labels.items():
        if len(texts) > 1:
            ends = [text.removeprefix(label).strip() for text in texts]
            yield from filled(f"   - {label} ", shortened(ends), " | ")
    if single:
        yield from filled("   - ", single, " | ")


def happenings(match: Match, since: int, new: set[str]) -> Iterator[str]:
    """The events since one of them, by clause, and which `new` clauses are executed without one.

    The first event is left out when it says that the reply just told was given.
    """
    told: list[tuple[str, list[str]]] = []
    for event in match.events[since + replied(match, since) :]:
        clause = match.program.clauses[event.clause].id
        if not told or told[-1][0] != clause:
            told.append((clause, []))
        told[-1][1].append(f"{match.tell(event, 'all')}{knowers_text(match, event)}")
    for clause, texts in told:
        yield from wrapped(f"     {clause}: ", joined(shortened(list(in_runs(texts)))), 7)
    silent = new - {clause for clause, _ in told}
    clauses = [clause.id for clause in match.program.clauses if clause.id in silent]
    if clauses:
        yield from filled("     also executed: ", clauses, indent=7)


def joined(texts: Iterable[str]) -> Iterator[str]:
    """Events in a row; of moves the same way in a row, the way is told once."""
    for way, run in groupby(texts, lambda text: "".join(text.partition(" from ")[1:])):
        things = [text.removesuffix(way) for text in run]
        yield from (f"{thing}{',' if way else ';'}" for thing in things[:-1])
        yield f"{things[-1]}{way};"


def shortened(texts: list[str]) -> list[str]:
    """The texts; if they are very many, the first of them and how many follow."""
    return texts if len(texts) <= MOST else [*texts[:SOME], f"{len(texts) - SOME} more"]


def replied(match: Match, since: int) -> bool:
    """Whether the next event is that one seat, asked alone, has replied."""
    kinds = [event.kind for event in match.events[since : since + 2]]
    return kinds[:1] == ["choose"] and kinds[1:] != ["choose"]


def known_to(match: Match, since: int) -> str:
    """Who may know a reply just given, where that is not everyone."""
    return knowers_text(match, match.events[since]) if replied(match, since) else ""


def knowers_text(match: Match, event: Event) -> str:
    """Who may know the details of an event, where that is not everyone."""
    layout = match.machine.layout
    if event.known == layout.everyone:
        return ""
    names = [match.program.player_names[s] for s in layout.seats if layout.sees(event.known, s)]
    return f" (known to {', '.join(names) or 'nobody'})"


# ---------------------------------------------------------------- the table


def sights(seen: Mapping[str, Any]) -> dict[str, list[str]]:
    """What is to be seen, in words: by family of places (without the empty ones), then the rest."""
    found: dict[str, list[str]] = {}
    for place, entry in seen["places"].items():
        family, _, index = place.partition(" ")
        texts = contents(entry)
        texts[0] = f"{index} {texts[0]}".strip()
        words = [*(f"{text}," for text in texts[:-1]), f"{texts[-1]};"]
        found.setdefault(family, []).extend(words)
    for sort in ("markers", "scores"):
        found[sort] = [f"{name} {value};" for name, value in seen[sort].items()]
    return {name: words for name, words in found.items() if words}


def contents(entry: Mapping[str, Any]) -> list[str]:
    """What lies in a place, bottom first: `2 x hunt`, `5 x hidden`."""
    states = entry.get("states") or [{}] * len(entry["pieces"])
    texts = []
    for piece, state in zip(entry["pieces"], states, strict=True):
        shown = f" ({' '.join(state.values())})" if state else ""
        texts.append(f"{piece or 'hidden'}{shown}")
    return list(in_runs(texts))


# ---------------------------------------------------------------- the end


def ending(match: Match) -> Iterator[str]:
    """Points by clause, and winners."""
    names = match.program.player_names
    yield "The end"
    for seat, score in enumerate(match.scores):
        by_clause: dict[str, list[Points]] = {}
        for row in match.why_points(seat):
            clause = "before the match" if row.clause is None else row.clause.id
            by_clause.setdefault(clause, []).append(row)
        told = (f"{clause} {points(rows)}" for clause, rows in by_clause.items())
        yield from filled(f"   {names[seat]}: {score}{' = ' if by_clause else ''}", told, " + ", 7)
    yield f"   winners: {', '.join(names[seat] for seat in match.winners) or 'none'}"


def points(rows: Sequence[Points]) -> str:
    """The points by one clause: `20 (6 x 3, 2)`."""
    times = [f"{row.points}" if row.times == 1 else f"{row.times} x {row.points}" for row in rows]
    return f"{sum(row.total for row in rows)} ({', '.join(times)})"
