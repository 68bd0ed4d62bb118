"""`lawspeaker perft`: counts the nodes of a game's tree by depth."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from lawspeaker.base.counts import not_for
from lawspeaker.faces.cli.common import as_json, fail, game, say
from lawspeaker.faces.cli.options import AsJson
from lawspeaker.match import perft as counting
from lawspeaker.match.match import Match
from lawspeaker.outside.loading import where_scenario_ends
from lawspeaker.position.fault import NoCompiledMachine


def perft(
    name: Annotated[str, typer.Argument(help="The game: a name, a folder or a file.")],
    depth: Annotated[
        int, typer.Option("--depth", "-d", min=0, help="How many decisions deep.")
    ] = 3,
    players: Annotated[
        int | None, typer.Option(help="How many players; the fewest, if left out.")
    ] = None,
    divide: Annotated[bool, typer.Option(help="Also for each first decision.")] = False,
    forced: Annotated[
        bool, typer.Option("--forced", help="What can be answered in one way only counts, too.")
    ] = False,
    scenario: Annotated[
        Path | None, typer.Option("--from", help="A scenario: begin where it ends.")
    ] = None,
    fen: Annotated[
        str,
        typer.Option(
            "--fen", help="Begin in this position, in the game's notation.", metavar="TEXT"
        ),
    ] = "",
    json: AsJson = False,
) -> None:
    """Count the ways to play the first decisions of a game.

    Luck and secret choices are branches, too. Published counts count forced moves, too: say
    --forced.

    Example: lawspeaker perft GAME --depth 1
    """
    with suppress(NoCompiledMachine):
        # Imported here, so that the help of all commands needs no compiled machine.
        from lawspeaker.outside.back_ends import equip

        equip()
    if fen and scenario is not None:
        fail("--from and --fen are two beginnings", 2)
    if fen:
        from lawspeaker.faces.cli.position import position_of

        start = position_of(game(name), fen, players, unforced=False)
    else:
        start = _opening(name, players) if scenario is None else _ending(name, players, scenario)
    counts = {each: counting.perft(start, each, forced, "wasm") for each in range(1, depth + 1)}
    first = counting.divide(start, depth, forced, "wasm") if divide and depth else {}
    if json:
        found = {"game": name, "players": start.players, "counts": counts, "divide": first}
        say(as_json(found))
        return
    for each, ways in counts.items():
        say(f"{each:>3}  {ways:,}")
    for text, ways in first.items():
        say(f"     {ways:>12,}  {text}")


def _opening(name: str, players: int | None) -> Match:
    loaded = game(name)
    count = players if players is not None else loaded.players[0]
    if count not in loaded.players:
        fail(not_for(name, loaded.players, count), 2)
    return counting.opening(loaded.program, count)


def _ending(name: str, players: int | None, scenario: Path) -> Match:
    start = where_scenario_ends(scenario, name)
    if players not in (None, start.players):
        fail(f"{scenario} is for {start.players} players, not {players}", 2)
    if start.decision is None:
        fail(f"nobody is asked where {scenario} ends")
    return start
