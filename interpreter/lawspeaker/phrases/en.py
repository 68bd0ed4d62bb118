"""English."""

PHRASES = {
    "word.none": "none",
    "word.nothing": "nothing",
    "word.pass": "pass",
    "word.yes": "yes",
    "word.no": "no",
}
