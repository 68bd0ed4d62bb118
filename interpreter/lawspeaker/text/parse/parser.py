"""Parses the code of a clause to its syntax tree.

Code is parsed in place in its YAML file (lark's TextSlice), so every offset in the tree is an
offset in the file and no positions are translated. Indentation counts from the column of the first
word. Lark's parse tree becomes the nodes of `syntax`, by one method per grammar rule.

A syntax error becomes a diagnostic: the first offset where the parser is stuck, what would be
acceptable there, and a hint for common mistakes. A rule with an error is then parsed again
statement by statement, so that each can have its own diagnostic.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import cast

from lark import Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken
from lark.utils import TextSlice

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.remembering import Remembered
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.text import syntax as s
from lawspeaker.text.document import Scalar
from lawspeaker.text.parse import mistakes
from lawspeaker.text.parse.language import grammar
from lawspeaker.text.parse.lines import BadIndentation
from lawspeaker.text.parse.trees import Builder

LONGEST = 20_000
DEEPEST = 80
FLAT = ("chain", "counted_chain", "if_")
"""Trees whose branches are siblings in the parse tree, but nested in the AST: `a of b of c`, and
`else if` after `else if`."""
MOST_PIECES = 200
MOST_KNOWN = 300_000
"""The capacity of the caches of trees, in characters of code."""
# A line with its indentation, unless it is a continuation line.
_NEW_LINE = re.compile(
    r"\n([ \t]*)(?![ \t]|\r?\n|#|[+*/=<>-]|(?:else|otherwise|then|where|and|or|for[ \t]+every)\b)()"
)


_WORDS = re.compile(r"\(?([a-z][a-z |]*)")


def rule(code: Scalar, diagnostics: Diagnostics) -> s.Block | None:
    """Parses the statements of a clause."""
    return cast("s.Block | None", _parse(code, "rule", diagnostics))


def value(code: Scalar, diagnostics: Diagnostics) -> s.Value | None:
    """Parses a defined value or a condition."""
    return cast("s.Value | None", _parse(code, "value", diagnostics))


def header(code: Scalar, diagnostics: Diagnostics) -> s.Header | None:
    """Parses the header of a defined value."""
    return cast("s.Header | None", _parse(code, "header", diagnostics))


def offers(code: Scalar, diagnostics: Diagnostics) -> s.Alternative | None:
    """Parses an alternative that joins a question."""
    return cast("s.Alternative | None", _parse(code, "offers", diagnostics))


def readable(code: Scalar, start: str) -> bool:
    """Whether code can be parsed, without diagnostics."""
    return isinstance(_read(code.content, start), Tree)


def accepted(begun: Scalar, start: str) -> frozenset[str]:
    """The keywords that could come next in incomplete code."""
    indent = begun.content.column - 1
    text = " " * indent + begun.content.text
    if text.rpartition("\n")[2].strip():
        text = text.rstrip(" ") + " "
    patterns = {each.name: each.pattern.value for each in grammar().terminals}
    words: set[str] = set()
    # None of these is acceptable everywhere, and the error lists what is.
    for stray in ("]", ")", "0"):
        wrong = Span(SourceFile("", text + stray), indent, len(text) + 1)
        fault = _read(wrong, start)
        if isinstance(fault, Tree) or _place(fault, wrong) != len(text):
            continue
        for name in _accepted(fault):
            found = _WORDS.match(patterns.get(name, "").replace(r"[ \t]+", " "))
            words.update(found[1].split("|") if found else ())
    return frozenset(words)


_known: Remembered[tuple[str, Span], object] = Remembered(MOST_KNOWN)
"""Trees of code without errors: editions of a game share most of their code."""
_read_before: Remembered[tuple[str, int, str], tuple[Tree[Token], int]] = Remembered(MOST_KNOWN)
"""Parse trees by text, with the offset at the time: code moves when a line above it is edited."""


def _parse(code: Scalar, start: str, diagnostics: Diagnostics) -> object | None:
    known = _known.get((start, code.content))
    if known is None:
        own = Diagnostics(most=diagnostics.most)
        known = _parsed(code, start, own)
        diagnostics.extend(own)
        if known is not None and not len(own):
            _known.keep((start, code.content), known, len(code.content.text))
    return known


def _parsed(code: Scalar, start: str, diagnostics: Diagnostics) -> object | None:
    file, low, high = code.content.file, code.content.start, code.content.end
    if high - low > LONGEST:
        diagnostics.error(
            "too-large",
            f"this code is longer than {LONGEST:,} characters",
            code.content,
            hint="split it into several clauses and call them with `do`",
        )
        return None
    if not code.value.strip():
        diagnostics.error("syntax", "there is no code here", code.span)
        return None
    if (
        code.style in ("single", "double", "folded")
        or (code.style == "plain" and "\n" in code.content.text)
    ) and ("\n" in code.content.text or "\\" in code.content.text or code.style == "folded"):
        diagnostics.error(
            "code-style",
            "code of several lines stands in a block that begins with `|`",
            Span(file, code.span.start, code.span.start + 1)
            if code.style == "folded"
            else code.span,
            hint="write `|` after the colon and the code on the lines below it",
        )
        return None
    written = (start, code.content.column, code.content.text)
    tree, before = _read_before.get(written) or (_read(Span(file, low, high), start), low)
    if not isinstance(tree, Tree):
        _complain_of_all(tree, Span(file, low, high), start, diagnostics)
        return None
    _read_before.keep(written, (tree, before), high - low)
    if _too_deep(tree):
        diagnostics.error(
            "too-deep",
            f"this code is nested more than {DEEPEST} deep",
            code.content,
            hint="give parts of it a name with `let` or a clause of their own",
        )
        return None
    built: object = Builder(code, diagnostics, low - before).build(tree)
    return built


def _too_deep(tree: Tree[Token]) -> bool:
    waiting = [(tree, 1)]
    while waiting:
        each, depth = waiting.pop()
        if depth > DEEPEST:
            return True
        flat = each.data in FLAT
        for at, child in enumerate(each.children):
            if isinstance(child, Tree):
                waiting.append((child, depth + 1 + at * flat))
    return False


Fault = UnexpectedInput | BadIndentation


def _read(code: Span, start: str) -> Tree[Token] | Fault:
    try:
        return grammar().parse(TextSlice(code.file.text, code.start, code.end), start=start)
    except (UnexpectedInput, BadIndentation) as error:
        return error


def _complain_of_all(first: Fault, whole: Span, start: str, diagnostics: Diagnostics) -> None:
    """Reports the error of code, or, in a rule, those of each of its statements."""
    alone = start != "rule" or mistakes.misses_indent(_accepted(first))
    pieces = [] if alone else list(islice(filter(_says_something, _statements(whole)), MOST_PIECES))
    faults = [(piece, _read(piece, start)) for piece in pieces]
    broken = [(piece, fault) for piece, fault in faults if not isinstance(fault, Tree)]
    at = _place(first, whole)
    if not any(piece.start <= at <= piece.end for piece, _ in broken):
        _complain(first, whole, start, diagnostics)
    for piece, fault in broken:
        _complain(fault, piece, start, diagnostics)


def _statements(whole: Span) -> Iterator[Span]:
    """The top-level statements of a rule, each with its indented block."""
    text = whole.file.text
    column = whole.start - (text.rfind("\n", 0, whole.start) + 1)
    begins, seen, opened = whole.start, whole.start, 0
    for match in _NEW_LINE.finditer(text, whole.start, whole.end):
        opened += len(re.findall(r"[(\[]", text[seen : match.start()]))
        opened -= len(re.findall(r"[)\]]", text[seen : match.start()]))
        seen = match.start()
        if len(match[1]) == column and opened <= 0:
            yield Span(whole.file, begins, match.start())
            begins, opened = match.start(2), 0
    yield Span(whole.file, begins, whole.end)


def _says_something(piece: Span) -> bool:
    """Whether code is more than comments."""
    return any(line.split("#")[0].strip() for line in piece.text.splitlines())


def _accepted(error: Fault) -> set[str]:
    """The names of the tokens that were acceptable at an error."""
    if isinstance(error, UnexpectedCharacters):
        return set(error.allowed or ())
    if isinstance(error, UnexpectedToken):
        return set(error.accepts or error.expected or ())
    return set()


def _place(error: Fault, whole: Span) -> int:
    if isinstance(error, BadIndentation):
        return error.token.end_pos or whole.start
    at = error.pos_in_stream if error.pos_in_stream is not None else whole.start
    if isinstance(error, UnexpectedToken):
        if error.token.type == "$END":
            at = whole.end
        elif error.token.type == "_INDENT":
            at = error.token.end_pos or at
    return max(whole.start, min(at, whole.end))


def _complain(error: Fault, whole: Span, start: str, diagnostics: Diagnostics) -> None:
    file, at = whole.file, _place(error, whole)
    if isinstance(error, BadIndentation):
        _complain_of_indentation(error, Span(file, at, at), diagnostics)
        return
    found = ""
    if isinstance(error, UnexpectedCharacters):
        found = mistakes.word_at(file.text, at) or file.text[at : at + 1]
    elif isinstance(error, UnexpectedToken):
        if error.token.type == "_INDENT":
            word = mistakes.word_at(file.text, at)
            diagnostics.error(
                "indentation",
                "this line is indented more than the line above, which opens no block",
                Span(file, at, min(at + max(len(word), 1), len(file.text))),
                hint="lines of one block begin in the same column; a line that opens a block "
                "ends with `:`",
            )
            return
        if error.token.type not in ("_NL", "$END", "_DEDENT"):
            found = str(error.token)
    code = whole.start, whole.end
    slip = mistakes.describe(file.text, code, at, found, _accepted(error), start)
    place = Span(file, slip.start, slip.end)
    diagnostics.error("syntax", slip.message, place, hint=slip.hint)


def _complain_of_indentation(error: BadIndentation, place: Span, diagnostics: Diagnostics) -> None:
    file = place.file
    if error.tab:
        begins = file.text.rfind("\n", 0, place.start) + 1
        diagnostics.error(
            "indentation",
            "this line is indented with a tab",
            Span(file, file.text.index("\t", begins), place.end),
            hint="use spaces to indent; most editors can be set to put spaces for the tab key",
        )
        return
    word = mistakes.word_at(file.text, place.start)
    diagnostics.error(
        "indentation",
        "this line is indented like none of the lines above it",
        Span(file, place.start, min(place.start + max(len(word), 1), len(file.text))),
        hint="lines of one block begin in the same column",
    )
