"""Words for what rule files call by short names."""

STANCES = {
    "states": "states",
    "implies": "implies",
    "silent": "silent",
    "says_otherwise": "says otherwise",
    "contradicts_itself": "contradicts itself",
    "our_ruling": "our ruling",
}
"""What a book does about a rule, in a word or two."""
