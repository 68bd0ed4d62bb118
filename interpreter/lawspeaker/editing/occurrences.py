"""Indexes the references to symbols, in code as the checker resolved it, and in the surrounding
YAML.

Code takes precedence: there a word has one meaning, whatever else is spelled the same. In the rest
of a file the keys above a text determine what it can name: under `guards:` there are guards, in the
target of a change clauses and components, and in the situation of a scenario pieces and places.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from lawspeaker.base.source import SourceFile, Span
from lawspeaker.editing.lexicon import CLAUSES, TYPES, Lexicon, Symbol
from lawspeaker.meaning.check.meanings import Meaning, Sort
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence, entries_of
from lawspeaker.text.format.roles import codes
from lawspeaker.text.rulebook import SECTIONS
from lawspeaker.text.translation.places import ACTIONS

WORD = re.compile(r"[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*")
_PART = re.compile(r"[a-z_][a-z0-9_]*")
_BRACES = re.compile(r"\{([a-z_][a-z0-9_.]*)\}")
_MARK = re.compile(r"^(?:agrees \w+|read|other words) ([a-z][\w.]*)(?= =)", re.MULTILINE)
_PRINT = re.compile(r" @[0-9a-f]{6}\??\Z")

THINGS: tuple[Sort, ...] = (
    *("kind", "piece", "place", "marker", "word", "word set", "number"),
    *("player", "attribute"),
)
DONE: tuple[Sort, ...] = ("clause", "choice", "window", "value")
_PROSE = ("scenario", "about", "note", "cites", "lawspeaker", "players", "seed", "table")
"""Keys of a scenario with prose, or without references to the rules."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A reference to a symbol; `declares` marks its declaration."""

    span: Span
    meaning: Meaning
    declares: bool = False


Look = Callable[[], Iterable[Occurrence]]


class Occurrences:
    """All references by file.

    A file is indexed on demand, since mostly that is the one that is open.
    """

    def __init__(
        self, understood: Iterable[Occurrence] = (), looks: dict[str, Look] | None = None
    ) -> None:
        self._looks = looks or {}
        self._files: dict[str, list[Occurrence]] = {}
        self._understood: dict[str, list[Occurrence]] = {}
        for each in understood:
            if each.span.known:
                self._understood.setdefault(each.span.file.name, []).append(each)

    def in_file(self, name: str) -> list[Occurrence]:
        """Returns the references in a file, in order; at one span the first found one counts."""
        if name not in self._files:
            found: dict[tuple[int, int], Occurrence] = {}
            look = self._looks.get(name)
            for each in (*self._understood.get(name, ()), *(() if look is None else look())):
                found.setdefault((each.span.start, each.span.end), each)
            self._files[name] = [each for _, each in sorted(found.items())]
        return self._files[name]

    def at(self, file: str, offset: int) -> Occurrence | None:
        """Returns the reference at an offset, or one that ends there."""
        there = self.in_file(file)
        last = bisect_right(there, offset, key=lambda one: one.span.start)
        around = (each for each in reversed(there[:last]) if offset <= each.span.end)
        return next(around, None)

    def of(self, meaning: Meaning) -> list[Occurrence]:
        names = dict.fromkeys((*self._understood, *self._looks))
        return [each for name in names for each in self.in_file(name) if each.meaning == meaning]


def in_rules(
    lexicon: Lexicon, roots: Iterable[Node], locks: Iterable[SourceFile] = ()
) -> Occurrences:
    """Indexes the files of some rules, their variants and translations, and the locks of their
    books."""
    file = _File(lexicon)
    looks: dict[str, Look] = {
        root.span.file.name: partial(file.everything, root)
        for root in roots
        if isinstance(root, Mapping)
    }
    looks |= {lock.name: partial(file.marked, lock) for lock in locks}
    return Occurrences((*_understood(lexicon), *_declared(lexicon)), looks)


def in_scenario(lexicon: Lexicon, root: Node) -> Occurrences:
    """Indexes a scenario."""
    if not isinstance(root, Mapping):
        return Occurrences()
    return Occurrences(_Scenario(lexicon).everything(root))


# ---------------------------------------------------------------- code


def _understood(lexicon: Lexicon) -> Iterator[Occurrence]:
    """Yields the references that the checker resolved in code and declarations."""
    world = lexicon.world
    names = world.meanings.names
    given = {
        (entry.span, key.value): key.span
        for section in ("rules", "windows")
        for entry in world.book.section(section).values()
        if isinstance(node := entry.get("given"), Mapping)
        for key, _ in node.entries
    }
    for span, meaning in names.items():
        if meaning.sort != "local":
            yield Occurrence(span, meaning)
            continue
        declared = _declaration(meaning, given)
        noun = names.get(declared)
        if noun is not None and noun.sort != "local":
            # A name bound implicitly by a noun refers to that noun.
            yield Occurrence(span, replace(noun, type=meaning.type))
            continue
        meaning = replace(meaning, declared=declared)
        yield Occurrence(span, meaning, span == declared)
        if declared not in names:
            yield Occurrence(declared, meaning, True)


def _declaration(meaning: Meaning, given: dict[tuple[Span, str], Span]) -> Span:
    """Returns the exact span at which a local name is bound: by `let`, under `given:`, in
    `define:`."""
    span = meaning.declared
    known = given.get((span, meaning.name))
    if known is not None or span.text == meaning.name:
        return known or span
    found = re.search(rf"\b{re.escape(meaning.name)}\b", span.text)
    if found is None:
        return span
    return Span(span.file, span.start + found.start(), span.start + found.end())


def _declared(lexicon: Lexicon) -> Iterator[Occurrence]:
    for thing in lexicon.things.values():
        if thing.span.text.strip("\"'") == thing.name:
            yield Occurrence(_bare(thing.span), thing.meaning, True)


def _bare(span: Span) -> Span:
    """Returns the span of a key or value without its quotation marks."""
    quoted = span.text[:1] in ("'", '"')
    return Span(span.file, span.start + quoted, span.end - quoted)


# ---------------------------------------------------------------- surrounding YAML


class _Words:
    """Finds references in texts."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon

    def whole(self, scalar: Scalar, *sorts: Sort) -> Iterator[Occurrence]:
        """Yields the reference of a text that is one name, possibly followed by a hash."""
        text = _PRINT.sub("", scalar.value)
        thing = self.lexicon.called(text, *sorts)
        if thing is not None and not scalar.escaped:
            at = scalar.content.start
            yield Occurrence(Span(scalar.content.file, at, at + len(text)), thing.meaning)

    def every(self, scalar: Scalar, *sorts: Sort) -> Iterator[Occurrence]:
        """Yields all references in a text of several words."""
        if scalar.escaped:
            return
        for found in WORD.finditer(scalar.content.text):
            thing = self.lexicon.called(found[0], *sorts)
            if thing is not None:
                yield self.at(scalar, found.start(), found[0], thing)

    def at(self, scalar: Scalar, start: int, word: str, thing: Symbol) -> Occurrence:
        begins = scalar.content.start + start
        return Occurrence(Span(scalar.content.file, begins, begins + len(word)), thing.meaning)

    def guard(self, scalar: Scalar, clause: str, start: int = 0) -> Iterator[Occurrence]:
        name = _PRINT.sub("", scalar.value)[start:]
        thing = self.lexicon.find(Meaning("guard", name, clause))
        if thing is not None:
            yield self.at(scalar, start, name, thing)

    def path(self, scalar: Scalar, start: int = 0) -> Iterator[Occurrence]:
        """Yields the references in the target of a change: a clause, a guard, or a path to a
        component."""
        target = _PRINT.sub("", scalar.value)[start:]
        thing = self.lexicon.called(target, *DONE[:3])
        if thing is not None:
            yield self.at(scalar, start, target, thing)
            return
        clause = target.rpartition(".")[0]
        thing = self.lexicon.called(clause, *DONE[:3])
        if thing is not None:
            yield self.at(scalar, start, clause, thing)
            yield from self.guard(scalar, clause, start + len(clause) + 1)
            return
        section, _, rest = target.partition(".")
        if section in ("names", "symbols"):
            yield from self.label(scalar, start + len(section) + 1)
        elif section in SECTIONS and rest:
            yield from self.component(scalar, section, start + len(section) + 1, rest)

    def component(self, scalar: Scalar, section: str, at: int, rest: str) -> Iterator[Occurrence]:
        """Yields the references in a path such as `card.kinds.spy.count` in the section of the
        pieces."""
        inner: dict[str, Sort] = {"kinds": "kind", "are": "word", "has": "attribute"}
        inner["such as"] = "word"
        inner["changes"] = "attribute"
        owner, key = "", ""
        for part in _PART.finditer(rest):
            word = part[0]
            sort = dict(TYPES).get(section, "marker") if not owner else inner.get(key)
            meaning = None if sort is None else Meaning(sort, word, owner)
            thing = None if meaning is None else self.lexicon.find(meaning)
            if thing is not None:
                yield self.at(scalar, at + part.start(), word, thing)
            owner, key = owner or word, word

    def label(self, scalar: Scalar, start: int = 0) -> Iterator[Occurrence]:
        """Yields the references in the key of a name or symbol: `hand`, `place.field`,
        `cards.attack`."""
        text = _PRINT.sub("", scalar.value)[start:]
        whole = self.lexicon.called(text)
        if whole is not None:
            yield self.at(scalar, start, text, whole)
            return
        owner = ""
        for part in _PART.finditer(text):
            known = self.lexicon.spelled.get(part[0], [])
            own = [each for each in known if owner and each.meaning.of == owner]
            for thing in (own or known)[:1]:
                owner = thing.name
                yield self.at(scalar, start + part.start(), part[0], thing)

    def braces(self, scalar: Scalar) -> Iterator[Occurrence]:
        """Yields the references in placeholders of a sentence: `{field}`."""
        for found in _BRACES.finditer("" if scalar.escaped else scalar.content.text):
            thing = self.lexicon.called(found[1], *DONE, *THINGS)
            if thing is not None:
                yield self.at(scalar, found.start(1), found[1], thing)


class _File(_Words):
    """Indexes a file of rules, of a variant or of a translation."""

    def everything(self, root: Mapping) -> Iterator[Occurrence]:
        code = {scalar.span for scalar, _ in codes(root)}
        for key, node in root.entries:
            yield from self.section(key.value, node)
        for scalar in scalars(root):
            if scalar.span not in code:
                yield from self.braces(scalar)

    def marked(self, lock: SourceFile) -> Iterator[Occurrence]:
        """Yields the references in the marks of a book's lock."""
        for found in _MARK.finditer(lock.text):
            span = Span(lock, *found.span(1))
            yield from self.path(Scalar(found[1], span, span))

    def section(self, name: str, node: Node) -> Iterator[Occurrence]:
        if name == "changes" and isinstance(node, Sequence):
            for change in node.items:
                yield from self.change(change)
        for key, body in entries_of(node):
            plain = _PRINT.sub("", key.value)
            if name == "changes":  # in a translation: action and target
                action = plain.partition(" ")[0]
                yield from self.path(key, len(action) + 1)
                yield from self.body("", plain.partition(" ")[2], body)
            elif name in ("names", "symbols"):
                yield from self.label(key)
            elif name == "sources" and isinstance(body, Mapping):
                for word, _ in entries_of(body.get("words")):
                    yield from self.label(word)
            elif name in SECTIONS:
                sorts = [sort for section, sort in (*TYPES, *CLAUSES) if section == name]
                yield from self.whole(key, *(sorts or ["marker"]))
                yield from self.body(name, plain, body)

    def change(self, change: Node) -> Iterator[Occurrence]:
        if not isinstance(change, Mapping):
            return
        for key, value in change.entries:
            if isinstance(value, Scalar) and key.value in ACTIONS:
                yield from self.path(value)
                yield from self.body("rules", value.value, change)
            elif isinstance(value, Scalar) and key.value in ("before", "after", "instead of"):
                yield from self.whole(value, *DONE)

    def body(self, section: str, owner: str, body: Node) -> Iterator[Occurrence]:
        """Yields the references inside a clause or a component."""
        for key, value in entries_of(body):
            if key.value == "guards":
                for guard, _ in entries_of(value):
                    yield from self.guard(guard, owner)
            elif key.value == "where" and isinstance(value, Mapping):
                for guard, _ in value.entries:
                    yield from self.guard(guard, owner)
            elif key.value == "exempt from":
                for each in scalars(value):
                    yield from self.whole(each, "guard")
            elif key.value == "such as":
                for each in scalars(value):
                    yield from self.whole(each, "word")
            elif key.value in ("kinds", "are"):
                yield from self.rows(value, owner, "kind" if key.value == "kinds" else "word")
            elif key.value in ("at", "of each") and section in ("places", "markers"):
                for each in scalars(value):
                    yield from self.whole(each, "place", "number", "word set", "piece")

    def rows(self, node: Node, owner: str, sort: Sort) -> Iterator[Occurrence]:
        """Yields the kinds of a piece or the words of a set, with their attributes."""
        for key, body in entries_of(node):
            thing = self.lexicon.find(Meaning(sort, _PRINT.sub("", key.value), owner))
            if thing is not None:
                yield self.at(key, 0, thing.name, thing)
            for name, _ in entries_of(body):
                own = self.lexicon.find(Meaning("attribute", name.value, owner))
                if own is not None:
                    yield self.at(name, 0, name.value, own)


class _Scenario(_Words):
    """Indexes a scenario: its situation, steps and expectations."""

    def everything(self, root: Mapping) -> Iterator[Occurrence]:
        for key, _ in entries_of(root.get("choices")):
            yield from self.whole(key, "choice")
        yield from self.node(root, "")

    def node(self, node: Node, under: str) -> Iterator[Occurrence]:
        if isinstance(node, Scalar):
            yield from self.text(node, under)
        elif isinstance(node, Sequence):
            for each in node.items:
                yield from self.node(each, under)
        else:
            for key, value in node.entries:
                if key.value in _PROSE and under in ("", "steps"):
                    continue
                known = key.value in _KEYS and under in ("", "steps")
                if not known:
                    yield from self.text(key, under)
                yield from self.node(value, key.value if known else under)

    def text(self, scalar: Scalar, under: str) -> Iterator[Occurrence]:
        if under in ("asks", "happened", "did not happen", "skip to", "breaks", "answering"):
            yield from self.every(scalar, *DONE, "player")
        elif under == "refuses":
            yield from self.refusal(scalar)
        elif under in ("do", "after", "points", "values", "outcomes"):
            yield from self.every(scalar, *DONE, *THINGS)
        elif under != "game":
            yield from self.every(scalar, *THINGS)

    def refusal(self, scalar: Scalar) -> Iterator[Occurrence]:
        """Yields the references in a refusal: a guard, as `clause.guard` or by name alone, or an
        option."""
        if "." in scalar.value:
            yield from self.path(scalar)
        else:
            yield from self.every(scalar, "guard", *THINGS)


_KEYS = frozenset(
    "choices after situation do steps then points values seen told outcomes happened winners "
    "breaks luck asks offers refuses answer answering game".split()
) | {"did not happen", "offers among others", "skip to"}


def scalars(node: Node) -> Iterator[Scalar]:
    """Yields all scalars in a node, without keys."""
    if isinstance(node, Mapping):
        for _, value in node.entries:
            yield from scalars(value)
    elif isinstance(node, Sequence):
        for each in node.items:
            yield from scalars(each)
    else:
        yield node
