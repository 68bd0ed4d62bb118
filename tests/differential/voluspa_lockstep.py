"""One game of Völuspá played twice in lockstep: by hand and by the interpreter.

As `walhalla_lockstep` does: whatever the engine by hand asks, the interpreter has to be asking
too, of the same seat, with the same options and, for luck, the same weights; the answer goes to
both. Before each question the two situations are compared: table, hands, pile and points.

The engine by hand calls a tile by its value and a cell by its number. `text_of` puts an option as
the interpreter does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from random import Random
from typing import Any

from benchmarks.voluspa_by_hand import DRAGON, NAMES, Game, position
from lawspeaker.ir.types import PieceType, PlaceType
from lawspeaker.match.decision import Decision
from lawspeaker.match.match import Match

CLAUSES = {"play": "playing", "place": "placing", "discard": "discarding"}
"""The clause that asks what the engine by hand calls so."""

Policy = Callable[[Random, "Lockstep", str, Sequence[int]], int]
"""Who plays: given the table, the question and its options, one of the options."""


class Lockstep:
    """Asked by the engine by hand, it holds the interpreter's match against it."""

    def __init__(self, match: Match, policy: Policy, seed: int) -> None:
        self.match = match
        self.policy = policy
        self.random = Random(f"{seed} in step")
        self.game = Game(match.players, self)
        self.asked: Counter[str] = Counter()
        self.tile = 0
        self._names = match.program.player_names[: match.players]

    def run(self) -> list[int]:
        """Plays the game to its end at both; the scores of the engine by hand."""
        scores = self.game.run()
        assert self.match.decision is None
        assert self.match.finished
        self.compare_situations()
        return scores

    # ------------------------------------------------------------ luck

    def draw_tile(self, seat: int, pile: Sequence[int]) -> int:
        dealt = not self.game.taken
        return self._draw("setup" if dealt else "filling_up", pile)

    def first_tile(self, pile: Sequence[int]) -> int:
        return self._draw("setup.first_tile", pile)

    def _draw(self, clause: str, pile: Sequence[int]) -> int:
        tile = self.random.choice(pile)
        self._luck(clause, NAMES[tile], map(NAMES.__getitem__, pile))
        return tile

    def start_player(self, players: int) -> int:
        seat = self.random.randrange(players)
        self._luck("setup", self._names[seat], self._names)
        return seat

    def _luck(self, clause: str, outcome: str, possible: Iterable[str]) -> None:
        """A stroke of luck, which is asked only where more than one thing can happen."""
        weights = Counter(possible)
        if len(weights) == 1:
            return
        decision = self._decision()
        assert decision.kind == "chance"
        assert decision.clause.id == clause
        assert {option.text: option.weight for option in decision.options} == weights
        self.match.choose(outcome)

    # ------------------------------------------------------------ decisions

    def decide(self, seat: int, question: str, options: Sequence[int]) -> int:
        decision = self._decision()
        assert decision.kind == "choice"
        assert decision.clause.id == CLAUSES[question]
        assert decision.seat == seat
        offered = [option.text for option in decision.options]
        texts = {option: self.text_of(question, option) for option in options}
        assert sorted(offered) == sorted(texts.values())
        assert len(texts) == len(options)
        self.compare_situations()
        chosen = self.policy(self.random, self, question, options)
        self.match.choose(texts[chosen])
        if question == "play":
            self.tile = chosen
        self.asked[texts[chosen].split(" cell")[0]] += 1
        return chosen

    def text_of(self, question: str, option: int) -> str:
        """An option as the interpreter puts it: play odin, lay cell 2 -1, cover cell 0 0 …"""
        if question != "place":
            return f"{question} {NAMES[option]}"
        on_top = "cover" if self.tile == DRAGON else "swap"
        x, y = position(option)
        return f"{on_top if self.game.board[option] else 'lay'} cell {x} {y}"

    def _decision(self) -> Decision:
        decision = self.match.decision
        assert decision is not None, "the interpreter's game is over"
        return decision

    # ------------------------------------------------------------ situations

    def compare_situations(self) -> None:
        """All that both engines keep."""
        mine, theirs = self._by_hand(), self._by_rules()
        assert mine == theirs, {
            what: (mine[what], theirs[what]) for what in mine if mine[what] != theirs[what]
        }

    def _by_hand(self) -> dict[str, Any]:
        game = self.game
        return {
            "hands": [Counter(NAMES[tile] for tile in hand) for hand in game.hands],
            "pile": Counter(NAMES[tile] for tile in game.pile),
            "table": {
                "cell {} {}".format(*position(cell)): NAMES[game.board[cell]] for cell in game.taken
            },
            "scores": game.scores,
        }

    def _by_rules(self) -> dict[str, Any]:
        layout = self.match.machine.layout
        held = {
            layout.text(PlaceType("", layout.place_family[place]), place): self._texts(pieces)
            for place, pieces in self.match.state.contents.items()
        }
        return {
            "hands": [Counter(held.get(f"hand {name}", ())) for name in self._names],
            "pile": Counter(held.get("pile", ())),
            "table": {name: tiles[-1] for name, tiles in held.items() if name.startswith("cell ")},
            "scores": self.match.scores,
        }

    def _texts(self, pieces: Iterable[int]) -> list[str]:
        layout = self.match.machine.layout
        return [layout.text(PieceType("", layout.piece_type[piece]), piece) for piece in pieces]
