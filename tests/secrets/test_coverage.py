"""Which forms of the language random rule files have, and which they have not, with the reason.

A form that is new fails here until a template in `generated/grammar.py` or in an extension
writes it, or it stands below with the reason why none does.
"""

from __future__ import annotations

import pytest

from tests.repo.test_node_tables import EXPRESSIONS, STATEMENTS
from tests.secrets.generated.forms import can_be_declared, declared, nodes_of

SEEDS = (
    *(0, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 15, 19, 23, 26, 35, 36, 68, 76, 132, 135, 259, 283),
    416,
)
"""Together these files have all nodes; `python -m tests.secrets.generated forms` finds such."""
NO_NODE: dict[str, str] = {}
"""Nodes that no file has, each with the reason."""
NOT_DECLARED = {
    **dict.fromkeys(
        (
            *("title", "about", "by", "language", "languages", "sources", "table", "names"),
            "notation",
            *("symbols", "cites", "assumed", "in the book", "in the box", "chapter"),
        ),
        "says nothing of what happens in a game",
    ),
    **dict.fromkeys(("with each", "at each"), "another word for `of each`"),
    **dict.fromkeys(
        ("offers", "exempt from"), "becomes an alternative of the question that it joins"
    ),
    "kinds called": "another word for the kinds",
    "told": "only the story leaves it out",
    "last": "is how many positions are kept",
    "one of": "is fixed before the game begins",
    "starts as": "is fixed before the game begins",
    "wins": "who wins is told, however it is found out",
    "always": "is one condition of the whole game; the cases of faults.yaml have it",
}


@pytest.mark.full
def test_every_node_is_in_some_file() -> None:
    found = set[type]().union(*map(nodes_of, SEEDS))
    missing = {each.__name__ for each in EXPRESSIONS | STATEMENTS} - {e.__name__ for e in found}
    assert missing == NO_NODE.keys(), "run `python -m tests.secrets.generated forms`"


def test_every_declaration_is_in_some_table() -> None:
    assert can_be_declared() - declared(SEEDS) == NOT_DECLARED.keys()
