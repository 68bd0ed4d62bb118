"""Of a picture only that is sent which was not in the one before."""

from __future__ import annotations

import random

import lawspeaker
from lawspeaker.faces.web.drawing import draw
from lawspeaker.faces.web.drawing.blocks import CUT, Block, Fragment, Picture
from lawspeaker.faces.web.redrawing import Parts, Screen
from tests.web.conftest import House
from tests.web.visitors import everyone, put_together, set_up


def test_parts_of_the_last_picture_are_told_by_their_place() -> None:
    screen = Screen()

    def show(text: str) -> Parts:
        return screen.show(Picture([text]))

    assert show("a<g b<g c<g d") == ["a", "b", "c", "d"]
    assert show("a<g b<g x<g d") == [[0, 2], "x", [3, 4]]
    assert show("x<g d<g a<g a") == [[2, 4], [0, 1], [0, 1]]
    assert show("x<g d<g a<g a") == [[0, 4]]


def test_behind_what_is_new_a_picture_goes_on_where_the_last_one_does() -> None:
    """Though there is a part that looks the same elsewhere."""
    screen = Screen()
    screen.show(Picture(["a<g t<g b<g t<g c<g t<g d"]))
    assert screen.show(Picture(["a<g t<g x<g t<g c<g t<g d"])) == [[0, 2], "x", [3, 7]]


def test_many_parts_that_are_the_same_are_told_at_once() -> None:
    before = [str(number) for number in range(500)]
    for changed in (0, 31, 32, 33, 100, 499):
        screen = Screen()
        screen.show(Picture([CUT.join(before)]))
        now = [*before[:changed], "new", *before[changed + 1 :]]
        told: Parts = [[0, changed], "new", [changed + 1, 500]]
        shown = screen.show(Picture([CUT.join(now)]))
        assert shown == [each for each in told if each not in ([0, 0], [500, 500])]


def test_a_picture_of_blocks_is_cut_as_its_text_is() -> None:
    luck = random.Random(4)
    for _ in range(200):
        texts = [
            CUT.join(luck.choice(["", "x", "y", "zz"]) for _ in range(luck.randrange(1, 5)))
            for _ in range(luck.randrange(1, 6))
        ]
        whole = "".join(texts)
        fragments: list[Fragment] = [
            Block(text) if CUT in text and luck.random() < 0.6 else text for text in texts
        ]
        inner = luck.randrange(len(fragments))
        if not all(isinstance(each, str) for each in fragments[inner:]) and luck.random() < 0.5:
            fragments[inner:] = [Picture(fragments[inner:])]
        picture = Picture(fragments)
        assert str(picture) == whole
        parts = [picture.part(number) for number in range(len(picture.prints))]
        assert CUT.join(parts) == whole
        assert picture.prints == Picture([whole]).prints
        assert Screen().show(picture) == Screen().show(whole), "as it comes from another process"


def test_a_screen_can_put_its_pictures_together(house: House) -> None:
    """At each moment it has what one has that is sent whole pictures."""
    host = set_up(house.post, "walhalla", ("me", "me", "me"), seed=3)
    first = house.connect(host)
    watch = everyone(host, first.shown)[None]
    whole, parts = house.connect(watch), house.connect(watch, "?parts")
    shown: list[str] = []
    sent = 0
    for at in range(12):
        one, other = whole.see_at(at)["scene"], parts.see_at(at)["scene"]
        shown = put_together(other["parts"], shown)
        assert CUT.join(shown) == one["svg"]
        assert "svg" not in other
        sent += len(parts.texts[-1])
        curtain = first.shown["curtain"]
        if curtain is not None:
            first.say("face", seat=curtain)
            first.see(lambda scene: scene["ask"] is not None)
        first.reply(at % len(first.options))
    assert sent < sum(len(text) for text in whole.texts) / 3


def test_what_only_changes_places_is_not_defined_again() -> None:
    """The definitions of a picture are the same wherever on it they are used."""
    game = lawspeaker.load("tic_tac_toe")
    drawn = []
    for cells in (("cell 1 1", "cell 3 3"), ("cell 3 3", "cell 1 1")):
        match = game.start(2, seed=1)
        for cell in cells:
            match.choose(f"mark {cell}")
        drawn.append(draw(match.view(None), "en"))
    assert drawn[0] != drawn[1]
    defined = [
        text.partition('<defs aria-hidden="true">')[2].partition("</defs>") for text in drawn
    ]
    assert defined[0][0] == defined[1][0] != ""
