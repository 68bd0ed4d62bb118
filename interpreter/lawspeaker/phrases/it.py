"""Italian."""

PHRASES = {
    "word.none": "niente",
    "word.nothing": "niente",
    "word.pass": "passare",
    "word.yes": "sì",
    "word.no": "no",
    "points": "punti",
    "you": "tu",
    "story.scores": "segna {points} ({reason})",
    "story.loses": "perde {points} ({reason})",
    "story.move": "{what}, {origin} → {to}",
    "story.marker": "{name}: {value}",
    "story.shuffled": "{place}: mescolato",
    "story.luck": "caso: {value}",
    "story.end": "La partita è finita.",
    "story.won": "La partita è finita. Vince: {names}",
}
