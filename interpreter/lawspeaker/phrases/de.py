"""German."""

PHRASES = {
    "word.none": "nichts",
    "word.nothing": "nichts",
    "word.pass": "passen",
    "word.yes": "ja",
    "word.no": "nein",
}
