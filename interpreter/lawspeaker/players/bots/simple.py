"""The bot protocol, and the random bot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from lawspeaker.position.rng import RngFactory

if TYPE_CHECKING:
    from lawspeaker.match.decision import Option
    from lawspeaker.match.view import View


class Bot(Protocol):
    """Protocol of bots."""

    name: str

    def choose(self, view: View) -> Option:
        """Chooses one of the options offered to the view's seat."""
        ...


def options_of(view: View) -> Sequence[Option]:
    """The options of a view's seat; raises ValueError if it is not asked."""
    if view.decision is None:
        raise ValueError("this seat is not asked anything")
    return view.decision.options


class RandomBot:
    """Chooses uniformly at random."""

    name = "random"

    def __init__(self, seed: int) -> None:
        self.luck = RngFactory(seed).stream("random")

    def choose(self, view: View) -> Option:
        return self.pick(options_of(view))

    def pick(self, options: Sequence[Option]) -> Option:
        return self.luck.choose(options)
