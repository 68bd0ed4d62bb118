"""`lawspeaker position`: shows a position, read from and written in the notation of its game."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from lawspeaker.faces.cli.common import as_json, fail, game, say
from lawspeaker.faces.cli.options import AsJson, Lang, Name, Players, spoken
from lawspeaker.faces.render.table_text import table_block
from lawspeaker.match.game import Game
from lawspeaker.match.match import Match
from lawspeaker.position.fault import RuleFault
from lawspeaker.study.notation import NoNotation, move_text, position_text
from lawspeaker.study.scenario.from_position import match_at

WIDTH = 100
Fen = Annotated[
    str,
    typer.Option("--fen", help="A position in the game's notation, such as FEN.", metavar="TEXT"),
]


def position(
    name: Name,
    fen: Fen = "",
    players: Players = None,
    lang: Lang = "",
    json: AsJson = False,
) -> None:
    """Show a position in the notation of its game, with the moves that can be made.

    A game may have FEN, PDN's lists of squares, or rows of signs; docs/notation.md tells how it
    declares them. Without --fen, the position is that at the start.

    Example: lawspeaker position GAME --fen TEXT

    Exit code 0: it is shown. 1: the rules have errors, or there is no notation. 2: wrong call.
    """
    loaded = game(name)
    language = spoken(lang, loaded.program.languages, name)
    match = position_of(loaded, fen, players)
    found = _told(match, name)
    if json:
        say(as_json(found))
        return
    decision = match.decision
    view = match.view(None if decision is None else decision.seat)
    for line in table_block(view, language, WIDTH).lines:
        say(line.plain.rstrip())
    say()
    if found["position"]:
        say(found["position"])
    if decision is None:
        say("nobody is asked")
        return
    say(f"{found['asked']}: {decision.prompt_in(language)}")
    longest = max((len(each["move"]) for each in found["options"]), default=0)
    for each in found["options"]:
        move = f"{each['move']:{longest}}  " if longest else ""
        say(f"  {move}{each['text']}")


def position_of(loaded: Game, fen: str, players: int | None, unforced: bool = True) -> Match:
    """The match in a position, or at the start; prints why and exits if it cannot be read.

    With `unforced`, a player is asked who has only one answer.
    """
    count = players or loaded.players[0]
    if count not in loaded.players:
        fail(f"{loaded.name} is not for {count} players", 2)
    if not fen:
        return loaded.start(count, seed=1)
    try:
        return match_at(loaded.program, fen, count, unforced=unforced)
    except NoNotation as error:
        fail(str(error), 2)
    except RuleFault as fault:
        fail(f"this position cannot be played: {fault}", 2)


def _told(match: Match, name: str) -> dict[str, Any]:
    decision = match.decision
    written = position_text(match.machine.layout, match.state)
    options = []
    for option in () if decision is None else decision.options:
        options.append({"text": option.text, "move": _move(match, option)})
    seat = None if decision is None else decision.seat
    asked = None if seat is None else match.program.player_names[seat]
    return {"game": name, "position": written, "asked": asked, "options": options}


def _move(match: Match, option: Any) -> str:
    try:
        return move_text(match, option)
    except NoNotation:
        return ""
