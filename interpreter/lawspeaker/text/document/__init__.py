"""YAML parser: text to a tree of nodes with exact spans.

`nodes` defines the tree, `reader` builds it, `yaml_errors` explains syntax errors of YAML.
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
