"""What code lenses offer, and what is done when one is chosen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lawspeaker.base.diagnostics import Diagnostics, many
from lawspeaker.editing import lenses as telling
from lawspeaker.editing.lenses import Lens
from lawspeaker.faces.web.drawing import draw
from lawspeaker.match.decision import IllegalChoice
from lawspeaker.match.match import Match, RuleFault
from lawspeaker.outside.language_service import LanguageService
from lawspeaker.outside.loading import schema
from lawspeaker.study.scenario import Outcome, last_of, read
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.story import option_name

SHAPE = "wide"
SEED = 1
"""The luck of a game that is looked at from its beginning."""


def lenses(service: LanguageService, path: Path) -> list[Lens]:
    unit = service.unit(path)
    if unit is None:
        return []
    if unit.kind == "scenario":
        return list(telling.of_scenario(service.root(path), service.scenario(path)))
    return list(telling.of_variant(service.root(path))) if unit.kind == "variant" else []


def said_of(outcome: Outcome) -> str:
    """What became of a scenario, in a line."""
    wrong = [each for each in outcome.diagnostics if each.severity == "error"]
    if not wrong:
        return f"{outcome.title}: holds, {many(outcome.steps, 'step')}"
    return f"{outcome.title or outcome.file}: {wrong[0].span.line}: {wrong[0].message}"


def changes(service: LanguageService, path: Path) -> str | None:
    """What a variant changes, as Markdown."""
    unit, after = service.unit(path), service.look(path)
    if unit is None or after is None or after.lexicon is None:
        return None
    before = service.workspace.analysis(unit.game, path)
    if before.lexicon is None:
        return None
    return telling.changes(service.root(path), before.lexicon, after.lexicon)


def position(service: LanguageService, path: Path, replies: list[str]) -> dict[str, Any] | None:
    """The table where a scenario ends, or at the beginning of a game, after some replies; seen by
    whoever is asked."""
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
