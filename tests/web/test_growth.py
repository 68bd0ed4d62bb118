"""A server that is played on all day needs no more memory in the evening than at noon.

People play for an hour, in a nightly run. The first third is for what is kept on purpose: open
tables, games that were read, drawn things.
"""

from __future__ import annotations

import re
import time
from pathlib import Path
from threading import Event, Thread

import pytest

from tests.web.test_kills import PLAYERS, Nursery, Player, acknowledged_replies

MINUTES = 60
SAMPLES = 60
MOST_GROWTH = 1.05
STATUS = Path("/proc/self/status")


def resident(process: int) -> float:
    """The megabytes of memory that a process holds."""
    text = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    found = re.search(r"VmRSS:\s+(\d+) kB", text)
    assert found
    return int(found[1]) / 1024


@pytest.mark.nightly
@pytest.mark.skipif(not STATUS.exists(), reason="this system has no /proc")
def test_memory_does_not_grow(tmp_path: Path) -> None:
    served = Nursery(tmp_path / "tables")
    players = [Player(served, number) for number in range(PLAYERS)]
    enough = Event()
    playing = [Thread(target=each.play, args=(enough,)) for each in players]
    for each in playing:
        each.start()
    held = []
    try:
        for _ in range(SAMPLES):
            time.sleep(MINUTES * 60 / SAMPLES)
            assert served.server.pid is not None
            held.append(resident(served.server.pid))
    finally:
        enough.set()
        for thread in playing:
            thread.join()
        served.kill()
    third = SAMPLES // 3
    before, after = (sum(part) / third for part in (held[third : 2 * third], held[2 * third :]))
    tables = sum(len(each.told) for each in players)
    print(
        f"{MINUTES:g} minutes, {tables} tables, {acknowledged_replies(players)} replies:", end=" "
    )
    print(f"{held[0]:.1f} MB at first, then {before:.1f}, then {after:.1f}")
    assert after < before * MOST_GROWTH
