"""Chess, written by hand.

This engine knows nothing of the rules language. It is the yardstick for speed, and a second opinion
about which moves are legal.

`Game` holds a position: `offered()` are all moves of the player to move, none when the game is
over, and `make(move)` makes one of them. A move is the cell a man starts from, the one it goes to,
and 0, the figure that a pawn becomes, or `CASTLES`. `play(players, seed)` is a game between players
who take any move with the same chance.

The board is a row of cells with an edge around it that no man leaps over; white's men are above 0,
black's below. The square at a column and a row is `cell(column, row)`. Whether the king is in check
after a move is looked up on the board as it is then, but only where it could be: after a move of
the king, of a man on a line with him, a capture in passing, or when he is in check already.
"""

from collections import Counter
from random import Random

from benchmarks.speed import print_speed

WHITE, BLACK = 1, -1
EMPTY, PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(7)
EDGE = 99
CASTLES = -1
WIDTH = 10
REPETITIONS = 3
PATIENCE = 100
"""So many moves in a row without a capture and a pawn's move are enough."""

Move = tuple[int, int, int]

FIRST_RANK = (ROOK, KNIGHT, BISHOP, QUEEN, KING, BISHOP, KNIGHT, ROOK)
PROMOTIONS = (QUEEN, ROOK, BISHOP, KNIGHT)
STRAIGHT = (1, -1, WIDTH, -WIDTH)
DIAGONAL = (WIDTH + 1, WIDTH - 1, -WIDTH + 1, -WIDTH - 1)
AROUND = STRAIGHT + DIAGONAL
LEAPS = (21, 19, 12, 8, -21, -19, -12, -8)
MATING = frozenset(man * sign for man in (PAWN, ROOK, QUEEN) for sign in (WHITE, BLACK))
"""While one of these is left, somebody can be mated."""
LINES = {BISHOP: DIAGONAL, ROOK: STRAIGHT, QUEEN: AROUND}


def cell(column: int, row: int) -> int:
    """The cell of a square; columns and rows count from 1."""
    return (row + 1) * WIDTH + column


def square(of: int) -> tuple[int, int]:
    """The column and the row of a cell."""
    row, column = divmod(of, WIDTH)
    return column, row - 1


SQUARES = [cell(column, row) for row in range(1, 9) for column in range(1, 9)]
HOME = {WHITE: cell(5, 1), BLACK: cell(5, 8)}
CORNERS = [cell(column, row) for row in (1, 8) for column in (1, 8)]


def _lines_from(king: int) -> frozenset[int]:
    """The cells on a line with one."""
    column, row = square(king)
    return frozenset(
        other
        for other in SQUARES
        for at in [square(other)]
        if at[0] == column or at[1] == row or abs(at[0] - column) == abs(at[1] - row)
    )


IN_LINE = {each: _lines_from(each) for each in SQUARES}


class Game:
    def __init__(self) -> None:
        self.board = [EDGE] * (WIDTH * 12)
        for at in SQUARES:
            column, row = square(at)
            figures = {1: FIRST_RANK[column - 1], 2: PAWN, 7: -PAWN, 8: -FIRST_RANK[column - 1]}
            self.board[at] = figures.get(row, EMPTY)
        self.kings = dict(HOME)
        self.player = WHITE
        self.castles = frozenset(CORNERS)
        """The corners whose rooks may castle."""
        self.passed = 0
        self.quiet = 0
        self.winner: int | None = None
        self.over = False
        self._seen: Counter[tuple[object, ...]] = Counter()
        self._remember()

    # ------------------------------------------------------------ moves

    def moves(self) -> list[Move]:
        """All legal moves."""
        king = self.kings[self.player]
        checked, in_line = self.attacked(king, -self.player), IN_LINE[king]
        found = []
        for move in self._ways():
            start, target, _ = move
            passing = target == self.passed and abs(self.board[start]) == PAWN
            sure = not checked and not passing and start not in in_line
            if sure or self._keeps_king_safe(move):
                found.append(move)
        if not checked:
            self._add_castling(king, found)
        return found

    def _ways(self) -> list[Move]:
        """How the men move, whatever becomes of the king."""
        board, player, found = self.board, self.player, list[Move]()
        for start in SQUARES:
            figure = board[start] * player
            if figure <= EMPTY:
                continue
            if figure == PAWN:
                self._add_pawn(start, found)
            elif figure in LINES:
                for step in LINES[figure]:
                    target = start + step
                    while board[target] == EMPTY:
                        found.append((start, target, 0))
                        target += step
                    if board[target] != EDGE and board[target] * player < 0:
                        found.append((start, target, 0))
            else:
                for step in LEAPS if figure == KNIGHT else AROUND:
                    there = board[start + step]
                    if there != EDGE and there * player <= 0:
                        found.append((start, start + step, 0))
        return found

    def _add_pawn(self, start: int, found: list[Move]) -> None:
        board, player = self.board, self.player
        ahead = WIDTH * player
        goals = []
        if board[start + ahead] == EMPTY:
            goals.append(start + ahead)
            second = square(start)[1] == (2 if player == WHITE else 7)
            if second and board[start + 2 * ahead] == EMPTY:
                goals.append(start + 2 * ahead)
        for target in (start + ahead - 1, start + ahead + 1):
            there = board[target]
            if (there != EDGE and there * player < 0) or target == self.passed:
                goals.append(target)
        for target in goals:
            if square(target)[1] in (1, 8):
                found += [(start, target, figure) for figure in PROMOTIONS]
            else:
                found.append((start, target, 0))

    def _keeps_king_safe(self, move: Move) -> bool:
        board, (start, target, _) = self.board, move
        man, taken = board[start], board[target]
        king = target if abs(man) == KING else self.kings[self.player]
        beside = self._taken_in_passing(man, target)
        pawn = board[beside]
        board[start], board[beside], board[target] = EMPTY, EMPTY, man
        safe = not self.attacked(king, -self.player)
        board[beside], board[target], board[start] = pawn, taken, man
        return safe

    def _taken_in_passing(self, man: int, target: int) -> int:
        """Where a pawn is taken by this move: in passing, or on the target like any man."""
        passing = abs(man) == PAWN and target == self.passed
        return target - WIDTH * self.player if passing else target

    def _add_castling(self, king: int, found: list[Move]) -> None:
        board, other = self.board, -self.player
        for corner in self.castles:
            side = 1 if corner > king else -1
            if abs(corner - king) > 4 or board[corner] != ROOK * self.player:
                continue
            if any(board[at] for at in range(king + side, corner, side)):
                continue
            if not any(self.attacked(king + step * side, other) for step in (1, 2)):
                found.append((king, king + 2 * side, CASTLES))

    def attacked(self, at: int, player: int) -> bool:
        """Whether a player has a man that strikes a cell."""
        board = self.board
        pawn, knight, king = PAWN * player, KNIGHT * player, KING * player
        behind = at - WIDTH * player
        if board[behind - 1] == pawn or board[behind + 1] == pawn:
            return True
        for step in LEAPS:
            if board[at + step] == knight:
                return True
        queen = QUEEN * player
        for steps, other in ((STRAIGHT, ROOK * player), (DIAGONAL, BISHOP * player)):
            for step in steps:
                there = at + step
                if board[there] == king:
                    return True
                while board[there] == EMPTY:
                    there += step
                if board[there] == queen or board[there] == other:
                    return True
        return False

    # ------------------------------------------------------------ making them

    def make(self, move: Move) -> None:
        board, player, (start, target, extra) = self.board, self.player, move
        man = board[start]
        self.quiet = 0 if abs(man) == PAWN or board[target] else self.quiet + 1
        board[self._taken_in_passing(man, target)] = EMPTY
        board[start], board[target] = EMPTY, extra * player if extra > 0 else man
        if extra == CASTLES:
            side = 1 if target > start else -1
            board[target + 1 if side > 0 else target - 2] = EMPTY
            board[target - side] = ROOK * player
        if abs(man) == KING:
            self.kings[player] = target
        self.castles = frozenset(filter(self._stay, self.castles))
        self.player = -player
        double = abs(man) == PAWN and abs(target - start) == 2 * WIDTH
        self.passed = (start + target) // 2 if double else 0
        if self.passed and not self._can_be_passed():
            self.passed = 0
        if not self.quiet:
            self._seen.clear()
        self._remember()

    def _stay(self, corner: int) -> bool:
        """Whether a rook and its king still stand where they began."""
        player = WHITE if corner < 5 * WIDTH else BLACK
        return self.board[corner] == ROOK * player and self.kings[player] == HOME[player]

    def _can_be_passed(self) -> bool:
        """Whether a pawn may take the one that has just passed."""
        ahead, pawn = WIDTH * self.player, PAWN * self.player
        beside = (self.passed - ahead + 1, self.passed - ahead - 1)
        return any(
            self.board[start] == pawn and self._keeps_king_safe((start, self.passed, 0))
            for start in beside
        )

    def _remember(self) -> None:
        board = tuple(self.board[at] for at in SQUARES)
        position = (board, self.player, self.castles, self.passed)
        self._seen[position] += 1
        if self._seen[position] >= REPETITIONS or self._is_dead(board):
            self.over = True

    def _is_dead(self, board: tuple[int, ...]) -> bool:
        """Whether nobody can be mated any more."""
        if not MATING.isdisjoint(board):
            return False
        others = [(at, abs(man)) for at, man in enumerate(board) if abs(man) not in (EMPTY, KING)]
        if [figure for _, figure in others] == [KNIGHT]:
            return True
        shades = {(at // 8 + at) % 2 for at, _ in others}
        return len(shades) <= 1 and all(figure == BISHOP for _, figure in others)

    def offered(self) -> list[Move]:
        """What the player to move may choose from; who has no move is mated, or it is stalemate."""
        if self.over:
            return []
        moves = self.moves()
        if not moves and self.attacked(self.kings[self.player], -self.player):
            self.winner = -self.player
        self.over = not moves or self.quiet >= PATIENCE
        return [] if self.over else moves

    def run(self, luck: Random) -> int | None:
        """Plays to the end; who has won, if anybody."""
        while moves := self.offered():
            self.make(luck.choice(moves))
        return self.winner


def play(players: int, seed: int) -> int | None:
    """Who wins a game between random players."""
    return Game().run(Random(seed))


if __name__ == "__main__":
    print_speed(play, (2,), games=5)
