"""Pictures of examples: only the parts of the table that an example is about, and these whole."""

from __future__ import annotations

import re
from functools import cache
from itertools import product
from xml.etree import ElementTree as ET

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.render.book.cropping import Area, Subject, cropped, measured, subjects
from lawspeaker.faces.render.book.examples import subject_places
from lawspeaker.faces.web.drawing import draw
from lawspeaker.outside.examples import examples
from lawspeaker.outside.loading import load
from lawspeaker.study.scenario import ScenarioRun
from tests.tiers import sample

SVG = "{http://www.w3.org/2000/svg}"
SHOWN = ("leduc_poker", "liars_dice", "surveyors", "walhalla", "chess", "voluspa", "mill_wheel")


@cache
def courses(name: str) -> dict[str, ScenarioRun]:
    found = examples(name, load(name).program, Diagnostics())
    return {each.scenario.example["en"]: each.course for each in found}


def table(*places: tuple[str, float, float], size: tuple[int, int] = (900, 600)) -> str:
    """A drawing with places of 100 by 100."""
    drawn = "".join(
        f'<g transform="translate({x} {y}) scale(2)"><g class="place" data-thing="{thing}">'
        f'<rect x="0" y="0" width="50" height="50"/></g></g>'
        for thing, x, y in places
    )
    wide, high = size
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="table" viewBox="0 0 {wide} {high}" '
        f'width="{wide}" height="{high}">{drawn}</svg>'
    )


def view_boxes(svg: str) -> list[list[float]]:
    return [list(map(float, each.split())) for each in re.findall(r'viewBox="([^"]+)"', svg)]


def part(*things: str) -> Subject:
    return Subject(frozenset(things), frozenset(things[:1]))


def test_a_part_is_shown_whole_with_a_margin_as_far_as_there_is_room() -> None:
    drawing = table(("a", 100, 100), ("b", 200, 100), ("c", 310, 100), ("d", 500, 400))
    svg, scale = cropped(drawing, [part("a", "b")])
    assert view_boxes(svg) == [[76, 76, 230, 148]], "4 are left to what is beside it"
    assert scale == 2
    assert 'width="900"' not in svg


def test_near_parts_stay_together_and_others_stand_below_each_other() -> None:
    drawing = table(("a", 100, 0), ("b", 220, 0), ("c", 700, 500))
    near, _ = cropped(drawing, [part("a"), part("b")])
    assert len(view_boxes(near)) == 1
    svg, _ = cropped(drawing, [part("a"), part("c")])
    whole, first, second = view_boxes(svg)
    assert first[:2] == [76, 0]
    assert second[:2] == [676, 476]
    assert whole == [0, 0, 148, first[3] + second[3] + 12]
    ET.fromstring(svg)


def test_what_is_nearly_everything_or_nowhere_stays_whole() -> None:
    drawing = table(("a", 20, 20), ("b", 120, 20), size=(240, 140))
    assert cropped(drawing, [part("a", "b")])[0] == drawing
    assert cropped(drawing, [])[0] == drawing
    assert cropped(drawing, [part("elsewhere")])[0] == drawing


def test_areas_span_and_meet() -> None:
    one, other = Area(0, 0, 10, 10), Area(5, -5, 20, 5)
    assert one.with_(other) == (0, -5, 20, 10)
    assert one.within(other) == (5, 0, 10, 5)


@pytest.mark.parametrize("name", sample(SHOWN, test=len(SHOWN), full=2))
def test_all_that_an_example_is_about_is_in_its_pictures(name: str) -> None:
    for course in courses(name).values():
        views = [course.before.view(0), course.match.view(0)]
        about = subjects(views, subject_places(course, *views), course.laid)
        for view, shape in product(views, ("tall", "wide")):
            drawn = draw(view, "en", shape)
            areas = measured(drawn).areas
            svg, _ = cropped(drawn, about)
            ET.fromstring(svg)
            found = view_boxes(svg)
            panels = [
                Area(x - 0.1, y - 0.1, x + wide + 0.1, y + high + 0.1)
                for x, y, wide, high in found[len(found) > 1 :]
            ]
            shown = {thing for subject in about for thing in subject.about if thing in areas}
            assert shown or svg == drawn, "it is about what only the lines of players show"
            for area in (each for thing in shown for each in areas[thing]):
                assert any(area.within(panel) == area for panel in panels)


def test_an_example_of_chess_shows_the_board_and_nothing_else() -> None:
    course = courses("chess")["Castling"]
    views = [course.before.view(0), course.match.view(0)]
    (board,) = subjects(views, subject_places(course, *views), course.laid)
    assert len(board.things) == 64
