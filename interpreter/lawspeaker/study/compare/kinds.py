"""Classifies the difference between two rulesets on a point.

A variant may declare the kind of each change. If it does not, or cannot be right, the kind is
derived from the syntax trees: a rule that differs only in `may` and `must`, only in who is asked,
only in numbers, only in the order of statements, and so on. A difference counts as wording only
if nothing that affects play differs.

Where play is equal, the kind follows from the books. A book that agrees, one that is silent, and
one that is silent where a ruling decides are distinguished: the last two leave a gap. A partial
statement is a fourth case. A book that is not fully reviewed is not called silent where nothing
of it is cited: that point is unread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from lawspeaker.ir import Citation
from lawspeaker.ir.texts import RULING
from lawspeaker.study.compare.clause_trees import CodeTree
from lawspeaker.study.compare.points import Point
from lawspeaker.text import syntax as s
from lawspeaker.text.rulebook import PLAYERS, WINS

EXTRA, LEFT_OUT = "extra rule", "left out"
PLAY = (
    "value",
    "may or must",
    "who",
    "when",
    "order",
    "condition",
    "tie-break",
    "setup",
    EXTRA,
    LEFT_OUT,
)
CONTRADICTION, OTHERWISE = "contradiction", "otherwise"
SILENCE, PARTLY, NOT_READ = "silence", "partly said", "not read yet"
TERMS, WORDING = "terms only", "wording only"
BOX = "box"
HEAD = "head"
"""Sort of rows about a game as a whole, which no variant can change."""
HOW_MANY = f"{HEAD}.{PLAYERS}"
"""The only row of the head that a variant can change: the numbers of players."""
SAID = (CONTRADICTION, OTHERWISE, SILENCE, PARTLY, NOT_READ, WORDING, TERMS, BOX)
"""Kinds of differences that do not change play, most important first."""
KINDS = (*PLAY, *SAID)
SAME_PLAY = "same_play"
"""Group of differences that change play by text, but in no game that was played."""
GROUPS = {
    "play": PLAY,
    SAME_PLAY: (),
    "contradictions": (CONTRADICTION, OTHERWISE),
    "silences": (SILENCE,),
    "partly": (PARTLY,),
    "unread": (NOT_READ,),
    "words": (WORDING, TERMS),
    "box": (BOX,),
}
"""Groups of kinds, most important first."""
SPEAKS = ("states", "implies")
OPEN = ("silent", RULING)
"""Stances of a book that leaves a point open; with the second a ruling decides it."""
LETTER = ("contradicts_itself", "says_otherwise")
"""Stances of a book whose letter may differ from what is played."""
BY_WEIGHT = (*LETTER, *SPEAKS, *OPEN)
"""All stances, most important first."""
IN_PART = "in_part"
"""Overall stance of a book that settles a point partly."""
UNREAD = "unread"
"""Pseudo-stance: nothing is cited, and the book has unreviewed sentences."""
_NOBODY = s.Nothing()


def group_of(kind: str) -> str:
    """The group of a kind."""
    return next(name for name, kinds in GROUPS.items() if kind in kinds)


def play_kind(one: Point | None, other: Point | None) -> str:
    """The kind of a difference in play."""
    known = one or other
    assert known is not None
    if known.sort == "guard":
        return "condition"
    if known.sort == WINS:
        return "who"
    if known.sort in ("choice", "rule", "value", "window", "always"):
        if one is None or other is None:
            return EXTRA if one is None else LEFT_OUT
        return _clause_kind(known.sort, one.in_play, other.in_play)
    leaves = [point.in_play for point in (one, other) if point is not None]
    return "value" if all(isinstance(leaf, int) for leaf in leaves) else "setup"


def _clause_kind(sort: str, one: dict[str, Any], other: dict[str, Any]) -> str:
    if sort in ("choice", "value"):
        return "value"
    differing = {key for key in {*one, *other} if one.get(key) != other.get(key)}
    if sort == "window" or differing <= {"when", "before", "after", "instead of"}:
        return "when"
    left, right = one.get("rule"), other.get("rule")
    if isinstance(left, CodeTree) and isinstance(right, CodeTree) and differing == {"rule"}:
        return _code_kind(left.tree, right.tree)
    return "condition"


def _code_kind(one: Any, other: Any) -> str:
    for kind, mask in _MASKS:
        if masked(one, mask) == masked(other, mask):
            return kind
    left, right = map(_parts_in_play, (one, other))
    if sorted(left) == sorted(right):
        return "order"
    if all(each in right for each in left):
        return EXTRA
    return LEFT_OUT if all(each in left for each in right) else "condition"


Mask = Callable[[Any], Any]


def masked(node: Any, mask: Mask) -> Any:
    """Applies a mask to every node, which erases one aspect of a tree."""
    return mask(s.WALKER.rebuilt(node, lambda part: masked(part, mask)))


def _any_modal(node: Any) -> Any:
    return replace(node, must=True) if isinstance(node, s.Ask | s.Offer) else node


def _anyone(node: Any) -> Any:
    if isinstance(node, s.Ask) and node.who is not None:
        return replace(node, who=_NOBODY)
    if isinstance(node, s.Offer):
        return replace(node, to=_NOBODY)
    return replace(node, who=_NOBODY) if isinstance(node, s.Scores | s.Tell | s.Plays) else node


def _any_number(node: Any) -> Any:
    return replace(node, value=0) if isinstance(node, s.Number) else node


def _any_condition(node: Any) -> Any:
    if isinstance(node, s.If):
        return replace(node, branches=tuple((_NOBODY, body) for _, body in node.branches))
    return replace(node, where=None, without=None) if isinstance(node, s.Binder) else node


_MASKS: tuple[tuple[str, Mask], ...] = (
    ("may or must", _any_modal),
    ("who", _anyone),
    ("value", _any_number),
    ("condition", _any_condition),
)


def _parts_in_play(block: Any) -> list[str]:
    """All simple statements of a rule, including nested ones, as texts."""
    return [
        repr(node)
        for node in s.WALKER.everything(block)
        if isinstance(node, s.Statement) and not isinstance(node, s.If | s.ForEach)
    ]


def stances(point: Point | None) -> tuple[str, ...]:
    """The stances of the books on a point, without duplicates."""
    return () if point is None else stances_of(point.cites)


def stances_of(cites: Iterable[Citation]) -> tuple[str, ...]:
    """The stances of citations, without duplicates."""
    return tuple(dict.fromkeys(each.stance for each in cites))


def said_kind(one: frozenset[str], other: frozenset[str]) -> str:
    """The kind of a difference between two books, by their stances; empty if there is none.

    Whether a ruling decides what books leave open altogether is no difference between them.
    """
    both = [frozenset("silent" if each in OPEN else each for each in said) for said in (one, other)]
    differing = both[0] ^ both[1]
    if "contradicts_itself" in differing:
        return CONTRADICTION
    if "says_otherwise" in differing:
        return OTHERWISE
    if UNREAD in differing:
        return NOT_READ
    if differing and any(said <= {"silent"} for said in both):
        return SILENCE
    if "silent" in differing or ("silent" in one ^ other and not both[0] <= {"silent"}):
        return PARTLY
    return WORDING if differing else ""


def letter_kind(one: frozenset[str], other: frozenset[str]) -> str:
    """The kind of a difference between two books that both contradict themselves or differ from
    play, each in its own words; empty if they do not.
    """
    both = one & other
    if "contradicts_itself" in both:
        return CONTRADICTION
    return OTHERWISE if "says_otherwise" in both else ""


def standing(stances: tuple[str, ...]) -> str:
    """The overall stance of a book on a point: the most important one, or `in_part`."""
    for each in LETTER:
        if each in stances:
            return each
    speaks = next((each for each in SPEAKS if each in stances), "")
    leaves = next((each for each in reversed(OPEN) if each in stances), "")
    return IN_PART if speaks and leaves else speaks or leaves
