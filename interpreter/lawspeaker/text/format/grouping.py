"""Groups the tokens of a line of code, and so defines its possible line breaks.

A line continues if the next one begins with an operator, `where`, `while` or `for each`, after a
comma, or inside brackets. So operands of `or`, `and`, `+` and `-` can be broken before each
operator; conditional values before `then` and `else`; and after commas the items in brackets, and
the condition of a `for every` or a `supposing`. A comprehension in brackets is broken before its
`for each`, and then before `where`, rather than inside its values.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from lark import Token, Tree

from lawspeaker.text.format.breaking import Break, Doc, Group, Remark

_JOINED = {"or_": "or", "and_": "and", "add": "sum", "subtract": "sum"}
_LISTED = ("call", "list", "do")
_GATHERED = ("collect", "collect_different", "sum_of", "extreme")
_OF_EACH = (*_GATHERED, "scores", "loses")
_REACHED = ("walk", "region")
_COMBINED = ("combination", "combination_up_to", "combination_at_least", "combination_exactly")
_TAKEN = ("binder", "named_late", *_COMBINED)
_CHOSEN = ("part_one", "part_any", "part_up_to", "part_at_least", "part_exactly")
_CLOSE_BEFORE = frozenset({",", ")", "]", ":", ".."})
_CLOSE_AFTER = frozenset({"(", "[", ".."})
STEP = 2


class CodeTokens:
    """The tokens of code, in order, and the comments between them."""

    def __init__(self, code: str, tokens: list[Token], tree: Tree[Token]) -> None:
        self.tokens = tokens
        self.starts = [each.start_pos or 0 for each in tokens]
        self.before: dict[int, list[Remark]] = {}
        self.after: dict[int, list[Remark]] = {}
        self._begins = [
            at > 0 and "\n" in code[tokens[at - 1].end_pos or 0 : start]
            for at, start in enumerate(self.starts)
        ]
        # A unary minus is not separated from its number.
        self._signs = {self.span(each)[0] for each in tree.find_data("negate")}

    def span(self, tree: Tree[Token]) -> tuple[int, int]:
        """The index range of the tokens of a tree."""
        if tree.meta.empty:
            return 0, 0
        low = bisect_left(self.starts, tree.meta.start_pos)
        return low, bisect_left(self.starts, tree.meta.end_pos)

    def begins_line(self, at: int) -> bool:
        return self._begins[at]

    def text(self, at: int) -> str:
        word = " ".join(self.tokens[at].split())
        if word in ("a", "an") and at + 1 < len(self.tokens):
            following = self.tokens[at + 1]
            if following.type == "NAME" and self.tokens[at].type in ("A", "AN"):
                return _article(word, str(following))
        return word

    def space(self, at: int) -> str:
        """The separator between a token and the one before it."""
        word, before = str(self.tokens[at]), str(self.tokens[at - 1])
        if word in _CLOSE_BEFORE or before in _CLOSE_AFTER or at - 1 in self._signs:
            return ""
        return "" if word == "(" and self.tokens[at - 1].type == "NAME" else " "

    def flat(self, low: int, high: int) -> str:
        rest = (self.space(at) + self.text(at) for at in range(low + 1, high))
        return self.text(low) + "".join(rest)


def _article(article: str, noun: str) -> str:
    """`a` or `an` by pronunciation; where spelling does not tell, as written."""
    if noun[0] in "hu":
        return article
    spoken_as_w_or_y = noun.startswith(("one", "once", "eu"))
    return "an" if noun[0] in "aeio" and not spoken_as_w_or_y else "a"


@dataclass(slots=True)
class _Node:
    """A group under construction: tokens from `low` up to `high`, and those it can be broken
    before."""

    low: int
    high: int
    breaks: set[int]
    hangs: Literal["never", "if inside", "always", "listed"] = "if inside"
    """Whether continuation lines are indented: always, or unless the group is a whole result.
    Listed items are broken only where a line is full."""
    inner: list[_Node] = field(default_factory=list)


def line_doc(
    trees: list[Tree[Token]], words: CodeTokens, low: int, high: int, further: int, result: bool
) -> Group:
    """The group tree of a line, given its maximal subtrees. Continuation lines are indented by
    `further`; those of a `result` are not, if they begin with its outermost operator."""
    nodes = [node for each in trees for node in _nodes(each, words)]
    whole = _Node(low, high, set(), inner=nodes)
    return Group(tuple(_parts(whole, words, further, result)))


def by_line(
    tree: Tree[Token], words: CodeTokens, line_of: list[int]
) -> dict[int, list[Tree[Token]]]:
    """The maximal subtrees that are on one line, by line; `line_of` is the line of each token."""
    found: dict[int, list[Tree[Token]]] = {}
    waiting = [tree]
    while waiting:
        tree = waiting.pop()
        low, high = words.span(tree)
        if low < high and line_of[low] == line_of[high - 1]:
            found.setdefault(line_of[low], []).append(tree)
        else:
            waiting.extend(each for each in reversed(tree.children) if isinstance(each, Tree))
    return found


def _nodes(tree: Tree[Token], words: CodeTokens) -> list[_Node]:
    """The groups in a tree, outermost first."""
    data = str(tree.data)
    children = [each for each in tree.children if isinstance(each, Tree)]
    if data in _JOINED:
        return [_joined(tree, words)]
    if data == "conditional":
        return [_conditional(tree, words)]
    if data in _CHOSEN:
        # Below a question a `where` would be parsed as a guard, so no line is broken before it.
        children = [part for each in children for part in each.children if isinstance(part, Tree)]
    inner = [node for each in children for node in _nodes(each, words)]
    if data == "every_after":
        low, high = words.span(tree)
        return [_Node(low, high, {words.span(children[0])[1]}, inner=inner)]
    if data in _REACHED and words.text(last := words.span(children[-1])[0] - 1) == "while":
        low, high = words.span(tree)
        return [_Node(low, high, {last}, "always", inner)]
    if data in ("for_every", "supposing", "supposing_done"):
        low, high = words.span(tree)
        return [_Node(low, high, {words.span(children[-1])[0]}, "always", inner)]
    if data == "parens" and children[0].data in _GATHERED:
        return [_gathered(tree, children[0], words)]
    if data in _OF_EACH and (each := _broken_each(children, words)) is not None:
        low, high = words.span(tree)
        return [_Node(low, high, {each}, "always", inner)]
    if data in _TAKEN and (where := _broken_where(tree, words)) is not None:
        low, high = words.span(tree)
        return [_Node(low, high, {where}, "always", inner)]
    if data in _LISTED and len(children) > 1:
        low, high = words.span(tree)
        return [_Node(low, high, {words.span(each)[0] for each in children[1:]}, "listed", inner)]
    return inner


def _broken_where(tree: Tree[Token], words: CodeTokens) -> int | None:
    """The `where` of `card in hand of player where …`, if its author began a line with it."""
    condition = _one_taken(tree).children[-1]
    where = words.span(condition)[0] - 1 if isinstance(condition, Tree) else None
    return where if where is not None and words.begins_line(where) else None


def _one_taken(tree: Tree[Token]) -> Tree[Token]:
    """The innermost binder of a combination."""
    while tree.data in _COMBINED and isinstance(inner := tree.children[-1], Tree):
        tree = inner
    return tree


def _broken_each(children: list[Tree[Token]], words: CodeTokens) -> int | None:
    """The `for each` of `sum of … for each …`, if its author began a line with it."""
    taken = next((each for each in children if each.data in _TAKEN), None)
    each = words.span(taken)[0] - len(("for", "each")) if taken is not None else None
    return each if each is not None and words.begins_line(each) else None


def _gathered(brackets: Tree[Token], tree: Tree[Token], words: CodeTokens) -> _Node:
    """`(collect … for each … where …)`: broken before `for each`; its source, if needed, before
    `where`."""
    low, high = words.span(brackets)
    value, taken, *rest = (each for each in tree.children if isinstance(each, Tree))
    begins, ends = words.span(value)[1], words.span(taken)[1]
    binder = _one_taken(taken)
    condition = words.span([each for each in binder.children if isinstance(each, Tree)][-1])[0]
    inner = [
        node for each in binder.children if isinstance(each, Tree) for node in _nodes(each, words)
    ]
    limited = {condition - 1} if words.text(condition - 1) == "where" else set()
    each = _Node(begins, ends, limited, "always", inner)
    others = [node for other in rest for node in _nodes(other, words)]
    return _Node(low, high, {begins}, "always", [*_nodes(value, words), each, *others])


def _joined(tree: Tree[Token], words: CodeTokens) -> _Node:
    """A chain of operators of one precedence level as one group, though the tree is
    left-leaning."""
    low, high = words.span(tree)
    node = _Node(low, high, set())
    left: Tree[Token] = tree
    while _JOINED.get(str(left.data)) == _JOINED[str(tree.data)]:
        first, second = (each for each in left.children if isinstance(each, Tree))
        node.breaks.add(words.span(first)[1])
        node.inner[:0] = _nodes(second, words)
        left = first
    node.inner[:0] = _nodes(left, words)
    return node


def _conditional(tree: Tree[Token], words: CodeTokens) -> _Node:
    """`if … then … else if … then … else …`: broken before each `else`; each branch, if needed,
    before `then`."""
    low, high = words.span(tree)
    node = _Node(low, high, set())
    begins = low
    while True:
        condition, then, otherwise = (each for each in tree.children if isinstance(each, Tree))
        ends = words.span(then)[1]
        inner = _nodes(condition, words) + _nodes(then, words)
        node.inner.append(_Node(begins, ends, {words.span(condition)[1]}, "never", inner))
        node.breaks.add(ends)
        if otherwise.data != "conditional":
            node.inner += _nodes(otherwise, words)
            return node
        tree, begins = otherwise, ends


def _parts(node: _Node, words: CodeTokens, further: int, result: bool) -> Iterator[Doc]:
    inner = {each.low: each for each in reversed(node.inner)}
    at = node.low
    while at < node.high:
        if at > node.low:
            space = words.space(at)
            yield Break(space, node.hangs == "listed") if at in node.breaks else space
        if at in inner:
            yield _group(inner[at], words, further, result and at == node.low)
            at = inner[at].high
            continue
        yield from words.before.get(at, ())
        yield words.text(at)
        yield from words.after.get(at, ())
        at += 1


def _group(node: _Node, words: CodeTokens, further: int, result: bool) -> Group:
    flush = node.hangs == "never" or (result and node.hangs == "if inside")
    indent = 0 if flush else further
    wanted = node.hangs != "listed" and any(words.begins_line(at) for at in node.breaks)
    return Group(tuple(_parts(node, words, STEP, False)), indent, wanted)
