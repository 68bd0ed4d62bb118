"""What a table must agree on before it is done.

Two things concern others than the one who wants them:

    undo    going back further than is fair (see `lawspeaker.undo`): all other people at the table
            must agree, also those who are away
    bot     letting a bot play for somebody who is away: those people must agree who are here

There is one open proposal at a time. It is dropped when somebody declines, when its proposer
proposes something else, or when the game goes on. Proposals are not stored.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Proposal:
    """`by` are the seats of who proposes it, `needs` those whose people must agree.

    `seat` is whose reply is taken back, or who is replaced by the bot `strength`.
    """

    kind: str
    by: frozenset[int]
    seat: int
    needs: frozenset[int]
    strength: str = ""
    agreed: set[int] = field(default_factory=set)

    @property
    def passed(self) -> bool:
        return self.needs <= self.agreed
