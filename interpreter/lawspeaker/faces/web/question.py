"""Builds the question to a seat as JSON: in words, and by the things to click.

Each option lists the `things` in the picture that belong to it (their `data-thing`), and the
`words` that are not in the picture: `slot 3`. Clicking enough of them selects the option. In a set
(`several`) as many may be clicked as some option has. Where each thing is assigned to somebody
(`receivers`), they are clicked in that order. `steps_in` marks a question who acts first. The
things that the question is `about` can be highlighted. A number is prefixed with what it counts
where another kind of answer is possible, since alone it would be unclear. Where answers are typed,
`forms` describe the fields; the options they cover are not listed (`typed`).
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from lawspeaker import ir
from lawspeaker.faces.play import answers
from lawspeaker.faces.web.drawing.appearance import Looks
from lawspeaker.faces.web.drawing.meaning import own_place
from lawspeaker.faces.web.drawing.pictures import icon
from lawspeaker.faces.web.drawing.things import piece_thing, place_of, place_thing
from lawspeaker.match.decision import Decision, Option
from lawspeaker.match.view import View
from lawspeaker.position.layout import Layout, Value
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.story import option_name
from lawspeaker.telling.typing import forms, is_typed, typed

MOST_TYPED = 1_000
"""Number of options above which a screen gets only those that it lists."""


def question(
    view: View, labels: Labels, language: str, layout: Layout | None = None
) -> dict[str, Any] | None:
    """Returns the seat's open question, or None; `layout` may rename players."""
    decision = view.decision
    if decision is None:
        return None
    if layout is not None:
        decision.setting.layout = layout
    rule = answers.rule(view.program, decision.clause, language, decision)
    looks = Looks(layout or view.layout, language, view.states)
    named: dict[str, dict[str, str]] = {}
    own = typed(decision)
    many = len(decision.options) > MOST_TYPED
    options = [
        _option(view, looks, number, option, option_name(option, labels, language), named)
        | ({"typed": True} if is_typed(option, own) else {})
        for number, option in enumerate(decision.options)
        if not (many and is_typed(option, own))
    ]
    return {
        "clause": rule.id,
        "rule": rule.sentence,
        "citations": list(rule.sources),
        "guards": [list(pair) for pair in rule.guards],
        "prompt": decision.prompt_in(language),
        "several": _several(decision),
        "receivers": _receivers(decision, language),
        "steps_in": decision.setting.ask is not None and decision.setting.ask.first,
        "about": _about(view),
        "options": options,
        "forms": [asdict(each) for each in forms(decision, language)],
        "words": named,
    }


def option_data(
    view: View,
    labels: Labels,
    language: str,
    number: int,
    option: Option,
    named: dict[str, dict[str, str]],
) -> dict[str, Any]:
    """Returns one more option of a question as JSON; its new words are added to `named`."""
    looks = Looks(view.layout, language, view.states)
    return _option(view, looks, number, option, option_name(option, labels, language), named)


def _about(view: View) -> list[str]:
    """Returns the things a question is about: pieces bound in the asking clause, else places."""
    if not view.stack:
        return []
    clause, _, values = view.stack[-1]
    pieces: list[str] = []
    places: list[str] = []
    for slot, value in zip(view.program.clauses[clause].slots, values, strict=True):
        if value is None:
            continue
        if isinstance(slot.type, ir.PlaceType):
            places.append(place_thing(view.layout, value))
        elif isinstance(slot.type, ir.PieceType):
            place = place_of(view, value)
            pieces += [] if place is None else [piece_thing(view, value, place)]
    return pieces or places


def _several(decision: Decision) -> bool:
    """Whether the question asks for a set, so that another thing may always be added."""
    ask = decision.setting.ask
    parts = [part for each in ask.alternatives for part in each.parts] if ask is not None else []
    return any(part.several for part in parts)


def _receivers(decision: Decision, language: str) -> list[str | None] | None:
    """Returns, for each thing to click in turn, its receiver; None for no receiver.

    Returns None if no option has receivers.
    """
    for option in decision.options:
        parts = () if option.alternative is None else option.alternative.parts
        if any(part.receives for part in parts):
            found: list[str | None] = []
            receiver = None
            for part, value in zip(parts, option.values, strict=True):
                if part.receives:
                    receiver = option.setting.part_text(part, value, language)
                else:
                    found.append(receiver)
            return found
    return None


def _option(
    view: View,
    looks: Looks,
    number: int,
    option: Option,
    name: str,
    named: dict[str, dict[str, str]],
) -> dict[str, Any]:
    things: list[str] = []
    words: list[str] = []
    alternative = option.alternative
    parts = () if alternative is None else alternative.parts
    for part, value in zip(parts, option.values, strict=True):
        if part.receives or part.untold:
            continue
        for member in value if part.several else (value,):
            thing = _thing(view, part, member)
            if thing is None:
                named_by = _named_by(option.setting.ask, part)
                thing = _own(view, looks, part, member, named)
                words += [] if thing else [_word(looks, part, member, named, named_by)]
            things += [thing] if thing else []
    return {
        "number": number,
        "text": option.text,
        "name": name,
        "label": option.label,
        "things": things,
        "words": words,
    }


def _thing(view: View, part: ir.Part, value: Value) -> str | None:
    """Returns the thing to click for a value; None if it is not in the picture."""
    of, layout = part.binder.type, view.layout
    if isinstance(of, ir.PlaceType):
        return place_thing(layout, value)
    if of == ir.PLAYER:
        return layout.text(of, value)
    if isinstance(of, ir.PieceType):
        place = place_of(view, value)
        return None if place is None else piece_thing(view, value, place)
    return None


def _own(
    view: View, looks: Looks, part: ir.Part, value: Value, named: dict[str, dict[str, str]]
) -> str | None:
    """Returns the seat's own place that stands for a value, named after the value."""
    layout, name = view.layout, part.binder.name
    place = None
    if view.seat is not None:
        place = own_place(layout, view.seat, name, layout.text(part.binder.type, value))
    if place is None:
        return None
    thing = place_thing(layout, place)
    named.setdefault(thing, {"name": _called(looks, part, value, named_by=True)})
    return thing


def _word(
    looks: Looks, part: ir.Part, value: Value, named: dict[str, dict[str, str]], named_by: bool
) -> str:
    """Adds a value that is not in the picture to `named`, with its name and icon; returns its
    key."""
    layout, of = looks.layout, part.binder.type
    key = f"{part.binder.name} {layout.text(of, value)}"
    if key not in named:
        named[key] = {"name": _called(looks, part, value, named_by)}
        look = looks.value(of, value)
        if look is not None and look.picture:
            named[key]["icon"] = icon(look.picture, look.tones)
    return key


def _called(looks: Looks, part: ir.Part, value: Value, named_by: bool) -> str:
    layout, of = looks.layout, part.binder.type
    name = layout.name(of, value, looks.language)
    if not named_by or not isinstance(of, ir.NumberType):
        return name
    return f"{layout.called(part.binder.name, '', looks.language)} {name}"


def _named_by(ask: ir.Ask | None, part: ir.Part) -> bool:
    """Whether some answers to a question begin with this part, and others with another one."""
    firsts = [each.parts[0].binder for each in ask.alternatives if each.parts] if ask else []
    name = part.binder.name
    return name in {each.name for each in firsts} and any(each.name != name for each in firsts)
