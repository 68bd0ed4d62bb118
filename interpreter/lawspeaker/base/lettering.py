"""Unicode checks: invisible characters, and names that can be confused with others.

`UNSEEN` matches characters that are not allowed in rules or names: control characters, lone
surrogates, bidirectional controls, zero-width spaces and fillers. Two kinds are legitimate in some
contexts and allowed there: joiners after letters of joining scripts (and inside emoji sequences),
and variation selectors.

`strange` also rejects names with several scripts in one word, compatibility variants of letters
(`ａ`, `𝒂`), too many combining marks on one letter, or marks on no letter. Whole words of any
script are allowed. Two names are confusable if their `skeleton`s are equal: the skeleton maps
letters of other scripts to the Latin letters they resemble. The table is small and our own:
letters that look alike in most typefaces.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

_HIDDEN = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e"
    "\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ud800-\udfff\ufe00-\ufe0d\ufeff\uffa0"
    "\ufff0-\ufffb\ufffe\uffff\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_JOINING = "\u0600-\u109f\u1780-\u18af\ua840-\uabff\ufb50-\ufdff\ufe70-\ufefc\U00011000-\U00011fff"
_PICTURE = "\u203c-\u32ff\ufe0f\U0001f000-\U0001faff"
UNSEEN = (
    f"[{_HIDDEN}\u200c\u200d\ufe0e\ufe0f]"
    f"(?<![{_JOINING}]\u200c)"
    f"(?<![{_JOINING}{_PICTURE}]\u200d)"
    f"(?<![#*0-9\xa9\xae{_PICTURE}][\ufe0e\ufe0f])"
)
"""A pattern for one invisible character. It begins with a single character class, so that long
texts are searched quickly."""
_UNSEEN = re.compile(UNSEEN)
_SURROGATE = re.compile("[\ud800-\udfff]")

_MOST_MARKS = 4
_TOGETHER = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO", "LATIN"})
"""Scripts that may be mixed in one word; none of them has letters resembling another's."""
_DRAWN = ("<wide>", "<font>")
"""The decomposition tags by which Unicode marks a character as a variant of another."""

_ALIKE = (
    "аa еe оo рp сc уy хx іi јj ѕs һh ԁd ԛq ԝw ѵv үy ӏl "  # Cyrillic
    "АA ВB ЕE ЅS ІI ЈJ КK МM НH ОO РP СC ТT УY ХX ҮY ԌG ԚQ ԜW ѴV ӀI ЗZ "
    "αa οo ιi νv ρp τt υu κk γy ϲc ϳj χx "  # Greek
    "ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ϹC ͿJ "
    "օo սu հh ցg զq ոn ՍU ՕO ՏS "  # Armenian
    "ᎪA ᏟC ᎬE ᎻH ᎫJ ᏦK ᏞL ᎷM ᏢP ᏚS ᎢT ᏙV ᎳW ᏃZ "  # Cherokee
    "სb ჿo סo "  # Georgian, Hebrew
    "ıi ȷj ɑa ɡg ɩi ᴄc ᴏo ᴜu ᴠv ᴡw ᴢz "  # Latin letters of their own
    "‐- ‑- ‒- –- —- −- ʼ' ’' ‘' `' ´' •· ∙· ⋅· "  # signs
)
_LETTERS = str.maketrans({pair[0]: pair[1] for pair in _ALIKE.split()})


def described(sign: str) -> str:
    """Describes a character that is invisible or confusable: its code point and Unicode name."""
    return f"U+{ord(sign):04X} ({unicodedata.name(sign, 'a control character').lower()})"


def unseen(text: str) -> str | None:
    """The first invisible character of a text, if any."""
    found = _UNSEEN.search(text)
    return None if found is None else found.group()


def without_unseen(text: str) -> str:
    """Replaces each invisible character by a space."""
    return _UNSEEN.sub(" ", text)


def lone_surrogate(data: object) -> bool:
    """Whether a string in JSON data contains a lone surrogate, which cannot be encoded as UTF-8."""
    waiting = [data]
    while waiting:
        each = waiting.pop()
        if isinstance(each, dict):
            waiting += (*each, *each.values())
        elif isinstance(each, list):
            waiting += each
        elif isinstance(each, str) and _SURROGATE.search(each):
            return True
    return False


@lru_cache(maxsize=5_000)
def strange(name: str) -> str | None:
    """Why a name is suspicious, as the end of a sentence; None if it is not."""
    if (sign := unseen(name)) is not None:
        return f"{described(sign)} cannot be seen"
    if name.isascii():
        return None
    first = ""  # the first letter of the current word, if it has begun
    marks = _MOST_MARKS  # combining marks on the previous character
    for sign in unicodedata.normalize("NFC", name):
        category = unicodedata.category(sign)
        if category in ("Mn", "Me"):
            marks += 1
            if marks > _MOST_MARKS:
                why = "is one of too many marks on one letter" if first else "stands on no letter"
                return f"{described(sign)} {why}"
            continue
        marks = _MOST_MARKS if category.startswith("Z") else 0
        if not category.startswith("L"):
            first = ""
            continue
        if (plain := _undrawn(sign)) != sign:
            return f"{described(sign)} is drawn like `{plain}`, but another sign"
        script = script_of(sign)
        if first and script and not _go_together(script_of(first), script):
            return f"{described(first)} and {described(sign)} are of different alphabets"
        first = first or (sign if script else "")
    return None


def _go_together(one: str, two: str) -> bool:
    return one == two or {one, two} <= _TOGETHER


def differing(one: str, two: str) -> str:
    """Describes the first letters in which two confusable names differ."""
    for own, other in zip(normalized(one), normalized(two), strict=False):
        if own != other:
            return f"{described(own)} here, {described(other)} there"
    return f"{len(one)} signs here, {len(two)} there"


def mistaken(name: str) -> str | None:
    """Describes the first letter of a name that only looks like one from a to z, if any."""
    for sign in name:
        alike = skeleton(sign)
        if alike != sign and alike.isascii() and alike.isalnum():
            return f"{described(sign)} only looks like `{alike}`"
    return None


@lru_cache(maxsize=5_000)
def normalized(name: str) -> str:
    """A name in Unicode form NFC, with single spaces between words."""
    return " ".join(unicodedata.normalize("NFC", name).split())


def script_of(letter: str) -> str:
    """The script of a letter, from its Unicode name; "" for letters common to all scripts."""
    word = unicodedata.name(letter, "").partition(" ")[0].partition("-")[0]
    return "" if word in ("MODIFIER", "FEMININE", "MASCULINE", "MICRO", "SUPERSCRIPT") else word


@lru_cache(maxsize=5_000)
def skeleton(name: str) -> str:
    """The Unicode skeleton of a name: equal for names that can be confused. Case is kept."""
    plain = unicodedata.normalize("NFC", _UNSEEN.sub("", name))
    drawn = plain if plain.isascii() else "".join(_undrawn(sign) for sign in plain)
    return " ".join(drawn.translate(_LETTERS).split())


def _undrawn(sign: str) -> str:
    if sign.isascii() or unicodedata.decomposition(sign).partition(" ")[0] not in _DRAWN:
        return sign
    return unicodedata.normalize("NFKC", sign)


def utf16_length(text: str) -> int:
    """The length of a text in UTF-16 code units, as editors and browsers count."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf16_index(text: str, units: int) -> int:
    """The index of the character after so many UTF-16 code units, at most the text's length."""
    if text.isascii():
        return min(units, len(text))
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "ignore"))
