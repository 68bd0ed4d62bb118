"""Walking over trees: order, identity, and nodes kept where nobody would look."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from lawspeaker.base.trees import APART, Walker


@dataclass(frozen=True, slots=True)
class Node:
    pass


@dataclass(frozen=True, slots=True)
class Leaf(Node):
    name: str


@dataclass(frozen=True, slots=True)
class Fork(Node):
    left: Node
    number: int
    right: Node | None
    others: tuple[tuple[str, Node], ...] = ()


@dataclass(frozen=True, slots=True)
class Shy(Node):
    hidden: Node = field(metadata=APART)
    seen: Node


@dataclass(frozen=True, slots=True)
class Sack(Node):
    nodes: dict[str, Node]


WALKER = Walker(Node)
A, B, C, D = map(Leaf, "abcd")
TREE = Fork(Fork(A, 1, B), 2, None, (("first", C), ("second", Fork(D, 3, A))))


def names(node: object) -> str:
    return "".join(each.name for each in WALKER.everything(node) if isinstance(each, Leaf))


def renamed(node: Node) -> Node:
    if node == A:
        return Leaf("x")
    changed: Node = WALKER.rebuilt(node, renamed)
    return changed


def test_a_node_comes_before_its_parts_in_order() -> None:
    found = list(WALKER.everything(TREE))
    assert found[:4] == [TREE, TREE.left, A, B]
    assert names(TREE) == "abcda"


def test_tuples_are_looked_into_and_nothing_is_nothing() -> None:
    assert names((None, ((A, 3), B), "word", C)) == "abc"
    assert list(WALKER.everything(None)) == []
    assert WALKER.children((A, (B,), None)) == [A, B]


def test_only_what_changes_is_made_anew() -> None:
    changed = renamed(TREE)
    assert names(changed) == "xbcdx"
    assert isinstance(changed, Fork)
    assert changed.others[0] is TREE.others[0]
    assert changed.number == 2
    other = Fork(B, 1, C, (("word", D),))
    assert renamed(other) is other
    assert WALKER.rebuilt((A, B), renamed) == (Leaf("x"), B)


def test_what_is_apart_is_not_walked() -> None:
    assert names(Shy(A, B)) == "b"
    assert renamed(Shy(A, A)) == Shy(A, Leaf("x"))


def test_nodes_that_nobody_would_find_are_refused() -> None:
    with pytest.raises(TypeError, match="Sack'>.nodes holds nodes in a dict"):
        WALKER.children(Sack({}))
