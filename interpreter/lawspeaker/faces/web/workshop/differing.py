"""Comparison of editions and drafts as data: differences, witnesses and measured effects."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from lawspeaker.base.counts import in_both, nearest_count
from lawspeaker.base.diagnostics import Diagnostics, RulesError
from lawspeaker.base.phrases import phrase
from lawspeaker.base.source import RuleFile
from lawspeaker.faces.render.compare import evidence_text
from lawspeaker.faces.render.compare_json import to_json, witness_to_json
from lawspeaker.faces.render.contract import changes
from lawspeaker.faces.web.drawing import draw
from lawspeaker.faces.web.workshop.paired import paired
from lawspeaker.faces.web.workshop.trial_positions import Files, Tellings
from lawspeaker.ir.types import PLAYER
from lawspeaker.outside.loading import open_bundle, schema
from lawspeaker.position.layout import Layout
from lawspeaker.study.compare import Comparison, Ruleset, compare
from lawspeaker.study.compare.alone import Alone, one_alone
from lawspeaker.study.compare.contrast import contrast
from lawspeaker.study.compare.differences import Difference
from lawspeaker.study.compare.evidence import Evidence, proven_equal
from lawspeaker.study.compare.explaining import explained
from lawspeaker.study.compare.ruleset import compiled_ruleset
from lawspeaker.study.compare.witness_search import search

POSITIONS = 3_000
SEED = 1


@lru_cache(maxsize=4)
def compared(named: Tellings, language: str) -> tuple[list[Ruleset], Comparison]:
    """Compiles and compares editions, cached; raises RulesError."""
    diagnostics = Diagnostics()
    found = []
    for name, files in named:
        opened = open_bundle(files, diagnostics, name)
        each = (
            None
            if opened is None
            else compiled_ruleset(name, opened, schema("variant"), diagnostics)
        )
        if each is None:
            raise RulesError(diagnostics)
        found.append(each)
    languages = found[0].program.languages
    return found, compare(found, language if language in languages else languages[0])


def side_by_side(named: Tellings, language: str) -> Iterator[dict[str, Any]]:
    """Returns a comparison that includes drafts.

    No book is quoted: the author of a draft chooses its citations, and could read out a whole book.
    """
    _, found = compared(named, language)
    yield {**to_json(found), "about_texts": []}


def agreed(before: Files, after: Files, language: str) -> Iterator[dict[str, Any]]:
    """Describes the changes of a draft, in the words that are used for any variant."""
    _, comparison = compared((("before", before), ("after", after)), language)
    yield {"points": [asdict(point) for _, point in changes(comparison)]}


def singled(named: Tellings, language: str) -> Iterator[dict[str, Any]]:
    """Describes the changes of a draft one by one, with their numbers for `weighed`."""
    _, comparison = compared(named, language)
    found = [{"number": each.number, **asdict(point)} for each, point in changes(comparison)]
    yield {"changes": found}


def _alone(
    named: Tellings, language: str, number: int, telling: int
) -> tuple[list[Ruleset], Comparison, Difference, Alone] | None:
    """Applies one difference alone; returns None if it does not change how that edition plays."""
    tellings, comparison = compared(named, language)
    for each in comparison.differences:
        if each.number == number and telling in each.columns and each.plays_otherwise(telling):
            return tellings, comparison, each, one_alone(tellings, comparison, each, telling)
    return None


def witnessed(
    named: Tellings, language: str, shape: str, number: int, telling: int
) -> Iterator[dict[str, Any]]:
    """Searches the smallest position in which a difference shows, and draws it."""
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
    named: Tellings,
    language: str,
    number: int,
    telling: int,
    games: int,
    players: int = 0,
    bot: str = "random",
) -> Iterator[dict[str, Any]]:
    """Measures the effect of one difference alone with paired games; number 0 stands for all.

    If it does not work by itself, the response lists the differences that come along (by number),
    or the reason why it cannot be played. Without `players`, the maximum number plays.
    """
    tellings, comparison = compared(named, language)
    first, program = named[0][1], tellings[0].program
    after, other = named[telling][1], tellings[telling].program
    of: dict[str, Any] = {"number": number, "telling": telling, "along": [], "problem": ""}
    equal = False
    if number:
        found = _alone(named, language, number, telling)
        alone = None if found is None else found[3]
        if alone is None or alone.program is None:
            problem = "" if alone is None else alone.problem
            yield {**of, "problem": problem, "done": 0, "of": 0, "rows": []}
            return
        of["along"] = list(alone.along)
        after, other = (*first, RuleFile("alone.yaml", alone.patch, ())), alone.program
        equal = proven_equal(program, other)
    counts = in_both(program.counts, other.counts)
    if not counts:
        problem = phrase("compare.never_as_many", comparison.table.language)
        yield {**of, "problem": problem, "done": 0, "of": 0, "rows": []}
        return
    players = nearest_count(counts, players or counts[-1])
    layout = Layout(program, players)
    seats = [layout.name(PLAYER, seat, comparison.table.language) for seat in layout.seats]
    for each in paired(first, after, players, bot, games, SEED):
        if number:
            found_in = Evidence(each["seen"], each["done"], equal)
            text = evidence_text(found_in, comparison.table.language)
            of["evidence"] = {"by": found_in.by, "shows": found_in.shows, "text": text}
        yield {**of, "seats": seats, "players": players, "bot": bot, **each}
