"""Renders the changes between versions of a rulebook as a Markdown changelog.

Each version lists its differences from the one before, the newest first. A changed value is shown
with the former one, a rule with its new sentence and, if it had another, the old one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import colon
from lawspeaker.faces.render.compare import short_names
from lawspeaker.study.compare.comparison import Comparison
from lawspeaker.study.compare.descriptions import shortened
from lawspeaker.study.compare.differences import Difference
from lawspeaker.study.compare.points import CALLED
from lawspeaker.study.compare.rows import Row

GROUPS = ("new", "changed", "gone", "said")


def changelog(title: str, steps: Sequence[Comparison]) -> str:
    """Renders the changelog of a game; each step compares a version with the next one."""
    language = steps[0].table.language
    lines = [f"# {phrase('changelog.title', language, game=title)}", ""]
    for step in reversed(steps):
        before, now = short_names(step.table.columns)
        heading = phrase("changelog.step", language, now=now, before=before)
        lines += [f"## {heading}", "", *_step(step, language)]
    return "\n".join(lines).rstrip("\n") + "\n"


def _step(step: Comparison, language: str) -> Iterator[str]:
    groups: dict[str, list[Difference]] = {}
    for each in step.differences:
        groups.setdefault(_group(each), []).append(each)
    if not groups:
        yield from (phrase("compare.none", language), "")
    for group in GROUPS:
        if group in groups:
            yield from (f"### {phrase(f'changelog.{group}', language)}", "")
            for each in groups[group]:
                first, *more = _rows(each)
                yield f"- {_told(first, language)}"
                yield from (f"  - {_told(row, language)}" for row in more)
            yield ""


def _group(difference: Difference) -> str:
    if not difference.changes_play:
        return "said"
    told = [row.cells for row in _rows(difference)]
    if not any(before.there for before, _ in told):
        return "new"
    return "changed" if any(now.there for _, now in told) else "gone"


def _rows(difference: Difference) -> list[Row]:
    """Returns the rows of a difference to be told, the main row first.

    A rule whose sentence stays the same, since it only calls what is new or gone, is omitted.
    """
    playing = [row for row in difference.rows if row.changes_play and row is not difference.row]
    rows = [difference.row, *playing]
    return [row for row in rows if not _only_calls(row)] or rows


def _only_calls(row: Row) -> bool:
    before, now = row.cells
    stays = before.there and now.there and bool(now.says) and before.says == now.says
    return stays and row.sort == "rule" and not now.because


def _told(row: Row, language: str) -> str:
    """Formats one point: the rule now, the former one, and the reason."""
    before, now = row.cells
    old, new = shortened(before.does), shortened(now.does)
    if not now.there:
        told = old
    elif not before.there:
        told = new if row.sort not in CALLED and now.says else _of(row, new, language)
    elif now.says and row.sort != "choice":
        told = new if before.does == now.does else _both(new, old, language)
    else:
        told = _of(row, phrase("changelog.from_to", language, before=old, now=new), language)
    because = now.because if now.because not in told else ""
    remark = "" if because in now.remark else because
    return " ".join(each for each in (told, now.remark, remark) if each)


def _of(row: Row, text: str, language: str) -> str:
    return colon(row.title.rstrip("."), text, language)


def _both(new: str, old: str, language: str) -> str:
    return phrase("changelog.now_before", language, now=new, before=old)
