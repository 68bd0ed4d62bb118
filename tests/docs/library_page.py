"""docs/library.md: the games of the folder rules and their variants, measured from their files.

A variant touches a clause if one of its changes names that clause, its guard or its question; a
clause that it adds is counted by itself. What it includes counts as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from tests.repo.checkout import ROOT

FAMILIES = {
    "Chess": ("chess",),
    "Draughts": ("draughts",),
    "Boards": (
        "amazons breakthrough connect_four go gomoku hex kalah lines_of_action mill_wheel nim "
        "nine_mens_morris othello oware surveyors three_sides tic_tac_toe voluspa xiangqi"
    ).split(),
    "Cards": (
        "blackjack crazy_eights draw_poker hearts kuhn_poker leduc_poker little_whist pedlars "
        "scopa whist"
    ).split(),
    "Dice and races": "backgammon five_dice hot_dice liars_dice ludo pig".split(),
    "Others": "dominoes rock_paper_scissors stowaways walhalla".split(),
}
HEAD = """# Library of games

All games of the folder [rules](../rules) and their variants in the folder [variants](../variants).

- `lawspeaker play GAME` plays a game, `lawspeaker play GAME+VARIANT` a variant of it.
- Variants combine: `chess+crazyhouse+three_check`. Two that contradict each other are refused.
- `lawspeaker compare GAME GAME+VARIANT` says what a variant changes.

| column | meaning |
|---|---|
| builds on | variants that come along by themselves |
| changed | clauses of the game that the variant changes, with those it builds on, and their share |
| new | clauses that it adds, with those it builds on |
| lines | lines of its file |

A clause is a rule, a defined value or a choice. Lines are counted without translations.
`pytest --accept tests/docs/test_library_page.py` writes this page.
"""
LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
TABLE = """| variant | what is different | builds on | changed | new | lines |
|---|---|---|---|---|---|"""


@dataclass(frozen=True, slots=True)
class Variant:
    """What is told of a variant. `builds_on`: what it includes and needs."""

    name: str
    title: str
    about: str
    builds_on: tuple[str, ...]
    lines: int
    targets: frozenset[str]
    added: frozenset[str]


def page() -> str:
    parts = [HEAD]
    for family, games in FAMILIES.items():
        parts.append(f"## {family}\n")
        parts += [_game(name) for name in games]
    return "\n".join(parts)


def _game(name: str) -> str:
    files = sorted((ROOT / "rules" / name).glob("*.yaml"))
    head = _read(ROOT / "rules" / name / "game.yaml")
    known = clauses(name)
    lines = sum(map(_lines, files))
    text = (
        f"### {_said(head['title'])}\n\n{_said(head['about'])}\n\n"
        f"[`{name}`](../rules/{name}/game.yaml): {_players(head['players'])}, "
        f"{len(known)} clauses, {lines} lines\n"
    )
    variants = [_variant(path) for path in sorted((ROOT / "variants" / name).glob("*.yaml"))]
    if not variants:
        return text
    by_name = {each.name: each for each in variants}
    rows = [
        _row(each, name, len(known), *_measured(each, by_name, known))
        for each in sorted(variants, key=lambda each: (bool(each.builds_on), each.name))
    ]
    return text + "\n" + "\n".join([TABLE, *rows]) + "\n"


def _row(each: Variant, game: str, clauses: int, changed: int, new: int) -> str:
    share = f"{changed} ({round(100 * changed / clauses)} %)" if changed else "–"
    below = ", ".join(f"`{one}`" for one in each.builds_on) or "–"
    return (
        f"| [`{each.name}`](../variants/{game}/{each.name}.yaml) | **{each.title}**: {each.about} "
        f"| {below} | {share} | {new or '–'} | {each.lines} |"
    )


def _measured(each: Variant, others: dict[str, Variant], known: frozenset[str]) -> tuple[int, int]:
    """How many clauses of the game it changes, and how many it adds, with all it includes."""
    waiting, seen = [each.name], list[Variant]()
    while waiting:
        one = others.get(waiting.pop().partition("(")[0].strip())
        if one is not None and one not in seen:
            seen.append(one)
            waiting += one.builds_on
    targets = frozenset[str]().union(*(one.targets for one in seen))
    added = frozenset[str]().union(*(one.added for one in seen)) - known
    touched = {clause for target in targets if (clause := _clause(target, known)) is not None}
    return len(touched), len(added)


def _clause(target: str, known: frozenset[str]) -> str | None:
    """The clause that a change names, or whose guard it names."""
    while target and target not in known:
        target = target.rpartition(".")[0]
    return target or None


@cache
def clauses(game: str) -> frozenset[str]:
    found: set[str] = set()
    for path in (ROOT / "rules" / game).glob("*.yaml"):
        read = _read(path)
        for section in ("rules", "choices"):
            found.update(read.get(section) or ())
    return frozenset(found)


def _variant(path: Path) -> Variant:
    read = _read(path)
    changes: list[dict[str, Any]] = read.get("changes") or []
    targets, added = set[str](), set[str]()
    for change in changes:
        if "add" in change and ("says" in change or "is" in change) and "to" not in change:
            added.add(change["add"])
        for action in ("set", "replace", "amend", "remove", "add", "before", "after", "instead of"):
            if action in change and (action != "add" or "where" in change):
                targets.add(str(change[action]))
    return Variant(
        name=path.stem,
        title=_said(read["title"]),
        about=_said(read["about"]),
        builds_on=(*(read.get("includes") or ()), *(read.get("needs") or ())),
        lines=_lines(path),
        targets=frozenset(targets),
        added=frozenset(added),
    )


def _players(said: Any) -> str:
    if isinstance(said, str):
        return f"{said} players"
    if "number" in said:
        return f"{said['number']} players"
    low, high = said["from"], said["to"]
    return f"{low} players" if low == high else f"{low} to {high} players"


def _said(text: Any) -> str:
    """A text in English; it is given alone, or by language."""
    found = text["en"] if isinstance(text, dict) else text
    return " ".join(str(found).split())


def _lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def _read(path: Path) -> Any:
    return yaml.load(path.read_text(encoding="utf-8"), LOADER)
