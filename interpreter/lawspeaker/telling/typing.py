"""Answers that are typed instead of picked from a list: free text, and large ranges of numbers.

A form has a field for each part of the answer. What is entered, with the label of the choice and
commas between the parts, is an answer in the syntax of a match.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.match.decision import Decision, Option, worded
from lawspeaker.match.writing import is_written, shape
from lawspeaker.position.layout import Value

MOST_LISTED = 100
"""Longer lists of numbers are typed."""


@dataclass(frozen=True, slots=True)
class Field:
    """An input for a part of an answer: free text (`written`), a number from `low` to `high`, or
    one of `values`, each by text and name. `limits` describes what may be written."""

    name: str
    written: bool = False
    limits: str = ""
    low: int | None = None
    high: int | None = None
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Form:
    """A choice that is typed: its label, its name, and its fields."""

    label: str
    name: str
    fields: tuple[Field, ...]


def is_typed(option: Option, typed: Iterable[ir.Alternative]) -> bool:
    """Whether an option is left out of the list, since it is typed."""
    return any(option.alternative is each for each in typed)


def typed(decision: Decision) -> tuple[ir.Alternative, ...]:
    """The alternatives of a question whose answers are typed."""
    ask = decision.setting.ask
    if ask is None or decision.seat is None:
        return ()
    return tuple(each for each in ask.alternatives if _is_typed(decision, each))


def _is_typed(decision: Decision, alternative: ir.Alternative) -> bool:
    if any(map(is_written, alternative.parts)):
        return True
    numbers = [at for at, part in enumerate(alternative.parts) if _is_number(part)]
    if not numbers or len(decision.options) <= MOST_LISTED:
        return False
    if any(part.several or part.receives for part in alternative.parts):
        return False
    return any(len(_values(decision, alternative, at)) > MOST_LISTED for at in numbers)


def _is_number(part: ir.Part) -> bool:
    return isinstance(part.binder.type, ir.NumberType) and not part.several


def _values(decision: Decision, alternative: ir.Alternative, at: int) -> dict[Value, None]:
    """The distinct values of a part among the options."""
    return dict.fromkeys(
        option.values[at] for option in decision.options if option.alternative is alternative
    )


def forms(decision: Decision, language: str) -> list[Form]:
    """The forms for all typed choices."""
    return [_form(decision, each, language) for each in typed(decision)]


def _form(decision: Decision, alternative: ir.Alternative, language: str) -> Form:
    layout, label = decision.setting.layout, alternative.label
    called = "" if label is None else layout.called(label, decision.clause.id, language)
    fields = [_field(decision, alternative, at, language) for at in range(len(alternative.parts))]
    empty = worded(called, alternative, [each.name.upper() for each in fields], language)
    return Form(label or "", empty, tuple(fields))


def _field(decision: Decision, alternative: ir.Alternative, at: int, language: str) -> Field:
    setting, part = decision.setting, alternative.parts[at]
    of = part.binder.type
    name = setting.layout.called(part.binder.name, "", language)
    if isinstance(of, ir.WordType) and of.written:
        return Field(name, written=True, limits=shape(setting.layout.program, of)[language])
    values = list(_values(decision, alternative, at))
    if _is_number(part) and len(values) > MOST_LISTED:
        return Field(name, low=min(values), high=max(values))
    told = ((setting.part_text(part, v), setting.part_text(part, v, language)) for v in values)
    return Field(name, values=tuple(told))
