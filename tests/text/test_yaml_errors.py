"""Every fault of a YAML file: its code, its place, and what else is found in the same file."""

from __future__ import annotations

import pytest
import yaml

from lawspeaker.base.diagnostics import Diagnostic, Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.text.document import Limits, Mapping, Node, load, plain, reader

PARSERS = [getattr(yaml, "CSafeLoader", yaml.SafeLoader), yaml.SafeLoader]


@pytest.fixture(params=PARSERS, ids=["libyaml", "pure"], autouse=True)
def parser(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "_PARSER", request.param)


def load_text(text: str, limits: Limits | None = None) -> tuple[Node | None, list[Diagnostic]]:
    found = Diagnostics()
    node = load(SourceFile("f", text), found, limits or Limits())
    return node, found.sorted()


def codes(text: str) -> list[str]:
    """Code and place of each fault."""
    return [f"{each.code} {each.span.line}:{each.span.column}" for each in load_text(text)[1]]


@pytest.mark.parametrize(
    "text, expected",
    [
        # quotes and brackets that are never closed are reported where they open
        ('a: "foo\nb: 1\n', "yaml-syntax 1:4"),
        ("a: 'foo\n", "yaml-syntax 1:4"),
        ("a: [1, 2\nb: 3\nc: 4\n", "yaml-syntax 1:4"),
        ("a: {b: 1\nc: 2\n", "yaml-syntax 1:4"),
        ("a: [1, [2, 3]\n", "yaml-syntax 1:4"),
        ("a: [1, {b: [\n", "yaml-syntax 1:12"),
        ("a: {b: c: d}\n", "yaml-syntax 1:9"),
        ("a: [1, 2]]\n", "yaml-syntax 1:10"),
        ("a: b\n}\n", "yaml-syntax 2:1"),
        # colons, dashes and indentation
        ("a: b: c\n", "yaml-syntax 1:5"),
        ("a: 1\n  b: 2\n", "yaml-syntax 2:4"),
        ("a: - b\n", "yaml-syntax 1:4"),
        ("a:\n   b: 1\n  c: 2\n", "yaml-syntax 3:3"),
        ("a:\n  - 1\n  b: 2\n", "yaml-syntax 3:3"),
        ("a: 1\nb\nc: 2\n", "yaml-syntax 2:1"),
        ("key\nb: 1\n", "yaml-syntax 2:2"),
        ("'a' b\n", "yaml-syntax 1:5"),
        ("a: |x\n  b\n", "yaml-syntax 1:5"),
        ("a: [|\n b]\n", "yaml-syntax 1:5"),
        # characters that start no text
        ("a: @b\n", "yaml-syntax 1:4"),
        ("a: `b`\n", "yaml-syntax 1:4"),
        ("a: %b\n", "yaml-syntax 1:4"),
        ("a: * b\n", "yaml-anchor 1:4"),
        ("a: & b\n", "yaml-anchor 1:4"),
        ("%YAML 1.1\n---\na: 1\n", "yaml-syntax 1:1"),
        ('a: "\\ud800"\n', None),
        # tabs
        ("a:\n\tb: 1\n", "yaml-tab 2:1"),
        ("a:\n  b: 1\n  \tc: 1\n", "yaml-tab 3:3"),
        ("a:\t1\n", "yaml-tab 1:3"),
        ("\ta: 1\n", "yaml-tab 1:1"),
        ("- \t- a\n", "yaml-tab 1:3"),
        # what YAML knows and rule files do not use
        ("a: &x 1\n", "yaml-anchor 1:4"),
        ("a: *x\n", "yaml-anchor 1:4"),
        ("&x a: 1\n", "yaml-anchor 1:1"),
        ("<<: {a: 1}\n", "yaml-anchor 1:1"),
        ("<<: *x\n", "yaml-anchor 1:1"),
        ("a: !!str 1\n", "yaml-tag 1:4"),
        ("a: ! b\n", "yaml-tag 1:4"),
        ("a: !x {b: 1}\n", "yaml-tag 1:4"),
        ("a: !y!b c\n", "yaml-tag 1:4"),
        ("a: 1\n---\nb: 1\n", "yaml-many-documents 2:1"),
        ("---\n---\nb: 1\n", "yaml-many-documents 2:1"),
        # nothing there
        ("", "yaml-empty 1:1"),
        ("\ufeff", "yaml-empty 1:1"),
        ("# c\n\n", "yaml-empty 1:1"),
        ("---\n", "yaml-empty 1:1"),
        # keys
        ("a: 1\na: 2\n", "duplicate-key 2:1"),
        ("{a: 1, 'a': 2}\n", "duplicate-key 1:8"),
        ("[a]: 1\n", "yaml-key 1:1"),
        ("{a: b}: 1\n", "yaml-key 1:1"),
        (": 1\n", "yaml-key 1:1"),
        ("'': 1\n", "yaml-key 1:1"),
        ("~: 1\n", "yaml-key 1:1"),
        ("true: 1\n", "yaml-key 1:1"),
        ("? |\n  a\n: 1\n", "yaml-key 1:3"),
        # characters
        ("a: b\x07c\n", "yaml-character 1:5"),
        ("a: \x00\n", "yaml-character 1:4"),
        ("a: b\u2028c\n", "yaml-character 1:5"),
        ("a: b\x85c\n", "yaml-character 1:5"),
        ("a: \u202eb\n", "yaml-character 1:4"),
        ("a: \ufeffb\n", "yaml-character 1:4"),
        ("a: \ud800\n", "yaml-character 1:4"),
        ('a: "\\e[31m"\n', "yaml-character 1:4"),
        ('a: "\\r"\n', "yaml-character 1:4"),
    ],
)
def test_one_fault_gets_one_message(text: str, expected: str | None) -> None:
    if expected is None:
        assert codes(text) != []
    else:
        assert codes(text) == [expected]


@pytest.mark.parametrize(
    "word",
    ["yes", "Yes", "YES", "yEs", "no", "NO", "on", "On", "off", "True", "FALSE"],
)
def test_words_that_yaml_takes_for_truths_are_reported(word: str) -> None:
    assert codes(f"a: {word}\n") == ["surprising-truth 1:4"]
    assert codes(f"{word}: a\n") == ["surprising-truth 1:1"]
    assert codes(f"a: [b, {word}]\n") == ["surprising-truth 1:8"]
    assert codes(f"a: '{word}'\n") == []
    assert codes(f"a: {word} x\n") == []
    [fault] = load_text(f"a: {word}\n")[1]
    truth = "true" if word.lower() in ("yes", "on", "y", "true") else "false"
    assert fault.hint is not None
    assert f"'{word}'" in fault.hint
    assert truth in fault.hint


@pytest.mark.parametrize(
    "text",
    [
        "a: 'x\ty'\n",
        "a: |\n  x\ty\n  \tz\n",
        "# a\tcomment\na: 1 # another\tone\n",
    ],
)
def test_tabs_in_texts_and_comments_are_fine(text: str) -> None:
    assert codes(text) == []


def test_several_faults_of_one_file() -> None:
    text = (
        'a: "never closed\nb: [1, 2\nc: d: e\nf:\n  - yes\n  - @at\ng:\n\th: 1\ni: *j\nk: 1\nk: 2\n'
    )
    assert codes(text) == [
        "yaml-syntax 1:4",
        "yaml-syntax 2:4",
        "yaml-syntax 3:5",
        "surprising-truth 5:5",
        "yaml-syntax 6:5",
        "yaml-tab 8:1",
        "yaml-anchor 9:4",
        "duplicate-key 11:1",
    ]
    assert load_text(text)[0] is None


def test_lesser_faults_leave_a_tree() -> None:
    node, faults = load_text("a: yes\nb: !t 1\nb: 2\nc: &d 3\n[e]: 4\nf: {<<: 5, g: 6}\n")
    assert len(faults) == 6
    assert isinstance(node, Mapping)
    assert plain(node) == {"a": "yes", "b": 1, "c": 3, "f": {"g": 6}}


def test_unknown_values_leave_no_tree() -> None:
    assert load_text("a: &b 1\nc: *b\n")[0] is None
    assert load_text("a: 1\nb: \x07\n")[0] is None


def test_the_first_of_two_keys_is_named() -> None:
    [fault] = load_text("a: 1\nb:\n  c: 1\n  c: 2\n")[1]
    assert "'c'" in fault.message
    [label] = fault.labels
    assert (label.span.line, label.span.column, label.span.text) == (3, 3, "c")


def test_an_open_bracket_is_named() -> None:
    [fault] = load_text("a: {b: c: d}\n")[1]
    assert fault.labels[0].span.text == "{"
    [fault] = load_text("a: [1, 2\nb: 3\n")[1]
    assert "'['" in fault.message
    assert fault.labels[0].span.line == 2


def test_no_message_speaks_of_tokens() -> None:
    texts = [
        '"',
        "a: [",
        "a: b: c",
        "a\nb: c",
        "a: @",
        "a: |x",
        "]",
        "- a\nb: c",
        "a: - b",
        '"\\q"',
    ]
    for text in texts:
        for fault in load_text(text)[1]:
            words = f"{fault.message} {fault.hint}".lower()
            for jargon in ("token", "scalar", "block", "stream", "node", "context", "<"):
                assert jargon not in words, fault


def test_resuming_skips_nothing_good() -> None:
    """What follows a syntax error is read from the next key on, and only faults are reported."""
    assert codes("a: @\n" + "".join(f"k{i}: {i}\n" for i in range(50))) == ["yaml-syntax 1:4"]


# -------------------------------------------------------------------- limits


def test_limits_are_exact() -> None:
    def only_code(text: str, limits: Limits) -> list[str]:
        return [each.code for each in load_text(text, limits)[1]]

    assert only_code("[[a]]", Limits(depth=2)) == []
    assert only_code("[[[a]]]", Limits(depth=2)) == ["too-deep"]
    assert only_code("a:\n  b:\n    c:\n      d: 1\n", Limits(depth=3)) == ["too-deep"]
    assert only_code("[a, b]", Limits(nodes=3)) == []
    assert only_code("[a, b, c]", Limits(nodes=3)) == ["too-large"]
    assert only_code("abc", Limits(characters=3)) == []
    assert only_code("abcd", Limits(characters=3)) == ["too-large"]


def test_forty_deep_is_fine() -> None:
    assert codes("[" * 40 + "]" * 40) == []
    assert codes("[" * 41 + "]" * 41) == ["too-deep 1:41"]
    assert codes("".join(" " * i + "a:\n" for i in range(41))) == ["too-deep 41:41"]
