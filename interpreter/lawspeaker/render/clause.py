"""A clause for people: its sentence, where the books say it, and the rule as written."""

from __future__ import annotations

from textwrap import dedent, fill

from lawspeaker import ir

STANCES = {
    "states": "states it",
    "implies": "implies it",
    "silent": "is silent",
    "says_otherwise": "says otherwise",
    "contradicts_itself": "contradicts itself",
    "our_ruling": "leaves it open; this is our ruling",
}


def clause_text(program: ir.Program, clause: ir.Clause, language: str = "en") -> str:
    """Id, sentence, citations and code, as plain text."""
    says = clause.says.get(language) or next(iter(clause.says.values()), "")
    lines = [f"{clause.id} ({program.name})", "", fill(says, 90)]
    if clause.cites:
        lines.append("")
    for cite in clause.cites:
        lines.append(citation_text(program, cite))
    code = _code(clause)
    if code:
        lines += ["", code]
    return "\n".join(lines)


def citation_text(program: ir.Program, cite: ir.Citation) -> str:
    title = next((each.title for each in program.sources if each.id == cite.source), cite.source)
    note = f" ({cite.note})" if cite.note else ""
    stance = STANCES.get(cite.stance, cite.stance)
    return f"  {title} [{cite.source}], “{cite.section}”: {stance}{note}"


def _code(clause: ir.Clause) -> str:
    """The clause as it stands in its file, from its id to the next clause."""
    if not clause.span.known:
        return ""
    file, start = clause.span.file, clause.span.start
    line = file.position(start)[0]
    indent = clause.span.column - 1
    first = file.line_text(line)
    found = [first]
    for number in range(line + 1, file.line_count + 1):
        text = file.line_text(number)
        if text.strip() and len(text) - len(text.lstrip()) <= indent:
            break
        found.append(text)
    return dedent("\n".join(found)).rstrip()
