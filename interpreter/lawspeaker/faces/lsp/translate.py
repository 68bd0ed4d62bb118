"""Converts spans, diagnostics and edits to types of the Language Server Protocol.

The protocol counts lines from 0, and columns in UTF-16 code units; spans count characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from lsprotocol import types as lsp
from pygls import uris

from lawspeaker.base.codes import CODES
from lawspeaker.base.diagnostics import Diagnostic
from lawspeaker.base.lettering import utf16_index, utf16_length
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.editing.completion import Item
from lawspeaker.editing.fixes import Edit
from lawspeaker.editing.outline import OutlineEntry
from lawspeaker.outside.workspace import Workspace

SOURCE = "lawspeaker"
TOKENS = (
    *("class", "enumMember", "property", "struct", "variable", "enum", "type", "function"),
    *("method", "decorator", "event", "parameter", "keyword", "number", "comment", "operator"),
)
_TOKEN_OF = {
    "piece": "class",
    "kind": "enumMember",
    "attribute": "property",
    "place": "struct",
    "marker": "variable",
    "word set": "enum",
    "word": "enumMember",
    "number": "type",
    "choice": "variable",
    "clause": "function",
    "value": "method",
    "guard": "decorator",
    "window": "event",
    "player": "enumMember",
    "local": "parameter",
    "built-in": "keyword",
}
_SYMBOL_OF = {
    "section": lsp.SymbolKind.Namespace,
    "words": lsp.SymbolKind.Enum,
    "are": lsp.SymbolKind.EnumMember,
    "numbers": lsp.SymbolKind.Number,
    "pieces": lsp.SymbolKind.Class,
    "kinds": lsp.SymbolKind.EnumMember,
    "places": lsp.SymbolKind.Struct,
    "markers": lsp.SymbolKind.Variable,
    "choices": lsp.SymbolKind.Constant,
    "windows": lsp.SymbolKind.Event,
    "rules": lsp.SymbolKind.Function,
    "guards": lsp.SymbolKind.Boolean,
    "always": lsp.SymbolKind.Function,
    "changes": lsp.SymbolKind.Operator,
}
_COMPLETION_OF = {
    "piece": lsp.CompletionItemKind.Class,
    "kind": lsp.CompletionItemKind.EnumMember,
    "attribute": lsp.CompletionItemKind.Property,
    "place": lsp.CompletionItemKind.Struct,
    "marker": lsp.CompletionItemKind.Variable,
    "word set": lsp.CompletionItemKind.Enum,
    "word": lsp.CompletionItemKind.Keyword,
    "choice": lsp.CompletionItemKind.Constant,
    "clause": lsp.CompletionItemKind.Function,
    "value": lsp.CompletionItemKind.Method,
    "window": lsp.CompletionItemKind.Event,
    "local": lsp.CompletionItemKind.Variable,
    "key": lsp.CompletionItemKind.Field,
}


def path_of(uri: str) -> Path:
    return Path(uris.to_fs_path(uri) or "")


def uri_of(path: Path) -> str:
    return uris.from_fs_path(str(path)) or ""


def position(file: SourceFile, offset: int) -> lsp.Position:
    line, _ = file.position(offset)
    start = file.line_start(line)
    return lsp.Position(line - 1, utf16_length(file.text[start : max(start, offset)]))


def span_range(span: Span) -> lsp.Range:
    return lsp.Range(position(span.file, span.start), position(span.file, span.end))


def offset(file: SourceFile, at: lsp.Position) -> int:
    """Converts a position to an offset; a column beyond the end of a line is clamped."""
    if at.line >= file.line_count:
        return len(file.text)
    start, line = file.line_start(at.line + 1), file.line_text(at.line + 1)
    return start + utf16_index(line, at.character)


def location(path: Path, span: Span) -> lsp.Location:
    return lsp.Location(uri_of(path), span_range(span))


def text_edit(edit: Edit) -> lsp.TextEdit:
    return lsp.TextEdit(span_range(edit.span), edit.text)


def workspace_edit(
    edits: Iterable[tuple[Path, Edit]], new: Iterable[Path] = ()
) -> lsp.WorkspaceEdit:
    """Builds a workspace edit; the files in `new` are created first."""
    changes: dict[str, list[lsp.TextEdit]] = {}
    for path, edit in edits:
        changes.setdefault(uri_of(path), []).append(text_edit(edit))
    options = lsp.CreateFileOptions(ignore_if_exists=True)
    made = [lsp.CreateFile(uri_of(path), options=options) for path in new]
    if not made:
        return lsp.WorkspaceEdit(changes=changes)
    named = lsp.OptionalVersionedTextDocumentIdentifier
    written = [lsp.TextDocumentEdit(named(uri), some) for uri, some in changes.items()]
    return lsp.WorkspaceEdit(document_changes=[*made, *written])


def diagnostic(found: Diagnostic, workspace: Workspace) -> lsp.Diagnostic:
    error, warning = lsp.DiagnosticSeverity.Error, lsp.DiagnosticSeverity.Warning
    hint = f"\n{found.hint}" if found.hint else ""
    related = [
        lsp.DiagnosticRelatedInformation(location(path, each.span), each.text)
        for each in found.labels
        if (path := workspace.path_of(each.span.file.name)) is not None
    ]
    return lsp.Diagnostic(
        span_range(found.span) if found.span.known else _NOWHERE,
        found.message + hint,
        error if found.severity == "error" else warning,
        found.code if found.code in CODES else None,
        source=SOURCE,
        related_information=related or None,
    )


_NOWHERE = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))


def symbol(heading: OutlineEntry) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        heading.name or "…",
        _SYMBOL_OF.get(heading.sort, lsp.SymbolKind.Field),
        span_range(heading.whole),
        span_range(heading.span),
        heading.detail,
        children=[symbol(each) for each in heading.below],
    )


def completion_item(item: Item, replaced: lsp.Range) -> lsp.CompletionItem:
    said = lsp.MarkupContent(lsp.MarkupKind.Markdown, item.says) if item.says else None
    return lsp.CompletionItem(
        item.text,
        kind=_COMPLETION_OF.get(item.sort, lsp.CompletionItemKind.Text),
        detail=item.detail or None,
        documentation=said,
        sort_text=f"{item.rank}{item.text}",
        text_edit=lsp.TextEdit(replaced, f"{item.text}: " if item.sort == "key" else item.text),
    )


def tokens(found: Iterable[tuple[Span, str]]) -> Iterator[int]:
    """Yields semantic tokens in the protocol's delta encoding: five numbers for each."""
    line, column = 0, 0
    for span, sort in found:
        kind = _TOKEN_OF.get(sort, sort)
        if kind not in TOKENS:
            continue
        at = position(span.file, span.start)
        yield at.line - line
        yield at.character - column if at.line == line else at.character
        yield utf16_length(span.text)
        yield TOKENS.index(kind)
        yield 0
        line, column = at.line, at.character
