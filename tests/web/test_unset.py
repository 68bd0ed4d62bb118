"""A marker that means nothing at the moment shows a dash, and the moment before what it meant."""

from __future__ import annotations

import re

import lawspeaker
from lawspeaker.faces.render.table_text import table_block
from lawspeaker.faces.web.scene import scene
from lawspeaker.faces.web.what_is import what_is
from lawspeaker.match.match import Match
from lawspeaker.telling.labels import Labels

NO_BID = {"bidder": "–", "bid": "–", "of face": "–"}


def bid_labels(svg: str) -> dict[str, str]:
    told = re.findall(r'aria-label="(bidder|bid|of face): ([^"]*)"', svg)
    return dict(told)


def doubted_match() -> Match:
    """A game in which a bid was made and doubted."""
    match = lawspeaker.load("liars_dice").start(3, 2)
    assert bid_labels(scene(match, 0, "en")["svg"]) == NO_BID
    match.choose("say 1, 3")
    assert bid_labels(scene(match, 0, "en")["svg"]) == {
        "bidder": "Cleo",
        "bid": "1",
        "of face": "3",
    }
    match.choose("doubt")
    return match


def test_the_bid_of_the_last_round_is_gone_when_the_next_one_begins() -> None:
    told = scene(doubted_match(), 0, "en", 1, in_stages=True)
    assert bid_labels(told["svg"]) == NO_BID
    first, *_ = told["stages"]
    assert first["sort"] == "reveal"
    assert bid_labels(first["svg"])["bid"] == "1", "it is still there when the cups are lifted"


def test_so_it_is_in_the_terminal_and_when_it_is_asked_for() -> None:
    match = doubted_match()
    view = match.view(0)
    lines = [line.plain for line in table_block(view, "en", 80).lines]
    assert any("bid –" in line and "of face –" in line for line in lines)
    found = what_is(view, Labels(view), "marker bid", "en", view.layout)
    assert found is not None
    assert not found["now"]


def test_it_keeps_its_room_until_it_means_something_again() -> None:
    """Else the table would change its size with every bid."""
    match = lawspeaker.load("liars_dice").start(5, 2)
    widths = []
    for reply in ("say 1, 3", "say 9, 3", "say 10, 6", "doubt"):
        widths.append(re.findall(r'viewBox="0 0 (\d+) \d+"', scene(match, 0, "en")["svg"])[-1])
        match.choose(reply)
    assert len(set(widths)) == 1, widths
