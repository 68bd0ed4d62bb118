"""Runs jobs in this process, in a process pool, or on a Dask cluster.

Work is a top-level function and a list of jobs, each a tuple of plain values. Results come back
in the order of the jobs. A cluster is a Dask scheduler whose workers have Lawspeaker installed
(extra `cluster`).

A process pool is kept for the next experiment, since its workers have compiled the rules. One that
is left in the middle of its jobs is killed: nobody waits for what is not wanted any more.
"""

from __future__ import annotations

import atexit
import os
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeVar

from lawspeaker.base.diagnostics import Failure

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

T = TypeVar("T")
PATIENCE = 10
"""Timeout in seconds for the cluster to answer."""
WORKERS_PATIENCE = 60
"""Timeout in seconds for its first worker to connect."""
AHEAD = 4
"""Jobs in flight per worker: results come in order, and nobody idles behind a slow job."""
MOST_ON_WINDOWS = 61
"""Processes that a pool can wait for there."""

_idle: dict[int, ProcessPoolExecutor] = {}
"""By number of workers, a pool that nobody uses at the moment."""
# Their workers have ended by then; a pool that outlives its modules would complain.
atexit.register(_idle.clear)


class NoCluster(Failure):
    """The cluster cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Crew:
    """Executor configuration: a number of local processes, or the address of a cluster."""

    workers: int = 1
    cluster: str = ""

    @property
    def alone(self) -> bool:
        """Whether all jobs run in this process."""
        return not self.cluster and self.workers <= 1

    @property
    def hands(self) -> int:
        """Number of jobs that may run in parallel; for a cluster, an assumed number."""
        return self.workers if not self.cluster else 64

    def spread(self, work: Callable[..., T], jobs: Sequence[tuple[Any, ...]]) -> Iterator[T]:
        """Yields the result of each job, in order."""
        if self.alone or (len(jobs) <= 1 and not self.cluster):
            for job in jobs:
                yield work(*job)
        elif self.cluster:
            yield from self._on_the_cluster(work, jobs)
        else:
            yield from self._in_processes(work, jobs)

    def _in_processes(self, work: Callable[..., T], jobs: Sequence[tuple[Any, ...]]) -> Iterator[T]:
        pool = _idle.pop(self.workers, None) or _pool(self.workers)
        try:
            rest = (_submitted(pool, work, job) for job in jobs)
            flying = deque(islice(rest, AHEAD * self.workers))
            while flying:
                yield flying.popleft().result()
                flying.extend(islice(rest, 1))
        except BaseException:
            end(pool)
            raise
        if self.workers in _idle:  # of another experiment that went on at the same time
            end(pool)
        else:
            _idle[self.workers] = pool

    def _on_the_cluster(
        self, work: Callable[..., T], jobs: Sequence[tuple[Any, ...]]
    ) -> Iterator[T]:
        with _client(self.cluster) as client:
            try:
                client.wait_for_workers(1, timeout=WORKERS_PATIENCE)
            except TimeoutError:
                waited = f"no worker has come in {WORKERS_PATIENCE} seconds"
                raise NoCluster(
                    f"the cluster at {self.cluster} has nobody to work: {waited}"
                ) from None
            there = max(self.hands, sum(client.nthreads().values()))
            # Not `pure`: a scheduler may not answer with the results of an older Lawspeaker.
            rest = (client.submit(work, *job, pure=False) for job in jobs)
            flying = deque(islice(rest, AHEAD * there))
            while flying:
                yield flying.popleft().result()
                flying.extend(islice(rest, 1))


def _pool(workers: int) -> ProcessPoolExecutor:
    # Imported here because serial runs do not need it, and browsers do not have it.
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    most = MOST_ON_WINDOWS if sys.platform == "win32" else workers
    context = get_context("spawn")
    return ProcessPoolExecutor(min(workers, most), mp_context=context, initializer=_begin)


def end(pool: ProcessPoolExecutor) -> None:
    """Kills all workers of a pool at once; otherwise Python would wait for each of them."""
    for process in tuple((pool._processes or {}).values()):
        process.kill()
    pool.shutdown(wait=False, cancel_futures=True)


def _submitted(
    pool: ProcessPoolExecutor, work: Callable[..., T], job: tuple[Any, ...]
) -> Future[T]:
    """Submits a job, which may start a worker.

    SIGINT waits meanwhile: the worker is to inherit that from its first instruction, and the
    parent must not lose it. And the worker is not told of the main module where it does not need
    it: a script without a guard would begin anew there.
    """
    if threading.current_thread() is not threading.main_thread():
        return pool.submit(work, *job)
    main = sys.modules["__main__"]
    if work.__module__ != "__main__":
        sys.modules["__main__"] = ModuleType("__main__")
    try:
        with _interrupted_later():
            return pool.submit(work, *job)
    finally:
        sys.modules["__main__"] = main


@contextmanager
def _interrupted_later() -> Iterator[None]:
    """Blocks SIGINT, here and in processes that are started; it arrives at the end. Where signals
    cannot be blocked, it is ignored.
    """
    if sys.platform == "win32":
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
        return
    from multiprocessing.resource_tracker import ensure_running

    ensure_running()  # it unblocks SIGINT when it starts
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)


def _begin() -> None:
    """Prepares a worker. Its siblings have the other cores, so numpy gets one."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    come_and_go()


def come_and_go() -> None:
    """Ignores SIGINT in a worker, and ends it with its parent, however that ends.

    A terminal signals all processes, and the parent ends the others.
    """
    from multiprocessing import parent_process

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = parent_process()
    assert parent is not None

    def wait_for_the_end() -> None:
        parent.join()
        os._exit(0)

    threading.Thread(target=wait_for_the_end, daemon=True).start()


def cores() -> int:
    """Number of cores available to this process."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not available on every system
        return os.cpu_count() or 1


def _client(address: str) -> Any:
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise NoCluster("a cluster needs Dask: pip install 'lawspeaker[cluster]'") from None
    try:
        return Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise NoCluster(f"there is no cluster at {address}: {error}") from None
