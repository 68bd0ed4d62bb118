"""Renders witnesses and measured effects for the terminal."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon, joined
from lawspeaker.faces.render.blocks import Prose
from lawspeaker.faces.render.words import books, figure, percent
from lawspeaker.study.compare.findings import Finding, Findings

if TYPE_CHECKING:
    from lawspeaker.study.compare.effect import Effect
    from lawspeaker.study.compare.explaining import Account, Why
    from lawspeaker.study.compare.witness import Search
    from lawspeaker.study.lab.paired_changes import MeasuredChange
    from lawspeaker.study.lab.statistics import Estimate

MOST_HOLES = 3
"""Maximum number of rule faults on a line; the JSON has all of them."""


def about(
    difference: int,
    findings: Findings,
    names: Sequence[str],
    language: str,
    width: int,
    ids: bool = False,
) -> RenderableType:
    """Renders everything found about one difference, for each edition that has it.

    `ids` shows the ids of rules.
    """
    found = findings.of(difference)
    parts: list[RenderableType] = []
    for each in found:
        name = names[each.column]
        if each.alone.problem:
            problem = phrase("compare.not_alone", language, problem=each.alone.problem)
            parts.append(Prose(colon(name, problem, language), style="italic"))
        if each.alone.along:
            others = ", ".join(map(str, each.alone.along))
            along = phrase("compare.along", language, others=others)
            parts.append(Prose(colon(name, along, language), style="italic"))
        if each.search is not None and each.search.witness is None:
            parts.append(Prose(colon(name, not_found(each.search, language), language)))
    for group in same_play(found):
        parts.append(witness(group, names, language, width, ids))
    for each in found:
        for effect in each.effects:
            parts.append(effect_lines(effect, findings, names[each.column], language))
    return Group(*parts)


def not_found(search: Search, language: str) -> str:
    """Describes an unsuccessful search, and whether the rule was ever applied."""
    figures = {
        "positions": search.positions,
        "games": search.games,
        "further": search.further,
        "came_up": search.came_up,
    }
    key = "compare.no_witness" if search.came_up else "compare.never_came_up"
    return phrase(key, language, **{k: figure(each, ",", language) for k, each in figures.items()})


def same_play(found: Sequence[Finding]) -> list[list[Finding]]:
    """Groups findings whose witnesses are the same play."""
    groups: list[list[Finding]] = []
    for each in found:
        witness = None if each.search is None else each.search.witness
        if witness is None or each.explained is None:
            continue
        for group in groups:
            other = group[0].search
            assert other is not None
            assert other.witness is not None
            play = (other.witness.stage, other.witness.replies)
            if play == (witness.stage, witness.replies):
                group.append(each)
                break
        else:
            groups.append([each])
    return groups


def witness(
    group: Sequence[Finding], names: Sequence[str], language: str, width: int, ids: bool
) -> RenderableType:
    """Renders a position, the replies, and what each edition then allows or scores."""
    told = group[0].explained
    assert told is not None
    parts: list[RenderableType] = [Prose(told.begins, style="italic")]
    if told.match is not None:
        from lawspeaker.faces.render.table_text import table_block

        drawn = table_block(told.match.view(told.viewer), language, width - 4)
        bordered = [Prose("│ ") + line for line in drawn.lines]
        parts.append(Padding(Group(*bordered), (0, 0, 0, 2)))
    parts += [Prose(f"  → {reply}") for reply in told.replies]
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column()
    grid.add_row(Prose(names[0], style="bold"), _side(told.one, language, ids))
    for each in group:
        assert each.explained is not None
        other = _side(each.explained.other, language, ids)
        grid.add_row(Prose(names[each.column], style="bold"), other)
    parts.append(Padding(grid, (0, 0, 0, 2)))
    return Group(*parts)


def _side(side: Account, language: str, ids: bool) -> Text:
    text = Prose("\n".join(side.lines))
    for why in side.why:
        text.append(f"\n{why_line(why, language, ids)}", style="dim")
    return text


def why_line(why: Why, language: str, ids: bool) -> str:
    """Formats a reason: `by RULE: its sentence [states: section]`; a rule by title or by id."""
    told = books(why.cites, language)
    return by(why, language, ids) + (f" [{told}]" if told else "")


def by(why: Why, language: str, ids: bool = False) -> str:
    if ids:
        return phrase("compare.by", language, id=why.id, says=why.says)
    if not why.title or why.title == why.says:
        return why.says
    return phrase("compare.by_rule", language, rule=why.title, says=why.says)


# ---------------------------------------------------------------- effects


def effect_lines(effect: Effect, findings: Findings, name: str, language: str) -> RenderableType:
    """Renders the measured effect of a difference in one edition, for one number of players."""
    title = f"{name}, {paired(effect, findings, language)}"
    if not effect.detected and not effect.broken:
        return Prose(colon(title, undetected(effect, language), language), style="italic")
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for measure, value in measures(effect, findings.seats, language):
        grid.add_row(phrase(f"compare.{measure}", language), Prose(value))
    return Group(Prose(title, style="italic"), Padding(grid, (0, 0, 0, 2)))


def paired(effect: Effect, findings: Findings, language: str) -> str:
    """Describes the pairs: how many, of how many players, and which bots."""
    games = figure(effect.games, ",", language)
    return phrase(
        "compare.paired", language, games=games, players=effect.players, bots=findings.bots
    )


def undetected(effect: Effect, language: str) -> str:
    games, most = figure(effect.games, ",", language), percent(effect.differs.high, language)
    told = phrase("compare.undetected", language, games=games, most=most)
    if effect.came_up is None:
        return told
    done = share(effect.came_up, language)
    return phrase("compare.done_in", language, told=told, done=done)


def measures(effect: Effect, seats: Sequence[str], language: str) -> list[tuple[str, str]]:
    """Returns the measures by phrase key, with their intervals."""
    named = zip(seats or [each.name for each in effect.seats], effect.seats, strict=False)
    won = [f"{name} {points(seat.wins, language)}" for name, seat in named if seat.wins.clear]
    found = [
        ("winner", winner(effect, language)),
        ("seats", ", ".join(won) if won else by_seat(effect, language)),
        ("score", change(effect.score, effect.games, language)),
        ("length", change(effect.length, effect.games, language)),
    ]
    if effect.beyond is not None and effect.control is not None:
        found[1:1] = [
            ("control", share(effect.control, language)),
            ("exceeds", exceeds(effect, language)),
        ]
    if effect.broken:
        found.insert(0, ("broken", _broken(effect, language)))
    if effect.in_step:
        shares = (("outcome", effect.outcome), ("differs", effect.differs))
        found += [(name, share(each, language)) for name, each in shares]
    if effect.came_up is not None:
        found.append(("came_up", share(effect.came_up, language)))
    return found


def winner(effect: Effect, language: str) -> str:
    """Formats how often the winner differs, beside how often it differs with another seed.

    If pairs are not synchronised, it adds why no more can be told.
    """
    key = "compare.beside_luck" if effect.in_step else "compare.out_of_step"
    anew = percent(effect.anew.value, language)
    return phrase(key, language, found=share(effect.winner, language), anew=anew)


def exceeds(effect: Effect, language: str) -> str:
    """Formats how much more often the winner differs than with another seed."""
    assert effect.beyond is not None
    if effect.beyond.clear:
        return points(effect.beyond, language)
    if effect.beyond.value <= 0:
        return phrase("compare.not_beyond", language)
    games, half = figure(effect.games, ",", language), percent(effect.beyond.high, language)
    return phrase("compare.unseen", language, games=games, half=half)


def by_seat(effect: Effect, language: str) -> str:
    """Formats the change in shares of wins over all seats: the part of all wins that moves.

    A change for a single seat can be narrower than this bound.
    """
    games = figure(effect.games, ",", language)
    if not effect.apart.clear:
        most = percent(effect.apart.high, language)
        return phrase("compare.unseen_wins", language, games=games, half=most)
    return share(effect.apart, language)


def _broken(effect: Effect, language: str) -> str:
    """Formats the number of games without an end, with their faults."""
    told = [
        f"{fault} ({figure(games, ',', language)})" if len(effect.holes) > 1 else fault
        for fault, games in effect.holes[:MOST_HOLES]
    ]
    more = ["…"] if len(effect.holes) > MOST_HOLES else []
    return colon(figure(effect.broken, ",", language), joined([*told, *more], language), language)


def together(findings: Findings, names: Sequence[str], language: str) -> RenderableType:
    """Renders the ranking, the joint effect of all differences of each edition, and the method."""
    parts: list[RenderableType] = []
    ranked = alike(findings.ranked, names, language)
    if ranked:
        parts += [
            Prose(phrase("compare.ranked", language), style="bold"),
            Padding(_ranked(ranked, language), (0, 0, 0, 2)),
        ]
    if told := without_effect(findings, names, language):
        parts.append(Prose(told))
    if findings.weighed:
        parts.append(Prose())
    parts.append(Prose(phrase("compare.all_together", language), style="bold"))
    for name, effects in zip(names[1:], findings.together, strict=False):
        for effect in effects:
            lines = effect_lines(effect, findings, name, language)
            parts.append(Padding(lines, (0, 0, 0, 5)))
    parts += [Prose(), *(Prose(line) for line in chance_alone(findings, language))]
    parts += (Prose(line, style="dim") for line in how_measured(findings, language))
    return Group(*parts)


def without_effect(findings: Findings, names: Sequence[str], language: str) -> str:
    """Lists the differences without an effect beyond chance."""
    none = [each for each in findings.weighed if not each.found]
    titles = [title for title, _ in alike(none, names, language)]
    return colon(phrase("compare.no_effect", language), "; ".join(titles), language) if none else ""


def _ranked(found: Sequence[tuple[str, Sequence[Effect]]], language: str) -> RenderableType:
    """Renders the ranking by effect on who wins, with a line for each number of players."""
    keys = ("page.players", "page.wins", "page.score", "page.comes_up")
    heads = [phrase(f"compare.{key}", language) for key in keys]
    ranked = [
        (title, [[str(each.players), *ranked_cells(each, language)] for each in effects])
        for title, effects in found
    ]
    lines = [heads, *(line for _, each in ranked for line in each)]
    widths = [max(len(line[at]) for line in lines) for at in range(len(keys))]

    def row(cells: Sequence[str]) -> str:
        return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True))

    parts: list[RenderableType] = [Prose(f"  {row(heads)}".rstrip(), style="dim")]
    for title, effects in ranked:
        parts.append(Prose(title))
        parts += (Prose(f"  {row(cells)}".rstrip()) for cells in effects)
    return Group(*parts)


def alike(
    weighed: Sequence[Finding], names: Sequence[str], language: str
) -> list[tuple[str, tuple[Effect, ...]]]:
    """Returns the effects of differences by rank, with titles; editions with the same effect are
    grouped."""
    found: dict[tuple[int, tuple[Effect, ...]], list[Finding]] = {}
    for each in weighed:
        found.setdefault((each.number, each.effects), []).append(each)
    return [(_titled(same, names, language), effects) for (_, effects), same in found.items()]


def _titled(same: Sequence[Finding], names: Sequence[str], language: str) -> str:
    told = ", ".join(names[each.column] for each in same)
    title = same[0].alone.difference.row.title.removesuffix(".")
    return colon(f"{same[0].number} {title}", told, language)


def ranked_cells(effect: Effect, language: str) -> list[str]:
    """Returns the effect on wins and points, and how often it shows; insignificant ones are left
    out."""
    games = figure(effect.games, ",", language)
    if not effect.detected:
        return [phrase("compare.none_at", language, games=games), "", ""]
    wins = "–"
    if effect.beyond is not None and effect.beyond.clear:
        wins = points(effect.beyond, language)
    elif effect.apart.clear:
        wins = phrase("compare.by_seat", language, found=by_seat(effect, language))
    score = change(effect.score, effect.games, language) if effect.score.clear else "–"
    shown = percent(effect.differs.value, language) if effect.in_step else "–"
    return [wins, score, shown]


def chance_alone(findings: Findings, language: str) -> list[str]:
    """Formats the effect of chance alone: the first edition replayed with another and with the same
    seed."""
    return [
        phrase(
            "compare.luck_alone",
            language,
            players=each.players,
            anew=share(each.anew, language),
            same=percent(each.differs.value, language),
        )
        for each in findings.again
    ]


def how_measured(findings: Findings, language: str) -> list[str]:
    """Returns notes on the method: bots and seed, their strength, and limits of random players."""
    told = [phrase("compare.how", language, bots=findings.bots, seed=findings.seed)]
    if findings.proofs:
        # Imported here: comparing texts alone need not wait for bots.
        from lawspeaker.faces.render.proof import sentences

        told += sentences(findings.proofs, language)
    if set(findings.bots.split(",")) == {"random"}:
        told.append(phrase("compare.only_random", language))
    return told


def share(estimate: Estimate, language: str) -> str:
    low, high = (figure(100 * each, ".1f", language) for each in (estimate.low, estimate.high))
    value = percent(estimate.value, language)
    return phrase("compare.interval", language, value=value, low=low, high=high)


def change(found: MeasuredChange, games: int, language: str) -> str:
    """Formats a change with its interval; if it is insignificant, its upper bound."""
    told = figure(games, ",", language)
    if math.isinf(found.high):
        return "–"
    if found.clear:
        return _between(found, "+.2f", language)
    if found.value == found.low == found.high == 0:
        return phrase("compare.none_at", language, games=told)
    half = figure(math.ceil(100 * max(-found.low, found.high)) / 100, ".2f", language)
    return phrase("compare.unseen", language, games=told, half=half)


def points(found: MeasuredChange, language: str) -> str:
    """Formats a change of a share."""
    low, high = (figure(100 * each, "+.1f", language) for each in (found.low, found.high))
    value = percent(found.value, language, "+.1f")
    return phrase("compare.interval", language, value=value, low=low, high=high)


def _between(estimate: Estimate, style: str, language: str) -> str:
    """Formats an estimate with its interval."""
    value, low, high = (
        figure(each, style, language) for each in (estimate.value, estimate.low, estimate.high)
    )
    return phrase("compare.interval", language, value=value, low=low, high=high)
