"""Translates YAML syntax errors into plain words.

The parsers report a problem and a context. A table of patterns over both yields a message, a hint,
and the better of the two places: for a quote or a bracket that is never closed, that is where it
opened, not the end of the file. Tabs are tested first, since they are the cause wherever they
indent the line that failed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import yaml

from lawspeaker.base.diagnostics import Diagnostic, Label
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.text.document.characters import tab_fault
from lawspeaker.text.document.nodes import Mapping, Node, Scalar, Sequence

NO_SPACE = "a space is missing after this ':'"
_GLUED = re.compile(r" *(?:- )?[a-z][\w ]*:(?=[^\s:/])")
_INDENT = re.compile(r" *")
_CODE = ("rule", "as", "offers", "where", "unless", "also", "holds")
_CODE_KEY = re.compile(rf" *(?:- +)?({'|'.join(_CODE)}): *[|>][-+]? *(?:#.*)?")
_KEY = re.compile(r" *(?:\w+|in the book|exempt from) *:")
QUOTE_IT = "put the whole text in quotes if it is meant as text"


@dataclass(frozen=True, slots=True)
class _Words:
    """A pattern of parser messages, and the message, hint and code to report instead."""

    pattern: re.Pattern[str]
    message: str
    hint: str | None = None
    at_context: bool = False
    context_label: str | None = None
    code: str = "yaml-syntax"


def _words(pattern: str, message: str, hint: str | None = None, **more: object) -> _Words:
    return _Words(re.compile(pattern), message, hint, **more)  # type: ignore[arg-type]


# Matched in this order against "context; problem; the character at the place", and "again" if
# a ':' already stands before the place in its line.
_TABLE = (
    _words(
        r"quoted scalar; found unexpected (end|document)",
        "this quotation mark is never closed",
        at_context=True,
    ),
    _words(
        r"quoted scalar; .*(escape|hex)",
        "after a backslash in double quotes stands something that is not an escape",
        "use single quotes, in which a backslash is just a backslash, or write \\\\",
    ),
    _words(
        r"(directive|; found (duplicate|incompatible) YAML|tag handle.*%)",
        "a line that starts with '%' has no meaning in these files",
    ),
    _words(
        r"(anchor|alias);",
        "a text cannot start with {found}: YAML takes it for a reference",
        QUOTE_IT,
        at_context=True,
        code="yaml-anchor",
    ),
    _words(
        r"tag;|tag handle",
        "a text cannot start with '!': YAML takes it for a tag",
        QUOTE_IT,
        at_context=True,
        code="yaml-tag",
    ),
    _words(
        r"block scalar;",
        "{found} does not belong here: after | or > the text starts on the next line",
    ),
    _words(
        r"simple key; could not find expected ':'",
        "this is no 'key: value', since a ':' is missing",
        "if the text belongs to the line above, indent it more than that line",
        at_context=True,
    ),
    _words(
        r"mapping values are not allowed.*; again",
        "a second ':' on one line is not expected",
        "a text that contains ': ' must stand in quotes",
    ),
    _words(
        r"mapping values are not allowed",
        "a ':' is not expected here",
        "a key must line up with the keys before it, and the line above it must be finished: "
        "it may lack a ':' of its own",
    ),
    _words(
        r"sequence entries are not allowed",
        "a '-' for a list item is not expected here",
        "start the list on a line of its own",
    ),
    _words(r"mapping keys are not allowed", "a '?' is not expected here", QUOTE_IT),
    _words(
        r"cannot start any token; [@`%]",
        "a text cannot start with {found}",
        QUOTE_IT,
    ),
    _words(
        r"cannot start any token; [|>]",
        "{found} for a text of several lines cannot be used inside brackets",
    ),
    _words(
        r"block mapping; .*; [\]}]|block collection; .*; [\]}]|node content.*; [\]}]|"
        r"document start.*; [\]}]",
        "{found} closes a bracket that was never opened",
        QUOTE_IT,
    ),
    _words(
        r"block mapping; .*; :",
        "a key is missing before this ':'",
        QUOTE_IT,
        code="yaml-key",
    ),
    _words(
        r"block mapping;",
        "this does not fit the keys before it",
        "keys of one group must start in the same column; a text that starts with a quote must "
        "end with it, and a key that starts with a brace stands in quotes",
        context_label="the keys of the group start here",
    ),
    _words(
        r"block collection;",
        "this does not fit the list before it: each item must start with '-' in the same column",
        context_label="the list starts here",
    ),
    _words(r"document start", "this does not belong to what stands before it"),
    _words(r"node content", "{found} stands where a value was expected", QUOTE_IT),
    _words(
        r"plain scalar; found unexpected ':'",
        "a ':' is not expected here",
        "put a space after the ':' of a key, or quote the text",
    ),
)


def syntax_fault(
    error: yaml.YAMLError, file: SourceFile, text: str, base: int, brackets: list[int]
) -> Diagnostic:
    """The diagnostic for an error in `text[base:]`, inside these open brackets."""
    if not isinstance(error, yaml.MarkedYAMLError) or error.problem_mark is None:
        return Diagnostic("yaml-syntax", "this is not YAML", Span(file, base, base))
    place = min(base + error.problem_mark.index, len(text))
    context = base + error.context_mark.index if error.context_mark else place
    tab = _indenting_tab(file, text, place) or _indenting_tab(file, text, context)
    if tab:
        return tab
    again = "; again" if re.search(r":\s", text[_line_start(text, place) : place]) else ""
    trouble = f"{error.context}; {error.problem}; {text[place : place + 1]}{again}"
    if brackets and not re.search("quoted scalar|cannot start any|alias|anchor|tag;", trouble):
        return _bracket(file, text, place, brackets[-1])
    known = _no_space(file, text, place, context, trouble)
    known = known or _block_beside(file, text, place)
    known = known or _block_above(file, text, place, error.problem or "")
    if known:
        return known
    for words in _TABLE:
        if words.pattern.search(trouble):
            start = context if words.at_context else place
            labels: tuple[Label, ...] = ()
            if words.context_label and error.context_mark:
                labels = (Label(_here(file, text, context), words.context_label),)
            message = words.message.format(found=_found(text, start))
            return Diagnostic(words.code, message, _here(file, text, start), labels, words.hint)
    return Diagnostic(
        "yaml-syntax", f"this cannot be read as YAML: {error.problem}", _here(file, text, place)
    )


def _no_space(
    file: SourceFile, text: str, place: int, context: int, trouble: str
) -> Diagnostic | None:
    """A missing space after the ':' of a key, in this line or the one above."""
    if not re.search(r"could not find expected ':'|mapping values are not allowed", trouble):
        return None
    above = _line_start(text, max(_line_start(text, place) - 1, 0))
    for start in (_line_start(text, context), above):
        found = _GLUED.match(text, start)
        if found:
            return Diagnostic("yaml-syntax", NO_SPACE, Span(file, found.end() - 1, found.end()))
    return None


def _block_beside(file: SourceFile, text: str, place: int) -> Diagnostic | None:
    """A fault in code whose first line begins no further right than the key it belongs to."""
    at = below = _line_start(text, place)
    while at > 0:
        at = _line_start(text, at - 1)
        line = text[at:].split("\n", 1)[0].rstrip()
        if not line or line.lstrip().startswith("#"):
            continue
        key = _CODE_KEY.fullmatch(line)
        if key is None:
            below = at
            continue
        indent = _indent_at(text, below)
        if indent != key.start(1) or _KEY.match(text, below):
            return None
        return Diagnostic(
            "yaml-syntax",
            f"this line belongs to `{key[1]}: |` and begins no further right",
            _here(file, text, below + indent),
            hint=f"indent all lines of code further than `{key[1]}`",
        )
    return None


def _block_above(file: SourceFile, text: str, place: int, problem: str) -> Diagnostic | None:
    """An error in lines that belong to a key for code or a long text. Either the key lacks its `|`,
    so that the lines below it are parsed as YAML; or a line of its block is indented less than the
    first."""
    start = _line_start(text, place)
    indent = _indent_at(text, start)
    for line in reversed(text[:start].splitlines()):
        if not line.strip() or _indent_at(line, 0) >= indent:
            continue
        key = re.fullmatch(r"[\s-]*(\w+):\s*([|>][-+]?)?\s*(?:#.*)?", line)
        if key is None:
            return None
        if key[2]:
            return Diagnostic(
                "yaml-syntax",
                "this line begins further left than the text it belongs to",
                _here(file, text, start + indent),
                hint=f"lines below `{key[1]}: {key[2]}` begin at least as far right as the first "
                "of them; those of the next key line up with it",
            )
        if key[1] in _CODE and problem.startswith("mapping values"):
            at = text.rindex(line, 0, start) + key.start(1)
            return Diagnostic(
                "yaml-syntax",
                f"after `{key[1]}:` a `|` is missing, and so its code is read as YAML",
                Span(file, at, at + len(key[1]) + 1),
                hint=f"write `{key[1]}: |`, with the code on the lines below it",
            )
        return None
    return None


def is_merge(key: Node) -> bool:
    return isinstance(key, Scalar) and key.value == "<<" and key.style == "plain"


def key_fault(key: Node) -> Diagnostic | None:
    """Why a node cannot be a key, if it cannot."""
    hint = "put it in quotes if it is meant as text"
    if isinstance(key, Sequence):
        what = "a list"
    elif isinstance(key, Mapping):
        what, hint = "a mapping", "a text that starts with '{' must stand in quotes"
    elif is_merge(key):
        message = "'<<' merges another mapping into this one; that is not done here"
        return Diagnostic("yaml-anchor", message, key.span, hint="write the keys out")
    elif key.style in ("literal", "folded"):
        what = "a text of several lines"
    elif not key.value.strip():
        what = "nothing"
    elif key.kind in ("truth", "nothing"):
        what = f"a plain {key.value}"
    elif key.style == "plain" and (colon := re.search(r":(?=[\[{])", key.span.text)):
        at = key.span.start + colon.start()
        place = Span(key.span.file, at, at + 1)
        return Diagnostic("yaml-key", NO_SPACE, place)
    else:
        return None
    message = f"a key must be a word or some words of text; here it is {what}"
    return Diagnostic("yaml-key", message, key.span, hint=hint)


def _indenting_tab(file: SourceFile, text: str, place: int) -> Diagnostic | None:
    """An error if the line at `place` is indented with a tab, or there is one at `place`."""
    start = _line_start(text, place)
    indent = re.compile(r"[ \t]*").match(text, start)
    end = indent.end() if indent else start
    tab = text.find("\t", start, end)
    if tab < 0 and text[place : place + 1] == "\t":
        tab, end = place, place + 1
    return tab_fault(Span(file, tab, end)) if tab >= 0 else None


def _bracket(file: SourceFile, text: str, place: int, opened: int) -> Diagnostic:
    """An error inside brackets: at the opening one, if it is on an earlier line."""
    bracket, close = text[opened], "}" if text[opened] == "{" else "]"
    here, there = _here(file, text, place), Span(file, opened, opened + 1)
    found = _found(text, place)
    if here.line == there.line and place < len(text):
        return Diagnostic(
            "yaml-syntax",
            f"expected ',' or '{close}' here, found {found}",
            here,
            (Label(there, f"the '{bracket}' that is open"),),
            f"a text that contains any of , : [ ] {{ }} must stand in quotes inside '{bracket}'",
        )
    labels = (Label(here, f"here {found} stands instead of ',' or '{close}'"),)
    return Diagnostic(
        "yaml-syntax",
        f"this '{bracket}' is not closed",
        there,
        labels if place < len(text) else (),
        f"add the missing '{close}'",
    )


def _line_start(text: str, place: int) -> int:
    return max(text.rfind("\n", 0, place), text.rfind("\r", 0, place)) + 1


def _indent_at(text: str, start: int) -> int:
    """The number of spaces at the start of a line."""
    found = _INDENT.match(text, start)
    return len(found[0]) if found else 0


def _found(text: str, place: int) -> str:
    if place >= len(text):
        return "the end of the file"
    if text[place] in "\r\n":
        return "the end of the line"
    return f"'{text[place]}'"


def _here(file: SourceFile, text: str, place: int) -> Span:
    """The word at a position, or the character."""
    word = re.compile(r"\w+|[^\r\n]?").match(text, place)
    return Span(file, place, word.end() if word else place)
