"""Renders the result of a search for leaks: comparisons, ends of twins, and leaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon, flat, joined
from lawspeaker.study.secrets.trial import Hole, Leak, SecretFindings, TrialTable

MOST_SHOWN = 10
"""Maximum number of kinds of leaks shown."""
LAST = 4
"""Number of answers shown before a leak."""


def text(name: str, found: Sequence[SecretFindings], players: Sequence[str], language: str) -> str:
    """Renders the findings for each number of players, then the leaks."""
    blocks = ["\n".join(_block(name, each, language)) for each in found]
    faults = [hole for each in found for hole in each.faults]
    if faults:
        blocks.append("\n".join(_faults(faults, language)))
    leaks = [leak for each in found for leak in each.leaks]
    blocks.append("\n\n".join(_leaks(name, leaks, players, language)))
    return "\n\n".join(blocks) + "\n"


def _block(name: str, found: SecretFindings, language: str) -> Iterator[str]:
    counts = {"games": found.games, "pairs": found.pairs, "answers": found.answers}
    told = {key: f"{count:,}" for key, count in counts.items()}
    yield phrase("secrets.players", language, name=name, players=found.players, **told)
    yield ""
    heading = [phrase(f"secrets.{key}", language) for key in ("given", "compared", "bytes")]
    rows = [
        [_channel(channel, language), f"{each.looks:,}", f"{each.bytes:,}"]
        for channel, each in found.compared.items()
    ]
    yield from _columns([heading, *rows])
    yield ""
    yield phrase("secrets.ends", language)
    ends = [
        [phrase(f"secrets.{how}", language, clause=clause), f"{count:,}"]
        for (how, clause), count in found.ends.most_common()
    ]
    yield from _columns(ends)


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yields lines with a name and right-aligned numbers."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        numbers = [each.rjust(width) for each, width in zip(rest, widths[1:], strict=True)]
        yield "  ".join(["", first.ljust(widths[0]), *numbers])


def _channel(name: str, language: str) -> str:
    return phrase(f"secrets.channel.{name.replace(' ', '_')}", language)


def _faults(faults: Sequence[Hole], language: str) -> Iterator[str]:
    """Yields the first fault of a game that was actually played."""
    first = faults[0]
    yield phrase("secrets.faults", language, count=len(faults))
    yield "  " + _table(first.table, language)
    count, answer = len(first.before), first.answer
    key = "fault_at" if answer else "fault_start"
    yield "  " + phrase(f"secrets.{key}", language, count=count, answer=answer)
    yield "  " + flat(first.fault)


def _table(table: TrialTable, language: str) -> str:
    return phrase(
        "secrets.table",
        language,
        players=table.players,
        seed=table.seed,
        discretion=table.discretion,
        machine=table.machine,
    )


def _leaks(
    name: str, leaks: Sequence[Leak], players: Sequence[str], language: str
) -> Iterator[str]:
    if not leaks:
        yield phrase("secrets.none", language)
        return
    number = "one" if len(leaks) == 1 else "many"
    yield phrase(f"secrets.leaks.{number}", language, count=len(leaks))
    counts = Counter(leak.sort for leak in leaks)
    for sort, count in counts.most_common(MOST_SHOWN):
        first = next(leak for leak in leaks if leak.sort == sort)
        yield "\n".join(_leak(name, first, count, players, language))


def _leak(
    name: str, leak: Leak, count: int, players: Sequence[str], language: str
) -> Iterator[str]:
    found = leak.difference
    seat = phrase("secrets.watching", language) if leak.seat is None else players[leak.seat]
    channel = _channel(found.channel, language)
    yield phrase("secrets.leak", language, clause=leak.clause, channel=channel, seat=seat)
    if count > 1:
        yield "  " + phrase("secrets.times", language, count=count)
    yield "  " + _table(leak.table, language)
    key = "before_after" if leak.before else "before"
    yield "  " + phrase(f"secrets.{key}", language, count=len(leak.before))
    if leak.since:
        yield "  " + phrase("secrets.since", language, answers=joined(leak.since[-LAST:], language))
    for key, told in (("one", found.one), ("two", found.two)):
        yield "  " + colon(phrase(f"secrets.{key}", language), flat(told), language)
    yield "  " + colon(phrase("secrets.again", language), again(name, leak), language)


def again(name: str, leak: Leak) -> str:
    """Returns the command that reproduces a leak."""
    return f"lawspeaker secrets {name} --players {leak.table.players} --seed {leak.table.seed} -n 1"


def to_json(name: str, found: Iterable[SecretFindings], players: Sequence[str]) -> dict[str, Any]:
    """Converts the findings to JSON."""
    return {
        "game": name,
        "players": [_findings(name, each, players) for each in found],
    }


def _findings(name: str, found: SecretFindings, players: Sequence[str]) -> dict[str, Any]:
    return {
        "players": found.players,
        "games": found.games,
        "pairs": found.pairs,
        "answers": found.answers,
        "compared": {channel: asdict(each) for channel, each in found.compared.items()},
        "ends": [
            {"how": how, "clause": clause, "times": count}
            for (how, clause), count in sorted(found.ends.items())
        ],
        "leaks": [
            {
                "seat": None if leak.seat is None else players[leak.seat],
                "seed": leak.table.seed,
                "discretion": leak.table.discretion,
                "machine": leak.table.machine,
                "before": list(leak.before),
                "since": list(leak.since),
                "clause": leak.clause,
                **asdict(leak.difference),
                "again": again(name, leak),
            }
            for leak in found.leaks
        ],
        "faults": [
            {
                "seed": hole.table.seed,
                "discretion": hole.table.discretion,
                "machine": hole.table.machine,
                "before": list(hole.before),
                "answer": hole.answer,
                "fault": hole.fault,
            }
            for hole in found.faults
        ],
    }
