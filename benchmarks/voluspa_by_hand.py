"""Völuspá (the base game, two to five players), written by hand.

This engine knows nothing of the rules language. It is the yardstick for speed, and a second
opinion about which plays are legal and what they score.

`Game` never draws a tile or makes a choice itself: whatever is left to luck or to a player it asks
of a `Table`, and goes on with the answer. `RandomTable` answers everything at random, and
`play(players, seed)` is a game at such a table. A caller who wants to drive a game step by step
brings a table of his own; while it is being asked it may read the game's attributes, which are
always up to date.

Questions and options are plain numbers:

    "play"     a tile out of the hand
    "place"    a cell: an empty one to lay the tile there, or a taken one to put it on top
               (a Dragon covers what lies there, a Skadi takes it)
    "discard"  a tile out of the hand, asked of a player who can play none

A tile is its value, since no two kinds share one. A cell is an index into a flat board: the one at
`cell(x, y)` lies so far to the right of the first tile and so far below it, and an empty one holds
0. Seats count from 0, clockwise. Tiles of a kind in one hand are one option, and a place is asked
for only where there is more than one.

Two facts make the game quick. Cells never become empty again, so a cell at which a line would grow
too long is closed for good, and only the four cells at the ends of the new tile's lines have to
be looked at. And what a Dragon covers never comes back, so it is forgotten.
"""

from collections.abc import Sequence
from random import Random
from typing import Protocol

from benchmarks.speed import print_speed

ODIN, THOR, TROLL, DRAGON, FENRIR, SKADI, VALKYRIE, LOKI = range(8, 0, -1)
EMPTY = 0
COPIES = {ODIN: 6, THOR: 8, TROLL: 6, DRAGON: 8, FENRIR: 8, SKADI: 9, VALKYRIE: 9, LOKI: 6}
PILE = tuple(tile for tile, copies in COPIES.items() for _ in range(copies))
NAMES = dict(zip(COPIES, "odin thor troll dragon fenrir skadi valkyrie loki".split(), strict=True))

HAND = 5
LONGEST = 7
PLAYERS = range(2, 6)

# Sixty tiles reach no farther than 59 cells from the first, so no line meets the edge.
WIDTH = 128
MIDDLE = 64 * WIDTH + 64
RIGHT, DOWN = 1, WIDTH
SIDES = (-RIGHT, RIGHT, -DOWN, DOWN)


def cell(x: int, y: int) -> int:
    """The cell so far to the right of the first tile and so far below it."""
    return MIDDLE + x * RIGHT + y * DOWN


def position(of: int) -> tuple[int, int]:
    """How far a cell is to the right of the first tile, and how far below it."""
    y, x = divmod(of, WIDTH)
    return x - WIDTH // 2, y - WIDTH // 2


class Table(Protocol):
    """Where luck and decisions come from. Answers are trusted to be among what is offered."""

    def draw_tile(self, seat: int, pile: Sequence[int]) -> int:
        """The tile this seat draws. The pile names each tile in it, in no order."""

    def first_tile(self, pile: Sequence[int]) -> int:
        """The tile turned up in the middle; asked again when it is a Troll."""

    def start_player(self, players: int) -> int:
        """The seat that begins."""

    def decide(self, seat: int, question: str, options: Sequence[int]) -> int:
        """One seat's choice."""


class RandomTable:
    """Fair luck, and players who take any option with the same chance."""

    __slots__ = ("random",)

    def __init__(self, seed: int) -> None:
        self.random = Random(seed).random

    def draw_tile(self, seat: int, pile: Sequence[int]) -> int:
        return pile[int(self.random() * len(pile))]

    def first_tile(self, pile: Sequence[int]) -> int:
        return pile[int(self.random() * len(pile))]

    def start_player(self, players: int) -> int:
        return int(self.random() * players)

    def decide(self, seat: int, question: str, options: Sequence[int]) -> int:
        return options[int(self.random() * len(options))]


class Game:
    """One game: `Game(players, table).run()` plays it to the end and returns the scores.

    Attributes a table may read: by seat `hands` and `scores`; by cell the `board`; the `taken`
    cells; the `pile`; and `seat`, whose turn it is.
    """

    def __init__(self, players: int, table: Table) -> None:
        self.table = table
        self.decide = table.decide
        self.players = players
        self.hands: list[list[int]] = [[] for _ in range(players)]
        self.scores = [0] * players
        self.pile = list(PILE)
        self.seat = 0
        self.board = [EMPTY] * (WIDTH * WIDTH)
        self.taken: list[int] = []
        # How many Trolls and how many Lokis lie beside a cell.
        self.trolls = [0] * (WIDTH * WIDTH)
        self.lokis = [0] * (WIDTH * WIDTH)
        # The cells that a tile may be laid on, as keys: for all tiles, and for Trolls alone; and
        # those beside a tile where a line would be too long.
        self.open: dict[int, None] = {}
        self.beside_trolls: dict[int, None] = {}
        self.closed: set[int] = set()

    def run(self) -> list[int]:
        """Set up, and play until nobody has a tile left."""
        for seat in range(self.players):
            self._fill_up(seat)
        self._turn_up()
        self.seat = self.table.start_player(self.players)
        hands = self.hands
        while any(hands):
            if hands[self.seat]:
                self._take_turn(self.seat)
            self.seat = (self.seat + 1) % self.players
        return self.scores

    def _fill_up(self, seat: int) -> None:
        hand, pile = self.hands[seat], self.pile
        while len(hand) < HAND and pile:
            tile = self.table.draw_tile(seat, pile)
            pile.remove(tile)
            hand.append(tile)

    def _turn_up(self) -> None:
        tile = TROLL
        while tile == TROLL:
            tile = self.table.first_tile(self.pile)
        self.pile.remove(tile)
        self._put(MIDDLE, tile)
        self._open_and_close(MIDDLE, *self._lines(MIDDLE))

    def _take_turn(self, seat: int) -> None:
        hand = self.hands[seat]
        kinds = sorted(set(hand))
        # While any cell is open to all, every tile can be laid.
        playable = kinds if self.open else [tile for tile in kinds if self.places(tile)]
        if playable:
            tile = self.decide(seat, "play", playable)
            places = self.places(tile)
            place = self.decide(seat, "place", places) if len(places) > 1 else places[0]
            hand.remove(tile)
            self._play(seat, tile, place)
        else:
            hand.remove(self.decide(seat, "discard", kinds))
        self._fill_up(seat)

    def places(self, tile: int) -> list[int]:
        """The cells where a tile may be played."""
        if tile == TROLL:
            return [*self.open, *self.beside_trolls]
        if tile not in (DRAGON, SKADI):
            return [*self.open]
        board, trolls = self.board, self.trolls
        on_top = [place for place in self.taken if board[place] != tile and not trolls[place]]
        return [*self.open, *on_top]

    def _play(self, seat: int, tile: int, place: int) -> None:
        below = self.board[place]
        if below:
            self._lift(place)
            if tile == SKADI:
                self.hands[seat].append(below)
        self._put(place, tile)
        lines = self._lines(place)
        if not below:
            self._open_and_close(place, *lines)
        self.scores[seat] += sum([self._points(tile, place, line) for line in lines])

    # ------------------------------------------------------------ the table

    def _put(self, place: int, tile: int) -> None:
        self.board[place] = tile
        if tile == LOKI:
            for side in SIDES:
                self.lokis[place + side] += 1
        elif tile == TROLL:
            for side in SIDES:
                beside = place + side
                self.trolls[beside] += 1
                if beside in self.open:
                    del self.open[beside]
                    self.beside_trolls[beside] = None

    def _lift(self, place: int) -> None:
        """What lies here loses its power."""
        tile = self.board[place]
        if tile == LOKI:
            for side in SIDES:
                self.lokis[place + side] -= 1
        elif tile == TROLL:
            for side in SIDES:
                beside = place + side
                self.trolls[beside] -= 1
                if beside in self.beside_trolls and not self.trolls[beside]:
                    del self.beside_trolls[beside]
                    self.open[beside] = None

    def _lines(self, place: int) -> tuple[slice, slice]:
        """The row and the column through a cell, as slices of the board."""
        board = self.board
        left = right = up = down = place
        while board[left - RIGHT]:
            left -= RIGHT
        while board[right + RIGHT]:
            right += RIGHT
        while board[up - DOWN]:
            up -= DOWN
        while board[down + DOWN]:
            down += DOWN
        return slice(left, right + RIGHT, RIGHT), slice(up, down + DOWN, DOWN)

    def _open_and_close(self, place: int, row: slice, column: slice) -> None:
        """A tile was laid here, in these lines: other cells can be laid on now, or no more."""
        self.taken.append(place)
        self.open.pop(place, None)
        self.beside_trolls.pop(place, None)
        for line in (row, column):
            step = line.step
            self._look_at_end(line.start - step, -step, (line.stop - line.start) // step)
            self._look_at_end(line.stop, step, (line.stop - line.start) // step)

    def _look_at_end(self, end: int, step: int, length: int) -> None:
        """Open the empty cell at the end of a line, or close it if the line would be too long.

        A cell that is new here touches nothing else; one that is not here any more was closed.
        """
        board = self.board
        beyond = end + step
        while board[beyond]:
            length += 1
            beyond += step
        if length >= LONGEST:
            self.open.pop(end, None)
            self.beside_trolls.pop(end, None)
            self.closed.add(end)
        elif end not in self.closed:
            (self.beside_trolls if self.trolls[end] else self.open)[end] = None

    # ------------------------------------------------------------ scoring

    def _points(self, tile: int, place: int, line: slice) -> int:
        """What a tile just put here scores in one of its lines."""
        tiles = self.board[line]
        length = len(tiles)
        if length == 1:
            return 0
        if tiles[0] == tiles[-1] == VALKYRIE:
            at_an_end = place == line.start or place == line.stop - line.step
            return length if at_an_end else 0
        if self.lokis[place] and tile != LOKI:
            return 0
        values = [
            0 if lokis and other != LOKI else other
            for other, lokis in zip(tiles, self.lokis[line], strict=True)
        ]
        best = max(values)
        pack = FENRIR * values.count(FENRIR)
        if tile == FENRIR:
            # It beats the Fenrirs that were there; no other tile has their value.
            wins = best == FENRIR or best < pack
        else:
            wins = best == tile > pack and values.count(tile) == 1
        return length if wins else 0


def play(players: int, seed: int) -> list[int]:
    """The scores of a game between random players."""
    return Game(players, RandomTable(seed)).run()


if __name__ == "__main__":
    print_speed(play, PLAYERS, games=100)
