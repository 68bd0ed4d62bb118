"""Reads kinds of pieces from a spreadsheet, saved as CSV: one row for each kind.

    kind,count,price,name,name de,picture,text
    mule,6,2,Mule,Maultier,mule.svg,Draw two cards.

The file is called after its piece (`card.csv` holds the kinds of `card`) and listed under `files`
like any other. It becomes the tree that the same declarations would have in YAML, with spans in the
CSV: kinds with their counts and attributes, and what they are called and look like. So everything
else is checked as it always is, and mistakes are shown at their row and column.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from lawspeaker.base.diagnostics import Diagnostics, Label
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.text.document import Mapping, Node, Scalar, scalar_at

SUFFIX = ".csv"
MOST_ROWS, MOST_COLUMNS, MOST_CHARACTERS = 1_000, 60, 200_000
KIND, NAME, TEXT = "kind", "name", "text"
_LOOKS = ("sign", "colour", "badge", "picture", "shape")
_FILE = re.compile(r"([a-z][a-z0-9_]*)\.csv\Z")
_ID = re.compile(r"[a-z][a-z0-9_]*\Z")
_TOLD = re.compile(rf"({NAME}|{TEXT}) ([a-z]{{2}})\Z")
_NUMBER = re.compile(r"-?\d{1,10}\Z")
_SEPARATORS = (",", ";", "\t")
Row = list[Scalar]


@dataclass(frozen=True, slots=True)
class Kinds:
    """The kinds of a piece, with names and symbols by kind."""

    piece: str
    kinds: Mapping
    names: tuple[tuple[Scalar, Node], ...]
    symbols: tuple[tuple[Scalar, Node], ...]

    @property
    def root(self) -> Mapping:
        """The same as a rule file, to be validated."""
        span = self.kinds.span

        def under(key: str, node: Node) -> tuple[Scalar, Node]:
            return Scalar(key, span, span), node

        piece = Mapping((under("kinds", self.kinds),), span)
        sections = [under("pieces", Mapping((under(self.piece, piece),), span))]
        for name, entries in (("symbols", self.symbols), ("names", self.names)):
            if entries:
                sections.append(under(name, Mapping(entries, span)))
        return Mapping(tuple(sections), span)


def is_spreadsheet(name: str) -> bool:
    return name.endswith(SUFFIX)


def read(
    file: SourceFile, name: str, named: Span, own: str, diagnostics: Diagnostics
) -> Kinds | None:
    """Reads a spreadsheet; reports what is wrong with it, and returns None if it is of no use.

    `own` is the language of texts whose column names none.
    """
    found = _FILE.match(name)
    if found is None:
        diagnostics.error(
            "bad-name",
            f"a spreadsheet is called after a piece, as in `card.csv`, and not `{name}`",
            named,
        )
        return None
    if len(file.text) > MOST_CHARACTERS:
        told = f"a spreadsheet has at most {MOST_CHARACTERS:,} characters"
        diagnostics.error("too-large", told, named)
        return None
    rows = _rows(file, diagnostics)
    if rows is None:
        return None
    if len(rows) < 2:
        diagnostics.error(
            "missing-key",
            "this spreadsheet has no kinds",
            named,
            hint="its first row names the columns (`kind,count,name`); each further row is a kind",
        )
        return None
    return _kinds(found[1], rows, own, diagnostics)


# -------------------------------------------------------------------- rows and columns


def _rows(file: SourceFile, diagnostics: Diagnostics) -> list[tuple[int, Row]] | None:
    """The rows that are not empty, with their numbers, as cells with their places."""
    text = file.text
    start = 1 if text.startswith("\ufeff") else 0
    first = text[start:].partition("\n")[0]
    separator = max(_SEPARATORS, key=first.count)
    rows: list[tuple[int, Row]] = []
    row: Row = []
    number = 1
    at = start
    while at <= len(text):
        begins = at
        if text.startswith('"', at):
            ends = _quoted(text, at)
            if ends is None:
                diagnostics.error(
                    "syntax",
                    "this quotation mark is never closed",
                    Span(file, at, at + 1),
                    hint='inside quotation marks write "" for one of them',
                )
                return None
            value = text[at + 1 : ends - 1].replace('""', '"')
            at = ends
        else:
            at = _plain(text, at, separator)
            value = text[begins:at]
        row.append(_cell(value, Span(file, begins, at)))
        if at < len(text) and text[at] == separator:
            at += 1
            continue
        if at < len(text) and text[at] not in "\r\n":
            diagnostics.error(
                "syntax",
                "behind a quotation mark that closes, the cell ends",
                Span(file, at, at + 1),
                hint='inside quotation marks write "" for one of them',
            )
            return None
        if any(cell.value for cell in row):
            rows.append((number, row))
        if len(rows) > MOST_ROWS or len(row) > MOST_COLUMNS:
            diagnostics.error(
                "too-large",
                f"a spreadsheet has at most {MOST_ROWS:,} rows and {MOST_COLUMNS} columns",
                row[-1].span,
            )
            return None
        row, number = [], number + 1
        at += 2 if text.startswith("\r\n", at) else 1
    return rows


def _plain(text: str, at: int, separator: str) -> int:
    """The end of a cell without quotation marks."""
    found = re.compile(f"[{re.escape(separator)}\r\n]").search(text, at)
    return len(text) if found is None else found.start()


def _quoted(text: str, at: int) -> int | None:
    """The end of a cell in quotation marks; None if it has none."""
    end = at + 1
    while (end := text.find('"', end)) >= 0:
        if not text.startswith('""', end):
            return end + 1
        end += 2
    return None


def _cell(value: str, span: Span) -> Scalar:
    value = value.strip()
    if _NUMBER.match(value):
        return Scalar(value, span, span, kind="number")
    if value.lower() in ("true", "false"):
        return Scalar(value.lower(), span, span, kind="truth")
    return Scalar(value, span, span, "double")


# -------------------------------------------------------------------- kinds


def _kinds(
    piece: str, rows: list[tuple[int, Row]], own: str, diagnostics: Diagnostics
) -> Kinds | None:
    (_, head), *body = rows
    titles = [re.sub(r"[\s_]+", " ", cell.value).strip().lower() for cell in head]
    while titles and not titles[-1]:
        titles.pop()
    if not _sound(head, titles, diagnostics):
        return None
    kinds: dict[str, tuple[Scalar, Node]] = {}
    names: list[tuple[Scalar, Node]] = []
    symbols: list[tuple[Scalar, Node]] = []
    for number, row in body:
        cells = dict(zip(titles, row, strict=False))
        extra = [cell for cell in row[len(titles) :] if cell.value]
        if extra:
            diagnostics.error(
                "unknown-key",
                f"row {number} has a cell in a column without a name",
                extra[0].span,
                hint="name the column in the first row, or put a text with commas in quotes",
            )
            continue
        key = _key(cells, row, number, kinds, diagnostics)
        if key is None:
            continue
        of = dict(zip(titles, head, strict=False))
        span = row[0].span.to(row[-1].span)
        kinds[key.value] = key, Mapping(tuple(_attributes(cells, of)), span)
        told, written = _texts(cells, of, NAME, own), _texts(cells, of, TEXT, own)
        if told is not None:
            names.append((key, told))
        looks: list[tuple[Scalar, Node]] = [
            (of[each], cells[each]) for each in _LOOKS if each in cells and cells[each].value
        ]
        if written is not None:
            looks.append((Scalar(TEXT, span, span), written))
        if looks:
            symbols.append((key, Mapping(tuple(looks), span)))
    span = head[0].span.to(body[-1][1][-1].span)
    return Kinds(piece, Mapping(tuple(kinds.values()), span), tuple(names), tuple(symbols))


def _sound(head: Row, titles: list[str], diagnostics: Diagnostics) -> bool:
    """Checks the first row: every column has a name of its own, and one of them names the kind."""
    seen: dict[str, Scalar] = {}
    for title, cell in zip(titles, head, strict=False):
        if not title:
            diagnostics.error("missing-key", "this column has no name", cell.span)
            return False
        if title in seen:
            diagnostics.error(
                "duplicate-name",
                f"two columns are called `{title}`",
                cell.span,
                Label(seen[title].span, "the other one"),
            )
            return False
        seen[title] = cell
    if KIND not in seen and not any(each == NAME or _is_told(each, NAME) for each in titles):
        diagnostics.error(
            "missing-key",
            "no column says which kind a row is",
            head[0].span,
            hint="call one of them `kind`; or `name`, and kinds are called in code as by that",
        )
        return False
    return True


def _key(
    cells: dict[str, Scalar],
    row: Row,
    number: int,
    known: dict[str, tuple[Scalar, Node]],
    diagnostics: Diagnostics,
) -> Scalar | None:
    """The id of a row's kind: as written, or made of its name."""
    column = next((each for each in (KIND, NAME) if each in cells), "")
    column = column or next((each for each in cells if _is_told(each, NAME)), "")
    cell = cells.get(column)
    if cell is None or not cell.value:
        diagnostics.error(
            "missing-key", f"row {number} has nothing in the column `{column or KIND}`", row[0].span
        )
        return None
    value = cell.value if column == KIND else _as_id(cell.value)
    if not _ID.match(value):
        near = _as_id(cell.value)
        diagnostics.error(
            "bad-name",
            f"`{cell.value}` cannot be the name of a kind",
            cell.span,
            hint=f"how about `{near}`?"
            if _ID.match(near)
            else "names are small letters, digits and `_`, and begin with a letter",
        )
        return None
    if value in known:
        diagnostics.error(
            "duplicate-name",
            f"`{value}` has two rows",
            cell.span,
            Label(known[value][0].span, "the other one"),
            hint="write how many there are in a column `count`",
        )
        return None
    return scalar_at(value, cell)


def _as_id(name: str) -> str:
    """A name as it is written in code: `Old Town` becomes `old_town`."""
    plain = unicodedata.normalize("NFKD", name.replace("ß", "ss")).encode("ascii", "ignore")
    return re.sub(r"[^a-z0-9]+", "_", plain.decode().lower()).strip("_")


def _attributes(cells: dict[str, Scalar], of: dict[str, Scalar]) -> Iterator[tuple[Scalar, Node]]:
    """What a kind has: its count, where it starts, and every column of another name."""
    for title, cell in cells.items():
        told = title in (KIND, NAME, TEXT, *_LOOKS) or _TOLD.match(title)
        if cell.value and not told:
            yield (
                _named(of[title], title if title == "starts in" else title.replace(" ", "_")),
                cell,
            )


def _named(cell: Scalar, value: str) -> Scalar:
    return scalar_at(value, cell)


def _texts(
    cells: dict[str, Scalar], of: dict[str, Scalar], column: str, own: str
) -> Mapping | None:
    """The texts of a kind by language, or None."""
    found = [
        (_named(of[title], own if title == column else title.rpartition(" ")[2]), cell)
        for title, cell in cells.items()
        if cell.value and (title == column or _is_told(title, column))
    ]
    return Mapping(tuple(found), found[0][1].span) if found else None


def _is_told(title: str, column: str) -> bool:
    found = _TOLD.match(title)
    return found is not None and found[1] == column
