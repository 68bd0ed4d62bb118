"""One game of Walhalla played twice in lockstep: by hand and by the interpreter.

The engine written by hand asks a `Table` for every stroke of luck and every decision. `Lockstep` is
such a table with a match of the interpreter beside it (chance="ask"). Whatever the one engine asks,
the other has to be asking too: the same question, of the same seat, with the same options and, for
luck, the same weights. The answer goes to both. Before each decision the two situations are
compared as well: vikings, hands, piles, land, ships and points.

Options are compared in the plain form of the engine by hand: see `plain_option`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from random import Random
from typing import Any, TypeVar

from benchmarks.walhalla_by_hand import NOBODY, PLACES, Game, Laid, Lay, Terrain, Tile
from lawspeaker.ir.types import PieceType, PlaceType
from lawspeaker.match.decision import Decision, Option
from lawspeaker.match.match import Match

T = TypeVar("T")

QUESTIONS = {
    "boarding.active": "board",
    "boarding.guest": "ride",
    "sending": "send",
    "going_ashore": "land",
    "before_attack": "attack",
    "attack.defence": "defend",
    "forest_besieged": "hunt",
    "laying_cards": "end_of_raid",
}
"""What the engine by hand calls the question that a clause asks."""

POINTS = {
    "besieging.forest": "forest",
    "cards.landscape": "end_cards",
    "wheat": "wheat",
    "peninsulas": "peninsulas",
    "final_scoring.fields": "fields",
    "final_scoring.heroes": "heroes",
}
"""What the engine by hand calls the points a clause gives."""

Policy = Callable[[Random, "Lockstep", int, str, Sequence[Any]], Any]
"""Who plays: given the table, the seat, the question and its options, one of the options."""


def plain_option(question: str, text: str) -> Hashable:
    """The text of an option as the engine by hand would put it.

    board seat bow + seat stern    ("bow", "stern")
    dock fjord 2, bow_first        (2, "bow_first")
    go_ashore field 2 7            (2, 7)
    lay_down 2 forest + cape_6     (("cape_6", 1), ("forest", 2))
    ride_along, play hunt, pass    True, True, False
    shield shield                  "shield"
    """
    label, _, rest = text.partition(" ")
    members = [] if rest == "none" else rest.split(" + ")
    if question == "board":
        return tuple(member.removeprefix("seat ") for member in members)
    if question == "send":
        fjord, heading = rest.removeprefix("fjord ").split(", ")
        return int(fjord), heading
    if question == "land":
        peninsula, row = rest.removeprefix("field ").split()
        return int(peninsula), int(row)
    if question == "defend":
        return label
    if question == "end_of_raid":
        counts: dict[str, int] = {}
        for member in members:
            count, _, kind = member.rpartition(" ")
            counts[kind] = int(count or 1)
        return tuple(sorted(counts.items()))
    yes = {"ride": "ride_along", "attack": "play attack", "hunt": "play hunt"}[question]
    assert text in (yes, "pass"), text
    return text == yes


def tile_name(tile: Tile) -> str:
    """The kind of a tile as the rules call it."""
    return "_".join(_terrain_name(terrain) for terrain in tile)


def _terrain_name(terrain: Terrain) -> str:
    kind, value = terrain
    return f"{kind}_{value}" if value else kind


class Lockstep:
    """Asked by the engine by hand, it holds the interpreter's match against it."""

    def __init__(self, match: Match, policy: Policy, seed: int) -> None:
        self.match = match
        self.policy = policy
        self.random = Random(f"{seed} in step")
        self.game: Game = Game(match.players, self)
        self.asked: Counter[str] = Counter()
        self._scored: dict[str, list[int]] = {name: [0] * match.players for name in POINTS.values()}
        self._told = 0
        layout = match.machine.layout
        self._places = {
            layout.text(PlaceType("", family), place): place
            for place, family in enumerate(layout.place_family)
        }
        self._markers = {
            marker.name: at
            for marker, at in zip(layout.program.markers, layout.marker_at, strict=True)
        }
        self._names = match.program.player_names

    def run(self) -> list[int]:
        """Plays the game to its end at both; the scores of the engine by hand."""
        scores = self.game.run()
        assert self.match.decision is None
        assert self.match.finished
        return scores

    # ------------------------------------------------------------ luck

    def lay_tiles(self, tiles: Sequence[Tile]) -> Sequence[Tile]:
        order = self.random.sample(list(tiles), len(tiles))
        laid = []
        for number, tile in enumerate(order):
            self._luck("setup.tiles", tile_name(tile), map(tile_name, order[number:]))
            turned = self.random.random() < 0.5
            ends = ["first_end", "second_end"]
            self._luck("setup.tiles", ends[turned], ends)
            laid.append((tile[1], tile[0]) if turned else tile)
        return laid

    def lay_headlands(self, numbers: Sequence[int]) -> Sequence[int]:
        order = self.random.sample(list(numbers), len(numbers))
        names = [f"{'inner' if number < 6 else 'outer'}_{number}" for number in order]
        for number, name in enumerate(names):
            self._luck("setup.headlands", name, names[number:])
        return order

    def start_player(self, players: int) -> int:
        seat = self.random.randrange(players)
        self._luck("setup.starter", self._names[seat], self._names[:players])
        return seat

    def draw_card(self, seat: int, pile: Sequence[str]) -> str:
        card = self.random.choice(pile)
        dealt = not self.game.raid
        self._luck("setup.piles" if dealt else "drawing_a_card", card, pile)
        return card

    def draw_dragon(self, pile: Sequence[int]) -> int:
        dragon = self.random.choice(pile)
        self._luck("turn", self._dragon_name(dragon), map(self._dragon_name, pile))
        return dragon

    def _dragon_name(self, dragon: int) -> str:
        return f"{self._names[dragon // 3]}_{PLACES[dragon % 3]}"

    def _luck(self, clause: str, outcome: str, possible: Any) -> None:
        """A stroke of luck, which is asked only where more than one thing can happen."""
        weights = Counter(possible)
        if len(weights) == 1:
            return
        decision = self._decision()
        assert decision.kind == "chance", f"{clause}: {decision} is no luck"
        assert decision.clause.id == clause
        assert {option.text: option.weight for option in decision.options} == weights
        self.match.choose(outcome)

    # ------------------------------------------------------------ decisions

    def decide(self, seat: int, question: str, options: Sequence[T]) -> T:
        decision = self._decision()
        assert decision.kind == "choice"
        offered = self._compare(decision, seat, question, options)
        chosen: T = self._choose(seat, question, options)
        self.match.choose(offered[chosen])
        return chosen

    def decide_together(self, question: str, options: Mapping[int, Sequence[Lay]]) -> Laid:
        decisions = {decision.seat: decision for decision in self.match.decisions}
        assert set(decisions) == set(options), f"{question}: asked are {set(decisions)}"
        chosen: dict[int, Lay] = {}
        texts: dict[int, Option] = {}
        for seat, lays in options.items():
            assert decisions[seat].kind == "together"
            offered = self._compare(decisions[seat], seat, question, lays)
            chosen[seat] = self._choose(seat, question, lays)
            texts[seat] = offered[chosen[seat]]
        for seat in self.random.sample(list(texts), len(texts)):
            self.match.choose(texts[seat].text, seat)
        return chosen

    def _choose(self, seat: int, question: str, options: Sequence[Any]) -> Any:
        chosen = self.policy(self.random, self, seat, question, options)
        told = f" {chosen}" if question in ("attack", "defend", "hunt", "ride") else ""
        self.asked[f"{question}{told}"] += 1
        return chosen

    def _decision(self) -> Decision:
        decision = self.match.decision
        assert decision is not None, "the interpreter's game is over"
        return decision

    def _compare(
        self, decision: Decision, seat: int, question: str, options: Sequence[Any]
    ) -> dict[Any, Option]:
        """The interpreter's options by their plain form, once all is found equal."""
        assert QUESTIONS[decision.clause.id] == question
        assert decision.seat == seat
        plain = {plain_option(question, option.text): option for option in decision.options}
        assert len(plain) == len(decision.options), "two options say the same"
        assert set(plain) == set(options)
        assert len(set(options)) == len(options)
        self.compare_situations()
        return plain

    # ------------------------------------------------------------ situations

    def compare_situations(self) -> None:
        """All that both engines keep, and the points by where they come from."""
        mine, theirs = self._by_hand(), self._by_rules()
        assert mine == theirs, {
            what: (mine[what], theirs[what]) for what in mine if mine[what] != theirs[what]
        }
        assert self.points() == self.game.points

    def _by_hand(self) -> dict[str, Any]:
        game = self.game
        return {
            "midgard": game.midgard,
            "asgard": game.asgard,
            "walhalla": game.walhalla,
            "hands": [{kind: n for kind, n in hand.items() if n} for hand in game.hand],
            "pile": Counter(game.pile),
            "discards": Counter(game.discards),
            "fields": game.who,
            "seats": game.aboard,
            "fjords": game.docked,
            "dragons": sorted(map(self._dragon_name, game.dragons)),
            "markers": [game.raid, game.starter],
            "scores": game.scores(),
        }

    def _by_rules(self) -> dict[str, Any]:
        players = range(self.match.players)
        laid = [self._held(f"laid {self._names[seat]}") for seat in players]
        rows = range(1, 13)
        return {
            **{
                family: [len(self._held(f"{family} {self._names[seat]}")) for seat in players]
                for family in ("midgard", "asgard", "walhalla")
            },
            "hands": [dict(Counter(self._held(f"hand {self._names[seat]}"))) for seat in players],
            "pile": Counter(self._held("card_pile")),
            "discards": Counter(sum(laid, self._held("discards"))),
            "fields": [self._owner(f"field {p} {row}") for p in (1, 2, 3) for row in rows],
            "seats": [self._owner(f"seat {position}") for position in PLACES],
            "fjords": [len(self._held(f"fjord {fjord}")) for fjord in (1, 2, 3, 4)],
            "dragons": sorted(self._held("dragon_pile")),
            "markers": [
                self.match.state.markers[self._markers[name]] for name in ("raid", "starter")
            ],
            "scores": self.match.scores,
        }

    def _held(self, place: str) -> list[str]:
        """The texts of the pieces in a place."""
        layout = self.match.machine.layout
        held = self.match.state.contents.get(self._places[place], ())
        return [layout.text(PieceType("", layout.piece_type[piece]), piece) for piece in held]

    def _owner(self, place: str) -> int:
        held = self.match.state.contents.get(self._places[place], ())
        owner = self.match.machine.layout.piece_owner[held[0]] if held else None
        return NOBODY if owner is None else owner

    def points(self) -> dict[str, list[int]]:
        """The interpreter's points so far, by where they come from."""
        events = self.match.events
        for event in events[self._told :]:
            if event.kind == "score":
                clause = self.match.program.clauses[event.clause].id
                seat, gain, *_ = event.data
                self._scored[POINTS[clause]][seat] += gain
        self._told = len(events)
        return self._scored
