"""Further forms of the language, in half of the files.

Each group of forms is an `Extension`: what it adds to the table, what is done with that at first,
and productions. Half of the files use two of them; the other half stay as they are when one is
added. So to add a form of the language: write it as a template of an extension, or write an
extension and list it in `EXTENSIONS`. `test_coverage.py` names what is nowhere.

`{mole}` in a template stands for a production of these modules, or for one of `values.py`; a new
type needs letters in `PREFIX`, a placeholder in `NAMES` and a method.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from lawspeaker.ir import cost
from lawspeaker.machines.reference.machine import Machine
from lawspeaker.meaning.secrets import ranges, sinks, statements
from tests.secrets.generated.answers import ANSWERS, PHRASES, Answers
from tests.secrets.generated.boards import BOARD, GROWING, LINES, WALKS, Boards
from tests.secrets.generated.extension import Extension
from tests.secrets.generated.files import RuleFile
from tests.secrets.generated.grammar import Rules
from tests.secrets.generated.lists import LISTS, NOTES, SETS, SHOWS, Lists
from tests.secrets.generated.networks import NETWORKS, SIDES, Networks, Sides
from tests.secrets.generated.questions import (
    FIRST_OF_SEVERAL,
    INTERRUPTS,
    PLAYS,
    RECEIVERS,
    Questions,
)
from tests.secrets.generated.rounds import AGAIN, Rounds
from tests.secrets.generated.texts import TEXTS, Writing
from tests.secrets.generated.work import BUDGET, HEAVY, Work

EXTENSIONS: tuple[Extension, ...] = (
    *(BOARD, WALKS, LISTS, NOTES, SHOWS, PLAYS, HEAVY, LINES),
    *(SETS, NETWORKS, SIDES, GROWING, FIRST_OF_SEVERAL, RECEIVERS, INTERRUPTS, TEXTS, AGAIN),
    *(ANSWERS, PHRASES),
)


class ExtendedRules(Answers, Boards, Lists, Questions, Networks, Sides, Work, Writing, Rounds):
    """Rules with the methods of all extensions."""


def generated(seed: int) -> RuleFile:
    """The file of a seed; half of all use two extensions."""
    return extended_rules(seed).file(seed) if seed % 4 in (0, 3) else Rules(seed).file(seed)


def extended_rules(seed: int) -> ExtendedRules:
    return ExtendedRules(seed, EXTENSIONS)


@contextmanager
def budget_of(seed: int) -> Iterator[None]:
    """Meanwhile there are as many steps as the file of a seed is meant to be played with."""
    if HEAVY not in extensions_of(seed):
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        for module in (cost, statements, sinks, ranges):
            patch.setattr(module, "MOST_STEPS", BUDGET)
        for module in (statements, sinks):
            patch.setattr(module, "SECRET_WORK", BUDGET // 10)
        patch.setattr(Machine.__init__, "__defaults__", (BUDGET,))
        yield


def extensions_of(seed: int) -> tuple[Extension, ...]:
    """Which ones the file of a seed uses."""
    return extended_rules(seed).used if seed % 4 in (0, 3) else ()
