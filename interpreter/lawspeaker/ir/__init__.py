"""The IR: the typed program, independent of the text it was written in.

This is the interface between front end and back ends. The front end never runs a program; the back
ends know nothing of YAML, grammar or variants. A program needs no heap: every set is finite, every
frame has a fixed number of slots, every place a fixed index once the number of players is known.

Values at run time (see `types`): integers, truths, None for `nothing`, tuples for sets.
  player   its seat, 0 first          word   its index in its set
  kind     its index in its piece     piece  its number in the layout
  place    its number in the layout   set    a tuple, in the order it is listed

Every expression has a type. Every clause and every guard has its sentence and its citations; events
and refusals refer to them by number.

Expressions have no side effects, except that a binder leaves the member it found in its slot: after
`there is a card in hand` is true, the slot holds that card.
"""

from lawspeaker.ir.expressions import *  # noqa: F403
from lawspeaker.ir.notation import *  # noqa: F403
from lawspeaker.ir.program import *  # noqa: F403
from lawspeaker.ir.statements import *  # noqa: F403
from lawspeaker.ir.texts import *  # noqa: F403
from lawspeaker.ir.types import *  # noqa: F403
