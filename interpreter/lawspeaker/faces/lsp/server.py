"""`lawspeaker lsp`: the language server, which answers an editor's requests.

Two threads work beside the event loop. One analyses the rules after an edit and publishes
diagnostics: names and types at once, and after a longer pause whether secrets are kept, which takes
longer. The other one answers requests; it need not wait for the first.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams
from pygls.lsp.server import LanguageServer

from lawspeaker import __version__
from lawspeaker.base.collecting import collect_now
from lawspeaker.base.diagnostics import Diagnostic
from lawspeaker.base.source import Span
from lawspeaker.editing.colours import colours
from lawspeaker.editing.fixes import Edit, Fix, untranslated
from lawspeaker.editing.outline import foldings, outline
from lawspeaker.editing.renaming import CannotRename, can_be_renamed
from lawspeaker.faces.lsp import commands, translate
from lawspeaker.outside.folder import FolderWorkspace
from lawspeaker.outside.language_service import LanguageService
from lawspeaker.outside.library import LibraryError
from lawspeaker.outside.workspace import Superseded

AT_ONCE, PAUSE = 0.03, 0.12
"""Debounce delays in seconds, before checking names and types, and then before the full check."""
P = ParamSpec("P")
T = TypeVar("T")


class Server(LanguageServer):
    def __init__(self) -> None:
        super().__init__("lawspeaker", __version__)
        self.opened(None)
        self.answering = ThreadPoolExecutor(1, "answering")
        self.checking = ThreadPoolExecutor(1, "checking")
        self.told: dict[Path, list[Diagnostic]] = {}
        self.waiting: dict[Path, asyncio.Task[None]] = {}

    def opened(self, root: Path | None) -> None:
        self.folder = FolderWorkspace(root)
        self.service = LanguageService(self.folder)

    async def answer(self, ask: Callable[P, T], *given: P.args, **named: P.kwargs) -> T | None:
        """Runs a query in the answering thread; returns None for a file that cannot be read."""
        return await self._asked(self.answering, ask, *given, **named)

    async def long_answer(self, ask: Callable[P, T], *given: P.args, **named: P.kwargs) -> T | None:
        """Runs a slow query in the checking thread, so that other requests need not wait for it."""
        return await self._asked(self.checking, ask, *given, **named)

    def refresh_lenses(self) -> None:
        """Asks the editor to refresh code lenses, if it supports that."""
        workspace = self.client_capabilities.workspace
        if workspace is not None and workspace.code_lens and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)

    @property
    def asks_again_for_colours(self) -> bool:
        """Whether the editor can refresh semantic tokens, and so need not wait for the first
        answer."""
        workspace = self.client_capabilities.workspace
        found = None if workspace is None else workspace.semantic_tokens
        return bool(found and found.refresh_support)

    @property
    def asks_again_for_hints(self) -> bool:
        workspace = self.client_capabilities.workspace
        found = None if workspace is None else workspace.inlay_hint
        return bool(found and found.refresh_support)

    @property
    def makes_files(self) -> bool:
        """Whether the editor supports workspace edits that create files."""
        workspace = self.client_capabilities.workspace
        found = None if workspace is None else workspace.workspace_edit
        able = () if found is None else found.resource_operations or ()
        return bool(found and found.document_changes) and lsp.ResourceOperationKind.Create in able

    def refresh_words(self) -> None:
        """Asks the editor to refresh what was computed from an earlier analysis."""
        if self.asks_again_for_colours:
            self.workspace_semantic_tokens_refresh(None)
        if self.asks_again_for_hints:
            self.workspace_inlay_hint_refresh(None)

    async def _asked(
        self,
        thread: ThreadPoolExecutor,
        ask: Callable[P, T],
        *given: P.args,
        **named: P.kwargs,
    ) -> T | None:
        loop = asyncio.get_running_loop()

        def asked() -> T | None:
            try:
                return ask(*given, **named)
            except LibraryError as error:
                logging.info("%s", error)
                return None

        return await loop.run_in_executor(thread, asked)

    # ------------------------------------------------------------ diagnostics

    def changed(self, path: Path) -> None:
        """Schedules a debounced check of a file, replacing an earlier one."""
        earlier = self.waiting.pop(path, None)
        if earlier is not None:
            earlier.cancel()
        self.waiting[path] = asyncio.get_running_loop().create_task(self.look(path))

    async def look(self, path: Path) -> None:
        loop = asyncio.get_running_loop()
        for played, pause in ((False, AT_ONCE), (True, PAUSE)):
            await asyncio.sleep(pause)
            version = self.folder.version
            ask = partial(self.service.problems, path, played=played, unless_changed=True)
            try:
                problems = await loop.run_in_executor(self.checking, ask)
            except LibraryError as error:
                logging.info("%s", error)
                return
            except Superseded:
                return
            if version != self.folder.version:
                return  # edited meanwhile: a later check reports
            for where, found in problems.found.items():
                self.tell(where, found)
            if not played:
                self.refresh_words()
            await loop.run_in_executor(self.checking, collect_now)

    def tell(self, path: Path, found: list[Diagnostic]) -> None:
        if self.told.get(path, []) == found and path in self.told:
            return
        self.told[path] = found
        workspace = self.service.workspace
        shown = [translate.diagnostic(each, workspace) for each in found]
        params = lsp.PublishDiagnosticsParams(translate.uri_of(path), shown)
        self.text_document_publish_diagnostics(params)

    def offset(self, path: Path, at: lsp.Position) -> int:
        return translate.offset(self.service.workspace.source(path), at)


server = Server()


# ---------------------------------------------------------------- documents


@server.feature(lsp.INITIALIZE)
def initialize(ls: Server, params: lsp.InitializeParams) -> None:
    folders = params.workspace_folders or []
    root = folders[0].uri if folders else params.root_uri
    ls.opened(translate.path_of(root) if root else None)


def _take(ls: Server, uri: str) -> None:
    path = translate.path_of(uri)
    ls.folder.open(path, ls.workspace.get_text_document(uri).source)
    ls.changed(path)


@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
async def did_open(ls: Server, params: lsp.DidOpenTextDocumentParams) -> None:
    _take(ls, params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
async def did_change(ls: Server, params: lsp.DidChangeTextDocumentParams) -> None:
    _take(ls, params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
async def did_close(ls: Server, params: lsp.DidCloseTextDocumentParams) -> None:
    path = translate.path_of(params.text_document.uri)
    ls.folder.close(path)


@server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
async def did_save(ls: Server, params: lsp.DidSaveTextDocumentParams) -> None:
    ls.folder.changed_outside()
    ls.changed(translate.path_of(params.text_document.uri))


@server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
async def did_change_outside(ls: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
    ls.folder.changed_outside()
    for path in list(ls.folder.texts):
        ls.changed(path)


# ---------------------------------------------------------------- queries


@server.feature(lsp.TEXT_DOCUMENT_HOVER)
async def hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    path = translate.path_of(params.text_document.uri)
    found = await ls.answer(lambda: ls.service.hover(path, ls.offset(path, params.position)))
    if found is None:
        return None
    said = lsp.MarkupContent(lsp.MarkupKind.Markdown, found[1])
    return lsp.Hover(said, translate.span_range(found[0]))


@server.feature(
    lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[" ", ".", "("])
)
async def complete(ls: Server, params: lsp.CompletionParams) -> lsp.CompletionList:
    path = translate.path_of(params.text_document.uri)

    def ask() -> list[lsp.CompletionItem]:
        file = ls.service.workspace.source(path)
        (start, end), items = ls.service.complete(path, translate.offset(file, params.position))
        replaced = translate.span_range(Span(file, start, end))
        return [translate.completion_item(each, replaced) for each in items]

    return lsp.CompletionList(False, await ls.answer(ask) or [])


@server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
async def definition(ls: Server, params: lsp.DefinitionParams) -> lsp.Location | None:
    path = translate.path_of(params.text_document.uri)
    found = await ls.answer(lambda: ls.service.definition(path, ls.offset(path, params.position)))
    return None if found is None else translate.location(*found)


@server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
async def references(ls: Server, params: lsp.ReferenceParams) -> list[lsp.Location]:
    path = translate.path_of(params.text_document.uri)
    found = await ls.answer(lambda: ls.service.references(path, ls.offset(path, params.position)))
    return [translate.location(*each) for each in found or ()]


@server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
async def highlight(ls: Server, params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
    path = translate.path_of(params.text_document.uri)

    def ask() -> list[Span]:
        found, known = (
            ls.service.at(path, ls.offset(path, params.position)),
            ls.service.occurrences(path),
        )
        if found is None or known is None:
            return []
        here = known[1].in_file(ls.service.workspace.shown(path))
        return [each.span for each in here if each.meaning == found[1].meaning]

    spans = await ls.answer(ask) or []
    return [lsp.DocumentHighlight(translate.span_range(each)) for each in spans]


@server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
async def symbols(ls: Server, params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
    path = translate.path_of(params.text_document.uri)
    root = await ls.answer(ls.service.root, path)
    return [translate.symbol(each) for each in outline(root)]


@server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
async def folding(ls: Server, params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
    path = translate.path_of(params.text_document.uri)
    root = await ls.answer(ls.service.root, path)
    return [lsp.FoldingRange(first - 1, last - 1) for first, last in foldings(root)]


@server.feature(
    lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL,
    lsp.SemanticTokensLegend(list(translate.TOKENS), []),
)
async def semantic_tokens(ls: Server, params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
    path = translate.path_of(params.text_document.uri)

    def ask() -> list[int]:
        named = ls.service.named_in(path, at_once=ls.asks_again_for_colours)
        return list(translate.tokens(colours(ls.service.root(path), named)))

    return lsp.SemanticTokens(await ls.answer(ask) or [])


@server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
async def inlay_hints(ls: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    path = translate.path_of(params.text_document.uri)

    def ask() -> list[lsp.InlayHint]:
        file = ls.service.workspace.source(path)
        found = ls.service.let_types(path, at_once=ls.asks_again_for_hints)
        return [
            lsp.InlayHint(translate.position(file, span.end), f": {said}", lsp.InlayHintKind.Type)
            for span, said in found
        ]

    return await ls.answer(ask) or []


# ---------------------------------------------------------------- edits


@server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
async def formatting(ls: Server, params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
    path = translate.path_of(params.text_document.uri)
    found = await ls.answer(ls.service.formatted, path)
    return [] if found is None else [translate.text_edit(found)]


@server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
async def prepare_rename(ls: Server, params: lsp.PrepareRenameParams) -> lsp.Range | None:
    path = translate.path_of(params.text_document.uri)
    found = await ls.answer(lambda: ls.service.at(path, ls.offset(path, params.position)))
    if found is None or not can_be_renamed(found[1]):
        return None
    return translate.span_range(found[1].span)


@server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
async def rename(ls: Server, params: lsp.RenameParams) -> lsp.WorkspaceEdit:
    path = translate.path_of(params.text_document.uri)
    try:
        edits = await ls.answer(
            lambda: ls.service.rename(path, ls.offset(path, params.position), params.new_name)
        )
    except CannotRename as error:
        raise JsonRpcInvalidParams(str(error)) from None
    return translate.workspace_edit(edits or ())


@server.feature(
    lsp.TEXT_DOCUMENT_CODE_ACTION,
    lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.SourceFixAll]),
)
async def code_actions(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    path = translate.path_of(params.text_document.uri)
    return await ls.answer(lambda: _actions(ls, path, params)) or []


def _actions(ls: Server, path: Path, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    file = ls.service.workspace.source(path)
    first, last = (translate.offset(file, at) for at in (params.range.start, params.range.end))
    found: list[lsp.CodeAction] = []
    for told in ls.service.problems(path).found.get(path.resolve(), []):
        if told.span.start <= last and first <= told.span.end:
            shown = translate.diagnostic(told, ls.service.workspace)
            found += [_action(path, each, shown) for each in ls.service.fixes(path, told)]
            if untranslated(told):
                found += _translating(ls, path, shown)
    cited = ls.service.citation(path, first)
    if cited is not None:
        found.append(_action(path, cited, None))
    layout = ls.service.formatted(path)
    if layout is not None:
        fix = Fix("Bring into canonical layout", (layout,))
        found.append(_action(path, fix, None, lsp.CodeActionKind.SourceFixAll))
    return found


def _action(
    path: Path,
    fix: Fix,
    told: lsp.Diagnostic | None,
    kind: lsp.CodeActionKind = lsp.CodeActionKind.QuickFix,
) -> lsp.CodeAction:
    edits: list[tuple[Path, Edit]] = [(path, each) for each in fix.edits]
    return lsp.CodeAction(
        fix.title,
        kind,
        None if told is None else [told],
        fix.sure and told is not None,
        edit=translate.workspace_edit(edits),
    )


def _translating(ls: Server, path: Path, told: lsp.Diagnostic) -> list[lsp.CodeAction]:
    edits = ls.service.translations(path)
    new = [where for where, _ in edits if where not in ls.folder.texts and not where.exists()]
    if not ls.makes_files:
        edits, new = [each for each in edits if each[0] not in new], []
    if not edits:
        return []
    edit = translate.workspace_edit(edits, new)
    kind = lsp.CodeActionKind.QuickFix
    return [lsp.CodeAction("Bring the translations up to date", kind, [told], edit=edit)]


# ---------------------------------------------------------------- lenses


@server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
async def code_lenses(ls: Server, params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
    uri = params.text_document.uri
    found = await ls.answer(commands.lenses, ls.service, translate.path_of(uri))
    return [
        lsp.CodeLens(
            translate.span_range(each.span),
            lsp.Command(
                each.title,
                f"lawspeaker.{each.command}",
                arguments=[uri, *([[]] if each.command == "position" else [])],
            ),
        )
        for each in found or ()
    ]


@server.command("lawspeaker.run")
async def run(ls: Server, uri: str) -> dict[str, Any] | None:
    """Runs a scenario and shows its outcome."""
    path = translate.path_of(uri)
    outcome = await ls.answer(ls.service.scenario, path)
    if outcome is None:
        return None
    ls.tell(path.resolve(), list(outcome.diagnostics))
    said = commands.said_of(outcome)
    kind = lsp.MessageType.Info if outcome.passed else lsp.MessageType.Error
    ls.window_show_message(lsp.ShowMessageParams(kind, said))
    return {"passed": outcome.passed, "text": said}


@server.command("lawspeaker.fires")
async def fires(ls: Server, uri: str) -> dict[str, Any] | None:
    """Returns how often each rule fires, as Markdown; refreshes the lenses, which then show it."""
    found = await ls.long_answer(commands.fires, ls.service, translate.path_of(uri))
    if found is None:
        return None
    ls.refresh_lenses()
    return {"text": commands.said_of_firing(found)}


@server.command("lawspeaker.changes")
async def changes(ls: Server, uri: str) -> dict[str, Any] | None:
    """Returns the changes of a variant as Markdown."""
    text = await ls.answer(commands.changes, ls.service, translate.path_of(uri))
    return None if text is None else {"text": text}


@server.command("lawspeaker.position")
async def position(ls: Server, uri: str, replies: list[str]) -> dict[str, Any] | None:
    """Returns the table after a scenario and some more replies, with the options."""
    return await ls.answer(commands.position, ls.service, translate.path_of(uri), replies)
