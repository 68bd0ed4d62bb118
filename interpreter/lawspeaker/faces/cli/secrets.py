"""`lawspeaker secrets`: plays twin games to find leaks of hidden information."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Annotated

import typer

from lawspeaker.base.phrases import phrase
from lawspeaker.faces.cli.common import as_json, complain, fail, game, how_many, say
from lawspeaker.faces.cli.lab import counting
from lawspeaker.faces.cli.options import AsJson, Lang, Name, Seed, spoken
from lawspeaker.faces.render import secrets as shown
from lawspeaker.faces.seat_output import ALL_CHANNELS
from lawspeaker.outside.experiments.requests import player_count
from lawspeaker.position.fault import RuleFault
from lawspeaker.study.secrets.trial import MACHINES, LeakSearch, SecretFindings, TrialTable, hides

GAMES = 4


def secrets(
    name: Name,
    games: Annotated[
        int,
        how_many("--games", "-n", least=1, help="How many games for each number of players."),
    ] = GAMES,
    players: Annotated[
        int | None, typer.Option(help="How many players; every number, if left out.")
    ] = None,
    seed: Seed = 1,
    json: AsJson = False,
    lang: Lang = "",
) -> None:
    """Look for leaks: can a player tell what is hidden from him?

    Twin games, which differ only in what a seat cannot know, are played in lockstep. All that the
    seat is given must be the same, byte for byte: views, questions, events, the story, refusals,
    what may be taken back, what bots answer, the screen of the terminal, and what the server
    sends; in all languages of the game, on both machines. The same answers must fault in both.
    Twins part where a statement of the rules tells something, and that clause is named.

    Example: lawspeaker secrets GAME --games 1

    Exit code 0: nothing was given away. 1: something was, the rules faulted in a game, or they have
    errors. 2: wrong call.
    """
    loaded = game(name)
    program = loaded.program
    language = spoken(lang, program.languages, name)
    counts = loaded.players if players is None else (player_count(loaded, players),)
    if not hides(program):
        told = phrase("secrets.nothing", language, name=name)
        say(as_json(shown.to_json(name, (), ())) if json else told)
        return
    machines: tuple[str, ...] = MACHINES
    if find_spec("wasmtime") is None:
        complain("wasmtime is not installed: only the reference machine plays")
        machines = MACHINES[:1]
    found: list[SecretFindings] = []
    with counting(games * len(counts)) as rate:
        for count in counts:
            trial = LeakSearch(program, count, ALL_CHANNELS)
            found.append(trial.findings)
            for number in range(games):
                try:
                    trial.game(TrialTable(count, seed + number, machines))
                except RuleFault as fault:
                    fail(str(fault))
                rate.advance(1)
    names = program.player_names
    say(
        as_json(shown.to_json(name, found, names))
        if json
        else shown.text(name, found, names, language).rstrip("\n")
    )
    if any(each.leaks or each.faults for each in found):
        raise typer.Exit(1)
