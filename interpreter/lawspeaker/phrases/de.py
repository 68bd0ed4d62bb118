"""German."""

PHRASES = {
    "word.none": "nichts",
    "word.nothing": "nichts",
    "word.pass": "passen",
    "word.yes": "ja",
    "word.no": "nein",
    "points": "Punkte",
    "you": "du",
    "story.scores": "erhält {points} ({reason})",
    "story.loses": "verliert {points} ({reason})",
    "story.move": "{what}, {origin} → {to}",
    "story.marker": "{name}: {value}",
    "story.shuffled": "{place}: gemischt",
    "story.luck": "Zufall: {value}",
    "story.end": "Das Spiel ist aus.",
    "story.won": "Das Spiel ist aus. Gewonnen: {names}",
}
