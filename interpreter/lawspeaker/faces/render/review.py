"""Renders a review as text and as JSON: findings, and changes between two versions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from lawspeaker.faces.render.estimates import mean_and_span, percent, share_and_span
from lawspeaker.faces.render.proof import sentences
from lawspeaker.faces.render.proof import to_json as proof_json
from lawspeaker.faces.render.review_words import (
    notes,
    players,
    sentence,
    source,
    worth_of_thinking,
)
from lawspeaker.faces.render.simulation import json_value, sources
from lawspeaker.study.lab.paired_changes import MeasuredChange as Shift
from lawspeaker.study.lab.statistics import Estimate
from lawspeaker.study.lab.sweep import Sweep
from lawspeaker.study.reviewing.claims import About, Finding
from lawspeaker.study.reviewing.comparing import (
    BETTER,
    NEITHER,
    OPEN,
    OTHERWISE,
    WORSE,
    FindingChange,
)
from lawspeaker.study.reviewing.evidence import Played
from lawspeaker.study.reviewing.findings import POINTS, Review, median
from lawspeaker.study.reviewing.skill import SkillFigure, worths

Witnesses = Mapping[About, str]
"""The commands that reproduce witnesses, by the subject of the finding."""

THINKING = "What thinking is worth"


def text(review: Review, witnesses: Witnesses) -> Group:
    parts: list[Any] = [Text(line) for line in sentences(review.evidence.proofs)]
    parts += [Text(behind(review)), Text(), tables_of(review, ""), Text()]
    if lines := worth_of_thinking(review):
        parts += [Text(THINKING, style="bold"), *(Text(f"- {each}") for each in lines), Text()]
    best = review.evidence.thinking
    if best.tally.games and (points := sources(best.summary(review.evidence.program))).row_count:
        title = f"{points.title} ({players(best.bots)})"
        points.title = None
        parts += [Text(title, style="bold"), points, Text()]
    if not review.findings:
        parts.append(Text("Nothing was found that is worth telling, in so many games."))
    for number, each in enumerate(review.findings, 1):
        parts += _told(f"{number}. ", each, witnesses)
    return Group(*parts, *(Text(each, style="dim") for each in notes(review)))


def behind(review: Review) -> str:
    """Describes the games behind a review: numbers, players and seed."""
    evidence = review.evidence
    tables = ", ".join(str(each.players) for each in evidence.many)
    best, each = evidence.thinking, evidence.many[-1].tally
    many = f"{each.games + each.broke.games:,} games each of {tables} random players"
    if evidence.nobody_thinks:
        return f"{many}, none of any who think, seed {evidence.seed}"
    played = best.tally.games + best.tally.broke.games
    games = "1 game" if played == 1 else f"{played:,} games"
    thinking = f"{games} of {best.players} who think ({players(best.bots)})"
    return f"{many}, {thinking}, seed {evidence.seed}"


def _told(mark: str, finding: Finding, witnesses: Witnesses) -> list[Text]:
    lines = [Text(f"{mark}{sentence(finding)}"), Text(f"   {source(finding)}", style="dim")]
    if finding.about in witnesses:
        # A command gets copied, so it is not wrapped.
        opens = f"   {witnesses[finding.about]}"
        lines.append(Text(opens, style="dim", no_wrap=True, overflow="ignore"))
    return lines


def tables_of(review: Review, title: str) -> Table:
    """Builds the table of all games: length and results, by number of players."""
    table = Table(title=title or None, box=None, pad_edge=False)
    for heading in ("players", "bots"):
        table.add_column(heading)
    for heading in ("games", "decisions", "usual", "shared", "no winner", "broken"):
        table.add_column(heading, justify="right")
    for played in _tables(review):
        table.add_row(*_row(review, played))
    return table


def _tables(review: Review) -> list[Played]:
    """Returns all sets of games."""
    evidence = review.evidence
    return [*evidence.many, *(() if evidence.nobody_thinks else (evidence.thinking,))]


def _row(review: Review, played: Played) -> list[str]:
    tally = played.tally
    head = [str(played.players), players(played.bots), f"{tally.games:,}"]
    if not tally.games:
        return [*head, "", "", "", "", f"{tally.broke.games:,}"]
    summary = played.summary(review.evidence.program)
    ends = percent(summary.ties.value), percent(summary.draws.value), f"{tally.broke.games:,}"
    return [*head, mean_and_span(summary.decisions), f"{median(tally):,}", *ends]


# ---------------------------------------------------------------- two versions

_HOW = {
    BETTER: "What got better",
    WORSE: "What got worse",
    OTHERWISE: "What is otherwise, neither better nor worse",
    OPEN: "What the games leave open",
}
NOTHING_CHANGED = "No finding came, went, or clearly changed."
NOT_MEASURED = "No game came to its end by both, so nothing could be measured game by game."


def compared(
    found: Sequence[FindingChange], measures: Sweep | None, names: tuple[str, str]
) -> Group:
    """Renders the changes from one version to another."""
    parts: list[Any] = []
    for how, title in _HOW.items():
        some = [each for each in found if each.how == how]
        if some:
            parts.append(Text(f"{title}, from {names[0]} to {names[1]}", style="bold"))
            for each in some:
                parts.append(Text(f"- {changed(each)}"))
            parts.append(Text())
    if not found:
        parts.append(Text(NOTHING_CHANGED))
    if measures is None:
        parts.append(Text(NOT_MEASURED))
    else:
        parts.append(Text(by_game(measures), "bold"))
        parts += [Text(f"- {each}") for each in moves(measures)]
    return Group(*parts)


def by_game(measures: Sweep) -> str:
    """Describes how the measures of two versions were taken."""
    return f"Measured game by game, with the same luck ({measures.games:,} games, random players)"


def changed(change: FindingChange) -> str:
    """Describes a finding that appeared, disappeared or changed, with both figures."""
    kind = change.finding.about.kind
    spans = [_figure(kind, each) for each in (change.before, change.after)]
    return f"{sentence(change.finding)} Before: {spans[0]}. After: {spans[1]}."


def _figure(kind: str, estimate: Estimate | None) -> str:
    if estimate is None:
        return "too few games to tell" if kind in NEITHER else "not so"
    plain = kind == "length by players" or kind in POINTS
    return mean_and_span(estimate) if plain else share_and_span(estimate)


def moves(measures: Sweep) -> list[str]:
    """Lists the measures that changed significantly, then the names of the others."""
    before, after = measures.points
    told, rest = [], []
    for each in measures.telling:
        change = after.changes[each.name] if after.changes else None
        if not (isinstance(change, Shift) and change.clear):
            rest.append(each.name)
            continue
        as_text = share_and_span if each.share else mean_and_span
        was = as_text(before.measures[each.name])
        told.append(f"{each.name}: {as_text(change)}, from {was}")
    return [*told, f"not clearly changed: {', '.join(rest)}"] if rest else told


# ---------------------------------------------------------------- JSON


def to_json(review: Review, about: dict[str, Any], witnesses: Witnesses) -> dict[str, Any]:
    return {
        **about,
        "proof": proof_json(review.evidence.proofs),
        "compared": review.compared,
        "correction": "Bonferroni, 95 % for all together",
        "skill": [_worth_json(each) for each in worths(review.evidence)],
        "tables": tables_json(review),
        "sources": _sources(review),
        "findings": [_json(each, witnesses) for each in review.findings],
    }


def _worth_json(worth: SkillFigure) -> dict[str, Any]:
    return {
        "measure": worth.measure,
        "bots": list(worth.bots),
        "games": worth.count,
        "figure": json_value(asdict(worth.estimate)),
        "fair": json_value(worth.fair),
    }


def tables_json(review: Review) -> list[dict[str, Any]]:
    """Converts the sets of games to JSON."""
    return [_played_json(review, each) for each in _tables(review)]


def _sources(review: Review) -> list[dict[str, Any]]:
    """Converts the sources of points of the strong bots to JSON."""
    best = review.evidence.thinking
    if not best.tally.games:
        return []
    found = best.summary(review.evidence.program).sources
    return [json_value(asdict(each)) for each in found]


def _played_json(review: Review, played: Played) -> dict[str, Any]:
    tally = played.tally
    told: dict[str, Any] = {"players": played.players, "bots": list(played.bots)}
    told |= {"games": tally.games, "broken": tally.broke.games}
    if tally.games:
        summary = played.summary(review.evidence.program)
        for name in ("decisions", "ties", "draws", "margin", "leads"):
            told[name] = json_value(asdict(getattr(summary, name)))
    return told


def _json(finding: Finding, witnesses: Witnesses) -> dict[str, Any]:
    about = finding.about
    witness = None
    if about.witness is not None:
        witness = {**asdict(about.witness), "open": witnesses.get(about, "")}
    return {
        "kind": about.kind,
        "subject": about.subject,
        "says": sentence(finding),
        "players": len(about.bots),
        "bots": list(about.bots),
        "games": about.games,
        "figure": json_value(asdict(finding.estimate)),
        "limit": json_value(finding.limit),
        "figures": json_value(about.figures),
        "weight": round(finding.weight, 6),
        "witness": witness,
    }


def compared_json(found: Sequence[FindingChange], measures: Sweep | None) -> dict[str, Any]:
    def one(change: FindingChange) -> dict[str, Any]:
        spans = {
            name: None if each is None else json_value(asdict(each))
            for name, each in (("before", change.before), ("after", change.after))
        }
        about = change.finding.about
        return {"kind": about.kind, "subject": about.subject, "how": change.how, **spans}

    after = (measures.points[-1].changes if measures is not None else None) or {}
    return {
        "changes": [one(each) for each in found],
        "measures": {name: json_value(asdict(each)) for name, each in after.items()},
    }
