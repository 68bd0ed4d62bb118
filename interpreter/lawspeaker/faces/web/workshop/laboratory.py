"""Simulations and sweeps for a page that fills in while games are played."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.base.source import RuleFile
from lawspeaker.faces.render.proof import sentences
from lawspeaker.faces.render.simulation import tidy, to_json
from lawspeaker.faces.render.sweeping import sweep_csv
from lawspeaker.faces.web.workshop.paired import batches
from lawspeaker.faces.web.workshop.trial_positions import Files, compiled, program_of
from lawspeaker.ir import Texts
from lawspeaker.ir.types import PLAYER
from lawspeaker.position.layout import Layout, sides_of
from lawspeaker.study.lab.broken import Broken
from lawspeaker.study.lab.chosen import things
from lawspeaker.study.lab.chosen import told as called
from lawspeaker.study.lab.games import games_of, play_games
from lawspeaker.study.lab.proving import Proof, Won, bout_won, bouts, deals_for, proof
from lawspeaker.study.lab.sweep import Sweep, Swept, reference, sweep
from lawspeaker.study.lab.sweep import swept as summed
from lawspeaker.study.lab.tally import Summary, tally
from lawspeaker.study.lab.varying import (
    CannotVary,
    Values,
    Varied,
    as_written,
    combinations,
    patch,
    varied,
)

MOST_VALUES = 12
"""The most values that are tried in one sweep."""


def choices(program: ir.Program, language: str) -> list[dict[str, str]]:
    """The named choices that can be varied, with what they say and the value they have."""
    layout = Layout(program, program.most)
    found = []
    for choice in program.choices:
        value = choice.values[-1]
        if not isinstance(value, tuple):
            says = program.clauses[choice.clause].says
            told = {"id": choice.id, "says": _in(says, language)}
            found.append({**told, "is": as_written(value, choice, layout)})
    return found


def simulated(
    files: Files, players: int, bots: Sequence[str], games: int, seed: int, language: str = "en"
) -> Iterator[dict[str, Any]]:
    """Many games between bots, summed up again and again."""
    program = program_of(files)
    layout = Layout(program, players)
    spoken = language if language in program.languages else program.languages[0]
    found = tally(games_of(program, players, ()))
    proven = yield from _proven(program, bots, games, seed, language)
    for batch in batches(games, bots):
        found += tally(play_games(program, players, seed, batch, bots))
        told: dict[str, Any] = {"done": batch.stop, "of": games, "broken": _broken(found.broke)}
        told["proof"] = proven
        if found.games:
            told["summary"] = _summed_up(found.summary(program, bots), layout, spoken)
        yield told


def _proven(
    program: ir.Program, bots: Sequence[str], games: int, seed: int, language: str
) -> Generator[dict[str, Any], None, list[str]]:
    """What is to be said of bots that think, before anything is told of their games."""
    proofs: list[Proof] = []
    sides = len(sides_of(program, len(bots)))
    for bout in bouts([bots]):
        won = Won(0, 0)
        for deal in range(deals_for(games, sides)):
            won += bout_won(program, bout, seed, deal)
        proofs.append(proof(bout, won, sides))
        yield {"done": 0, "of": games, "broken": "", "proof": sentences(proofs, language)}
    return sentences(proofs, language)


def _broken(found: Broken, under: str = "") -> str:
    """How games broke off, if any did: how many, and which was the first."""
    told = (f"{each.games:,} × {each.fault} (#{each.first})" for each in found.holes)
    return f"{under}{'; '.join(told)}" if found.games else ""


def _summed_up(summary: Summary, layout: Layout, language: str) -> dict[str, Any]:
    """What is known by now, with what things are called, and what the clauses say."""
    told = to_json(summary, {"fair": summary.fair, "scored": summary.scored})
    told["for_points"] = summary.for_points
    told["goal"] = phrase(f"goal.{summary.goal.name.lower()}", language)
    for seat, each in enumerate(told["seats"]):
        each["called"] = layout.name(PLAYER, seat, language)
    choosable = things(layout.program, layout.players).things
    for each in told["uses"]:
        each["called"] = called(layout, choosable[each["number"]], language)
    says = {each.id: each.says for each in layout.program.clauses}
    named = {each["clause"] for each in told["sources"]} | {*told["fired"], *told["never"]}
    named |= {each["question"] for each in told["uses"]}
    told["says"] = {id: _in(says[id], language) for id in named if id in says}
    return told


def _in(texts: Texts, language: str) -> str:
    return texts.get(language) or texts.get("en") or next(iter(texts.values()), "")


def swept(
    files: Files,
    vary: str,
    players: int,
    bots: Sequence[str],
    games: int,
    seed: int,
    language: str = "en",
) -> Iterator[dict[str, Any]]:
    """The same games for each value of a named choice."""
    program = program_of(files)
    try:
        all_varied = [varied(vary, Layout(program, players))]
        values = combinations(all_varied)
    except CannotVary as error:
        yield {"done": 0, "of": 0, "broken": str(error)}
        return
    if len(values) > MOST_VALUES:
        yield {"done": 0, "of": 0, "broken": f"at most {MOST_VALUES} values"}
        return
    programs: dict[Values, ir.Program] = {}
    for each in values:
        patched = RuleFile("patch.yaml", patch(program, all_varied, each), ())
        found, diagnostics = compiled((*files, patched))
        if found is None:
            wrong = diagnostics.sorted()[0].message
            yield {"done": 0, "of": 0, "broken": f"{vary}: {wrong}"}
            return
        programs[each] = found
    proven = yield from _proven(program, bots, games, seed, language)
    for told in _played(all_varied, programs, players, bots, games, seed):
        yield {**told, "proof": proven}


def _played(
    all_varied: Sequence[Varied],
    programs: Mapping[Values, ir.Program],
    players: int,
    bots: Sequence[str],
    games: int,
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Batch by batch under every value, so that all are known equally well at any time."""
    values = list(programs)
    sides = len(sides_of(next(iter(programs.values())), players))
    base = reference(all_varied, values)
    found: Swept | None = None
    for batch in batches(games, bots):
        played = [play_games(own, players, seed, batch, bots) for own in programs.values()]
        some = summed(played, base)
        found = some if found is None else found + some
        if batch.stop > 1:  # one game alone says nothing
            result = sweep(all_varied, values, found, sides)
            last = batch.stop == games
            yield {"done": batch.stop, "of": games, **_swept(result, last)}


def _swept(result: Sweep, last: bool) -> dict[str, Any]:
    names = [each.name for each in result.telling]
    points = [
        {
            "values": list(each.values),
            "reference": each.values == result.reference,
            "measures": {name: tidy(asdict(each.measures[name])) for name in names},
            "changes": {name: tidy(asdict(each.changes[name])) for name in names}
            if each.changes is not None
            else None,
        }
        for each in result.points
    ]
    broken = (_broken(each, f"{' '.join(values)}: ") for values, each in result.broken)
    told: dict[str, Any] = {
        "points": points,
        "measures": names,
        "broken": "; ".join(broken),
    }
    if last:
        told["csv"] = sweep_csv(result)
    return told
