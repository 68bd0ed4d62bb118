"""What is said of faults, in the same words by every machine."""

from __future__ import annotations

from lawspeaker.ir.bounds import LONGEST
from lawspeaker.ir.cost import MOST_OPTIONS

TOO_LONG = "takes too many steps"
TOO_MANY_OPTIONS = f"offers more than {MOST_OPTIONS} options"
TOO_WIDE = f"a range of more than {LONGEST} numbers"
TOO_MANY_NUMBERS = f"a set of more than {LONGEST} numbers"
