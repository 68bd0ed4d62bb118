"""Messages of faults, the same for every back end."""

from __future__ import annotations

from lawspeaker import ir
from lawspeaker.base.source import Span
from lawspeaker.ir.bounds import LONGEST
from lawspeaker.ir.cost import MOST_STEPS
from lawspeaker.ir.subsets import MOST_OPTIONS

_EXCERPT = 60
"""The most characters of the rules in a message."""
ABSENT = "this player does not take part"
BEYOND = f"a number grew beyond ±{ir.LARGEST:,}"
DIVIDED_BY_ZERO = "a division by zero"
NO_ROOM = "there is no room for this here"
"""No fault of the rules: the memory of a module is too small, and the reference machine
continues."""
NO_SUCH_MEMBER = "there are not so many members"
NO_SUCH_PIECE = "there are not so many pieces in this place"
NOT_DONE = "this was repeated as often as it may be, and is not done"
NOTHING = "this is nothing here"
NOTHING_LEFT = "there is nothing left to draw"
OFF_THE_TABLE = "the table does not stretch so far"
REMAINDER_BY_ZERO = "a remainder of a division by zero"
SCORE_BEYOND = f"a score grew beyond ±{ir.LARGEST:,}"
SHUFFLED = "this piece was shuffled: nobody knows which it is"
SHUFFLED_TOP = "this place was shuffled: nobody knows its top piece"
STUCK = "has to be answered, but there is nothing to choose"
TOLD_TOO_MUCH = f"no more than {ir.MOST_TOLD:,} things can be told at once"
TOO_LARGE = "is too large, or what it needs is, to be made ready for play"
TOO_LONG = "takes too many steps"
"""The beginning of the messages of `too_long`."""
TOO_MANY_PATHS = "there are too many paths here to find out which is the longest"
TOO_MANY_NUMBERS = f"a set of more than {LONGEST} numbers"
TOO_MANY_COMBINATIONS = f"there are more than {MOST_OPTIONS:,} combinations"
TOO_MANY_OPTIONS = f"offers more than {MOST_OPTIONS} options"
TOO_WIDE = f"a range of more than {LONGEST} numbers"


def another_number(name: str, low: int, high: int) -> str:
    return f"{name} shows {low} to {high}, and this is another number"


def broken(program: ir.Program, always: ir.Always) -> str:
    """Returns the message of a broken invariant, with its sentence from the rules."""
    sentences = program.clauses[always.clause].says.values()
    return ": ".join(["should always hold, and does not", *list(sentences)[:1]])


def full(family: str) -> str:
    return f"there is no room for one more in {family}"


def no_place_for_it(family: str) -> str:
    return f"{family} is no place for such a piece"


def no_place_there(family: str) -> str:
    return f"there is no {family} at these indices"


def no_such(name: str) -> str:
    return f"there is no such {name}"


def no_value(choice: str, length: int) -> str:
    return f"{choice} has {length} values, and another one is asked for"


def nothing_to_compare(name: str) -> str:
    return f"there is no {name} to compare"


def nothing_to_pick(name: str) -> str:
    return f"there is no {name} to pick"


def too_long(cost: int, span: Span) -> str:
    """Returns the message for too many steps, with the cost of the item. It does not say how often
    it was repeated, since that may depend on hidden information."""
    words = " ".join(span.text[:_EXCERPT].split())
    what = f"`{words}{'…' if len(span.text) > _EXCERPT else ''}`" if words else "this"
    return (
        f"{TOO_LONG}: {what} is charged {cost:,} steps each time, and there are {MOST_STEPS:,} "
        "between two decisions"
    )


def too_few(name: str) -> str:
    return f"there are too few: {name}"
