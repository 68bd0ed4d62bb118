"""Code lenses, and the commands that they execute."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics, with_noun
from lawspeaker.editing import lenses as telling
from lawspeaker.editing.lenses import Fired, Lens, Measured
from lawspeaker.faces.web.drawing import draw
from lawspeaker.match.decision import IllegalChoice
from lawspeaker.match.match import Match, RuleFault
from lawspeaker.outside.language_service import LanguageService
from lawspeaker.outside.loading import schema
from lawspeaker.study.lab import measures
from lawspeaker.study.lab.games import play_games
from lawspeaker.study.scenario import ScenarioResult, last_of, read
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.story import option_name

SHAPE = "wide"
SEED = 1
"""Seed of a game that is shown from its start, and of the first game that is measured."""
GAMES, BOT = 200, "random"
"""Number of games played to count how often rules fire, and their bot."""
MOST_MEASURED = 16
_measured: dict[str, Measured] = {}
"""Measured firing counts, by digest of the rules."""


def lenses(service: LanguageService, path: Path) -> list[Lens]:
    unit = service.unit(path)
    if unit is None:
        return []
    root = service.root(path)
    if unit.kind == "scenario":
        return list(telling.of_scenario(root, service.scenario(path)))
    found = list(telling.of_variant(root)) if unit.kind == "variant" else []
    analysis = service.look(path)
    if unit.kind != "translation" and analysis is not None and analysis.program is not None:
        known = _measured.get(analysis.program.digest)
        found += telling.of_rules(root, known, _how(analysis.program))
    return found


def _how(program: ir.Program) -> str:
    """Describes the games in words: a figure names its players and seed."""
    return f"{GAMES} games of {program.most} `{BOT}` bots, seed {SEED}"


def fires(service: LanguageService, path: Path) -> Measured | None:
    """Plays games and counts how often each clause fires; cached by digest."""
    analysis = service.look(path, played=True)
    program = None if analysis is None else analysis.program
    if program is None:
        return None
    known = _measured.get(program.digest)
    if known is None:
        bots = (BOT,) * program.most
        games = play_games(program, program.most, SEED, range(GAMES), bots)
        counted = {each.id: measures.fires(games, each.index) for each in program.clauses}
        clauses = {
            id: Fired(float(counts.mean()), float((counts > 0).mean()))
            for id, counts in counted.items()
            if len(counts)
        }
        known = Measured(_how(program), clauses)
        while len(_measured) >= MOST_MEASURED:
            del _measured[next(iter(_measured))]
        _measured[program.digest] = known
    return known


def said_of_firing(found: Measured) -> str:
    """Formats firing counts as a Markdown table, the most frequent first."""
    ranked = sorted(found.clauses.items(), key=lambda each: -each[1].times)
    lines = (f"| `{id}` | {fired} |" for id, fired in ranked)
    return "\n".join((f"{found.how}", "", "| rule | fires |", "|---|---|", *lines))


def said_of(outcome: ScenarioResult) -> str:
    """Summarizes the outcome of a scenario in a line."""
    wrong = [each for each in outcome.diagnostics if each.severity == "error"]
    if not wrong:
        return f"{outcome.title}: holds, {with_noun(outcome.steps, 'step')}"
    return f"{outcome.title or outcome.file}: {wrong[0].span.line}: {wrong[0].message}"


def changes(service: LanguageService, path: Path) -> str | None:
    """Describes the changes of a variant as Markdown."""
    unit, after = service.unit(path), service.look(path)
    if unit is None or after is None or after.lexicon is None:
        return None
    before = service.workspace.analysis(unit.game, path)
    if before.lexicon is None:
        return None
    return telling.changes(service.root(path), before.lexicon, after.lexicon)


def position(service: LanguageService, path: Path, replies: list[str]) -> dict[str, Any] | None:
    """Draws the table at the end of a scenario or the start of a game, after some replies.

    It is the view of the player to move.
    """
    unit, analysis = service.unit(path), service.look(path, played=True)
    program = None if analysis is None else analysis.program
    if unit is None or program is None:
        return None
    if unit.kind == "scenario":
        scenario = read(service.workspace.source(path), schema("scenario"), Diagnostics())
        match = None if scenario is None else last_of(scenario, program, Diagnostics())
    else:
        match = Match(program, program.most, SEED)
    if match is None:
        return None
    wrong = ""
    for reply in replies:
        decision = match.decision
        try:
            match.choose(reply, seat=None if decision is None else decision.seat)
        except (IllegalChoice, RuleFault) as refusal:
            wrong = str(refusal)
            break
    language = program.languages[0]
    decision = match.decision
    view = match.view(None if decision is None else decision.seat)
    labels = Labels(view)
    options = () if decision is None else decision.options
    return {
        "svg": draw(view, language, SHAPE, labels),
        "prompt": "" if decision is None else decision.prompt_in(language),
        "options": [
            {"text": each.text, "label": option_name(each, labels, language)} for each in options
        ],
        "finished": match.finished,
        "scores": list(match.scores),
        "wrong": wrong,
    }
