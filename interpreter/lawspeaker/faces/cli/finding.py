"""Searches witnesses and measures effects of differences, on all cores, with a progress bar.

If it is interrupted during the games, the results so far are returned.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic

from rich.progress import Progress

from lawspeaker import ir
from lawspeaker.faces.cli.common import complain
from lawspeaker.faces.cli.lab import progress, proven, seat_bots
from lawspeaker.faces.render.compare import short_names
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.experiments.proving import prove
from lawspeaker.outside.loading import schema
from lawspeaker.outside.machines import WASM, back_ends_used
from lawspeaker.outside.rules import MatchSetup, Rules
from lawspeaker.outside.storage import write
from lawspeaker.outside.workers import Sought, paired, paired_jobs, witnesses
from lawspeaker.position.layout import called
from lawspeaker.study.compare.alone import Alone, all_alone
from lawspeaker.study.compare.comparison import Comparison
from lawspeaker.study.compare.contrast import Contrast, contrast
from lawspeaker.study.compare.effect import Effect, Pairs
from lawspeaker.study.compare.evidence import proven_equal
from lawspeaker.study.compare.explaining import explained
from lawspeaker.study.compare.findings import Finding, Findings
from lawspeaker.study.compare.ruleset import Ruleset
from lawspeaker.study.compare.triggers import point_of
from lawspeaker.study.compare.witness import Search
from lawspeaker.study.compare.witness_scenario import scenario
from lawspeaker.study.lab.sequential import Look, first_look, next_look

LONG = 60
"""Seconds of remaining time above which it is announced."""


@dataclass(frozen=True, slots=True)
class Asking:
    """Parameters of the search and the measurement; `players` are the numbers of players to try."""

    witness: bool
    positions: int
    games: int
    players: tuple[int, ...]
    bots: str
    seed: int
    crew: Crew
    machine: str = WASM
    precision: float | None = None
    """Half of the widest interval of a change of victories that ends the games."""

    @property
    def anything(self) -> bool:
        return self.witness or self.games > 0


def find_out(rulesets: Sequence[Ruleset], comparison: Comparison, asking: Asking) -> Findings:
    alone = all_alone(rulesets, comparison)
    program, language = rulesets[0].program, comparison.table.language
    seats = program.player_names[: max(asking.players)]
    named = tuple(called(program, seat, "player", language) for seat in seats)
    found = Findings(
        tuple(Finding(each, equal=_equal(program, each)) for each in alone),
        bots=asking.bots,
        seed=asking.seed,
        seats=named,
    )
    if asking.games:
        first = Rules(rulesets[0].name, rulesets[0].files)
        bots = [table.bots for table in _tables(asking)]
        games = asking.games * len(alone)
        proofs = proven(prove(first, bots, asking.seed, games, asking.crew))
        found = replace(found, proofs=proofs)
    with progress() as bar:
        if asking.witness:
            each = _witnesses(rulesets, comparison, found.each, asking, bar)
            found = replace(found, each=tuple(each))
        return _effects(rulesets, found, asking, bar) if asking.games else found


def _equal(first: ir.Program, alone: Alone) -> bool:
    return alone.program is not None and proven_equal(first, alone.program)


# ---------------------------------------------------------------- witnesses


def _witnesses(
    rulesets: Sequence[Ruleset],
    comparison: Comparison,
    found: Sequence[Finding],
    asking: Asking,
    bar: Progress,
) -> list[Finding]:
    """Searches a witness for each difference; editions with the same change share one search."""
    rules = [Rules(each.name, each.files) for each in rulesets]
    contrasts = _contrasts(rulesets, comparison, found)
    sought: dict[str, Sought] = {}
    for each, held in zip(found, contrasts, strict=True):
        if held is not None and each.alone.patch not in sought:
            rows = each.alone.difference.rows_of(each.column)
            one, other = rules[0], rules[each.column]
            sought[each.alone.patch] = Sought(
                replace(one, patch=held.one),
                replace(one, patch=held.alone),
                other if held.other is None else replace(one, patch=held.other),
                rows,
                held.rules.own,
                held.rules.books,
                (one, replace(one, patch=each.alone.patch)) if held.rules.boxes else None,
            )
    task = bar.add_task("looking for witnesses", total=len(sought))
    searches = witnesses(list(sought.values()), asking.seed, asking.positions, asking.crew)
    searched: dict[str, Search] = {}
    for text, search in zip(sought, searches, strict=True):
        searched[text] = search
        bar.advance(task)
    results: list[Finding] = []
    for each, held in zip(found, contrasts, strict=True):
        if held is None:
            results.append(each)
            continue
        search = searched[each.alone.patch]
        told = None
        if search.witness is not None:
            cells = each.alone.difference.cells_of(each.column)
            pair = (rulesets[0], rulesets[each.column])
            told = explained(search.witness, *pair, held.rules, cells, comparison.table.language)
        results.append(replace(each, search=search, explained=told))
    return results


def _contrasts(
    rulesets: Sequence[Ruleset], comparison: Comparison, found: Sequence[Finding]
) -> list[Contrast | None]:
    return [contrast(rulesets, comparison, each.alone) for each in found]


# ---------------------------------------------------------------- effects


def _effects(
    rulesets: Sequence[Ruleset], found: Findings, asking: Asking, bar: Progress
) -> Findings:
    """Measures each difference alone, all of each edition together, and the first edition against
    itself."""
    first = rulesets[0]
    one = Rules(first.name, first.files)
    others, points = [one], [""]
    at: dict[str, int] = {}
    for each in found.each:
        if each.alone.program is not None and each.alone.patch not in at:
            at[each.alone.patch] = len(others)
            others.append(replace(one, patch=each.alone.patch))
            points.append(point_of(each.alone.difference, each.column))
    whole = range(len(others), len(others) + len(rulesets) - 1)
    others += [Rules(each.name, each.files) for each in rulesets[1:]]
    played, looks, stopped = _played(one, others, points, asking, bar)
    # The intervals are corrected for the number of effects.
    among = max(1, len(played))
    names = first.program.player_names

    def effects(number: int) -> tuple[Effect, ...]:
        return tuple(
            played[number, players].effect(names[:players], among, looks[number, players])
            for players in asking.players
            if (number, players) in played
        )

    weighed = (
        replace(each, effects=effects(at[each.alone.patch])) if each.alone.patch in at else each
        for each in found.each
    )
    return replace(
        found,
        each=tuple(weighed),
        together=tuple(effects(number) for number in whole),
        again=effects(0),
        wanted=asking.games,
        stopped=stopped,
        machine=back_ends_used(asking.machine),
    )


def _played(
    one: Rules, others: Sequence[Rules], points: Sequence[str], asking: Asking, bar: Progress
) -> tuple[dict[_Key, Pairs], dict[_Key, Look], bool]:
    """Plays the pairs; returns their sums and latest looks by rules and number of players, and
    whether it was interrupted."""
    tables = {len(table.bots): table for table in _tables(asking)}
    found: dict[_Key, Pairs] = {}
    keys = [(other, players) for players in tables for other in range(len(others))]
    first = first_look(asking.games, asking.precision)
    looks, begun = dict.fromkeys(keys, first), dict.fromkeys(keys, 0)
    # Before any look it is not known how many parts there are.
    parts = paired_jobs(len(others), list(tables.values()), range(asking.games))
    task = bar.add_task("playing paired games", total=parts if asking.precision is None else None)
    pace = _Pace(parts, min(parts, asking.crew.hands))
    try:
        while keys:
            for (numbers, some), players in _together(keys, begun, looks).items():
                these, at = [others[each] for each in some], [tables[each] for each in players]
                about = [points[each] if each < len(points) else "" for each in some]
                for ended in paired(one, these, at, numbers, asking.crew, about):
                    for each in ended:
                        key = some[each.other], each.players
                        found[key] = found[key] + each.pairs if key in found else each.pairs
                    bar.advance(task)
                    if asking.precision is None:
                        pace.advance()
            keys = [key for key in keys if _goes_on(key, found[key], begun, looks, asking)]
    except KeyboardInterrupt:
        return found, looks, True
    return found, looks, False


_Key = tuple[int, int]
"""The number of the other rules, and the number of players."""


def _together(
    keys: Sequence[_Key], begun: dict[_Key, int], looks: dict[_Key, Look]
) -> dict[tuple[range, tuple[int, ...]], list[int]]:
    """Groups what plays the same games: their numbers and the other rules, with the numbers of
    players."""
    others: dict[tuple[int, range], list[int]] = {}
    for other, players in keys:
        numbers = range(begun[other, players], looks[other, players].games)
        others.setdefault((players, numbers), []).append(other)
    found: dict[tuple[range, tuple[int, ...]], list[int]] = {}
    for (players, numbers), some in others.items():
        found.setdefault((numbers, tuple(some)), []).append(players)
    return found


def _goes_on(
    key: _Key, found: Pairs, begun: dict[_Key, int], looks: dict[_Key, Look], asking: Asking
) -> bool:
    """Plans the next look of some pairs; False if they are precise enough."""
    names, look = [""] * key[1], looks[key]
    half = found.effect(names, 1, look).precision
    begun[key], looks[key] = look.games, next_look(look, half, asking.precision, asking.games)
    return looks[key] != look


def _tables(asking: Asking) -> list[MatchSetup]:
    """Returns a table for each number of players."""
    return [
        MatchSetup(tuple(seat_bots(asking.bots, players)), asking.seed, asking.machine)
        for players in asking.players
    ]


class _Pace:
    """Announces once how long it will take, if that is long.

    The first part of every worker includes the warm-up and is ignored.
    """

    def __init__(self, parts: int, hands: int) -> None:
        self.left = parts
        self.ready = -hands
        self.began = 0.0
        self.said = False

    def advance(self) -> None:
        self.left -= 1
        self.ready += 1
        if self.ready == 0:
            self.began = monotonic()
        if self.ready <= 0 or self.said:
            return
        left = (monotonic() - self.began) / self.ready * self.left
        if left > LONG:
            self.said = True
            minutes = math.ceil(left / 60)
            complain(f"about {minutes} min more to play; Ctrl-C shows what is known by then")


# ---------------------------------------------------------------- saving


def save(
    rulesets: Sequence[Ruleset], comparison: Comparison, findings: Findings, folder: Path
) -> Iterator[str]:
    """Writes the witnesses as scenarios, one file for each edition; yields what was written."""
    folder.mkdir(parents=True, exist_ok=True)
    names = short_names(comparison.table.columns)
    contrasts = _contrasts(rulesets, comparison, findings.each)
    for each, held in zip(findings.each, contrasts, strict=True):
        witness = None if each.search is None else each.search.witness
        if held is None or witness is None:
            continue
        difference = each.alone.difference
        for at in (0, each.column):
            cell = difference.row.cells[at]
            title = f"{difference.id}, as in {names[at]}"
            about = (title, cell.text)
            text = scenario(witness, rulesets[at], held.rules, about, schema("scenario"))
            if text is None:
                yield f"{difference.id}: no scenario could be made of it for {names[at]}"
                continue
            rival = names[each.column] if at == 0 else names[0]
            stem = f"{difference.id}-{names[at]}-not-{rival}"
            file = folder / f"{''.join(s if s.isalnum() else '_' for s in stem)}.yaml"
            write(file, text)
            yield f"wrote {file}"
