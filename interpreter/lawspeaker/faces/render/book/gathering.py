"""Assembles a whole book from a game and its examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lawspeaker import ir
from lawspeaker.base.counts import counts_in_table
from lawspeaker.base.phrases import phrase, phrases
from lawspeaker.base.typography import capital, colon
from lawspeaker.faces.render.book import examples as shown
from lawspeaker.faces.render.book.components import Components
from lawspeaker.faces.render.book.course import BookRules
from lawspeaker.faces.render.book.index import index
from lawspeaker.faces.render.book.pictures import picture, table
from lawspeaker.faces.render.book.setting_up import first_done
from lawspeaker.faces.render.book.summary import card, crib
from lawspeaker.faces.render.book.tree import (
    Block,
    Book,
    Chapter,
    Example,
    Figure,
    Figures,
    Paragraph,
    Rule,
    Variant,
)
from lawspeaker.faces.web.preview import preview
from lawspeaker.ir.walk import everything
from lawspeaker.match.game import Game
from lawspeaker.position.layout import layout_for
from lawspeaker.study.scenario import ScenarioRun
from lawspeaker.telling.holders import who_is_together

WORDS = "book.words."


@dataclass(frozen=True, slots=True)
class ExampleScenario:
    """A scenario as an example: its heading, its clause, its course, and whether it belongs to a
    variant."""

    title: str
    about: str
    course: ScenarioRun
    of_variant: bool = False


def book_of(
    game: Game,
    base: ir.Program,
    language: str,
    examples: Sequence[ExampleScenario] = (),
    *,
    sources: bool = False,
) -> Book:
    """Builds the book of a game; `base` is the game without its variants."""
    program = game.program
    layout = layout_for(program, program.most)
    rules = BookRules(layout, base, language, sources=sources)
    things = Components(rules)
    told = with_examples(_with_setup(rules.chapters(), rules, things), rules, examples)
    chapters = [
        Chapter("overview", rules.phrase("overview"), tuple(_overview(rules))),
        Chapter("box", rules.phrase("box"), (things.box(),)),
        *told,
    ]
    if galleries := tuple(things.reference()):
        chapters.append(Chapter("reference", rules.phrase("reference"), galleries))
    chapters += _added_up(rules)
    return replace(
        front(game, rules),
        chapters=tuple(chapters),
        crib=crib(rules, told),
        card=card(rules, things),
        index=index(layout, told, language),
        sources=tuple(_sources(program, language)) if sources else (),
        margin=sources,
    )


def front(game: Game, rules: BookRules) -> Book:
    """Builds the title page."""
    program, language = game.program, rules.language
    return Book(
        language,
        rules.said(program.title) or program.name,
        " · ".join(rules.titles.values()),
        program.by or "",
        rules.said(program.about),
        tuple(_facts(rules)),
        picture(preview(game, language), rules.said(program.title)),
        tuple(
            Variant(
                phrase(f"show.layer.{each.layer.replace(' ', '_')}", language),
                rules.titles[each.name],
                rules.said(each.about),
            )
            for each in program.variants
        ),
        imprint=rules.phrase("imprint", digest=program.digest[:12]),
        words={
            key.removeprefix(WORDS): phrase(key, language)
            for key in phrases("en")
            if key.startswith(WORDS)
        },
    )


def _facts(rules: BookRules) -> Iterator[tuple[str, str]]:
    yield rules.phrase("players"), counts_in_table(rules.program.counts, rules.language)
    if sides := who_is_together(rules.layout, rules.language):
        yield phrase("show.fact.sides", rules.language), ", ".join(sides)
    if rules.program.by:
        yield rules.phrase("by"), rules.program.by


def _overview(rules: BookRules) -> Iterator[Block]:
    """Summarizes the game: its theme, its main rule, and who wins."""
    program = rules.program
    yield Paragraph(rules.said(program.about))
    main = rules.rule(program.clauses[program.main])
    yield replace(main, title="")
    if _points_decide(program):
        yield Paragraph(rules.phrase(f"goal.{program.goal.name.lower()}"))
    gone = [each for each in rules.base.clauses if each.id not in rules.by_id and each.in_book]
    if gone:
        yield Paragraph(rules.phrase("gone"))
        for each in gone:
            title, says = rules.said(each.title), rules.said(each.says)
            yield Paragraph(colon(title, says, rules.language) if title else says)


def _points_decide(program: ir.Program) -> bool:
    """Whether somebody gets points, and no rule names a winner."""
    statements = [each for clause in program.clauses for each in everything(clause.body)]
    named = any(isinstance(each, ir.EndGame) and each.winners is not None for each in statements)
    return not named and any(isinstance(each, ir.Score) for each in statements)


def _with_setup(chapters: list[Chapter], rules: BookRules, things: Components) -> list[Chapter]:
    """Adds the drawings of the setup to the chapter of the setup: the first that a game does."""
    figures = things.setup_in_brief()
    first = first_done(rules.program)
    opener = None if first is None else f"chapter-{rules.program.clauses[first.clause].id}"
    if not any(each.id == opener for each in chapters):
        return [Chapter("setup", rules.phrase("setup"), figures), *chapters]
    return [
        replace(each, blocks=(*each.blocks, *figures)) if each.id == opener else each
        for each in chapters
    ]


def with_examples(
    chapters: list[Chapter], rules: BookRules, examples: Sequence[ExampleScenario]
) -> list[Chapter]:
    """Adds each example to the chapter of its rule."""
    home = {
        block.id: at
        for at, chapter in enumerate(chapters)
        for block in chapter.blocks
        if isinstance(block, Rule)
    }
    found: dict[int, list[Example]] = {}
    for each in examples:
        made = shown.example(each.title, each.course, rules.language)
        found.setdefault(home.get(each.about, len(chapters)), []).append(made)
    done = [
        replace(chapter, blocks=(*chapter.blocks, *found.get(at, ())))
        for at, chapter in enumerate(chapters)
    ]
    if others := found.get(len(chapters)):
        done.append(Chapter("examples", rules.phrase("examples"), tuple(others)))
    return done


def _added_up(rules: BookRules) -> Iterator[Chapter]:
    """Builds the scoring example: the last position of a game and its points, if points decide."""
    if not _points_decide(rules.program):
        return
    match = shown.scored(rules.program)
    if match is None:
        return
    title = rules.phrase("added_up")
    last = table(match.view(None), rules.language, title)
    yield Chapter(
        "added-up",
        title,
        (
            Paragraph(rules.phrase("added_up_about")),
            Figures((Figure(last),)),
            shown.sheet(match, rules),
        ),
    )


def _sources(program: ir.Program, language: str) -> Iterator[str]:
    for each in program.sources:
        details = [
            each.details[key] for key in ("author", "publisher", "year") if key in each.details
        ]
        called = capital(ir.in_language(each.called, language))
        told = ", ".join([each.title, *details])
        yield colon(called, told, language) if called else told
