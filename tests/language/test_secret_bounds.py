"""How far the checker follows whose a place is; beyond that it takes it for somebody else's."""

from __future__ import annotations

from textwrap import indent

import pytest

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.meaning.compile import compile_game
from lawspeaker.meaning.secrets import sources, state
from lawspeaker.outside.loading import schema

GAME = """\
lawspeaker: 1
game: bounds
players: {{from: 2, to: 2}}
pieces:
  card: {{has: {{value: number}}, starts in: deck, kinds: {{low: {{count: 9, value: 1}}}}}}
places:
  deck: {{holds: card, arranged: pile}}
  rack: {{of each: player, at: 1..60, holds: card, arranged: row, seen by: owner}}
numbers: {{column: 1..7}}
rules:
  game:
    says: Everyone is asked.
    rule: |
      for each player: do asking(player)
  asking:
    says: The columns depend on what lies in a rack.
    asks: Which column?
    guards: {{enough: Not less.}}
    given: {{player: player}}
    rule: |
      {who} may choose column
        where enough: column >= total(player)
  total:
    says: What lies there.
    define: total(player)
    as: {total}
"""


def codes(who: str, total: str) -> list[str]:
    diagnostics = Diagnostics()
    file = SourceFile("bounds.yaml", GAME.format(who=who, total=total))
    compile_game(file, lambda name, span: None, schema("game"), diagnostics)
    return [each.code for each in diagnostics]


@pytest.mark.parametrize("places, expected", [(49, []), (50, ["hidden-from-chooser"])])
def test_a_value_looks_into_so_many_places(places: int, expected: list[str]) -> None:
    """The player is one more that it depends on."""
    seats = range(1, places + 1)
    total = " + ".join(f"value of item of rack(player, {seat}) at 1" for seat in seats)
    assert codes("player", total) == expected


@pytest.mark.parametrize("neighbours, expected", [(9, []), (10, ["hidden-from-chooser"])])
def test_a_place_is_told_in_so_many_words(neighbours: int, expected: list[str]) -> None:
    """The place, its number and the player are three words; each neighbour is one more."""
    who = "left_neighbour of " * neighbours + "player"
    assert codes(who, f"value of item of rack({who}, 1) at 1") == expected


CLAUSES = """\
lawspeaker: 1
game: bounds
players: {from: 2, to: 2, called: [ann, ben]}
pieces:
  card: {has: {value: number}, starts in: deck, kinds: {low: {count: 9, value: 1}}}
places:
  deck: {holds: card, arranged: pile}
  hand: {of each: player, holds: card, seen by: owner}
markers:
  plan: {of each: player, shows: number, seen by: owner}
  fate: {shows: number, seen by: nobody}
rules:
  game:
    says: So it is.
    rule: |
"""
WORTH = """\
  worth:
    says: A hand is worth its cards.
    define: worth of player
    as: sum of value of card for each card in hand of player
"""
ASKING = """\
  scoring:
    says: Many are asked, then it is scored.
    given: {{number: number}}
    rule: |
      do asking_many
      ann scores number
  asking_many:
    says: Many are asked.
    rule: |
{asking}
  asking:
    says: Somebody is asked.
    asks: Do you?
    given: {{player: player}}
    rule: player may dance
"""


def of_clauses(rule: list[str], more: str = "") -> list[str]:
    diagnostics = Diagnostics()
    lines = "".join(f"      {line}\n" for line in rule)
    file = SourceFile("bounds.yaml", f"{CLAUSES}{lines}{WORTH}{more}")
    compile_game(file, lambda name, span: None, schema("game"), diagnostics)
    assert all(each.hint for each in diagnostics)
    return [each.code for each in diagnostics]


@pytest.mark.parametrize("names, expected", [(19, []), (20, ["too-large"])])
def test_a_loop_carries_on_through_so_many_names(names: int, expected: list[str]) -> None:
    """Each round carries what is hidden one name further, and the last brings nothing new."""
    rule = [f"let name{at} be 0" for at in range(names)]
    rule.append("repeat 5 times:")
    rule.extend(f"  name{at} becomes name{at - 1}" for at in range(names - 1, 0, -1))
    rule += ["  name0 becomes worth of ann", f"fate becomes name{names - 1}"]
    assert of_clauses(rule) == expected


@pytest.mark.parametrize("asked, expected", [(10, []), (11, ["secret-kept"])])
def test_it_is_known_who_is_asked_of_so_many(asked: int, expected: list[str]) -> None:
    """Of more it is taken that anybody may be, who was not told."""
    who = ["left_neighbour of " * at + "ann" for at in range(asked)]
    rule = ["let number be worth of ann", *(f"tell {one} number" for one in who)]
    asking = "\n".join(f"      do asking({one})" for one in who)
    assert of_clauses([*rule, "do scoring(number)"], ASKING.format(asking=asking)) == expected


@pytest.mark.parametrize("ways, expected", [(199, []), (200, ["too-large"])])
def test_what_is_given_is_shown_in_so_many_ways(ways: int, expected: list[str]) -> None:
    """Each plan shows its number, and all of them that they are set."""
    given = ", ".join(f"number{at}: number" for at in range(ways))
    lines = "".join(f"      plan of ann becomes number{at}\n" for at in range(ways))
    more = f"  planning:\n    says: Many are given.\n    given: {{{given}}}\n    rule: |\n{lines}"
    rule = [f"do planning({', '.join('1' for _ in range(ways))})", "fate becomes worth of ann"]
    assert of_clauses(rule, more) == expected


SUPPOSED = """\
  planning:
    says: Much is planned.
    rule: |
"""


@pytest.mark.parametrize("names, expected", [(49, []), (50, ["tells-a-secret"])])
def test_a_clause_that_is_supposed_looks_at_so_much(names: int, expected: list[str]) -> None:
    """The hand is one more, and by each name it is another."""
    lines = (
        f"      let number{at} be worth of ann\n      plan of ann becomes number{at}\n"
        for at in range(names)
    )
    supposed = "plan of ann becomes if supposing planning, plan of ann = 3 then 1 else 2"
    assert of_clauses(["do planning", supposed], SUPPOSED + "".join(lines)) == expected


PLAYED = """\
lawspeaker: 1
game: bounds
players: {{from: 2, to: 2}}
pieces:
  card: {{starts in: deck, played from: hand, played to: pile, kinds: {{{kinds}}}}}
places:
  deck: {{holds: card, arranged: pile}}
  hand: {{of each: player, holds: card, seen by: owner}}
  pile: {{holds: card, seen by: everyone}}
windows:
  moment: {{says: Cards are played., asks: Which card?}}
rules:
  game:
    says: Everyone may play cards.
    rule: |
      for each player:
{offers}
{cards}
"""


@pytest.mark.full
def test_what_is_gone_is_known_once_however_often_cards_are_offered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    often = [0]

    def counted(label: sources.Label, change: sources.Mutation) -> sources.Label:
        often[0] += 1
        return sources.forgotten(label, change)

    monkeypatch.setattr(state, "forgotten", counted)

    def work(offers: int) -> int:
        kinds = range(10)
        card = "  card.k{0}: {{says: A card., plays: k{0}, when: moment, rule: player scores 1}}"
        text = PLAYED.format(
            kinds=", ".join(f"k{kind}: 2" for kind in kinds),
            offers=indent("offer moment to player\n" * offers, " " * 8),
            cards="\n".join(map(card.format, kinds)),
        )
        diagnostics, often[0] = Diagnostics(), 0
        file = SourceFile("bounds.yaml", text)
        compile_game(file, lambda name, span: None, schema("game"), diagnostics)
        assert not list(diagnostics)
        return often[0]

    assert 0 < work(20) <= 10 * work(2)
