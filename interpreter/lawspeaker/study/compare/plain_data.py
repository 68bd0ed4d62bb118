"""Converts rule-file nodes to plain data, for writing them again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lawspeaker import ir
from lawspeaker.text.document import Mapping, Node
from lawspeaker.text.document import Sequence as ListNode

_IN_A_LINE = ("section", "stance", "note", "print")


def without_cites(data: Any) -> Any:
    """Removes citations of guards."""
    if not isinstance(data, dict):
        return data
    return {key: without_cites(value) for key, value in data.items() if key != "cites"}


def data_of(node: Node) -> Any:
    """Converts a node; numbers in unusual notation stay texts."""
    if isinstance(node, Mapping):
        return {key.value: data_of(value) for key, value in node.entries}
    if isinstance(node, ListNode):
        return [data_of(each) for each in node.items]
    if node.kind == "number":
        return int(node.value) if str(int(node.value)) == node.value else node.value
    if node.kind == "truth":
        return node.value == "true"
    return None if node.kind == "nothing" else node.value


def cites_of(cites: Iterable[ir.Citation]) -> dict[str, Any]:
    """Citations in the form of `cites:`."""
    found: dict[str, list[Any]] = {}
    for cite in cites:
        said = {key: getattr(cite, key) for key in _IN_A_LINE if getattr(cite, key)}
        if cite.stance == "states":
            del said["stance"]  # the default
        if set(cite.note) == {"en"}:
            said["note"] = cite.note["en"]
        found.setdefault(cite.source, []).append(
            said["section"] if [*said] == ["section"] else said
        )
    return {source: said[0] if len(said) == 1 else said for source, said in found.items()}
