"""The parser of code: from the text of a clause to its syntax tree.

`parser` parses the code of a clause in place in its file and reports syntax errors; `lines` handles
line continuation and indentation, `language` loads the grammar (grammar.lark), and `trees` builds
the nodes of `syntax`.
"""

from lawspeaker.text.parse.language import grammar, reserved_words, statements
from lawspeaker.text.parse.parser import accepted, header, offers, readable, rule, value

__all__ = [
    "accepted",
    "grammar",
    "header",
    "offers",
    "readable",
    "reserved_words",
    "rule",
    "statements",
    "value",
]
