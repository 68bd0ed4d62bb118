"""`lawspeaker translate`: creates and updates translations of a game or a variant."""

from __future__ import annotations

import re
from typing import Annotated

import typer

from lawspeaker.base.diagnostics import RulesError
from lawspeaker.faces.cli.common import complain, fail, say, show_diagnostics
from lawspeaker.outside.library import DATA, Library, LibraryError
from lawspeaker.outside.storage import write
from lawspeaker.outside.translating import NotTranslated, Translated, languages, translated
from lawspeaker.text.translation.files import plain
from lawspeaker.text.translation.updating import address_text

_LANGUAGE = re.compile("[a-z]{2}")
MOST_SHOWN = 10


def translate(
    names: Annotated[list[str], typer.Argument(help="Games or GAME+VARIANT: names or paths.")],
    lang: Annotated[
        str | None,
        typer.Option(
            "--lang",
            help="The language to translate into: de, it …; otherwise all in which the game can be "
            "played, and all that have a file.",
        ),
    ] = None,
    check: Annotated[
        bool,
        typer.Option("--check", help="Write nothing; exit code 1 if something is to be done."),
    ] = False,
) -> None:
    """Make or update the translation of a game or a variant.

    The file lies in the folder `languages` beside the rules. What is missing stands in it as a key
    without a text, what has changed since has a ? behind its print, and above both stands the text
    of today. Write the translation, or mend it and take the ? out. What the rules no longer say is
    left out, and listed here. Run it as often as you like.

    Example: lawspeaker translate GAME+VARIANT --lang it --check

    Exit code 0: all is well. 1: the rules cannot be read; with --check, something is missing, stale
    or out of order. 2: wrong call.
    """
    if lang is not None and not _LANGUAGE.fullmatch(lang):
        fail(f"{lang!r} is no language: write its two small letters, such as it or de", 2)
    library = Library()
    clean = True
    for name in names:
        try:
            chosen = languages(name, library) if lang is None else [lang]
            found = [(each, own) for own in chosen for each in translated(name, own, library)]
        except (LibraryError, NotTranslated) as error:
            fail(str(error), 2)
        except RulesError as error:
            show_diagnostics(error.diagnostics)
            raise typer.Exit(1) from None
        if not chosen:
            fail(f"{name} names no other language under `languages:`; say one with --lang", 2)
        for each, own in found:
            if lang is not None or each.needed:
                clean = _kept(each, own, library, check) and clean
    if check and not clean:
        raise typer.Exit(1)


def _kept(found: Translated, language: str, library: Library, check: bool) -> bool:
    """Writes a translation and reports open entries; returns whether there are none."""
    result, name = found.result, library.display(found.path)
    changed = found.before != result.text
    if changed and not check:
        if library.built_in.name == DATA and found.path.is_relative_to(library.built_in):
            fail(f"{name!r} comes with the package; copy its files to change them", 2)
        found.path.parent.mkdir(exist_ok=True)
        write(found.path, result.text)
    done = "as it was" if not changed else "would change" if check else "written"
    say(f"{name}: {done}; {len(result.missing)} missing, {len(result.stale)} stale")
    for what, addresses in (("missing", result.missing), ("stale", result.stale)):
        for address in addresses[:MOST_SHOWN]:
            say(f"  {what}: {address_text(address)}")
        if len(addresses) > MOST_SHOWN:
            say(f"  … and {len(addresses) - MOST_SHOWN} more {what}")
    for line in result.dropped:
        told = "" if line.text is None else f": {plain(line.text.value)}"
        say(f"  dropped, since the rules have no such text: {address_text(line.address)}{told}")
    for line in result.kept:
        say(f"  the rules have no such text; it stays as a comment: {address_text(line.address)}")
    if not found.offered:
        complain(f"the game does not offer `{language}` yet: name it under `languages:`")
    return not (changed or result.missing or result.stale)
