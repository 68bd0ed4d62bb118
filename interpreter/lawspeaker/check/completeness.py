"""What can be said only of the whole: clauses nobody does, circles, translations left out."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lawspeaker import ir, phrases
from lawspeaker.check.functions import Functions
from lawspeaker.check.privacy import Call, Need, Privacy, flow
from lawspeaker.check.questions import Questions
from lawspeaker.check.walk import everything
from lawspeaker.check.world import World
from lawspeaker.diagnostics import Label, did_you_mean
from lawspeaker.document import Mapping as MappingNode
from lawspeaker.rulebook import Entry
from lawspeaker.source import Span

Calls = dict[int, list[tuple[int, Span]]]
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


def check(world: World, functions: Functions, calls: Calls, main: str) -> None:
    circles(world, calls)
    unreached(world, functions, calls, main)
    sentences(world)
    translations(world)
    unused_choices(world, functions)


def asked(world: World, clause: ir.Clause, entry: Entry, questions: Questions) -> None:
    """A clause that asks has its question in every language; one that does not has none."""
    if questions.questions:
        missing = [each for each in world.languages if each not in clause.asks]
        if missing:
            world.diagnostics.error(
                "missing-translation",
                f"the question of `{clause.id}` is missing in {', '.join(missing)}",
                entry.span,
                hint="add it under `asks:`",
            )
    elif clause.asks:
        world.diagnostics.error(
            "unused-name", f"`{clause.id}` asks nothing, but has a text for a question", entry.span
        )
    names = [slot.name for slot in questions.scope.slots]
    for text in clause.asks.values():
        for name in _PLACEHOLDER.findall(text):
            if name not in names:
                world.diagnostics.error(
                    "unknown-name",
                    f"the question speaks of `{{{name}}}`, which the clause does not know",
                    entry.span,
                    hint=did_you_mean(name, names),
                )


def secrets(privacy: Privacy, calls: list[Call], needs: Mapping[int, Mapping[Need, None]]) -> None:
    """Nothing that a clause is given may let a question depend on what its player cannot see."""
    for operand, place, need in flow(privacy, calls, needs):
        privacy.world.diagnostics.error(
            "hidden-from-chooser",
            f"a question depends on this, and so on {privacy.whose(place)}",
            operand.span,
            Label(need.span, "the question"),
            hint="a player is offered only what follows from what he sees",
        )


def circles(world: World, calls: Calls) -> None:
    """Clauses that do each other in a circle."""
    state: dict[int, int] = {}
    for start in calls:
        if start in state:
            continue
        path: list[tuple[int, int]] = [(start, 0)]
        state[start] = 1
        while path:
            clause, at = path.pop()
            follows = calls.get(clause, [])
            if at >= len(follows):
                state[clause] = 2
                continue
            path.append((clause, at + 1))
            target, span = follows[at]
            if state.get(target) == 1:
                names = [each for each, _ in path]
                ring = [world.clauses[each].id for each in names[names.index(target) :]]
                world.diagnostics.error(
                    "recursion",
                    f"clauses go round in a circle: {' → '.join([*ring, ring[0]])}",
                    span,
                    hint="repeat with `repeat until …, at most N times:` instead",
                )
            elif target not in state:
                state[target] = 1
                path.append((target, 0))


def unreached(world: World, functions: Functions, calls: Calls, main: str) -> None:
    """Rules that no game ever comes to, and values that nothing asks for."""
    if main not in world.procedures:
        return
    reached: set[int] = set()
    waiting = [world.procedures[main].index]
    while waiting:
        clause = waiting.pop()
        if clause not in reached:
            reached.add(clause)
            waiting.extend(target for target, _ in calls.get(clause, ()))
    for procedure in world.procedures.values():
        if procedure.index in reached:
            continue
        window = world.windows.get(procedure.entry.text("when") or "")
        hint = f"`do {procedure.entry.id}` where it belongs, or delete it"
        if window is not None:
            hint = f"nothing says `offer {window.name} to …`"
        world.diagnostics.error(
            "unreachable", f"no rule ever does `{procedure.entry.id}`", procedure.entry.span,
            hint=hint,
        )  # fmt: skip
    for signatures in world.signatures.values():
        for signature in signatures:
            if signature.function not in functions.called:
                clause_id = world.clauses[signature.function].id
                world.diagnostics.error(
                    "unreachable",
                    f"nothing asks for `{signature}`",
                    signature.span,
                    hint=f"use it, or delete `{clause_id}`",
                )


def unused_choices(world: World, functions: Functions) -> None:
    """Choices that nothing depends on: changing them would change nothing."""
    used: set[int] = set()
    bodies = [clause.body for clause in world.clauses.values()]
    for each in (*bodies, *((f.result, *(v for _, v in f.lets)) for f in functions.done)):
        for node in everything(each):
            if isinstance(node, (ir.ChoiceValue, ir.ChoiceItem)):
                used.add(node.choice)
    if world.diagnostics.has_errors:
        return
    for index, choice in enumerate(world.choices):
        if index not in used:
            clause = world.clauses[choice.clause]
            world.diagnostics.error(
                "unreachable", f"no rule looks at the choice `{choice.id}`", clause.span
            )


def sentences(world: World) -> None:
    """Every clause says in a sentence what it means."""
    for clause in world.clauses.values():
        if not clause.says.get(world.languages[0], clause.says.get("en")):
            world.diagnostics.error(
                "no-sentence",
                f"`{clause.id}` does not say what it means",
                clause.span,
                hint="add `says:` and a sentence in your own words",
            )


def translations(world: World) -> None:
    """Every thing a player can see or choose has a name in every language of the game."""
    if world.languages in ((), ("en",)):
        return
    names = world.book.section("names")
    needed: dict[str, Span] = {}
    for section in ("pieces", "places", "markers", "words"):
        for entry in world.book.section(section).values():
            needed[entry.id] = entry.span
    for word_set in world.word_sets:
        if word_set.name not in world.choice_index:
            for word in word_set.words:
                needed.setdefault(word, world.book.section("words")[word_set.name].span)
    for piece in world.pieces:
        for kind in piece.kinds:
            span = world.book.section("pieces")[piece.name].span
            if f"{piece.name}.{kind.name}" not in names:
                needed.setdefault(kind.name, span)
    for player in world.player_names:
        needed.setdefault(player, world.book.head.span)
    for clause in world.clauses.values():
        for node in everything(clause.body):
            if isinstance(node, ir.Alternative) and node.label is not None:
                needed.setdefault(node.label, clause.span)
    for name, span in needed.items():
        own = names.get(name)
        given = (
            {key.value for key, _ in own.body.entries}
            if own and isinstance(own.body, MappingNode)
            else set()
        )
        missing = [each for each in world.languages if each not in given]
        if missing:
            world.diagnostics.error(
                "missing-translation",
                f"`{name}` has no name in {', '.join(missing)}",
                own.span if own is not None else span,
                *((Label(span, "declared here"),) if own is not None else ()),
                hint=f"add it under `names:`, as `{name}: {{{missing[0]}: …}}`",
            )
    known = {*needed, *world.types, *world.kinds, *world.clause_ids, *phrases.WORDS}
    for named in names.values():
        last = named.id.rsplit(".", 1)[-1]
        if named.id not in known and last not in known:
            world.diagnostics.error(
                "unknown-name",
                f"nothing is called `{named.id}`",
                named.span,
                hint=did_you_mean(named.id, known),
            )
