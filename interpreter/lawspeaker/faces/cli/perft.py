"""`lawspeaker perft`: the size of a game's tree, decision by decision."""

from __future__ import annotations

from typing import Annotated

import typer

from lawspeaker.faces.cli.common import as_json, fail, game, say
from lawspeaker.match import perft as counting


def perft(
    name: Annotated[str, typer.Argument(help="The game: a name, a folder or a file.")],
    depth: Annotated[
        int, typer.Option("--depth", "-d", min=0, help="How many decisions deep.")
    ] = 3,
    players: Annotated[
        int | None, typer.Option(help="How many players; the fewest, if left out.")
    ] = None,
    divide: Annotated[bool, typer.Option(help="Also for each first decision.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the counts as JSON.")] = False,
) -> None:
    """Count the ways to play the first decisions of a game.

    Luck and secret choices are branches, too.

    Example: lawspeaker perft GAME --depth 1
    """
    loaded = game(name)
    count = players if players is not None else loaded.players[0]
    if count not in loaded.players:
        fail(f"{name} is for {loaded.players[0]} to {loaded.players[-1]} players, not {count}", 2)
    program = loaded.program
    counts = {each: counting.perft(program, count, each) for each in range(1, depth + 1)}
    first = counting.divide(program, count, depth) if divide and depth else {}
    if json:
        say(as_json({"game": name, "players": count, "counts": counts, "divide": first}))
        return
    for each, ways in counts.items():
        say(f"{each:>3}  {ways:,}")
    for text, ways in first.items():
        say(f"     {ways:>12,}  {text}")
