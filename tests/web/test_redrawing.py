"""Of a picture only that is sent which was not in the one before."""

from __future__ import annotations

from lawspeaker.faces.web.redrawing import CUT, Screen
from tests.web.conftest import House
from tests.web.visitors import everyone, put_together, set_up


def test_parts_of_the_last_picture_are_told_by_their_place() -> None:
    screen = Screen()
    assert screen.show("a<g b<g c<g d") == ["a", "b", "c", "d"]
    assert screen.show("a<g b<g x<g d") == [[0, 2], "x", [3, 4]]
    assert screen.show("x<g d<g a<g a") == [[2, 4], [0, 1], [0, 1]]
    assert screen.show("x<g d<g a<g a") == [[0, 4]]


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
