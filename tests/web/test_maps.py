"""Maps: where things lie on them, and what can be pointed at."""

from __future__ import annotations

from itertools import combinations
from math import dist
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import lawspeaker
from lawspeaker.faces.render.table_text import table_block
from lawspeaker.faces.web.drawing import draw
from lawspeaker.faces.web.drawing.areas import HIGHEST_HAND, in_few_lines
from lawspeaker.faces.web.drawing.things import place_thing
from lawspeaker.match.match import Match
from lawspeaker.telling.arrangement import chosen, grid
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.maps import CLOSE, Point, arranged
from tests.language.games import GOOD
from tests.web.test_drawing import SVG, thing_counts

RING = (*((at, at + 1) for at in range(11)), (0, 11))
TREE = tuple(((at - 1) // 2, at) for at in range(1, 15))
PARTS = ((0, 1), (2, 3), (3, 4))
LADDER = (*((at, at + 2) for at in range(18)), *((at, at + 1) for at in range(0, 20, 2)))


@pytest.mark.parametrize(
    "count, joined",
    [(12, RING), (15, TREE), (5, PARTS), (20, LADDER), (1, ()), (0, ()), (3, ())],
    ids=["ring", "tree", "parts", "ladder", "one", "none", "apart"],
)
def test_a_map_lays_itself_out(count: int, joined: tuple[tuple[int, int], ...]) -> None:
    points = arranged(count, joined)
    assert len(points) == count
    assert all(dist(one, other) >= CLOSE - 0.01 for one, other in combinations(points, 2))
    lengths = [dist(points[one], points[other]) for one, other in joined]
    assert all(0.3 < each < 2.5 for each in lengths)
    assert not points or min(min(point) for point in points) == 0


def test_a_large_map_is_laid_out_with_bounded_work(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds: list[int] = []

    def majorized(points: list[Point], apart: list[list[float]]) -> list[Point]:
        rounds.append(len(apart))
        return points

    monkeypatch.setattr("lawspeaker.telling.maps._majorized", majorized)
    arranged.__wrapped__(400, tuple((at, at + 1) for at in range(399)))
    assert rounds == [400, 400]


def start_and_answer(name: str, players: int, answers: list[str]) -> Match:
    match = lawspeaker.load(GOOD / f"{name}.yaml").start(players=players, seed=3)
    for answer in answers:
        match.choose(answer)
    return match


def test_every_track_of_a_map_can_be_pointed_at() -> None:
    match = start_and_answer("branch_lines", 2, ["build ashby_brook green"])
    layout = match.view(0).layout
    picture = draw(match.view(0), "en", "wide")
    tracks = [place_thing(layout, place) for place in layout.places_of[1]]
    assert {each: thing_counts(picture)[each] for each in tracks} == dict.fromkeys(tracks, 1)
    assert thing_counts(picture)["wagon ann in track ashby_brook"] == 1


def test_a_map_tells_its_towns_and_how_long_its_lines_are() -> None:
    picture = ET.fromstring(draw(start_and_answer("branch_lines", 2, []).view(0), "en", "wide"))
    written = [element.text for element in picture.iter(f"{SVG}text")]
    for town in ("ashby", "brook", "corry", "dunham", "elmley", "foxton"):
        assert written.count(town) == 1
    lengths = {
        place.get("data-thing"): "".join(text.text or "" for text in place.iter(f"{SVG}text"))
        for place in picture.iter(f"{SVG}g")
        if (place.get("data-thing") or "").startswith("track")
    }
    assert lengths["track brook_dunham"] == "3"
    assert sorted(lengths.values()) == ["1"] * 3 + ["2"] * 5 + ["3"]


@pytest.mark.parametrize("shape", ["wide", "square", "tall", "low"])
def test_what_lies_between_squares_can_be_pointed_at(shape: str) -> None:
    match = start_and_answer("hedges", 2, [])
    layout = match.view(0).layout
    found = thing_counts(draw(match.view(0), "en", shape))
    for family in (2, 3):
        for place in layout.places_of[family]:
            assert found[place_thing(layout, place)] == 1


def test_a_map_in_letters_fits_a_narrow_screen() -> None:
    block = table_block(start_and_answer("branch_lines", 3, []).view(0), "en", 60)
    assert block.width <= 60
    text = "\n".join(line.plain for line in block.lines)
    assert "brook – dunham (3)" in text


BOARDS = """\
lawspeaker: 1
game: boards
players: {from: 2, to: 4, called: [ann, ben, cy, di]}
pieces:
  stone: {count: 9, starts in: bag}
places:
  bag:   {holds: stone, seen by: everyone}
  patch: {of each: player, grid: 3 by 2, holds: stone, room: 1, seen by: everyone}
  shelf: {of each: player, at: 1..5, holds: stone, seen by: everyone}
rules:
  game:
    says: A stone is laid.
    asks: Where?
    rule: |
      ann must lay: patch where owner of patch is ann
        otherwise: finish
      move a stone in bag to patch
"""


@pytest.mark.parametrize("shape", ["wide", "tall"])
@pytest.mark.parametrize("seat", [2, None])
def test_every_player_has_a_board_of_his_own(shape: str, seat: int | None, tmp_path: Path) -> None:
    (tmp_path / "boards.yaml").write_text(BOARDS)
    match = lawspeaker.load(tmp_path / "boards.yaml").start(players=3, seed=1)
    picture = draw(match.view(seat), "en", shape)
    layout = match.view(seat).layout
    found = thing_counts(picture)
    for family in (1, 2):
        for place in layout.places_of[family]:
            assert found[place_thing(layout, place)] == 1
    first = 0 if seat is None else seat
    order = [found for found in thing_counts(picture) if found.startswith("patch")]
    assert [text.split()[1] for text in order[::6]] == [
        *(("ann", "ben", "cy")[first:]),
        *(("ann", "ben", "cy")[:first]),
    ]


def test_boards_of_players_stand_side_by_side_in_letters(tmp_path: Path) -> None:
    (tmp_path / "boards.yaml").write_text(BOARDS)
    match = lawspeaker.load(tmp_path / "boards.yaml").start(players=3, seed=1)
    lines = [line.plain for line in table_block(match.view(1), "en", 60).lines]
    assert ["ben", "cy", "ann"] in [line.split() for line in lines]
    assert max(map(len, lines)) <= 60


PARTIAL = """\
lawspeaker: 1
game: partial
players: {from: 2, to: 2, called: [ann, ben]}
pieces:
  stone: {count: 9, starts in: bag}
places:
  bag:   {holds: stone, seen by: everyone}
  field: {grid: 5 by 4, holds: stone, seen by: everyone}
rules:
  game:
    says: Nothing happens.
    rule: |
      finish
  kept:
    says: A field without its second column, and without most of its first rows.
    define: field is kept
    as: column of field is not 2 and (row of field = 4 or column of field = 5)
table:
  down:
    - {place: field, as: grid, only: kept, title: meadow}
names: {meadow: The Meadow}
"""


def test_what_a_grid_leaves_out_is_a_gap(tmp_path: Path) -> None:
    (tmp_path / "partial.yaml").write_text(PARTIAL)
    match = lawspeaker.load(tmp_path / "partial.yaml").start(players=2, seed=1)
    view = match.view(0)
    assert view.layout.program.table is not None
    (shown,) = view.layout.program.table.parts
    found = grid(view, shown, chosen(view, Labels(view), shown))
    assert (found.overs, found.downs) == ([1, 2, 3, 4, 5], [(1,), (2,), (3,), (4,)])
    assert [found.at((4,), over) is None for over in found.overs] == [
        *(False, True, False, False, False)
    ]
    assert "The Meadow" in draw(view, "en", "wide")


@pytest.mark.parametrize("game, players", [("hearts", 4), ("walhalla", 4), ("voluspa", 5)])
def test_a_narrow_table_has_all_places_and_the_players_last(game: str, players: int) -> None:
    match = lawspeaker.load(game).start(players=players, seed=2)
    pictures = {shape: draw(match.view(0), "en", shape) for shape in ("wide", "tall")}
    layout = match.view(0).layout
    everywhere = {place_thing(layout, place) for place in range(len(layout.place_family))}
    wide, tall = (everywhere & thing_counts(pictures[shape]).keys() for shape in ("wide", "tall"))
    assert wide == tall
    strips = [pictures["tall"].rindex(f'data-seat="{seat}"') for seat in layout.seats]
    assert strips == sorted(strips)
    own = place_thing(layout, layout.places_of[_hand(match)][0])
    assert pictures["tall"].index(f'data-thing="{own}"') < strips[0]


def test_a_hand_of_thirteen_takes_two_lines_on_a_phone() -> None:
    sizes = in_few_lines([(112.0, 158.0)] * 13, 368.0)
    wide, high = sizes[0]
    assert 7 * wide + 6 * 5 <= 368 < 8 * wide + 7 * 5
    assert 2 * high + 5 <= HIGHEST_HAND
    assert wide * 350 / 380 >= 40  # can be touched


def _hand(match: Match) -> int:
    families = match.program.families
    return next(at for at, family in enumerate(families) if family.name == "hand")


def test_a_table_that_is_too_high_for_a_desk_stands_in_two_columns() -> None:
    """So four boards, what everybody has and one's own hand are read in a low window."""
    for name, players in (("drafting", 4), ("bulbs", 4), ("branch_lines", 3)):
        root = ET.fromstring(draw(start_and_answer(name, players, []).view(0), "en", "wide"))
        wide, high = map(float, root.attrib["viewBox"].split()[2:])
        assert min(980 / wide, 580 / high) > 0.75, name


def test_long_names_make_no_table_higher_on_a_phone() -> None:
    """What has no room beside the rest stands below it, and then everything is drawn smaller."""
    match = lawspeaker.load("walhalla").start(players=4, seed=12)
    for _ in range(6):
        match.choose(0)
    for shape in ("tall", "low"):
        heights = [
            float(ET.fromstring(draw(match.view(0), language, shape)).get("height", "0"))
            for language in ("en", "fr")
        ]
        assert max(heights) < 1.05 * min(heights)
