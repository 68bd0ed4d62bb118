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
    child,
    entries_of,
    items_of,
    mapping_at,
    one_or_more,
    plain,
    scalar_at,
    scalars_of,
    size,
    text_of,
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
    "child",
    "entries_of",
    "items_of",
    "load",
    "mapping_at",
    "one_or_more",
    "plain",
    "scalar_at",
    "scalars_of",
    "size",
    "text_of",
]
