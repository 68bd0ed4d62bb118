"""Warns when a sentence says a number that its code does not know.

Sentences are prose, so only what is certain is reported. A number counts if it is written in
digits, or is a word before `points` or the name of a piece. It is known if it is in the clause, or
in anything that the clause names, directly or not: a choice, a piece, a place, another clause. A
clause without any number of its own counts otherwise, as with places, and one that calculates may
say the result: both are left out. A single point is missed if all points in the code are more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest

from lawspeaker.base.diagnostics import Label
from lawspeaker.base.numerals import VALUES
from lawspeaker.base.source import Span
from lawspeaker.meaning.check.world import World
from lawspeaker.text.books.fingerprint import folded
from lawspeaker.text.document import Mapping as MappingNode
from lawspeaker.text.document import Node, Scalar, child, entries_of
from lawspeaker.text.document import Sequence as SequenceNode
from lawspeaker.text.rulebook import Entry

MOST_FOLLOWED = 20_000
"""Bound on the declarations that are visited to find a number."""
_SAID = frozenset("says title asks cites assumed chapter because note guards".split())
_LEFT_OUT = ("names", "symbols")
_BRACES = re.compile(r"\{[^{}]*\}")
_WORDS = re.compile(r"[^\W\d_]+|\d+")
_NAMES = re.compile(r"[a-z_][\w.]*\w|[a-z]|(?<!\w)(?<!\w\.)\d{1,9}\b")
_SCORED = re.compile(r"\b(?:scores?|loses?) +(\d{1,9})\b(?! *[-+*/])")
_REACHED = re.compile(r"\d *[-+*/]|[-+*/] *\d")
"""A number that is calculated with: sentences may say the result."""
_ANY_SCORED = re.compile(r"\b(?:scores?|loses?)\b(?! of\b)")
_POINTS = {
    "en": re.compile(r"points?"),
    "de": re.compile(r"punkte?n?"),
    "it": re.compile(r"punt[io]"),
    "fr": re.compile(r"points?"),
}
_ONE = {"en": ("a", "one"), "de": ("ein", "einen"), "it": ("un",), "fr": ("un",)}
_POINT = {"en": "point", "de": "punkt", "it": "punto", "fr": "point"}
_STEM = 4
"""Least number of letters by which a piece is recognised in another form of its name."""


@dataclass(frozen=True, slots=True)
class _Code:
    """What the code of a declaration says: its numbers, and the names in it."""

    text: str
    numbers: frozenset[int]
    names: frozenset[str]


class _Following:
    """Finds all numbers that a declaration reaches by names."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.left = MOST_FOLLOWED
        self.codes = {
            id: _code(world, entry)
            for name, section in world.book.sections.items()
            if name not in _LEFT_OUT
            for id, entry in section.items()
        }

    def numbers(self, id: str) -> frozenset[int] | None:
        """All numbers behind a declaration; None if there is too much to follow."""
        found: set[int] = set()
        seen, waiting = {id}, [id]
        while waiting:
            code = self.codes[waiting.pop()]
            found |= code.numbers
            self.left -= len(code.names)
            if self.left < 0:
                return None
            for name in code.names:
                for each in (name, self.world.plurals.get(name, ""), name.removesuffix("s")):
                    if each in self.codes and each not in seen:
                        seen.add(each)
                        waiting.append(each)
        return frozenset(found)


def differing_numbers(world: World) -> None:
    """Reports sentences whose numbers differ from those of their clauses."""
    following = _Following(world)
    players = set(world.counts)
    for section in ("rules", "always"):
        for entry in world.book.section(section).values():
            code = following.codes[entry.id]
            own = code.numbers | _numbers_of_choices(following, code)
            if not own or _REACHED.search(code.text) or world.diagnostics.full:
                continue
            reached: frozenset[int] | None = None
            for said in _sentences(entry):
                for language, text in _texts(said, world.book.language):
                    for number, counts in _numbers(world, text, language, code):
                        if number in own or (number in players and not counts):
                            continue
                        reached = following.numbers(entry.id) if reached is None else reached
                        if reached is None:
                            return
                        if number not in reached and (number > 1 or _scores_more(code)):
                            _report(world, entry, number, text.span, code)


def _numbers_of_choices(following: _Following, code: _Code) -> frozenset[int]:
    choices = following.world.book.section("choices")
    named = [following.codes[each].numbers for each in code.names if each in choices]
    return frozenset().union(*named)


def _report(world: World, entry: Entry, number: int, span: Span, code: _Code) -> None:
    numbers = sorted(code.numbers)
    has = f"its code has {', '.join(map(str, numbers))}" if numbers else "its code does not"
    body = entry.body if isinstance(entry.body, MappingNode) else None
    rule = None if body is None else body.key("rule") or body.key("as")
    world.diagnostics.warning(
        "number-differs",
        f"the sentence of `{entry.id}` says {number}, and {has}",
        span,
        *([Label(rule.span, "the code")] if rule is not None else ()),
        hint="correct one of the two; a choice is said by its name in braces, and cannot differ",
    )


# -------------------------------------------------------------------- code


def _code(world: World, entry: Entry) -> _Code:
    """The code of a declaration, with what variants amend."""
    parts = [scalar.value for scalar in _scalars(entry.body)]
    changes = world.book.amendments
    for id in (entry.id, *(f"{entry.id}.{guard}" for guard in _guards(entry))):
        parts += [each.code.value for each in changes.get(id, ()) if each.code is not None]
    parts += [each.code.value for each in world.book.added.get(entry.id, ())]
    text = " ".join(parts)
    found = _NAMES.findall(text)
    return _Code(
        text,
        frozenset(int(each) for each in found if each.isdecimal()),
        frozenset(each for each in found if not each.isdecimal()),
    )


def _guards(entry: Entry) -> Iterator[str]:
    guards = entry.get("guards")
    if isinstance(guards, MappingNode):
        yield from (key.value for key, _ in guards.entries)


def _scalars(node: Node) -> Iterator[Scalar]:
    """The values and keys of a declaration, without its sentences."""
    waiting = [node]
    while waiting:
        each = waiting.pop()
        if isinstance(each, Scalar):
            yield each
        elif isinstance(each, SequenceNode):
            waiting += each.items
        else:
            for key, value in each.entries:
                if key.value not in _SAID:
                    waiting += (key, value)


def _scores_more(code: _Code) -> bool:
    """Whether all points that the code gives are literals above one."""
    amounts = [int(each) for each in _SCORED.findall(code.text)]
    every = len(_ANY_SCORED.findall(code.text))
    return bool(amounts) and len(amounts) == every and min(amounts) > 1


# -------------------------------------------------------------------- sentences


def _sentences(entry: Entry) -> Iterator[Node]:
    """The sentences of a clause and of its guards."""
    says = entry.get("says")
    if says is not None:
        yield says
    guards = entry.get("guards")
    for _, body in entries_of(guards):
        inner = child(body, "says")
        yield inner if inner is not None else body


def _texts(node: Node, own: str) -> Iterator[tuple[str, Scalar]]:
    if isinstance(node, Scalar):
        yield own, node
    elif isinstance(node, MappingNode):
        yield from ((key.value, text) for key, text in node.entries if isinstance(text, Scalar))


def _numbers(world: World, text: Scalar, language: str, code: _Code) -> Iterator[tuple[int, bool]]:
    """The numbers of a sentence, and whether they count points or pieces."""
    known = VALUES.get(language)
    if known is None:
        return
    words = [folded(each) for each in _WORDS.findall(_BRACES.sub(" ", text.value).lower())]
    for word, after in zip_longest(words, words[1:], fillvalue=""):
        value = known.get(word)
        counts = _counted(world, after, language, code)
        if word.isdecimal() and len(word) < 10:
            if int(word) > 1:
                yield int(word), counts
        elif value is not None and value > 1 and counts:
            yield value, True
        elif word in _ONE[language] and after == _POINT[language]:
            yield 1, True


def _counted(world: World, word: str, language: str, code: _Code) -> bool:
    """Whether a word means points, or is a form of the name of a piece that the code counts."""
    if _POINTS[language].fullmatch(word):
        return True
    for piece in world.pieces:
        if not re.search(rf"\b\d+ (?:{piece.name}|{piece.plural})\b", code.text):
            continue
        for name in _names(world, piece.name, language):
            stem = name[: max(_STEM, len(name) - 2)]
            if len(name) >= _STEM and word.startswith(stem) and len(word) <= len(name) + 3:
                return True
    return False


def _names(world: World, piece: str, language: str) -> Iterator[str]:
    if language == world.book.language:
        yield folded(piece)
    entry = world.book.section("names").get(piece)
    texts: Mapping[str, Node] = {}
    if entry is not None and isinstance(entry.body, MappingNode):
        texts = {key.value: node for key, node in entry.body.entries}
    found = texts.get(language)
    if isinstance(found, Scalar):
        yield folded(found.value)
