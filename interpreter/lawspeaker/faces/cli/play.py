"""`lawspeaker play`: plays a game in the terminal, with people, bots, or both.

The logic is in `faces/play`; this module reads lines, writes files, and handles signals.
"""

from __future__ import annotations

import secrets
import shlex
import signal
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from types import FrameType
from typing import Annotated, NoReturn

import typer
from rich.console import Console

from lawspeaker import ir
from lawspeaker.base.counts import not_for
from lawspeaker.base.diagnostics import Diagnostics, did_you_mean
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import joined
from lawspeaker.faces.cli.common import complain, fail, show_and_leave, show_diagnostics
from lawspeaker.faces.cli.learned import tell_learned
from lawspeaker.faces.play import Session
from lawspeaker.faces.play.pausing import Paused
from lawspeaker.faces.play.shown import Curtain, SaveRequest, Shown, ShownNote
from lawspeaker.faces.render.screen import Screen
from lawspeaker.faces.web.strengths import called, ladder, usual
from lawspeaker.match.game import Game
from lawspeaker.match.match import ImpossibleLuck, Match
from lawspeaker.match.replay import Replay
from lawspeaker.outside.chance_file import ChanceFile, read_chance_file
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import game_of, load
from lawspeaker.outside.storage import NotSaved, open_log, save, state_folder, try_to_write
from lawspeaker.players import bots

HUMAN = "human"


def play(
    name: Annotated[
        str, typer.Argument(help="The game: a name, a folder or a file.", show_default=False)
    ] = "",
    seats: Annotated[
        str,
        typer.Option(
            help="Who sits where, with commas: human, or a bot (random, greedy, mc:100, tree:3000)."
        ),
    ] = "",
    players: Annotated[
        int, typer.Option(help="How many play; as many as can, unless said.", show_default=False)
    ] = 0,
    seed: Annotated[
        int, typer.Option(help="Decides all luck; any, unless said.", min=-1, show_default=False)
    ] = -1,
    luck: Annotated[
        str, typer.Option(help="A file that tells what luck brings.", metavar="FILE")
    ] = "",
    lang: Annotated[str, typer.Option(help="The language, such as en or de.")] = "",
    log: Annotated[str, typer.Option(help="The file the game is kept in after every move.")] = "",
    resume: Annotated[str, typer.Option(help="Go on with a game from its file.")] = "",
    discreet: Annotated[
        bool, typer.Option("--discreet", help="Ask all who might answer, not only who can.")
    ] = False,
) -> None:
    """Play a game in the terminal.

    You sit in the first seat and bots in the others, unless --seats says otherwise. With no
    terminal attached, bots play a game among themselves, which is printed.

    Example: lawspeaker play GAME --seed 7

    Example: lawspeaker play GAME --lang en --log game.json

    A file for --luck has lists, such as `deck: [queen, jack, ...]`: by a place what is drawn from
    it, by a clause what it picks; `...` leaves the rest to the seed.

    If the rules fault, the game is paused: those at the table can agree to go on from an earlier
    point, or end it.

    Exit code 0: the game was played, or left to be continued. 1: its rules or its log have a
    fault. 2: the command was called wrongly.
    """
    if resume:
        if luck:
            fail(f"the luck of {resume} was told when that game began; leave --luck out", 2)
        game, match, names, file, paused = _resumed(resume, seats)
        told = None
    else:
        game = _game(name)
        names = _seats(game, seats, players)
        told = _luck(luck)
        match, file, paused = _started(game, len(names), seed, discreet, told), None, None
    language = _language(game, lang)
    sitting = [
        None if each == HUMAN else _bot(each, match.state.seed, seat)
        for seat, each in enumerate(names)
    ]
    tell_learned(match.program, names)
    session = Session(match, sitting, language, paused)
    if log:
        if Path(log).exists() and Path(log) != file:
            fail(f"{log} is there already; --resume {log} goes on with it", 2)
        file = Path(log)
        try_to_write(file)
    elif file is None and session.people:
        file = _own_file(game)
    table = _Table(session, game, names, file, bool(log))
    try:
        table.play(resumed=bool(resume))
    except ImpossibleLuck as impossible:
        _cannot_come(impossible, told)


# -------------------------------------------------------------------- arguments


def _game(name: str) -> Game:
    if not name:
        names = ", ".join(Library().games())
        fail(f"which game? lawspeaker play NAME\nThere are {names}.", 2)
    return load(name)


def _started(game: Game, players: int, seed: int, discreet: bool, luck: ChanceFile | None) -> Match:
    chosen = secrets.randbelow(1_000_000) if seed < 0 else seed
    how = "discreet" if discreet else "quick"
    try:
        return game.start(players, chosen, discretion=how, luck=None if luck is None else luck.told)
    except ImpossibleLuck as impossible:
        _cannot_come(impossible, luck)


def _luck(file: str) -> ChanceFile | None:
    if not file:
        return None
    diagnostics = Diagnostics()
    luck = read_chance_file(Path(file), diagnostics)
    if luck is None:
        show_and_leave(diagnostics.sorted())
    return luck


def _cannot_come(impossible: ImpossibleLuck, luck: ChanceFile | None) -> NoReturn:
    """Exits with the error for an impossible sequence of chance, with its place in the file."""
    if luck is None:
        fail(str(impossible))
    show_diagnostics([luck.diagnostic(impossible)])
    raise typer.Exit(1)


def _bot(name: str, seed: int, seat: int) -> bots.Bot:
    return bots.bot(name, bots.seat_seed(seed, seat), time.monotonic)


def _terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _seats(game: Game, seats: str, players: int) -> list[str]:
    names = [each.strip().lower() for each in seats.split(",")] if seats else []
    count = players or len(names) or game.program.most
    if count not in game.players:
        fail(not_for(game.name, game.players, count), 2)
    if not names:
        if not _terminal():
            return ["greedy"] * count
        levels = ladder(game.name.partition("+")[0], Library())
        return [HUMAN, *[usual(game.program, levels)] * (count - 1)]
    known = [HUMAN, *bots.BOTS]
    for each in names:
        if each != HUMAN and bots.name_error(each, timed=True):
            hint = did_you_mean(each, known) or f"known: {', '.join(known)}"
            fail(f"nobody called `{each}` can play; {hint}", 2)
    if len(names) != count:
        named = "1 seat is" if len(names) == 1 else f"{len(names)} seats are"
        fail(f"{named} named for {count} players", 2)
    return names


def _language(game: Game, lang: str) -> str:
    known = game.program.languages
    if not lang:
        return known[0]
    if lang not in known:
        fail(f"{game.name} has no names in `{lang}`, only in {', '.join(known)}", 2)
    return lang


def _resumed(resume: str, seats: str) -> tuple[Game, Match, list[str], Path, Paused | None]:
    """Replays a log; returns the game, the match, the seats, the file, and the pause if there is
    one."""
    path, diagnostics = Path(resume), Diagnostics()
    kept = open_log(path, diagnostics)
    found = None if kept is None else game_of(kept, diagnostics)
    if kept is None or found is None:
        show_and_leave(diagnostics.sorted())
    if kept.chance == "ask":
        fail(f"in the game of {resume} luck is asked: it can be replayed, but not played on", 2)
    game, _ = found
    again = Replay(game.program, kept)
    details = [step.fault for step in again][-1]
    if again.difference is not None:
        show_diagnostics([again.difference.diagnostic()])
        raise typer.Exit(1)
    assert again.match is not None
    names = _seats(game, seats or ",".join(kept.seats), kept.players)
    paused = None if kept.fault is None else Paused.of(kept.fault, details)
    return game, again.match, names, path, paused


def _own_file(game: Game) -> Path | None:
    """Returns the default log file: a new one in the user's state folder."""
    folder = state_folder()
    now = datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder / f"{game.program.name}-{now}.json"


# -------------------------------------------------------------------- session


class _Left(Exception):
    """Raised when the player leaves, by Ctrl-C or Ctrl-D, or because the terminal closed."""


class _Table:
    """Runs a session: reads lines, prints output, and saves the game."""

    def __init__(
        self, session: Session, game: Game, names: list[str], file: Path | None, asked: bool
    ) -> None:
        self.session = session
        self.game = game
        self.names = names
        self.file = file
        self.asked = asked
        self.language = session.language
        self.console = Console(highlight=False)
        self.screen = Screen(self.console, session.match.machine.layout, session.language)
        self.trouble = ""
        self.written: set[Path] = set()

    def say(self, key: str, **values: object) -> str:
        return phrase(key, self.language, **values)

    def play(self, resumed: bool) -> None:
        self.greet(resumed)
        try:
            with _interruptions():
                self.run()
        except (_Left, KeyboardInterrupt):
            self.screen.line()
        except ImpossibleLuck:
            self.keep(None)
            raise
        session = self.session
        ended = session.match.finished or (session.paused is not None and session.paused.ended)
        if not ended:
            self.farewell()
        if session.paused is not None:
            fail(session.details or self.say("table.paused"))

    def run(self) -> None:
        session = self.session
        self.show(session.start())
        if session.people:
            _completing(session)
        while not session.done:
            if session.waits_for == "others":
                self.show(session.step())
            else:
                self.show(session.answer(self.read()))

    def show(self, shown: Iterable[Shown]) -> None:
        items = list(shown)
        for each in items:
            if isinstance(each, SaveRequest):
                self.keep(each.file)
            elif isinstance(each, Curtain):
                _forget_lines()
        self.screen.show(items)

    def read(self) -> str:
        prompt = "> "
        if self.session.waits_for == "curtain":
            seat = self.session.facing or 0
            prompt = self.say("curtain.ready", player=self.session.name(seat)) + " "
        try:
            return input(prompt)
        except (EOFError, UnicodeDecodeError):
            raise _Left from None

    # ------------------------------------------------------------ saving

    def keep(self, file: str | None) -> None:
        """Saves the game: to its own file, or to one the player names."""
        target = Path(file).expanduser() if file else self.file
        if target is None:
            return
        if file and target not in self.written and target.exists():
            self.screen.show([ShownNote(self.say("save.exists", file=file), "bad")])
            return
        try:
            save(target, self.session.record(self.names, self.game.files))
        except NotSaved as error:
            if file or not self.trouble:
                self.screen.show([ShownNote(str(error), "bad")])
            self.trouble = "" if file else str(error)
            return
        self.written.add(target)
        if file:
            self.screen.show([ShownNote(self.say("save.done", file=file))])
        else:
            self.trouble = ""

    def _seated(self, seat: int, who: str) -> str:
        """Describes the occupant of a seat; of a bot, its strength."""
        name = self.session.name(seat)
        if who == HUMAN:
            return name
        strength = called(self.game.name.partition("+")[0], who, self.language)
        return f"{name} ({phrase('web.bot', self.language, strength=strength)})"

    def greet(self, resumed: bool) -> None:
        match, program = self.session.match, self.game.program
        title = ir.in_language(program.title, self.language, program.name)
        if "+" in self.game.name:
            title += f" [{self.game.name}]"
        seats = [self._seated(seat, who) for seat, who in enumerate(self.names)]
        text = self.say("start.game", title=title, players=", ".join(seats))
        seed = self.say("start.seed", seed=match.state.seed)
        shown = [ShownNote(joined((text, seed), self.language), "strong")]
        about = ir.in_language(program.about, self.language)
        if about and not resumed:
            shown.append(ShownNote(about, "quiet"))
        if resumed:
            shown.append(ShownNote(self.say("start.resumed", count=len(match.replies)), "quiet"))
        if self.asked and self.file:
            shown.append(ShownNote(self.say("start.kept", file=self.file), "quiet"))
        self.screen.show(shown)

    def farewell(self) -> None:
        """Prints how to resume the game."""
        if not self.session.people and not self.asked:
            return
        self.keep(None)
        if self.file is None or self.trouble:
            complain(self.say("quit.lost", reason=self.trouble or "–"))
            return
        command = f"lawspeaker play --resume {shlex.quote(str(self.file))}"
        if self.language != self.game.program.languages[0]:
            command += f" --lang {self.language}"
        with suppress(OSError):
            self.screen.line(self.say("quit.resume", command=command))


@contextmanager
def _interruptions() -> Iterator[None]:
    """Turns SIGTERM and SIGHUP into leaving the game."""

    def leave(number: int, frame: FrameType | None) -> None:
        raise _Left

    before = {}
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None:
            before[number] = signal.signal(number, leave)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _completing(session: Session) -> None:
    """Enables tab completion, where readline is available."""
    with suppress(ImportError):
        import readline

        found: list[str] = []

        def complete(text: str, number: int) -> str | None:
            if number == 0:
                begun = text.casefold()
                found[:] = [
                    each for each in session.completions() if each.casefold().startswith(begun)
                ]
            return found[number] if number < len(found) else None

        readline.set_completer(complete)
        readline.set_completer_delims("")
        readline.parse_and_bind("tab: complete")


def _forget_lines() -> None:
    """Clears the line history, so that the next player cannot recall what another typed."""
    with suppress(ImportError):
        import readline

        readline.clear_history()
