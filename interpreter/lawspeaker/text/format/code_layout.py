"""Lays out code: one statement per line, blocks indented by two, one space between words.

Code is parsed once, for its tokens, lines and tree. Each statement (or its head, up to the `:`) is
put on one line, unless it is too long or its author broke it: then `grouping` says where it can be
broken. Blocks start on a line of their own; only after `then:` and `otherwise:` may a single
statement stay on the same line.

Comments stay with the word or the statement they belong to.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from dataclasses import dataclass, field

from lark import Token, Tree

from lawspeaker.text.format.breaking import Remark, laid_out
from lawspeaker.text.format.grouping import CodeTokens, by_line, line_doc
from lawspeaker.text.format.renewing import renewed
from lawspeaker.text.parse import grammar

STEP = 2
_REMARK = re.compile(r"#[^\n]*")
_INVISIBLE = ("_NL", "_INDENT", "_DEDENT")
_SAME_LINE = ("then", "otherwise")
_WITH_BODY = frozenset(
    "if_ for_each repeat repeat_until repeat_while repeat_up_to_until repeat_up_to_while rank "
    "ask_choose ask_one_of ask_label".split()
)


@dataclass(slots=True)
class _Note:
    """A comment on a line of its own, before a statement or at the end."""

    text: str
    depth: int
    apart: bool


@dataclass(slots=True)
class _Line:
    """The tokens from `low` up to `high`, at a nesting depth."""

    depth: int
    low: int
    high: int
    column: int
    notes: list[_Note] = field(default_factory=list)
    beside: str = ""
    apart: bool = False


def formatted(code: str, start: str, indent: int, width: int) -> list[str]:
    """The lines of valid code, without their common indentation `indent`, which counts for the
    width."""
    return _Code(code, start, indent, width).lines()


def remarks(code: str) -> list[str]:
    """The comments in code."""
    return [each.rstrip() for each in _REMARK.findall(code)]


class _Code:
    """The layout of one piece of code."""

    def __init__(self, code: str, start: str, indent: int, width: int) -> None:
        self.code = renewed(code.replace("\r\n", "\n"), start)
        self.start = start
        self.room = width - indent
        tokens, self.tree = _read(self.code, start)
        words = [each for each in tokens if each.type not in _INVISIBLE]
        self.words = CodeTokens(self.code, words, self.tree)
        self.all = self._lines(tokens)
        self.last: list[_Note] = []
        self._hand_out_remarks()
        self._open_blocks()

    # ------------------------------------------------------------ lines of the source

    def _lines(self, tokens: list[Token]) -> list[_Line]:
        found: list[_Line] = []
        depth = at = 0
        begins = True
        for token in tokens:
            if token.type == "_NL":
                begins = True
            elif token.type in _INVISIBLE:
                depth += 1 if token.type == "_INDENT" else -1
            else:
                if begins:
                    place = self.words.starts[at]
                    found.append(_Line(depth, at, at, self._column(place)))
                    found[-1].apart = self._apart(place)
                at += 1
                found[-1].high = at
                begins = False
        return found

    def _column(self, place: int) -> int:
        return place - (self.code.rfind("\n", 0, place) + 1)

    def _apart(self, place: int) -> bool:
        """Whether the line above that of an offset is blank."""
        start = place - self._column(place)
        above = self.code[self.code.rfind("\n", 0, max(start - 1, 0)) + 1 : start]
        return bool(above) and not above.strip()

    def _hand_out_remarks(self) -> None:
        firsts = [line.low for line in self.all]
        for match in _REMARK.finditer(self.code):
            text, place = match[0].rstrip(), match.start()
            following = bisect_left(self.words.starts, place)
            alone = not self.code[place - self._column(place) : place].strip()
            line = bisect_left(firsts, following)
            starts_line = line < len(firsts) and firsts[line] == following
            if not alone and following:
                if starts_line or following == len(self.words.starts):
                    self.all[line - 1].beside = text
                else:
                    self.words.after.setdefault(following - 1, []).append(Remark(text, False))
            elif starts_line or following == len(self.words.starts):
                note = _Note(text, self._depth(line, self._column(place)), self._apart(place))
                (self.all[line].notes if starts_line else self.last).append(note)
            else:
                self.words.before.setdefault(following, []).append(Remark(text, True))

    def _depth(self, line: int, column: int) -> int:
        """The nesting depth of a comment before a line. Where blocks end it is that of the deepest
        one that does not begin to the right of the comment."""
        below = self.all[line].depth if line < len(self.all) else 0
        lowest = None
        for above in reversed(self.all[:line]):
            if above.depth <= below:
                break
            if (lowest is None or above.depth < lowest) and above.column <= column:
                return above.depth
            lowest = above.depth if lowest is None else min(lowest, above.depth)
        return below

    # ------------------------------------------------------------ blocks

    def _open_blocks(self) -> None:
        """Puts each block on lines of its own, except a short statement after `then:` or
        `otherwise:`."""
        for parent, block in _blocks(self.tree):
            colon, high = self.words.span(block)
            at = next(i for i, line in enumerate(self.all) if line.low <= colon < line.high)
            line = self.all[at]
            inline = colon + 1 < line.high
            beside = parent in _SAME_LINE and self._fits(line.depth, line.low, high)
            if inline and not (beside and high == line.high):
                below = _Line(line.depth + 1, colon + 1, line.high, line.column, [], line.beside)
                line.high, line.beside = colon + 1, ""
                self._indent(at + 1, high)
                self.all.insert(at + 1, below)
            elif beside and not inline and self._can_be_beside(block, at, high):
                line.high, line.beside = high, self.all[at + 1].beside
                del self.all[at + 1]

    def _indent(self, first: int, high: int) -> None:
        """Increases the depth of the lines from `first` up to a token."""
        for line in self.all[first:]:
            if line.low >= high:
                return
            line.depth += 1
            for note in line.notes:
                note.depth += 1

    def _fits(self, depth: int, low: int, high: int) -> bool:
        noted = any(low <= each < high for each in (*self.words.before, *self.words.after))
        return not noted and STEP * depth + len(self.words.flat(low, high)) <= self.room

    def _can_be_beside(self, block: Tree[Token], at: int, high: int) -> bool:
        statements = [each for each in block.children if isinstance(each, Tree)]
        below = self.all[at + 1]
        after = self.all[at + 2].notes if at + 2 < len(self.all) else self.last
        noted = below.notes or any(note.depth >= below.depth for note in after)
        plain = not self.all[at].beside and not noted
        return (
            plain
            and len(statements) == 1
            and statements[0].data not in _WITH_BODY
            and below.high == high
        )

    # ------------------------------------------------------------ lines of the result

    def lines(self) -> list[str]:
        found: list[str] = []
        line_of = [at for at, line in enumerate(self.all) for _ in range(line.low, line.high)]
        trees = by_line(self.tree, self.words, line_of)
        for at, line in enumerate(self.all):
            inside = at > 0 and self.all[at - 1].depth < line.depth
            self._note(found, line.notes, inside)
            if line.apart and found and (line.notes or not inside):
                found.append("")
            found += self._text(at, trees.get(at, [])).split("\n")
        self._note(found, self.last, False)
        return found

    @staticmethod
    def _note(found: list[str], notes: list[_Note], inside: bool) -> None:
        for number, note in enumerate(notes):
            if note.apart and found and (number or not inside):
                found.append("")
            found.append(" " * (STEP * note.depth) + note.text)

    def _text(self, at: int, trees: list[Tree[Token]]) -> str:
        line = self.all[at]
        indent = STEP * line.depth
        result = self.start == "value" and at == len(self.all) - 1
        opens = at + 1 < len(self.all) and self.all[at + 1].depth > line.depth
        further = STEP * 2 if opens else STEP
        doc = line_doc(trees, self.words, line.low, line.high, further, result)
        text = " " * indent + laid_out(doc, indent, self.room)
        return f"{text}  {line.beside}" if line.beside else text


def _read(code: str, start: str) -> tuple[list[Token], Tree[Token]]:
    parser = grammar().parse_interactive(code, start=start)
    tokens = list(parser.iter_parse())
    tree: Tree[Token] = parser.feed_eof(tokens[-1])  # type: ignore[no-untyped-call]
    return tokens, tree


def _blocks(tree: Tree[Token]) -> list[tuple[str, Tree[Token]]]:
    """All blocks with the grammar rule they belong to, in reverse order, so that earlier lines stay
    valid."""
    found = [
        (str(node.data), child)
        for node in tree.iter_subtrees()
        for child in node.children
        if isinstance(child, Tree) and child.data == "block"
    ]
    return sorted(found, key=lambda each: each[1].meta.start_pos, reverse=True)
