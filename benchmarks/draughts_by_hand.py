"""English draughts, written by hand.

This engine knows nothing of the rules language. It is the yardstick for speed, and a second opinion
about which moves are legal.

`Game` holds a position: `offered()` are all moves of the player to move, none when the game is
over, and `make(move)` makes one of them. A move is the squares that a piece is on, one after the
other; a jump is one move to its end. `play(players, seed)` is a game between players who take any
move with the same chance.

The board is a row of cells with two cells of edge around it, so that no jump leaves it; black's men
are 1 and kings 2, white's -1 and -2. The square at a column and a row is `cell(column, row)`.
"""

from collections import Counter
from itertools import pairwise
from random import Random

from benchmarks.speed import print_speed

BLACK, WHITE = 1, -1
EMPTY, EDGE = 0, 9
WIDTH = 10
PATIENCE = 80
"""So many moves in a row without a jump or a step of a man make a draw."""

Move = tuple[int, ...]


def cell(column: int, row: int) -> int:
    """The cell of a square; columns and rows count from 1."""
    return (row + 1) * WIDTH + column


def square(of: int) -> tuple[int, int]:
    """The column and the row of a cell."""
    row, column = divmod(of, WIDTH)
    return column, row - 1


def jumps(move: Move) -> bool:
    """Whether a move is a jump; else it is a step to the next square."""
    return abs(move[1] - move[0]) > WIDTH + 1


DARK = [cell(column, row) for row in range(1, 9) for column in range(1 + row % 2, 9, 2)]
FORWARDS = (WIDTH - 1, WIDTH + 1)
BACK = (-WIDTH - 1, -WIDTH + 1)
STEPS = {1: FORWARDS, 2: FORWARDS + BACK, -1: BACK, -2: FORWARDS + BACK}
LAST_ROW = {
    **{cell(column, 8): BLACK for column in range(1, 9)},
    **{cell(column, 1): WHITE for column in range(1, 9)},
}
"""The cells on which a man of a player becomes a king."""


class Game:
    def __init__(self) -> None:
        self.board = [EDGE] * (WIDTH * 12)
        for at in DARK:
            row = square(at)[1]
            self.board[at] = BLACK if row < 4 else WHITE if row > 5 else EMPTY
        self.player = BLACK
        self.quiet = 0
        self.winner: int | None = None
        self.over = False
        self._seen: Counter[tuple[int, ...]] = Counter()
        self._remember()

    def offered(self) -> list[Move]:
        """What the player to move may choose from; who has no move has lost."""
        if self.over:
            return []
        moves = self._moves()
        if not moves:
            self.winner, self.over = -self.player, True
        return moves

    def _moves(self) -> list[Move]:
        """All moves; who can jump must."""
        board, player = self.board, self.player
        own = [at for at in DARK if board[at] * player > 0]
        found: list[Move] = []
        for at in own:
            piece = board[at]
            for step in STEPS[piece]:
                if board[at + 2 * step] == EMPTY and board[at + step] * player < 0:
                    board[at] = EMPTY
                    self._jump(piece, (at,), (), found)
                    board[at] = piece
                    break
        if found:
            return found
        return [
            (at, at + step) for at in own for step in STEPS[board[at]] if board[at + step] == EMPTY
        ]

    def _jump(self, piece: int, path: Move, taken: Move, found: list[Move]) -> None:
        """Goes on from the end of a path as long as that is possible."""
        board, here, ended = self.board, path[-1], True
        for step in STEPS[piece]:
            over, landing = here + step, here + 2 * step
            if board[landing] == EMPTY and board[over] * piece < 0 and over not in taken:
                ended = False
                self._jump(piece, (*path, landing), (*taken, over), found)
        if ended and taken:
            found.append(path)

    def make(self, move: Move) -> None:
        """Makes a move."""
        board, origin, goal = self.board, move[0], move[-1]
        piece = board[origin]
        board[origin] = EMPTY
        if jumps(move):
            for here, landing in pairwise(move):
                board[(here + landing) // 2] = EMPTY
        self.quiet = 0 if jumps(move) or abs(piece) == 1 else self.quiet + 1
        crowned = LAST_ROW.get(goal) == piece
        board[goal] = 2 * piece if crowned else piece
        if not self.quiet:
            self._seen.clear()
        self.player = -self.player
        self._remember()

    def _remember(self) -> None:
        """It is a draw after a long time in which nothing was decided, and when a position comes up
        for the third time. What was before a jump or a step of a man never comes again."""
        position = (self.player, *[self.board[at] for at in DARK])
        self._seen[position] += 1
        if self.quiet >= PATIENCE or self._seen[position] == 3:
            self.over = True

    def run(self, luck: Random) -> int | None:
        """Plays to the end; who has won, if anybody."""
        while moves := self.offered():
            self.make(luck.choice(moves))
        return self.winner


def play(players: int, seed: int) -> int | None:
    """Who wins a game between random players."""
    return Game().run(Random(seed))


if __name__ == "__main__":
    print_speed(play, (2,), games=20)
