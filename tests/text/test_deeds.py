"""The words with which a line of code begins: a message that lists them must know them all."""

from __future__ import annotations

from lawspeaker.text.parse import grammar
from lawspeaker.text.parse.mistakes import DEEDS

NO_DEEDS = frozenset({"nobody", "each"})
"""These begin a sentence about players, as a name would."""


def beginnings() -> set[str]:
    """The keywords with which a statement of the grammar begins."""
    parser = grammar()
    keywords = {each.name: str(each.pattern.value) for each in parser.terminals}
    inside: dict[str, list[str]] = {}
    for rule in parser.rules:
        inside.setdefault(rule.origin.name, []).append(rule.expansion[0].name)
    found: set[str] = set()
    seen = {"expr"}
    waiting = ["simple", "compound"]
    while waiting:
        name = waiting.pop()
        if name in keywords:
            found.add(keywords[name])
        elif name not in seen:
            seen.add(name)
            waiting += inside[name]
    return found


def test_every_statement_begins_with_a_word_that_messages_know() -> None:
    assert beginnings() - NO_DEEDS == set(DEEDS)
