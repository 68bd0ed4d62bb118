"""`lawspeaker replay`: replays a logged game and checks its outcome."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.cli.common import as_json, complain, fail, say, show_diagnostics
from lawspeaker.faces.cli.common import game as load_game
from lawspeaker.faces.cli.options import AsJson, Html, Lang, spoken
from lawspeaker.faces.render import replay as shown
from lawspeaker.faces.render import replay_under as shown_under
from lawspeaker.ir.types import PLAYER
from lawspeaker.match.game import Game
from lawspeaker.match.log import Log
from lawspeaker.match.match import Match
from lawspeaker.match.replay import Replay, ReplayStep
from lawspeaker.outside.loading import game_of
from lawspeaker.outside.storage import open_log, save, write
from lawspeaker.position.layout import Layout
from lawspeaker.study.compare.replay_under import replayed_under as played_under
from lawspeaker.study.reporting import reported

ONLOOKER = "onlooker"


def replay(
    log: Annotated[
        Path, typer.Argument(help="A log, or with --of a file of games.", metavar="LOG")
    ],
    step: Annotated[bool, typer.Option("--step", help="Wait for Enter after each step.")] = False,
    first: Annotated[int, typer.Option("--from", help="Show from this reply on (0: start).")] = 0,
    last: Annotated[int, typer.Option("--to", help="Show up to this reply.")] = -1,
    under: Annotated[
        str, typer.Option("--under", help="Play it by these rules instead.", metavar="NAME")
    ] = "",
    of: Annotated[
        str,
        typer.Option(
            "--of", help="Read a PGN, PDN or SGF file as a game by these rules.", metavar="NAME"
        ),
    ] = "",
    which: Annotated[
        int | None, typer.Option("--game", min=1, help="With --of: which game of the file.")
    ] = None,
    log_to: Annotated[
        Path | None,
        typer.Option("--log", help="With --of: save the game as a log.", metavar="FILE"),
    ] = None,
    notation: Annotated[
        bool,
        typer.Option("--notation", help="Print the game as its notation has it: PGN, PDN or SGF."),
    ] = False,
    lang: Lang = "",
    json: AsJson = False,
    html: Html = None,
    scenario: Annotated[
        Path | None,
        typer.Option(
            "--scenario", help="Write the position after --to replies there.", metavar="FILE"
        ),
    ] = None,
    seat: Annotated[
        str,
        typer.Option(
            "--seat",
            help="With --html: what this seat saw alone (1, 2, …, or `onlooker`).",
            metavar="SEAT",
        ),
    ] = "",
) -> None:
    """Play a logged game again; does it come out the same?

    A log is played by the rules it was played with: the installed ones if they have not changed,
    or else those that it carries. Where it carries none, it is played by the rules of today, up to
    the first reply after which something else happens.

    Example: lawspeaker replay game.log --from 10 --to 20

    With --under it says where the game would first have gone otherwise by other rules, and the
    scores under both as far as both go.

    Example: lawspeaker replay game.log --under GAME+VARIANT

    With --html the game becomes one page that opens in any browser, without a server: the table
    after each reply, what happened, and the rule behind it, with the eyes of every seat. With
    --seat only what that seat saw is in the file.

    Example: lawspeaker replay game.log --html game.html --seat 1

    With --scenario the position after --to replies becomes a scenario that says what is asked there
    and what can be answered: a test, once it says what should be instead.

    Example: lawspeaker replay game.log --to 12 --scenario problem.yaml

    With --notation it is printed for other programs, if its rules declare how it is written.

    Example: lawspeaker replay game.log --notation > game.pgn

    With --of a game is read that another program has written, in PGN, PDN or SGF. All that can be
    done with a log can be done with it, and --log makes it one.

    Example: lawspeaker replay game.pgn --of GAME --log game.log

    Exit code 0: it comes out the same. 1: it does not, or the log is damaged. 2: wrong call.
    """
    if step and (json or not _in_terminal()):
        raise typer.BadParameter("--step needs a terminal, and no --json")
    if first < 0 or (last != -1 and last < first):
        raise typer.BadParameter("--from and --to are numbers of replies, the smaller one first")
    if html is not None and (step or json or under or first or last != -1):
        raise typer.BadParameter("--html takes the whole game, with --lang and --seat at most")
    if scenario is not None and (step or json or under or first or html is not None):
        raise typer.BadParameter("--scenario goes with --to at most")
    if notation and (step or json or under or first or last != -1 or html or scenario):
        raise typer.BadParameter("--notation writes the whole game, and goes with nothing else")
    if seat and html is None:
        raise typer.BadParameter("--seat goes with --html")
    if not of and (which or log_to is not None):
        raise typer.BadParameter("--game and --log go with --of, which names the game")
    opened, game, by = _read(log, of, which) if of else _opened(log)
    if log_to is not None:
        save(log_to, opened)
    language = spoken(lang, game.program.languages, opened.rules)
    if under:
        _under(opened, game, under, language, json)
        return
    again = Replay(game.program, opened)
    if notation:
        _write_down(again, opened)
        return
    if html is not None:
        _page(again, _viewers(seat, opened.players), language, html)
        return
    if scenario is not None:
        _scenario(again, opened, last, scenario)
        return
    shows = _Shows(again, first, last, language, step)
    if not json:
        title = ir.in_language(game.program.title, language) or game.program.name
        say(shown.head(opened, title, by))
        say()
    for each in again:
        shows.step(each, json)
    if json:
        say(as_json(shown.to_json(again, by, shows.steps)))
    elif again.difference is None:
        say()
        say(shows.ending())
    if again.difference is not None:
        if not json:
            complain("")
            show_diagnostics([again.difference.diagnostic()])
        raise typer.Exit(1)


def _scenario(again: Replay, log: Log, replies: int, file: Path) -> None:
    """Writes a position as a scenario; exits with code 1 if the log cannot be replayed."""
    for _ in again:
        pass
    match = again.match
    if match is None or again.difference is not None:
        if again.difference is not None:
            show_diagnostics([again.difference.diagnostic()])
        raise typer.Exit(1)
    given = len(match.replies)
    if replies > given:
        raise typer.BadParameter(f"the game has {given} replies", param_hint="--to")
    after = given if replies < 0 else replies
    write(file, reported(match, log.rules, after))
    say(f"the position after {after} {'reply' if after == 1 else 'replies'} is in {file}")


def _write_down(again: Replay, log: Log) -> None:
    """Prints the game in its notation; exits with code 1 if it has none, or cannot be replayed."""
    from lawspeaker import __version__
    from lawspeaker.study.notation import game_text

    for _ in again:
        pass
    if again.difference is not None:
        show_diagnostics([again.difference.diagnostic()])
        raise typer.Exit(1)
    assert again.match is not None
    say(game_text(again.match, log.seats, log.rules, __version__).rstrip("\n"))


def _under(log: Log, own: Game, name: str, language: str, json: bool) -> None:
    """Replays the game under other rules; exits with code 1 if it diverges."""
    other = load_game(name)
    if other.program.name != own.program.name:
        fail(f"{name} is not a version of {own.program.name}", 2)
    found = played_under(log, own.program, other.program, language)
    if json:
        say(as_json(shown_under.to_json(found, log, name)))
    else:
        layout = Layout(own.program, log.players)
        players = [layout.name(PLAYER, seat, language) for seat in range(log.players)]
        say(shown_under.text(found, log, name, players, language))
    if found.first is not None:
        raise typer.Exit(1)


def _viewers(seat: str, players: int) -> list[int | None]:
    """Returns the views that go into a page."""
    if not seat:
        return [None, *range(players)]
    if seat == ONLOOKER:
        return [None]
    if not seat.isdecimal() or not 1 <= int(seat) <= players:
        raise typer.BadParameter(
            f"the seats are 1 to {players}, or {ONLOOKER}", param_hint="--seat"
        )
    return [int(seat) - 1]


def _page(again: Replay, viewers: list[int | None], language: str, file: Path) -> None:
    """Writes the page of a game, if its replay matches the log."""
    from lawspeaker.faces.publishing import replay_page

    def moments() -> Iterator[Match]:
        for step in again:
            if again.difference is None and again.match is not None and not step.fault:
                yield again.match

    data = replay_page.recording(moments(), viewers, language, again.log.seats)
    if again.difference is not None:
        show_diagnostics([again.difference.diagnostic()])
        raise typer.Exit(1)
    try:
        file.write_text(replay_page.page(data), encoding="utf-8")
    except OSError as error:
        fail(f"{file}: {error.strerror}", 2)
    say(f"{file}: {data['last']} replies, {file.stat().st_size // 1000:,} kB")


def _in_terminal() -> bool:
    return sys.stdin.isatty()


def _read(path: Path, name: str, which: int | None) -> tuple[Log, Game, str]:
    """Reads a game that another program has written; prints why and exits if it cannot."""
    from lawspeaker.base.source import SourceFile
    from lawspeaker.outside.library import Library
    from lawspeaker.study.notation import read_games as reading

    game = load_game(name)
    library = Library()
    text = library.read(path, reading.LONGEST)
    match = game.start(game.program.fewest, seed=1)
    try:
        games = reading.games_in(text, game.program)
        if not which and len(games) > 1:
            fail(f"{path} has {len(games)} games: choose one with --game 1", 2)
        if (number := which or 1) > len(games):
            fail(f"{path} has {len(games)} games, and no game {which}", 2)
        chosen = games[number - 1]
        reading.play(match, chosen, library.variants(game.program.name))
    except reading.BadGame as bad:
        line, column = SourceFile(str(path), text).position(bad.at)
        fail(f"{path}:{line}:{column}: {bad}")
    if not match.finished and chosen.result not in ("", "*"):
        complain(f"(after these moves the game goes on; in {path} it ends {chosen.result})")
    seats = reading.names_in(game.program, chosen)
    return match.record(seats, game.files), game, "installed"


def _opened(path: Path) -> tuple[Log, Game, str]:
    """Returns the log and its game; prints the errors and exits if one is invalid."""
    diagnostics = Diagnostics()
    log = open_log(path, diagnostics)
    found = None if log is None else game_of(log, diagnostics)
    if len(diagnostics):
        show_diagnostics(diagnostics.sorted())
    if log is None or found is None:
        raise typer.Exit(1)
    return log, *found


class _Shows:
    """Prints the requested steps, or collects them for JSON."""

    def __init__(self, again: Replay, first: int, last: int, language: str, wait: bool) -> None:
        self.again = again
        self.first = first
        every = len(again.log.replies) + (again.log.fault is not None)
        self.last = every if last == -1 else last
        self.language = language
        self.wait = wait
        self.steps: list[dict[str, Any]] = []
        self.teller: shown.Teller | None = None

    def step(self, step: ReplayStep, json: bool) -> None:
        match = self.again.match
        if match is None:
            return
        if self.teller is None:
            self.teller = shown.Teller(match, self.language)
        wanted = self.first <= step.number <= self.last
        if json:
            self.steps += [shown.step_json(match, step)] if wanted else []
            return
        told = self.teller.step(step)
        if wanted:
            say(told)
        if self.wait and wanted and step.number < self.last:
            answer = typer.prompt("", default="", show_default=False, prompt_suffix="", err=True)
            if answer.strip().lower() in ("q", "quit"):
                self.last = step.number

    def ending(self) -> str:
        return "" if self.teller is None else self.teller.ending()
