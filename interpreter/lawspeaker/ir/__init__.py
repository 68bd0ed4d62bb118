"""The typed program: what the text of a game means, and nothing of how it was written.

This is the waist of the project. Left of it nothing runs; right of it nothing knows YAML,
grammar or variants. A program needs no heap: every set is finite, every frame has a fixed
number of slots, every place a fixed index once the number of players is known.

Values at run time (see `types`): integers, truths, None for `nothing`, tuples for sets.
  player   its seat, 0 first          word   its index in its set
  kind     its index in its piece     piece  its number in the layout
  place    its number in the layout   set    a tuple, in the order it is listed

Every expression knows its type. Every clause and every guard knows its sentence and its
citations; events and refusals point to them by number.

Expressions have no effect, except that a binder leaves what it found in its slot: after
`there is a card in hand` is true, the slot holds that card.
"""

from lawspeaker.ir.expressions import *  # noqa: F403
from lawspeaker.ir.program import *  # noqa: F403
from lawspeaker.ir.statements import *  # noqa: F403
from lawspeaker.ir.texts import *  # noqa: F403
