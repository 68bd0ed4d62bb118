"""Runs jobs in this process, in a process pool, or on a Dask cluster.

Work is a top-level function and a list of jobs, each a tuple of plain values. Results come back
in the order of the jobs. Process pools are joblib's; a cluster is a Dask scheduler whose workers
have Lawspeaker installed (extra `cluster`).
"""

from __future__ import annotations

import os
import signal
import threading
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")
PATIENCE = 10
"""Timeout in seconds for the cluster to answer."""
WORKERS_PATIENCE = 60
"""Timeout in seconds for its first worker to connect."""


class NoCluster(Exception):
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
            return
        # Imported here because serial runs do not need it.
        from joblib import Parallel, delayed

        with self._at_work() as how:
            pool = Parallel(return_as="generator", **how)
            with _uninterrupted():
                results: Generator[T] = pool(delayed(work)(*job) for job in jobs)
            try:
                for result in results:  # noqa: UP028 - `yield from` would leave them aloud
                    yield result
            finally:
                _leave(results)

    @contextmanager
    def _at_work(self) -> Iterator[dict[str, Any]]:
        if not self.cluster:
            yield {"n_jobs": self.workers, "initializer": _leave_stopping_to_the_first}
            return
        from joblib import parallel_config

        client = _client(self.cluster)
        try:
            with parallel_config("dask", wait_for_workers_timeout=WORKERS_PATIENCE):
                yield {"n_jobs": -1}
        except TimeoutError:
            waited = f"no worker has come in {WORKERS_PATIENCE} seconds"
            raise NoCluster(f"the cluster at {self.cluster} has nobody to work: {waited}") from None
        finally:
            client.close()


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """Ignores SIGINT while workers are started, so that they inherit that from their first
    instruction.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _leave_stopping_to_the_first() -> None:
    """Ignores SIGINT in a worker: a terminal signals all processes, and the parent ends the
    others.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _leave(results: Generator[Any]) -> None:
    """Cancels jobs in flight and silences joblib's warning about an unconsumed generator."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        results.close()


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
