"""What a seat knows when it is asked, as a text: equal for situations that it cannot tell apart.

Where nothing is hidden the position says it all, however it came about. Elsewhere a seat remembers
besides what it saw since somebody first had a choice: after other bets the same cards mean
something else. What was dealt before shows in the position. What everyone could see to be forced
counts as if it had been chosen, since tables differ in whether they ask for it.
"""

from __future__ import annotations

from hashlib import blake2b
from itertools import dropwhile

from lawspeaker.match.view import View

Plan = dict[str, dict[str, float]]
"""By what a seat knows, with which probability it takes each option, by its text."""


def known(view: View, *, all_open: bool) -> str:
    """What the seat of a view knows, as a short print of the text."""
    text = repr((_position(view), () if all_open else _past(view)))
    return blake2b(text.encode(), digest_size=8).hexdigest()


def _position(view: View) -> object:
    table = (sorted(view.contents.items()), sorted(view.loose.items()), sorted(view.states.items()))
    return (view.seat, *table, view.markers, view.past, view.scores, view.stack, view.reply)


def _past(view: View) -> object:
    events = dropwhile(lambda event: event.kind != "choose", view.events)
    return [
        (event.clause, "choose" if event.kind == "forced" else event.kind, event.seat, event.data)
        for event in events
    ]
