"""The tree of a YAML file and the places of its nodes, with both of PyYAML's parsers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import yaml
from lark import Lark, TextSlice, Token

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence, load, plain, reader

PARSERS = [getattr(yaml, "CSafeLoader", yaml.SafeLoader), yaml.SafeLoader]


@pytest.fixture(params=PARSERS, ids=["libyaml", "pure"], autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "_PARSER", request.param)


def load_without_errors(text: str) -> Node:
    found = Diagnostics()
    node = load(SourceFile("f.yaml", text), found)
    assert list(found) == []
    assert node is not None
    return node


def scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from scalars(item)
    else:
        for key, value in node.entries:
            yield key
            yield from scalars(value)


def only(node: Node) -> Scalar:
    """The value of a file with one key."""
    assert isinstance(node, Mapping)
    value = node.entries[0][1]
    assert isinstance(value, Scalar)
    return value


# -------------------------------------------------------------------- values


@pytest.mark.parametrize(
    "text, kind, value",
    [
        ("12", "number", 12),
        ("-3", "number", -3),
        ("0", "number", 0),
        ("true", "truth", True),
        ("false", "truth", False),
        ("~", "nothing", None),
        ("null", "nothing", None),
        ("", "nothing", None),
        ("012", "text", "012"),
        ("0x1F", "text", "0x1F"),
        ("1:30", "text", "1:30"),
        ("1.5", "text", "1.5"),
        ("1e3", "text", "1e3"),
        ("1_000", "text", "1_000"),
        ("+3", "text", "+3"),
        ("2020-01-01", "text", "2020-01-01"),
        ("9" * 18, "number", int("9" * 18)),
        ("9" * 5000, "text", "9" * 5000),
        ("٣", "text", "٣"),
        ("'12'", "text", "12"),
        ('"true"', "text", "true"),
        ("'yes'", "text", "yes"),
        ("yes and no", "text", "yes and no"),
        (".inf", "text", ".inf"),
        ("=", "text", "="),
    ],
)
def test_scalars_have_the_kind_of_their_text(text: str, kind: str, value: object) -> None:
    scalar = only(load_without_errors(f"k: {text}\n"))
    assert scalar.kind == kind
    assert plain(scalar) == value


def test_plain_gives_the_values_of_nodes() -> None:
    node = load_without_errors("a: 1\nb: [x, true, ~]\n3: {c: 'd'}\n")
    assert plain(node) == {"a": 1, "b": ["x", True, None], "3": {"c": "d"}}


def test_mapping_lookup() -> None:
    node = load_without_errors("first: 1\nsecond: 2\n")
    assert isinstance(node, Mapping)
    assert node.get("second") == node.entries[1][1]
    key = node.key("second")
    assert key is not None
    assert (key.span.line, key.span.column) == (2, 1)
    assert node.get("third") is None
    assert node.key("third") is None


def test_equality_ignores_places_and_quoting() -> None:
    assert load_without_errors("a: [x, 'z']") == load_without_errors("'a':\n  - x\n  - z\n")
    assert load_without_errors("a: 1") != load_without_errors("a: '1'")
    assert hash(load_without_errors("a: 1")) == hash(load_without_errors("a:    1"))


# -------------------------------------------------------------------- places


@pytest.mark.parametrize(
    "text, style, span, content",
    [
        ("k: plain text # c\n", "plain", "plain text", "plain text"),
        ("k: 'it''s'\n", "single", "'it''s'", "it''s"),
        ('k: "a\\tb"  # c', "double", '"a\\tb"', "a\\tb"),
        ("k: plain\n  on two # c\n", "plain", "plain\n  on two", "plain\n  on two"),
        ('k: "on\n  two"\n', "double", '"on\n  two"', "on\n  two"),
        ("k: |\n  a\n   b\n\n  c\n\n\n", "literal", "|\n  a\n   b\n\n  c", "a\n   b\n\n  c"),
        ("k: |\n\n\n  a\n", "literal", "|\n\n\n  a", "a"),
        ("k: | # comment\n  a\n# other\n", "literal", "| # comment\n  a", "a"),
        ("k: |2\n    a\n  b\n", "literal", "|2\n    a\n  b", "  a\n  b"),
        ("k: |2-\n\n    a\n  b\n\n", "literal", "|2-\n\n    a\n  b", "  a\n  b"),
        ("k: |+\n  a\n\n\n", "literal", "|+\n  a", "a"),
        ("k: |\n  a  \n  b\t \nj: 1\n", "literal", "|\n  a  \n  b\t ", "a  \n  b\t "),
        ("k: >-\n  a\n  b\n\n    c\n", "folded", ">-\n  a\n  b\n\n    c", "a\n  b\n\n    c"),
        ("k: >1\n   a\n b\n", "folded", ">1\n   a\n b", "  a\n b"),
        ("k: |\r\n  a\r\n  b\r\n\r\nj: 1\r\n", "literal", "|\r\n  a\r\n  b", "a\r\n  b"),
        ("k: |\r  a\r  b\rj: 1\r", "literal", "|\r  a\r  b", "a\r  b"),
        ("k: |\n  a", "literal", "|\n  a", "a"),
        ("k: |\n\nj: 1", "literal", "|", ""),
        ("k: |\n  \n\nj: 1", "literal", "|", ""),
        ("k:   # c\nj: 1", "plain", "", ""),
        ("k: ''", "single", "''", ""),
        ("\ufeffk: 😀 é\n", "plain", "😀 é", "😀 é"),
        ("😀é: |\n  日本\n   👩‍🚀\n", "literal", "|\n  日本\n   👩‍🚀", "日本\n   👩‍🚀"),
        ("# 😀\n\n? k\n: v\n", "plain", "v", "v"),
        ("{k: v}", "plain", "v", "v"),
        ("{k: a b  , j: 1}", "plain", "a b", "a b"),
        ("---\nk: v\n...\n", "plain", "v", "v"),
        ("k: http://x#y # c", "plain", "http://x#y", "http://x#y"),
        ("k:\n  v\n", "plain", "v", "v"),
    ],
)
def test_scalar_places(text: str, style: str, span: str, content: str) -> None:
    scalar = only(load_without_errors(text))
    assert scalar.style == style
    assert scalar.span.text == span
    assert scalar.content.text == content


def test_collection_places() -> None:
    text = (
        "# top\n"
        "outer:   # c\n"
        "  list:\n"
        "    - a\n"
        "    - [b, {c: d} ]  # c\n"
        "\n"
        "  empty: []\n"
        "  pair: [e: f , g]\n"
        "  void:\n"
        "\n"
        "# c\n"
    )
    root = load_without_errors(text)
    assert isinstance(root, Mapping)
    assert root.span.text == text[text.index("outer") : text.index("void:") + 5]
    outer = root.get("outer")
    assert isinstance(outer, Mapping)
    assert outer.span.text.startswith("list:")
    assert outer.span.text.endswith("void:")
    sequence = outer.get("list")
    assert isinstance(sequence, Sequence)
    assert sequence.span.text == "- a\n    - [b, {c: d} ]"
    inner = sequence.items[1]
    assert isinstance(inner, Sequence)
    assert inner.span.text == "[b, {c: d} ]"
    assert inner.items[1].span.text == "{c: d}"
    empty, pair = outer.get("empty"), outer.get("pair")
    assert empty is not None
    assert empty.span.text == "[]"
    assert isinstance(pair, Sequence)
    assert pair.items[0].span.text == "e: f"


def test_a_key_without_value_at_the_end() -> None:
    root = load_without_errors("? a\n\n\n")
    assert root.span.text == "? a"
    assert plain(root) == {"a": None}


def test_sequence_at_the_indentation_of_its_key() -> None:
    root = load_without_errors("k:\n- a\n- b\nj: 1\n")
    assert isinstance(root, Mapping)
    value = root.get("k")
    assert value is not None
    assert value.span.text == "- a\n- b"


NASTY = """\
\ufeff# A comment: with 'quotes" and [brackets
title: Größe 😀 — "quoted" inside
'single ''key''': "double \\"value\\" \\u00e9"
folded: >
    one
    two

      more
    three
literal: |-
  when 👩‍🚀 lands:
    # not a comment
    move it	here

  done
plain: spread
  over

  lines
list:
- {a: 1, "b": [2, 'three']}
-   - nested
    - |2
        indented
      less
- '!quoted'
"""


def test_a_nasty_file_agrees_with_compose() -> None:
    for source in (NASTY, NASTY.replace("\n", "\r\n")):
        expected = list(leaves(yaml.compose(source.lstrip("\ufeff"), Loader=yaml.SafeLoader)))
        found = list(scalars(load_without_errors(source)))
        assert [each.value for each in found] == [node.value for node in expected]
        assert [each.span.start - 1 for each in found] == [
            node.start_mark.index for node in expected
        ]
        for each, node in zip(found, expected, strict=True):
            if each.style not in ("literal", "folded"):
                assert each.span.end - 1 == node.end_mark.index


def leaves(node: yaml.Node | None) -> Iterator[yaml.Node]:
    if isinstance(node, yaml.ScalarNode):
        yield node
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from leaves(item)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from leaves(key)
            yield from leaves(value)


def test_scalars_with_escapes_are_marked() -> None:
    assert only(load_without_errors("k: 'it''s'")).escaped
    assert only(load_without_errors('k: "a\\n"')).escaped
    assert not only(load_without_errors("k: 'its'")).escaped
    assert not only(load_without_errors("k: a\\n")).escaped


@pytest.mark.parametrize(
    "text",
    [
        "# é😀\ncode: move a to b\n",
        "# é😀\ncode: 'move a to b'\n",
        "# é😀\ncode: |2\n    move a\n      to b\n",
        "\ufeff# é😀\r\ncode: >-\r\n   move a\r\n   to b\r\n",
    ],
)
def test_code_is_parsed_in_place(text: str) -> None:
    grammar = Lark(
        "start: WORD+\n%import common.WORD\n%ignore /\\s+/", parser="lalr", propagate_positions=True
    )
    content = only(load_without_errors(text)).content
    tree = grammar.parse(TextSlice(content.file.text, content.start, content.end))
    for word in tree.children:
        assert isinstance(word, Token)
        assert text[word.start_pos : word.end_pos] == str(word)
    assert [str(word) for word in tree.children] == ["move", "a", "to", "b"]
