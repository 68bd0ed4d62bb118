"""Publishes scenarios as puzzles: a page that asks what to do in a position.

A page shows the table as the player to move sees it, with all options; those that the scenario
declares refused are among them. The solution is in the file and shown after an attempt or when the
reader gives up: whether the answer is right, its effects, and the rules behind them. The table and
the input are those of the page of a table.

The scenario's answer is right, and so is any other that meets all its expectations: that is
determined by running it with every other answer. Where there is no choice, the question is how many
points everyone gets.
"""

from __future__ import annotations

import gzip
import json
from base64 import b64encode
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lawspeaker import ir
from lawspeaker.base.diagnostics import Failure
from lawspeaker.base.phrases import phrase
from lawspeaker.faces.play import answers
from lawspeaker.faces.publishing.one_file import one_file, own_text
from lawspeaker.faces.web.page_words import words
from lawspeaker.faces.web.question import option_data
from lawspeaker.faces.web.scene import log, players, points_by_rule, scene
from lawspeaker.faces.web.why_not import why_not
from lawspeaker.match.decision import Option
from lawspeaker.match.match import Match, RuleFault
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import course_of_scenario
from lawspeaker.study.scenario import AnsweredQuestion, Scenario, ScenarioRun, holds_with
from lawspeaker.telling.labels import Labels

SHAPES = ("wide", "tall")
EXPECTING = frozenset(
    ("then", "points", "values", "seen", "told", "outcomes", "happened", "did not happen")
) | {"winners"}
"""Keys with which a scenario states expectations after an answer."""
MOST_OPTIONS = 600
RIGHT, OTHER, REFUSED = "right", "other", "refused"
SERVER = "js/server.js"


class NoPuzzle(Failure):
    """Raised for a scenario without anything to guess; the message says why."""


def puzzle(path: Path, library: Library | None = None) -> dict[str, Any]:
    """Makes a puzzle from a scenario; raises NoPuzzle, or RulesError if the scenario fails."""
    scenario, program, course = course_of_scenario(path, library)
    texts: dict[str, int] = {}
    asked = _questions(scenario, program, course)
    if not asked and scenario.get("points") is None:
        raise NoPuzzle(
            f"{scenario.file.name}: there is nothing to guess; a puzzle has a step with an "
            "`answer` among several, or says under `points` who scores"
        )
    return {
        "game": scenario.game,
        "languages": list(program.languages),
        "told": {
            each: _told(scenario, program, course, asked, each, texts) for each in program.languages
        },
        "pictures": list(texts),
    }


def page(puzzles: Sequence[dict[str, Any]]) -> str:
    """Renders puzzles as an HTML file."""
    languages = list(dict.fromkeys(one for each in puzzles for one in each["languages"]))
    data = {"words": {each: words(each) for each in languages}, "puzzles": list(puzzles)}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    pressed = b64encode(gzip.compress(text.encode(), mtime=0)).decode()
    replaced = {
        "puzzle.html": own_text("puzzle.html"),
        "css/puzzle.css": own_text("puzzle.css"),
        "js/puzzle.js": own_text("puzzle.js"),
        SERVER: own_text("puzzle_server.js"),
    }
    return one_file("puzzle.html", replaced, {"game": json.dumps(pressed)}, languages[0])


def asked_in(made: dict[str, Any]) -> dict[str, dict[str, str]]:
    """Returns a puzzle's custom question by language; empty for the usual one."""
    return {"asks": {each: made["told"][each]["asks"] for each in made["languages"]}}


# -------------------------------------------------------------------- questions


class _Question:
    """A question of a scenario with all answers to try, offered or declared refused.

    `verdicts` are by the texts of options.
    """

    def __init__(
        self, asked: AnsweredQuestion, course: ScenarioRun, verdicts: dict[str, str]
    ) -> None:
        self.match, self.seat, self.answer = asked.match, asked.seat, asked.answer
        self.verdicts = verdicts
        self.refused = [
            each.option
            for each in course.refused
            if each.seat == asked.seat and each.replies == len(asked.match.replies)
        ]


def _questions(scenario: Scenario, program: ir.Program, course: ScenarioRun) -> list[_Question]:
    """Returns the questions with a choice to the player who is asked first."""
    found: list[_Question] = []
    seat = next((each.seat for each in course.asked), None)
    for number, asked in enumerate(course.asked):
        if asked.seat != seat:
            continue
        verdicts = _verdicts(scenario, program, number, asked)
        question = _Question(asked, course, verdicts)
        if len(verdicts) + len(question.refused) > 1:
            found.append(question)
    if found and all(each == RIGHT for one in found for each in _all(one)):
        raise NoPuzzle(f"{scenario.file.name}: every answer would do")
    return found


def _all(question: _Question) -> list[str]:
    return [*question.verdicts.values(), *(REFUSED for _ in question.refused)]


def _verdicts(
    scenario: Scenario, program: ir.Program, number: int, asked: AnsweredQuestion
) -> dict[str, str]:
    offered = [each.text for each in _options(asked)]
    if len(offered) > MOST_OPTIONS:
        raise NoPuzzle(f"{scenario.file.name}: {len(offered)} answers are more than can be tried")
    nodes = (scenario.node, *scenario.steps[asked.step :])
    expects = any(node.get(key) is not None for node in nodes for key in EXPECTING)
    return {
        text: RIGHT
        if text == asked.answer or (expects and holds_with(scenario, program, number, text))
        else OTHER
        for text in offered
    }


def _options(asked: AnsweredQuestion) -> Sequence[Any]:
    return asked.match.shown(asked.seat).options


# -------------------------------------------------------------------- texts


def _told(
    scenario: Scenario,
    program: ir.Program,
    course: ScenarioRun,
    asked: Sequence[_Question],
    language: str,
    texts: dict[str, int],
) -> dict[str, Any]:
    own = program.languages[0]
    question = scenario.puzzle.get(language) or scenario.puzzle.get("", "")
    seat = asked[0].seat if asked else None
    titles = [program.title, *(each.title for each in program.variants)]
    cites = [answers.source(program, each, language) for each in _cites(course)]
    return {
        "title": " + ".join(filter(None, (ir.in_language(each, language) for each in titles))),
        "asks": question,
        "players": players(course.match.machine.layout, language),
        "steps": [_step(each, language, texts) for each in asked],
        "points": [] if asked else _points(course, language),
        "before": _pictures(course.before, seat, language, texts),
        "after": _pictures(course.match, seat, language, texts),
        "story": log(course.match, seat, language, Labels(course.match.view(seat)), 0),
        "about": {"text": scenario.title, "more": scenario.text("about"), "language": own},
        "cites": cites,
    }


def _cites(course: ScenarioRun) -> Sequence[ir.Citation]:
    """Returns the citations of the clause that asks."""
    clause = next((each.match.decisions[0].clause for each in course.asked), None)
    return () if clause is None else clause.cites


def _pictures(
    match: Match, seat: int | None, language: str, texts: dict[str, int]
) -> dict[str, int]:
    found = {}
    for shape in SHAPES:
        svg = scene(match, seat, language, len(match.replies) + 1, shape)["svg"]
        found[shape] = texts.setdefault(svg, len(texts))
    return found


def _step(question: _Question, language: str, texts: dict[str, int]) -> dict[str, Any]:
    """Returns a question with the result of every answer."""
    match, seat = question.match, question.seat
    shown = posed(match, seat, question.refused, language, texts)
    refused = {each.text for each in question.refused}
    results = [
        refusal(match, seat, each["text"], language)
        if each["text"] in refused
        else _result(question, each["text"], language)
        for each in shown["question"]["options"]
    ]
    return {**shown, "results": results}


def posed(
    match: Match, seat: int, refused: Sequence[Option], language: str, texts: dict[str, int]
) -> dict[str, Any]:
    """Returns a question before it is answered, with the refused options among the others."""
    asks = scene(match, seat, language)["question"]
    view = match.view(seat)
    labels, options = Labels(view), asks["options"]
    for each in refused:
        options.append(option_data(view, labels, language, len(options), each, asks["words"]))
    # A puzzle lists all its answers, also those that are typed at a table.
    asks["forms"] = []
    for each in options:
        each.pop("typed", None)
    # Sorted by name, so that the order does not reveal which are refused.
    options.sort(key=lambda option: option["name"])
    asks["options"] = [{**option, "number": number} for number, option in enumerate(options)]
    return {
        "seat": seat,
        "scene": _pictures(match, seat, language, texts),
        "told": len(match.replies),
        "question": asks,
    }


def refusal(match: Match, seat: int, text: str, language: str) -> dict[str, Any]:
    """Returns the result of an answer that a rule forbids."""
    return {"verdict": REFUSED, "why": why_not(match, seat, text, language)}


def _result(question: _Question, text: str, language: str) -> dict[str, Any]:
    """Returns the effects of an answer up to the next chance, each with its rule."""
    match, seat = question.match.copy(), question.seat
    since = len(match.replies)
    before = list(match.scores)
    broken = ""
    try:
        match.choose(text, seat)
    except RuleFault:
        broken = phrase("table.hole", language)
    lines = log(match, seat, language, Labels(match.view(seat)), since)
    return {
        "verdict": question.verdicts[text],
        "lines": [line for entry in lines if entry["reply"] > since for line in entry["lines"]],
        "scored": [now - then for now, then in zip(match.scores, before, strict=True)],
        "broken": broken,
    }


def _points(course: ScenarioRun, language: str) -> list[dict[str, Any]]:
    match = course.match
    rows = [points_by_rule(match, seat, language) for seat in match.machine.layout.seats]
    gained = [now - then for now, then in zip(match.scores, course.before.scores, strict=True)]
    return [{"points": points, "rows": own} for points, own in zip(gained, rows, strict=True)]
