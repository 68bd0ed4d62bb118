"""Italian."""

PHRASES = {
    "word.none": "niente",
    "word.nothing": "niente",
    "word.pass": "passare",
    "word.yes": "sì",
    "word.no": "no",
}
