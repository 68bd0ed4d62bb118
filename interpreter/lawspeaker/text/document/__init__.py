"""YAML text to a tree of nodes that know exactly where they stand.

`nodes` is the tree, `reader` makes it from text, `faults` puts YAML's syntax errors into words.
"""

from lawspeaker.text.document.nodes import (
    Kind,
    Mapping,
    Node,
    Scalar,
    Sequence,
    Style,
    plain,
    size,
)
from lawspeaker.text.document.reader import MOST_KNOWN, Limits, load

__all__ = [
    "MOST_KNOWN",
    "Kind",
    "Limits",
    "Mapping",
    "Node",
    "Scalar",
    "Sequence",
    "Style",
    "load",
    "plain",
    "size",
]
