"""Drafts of rules, as a visitor sends them.

A draft starts from rules of the catalogue, or from nothing. It contains only the files that replace
theirs or are added. File names are names and never paths, except for the folders of translations,
pictures and locks of books: nothing that is sent here is ever written to or read from disk.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lawspeaker.base.source import RuleFile
from lawspeaker.faces.web.messages import LONGEST_TEXT, BadMessage, clean
from lawspeaker.faces.web.sandbox import OWN
from lawspeaker.text.rulebook import is_beside, is_lock
from lawspeaker.text.translation.naming import FOLDER

LARGEST_DRAFT = 200_000
"""Maximum number of characters of the files of a draft, including pictures."""
MOST_FILES = 80
MAIN = "game.yaml"
_FILE = re.compile(
    rf"(?=.{{5,60}}\Z)(([a-z0-9_]+|{FOLDER}/([a-z0-9_]+\.)?[a-z]{{2}})\.yaml|[a-z0-9_]+\.csv)\Z"
)
_LOCK = re.compile(r"(?=.{6,60}\Z)books/[a-z][a-z0-9_]*\.lock\Z")


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft: its base rules in the catalogue, or empty, and the files that differ."""

    rules: str
    files: tuple[RuleFile, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {"rules": self.rules, "files": [shown(each) for each in self.files]}


def draft(data: Mapping[str, Any]) -> Draft:
    """Parses the draft in a message, which has files or names rules; raises BadMessage."""
    rules, files = data.get("rules", ""), files_in(data, "files")
    if not isinstance(rules, str) or len(rules) > LONGEST_TEXT:
        raise BadMessage("bad_message", f"`rules` must be a text, {LONGEST_TEXT} at most")
    named = clean(rules)
    if not named and not files:
        raise BadMessage("bad_message", "there is nothing in this draft")
    return Draft(named, files)


def files_in(data: Mapping[str, Any], key: str) -> tuple[RuleFile, ...]:
    """Parses the files in a message; raises BadMessage."""
    sent = data.get(key, [])
    if not isinstance(sent, list) or len(sent) > MOST_FILES:
        raise BadMessage("bad_message", f"`{key}` must be a list of at most {MOST_FILES} files")
    found = tuple(_file(each) for each in sent)
    if sum(len(each.text) for each in found) > LARGEST_DRAFT:
        raise BadMessage("too_large", f"a draft may have {LARGEST_DRAFT:,} characters")
    if len({(each.name, each.given is None) for each in found}) < len(found):
        raise BadMessage("bad_message", "two files of a draft have the same name")
    return found


def _file(data: Any) -> RuleFile:
    if not isinstance(data, dict) or not {"name", "text"} <= data.keys() <= {*_KEYS}:
        raise BadMessage("bad_message", f"a file has {', '.join(_KEYS)}")
    name, text, given = data["name"], data["text"], data.get("given")
    if not isinstance(name, str) or not (_FILE.match(name) or is_beside(name)):
        raise BadMessage("bad_message", "a file is called like my_rules.yaml: a-z, 0-9 and _")
    if is_lock(name) and not _LOCK.match(name):
        raise BadMessage("bad_message", "a lock is called like books/de.lock: a-z, 0-9 and _")
    if given is not None and is_beside(name):
        raise BadMessage("bad_message", "a picture or a lock is given nothing")
    if not isinstance(text, str):
        raise BadMessage("bad_message", "the text of a file is a text")
    if given is not None and not (isinstance(given, list) and all(map(_is_value, given))):
        raise BadMessage("bad_message", "`given` is a list of short texts")
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    return RuleFile(name, plain, None if given is None else tuple(given))


_KEYS = ("name", "text", "given")


def _is_value(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= 40


def bundle(original: Sequence[RuleFile], files: Sequence[RuleFile]) -> tuple[RuleFile, ...]:
    """Merges the files of a draft into the original ones."""
    changed = {(each.name, each.given is None): each for each in files}
    kept = [changed.pop((each.name, each.given is None), each) for each in original]
    whole = [*kept, *changed.values()]
    return tuple(sorted(whole, key=lambda each: (each.given is not None, each.name != MAIN)))


def called(draft: Draft, original: Sequence[RuleFile], game: str) -> str:
    """Returns the name of a draft's rules at a table.

    It is `game+./my_rule.yaml` if files were only added, else `./game`.
    """
    known = {(each.name, each.given is None) for each in original}
    added = [each for each in draft.files if (each.name, each.given is None) not in known]
    if draft.rules and len(added) == len(draft.files) and all(each.given == () for each in added):
        return "+".join((draft.rules, *(f"{OWN}{each.name}" for each in added)))[:LONGEST_TEXT]
    return f"{OWN}{draft.rules or game}"[:LONGEST_TEXT]


def started_from(rules: str) -> str:
    """Returns the base rules of a draft from its name at a table; the inverse of `called`."""
    parts = rules.removeprefix(OWN).split("+")
    return "+".join(each for each in parts if not each.startswith(OWN))


def shown(file: RuleFile) -> dict[str, Any]:
    """Converts a file to JSON for the editor."""
    return {
        "name": file.name,
        "text": file.text,
        "given": None if file.given is None else list(file.given),
    }
