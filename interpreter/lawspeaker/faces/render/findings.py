"""Witnesses and effects for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from lawspeaker.base.phrases import phrase
from lawspeaker.faces.render.table_text import table_block
from lawspeaker.faces.render.words import books, figure
from lawspeaker.study.compare.effect import Effect, is_clear
from lawspeaker.study.compare.explaining import Told, Why
from lawspeaker.study.compare.findings import Finding, Findings
from lawspeaker.study.compare.witness import Search
from lawspeaker.study.lab.statistics import Estimate

MOST_HOLES = 3
"""So many holes in the rules are told on a line; all of them are in the JSON."""


def about(
    found: Sequence[Finding],
    seats: Sequence[str],
    names: Sequence[str],
    language: str,
    width: int,
) -> RenderableType:
    """All that was found out about one difference, for every telling that has it."""
    parts: list[RenderableType] = []
    for each in found:
        name = names[each.telling]
        if each.alone.problem:
            problem = phrase("compare.not_alone", language, problem=each.alone.problem)
            parts.append(Text(f"{name}: {problem}", style="italic"))
        if each.alone.along:
            others = ", ".join(map(str, each.alone.along))
            along = phrase("compare.along", language, others=others)
            parts.append(Text(f"{name}: {along}", style="italic"))
        if each.search is not None and each.search.witness is None:
            parts.append(Text(f"{name}: {not_found(each.search, language)}"))
    for group in same_play(found):
        parts.append(witness(group, names, language, width))
    for each in found:
        if each.effect is not None:
            parts.append(effect_lines(each.effect, seats, names[each.telling], language))
    return Group(*parts)


def not_found(search: Search, language: str) -> str:
    positions, games = (figure(each, ",", language) for each in (search.positions, search.games))
    return phrase("compare.no_witness", language, positions=positions, games=games)


def same_play(found: Sequence[Finding]) -> list[list[Finding]]:
    """Findings with witnesses, those together that show in the same play."""
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
    group: Sequence[Finding], names: Sequence[str], language: str, width: int
) -> RenderableType:
    """A small picture, what is answered, and what each telling then allows or gives."""
    told = group[0].explained
    assert told is not None
    parts: list[RenderableType] = [Text(told.begins, style="italic")]
    if told.match is not None:
        drawn = table_block(told.match.view(told.viewer), language, width - 4)
        bordered = [Text("│ ") + line for line in drawn.lines]
        parts.append(Padding(Group(*bordered), (0, 0, 0, 2)))
    parts += [Text(f"  → {reply}") for reply in told.replies]
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column()
    grid.add_row(Text(names[0], style="bold"), _side(told.one, language))
    for each in group:
        assert each.explained is not None
        other = _side(each.explained.other, language)
        grid.add_row(Text(names[each.telling], style="bold"), other)
    parts.append(Padding(grid, (0, 0, 0, 2)))
    return Group(*parts)


def _side(side: Told, language: str) -> Text:
    text = Text("\n".join(side.lines))
    for why in side.why:
        text.append(f"\n{why_line(why, language)}", style="dim")
    return text


def why_line(why: Why, language: str) -> str:
    """`by CLAUSE: its sentence [states: section]`."""
    told = books(why.cites, language)
    line = phrase("compare.by", language, id=why.id, says=why.says)
    return line + (f" [{told}]" if told else "")


# ---------------------------------------------------------------- effects


def effect_lines(effect: Effect, seats: Sequence[str], name: str, language: str) -> RenderableType:
    """How much a difference matters to one telling."""
    games = figure(effect.games, ",", language)
    paired = phrase("compare.paired", language, games=games)
    title = Text(f"{name}, {paired}", style="italic")
    if not effect.detected and not effect.broken:
        most = percent(effect.differs.high, language)
        found = phrase("compare.undetected", language, games=games, most=most)
        title.append(f": {found}")
        return title
    grid = Grid.grid(padding=(0, 2))
    for measure, value in measures(effect, seats, language):
        grid.add_row(phrase(f"compare.{measure}", language), Text(value))
    return Group(title, Padding(grid, (0, 0, 0, 2)))


def measures(effect: Effect, seats: Sequence[str], language: str) -> list[tuple[str, str]]:
    """What was measured, each by its key among the phrases and with its interval."""
    named = zip(seats or [each.name for each in effect.seats], effect.seats, strict=True)
    won = [
        f"{name} {_between(seat.wins, '+.1f', language, 100)}"
        for name, seat in named
        if is_clear(seat.wins)
    ]
    broken = [("broken", _broken(effect, language))] if effect.broken else []
    return [
        *broken,
        ("differs", share(effect.differs, language)),
        ("outcome", share(effect.outcome, language)),
        ("winner", share(effect.winner, language)),
        ("score", change(effect.score, language)),
        ("length", change(effect.length, language)),
        ("seats", f"{', '.join(won)} %" if won else phrase("compare.unchanged", language)),
    ]


def _broken(effect: Effect, language: str) -> str:
    """How many games have no end, and the holes in the rules that they fell into."""
    told = [
        f"{fault} ({figure(games, ',', language)})" if len(effect.holes) > 1 else fault
        for fault, games in effect.holes[:MOST_HOLES]
    ]
    more = ["…"] if len(effect.holes) > MOST_HOLES else []
    return f"{figure(effect.broken, ',', language)}: {'; '.join([*told, *more])}"


def together(findings: Findings, names: Sequence[str], language: str) -> RenderableType:
    """All differences of each telling together, and how all was measured."""
    title = phrase("compare.all_together", language)
    parts: list[RenderableType] = [Text(title, style="bold")]
    for at, effect in enumerate(findings.together, 1):
        if effect is not None:
            lines = effect_lines(effect, findings.seats, names[at], language)
            parts.append(Padding(lines, (0, 0, 0, 5)))
    parts += [Text(), Text(how_measured(findings, language), style="dim")]
    return Group(*parts)


def how_measured(findings: Findings, language: str) -> str:
    return phrase("compare.how", language, players=findings.players, bots=findings.bots)


def percent(value: float, language: str) -> str:
    return f"{figure(100 * value, '.1f', language)} %"


def share(estimate: Estimate, language: str) -> str:
    low, high = (figure(100 * each, ".1f", language) for each in (estimate.low, estimate.high))
    value = percent(estimate.value, language)
    return phrase("compare.interval", language, value=value, low=low, high=high)


def change(estimate: Estimate, language: str) -> str:
    """A change and its interval; where that leaves room for none, it says so."""
    if estimate.value == estimate.low == estimate.high == 0:
        return phrase("compare.unchanged", language)
    found = _between(estimate, "+.2f", language)
    return found if is_clear(estimate) else phrase("compare.unclear", language, found=found)


def _between(estimate: Estimate, style: str, language: str, times: int = 1) -> str:
    """A figure and between which others it lies."""
    value, low, high = (
        figure(times * each, style, language)
        for each in (estimate.value, estimate.low, estimate.high)
    )
    return phrase("compare.interval", language, value=value, low=low, high=high)
