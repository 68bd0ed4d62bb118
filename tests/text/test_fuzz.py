"""Whatever the text: no exception, a tree or an error, true places, and no wasted time."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.render.diagnostics import text as rendered
from lawspeaker.faces.render.diagnostics import to_json
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence, load, plain, reader
from tests.tiers import sample

SEED = """\
# A game
game: Sketch 😀
players: [2, 3, 4]
clauses:
  - id: turn.draw
    says: "Draw a card; then 'play' it."
    cites: {german: §4, 'french': "p. 3"}
    code: |
      draw one
        where any: left

  - id: end
    value: 12
    says: >-
      The game ends
      when the pile is empty.
"""
PIECES = [
    *("a: ", "b: ", "- ", "  ", "    ", "\n", "\r\n", "\n\n", "[", "]", "{", "}", ",", ": ", "? "),
    *("|\n", ">\n", "|2-\n", ">+\n", "'", '"', "# c\n", " # c", "é", "😀", "x z", "\t", "&a "),
    *("*a", "!t ", "<<: ", "---\n", "...\n", "%", "@", "12", "\\n", "\\", "~", ":", "-", "yes"),
    *("  k: v\n", "\ufeff", "\x00", "\r", "''", '"q"', "'p'", "\u2028", "\ud800", "|"),
]
assembled = st.lists(st.sampled_from(PIECES), max_size=25).map("".join)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    text = SEED
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 6)))
        text = text[:start] + draw(assembled) + text[end:]
    return text


texts = st.one_of(
    assembled,
    mutated(),
    st.text(max_size=80),
    st.binary(max_size=80).map(lambda raw: raw.decode("utf-8", "surrogateescape")),
    st.binary(max_size=80).map(lambda raw: raw.decode("latin-1")),
)


def check(text: str) -> None:
    found = Diagnostics()
    node = load(SourceFile("f", text), found)
    assert node is not None or found.has_errors
    for each in found:
        assert 0 <= each.span.start <= each.span.end <= len(text) + 3
    if node is not None:
        plain(node)
        check_spans(node, 0, len(text))
    rendered(found)
    to_json(found)


def check_spans(node: Node, start: int, end: int) -> None:
    """Places lie within each other and in order, and show what the values say."""
    assert start <= node.span.start <= node.span.end <= end
    if isinstance(node, Scalar):
        assert node.span.start <= node.content.start <= node.content.end <= node.span.end
        assert as_read(node) in (node.value, None)
        return
    place = node.span.start
    for child in children(node):
        check_spans(child, place, node.span.end)
        place = child.span.end


def children(node: Mapping | Sequence) -> Iterator[Node]:
    if isinstance(node, Sequence):
        yield from node.items
    else:
        for key, value in node.entries:
            yield key
            yield value


def as_read(scalar: Scalar) -> str | None:
    """The value worked out from the characters of the file; None where that is not simple."""
    raw = scalar.content.text.replace("\r\n", "\n").replace("\r", "\n")
    if scalar.style == "literal":
        before = len(scalar.value) - len(scalar.value.lstrip(" \t\n"))
        after = len(scalar.value.rstrip("\n"))
        first = scalar.value.rfind("\n", 0, before) + 1
        indent = scalar.content.column - 1
        lines = [line[indent:] for line in ("\n" + raw).split("\n")[2:]]
        shown = "\n".join([raw.split("\n")[0], *lines])
        blank_end = scalar.value[first:after].rstrip(" \t\n") == shown.rstrip(" \t\n")
        return scalar.value if blank_end else shown
    if scalar.style == "folded" or scalar.escaped:
        return None
    lines = re.split("\n", raw)
    if len(lines) == 1:
        return raw
    if scalar.style != "plain":
        return None
    folded = re.sub(r"[ \t]*\n[ \t]*", "\n", raw)
    return re.sub(r"\n+", lambda m: "\n" * (len(m[0]) - 1) or " ", folded)


@pytest.mark.full
@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(texts)
@example("a: |\n \n  b\n")
@example("- |1-\n   a\n\n  b\n \n")
@example("a: b\n c\n\n d\n")
def test_any_text(text: str) -> None:
    check(text)


@pytest.mark.full
@settings(max_examples=300, deadline=None)
@given(texts)
def test_any_text_with_the_pure_parser(text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "_PARSER", yaml.SafeLoader)
        check(text)


def places(node: Node) -> list[object]:
    if isinstance(node, Scalar):
        return [node.value, node.kind, node.style, node.span, node.content]
    return [type(node).__name__, node.span, *(places(child) for child in children(node))]


@pytest.mark.full
@pytest.mark.skipif(not hasattr(yaml, "CSafeLoader"), reason="PyYAML has no libyaml here")
@settings(max_examples=600, deadline=None)
@given(st.one_of(assembled, mutated()))
@example(SEED)
@example("\ufeff" + SEED.replace("\n", "\r\n"))
def test_both_parsers_agree(text: str) -> None:
    """Which of PyYAML's parsers is there makes no difference to values, places and refusals. Only
    a '?' inside brackets, a ':' right before one or a comma, some tabs, lines with '%' and a
    comment right after the '|' of a block are taken differently."""
    if re.search(r"[\t?%]|[|>][-+0-9]*#|:[\[\]{},]", text):
        return
    results = []
    for parser in (yaml.CSafeLoader, yaml.SafeLoader):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(reader, "_PARSER", parser)
            found = Diagnostics()
            node = load(SourceFile("f", text), found)
            results.append(None if found.has_errors or node is None else places(node))
    assert results[0] == results[1]


M = 1 << 20
HOSTILE = {
    "lists": "[" * 100_000,
    "mappings": "{a: " * (M // 4),
    "dashes": "- " * (M // 2),
    "questions": "? " * (M // 2),
    "indents": "".join(" " * depth + "a:\n" for depth in range(1400)),
    "items": "[" + "a," * (M // 2 - 1),
    "keys": "".join(f"k{number}: 1\n" for number in range(M // 14)),
    "same key": "a:\n" * (M // 3),
    "aliases": "[" + "*a, " * (M // 4 - 1),
    "bomb": "a: &a [x]\n" + "".join(f"b{n}: &b{n} [{'*a,' * 9}]\n" for n in range(9_000)),
    "truths": "- yes\n" * (M // 6),
    "spaces": " " * M,
    "tabs": "\t" * M,
    "tabs after keys": "a:\t1\n" * (M // 5),
    "line breaks": "\n" * M,
    "quotes": 'a: "\n' * (M // 5),
    "brackets": "a: [b\n" * (M // 6),
    "nulls": "\x00" * M,
    "blocks": "a: |\n" * (M // 5),
    "blank block": "a: |\n" + "\n" * (M - 10),
    "colons": "a: b: c\n" * (M // 8),
    "wide line": '"' + "日" * (M - 10) + '": [yes, ' + "]",
    "too large": "x" * (4 * M),
}


@pytest.mark.parametrize("name", sample(HOSTILE, test=2))
def test_hostile_files_are_refused_in_bounded_time(name: str) -> None:
    """The bound is far above what it takes: it tells a file that is refused from one that hangs."""
    file, found = SourceFile("f", HOSTILE[name]), Diagnostics()
    start = time.process_time()
    node = load(file, found)
    rendered(found)
    assert time.process_time() - start < 60
    assert node is None or found.has_errors or name == "blank block"
