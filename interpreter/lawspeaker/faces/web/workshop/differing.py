"""Tellings side by side, for a page that asks on: where a difference shows, and what it does."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from lawspeaker.base.diagnostics import Diagnostics, RulesError
from lawspeaker.base.source import RuleFile
from lawspeaker.faces.render.compare_json import witness_to_json
from lawspeaker.faces.web.drawing import draw
from lawspeaker.faces.web.workshop.paired import paired
from lawspeaker.faces.web.workshop.trial_positions import Files
from lawspeaker.ir.types import PLAYER
from lawspeaker.outside.loading import open_bundle, schema
from lawspeaker.position.layout import Layout
from lawspeaker.study.compare import Comparison, Telling, compare
from lawspeaker.study.compare.alone import Alone, one_alone
from lawspeaker.study.compare.contrast import contrast
from lawspeaker.study.compare.differences import Difference
from lawspeaker.study.compare.explaining import explained
from lawspeaker.study.compare.telling import told
from lawspeaker.study.compare.witness_search import search

POSITIONS = 3_000
SEED = 1

Tellings = tuple[tuple[str, Files], ...]


@lru_cache(maxsize=4)
def compared(named: Tellings, language: str) -> tuple[list[Telling], Comparison]:
    """Tellings by their names and files, and the comparison of them; raises RulesError."""
    diagnostics = Diagnostics()
    found = []
    for name, files in named:
        opened = open_bundle(files, diagnostics, name)
        each = None if opened is None else told(name, opened, schema("variant"), diagnostics)
        if each is None:
            raise RulesError(diagnostics)
        found.append(each)
    languages = found[0].program.languages
    return found, compare(found, language if language in languages else languages[0])


def _alone(
    named: Tellings, language: str, number: int, telling: int
) -> tuple[list[Telling], Comparison, Difference, Alone] | None:
    """A difference by its number, alone; None where that telling does not play otherwise."""
    tellings, comparison = compared(named, language)
    for each in comparison.differences:
        if each.number == number and telling in each.tellings and each.plays_otherwise(telling):
            return tellings, comparison, each, one_alone(tellings, comparison, each, telling)
    return None


def witnessed(
    named: Tellings, language: str, shape: str, number: int, telling: int
) -> Iterator[dict[str, Any]]:
    """The smallest position found in which a difference shows, drawn."""
    of = {"number": number, "telling": telling}
    found = _alone(named, language, number, telling)
    held = None if found is None else contrast(found[0], found[1], found[3])
    if found is None or held is None:
        problem = found[3].problem if found else ""
        yield {**of, "witness": None, "problem": problem}
        return
    tellings, comparison, difference, _ = found
    result = search(held.rules, difference.rows_of(telling), positions=POSITIONS, seed=SEED)
    shown: dict[str, Any] | None = None
    if result.witness is not None:
        cells = difference.cells_of(telling)
        spoken = comparison.table.language
        pair = (tellings[0], tellings[telling])
        story = explained(result.witness, *pair, held.rules, cells, spoken)
        shown = witness_to_json(result.witness, story, spoken)
        if story.match is not None:
            shown["svg"] = draw(story.match.view(story.viewer), spoken, shape)
    yield {**of, "witness": shown, "games": result.games, "problem": ""}


def weighed(
    named: Tellings, language: str, number: int, telling: int, games: int
) -> Iterator[dict[str, Any]]:
    """What paired games say about a difference alone; number 0: about all of a telling."""
    tellings, comparison = compared(named, language)
    first = named[0][1]
    players = tellings[0].program.most
    layout = Layout(tellings[0].program, players)
    seats = [layout.name(PLAYER, seat, comparison.table.language) for seat in layout.seats]
    of = {"number": number, "telling": telling, "seats": seats}
    after = named[telling][1]
    if number:
        found = _alone(named, language, number, telling)
        if found is None or found[3].program is None:
            yield {**of, "done": 0, "of": 0, "rows": []}
            return
        after = (*first, RuleFile("alone.yaml", found[3].patch, ()))
    for each in paired(first, after, players, "random", games, SEED):
        yield {**of, **each}
