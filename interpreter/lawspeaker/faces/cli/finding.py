"""Finding out what differences do: witnesses and effects, on all cores, with a progress bar."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from lawspeaker.faces.cli.lab import seat_bots
from lawspeaker.faces.render.compare import short_names
from lawspeaker.outside.crew import Crew
from lawspeaker.outside.loading import schema
from lawspeaker.outside.storage import write
from lawspeaker.outside.workers import Rules, Sought, Table, sums, witnesses
from lawspeaker.position.layout import called
from lawspeaker.study.compare.alone import Alone, all_alone
from lawspeaker.study.compare.comparison import Comparison
from lawspeaker.study.compare.effect import Effect, Pairs, pairs
from lawspeaker.study.compare.explaining import explained
from lawspeaker.study.compare.findings import Finding, Findings
from lawspeaker.study.compare.telling import Telling
from lawspeaker.study.compare.witness import Rulebooks, Search
from lawspeaker.study.compare.witness_scenario import scenario
from lawspeaker.study.lab.exact_sums import added
from lawspeaker.study.lab.games import Games


@dataclass(frozen=True, slots=True)
class Asking:
    """What is to be found out, and how."""

    witness: bool
    positions: int
    games: int
    players: int
    bots: str
    seed: int
    crew: Crew

    @property
    def anything(self) -> bool:
        return self.witness or self.games > 0


def find_out(tellings: Sequence[Telling], comparison: Comparison, asking: Asking) -> Findings:
    alone = all_alone(tellings, comparison)
    found = [Finding(each) for each in alone]
    with _progress() as bar:
        if asking.witness:
            found = _witnesses(tellings, comparison, found, asking, bar)
        together: tuple[Effect | None, ...] = ()
        if asking.games:
            found, together = _effects(tellings, found, asking, bar)
    program, language = tellings[0].program, comparison.table.language
    seats = program.player_names[: asking.players]
    named = tuple(called(program, seat, "player", language) for seat in seats)
    return Findings(tuple(found), together, asking.bots, asking.players, asking.seed, named)


def _progress() -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    return Progress(*columns, console=console, transient=True, disable=not sys.stderr.isatty())


# ---------------------------------------------------------------- witnesses


def _books(tellings: Sequence[Telling], alone: Alone) -> Rulebooks | None:
    if alone.program is None:
        return None
    other = tellings[alone.telling].program
    return Rulebooks(tellings[0].program, alone.program, other)


def _witnesses(
    tellings: Sequence[Telling],
    comparison: Comparison,
    found: list[Finding],
    asking: Asking,
    bar: Progress,
) -> list[Finding]:
    """A witness for each difference; tellings that differ in the same way share one search."""
    rules = [Rules(each.name, each.files) for each in tellings]
    sought: dict[str, Sought] = {}
    for each in found:
        books = _books(tellings, each.alone)
        if books is not None and each.alone.patch not in sought:
            one, other = rules[0], rules[each.telling]
            rows = each.alone.difference.rows_of(each.telling)
            alone = replace(one, patch=each.alone.patch)
            sought[each.alone.patch] = Sought(one, alone, other, rows)
    task = bar.add_task("looking for witnesses", total=len(sought))
    searches = witnesses(list(sought.values()), asking.seed, asking.positions, asking.crew)
    searched: dict[str, Search] = {}
    for text, search in zip(sought, searches, strict=True):
        searched[text] = search
        bar.advance(task)
    results: list[Finding] = []
    for each in found:
        books = _books(tellings, each.alone)
        if books is None:
            results.append(each)
            continue
        search = searched[each.alone.patch]
        told = None
        if search.witness is not None:
            row = each.alone.difference.row_of(each.telling)
            cells = (row.id, row.cells[0], row.cells[each.telling])
            pair = (tellings[0], tellings[each.telling])
            told = explained(search.witness, *pair, books, cells, comparison.table.language)
        results.append(replace(each, search=search, explained=told))
    return results


# ---------------------------------------------------------------- effects


def _effects(
    tellings: Sequence[Telling], found: list[Finding], asking: Asking, bar: Progress
) -> tuple[list[Finding], tuple[Effect | None, ...]]:
    """Each difference alone, then all of each telling together."""
    first = tellings[0]
    rules = [Rules(first.name, first.files)]
    at: dict[str, int] = {}
    for each in found:
        if each.alone.program is not None and each.alone.patch not in at:
            at[each.alone.patch] = len(rules)
            rules.append(replace(rules[0], patch=each.alone.patch))
    whole = len(rules)
    rules += [Rules(each.name, each.files) for each in tellings[1:]]
    table = Table(tuple(seat_bots(asking.bots, asking.players)), asking.seed)
    played: list[tuple[Pairs, ...]] = []
    task = bar.add_task("playing paired games", total=len(rules) * asking.games)
    for some in sums(rules, table, range(asking.games), _pairs, asking.crew):
        played.append(some)
        bar.advance(task, len(rules) * some[0].games)
    names = first.program.player_names[: asking.players]
    effects = [each.effect(names) for each in reduce(added, played)]
    with_effects = [
        replace(each, effect=effects[at[each.alone.patch]])
        if each.alone.program is not None
        else each
        for each in found
    ]
    return with_effects, tuple(effects[whole:])


def _pairs(games: Sequence[Games]) -> tuple[Pairs, ...]:
    """All against the first."""
    return tuple(pairs(games[0], each) for each in games)


# ---------------------------------------------------------------- saving


def save(
    tellings: Sequence[Telling], comparison: Comparison, findings: Findings, folder: Path
) -> Iterator[str]:
    """Writes the witnesses as scenarios, one file for each telling; says what was written."""
    folder.mkdir(parents=True, exist_ok=True)
    names = short_names(comparison.table.columns)
    for each in findings.each:
        books = _books(tellings, each.alone)
        witness = None if each.search is None else each.search.witness
        if books is None or witness is None:
            continue
        difference = each.alone.difference
        for at in (0, each.telling):
            cell = difference.row.cells[at]
            title = f"{difference.id}, as in {names[at]}"
            text = scenario(witness, tellings[at], books, (title, cell.text), schema("scenario"))
            if text is None:
                yield f"{difference.id}: no scenario could be made of it for {names[at]}"
                continue
            rival = names[each.telling] if at == 0 else names[0]
            stem = f"{difference.id}-{names[at]}-not-{rival}"
            file = folder / f"{''.join(s if s.isalnum() else '_' for s in stem)}.yaml"
            write(file, text)
            yield f"wrote {file}"
