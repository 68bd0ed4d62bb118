"""Creates, renames and removes files of a draft, and updates what refers to them.

That is the list of files in the entry file, the translations of a house rule, and the languages of
the game. The result lists changes for the page to make: `edits` of files that stay, new `files` and
those that are `gone`; or `why` nothing is changed, as the last part of a phrase key
(`workshop.file_…`). The page itself knows which files are the visitor's, and which belong to the
base rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lawspeaker.base.diagnostics import Diagnostics, RulesError
from lawspeaker.base.source import RuleFile
from lawspeaker.editing.fixes import Edit
from lawspeaker.faces.web.workshop import heads, places
from lawspeaker.faces.web.workshop.drafts import shown
from lawspeaker.faces.web.workshop.trial_positions import Files
from lawspeaker.outside.bundle import NAME, Bundle
from lawspeaker.outside.loading import open_bundle
from lawspeaker.outside.scaffold import NotMade, check_name, variant_text
from lawspeaker.outside.translating import NotTranslated
from lawspeaker.text import document
from lawspeaker.text.document import Mapping
from lawspeaker.text.translation.naming import SUFFIX, file_name, is_of, language_of

VARIANT, PART, TRANSLATION = "variant", "part", "translation"
EMPTY = "rules: {}\n"
"""A rule file without content."""
LONGEST_NAME = 60
_LANGUAGE = re.compile("[a-z]{2}")
_REMARK = re.compile("^#.*$", re.MULTILINE)

Found = dict[str, Any]


class _Not(Exception):
    """Raised when an operation is impossible; the message is the last part of a phrase key."""


def begun(files: Files, earlier: Files, name: str, kind: str, called: str) -> Iterator[Found]:
    """Creates a house rule or another rule file named `called`, or a translation.

    A translation is one of the file `name` into the language `called`.
    """
    try:
        if kind == TRANSLATION:
            yield _translation(files, name, called)
        elif kind == VARIANT:
            yield _house_rule(files, called)
        else:
            yield _part(files, called)
    except _Not as error:
        yield _told(why=str(error))


def moved(files: Files, earlier: Files, name: str, called: str) -> Iterator[Found]:
    """Renames a house rule or another rule file."""
    try:
        yield _moved(files, _own(files, name), called)
    except _Not as error:
        yield _told(why=str(error))


def removed(files: Files, earlier: Files, name: str) -> Iterator[Found]:
    """Removes a file; a house rule with its translations."""
    try:
        file = _own(files, name)
        listed = heads.take_out(_entry(files), "files", name) if file.given is None else []
        yield _told(listed, gone=[file, *_translations(files, file)])
    except _Not as error:
        yield _told(why=str(error))


# -------------------------------------------------------------------- operations


def _house_rule(files: Files, called: str) -> Found:
    file = _free(files, called)
    opened = open_bundle([each for each in files if each.given is None], Diagnostics(), NAME)
    if opened is None:
        raise _Not("mend_first")
    game = opened.book.name
    text = variant_text(called, game, f"{game}+./{file}", opened.book)
    return _told(files=[RuleFile(file, text, ())])


def _part(files: Files, called: str) -> Found:
    file = _free(files, called)
    listed = heads.put_in(_entry(files), "files", file)
    return _told([listed], [RuleFile(file, EMPTY)])


def _translation(files: Files, name: str, language: str) -> Found:
    if not _LANGUAGE.fullmatch(language):
        raise _Not("language")
    bundle, entry, of_game = Bundle(files), _entry(files), name == files[0].name
    rules = next((each for each in bundle.rules() if next(iter(each.rules)) == name), None)
    if rules is None:
        raise _Not("mend_first")
    if file_name(name, language) in rules.beside:
        raise _Not("taken")
    if not of_game and language not in rules.languages:
        raise _Not("not_offered")
    try:
        file, made = bundle.translation(rules, language)
    except NotTranslated:
        raise _Not("own_language") from None
    except RulesError:
        raise _Not("mend_first") from None
    offered = _offered(entry, rules.language, language) if of_game else ()
    return _told(list(offered), [RuleFile(file, made.text)])


def _offered(entry: Mapping, own: str, language: str) -> Iterator[Edit]:
    """Yields the edits with which the entry file declares a language."""
    known = [each.value for each in heads.values(entry.get("languages"))]
    lacking = "" if entry.get("language") is not None else f"language: {own}\n"
    if not known:
        lacking += f"languages: [{own}, {language}]\n"
    elif language not in known:
        yield heads.put_in(entry, "languages", language)
    if lacking:
        yield heads.lines(entry, lacking)


def _moved(files: Files, file: RuleFile, called: str) -> Found:
    if "/" in file.name:
        raise _Not("stays")
    new, old = _free(files, called), file.name.removesuffix(SUFFIX)
    if file.given is None:
        listed = heads.values(_entry(files).get("files"))
        edits = [Edit(each.span, new) for each in listed if each.value == file.name]
        return _told(edits, [RuleFile(new, file.text)], [file])
    translations = _translations(files, file)
    text = _renamed(file.text, "variant", old, called)
    text = _REMARK.sub(lambda line: line[0].replace(f"+./{file.name}", f"+./{new}"), text)
    made = [RuleFile(new, text, file.given)]
    for each in translations:
        text = _renamed(each.text, "translates", f"+{old}", f"+{called}")
        made.append(RuleFile(file_name(new, language_of(each.name)), text))
    return _told((), made, [file, *translations])


def _renamed(text: str, key: str, old: str, new: str) -> str:
    """Renames the end of a value in the head of a text, if it ends with `old`."""
    found = re.search(rf"(?m)^{key}:[^\n#]*?{re.escape(old)}(?=[\"']?[ ]*(#|$))", text)
    return text if found is None else text[: found.end() - len(old)] + new + text[found.end() :]


# -------------------------------------------------------------------- files


def _told(
    edits: Sequence[Edit] = (),
    files: Sequence[RuleFile] = (),
    gone: Sequence[RuleFile] = (),
    why: str = "",
) -> Found:
    return {
        "why": why,
        "edits": places.edits(edits),
        "files": [shown(each) for each in files],
        "gone": [each.name for each in gone],
    }


def _own(files: Files, name: str) -> RuleFile:
    """Returns a file that may be renamed or removed: any but the entry file."""
    found = [each for each in files[1:] if each.name == name]
    if not found:
        raise _Not("stays")
    return found[-1]


def _free(files: Files, called: str) -> str:
    """Returns an unused file name; raises _Not for an invalid one."""
    file = f"{called}{SUFFIX}"
    try:
        check_name(called)
    except NotMade:
        raise _Not("name") from None
    if len(file) > LONGEST_NAME:
        raise _Not("name")
    if any(each.name == file for each in files):
        raise _Not("taken")
    return file


def _translations(files: Files, file: RuleFile) -> list[RuleFile]:
    """Returns the translations of a house rule; other files are translated with the entry file."""
    return [each for each in files if file.given is not None and is_of(each.name, file.name)]


def _entry(files: Files) -> Mapping:
    root = document.load(Bundle(files).source(Path(NAME, files[0].name)), Diagnostics())
    if not isinstance(root, Mapping):
        raise _Not("mend_first")
    return root
