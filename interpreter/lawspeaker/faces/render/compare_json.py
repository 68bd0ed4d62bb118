"""Converts a comparison to JSON for `compare --json` (schema/compare.schema.json)."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from lawspeaker import ir
from lawspeaker.faces.render.compare import (
    CompareOptions,
    evidence_of,
    evidence_text,
    headline,
    quotes,
    stances_text,
)
from lawspeaker.faces.render.findings import how_measured
from lawspeaker.study.compare.comparison import Comparison
from lawspeaker.study.compare.differences import Difference
from lawspeaker.study.compare.findings import Finding, Findings
from lawspeaker.study.compare.kinds import GROUPS
from lawspeaker.study.compare.rows import Cell, Row, RowTable
from lawspeaker.study.compare.searching import words_of
from lawspeaker.study.sources.quoting import BookTexts, Pieces, Quote

if TYPE_CHECKING:
    from lawspeaker.study.compare.effect import Effect
    from lawspeaker.study.compare.explaining import Account, Explained
    from lawspeaker.study.compare.witness import Witness
    from lawspeaker.study.lab.statistics import Estimate

Data = dict[str, Any]
WIDTH = 76


def to_json(
    comparison: Comparison, findings: Findings | None = None, view: CompareOptions | None = None
) -> Data:
    table, shelf = comparison.table, None if view is None else view.shelf
    found, asked = findings or Findings(), view or CompareOptions()
    numbers = {row.id: each.number for each in comparison.differences for row in each.rows}
    return {
        "game": table.game,
        "language": table.language,
        "headline": headline(comparison.counts, table.language, by=evidence_of(comparison.every)),
        "counts": _counts(comparison.counts),
        "find": asked.find,
        "where": [{"telling": each.column, "does": each.word} for each in asked.where],
        "tellings": [
            {
                "name": column.name,
                "title": column.title,
                "sources": [{"id": id, "title": title} for id, title in column.sources],
                "counts": _counts(comparison.counts_of(at)) if at else None,
                "effects": _together(found, at),
            }
            for at, column in enumerate(table.columns)
        ],
        "differences": [
            _difference(each, found.of(each.number), table.language)
            for each in comparison.differences
        ],
        "rows": [_row(row, numbers.get(row.id), table, shelf) for row in table.rows],
        "terms": [
            {"thing": term.thing, "name": term.name, "words": [list(own) for own in term.words]}
            for term in table.terms.each
        ],
        **({} if shelf is None else {"texts": {"missing": dict(shelf.missing)}}),
        "played": _played(found, table.language) if found.bots else None,
    }


def _proof(found: Findings) -> list[Data]:
    if not found.proofs:
        return []
    # Imported here: comparing texts alone need not wait for bots.
    from lawspeaker.faces.render.proof import to_json as proof_json

    return proof_json(found.proofs)


def _played(found: Findings, language: str) -> Data:
    return {
        "bots": found.bots,
        "machine": found.machine or None,
        "proof": _proof(found),
        "seed": found.seed,
        "pairs": found.wanted,
        "stopped": found.stopped,
        "notes": how_measured(found, language) if found.wanted else [],
        "again": [_effect(each) for each in found.again],
        "ranking": [
            {"difference": each.number, "telling": each.column, "weight": list(each.weight)}
            for each in found.ranked
        ],
    }


def _counts(counts: Counter[str]) -> Data:
    return {group: counts[group] for group in GROUPS}


def _together(findings: Findings, at: int) -> list[Data]:
    effects = findings.together[at - 1] if 0 < at <= len(findings.together) else ()
    return [_effect(each) for each in effects]


def _row(row: Row, difference: int | None, table: RowTable, shelf: BookTexts | None) -> Data:
    cells = [_cell(cell, table) for cell in row.cells]
    if shelf is not None:
        for cell, own in zip(cells, quotes(row, table.columns, shelf), strict=True):
            cell["quotes"] = [_quote(*each) for each in own]
    return {
        "id": row.id,
        "sort": row.sort,
        "title": row.title,
        "says": row.says,
        "words": " ".join(words_of(row, table.terms, shelf)),
        "kind": row.kind,
        "changes_play": row.changes_play,
        "difference": difference,
        "cells": cells,
    }


def _quote(quote: Quote, pieces: Pieces) -> Data:
    return {**asdict(quote), "unlike": [text for text, unlike in pieces if unlike]}


def _cell(cell: Cell, table: RowTable) -> Data:
    language = table.language
    return {
        "there": cell.there,
        "same": cell.same,
        "kind": cell.kind,
        "text": cell.text,
        "does": cell.does,
        "remark": cell.remark,
        "stances": list(cell.stances),
        "standing": cell.standing,
        "said": "" if cell.shared else stances_text(cell, language, table.columns),
        "cites": _cites(cell.cites, language),
        "because": cell.because,
        "variant": cell.variant,
        "says": cell.says,
        "code": cell.code,
        "place": cell.place,
    }


def _cites(cites: Sequence[ir.Citation], language: str) -> list[Data]:
    return [
        {
            "source": each.source,
            "section": each.section,
            "stance": each.stance,
            "note": each.note_in(language) or None,
        }
        for each in cites
    ]


def _difference(difference: Difference, found: list[Finding], language: str) -> Data:
    return {
        "number": difference.number,
        "id": difference.id,
        "kind": difference.kind,
        "changes_play": difference.changes_play,
        "group": difference.group(),
        "evidence": [
            {
                "telling": at,
                "by": each.by,
                "seen": each.seen,
                "games": each.games,
                "text": evidence_text(each, language),
            }
            for at, each in difference.evidence.items()
        ],
        "rows": [row.id for row in difference.rows],
        "tellings": list(difference.columns),
        "see": list(difference.see),
        "findings": [_finding(each, language) for each in found],
    }


def _finding(found: Finding, language: str) -> Data:
    searched = found.search
    return {
        "telling": found.column,
        "along": list(found.alone.along),
        "problem": found.alone.problem,
        "searched": None
        if searched is None
        else {
            "games": searched.games,
            "positions": searched.positions,
            "further": searched.further,
            "came_up": searched.came_up,
        },
        "witness": None
        if searched is None or searched.witness is None or found.explained is None
        else witness_to_json(searched.witness, found.explained, language),
        "effects": [_effect(each) for each in found.effects],
    }


def witness_to_json(witness: Witness, told: Explained, language: str) -> Data:
    """Converts a witness to JSON, with its description."""
    stage = witness.stage
    return {
        "players": stage.players,
        "seed": stage.seed,
        "before": [asdict(reply) for reply in witness.before],
        "situation": stage.situation,
        "do": stage.do,
        "replies": [asdict(reply) for reply in witness.replies],
        "sort": witness.divergence.sort,
        "shows_in_whole": witness.whole,
        "begins": told.begins,
        "answers": list(told.replies),
        "picture": picture(told, language),
        "sides": [_side(told.one, language), _side(told.other, language)],
    }


def picture(told: Explained, language: str, width: int = WIDTH) -> str:
    """Draws the table as plain text; empty if there is no position."""
    if told.match is None:
        return ""
    from lawspeaker.faces.render.table_text import table_block

    drawn = table_block(told.match.view(told.viewer), language, width)
    return "\n".join(line.plain.rstrip() for line in drawn.lines)


def _side(side: Account, language: str) -> Data:
    whys = [
        {
            "id": why.id,
            "title": why.title,
            "says": why.says,
            "cites": _cites(why.cites, language),
        }
        for why in side.why
    ]
    return {"lines": list(side.lines), "why": whys}


def _effect(effect: Effect) -> Data:
    return {
        "players": effect.players,
        "games": effect.games,
        "looks": effect.looks,
        "broken": effect.broken,
        "holes": [{"fault": fault, "games": games} for fault, games in effect.holes],
        "detected": effect.detected,
        "in_step": effect.in_step,
        "differs": _estimate(effect.differs) if effect.in_step else None,
        "outcome": _estimate(effect.outcome) if effect.in_step else None,
        "winner": _estimate(effect.winner),
        "anew": _estimate(effect.anew),
        "control": None if effect.control is None else _estimate(effect.control),
        "beyond": None if effect.beyond is None else _estimate(effect.beyond),
        "apart": _estimate(effect.apart),
        "score": _estimate(effect.score),
        "length": _estimate(effect.length),
        "came_up": None if effect.came_up is None else _estimate(effect.came_up),
        "seats": [
            {"name": seat.name, "score": _estimate(seat.score), "wins": _estimate(seat.wins)}
            for seat in effect.seats
        ],
    }


def effects_table(comparison: Comparison, findings: Findings) -> list[Data]:
    """Returns a table of measured effects.

    It has a row for each difference of an edition and number of players, and one without a number
    for all differences together. Seats are given by name, and bots by seat.
    """
    columns = comparison.table.columns
    found: list[Data] = []
    for each in findings.each:
        row = each.alone.difference
        about = {"telling": columns[each.column].name, "difference": row.number, "id": row.id}
        found += [
            {**about, "title": row.title, **_row_of(effect, findings.bots)}
            for effect in each.effects
        ]
    for at, effects in enumerate(findings.together, 1):
        about = {"telling": columns[at].name, "difference": None, "id": None}
        found += [{**about, "title": None, **_row_of(effect, findings.bots)} for effect in effects]
    return found


def _row_of(effect: Effect, bots: str) -> Data:
    told, named = _effect(effect), bots.split(",")
    told["bots"] = named * effect.players if len(named) == 1 else named
    del told["holes"]
    told["seats"] = {
        each["name"]: {"score": each["score"], "wins": each["wins"]} for each in told["seats"]
    }
    return told


def _estimate(estimate: Estimate) -> Data:
    """Converts an estimate to JSON; of a change also whether it is significant."""
    return {
        key: value if isinstance(value, bool) else None if math.isinf(value) else round(value, 6)
        for key, value in asdict(estimate).items()
    }
