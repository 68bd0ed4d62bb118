"""Renders a clause: its sentence, citations and source code.

The source is quoted from the file, with comments and line breaks. If a variant has changed the
clause, its own file is outdated; then the lines are shown from which its code was compiled,
wherever they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import dedent, fill

from lawspeaker import ir
from lawspeaker.base.phrases import phrase
from lawspeaker.base.source import Span
from lawspeaker.base.typography import STALE
from lawspeaker.ir.walk import everything
from lawspeaker.match.writing import allowed_texts

TOLD_APART = ("chapter", "title", "in the book", "says", "cites", "asks", "guards", "assumed")
"""Keys of a clause that are rendered separately from its code."""
_KEY = re.compile(r"\s*([a-z ]+?)\s*:(?:\s|$)")


def clause_text(program: ir.Program, clause: ir.Clause, language: str = "en") -> str:
    """Renders a clause as plain text: id, sentence, citations and source."""
    lines = [f"{clause.id} ({program.name})", "", fill(ir.in_language(clause.says, language), 90)]
    lines += [fill(each, 90) for each in allowed_texts(program, clause, language).values()]
    if clause.cites:
        lines.append("")
    for cite in clause.cites:
        lines.append(f"  {citation_text(program, cite, language)}")
    changes = changed(program, clause)
    for change in changes:
        because = ir.in_language(change.because, language)
        told = phrase("show.changed_by", language, variant=change.variant, change=because)
        lines += ["", f"  {told[0].lower()}{told[1:]}".rstrip(": ")]
    code = compiled_text(program, clause) if changes else "\n".join(written(clause))
    if code:
        lines += ["", code]
    return "\n".join(lines)


def explained(program: ir.Program, what: str, language: str = "") -> str | None:
    """Renders the clause or guard with an id (`landing`, `landing.not_his_own`); None if there is
    none. By default in the first language."""
    language = language or program.languages[0]
    for clause in program.clauses:
        if clause.id == what:
            return clause_text(program, clause, language)
        for guard in guards(clause):
            if f"{clause.id}.{guard.name}" == what:
                return guard_text(program, clause, guard, language)
    return None


def explainable(program: ir.Program) -> Iterator[str]:
    """Yields the ids of all clauses and guards."""
    for clause in program.clauses:
        yield clause.id
        yield from (f"{clause.id}.{guard.name}" for guard in guards(clause))


def guard_text(program: ir.Program, clause: ir.Clause, guard: ir.Guard, language: str) -> str:
    """Renders a guard as plain text: id, sentence, citations and condition."""
    id_ = f"{clause.id}.{guard.name}"
    lines = [f"{id_} ({program.name})", "", fill(ir.in_language(guard.says, language), 90), ""]
    for cite in guard.cites or clause.cites:
        lines.append(f"  {citation_text(program, cite, language)}")
    span = guard.condition.span
    if span.known:
        lines += ["", dedent(span.file.text[span.start : span.end])]
    return "\n".join(lines)


def citation_text(program: ir.Program, cite: ir.Citation, language: str) -> str:
    note = f" ({cite.note_in(language)})" if cite.note else ""
    title = source_title(program, cite.source)
    section = f", {phrase('cite.section', language, section=cite.section)}" if cite.section else ""
    return f"{title} [{cite.source}]{section}: {phrase(f'stance.{cite.stance}', language)}{note}"


def source_title(program: ir.Program, source: str) -> str:
    return next((each.title for each in program.sources if each.id == source), source)


# ---------------------------------------------------------------- source


def written(clause: ir.Clause) -> list[str]:
    """Returns the source lines of a clause up to the next one, dedented."""
    if not clause.span.known:
        return []
    file = clause.span.file
    line, indent = clause.span.line, clause.span.column - 1
    found = [file.line_text(line)]
    for number in range(line + 1, file.line_count + 1):
        text = file.line_text(number)
        if text.strip() and len(text) - len(text.lstrip()) <= indent:
            break
        found.append(text)
    while len(found) > 1 and not found[-1].strip():
        found.pop()
    return dedent("\n".join(found)).splitlines()


def rule_text(program: ir.Program, clause: ir.Clause) -> str:
    """Returns the source of a clause without the keys that are rendered separately."""
    if changed(program, clause):
        return compiled_text(program, clause)
    kept: list[str] = []
    keep = True
    lines = written(clause)
    body = dedent("\n".join(lines[1:])).splitlines()
    for text in body:
        key = _KEY.match(text) if text[:1].strip() else None
        if key is not None:
            keep = key[1] not in TOLD_APART
        if keep:
            kept.append(text)
    return "\n".join(kept).strip("\n")


def changed(program: ir.Program, clause: ir.Clause) -> list[ir.ChangeNote]:
    """Returns the changes of variants to a clause or its guards, except added citations."""
    others = {each.id for each in program.clauses if each is not clause}
    return [
        each
        for each in program.changes
        if each.action != "cite"
        and (each.target == clause.id or each.target.startswith(f"{clause.id}."))
        and each.target not in others
    ]


def compiled_text(program: ir.Program, clause: ir.Clause) -> str:
    """Returns the source lines from which the code of a clause was compiled."""
    spans = sorted(_spans(program, clause), key=lambda span: span.start)
    found: list[str] = []
    for file in dict.fromkeys(span.file for span in spans):
        own = [span for span in spans if span.file is file]
        first = file.position(own[0].start)[0]
        last = max(file.position(max(span.end - 1, span.start))[0] for span in own)
        found.append(dedent("\n".join(map(file.line_text, range(first, last + 1)))))
    return "\n".join([*found, *_amended(clause)])


def _amended(clause: ir.Clause) -> Iterator[str]:
    """Yields what variants add to the guards of a clause: `enough_left unless: active is first`."""
    files = {node.span.file.name for node in clause.body}
    for guard in guards(clause):
        told: dict[str, None] = {}
        for node in everything(guard.condition):
            span = getattr(node, "span", None)
            if isinstance(span, Span) and span.known and span.file.name not in files:
                told[f"{guard.name} {span.file.line_text(span.line).strip()}"] = None
        yield from told


def _spans(program: ir.Program, clause: ir.Clause) -> Iterator[Span]:
    nodes: list[object] = [*clause.body]
    for function in program.functions:
        if function.clause == clause.index:
            nodes += [*(value for _, value in function.lets), function.result]
    nodes += [each.condition for each in program.always if each.clause == clause.index]
    for node in nodes:
        span = getattr(node, "span", None)
        if isinstance(span, Span) and span.known:
            yield span


def has_stale(program: ir.Program, language: str) -> bool:
    """Whether a text of the rules has changed since it was translated into this language."""
    texts = [program.title, program.about, *program.names.values()]
    for clause in program.clauses:
        texts += [clause.says, clause.asks, *(guard.says for guard in guards(clause))]
    return any(each.get(language, "").endswith(STALE) for each in texts)


def guards(clause: ir.Clause) -> list[ir.Guard]:
    """Returns the guards that a clause declares for its questions, without duplicates."""
    found: dict[str, ir.Guard] = {}
    for node in everything(clause.body):
        if isinstance(node, ir.Alternative):
            inner = [guard for group in node.member_guards for guard in group]
            for guard in (*inner, *node.guards):
                if guard.clause == clause.index:
                    found.setdefault(guard.name, guard)
    return sorted(found.values(), key=lambda guard: guard.span.start)
