"""A pool of processes in which the bots of a server think.

A page without a server has no processes: it runs `bots_at_table` in a worker of the browser.
"""

from __future__ import annotations

import logging
from concurrent.futures import Executor, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context

from lawspeaker.outside.crew import come_and_go, end

log = logging.getLogger("lawspeaker.web")


class Thinkers:
    """The pool of worker processes in which bots think, started on first use."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._pool: ProcessPoolExecutor | None = None
        self._stopping = False

    def pool(self) -> Executor:
        """Returns the pool; raises TimeoutError once the server is stopping."""
        if self._stopping:
            raise TimeoutError
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._processes, mp_context=get_context("spawn"), initializer=come_and_go
            )
        return self._pool

    def broke(self, pool: Executor) -> None:
        """Discards a broken pool, in which one process has died; the next bot gets a new one."""
        if pool is self._pool:
            log.warning("a process in which bots think has died; starting others")
            self.close()

    def stop(self) -> None:
        """Kills all worker processes at once: any computation can be repeated after a restart.

        Otherwise Python would wait for each of them.
        """
        self._stopping = True
        if self._pool is not None:
            end(self._pool)
            self._pool = None

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None


__all__ = ["BrokenProcessPool", "Thinkers"]
