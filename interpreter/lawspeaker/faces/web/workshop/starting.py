"""Initial drafts: rules on offer, a house rule for them, or a small new game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lawspeaker.base.diagnostics import Diagnostics, RulesError
from lawspeaker.base.source import RuleFile
from lawspeaker.faces.web.catalogue import Catalogue, Unknown
from lawspeaker.faces.web.workshop.drafts import Draft, shown
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import load_rulesets, open_bundle
from lawspeaker.outside.scaffold import game_texts, variant_text
from lawspeaker.study.compare import OtherGame, compare
from lawspeaker.study.compare.patch import CannotPatch, patch
from lawspeaker.text.rulebook import is_beside

OWN_RULE, OWN_GAME = "my_rule", "my_game"


def started(
    catalogue: Catalogue, way: str, rules: str, other: str = "", rows: Sequence[str] = ()
) -> dict[str, Any]:
    """Returns the initial files of a draft.

    `way` is edit (the rules themselves), house (a new house rule for them), game (a small new
    game), or take (what `other` does differently).
    """
    if way == "game":
        return begun(catalogue, new_game())
    if way == "house":
        return begun(catalogue, house_rule(catalogue, rules))
    if way == "take":
        taken = difference(catalogue.library, catalogue, rules, other, rows)
        return begun(catalogue, taken)
    return begun(catalogue, Draft(catalogue.checked(rules)))


def begun(catalogue: Catalogue, draft: Draft, opened: str = "") -> dict[str, Any]:
    """Returns a draft with its base files; `opened` is the file to show first.

    Locks of books are omitted: the editor does not need them, and they are present when rules are
    read.
    """
    game = catalogue.game(draft.rules) if draft.rules else None
    files = () if game is None else game.files
    rules = [each for each in draft.files if "/" not in each.name] or draft.files or files[:1]
    first = opened or rules[-1].name
    original = [shown(each) for each in files if not is_beside(each.name)]
    return {**draft.to_json(), "original": original, "open": first}


def house_rule(catalogue: Catalogue, name: str) -> Draft:
    """Creates a house rule for the named rules."""
    known = catalogue.checked(name)
    game = known.partition("+")[0]
    diagnostics = Diagnostics()
    opened = open_bundle(catalogue.game(game).files, diagnostics, game)
    if opened is None:
        raise RulesError(diagnostics)
    file = f"{OWN_RULE}.yaml"
    text = variant_text(OWN_RULE, game, f"{known}+./{file}", opened.book)
    return Draft(known, (RuleFile(file, text, ()),))


def new_game() -> Draft:
    """Creates a small new game."""
    texts = game_texts(OWN_GAME, f"./{OWN_GAME}")
    files = ((str(path), text) for path, text in texts.items() if len(path.parts) == 1)
    return Draft("", tuple(RuleFile(name, text) for name, text in files))


def difference(
    library: Library, catalogue: Catalogue, name: str, other: str, rows: Sequence[str]
) -> Draft:
    """Creates a house rule that takes over some differences of another edition, by default all."""
    known = [catalogue.checked(name), catalogue.checked(other)]
    diagnostics = Diagnostics()
    found = load_rulesets(known, diagnostics, library)
    if found is None:
        raise RulesError(diagnostics)
    try:
        compare(found, "en")
        text = patch(found[0], found[1], OWN_RULE, list(rows) or None)
    except (OtherGame, CannotPatch) as error:
        raise Unknown(str(error)) from None
    return Draft(known[0], (RuleFile(f"{OWN_RULE}.yaml", text, ()),))
