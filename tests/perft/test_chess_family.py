"""Variants of chess against the counts that engines for them are tested by.

The positions and counts are those published with python-chess and Fairy-Stockfish. Where
python-chess is installed, random games are also played in lockstep with it: at each position both
must allow the same moves, and they must end in the same way.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

import lawspeaker
from lawspeaker.match.perft import opening, perft
from tests.perft.chess_positions import position
from tests.tiers import NIGHTLY, pick, sample


class Tree(NamedTuple):
    variant: str
    fen: str | None  # None: the start
    counts: tuple[int, ...]


TREES = [
    # Where the clause that a scenario begins with has another one before it.
    Tree("antichess", "8/1p6/8/8/8/8/P7/8 w - -", (2, 4, 4, 3, 1, 0)),
    Tree("king_of_the_hill", None, (20, 400, 8902)),
    Tree(
        "king_of_the_hill",
        "rnb2b1r/ppp2ppp/3k4/8/1PKp1pn1/3Pq3/PBP1P2P/RN1Q1B1R w - -",
        (21, 943, 19003),
    ),
    Tree(
        "three_check",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 1+1",
        (48, 2039, 97848),
    ),
    Tree("three_check", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 1+1", (26, 562, 13410)),
    Tree("antichess", None, (20, 400, 8067, 153299)),
    Tree("atomic", None, (20, 400, 8902, 197326)),
    Tree(
        "atomic",
        "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq -",
        (40, 1238, 45237, 1434825),
    ),
    Tree(
        "atomic",
        "rn1qkb1r/p5pp/2p5/3p4/N3P3/5P2/PPP4P/R1BQK3 w Qkq -",
        (28, 833, 23353, 714499),
    ),
    Tree("atomic", "r4b1r/2kb1N2/p2Bpnp1/8/2Pp3p/1P1PPP2/P5PP/R3K2R b KQ -", (4, 148)),
    Tree("horde", None, (8, 128, 1274, 23310)),
    Tree("horde", "4k3/pp4q1/3P2p1/8/P3PP2/PPP2r2/PPP5/PPPP4 b - -", (30, 241, 6633, 56539)),
    Tree("horde", "k7/5p2/4p2P/3p2P1/2p2P2/1p2P2P/p2P2P1/2P2P2 w - -", (13, 172, 2205, 33781)),
    Tree("racing_kings", None, (21, 421, 11264, 296242)),
    Tree("racing_kings", "4brn1/2K2k2/8/8/8/8/8/8 w - -", (6, 33, 178, 3151, 12981, 265932)),
    Tree(
        "racing_kings",
        "8/8/1rk4K/8/8/8/2bnNBR1/qrbnNBRQ b - -",
        (36, 697, 26592, 661533),
    ),
    Tree("shatranj", None, (16, 256, 4176, 68122)),
    Tree("crazyhouse", None, (20, 400, 8902, 197281)),
    Tree("crazyhouse", "2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - -", (301, 75353)),
    Tree("crazyhouse", "2k5/8/8/8/8/8/8/4K3[Qn] w - -", (67, 3083, 88634, 932554)),
    Tree(
        "crazyhouse",
        "r1bqk2r/pppp1ppp/2n1p3/4P3/1b1Pn3/2NB1N2/PPP2PPP/R1BQK2R[] b KQkq -",
        (42, 1347, 58057, 2083382),
    ),
    Tree("crazyhouse", "4k3/1Q~6/8/8/4b3/8/Kpp5/8[] b - -", (20, 360, 5445, 132758)),
    Tree(
        "crazyhouse",
        "2rn1b1r/1pp2n1p/B1PBk1pP/5p1P/P5p1/2P2RP1/RP1QNP2/1NBK4[QPp] w - -",
        (99, 3932, 314782),
    ),
    Tree(
        "chess960",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf -",
        (21, 528, 12189, 326672),
    ),
    Tree(
        "chess960",
        "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe -",
        (21, 807, 18002, 667366),
    ),
    Tree(
        "chess960",
        "b1q1rrkb/pppppppp/3nn3/8/P7/1PPP4/4PPPP/BQNNRKRB w GE -",
        (20, 479, 10471, 273318),
    ),
    Tree(
        "chess960",
        "qnr1bkrb/pppp2pp/3np3/5p2/8/P2P2P1/NPP1PP1P/QN1RBKRB w GDg -",
        (33, 823, 26895),
    ),
]
BESIDE = sorted({tree.variant for tree in TREES} - {"shatranj"})
"""Those that python-chess can play, too."""
LARGEST = pick(test=3_000, full=20_000, nightly=3_000_000)
"""Counts up to here are made anew."""


@pytest.mark.parametrize(
    "tree", sample(TREES, test=9, full=5), ids=lambda tree: f"{tree.variant}-{tree.fen}"
)
def test_the_tree_has_the_published_size(tree: Tree, tmp_path: Path) -> None:
    if tree.fen is None:
        start = opening(lawspeaker.load(f"chess+{tree.variant}").program, 2)
    else:
        start = position(tree.fen, tree.variant, tmp_path)
    known = [count for count in tree.counts if count <= LARGEST]
    assert [perft(start, depth + 1, True, "wasm") for depth in range(len(known))] == known


@pytest.mark.full
@pytest.mark.parametrize("variant", sample(BESIDE, full=4))
def test_random_games_allow_the_moves_of_python_chess(variant: str) -> None:
    pytest.importorskip("chess", reason="python-chess is not installed (pip install chess)")
    from tests.perft.beside_python_chess import play_beside

    positions = 10_000 if NIGHTLY else 40
    assert play_beside(variant, positions) >= positions
