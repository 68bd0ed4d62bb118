"""Every recipe is a game that is sound and plays to its end, at every number of players."""

from __future__ import annotations

import random
import re
from textwrap import dedent

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.match.game import Game
from lawspeaker.outside.loading import schema
from lawspeaker.study.scenario import read, run
from tests.docs.claims import check_end, check_first_question, play
from tests.docs.examples import Example, complaints_text, good_examples
from tests.repo.checkout import ROOT
from tests.tiers import sample

PAGE = ROOT / "docs" / "recipes.md"
SEEDS = range(3)


@pytest.mark.parametrize("example", sample(good_examples(PAGE), test=3), ids=str)
def test_a_recipe(example: Example) -> None:
    program, diagnostics = example.program()
    assert complaints_text(diagnostics) == ""
    assert program is not None
    game = Game(program, program.name)
    for players in game.players:
        for seed in SEEDS:
            match = game.start(players, seed)
            check_first_question(match, example)
            play(match, random.Random(seed))
            check_end(match, example)


SITUATIONS = {
    "A draw by repetition, or without progress": """
        steps:
          - answer: step plot 1 1, plot 1 2
          - answer: step plot 2 1, plot 2 2
          - answer: step plot 1 2, plot 1 1
          - answer: step plot 2 2, plot 2 1
          - answer: step plot 1 1, plot 1 2
          - answer: step plot 2 1, plot 2 2
          - answer: step plot 1 2, plot 1 1
          - answer: step plot 2 2, plot 2 1
        winners: []
        """,
    "Tricks and following suit": """
        situation:
          hand ann: [red_two]
          hand ben: [red_one, blue_three]
          leader: ann
          trumps: blue
        do: trick
        steps:
          - asks: {ann: playing}
            answer: play red_two
          - asks: {ben: playing}
            refuses: {play blue_three: follows}
            answer: play red_one
        then: {leader: ann, scores: {ann: 1}}
        """,
    "Tricks and following suit, with a trump": """
        situation:
          hand ann: [red_two]
          hand ben: [blue_one, yellow_three]
          leader: ann
          trumps: blue
        do: trick
        steps:
          - asks: {ann: playing}
            answer: play red_two
          - asks: {ben: playing}
            offers: [play yellow_three, play blue_one]
            answer: play blue_one
        then: {leader: ben, scores: {ben: 1}}
        """,
    "Comparing hands in secret": """
        situation:
          hand ann: [red_one]
          hand ben: [red_two]
        do: comparing(ann, ben)
        told: {ann: [red_two, false, ann], ben: [red_one, false, ann], spectator: [false, ann]}
        seen: {ann: {hand ben: red_two}, spectator: {hand ben: card}}
        then: {hand ann: empty, discards: red_one}
        """,
    "Placing workers": """
        situation:
          spot mine: pawn ann
          spot tavern: pawn ben
          leader: ann
        do: round
        steps:
          - asks: {ann: placing}
            refuses: {place spot mine: is_free}
            answer: place spot forest
          - asks: {ben: placing}
            answer: place spot mill
        then: {purse ann: 4 coins, purse ben: 2 coins, leader: ben, spot mine: empty}
        """,
    "A board of hexes": """
        situation:
          cell 1 2: pawn ann
          cell 2 1: pawn ann
          cell 4 1: pawn ann
        do: laying(ann)
        steps:
          - asks: {ann: laying}
            refuses: {lay cell 2 1: is_free}
            answer: lay cell 3 1
        winners: [ann]
        """,
    "A map of towns and roads": """
        situation:
          station york: pawn ann
          station hull: pawn ben
        do: travelling(ann)
        steps:
          - asks: {ann: travelling}
            offers:
              - go_to station leeds
              - go_to station hull
              - go_to station lincoln
              - go_to station derby
              - pass
            refuses: {go_to station york: on_the_way}
            answer: go_to station derby
        then: {station derby: pawn ann, station york: empty, scores: {ann: 1}}
        """,
    "Sowing": """
        situation:
          bowl 7: 3 coins
          bowl 2: coin
        do: sowing(ann)
        steps:
          - asks: {ann: sowing}
            offers: [sow bowl 2, sow bowl 7, pass]
            answer: sow bowl 7
        then: {bowl 7: empty, bowl 8: coin, bowl 1: coin, bowl 2: empty, purse ann: 2 coins}
        """,
    "A deck-building turn": """
        situation:
          hand ann: [yellow_three, yellow_two, red_one, red_two, blue_one]
          active: ann
        do: turn
        steps:
          - asks: {ann: deed}
            offers: [play yellow_two, play yellow_three, pass]
            answer: play yellow_three
          - asks: {ann: deed.twice}
            refuses: {double yellow_three: not there}
            answer: double yellow_two
        then: {purse ann: 5 coins, hand ann: blue_one, discards: 4 cards}
        """,
    "Paying for something": """
        situation:
          hand ann: [red_one, red_two, red_three, blue_three]
        do: paying(ann)
        steps:
          - asks: {ann: paying}
            offers:
              - "pay_with red, red_one + red_three"
              - "pay_with red, red_two + red_three"
              - pass
            refuses:
              "pay_with red, red_three + blue_three": one_colour
              "pay_with red, red_one + red_two": enough
              "pay_with red, red_one + red_two + red_three": no_change
            answer: pass
        """,
    "Looking at a hand": """
        situation:
          hand ann: [blue_one]
          hand ben: [red_one, red_two]
        do: spying(ann)
        steps:
          - seen: {ann: {hand ben: [red_one, red_two]}}
          - asks: {ann: spying}
            answer: take red_one
            told: {ann: [], ben: []}
        told: {ann: [red_one, red_two], ben: []}
        seen:
          ann: {hand ben: red_two}
          ben: {hand ann: 2 cards}
          spectator: {hand: 2 cards, hand ben: card}
        """,
    "Cards that all see but you": """
        situation:
          fan ann: [red_lamp, blue_lamp]
          fan ben: [red_lamp, yellow_lamp]
          active: ann
          known: {ann: {fan ann: blue_lamp}}
        do: turn
        steps:
          - asks: {ann: turn}
            offers: ["hint ben, red", "hint ben, yellow", light 1, light 2]
            refuses: {"hint ann, blue": for_another, "hint ben, blue": true_hint}
            seen: {ann: {fan ann: [lamp, blue_lamp], fan ben: [red_lamp, yellow_lamp]}}
            answer: hint ben, red
        told: {ben: [true, false], spectator: [true, false]}
        then: {fan ben: [red_lamp with told red, yellow_lamp]}
        seen: {spectator: {fan: 2 lamps}}
        """,
    "Claim, challenge and block": """
        situation:
          hand ann: [blue_one]
          hand ben: [red_one]
          purse ann: 1 coin
          purse ben: 2 coins
        do: theft(ann)
        steps:
          - asks: {ben: challenge}
            answer: pass
          - asks: {ben: block}
            answer: block
          - asks: {ann: challenge}
            answer: doubt
            outcomes: {challenge: true}
        outcomes: {challenge: [false, true], block: false}
        then: {purse ann: 2 coins, purse ben: empty}
        """,
    "A sealed auction": """
        situation:
          purse ann: 4 coins
          purse ben: 4 coins
          bid ann: 3
          bid ben: 3
        do: sale(5)
        then: {purse ann: 4 coins, scores: {ann: 0, ben: 0}}
        """,
    "Jumping over a piece": """
        situation:
          square 1 1: pawn ann
          square 2 1: pawn ben
          square 1 2: pawn ann
        do: jumping(ann)
        steps:
          - asks: {ann: jumping}
            offers: ["jump square 1 1, east", pass]
            refuses:
              "jump square 1 1, south": over_another
              "jump square 1 1, west": over_another
              "jump square 2 1, west": yours
            answer: "jump square 1 1, east"
        then: {square 3 1: pawn ann, square 2 1: empty, stock ben: 6 pawns, scores: {ann: 1}}
        """,
    "Lines and runs": """
        situation:
          cell 1 1: pawn ann
          cell 3 3: pawn ann
          cell 2 1: pawn ben
        do: laying(ann)
        steps:
          - asks: {ann: laying}
            values:
              length(cell 2 2, south_east, ann): 3
              length(cell 2 2, north_west, ann): 3
              length(cell 2 2, south, ann): 1
            answer: lay cell 2 2
        winners: [ann]
        """,
    "Area majority with ties": """
        situation:
          region red: [2 pawn ann, 2 pawn ben]
        do: majority(region red)
        points: {ann: {majority: 5}, ben: {majority: 5}}
        """,
    "Teams": """
        situation:
          scores: {red: 6, ben: 5}
        do: closing
        winners: [red]
        """,
    "The fewest points win": """
        situation:
          scores: {ann: 2, ben: 5}
        do: closing
        winners: [ann]
        """,
    "Tie-breaks": """
        situation:
          scores: {ann: 4, ben: 4}
          purse ann: 2 coins
          purse ben: 3 coins
        do: winning
        winners: [ben]
        """,
    "Counting what a hand makes, with sums": """
        situation: {laid ann: [red_two, red_three, red_one, yellow_two, blue_one]}
        do: sums(ann)
        then: {scores: {ann: 12}}
        """,
    "Counting what a hand makes, with a run": """
        situation: {laid ann: [red_two, red_three, red_one, yellow_two, blue_one]}
        do: longest_run(ann)
        then: {scores: {ann: 3}}
        """,
    "A track with laps": """
        situation:
          at_step ann: 11
          track 11: pawn ann
        do: advance(ann, 3)
        then: {at_step ann: 2, track 2: pawn ann, track 11: empty, scores: {ann: 1}}
        """,
}


def headings() -> dict[str, Example]:
    """The recipes by their headings."""
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    found: dict[str, Example] = {}
    for example in good_examples(PAGE):
        above = (line for line in reversed(lines[: example.block.line]) if line.startswith("### "))
        found[next(above).removeprefix("### ")] = example
    return found


@pytest.mark.parametrize("heading", SITUATIONS)
def test_a_recipe_does_what_it_says(heading: str) -> None:
    program, _ = headings()[heading.partition(", with ")[0]].program()
    assert program is not None
    head = f"scenario: {heading}\ngame: table\nplayers: {program.fewest}\n"
    text = head + dedent(SITUATIONS[heading])
    diagnostics = Diagnostics()
    scenario = read(SourceFile("situation.yaml", text), schema("scenario"), diagnostics)
    assert scenario is not None, "\n".join(map(str, diagnostics))
    outcome = run(scenario, program, name="table")
    assert outcome.passed, "\n".join(map(str, outcome.diagnostics))


def test_every_recipe_has_two_sentences_and_a_link_to_the_language() -> None:
    recipes = re.split(r"^### ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    assert len(recipes) > 25
    for recipe in recipes:
        heading, _, text = recipe.partition("\n")
        prose = text.split("```")[0].strip()
        assert re.search(r"→ \[[^\]]+\]\(language/[\w-]+\.md(#[^)]+)?\)$", prose), heading
        assert re.search("```yaml\n(# part of: |lawspeaker: 1\n)", text), heading
