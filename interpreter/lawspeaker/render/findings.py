"""Witnesses and effects for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from lawspeaker.compare.effect import Effect, is_clear
from lawspeaker.compare.explaining import Told, Why
from lawspeaker.compare.findings import Finding, Findings
from lawspeaker.compare.witness import Search
from lawspeaker.lab.statistics import Estimate
from lawspeaker.render.table import table_block
from lawspeaker.render.words import books


def about(
    found: Sequence[Finding], names: Sequence[str], language: str, width: int
) -> RenderableType:
    """All that was found out about one difference, for every telling that has it."""
    parts: list[RenderableType] = []
    for each in found:
        name = names[each.telling]
        if each.alone.problem:
            problem = f"{name}: cannot be played alone: {each.alone.problem}"
            parts.append(Text(problem, style="italic"))
        if each.alone.along:
            others = ", ".join(map(str, each.alone.along))
            parts.append(Text(f"{name}: played together with {others}", style="italic"))
        if each.search is not None and each.search.witness is None:
            parts.append(Text(f"{name}: {not_found(each.search)}"))
    for group in same_play(found):
        parts.append(witness(group, names, language, width))
    for each in found:
        if each.effect is not None:
            parts.append(effect_lines(each.effect, names[each.telling]))
    return Group(*parts)


def not_found(search: Search) -> str:
    return (
        f"no witness found in {search.positions:,} positions of {search.games:,} games; "
        "it may still show elsewhere"
    )


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
    grid.add_row(Text(names[0], style="bold"), _side(told.one))
    for each in group:
        assert each.explained is not None
        grid.add_row(Text(names[each.telling], style="bold"), _side(each.explained.other))
    parts.append(Padding(grid, (0, 0, 0, 2)))
    return Group(*parts)


def _side(side: Told) -> Text:
    text = Text("\n".join(side.lines))
    for why in side.why:
        text.append(f"\n{why_line(why)}", style="dim")
    return text


def why_line(why: Why) -> str:
    """`by CLAUSE: its sentence [states: section]`."""
    told = books(why.cites)
    return f"by {why.id}: {why.says}" + (f" [{told}]" if told else "")


# ---------------------------------------------------------------- effects


def effect_lines(effect: Effect, name: str) -> RenderableType:
    """How much a difference matters to one telling."""
    title = Text(f"{name}, {effect.games:,} paired games", style="italic")
    if not effect.detected:
        most = f"so it shows in at most {percent(effect.differs.high)} of games"
        title.append(f": no difference detected at {effect.games:,}, {most}")
        return title
    grid = Grid.grid(padding=(0, 2))
    for measure, value in measures(effect):
        grid.add_row(measure, value)
    return Group(title, Padding(grid, (0, 0, 0, 2)))


def measures(effect: Effect) -> list[tuple[str, str]]:
    """What was measured, each with its interval."""
    seats = [
        f"{seat.name} {100 * seat.wins.value:+.1f} "
        f"({100 * seat.wins.low:+.1f} to {100 * seat.wins.high:+.1f})"
        for seat in effect.seats
        if is_clear(seat.wins)
    ]
    broken = [("games that break", str(effect.broken))] if effect.broken else []
    return [
        *broken,
        ("another game", share(effect.differs)),
        ("other scores", share(effect.outcome)),
        ("another winner", share(effect.winner)),
        ("score of a player", change(effect.score)),
        ("decisions", change(effect.length)),
        ("victories by seat", f"{', '.join(seats)} %" if seats else "no change detected"),
    ]


def together(findings: Findings, names: Sequence[str]) -> RenderableType:
    """All differences of each telling together, and how all was measured."""
    parts: list[RenderableType] = [Text("All differences together", style="bold")]
    for at, effect in enumerate(findings.together, 1):
        if effect is not None:
            parts.append(Padding(effect_lines(effect, names[at]), (0, 0, 0, 5)))
    parts += [Text(), Text(how_measured(findings), style="dim")]
    return Group(*parts)


def how_measured(findings: Findings) -> str:
    return (
        f"Paired games: the same seeds, the same luck, {findings.players} players, bots: "
        f"{findings.bots}. In brackets 95 % intervals, each for itself. Another game: anything "
        "asked, offered or scored is not the same. Victories: change of a seat's share."
    )


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def share(estimate: Estimate) -> str:
    return f"{percent(estimate.value)} ({100 * estimate.low:.1f} to {100 * estimate.high:.1f})"


def change(estimate: Estimate) -> str:
    """A change and its interval; where that leaves room for none, it says so."""
    if estimate.value == estimate.low == estimate.high == 0:
        return "no change detected"
    found = f"{estimate.value:+.2f} ({estimate.low:+.2f} to {estimate.high:+.2f})"
    return found if is_clear(estimate) else f"{found}, so no change detected"
