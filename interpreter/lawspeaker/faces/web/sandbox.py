"""Plays games by visitors' rules, each in a process of its own.

Nobody has reviewed such rules. They cannot reach anything outside their game, but may loop forever
or exhaust memory. So the server itself neither reads nor plays them. Each such game has a process
with low priority and limits on memory and on the processor time of an operation; exceeding them
kills this process and nothing else. The next operation gets a new process, in which the game is
replayed up to the last stored reply.

A process responds in JSON, which the server parses as data of the expected type (`wire`). One that
sends anything else is killed, and the table reports an error.

The system counts processor time and kills a process that exceeds it (SIGPROF), whatever it is
doing. On systems without such a timer, wall-clock time counts.

The number of processes is limited. When another game needs one, the least recently used game loses
its own.

The name of such rules contains `./`, as files do on the command line; nothing on offer has such a
name.
"""

from __future__ import annotations

import logging
import os
import signal
import traceback
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event, Lock, Timer
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import RuleFile
from lawspeaker.faces.web import wire
from lawspeaker.faces.web.game_in_play import GameInPlay, Refused
from lawspeaker.faces.web.processes import beginning, confine
from lawspeaker.faces.web.store import Broken, KeptReply, KeptTable
from lawspeaker.match.game import Game
from lawspeaker.outside.crew import come_and_go

if TYPE_CHECKING:  # a page without a server has no processes
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

OWN = "./"
MEMORY = 512 * 1024 * 1024
"""Memory limit of a process in bytes."""
NICENESS = 5
"""Niceness of a process relative to the server."""
OPENING = 3
"""Time limit for opening a game, which first compiles its rules, as a multiple of an operation's.
"""
REPLYING = 0.8
"""Fraction of an operation's time limit for all replies of a game together, so that a replay stays
within the limit."""
WAITING = 10
"""Wall-clock timeout as a multiple of the processor time, since other processes compete."""
DONE, REFUSED, BROKEN, NO_ROOM, FAILED = "done", "refused", "broken", "no room", "failed"

log = logging.getLogger("lawspeaker.web")

P = ParamSpec("P")
T = TypeVar("T")


def is_draft(name: str) -> bool:
    """Whether rules of this name are a visitor's draft."""
    return OWN in name


@dataclass(frozen=True, slots=True)
class GameOpening:
    """A request to open a game from its stored data; `most_spent` bounds the time of all its
    replies."""

    kept: KeptTable
    files: tuple[RuleFile, ...]
    replies: tuple[KeptReply, ...]
    most_spent: float

    def opened(self) -> GameInPlay:
        # Imported here: a published game is compiled already and has no compiler.
        from lawspeaker.outside.loading import compile_bundle

        diagnostics = Diagnostics()
        program = compile_bundle(self.files, diagnostics, self.kept.rules)
        if program is None:
            raise Broken(diagnostics.sorted()[0].message)
        game = Game(program, self.kept.rules, self.files)
        return GameInPlay(game, self.kept, self.replies, self.most_spent)

    @property
    def answer(self) -> Any:
        """The type of the response: the replies with their current option numbers."""
        return list[KeptReply]


@dataclass(frozen=True, slots=True)
class GameOperation:
    """A request to perform an operation on the open game."""

    operation: Callable[..., Any]
    args: tuple[Any, ...]
    kwargs: Mapping[str, Any]

    @property
    def answer(self) -> Any:
        """The type of the response."""
        return wire.returned(self.operation)


class OutOfBounds(Exception):
    """Raised when an operation took too long, too much memory, or failed; nothing has changed.

    `code` is too_long, too_much or our_fault.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Processes:
    """A pool of processes for a limited number of games; the others are reopened on demand.

    `seconds` is the processor time of an operation; `reads` are folders that the processes may read
    besides those of the program. At most `most` games may make requests at the same time, which the
    caller must ensure.
    """

    def __init__(
        self, most: int, seconds: float, memory: int = MEMORY, reads: Sequence[Path] = ()
    ) -> None:
        self.most = most
        self.seconds = seconds
        self._bounds = memory, tuple(reads)
        self._lock = Lock()
        self._all: set[Worker] = set()
        self._resting: OrderedDict[SandboxedGame, Worker] = OrderedDict()

    def take(self, game: SandboxedGame) -> Worker | None:
        """Takes the process in which a game is open out of the pool, if there still is one."""
        with self._lock:
            return self._resting.pop(game, None)

    def new(self) -> Worker:
        """Starts a process, evicting the least recently used one if the pool is full."""
        with self._lock:
            if len(self._all) >= self.most and self._resting:
                _, oldest = self._resting.popitem(last=False)
                self._end(oldest)
            worker = Worker(*self._bounds)
            self._all.add(worker)
            return worker

    def give_back(self, game: SandboxedGame, worker: Worker) -> None:
        with self._lock:
            self._resting[game] = worker

    def end(self, worker: Worker | None) -> None:
        if worker is not None:
            with self._lock:
                self._end(worker)

    def _end(self, worker: Worker) -> None:
        worker.end()
        self._all.discard(worker)

    def close(self) -> None:
        with self._lock:
            for each in list(self._all):
                self._end(each)
            self._resting.clear()


class SandboxedGame:
    """A proxy for a `GameInPlay` in another process.

    `do` performs an operation there; it raises OutOfBounds, and whatever the operation raises.
    """

    sandboxed = True

    def __init__(
        self,
        processes: Processes,
        kept: KeptTable,
        files: Sequence[RuleFile],
        replies: Sequence[KeptReply] = (),
    ) -> None:
        self._processes = processes
        self._kept = kept
        self._files = tuple(files)
        self._closed = False
        self.given: list[KeptReply] = list(replies)
        self._rest(self._opened())

    def do(
        self, operation: Callable[Concatenate[GameInPlay, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        worker = self._processes.take(self) or self._opened()
        try:
            found: T = worker.ask(GameOperation(operation, args, kwargs), self._processes.seconds)
        except Refused:
            self._rest(worker)
            raise
        except BaseException:
            self._processes.end(worker)
            raise
        self._rest(worker)
        return found

    def close(self) -> None:
        self._closed = True
        self._processes.end(self._processes.take(self))

    def _opened(self) -> Worker:
        """Starts a process and replays the game in it up to the last stored reply."""
        worker, seconds = self._processes.new(), self._processes.seconds
        try:
            opening = GameOpening(self._kept, self._files, tuple(self.given), REPLYING * seconds)
            self.given = worker.ask(opening, OPENING * seconds)
        except BaseException:
            self._processes.end(worker)
            raise
        return worker

    def _rest(self, worker: Worker) -> None:
        if self._closed:
            self._processes.end(worker)
        else:
            self._processes.give_back(self, worker)


class Worker:
    """A worker process and the pipe to it."""

    def __init__(self, memory: int, reads: tuple[Path, ...] = ()) -> None:
        context = beginning()
        self._line, theirs = context.Pipe()
        self._process: BaseProcess = context.Process(
            target=_work, args=(theirs, memory, reads), daemon=True
        )
        self._process.start()
        theirs.close()

    def ask(self, wanted: GameOpening | GameOperation, seconds: float) -> Any:
        """Sends a request and returns the result; raises OutOfBounds, and what the operation
        raises."""
        try:
            kind, told = wire.decoded(self._answered(wanted, seconds))
            if kind == DONE:
                return wire.fit(told, wanted.answer)
            if kind == REFUSED:
                raise Refused.from_json(told)
            if kind == BROKEN:
                raise Broken(wire.for_log(wire.fit(told, str)))
            if kind == NO_ROOM:
                raise OutOfBounds("too_much")
            where = wire.fit(told, str)
        except wire.Malformed as malformed:
            where = f"its answer was malformed: {malformed}"
        log.error("a game that is played apart has failed%s", wire.for_log(where))
        raise OutOfBounds("our_fault")

    def _answered(self, wanted: GameOpening | GameOperation, seconds: float) -> bytes:
        """Sends a request and returns the bytes of the response; raises OutOfBounds.

        A process that does not read, or stops in the middle of its response, is killed like one
        that does not respond.
        """
        late = Event()

        def give_up() -> None:
            late.set()
            self._process.kill()

        clock = Timer(seconds * WAITING if _has_clock() else seconds, give_up)
        clock.daemon = True
        clock.start()
        try:
            self._line.send((wanted, seconds))
            return self._line.recv_bytes(wire.LARGEST)
        except (EOFError, OSError):
            self._process.join(1)
            cut = late.is_set() or (_has_clock() and self._process.exitcode == -signal.SIGPROF)
            raise OutOfBounds("too_long" if cut else "too_much") from None
        finally:
            clock.cancel()

    def end(self) -> None:
        self._process.kill()
        self._process.join(1)
        self._line.close()


def _has_clock() -> bool:
    """Whether the system kills a process that exceeds its processor time."""
    return hasattr(signal, "setitimer")


def _work(line: Connection, memory: int, reads: tuple[Path, ...]) -> None:
    """The main loop of a worker process."""
    confine(memory, reads)
    come_and_go()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    games: list[GameInPlay] = []
    while True:
        try:
            wanted, seconds = line.recv()
        except (EOFError, OSError):
            return
        if _has_clock():
            signal.setitimer(signal.ITIMER_PROF, seconds)
        answer = _done(wanted, games)
        if _has_clock():
            signal.setitimer(signal.ITIMER_PROF, 0)
        with suppress(OSError):
            line.send_bytes(answer)


def _done(wanted: GameOpening | GameOperation, games: list[GameInPlay]) -> bytes:
    """Performs a request and returns the encoded response. `games` holds the one open game."""
    try:
        if isinstance(wanted, GameOperation):
            found = wire.encoded(DONE, wanted.operation(games[0], *wanted.args, **wanted.kwargs))
        else:
            games.append(wanted.opened())
            found = wire.encoded(DONE, games[0].given)
        return found if len(found) <= wire.LARGEST else wire.encoded(NO_ROOM)
    except Refused as refused:
        return wire.encoded(REFUSED, refused)
    except Broken as broken:
        return wire.encoded(BROKEN, str(broken))
    except (MemoryError, RecursionError):
        return wire.encoded(NO_ROOM)
    except Exception as error:
        # The traceback, but not the message: that may be a visitor's text.
        where = "".join(traceback.format_tb(error.__traceback__))
        return wire.encoded(FAILED, f"{where}{type(error).__name__}")
