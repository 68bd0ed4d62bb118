"""Builds a supplement: a booklet with only what a table's variants change.

The points are those of the agreement (`render.contract`): one for each difference from the base
game, with the rule now and before. New kinds of pieces and those with a changed number are drawn,
and so is the setup for each number of players for which it differs; differences due to chance or to
the contents of a hidden pile do not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lawspeaker.faces.render.book.components import Components
from lawspeaker.faces.render.book.course import BookRules
from lawspeaker.faces.render.book.gathering import ExampleScenario, front, with_examples
from lawspeaker.faces.render.book.setting_up import arrangements
from lawspeaker.faces.render.book.tree import Book, Chapter, Figures, Paragraph, Rule
from lawspeaker.faces.render.contract import AgreedPart, AgreedPoint, contract
from lawspeaker.match.game import Game
from lawspeaker.position.layout import layout_for
from lawspeaker.study.compare import compare
from lawspeaker.study.compare.ruleset import Ruleset


def supplement_of(
    game: Game,
    base: Ruleset,
    played: Ruleset,
    language: str,
    examples: Sequence[ExampleScenario] = (),
) -> Book:
    """Builds the supplement for the variants of a table."""
    layout = layout_for(played.program, played.program.most)
    rules = BookRules(layout, base.program, language)
    things = Components(rules)
    agreed = contract(compare([base, played], language), played)
    chapters = [Chapter("about", rules.phrase("supplement"), (_about(rules),))]
    chapters += [_chapter(at, part, rules) for at, part in enumerate(agreed.parts)]
    galleries = tuple(
        replace(each, items=tuple(item for item in each.items if item.mark))
        for each in things.reference()
        if any(item.mark for item in each.items)
    )
    if galleries:
        chapters.append(Chapter("reference", rules.phrase("reference"), galleries))
    if figures := tuple(_otherwise(rules, things)):
        chapters.append(Chapter("setup", rules.phrase("setup"), figures))
    own = [each for each in examples if each.of_variant]
    chapters = with_examples(chapters, rules, own)
    return replace(front(game, rules), chapters=tuple(chapters))


def _about(rules: BookRules) -> Paragraph:
    return Paragraph(rules.phrase("supplement_about"))


def _chapter(at: int, part: AgreedPart, rules: BookRules) -> Chapter:
    points = (_rule(f"{at}-{number}", each, rules) for number, each in enumerate(part.points))
    return Chapter(f"part-{at}", part.title, tuple(points))


def _rule(id: str, point: AgreedPoint, rules: BookRules) -> Rule:
    also = (Rule(f"{id}-{number}", "", says) for number, says in enumerate(point.also))
    before = rules.phrase("formerly", text=point.before) if point.before else ""
    return Rule(id, point.title, point.says, tuple(also), before=before)


def _otherwise(rules: BookRules, things: Components) -> Iterator[Figures]:
    """Yields the setups that differ from the base game."""
    usual, now = arrangements(rules.base), arrangements(rules.program)
    drawn = zip(now, things.setup().each, strict=True)
    if new := tuple(each for players, each in drawn if now[players] != usual.get(players)):
        yield Figures(new)
