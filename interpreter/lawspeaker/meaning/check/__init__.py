"""Rulebook to program: names, types, visibility, totals; what cannot be right is said here.

`program` is the way in; `named` only asks what has a name. `declare` and `clauses` read the
declarations into a `world`; `expressions`, `chains`, `statements` and `questions` check code;
`functions` are the defined values; `privacy` and `bounds` answer two questions about expressions,
and `secrets` holds what is asked against the first; `completeness` looks at the whole when all is
read.
"""

from lawspeaker.meaning.check.program import named, program

__all__ = ["named", "program"]
