"""French."""

PHRASES = {
    "word.none": "rien",
    "word.nothing": "rien",
    "word.pass": "passer",
    "word.yes": "oui",
    "word.no": "non",
    "points": "points",
    "you": "toi",
    "story.scores": "marque {points} ({reason})",
    "story.loses": "perd {points} ({reason})",
    "story.move": "{what}, {origin} → {to}",
    "story.marker": "{name} : {value}",
    "story.shuffled": "{place} : mélange",
    "story.luck": "hasard : {value}",
    "story.end": "La partie est finie.",
    "story.won": "La partie est finie. Vainqueur : {names}",
}
