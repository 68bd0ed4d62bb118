"""Builds a variant from readings picked on a comparison page.

A pick names an edition by its position and a difference by its id, so that a link with picks stays
valid when other differences come or go.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lawspeaker.base.counts import in_both
from lawspeaker.base.diagnostics import Diagnostics, RulesError
from lawspeaker.base.phrases import phrase
from lawspeaker.base.source import RuleFile
from lawspeaker.faces.render.contract import contract, page
from lawspeaker.faces.web.messages import BadMessage
from lawspeaker.faces.web.workshop.differing import compared
from lawspeaker.faces.web.workshop.drafts import shown
from lawspeaker.faces.web.workshop.paired import paired
from lawspeaker.faces.web.workshop.trial_positions import Files, Tellings
from lawspeaker.ir.types import PLAYER
from lawspeaker.position.layout import Layout
from lawspeaker.study.compare import compare
from lawspeaker.study.compare.mix import CannotMix, Mix, mix

NAME = "our_rules"
MOST_PICKS = 500
LONGEST_PICK = 200
SEED = 1

Picks = tuple[tuple[int, str], ...]


def picks_in(told: Sequence[Any], tellings: int) -> Picks:
    """Parses picks as a page sends them, `TELLING:DIFFERENCE`; raises BadMessage."""
    if len(told) > MOST_PICKS:
        raise BadMessage("bad_message", f"at most {MOST_PICKS} readings can be taken")
    found: list[tuple[int, str]] = []
    for each in told:
        number, colon, id = each.partition(":") if isinstance(each, str) else ("", "", "")
        if not (number.isascii() and number.isdecimal() and colon and 0 < len(id) <= LONGEST_PICK):
            raise BadMessage("bad_message", "a pick is written TELLING:DIFFERENCE, such as 1:game")
        if len(number) > 2 or int(number) >= tellings:
            raise BadMessage("bad_message", f"`{number}` is the place of no telling")
        found.append((int(number), id))
    return tuple(found)


def mixed(named: Tellings, language: str, picks: Picks) -> Mix:
    """Builds the variant for some picks; raises CannotMix or RulesError."""
    tellings, comparison = compared(named, language)
    rows = {row.id: each.number for each in comparison.differences for row in each.rows}
    wanted: dict[int, int] = {}
    for telling, id in picks:
        if id not in rows:
            raise CannotMix(f"there is no difference `{id}` any more")
        wanted[rows[id]] = telling
    return mix(tellings, comparison, wanted, _free(named[0][1]))


def variant(named: Tellings, language: str, picks: Picks) -> dict[str, Any]:
    """Returns the variant file for some picks and what it takes, or why there is none."""
    try:
        found = mixed(named, language, picks)
    except CannotMix as error:
        return {"rules": named[0][0], "file": None, "taken": [], "problem": str(error)}
    taken = [
        {
            "number": each.difference.number,
            "id": each.difference.id,
            "telling": each.column,
            "along": each.along,
        }
        for each in found.taken
    ]
    return {"rules": named[0][0], "file": shown(_file(found)), "taken": taken, "problem": ""}


def picked(named: Tellings, language: str, picks: Picks) -> Iterator[dict[str, Any]]:
    """Yields the variant file for picks from editions that include drafts."""
    yield variant(named, language, picks)


def agreement(named: Tellings, language: str, picks: Picks) -> str:
    """Renders a printable agreement with the readings of all books; raises CannotMix or
    RulesError."""
    found = mixed(named, language, picks)
    tellings, comparison = compared(named, language)
    diagnostics = Diagnostics()
    base = tellings[0].base(diagnostics)
    if base is None:
        raise RulesError(diagnostics)
    others = [each for each in tellings if each.name != base.name]
    spoken = comparison.table.language
    return page(contract(compare([base, found.ruleset, *others], spoken), found.ruleset))


def balanced(
    named: Tellings, language: str, picks: Picks, telling: int, games: int
) -> Iterator[dict[str, Any]]:
    """Measures a mix against one of the editions with paired games."""
    try:
        found = mixed(named, language, picks)
    except CannotMix as error:
        yield {"telling": telling, "done": 0, "of": 0, "rows": [], "problem": str(error)}
        return
    tellings, comparison = compared(named, language)
    program = tellings[telling].program
    counts = in_both(program.counts, found.ruleset.program.counts)
    if not counts:
        problem = phrase("compare.never_as_many", comparison.table.language)
        yield {"telling": telling, "done": 0, "of": 0, "rows": [], "problem": problem}
        return
    layout = Layout(program, counts[-1])
    seats = [layout.name(PLAYER, seat, comparison.table.language) for seat in layout.seats]
    after = (*named[0][1], _file(found))
    for each in paired(named[telling][1], after, counts[-1], "random", games, SEED):
        yield {"telling": telling, "seats": seats, "problem": "", **each}


def _file(found: Mix) -> RuleFile:
    return RuleFile(f"{found.ruleset.name.rpartition('+')[2]}.yaml", found.text, ())


def _free(files: Files) -> str:
    """Returns an unused name for the variant; a draft may be a mix itself."""
    taken = {each.name for each in files}
    names = (NAME, *(f"{NAME}_{number}" for number in range(2, len(files) + 3)))
    return next(each for each in names if f"{each}.yaml" not in taken)
