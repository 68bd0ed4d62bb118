"""Völuspá with any of its further tiles, written by hand a second time, for clarity alone.

The fast engine in benchmarks/ knows the base game. This one knows every kind of tile, and does
without all cleverness: it is a second opinion about what may be played and what it scores.

Whatever is left to luck or to a player is asked of a `Table`. Questions are named like the clauses
of the rules that ask them, and options are put into the words of the interpreter, so that the two
can be compared word for word.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Protocol

from tests.differential.all_tiles.board import DIRECTIONS, Board, Cell, Tile
from tests.differential.all_tiles.places import Place, has_place, places, words

COPIES = {"odin": 6, "thor": 8, "troll": 6, "dragon": 8, "fenrir": 8, "skadi": 9, "valkyrie": 9}
COPIES |= {"loki": 6}
FURTHER = {"hermod": 8, "jotunn": 6, "sea_serpent": 6, "dwarf": 6, "freya": 6, "raven": 6}
FURTHER |= {"niohoggr": 6, "lightning_bolt": 6}
HANDED_OUT = ("hel", "drakkar")
NEVER_FIRST = ("troll", "lightning_bolt")
HAND = 5
HOLD = 2


class Table(Protocol):
    """Where luck and decisions come from."""

    def draw(self, clause: str, pile: Sequence[str]) -> str:
        """One of the things in a pile."""

    def decide(self, seat: int, clause: str, options: Sequence[str]) -> str:
        """One seat's choice."""


class Game:
    """One game with some of the further tiles (`no_late_hel` may be named, too)."""

    def __init__(self, players: int, tiles: Iterable[str], table: Table) -> None:
        used = frozenset(tiles)
        seats = range(players)
        each = 2 if players == 2 else 1
        self.table = table
        self.board = Board()
        copies = COPIES | {kind: count for kind, count in FURTHER.items() if kind in used}
        self.pile = [kind for kind, count in copies.items() for _ in range(count)]
        self.hands: list[list[str]] = [[] for _ in seats]
        self.hels = [each if "hel" in used else 0 for _ in seats]
        # By number, the cargo of the Drakkars that a player has before him.
        ships = range(1, each + 1) if "drakkar" in used else ()
        self.ships: list[dict[int, list[str]]] = [{ship: [] for ship in ships} for _ in seats]
        self.scores = [0 for _ in seats]
        # What is still on the ships that have sailed, the last of them at the end.
        self.decks: list[list[list[str]]] = [[] for _ in seats]
        self.late_hel = "no_late_hel" not in used
        self.seat = 0

    def run(self) -> list[int]:
        players = len(self.scores)
        for seat in range(players):
            self.fill_up(seat, "setup")
        first = "troll"
        while first in NEVER_FIRST:
            first = self.table.draw("setup.first_tile", self.pile)
        self.pile.remove(first)
        self.board.stacks[0, 0] = [Tile(first)]
        seats = [str(seat) for seat in range(players)]
        self.seat = int(self.table.draw("setup", seats))
        while any(map(self.has_tiles, range(players))):
            if self.has_tiles(self.seat):
                self.turn(self.seat)
            self.seat = (self.seat + 1) % players
        return self.scores

    def has_tiles(self, seat: int) -> bool:
        return bool(self.hands[seat] or self.hels[seat] or self.ships[seat])

    def fill_up(self, seat: int, clause: str) -> None:
        hand = self.hands[seat]
        while len(hand) < HAND and self.pile:
            tile = self.table.draw(clause, self.pile)
            self.pile.remove(tile)
            hand.append(tile)
            if not self.pile and not self.late_hel:
                self.hels = [0 for _ in self.hels]

    # ------------------------------------------------------------ a turn

    def turn(self, seat: int) -> None:
        hand = self.hands[seat]
        if not self.play(seat, None):
            self.discard(seat)
        self.fill_up(seat, "filling_up")
        surplus = len(self.hands[seat]) - HAND
        if surplus > 0:
            sets = {f"drop {tiles_text(some)}": some for some in chosen(hand, surplus)}
            for tile in sets[self.choose(seat, "cutting_down", sets)]:
                hand.remove(tile)

    def play(self, seat: int, hermod: Cell | None) -> bool:
        """One play, after a Hermod perhaps; False if there is none."""
        hand = self.hands[seat]
        boosts = self.discard_freyas(seat, hermod)
        options = [f"play {kind}" for kind in self.playable(hand, hermod)]
        if not boosts:
            if self.hels[seat] and has_place(self.board, "hel", hermod):
                options.append("play_hel hel")
            if self.ships[seat] and has_place(self.board, "drakkar", hermod):
                options += [f"sail {ship}" for ship in self.different_ships(seat)]
            if hermod is None:
                # Loading is no playing: who can do nothing else may discard as well.
                loads = self.loads(seat)
                stuck = bool(loads) and not options
                options += [*loads, *(f"discard {kind}" for kind in sorted(set(hand)) if stuck)]
            elif options:
                options.append("stop")
        if not options:
            return False
        option = self.choose(seat, "playing" if hermod is None else "hermod.next", options)
        verb, _, what = option.partition(" ")
        if verb == "play":
            self.put(seat, what, hermod, boosts, hand)
        elif verb == "play_hel":
            self.put(seat, "hel", hermod)
        elif verb == "sail":
            self.sail(seat, int(what), hermod)
        elif verb == "load":
            self.load(seat, *self.loads(seat)[option])
        elif verb == "discard":
            hand.remove(what)
        return True

    def playable(self, tiles: list[str], hermod: Cell | None) -> list[str]:
        return [kind for kind in sorted(set(tiles)) if has_place(self.board, kind, hermod)]

    def discard(self, seat: int) -> None:
        """Nothing can be played: a tile leaves the game, from the hand if there is any."""
        if self.hands[seat]:
            tiles = self.hands[seat]
            gone = self.choose(seat, "discarding", [f"discard {kind}" for kind in tiles])
            tiles.remove(gone.removeprefix("discard "))
        elif self.hels[seat]:
            self.hels[seat] -= 1
        else:
            options = [f"scrap {ship}" for ship in self.different_ships(seat)]
            gone = self.choose(seat, "drakkar.discarding", options)
            del self.ships[seat][int(gone.removeprefix("scrap "))]

    def discard_freyas(self, seat: int, hermod: Cell | None) -> int:
        """How many Freyas are given up for the tile that is played next."""
        hand, numbers = self.hands[seat], {}
        others = hand.copy()
        for number in range(1, hand.count("freya") + 1):
            others.remove("freya")
            if self.playable(others, hermod):
                numbers[f"discard_freya {'' if number == 1 else f'{number} '}freya"] = number
        if not numbers:
            return 0
        number = numbers.get(self.choose(seat, "freya.asked", [*numbers, "pass"]), 0)
        for _ in range(number):
            hand.remove("freya")
        return number

    # ------------------------------------------------------------ Drakkars

    def loads(self, seat: int) -> dict[str, tuple[int, tuple[str, ...]]]:
        """The ship and the tiles, by what they are called together."""
        found = {}
        for ship in self.different_ships(seat):
            for size in range(1, HOLD - len(self.ships[seat][ship]) + 1):
                for some in chosen(self.hands[seat], size):
                    found[f"load {ship}, {tiles_text(some)}"] = ship, some
        return found

    def different_ships(self, seat: int) -> list[int]:
        """Of ships with the same cargo the first one."""
        first: dict[tuple[str, ...], int] = {}
        for ship, cargo in sorted(self.ships[seat].items()):
            first.setdefault(tuple(sorted(cargo)), ship)
        return list(first.values())

    def load(self, seat: int, ship: int, tiles: Iterable[str]) -> None:
        for tile in tiles:
            self.hands[seat].remove(tile)
            self.ships[seat][ship].append(tile)

    def sail(self, seat: int, ship: int, hermod: Cell | None) -> None:
        cargo = self.ships[seat].pop(ship)
        self.decks[seat].append(cargo)
        self.put(seat, "drakkar", hermod)
        while playable := self.playable(cargo, None):
            options = [f"unload {kind}" for kind in playable]
            tile = self.choose(seat, "drakkar.next", options).partition(" ")[2]
            self.put(seat, tile, None, hand=cargo)
        self.decks[seat].pop()

    # ------------------------------------------------------------ putting a tile

    def put(
        self,
        seat: int,
        kind: str,
        hermod: Cell | None,
        boosts: int = 0,
        hand: list[str] | None = None,
    ) -> None:
        """Places a tile (out of `hand`, or of a ship), scores it, and does what follows."""
        place = self.choose_place(seat, places(self.board, kind, hermod))
        if hand is not None:
            hand.remove(kind)
        elif kind == "hel":
            self.hels[seat] -= 1
        tile = Tile(kind, boosts)
        self.score(seat, tile, place)
        if kind == "raven":
            self.fly_on(seat, tile, place[1])
        elif kind == "hermod" and not self.play(seat, place[1]) and self.hands[seat]:
            self.discard(seat)

    def fly_on(self, seat: int, raven: Tile, first: Cell) -> None:
        below = self.board.stacks[first][:-1]
        everything = self.board.stacks
        self.board.stacks = {cell: stack for cell, stack in everything.items() if cell != first}
        if below:
            self.board.stacks[first] = below
        found = list(places(self.board, "raven", left=first))
        if found and self.choose(seat, "raven.flight", ["fly_on", "pass"]) == "fly_on":
            self.score(seat, raven, self.choose_place(seat, found))
        else:
            self.board.stacks = everything

    def score(self, seat: int, tile: Tile, place: Place) -> None:
        """Puts a tile down, and gives the points for it."""
        board, (how, cell, _) = self.board, place
        covered = ""
        if how == "lay":
            board.stacks[cell] = [tile]
        elif how == "cover":
            covered = board.kind(cell)
            board.stacks[cell][-1].boosts = 0
            board.stacks[cell] = [*board.stacks[cell], tile]
        elif how == "swap":
            self.take(seat, board.stacks[cell][-1])
            board.stacks[cell] = [tile]
        else:
            self.push(cell, place[2], tile)
        self.scores[seat] += self.points(seat, cell, how, covered)

    def take(self, seat: int, tile: Tile) -> None:
        self.hands[seat] += ["freya"] * tile.boosts
        if tile.kind == "drakkar":
            ships = self.ships[seat]
            ships[min(set(range(1, len(ships) + 2)) - set(ships))] = []
        else:
            self.hands[seat].append(tile.kind)

    def push(self, cell: Cell, direction: str, jotunn: Tile) -> None:
        x, y = DIRECTIONS[direction]
        end = [cell, *self.board.run(cell, x, y)][-1]
        self.board.stacks[end[0] + x, end[1] + y] = self.board.stacks[cell]
        self.board.stacks[cell] = [jotunn]

    def points(self, seat: int, cell: Cell, how: str, covered: str) -> int:
        board = self.board
        match board.kind(cell):
            case "drakkar":
                return 0
            case "hel":
                return board.of_hel(cell, covered)
            case "dwarf":
                return board.of_dwarf(cell)
            case "sea_serpent":
                return self.one_of(seat, "serpent.scoring", "score_line", board.of_serpent(cell))
            case "lightning_bolt":
                points = board.of_bolt(cell, covered)
                return self.one_of(seat, "bolt.scoring", "strike", points)
        started = board.of_new_line(cell) if how == "lay" else 0
        return started or board.of_lines(cell, covered)

    def one_of(self, seat: int, clause: str, verb: str, points: dict[str, int]) -> int:
        if not points:
            return 0
        option = self.choose(seat, clause, [f"{verb} {axis}" for axis in points])
        return points[option.removeprefix(f"{verb} ")]

    # ------------------------------------------------------------ asking

    def choose_place(self, seat: int, found: Iterable[Place]) -> Place:
        options = {words(place): place for place in found}
        return options[self.choose(seat, "placing", list(options))]

    def choose(self, seat: int, clause: str, options: Iterable[str]) -> str:
        return self.table.decide(seat, clause, sorted(set(options)))


def chosen(tiles: Iterable[str], size: int) -> list[tuple[str, ...]]:
    """Every choice of so many tiles, those of a kind being alike."""
    return sorted(set(combinations(sorted(tiles), size)))


def tiles_text(tiles: Sequence[str]) -> str:
    """Tiles in words: odin + 2 thor."""
    counts = Counter(tiles)
    return " + ".join(sorted(f"{n} {kind}" if n > 1 else kind for kind, n in counts.items()))
