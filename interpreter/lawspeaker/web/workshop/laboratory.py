"""Simulations and sweeps for a page: tables that fill in while games are played, then a picture."""

from __future__ import annotations

import time
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

from rich.table import Table
from rich.text import Text

from lawspeaker import ir
from lawspeaker.lab.record import Record, play_game
from lawspeaker.lab.sweep import sweep
from lawspeaker.lab.tally import Tally
from lawspeaker.lab.varying import CannotVary, Values, Varied, combinations, patch, varied
from lawspeaker.layout import Layout
from lawspeaker.render import plots, sweeping
from lawspeaker.render import simulation as shown
from lawspeaker.source import RuleFile
from lawspeaker.web.workshop.paired import PAUSE
from lawspeaker.web.workshop.places import Files, compiled, program_of

MOST_VALUES = 12
"""The most values that are tried in one sweep."""


def choices(program: ir.Program) -> list[dict[str, str]]:
    """The named choices that can be varied, with what they say and the value they have."""
    layout = Layout(program, program.most)
    found = []
    for choice in program.choices:
        value = choice.values[-1]
        if not isinstance(value, tuple):
            says = program.clauses[choice.clause].says
            told = says.get("en") or next(iter(says.values()), "")
            found.append({"id": choice.id, "says": told, "is": layout.text(choice.type, value)})
    return found


def simulated(
    files: Files, players: int, bots: Sequence[str], games: int, seed: int
) -> Iterator[dict[str, Any]]:
    """Many games between bots, summed up again and again."""
    program = program_of(files)
    tally, broken, told = Tally(program, players, list(bots)), "", time.monotonic()
    for number in range(games):
        record = play_game(program, players, seed, number, bots)
        if record.fault:
            broken = record.fault
        else:
            tally.add(record)
        if time.monotonic() - told >= PAUSE and tally.games and number + 1 < games:
            told = time.monotonic()
            yield _counted(number + 1, games, tally, broken)
    if not tally.games:
        yield {"done": games, "of": games, "tables": [], "plot": None, "broken": broken}
        return
    title = f"{program.name}, {players} players, {tally.games:,} games, seed {seed}"
    picture = _picture(lambda: plots.simulation(tally.summary(), title))
    yield {**_counted(games, games, tally, broken), "plot": picture}


def _counted(done: int, of: int, tally: Tally, broken: str) -> dict[str, Any]:
    summary = tally.summary()
    tables = [shown.seats(summary), shown.whole(summary, None), shown.sources(summary)]
    tables += [shown.uses(summary), shown.fired(summary)]
    return {"done": done, "of": of, "tables": [_plain(each) for each in tables], "broken": broken}


def swept(
    files: Files, vary: str, players: int, bots: Sequence[str], games: int, seed: int
) -> Iterator[dict[str, Any]]:
    """The same games for each value of a named choice."""
    program = program_of(files)
    try:
        all_varied = [varied(vary, Layout(program, players))]
        values = combinations(all_varied)
    except CannotVary as error:
        yield {"done": 0, "of": 0, "tables": [], "broken": str(error)}
        return
    if len(values) > MOST_VALUES:
        yield {"done": 0, "of": 0, "tables": [], "broken": f"at most {MOST_VALUES} values"}
        return
    programs: dict[Values, ir.Program] = {}
    for each in values:
        patched = RuleFile("patch.yaml", patch(program, all_varied, each), ())
        found, diagnostics = compiled((*files, patched))
        if found is None:
            wrong = diagnostics.sorted()[0].message
            yield {"done": 0, "of": 0, "tables": [], "broken": f"{vary}: {wrong}"}
            return
        programs[each] = found
    yield from _played(program, all_varied, programs, players, bots, games, seed)


def _played(
    program: ir.Program,
    all_varied: Sequence[Varied],
    programs: Mapping[Values, ir.Program],
    players: int,
    bots: Sequence[str],
    games: int,
    seed: int,
) -> Iterator[dict[str, Any]]:
    """Game by game under every value, so that all are known equally well at any time."""
    title = f"{program.name}, {players} players, {games:,} games for each value, seed {seed}"
    records: dict[Values, list[Record]] = {each: [] for each in programs}
    told = time.monotonic()
    for number in range(games):
        for values, own in programs.items():
            record = play_game(own, players, seed, number, bots)
            if record.fault:
                yield {"done": number, "of": games, "tables": [], "broken": record.fault}
                return
            records[values].append(record)
        last = number + 1 == games
        if number and (last or time.monotonic() - told >= PAUSE):
            told = time.monotonic()
            yield {"done": number + 1, "of": games, **_swept(all_varied, records, title, last)}


def _swept(
    all_varied: Sequence[Varied], records: Mapping[Values, list[Record]], title: str, last: bool
) -> dict[str, Any]:
    result = sweep(all_varied, records)
    parts = [each for each in sweeping.swept(result).renderables if isinstance(each, Table)]
    told: dict[str, Any] = {"tables": [_plain(each) for each in parts], "broken": ""}
    if last:
        told["plot"] = _picture(lambda: plots.sweep(result, title))
        told["csv"] = sweeping.sweep_csv(result)
    return told


def _picture(drawing: Callable[[], Any]) -> str | None:
    """A picture as an address that holds it; none where there is nothing to draw with."""
    try:
        return f"data:image/svg+xml;base64,{b64encode(plots.drawn(drawing(), 'svg')).decode()}"
    except plots.NoPlots:
        return None


def _plain(table: Table) -> dict[str, Any]:
    """The table of the terminal as texts."""
    cells = [[_text(cell) for cell in column.cells] for column in table.columns]
    return {
        "title": _text(table.title or "").strip(),
        "headings": [_text(column.header) for column in table.columns] if table.show_header else [],
        "left": [column.justify == "left" for column in table.columns],
        "rows": [list(row) for row in zip_longest(*cells, fillvalue="")],
    }


def _text(cell: Any) -> str:
    return cell.plain if isinstance(cell, Text) else str(cell)
