"""The checker: name resolution, type checking and whole-program checks, rulebook to typed program.

`program` is the entry point. Its two halves are also available to an editor: `understood` resolves
names and types (`meanings`), `with_costs_and_secrets` checks costs and secrets. `named` lists what
needs a name; `holes` tells what could stand in incomplete code.

`declare` and `clauses` read declarations into a `world`, the symbol table. `expressions`, `chains`,
`statements` and `questions` check code; `functions` the defined values. `bounds` is interval
arithmetic over declared ranges; `completeness` checks the whole program, and `work` its costs.
Whether it keeps its secrets is checked by the next stage, `meaning/secrets`.
"""

from lawspeaker.meaning.check.program import (
    holes,
    named,
    program,
    understood,
    with_costs_and_secrets,
)

__all__ = ["holes", "named", "program", "understood", "with_costs_and_secrets"]
