"""Renders the document as a self-contained HTML page.

No script, font or picture is fetched. Every clause and guard has its id as anchor, so
`page.html#setup` leads to the clause `setup`. Names of clauses in code are links.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from html import escape
from importlib.resources import files
from typing import TypeVar

from lawspeaker.base.counts import counts_in_sentence
from lawspeaker.base.typography import capital, colon, joined
from lawspeaker.faces.render.page_frame import framed
from lawspeaker.faces.render.show.components import Piece
from lawspeaker.faces.render.show.document import (
    Assumption,
    Choice,
    Cite,
    Clause,
    Document,
    Variant,
    Window,
)
from lawspeaker.faces.render.show.outline import (
    aims,
    boxed,
    by,
    contents_text,
    grouped,
    heads,
    layer,
    listed,
    marked,
    nothing_assumed,
    section_of,
)
from lawspeaker.text.parse import reserved_words

T = TypeVar("T")
_TOKEN = re.compile(r"(#.*)|([A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*)|(.)", re.DOTALL)
_YAML_KEY = re.compile(r"([a-z][a-z ]*:)(?: \|)?(?=\s|$)")


def page(document: Document) -> str:
    """Renders the page."""
    parts = [part for part in _parts(document) if part[2]]
    main = "\n".join(
        f'<section id="{anchor}"{" class=page" if anchor == "assumed" else ""}>\n'
        f"<h2>{escape(title)}</h2>\n{body}\n</section>"
        for anchor, title, body in parts
    )
    title = escape(document.phrase("page_title", title=document.title))
    end = document.phrase("digest", name=document.name, digest=document.digest)
    stale = f'<p class="end">{escape(document.stale)}</p>\n' if document.stale else ""
    style = files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    body = f"""<div class="frame">
{_head(document)}
{_contents(document, parts)}
<main>
{main}
{stale}<p class="end">{escape(end)}</p>
</main>
</div>"""
    return framed(title, document.language, body, style)


def _parts(document: Document) -> list[tuple[str, str, str]]:
    """Returns anchor, title and body of each part, in page order."""
    links = _Links(document)
    bodies = {
        "variants": _each(document, document.variants, _variant),
        "box": _box(document),
        "places": _places(document),
        "choices": _each(document, document.choices, _choice),
        "rules": _rules(document, links),
        "windows": _each(document, document.windows, _window),
        "always": "\n".join(map(links.clause, document.always)),
        "assumed": _assumptions(document),
        "sources": _sources(document),
    }
    return [(anchor, document.phrase(f"part.{anchor}"), body) for anchor, body in bodies.items()]


def _each(document: Document, things: Iterable[T], shown: Callable[[Document, T], str]) -> str:
    return "\n".join(shown(document, each) for each in things)


# ---------------------------------------------------------------- head and contents


def _head(document: Document) -> str:
    number = counts_in_sentence(document.counts, document.language)
    pieces = sum(piece.total for piece in document.pieces)
    clauses = sum(len(section.clauses) for section in document.sections)
    facts = [
        ("players", colon(number, ", ".join(document.players), document.language)),
        *aims(document),
        ("pieces", str(pieces)),
        ("clauses", str(clauses + len(document.choices) + len(document.windows))),
        ("assumptions", f'<a href="#assumed">{len(document.assumptions)}</a>'),
    ]
    listed = "".join(
        f"<div><dt>{document.phrase(f'fact.{name}')}</dt>"
        f"<dd>{value if value.startswith('<') else escape(value)}</dd></div>"
        for name, value in facts
    )
    maker = f'<p class="by">{escape(by(document))}</p>' if document.by else ""
    about = f'<p class="about">{escape(document.about)}</p>' if document.about else ""
    return (
        f"<header>\n<h1>{escape(document.title)}</h1>\n{maker}{about}\n"
        f'<dl class="facts">{listed}</dl>\n</header>'
    )


def _contents(document: Document, parts: list[tuple[str, str, str]]) -> str:
    lines = []
    for anchor, title, _ in parts:
        inner = ""
        if anchor == "rules":
            inner = "".join(
                f'<li><a href="#section-{at}">{escape(section.title)}</a> '
                f'<span class="number">{len(section.clauses)}</span></li>'
                for at, section in enumerate(document.sections)
            )
            inner = f"<ol>{inner}</ol>"
        lines.append(f'<li><a href="#{anchor}">{escape(title)}</a>{inner}</li>')
    return (
        f'<nav aria-label="{document.phrase("contents")}"><ol>{"".join(lines)}</ol>'
        '<label class="switch"><input type="checkbox" id="as-written" checked> '
        f"{escape(document.phrase('as_written'))}</label></nav>"
    )


# ---------------------------------------------------------------- components


def _table(head: Iterable[str], rows: Iterable[Iterable[str]], stack: bool = False) -> str:
    """Renders a table of plain texts; numbers are right-aligned, and rows can be stacked on a
    phone."""
    names = list(head)
    body = [list(row) for row in rows]
    right = {
        at
        for at in range(1, len(names))
        if body and all(not row[at] or row[at].isdecimal() for row in body)
    }
    css = [' class="count"' if at in right else "" for at in range(len(names))]
    heads = "".join(f"<th{css[at]}>{escape(name)}</th>" for at, name in enumerate(names))
    lines = []
    for row in body:
        cells = (
            f'<td{css[at]} data-label="{escape(names[at])}">{escape(cell)}</td>'
            for at, cell in enumerate(row)
        )
        lines.append(f"<tr>{''.join(cells)}</tr>")
    kind = ' class="stack"' if stack else ""
    return (
        f'<div class="wide"><table{kind}><thead><tr>{heads}</tr></thead>'
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _box(document: Document) -> str:
    found = [_table(_heads(document, "piece", "number", ""), boxed(document))]
    found += [_piece(document, piece) for piece in document.pieces]
    for words in document.words:
        if words.attributes:
            found.append(f"<h3>{escape(capital(words.name))}</h3>")
            found.append(_table(("", *words.attributes), words.words))
        if words.written is not None:
            found.append(f"<h3>{escape(capital(words.name))}</h3>")
            found.append(f"<p>{escape(capital(words.written))}.</p>")
    return "\n".join(found)


def _piece(document: Document, piece: Piece) -> str:
    if len(piece.kinds) < 2 and not piece.assumed and not piece.changes:
        return ""
    found = [f'<h3 id="piece-{escape(piece.id)}">{escape(capital(piece.name))}</h3>']
    if piece.assumed:
        found.append(_assumed(document, piece.assumed))
    if len(piece.kinds) > 1:
        rows = [(kind.name, str(kind.count), *kind.values) for kind in piece.kinds]
        found.append(_table((*_heads(document, "kind", "number"), *piece.attributes), rows))
    if piece.changes:
        told = joined(piece.changes, document.language)
        changes = colon(document.phrase("changes"), f"{told}.", document.language)
        found.append(f'<p class="intro">{escape(changes)}</p>')
    return "\n".join(found)


def _assumed(document: Document, words: str) -> str:
    mark = f'<span class="stance assumed">{document.phrase("is_assumed")}</span>'
    return f'<p class="assumption">{mark} {escape(words)}</p>'


def _heads(document: Document, *keys: str) -> tuple[str, ...]:
    return tuple(map(capital, heads(document, *keys)))


def _places(document: Document) -> str:
    rows = [
        (each.name, each.number, contents_text(document, each), each.sight)
        for each in document.places
    ]
    named = _heads(document, "place", "how_many", "holds", "seen_by")
    found = [_table(named, rows, stack=True)]
    if document.markers:
        shown = _heads(document, "marker", "shows", "starts_as")
        found.append(_table(shown, marked(document)))
    return "\n".join(found)


# ---------------------------------------------------------------- clauses


def _article(document: Document, clause: Clause, above: str = "", below: str = "") -> str:
    """Renders a clause, with additions above and below its citations."""
    name = escape(clause.id)
    foot = [f"<span>{escape(clause.file)}:{clause.line}</span>"] if clause.file else []
    if clause.used_by:
        users = ", ".join(map(_to_clause, clause.used_by))
        foot.append(f"<span>{document.phrase('used_by', clauses=users)}</span>")
    return (
        f'<article class="clause" id="{name}">\n<h4><a href="#{name}">{name}</a></h4>\n'
        f"{_said(document, clause)}{above}{_cites(document, clause.cites)}{below}"
        f'<p class="foot">{"".join(foot)}</p>\n</article>'
    )


def _said(document: Document, clause: Clause) -> str:
    found = [f'<p class="says">{escape(clause.says)}</p>'] if clause.says else []
    if clause.assumed:
        found.append(_assumed(document, clause.assumed))
    if clause.asks:
        found.append(f'<p class="asks">“{escape(clause.asks)}”</p>')
    for change in clause.changes:
        because = f": {escape(change.because)}" if change.because else ""
        variant = f"<b>{escape(change.variant)}</b>"
        statement = f"{escape(change.action)} <code>{escape(change.target)}</code>"
        told = document.phrase("page_changed_by", variant=variant, change=statement)
        found.append(f'<p class="changed">{told}{because}</p>')
    return "\n".join(found)


def _cites(document: Document, cites: Iterable[Cite]) -> str:
    lines = "".join(f"<li>{_cite(document, each)}</li>" for each in cites)
    return f'<ul class="cites">{lines}</ul>' if lines else ""


def _cite(document: Document, cite: Cite) -> str:
    note = f" {escape(cite.note)}" if cite.note else ""
    stance = f'<span class="stance {cite.stance}">{escape(cite.words)}</span>'
    return f"{_book(document, cite)} {stance}{note}"


def _book(document: Document, cite: Cite) -> str:
    section = section_of(document, cite)
    return f"{escape(cite.title)} [{escape(cite.source)}]{escape(section)}"


def _to_clause(id: str) -> str:
    return f'<a href="#{escape(id)}">{escape(id)}</a>'


def _variant(document: Document, variant: Variant) -> str:
    about = f"<p>{escape(variant.about)}</p>" if variant.about else ""
    telling, agreeing = listed(document, variant)
    rows = [(each.action, each.target, each.because) for each in telling]
    named = _heads(document, "change", "what", "because")
    shown = _table(named, rows, stack=True) if rows else ""
    small = f"{escape(variant.name)}, {layer(document, variant)}"
    return (
        f"<h3>{escape(variant.title)}<small>{small}</small>"
        f"</h3>{about}{shown}{f'<p>{escape(agreeing)}</p>' if agreeing else ''}"
    )


def _choice(document: Document, choice: Choice) -> str:
    pills = []
    for each in choice.values:
        players = f'<span class="players">{escape(each.players)}</span>' if each.players else ""
        pills.append(f'<span class="value is">{players}{escape(each.value)}</span>')
    taken = {each.value for each in choice.values}
    pills += [
        f'<span class="value">{escape(each)}</span>'
        for each in choice.alternatives
        if each not in taken
    ]
    return _article(document, choice.clause, f'<p class="values">{"".join(pills)}</p>')


def _window(document: Document, window: Window) -> str:
    lines = "".join(
        f"<li><b>{escape(each.piece)}</b> {escape(each.says)} {_to_clause(each.clause)}</li>"
        for each in window.plays
    )
    return _article(document, window.clause, f'<ul class="plays">{lines}</ul>' if lines else "")


def _rules(document: Document, links: _Links) -> str:
    found = []
    for at, section in enumerate(document.sections):
        small = f"<small>{escape(section.heading)}</small>" if section.heading else ""
        found.append(f'<h3 id="section-{at}">{escape(section.title)}{small}</h3>')
        found += [links.clause(clause) for clause in section.clauses]
    return "\n".join(found)


class _Links:
    """Renders clauses with their code, in which the names of other clauses are links."""

    def __init__(self, document: Document) -> None:
        self.document = document
        every = [clause for section in document.sections for clause in section.clauses]
        every += [choice.clause for choice in document.choices]
        every += [window.clause for window in document.windows]
        self.words = reserved_words()
        self.defined = _defined(every)
        self.roles = {clause.id: clause.role for clause in every}

    def clause(self, clause: Clause) -> str:
        guards = "".join(
            f'<li id="{escape(each.id)}"><code>{escape(each.name)}</code> {escape(each.says)}'
            f"{_cites(self.document, each.cites)}</li>"
            for each in clause.guards
        )
        body = ""
        if guards:
            label = self.document.phrase("conditions")
            body = f'<p class="label">{label}</p><ul class="guards">{guards}</ul>'
        if clause.tells:
            label = self.document.phrase("makes_known")
            told = "".join(f"<li>{escape(each)}</li>" for each in clause.tells)
            body += f'<p class="label">{label}</p><ul class="tells">{told}</ul>'
        if clause.code:
            body += f'<pre class="written"><code>{self.code(clause)}</code></pre>'
        return _article(self.document, clause, below=body)

    def code(self, clause: Clause) -> str:
        """Renders code; values and choices are linked by name, other clauses where they are called
        or offered."""
        names: dict[str, str] = {}
        for id in clause.uses:
            names[f"do {id}"] = names[f"offer {id}"] = id
            if self.roles.get(id) == "choice":
                names[id] = id
            elif id in self.defined:
                names[self.defined[id]] = id
        return "\n".join(self.line(line, names) for line in clause.code.splitlines())

    def line(self, line: str, names: Mapping[str, str]) -> str:
        key = _YAML_KEY.match(line)
        found = []
        if key is not None:
            found.append(f'<span class="yaml">{escape(key[0])}</span>')
            line = line[key.end() :]
        before = ""
        for comment, word, sign in _TOKEN.findall(line):
            if comment:
                found.append(f"<i>{escape(comment)}</i>")
            elif word:
                found.append(self.word(word, names.get(f"{before} {word}") or names.get(word)))
                before = word
            else:
                found.append(escape(sign))
        return "".join(found)

    def word(self, word: str, to: str | None) -> str:
        if to is not None:
            return f'<a href="#{escape(to)}">{escape(word)}</a>'
        return f"<b>{escape(word)}</b>" if word in self.words else escape(word)


def _defined(clauses: Iterable[Clause]) -> dict[str, str]:
    """Returns, by clause, the name of its value in code: the first word of `define:`, or the last
    (`amount is counted`)."""
    found: dict[str, str] = {}
    for clause in clauses:
        said = re.search(r"^define:\s*(.+)$", clause.code, re.MULTILINE)
        if said:
            words = said[1].split()
            named = words[words.index("is") + 1] if "is" in words[:-1] else words[0]
            found[clause.id] = named.partition("(")[0]
    return found


# ---------------------------------------------------------------- assumptions and sources


def _assumptions(document: Document) -> str:
    if not document.assumptions:
        return f"<p>{escape(nothing_assumed(document))}</p>"
    found = [f'<p class="intro">{escape(document.phrase("intro"))}</p>']
    for why, members in grouped(document).items():
        found.append(f"<h3>{escape(document.phrase(f'why.{why}'))}</h3>")
        items = "".join(_assumption(document, each) for each in members)
        found.append(f'<ul class="assumptions">{items}</ul>')
    return "\n".join(found)


def _assumption(document: Document, each: Assumption) -> str:
    note = f'<p class="note">{escape(each.note)}</p>' if each.note else ""
    where = f'<p class="where">{_book(document, each.cite)}</p>' if each.cite else ""
    return (
        f'<li><p><a href="#{escape(each.anchor)}"><code>{escape(each.about)}</code></a></p>'
        f"<p>{escape(each.says)}</p>{note}{where}</li>"
    )


def _sources(document: Document) -> str:
    rows = [
        (each.id, each.title, ", ".join(value for _, value in each.details), each.language)
        for each in document.sources
    ]
    return _table(_heads(document, "", "title", "", "language"), rows) if rows else ""
