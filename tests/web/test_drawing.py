"""The table as a picture: well made, complete, and without anything hidden."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from itertools import combinations, cycle, product
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import lawspeaker
from lawspeaker.faces.render.table_text import table_block
from lawspeaker.faces.web.drawing import draw, stencils, whole_table
from lawspeaker.faces.web.drawing.appearance import Look, Looks
from lawspeaker.faces.web.drawing.boxes import Box
from lawspeaker.faces.web.drawing.card_faces import face
from lawspeaker.faces.web.drawing.carrying import aboard
from lawspeaker.faces.web.drawing.palette import shades
from lawspeaker.faces.web.drawing.pictures import stock
from lawspeaker.faces.web.drawing.shapes import drawn
from lawspeaker.faces.web.drawing.sketches import Sketches
from lawspeaker.faces.web.drawing.stencils import Drawn, drawn_of
from lawspeaker.faces.web.drawing.svg import el, text, text_width, titled
from lawspeaker.faces.web.drawing.things import piece_thing, place_thing
from lawspeaker.faces.web.drawing.whole_table import WIDTHS
from lawspeaker.match.match import Match, imagine
from lawspeaker.match.view import View
from lawspeaker.position.rng import RngFactory
from lawspeaker.telling.labels import Labels, everything, value_on
from tests.properties.hidden import rearranged
from tests.properties.tables import Table, every_table, play, start

ROOT = Path(__file__).resolve().parents[2]
STEPS = (0, 7, 31)
SVG = "{http://www.w3.org/2000/svg}"


def matches_in_play(table: Table, steps: tuple[int, ...] = STEPS) -> list[Match]:
    """A game at a few moments."""
    match = start(table, seed=5)
    found = []
    for number, _ in enumerate(play(match, seed=5)):
        if number in steps:
            found.append(match.copy())
        if number >= steps[-1]:
            break
    return found


def thing_counts(picture: str) -> Counter[str]:
    return Counter(
        element.get("data-thing", "")
        for element in ET.fromstring(picture).iter()
        if element.get("data-thing")
    )


def draw_afresh(
    view: View, keep: bool = False, sketches: Sketches | None = None, shape: str = "wide"
) -> str:
    """The picture drawn from the beginning; `keep`: what was drawn before is known again then."""
    known = drawn_of(view.layout, "en")
    before = dict(vars(known))
    vars(known).update(vars(Drawn(view.layout)))
    picture = draw(view, "en", shape, sketches=sketches)
    if keep:
        vars(known).update(before)
    return picture


def seats(match: Match) -> list[int | None]:
    return [match.decision.seat if match.decision is not None else 0, None]


@every_table
def test_a_picture_is_well_made(table: Table) -> None:
    for match in matches_in_play(table, (0, 31)):
        for seat in seats(match):
            for shape in ("wide", "square", "tall", "low"):
                picture = draw(match.view(seat), "en", shape)
                root = ET.fromstring(picture)
                assert root.tag == f"{SVG}svg"
                for element in root.iter():
                    assert not [name for name in element.attrib if name.startswith("on")]
                    assert "style" not in element.attrib
                    assert element.tag not in (f"{SVG}script", f"{SVG}style")
                    if element.get("data-thing"):
                        assert element.get("aria-label")
                        assert element.get("role")


def shown_places(view: View, picture: str) -> set[int]:
    """The places that are in a picture."""
    found = thing_counts(picture)
    layout = view.layout
    return {place for place in view.contents if found[place_thing(layout, place)]}


@every_table
def test_all_that_lies_in_a_place_is_in_the_picture_once(table: Table) -> None:
    """Except for what is too much to draw: of a pile only the upper pieces, of a crowd some."""
    for match in matches_in_play(table):
        for seat in seats(match):
            view = match.view(seat)
            picture = draw(view, "en")
            found = thing_counts(picture)
            for place in shown_places(view, picture):
                assert found[place_thing(view.layout, place)] == 1
                held = view.contents[place]
                wanted = Counter(piece_thing(view, piece, place) for piece in held)
                drawn = {thing: found[thing] for thing in wanted}
                assert all(drawn[thing] <= count for thing, count in wanted.items())
                if len(held) <= 2:
                    assert drawn == wanted


@every_table
def test_what_a_seat_cannot_see_changes_nothing(table: Table) -> None:
    luck = RngFactory(11).stream("hidden")
    for match in matches_in_play(table):
        for seat in seats(match):
            other = Match.from_state(match.program, rearranged(match, seat, luck))
            other._journal, other.from_start = match._journal, match.from_start
            one, two = match.view(seat), other.view(seat)
            assert one == two
            assert draw_afresh(one) == draw_afresh(two)


@every_table
def test_what_was_drawn_before_changes_nothing(table: Table) -> None:
    """Parts of earlier pictures are used again, also of other seats, moments and screens."""
    sketches, shapes = Sketches(), cycle(WIDTHS)
    for match in matches_in_play(table, (0, 1, 2, 3, 10, 11)):
        for seat in (0, None):
            view, shape = match.view(seat), next(shapes)
            drawn = draw(view, "en", shape, sketches=sketches)
            assert drawn == draw_afresh(view, keep=True, shape=shape), shape
        sketches.turn()


@pytest.mark.parametrize("name", ["walhalla", "voluspa"])
def test_what_is_forgotten_changes_nothing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn_of.cache_clear()
    monkeypatch.setattr(stencils, "MOST_WRITTEN", 30_000)
    match = lawspeaker.load(name).start(players=4, seed=3)
    sketches = Sketches(30_000)
    for _ in range(6):
        match.choose(0)
        sketches.tidy()
        view = match.view(0)
        assert draw(view, "en", sketches=sketches) == draw_afresh(view, keep=True)


def test_what_was_drawn_with_stencils_goes_with_them() -> None:
    """Whoever has forgotten a stencil cannot use what it is on."""
    match = lawspeaker.load("walhalla").start(players=4, seed=3)
    view, sketches = match.view(0), Sketches()
    first = draw(view, "en", sketches=sketches)
    assert draw_afresh(view, sketches=sketches) == first


def test_of_sketches_those_are_kept_that_are_wanted() -> None:
    sketches = Sketches(most_written=10)
    drawn: list[int] = []

    def wanted(number: int) -> None:
        def draw() -> Box:
            drawn.append(number)
            return Box(1, 1, "four")

        sketches.one(number, draw)

    for number in range(8):
        wanted(number)
        wanted(0)
        sketches.tidy()
    assert drawn == list(range(8))
    wanted(7)
    wanted(0)
    assert drawn == list(range(8))
    wanted(1)
    assert drawn[-1] == 1


def test_what_is_written_in_a_picture_cannot_stand_for_a_part_of_it() -> None:
    assert text("a\x000\x00b", 0, 0, 12) == text("a0b", 0, 0, 12)
    assert titled("\x00") == "<title/>"
    assert 'aria-label="ab"' in el("g", aria_label="a\x00b")


@every_table
def test_what_is_written_on_places_is_what_each_seat_would_work_out(table: Table) -> None:
    for match in matches_in_play(table, (0, 7, 8)):
        for seat in range(match.players):
            view = match.view(seat)
            labels, world = Labels(view), imagine(view, 0)
            for shown in everything(match.program.table):
                family, layout = shown.family, view.layout
                nothing = layout.seats if shown.shape == "players" else (None,)
                places = nothing if family is None else layout.places_of[family]
                for function, place in product((*shown.labels, shown.only), places):
                    if function is not None:
                        found = labels.value(function, place)
                        assert found == value_on(world, function, place)


@every_table
def test_hidden_pieces_have_no_name(table: Table) -> None:
    for match in matches_in_play(table):
        view = match.view(None)
        layout = view.layout
        found = thing_counts(draw(view, "en"))
        for place, held in match.state.contents.items():
            if layout.sees(layout.seen[place], None):
                continue
            for piece in held:
                thing = f" in {place_thing(layout, place)}"
                known = [each for each in found if each.endswith(thing)]
                assert all(each.startswith("hidden ") for each in known), (piece, known)


def test_no_number_of_a_piece_is_told() -> None:
    """Pieces that look the same share their text; nothing else tells them apart."""
    (match,) = matches_in_play(("walhalla", 4), (31,))
    for element in ET.fromstring(draw(match.view(0), "en")).iter():
        if element.get("class") == "piece" and element.get("data-thing"):
            assert set(element.attrib) <= {
                *("class", "role", "aria-label", "data-thing", "data-look", "data-place"),
                "data-type",
            }


def test_the_pictures_of_the_schema_are_the_stock() -> None:
    schema = json.loads((ROOT / "schema" / "game.schema.json").read_text(encoding="utf-8"))
    assert set(schema["$defs"]["picture"]["else"]["enum"]) == set(stock())


def test_every_area_of_the_stock_has_a_tone_and_an_outline() -> None:
    for areas in stock().values():
        for tone, outline in areas:
            assert tone in ("main", "dark", "light")
            assert re.fullmatch(r"[MmLlHhVvCcSsQqTtAaZz0-9 .,+-]+", outline)


def test_a_board_is_chequered_and_its_lines_are_called_at_its_edge() -> None:
    game = lawspeaker.load(str(ROOT / "tests/language/good/grid_from_below.yaml"))
    picture = draw(game.start(2, seed=1).view(0), "en")
    cells = {
        element.get("data-thing"): next(element.iter(f"{SVG}rect")).get("fill")
        for element in ET.fromstring(picture).iter(f"{SVG}g")
        if element.get("class") == "place"
    }
    dark, light = shades("brown").main, shades("white").main
    assert [cells[f"cell 1 {row}"] for row in (1, 2, 3, 4)] == [dark, light, dark, light]
    assert cells["cell 2 1"] == light
    written = [element.text for element in ET.fromstring(picture).iter(f"{SVG}text")]
    assert [each for each in written if each in list("abc1234")] == list("4321abc")


def test_stacks_begin_at_the_edge_and_those_that_overlap_are_counted() -> None:
    game = lawspeaker.load(str(ROOT / "tests/language/good/stacks.yaml"))
    drawn = ET.fromstring(draw(game.start(2, seed=1).view(0), "en"))
    places = {each.get("data-thing"): each for each in drawn.iter(f"{SVG}g")}

    def moved_down(place: str) -> list[float]:
        """How far the pieces of a place lie below the top of its strip."""
        moves = [each.get("transform", "") for each in places[place].iter(f"{SVG}g")]
        found = (re.match(r"translate\(\S+[ ,](\S+)\)", move) for move in moves)
        return [float(each[1]) for each in found if each is not None]

    wedges = [next(places[f"lane {at}"].iter(f"{SVG}path")).get("fill") for at in (1, 2)]
    assert wedges == [shades("white").main, shades("brown").main]
    high = moved_down("lane 1")
    assert high[:7] == sorted(high[:7], reverse=True)  # from the bottom upwards
    assert "7" in [each.text for each in places["lane 1"].iter(f"{SVG}text")]
    assert moved_down("lane 5")[0] > moved_down("lane 5")[1]
    assert "2" not in [each.text for each in places["lane 5"].iter(f"{SVG}text")]


CROWDED = """
lawspeaker: 1
game: crowded
players: {from: 2, to: 2, called: [ann, ben]}
words:
  spot: [tree, basket, crate]
numbers: {column: 1..2, row: 1..2}
pieces:
  fruit:
    starts in: sack
    kinds: {pear: {count: 12}, plum: {count: 12}, quince: {count: 12}}
places:
  sack:  {holds: fruit, seen by: nobody}
  stock: {at: spot, holds: fruit, seen by: everyone}
  field: {at: [column, row], holds: fruit, seen by: everyone}
  apron: {of each: player, holds: fruit, seen by: everyone}
rules:
  game:
    says: Nothing happens.
    rule: |
      finish
"""


@pytest.mark.parametrize("shape", ["wide", "tall"])
def test_pieces_lie_inside_their_place(tmp_path: Path, shape: str) -> None:
    """A place of a row grows with what lies in it; in a grid, which cannot, pieces are smaller."""
    rules = tmp_path / "crowded.yaml"
    rules.write_text(CROWDED, encoding="utf-8")
    held = {
        "stock tree": ["pear"] * 3 + ["plum"],
        "stock basket": ["plum"] * 5 + ["quince"] * 2,
        "stock crate": ["pear"],
        "field 1 1": ["quince"] * 4,
        "field 2 1": ["pear"] * 5 + ["plum"] * 3,
    }
    lying = {"places": {**held, "apron ann": ["plum"]}}
    match = Match.at(lawspeaker.load(str(rules)).program, 2, "game", {}, lying)
    root = ET.fromstring(draw(match.view(0), "en", shape))
    stencils = {f"#{each.get('id')}": each for each in root.iter() if each.get("id")}

    def moved(element: ET.Element) -> tuple[float, float]:
        x, y = re.findall(r"-?[\d.]+", element.get("transform", "")) or (0, 0)
        return float(x), float(y)

    def pieces(element: ET.Element, x: float, y: float) -> list[tuple[float, float, float, float]]:
        """Where the pieces in a place lie, and how large they are."""
        x, y = x + moved(element)[0], y + moved(element)[1]
        if element.get("class") != "piece":
            return [each for inner in element for each in pieces(inner, x, y)]
        used = [stencils[each.get("href", "")] for each in element.iter(f"{SVG}use")]
        drawn = [rect for each in (element, *used) for rect in each.iter(f"{SVG}rect")]
        across = max(float(each.get("x", 0)) + float(each.get("width", 0)) for each in drawn)
        down = max(float(each.get("y", 0)) + float(each.get("height", 0)) for each in drawn)
        return [(x, y, across, down)]

    for name, kinds in held.items():
        (place,) = (each for each in root.iter(f"{SVG}g") if each.get("data-thing") == name)
        ground = next(place.iter(f"{SVG}rect"))
        wide, high = (
            float(ground.get(side, 0)) + 2 * float(ground.get(at, 0))
            for at, side in (("x", "width"), ("y", "height"))
        )
        found = pieces(place, 0, 0)
        assert len(found) == len(kinds)
        for x, y, across, down in found:
            assert x >= 0
            assert y >= 0
            assert x + across <= wide
            assert y + down <= high
        if name.startswith("stock"):
            for one, other in combinations(found, 2):
                assert any(abs(one[way] - other[way]) >= one[2 + way] for way in (0, 1))
        written = [each.text for each in place.iter(f"{SVG}text")]
        assert ("8" in written) == (name == "field 2 1")
    # Where names would be too small to read, letters tell kinds apart.
    (apron,) = (each for each in root.iter(f"{SVG}g") if each.get("data-look") == "plum"
                and each.get("data-place") == "apron ann")  # fmt: skip
    used = [stencils[each.get("href", "")] for each in apron.iter(f"{SVG}use")]
    assert [each.text for part in (apron, *used) for each in part.iter(f"{SVG}text")] == ["L"]


@pytest.mark.parametrize("scores", [(0, 0, 0, 0), (20, 20, 20, 19), (7, 7, 30, -5)], ids=str)
def test_all_can_be_seen_on_the_path_of_points(scores: tuple[int, ...]) -> None:
    match = lawspeaker.load("mill_wheel").start(4, seed=1)
    match.state.scores = list(scores)
    picture = ET.fromstring(draw(match.view(0), "en"))
    (track,) = [each for each in picture.iter(f"{SVG}g") if each.get("class") == "track"]
    signs = []
    for moved in track:
        if moved.get("transform"):
            x, y = map(float, re.findall(r"-?[\d.]+", moved.get("transform", "")))
            size = 2 * float(next(moved.iter(f"{SVG}circle")).get("cx", 0))
            signs.append((x + size / 2, y + size / 2, size))
    assert len(signs) == len(scores)
    for (x, y, size), (other_x, other_y, _) in combinations(signs, 2):
        assert math.dist((x, y), (other_x, other_y)) > size / 2  # no letter is covered
    assert min(y - size / 2 for _, y, size in signs) >= 4


def test_a_name_that_just_fits_beside_a_badge_is_held_to_its_width() -> None:
    for name, held in (("Headland", True), ("Fog", False)):
        card = drawn(Look(name, "card", badge="8"), 92, 130)
        found = re.search(r'textLength="(\d+)"', card)
        assert (found is not None) == held
        assert found is None or 8 + int(found[1]) < 92 - 14 - 9


def test_pieces_say_a_number_by_what_they_show() -> None:
    game = lawspeaker.load(str(ROOT / "tests/language/good/stacks.yaml"))
    picture = draw(game.start(2, seed=1).view(0), "en")
    meant = {
        each.get("data-thing"): each.get("data-means")
        for each in ET.fromstring(picture).iter(f"{SVG}g")
        if each.get("class") == "piece" and each.get("data-place") == "tray"
    }
    assert meant == {"die in tray": "number 2", "die (face 5) in tray": "number 5"}


def test_names_are_escaped(tmp_path: Path) -> None:
    rules = tmp_path / "markup.yaml"
    rules.write_text(
        """
lawspeaker: 1
game: markup
title: <b>&
players: {from: 2, to: 2, called: [ann, ben]}
pieces:
  coin: {count: 2, starts in: purse}
places:
  purse: {holds: coin, seen by: everyone}
rules:
  game:
    says: Nothing happens.
    rule: |
      finish
names:
  ann: {en: "<script>alert(1)</script>"}
  coin: {en: "\\" onload=\\"x"}
  purse: {en: "]]> & <g> href=\\"#p00000000\\""}
""",
        encoding="utf-8",
    )
    picture = draw(lawspeaker.load(str(rules)).start(seed=1).view(0), "en")
    for element in ET.fromstring(picture).iter():
        assert element.tag.removeprefix(SVG) != "script"
        assert "onload" not in element.attrib


def test_a_kind_with_a_word_for_a_colour_has_that_colour() -> None:
    """The game that everyone begins with gives its cards colours in words alone."""
    game = lawspeaker.load(str(ROOT / "interpreter/lawspeaker/outside/templates/game/game.yaml"))
    layout = game.start(seed=1).machine.layout
    looks = Looks(layout, "en")
    colours = {
        looks.piece(piece).name: looks.piece(piece).tones
        for piece, number in enumerate(layout.piece_type)
        if layout.program.pieces[number].name == "card"
    }
    wanted = {"ruby": "red", "amber": "yellow", "sapphire": "blue"}
    assert colours == {name: shades(colour) for name, colour in wanted.items()}


@pytest.mark.parametrize("language", ["en", "de", "it", "fr"])
def test_words_are_in_the_language(language: str) -> None:
    (match,) = matches_in_play(("walhalla", 4), (7,))
    view = match.view(0)
    picture = draw(view, language)
    name = view.layout.called("fjord", "", language)
    assert f"{name} 1" in picture


@pytest.mark.parametrize("language", ["en", "de", "it", "fr"])
def test_what_tells_places_of_a_row_apart_is_written_out(language: str) -> None:
    game = lawspeaker.load("walhalla")
    lying = {
        "places": {
            "peninsula 1": ["cult_forest_2"],
            "sea": ["red_middle"],
            "seat stern": ["viking blue"],
        }
    }
    match = Match.at(game.program, 4, "sending", {"dragon": "red_middle"}, lying)
    written = re.findall(r">([^<>]+)</text>", draw(match.view(0), language))
    for seat in ("bow", "middle", "stern"):
        assert match.machine.layout.called(seat, "", language) in written


def test_places_ride_on_the_piece_that_moved_last() -> None:
    (match,) = matches_in_play(("walhalla", 4), (7,))
    view = match.view(0)
    carried = aboard(view)
    assert len(carried) == 1
    picture = ET.fromstring(draw(view, "en"))
    (piece,) = carried
    inside = {
        element.get("data-thing")
        for group in picture.iter(f"{SVG}g")
        if group.get("data-type") == "dragon"
        for element in group.iter()
    }
    assert {place_thing(view.layout, place) for place in carried[piece]} <= inside


LACKING = """\
lawspeaker: 1
game: lacking
players: {from: 2, to: 2, called: [ann, ben]}
words:
  suit: [hearts, spades]
pieces:
  card:
    starts in: bag
    kinds:
      one: {suit: hearts}
      two: {suit: spades}
      joker: {}
    has: {suit: suit}
places:
  bag:  {holds: card, seen by: everyone}
  plot: {grid: 2 by 1, holds: card, seen by: everyone}
rules:
  worth:
    says: What a plot is worth.
    define: worth of plot
    as: column of plot + 40
  game:
    says: The cards lie on a plot.
    rule: |
      move all cards in bag to plot(1, 1)
      finish
symbols:
  card: {shape: card, badge: "{suit}"}
  hearts: {sign: "♥"}
  spades: {sign: "♠"}
table:
  down:
    - {place: plot, as: grid, label: worth}
"""

TWO_LABELS = (
    LACKING.replace("words:\n", "words:\n  soil: [clay, sand]\n")
    .replace("label: worth", "label: [worth, ground]")
    .replace(
        "rules:\n",
        """\
rules:
  ground:
    says: What a plot is made of.
    define: ground of plot
    as: if column of plot is 1 then clay else sand
""",
    )
)


def test_a_badge_shows_signs_though_one_kind_lacks_them(tmp_path: Path) -> None:
    file = tmp_path / "lacking.yaml"
    file.write_text(LACKING, encoding="utf-8")
    layout = lawspeaker.load(str(file)).start(seed=1).machine.layout
    looks = Looks(layout, "en")
    badges = {looks.piece(each).name: looks.piece(each).badge for each in range(3)}
    assert badges == {"one": "♥", "two": "♠", "joker": ""}


def test_no_piece_lies_over_the_label_of_its_place(tmp_path: Path) -> None:
    file = tmp_path / "lacking.yaml"
    file.write_text(LACKING, encoding="utf-8")
    picture = ET.fromstring(draw(lawspeaker.load(str(file)).start(seed=1).view(0), "en"))
    found = [each for each in picture.iter(f"{SVG}g") if each.get("class") == "place"]
    for place, label in zip(found, ("41", "42"), strict=True):
        assert list(place)[-1].text == label


def test_a_place_has_two_labels(tmp_path: Path) -> None:
    file = tmp_path / "lacking.yaml"
    file.write_text(TWO_LABELS, encoding="utf-8")
    view = lawspeaker.load(str(file)).start(seed=1).view(0)
    picture = ET.fromstring(draw(view, "en"))
    found = [each for each in picture.iter(f"{SVG}g") if each.get("class") == "place"]
    for place, worth, soil in zip(found, ("41", "42"), ("clay", "sand"), strict=True):
        one, other = list(place)[-2:]
        assert (one.text, other.text) == (worth, soil), "and over what lies there"
        assert float(other.get("x", "")) < float(one.get("x", "")), "one at each side"
        assert f"({worth}, {soil})" in place.get("aria-label", "")
    labels = Labels(view)
    assert labels.name(view.layout.places_of[1][0], "en") == "41, clay"
    told = "\n".join(line.plain for line in table_block(view, "en", 80).lines)
    assert "41 clay" in told
    assert "42 sand" in told


def test_digits_are_taken_to_be_equally_wide() -> None:
    """As in most fonts; or numbers beside each other would touch: 10 and 0 read as 100."""
    assert len({text_width(digit, 10) for digit in "0123456789"}) == 1


def test_a_high_table_is_laid_out_wider_for_a_phone(monkeypatch: pytest.MonkeyPatch) -> None:
    """If all of it is seen larger so, and its largest part is not smaller: a map stays large."""
    lines = str(ROOT / "tests/language/good/branch_lines.yaml")
    views = [lawspeaker.load(each).start(seed=5).view(0) for each in ("walhalla", "chess", lines)]

    def scale(view: View) -> float:
        wide, high = map(
            float, ET.fromstring(draw(view, "en", "tall")).get("viewBox", "").split()[2:]
        )
        return min(380 / wide, 560 / high)

    wider = [*map(scale, views)]
    monkeypatch.setattr(whole_table, "WIDER", ())
    for view in views:
        vars(drawn_of(view.layout, "en")).update(vars(Drawn(view.layout)))
    plain = [*map(scale, views)]
    assert wider[0] > 1.04 * plain[0]
    assert wider[1:] == plain[1:]


LABELLED = """\
lawspeaker: 1
game: labelled
players: {number: 2, called: [ann, ben]}
pieces:
  stone: {of each: player, count: 3, starts in: box}
places:
  box:  {of each: player, holds: stone, seen by: everyone}
  pot:  {of each: player, holds: stone, seen by: everyone}
  well: {holds: stone, seen by: everyone}
rules:
  fill:
    says: How full a box is.
    define: fill of box
    as: count of (all stones in box) + 40
  rim:
    says: How full a pot is.
    define: rim of pot
    as: count of (all stones in pot) + 50
  depth:
    says: How deep a well is.
    define: depth of well
    as: count of (all stones in well) + 60
  game:
    says: Ann lays a stone into the well.
    rule: |
      move a stone in box of ann to well
      finish
table:
  down:
    - {place: well, as: STYLE, label: depth}
    - players:
        - {place: box, as: STYLE, label: fill}
        - {place: pot, as: row, label: rim}
"""


@pytest.mark.parametrize("style", ["pile", "row", "column", "count", "hand", "slot"])
def test_a_label_is_written_in_every_style_and_in_the_rows_of_players(
    style: str, tmp_path: Path
) -> None:
    """Once in each picture and in the terminal, and changed with what it counts."""
    file = tmp_path / "labelled.yaml"
    file.write_text(LABELLED.replace("STYLE", style), encoding="utf-8")
    view = lawspeaker.load(str(file)).start(seed=1).view(0)
    told = "\n".join(line.plain for line in table_block(view, "en", 80).lines)
    for picture in (draw(view, "en", "wide"), draw(view, "en", "tall")):
        root = ET.fromstring(picture)
        words = " ".join(each.text or "" for each in root.iter(f"{SVG}text"))
        labels = " ".join(each.get("aria-label", "") for each in root.iter(f"{SVG}g"))
        for value, many in (("61", 1), ("42", 1), ("43", 1), ("50", 2)):
            assert words.count(value) == many, f"{value} in {words}"
            assert labels.count(f"({value})") == many
            assert told.count(value) == many


def test_a_label_on_a_hex_is_written_unless_it_is_painted(tmp_path: Path) -> None:
    file = tmp_path / "lacking.yaml"
    text = TWO_LABELS.replace("grid: 2 by 1", "hexes: 2 by 1")
    assert text != TWO_LABELS
    clay = "symbols:\n  clay: {colour: brown}\n"
    file.write_text(text.replace("symbols:\n", clay), encoding="utf-8")
    drawn = draw(lawspeaker.load(str(file)).start(seed=1).view(0), "en")
    found = [each for each in ET.fromstring(drawn).iter(f"{SVG}g") if each.get("class") == "place"]
    assert [list(place)[-1].text for place in found] == ["41", "42 · sand"]


def test_a_colour_alone_tints_points_below_the_lines(tmp_path: Path) -> None:
    file = tmp_path / "lacking.yaml"
    text = TWO_LABELS.replace("as: grid, label: [worth, ground]", "as: board, label: ground")
    text = re.sub(r"  worth:\n.*\n.*\n.*\n", "", text)
    tints = "symbols:\n  clay: {colour: brown}\n  sand: {colour: yellow}\n"
    file.write_text(text.replace("symbols:\n", tints), encoding="utf-8")
    view = lawspeaker.load(str(file)).start(seed=1).view(0)
    drawn = draw(view, "en")
    line = drawn.index("<path")
    for colour in ("brown", "yellow"):
        assert drawn.index(f'fill="{shades(colour).main}"') < line
    assert "land" not in drawn
    labels, place = Labels(view), view.layout.places_of[1][0]
    assert labels.name(place, "en") == "clay", "whoever asks what it is"
    assert labels.name(place, "en", with_tints=False) is None, "but not with every move"


def test_a_triangle_of_hexes_is_in_the_middle_of_its_ground() -> None:
    """The cells of the rhombus that are left out take no room."""
    drawn = draw(lawspeaker.load("three_sides").start(players=2, seed=1).view(0), "en")
    box = ET.fromstring(drawn).get("viewBox", "").split()
    width, height = float(box[2]), float(box[3])
    assert 0.8 < height / width < 1


FACES = """\
lawspeaker: 1
game: spice
players: {number: 2, called: [ann, ben]}
words: {gem: [ruby, pearl]}
pieces:
  card:
    has: {price: number, cost: {at each: gem, is: 0..9}}
    changes: {wear: {is: number, seen by: everyone}}
    starts in: deck
    kinds:
      tea:  {price: 3, cost: {ruby: 2, pearl: 1}}
      silk: {price: 12, cost: {ruby: 8}}
  chip: {starts in: box, has: {price: number}, kinds: {one: {price: 1}, two: {price: 2}}}
places:
  deck: {holds: card, seen by: everyone}
  box:  {holds: chip, seen by: everyone}
rules:
  game: {says: The end., rule: finish}
symbols:
  ruby: {picture: diamond, colour: red}
  pearl: {picture: orb, colour: grey}
  card:
    face:
      - {show: picture, size: full}
      - {show: name, at: top, behind: colour}
      - {icon: cost, at: left}
      - {icon: coin, times: price}
      - {write: {en: "{price | coin | coins}, worn {wear}", de: "{price} Taler"}, at: bottom right}
      - {show: text, at: bottom, behind: paper}
  tea: {picture: leaf, text: TEXT}
  chip: {shape: tile, face: [{write: "{price}", size: large}]}
"""


def _faces(tmp_path: Path, text: str = "Hot.", language: str = "en") -> list[Look]:
    file = tmp_path / "spice.yaml"
    file.write_text(FACES.replace("TEXT", text), encoding="utf-8")
    match = lawspeaker.load(str(file)).start(seed=1)
    looks = Looks(match.machine.layout, language, match.view(0).states)
    return [looks.piece(each) for each in range(4)]


def test_a_face_shows_what_a_card_has(tmp_path: Path) -> None:
    tea, silk, chip, _ = _faces(tmp_path)
    assert [tea.shape, chip.shape] == ["card", "tile"]
    assert [each.text for each in tea.face] == ["", "tea", "", "", "3 coins, worn 0", "Hot."]
    icons = [[which for which, _, n in each.pictures for _ in range(n)] for each in tea.face]
    assert icons[:4] == [["leaf"], [], ["diamond", "diamond", "orb"], ["coin"] * 3]
    assert [each.at for each in silk.face] == ["top", "left", "middle", "bottom right"]
    assert "8×" in drawn(silk, 112, 158)
    assert "12×" in drawn(silk, 112, 158)
    assert ">1</text>" in drawn(chip, 62, 62)
    assert _faces(tmp_path, language="de")[0].face[4].text == "3 Taler"


@pytest.mark.parametrize("words", [1, 12, 200])
@pytest.mark.parametrize("size", [(112.0, 158.0), (92.0, 130.0)])
def test_the_parts_of_a_face_stay_on_the_card(
    tmp_path: Path, words: int, size: tuple[float, float]
) -> None:
    tea = _faces(tmp_path, "Word " * words)[0]
    root = ET.fromstring(f"<g>{drawn(tea, *size)}</g>")

    def places(element: ET.Element, down: float) -> list[tuple[float, float]]:
        moves = re.findall(r"translate\(-?[\d.]+ (-?[\d.]+)", element.get("transform", ""))
        down += float(moves[0]) if moves else 0.0
        own = [(down + float(element.get("y", 0)), float(element.get("font-size", 0)))]
        found = own if element.tag == "text" else []
        return found + [each for inner in element for each in places(inner, down)]

    lines = places(root, 0)
    assert len(lines) > 2
    for baseline, letters in lines:
        assert letters > 4.5
        assert letters * 0.7 < baseline < size[1] - 3
    assert ("…" in "".join(root.itertext())) == (words == 200)


def test_a_picture_that_fills_a_card_covers_its_bleed_undistorted(tmp_path: Path) -> None:
    tea = _faces(tmp_path)[0]
    (use,) = re.findall(r"translate\((\S+) (\S+)\) scale\((\S+)\)", face(tea, 112, 158, 7.5))[:1]
    assert float(use[2]) * 24 >= 158 + 15
    assert face(tea, 112, 158, 7.5).count("clip-path") == 1
    assert 'x="-7.5" y="-7.5" width="127" height="173"' in face(tea, 112, 158, 7.5)
