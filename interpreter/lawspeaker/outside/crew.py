"""Who does the work: this process, all cores of this machine, or a cluster. An edge.

Work is a function at the top level of a module and a list of jobs, each a tuple of plain values.
Results come back in the order of the jobs, whoever did them. Processes are joblib's; a cluster is
a Dask scheduler whose workers have Lawspeaker installed (the extra `cluster`).
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
"""Seconds a cluster has to answer."""
WORKERS_PATIENCE = 60
"""Seconds its first worker has to come."""


class NoCluster(Exception):
    """The cluster cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Crew:
    """So many processes of this machine, or the workers of a cluster at this address."""

    workers: int = 1
    cluster: str = ""

    @property
    def alone(self) -> bool:
        """Whether all is done in this process."""
        return not self.cluster and self.workers <= 1

    @property
    def hands(self) -> int:
        """How many jobs may be done at once, as far as that is known here."""
        return self.workers if not self.cluster else 64

    def spread(self, work: Callable[..., T], jobs: Sequence[tuple[Any, ...]]) -> Iterator[T]:
        """What becomes of each job, in order."""
        if self.alone or (len(jobs) <= 1 and not self.cluster):
            for job in jobs:
                yield work(*job)
            return
        # Here and not above: who does all alone need not wait for it.
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
    """For the moment in which workers are started nobody listens to an interruption: what is not
    listened to here is not listened to there either, from their first instruction on."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _leave_stopping_to_the_first() -> None:
    """A terminal interrupts all processes at once; the first ends the others without a word."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _leave(results: Generator[Any]) -> None:
    """Lets go of jobs that are still under way: whoever stops early has seen enough, and joblib
    need not tell the user how the program should have been written."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        results.close()


def cores() -> int:
    """How many cores this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not every system knows affinity
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
