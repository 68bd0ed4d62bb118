"""Whatever is written in a file, the compiler answers: with a program, or with an error.

Real files are damaged the way fingers and editors damage them: characters, words and lines are
taken out, doubled, exchanged and replaced. A nightly run
tries 20 times as many.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lawspeaker import ir
from lawspeaker.base.codes import CODES
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.faces.render import diagnostics as render
from lawspeaker.ir.types import BrokenType
from lawspeaker.machines.reference import RuleFault
from lawspeaker.match.game import Game as Playable
from lawspeaker.meaning.compile import compile_game
from lawspeaker.outside.loading import schema
from tests.language.games import GOOD, Game, games
from tests.repo.checkout import ROOT
from tests.tiers import pick, sample

TIMES = pick(test=0.25, full=0.35, nightly=20.0)
RULES = sorted((ROOT / "rules").glob("*/game.yaml"))
MOST_REPLIES = 30
SMALL = [game for game in games(GOOD) if len(game.files) == 1]
WORD = re.compile(r"\s+|[A-Za-z_][A-Za-z0-9_.]*|\d+|.", re.DOTALL)
TEXTS = [file.read_text(encoding="utf-8") for game in games(GOOD) for file in game.files]
WORDS = sorted({word for text in TEXTS for word in WORD.findall(text) if not word.isspace()})
SIGNS = " \n\t:#-|>{}[]()\"'&*!%@`,?=<>+/.\\éß€\u202e\ufeff\x00\r"


def fuzz_settings(count: int) -> Callable[[Callable[..., None]], Callable[..., None]]:
    return settings(
        max_examples=round(count * TIMES),
        deadline=None,
        derandomize=TIMES <= 1,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


# ---------------------------------------------------------------- damage

Damage = Callable[[str], str]


@st.composite
def of_characters(draw: st.DrawFn) -> Damage:
    at, length = draw(st.integers(0, 10**6)), draw(st.sampled_from([0, 1, 1, 2, 5]))
    new = draw(st.one_of(st.just(""), st.sampled_from(SIGNS), st.characters(), st.just("twice")))

    def damage(text: str) -> str:
        start = at % (len(text) + 1)
        cut = text[start : start + length]
        return text[:start] + (cut * 2 if new == "twice" else new) + text[start + length :]

    return damage


@st.composite
def of_lines(draw: st.DrawFn) -> Damage:
    one, two = draw(st.integers(0, 10**6)), draw(st.integers(0, 10**6))
    how = draw(st.sampled_from(["delete", "double", "swap", "indent", "dedent", "break"]))

    def damage(text: str) -> str:
        lines = text.split("\n")
        at, other = one % len(lines), two % len(lines)
        line = lines[at]
        if how == "delete":
            del lines[at]
        elif how == "double":
            lines.insert(other, line)
        elif how == "swap":
            lines[at], lines[other] = lines[other], line
        elif how == "indent":
            lines[at] = " " * (1 + two % 4) + line
        elif how == "dedent":
            lines[at] = line[1 + two % 3 :]
        else:
            lines[at] = f"{line[: len(line) // 2]}\n{line[len(line) // 2 :]}"
        return "\n".join(lines)

    return damage


@st.composite
def of_words(draw: st.DrawFn) -> Damage:
    one, two = draw(st.integers(0, 10**6)), draw(st.integers(0, 10**6))
    how = draw(st.sampled_from(["delete", "double", "swap", "copy", "replace", "insert"]))
    new = draw(st.sampled_from(WORDS))

    def damage(text: str) -> str:
        words: list[str] = WORD.findall(text)
        places = [place for place, word in enumerate(words) if not word.isspace()]
        if not places:
            return str(new)
        at, other = places[one % len(places)], places[two % len(places)]
        word = words[at]
        if how == "swap":
            words[at], words[other] = words[other], word
        else:
            words[at] = {
                "delete": "",
                "double": f"{word} {word}",
                "copy": words[other],
                "replace": new,
                "insert": f"{word} {new}",
            }[how]
        return "".join(words)

    return damage


DAMAGES = st.lists(st.one_of(of_characters(), of_lines(), of_words()), min_size=1, max_size=4)


# ---------------------------------------------------------------- what must hold


def check_answer(main: SourceFile, files: dict[str, SourceFile]) -> ir.Program | None:
    """Compiles, and holds the answer against all that is promised of it."""
    diagnostics = Diagnostics()

    def read(name: str, span: Span) -> SourceFile | None:
        if name not in files:
            diagnostics.error("not-found", f"there is no file {name}", span)
        return files.get(name)

    program = compile_game(main, read, schema("game"), diagnostics)
    assert (program is None) == diagnostics.has_errors
    render.text(diagnostics)
    render.to_json(diagnostics)
    for each in diagnostics:
        assert each.code in CODES
        for span in (each.span, *(label.span for label in each.labels)):
            assert 0 <= span.start <= span.end <= len(span.file.text)
    assert program is None or not has_broken(program)
    return program


def has_broken(program: ir.Program) -> bool:
    """Whether a type was left open that should have been complained about."""
    waiting: list[object] = [program]
    seen: set[int] = set()
    while waiting:
        each = waiting.pop()
        if isinstance(each, BrokenType):
            return True
        if isinstance(each, Span) or id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, tuple | list):
            waiting.extend(each)
        elif isinstance(each, dict):
            waiting.extend(each.values())
        elif is_dataclass(each):
            waiting.extend(getattr(each, field.name) for field in fields(each))
    return False


@pytest.mark.full
@fuzz_settings(250)
@given(st.sampled_from(SMALL), DAMAGES, st.randoms(use_true_random=False))
def test_a_small_game_with_damage(game: Game, damages: list[Damage], luck: Random) -> None:
    text = game.entry.read_text(encoding="utf-8")
    for damage in damages:
        text = damage(text)
    program = check_answer(SourceFile("game.yaml", text), {})
    if program is not None:
        play(program, luck)


def play(program: ir.Program, luck: Random) -> None:
    """What the checker lets pass may be a fault of the rules at the table, but nothing worse."""
    playable = Playable(program, "damaged")
    try:
        match = playable.start(players=luck.choice(playable.players), seed=luck.randrange(100))
        for _ in range(MOST_REPLIES):
            if match.decision is None:
                return
            match.choose(luck.choice(match.decision.options))
    except RuleFault:
        return


@pytest.mark.parametrize(
    "entry", sample(RULES, test=6, full=3), ids=lambda entry: entry.parent.name
)
@fuzz_settings(12)
@given(st.data())
def test_a_real_game_with_damage(entry: Path, data: st.DataObject) -> None:
    texts = {file.name: file.read_text(encoding="utf-8") for file in entry.parent.glob("*.yaml")}
    name = data.draw(st.sampled_from(sorted(texts)))
    for damage in data.draw(DAMAGES):
        texts[name] = damage(texts[name])
    files = {each: SourceFile(each, text) for each, text in texts.items()}
    check_answer(files["game.yaml"], files)


@pytest.mark.full
@fuzz_settings(100)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12))
def test_any_words_as_code(words: list[str]) -> None:
    binders = next(game for game in SMALL if game.name == "binders").entry
    text = binders.read_text(encoding="utf-8")
    head, _, _ = text.partition("    rule: |\n")
    check_answer(SourceFile("game.yaml", f"{head}    rule: |\n      {' '.join(words)}\n"), {})


@pytest.mark.full
@fuzz_settings(50)
@given(st.one_of(st.text(), st.binary().map(lambda data: data.decode("utf-8", "surrogateescape"))))
def test_any_text(text: str) -> None:
    check_answer(SourceFile("game.yaml", text), {})


KEYS = """
    game players pieces places words rules markers choices windows table names is kinds holds at
    says rule as define given from to card deck
""".split()
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.sampled_from(WORDS))
SHAPES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.sampled_from(KEYS), inner, max_size=4)
    ),
    max_leaves=20,
)


@fuzz_settings(50)
@given(st.dictionaries(st.sampled_from(KEYS), SHAPES, max_size=6))
def test_sections_of_any_shape_get_an_answer(sections: dict[str, object]) -> None:
    head = {"lawspeaker": 1, "game": "any", "players": {"from": 2, "to": 2}}
    check_answer(SourceFile("game.yaml", json.dumps({**head, **sections})), {})
