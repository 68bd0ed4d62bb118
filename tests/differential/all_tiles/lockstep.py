"""A game with further tiles played twice in lockstep: by hand and by its rules.

Whatever the engine by hand asks, the interpreter has to be asking too: of the same seat, with the
same options in the same words and, for luck, with the same weights. A question with one option may
be left out by the interpreter, where all can see that it is forced. Before each question the two
situations are compared: table, hands, ships, pile and points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from lawspeaker.ir.types import PieceType, PlaceType
from lawspeaker.match.decision import Decision
from lawspeaker.match.match import Match
from tests.differential.all_tiles.board import text
from tests.differential.all_tiles.game import Game

Policy = Callable[[Random, Game, str, Sequence[str]], str]
"""Who plays: given the game, the question and its options, one of the options."""


class Lockstep:
    """Asked by the engine by hand, it holds the interpreter's match against it."""

    def __init__(self, match: Match, tiles: Iterable[str], policy: Policy, seed: int) -> None:
        self.match = match
        self.policy = policy
        self.random = Random(f"{seed} in step")
        self.game = Game(match.players, tiles, self)
        self.asked: Counter[str] = Counter()
        self._names = match.program.player_names[: match.players]

    def run(self) -> None:
        scores = self.game.run()
        assert self.match.decision is None
        assert self.match.finished
        assert self.match.scores == scores
        winners = [seat for seat, score in enumerate(scores) if score == max(scores)]
        assert self.match.winners == tuple(winners)

    def draw(self, clause: str, pile: Sequence[str]) -> str:
        drawn = self.random.choice(pile)
        named = {str(seat): name for seat, name in enumerate(self._names)}
        weights = Counter(named.get(each, each) for each in pile)
        if len(weights) > 1:
            decision = self._decision()
            assert decision.kind == "chance"
            assert decision.clause.id == clause
            assert {option.text: option.weight for option in decision.options} == weights
            self.match.choose(named.get(drawn, drawn))
        return drawn

    def decide(self, seat: int, clause: str, options: Sequence[str]) -> str:
        decision = self.match.decision
        if len(options) == 1 and (decision is None or not self._asks(decision, seat, clause)):
            return options[0]
        decision = self._decision()
        assert self._asks(decision, seat, clause)
        offered = {in_order(option.text): option.text for option in decision.options}
        assert len(offered) == len(decision.options), "two options say the same"
        mine, theirs = set(options), set(offered)
        assert mine == theirs, f"only by hand: {mine - theirs}; only by rules: {theirs - mine}"
        self.compare_situations()
        chosen = self.policy(self.random, self.game, clause, options)
        self.match.choose(offered[chosen])
        self.asked[f"{clause} {chosen.split()[0]}"] += 1
        return chosen

    def _asks(self, decision: Decision, seat: int, clause: str) -> bool:
        asked = decision.kind, decision.seat, decision.clause.id
        return asked == ("choice", seat, clause)

    def _decision(self) -> Decision:
        decision = self.match.decision
        assert decision is not None, "the interpreter's game is over"
        return decision

    # ------------------------------------------------------------ situations

    def compare_situations(self) -> None:
        mine, theirs = self._by_hand(), self._by_rules()
        assert mine == theirs, {
            what: (mine[what], theirs[what]) for what in mine if mine[what] != theirs[what]
        }

    def _by_hand(self) -> dict[str, Any]:
        game = self.game
        stacks = game.board.stacks.items()
        return {
            "scores": game.scores,
            "hands": [Counter(hand) for hand in game.hands],
            "pile": Counter(game.pile),
            "hels": game.hels,
            "cargo": [
                {ship: Counter(cargo) for ship, cargo in ships.items() if cargo}
                for ships in game.ships
            ],
            "decks": [
                dict(enumerate(map(Counter, filter(None, decks)), 1)) for decks in game.decks
            ],
            "table": {text(cell): [tile.kind for tile in stack] for cell, stack in stacks},
            "boosts": {text(cell): stack[-1].boosts for cell, stack in stacks},
        }

    def _by_rules(self) -> dict[str, Any]:
        layout = self.match.machine.layout
        contents = {
            layout.text(PlaceType("", layout.place_family[place]), place): held
            for place, held in self.match.state.contents.items()
        }
        table = {place: held for place, held in contents.items() if place.startswith("cell ")}
        kinds = {place: Counter(self._kinds(held)) for place, held in contents.items()}
        return {
            "scores": self.match.scores,
            "hands": [kinds.get(f"hand {name}", Counter()) for name in self._names],
            "pile": kinds.get("pile", Counter()),
            "hels": [kinds.get(f"helheim {name}", Counter()).total() for name in self._names],
            "cargo": [self._loads(f"cargo {name} ", kinds) for name in self._names],
            "decks": [self._loads(f"deck {name} ", kinds) for name in self._names],
            "table": {place: self._kinds(held) for place, held in table.items()},
            "boosts": {place: self._boosts(held[-1]) for place, held in table.items()},
        }

    def _loads(self, own: str, kinds: dict[str, Counter[str]]) -> dict[int, Counter[str]]:
        return {int(at.removeprefix(own)): kinds[at] for at in kinds if at.startswith(own)}

    def _kinds(self, pieces: Iterable[int]) -> list[str]:
        layout = self.match.machine.layout
        return [layout.text(PieceType("", layout.piece_type[piece]), piece) for piece in pieces]

    def _boosts(self, piece: int) -> int:
        layout = self.match.machine.layout
        of = layout.piece_type[piece]
        names = [state.name for state in layout.program.pieces[of].states]
        if "boosts" not in names:
            return 0
        first = layout.state_at[of][names.index("boosts")]
        boosts: int = self.match.state.states[first + piece]
        return boosts


def in_order(option: str) -> str:
    """The text of an option, its set (if it has one) in the order of the alphabet."""
    verb, _, rest = option.partition(" ")
    head, comma, tail = rest.rpartition(", ")
    return f"{verb} {head}{comma}{' + '.join(sorted(tail.split(' + ')))}".strip()
