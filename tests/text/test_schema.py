"""Violations of a schema: one diagnostic each, at its place, in plain words."""

from __future__ import annotations

from typing import Any

import pytest

from lawspeaker.base.diagnostics import Diagnostic, Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.text.document import load
from lawspeaker.text.schema import Schema, validate

TEXT = {"type": "string", "minLength": 1}
GAME: dict[str, Any] = {
    "type": "object",
    "required": ["name"],
    "additionalProperties": False,
    "description": "a whole game",
    "properties": {
        "name": {"$ref": "#/$defs/text", "description": "the name on the box"},
        "players": {
            "description": "how many can play",
            "anyOf": [
                {"type": "integer", "minimum": 1},
                {"type": "array", "items": {"type": "integer"}, "uniqueItems": True},
                {"enum": ["any", "even"]},
            ],
        },
        "colour": {"type": "string", "enum": ["red", "blue", "green"]},
        "count": {"type": "integer", "minimum": 1, "maximum": 9},
        "tags": {"type": "array", "minItems": 1, "maxItems": 2, "items": TEXT, "uniqueItems": True},
        "clauses": {"type": "array", "items": {"$ref": "#/$defs/clause"}},
        "pieces": {"type": "array", "items": {"oneOf": [
            {"$ref": "#/$defs/card"}, {"$ref": "#/$defs/tile"}, {"type": "string"}]}},
        "by_id": {
            "type": "object",
            "propertyNames": {"pattern": "^[a-z]+$", "description": "small letters only"},
            "additionalProperties": {"type": "integer"},
        },
        "free": {"type": "object", "patternProperties": {"^x_": True}, "properties": {"y1": True},
                 "additionalProperties": False},
        "old": False,
        "pair": {"type": "object", "dependentRequired": {"from": ["to"]}},
        "open": {"type": "object", "allOf": [{"properties": {"one": TEXT}}],
                 "properties": {"two": TEXT}, "unevaluatedProperties": False},
        "when": {"type": "object", "if": {"required": ["deck"]},
                 "then": {"properties": {"deck": {"type": "integer", "description": "cards"}}}},
    },
    "$defs": {
        "text": {"type": "string", "minLength": 1},
        "clause": {
            "title": "Clause",
            "type": "object",
            "required": ["id"],
            "additionalProperties": False,
            "properties": {
                "id": {"type": "string", "pattern": "^[a-z.]+$", "description": "a short name"},
                "says": {"$ref": "#/$defs/text"},
                "value": {},
                "code": {},
            },
            "oneOf": [{"required": ["value"]}, {"required": ["code"]}],
        },
        "card": {"type": "object", "required": ["kind"], "additionalProperties": False,
                 "properties": {"kind": {"const": "card"}, "suit": {"type": "string"}}},
        "tile": {"type": "object", "required": ["kind"], "additionalProperties": False,
                 "properties": {"kind": {"const": "tile"}, "sides": {"type": "integer"}}},
    },
}  # fmt: skip


def violations(text: str, schema: dict[str, Any] = GAME) -> list[Diagnostic]:
    found = Diagnostics()
    node = load(SourceFile("game.yaml", text), found)
    assert node is not None
    validate(node, Schema(schema), found, "game")
    return found.sorted()


def brief(text: str) -> list[str]:
    return [
        f"{each.code} {each.span.line}:{each.span.column} {each.span.text.splitlines()[0]}"
        for each in violations("name: g\n" + text)
    ]


def test_a_good_file() -> None:
    assert brief("players: [2, 3]\ncount: 3\nclauses:\n  - {id: a.b, value: 1}\n") == []


@pytest.mark.parametrize(
    "text, expected",
    [
        ("colr: red\n", ["unknown-key 2:1 colr"]),
        ("a: 1\nb: 2\n", ["unknown-key 2:1 a", "unknown-key 3:1 b"]),
        ("old: 1\n", ["unknown-key 2:1 old"]),
        ("free: {x_a: 1, y1: 2, z: 3}\n", ["unknown-key 2:23 z"]),
        ("open: {one: a, two: b, three: c}\n", ["unknown-key 2:24 three"]),
        ("clauses:\n  - value: 1\n", ["missing-key 3:5 value"]),
        ("pair: {from: 1}\n", ["missing-key 2:1 pair"]),
        ("count: many\n", ["wrong-shape 2:8 many"]),
        ("count: '3'\n", ["wrong-shape 2:8 '3'"]),
        ("count:\n", ["wrong-shape 2:1 count"]),
        ("tags: a\n", ["wrong-shape 2:7 a"]),
        ("tags: {a: b}\n", ["wrong-shape 2:7 {a: b}"]),
        ("tags: [a, 2]\n", ["wrong-shape 2:11 2"]),
        ("clauses:\n  - some text\n", ["wrong-shape 3:5 some text"]),
        ("clauses:\n  a:\n    id: b\n", ["wrong-shape 3:3 a:"]),
        ("count: 0\n", ["bad-value 2:8 0"]),
        ("count: 10\n", ["bad-value 2:8 10"]),
        ("colour: rde\n", ["bad-value 2:9 rde"]),
        ("colour: 3\n", ["bad-value 2:9 3"]),
        ("tags: []\n", ["bad-value 2:7 []"]),
        ("tags: [a, b, c]\n", ["bad-value 2:7 [a, b, c]"]),
        ("tags: [a, a]\n", ["bad-value 2:11 a"]),
        ("by_id: {a: 1, B: 2}\n", ["bad-value 2:15 B"]),
        ("by_id: {a: b}\n", ["wrong-shape 2:12 b"]),
        ("when: {deck: x}\n", ["wrong-shape 2:14 x"]),
        ("players: two\n", ["bad-value 2:10 two"]),
        ("players: {a: 1}\n", ["wrong-shape 2:10 {a: 1}"]),
        ("players: 0\n", ["bad-value 2:10 0"]),
        ("players: [2, x]\n", ["wrong-shape 2:14 x"]),
        ("clauses:\n  - {id: a}\n", ["missing-key 3:6 id"]),
        ("clauses:\n  - id: a\n    value: 1\n    code: 2\n", ["bad-value 5:5 code"]),
        ("pieces:\n  - {kind: tile, suit: x}\n", ["unknown-key 3:18 suit"]),
        ("pieces:\n  - {kind: crad}\n", ["bad-value 3:12 crad"]),
        ("pieces:\n  - {suit: x}\n", ["missing-key 3:6 suit"]),
        ("pieces:\n  - {sides: x}\n", ["missing-key 3:6 sides", "wrong-shape 3:13 x"]),
        ("pieces:\n  - [a]\n", ["wrong-shape 3:5 [a]"]),
    ],
)
def test_violations_name_their_places(text: str, expected: list[str]) -> None:
    assert brief(text) == expected


def the_one(text: str) -> Diagnostic:
    [each] = violations("name: g\n" + text)
    return each


@pytest.mark.parametrize(
    "text, message",
    [
        ("colr: red\n", "'colr' is not a key of this game file"),
        ("clauses:\n  - {id: a, code: 1, sayz: 2}\n", "'sayz' is not a key of item 1 of 'clauses'"),
        ("tags: a\n", "expected a list for 'tags', found text"),
        ("tags: [[a]]\n", "expected text in 'tags', found a list"),
        ("count: true\n", "expected a whole number for 'count', found true"),
        ("count:\n", "expected a whole number for 'count', found nothing"),
        ("count: 0\n", "0 is too small: it must be at least 1"),
        (
            "colour: rde\n",
            "expected 'red', 'blue' or 'green' for 'colour', found 'rde'",
        ),
        (
            "players: two\n",
            "expected a whole number, a list, 'any' or 'even' for 'players', found 'two'",
        ),
        ("pieces:\n  - {kind: crad}\n", "expected 'card' or 'tile' for 'kind', found 'crad'"),
        (
            "clauses:\n  - {id: a}\n",
            "the key 'value' or 'code' is missing in item 1 of 'clauses'",
        ),
        ("pair: {from: 1}\n", "the key 'to' is missing in 'pair', which is needed with 'from'"),
        ("tags: [a, b, c]\n", "this list is too long: it may have at most 2 items, and has 3"),
        (
            "pieces:\n  - [a]\n",
            "expected a mapping of keys to values or text in 'pieces', found a list",
        ),
    ],
)
def test_messages_say_what_was_expected(text: str, message: str) -> None:
    assert the_one(text).message == message


@pytest.mark.parametrize(
    "text, hint",
    [
        ("colour: rde\n", "did you mean 'red'?"),
        ("players: evne\n", "did you mean 'even'? how many can play"),
        ("players: {a: 1}\n", "how many can play"),
        ("count: '3'\n", "write a number without quotes, and without leading zeros"),
        ("tags: a\n", "start each item of a list with '- '"),
        ("tags: [1]\n", "put it in quotes to make it text"),
        ("by_id: {B: 2}\n", "small letters only"),
        ("when: {deck: x}\n", "cards"),
        ("clauses: [{id: A, code: 1}]\n", "a short name"),
        ("clauses: [{code: 1}]\n", "'id': a short name"),
        (
            "clauses: [{id: a, code: 1, sayz: 2}]\n",
            "did you mean 'says'? keys still possible here (Clause): says, value",
        ),
        ("count: 0\n", None),
    ],
)
def test_hints_name_the_likely_cure(text: str, hint: str | None) -> None:
    assert the_one(text).hint == hint


def test_the_description_beside_a_reference_comes_first() -> None:
    [each] = violations("name: 3\n")
    assert each.hint == "put it in quotes to make it text; the name on the box"
    [each] = violations("count: 3\n")
    assert (each.code, each.hint) == ("missing-key", "'name': the name on the box")


def test_labels_point_at_the_other_place() -> None:
    repeated = the_one("tags: [a, a]\n")
    assert [label.span.column for label in repeated.labels] == [8]
    both = the_one("clauses:\n  - id: a\n    value: 1\n    code: 2\n")
    assert [label.span.text for label in both.labels] == ["value"]


def test_all_violations_are_reported() -> None:
    text = "colour: 1\ncount: x\ntags: 2\nclauses: [{}, 3]\nzz: 1\n"
    assert len(brief(text)) == 7


def test_places_with_an_error_get_no_second_one() -> None:
    assert [each.code for each in violations("name: yes\ncount: no\n")] == ["surprising-truth"] * 2


def test_a_file_that_is_no_mapping() -> None:
    [each] = violations("- a\n")
    assert each.message == "expected a mapping of keys to values, found a list"


def test_nothing_is_fetched() -> None:
    with pytest.raises(ValueError, match="example"):
        violations("a: 1\n", {"$ref": "https://example.invalid/schema"})


def test_many_violations_are_cut_short() -> None:
    found = Diagnostics()
    node = load(SourceFile("f", "".join(f"k{i}: 1\n" for i in range(5_000))), found)
    assert node is not None
    validate(node, Schema(GAME), found, "game file")
    assert len(found) == 100
    assert found.left_out > 0
