"""File names of translations, relative to the rules.

`languages/de.yaml` belongs to the entry file of a game, `languages/NAME.de.yaml` to any other file
NAME.yaml.
"""

from __future__ import annotations

import re

FOLDER = "languages"
SUFFIX = ".yaml"
ENTRY = "game.yaml"


def file_name(rules: str, language: str) -> str:
    """The translation file of a rule file for a language."""
    stem = "" if rules == ENTRY else f"{rules.removesuffix(SUFFIX)}."
    return f"{FOLDER}/{stem}{language}{SUFFIX}"


def rules_of(path: str) -> str:
    """The rule file that a translation belongs to, both with their folders."""
    folder, _, name = path.rpartition(f"{FOLDER}/")
    stem = name.removesuffix(SUFFIX).rpartition(".")[0]
    return folder + (f"{stem}{SUFFIX}" if stem else ENTRY)


def language_of(name: str) -> str:
    """The language of a translation, by the name of its file."""
    return name.removesuffix(SUFFIX)[-2:]


def is_of(name: str, rules: str) -> bool:
    """Whether a file of this name is a translation of a rule file."""
    language = language_of(name)
    return bool(re.fullmatch("[a-z]{2}", language)) and name == file_name(rules, language)
