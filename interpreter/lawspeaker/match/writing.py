"""Parses answers that contain a player's own text.

Where a question asks for a word of a set to which players may add, the rules list some words:
bots choose from these, and they are among the options. A player may write another text. It is
extracted from the typed answer (`give "deep water", 2`; quotation marks, label and commas are
optional), normalised, and checked against the limits of the set. A text that equals a word's name
means that word. Otherwise it is added to the set for this question alone, subject to all guards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.base.phrases import LANGUAGES, phrase
from lawspeaker.ir.open_parts import is_answered_in_words
from lawspeaker.ir.walk import everything
from lawspeaker.machines.reference.machine import Machine
from lawspeaker.match.decision import Decision, Option, decided
from lawspeaker.match.explain import Refusal, labels_of
from lawspeaker.position.layout import plain
from lawspeaker.position.state import State
from lawspeaker.position.written import LONGEST, Text, readable

MOST_SAID = 8 * LONGEST
"""Maximum number of characters that are parsed."""
_SEGMENT = re.compile(r'(?:"[^"]*"|[^,"])+')
QUOTES = '"“”„«»'
SIGNS = "signs"
"""Name of the pseudo-guard that refuses a text for its characters."""


@dataclass(frozen=True, slots=True)
class Writing:
    """A parsed answer with the player's text: its canonical form, the state with the text added,
    and the question with it among the options.
    """

    said: str
    state: State
    decision: Decision

    @property
    def option(self) -> Option | None:
        """The matching option, if the rules allow it."""
        return self.decision.option(self.said)


def writing(
    machine: Machine, state: State, current: Decision, said: str
) -> Writing | Refusal | None:
    """Parses an answer; returns the refusal if the text is not allowed.

    None if no player's text is asked for, or none was given.
    """
    refusal: Refusal | None = None
    if len(said) > MOST_SAID and _asks_for_text(current):
        return _unreadable(current)
    for alternative, segments in _readings(machine, current, said[:MOST_SAID]):
        found = _read(machine, state, current, alternative, segments)
        if isinstance(found, Writing):
            return found
        refusal = refusal or found
    return refusal


def is_written(part: ir.Part) -> bool:
    """Whether a part accepts a player's own text."""
    return isinstance(part.binder.type, ir.WordType) and part.binder.type.written


def _readings(
    machine: Machine, current: Decision, said: str
) -> Iterator[tuple[ir.Alternative, list[str]]]:
    """Yields the possible alternatives, with the words for each part."""
    ask = current.setting.ask
    if ask is None or current.seat is None:
        return
    labelled = [
        (each, said.split(maxsplit=len(label))[len(label) :])
        for each in ask.alternatives
        for label in labels_of(machine.layout, current.setting.clause, each)
        if plain(said).split()[: len(label)] == label
    ]
    ways = [(each, " ".join(rest)) for each, rest in labelled]
    for alternative, rest in ways or [(each, said) for each in ask.alternatives]:
        if any(map(is_written, alternative.parts)) and rest.strip():
            segments = _segments(alternative, rest)
            if segments is not None:
                yield alternative, segments


def _segments(alternative: ir.Alternative, said: str) -> list[str] | None:
    """Splits an answer into parts, by commas, or with one word for each part but the text."""
    parts = alternative.parts
    if len(parts) == 1:
        return [said]
    found = [each.strip() for each in _SEGMENT.findall(said)]
    if len(found) == len(parts):
        return found
    at = [number for number, part in enumerate(parts) if is_written(part)]
    words, after = said.replace(",", " ").split(), len(parts) - 1 - at[0]
    if len(at) > 1 or len(words) < len(parts):
        return None
    return [
        *words[: at[0]],
        " ".join(words[at[0] : len(words) - after]),
        *words[len(words) - after :],
    ]


def _read(
    machine: Machine,
    state: State,
    current: Decision,
    alternative: ir.Alternative,
    segments: list[str],
) -> Writing | Refusal:
    """Interprets the parts and recomputes the question with the text added."""
    layout, told = machine.layout, list(segments)
    own: list[tuple[int, Text]] = []
    for at, part in enumerate(alternative.parts):
        of = part.binder.type
        if not isinstance(of, ir.WordType) or not of.written:
            continue
        raw = segments[at].strip(f"{QUOTES} ")
        value = layout.written(of, raw)
        if value is None:
            if readable(raw) is None:
                return _unreadable(current)
            return _refused(current, of.name, shape(machine.program, of))
        if isinstance(value, Text):
            own.append((of.index, value))
        told[at] = layout.text(of, value)
    label = "" if alternative.label is None else alternative.label
    said = f"{label} {', '.join(told)}".strip()
    state = state.copy()
    state.written, state.left = tuple(own), machine.budget
    question = machine.question(state)
    assert question is not None
    assert current.seat is not None
    replies = question.replies(state, machine.scratch(state, current.seat))
    return Writing(said, state, decided(current.setting, replies))


def _asks_for_text(current: Decision) -> bool:
    ask = current.setting.ask
    return ask is not None and is_answered_in_words(ask)


def _unreadable(current: Decision) -> Refusal:
    says = {each: phrase("text.signs", each, most=LONGEST) for each in LANGUAGES}
    return _refused(current, SIGNS, says)


def _refused(current: Decision, name: str, says: ir.Texts) -> Refusal:
    guard = ir.Guard(name, current.clause.index, ir.Const(ir.TRUTH, False), says, ())
    return Refusal(next(iter(says.values())), current.clause, guard)


def shape(program: ir.Program, of: ir.WordType) -> ir.Texts:
    """Describes the limits on texts of a set in each language."""
    limits = program.word_sets[of.index].written
    assert limits is not None
    return {language: describe_limits(of.name, limits, program, language) for language in LANGUAGES}


def allowed_texts(program: ir.Program, clause: ir.Clause, language: str) -> dict[str, str]:
    """By set of words that a clause lets players write: its limits, and the allowed characters."""
    found: dict[str, str] = {}
    for part in everything(clause.body):
        of = part.binder.type if isinstance(part, ir.Part) else None
        if isinstance(of, ir.WordType) and (limits := program.word_sets[of.index].written):
            found[of.name] = describe_limits(of.name, limits, program, language)
    if found:
        found[SIGNS] = phrase("text.signs", language, most=LONGEST)
    return found


def describe_limits(name: str, limits: ir.Written, program: ir.Program, language: str) -> str:
    """Describes the limits of a set of texts in a language."""
    called = program.names.get(name, {}).get(language, name.replace("_", " "))
    return phrase(
        "text.limits", language, name=called[:1].upper() + called[1:], **spans(limits, language)
    )


def spans(limits: ir.Written, language: str) -> dict[str, str]:
    """Renders the limits on words and letters."""
    return {
        "words": _span("words", limits.words, language),
        "letters": _span("letters", limits.letters, language),
    }


def _span(key: str, span: tuple[int, int], language: str) -> str:
    low, high = span
    if low == high:
        return phrase(f"text.{key}", language, count=low)
    if low <= 1:
        return phrase(f"text.{key}_up_to", language, count=high)
    return phrase(f"text.{key}_between", language, low=low, high=high)
