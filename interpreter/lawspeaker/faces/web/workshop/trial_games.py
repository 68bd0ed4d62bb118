"""Tries a draft out in a worker before a table plays by it.

The table would itself report rules that take too long (see `sandbox`), but their author should know
before friends have joined.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from lawspeaker import ir
from lawspeaker.base.counts import not_for
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.faces.web.catalogue import DraftFacts
from lawspeaker.faces.web.drawing import draw
from lawspeaker.faces.web.game_in_play import titles_of
from lawspeaker.faces.web.workshop.trial_positions import WITHIN, Files
from lawspeaker.match.match import Match, RuleFault
from lawspeaker.outside.loading import compile_bundle
from lawspeaker.position.layout import Layout
from lawspeaker.position.rng import RngFactory
from lawspeaker.study.compare.lockstep import Manner, some_reply

GAMES, REPLIES = 3, 400
"""Number of games, and maximum number of replies of each."""
DRAWN = 20
"""Number of replies after which the table is drawn."""
ENOUGH = 3.0
"""Seconds of processor time after which no further game is begun."""
LONGEST_READING, LONGEST_REPLY = 3.0, 0.6
"""Processor time in seconds that compiling the rules may take, and a reply."""
MOST_PLACES, MOST_PIECES = 20_000, 2_000
LARGEST_PICTURE = 600_000

SLOW = "these rules take too long to be played at a table"
LARGE = "this game is too large to be played at a table"


@dataclass(frozen=True, slots=True)
class DraftTrial:
    """The result of a trial: `why` rules cannot be played at a table, empty if they can.

    Then it also has their facts, digest, and titles by language.
    """

    why: str
    facts: DraftFacts | None = None
    digest: str = ""
    titles: Mapping[str, str] = field(default_factory=dict)


def tried(files: Files, players: int, patience: float = 1.0) -> Iterator[DraftTrial]:
    """Tries rules out; `patience` multiplies the time limits."""
    began = time.process_time()
    diagnostics = Diagnostics()
    program = compile_bundle(files, diagnostics, WITHIN)
    took = time.process_time() - began
    if program is None or diagnostics.has_errors:
        yield DraftTrial(diagnostics.sorted()[0].message)
    elif players not in program.counts:
        yield DraftTrial(not_for("this game", program.counts, players))
    elif took > patience * LONGEST_READING:
        yield DraftTrial(SLOW)
    else:
        facts = DraftFacts(program.name, program.counts, program.languages)
        why = _played(program, players, patience)
        yield DraftTrial(why, facts, program.digest, titles_of(program))


def _played(program: ir.Program, players: int, patience: float) -> str:
    layout = Layout(program, players)
    if len(layout.place_family) > MOST_PLACES or len(layout.piece_type) > MOST_PIECES:
        return LARGE
    began = time.process_time()
    for seed in range(1, GAMES + 1):
        try:
            why = _one_game(program, players, seed, patience)
        except RuleFault as fault:
            return str(fault)
        if why or time.process_time() - began > ENOUGH:
            return why
    return ""


def _one_game(program: ir.Program, players: int, seed: int, patience: float) -> str:
    match = Match(program, players, seed)
    luck = RngFactory(seed).stream("workshop")
    for number in range(REPLIES):
        began = time.process_time()
        reply = some_reply(match, luck, Manner.EAGER)
        if reply is None:
            return ""
        match.choose(reply.text, seat=reply.seat)
        if number % DRAWN == 0:
            picture = draw(match.view(reply.seat), program.languages[0], "wide")
            if len(picture) > LARGEST_PICTURE:
                return LARGE
        if time.process_time() - began > patience * LONGEST_REPLY:
            return SLOW
    return ""
