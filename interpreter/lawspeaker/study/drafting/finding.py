"""Heuristics that find players, components and rule-like sentences in a book.

    For 2 to 4 players.                 ->  players 2 to 4
    - 12 uniforms, three each …         ->  12 uniforms
    Draw a card.                        ->  a rule-like sentence

A component is a number and a noun under a heading such as `In the box`. A sentence is rule-like
if it has a number, a word such as `may` or `each`, or begins with an imperative. All others are
left to a person.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from lawspeaker.base.numerals import VALUES
from lawspeaker.study.alignment.words import NUMBER, tokens
from lawspeaker.text.books.fingerprint import folded
from lawspeaker.text.books.outline import Heading, Sentence, Text

MOST_PLAYERS = 20
MOST_PIECES = 500
EARLY = 15
"""Number of leading sentences that are searched for the number of players."""
LONGEST_NOUN = 4

_PLAYERS = frozenset(
    "player players people persons spieler spielern spielerinnen personen mitspieler "
    "giocatore giocatori giocatrici persone persona joueur joueurs joueuses personnes".split()
)
_TO = frozenset("to or and bis oder und a o e et ou".split())
_BOX = re.compile(
    r"\b(?:box|components?|contents?|equipment|materials?|\w*inhalt|\w*material|schachtel|"
    r"contenuto|componenti|materiali?|scatola|contenu|materiel|boite)\b"
)
_EXAMPLE = re.compile(r"(?:for )?example|(?:zum )?beispiel|(?:ad |per )?esempio|(?:par )?exemple")
_RULE_WORDS = frozenset(
    # what may, must and cannot be
    "may must can cannot never always only instead unless except if when whenever once until "
    "each every everybody everyone whoever nobody then after before exactly otherwise "
    "darf durfen muss mussen kann konnen darfst musst kannst nie niemals immer nur statt ausser "
    "wenn falls sobald solange bis jeder jede jedes wer niemand dann danach nachdem bevor sonst "
    "genau stattdessen "
    "puo possono deve devono puoi devi mai sempre solo invece tranne se quando appena finche ogni "
    "ognuno ciascuno chi nessuno poi dopo prima altrimenti esattamente "
    "peut peuvent doit doivent peux dois jamais toujours seulement lieu sauf si quand lorsque "
    "tant chaque chacun celui celle quiconque personne puis ensuite apres avant sinon exactement "
    # what comes in which order
    "first firstly next finally lastly zuerst zunachst anschliessend schliesslich zuletzt "
    "innanzitutto infine abord enfin "
    # how games begin, go on and end
    "wins loses ends begins starts beginnt gewinnt verliert endet inizia vince perde finisce "
    "commence gagne perd termine score scores points punkte punti".split()
)
_TIMES = frozenset(
    "minute minutes hour hours minuten stunde stunden minuto minuti ora ore heure heures".split()
)
"""A number beside one of these tells how long a game takes."""
_IMPERATIVES = frozenset(
    "add buy choose collect count deal discard draw exchange flip give keep lay look lose "
    "move pass pay pick place play put remove return reveal roll score set shuffle show sort say "
    "shift start swap take turn "
    "decke decken deckt gebt gib lege legen legt lost mische mischen mischt nehmt nimm sortiert "
    "spiele spielt stelle stellt tausche tauscht verteile verteilt wahle wahlt werft wirf wurfle "
    "wurfelt ziehe zieht zahle zahlt lass lasst leg nehmen "
    "aggiungi aggiungete distribuisci distribuite gioca giocate getta lancia lanciate mescola "
    "mescolate metti mettete muovi muovete paga pagate pesca pescate prendi prendete pone scarta "
    "scartate scegli scegliete scopri tira tirate posa posate disponi disponete ordina ordinate "
    "ajoutez choisis choisissez defaussez distribuez donnez jette jetez joue jouez lance lancez "
    "melange melangez mets mettez paie payez pioche piochez place placez pose posez prends prenez "
    "remets remettez tire tirez triez".split()
)


@dataclass(frozen=True, slots=True)
class Component:
    """A number and a noun of a sentence."""

    sentence: Sentence
    count: int
    noun: str


@dataclass(frozen=True, slots=True)
class BookChapter:
    """A chapter: its heading and all its sentences. Without a heading it precedes the first one."""

    heading: Heading | None
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class BookFindings:
    """Findings in a book: `rules` are the rule-like sentences, and `players` minimum and
    maximum, with their sentence.
    """

    language: str
    title: str
    players: tuple[int, int, Sentence] | None
    components: tuple[Component, ...]
    chapters: tuple[BookChapter, ...]
    rules: tuple[Sentence, ...]


def book_findings(text: Text, language: str) -> BookFindings:
    """Extracts the findings from a book."""
    box = tuple(_components(text, language))
    boxed = {id(each.sentence) for each in box}
    rest = [each for each in text.sentences if id(each) not in boxed]
    players = next(_players(rest[:EARLY], language), None)
    rest = [each for each in rest if players is None or each is not players[2]]
    nouns = {folded(each.noun) for each in box}
    rules = tuple(each for each in rest if _is_rule(each, language, nouns))
    level = _level(text)
    tops = [each for each in text.headings if each.level < level]
    title = tops[0].short if tops else ""
    return BookFindings(language, title, players, box, tuple(_chapters(rest, level)), rules)


# ---------------------------------------------------------------- chapters


def _level(text: Text) -> int:
    """The heading level of chapters: the highest, unless that is only the title."""
    levels = sorted({each.level for each in text.headings})
    if len(levels) > 1 and sum(each.level == levels[0] for each in text.headings) == 1:
        return levels[1]
    return levels[0] if levels else 1


def _chapters(sentences: Iterable[Sentence], level: int) -> Iterator[BookChapter]:
    """Chapters in order; sentences under no chapter's heading belong to the one above."""
    parts: dict[Heading | None, list[Sentence]] = {}
    for each in sentences:
        own = [above for above in each.headings if above.level <= level]
        parts.setdefault(own[-1] if own else None, []).append(each)
    for heading, members in parts.items():
        yield BookChapter(heading, tuple(members))


# ---------------------------------------------------------------- players and box


def _players(sentences: Iterable[Sentence], language: str) -> Iterator[tuple[int, int, Sentence]]:
    for sentence in sentences:
        words = tokens(sentence.text, language)
        for at, word in enumerate(words):
            if word not in _PLAYERS:
                continue
            numbers = list(_before(words[:at]))
            if not numbers or numbers[0] < 1 or numbers[-1] > MOST_PLAYERS:
                continue
            first, last = numbers[0], numbers[-1]
            if first <= last:
                yield first, last, sentence
                break


def _before(words: list[str]) -> Iterator[int]:
    """The number right before a word, or a range."""
    if not words or not words[-1].startswith(NUMBER):
        return
    between = words[:-1]
    if between and between[-1] in _TO:
        between = between[:-1]
    if between and between[-1].startswith(NUMBER):
        yield int(between[-1][1:])
    yield int(words[-1][1:])


def _components(text: Text, language: str) -> Iterator[Component]:
    """Components under a heading such as `In the box`."""
    for sentence in text.sentences:
        if any(_BOX.search(folded(each.text)) for each in sentence.headings[-1:]):
            component = _component(sentence, language)
            if component is not None:
                yield component


_FIRST = re.compile(r"(?P<number>\d{1,4}|[^\W\d_]+)\s*(?:[x×]\s*)?(?P<rest>\D.*)", re.DOTALL)
_NOUN_ENDS = re.compile(r"[,;:.()–—!?]|\s(?:in|with|mit|con|en|avec)\s")
_NOUN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")


def _component(sentence: Sentence, language: str) -> Component | None:
    """Parses the leading number of a sentence and the noun after it, up to the first punctuation or
    to a word such as `with`, which begins an attribute.
    """
    begun = _FIRST.match(sentence.text.strip())
    if begun is None:
        return None
    values = VALUES.get(language, {})
    word = folded(begun["number"].replace("ß", "ss"))
    count = int(word) if word.isdigit() else values.get(word, 0)
    noun = _NOUN_ENDS.split(begun["rest"].strip(), maxsplit=1)[0].strip()
    words = noun.split()
    sound = all(_NOUN.fullmatch(each) for each in words)
    if not 0 < count <= MOST_PIECES or not 0 < len(words) <= LONGEST_NOUN or not sound:
        return None
    return Component(sentence, count, noun)


# ---------------------------------------------------------------- rules


def _is_rule(sentence: Sentence, language: str, nouns: set[str]) -> bool:
    words = tokens(sentence.text, language)
    if not words or sentence.text.rstrip(' )»”"').endswith("?"):
        return False
    plain = folded(sentence.text)
    if _EXAMPLE.match(plain):
        return False
    if words[0] in _IMPERATIVES or _RULE_WORDS & set(words):
        return True
    if any(each.startswith(NUMBER) for each in words) and not _TIMES & set(words):
        return True
    after = (word for sign, word in pairwise(words) if sign in ("and", "und", "et", "e"))
    return any(each in _IMPERATIVES for each in after) or any(
        f" {noun} " in f" {plain} " for noun in nouns
    )
