"""All that tables hold is looked through only while nobody waits."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Iterator

import pytest

from lawspeaker.faces.web import leftovers


@pytest.mark.parametrize(
    "worked, come, collected",
    [
        ([0.0, 0.001, 0.002], leftovers.MUCH, 2),
        ([0.0, 0.5, 0.9], leftovers.MUCH, 0),
        ([0.0, 0.5, 0.501], leftovers.MUCH, 1),
        ([0.0, 0.001, 0.002], leftovers.MUCH - 1, 0),
    ],
    ids=["quiet", "busy", "quiet_at_last", "little_has_come"],
)
def test_it_waits_for_a_quiet_moment(
    worked: list[float], come: int, collected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[int] = []
    clock: Iterator[float] = iter(worked)

    async def moment(seconds: float) -> None:
        if len(moments) == len(worked) - 1:
            raise asyncio.CancelledError
        moments.append(seconds)

    moments: list[float] = []
    monkeypatch.setattr(time, "process_time", lambda: next(clock))
    monkeypatch.setattr(asyncio, "sleep", moment)
    monkeypatch.setattr(gc, "get_count", lambda: (0, come, 0))
    monkeypatch.setattr(gc, "collect", lambda: found.append(1))
    looking = leftovers.collect_when_quiet()
    with pytest.raises(asyncio.CancelledError):
        looking.send(None)
    assert len(found) == collected
