"""Keys of information sets: equal for situations that a seat cannot tell apart.

With open information the position is enough. Otherwise the key includes the events since the
first choice (perfect recall): the same position may mean something else after different choices.
Earlier deals show in the position. Visibly forced answers count as choices, since tables differ
in whether they ask for them.
"""

from __future__ import annotations

from hashlib import blake2b
from itertools import dropwhile

from lawspeaker.match.view import View

Plan = dict[str, dict[str, float]]
"""Strategy: by information set, the probability of each option, by its text."""


def information_set_hash(view: View, *, all_open: bool) -> str:
    """Hash of the information set of a view."""
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
