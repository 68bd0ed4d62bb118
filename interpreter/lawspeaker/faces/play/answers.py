"""Answers to players' questions: a rule, why something is not offered, sources of points."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from lawspeaker import ir
from lawspeaker.base.diagnostics import nearest
from lawspeaker.base.phrases import phrase
from lawspeaker.base.typography import STALE, enumerated, numeral
from lawspeaker.faces.play.input import (
    COMMANDS,
    TypedOption,
    command_name,
    find,
    out_of_range,
    words_of,
)
from lawspeaker.faces.play.shown import Holder, Pairs, Rule, Shown, ShownNote, ShownResult, Sum
from lawspeaker.faces.render.clause import has_stale
from lawspeaker.ir.walk import code_of, everything
from lawspeaker.match.decision import Decision, Option, worded
from lawspeaker.match.explain import Elsewhere, Refusal
from lawspeaker.match.match import Match
from lawspeaker.match.writing import shape
from lawspeaker.position.layout import Layout
from lawspeaker.position.standing import in_order
from lawspeaker.telling.holders import holders, outcome_together
from lawspeaker.telling.labels import Labels
from lawspeaker.telling.story import Story, option_name
from lawspeaker.telling.typing import Field, forms, is_typed, typed

MOST_RULES = 12
MOST_CHOICES = 12


def source(program: ir.Program, cite: ir.Citation, language: str) -> str:
    """Formats a citation: book, section, stance and note."""
    found = next((each for each in program.sources if each.id == cite.source), None)
    title = cite.source if found is None else found.title
    publisher = "" if found is None else found.details.get("publisher", "")
    year = "" if found is None else found.details.get("year", "")
    details = " ".join(part for part in (publisher, year) if part)
    book = f"{title} ({details})" if details else title
    stance = phrase(f"stance.{cite.stance}", language)
    note = f" – {cite.note_in(language)}" if cite.note else ""
    section = f", {phrase('cite.section', language, section=cite.section)}" if cite.section else ""
    return f"{book}{section}: {stance}{note}"


def rule(
    program: ir.Program, clause: ir.Clause, language: str, decision: Decision | None = None
) -> Rule:
    """Describes a clause; with a decision, also the guards of its alternatives."""
    ask = None if decision is None else decision.setting.ask
    told: dict[tuple[int, str], tuple[str, str]] = {}
    heading = "guards"
    for alternative in ask.alternatives if ask is not None else ():
        if alternative.offered_by is not None:
            offers, heading = program.clauses[alternative.offered_by], "offers"
            said = ir.in_language(offers.says, language)
            title = ir.in_language(offers.title, language) or offers.id
            told.setdefault((offers.index, ""), (title, said))
        for guard in (*alternative.guards, *(g for own in alternative.member_guards for g in own)):
            said = ir.in_language(guard.says, language)
            if said:
                told.setdefault((guard.clause, guard.name), (guard.name, said))
        for of in (part.binder.type for part in alternative.parts):
            if isinstance(of, ir.WordType) and of.written:
                told.setdefault((clause.index, of.name), (of.name, shape(program, of)[language]))
    return Rule(
        clause.id,
        ir.in_language(clause.says, language),
        tuple(source(program, cite, language) for cite in clause.cites),
        tuple(told.values()),
        phrase(f"rule.{heading}", language) if told else "",
        title=ir.in_language(clause.title, language),
    )


def as_listed(decision: Decision) -> list[Option]:
    """Lists the options of a question, those without values first.

    These are few and frequently used, so their numbers stay the same from question to question.
    Typed options are not listed.
    """
    own = typed(decision)
    listed = (each for each in decision.options if not is_typed(each, own))
    return sorted(listed, key=lambda option: bool(option.values))


def typed_forms(decision: Decision, language: str) -> str:
    """Describes the typed forms with their fields: `give CLUE, NUMBER  (Clue: 1 word, 2 to 15
    letters; Number: 1, 2, 3)`."""
    return "; ".join(
        f"{form.name}  ({'; '.join(map(_told, form.fields))})" for form in forms(decision, language)
    )


def _told(field: Field) -> str:
    """Describes a field and its permitted values."""
    if field.written:
        return field.limits.rstrip(".")
    name = field.name[:1].upper() + field.name[1:]
    if field.low is not None:
        return f"{name}: {field.low} – {field.high}"
    more = " …" if len(field.values) > MOST_CHOICES else ""
    return f"{name}: {', '.join(each for _, each in field.values[:MOST_CHOICES])}{more}"


def typed_options(match: Match, decision: Decision, text: str) -> Sequence[Option]:
    """Returns the options that a typed text can mean: free text, or one of many numbers.

    Empty if the rules forbid it: `why_not` names the rule.
    """
    said_so, others = match.written(text, decision.seat)
    if others:
        return others if said_so is None else [said_so]
    own, said = typed(decision), set(words_of(text))
    listed = (each for each in decision.options if is_typed(each, own))
    return [each for each in listed if not said.isdisjoint(map(str, each.values))]


def choices_of(
    match: Match, seat: int | None, options: Iterable[Option], language: str
) -> list[TypedOption]:
    """Converts options to choices with the texts by which they can be typed."""
    labels = Labels(match.view(seat))
    return [
        TypedOption(option_name(option, labels, language), (option.text, option.name(language)))
        for option in options
    ]


def _asked(match: Match, seat: int | None) -> Decision | None:
    """Returns the question to a seat from its view: the order of options in the match could reveal
    hidden things."""
    return match.decision if seat is None else match.view(seat).decision


def why_not(match: Match, seat: int | None, text: str, language: str) -> list[Shown]:
    """Explains why something is not offered, as far as the text can be parsed as a choice.

    They are read as an answer would be, among all that the question asks for. Words that fit
    several choices, or a thing that is not there to choose, are left to the match, which takes
    what is not said as anything; if that says nothing, a number may be out of bounds, or else the
    choices are listed.
    """
    options = match.well_formed(seat)
    choices = choices_of(match, seat, options, language)
    found = find(choices, text)
    if len(found) == 1:
        refusal = match.why_not(options[found[0]].text, seat)
        text = _numbered(match, seat, options[found[0]], choices[found[0]].shown)
    else:
        refusal = _read(match, seat, text, language)
    if refusal.offered:
        return [ShownNote(phrase("why.offered", language, option=text.strip()))]
    if refusal.guard is not None:
        name = f"{refusal.clause.id}.{refusal.guard.name}"
        title = ir.in_language(refusal.guard.title or refusal.clause.title, language)
        cites = refusal.guard.cites or refusal.clause.cites
        sources = tuple(source(match.program, cite, language) for cite in cites)
        whole = ir.in_language(refusal.clause.says, language)
        said = ir.in_language(refusal.guard.says, language) or whole or refusal.message
        lead = phrase("why.rule", language)
        return [Rule(name, said, sources, lead=lead, title=title, rule=whole)]
    if len(found) > 1:
        rows = tuple(("", choices[at].shown) for at in found[:MOST_CHOICES])
        return [Pairs(phrase("why.several", language), rows)]
    if refusal.elsewhere is not None:
        return [ShownNote(_elsewhere(match, refusal.elsewhere, language), "bad")]
    beyond = out_of_range(choices, text)
    if beyond:
        return [
            ShownNote(phrase("why.bounds", language, **each._asdict()), "bad") for each in beyond
        ]
    told = ShownNote(phrase("why.no_choice", language, text=text), "bad")
    return [told, *(ShownNote(each, "quiet") for each in _instead(match, seat, text, language))]


def _instead(match: Match, seat: int | None, text: str, language: str) -> Iterator[str]:
    """Yields suggestions for a text that is no choice: the nearest option, and the possible
    forms."""
    current = _asked(match, seat)
    ask = None if current is None else current.setting.ask
    if current is None or ask is None:
        return
    offered = [choice.shown for choice in choices_of(match, seat, current.options, language)]
    meant = nearest(text, offered)
    if meant is not None:
        yield phrase("why.meant", language, option=meant)
    forms = [_form(match.machine.layout, current, each, language) for each in ask.alternatives]
    if not ask.must:
        forms.append(match.machine.layout.called("pass", current.clause.id, language))
    yield phrase("why.forms", language, forms="; ".join(dict.fromkeys(forms)))


def _form(layout: Layout, current: Decision, alternative: ir.Alternative, language: str) -> str:
    """Formats an alternative with ellipses for its parts: `bid … × …`."""
    label = alternative.label
    said = None if label is None else layout.called(label, current.clause.id, language)
    return worded(said, alternative, ["…"] * len(alternative.parts), language)


def _numbered(match: Match, seat: int | None, option: Option, shown: str) -> str:
    """Prefixes an option with its number in the question, if it is offered."""
    current = _asked(match, seat)
    texts = [] if current is None else [each.text for each in as_listed(current)]
    return f"{texts.index(option.text) + 1}  {shown}" if option.text in texts else shown


def _elsewhere(match: Match, elsewhere: Elsewhere, language: str) -> str:
    """Explains that a thing is not where the question takes from."""
    name = match.machine.layout.name
    thing = name(elsewhere.type, elsewhere.value, language)
    if elsewhere.place_type is None:
        return phrase("why.not_among", language, thing=thing)
    place = name(elsewhere.place_type, elsewhere.place, language)
    return phrase("why.elsewhere", language, thing=thing, place=place)


def _read(match: Match, seat: int | None, text: str, language: str) -> Refusal:
    """Returns the refusal of the match for a text, or for the same with the canonical label."""
    bare = re.sub(r"\([^()]*\)", " ", text)
    refusal = match.why_not(bare, seat)
    if refusal.guard is not None or refusal.offered:
        return refusal
    for again in _said_otherwise(match, seat, bare, language):
        other = match.why_not(again, seat)
        if other.guard is not None or other.offered:
            return other
    return refusal


def _said_otherwise(match: Match, seat: int | None, text: str, language: str) -> Iterator[str]:
    """Yields the text with the canonical label, for translated labels that contain their parts."""
    current = _asked(match, seat)
    if current is None or current.setting.ask is None:
        return
    for alternative in current.setting.ask.alternatives:
        if alternative.label is None:
            continue
        name = match.machine.layout.called(alternative.label, current.clause.id, language)
        bare = re.sub(r"\{[^{}]*\}", " ", name)
        around = words_of(bare)
        signs = [word for word in bare.split() if not words_of(word)]
        kept = []
        for word in re.split(r"[\s,:]+", text):
            if "".join(words_of(word)) in around:
                around.remove("".join(words_of(word)))
            elif word and word not in signs:
                kept.append(word)
        if not around:
            yield " ".join([alternative.label, *kept])


def rules(program: ir.Program, text: str, language: str) -> list[Shown]:
    """Searches the clauses for words: shows a single match in full, else a sentence each."""
    exact = [clause for clause in program.clauses if clause.id == text.strip().lower()]
    wanted = [_also(program, word, language) for word in words_of(text)]
    found = exact or [clause for clause in program.clauses if _speaks_of(clause, wanted, language)]
    if not found or not wanted:
        return [ShownNote(phrase("rules.none", language, text=text), "bad")]
    if len(found) == 1:
        return [rule(program, found[0], language)]
    first = found[:MOST_RULES]
    rows = tuple((each.id, ir.in_language(each.says, language)) for each in first)
    shown: list[Shown] = [Pairs("", rows)]
    if len(found) > MOST_RULES:
        more = phrase("rules.more", language, count=len(found) - MOST_RULES)
        shown.append(ShownNote(more, "quiet"))
    return shown


def _also(program: ir.Program, word: str, language: str) -> set[str]:
    """Returns a word with the internal names of things that it translates to."""
    found = {word}
    for thing, texts in program.names.items():
        if any(each.startswith(word) for each in words_of(texts.get(language, ""))):
            found.update(words_of(thing.rsplit(".", 1)[-1].replace("_", " "))[:1])
    return found


def _speaks_of(clause: ir.Clause, wanted: list[set[str]], language: str) -> bool:
    texts = [clause.id, *clause.says.values(), clause.asks.get(language, "")]
    texts += [cite.section for cite in clause.cites]
    words = words_of(" ".join(texts))
    return all(any(word.startswith(tuple(ways)) for word in words) for ways in wanted)


def points(match: Match, seat: int, language: str) -> list[Shown]:
    """Lists a seat's score by clause."""
    rows = _points_by_clause(match, seat, language)
    if not rows:
        scored = any(isinstance(each, ir.Score) for each in everything(code_of(match.program)))
        name = match.machine.layout.holder_name(seat, language)
        return [
            ShownNote(phrase("points.none" if scored else "points.never", language, player=name))
        ]
    return [Sum(_holder(match.machine.layout, seat, language), match.scores[seat], tuple(rows))]


def _points_by_clause(match: Match, seat: int, language: str) -> list[tuple[int, str, str, str]]:
    story = Story(match.machine, seat, language)
    found: dict[int | None, list[tuple[int, int]]] = {}
    for each in match.why_points(seat):
        index = None if each.clause is None else each.clause.index
        found.setdefault(index, []).append((each.times, each.points))
    rows = []
    for index, parts in found.items():
        total = sum(times * points for times, points in parts)
        how = " + ".join(
            numeral(p) if times == 1 else f"{times}×{numeral(p)}" for times, p in parts
        )
        if index is None:
            rows.append((total, phrase("points.before", language), how, ""))
            continue
        clause = match.program.clauses[index]
        rows.append((total, story.clause_name(index), how, ir.in_language(clause.says, language)))
    return rows


def result(match: Match, language: str, layout: Layout | None = None) -> ShownResult:
    """Summarizes who won, and the sources of everybody's points; `layout` may rename players."""
    layout = layout or match.machine.layout
    pointless = not any(event.kind == "score" for event in match.events)
    order = [] if pointless else in_order(layout, match.state.scores, match.winners)
    scores = []
    for seat in dict.fromkeys(map(layout.keeper, order)):
        rows = _points_by_clause(match, seat, language)
        parts = ", ".join(f"{name} {numeral(own)}" for own, name, _, _ in rows)
        scores.append((_holder(layout, seat, language), match.scores[seat], parts))
    if len(layout.sides) == 1 and layout.players > 1:
        text = outcome_together(match.program, bool(match.winners), language)
    else:
        won = holders(layout, match.winners, language)
        key = ("end.nobody", "end.winner", "end.winners")[min(len(won), 2)]
        text = phrase(key, language, names=enumerated(won, language))
    fewest = layout.program.goal is ir.Goal.FEWEST
    key, why = ("end.title_fewest" if fewest else "end.title"), ""
    if pointless:
        key, why = "end.over", _ended_by(match, language)
    title = phrase(key, language)
    return ShownResult(title, tuple(scores), tuple(match.winners), text, why)


def _ended_by(match: Match, language: str) -> str:
    """Returns the sentence of the rule that ended the game."""
    ended = next((event for event in reversed(match.events) if event.kind == "end"), None)
    if ended is None:
        return ""
    return ir.in_language(match.program.clauses[ended.clause].says, language)


def _holder(layout: Layout, seat: int, language: str) -> Holder:
    """Returns the holder of a seat's score: its side."""
    return Holder(layout.players_of[layout.side_of[seat]], layout.holder_name(seat, language))


def helping(program: ir.Program, language: str) -> Pairs:
    rows = [("1, 2, …", phrase("help.choose", language))]
    for name in COMMANDS[1:]:
        word = command_name(name, language)
        if name == "rule":
            word = f"?  ({word})"
        rows.append((word, phrase(f"help.{name}", language)))
    if has_stale(program, language):
        rows.append((STALE, phrase("show.stale", language)))
    return Pairs(phrase("help.title", language), tuple(rows))
