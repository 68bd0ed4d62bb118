"""Parses variant files: editions, modules and house rules as lists of changes.

A variant file contains only the differences. Nothing is applied here; `overlay` does that.
Parameters, as in `shorter(2)`, are substituted wherever a value in a change is exactly the name of
a parameter, and the variant's demands on them are checked.

Where an edition agrees with the game, the lock of its book lists the clauses; or the file itself
does under `agrees:`, by sections of the book: the clauses in each, with the fingerprints of their
sentences. Each such clause becomes a `cite` change.

A text without a language is in the language that the variant declares, or else in the game's.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as MappingType
from collections.abc import Sequence as SequenceType
from dataclasses import dataclass, field
from typing import TypeAlias

from lawspeaker.base.diagnostics import Diagnostics, Label, did_you_mean, with_noun
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.ir.texts import HOUSE_RULE
from lawspeaker.text import document, parse, schema
from lawspeaker.text import syntax as s
from lawspeaker.text.books.lock import Lock
from lawspeaker.text.document import (
    Mapping,
    Node,
    Scalar,
    Sequence,
    child,
    entries_of,
    items_of,
    mapping_at,
    scalar_at,
    scalars_of,
    text_of,
)
from lawspeaker.text.rulebook import Beside, locks_of, nothing_beside, pictures_of
from lawspeaker.text.schema import Schema
from lawspeaker.text.translation.files import Translation
from lawspeaker.text.translation.places import ACTIONS
from lawspeaker.text.translation.weaving import originals, woven

EDITION = "edition"
LAYERS = (EDITION, "module", HOUSE_RULE)


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """One entry under `changes:`: an action, its target, and the node with the arguments."""

    variant: Variant = field(repr=False)
    action: str
    target: str
    node: Mapping = field(repr=False)
    span: Span = field(repr=False)

    def get(self, key: str) -> Node | None:
        return self.node.get(key)

    @property
    def together_with(self) -> list[str]:
        """The names of the variants that must be present for this change to apply."""
        return [plain_name(each.value) for each in scalars_of(self.node.get("with"))]


@dataclass(slots=True, eq=False)
class Variant:
    """A parsed variant: its name, game and layer, its relations to others, and its changes."""

    name: str
    of: str
    layer: str
    file: SourceFile
    root: Mapping
    includes: tuple[Scalar, ...] = ()
    needs: tuple[Scalar, ...] = ()
    conflicts: tuple[Scalar, ...] = ()
    after: tuple[Scalar, ...] = ()
    changes: tuple[Change, ...] = ()
    arguments: tuple[str, ...] = ()
    translations: tuple[SourceFile, ...] = ()
    locks: MappingType[str, Lock] = field(default_factory=dict)
    pictures: MappingType[str, SourceFile] = field(default_factory=dict)

    @property
    def span(self) -> Span:
        key = self.root.key("variant")
        return key.span if key is not None else self.root.span

    @property
    def rank(self) -> tuple[int, str]:
        """Sort key: lower layers are applied first; within a layer, by name."""
        return LAYERS.index(self.layer), self.name


def plain_name(name: str) -> str:
    """The name of a variant without its arguments: `shorter` of `shorter(2)`."""
    return name.partition("(")[0].strip()


def included(file: SourceFile) -> tuple[Scalar, ...]:
    """The variants that a variant includes, as far as its file can be parsed."""
    root = document.load(file, Diagnostics())
    return scalars_of(root.get("includes")) if isinstance(root, Mapping) else ()


def read_variant(
    file: SourceFile,
    arguments: tuple[str, ...],
    variant_schema: Schema,
    diagnostics: Diagnostics,
    language: str = "en",
    translations: SequenceType[Translation] = (),
    beside: Beside = nothing_beside,
    promised: SequenceType[str] = (),
) -> Variant | None:
    """Parses and validates a variant file. `language` and `promised` are the language and the
    languages of the game. A house rule for one table needs no translation; a translation that was
    begun is expected to be complete."""
    root = document.load(file, diagnostics)
    if root is None:
        return None
    before = len(diagnostics)
    schema.validate(root, variant_schema, diagnostics, "variant")
    if len(diagnostics) > before or not isinstance(root, Mapping):
        return None
    own = text_of(root.get("language")) or language
    begun = {each.language for each in translations}
    texts, languages = originals([root], own), [each for each in promised if each in begun]
    whole = woven([root], texts, translations, own, diagnostics, languages)
    for other, missing in whole.lacking.items():
        at = (root.key("variant") or root).span
        missing.tell(other, own, at, diagnostics)
    for (other, text), needless in whole.same.items():
        if needless is not None:
            diagnostics.warning(
                "stale-translation",
                f"the variant has no text “{text}” that could be the same in `{other}`",
                needless.span,
                hint="take it out",
            )
    for key, _ in whole.named:
        diagnostics.error(
            "unknown-text",
            f"the variant has no text `names.{key.value}`",
            key.span,
            hint=f"a variant names a thing by a change, `{{add: names.{key.value}, to: …}}`; its "
            f"translation is `add names.{key.value}` under `changes`",
        )
    root = _with_parameters(whole.roots[0], arguments, diagnostics)
    if root is None:
        return None
    variant = Variant(
        text_of(root.get("variant")),
        text_of(root.get("of")),
        text_of(root.get("layer")) or HOUSE_RULE,
        file,
        root,
        scalars_of(root.get("includes")),
        scalars_of(root.get("needs")),
        scalars_of(root.get("conflicts")),
        scalars_of(root.get("after")),
    )
    variant.arguments = arguments
    variant.translations = tuple(each.file for each in translations)
    variant.locks = locks_of(root, beside, diagnostics)
    variant.pictures = pictures_of(root, beside)
    changes = _changes(variant, root.get("changes"), diagnostics)
    variant.changes = (*changes, *_agreements(variant, root.get("agrees"), changes, diagnostics))
    return variant


def _changes(variant: Variant, node: Node | None, diagnostics: Diagnostics) -> list[Change]:
    found: list[Change] = []
    for each in items_of(node):
        if not isinstance(each, Mapping):
            continue
        actions = [(key, value) for key, value in each.entries if key.value in ACTIONS]
        if len(actions) != 1:
            diagnostics.error(
                "bad-change",
                "a change does one thing: set, replace, amend, add, remove or cite",
                each.span,
                hint="begin it with one of these words and what it is about",
            )
            continue
        key, target = actions[0]
        found.append(Change(variant, key.value, text_of(target), each, target.span))
    return found


# ---------------------------------------------------------------- agreements


def _agreements(
    variant: Variant, agrees: Node | None, changes: list[Change], diagnostics: Diagnostics
) -> list[Change]:
    """A `cite` change for each clause that a book agrees with, with all its sections."""
    targets: dict[str, Scalar] = {}
    places: dict[str, list[tuple[Scalar, Mapping]]] = {}
    for target, source, cite in (*_said_to_agree(agrees), *_locked(variant)):
        targets.setdefault(target.value, target)
        places.setdefault(target.value, []).append((source, cite))
    found: list[Change] = []
    for name, target in targets.items():
        changed = next((each for each in changes if each.target == name), None)
        if changed is not None and changed.get("cites") is not None:
            diagnostics.error(
                "bad-change",
                f"`{name}` agrees, but is also cited by a change",
                target.span,
                Label(changed.span, "this change"),
                hint="name all its sections in the change",
            )
        books = {source.value: source for source, _ in places[name]}
        cites = tuple(
            (
                source,
                Sequence(tuple(cite for at, cite in places[name] if at == source), source.span),
            )
            for source in books.values()
        )
        node = mapping_at({"cite": target, "cites": Mapping(cites, target.span)}, target)
        found.append(Change(variant, "cite", name, node, target.span))
    return found


_Agreed: TypeAlias = tuple[Scalar, Scalar, Mapping]
"""An agreeing clause, its book, and the citation."""


def _said_to_agree(agrees: Node | None) -> Iterator[_Agreed]:
    """The agreements listed in the file of the variant."""
    for source, sections in entries_of(agrees):
        for section, clauses in entries_of(sections):
            for target, mark in entries_of(clauses):
                cite = mapping_at({"section": section, "print": mark}, target)
                yield target, source, cite


def _locked(variant: Variant) -> Iterator[_Agreed]:
    """The agreements listed in the locks of its books."""
    for name, lock in variant.locks.items():
        for each in lock.marks.agrees:
            if each.variant != variant.name:
                continue
            target = Scalar(each.id, each.span, each.span)
            said = {"section": each.where.section, "print": " ".join(lock.prints(each.where))}
            told = {key: scalar_at(value, target) for key, value in said.items() if value}
            yield target, scalar_at(name, target), mapping_at(told, target)


# ---------------------------------------------------------------- parameters


def _with_parameters(
    root: Mapping, arguments: tuple[str, ...], diagnostics: Diagnostics
) -> Mapping | None:
    takes = root.get("takes")
    names = [key.value for key, _ in entries_of(takes)]
    for key, _ in entries_of(root.get("called")):
        if key.value not in names:
            hint = did_you_mean(key.value, names)
            diagnostics.error(
                "unknown-name", f"there is no parameter `{key.value}`", key.span, hint=hint
            )
    if not names and not arguments:
        return root
    if arguments and len(arguments) != len(names):
        span = takes.span if takes is not None else root.span
        diagnostics.error(
            "bad-parameters",
            f"{text_of(root.get('variant'))} takes {with_noun(len(names), 'value')}, "
            f"not {len(arguments)}",
            span,
            hint=f"write {text_of(root.get('variant'))}({', '.join(names)})" if names else None,
        )
        return None
    values: dict[str, int] = {}
    for at, name in enumerate(names):
        default = child(takes, name)
        text = arguments[at] if arguments else text_of(default)
        if not text.removeprefix("-").isdecimal() or len(text) > 9:
            span = default.span if default is not None else root.span
            diagnostics.error("bad-parameters", f"`{name}` is a number, not `{text}`", span)
            return None
        values[name] = int(text)
    if not _demands(root, values, diagnostics):
        return None
    changed = _filled(root, values)
    assert isinstance(changed, Mapping)
    return changed


def _filled(node: Node, values: MappingType[str, int]) -> Node:
    """Substitutes arguments: replaces each text that equals the name of a parameter."""
    if isinstance(node, Mapping):
        skip = ("takes", "called", "demands")
        return Mapping(
            tuple(
                (key, value if key.value in skip else _filled(value, values))
                for key, value in node.entries
            ),
            node.span,
        )
    if isinstance(node, Sequence):
        return Sequence(tuple(_filled(each, values) for each in node.items), node.span)
    if node.style == "plain" and node.value in values:
        return Scalar(str(values[node.value]), node.span, node.content, "plain", "number")
    return node


def _demands(root: Mapping, values: MappingType[str, int], diagnostics: Diagnostics) -> bool:
    for key, code in entries_of(root.get("demands")):
        if not isinstance(code, Scalar):
            continue
        tree = parse.value(code, diagnostics)
        if tree is None:
            return False
        try:
            holds = _worth(tree.result, values)
        except KeyError as unknown:
            diagnostics.error("unknown-name", f"there is no parameter {unknown}", code.span)
            return False
        if not holds:
            given = ", ".join(f"{name} {value}" for name, value in values.items())
            diagnostics.error(
                "bad-parameters",
                f"`{key.value}` does not hold for {given}",
                code.span,
                hint="choose other values",
            )
            return False
    return True


def _worth(expr: s.Expr, values: MappingType[str, int]) -> int:
    """Evaluates an expression over parameters; true is 1."""
    match expr:
        case s.Number(value):
            return value
        case s.Word(name):
            return values[name.text]
        case s.Arithmetic(operator, left, right):
            one, two = _worth(left, values), _worth(right, values)
            return one + two if operator == "+" else one - two if operator == "-" else one * two
        case s.Compare(operator, left, right):
            one, two = _worth(left, values), _worth(right, values)
            return int(
                {"<": one < two, "<=": one <= two, ">": one > two, ">=": one >= two}.get(
                    operator, one == two
                )
            )
        case s.And(left, right):
            return int(bool(_worth(left, values)) and bool(_worth(right, values)))
        case s.Or(left, right):
            return int(bool(_worth(left, values)) or bool(_worth(right, values)))
        case s.Not(operand):
            return int(not _worth(operand, values))
    raise KeyError("in this form")
