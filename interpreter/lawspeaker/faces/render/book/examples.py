"""Builds the examples of a book from scenarios: the position before, the events, and after.

An example shows the view of the player who is asked first; if nobody is asked, that of a spectator.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import capital, numeral, typeset
from lawspeaker.faces.render.book.course import BookRules
from lawspeaker.faces.render.book.cropping import Subject, subjects
from lawspeaker.faces.render.book.pictures import part_of_table
from lawspeaker.faces.render.book.tree import Example, ExampleEvent, Figure, Picture, Table
from lawspeaker.faces.web.drawing.things import place_thing
from lawspeaker.match.events import Event
from lawspeaker.match.match import Match
from lawspeaker.match.view import View
from lawspeaker.position.rng import RngFactory
from lawspeaker.study.scenario import ScenarioRun
from lawspeaker.telling.circumstances import Circumstances
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.story import Story, brief, option_name

BESIDE = 480.0
"""Maximum width of pictures that are put side by side (see book.typ and page.py)."""
SEED = 5
MOST_REPLIES = 2_000
"""Number of replies after which a game is too long for the scoring example."""
MOST_GAMES = 5
"""Number of games to try until somebody has points."""


def example(title: str, course: ScenarioRun, language: str) -> Example:
    """Builds an example from a passing scenario."""
    title = typeset(title, language)
    seat = _reader(course.match)
    views = course.before.view(seat), course.match.view(seat)
    about = subjects(views, subject_places(course, *views), course.laid)
    before, after = _pictures(views, about, language, title)
    told = tuple(_told(course, seat, language))
    layout, there = views[0].layout, {each for subject in about for each in subject.things}
    differs = {place_thing(layout, place) for place in _changed(*views)}
    same = before.svg == after.svg or (there and not differs & there)
    first, last = (
        Figure(each, phrase(f"book.{when}", language))
        for each, when in ((before, "before"), (after, "after"))
    )
    return Example(title, Figure(before), told, None) if same else Example(title, first, told, last)


def _pictures(
    views: tuple[View, View], about: Sequence[Subject], language: str, title: str
) -> tuple[Picture, Picture]:
    """Draws the table before and after, as far as the example is about it, in the shape in which
    things are printed largest."""
    best, largest = None, 0.0
    for shape in ("tall", "wide"):
        (before, one), (after, other) = (
            part_of_table(view, language, title, about, shape) for view in views
        )
        size = min(one, other) * _printed(before, after)
        if best is None or size > largest:
            best, largest = (before, after), size
    assert best is not None
    return best


def subject_places(course: ScenarioRun, before: View, after: View) -> Iterator[int]:
    """Yields the places that an example is about: where something is different afterwards, and
    those that are chosen, or refused."""
    yield from _changed(before, after)
    match, known = course.match, len(course.before.events)
    chosen = (each for each in match.events[known:] if each.kind in ("choose", "forced"))
    for clause, at, number, values in (each.data for each in chosen):
        if number is not None and number >= 0:
            ask = match.machine.codes[clause].questions[at].ask
            yield from _places(ask.alternatives[number], values)
    for each in course.refused:
        if each.option.alternative is not None:
            yield from _places(each.option.alternative, each.option.values)


def _places(alternative: ir.Alternative, values: Sequence[Any]) -> Iterator[int]:
    """Yields the places that were chosen."""
    for part, value in zip(alternative.parts, values, strict=False):
        if isinstance(part.binder.type, ir.PlaceType):
            yield from value if isinstance(value, tuple) else (value,)


def _changed(before: View, after: View) -> Iterator[int]:
    """Yields the places where something is different afterwards."""
    for place in {*before.contents, *after.contents}:
        if _lies(before, place) != _lies(after, place):
            yield place


def _lies(view: View, place: int) -> Hashable:
    held = view.contents.get(place, ())
    return held, tuple(view.states.get(piece) for piece in held)


def _printed(before: Picture, after: Picture) -> float:
    """Returns how large two drawings are printed, in millimetres for a unit (see book.typ)."""
    wide, high = max(before.width, after.width), max(before.height, after.height)
    return min(80 / wide, 74 / high) if wide <= BESIDE else min(166 / wide, 84 / high)


def _reader(match: Match) -> int | None:
    """Returns the seat that was asked first, or is asked now."""
    asked = [each.seat for each in match.events if each.kind in ("choose", "forced")]
    asked += [each.seat for each in match.decisions]
    return next((seat for seat in asked if seat is not None), None)


def _told(course: ScenarioRun, seat: int | None, language: str) -> Iterator[ExampleEvent]:
    match, known = course.match, len(course.before.events)
    labels = Labels(course.before.view(seat))
    story = Story(match.machine, seat, language, labels, circumstances=Circumstances(match, seat))
    refused = list(course.refused)
    for number in range(len(match.replies) + 1):
        events = match.events_of(None)[known:] if number == 0 else match.events_of(number - 1)
        told = [each for each in events if not _goes_without_saying(match, each, events)]
        for line in brief(story.lines(told)):
            who = _name(match, line.seat, language)
            yield ExampleEvent(who, line.text if who else capital(line.text))
        while refused and refused[0].replies <= number:
            each = refused.pop(0)
            option = option_name(each.option, labels, language)
            why = ir.in_language(each.guard.says, language)
            yield ExampleEvent(_name(match, each.seat, language), option, why)


def _goes_without_saying(match: Match, event: Event, among: Sequence[Event]) -> bool:
    """Whether an event is redundant in an example.

    That holds for a change of the active player, for a choice of just the two places of the
    following move, and for the end of the game unless the rules name the winner.
    """
    if event.kind == "marker":
        return match.program.markers[event.data[0]].type == ir.PLAYER
    if event.kind == "choose":
        ways = {each.data[1:3] for each in among if each.kind == "move"}
        return _is_of_two_places(match, event) and event.data[3] in ways
    return event.kind == "end" and match.program.goal is not ir.Goal.NAMED


def _is_of_two_places(match: Match, event: Event) -> bool:
    clause, at, number, _ = event.data
    if number is None or number < 0:
        return False
    parts = match.machine.codes[clause].questions[at].ask.alternatives[number].parts
    places = [isinstance(each.binder.type, ir.PlaceType) and not each.several for each in parts]
    return places == [True, True]


def _name(match: Match, seat: int | None, language: str) -> str:
    return "" if seat is None else match.machine.layout.name(ir.PLAYER, seat, language)


# ---------------------------------------------------------------- scoring


def scored(program: ir.Program) -> Match | None:
    """Plays a game with random replies until somebody has scored; None if that takes too long."""
    for seed in range(SEED, SEED + MOST_GAMES):
        match = _ended(Match(program, program.most, seed))
        if match is None or any(map(match.why_points, range(match.players))):
            return match
    return None


def _ended(match: Match) -> Match | None:
    luck = RngFactory(SEED).stream("book")
    for _ in range(MOST_REPLIES):
        decision = match.decision
        if decision is None:
            break
        match.choose(luck.below(len(decision.options)), seat=decision.seat)
    return match if match.finished else None


def sheet(match: Match, rules: BookRules) -> Table:
    """Builds the table of everybody's points by clause, with totals."""
    layout = match.machine.layout
    rows: dict[str, list[int]] = {}
    for at, side in enumerate(layout.sides):
        for each in match.why_points(side[0]):
            name = "" if each.clause is None else rules.called(each.clause)
            own = rows.setdefault(capital(name), [0] * len(layout.sides))
            own[at] += each.times * each.points
    head = ("", *(layout.holder_name(side[0], rules.language) for side in layout.sides))
    return Table(
        "",
        head,
        tuple((name, *map(_points, points)) for name, points in rows.items()),
        (rules.phrase("total"), *(str(match.scores[side[0]]) for side in layout.sides)),
    )


def _points(points: int) -> str:
    return numeral(points) if points else "–"
