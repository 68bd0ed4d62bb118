"""Witnesses and effects for the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from lawspeaker.compare.effect import Effect, is_clear
from lawspeaker.compare.explaining import Explained, Told, Why
from lawspeaker.compare.findings import Finding, Findings
from lawspeaker.compare.witness import Search
from lawspeaker.render.table import table_block
from lawspeaker.render.words import STANCES
from lawspeaker.simulate import Estimate

NONE = "no difference detected at {games:,} games"


def finding(found: Finding, names: Sequence[str], language: str, width: int) -> RenderableType:
    """All that was found out about a difference of one telling."""
    name = names[found.telling]
    parts: list[RenderableType] = []
    if found.alone.problem:
        return Text(f"{name}: cannot be played alone: {found.alone.problem}", style="italic")
    if found.alone.along:
        others = ", ".join(map(str, found.alone.along))
        parts.append(Text(f"{name}: played together with {others}", style="italic"))
    if found.search is not None:
        if found.explained is None:
            parts.append(Text(f"{name}: {not_found(found.search)}"))
        else:
            pair = (names[0], name)
            parts.append(witness(found.explained, pair, language, width))
    if found.effect is not None:
        parts.append(Text(f"{name}: {effect_line(found.effect)}"))
    return Group(*parts)


def not_found(search: Search) -> str:
    return (
        f"no witness found in {search.positions:,} positions of {search.games:,} games; "
        "the difference may still show elsewhere"
    )


def witness(
    told: Explained, names: tuple[str, str], language: str, width: int
) -> RenderableType:
    """A small picture, what is answered, and what each telling then allows or gives."""
    parts: list[RenderableType] = [Text(f"{told.begins}:", style="italic")]
    if told.match is not None:
        drawn = table_block(told.match.view(told.viewer), language, width - 4)
        bordered = [Text("│ ") + line for line in drawn.lines]
        parts.append(Padding(Group(*bordered), (0, 0, 0, 2)))
    parts += [Text(f"  → {reply}") for reply in told.replies]
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for name, side in zip(names, (told.one, told.other), strict=True):
        grid.add_row(Text(name, style="bold"), _side(side))
    parts.append(Padding(grid, (0, 0, 0, 2)))
    return Group(*parts)


def _side(side: Told) -> Text:
    text = Text("\n".join(side.lines))
    for why in side.why:
        text.append(f"\n{why_line(why)}", style="dim")
    return text


def why_line(why: Why) -> str:
    """`because of CLAUSE: its sentence [states: section]`."""
    told = [f"{STANCES.get(each.stance, each.stance)}: {each.section}" for each in why.cites[:2]]
    books = f" [{'; '.join(each.rstrip(': ') for each in told)}]" if told else ""
    return f"by {why.id}: {why.says}{books}"


# ---------------------------------------------------------------- effects


def effect_line(effect: Effect) -> str:
    """How much it matters, in one sentence."""
    if not effect.detected:
        most = f"so in at most {percent(effect.differs.high)} of games"
        return f"{NONE.format(games=effect.games)}, {most}"
    found = [
        f"another game in {share(effect.differs)}",
        f"other scores in {share(effect.outcome)}",
        f"another winner in {share(effect.winner)}",
        f"score {change(effect.score)}",
        f"length {change(effect.length)} decisions",
    ]
    return f"{'; '.join(found)} ({effect.games:,} paired games)"


def effects(findings: Findings, names: Sequence[str], ids: dict[int, str]) -> RenderableType:
    """All effects in one table: each difference alone, then all together."""
    table = Grid(box=None, pad_edge=False, title="Effects", title_justify="left")
    for heading in ("", "difference", "telling", "differs", "winner", "score", "length", "seats"):
        table.add_column(heading, overflow="fold")
    for found in findings.each:
        if found.effect is not None:
            table.add_row(
                str(found.number), ids[found.number], names[found.telling], *_columns(found.effect)
            )
    for at, effect in enumerate(findings.together, 1):
        if effect is not None:
            table.add_row("", "all together", names[at], *_columns(effect))
    games = next((each.effect.games for each in findings.each if each.effect), 0)
    note = (
        f"{games:,} paired games each, {findings.players} players, bots: {findings.bots}; "
        "95 % intervals, each for itself. differs: anything asked, offered or scored; winner: "
        "other winners; score: change of a player's mean; length: change of decisions; seats: "
        "change of each seat's victories, * where 0 lies outside the interval."
    )
    return Group(table, Text(), Text(note, style="dim"))


def _columns(effect: Effect) -> list[str]:
    if not effect.detected:
        return [f"none in {effect.games:,}", "", "", "", ""]
    seats = ", ".join(
        f"{seat.name} {100 * seat.wins.value:+.1f}{'*' if is_clear(seat.wins) else ''}"
        for seat in effect.seats
    )
    return [
        share(effect.differs),
        share(effect.winner),
        change(effect.score),
        change(effect.length),
        f"{seats} %",
    ]


def percent(value: float) -> str:
    return f"{100 * value:.1f} %"


def share(estimate: Estimate) -> str:
    return f"{percent(estimate.value)} ({100 * estimate.low:.1f} to {100 * estimate.high:.1f})"


def change(estimate: Estimate) -> str:
    if estimate.value == estimate.low == estimate.high == 0:
        return "unchanged"
    return f"{estimate.value:+.2f} ({estimate.low:+.2f} to {estimate.high:+.2f})"
