"""Answers natural-language questions by ranked retrieval of rules.

    two cards for one man  ->  Buying men back for cards and points

Unlike in `searching`, a match may be partial; the best match comes first:

1. The question becomes terms: its words without stop words, and its numbers by value. An unknown
   German compound is split into known words.
2. A term matches a rule by its stem (Snowball, per language), by a synonym (the books' words,
   translations, and general vocabulary of players), or, if it matches nowhere, by the closest
   spellings.
3. A rule has fields: titles, the books' words for it, sentences, headings, remarks, sentences of
   books. A term scores by the best field that has it, the title most, times its inverse document
   frequency. A title that says little else scores more.
4. A term that matches no rule counts as if it were in one. If the best rule covers less than
   `ENOUGH` of the question, or only one of several words which is not in its title, there is no
   answer.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cache
from math import inf, log

import snowballstemmer

from lawspeaker.base.numerals import VALUES
from lawspeaker.base.phrases import LANGUAGES, phrases_of
from lawspeaker.study.alignment.words import NUMBER
from lawspeaker.study.compare.comparison import Comparison
from lawspeaker.study.compare.differences import Difference
from lawspeaker.study.compare.points import CALLED, Point, texts_of
from lawspeaker.study.compare.rows import Row
from lawspeaker.study.compare.terms import Terms
from lawspeaker.study.sources.quoting import BookTexts
from lawspeaker.text.books.fingerprint import folded, normalised

TITLE, CALLS, SAYS, HEADING, NOTE, QUOTE = "title", "calls", "says", "heading", "note", "quote"
WEIGHTS = {TITLE: 1.0, CALLS: 0.8, SAYS: 0.55, HEADING: 0.3, NOTE: 0.3, QUOTE: 0.3}
WHOLE_TITLE = 0.5
"""Bonus of a term that makes up a whole title."""
EXACT, OTHER_WORD, PART, LIKE = 1.0, 0.8, 0.7, 0.75
"""Match qualities: same stem, synonym, part of a compound, similar spelling."""
ENOUGH = 0.45
MOST = 5
"""Maximum number of rules shown in full."""
OTHER_LANGUAGE = 0.6
"""Weight of a word interpreted in another language than the question's."""
APART = 0.6
"""Weight of a multi-word name whose words are not adjacent."""
IN_TITLE = 0.5
"""Bonus of a rule whose title has all terms."""
ASKING = ("who", "when", "where", "many")
"""Interrogatives that also occur in titles: who begins, how many cards."""
ASKING_SAYS = 0.3
NUMBER_SAYS = 0.2
"""Weight of numbers, which are seldom those in the rules."""
ORDER_SAYS = 0.5
BARE = 0.6
"""Weight of mere declarations of places and words."""
_BARE = ("places", "markers", "words", "numbers")
CLOSE_SPELLING = 0.8
CLOSE = 0.7
"""Rules below this fraction of the best score are only named."""
LEAST_FIRST, LEAST_PART, LEAST_TYPED = 3, 4, 5
_SNOWBALL = {"en": "english", "de": "german", "it": "italian", "fr": "french"}
Stem = tuple[str, str]
"""Language and stem; numbers have no language."""
Group = list[tuple[str, tuple[str, ...]]]
"""Synonyms, each with its language."""
Way = tuple[tuple[Stem, ...], float]
"""A set of stems that together stand for a word, with the match quality."""
Place = tuple[int, str]
"""Row number and field."""


@dataclass(frozen=True, slots=True)
class ScoredMatch:
    """A match with its score, and the matched words of the question, each with the word it
    matched by if different.
    """

    each: Difference | Row
    score: float
    words: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """Matches, best first, and the words of the question that no rule has."""

    found: tuple[ScoredMatch, ...]
    unknown: tuple[str, ...] = ()
    terms: int = 1

    @property
    def told(self) -> tuple[ScoredMatch, ...]:
        """The matches to show in full: all for a single word, else those close to the best."""
        if self.terms < 2:
            return self.found
        best = max((each.score for each in self.found if each.words), default=0.0)
        return tuple(each for each in self.found if each.score >= CLOSE * best)[:MOST]


def ask(question: str, comparison: Comparison, shelf: BookTexts | None = None) -> Answer:
    """Answers a question by ranked rules."""
    return Index(comparison, shelf).ask(question)


@dataclass(frozen=True, slots=True, eq=False)
class _Term:
    """A term of a question, with its postings: match quality and matched word by row.

    `says` is its weight. `guessed`: it matches by similar spelling only.
    """

    word: str
    rows: Mapping[int, tuple[float, str]]
    places: Collection[Place] = ()
    says: float = 1.0
    guessed: bool = False


class Index:
    """Inverted index of the stems of all rules, by field."""

    def __init__(self, comparison: Comparison, shelf: BookTexts | None = None) -> None:
        terms = comparison.table.terms
        self.language = comparison.table.language
        self.rows = [row for row in comparison.table.rows if row.sort not in CALLED]
        self.whole = {row.id: each for each in comparison.differences for row in each.rows}
        self.vocabulary: dict[str, set[str]] = {language: set() for language in LANGUAGES}
        self.places: dict[Stem, dict[Place, tuple[str, float]]] = {}
        self.titles = [0] * len(self.rows)
        texts = [
            ((at, field), spoken, text)
            for at, row in enumerate(self.rows)
            for field, language, text in dict.fromkeys(_texts(row, terms, shelf, self.language))
            for spoken in ((language,) if language else LANGUAGES)
        ]
        for _, language, text in texts:
            self.vocabulary[language].update(_words(text))
        self.known = frozenset(self.vocabulary["de"])
        for place, language, text in texts:
            self._enter(text, language, place)
        self.alike: list[Group] = [
            [
                (spoken, tuple(_words(text)))
                for language, text in own
                # A word whose language is unknown may be of any.
                for spoken in ((language,) if language else LANGUAGES)
            ]
            for own in (*_of_books(comparison), *_of_players())
        ]
        self.general = self.alike[-len(_of_players()) :]

    def _enter(self, text: str, language: str, place: Place) -> None:
        words = _words(text)
        if place[1] == TITLE:
            meant = [word for word in words if folded(word) not in _stops(language)]
            shortest = self.titles[place[0]] or len(meant)
            self.titles[place[0]] = min(shortest, len(meant))
        for word in words:
            ways = [(word, EXACT)]
            if language == "de":
                ways += [(part, PART) for part in _split(word, self.known)]
            for each, well in ways:
                for stem in stems(each, language):
                    own = self.places.setdefault(stem, {})
                    if place not in own or own[place][1] < well:
                        own[place] = word, well

    def ask(self, question: str) -> Answer:
        """Answers a question by ranked rules."""
        terms = self.terms_of(question)
        weights = {term: self.rarity(term) for term in terms}
        asked = sum(weights.values())
        best: dict[str, ScoredMatch] = {}
        named: dict[str, ScoredMatch] = {}
        for at, row in enumerate(self.rows):
            each = self.whole.get(row.id, row)
            if f"{row.id}.".startswith(f"{question}."):  # the id of a rule, or of one above it
                named.setdefault(each.id, ScoredMatch(each, inf, ()))
                continue
            having = [term for term in terms if at in term.rows]
            covered = sum(weights[term] for term in having)
            if not having or covered < ENOUGH * asked:
                continue
            if len(terms) > 1 and all(term.guessed for term in having):
                continue
            if len(having) == 1 < len(terms) and (at, TITLE) not in having[0].places:
                continue
            score = sum(weights[term] * term.rows[at][0] for term in having) * covered / asked
            titled = sum(weights[term] for term in having if (at, TITLE) in term.places)
            score *= 1.0 + IN_TITLE * titled / asked
            score *= BARE if row.sort in _BARE and row.id not in self.whole else 1.0
            score *= 1.0 + 1e-6 * (row.id == each.id)  # tie-break: the representative row
            if each.id not in best or best[each.id].score < score:
                words = tuple((term.word, term.rows[at][1]) for term in having)
                best[each.id] = ScoredMatch(each, score, words)
        ranked = sorted(best.values(), key=lambda one: -one.score)
        found = [*named.values(), *(one for one in ranked if one.each.id not in named)]
        return Answer(tuple(found), tuple(term.word for term in terms if not term.rows), len(terms))

    def rarity(self, term: _Term) -> float:
        """Weight of a term: inverse document frequency."""
        speaking = sum(weight for weight, _ in term.rows.values())
        return term.says * log(1 + len(self.rows) / (1 + speaking))

    # ------------------------------------------------------------ questions

    def terms_of(self, question: str) -> list[_Term]:
        """Parses a question into terms with postings."""
        asked = list(dict.fromkeys(_words(question)))
        language = self._language_of(asked)
        wanted = [word for word in asked if folded(word) not in _stops(language)]
        found: list[_Term] = []
        for word in wanted or asked:
            term = self._term(word, language)
            if not term.rows:
                parts = _split(word, self.known)
                if parts:
                    found += [self._term(part, language, PART) for part in parts]
                    continue
                term = self._typed(word)
            found.append(term)
        return [*self._phrases(asked, found), *self._asking(asked)]

    def _asking(self, asked: Collection[str]) -> Iterator[_Term]:
        """Interrogative terms (who, when, where) that match titles."""
        for key in ASKING:
            words = [(at, word) for at in LANGUAGES for word in _said_as(f"ask.{key}", at)]
            own = next((word for _, word in words if word in asked), "")
            ways = [((stem,), 1.0) for at, word in words for stem in stems(word, at)]
            term = self._found(own, ways) if own else _Term("", {})
            titles = {place for place in term.places if place[1] == TITLE}
            if titles:
                yield _Term(own, {at: (1.0, "") for at, _ in titles}, titles, ASKING_SAYS)

    def _language_of(self, words: Collection[str]) -> str:
        """Detects the language of a question by stop words; defaults to that of the answer."""
        counts = {each: sum(folded(word) in _stops(each) for word in words) for each in LANGUAGES}
        best = max(counts.values())
        likely = [each for each in LANGUAGES if counts[each] == best]
        return self.language if self.language in likely else likely[0]

    def _term(self, word: str, language: str, well: float = EXACT) -> _Term:
        """Looks up a word by stem and by synonyms."""
        spoken = set(stems(word, language))
        ways: list[Way] = [((stem,), well) for stem in spoken]
        for group in self._groups(spoken):
            ways += _ways(group, OTHER_WORD * well)
            # Synonyms may chain over one step: ship, boat, and so dragon.
            others = {
                stem for at, words in group if len(words) == 1 for stem in stems(words[0], at)
            }
            for further in self._groups(others) if group in self.general else ():
                ways += _ways(further, OTHER_WORD * OTHER_WORD * well)
        if not any(stem in self.places for way, _ in ways for stem in way):
            also = {stem for each in LANGUAGES for stem in stems(word, each)}
            ways = [((stem,), OTHER_LANGUAGE * well) for stem in also]
            for group in self._groups(also):
                ways += _ways(group, OTHER_LANGUAGE * OTHER_WORD * well)
        if word.isdigit() or _value(folded(word)) is not None:
            return self._found(word, ways, NUMBER_SAYS)
        order = any(folded(word) in map(folded, _said_as("find.second", at)) for at in LANGUAGES)
        return self._found(word, ways, ORDER_SAYS if order else 1.0)

    def _groups(self, wanted: set[Stem]) -> list[Group]:
        """Synonym groups with one of these stems."""
        return [
            group
            for group in self.alike
            if any(len(words) == 1 and wanted & set(stems(words[0], at)) for at, words in group)
        ]

    def _typed(self, word: str) -> _Term:
        """Looks up a word that matches nowhere, by similar spelling."""
        if len(word) < LEAST_TYPED or word.isdigit():
            return _Term(word, {})
        known = {folded(each): each for own in self.vocabulary.values() for each in own}
        like = get_close_matches(folded(word), known, n=3, cutoff=CLOSE_SPELLING)
        ways = [
            ((stem,), LIKE)
            for each in like
            for language in LANGUAGES
            for stem in stems(known[each], language)
        ]
        return replace(self._found(word, ways), guessed=True)

    def _phrases(self, asked: Sequence[str], found: list[_Term]) -> list[_Term]:
        """Replaces adjacent words that are a known phrase (`ex aequo`, `how many`)."""
        whole = f" {' '.join(folded(word) for word in asked)} "
        for group in self.alike:
            said = {" ".join(map(folded, words)) for _, words in group if len(words) > 1}
            for text in sorted(said):
                if f" {text} " not in whole:
                    continue
                term = self._found(text, _ways(group, OTHER_WORD))
                if term.rows:
                    found = [each for each in found if folded(each.word) not in text.split()]
                    found.append(term)
                    break
        return found

    def _found(self, word: str, ways: Iterable[Way], says: float = 1.0) -> _Term:
        """Collects postings of a word over all its alternatives."""
        found: dict[int, tuple[float, str]] = {}
        places: set[Place] = set()
        for way, well in dict.fromkeys(ways):
            own = [self.places.get(stem, {}) for stem in way]
            for place in own[0]:
                if not all(place in each for each in own[1:]):
                    continue
                at, field = place
                places.add(place)
                weight = WEIGHTS[field] * well * min(each[place][1] for each in own)
                weight *= 1.0 if len(way) == 1 else APART
                if field == TITLE:
                    weight *= 1 + WHOLE_TITLE * len(way) / max(len(way), self.titles[at])
                if at not in found or weight > found[at][0]:
                    by = " ".join(each[place][0] for each in own)
                    found[at] = weight, "" if folded(by) == folded(word) else by
        return _Term(word, found, places, says)


def _ways(group: Iterable[tuple[str, tuple[str, ...]]], well: float) -> list[Way]:
    """The stems of synonyms."""
    return [(tuple(stems(word, language)[0] for word in words), well) for language, words in group]


# ---------------------------------------------------------------- words


@cache
def stems(word: str, language: str) -> tuple[Stem, ...]:
    """Stems of a word, with and without accents, which many users omit."""
    value = _value(word) if language in VALUES else None
    if word.isdigit() or value is not None:
        return (("", f"{NUMBER}{int(word) if word.isdigit() else value}"),)
    stemmer = _stemmer(language)
    plain = folded(word)
    found = [folded(stemmer.stemWord(word)), stemmer.stemWord(plain)]
    if language == "de" and plain.endswith("t") and len(plain) > LEAST_PART:
        found.append(stemmer.stemWord(plain[:-1]))  # `landet`, `landen`; the stemmer keeps the t
    return tuple((language, each) for each in dict.fromkeys(found))


@cache
def _stemmer(language: str) -> snowballstemmer.stemmer:
    return snowballstemmer.stemmer(_SNOWBALL[language])


def _value(word: str) -> int | None:
    return next((own[word] for own in VALUES.values() if word in own), None)


def _words(text: str) -> list[str]:
    """Tokenises a text into lower-case words and numbers."""
    return re.findall(r"\d+|[^\W\d_]+", normalised(text.replace("'", " ").replace("’", " ")))


@cache
def _split(word: str, known: frozenset[str]) -> tuple[str, ...]:
    """Splits a compound: returns its known last part, and the first if that is known, too."""
    for at in range(LEAST_FIRST, len(word) - LEAST_PART + 1):
        first, last = word[:at], word[at:]
        begins = (first.removesuffix(joint) for joint in ("", "s", "es", "n", "en", "e"))
        begin = next((each for each in begins if len(each) > LEAST_PART and each in known), "")
        if last in known and (begin or len(last) > LEAST_PART):
            return (begin, last) if begin else (last,)
    return ()


@cache
def _stops(language: str) -> frozenset[str]:
    """Stop words of a language."""
    return frozenset(_words(folded(phrases_of("find", language)["ask.stop"])))


def _said_as(key: str, language: str) -> list[str]:
    return [text.strip() for text in phrases_of("find", language)[key].split(",")]


def _of_books(comparison: Comparison) -> list[list[tuple[str, str]]]:
    """Synonyms from the books' glossaries, with languages where known."""
    spoken = [column.language for column in comparison.table.columns]
    return [
        [
            *(("", name) for name in (each.name, *each.names) if name),
            *(
                (language if language in LANGUAGES else "", word)
                for language, words in zip(spoken, each.words, strict=True)
                for word in words
            ),
        ]
        for each in comparison.table.terms.each
    ]


def _of_players() -> list[list[tuple[str, str]]]:
    """Synonyms from general vocabulary of players."""
    return [
        [(language, text) for language in LANGUAGES for text in _said_as(key, language)]
        for key in phrases_of("find", "en")
        if key.startswith("find.")
    ]


# ---------------------------------------------------------------- texts


def _texts(
    row: Row, terms: Terms, shelf: BookTexts | None, language: str
) -> Iterator[tuple[str, str, str]]:
    """Yields the texts of a rule: field, language if known, and text."""
    yield TITLE, language, row.title
    for thing in (row.id, row.id.partition(".")[2]):
        for said in terms.said_of(thing):
            yield CALLS, "", said
    yield CALLS, "en", row.id.replace(".", " ").replace("_", " ")
    for cell in row.cells:
        yield SAYS, language, cell.does
        if cell.point is not None:
            yield from _said(cell.point)
        for cite in cell.cites:
            yield HEADING, "", cite.section
            for spoken, note in cite.note.items():
                yield NOTE, spoken, note
        if shelf is not None:
            for quote in shelf.quotes(cell.cites):
                yield QUOTE, "", quote.text


def _said(point: Point) -> Iterator[tuple[str, str, str]]:
    for language, text in point.title.items():
        yield TITLE, language, text
    if isinstance(point.words, dict):
        for texts in point.words.values():
            for language, text in texts.items():
                yield SAYS, language, text
    for change in point.changes:
        for language, text in texts_of(change.get("because")).items():
            yield NOTE, language, text
