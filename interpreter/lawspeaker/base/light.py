"""Makes frozen dataclasses cheap to construct.

A frozen dataclass takes three times as long to construct as a mutable one, since each field is set
through `object.__setattr__`. Syntax trees have thousands of nodes, rebuilt at every key press in an
editor. For these classes only the type checker enforces immutability.
"""

from __future__ import annotations

from dataclasses import field, fields, make_dataclass
from typing import Any, TypeVar

Kind = TypeVar("Kind", bound=type[Any])


def light(kind: Kind) -> Kind:
    """Class decorator: makes a frozen dataclass as cheap to construct as a mutable one."""
    after = {"__post_init__": kind.__post_init__} if hasattr(kind, "__post_init__") else {}
    twin = make_dataclass(
        kind.__name__,
        [
            (
                each.name,
                each.type,
                field(
                    default=each.default,
                    default_factory=each.default_factory,
                    init=each.init,
                    kw_only=each.kw_only,
                ),
            )
            for each in fields(kind)
        ],
        namespace=after,
        repr=False,
        eq=False,
        match_args=False,
    )
    made: Any = kind
    made.__init__ = vars(twin)["__init__"]
    del made.__setattr__, made.__delattr__
    return kind
