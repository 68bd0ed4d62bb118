"""Text of a clause to its tree.

`parser` parses the code of a clause where it stands in its file and says what is wrong with it;
`lines` says which lines go on and what is indented, `language` is the grammar (grammar.lark) made
ready, and `trees` builds the nodes of `syntax`.
"""

from lawspeaker.text.parse.language import deeds, grammar, reserved_words
from lawspeaker.text.parse.parser import accepted, header, offers, readable, rule, value

__all__ = [
    "accepted",
    "deeds",
    "grammar",
    "header",
    "offers",
    "readable",
    "reserved_words",
    "rule",
    "value",
]
