"""French."""

PHRASES = {
    "word.none": "rien",
    "word.nothing": "rien",
    "word.pass": "passer",
    "word.yes": "oui",
    "word.no": "non",
}
