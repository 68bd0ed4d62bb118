"""Something that the rules name set to other values: `hand.size=1..5`, `trump=red,blue`.

That is a named choice; a list as a whole (`piles=[3,4,5],[1,3,5]`) or one entry of it (`piles at
2=1..6`); or whatever else a variant can set, by its path (`pieces.card.kinds.hunt.count=2..6`).

Each combination of values is a patch, a variant like any other, so what is tried is what can be
played. That patch is in no file, so a value that the rules do not allow is answered before it is
made, in the words of what was asked for.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from lawspeaker import ir
from lawspeaker.base.diagnostics import did_you_mean
from lawspeaker.ir.types import LARGEST, SMALLEST, NumberType, SetType, TruthType, Type
from lawspeaker.position.layout import Layout

MOST_VALUES = 200
MOST_DIGITS = 100
TRUTHS = ("true", "false")
AT = " at "
SECTIONS = ("pieces", "places", "words", "markers", "table")
"""What a path can begin with."""
NOTHING: Mapping[str, str] = {}
Written = Callable[[str], str | None]
"""What stands at a path in the rules, None if nothing does."""
_OUTSIDE = re.compile(r",(?![^\[\]{}]*[\]}])")
"""A comma that is in no brackets."""
Values = tuple[str, ...]
"""A value for each choice that is varied, as it is written in a rule file."""


class CannotVary(Exception):
    """What was asked to be varied cannot be; the message says why."""


@dataclass(frozen=True, slots=True)
class Varied:
    """What is varied, the values it is to take, and the one it has, if that is known. `entry` is
    the number of an entry (from 1) of a list, and `around` the whole list."""

    choice: str
    values: Values
    printed: str | None
    entry: int = 0
    around: Values = ()

    @property
    def numbers(self) -> tuple[int, ...] | None:
        """The values as numbers, if they are."""
        try:
            return tuple(int(each) for each in self.values)
        except ValueError:
            return None

    @property
    def target(self) -> str:
        """What a variant sets."""
        return self.choice.partition(AT)[0] if self.entry else self.choice

    def written(self, value: str) -> str:
        """To what a variant sets it, as YAML."""
        if not self.entry:
            return _written(value)
        items = list(self.around)
        items[self.entry - 1] = value
        return f"[{', '.join(_written(each) for each in items)}]"


def varied(text: str, layout: Layout, written: Written | None = None) -> Varied:
    """What `CHOICE=1..5` or `CHOICE=VALUE,VALUE` says. `written` tells what stands at a path."""
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
    """One entry of a list."""
    if not isinstance(value, tuple):
        raise CannotVary(f"{choice.id} is no list; it has no `{AT.strip()} {entry}`")
    if not entry.isdecimal() or not 1 <= int(entry) <= len(value):
        raise CannotVary(f"{choice.id} has {len(value)} entries, and none at `{entry}`")
    around = tuple(as_written(each, choice, layout) for each in value)
    values = tuple(dict.fromkeys(_allowed(each, choice, layout) for each in _listed(wanted)))
    return Varied(name, values, around[int(entry) - 1], int(entry), around)


def _allowed_list(text: str, choice: ir.Choice, layout: Layout) -> str:
    """A list as a rule file has it."""
    if not (text.startswith("[") and text.endswith("]")):
        raise CannotVary(
            f"{choice.id} is a list: write [6,5],[4,3], or one entry as in `{choice.id} at 2=1..4`"
        )
    items = _listed(text[1:-1], ranges=False, once=False)
    return f"[{', '.join(_allowed(each, choice, layout) for each in items)}]"


def varied_together(
    texts: Sequence[str], layout: Layout, written: Written | None = None
) -> list[Varied]:
    """Several choices that are varied together, each of them once."""
    found = [varied(each, layout, written) for each in texts]
    names = [each.target for each in found]
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


def printed(all_varied: Sequence[Varied]) -> Values:
    """The values that the rules have."""
    return tuple(each.printed or "" for each in all_varied)


def patch(
    program: ir.Program,
    all_varied: Sequence[Varied],
    values: Values,
    measures: Mapping[str, str] = NOTHING,
) -> str:
    """The text of the variant that sets the choices, and measures what these expressions say."""
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
    """The name and the expression of `NAME=EXPRESSION`; None where only a measure is named."""
    name, equals, expression = (part.strip() for part in text.partition("="))
    if not equals:
        return None
    if not re.fullmatch("[a-z][a-z0-9_]*", name) or not expression or "\n" in expression:
        raise CannotVary(f"`{text}` is not of the form NAME=EXPRESSION, with a name like `rest`")
    return name, expression


def as_written(
    value: ir.Constant | tuple[ir.Constant, ...], choice: ir.Choice, layout: Layout
) -> str:
    """A value as it is written in a rule file."""
    if isinstance(value, tuple):
        return f"[{', '.join(as_written(each, choice, layout) for each in value)}]"
    if isinstance(_type(choice), TruthType):
        return TRUTHS[not value]
    return layout.text(_type(choice), value)


def _type(choice: ir.Choice) -> Type:
    """The type of its value, or of those in its list."""
    return choice.type.of if isinstance(choice.type, SetType) else choice.type


def _choice(name: str, layout: Layout) -> ir.Choice:
    choices = {choice.id: choice for choice in layout.program.choices}
    if name not in choices:
        hint = did_you_mean(name, choices) or f"there are {', '.join(sorted(choices)) or 'none'}"
        raise CannotVary(f"{layout.program.name} has no choice `{name}`; {hint}")
    return choices[name]


def _allowed(text: str, choice: ir.Choice, layout: Layout) -> str:
    """A value as a rule file has it, if it is one that the choice can take."""
    options = _options(choice, layout)
    if isinstance(_type(choice), NumberType):
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
    if isinstance(_type(choice), TruthType):
        return TRUTHS
    return tuple(as_written(each, choice, layout) for each in choice.one_of)


def _written(value: str) -> str:
    """As YAML: words in quotes, since a plain `off` would be none."""
    plain = value in TRUTHS or _is_number(value) or value[:1] in ("[", "{")
    return value if plain else json.dumps(value)


def _listed(text: str, *, ranges: bool = True, once: bool = True) -> Values:
    """Values between commas, those in brackets aside; or a range."""
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
