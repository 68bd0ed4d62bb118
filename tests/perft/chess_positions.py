"""Positions of chess and its variants as scenarios, from the notation (FEN) in which they are
published."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

from lawspeaker.match.match import Match
from lawspeaker.outside.loading import where_scenario_ends

FILES = "abcdefgh"
FIGURES = {
    "k": "king",
    "q": "queen",
    "r": "rook",
    "b": "bishop",
    "n": "knight",
    "p": "pawn",
}


def position(fen: str, variant: str, folder: Path) -> Match:
    """The match that waits for the first move from this position."""
    board, turn, castling, passed, *checks = fen.split()
    board, _, reserve = board.partition("[")
    lines = [*_squares(board), *_reserve(reserve.rstrip("]")), "all other men: box"]
    lines += _castling(board, castling, variant)
    if passed != "-":
        lines.append(f"passed: square {FILES.index(passed[0]) + 1} {passed[1]}")
    if checks:
        left = dict(zip(("white", "black"), checks[0].split("+"), strict=True))
        lines += [f"checks {player}: {3 - int(number)}" for player, number in left.items()]
    player = _player(turn == "w")
    lines.append(f"active: {player}")
    file = folder / "position.yaml"
    file.write_text(
        "scenario: A published position\ngame: chess\nplayers: 2\nsituation:\n"
        + "".join(f"  {line}\n" for line in lines)
        + f"do: play\nsteps:\n  - asks: {{{player}: turn}}\n"
    )
    return where_scenario_ends(file, f"chess+{variant}")


def _player(white: bool) -> str:
    return "white" if white else "black"


def _squares(board: str) -> list[str]:
    lines: list[str] = []
    for row, rank in zip(range(8, 0, -1), board.split("/"), strict=True):
        file = 1
        for sign in rank:
            if sign.isdigit():
                file += int(sign)
            elif sign == "~":  # behind a man that was promoted
                lines[-1] += " with promoted true"
            else:
                lines.append(f"square {file} {row}: {_man(sign)}")
                file += 1
    return lines


def _man(sign: str) -> str:
    return f"{FIGURES[sign.lower()]} {_player(sign.isupper())}"


def _reserve(reserve: str) -> list[str]:
    held: dict[str, list[str]] = defaultdict(list)
    for sign in reserve:
        held[_player(sign.isupper())].append(_man(sign))
    return [f"reserve {player}: [{', '.join(men)}]" for player, men in held.items()]


def _castling(board: str, rights: str, variant: str) -> list[str]:
    """Who may castle where. With Chess960 the rooks are told by their files."""
    kept: set[tuple[str, str]] = set()
    lines: list[str] = []
    ranks = board.split("/")
    for sign in rights.replace("-", ""):
        player = _player(sign.isupper())
        if variant != "chess960":
            kept.add((player, "kingside" if sign in "Kk" else "queenside"))
            continue
        rank = "".join(
            "." * int(c) if c.isdigit() else c for c in ranks[7 if sign.isupper() else 0]
        )
        king, rook = rank.index("K" if sign.isupper() else "k"), FILES.index(sign.lower())
        wing = "kingside" if rook > king else "queenside"
        kept.add((player, wing))
        lines += [f"king_file: {king + 1}", f"rook_file {wing}: {rook + 1}"]
    for player in ("white", "black"):
        for wing in ("kingside", "queenside"):
            lines.append(f"may_castle {player} {wing}: {str((player, wing) in kept).lower()}")
    return list(dict.fromkeys(lines))
