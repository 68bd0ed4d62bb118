"""How long it takes to find a group of stones on a board: by the rules language, and by hand.

    python -m benchmarks.regions

The rules lay 25 stones of each colour at random and count the group of every stone, again and
again, inside the compiled machine. By hand it is done in C, for the same positions: a board is two
masks, and a group grows by shifts of the whole board until it grows no more. Both must count the
same. The compiled machine does likewise, with one word of bits on a board of 8 by 8 and two on one
of 9 by 9. It needs a C compiler, and prints the best of some rounds in nanoseconds for a group.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.machines.compiled import Instance, compile_module
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.machines.reference import Machine
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from lawspeaker.position.layout import Layout
from lawspeaker.study.lab.record import game_seed

SIDES, STONES, AGAIN, GAMES, ROUNDS, SEED = (8, 9), 25, 50, 20, 5, 1
RULES = f"""\
lawspeaker: 1
game: groups
players: {{from: 2, to: 2}}
pieces:
  stone: {{of each: player, count: {STONES}, starts in: bowl}}
places:
  bowl: {{of each: player, holds: stone, seen by: everyone}}
  point: {{grid: SIDE by SIDE, holds: stone, room: 1, seen by: everyone}}
rules:
  game:
    says: Stones are laid at random, and all groups are counted again and again.
    rule: |
      repeat {STONES} times:
        for each player:
          pick a random point where point is empty
          move a stone in bowl of player to point
      repeat {AGAIN} times:
        do counting

  counting:
    says: The groups of all stones are counted.
    rule: |
      player_1 scores sum of count of group of point for each point where point is not empty

  group:
    says: Stones of one player that hang together are a group.
    define: group of point
    as: region from point to each point as next while holder of next is holder of point

  holder:
    says: Whose stone lies on a point.
    define: holder of point
    as: if there is a stone in point then owner of stone else nothing
"""
BY_HAND = """\
typedef unsigned __int128 bits;
enum { SIDE = THE_SIDE, SIZE = SIDE * SIDE };

static int ones(bits b) {
  return __builtin_popcountll((unsigned long long)b) + __builtin_popcountll(b >> 64);
}

/* owners[i] is 0 or 1, or 2 where there is no stone; the sum of the sizes of all groups. */
long count(const unsigned char *owners, int again) {
  bits held[2] = {0, 0}, low = 0, high = 0;
  for (int i = 0; i < SIZE; i++) {
    if (owners[i] < 2) held[owners[i]] |= (bits)1 << i;
    if (i % SIDE) low |= (bits)1 << i; else high |= (bits)1 << i;
  }
  bits first = high, last = high << (SIDE - 1);
  long total = 0;
  for (int n = 0; n < again; n++)
    for (int i = 0; i < SIZE; i++) {
      __asm__ volatile("" ::: "memory");
      if (owners[i] > 1) continue;
      bits own = held[owners[i]], group = (bits)1 << i, before;
      do {
        before = group;
        group |= (((group & ~last) << 1) | ((group & ~first) >> 1) | (group << SIDE)
                  | (group >> SIDE)) & own;
      } while (group != before);
      total += ones(group);
    }
  return total;
}
"""


def main() -> None:
    for side in SIDES:
        compare(side)


def compare(side: int) -> None:
    rules = RULES.replace("SIDE", str(side))
    program = compile_game(
        SourceFile("groups", rules), lambda *_: None, schema("game"), Diagnostics()
    )
    assert program is not None
    machine = Machine(program, 2)
    boards, wanted = [], []
    for number in range(GAMES):
        state = machine.blank(game_seed(SEED, number))
        machine.begin(state, program.main, ())
        layout = machine.layout
        held = [state.contents.get(place, ()) for place in layout.places_of[1]]
        boards.append(bytes((layout.piece_owner[each[0]] or 0) if each else 2 for each in held))
        wanted.append(state.scores[0])
    instance = Instance(compile_module(Layout(program, 2), PLAYING))
    assert [each.scores[0] for each in instance.games(SEED, 0, GAMES)] == wanted
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "groups.c"), Path(folder, "groups.so")
        source.write_text(BY_HAND.replace("THE_SIDE", str(side)), encoding="utf-8")
        subprocess.run(
            ["cc", "-O2", "-shared", "-fPIC", "-o", library, source], check=True, text=True
        )
        count = ctypes.CDLL(str(library)).count
        count.restype = ctypes.c_long
        assert [count(each, AGAIN) for each in boards] == wanted
        groups = GAMES * AGAIN * 2 * STONES
        by_rules = min(timed(lambda: instance.games(SEED, 0, GAMES)) for _ in range(ROUNDS))
        by_hand = min(timed(lambda: [count(each, AGAIN) for each in boards]) for _ in range(ROUNDS))
    print(
        f"{side} by {side}, {sum(wanted) / groups:.1f} stones a group: "
        f"{by_rules / groups * 1e9:.0f} ns by the rules, {by_hand / groups * 1e9:.0f} ns by hand, "
        f"{by_rules / by_hand:.1f} times as long"
    )


def timed(work: Callable[[], object]) -> float:
    before = process_time()
    work()
    return process_time() - before


if __name__ == "__main__":
    main()
