"""Go on nine lines, written by hand.

This engine knows nothing of the rules language. It is the yardstick for speed, and a second opinion
about which moves are legal and who wins: no suicide, no position twice, area scoring.

`Game` holds a position: `offered()` are the points on which the player to move may lay a stone, and
`PASS`, or nothing when the game is over; `make(point)` lays a stone there, or passes.
`play(players, seed)` is a game between players who take any of these with the same chance.

A set of points is a number, with a bit for each point; the point at a column and a row is
`at(column, row)`. The stones that hang together are found once for a position, with their
liberties: a stone takes off the groups whose only liberty it is laid on.
"""

from collections.abc import Iterator
from random import Random

from benchmarks.speed import print_speed

SIZE = 9
KOMI = 7
MOST_TURNS = 600
PASS = -1
FULL = (1 << SIZE * SIZE) - 1
FIRST_COLUMN = sum(1 << SIZE * row for row in range(SIZE))
NOT_FIRST, NOT_LAST = FULL & ~FIRST_COLUMN, FULL & ~(FIRST_COLUMN << SIZE - 1)

Group = tuple[int, int]
"""Its stones, and its liberties."""


def at(column: int, row: int) -> int:
    """The number of a point; columns and rows count from 1."""
    return (row - 1) * SIZE + column - 1


def place(point: int) -> tuple[int, int]:
    """The column and the row of a point."""
    row, column = divmod(point, SIZE)
    return column + 1, row + 1


def beside(points: int) -> int:
    """All points beside some points, and perhaps some of these."""
    along = points << 1 & NOT_FIRST | points >> 1 & NOT_LAST
    return along | points << SIZE & FULL | points >> SIZE


NEIGHBOURS = [beside(1 << point) for point in range(SIZE * SIZE)]


def each(points: int) -> Iterator[int]:
    """The numbers of some points."""
    while points:
        lowest = points & -points
        yield lowest.bit_length() - 1
        points ^= lowest


def region(start: int, within: int) -> int:
    """What of some points hangs together with where it starts."""
    while True:
        grown = (start | beside(start)) & within
        if grown == start:
            return start
        start = grown


class Game:
    def __init__(self) -> None:
        self.stones = [0, 0]
        self.player = 0
        self.turns = 0
        self.passes = 0
        self.past = {(0, 0)}

    def offered(self) -> list[int]:
        """What the player to move may choose from."""
        over = self.passes == 2 or self.turns == MOST_TURNS
        return [] if over else [*self._points(), PASS]

    def _points(self) -> list[int]:
        """The points on which a stone may be laid."""
        empty = FULL & ~(self.stones[0] | self.stones[1])
        own, other = self._groups(self.player, empty), self._groups(1 - self.player, empty)
        found = []
        for point in each(empty):
            laid = 1 << point
            near = NEIGHBOURS[point]
            taken = 0
            for stones, liberties in other:
                if liberties == laid and stones & near:
                    taken |= stones
            breathes = taken or near & empty
            if not breathes:
                breathes = any(stones & near and liberties != laid for stones, liberties in own)
            if breathes and self._after(laid, taken) not in self.past:
                found.append(point)
        return found

    def _groups(self, player: int, empty: int) -> list[Group]:
        left, found = self.stones[player], []
        while left:
            stones = region(left & -left, left)
            left ^= stones
            found.append((stones, beside(stones) & empty))
        return found

    def _after(self, laid: int, taken: int) -> tuple[int, int]:
        """The board with a stone laid and others taken off."""
        black, white = self.stones
        return (black ^ taken, white | laid) if self.player else (black | laid, white ^ taken)

    def make(self, point: int) -> None:
        self.turns += 1
        if point == PASS:
            self.passes += 1
        else:
            laid = 1 << point
            empty = FULL & ~(self.stones[0] | self.stones[1])
            other = self._groups(1 - self.player, empty)
            near = NEIGHBOURS[point]
            taken = sum(
                stones for stones, liberties in other if liberties == laid and stones & near
            )
            board = self._after(laid, taken)
            self.stones = list(board)
            self.past.add(board)
            self.passes = 0
        self.player = 1 - self.player

    def scores(self) -> tuple[int, int]:
        """The areas of both; white has the komi besides."""
        black, white = self.stones
        left = FULL & ~(black | white)
        areas = [black.bit_count(), white.bit_count()]
        while left:
            room = region(left & -left, left)
            left ^= room
            border = beside(room)
            if border & black and not border & white:
                areas[0] += room.bit_count()
            elif border & white and not border & black:
                areas[1] += room.bit_count()
        return areas[0], areas[1] + KOMI

    def run(self, luck: Random) -> tuple[int, int]:
        while points := self.offered():
            self.make(luck.choice(points))
        return self.scores()


def play(players: int, seed: int) -> tuple[int, int]:
    """The scores of a game between random players."""
    return Game().run(Random(seed))


if __name__ == "__main__":
    print_speed(play, (2,), games=10)
