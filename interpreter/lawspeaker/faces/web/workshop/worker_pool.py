"""A pool of confined processes that compile and play visitors' rules.

A rule file cannot reach anything outside its game. But it may be large, or crafted to keep a
machine busy, so it is never compiled in the server itself. Each process of the pool does one job at
a time, with limits on memory, processor time and file size. A job that exceeds its time is killed
with its process, and the next one gets a new process.

A process responds in JSON, parsed as data of the type that the job declares to yield (`wire`). One
that sends anything else is killed.

A job is a generator at the top level of a module. Each result is sent at once, so that a long job
can be followed; and a job can be stopped between results, so that its process keeps its compiled
games. With no processes at all, which is for tests, jobs run in a thread.
"""

from __future__ import annotations

import asyncio
import logging
import traceback
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lawspeaker.base.collecting import collect_now, collect_seldom
from lawspeaker.base.diagnostics import RulesError
from lawspeaker.faces.web import wire
from lawspeaker.faces.web.processes import (
    MEMORY,
    beginning,
    confine,
    counts_time,
    may_take,
    was_too_long,
)
from lawspeaker.outside.crew import come_and_go
from lawspeaker.study.compare.comparison import OtherGame

if TYPE_CHECKING:  # a page without a server has no processes
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

MODULES = 12
"""Number of compiled games cached in a process: as many as a sweep has values."""
WAITING = 6
"""Wall-clock timeout of a job as a multiple of its processor time."""
PATIENCE = 3.0
"""Seconds that a job has to stop by itself."""
TOLD, DONE, STOP = "told", "done", "stop"
NO_ROOM, BAD_RULES, FAILED = "no room", "bad rules", "failed"
REFUSED = (RulesError, OtherGame)
"""Exceptions with which a job rejects rules."""

log = logging.getLogger("lawspeaker.web")

Job = Callable[..., Iterator[Any]]


class Stopped(Exception):
    """Raised when a job was stopped early: a code for programs, and a sentence for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


TOO_LONG = ("too_long", "this takes too long; it was stopped")
TOO_MUCH = ("too_much", "these rules need more memory than there is for them here")
STOPPING = ("stopping", "the server is being stopped")
OUR_FAULT = ("our_fault", "something went wrong here; it has been noted")


class Worker:
    """A worker process and the pipe to it."""

    def __init__(self, process: BaseProcess, line: Connection) -> None:
        self.process = process
        self.line = line
        self._hearing: asyncio.Future[Any] | None = None

    async def hear(self, threads: ThreadPoolExecutor, seconds: float) -> tuple[str, Any]:
        """Returns its next message; raises wire.Malformed.

        If the wait is cancelled, nothing is lost: the next call returns the message.
        """
        if self._hearing is None:
            loop = asyncio.get_running_loop()
            self._hearing = loop.run_in_executor(threads, self._next)
            # When the process is killed, nobody may be waiting any more; that is no error.
            self._hearing.add_done_callback(_looked_at)
        told: tuple[str, Any] = await asyncio.wait_for(asyncio.shield(self._hearing), seconds)
        self._hearing = None
        return told

    def _next(self) -> tuple[str, Any]:
        return wire.decoded(self.line.recv_bytes(wire.LARGEST))

    def end(self) -> None:
        self.process.kill()


def _looked_at(hearing: asyncio.Future[Any]) -> None:
    if not hearing.cancelled():
        hearing.exception()


class WorkerPool:
    """Runs jobs in worker processes; excess jobs wait.

    `reads` are folders that the processes may read besides those of the program.
    """

    def __init__(self, processes: int, memory: int = MEMORY, reads: Sequence[Path] = ()) -> None:
        self._processes = processes
        self._bounds = memory, tuple(reads)
        self._closed = False
        # LIFO: the most recently used process has compiled games in its cache.
        self._slots: asyncio.LifoQueue[Worker | None] = asyncio.LifoQueue()
        for _ in range(max(1, processes)):
            self._slots.put_nowait(None)
        self._workers: set[Worker] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._threads = ThreadPoolExecutor(max(1, processes), thread_name_prefix="pool")

    def close(self) -> None:
        self._closed = True
        for each in self._workers:
            each.end()
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def warm(self) -> None:
        """Starts a process if there is none, so that the first job need not wait for it."""
        if self._processes == 0 or self._workers or self._slots.empty() or self._closed:
            return
        worker = self._slots.get_nowait()
        try:
            worker = worker or await self._in_thread(self._started)
        finally:
            self._slots.put_nowait(worker)

    async def run(self, job: Job, *args: Any, seconds: float) -> AsyncGenerator[Any, None]:
        """Runs a job and yields its results; raises Stopped when it exceeds its processor time.

        Whoever stops reading must close the generator.
        """
        worker = await self._slots.get()
        if self._closed:
            self._slots.put_nowait(worker)
            raise Stopped(*STOPPING)
        if self._processes == 0:
            try:
                async for each in self._here(job, args):
                    yield each
            finally:
                self._slots.put_nowait(None)
            return
        try:
            worker = worker or await self._in_thread(self._started)
            worker.line.send((job, args, seconds))
        except BaseException:
            self._give_back(worker, sound=False)
            raise
        sound: bool | None = None
        try:
            async for each in self._heard(worker, wire.yielded(job), seconds):
                yield each
            sound = True
        except Stopped as stopped:
            sound = stopped.code == "bad_rules"
            raise
        finally:
            if sound is None:
                task = asyncio.create_task(self._wind_down(worker))
                self._ending.add(task)
                task.add_done_callback(self._ending.discard)
            else:
                self._give_back(worker, sound)

    def _give_back(self, worker: Worker | None, sound: bool) -> None:
        if worker is not None and not sound:
            worker.end()
            self._workers.discard(worker)
            worker = None
        self._slots.put_nowait(worker)

    async def _wind_down(self, worker: Worker) -> None:
        """Asks an abandoned job to stop, and kills its process if it does not."""
        sound = False
        try:
            worker.line.send(STOP)
            while not sound:
                kind, _ = await worker.hear(self._threads, PATIENCE)
                sound = kind == DONE
        except (TimeoutError, EOFError, OSError, RuntimeError, wire.Malformed):
            sound = False
        finally:
            self._give_back(worker, sound)

    async def _heard(self, worker: Worker, kinds: Any, seconds: float) -> AsyncIterator[Any]:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + seconds * (WAITING if counts_time() else 1)
        while True:
            try:
                kind, told = await worker.hear(self._threads, deadline - loop.time())
                found = wire.fit(told, kinds if kind == TOLD else str | None)
            except TimeoutError:
                raise Stopped(*TOO_LONG) from None
            except (EOFError, OSError, RuntimeError):  # RuntimeError: the pool is closed
                if self._closed:
                    raise Stopped(*STOPPING) from None
                late = await self._in_thread(was_too_long, worker.process)
                raise Stopped(*(TOO_LONG if late else TOO_MUCH)) from None
            except wire.Malformed as malformed:
                log.error("a job of the workshop has answered nonsense: %s", malformed)
                raise Stopped(*OUR_FAULT) from None
            if kind == DONE:
                return
            if kind == NO_ROOM:
                raise Stopped(*TOO_MUCH)
            if kind == BAD_RULES:
                raise Stopped("bad_rules", str(found))
            if kind != TOLD:
                log.error("a job of the workshop has failed%s", wire.for_log(str(found)))
                raise Stopped(*OUR_FAULT)
            yield found

    async def _here(self, job: Job, args: tuple[Any, ...]) -> AsyncIterator[Any]:
        told, kinds = job(*args), wire.yielded(job)
        end = object()
        try:
            while (each := await self._in_thread(next, told, end)) is not end:
                yield wire.fit(wire.decoded(wire.encoded(TOLD, each))[1], kinds)
        except REFUSED as error:
            raise Stopped("bad_rules", why(error)) from None

    async def _in_thread(self, work: Callable[..., Any], *args: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)

    def _started(self) -> Worker:
        context = beginning()
        own, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, *self._bounds), daemon=True)
        process.start()
        theirs.close()
        worker = Worker(process, own)
        self._workers.add(worker)
        return worker


def why(error: Exception) -> str:
    """Returns the message with which a job rejected rules."""
    return error.diagnostics[0].message if isinstance(error, RulesError) else str(error)


def _work(line: Connection, memory: int, reads: tuple[Path, ...]) -> None:
    """The main loop of a worker process."""
    confine(memory, reads)
    come_and_go()
    # Imported here: the server itself does not need these.
    from lawspeaker.machines.adapter import keep_at_most
    from lawspeaker.outside.rules import leave_the_disk_alone

    keep_at_most(MODULES)
    leave_the_disk_alone()
    collect_seldom()
    while True:
        try:
            wanted = line.recv()
        except (EOFError, OSError):
            return
        if wanted == STOP:
            continue  # the job ended before the request to stop arrived
        job, args, seconds = wanted
        may_take(seconds)
        try:
            for each in job(*args):
                told = wire.encoded(TOLD, each)
                if len(told) > wire.LARGEST:
                    raise MemoryError
                line.send_bytes(told)
                if line.poll():  # the only possible message is STOP
                    line.recv()
                    break
            line.send_bytes(wire.encoded(DONE))
            may_take(0)
            collect_now()
        except (MemoryError, RecursionError):
            line.send_bytes(wire.encoded(NO_ROOM))
            return  # its memory is freed with the process
        except REFUSED as error:
            line.send_bytes(wire.encoded(BAD_RULES, why(error)))
        except Exception as error:
            # The traceback, but not the message: that may be a visitor's text.
            where = "".join(traceback.format_tb(error.__traceback__))
            line.send_bytes(wire.encoded(FAILED, f"{where}{type(error).__name__}"))
