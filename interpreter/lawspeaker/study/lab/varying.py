"""Parses parameter variations of rules: `hand.size=1..5`, `trump=red,blue`.

A parameter is a named choice; a whole list (`piles=[3,4,5],[1,3,5]`) or one entry of it (`piles
at 2=1..6`); or anything else a variant can set, by its path
(`pieces.card.kinds.hunt.count=2..6`).

Each combination of values becomes a patch, a variant like any other. The patch is in no file, so
invalid values are rejected first, in terms of the request.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from lawspeaker import ir
from lawspeaker.base.diagnostics import did_you_mean
from lawspeaker.position.layout import Layout

MOST_VALUES = 200
MOST_DIGITS = 100
TRUTHS = ("true", "false")
AT = " at "
SECTIONS = ("pieces", "places", "words", "markers", "table")
"""First components of a path."""
NOTHING: Mapping[str, str] = {}
Written = Callable[[str], str | None]
"""Looks up the value at a path in the rules, None if there is none."""
_OUTSIDE = re.compile(r",(?![^\[\]{}]*[\]}])")
"""A comma outside of brackets."""
Values = tuple[str, ...]
"""A value for each varied parameter, as written in a rule file."""


class CannotVary(Exception):
    """Invalid variation; the message says why."""


@dataclass(frozen=True, slots=True)
class Varied:
    """A varied parameter: its values, and the printed one, if known.

    `entry` is the number (from 1) of an entry of a list, and `around` the whole list.
    """

    choice: str
    values: Values
    printed: str | None
    entry: int = 0
    around: Values = ()

    @property
    def numbers(self) -> tuple[int, ...] | None:
        """The values as integers, if they all are."""
        try:
            return tuple(int(each) for each in self.values)
        except ValueError:
            return None

    @property
    def target(self) -> str:
        """The name that a variant sets."""
        return self.choice.partition(AT)[0] if self.entry else self.choice

    def written(self, value: str) -> str:
        """A value as YAML for a `set` change."""
        if not self.entry:
            return _written(value)
        items = list(self.around)
        items[self.entry - 1] = value
        return f"[{', '.join(_written(each) for each in items)}]"


def varied(text: str, layout: Layout, written: Written | None = None) -> Varied:
    """Parses `CHOICE=1..5` or `CHOICE=VALUE,VALUE`; `written` looks up paths."""
    name, equals, wanted = (part.strip() for part in text.partition("="))
    if not equals or not wanted.strip(", "):
        raise CannotVary(f"`{text}` is not of the form CHOICE=1..5 or CHOICE=VALUE,VALUE")
    if "\n" in wanted:
        raise CannotVary("values stand in one line")
    stem, at, entry = (part.strip() for part in name.partition(AT))
    if written is not None and not at and name.partition(".")[0] in SECTIONS:
        there = written(name)
        if there is None:
            raise CannotVary(f"nothing stands at `{name}` in {layout.program.name}")
        return Varied(name, tuple(dict.fromkeys(_listed(wanted))), there)
    choice = _choice(stem, layout)
    value = choice.values[layout.program.counts.index(layout.players)]
    if at:
        return _entry(name, choice, value, entry, wanted, layout)
    if isinstance(value, tuple):
        lists = (_allowed_list(each, choice, layout) for each in _listed(wanted))
        return Varied(choice.id, tuple(dict.fromkeys(lists)), as_written(value, choice, layout))
    values = tuple(dict.fromkeys(_allowed(each, choice, layout) for each in _listed(wanted)))
    return Varied(choice.id, values, as_written(value, choice, layout))


def _entry(
    name: str,
    choice: ir.Choice,
    value: ir.Constant | tuple[ir.Constant, ...],
    entry: str,
    wanted: str,
    layout: Layout,
) -> Varied:
    """Parses a variation of one entry of a list."""
    if not isinstance(value, tuple):
        raise CannotVary(f"{choice.id} is no list; it has no `{AT.strip()} {entry}`")
    if not entry.isdecimal() or not 1 <= int(entry) <= len(value):
        raise CannotVary(f"{choice.id} has {len(value)} entries, and none at `{entry}`")
    around = tuple(as_written(each, choice, layout) for each in value)
    values = tuple(dict.fromkeys(_allowed(each, choice, layout) for each in _listed(wanted)))
    return Varied(name, values, around[int(entry) - 1], int(entry), around)


def _allowed_list(text: str, choice: ir.Choice, layout: Layout) -> str:
    """Validates a list."""
    if not (text.startswith("[") and text.endswith("]")):
        raise CannotVary(
            f"{choice.id} is a list: write [6,5],[4,3], or one entry as in `{choice.id} at 2=1..4`"
        )
    items = _listed(text[1:-1], ranges=False, once=False)
    return f"[{', '.join(_allowed(each, choice, layout) for each in items)}]"


def varied_together(
    texts: Sequence[str], layout: Layout, written: Written | None = None
) -> list[Varied]:
    """Parses several variations, of different parameters."""
    found = [varied(each, layout, written) for each in texts]
    names = [each.target for each in found]
    for name in names:
        if names.count(name) > 1:
            raise CannotVary(f"{name} is varied twice; name all its values at once, as in 2,4,8")
    return found


def combinations(all_varied: Sequence[Varied]) -> list[Values]:
    """The Cartesian product of all values, the last running fastest."""
    found = list(product(*(each.values for each in all_varied)))
    if len(found) > MOST_VALUES:
        raise CannotVary(f"that makes {len(found)} combinations; {MOST_VALUES} are the most")
    return found


def printed(all_varied: Sequence[Varied]) -> Values:
    """The values of the rules."""
    return tuple(each.printed or "" for each in all_varied)


def patch(
    program: ir.Program,
    all_varied: Sequence[Varied],
    values: Values,
    measures: Mapping[str, str] = NOTHING,
) -> str:
    """The text of the variant that sets the parameters, and defines these measures."""
    lines = [
        "lawspeaker: 1",
        "variant: varied",
        f"of: {program.name}",
        "layer: house rule",
        "title: Other values",
        "changes:",
    ]
    for each, value in zip(all_varied, values, strict=True):
        lines += [f"  - set: {each.target}", f"    to: {each.written(value)}"]
        if each.target.startswith("pieces."):
            lines.append("    accepts: totals-differ")  # of a kind more or fewer than in the box
    for name, expression in measures.items():
        lines += [
            f"  - add: {ir.MEASURE}{name}",
            "    says: What is measured of a finished game.",
            f"    define: measure_of_{name}",
            "    as: |",
            f"      {expression}",
        ]
    return "\n".join(lines) + "\n"


def own_measure(text: str) -> tuple[str, str] | None:
    """Splits `NAME=EXPRESSION`; None for the name of a measure."""
    name, equals, expression = (part.strip() for part in text.partition("="))
    if not equals:
        return None
    if not re.fullmatch("[a-z][a-z0-9_]*", name) or not expression or "\n" in expression:
        raise CannotVary(f"`{text}` is not of the form NAME=EXPRESSION, with a name like `rest`")
    return name, expression


def as_written(
    value: ir.Constant | tuple[ir.Constant, ...], choice: ir.Choice, layout: Layout
) -> str:
    """A value in the syntax of a rule file."""
    if isinstance(value, tuple):
        return f"[{', '.join(as_written(each, choice, layout) for each in value)}]"
    if isinstance(_type(choice), ir.TruthType):
        return TRUTHS[not value]
    return layout.text(_type(choice), value)


def _type(choice: ir.Choice) -> ir.Type:
    """The type of its value, or of its list's elements."""
    return choice.type.of if isinstance(choice.type, ir.SetType) else choice.type


def _choice(name: str, layout: Layout) -> ir.Choice:
    choices = {choice.id: choice for choice in layout.program.choices}
    if name not in choices:
        hint = did_you_mean(name, choices) or f"there are {', '.join(sorted(choices)) or 'none'}"
        raise CannotVary(f"{layout.program.name} has no choice `{name}`; {hint}")
    return choices[name]


def _allowed(text: str, choice: ir.Choice, layout: Layout) -> str:
    """Validates and normalises a value of a choice."""
    options = _options(choice, layout)
    if isinstance(_type(choice), ir.NumberType):
        if not _is_number(text):
            raise CannotVary(f"{choice.id} is a number; `{text}` is none")
        text = str(int(text))  # 007 is 7
        if not ir.SMALLEST <= int(text) <= ir.LARGEST:
            raise CannotVary(
                f"{choice.id} cannot be {text}: numbers go from {ir.SMALLEST} to {ir.LARGEST}"
            )
    if options and text not in options:
        hint = did_you_mean(text, options)
        can_be = f"{choice.id} cannot be `{text}`; it is one of {', '.join(options)}"
        raise CannotVary(f"{can_be}; {hint}" if hint else can_be)
    return text


def _options(choice: ir.Choice, layout: Layout) -> Values:
    """All values of a choice, if enumerable; empty for any number."""
    if isinstance(_type(choice), ir.TruthType):
        return TRUTHS
    return tuple(as_written(each, choice, layout) for each in choice.one_of)


def _written(value: str) -> str:
    """Value as YAML; words are quoted, since a plain `off` would be a truth."""
    plain = value in TRUTHS or _is_number(value) or value[:1] in ("[", "{")
    return value if plain else json.dumps(value)


def _listed(text: str, *, ranges: bool = True, once: bool = True) -> Values:
    """Splits values at top-level commas, or expands a range."""
    low, dots, high = text.partition("..")
    if not dots or not ranges or text[:1] in ("[", "{"):
        parts = [each.strip() for each in _OUTSIDE.split(text) if each.strip()]
        return tuple(dict.fromkeys(parts) if once else parts)
    if not (_is_number(low) and _is_number(high)) or int(low) > int(high):
        raise CannotVary(f"`{text}` is no range of numbers, lowest first, like 1..5")
    if int(high) - int(low) >= MOST_VALUES:
        raise CannotVary(f"`{text}` has more than {MOST_VALUES} values")
    return tuple(str(each) for each in range(int(low), int(high) + 1))


def _is_number(text: str) -> bool:
    digits = text.strip().removeprefix("-")
    return digits.isdecimal() and len(digits) <= MOST_DIGITS
