"""A named choice of the rules set to other values: `hand.size=1..5`, `trump=red,blue`.

Each combination of values is a patch, a variant like any other, so what is tried is what can be
played. A value that the rules do not allow is answered by the checker as in any variant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from lawspeaker import ir
from lawspeaker.diagnostics import did_you_mean
from lawspeaker.layout import Layout
from lawspeaker.types import NumberType

MOST_VALUES = 200
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
    if not equals or not wanted:
        raise CannotVary(f"`{text}` is not of the form CHOICE=1..5 or CHOICE=VALUE,VALUE")
    choice = _choice(name, layout)
    value = choice.values[layout.players - layout.program.fewest]
    printed = None if isinstance(value, tuple) else layout.text(choice.type, value)
    if printed is None:
        raise CannotVary(f"{choice.id} is a list; only a choice of one value can be varied")
    values = _listed(wanted)
    if isinstance(choice.type, NumberType) and not all(_is_number(each) for each in values):
        raise CannotVary(f"{choice.id} is a number; `{wanted}` is none")
    return Varied(choice.id, values, printed)


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
        lines += [f"  - set: {each.choice}", f"    to: {value}"]
    return "\n".join(lines) + "\n"


def _choice(name: str, layout: Layout) -> ir.Choice:
    choices = {choice.id: choice for choice in layout.program.choices}
    if name not in choices:
        hint = did_you_mean(name, choices) or f"there are {', '.join(sorted(choices)) or 'none'}"
        raise CannotVary(f"{layout.program.name} has no choice `{name}`; {hint}")
    return choices[name]


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
    return text.strip().removeprefix("-").isdecimal()
