"""Reports names shared by two things: a reader could not tell which of them is meant.

Compared are the things that players see and mention: players, pieces and their kinds, places,
markers, sets of words and their words, in every language of the game, ignoring case. A word that
belongs to several sets, or also names a kind, is one word with one name, and no conflict.

Books do give two things one name, and a game that follows its book declares it beside either name:
`shared with: OTHER`. A declaration that matches nothing is reported, unless variants are applied,
which may separate what the game has under one name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from lawspeaker.base import phrases
from lawspeaker.base.diagnostics import Label
from lawspeaker.base.source import Span
from lawspeaker.meaning.check.values import key_span
from lawspeaker.meaning.check.world import World
from lawspeaker.text.document import Scalar, scalars_of

SHARED = "shared with"


@dataclass(frozen=True, slots=True)
class Called:
    """The name of a thing in one language, and its span."""

    text: str
    span: Span


def shared_names(world: World) -> None:
    """Reports two things of one name, and declarations of sharing that match nothing."""
    things = dict(_things(world))
    declared = {frozenset((one, other.value)) for one, other in _declared(world)}
    sharing: dict[frozenset[str], list[str]] = {}
    first: dict[frozenset[str], tuple[str, str]] = {}
    for language in world.languages:
        alike: dict[str, list[str]] = {}
        for thing, span in things.items():
            text = _called(world, thing, language, span).text
            alike.setdefault(" ".join(text.casefold().split()), []).append(thing)
        for members in alike.values():
            for pair in combinations(members, 2):
                first.setdefault(frozenset(pair), pair)
                sharing.setdefault(frozenset(pair), []).append(language)
    for both, languages in sharing.items():
        if both not in declared:
            _clash(world, first[both], languages, things)
    for thing, other in _declared(world):
        if other.value not in things:
            world.diagnostics.error(
                "unknown-name",
                f"there is nothing `{other.value}` to share a name with",
                other.span,
                hint=world.suggest(other.value, things),
            )
        elif frozenset((thing, other.value)) not in sharing and not world.book.variants:
            world.diagnostics.error(
                "shared-name",
                f"`{thing}` and `{other.value}` do not share a name in any language",
                other.span,
                hint=f"take `{SHARED}` out",
            )


def _clash(
    world: World, pair: tuple[str, str], languages: list[str], things: dict[str, Span]
) -> None:
    one, other = pair
    here, there = (_called(world, each, languages[0], things[each]) for each in (other, one))
    told = ", ".join(f"`{each}`" for each in languages)
    known = world.book.section("names").get(other)
    saying = f"`{SHARED}: {one}` beside this one"
    if known is None:
        saying = f"`{other}: {{{SHARED}: {one}}}` under `names:`"
    world.diagnostics.error(
        "shared-name",
        f"`{other}` and `{one}` are both called “{here.text}” in {told}",
        here.span,
        Label(there.span, "the other one"),
        hint=f"give one of them another name, or say {saying}",
    )


def _called(world: World, thing: str, language: str, declared: Span) -> Called:
    """The name of a thing as players read it; by default derived from its id."""
    entry = world.book.section("names").get(thing)
    text = entry.get(language) if entry is not None else None
    if isinstance(text, Scalar):
        return Called(text.value, text.span)
    plain = thing.rsplit(".", 1)[-1]
    return Called(phrases.word(plain, language) or plain.replace("_", " "), declared)


def _declared(world: World) -> Iterator[tuple[str, Scalar]]:
    """The pairs of things that are declared to share a name."""
    for entry in world.book.section("names").values():
        for other in scalars_of(entry.get(SHARED)):
            yield entry.id, other


def _things(world: World) -> Iterator[tuple[str, Span]]:
    """All things that have a name, by the id of the name; the first declaration counts."""
    names, seen = world.book.section("names"), set[str]()
    for id, span in _ids(world):
        _, _, plain = id.rpartition(".")
        known = id if id in names else plain
        if known not in seen:
            seen.add(known)
            yield known, span


def _ids(world: World) -> Iterator[tuple[str, Span]]:
    book = world.book
    players = book.head.key("players") or book.head.key("game")
    for player in world.player_names:
        yield player, players.span if players is not None else book.head.span
    for piece in world.pieces:
        entry = book.section("pieces")[piece.name]
        yield piece.name, entry.span
        for kind in piece.kinds:
            yield f"{piece.name}.{kind.name}", key_span(entry.get("kinds"), kind.name, entry.span)
    for section in ("places", "markers"):
        for entry in book.section(section).values():
            yield entry.id, entry.span
    for word_set in world.word_sets:
        if word_set.name not in book.section("words"):
            continue  # The values of a choice are not things on the table.
        entry = book.section("words")[word_set.name]
        yield word_set.name, entry.span
        for word in word_set.words:
            if word_set.network is not None and word not in book.section("names"):
                continue  # It is named by what it joins.
            yield f"{word_set.name}.{word}", key_span(entry.get("are"), word, entry.span)
