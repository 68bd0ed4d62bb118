"""Validates a tree against a JSON Schema, with plain messages at the right spans.

jsonschema finds the violations on the plain values, each with the path of the value in the tree and
of the rule in the schema. The path leads to the node, and so to its span. The kind of rule
determines the code: `unknown-key`, `missing-key`, `wrong-shape` (a list instead of text) or
`bad-value`.

Where none of several alternatives (anyOf, oneOf) matches, jsonschema lists the failures of all of
them. If every alternative fails on the value as such, they are summarised: "expected a list or
'all', found text". Otherwise the author meant one whose shape matches: the one with the fewest
wrong or missing keys, where a discriminating key (`kind: card`) counts most. Only its failures are
reported, recursively.

Descriptions in the schema become hints. A span that has an error gets no second one.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from lawspeaker.base.diagnostics import Diagnostic, Diagnostics, Label, nearest
from lawspeaker.base.source import Span
from lawspeaker.text.document import Mapping, Node, Sequence, items_of, plain
from lawspeaker.text.schema import alternatives, violations
from lawspeaker.text.schema.form import NEVER, Schema
from lawspeaker.text.schema.violations import Violation

_MOST = 200
_DEEPEST_SCHEMA = 8
_BY_NAME = frozenset(
    {
        "properties",
        "patternProperties",
        "prefixItems",
        "allOf",
        "anyOf",
        "oneOf",
        "dependentSchemas",
    }
)
_MOVES = frozenset(
    {
        "properties",
        "patternProperties",
        "additionalProperties",
        "unevaluatedProperties",
        "prefixItems",
        "items",
        "contains",
    }
)


def validate(
    node: Node, schema: Schema, diagnostics: Diagnostics, file_kind: str
) -> dict[int, str]:
    """Reports every violation. `file_kind` is the display name of such a file. Returns the probable
    corrections of misspelt keys and words, by offset."""
    value = plain(node)
    if schema.fits(value):
        return {}
    kind = file_kind if file_kind.endswith("file") else f"{file_kind} file"
    check = _Check(node, schema, f"this {kind}")
    reported = {each.span for each in diagnostics if each.severity == "error"}
    errors = alternatives.essential(islice(schema.thorough.iter_errors(value), _MOST))
    errors.sort(key=lambda error: error.validator != "additionalProperties")
    check.alone = len(errors) == 1
    found = [each for error in errors for each in check.report(error)]
    found.sort(key=lambda each: (each.span.start, each.code, each.message))
    diagnostics.extend(each for each in found if each.span not in reported)
    return check.meant


class _Check:
    """Translates the violations of one file into diagnostics."""

    def __init__(self, root: Node, schema: Schema, root_name: str) -> None:
        self.root = root
        self.schema = schema.rules
        self.root_name = root_name
        self.alone = True
        self.meant: dict[int, str] = {}
        self.misspelt: set[tuple[tuple[str | int, ...], str]] = set()
        self.validator = schema.thorough

    # ---------------------------------------------------------------- one violation

    def report(self, error: Violation) -> Iterator[Diagnostic]:
        rule = error.validator
        if rule in ("anyOf", "oneOf"):
            yield from self._alternatives(error)
        elif rule in ("additionalProperties", "unevaluatedProperties"):
            yield from self._unknown_keys(error)
        elif rule in ("required", "dependentRequired"):
            yield from self._missing_keys(error)
        elif rule in ("type", "enum", "const"):
            yield self._unexpected(error, violations.expected(error), rule != "type")
        elif rule == "uniqueItems":
            yield self._repeated(error)
        elif rule == "not" and error.schema == NEVER and error.absolute_path:
            message = f"'{error.absolute_path[-1]}' is not possible here"
            yield Diagnostic("unknown-key", message, self._key_span(error))
        else:
            yield self._bad_value(error)

    def _unexpected(self, error: Violation, phrases: list[str], by_value: bool) -> Diagnostic:
        """A value of the wrong type, or not one of those listed."""
        node = self._node(error)
        near = violations.closest_value(node, phrases) if by_value else None
        if near is not None:
            self.meant[node.span.start] = near
        expected = f"expected {violations.joined(phrases, 'or')}{self._name(error)}"
        return Diagnostic(
            "bad-value" if by_value else "wrong-shape",
            f"{expected}, found {violations.describe_value(node, by_value)}",
            node.span if node.span.start < node.span.end else self._key_span(error),
            hint=violations.hint(
                violations.closest_hint(node, phrases),
                violations.correction(node, phrases),
                self._description(error),
            ),
        )

    def _bad_value(self, error: Violation) -> Diagnostic:
        value, limit = error.instance, error.validator_value
        node, hint = self._node(error), self._description(error)
        if error.validator in violations.SIZES:
            size = len(value) if isinstance(value, list | dict) else 0
            message = violations.SIZES[error.validator].format(value=value, limit=limit, size=size)
        elif error.validator in ("items", "unevaluatedItems"):
            message = "this list has more items than are possible here"
        elif error.validator == "pattern":
            message = f"{violations.quoted(value)} does not have the form that is needed here"
            hint = hint or f"it must match {limit}"
        else:
            message = "this is not possible here"
        if isinstance(value, str) and isinstance(node, Mapping) and (key := node.key(value)):
            return Diagnostic("bad-value", f"as a key, {message}", key.span, hint=hint)
        return Diagnostic("bad-value", message, node.span, hint=hint)

    def _repeated(self, error: Violation) -> Diagnostic:
        node = self._node(error)
        seen: dict[str, Node] = {}
        for item in items_of(node):
            earlier = seen.setdefault(json.dumps(plain(item), sort_keys=True), item)
            if earlier is not item:
                label = Label(earlier.span, "first here")
                message = "this is in the list a second time"
                return Diagnostic("bad-value", message, item.span, (label,))
        return Diagnostic("bad-value", "something is in this list twice", node.span)

    # ---------------------------------------------------------------- keys

    def _unknown_keys(self, error: Violation) -> Iterator[Diagnostic]:
        node = self._node(error)
        if not isinstance(node, Mapping):
            return
        possible, patterns = self._possible_keys(error.schema)
        unknown = [
            key
            for key, _ in node.entries
            if key.value not in possible and not any(re.search(p, key.value) for p in patterns)
        ]
        where = self._whole_name(error)
        if not unknown and self.alone:
            message = f"the keys of {where} do not go together"
            yield Diagnostic("unknown-key", message, self._key_span(error))
        free = [each for each in possible if node.get(each) is None]
        left = list(free)
        for key in unknown[_MOST:]:  # nobody reads these, and a search for suggestions takes time
            yield Diagnostic("unknown-key", f"'{key.value}' is not a key of {where}", key.span)
        for key in unknown[:_MOST]:
            near = nearest(key.value, free)
            if near is not None:
                free.remove(near)
                self.meant[key.span.start] = near
                self.misspelt.add((tuple(error.absolute_path), near))
            near = near or nearest(key.value, possible)
            hint = violations.hint(
                f"did you mean '{near}'?" if near else None, violations.key_list(left, error.schema)
            )
            message = f"'{key.value}' is not a key of {where}"
            yield Diagnostic("unknown-key", message, key.span, hint=hint)

    def _missing_keys(self, error: Violation) -> Iterator[Diagnostic]:
        where, span = self._whole_name(error), self._key_span(error)
        for key, because in alternatives.missing(error):
            if (tuple(error.absolute_path), key) in self.misspelt:
                continue
            needed = f", which is needed with '{because}'" if because else ""
            message = f"the key '{key}' is missing in {where}{needed}"
            hint = self._key_description(error.schema, key)
            yield Diagnostic("missing-key", message, span, hint=hint)

    def _possible_keys(self, schema: Any, depth: int = 0) -> tuple[list[str], list[str]]:
        """The keys a schema names, and the patterns for others, over all alternatives."""
        if not isinstance(schema, dict) or depth > _DEEPEST_SCHEMA:
            return [], []
        names = [key for key, rule in schema.get("properties", {}).items() if rule != NEVER]
        patterns = list(schema.get("patternProperties", {}))
        parts = [part for rule in ("allOf", "anyOf", "oneOf") for part in schema.get(rule, [])]
        parts += [schema[rule] for rule in ("then", "else") if rule in schema]
        parts += [*schema.get("dependentSchemas", {}).values(), self._target(schema)]
        for part in parts:
            more_names, more_patterns = self._possible_keys(part, depth + 1)
            names += [name for name in more_names if name not in names]
            patterns += more_patterns
        return names, patterns

    # ---------------------------------------------------------------- alternatives

    def _alternatives(self, error: Violation) -> Iterator[Diagnostic]:
        branches = alternatives.branches(error)
        if not branches:
            yield self._ambiguous(error)
            return
        refusals = {place: alternatives.refusal(errors) for place, errors in branches.items()}
        refused = [each for each in refusals.values() if each is not None]
        if len(refused) == len(branches):
            phrases = dict.fromkeys(phrase for wanted, _ in refused for phrase in wanted)
            yield self._unexpected(error, list(phrases), any(by_value for _, by_value in refused))
            return
        meant = [errors for place, errors in branches.items() if refusals[place] is None]
        if telling := alternatives.key_failures(meant):
            phrases = dict.fromkeys(
                phrase for each in telling for phrase in violations.expected(each)
            )
            yield self._unexpected(telling[0], list(phrases), True)
            return
        if len(meant) > 1 and all(e.validator == "required" for errors in meant for e in errors):
            lacking = [
                key for errors in meant for e in errors for key, _ in alternatives.missing(e)
            ]
            names = violations.joined([f"'{key}'" for key in dict.fromkeys(lacking)], "or")
            message = f"the key {names} is missing in {self._whole_name(error)}"
            yield Diagnostic(
                "missing-key", message, self._key_span(error), hint=self._description(error)
            )
            return
        for each in min(meant, key=alternatives.distance):
            yield from self.report(each)

    def _ambiguous(self, error: Violation) -> Diagnostic:
        """More than one alternative of a oneOf matches."""
        node, hint = self._node(error), self._description(error)
        needed: dict[str, None] = {}
        for branch in error.validator_value:
            if self.validator.evolve(schema=branch).is_valid(error.instance):
                needed |= dict.fromkeys({**self._target(branch), **branch}.get("required", []))
        keys = [key for name in needed if isinstance(node, Mapping) and (key := node.key(name))]
        if len(keys) < 2:
            message = "this can be understood in more than one way"
            return Diagnostic("bad-value", message, node.span, hint=hint)
        keys.sort(key=lambda key: key.span.start)
        names = violations.joined([f"'{key.value}'" for key in keys], "and")
        labels = tuple(Label(key.span, f"'{key.value}' is here") for key in keys[:-1])
        message = f"{names} do not go together: only one of them can be here"
        return Diagnostic("bad-value", message, keys[-1].span, labels, hint)

    # ---------------------------------------------------------------- places

    def _at(self, path: Iterable[str | int]) -> Node:
        node = self.root
        for step in path:
            if isinstance(node, Sequence) and isinstance(step, int):
                node = node.items[step]
            elif isinstance(node, Mapping):
                node = node.get(str(step)) or node
        return node

    def _node(self, error: Violation) -> Node:
        return self._at(error.absolute_path)

    def _key_span(self, error: Violation) -> Span:
        """The span of a value's key; without one, of the value's first key, or of the value."""
        path = list(error.absolute_path)
        owner = self._at(path[:-1])
        if path and isinstance(owner, Mapping) and (key := owner.key(str(path[-1]))):
            return key.span
        node = self._at(path)
        return node.entries[0][0].span if isinstance(node, Mapping) and node.entries else node.span

    def _name(self, error: Violation) -> str:
        path = list(error.absolute_path)
        if path and isinstance(path[-1], str):
            return f" for '{path[-1]}'"
        return f" in {violations.list_name(path[:-1])}" if path else ""

    def _whole_name(self, error: Violation) -> str:
        path = list(error.absolute_path)
        if path and isinstance(path[-1], int):
            return f"item {path[-1] + 1} of {violations.list_name(path[:-1])}"
        return f"'{path[-1]}'" if path else self.root_name

    # ---------------------------------------------------------------- descriptions in the schema

    def _target(self, schema: Any) -> dict[str, Any]:
        """The definition that a `$ref` points to, within the same schema."""
        reference = schema.get("$ref", "") if isinstance(schema, dict) else ""
        if not reference.startswith("#"):
            return {}
        target: Any = self.schema
        for step in reference.split("/")[1:]:
            name = step.replace("~1", "/").replace("~0", "~")
            target = target.get(name, {}) if isinstance(target, dict) else {}
        return target if isinstance(target, dict) else {}

    def _description(self, error: Violation) -> str | None:
        """The innermost description in the schema on the path to a value."""
        rule: Any = self.schema
        path = list(error.absolute_schema_path)
        description = _own_words(rule) if error.absolute_path else None
        while path and isinstance(rule, dict):
            step = path.pop(0)
            while step not in rule and "$ref" in rule:  # jsonschema's paths skip references
                rule = self._target(rule)
                description = description or _own_words(rule)
            if step not in rule or not path:
                break
            rule = rule[step]
            if step in _BY_NAME:
                rule = rule[path.pop(0)]
            description = _own_words(rule) if step in _MOVES else description or _own_words(rule)
        return description

    def _key_description(self, schema: Any, key: str) -> str | None:
        rule = schema.get("properties", {}).get(key)
        if not isinstance(rule, dict):
            return None
        says = _own_words(rule) or _own_words(self._target(rule))
        return f"'{key}': {says}" if says else None


def _own_words(rule: Any) -> str | None:
    return rule.get("description") if isinstance(rule, dict) else None
