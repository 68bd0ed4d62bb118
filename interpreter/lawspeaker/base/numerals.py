"""Number words of the languages whose sentences are read: `three`, `drei`, `tre`, `trois`.

Words are folded, that is without accents. A number word that is also an article (`ein`, `une`) is
left out.
"""

from __future__ import annotations

_SMALL = {
    "en": "zero - two three four five six seven eight nine ten eleven twelve",
    "de": "null - zwei drei vier funf sechs sieben acht neun zehn elf zwolf",
    "fr": "zero - deux trois quatre cinq six sept huit neuf dix onze douze",
    "it": "zero - due tre quattro cinque sei sette otto nove dieci undici dodici",
}
_MORE = {
    "en": {"both": 2, "twice": 2, "thirteen": 13, "fourteen": 14, "fifteen": 15, "twenty": 20},
    "de": {
        "zweimal": 2,
        "dreimal": 3,
        "viermal": 4,
        "funfmal": 5,
        "achtmal": 8,
        "beide": 2,
        "beiden": 2,
        "funfzehn": 15,
        "zwanzig": 20,
        "dreissig": 30,
    },
    "fr": {"quinze": 15, "seize": 16, "vingt": 20, "trente": 30},
    "it": {"entrambi": 2, "entrambe": 2, "quindici": 15, "venti": 20, "trenta": 30},
}
VALUES = {
    language: {word: value for value, word in enumerate(words.split()) if word != "-"}
    | _MORE[language]
    for language, words in _SMALL.items()
}
"""The values of number words, by language."""
