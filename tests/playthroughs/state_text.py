"""The whole value of a state in readable lines, for golden files.

Everything in `State.to_json` is there, so a change of any part of it is a change of the text.
Places, markers and clauses have their names. Pieces are told by their numbers, since the table that
stands above a state in a playthrough has their names. Empty entries are left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from lawspeaker.position.layout import Layout
from lawspeaker.position.state import State
from tests.playthroughs.lines import filled, in_runs, wrapped

TABLE = frozenset({"contents", "states", "markers", "scores", "past"})
"""The entries that a table shows."""


def state_lines(layout: Layout, state: State, table: bool = True) -> Iterator[str]:
    """The entries of a state, with those that a `table` shows, or without."""
    data = {name: value for name, value in state.to_json().items() if table or name not in TABLE}
    told = dict(entries(layout, data))
    rest = [f"{name} {json_text(value)}" for name, value in data.items() if name not in told]
    yield from filled("     ", rest, indent=7)
    for name, words in told.items():
        yield from wrapped(f"     {name}: ", words, 7) if data[name] else ()


def entries(layout: Layout, data: Mapping[str, Any]) -> Iterator[tuple[str, Iterable[str]]]:
    """The words for each entry that names something, or is long."""
    places = layout.place_text
    clauses = [clause.id for clause in layout.program.clauses]
    for name, value in data.items():
        match name:
            case "contents":
                yield name, (f"{places[int(at)]}: {ranges(held)};" for at, held in value.items())
            case "loose" | "shuffles":
                yield name, (f"{places[int(at)]} {json_text(each)};" for at, each in value.items())
            case "picks":
                yield name, (f"{clauses[int(at)]} {count};" for at, count in value.items())
            case "known":
                yield name, (f"{piece} {seats};" for piece, seats in value.items())
            case "states":
                yield name, in_runs(f"{json_text(each)};" for each in value)
            case "markers":
                pairs = zip(layout.markers, value, strict=True)
                yield name, (f"{entry.text} {json_text(each)};" for entry, each in pairs)
            case "stack":
                frames = (
                    (clauses[c], pc, json_text(filled_slots(slots))) for c, pc, slots in value
                )
                yield name, (f"{clause} at {pc} {slots};" for clause, pc, slots in frames)
            case "past":
                yield name, (word for rows in value for word in differences(rows))


def json_text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"))


def ranges(numbers: Iterable[int]) -> str:
    """Numbers in order, those that follow each other as `3-7`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return " ".join(f"{run[0]}" if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def filled_slots(slots: Sequence[Any]) -> Sequence[Any]:
    """The slots of a frame without the empty ones at its end."""
    last = max((at for at, value in enumerate(slots) if value is not None), default=-1)
    return slots[: last + 1]


def differences(rows: Iterable[Sequence[int]]) -> Iterator[str]:
    """Rows of numbers, as `index:value` for what differs from the row before; that before the first
    one is all zeros."""
    before: Sequence[int] = ()
    for row in rows:
        before = before if len(before) == len(row) else [0] * len(row)
        pairs = enumerate(zip(before, row, strict=True))
        words = [f"{at}:{now}" for at, (old, now) in pairs if old != now] or ["same"]
        yield from (*words[:-1], f"{words[-1]};")
        before = row
