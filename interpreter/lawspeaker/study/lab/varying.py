"""A named choice of the rules set to other values: `hand.size=1..5`, `trump=red,blue`.

Each combination of values is a patch, a variant like any other, so what is tried is what can be
played. That patch is in no file, so a value that the rules do not allow is answered before it is
made, in the words of what was asked for.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from lawspeaker import ir
from lawspeaker.base.diagnostics import did_you_mean
from lawspeaker.ir.types import LARGEST, SMALLEST, NumberType, TruthType
from lawspeaker.position.layout import Layout

MOST_VALUES = 200
MOST_DIGITS = 100
TRUTHS = ("true", "false")
Values = tuple[str, ...]
"""A value for each choice that is varied, as it is written in a rule file."""


class CannotVary(Exception):
    """What was asked to be varied cannot be; the message says why."""


@dataclass(frozen=True, slots=True)
class Varied:
    """A named choice, the values it is to take, and the one it has (None where that is a list)."""

    choice: str
    values: Values
    printed: str | None

    @property
    def numbers(self) -> tuple[int, ...] | None:
        """The values as numbers, if they are."""
        try:
            return tuple(int(each) for each in self.values)
        except ValueError:
            return None


def varied(text: str, layout: Layout) -> Varied:
    """What `CHOICE=1..5` or `CHOICE=VALUE,VALUE` says."""
    name, equals, wanted = (part.strip() for part in text.partition("="))
    if not equals or not wanted.strip(", "):
        raise CannotVary(f"`{text}` is not of the form CHOICE=1..5 or CHOICE=VALUE,VALUE")
    choice = _choice(name, layout)
    value = choice.values[layout.players - layout.program.fewest]
    if isinstance(value, tuple):
        raise CannotVary(f"{choice.id} is a list; only a choice of one value can be varied")
    values = tuple(dict.fromkeys(_allowed(each, choice, layout) for each in _listed(wanted)))
    return Varied(choice.id, values, as_written(value, choice, layout))


def varied_together(texts: Sequence[str], layout: Layout) -> list[Varied]:
    """Several choices that are varied together, each of them once."""
    found = [varied(each, layout) for each in texts]
    names = [each.choice for each in found]
    for name in names:
        if names.count(name) > 1:
            raise CannotVary(f"{name} is varied twice; name all its values at once, as in 2,4,8")
    return found


def combinations(all_varied: Sequence[Varied]) -> list[Values]:
    """All ways to set the choices, the last running fastest."""
    found = list(product(*(each.values for each in all_varied)))
    if len(found) > MOST_VALUES:
        raise CannotVary(f"that makes {len(found)} combinations; {MOST_VALUES} are the most")
    return found


def patch(program: ir.Program, all_varied: Sequence[Varied], values: Values) -> str:
    """The text of the variant that sets the choices."""
    lines = [
        "lawspeaker: 1",
        "variant: varied",
        f"of: {program.name}",
        "layer: house rule",
        "title: Other values",
        "changes:",
    ]
    for each, value in zip(all_varied, values, strict=True):
        lines += [f"  - set: {each.choice}", f"    to: {_written(value)}"]
    return "\n".join(lines) + "\n"


def as_written(value: ir.Constant, choice: ir.Choice, layout: Layout) -> str:
    """A value as it is written in a rule file."""
    if isinstance(choice.type, TruthType):
        return TRUTHS[not value]
    return layout.text(choice.type, value)


def _choice(name: str, layout: Layout) -> ir.Choice:
    choices = {choice.id: choice for choice in layout.program.choices}
    if name not in choices:
        hint = did_you_mean(name, choices) or f"there are {', '.join(sorted(choices)) or 'none'}"
        raise CannotVary(f"{layout.program.name} has no choice `{name}`; {hint}")
    return choices[name]


def _allowed(text: str, choice: ir.Choice, layout: Layout) -> str:
    """A value as a rule file has it, if it is one that the choice can take."""
    options = _options(choice, layout)
    if isinstance(choice.type, NumberType):
        if not _is_number(text):
            raise CannotVary(f"{choice.id} is a number; `{text}` is none")
        text = str(int(text))  # 007 is 7
        if not SMALLEST <= int(text) <= LARGEST:
            raise CannotVary(
                f"{choice.id} cannot be {text}: numbers go from {SMALLEST} to {LARGEST}"
            )
    if options and text not in options:
        hint = did_you_mean(text, options)
        can_be = f"{choice.id} cannot be `{text}`; it is one of {', '.join(options)}"
        raise CannotVary(f"{can_be}; {hint}" if hint else can_be)
    return text


def _options(choice: ir.Choice, layout: Layout) -> Values:
    """All values that a choice can take, where they are few; none for any number."""
    if isinstance(choice.type, TruthType):
        return TRUTHS
    return tuple(as_written(each, choice, layout) for each in choice.one_of)


def _written(value: str) -> str:
    """As YAML: words in quotes, since a plain `off` would be none."""
    return value if value in TRUTHS or _is_number(value) else json.dumps(value)


def _listed(text: str) -> Values:
    low, dots, high = text.partition("..")
    if not dots:
        return tuple(dict.fromkeys(each.strip() for each in text.split(",") if each.strip()))
    if not (_is_number(low) and _is_number(high)) or int(low) > int(high):
        raise CannotVary(f"`{text}` is no range of numbers, lowest first, like 1..5")
    if int(high) - int(low) >= MOST_VALUES:
        raise CannotVary(f"`{text}` has more than {MOST_VALUES} values")
    return tuple(str(each) for each in range(int(low), int(high) + 1))


def _is_number(text: str) -> bool:
    digits = text.strip().removeprefix("-")
    return digits.isdecimal() and len(digits) <= MOST_DIGITS
