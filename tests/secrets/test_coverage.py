"""Which forms of the language random rule files have, and which they have not, with the reason.

A form that is new fails here until a template in `generated/grammar.py` or in an extension
writes it, or it stands below with the reason why none does.
"""

from __future__ import annotations

from collections import Counter

import pytest
import yaml

from tests.repo.test_node_tables import EXPRESSIONS, STATEMENTS
from tests.secrets.generated.extended import EXTENSIONS
from tests.secrets.generated.files import TABLE
from tests.secrets.generated.forms import (
    can_be_declared,
    can_be_written,
    declared,
    grammar_forms,
    nodes_of,
)

SEEDS = (
    *(0, 1, 2, 3, 4, 6, 9, 10, 11, 12, 13, 15, 19, 20, 21, 23, 28, 35, 56, 115, 123, 139, 283),
    *(36, 364),
)
"""Together these files have all nodes; `python -m tests.secrets.generated forms` finds such."""
WRITTEN = (
    *SEEDS,
    *(7, 8, 17, 18, 22, 26, 27, 39, 43, 51, 63, 67, 68, 80, 116, 128, 155, 163, 264, 268, 296),
    *(336, 907, 999, 1504, 2920, 2931),
)
"""Together these files have all forms of the grammar."""
NOT_WRITTEN = {
    **dict.fromkeys(("named_late", "walk_over"), "an older form of another"),
    "silently_common": "is refused, with the form that is meant",
}
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
    "exempt from": "the guard is then written below the other alternatives only",
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
    assert can_be_declared() - declared(WRITTEN) == NOT_DECLARED.keys()


@pytest.mark.full
def test_every_form_of_the_grammar_is_in_some_file() -> None:
    found = set[str]().union(*map(grammar_forms, WRITTEN))
    assert can_be_written() - found == NOT_WRITTEN.keys()


def test_no_two_extensions_declare_the_same_name() -> None:
    texts = {TABLE, *(text for each in EXTENSIONS for text in each.table.values())}
    tables = [yaml.safe_load(text) for text in texts if text != TABLE]
    names = Counter(name for each in [*tables, *yaml.safe_load(TABLE).values()] for name in each)
    assert [name for name, times in names.items() if times > 1] == []
