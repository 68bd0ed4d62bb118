"""Rulebook to program: names, types, visibility, totals; what cannot be right is said here.

`program` is the way in. It does two things that an editor asks for one after the other:
`understood` gives what is known of names and types (`meanings`), `weighed` looks at costs and
secrets. `named` only asks what has a name, `holes` what could stand in code that is still to be
written. `declare`
and `clauses` read the declarations into a `world`; `expressions`, `chains`, `statements` and
`questions` check code; `functions` are the defined values; `bounds` knows between which ends a
number lies; `completeness` looks at the whole when all is read, and `work` at what it can cost.
Whether it keeps its secrets is the business of the next stage, `meaning/secrets`.
"""

from lawspeaker.meaning.check.program import holes, named, program, understood, weighed

__all__ = ["holes", "named", "program", "understood", "weighed"]
