"""Whether a player can know what another one cannot: if not, all may look at the same screen."""

from __future__ import annotations

from lawspeaker.ir.program import Program, SeenBy
from lawspeaker.ir.statements import Ask
from lawspeaker.ir.walk import code_of, everything

OPEN = ("everyone", "nobody")


def keeps_secrets(program: Program) -> bool:
    """Whether something is for some to see and not for others, or is answered in secret. What
    nobody sees is no secret between players."""
    seen: list[SeenBy] = [each.seen_by for each in program.markers]
    for family in program.families:
        # What was seen before it came to where nobody sees it may still be known to some.
        seen += [family.seen_by, family.count_seen_by, family.top_seen_by]
        if family.stays_known:
            return True
    if any(each not in OPEN for each in seen):
        return True
    return any(
        isinstance(node, Ask) and node.each is not None
        for code in code_of(program)
        for node in everything(code)
    )
