"""A review as text and as JSON: findings with their figures, players and witnesses, and what got
better or worse from one version to another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Group
from rich.table import Table
from rich.text import Text

from lawspeaker.faces.render.estimates import mean_and_span, percent, share_and_span
from lawspeaker.faces.render.simulation import tidy
from lawspeaker.study.lab.statistics import Estimate
from lawspeaker.study.lab.sweep import Sweep
from lawspeaker.study.review.comparing import BETTER, FACTS, OPEN, WORSE, Change
from lawspeaker.study.review.evidence import Played
from lawspeaker.study.review.findings import Review, median
from lawspeaker.study.review.testing import About, Finding

Witnesses = Mapping[About, str]
"""By what a finding is about, the command that opens its witness."""

_WHEN = {"2": "half way through", "3": "three quarters through"}


def _fair(each: Finding) -> str:
    return f"{share_and_span(each.estimate)}; fair: {percent(each.about.figures['fair'])}"


def _taken(each: Finding) -> str:
    figures = each.about.figures
    often = f"{figures['chosen']:,.0f} of {figures['offered']:,.0f} times it could be"
    return f"{often}, {share_and_span(each.estimate)}; luck would in {percent(figures['luck'])}"


def _most(each: Finding) -> str:
    return f"so in less than {percent(each.estimate.high)} of the games"


def _unrefused(each: Finding) -> str:
    return f"in {each.about.figures['asked']:,.0f} games that asked it, {_most(each)}"


_SAYS: dict[str, Callable[[Finding], str]] = {
    "hole": lambda each: (
        f"Games break off, since the rules have a hole: {each.about.subject}"
        f" – {share_and_span(each.estimate)}"
    ),
    "endless": lambda each: (
        f"Games do not come to an end: {each.about.subject} – {share_and_span(each.estimate)}"
    ),
    "loop": lambda each: f"Positions come three times in a game: {share_and_span(each.estimate)}",
    "no winner": lambda each: f"Nobody wins: {share_and_span(each.estimate)}",
    "seat ahead": lambda each: f"{each.about.subject} wins more than a fair share: {_fair(each)}",
    "seat behind": lambda each: f"{each.about.subject} wins less than a fair share: {_fair(each)}",
    "start ahead": lambda each: f"Who starts wins more than a fair share: {_fair(each)}",
    "start behind": lambda each: f"Who starts wins less than a fair share: {_fair(each)}",
    "lead kept": lambda each: (
        f"Who leads alone {_WHEN[each.about.subject]} the game wins:"
        f" {share_and_span(each.estimate)}"
    ),
    "never chosen": lambda each: (
        f"Those who think shun “{each.about.subject}”: taken {_taken(each)}"
    ),
    "always chosen": lambda each: (
        f"Those who think nearly always take “{each.about.subject}”: {_taken(each)}"
    ),
    "never fires": lambda each: f"{each.about.subject} never changes anything, {_most(each)}",
    "never offered": lambda each: f"{each.about.subject} never can be chosen, {_most(each)}",
    "ties": lambda each: f"Victories are shared: {share_and_span(each.estimate)}",
    "most of the score": lambda each: (
        f"{each.about.subject} gives most of all points: {share_and_span(each.estimate)}"
    ),
    "little of the score": lambda each: (
        f"{each.about.subject} gives next to no points: {share_and_span(each.estimate)}"
    ),
    "guard never refuses": lambda each: (
        f"{each.about.subject} never refuses anything, {_unrefused(each)}"
    ),
    "guard never allows": lambda each: (
        f"{each.about.subject} never lets anything pass, {_unrefused(each)}"
    ),
    "long games": lambda each: (
        f"Games take twice as long as the usual {each.about.figures['usual']:,.0f} decisions, or"
        f" longer, up to {each.about.figures['longest']:,.0f}: {share_and_span(each.estimate)}"
    ),
    "length by players": lambda each: (
        f"Games take {mean_and_span(each.estimate)} times as long as with"
        f" {each.about.figures['fewest']:.0f} players: {each.about.figures['longest']:.1f}"
        f" decisions against {each.about.figures['length']:.1f}"
    ),
    "goes with losing": lambda each: (
        f"Who chooses “{each.about.subject}” more often than others wins less:"
        f" his share of victories differs by {share_and_span(each.estimate)}"
    ),
    "goes with winning": lambda each: (
        f"Who chooses “{each.about.subject}” more often than others wins more:"
        f" his share of victories differs by {share_and_span(each.estimate)}"
    ),
}


def sentence(finding: Finding) -> str:
    """What was found, with its figure and interval."""
    return _SAYS[finding.about.kind](finding) + "."


def source(finding: Finding) -> str:
    """Who played, and how many games."""
    about = finding.about
    if about.kind in FACTS:
        return f"{about.games:,} games of random players and of {players(about.bots)}"
    return f"{about.games:,} games, {len(about.bots)} players ({players(about.bots)})"


def players(bots: Sequence[str]) -> str:
    return bots[0] if len(set(bots)) == 1 else ", ".join(bots)


def correction(review: Review) -> str:
    """How it is accounted for that many things are looked at."""
    return (
        f"{review.compared:,} things were looked at. Intervals are so wide that with 95 % all of"
        " them hold together (Bonferroni); what reaches over its limit then is not told."
    )


def text(review: Review, witnesses: Witnesses) -> Group:
    parts: list[Any] = [tables_of(review, ""), Text()]
    if not review.findings:
        parts.append(Text("Nothing was found that is worth telling, in so many games."))
    for number, each in enumerate(review.findings, 1):
        parts += _told(f"{number}. ", each, witnesses)
    return Group(*parts, Text(correction(review), style="dim"))


def _told(mark: str, finding: Finding, witnesses: Witnesses) -> list[Text]:
    lines = [Text(f"{mark}{sentence(finding)}"), Text(f"   {source(finding)}", style="dim")]
    if finding.about in witnesses:
        lines.append(Text(f"   {witnesses[finding.about]}", style="dim"))
    return lines


def tables_of(review: Review, title: str) -> Table:
    """All that was played: how long it takes, and how it ends, by players."""
    table = Table(title=title or None, box=None, pad_edge=False)
    for heading in ("players", "bots"):
        table.add_column(heading)
    for heading in ("games", "decisions", "usual", "shared", "nobody wins", "broke off"):
        table.add_column(heading, justify="right")
    for played in (*review.evidence.many, review.evidence.thinking):
        table.add_row(*_row(review, played))
    return table


def _row(review: Review, played: Played) -> list[str]:
    tally = played.tally
    head = [str(played.players), players(played.bots), f"{tally.games:,}"]
    if not tally.games:
        return [*head, "", "", "", "", f"{tally.broke.games:,}"]
    summary = played.summary(review.evidence.program)
    ends = percent(summary.ties.value), percent(summary.draws.value), f"{tally.broke.games:,}"
    return [*head, mean_and_span(summary.decisions), f"{median(tally):,}", *ends]


# ---------------------------------------------------------------- two versions

_HOW = {BETTER: "What got better", WORSE: "What got worse", OPEN: "What the games leave open"}


def compared(found: Sequence[Change], measures: Sweep, names: tuple[str, str]) -> Group:
    """What changed from one version to another."""
    parts: list[Any] = []
    for how, title in _HOW.items():
        some = [each for each in found if each.how == how]
        if some:
            parts.append(Text(f"{title}, from {names[0]} to {names[1]}", style="bold"))
            for each in some:
                parts.append(Text(f"- {changed(each)}"))
            parts.append(Text())
    if not found:
        parts.append(Text("No finding came, went, or clearly changed."))
    moved = moves(measures)
    if moved:
        parts.append(Text("Measured game by game, with the same luck (random players)", "bold"))
        parts += [Text(f"- {each}") for each in moved]
    return Group(*parts)


def changed(change: Change) -> str:
    """A finding that came, went or changed, with its figures before and after."""
    kind = change.finding.about.kind
    spans = [_figure(kind, each) for each in (change.before, change.after)]
    return f"{sentence(change.finding)} Before: {spans[0]}. After: {spans[1]}."


def _figure(kind: str, estimate: Estimate | None) -> str:
    if estimate is None:
        return "not so"
    return mean_and_span(estimate) if kind == "length by players" else share_and_span(estimate)


def moves(measures: Sweep) -> list[str]:
    """The measures that have clearly changed."""
    before, after = measures.points
    told = []
    for each in measures.telling:
        change = after.changes[each.name] if after.changes else None
        if change is None or change.low <= 0 <= change.high:
            continue
        as_text = share_and_span if each.share else mean_and_span
        was = as_text(before.measures[each.name])
        told.append(f"{each.name}: {as_text(change)}, from {was}")
    return told


# ---------------------------------------------------------------- JSON


def to_json(review: Review, about: dict[str, Any], witnesses: Witnesses) -> dict[str, Any]:
    return {
        **about,
        "compared": review.compared,
        "correction": "Bonferroni, 95 % for all together",
        "tables": [_played_json(review, each) for each in _all_played(review)],
        "findings": [_json(each, witnesses) for each in review.findings],
    }


def _all_played(review: Review) -> tuple[Played, ...]:
    return (*review.evidence.many, review.evidence.thinking)


def _played_json(review: Review, played: Played) -> dict[str, Any]:
    tally = played.tally
    told: dict[str, Any] = {"players": played.players, "bots": list(played.bots)}
    told |= {"games": tally.games, "broken": tally.broke.games}
    if tally.games:
        summary = played.summary(review.evidence.program)
        for name in ("decisions", "ties", "draws", "margin", "leads"):
            told[name] = tidy(asdict(getattr(summary, name)))
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
        "bots": list(about.bots),
        "games": about.games,
        "figure": tidy(asdict(finding.estimate)),
        "figures": tidy(about.figures),
        "weight": round(finding.weight, 6),
        "witness": witness,
    }


def compared_json(found: Sequence[Change], measures: Sweep) -> dict[str, Any]:
    def one(change: Change) -> dict[str, Any]:
        spans = {
            name: None if each is None else tidy(asdict(each))
            for name, each in (("before", change.before), ("after", change.after))
        }
        about = change.finding.about
        return {"kind": about.kind, "subject": about.subject, "how": change.how, **spans}

    after = measures.points[-1].changes or {}
    return {
        "changes": [one(each) for each in found],
        "measures": {name: tidy(asdict(each)) for name, each in after.items()},
    }
