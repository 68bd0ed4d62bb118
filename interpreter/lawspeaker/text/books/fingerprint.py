"""The fingerprint of a sentence: short, the same for everyone, and it gives no sentence away.

A citation can say which sentence of a book it means without quoting it. The words of the sentence
are brought into one form, and the first ten hexadecimal digits of their SHA-256 are its print:

1. Unicode form NFKC, small letters;
2. letters and digits are kept, and everything between them becomes a single space;
3. no space at either end.

So a print does not depend on emphasis, quotation marks, hyphens, line breaks or the number of
blanks; a changed, missing or misspelt word changes it.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata

LENGTH = 10
PRINT = re.compile(rf"[0-9a-f]{{{LENGTH}}}")
_WORDS = re.compile(r"[^\W_]+")
_NUMBERING = re.compile(r"^\d{1,2} ")


def normalised(text: str) -> str:
    """The words of a text in small letters, with single spaces between them."""
    plain = unicodedata.normalize("NFKC", text).lower()
    return " ".join(_WORDS.findall(plain))


def folded(text: str) -> str:
    """The same without accents, by which people look for words."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    return normalised("".join(sign for sign in apart if not unicodedata.combining(sign)))


def fingerprint(text: str) -> str:
    """The print of a sentence."""
    return hashlib.sha256(normalised(text).encode()).hexdigest()[:LENGTH]


def heading_key(text: str) -> str:
    """What two headings have in common that differ only in numbering, case and marks."""
    return _NUMBERING.sub("", normalised(text))
