"""English."""

PHRASES = {
    "word.none": "none",
    "word.nothing": "nothing",
    "word.pass": "pass",
    "word.yes": "yes",
    "word.no": "no",
    "points": "points",
    "you": "you",
    "story.scores": "scores {points} ({reason})",
    "story.loses": "loses {points} ({reason})",
    "story.move": "{what}, {origin} → {to}",
    "story.marker": "{name}: {value}",
    "story.shuffled": "{place}: shuffled",
    "story.luck": "luck: {value}",
    "story.end": "The game is over.",
    "story.won": "The game is over. Winner: {names}",
}
