"""The form of a draft: its numbers with their sentences, and the edits that set them.

The numbers are those of the rules without the house rule that the form writes. So it shows them
while that one has an error, such as a value that the rules refuse. A game of a visitor's own, which
has no house rule, is edited itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.phrases import phrase
from lawspeaker.base.source import RuleFile
from lawspeaker.editing import numbers
from lawspeaker.editing.fixes import Edit
from lawspeaker.editing.numbers import CannotSet, Part, Setting
from lawspeaker.faces.web.workshop import places
from lawspeaker.faces.web.workshop.drafts import shown
from lawspeaker.faces.web.workshop.trial_positions import Files, compiled
from lawspeaker.meaning.overlay import overlay
from lawspeaker.outside.bundle import NAME, Bundle
from lawspeaker.outside.loading import open_bundle
from lawspeaker.position.layout import called
from lawspeaker.text import document
from lawspeaker.text.document import Mapping as MappingNode
from lawspeaker.text.document import Scalar
from lawspeaker.text.rulebook import Rulebook
from lawspeaker.text.translation.naming import SUFFIX, is_of

TITLE = "title"
OWN_RULE = "my_rule"
Found = dict[str, Any]


@dataclass(frozen=True, slots=True)
class _Form:
    """The rules without the house rule, their numbers, and the house rule itself, if there is one.

    `set_to` are the values that the house rule sets.
    """

    book: Rulebook
    program: ir.Program
    settings: Sequence[Setting]
    root: MappingNode | None
    set_to: Mapping[str, tuple[Part, ...]]


def _form(files: Files, name: str) -> _Form | None:
    """The form of the house rule `name`, else of the rules; None while these have errors."""
    own = next((each for each in files if each.name == name and each.given is not None), None)
    root = None if own is None else document.load(_source(files, own), Diagnostics())
    if own is not None and not isinstance(root, MappingNode):
        return None
    base = tuple(
        each
        for each in files
        if own is None or (each is not own and not is_of(each.name, own.name))
    )
    program, _ = compiled(base)
    diagnostics = Diagnostics()
    opened = open_bundle(base, diagnostics, NAME)
    if program is None or opened is None:
        return None
    # Not `laid`: a change names a series of kinds as a whole.
    book = overlay(opened.book, opened.variants, diagnostics) if opened.variants else opened.book
    return _Form(
        book,
        program,
        numbers.settings(book, program),
        root if isinstance(root, MappingNode) else None,
        numbers.set_in(root),
    )


def _source(files: Files, file: RuleFile) -> Any:
    bundle = Bundle(files)
    return bundle.source(next(path for path, each in bundle.files.items() if each is file))


# -------------------------------------------------------------------- the form


def numbered(files: Files, earlier: Files, name: str, language: str) -> Iterator[Found]:
    """Yields the numbers of the rules, in groups: the choices, then each piece."""
    form = _form(files, name)
    if form is None:
        yield {"why": "mend_first", "title": "", "groups": []}
        return
    spoken = form.program.spoken(language)
    groups: dict[str, list[Found]] = {}
    for setting in form.settings:
        groups.setdefault(setting.piece, []).append(_told(form, setting, spoken))
    title = None if form.root is None else form.root.get(TITLE)
    yield {
        "why": "",
        "title": title.value if isinstance(title, Scalar) else None,
        "groups": [
            {
                "piece": piece and called(form.program, piece, "piece", spoken),
                "settings": told,
            }
            for piece, told in groups.items()
        ],
    }


def _told(form: _Form, setting: Setting, language: str) -> Found:
    parts = form.set_to.get(setting.target, setting.parts)
    return {
        "target": setting.target,
        "says": numbers.heading(setting, form.program, language),
        "kind": setting.kind,
        "options": [[each, _option(form, setting, each, language)] for each in setting.options],
        "low": setting.low,
        "high": setting.high,
        "parts": [
            {"value": each.value, "players": each.players, "entry": each.entry} for each in parts
        ],
        "changed": parts != setting.parts,
        "was": [
            {"value": each.value, "players": each.players, "entry": each.entry}
            for each in setting.parts
        ],
    }


def _option(form: _Form, setting: Setting, value: str, language: str) -> str:
    if setting.kind == "truth":
        return phrase("word.yes" if value == "true" else "word.no", language)
    return value if setting.kind == "number" else called(form.program, value, "", language)


# -------------------------------------------------------------------- setting


def set_number(
    files: Files, earlier: Files, name: str, target: str, values: tuple[str, ...], own: bool
) -> Iterator[Found]:
    """Yields the changes of files that set a number, or give the house rule another title.

    `own`: the game is the visitor's, so a number may be written into it.
    """
    form = _form(files, name)
    if form is None:
        yield _changed("mend_first")
        return
    try:
        yield from _set(form, files, target, values, own)
    except CannotSet as error:
        yield _changed("no_number", says=str(error))


def _set(
    form: _Form, files: Files, target: str, values: tuple[str, ...], own: bool
) -> Iterator[Found]:
    if target == TITLE:
        node = None if form.root is None else form.root.get(TITLE)
        title = " ".join(values).strip()
        if not isinstance(node, Scalar) or not title:
            yield _changed("no_number")
            return
        yield _changed(edits=[Edit(node.span, numbers.quoted(title))])
        return
    setting = numbers.named(form.settings, target)
    shaped = replace(setting, parts=form.set_to.get(target, setting.parts))
    wanted = {**form.set_to, target: numbers.with_values(shaped, values)}
    if form.root is None and own:
        only = {target: wanted[target]}
        changes = numbers.with_box(form.book, form.settings, only)
        yield _changed(edits=list(numbers.edits_in_place(form.book, changes)))
        return
    changes = numbers.with_box(form.book, form.settings, wanted)
    if form.root is not None:
        yield _changed(edits=list(numbers.edits(form.root, changes)))
        return
    if any(each.differs for each in changes.values()):
        stem = _free(files)
        title = phrase("web.workshop.my_rule", form.program.languages[0])
        text = numbers.house_rule(stem, form.book.name, title, changes)
        yield _changed(files=[RuleFile(f"{stem}{SUFFIX}", text, ())])
    else:
        yield _changed()


def _free(files: Files) -> str:
    """A name for a house rule that no file has."""
    taken = {each.name for each in files}
    names = (OWN_RULE, *(f"{OWN_RULE}_{at}" for at in range(2, len(files) + 3)))
    return next(each for each in names if f"{each}{SUFFIX}" not in taken)


def _changed(
    why: str = "", edits: Sequence[Edit] = (), files: Sequence[RuleFile] = (), says: str = ""
) -> Found:
    return {
        "why": why,
        "says": says,
        "edits": places.edits(edits),
        "files": [shown(each) for each in files],
        "gone": [],
    }
