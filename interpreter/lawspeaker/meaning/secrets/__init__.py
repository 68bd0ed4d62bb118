"""What is hidden stays hidden: an information-flow analysis over the typed program.

What a seat is told depends only on what it may know. Whatever a rule takes from something hidden
stays hidden, through names, arguments, branches and loops, until a rule says that it is made known.

    sources     hidden things, labels made of them, and how they are told from inside a clause
    state       what names carry at a point of a clause, and what led there
    looking     what an expression is taken from
    seeing      who sees it, and what is said if he must not
    moving      pieces that move
    asking      questions
    deeds       everything else that is done, branches, loops, other clauses
    needs       what a clause demands of those who do it
    stage       all clauses, each after those it does
"""

from lawspeaker.meaning.secrets.needs import Telling
from lawspeaker.meaning.secrets.stage import kept, looks_into_hiding, made_known

__all__ = ["Telling", "kept", "looks_into_hiding", "made_known"]
