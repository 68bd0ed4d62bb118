"""Renders a book as a self-contained, printable HTML page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape
from importlib.resources import files

from lawspeaker.base.typography import colon
from lawspeaker.faces.render.book.examples import BESIDE
from lawspeaker.faces.render.book.tree import (
    Block,
    Book,
    Chapter,
    Example,
    ExampleEvent,
    Figure,
    Figures,
    Gallery,
    Item,
    Note,
    Paragraph,
    Picture,
    Rule,
    Summary,
    Table,
)
from lawspeaker.faces.render.page_frame import framed

WIDE = 640
"""Width above which drawings are not put side by side."""
MOST_BESIDE, BESIDE_TEXT = 3, 130
"""More than so many pictures, wider together than this, are put in rows instead of beside the
text."""


LONGEST_PASSAGE = 4
"""Maximum number of rules in a paragraph."""


def page(book: Book) -> str:
    """Renders the whole book."""
    style = files(__package__).joinpath("book.css").read_text(encoding="utf-8")
    classes = "book with-margin" if book.margin else "book"
    return framed(escape(book.title), book.language, _body(book), style, classes=classes)


def _body(book: Book) -> str:
    parts = [_front(book), _contents(book), _variants(book)]
    parts += [_chapter(book, each) for each in book.chapters]
    if book.sources:
        parts.append(_section("sources", book.words["sources"], _paragraphs(book.sources)))
    parts.append(_index(book))
    parts += [_summary(id, each) for id, each in _summaries(book)]
    return "\n".join(part for part in parts if part)


def _front(book: Book) -> str:
    facts = "".join(
        f"<div><dt>{escape(label)}</dt><dd>{escape(value)}</dd></div>"
        for label, value in book.facts
    )
    subtitle = f'<p class="subtitle">{escape(book.subtitle)}</p>' if book.subtitle else ""
    cover = _picture(book.cover) if book.cover else ""
    return (
        f'<header class="front"><h1>{escape(book.title)}</h1>{subtitle}'
        f'<p class="about">{escape(book.about)}</p>{cover}<dl class="facts">{facts}</dl>'
        f'<p class="imprint">{escape(book.imprint)}</p></header>'
    )


def _summaries(book: Book) -> list[tuple[str, Summary]]:
    both = (("crib", book.crib), ("card", book.card))
    return [(id, each) for id, each in both if each is not None]


def _contents(book: Book) -> str:
    links = [(each.id, each.title) for each in book.chapters]
    if book.sources:
        links.append(("sources", book.words["sources"]))
    if book.index:
        links.append(("index", book.words["index"]))
    links += [(id, each.title) for id, each in _summaries(book)]
    lines = "".join(f'<li><a href="#{escape(id)}">{escape(title)}</a></li>' for id, title in links)
    title = escape(book.words["contents"])
    return f'<nav class="contents"><h2>{title}</h2><ol>{lines}</ol></nav>'


def _variants(book: Book) -> str:
    if not book.variants:
        return ""
    told = "".join(
        f"<p><small>{escape(each.layer)}</small> <b>{escape(each.title)}</b><br>"
        f"{escape(each.about)}</p>"
        for each in book.variants
    )
    return f'<aside class="variants">{told}<p>{escape(book.words["changed"])}</p></aside>'


def _section(id: str, title: str, body: str, classes: str = "") -> str:
    shown = f' class="{classes}"' if classes else ""
    return f'<section id="{escape(id)}"{shown}>\n<h2>{escape(title)}</h2>\n{body}\n</section>'


def _chapter(book: Book, chapter: Chapter) -> str:
    rules = [each for each in chapter.blocks if isinstance(each, Rule)]
    full = all(not each.title and not each.notes for each in rules)
    told = (
        _passage(each) if isinstance(each, list) else _block(book, each)
        for each in (_passages(chapter.blocks) if full else chapter.blocks)
    )
    return _section(chapter.id, chapter.title, "\n".join(told))


def _passages(blocks: Iterable[Block]) -> Iterator[Block | list[Rule]]:
    """Groups short rules that follow each other: they are sentences of one paragraph."""
    passage: list[Rule] = []
    for each in blocks:
        plain = isinstance(each, Rule) and not (each.under or each.mark or each.before)
        if passage and (not plain or len(passage) == LONGEST_PASSAGE):
            yield passage
            passage = []
        if isinstance(each, Rule) and plain:
            passage.append(each)
        else:
            yield each
    if passage:
        yield passage


def _passage(rules: Iterable[Rule]) -> str:
    told = (f'<span id="rule-{escape(each.id)}">{escape(each.says)}</span>' for each in rules)
    return f'<article class="rule"><p>{" ".join(told)}</p></article>'


def _block(book: Book, block: Block) -> str:
    match block:
        case Paragraph(text=text):
            return _paragraphs([text])
        case Rule():
            return _rule(book, block)
        case Table():
            return _table(block)
        case Gallery():
            return _gallery(block)
        case Figures(each=figures):
            return _figures(figures)
        case Example():
            return _example(book, block)


def _paragraphs(texts: Iterable[str]) -> str:
    return "".join(f"<p>{escape(text)}</p>" for text in texts)


# ---------------------------------------------------------------- rules


def _marked(mark: str) -> tuple[str, str]:
    """Returns the class of something a variant has changed, and its mark."""
    return (" changed", f'<p class="mark">{escape(mark)}</p>') if mark else ("", "")


def _rule(book: Book, rule: Rule) -> str:
    changed, mark = _marked(rule.mark)
    title = f"<h3>{escape(rule.title)}</h3>" if rule.title else ""
    before = f'<p class="before">{escape(rule.before)}</p>' if rule.before else ""
    under = "".join(_condition(book, each) for each in rule.under)
    listed = f"<ul>{under}</ul>" if under else ""
    return (
        f'<article class="rule{changed}" id="rule-{escape(rule.id)}"><div class="side">{title}'
        f"{_notes(book, rule.notes)}</div><div><p>{escape(rule.says)}</p>{before}{listed}{mark}"
        "</div></article>"
    )


def _condition(book: Book, rule: Rule) -> str:
    changed, _ = _marked(rule.mark)
    title = f"<b>{escape(rule.title)}.</b> " if rule.title else ""
    mark = f' <i class="mark">{escape(rule.mark)}</i>' if rule.mark else ""
    shown = f' class="{changed.strip()}"' if changed else ""
    return f"<li{shown}>{title}{escape(rule.says)}{mark}{_notes(book, rule.notes)}</li>"


def _notes(book: Book, notes: Iterable[Note]) -> str:
    lines = "".join(
        f"<li{' class=ruling' if each.ruling else ''}>"
        f"{escape(colon(each.where, each.text, book.language) if each.text else each.where)}</li>"
        for each in notes
    )
    return f'<ul class="notes">{lines}</ul>' if lines else ""


def _table(table: Table) -> str:
    def row(cells: Iterable[str], tag: str = "td") -> str:
        # An empty corner is no heading.
        own = ((cell, tag if cell else "td") for cell in cells)
        return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell, tag in own)}</tr>"

    title = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    head = f"<thead>{row(table.head, 'th')}</thead>" if table.head else ""
    total = f"<tfoot>{row(table.total)}</tfoot>" if table.total else ""
    marks = table.marks or ("",) * len(table.rows)
    rows = "".join(
        row((f"{first} ({mark})" if mark else first, *others))
        for (first, *others), mark in zip(table.rows, marks, strict=True)
    )
    return f'<div class="wide"><table>{title}{head}<tbody>{rows}</tbody>{total}</table></div>'


# ---------------------------------------------------------------- pictures


def _picture(picture: Picture) -> str:
    size = f"--wide: {picture.width:.0f}px"
    return (
        f'<div class="picture" style="{size}" role="img" aria-label="{escape(picture.says)}">'
        f"{picture.svg}</div>"
    )


def _figure(figure: Figure) -> str:
    caption = f"<figcaption>{escape(figure.caption)}</figcaption>" if figure.caption else ""
    return f"<figure>{_picture(figure.picture)}{caption}</figure>"


def _figures(figures: Iterable[Figure]) -> str:
    each = list(figures)
    if not each:
        return ""
    wide = any(one.picture.width >= WIDE for one in each)
    shown = "figures" if wide else "figures beside"
    return f'<div class="{shown}">{"".join(map(_figure, each))}</div>'


def _gallery(gallery: Gallery) -> str:
    title = f"<h3>{escape(gallery.title)}</h3>" if gallery.title else ""
    return f'{title}<ul class="gallery">{"".join(map(_item, gallery.items))}</ul>'


def _item(item: Item) -> str:
    changed, mark = _marked(item.mark)
    pictures = "".join(map(_picture, item.pictures))
    wide = sum(each.width for each in item.pictures) > BESIDE_TEXT
    crowded = " crowded" if wide and len(item.pictures) > MOST_BESIDE else ""
    text = f"<p>{escape(item.text)}</p>" if item.text else ""
    return (
        f'<li class="item{crowded}{changed}"><div class="pictures">{pictures}</div><div>'
        f"<b>{escape(item.name)}</b> <span>{escape(item.count)}</span>{text}{mark}</div></li>"
    )


def _example(book: Book, example: Example) -> str:
    told = "".join(_told(book, each) for each in example.told)
    steps = f"<ol>{told}</ol>" if told else ""
    both = [each for each in (example.before, example.after) if each is not None]
    beside = all(each.picture.width <= BESIDE for each in both)
    shown = [_figures(both), steps] if beside else [_figures(both[:1]), steps, _figures(both[1:])]
    return (
        f'<aside class="example"><h3><small>{escape(book.words["example"])}</small>'
        f"{escape(example.title)}</h3>{''.join(shown)}</aside>"
    )


def _told(book: Book, told: ExampleEvent) -> str:
    who = f"<b>{escape(told.who)}</b> " if told.who else ""
    if not told.refused:
        return f"<li>{who}{escape(told.text)}</li>"
    text = f"{told.text} – {book.words['refused']}."
    return f'<li class="refused">{who}{escape(text)} <i>{escape(told.refused)}</i></li>'


# ---------------------------------------------------------------- index, crib and card


def _index(book: Book) -> str:
    if not book.index:
        return ""
    titles = {
        block.id: block.title or chapter.title
        for chapter in book.chapters
        for block in chapter.blocks
        if isinstance(block, Rule)
    }
    lines = []
    for term in book.index:
        links = ", ".join(
            f'<a href="#rule-{escape(id)}" title="{escape(titles.get(id, ""))}">{number}</a>'
            for number, id in enumerate(term.rules, 1)
        )
        lines.append(f"<li>{escape(term.word)} {links}</li>")
    body = f'<ul class="index">{"".join(lines)}</ul>'
    return _section("index", book.words["index"], body)


def _summary(id: str, summary: Summary) -> str:
    parts = []
    for title, steps in summary.parts:
        lines = "".join(
            f'<li class="depth-{step.depth}">{escape(step.text)}</li>' for step in steps
        )
        parts.append(f"<div><h3>{escape(title)}</h3><ul>{lines}</ul></div>")
    return _section(id, summary.title, f'<div class="parts">{"".join(parts)}</div>', "summary")
