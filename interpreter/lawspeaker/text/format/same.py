"""Verifies that two texts are equivalent: equal values, equal code, and the same comments.

This check runs on every formatted text, so that a bug in the formatter cannot lose a rule.
"""

from __future__ import annotations

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.text import parse
from lawspeaker.text.document import Mapping, Node, Scalar, Sequence
from lawspeaker.text.format import code_layout, roles
from lawspeaker.text.format.remarks import find
from lawspeaker.text.format.roles import Start

_READ = {
    "rule": parse.rule,
    "value": parse.value,
    "header": parse.header,
    "offers": parse.offers,
}


def read_code(scalar: Scalar, start: Start, diagnostics: Diagnostics) -> object | None:
    """The syntax tree of a scalar with code."""
    return _READ[start](scalar, diagnostics)


def says_the_same(one_file: SourceFile, one: Node, other_file: SourceFile, other: Node) -> bool:
    """Whether two files have equal values, equal code and the same comments."""
    ignored = Diagnostics()
    trees = [
        [read_code(scalar, start, ignored) for scalar, start in roles.codes(root)]
        for root in (one, other)
    ]
    return (
        _without_code(one) == _without_code(other)
        and trees[0] == trees[1]
        and None not in trees[1]
        and _remarks(one_file, one) == _remarks(other_file, other)
    )


def _without_code(root: Node) -> object:
    places = {id(scalar) for scalar, _ in roles.codes(root)}

    def bare(node: Node) -> object:
        if isinstance(node, Mapping):
            return [(key.value, key.kind, bare(value)) for key, value in node.entries]
        if isinstance(node, Sequence):
            return [bare(item) for item in node.items]
        return "code" if id(node) in places else (node.value, node.kind)

    return bare(root)


def _remarks(file: SourceFile, root: Node) -> list[str]:
    inside = (each for scalar, _ in roles.codes(root) for each in code_layout.remarks(scalar.value))
    return sorted([*inside, *(each.text for each in find(file, root))])
