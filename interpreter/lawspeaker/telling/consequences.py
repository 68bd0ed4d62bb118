"""Foresees the immediate consequences of an answer, from what a seat may know.

The seat's view is determinized a few times (see `match/determinization`), and the answer is given
in each of these worlds. What the seat would see there is told as far as it is the same in all of
them, up to the next question. It ends earlier

    luck     where something is drawn, shuffled or picked by chance
    hidden   where the worlds differ, or something comes to light that the seat does not know
    others   where somebody else is asked next

The true position is never read: of a position that the seat cannot tell from this one, exactly the
same is foreseen. What is seen in one of a hundred worlds only may be missed, since so few are
tried.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from lawspeaker.ir.types import PLAYER
from lawspeaker.match.determinization import determinized, unseen
from lawspeaker.match.events import Event, seen_by
from lawspeaker.match.match import Match
from lawspeaker.match.view import View
from lawspeaker.position.fault import RuleFault
from lawspeaker.position.layout import Layout
from lawspeaker.position.rng import combine, word_of
from lawspeaker.position.state import State
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.story import Story, StoryLine, brief

WORLDS = 12
MOST_DEALS = 100
"""Deals for a world until one agrees with the question."""
LUCK, HIDDEN, OTHERS = "luck", "hidden", "others"


@dataclass(frozen=True, slots=True)
class Consequences:
    """What follows from an answer, without the answer itself; and who or what `decides` then: empty
    if the seat is asked again, or the game is over."""

    lines: tuple[StoryLine, ...]
    decides: str


def consequences(
    view: View, number: int, language: str, layout: Layout | None = None
) -> Consequences:
    """Foresees what follows from option `number` of the question to the seat of a view; `layout`
    may rename players."""
    assert view.seat is not None
    assert view.decision is not None
    chosen = view.decision.options[number].text
    worlds = []
    for luck in range(WORLDS if unseen(view).open else 1):
        world = _World.of(view, chosen, luck)
        if world is not None:
            worlds.append(world)
    if not worlds:
        return Consequences((), HIDDEN)
    told, decides = worlds[0].events, worlds[0].decides
    for world in worlds[1:]:
        same = _in_common(worlds[0], told, world)
        if len(told) == len(world.events) == same:
            decides = decides if decides == world.decides else HIDDEN
        elif same < len(told) and same < len(world.events):
            decides = HIDDEN
        else:  # one of them ends here, and the other one goes on
            ending = decides if same == len(told) else world.decides
            decides = LUCK if ending == LUCK else HIDDEN
        told = told[:same]
    story = Story(worlds[0].match.machine, view.seat, language, Labels(view), layout=layout)
    lines = [line for line in brief(story.lines(told)) if line.kind != "choose"]
    while lines and _is_turn(view, worlds[0], lines[-1]):
        lines.pop()
    return Consequences(tuple(line for line in lines if not line.trifle), decides)


def _is_turn(view: View, world: _World, line: StoryLine) -> bool:
    """Whether a line only says whose turn it is."""
    event = world.match.events[line.at]
    return event.kind == "marker" and view.program.markers[event.data[0]].type == PLAYER


@dataclass(frozen=True, slots=True)
class _World:
    """A determinization in which the answer was given: the events up to where somebody or something
    else decides."""

    match: Match
    seat: int
    events: Sequence[Event]
    decides: str

    @classmethod
    def of(cls, view: View, chosen: str, luck: int) -> _World | None:
        """None if the answer is not possible there, or the rules fault."""
        seat = view.seat
        assert seat is not None
        try:
            seed = combine(word_of("consequences"), luck)
            match = Match.from_state(view.program, determinized(view, seed, MOST_DEALS))
            before = match.state.copy()
            asked = next((each for each in match.decisions if each.seat == seat), None)
            option = None if asked is None else asked.option(chosen)
            if option is None:
                return None
            match.choose(option, seat=seat)
            found: list[Event] = []
            for event in match.events:
                decides = _decides(event, view, match.machine.layout, before)
                if decides:
                    return cls(match, seat, found, decides)
                if seen_by(match.machine, event, seat) is not None:
                    found.append(event)
            others = [each for each in match.seats_asked if each != seat]
            return cls(match, seat, found, OTHERS if others and not match.finished else "")
        except RuleFault:
            return None

    def looks(self, event: Event) -> Event | None:
        """An event as the seat sees it, wherever it stands in the journal."""
        seen = seen_by(self.match.machine, event, self.seat)
        return None if seen is None else replace(seen, number=0)


def _decides(event: Event, view: View, layout: Layout, before: State) -> str:
    """Who or what decides about an event, if not the rules and the answer."""
    match event.kind:
        case "chance" | "shuffle":
            return LUCK
        case "choose" if event.seat != view.seat:
            return OTHERS
        case "move":
            piece, origin, to, _, drawn = event.data
            held = before.contents.get(origin, ())
            under, loose = before.loose.get(origin, (0, len(held) if layout.heap[origin] else 0))
            if drawn and piece in held[under : under + loose] and not _alike(layout, held):
                return LUCK
            comes = layout.sees(layout.seen[to], view.seat)
            if comes and not layout.sees(layout.seen[origin], view.seat):
                known = any(piece in each for each in view.contents.values())
                same = _alike(layout, layout.pieces_of[layout.piece_type[piece]])
                return "" if known or same else HIDDEN
    return ""


def _alike(layout: Layout, pieces: Iterable[int]) -> bool:
    return len({layout.alike[each] for each in pieces}) < 2


def _in_common(first: _World, told: Sequence[Event], world: _World) -> int:
    """How many events of two worlds look the same to the seat, from the first one on."""
    pairs = zip(told, world.events, strict=False)
    equal = takewhile(lambda pair: first.looks(pair[0]) == world.looks(pair[1]), pairs)
    return sum(1 for _ in equal)
