"""The numbers of a game: its choices and how many pieces there are, to be set without knowing YAML.

`settings` lists them with their values. `edits` writes other values into the file of a house rule,
one `set` each: an unchanged value needs no change, and the number of pieces in the box follows the
counts of the kinds. The rest of the file stays as it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics, did_you_mean
from lawspeaker.base.source import SourceFile, Span
from lawspeaker.editing.counts import counts
from lawspeaker.editing.fixes import Edit
from lawspeaker.meaning.overlay.trees import inside
from lawspeaker.position.layout import Layout, called
from lawspeaker.text.document import Mapping as MappingNode
from lawspeaker.text.document import Node, Scalar, child, entries_of, items_of, text_of
from lawspeaker.text.format import formatted
from lawspeaker.text.rulebook import Rulebook

MOST = 10_000
"""The largest count of pieces that is accepted; the checker may have a lower limit."""
BOX = "in the box"
_PLAYERS = re.compile(r"(\d+) players?\Z")
_NUMBER = re.compile(r"-?\d{1,10}\Z")
_TRUTHS = ("true", "false")


class CannotSet(Exception):
    """Invalid target or value; the message is for the user."""


@dataclass(frozen=True, slots=True)
class Part:
    """A single value: for a number of `players` (0: any), at an `entry` of a list (0: no list)."""

    value: str
    players: int = 0
    entry: int = 0


@dataclass(frozen=True, slots=True)
class Value:
    """A value to be written, as YAML, and whether the game has another."""

    text: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Setting:
    """Something that a house rule can set. `target` is what the change names.

    `piece` and `thing` are the piece and kind that are counted (or the attribute `of` a kind);
    empty for a choice. `options` are all values, if they can be listed; else numbers go from `low`
    to `high`. `each` is how many pieces a count of one stands for.
    """

    target: str
    kind: str
    parts: tuple[Part, ...]
    options: tuple[str, ...] = ()
    says: Mapping[str, str] | None = None
    piece: str = ""
    thing: str = ""
    of: str = ""
    each: int = 0
    low: int = ir.SMALLEST
    high: int = ir.LARGEST


def settings(book: Rulebook, program: ir.Program) -> list[Setting]:
    """All numbers of a game; `book` is its rulebook with variants applied, `program` the same."""
    return [*_choices(book, program), *_pieces(book, program)]


def _choices(book: Rulebook, program: ir.Program) -> Iterator[Setting]:
    layout, counted = Layout(program, program.most), counts(program)
    for number, choice in enumerate(program.choices):
        entry = book.section("choices").get(choice.id)
        parts = () if entry is None else parts_of(entry.get("is"))
        kind, options = _kind(choice, layout)
        if parts and kind:
            clause = program.clauses[choice.clause]
            low, high = _range(choice, number in counted)
            yield Setting(choice.id, kind, parts, options, clause.says, low=low, high=high)


def _range(choice: ir.Choice, is_count: bool) -> tuple[int, int]:
    """The lowest and the highest number that a choice can be; `is_count`: it says how many."""
    of = choice.type.of if isinstance(choice.type, ir.SetType) else choice.type
    low, high = (of.low, of.high) if isinstance(of, ir.NumberType) else (ir.SMALLEST, ir.LARGEST)
    return max(low, 1 if choice.shapes else 0 if is_count else low), high


def _kind(choice: ir.Choice, layout: Layout) -> tuple[str, tuple[str, ...]]:
    """The kind of a choice's values, and all of them if they can be listed."""
    of = choice.type.of if isinstance(choice.type, ir.SetType) else choice.type
    if isinstance(of, ir.TruthType):
        return "truth", _TRUTHS
    if isinstance(of, ir.NumberType):
        return "number", tuple(str(each) for each in choice.one_of)
    return ("word" if choice.one_of else ""), tuple(layout.text(of, each) for each in choice.one_of)


def _pieces(book: Rulebook, program: ir.Program) -> Iterator[Setting]:
    per_player = {each.name: each.per_player for each in program.pieces}
    for entry in book.section("pieces").values():
        each = program.most if per_player.get(entry.id) else 1
        path, kinds = f"pieces.{entry.id}", entry.get("kinds")
        if not isinstance(kinds, MappingNode):
            yield from _count(path, entry.get("count"), entry.id, "", each)
            continue
        has = entry.get("has")
        numeric = {
            key.value
            for key, node in entries_of(has)
            if isinstance(node, Scalar) and node.value == "number"
        }
        for key, body in kinds.entries:
            name = key.value
            if "{" in name or "." in name:  # a series, or a name that no path can hold
                continue
            if isinstance(body, Scalar):
                yield from _count(f"{path}.kinds.{name}", body, entry.id, name, each, "")
            elif isinstance(body, MappingNode):
                yield from _count(f"{path}.kinds.{name}", body.get("count"), entry.id, name, each)
                for attribute, node in body.entries:
                    if attribute.value in numeric and _is_number(node):
                        target = f"{path}.kinds.{name}.{attribute.value}"
                        parts = parts_of(node)
                        of = attribute.value
                        yield Setting(target, "number", parts, piece=entry.id, thing=name, of=of)


def _count(
    path: str, node: Node | None, piece: str, thing: str, each: int, key: str = ".count"
) -> Iterator[Setting]:
    if _is_number(node):
        parts = parts_of(node)
        yield Setting(
            path + key, "number", parts, piece=piece, thing=thing, each=each, low=0, high=MOST
        )


def _is_number(node: Node | None) -> bool:
    return isinstance(node, Scalar) and bool(_NUMBER.match(node.value))


def parts_of(node: Node | None) -> tuple[Part, ...]:
    """The single values of a node; none if it has another form."""
    if isinstance(node, Scalar):
        return (Part(node.value),)
    if isinstance(node, MappingNode):
        found: list[Part] = []
        for key, value in node.entries:
            named = _PLAYERS.match(key.value)
            if named is None or isinstance(value, MappingNode):
                return ()
            players = int(named[1])
            found += (Part(each.value, players, each.entry) for each in parts_of(value))
        return tuple(found)
    items = [] if node is None else node.items
    if not all(isinstance(each, Scalar) for each in items):
        return ()
    values = (each.value for each in items if isinstance(each, Scalar))
    return tuple(Part(value, 0, at) for at, value in enumerate(values, 1))


# -------------------------------------------------------------------- values


def allowed(setting: Setting, value: str) -> str:
    """Validates a single value; raises CannotSet."""
    value = value.strip()
    if setting.kind == "number":
        if not _NUMBER.match(value):
            raise CannotSet(f"`{setting.target}` is a whole number; `{value}` is none")
        value = str(int(value))
        if not setting.low <= int(value) <= setting.high:
            goes = f"goes from {setting.low} to {setting.high}"
            if setting.high == ir.LARGEST:
                goes = f"is at least {setting.low}"
            raise CannotSet(f"`{setting.target}` cannot be {value}: it {goes}")
    if setting.options and value not in setting.options:
        one_of = f"`{setting.target}` is one of {', '.join(setting.options)}; `{value}` is not"
        hint = did_you_mean(value, setting.options)
        raise CannotSet(f"{one_of}; {hint}" if hint else one_of)
    return value


def with_values(setting: Setting, values: Sequence[str]) -> tuple[Part, ...]:
    """The parts of a setting with other values, in their order; raises CannotSet."""
    if len(values) != len(setting.parts):
        raise CannotSet(f"`{setting.target}` has {len(setting.parts)} values, not {len(values)}")
    return tuple(
        Part(allowed(setting, value), part.players, part.entry)
        for part, value in zip(setting.parts, values, strict=True)
    )


def read(setting: Setting, text: str) -> tuple[Part, ...]:
    """Parses a value as somebody writes it: `5`, `[6, 4]`; raises CannotSet.

    One value, or one list, stands for every number of players.
    """
    text = text.strip()
    listed = any(part.entry for part in setting.parts)
    if text.startswith("[") != listed or (listed and not text.endswith("]")):
        form = "a list, such as [6, 4]" if listed else "a single value"
        raise CannotSet(f"`{setting.target}` is {form}; `{text}` is none")
    values = [each for each in text.strip("[]").split(",") if each.strip()]
    if listed:
        return tuple(Part(allowed(setting, each), 0, at) for at, each in enumerate(values, 1))
    return (Part(allowed(setting, text)),)


def in_yaml(setting: Setting, parts: Sequence[Part]) -> str:
    """The value of a change, in one line."""
    by_players: dict[int, list[Part]] = {}
    for part in parts:
        by_players.setdefault(part.players, []).append(part)
    told = {players: _listed(setting, some) for players, some in by_players.items()}
    if set(told) == {0}:
        return told[0]
    return "{" + ", ".join(f"{_players(count)}: {value}" for count, value in told.items()) + "}"


def _players(count: int) -> str:
    return f"{count} player{'s' if count > 1 else ''}"


def _listed(setting: Setting, parts: Sequence[Part]) -> str:
    # Words are quoted: a plain `off` would be a truth.
    values = [json.dumps(each.value) if setting.kind == "word" else each.value for each in parts]
    return f"[{', '.join(values)}]" if parts[0].entry else values[0]


def named(all_settings: Sequence[Setting], target: str) -> Setting:
    """The setting with this target; raises CannotSet."""
    found = {each.target: each for each in all_settings}
    if target not in found:
        hint = did_you_mean(target, found) or f"there are {', '.join(found) or 'none'}"
        raise CannotSet(f"there is no number called `{target}`; {hint}")
    return found[target]


# -------------------------------------------------------------------- the rules themselves


def node_of(book: Rulebook, target: str) -> Node | None:
    """Where the value of a target stands in the rules."""
    choice = book.section("choices").get(target)
    if choice is not None:
        return choice.get("is")
    section, _, rest = target.partition(".")
    id, *keys = rest.split(".")
    entry = book.section(section).get(id)
    return None if entry is None else inside(entry.body, tuple(keys))


def edits_in_place(book: Rulebook, changes: Mapping[str, Value]) -> Iterator[Edit]:
    """The edits that write values into a game itself."""
    for target, value in changes.items():
        node = node_of(book, target)
        if node is not None and value.differs:
            yield Edit(node.span, value.text)


# -------------------------------------------------------------------- the file of a house rule


def set_in(root: Node | None) -> dict[str, tuple[Part, ...]]:
    """What the changes of a house rule set: the parts of each target."""
    found: dict[str, tuple[Part, ...]] = {}
    for item in _items(root):
        target, value = item.get("set"), item.get("to")
        if isinstance(target, Scalar) and (parts := parts_of(value)):
            found[target.value] = parts
    return found


def house_rule(name: str, game: str, title: str, changes: Mapping[str, Value]) -> str:
    """The text of a new house rule that sets targets to other values."""
    head = ["lawspeaker: 1", f"variant: {name}", f"of: {game}", "layer: house rule"]
    written = [_change(name, value.text) for name, value in changes.items() if value.differs]
    head.append(f"title: {quoted(title)}")
    text = "\n".join([*head, "changes:", *written, ""])
    return formatted(SourceFile(f"{name}.yaml", text), Diagnostics()) or text


def with_box(
    book: Rulebook, all_settings: Sequence[Setting], wanted: Mapping[str, tuple[Part, ...]]
) -> dict[str, Value]:
    """The values of targets, and with them those of the numbers in the box."""
    found: dict[str, Value] = {}
    more: dict[str, int] = {}
    for setting in all_settings:
        parts = wanted.get(setting.target)
        if parts is None:
            continue
        found[setting.target] = Value(in_yaml(setting, parts), parts != setting.parts)
        if setting.each:
            change = int(parts[0].value) - int(setting.parts[0].value)
            more[setting.piece] = more.get(setting.piece, 0) + setting.each * change
    for piece, change in more.items():
        box = book.section("pieces")[piece].get(BOX)
        if isinstance(box, Scalar) and _is_number(box):
            target = f"pieces.{piece}.{BOX}"
            found[target] = Value(str(int(box.value) + change), bool(change))
    return found


def edits(root: MappingNode, changes: Mapping[str, Value]) -> Iterator[Edit]:
    """The edits of a house rule's file that set targets, or take changes away that change nothing.

    Without any change the file would be no house rule: so its last one stays in any case.
    """
    node, items, text = root.get("changes"), _items(root), root.span.file.text
    there = {_target(each): each for each in items if _target(each)}
    more = {name: value for name, value in changes.items() if name not in there and value.differs}
    left = len(items) + len(more)
    for name, item in there.items():
        value, old = changes.get(name), item.get("to")
        if value is None or old is None:
            continue
        if value.differs or left == 1:
            if old.span.text != value.text:
                yield Edit(old.span, value.text)
        else:
            left -= 1
            start = text.rfind("\n", 0, item.entries[0][0].span.start) + 1
            yield Edit(Span(item.span.file, start, _line_end(text, item)), "")
    if more:
        told = [(name, value.text) for name, value in more.items()]
        yield _added(root, node, items, told)


def _added(
    root: MappingNode,
    node: Node | None,
    items: Sequence[MappingNode],
    more: Sequence[tuple[str, str]],
) -> Edit:
    file = root.span.file
    text = file.text
    if not items:
        key = root.key("changes")
        assert key is not None, "the schema demands it"
        assert node is not None, "the schema demands it"
        lines = "\n".join(_change(*each) for each in more)
        return Edit(Span(file, key.span.start, node.span.end), f"changes:\n{lines}")
    first = items[0].entries[0][0].span
    dash = file.line_text(first.line).partition("-")[0]
    if dash.strip():
        raise CannotSet("the changes of this file stand in one line; put each on a line of its own")
    at = _line_end(text, items[-1])
    newline = "" if text[:at].endswith("\n") else "\n"
    return Edit(Span(file, at, at), newline + "".join(f"{_change(*each, dash)}\n" for each in more))


def quoted(text: str) -> str:
    """A text as a YAML value."""
    return json.dumps(text, ensure_ascii=False)


def _change(target: str, value: str, indent: str = "  ") -> str:
    return f"{indent}- set: {target}\n{indent}  to: {value}"


def _line_end(text: str, item: MappingNode) -> int:
    """The start of the line after an item."""
    last = max(value.span.end for _, value in item.entries)
    end = text.find("\n", last)
    return len(text) if end < 0 else end + 1


def _items(root: Node | None) -> list[MappingNode]:
    items = items_of(child(root, "changes"))
    return [each for each in items if isinstance(each, MappingNode) and each.entries]


def _target(item: MappingNode) -> str:
    return text_of(item.get("set"))


# -------------------------------------------------------------------- names


def heading(setting: Setting, program: ir.Program, language: str) -> str:
    """What a setting is called: the sentence of a choice, or the names of what is counted."""
    if setting.says is not None:
        texts = setting.says
        return ir.in_language(texts, language, setting.target)
    words = [called(program, setting.thing or setting.piece, setting.piece, language)]
    if setting.of:
        words.append(called(program, setting.of, "", language))
    return ": ".join(words)
