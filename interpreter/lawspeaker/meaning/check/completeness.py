"""Whole-program checks: unreachable clauses, recursion, unused choices, missing translations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain

from lawspeaker import ir
from lawspeaker.base import phrases
from lawspeaker.base.braces import filled
from lawspeaker.base.diagnostics import Label
from lawspeaker.base.source import Span
from lawspeaker.ir.walk import everything, nodes
from lawspeaker.meaning.check import supposing
from lawspeaker.meaning.check.functions import Functions, circle
from lawspeaker.meaning.check.lookalikes import lookalikes
from lawspeaker.meaning.check.numbers_said import differing_numbers
from lawspeaker.meaning.check.questions import Questions
from lawspeaker.meaning.check.sayings import braces_of, rightly_written
from lawspeaker.meaning.check.values import key_span
from lawspeaker.meaning.check.wording import placeholders_by_word
from lawspeaker.meaning.check.world import World, played_kind
from lawspeaker.text.document import Mapping as MappingNode
from lawspeaker.text.document import Node, Scalar, Sequence, scalars_of, text_of
from lawspeaker.text.rulebook import Entry
from lawspeaker.text.translation.places import TOLD
from lawspeaker.text.translation.weaving import default_name

Calls = dict[int, list[tuple[int, Span]]]
MOST_UNNAMED = 3
MOST_LISTED = 10
_OWNERS = ("piece", "place", "player")
"""Words that may qualify a name for everything of their sort."""


def check(
    world: World, functions: Functions, calls: Calls, always: Iterable[ir.Always], main: str
) -> None:
    """Runs all whole-program checks."""
    circles(world, calls)
    supposing.check(world.clauses, functions.done, world.diagnostics)
    explained = _explained(world)
    if not explained:
        unreached(world, calls, main)
    positions(world)
    sentences(world)
    if not explained:
        differing_numbers(world)
    translations(world)
    if not explained:
        unused_choices(world, functions, [each.condition for each in always])


def _explained(world: World) -> bool:
    """Whether code has errors. Something that seems unused may be what was meant there, so reports
    of unused things wait until the rest is correct."""
    return any(
        each.severity == "error" and not each.code.startswith(("missing-", "unreachable"))
        for each in world.diagnostics
    )


def check_question_text(
    world: World, clause: ir.Clause, entry: Entry, questions: Questions
) -> None:
    """Checks that a clause that asks has a text for its question: in every language, or just in the
    language of the rules if they declare one; and that a clause that does not ask has none."""
    asked_for = [world.book.language] if _stated(world) else world.languages
    if questions.questions:
        missing = [each for each in asked_for if each not in clause.asks]
        if clause.asks and world.is_added(entry.span):
            missing = []  # a variant may be in another language, and is shown in that
        if missing:
            world.diagnostics.error(
                "missing-translation",
                f"the question of `{clause.id}` is missing{_languages(world, missing)}",
                entry.key_span("asks"),
                hint="add it under `asks:`",
            )
    elif clause.asks:
        world.diagnostics.error(
            "unused",
            f"`{clause.id}` asks nothing, but has a text for a question",
            entry.key_span("asks"),
        )
        return
    known = {
        each.name: each.type
        for each in world.markers
        if not each.indices and each.seen_by == "everyone"
    }
    known |= {slot.name: slot.type for slot in questions.scope.slots}
    for brace, span, language in braces_of(entry.get("asks"), world.diagnostics):
        if brace.name in known:
            rightly_written(world, brace, known[brace.name], span, language, truths=True)
        else:
            world.diagnostics.error(
                "unknown-name",
                f"the question speaks of `{{{brace.name}}}`, which the clause does not know",
                span,
                hint=world.suggest(brace.name, known),
            )


def circles(world: World, calls: Calls) -> None:
    """Reports recursion: clauses that call each other in a cycle."""
    state: dict[int, int] = {}
    for start in calls:
        if start in state:
            continue
        path: list[tuple[int, int]] = [(start, 0)]
        state[start] = 1
        while path and not world.diagnostics.full:
            clause, at = path.pop()
            follows = calls.get(clause, [])
            if at >= len(follows):
                state[clause] = 2
                continue
            path.append((clause, at + 1))
            target, span = follows[at]
            if state.get(target) == 1:
                names = [each for each, _ in path]
                ways = path[names.index(target) :]
                ring = [world.clauses[each].id for each, _ in ways]
                played = any(calls[each][n - 1][1] in world.used.played_at for each, n in ways)
                world.diagnostics.error(
                    "recursion",
                    f"clauses go round in a circle: {circle(ring, ' → ')}",
                    span,
                    hint="let it choose among other kinds, as with `where card is not …`"
                    if played
                    else "repeat with `repeat until …, at most N times:` instead",
                )
            elif target not in state:
                state[target] = 1
                path.append((target, 0))


def unreached(world: World, calls: Calls, main: str) -> None:
    """Reports rules that no game reaches, and values that nothing uses."""
    if main not in world.procedures or world.procedures[main].entry.get("rule") is None:
        return
    reached: set[int] = set()
    waiting = [world.procedures[main].index, *world.used.supposed]
    while waiting:
        clause = waiting.pop()
        if clause not in reached:
            reached.add(clause)
            waiting.extend(target for target, _ in calls.get(clause, ()))
    for name in world.used.mentioned & world.procedures.keys():
        waiting = [world.procedures[name].index]
        while waiting:
            clause = waiting.pop()
            if clause not in reached:
                reached.add(clause)
                waiting.extend(target for target, _ in calls.get(clause, ()))
    offered = world.used.offered | world.used.mentioned
    for window in world.windows.values():
        if window.name not in offered:
            world.diagnostics.error(
                "unreachable",
                f"the window `{window.name}` is never offered",
                window.entry.span,
                hint=f"say `offer {window.name} to …` where it belongs, or delete it",
            )
    for procedure in world.procedures.values():
        if procedure.index in reached or played_kind(procedure.entry) is not None:
            continue
        world.diagnostics.error(
            "unreachable",
            f"no rule ever does `{procedure.entry.id}`",
            procedure.entry.span,
            hint=f"`do {procedure.entry.id}` where it belongs, or delete it"
            if not world.is_added(procedure.entry.span)
            else "hang it on a rule, with `before:`, `after:` or `instead of:`",
        )
    for signatures in world.signatures.values():
        for signature in signatures:
            used = world.used
            known = signature.function in used.called or signature.name in used.mentioned
            clause_id = world.clauses[signature.function].id
            # Measured values are used by the lab.
            if not known and not clause_id.startswith(ir.MEASURE):
                world.diagnostics.error(
                    "unreachable",
                    f"nothing asks for `{signature}`",
                    signature.span,
                    hint=f"use it, or delete `{clause_id}`",
                )


def positions(world: World) -> None:
    """Reports positions that are never remembered or never queried, and those that depend on the
    order of a shuffled place."""
    shuffled = {
        node.place.type.index: node.span
        for _, node in (world.code if world.positions else ())
        if isinstance(node, ir.Shuffle) and isinstance(node.place.type, ir.PlaceType)
    }
    for name, position in world.positions.items():
        for family in position.families:
            declared = world.families[family]
            if family in shuffled and declared.arranged != "heap":
                world.diagnostics.error(
                    "hidden-position",
                    f"nobody knows the order in which the pieces in `{declared.name}` lie",
                    position.span,
                    Label(shuffled[family], "it is shuffled here"),
                    hint="say under `remembers:` what counts, without it",
                )
        if name in world.used.mentioned:
            continue
        remembered, looked_up = world.used.remembered, world.used.looked_up
        for used, said, how in (
            (remembered, "no rule ever remembers", f"say `remember {name}` where it is due"),
            (looked_up, "nothing asks for", f"ask whether `{name} is new`"),
        ):
            if name not in used:
                world.diagnostics.error(
                    "unreachable",
                    f"{said} the position `{name}`",
                    position.span,
                    hint=f"{how}, or delete it",
                )
                break


def unused_choices(world: World, functions: Functions, conditions: list[ir.Expr]) -> None:
    """Reports choices that no code depends on."""
    values = (nodes(part) for each in functions.done for part in (each.result, each.lets))
    code = (node for _, node in world.code)
    used = {
        node.choice
        for node in chain(code, *values, everything(tuple(conditions)))
        if isinstance(node, (ir.ChoiceValue, ir.ChoiceItem))
    }
    for index, choice in enumerate(world.choices):
        looked_at = index in used or choice.fills or choice.shapes
        if not looked_at and choice.id not in world.used.mentioned:
            clause = world.clauses[choice.clause]
            world.diagnostics.error(
                "unreachable",
                f"no rule looks at the choice `{choice.id}`",
                clause.span,
                hint="let a rule depend on it, or delete it",
            )


def sentences(world: World) -> None:
    """Reports clauses without a sentence."""
    for clause in world.clauses.values():
        said = clause.says.get(world.languages[0], clause.says.get(world.book.language))
        if not said and not (world.is_added(clause.span) and any(clause.says.values())):
            world.diagnostics.error(
                "missing-sentence",
                f"`{clause.id}` does not say what it means",
                clause.span,
                hint="add `says:` and a sentence in your own words",
            )


def translations(world: World) -> None:
    """Checks that everything a player can see or choose has a name in every language. If the rules
    declare their language, an unnamed thing goes by its id, also in other languages until it is
    translated: one warning per language lists all that are missing. Otherwise a missing name is an
    error."""
    needed = needed_names(world)
    known = nameable(world, needed)
    meant = _unknown(world, known)
    for name, doubts in world.book.doubts.items():
        if name not in world.lost:
            world.diagnostics.extend(doubts)
    if _stated(world):
        _untranslated(world, needed, meant)
    elif world.languages != ("en",):
        _unnamed(world, needed)
    _called_by_indices(world)
    lookalikes(world, needed)
    texts = {default_name(name) for name in needed}
    for (language, text), needless in world.book.same.items():
        if needless is not None and text not in texts and not world.book.variants:
            world.diagnostics.warning(
                "stale-translation",
                f"the rules have no text “{text}” that could be the same in `{language}`",
                needless.span,
                hint="take it out",
            )


def _unknown(world: World, known: set[str]) -> set[str]:
    """Reports names of nothing; returns the things that were probably meant."""
    meant: set[str] = set()
    happens = {*_labels(world), "pass", "none", *placeholders_by_word(world)}
    owners = {*_OWNERS, *world.types, *world.kind_nouns, *world.clause_ids, *world.used.mentioned}
    for named in world.book.section("names").values():
        if named.id in known:
            continue
        told = named.id.startswith(TOLD)
        owner, _, word = named.id.removeprefix(TOLD).rpartition(".")
        if told and not _is_told(world, named, word, happens):
            continue
        if told or word in known:
            able = {*world.clause_ids, *world.types} if told else owners
            _owned_by_nobody(world, named, owner, able)
            continue
        world.lost.add(named.id)
        meant.add(world.near(named.id, known) or "")
        world.diagnostics.error(
            "unknown-name",
            f"nothing is called `{named.id}`",
            named.span,
            hint=world.suggest(named.id, known),
        )
    return meant


def _is_told(world: World, named: Entry, word: str, happens: set[str]) -> bool:
    """Reports a phrase for telling something that is never told."""
    if word in happens or word in world.used.mentioned:
        return True
    world.lost.add(named.id)
    world.diagnostics.error(
        "unknown-name",
        f"`{named.id}` says how something is told, but nothing that is chosen or told is called "
        f"`{word}`",
        named.span,
        hint=world.suggest(word, happens | world.used.mentioned),
    )
    return False


def _owned_by_nobody(world: World, named: Entry, owner: str, owners: set[str]) -> None:
    """Reports a qualified name whose qualifier does not exist: it is never looked up."""
    if not owner or owner in owners:
        return
    world.lost.add(named.id)
    before = TOLD if named.id.startswith(TOLD) else ""
    near = world.near(owner, owners if before else {*owners, TOLD.rstrip(".")})
    word = named.id.removeprefix(f"{before}{owner}.")
    world.diagnostics.error(
        "unknown-name",
        f"`{named.id}` is a name of nothing, for nothing is called `{owner}`",
        named.span,
        hint=f"did you mean '{before}{near}.{word}'?"
        if near is not None
        else f"before the `.` stands whose it is, a piece, a set of words or a clause; or write "
        f"`{before}{word}`",
    )


def _labels(world: World) -> dict[str, Span]:
    """The labels of all alternatives, and where they are offered."""
    found: dict[str, Span] = {}
    for clause, node in world.code:
        if isinstance(node, ir.Alternative) and node.label is not None:
            found.setdefault(node.label, clause.span)
    return found


def _untranslated(world: World, needed: Mapping[str, Span], meant: set[str]) -> None:
    """Reports what is missing in translations of rules in one language. Things that a variant adds
    are missed there if it names them, and otherwise here."""
    unnamed: dict[tuple[str, Span], list[str]] = {}
    for language, lacking in world.book.lacking.items():
        addresses = dict.fromkeys(lacking.addresses)
        for name, span in _missing(world, needed, language):
            entry = world.book.section("names").get(name)
            if entry is None and world.is_added(span):
                if not _wanted_in(world, span, language):
                    continue
                unnamed.setdefault((name, span), []).append(language)
            elif name not in meant and not (entry is not None and world.is_added(entry.span)):
                addresses[("names", name)] = None
        whole = replace(lacking, addresses=tuple(addresses))
        at = _item_of(world, "languages", language)
        whole.tell(language, world.book.language, at, world.diagnostics)
    if unnamed:
        _unnamed_by_variants(world, unnamed)


def _wanted_in(world: World, span: Span, language: str) -> bool:
    """Whether the variant in whose file something is wants names for it in a language."""
    root = next(each.root for each in world.book.variants if each.file == span.file)
    languages = root.get("languages")
    return not isinstance(languages, Sequence) or language in map(text_of, languages.items)


def _unnamed_by_variants(world: World, unnamed: Mapping[tuple[str, Span], list[str]]) -> None:
    """Warns once of all unnamed things that variants have added."""
    (name, span), *others = unnamed
    own = world.book.language
    more = [f"`{each}`" for each, _ in others]
    listed = ", ".join(more[:MOST_LISTED]) + (" …" if len(more) > MOST_LISTED else "")
    world.diagnostics.warning(
        "missing-translation",
        f"`{name}` has no name{_languages(world, unnamed[name, span])}"
        + (f"; nor {'has' if len(more) == 1 else 'have'} {listed}" if more else ""),
        span,
        hint=f"add it by a change, `{{add: names.{name}, to: …}}`, and translate that; in a house "
        f"rule of your own it can stay so; `languages: [{own}]` says that no others are wanted",
    )


def _called_by_indices(world: World) -> None:
    """Reports places that are named by their indices, as `a1`, and lack a name for the family: in
    other languages they would go by their id."""
    names = world.book.section("names")
    for family in world.families:
        called = names.get(family.name)
        own = None if called is None else called.get(world.book.language)
        if called is None or not isinstance(own, Scalar) or not family.indices:
            continue
        for language in world.languages:
            text = called.get(language)
            if language == world.book.language or not isinstance(text, Scalar):
                continue
            if not any(map(str.isalnum, filled(text.value, lambda _: "", language))):
                world.diagnostics.warning(
                    "missing-translation",
                    f"what all of `{family.name}` are called has no word in `{language}`",
                    text.span,
                    hint=f'say in the rules first `place.{family.name}: "{own.value}"` for each of '
                    f"them and `{family.name}: …` for all, with a word; then translate both",
                )


def _missing(world: World, needed: Mapping[str, Span], language: str) -> Iterator[tuple[str, Span]]:
    """The things that have no name in a language."""
    names = world.book.section("names")
    for name, span in needed.items():
        own = names.get(name)
        called = own.get(world.book.language) if own is not None else None
        text = called.value if isinstance(called, Scalar) else default_name(name)
        if (language, text) not in world.book.same and (own is None or own.get(language) is None):
            yield name, span


def _unnamed(world: World, needed: Mapping[str, Span]) -> None:
    """Reports things without a name in some language; a few of them one by one."""
    names = world.book.section("names")
    lacking: dict[str, list[str]] = {}
    without = {each: dict(_missing(world, needed, each)) for each in world.languages}
    for name, span in needed.items():
        missing = [each for each in world.languages if name in without[each]]
        for language in missing:
            lacking.setdefault(language, []).append(name)
        if missing and all(len(lacking[each]) <= MOST_UNNAMED for each in missing):
            own = names.get(name)
            world.diagnostics.error(
                "missing-translation",
                f"`{name}` has no name{_languages(world, missing)}",
                own.span if own is not None else span,
                *((Label(span, "declared here"),) if own is not None else ()),
                hint=_naming(world, name, missing, span),
            )
    for language, unnamed in lacking.items():
        if len(unnamed) > MOST_UNNAMED:
            more = len(unnamed) - MOST_UNNAMED
            world.diagnostics.error(
                "missing-translation",
                f"{more} more things have no name in `{language}`: "
                f"{', '.join(unnamed[MOST_UNNAMED : MOST_UNNAMED + MOST_LISTED])}"
                f"{' …' if more > MOST_LISTED else ''}",
                _key_of(world, "languages"),
                hint=f"add them under `names:`, as `{unnamed[-1]}: {{{language}: …}}`",
            )


def needed_names(world: World) -> dict[str, Span]:
    """All that a player can see or choose, by the id of its name, with its declaration."""
    names = world.book.section("names")
    needed: dict[str, Span] = {}
    for section in ("pieces", "places", "markers", "words"):
        for entry in world.book.section(section).values():
            needed[entry.id] = entry.span
    for word_set in world.word_sets:
        if world.side is not None and word_set is world.word_sets[world.side.index]:
            names_of_sides = (word_set.name, *world.side_names) if world.side_names else ()
            needed.update((name, _key_of(world, "players")) for name in names_of_sides)
        elif word_set.name not in world.choice_index:
            entry = world.book.section("words")[word_set.name]
            network = None if word_set.network is None else world.networks[word_set.network]
            for at, word in enumerate(word_set.words):
                if network is not None and network.tells(at, word):
                    continue  # It is named by what it joins.
                needed.setdefault(word, key_span(entry.get("are"), word, entry.span))
    for piece in world.pieces:
        for kind in piece.kinds:
            entry = world.book.section("pieces")[piece.name]
            if f"{piece.name}.{kind.name}" not in names:
                span = key_span(entry.get("kinds"), kind.name, entry.span)
                needed.setdefault(kind.name, span)
    needed.update((noun, world.declared[noun]) for noun in world.kind_nouns)
    for player in world.player_names:
        needed.setdefault(player, _key_of(world, "players"))
    for label, span in _labels(world).items():
        needed.setdefault(label, span)
    for clause, node in world.code:
        if isinstance(node, ir.Tell) and node.name:
            needed.setdefault(node.name, clause.span)
    for title in _titles(world.book.table):
        needed.setdefault(title.value, title.span)
    if _stated(world):
        needed |= {id: span for id, span in _giving(world).items() if id not in needed}
    return needed


def _giving(world: World) -> dict[str, Span]:
    """Clauses that score points, by the id of their name: the name says where points come from. A
    title serves as well, and a house rule for one table needs no translation."""
    names = world.book.section("names")
    untold = {each.file for each in world.book.variants if not each.translations}
    found: dict[str, Span] = {}
    for clause, node in world.code:
        if isinstance(node, ir.Score) and not clause.title and clause.span.file not in untold:
            id = clause.id if clause.id in names else clause.id.rsplit(".", 1)[-1]
            found.setdefault(id, clause.span)
    return found


def _titles(node: Node | None) -> Iterator[Scalar]:
    """The titles above parts of the table."""
    if isinstance(node, MappingNode):
        for key, value in node.entries:
            if key.value == "title" and isinstance(value, Scalar):
                yield value
            else:
                yield from _titles(value)
    elif isinstance(node, Sequence):
        for each in node.items:
            yield from _titles(each)


def nameable(world: World, needed: Iterable[str]) -> set[str]:
    """The last components of all ids that can have a name."""
    return {
        *needed,
        *world.used.mentioned,
        *world.types,
        *world.kinds,
        *(word for word_set in world.word_sets for word in word_set.words),
        *(state.name for piece in world.pieces for state in piece.states),
        *(column.name for piece in world.pieces for column in piece.columns),
        *(column.name for word_set in world.word_sets for column in word_set.columns),
        *world.clause_ids,
        *phrases.WORDS,
    }


def _stated(world: World) -> bool:
    """Whether the rules declare their language."""
    return world.book.head.get("language") is not None


def _naming(world: World, name: str, missing: list[str], span: Span) -> str:
    """A hint for naming a thing: in the game's own files, or in the variant that adds it."""
    if world.is_added(span):
        texts = ", ".join(f"{each}: …" for each in world.languages)
        return f"add it by a change: `{{add: names.{name}, to: {{{texts}}}}}`"
    return f"add it under `names:`, as `{name}: {{{', '.join(f'{one}: …' for one in missing)}}}`"


def _item_of(world: World, key: str, value: str) -> Span:
    """The span of a word in a list of the entry file, or of its key."""
    items = scalars_of(world.book.head.get(key))
    spans = (each.span for each in items if each.value == value)
    return next(spans, _key_of(world, key))


def _key_of(world: World, key: str) -> Span:
    """The span of a key of the entry file, or of the name of the game."""
    found = world.book.head.key(key) or world.book.head.key("game")
    return found.span if found is not None else world.book.head.span


def _languages(world: World, codes: list[str]) -> str:
    """Lists languages for a message, if the game has several."""
    if len(world.languages) == 1:
        return ""
    return f" in {', '.join(f'`{each}`' for each in codes)}"
