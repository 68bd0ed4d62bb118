"""Information-flow analysis of the typed program: no rule may leak what is hidden.

A seat may be told only what depends on what it may know. Every value carries a label, the hidden
sources it was computed from. Labels propagate through names, arguments, branches and loops, until a
rule declassifies them by telling.

    sources            hidden sources, labels, and their translation between clause and caller
    state              the abstract state at a point of a clause: labels of names, path conditions
    expression_labels  the label of an expression
    sinks              sinks: who sees a value, and the diagnostic if he must not
    moves              moves of pieces
    question_flow      questions
    alike              effects that look the same on two branches, so that neither declassifies
    statements         all other statements, branches, loops, calls
    summaries          summaries: what a clause requires of its callers
    ranges             interval analysis: which expressions can fault
    initial_pieces     pieces that are certainly still where they start
    driver             the driver: all clauses, callees first
"""

from lawspeaker.meaning.secrets.driver import check_secrets, disclosures, is_hidden_value
from lawspeaker.meaning.secrets.summaries import Disclosure

__all__ = ["Disclosure", "check_secrets", "disclosures", "is_hidden_value"]
