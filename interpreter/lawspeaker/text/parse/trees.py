"""Converts lark's parse tree to the nodes of `syntax`.

A grammar rule whose children are the fields of a node, in order, has an entry in `NODES`; each
other rule has a method of `Builder`, named after it, with the span and the children.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial, partialmethod
from typing import Any, cast

from lark import Token, Tree

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import Span
from lawspeaker.text import syntax as s
from lawspeaker.text.document import Scalar
from lawspeaker.text.parse.language import reserved_words

OTHERWISE = ("otherwise", "cannot_happen")
LONGEST_BETWEEN = 100
"""The longest operand between two comparisons, since it is duplicated with all its contents."""
GUARDS = ("guard", "enough")
COMMON = ("common", "by_case", "silently_common")
_COMMENT = re.compile(r"#[^\r\n]*")

NODES: Mapping[str, Callable[..., object]] = {
    # statements
    "becomes": s.Becomes,
    "end_game": s.EndGame,
    "finish": s.Finish,
    "for_each": s.ForEach,
    "outcome": s.Outcome,
    "pick": s.Pick,
    "remember": s.Remember,
    "repeat": s.Repeat,
    "repeat_until": s.RepeatUntil,
    "repeat_while": partial(s.RepeatUntil, first=True),
    "shuffle": s.Shuffle,
    "skip": s.Skip,
    "wins": s.Wins,
    # values
    "add": partial(s.Arithmetic, "+"),
    "all": s.All,
    "and_": s.And,
    "collect": s.Collect,
    "collect_different": partial(s.Collect, different=True),
    "conditional": s.Conditional,
    "count": s.Count,
    "count_these": s.CountThese,
    "exists": partial(s.Exists, negated=False),
    "exists_no": partial(s.Exists, negated=True),
    "for_every": s.Every,
    "is_": partial(s.Is, negated=False),
    "is_in": partial(s.IsIn, negated=False),
    "is_not": partial(s.Is, negated=True),
    "is_not_in": partial(s.IsIn, negated=True),
    "multiply": partial(s.Arithmetic, "*"),
    "name": s.Word,
    "negate": s.Negate,
    "no": partial(s.Truth, False),
    "not_": s.Not,
    "nothing": s.Nothing,
    "or_": s.Or,
    "product_of": partial(s.SumOf, product=True),
    "range": s.Range,
    "subtract": partial(s.Arithmetic, "-"),
    "sum_of": s.SumOf,
    "supposing": s.Supposing,
    "supposing_done": s.SupposingDone,
    "the": s.The,
    "yes": partial(s.Truth, True),
}
INNER = frozenset("common draw_body noun offers otherwise parens then".split())
"""Rules that stand for their only child."""


class Builder:
    """Builds the nodes of one code."""

    def __init__(self, code: Scalar, diagnostics: Diagnostics, by: int = 0) -> None:
        """`by`: how far the code has moved since its parse tree was built."""
        self.by = by
        self.file = code.content.file
        self.low, self.high = code.content.start, code.content.end
        self.comments = [
            match.span() for match in _COMMENT.finditer(self.file.text, self.low, self.high)
        ]
        self.diagnostics = diagnostics

    def build(self, tree: Any) -> Any:
        if tree is None:
            return None
        if isinstance(tree, Token):
            return self.name(tree)
        if tree.data in INNER:
            return self.build(tree.children[0])
        span = self.span(tree)
        if tree.data in NODES:
            return NODES[tree.data](*map(self.build, tree.children), span=span)
        return getattr(self, f"on_{tree.data}")(span, *tree.children)

    def span(self, tree: Tree[Token]) -> Span:
        if tree.meta.empty:
            return Span(self.file, self.low, self.low)
        start = tree.meta.start_pos + self.by
        end = self.significant(tree.meta.end_pos + self.by)
        return Span(self.file, start, max(start, end))

    def significant(self, end: int) -> int:
        """The end of the last word before an offset, without blanks and comments."""
        while True:
            while end > self.low and self.file.text[end - 1].isspace():
                end -= 1
            at = bisect_left(self.comments, (end, 0)) - 1
            if at < 0 or self.comments[at][1] < end:
                return end
            end = self.comments[at][0]

    def name(self, token: Token) -> s.Name:
        at = Span(self.file, (token.start_pos or 0) + self.by, (token.end_pos or 0) + self.by)
        return s.Name(str(token), span=at)

    def new_name(self, token: Token) -> s.Name:
        """A name that is bound here, and so must not be a keyword."""
        name = self.name(token)
        if name.text in reserved_words():
            self.diagnostics.error(
                "reserved-word",
                f"`{name.text}` is a word of the language and cannot be a name",
                name.span,
                hint=f"call it `{name.text}_` or something else",
            )
        return name

    def each(self, trees: Any) -> tuple[Any, ...]:
        return tuple(self.build(each) for each in trees if each is not None)

    # ------------------------------------------------------------ statements

    def on_rule(self, span: Span, *lines: Any) -> s.Block:
        return self.each(lines)

    on_block = on_rule

    def on_let(self, span: Span, name: Token, value: Any) -> s.Let:
        return s.Let(self.new_name(name), self.build(value), span=span)

    on_let_line = on_let

    def on_increases(self, span: Span, target: Any, by: Any, sign: str = "+") -> s.Becomes:
        changed = self.build(target)
        return s.Becomes(changed, s.Arithmetic(sign, changed, self.build(by), span=span), span=span)

    def on_decreases(self, span: Span, target: Any, by: Any) -> s.Becomes:
        return self.on_increases(span, target, by, "-")

    def on_scores(
        self, span: Span, who: Any, points: Any, binder: Any, loses: bool = False
    ) -> s.Scores:
        number = self.build(points)
        if binder is not None:
            number = s.SumOf(number, self.build(binder), span=span)
        return s.Scores(self.build(who), number, loses, span=span)

    def on_loses(self, span: Span, who: Any, points: Any, binder: Any) -> s.Scores:
        return self.on_scores(span, who, points, binder, loses=True)

    def on_move(self, span: Span, moved: Any, to: Any) -> s.Statement:
        place = self.build(to)
        match moved.data:
            case "move_these":
                what = self.build(moved.children[0])
                if isinstance(what, s.All):
                    return s.MoveSome(what.binder, False, None, place, span=span)
                return s.Move(what, place, span=span)
            case "move_one":
                one = s.Number(1, span=span)
                return s.MoveSome(self.build(moved.children[0]), True, one, place, span=span)
            case _:
                most, binder = self.each(moved.children)
                exactly = moved.data == "move_some"
                return s.MoveSome(binder, exactly, most, place, span=span)

    def on_tell(self, span: Span, told: Any, what: Any, whether: bool = False) -> s.Tell:
        who = None if told.data == "everyone" else self.build(told)
        return s.Tell(who, self.build(what), whether, span=span)

    def on_tell_whether(self, span: Span, told: Any, what: Any) -> s.Tell:
        return self.on_tell(span, told, what, whether=True)

    def on_show(self, span: Span, what: Any, told: Any) -> s.Tell:
        return replace(self.on_tell(span, told, what), shows=True)

    def on_do(self, span: Span, name: Token, *arguments: Any) -> s.Do:
        return s.Do(self.name(name), self.each(arguments), span=span)

    def on_plays(
        self, span: Span, who: Any, what: Any, window: Token | None, again: Token | None
    ) -> s.Plays:
        shown = self.name(window) if window else None
        return s.Plays(self.build(who), self.build(what), shown, again is not None, span=span)

    def on_nobody_wins(self, span: Span) -> s.Wins:
        return s.Wins(s.ListOf((), span=span), span=span)

    def on_if_(self, span: Span, condition: Any, then: Any, *rest: Any) -> s.If:
        branches = [(self.build(condition), self.build(then))]
        otherwise: s.Block | None = None
        for each in rest:
            if each is None:
                continue
            if each.data == "else_if":
                branches.append((self.build(each.children[0]), self.build(each.children[1])))
            else:
                otherwise = self.build(each)
        return s.If(tuple(branches), otherwise, span=span)

    def on_repeat_up_to_until(
        self, span: Span, most: Any, condition: Any, body: Any
    ) -> s.RepeatUntil:
        parts = self.build(condition), self.build(most), self.build(body)
        return s.RepeatUntil(*parts, quietly=True, span=span)

    def on_repeat_up_to_while(self, span: Span, *parts: Any) -> s.RepeatUntil:
        return replace(self.on_repeat_up_to_until(span, *parts), first=True)

    def on_rank(self, span: Span, binder: Any, key: Any, *others: Any) -> s.Rank:
        *then_by, which, body = others
        keys = (key, *(each.children[0] for each in then_by))
        return s.Rank(
            self.build(binder),
            tuple(self.build(each) for each in keys),
            str(which),
            self.build(body),
            span=span,
        )

    def on_draw(
        self,
        span: Span,
        count: Any,
        noun: Any,
        alias: Token | None,
        source: Any,
        to: Any,
        body: Any,
    ) -> s.Draw:
        return s.Draw(
            self.build(count),
            self.build(noun),
            self.new_name(alias) if alias else None,
            self.build(source),
            self.build(to),
            self.build(body),
            span=span,
        )

    def on_offer(
        self, span: Span, window: Token, to: Any, modal: Token | None, body: Any = None
    ) -> s.Offer:
        _, then, otherwise = self._body(body)
        several = to.data == "any_of"
        return s.Offer(
            self.name(window),
            None if several else self.build(to),
            modal == "must",
            then,
            otherwise,
            any=self.build(to.children[0]) if several else None,
            span=span,
        )

    def on_let_offer(
        self, span: Span, name: Token, window: Token, to: Any, modal: Token | None
    ) -> s.Offer:
        return replace(self.on_offer(span, window, to, modal), let=self.new_name(name))

    def on_cannot_happen(self, span: Span) -> s.Block:
        return (s.CannotHappen(span=span),)

    # ------------------------------------------------------------ questions

    def on_ask_choose(self, span: Span, who: Any, modal: Token, parts: Any, body: Any) -> s.Ask:
        return self._ask(span, who, modal, None, parts, body)

    def on_ask_label(
        self, span: Span, who: Any, modal: Token, label: Token, parts: Any, body: Any
    ) -> s.Ask:
        return self._ask(span, who, modal, self.new_name(label), parts, body)

    def _ask(
        self, span: Span, who: Any, modal: Token, label: s.Name | None, parts: Any, body: Any
    ) -> s.Ask:
        guards, then, otherwise = self._body(body)
        only = s.Alternative(label, self.build(parts) or (), guards, then, span=span)
        one, each = self._who(who)
        first = who.data == "who_any"
        return s.Ask(one, each, modal == "must", True, (only,), otherwise, (), first, span=span)

    def on_ask_one_of(self, span: Span, who: Any, modal: Token, body: Any) -> s.Ask:
        rest = body.children if body is not None else ()
        given = [each for each in rest if each is not None]
        alternatives = self.each(each for each in given if each.data == "alternative")
        common = self.each(each for each in given if each.data in COMMON)
        last = [self.build(each) for each in given if each.data in OTHERWISE]
        one, each = self._who(who)
        otherwise = last[0] if last else None
        must = modal == "must"
        first = who.data == "who_any"
        given_to = alternatives, otherwise, common, first
        return s.Ask(one, each, must, False, *given_to, span=span)

    def _who(self, tree: Any) -> tuple[s.Expr | None, s.Binder | None]:
        built = self.build(tree.children[0])
        return (built, None) if tree.data == "who_one" else (None, built)

    def _body(self, body: Any) -> tuple[tuple[s.Guard, ...], s.Block | None, s.Block | None]:
        guards: list[s.Guard] = []
        then: s.Block | None = None
        otherwise: s.Block | None = None
        for each in body.children if body is not None else ():
            if each is None:
                continue
            if each.data in GUARDS:
                guards.append(self.build(each))
            elif each.data == "then":
                then = self.build(each)
            else:
                otherwise = self.build(each)
        return tuple(guards), then, otherwise

    def on_alternative(self, span: Span, label: Token, parts: Any, body: Any) -> s.Alternative:
        guards, then, _ = self._body(body)
        built = self.build(parts) or ()
        return s.Alternative(self.new_name(label), built, guards, then, span=span)

    def on_guard(self, span: Span, name: Token, condition: Any) -> s.Guard:
        return s.Guard(self.new_name(name), self.build(condition), span=span)

    def on_enough(self, span: Span, name: Token, part: Token, *same: Any) -> s.Guard:
        enough = s.Enough(self.name(part), self.each(same), span=span)
        return s.Guard(self.new_name(name), enough, span=span)

    def on_by_case(self, span: Span, name: Token, *cases: Any) -> s.GuardByCase:
        return s.GuardByCase(self.new_name(name), self.each(cases), span=span)

    def on_case(self, span: Span, *parts: Any) -> s.Case:
        *labels, condition = parts
        names = tuple(self.new_name(label) for label in labels)
        return s.Case(names, self.build(condition), span=span)

    def on_other_case(self, span: Span, condition: Any) -> s.Case:
        return s.Case((), self.build(condition), span=span)

    def on_silently_common(self, span: Span, guard: Any) -> s.Guard:
        common = cast(s.Guard, self.build(guard))
        self.diagnostics.warning(
            "silent-where",
            f"`{common.name.text}` is asked of all alternatives, though nothing says so",
            common.name.span,
            hint="write `in each case where …`; `lawspeaker format` does",
        )
        return common

    def on_parts(self, span: Span, *parts: Any) -> tuple[s.Part, ...]:
        return self.each(parts)

    def on_part_for_each(self, span: Span, binder: Any, receivers: Any) -> s.Part:
        return replace(self._part(span, binder, quantity="each"), receivers=self.build(receivers))

    def _part(self, span: Span, *numbered: Any, quantity: str) -> s.Part:
        """A part of an answer. A `where` on its own line is a named guard; the condition of the
        part is on its line."""
        *number, binder = numbered
        condition = binder.children[-1]
        if condition is not None:
            whole = span.start
            before = self.file.text[whole : condition.meta.start_pos + self.by]
            below = re.search(r"\n[ \t]*(where\s+)\Z", before)
            if below is not None:
                start = whole + below.start(1)
                self.diagnostics.error(
                    "syntax",
                    "this guard has no name, so nobody could be told why not",
                    Span(self.file, start, self.span(condition).end),
                    hint=f"write `where name: {self.span(condition).text}`, with a name of your "
                    "own, and under `guards:` what it stands for",
                )
        return s.Part(self.build(binder), quantity, *(self.each(number) or (None,)), span=span)

    on_part_one = partialmethod(_part, quantity="one")
    on_part_any = partialmethod(_part, quantity="any")
    on_part_up_to = partialmethod(_part, quantity="up_to")
    on_part_at_least = partialmethod(_part, quantity="at_least")
    on_part_exactly = partialmethod(_part, quantity="exactly")
    on_part_path = partialmethod(_part, quantity="path")

    # ------------------------------------------------------------ values

    def on_value(self, span: Span, *lines: Any) -> s.Value:
        *lets, result = self.each(lines)
        return s.Value(tuple(lets), result, span=span)

    def on_header_of(self, span: Span, name: Token, *rest: Token) -> s.Header:
        return s.Header(
            self.new_name(name),
            tuple(self.name(each) for each in rest[0::2]),
            tuple(self.new_name(each) for each in rest[1::2]),
            False,
            span=span,
        )

    def on_header_call(self, span: Span, name: Token, *parameters: Token) -> s.Header:
        names = tuple(self.new_name(each) for each in parameters)
        return s.Header(self.new_name(name), (), names, False, span=span)

    def on_header_is(self, span: Span, subject: Token, name: Token) -> s.Header:
        parameters = (self.new_name(subject),)
        return s.Header(self.new_name(name), (), parameters, True, span=span)

    def on_binder(
        self,
        span: Span,
        noun: Any,
        alias: Token | None,
        source: Any,
        start: Any,
        without: Any,
        where: Any,
    ) -> s.Binder:
        return s.Binder(
            self.build(noun),
            self.new_name(alias) if alias else None,
            self.build(source),
            self.build(start),
            self.build(where),
            self.build(without),
            span=span,
        )

    def on_named_late(
        self, span: Span, noun: Any, source: Any, alias: Token, *rest: Any
    ) -> s.Binder:
        return self.on_binder(span, noun, alias, source, *rest)

    def _combination(self, span: Span, *numbered: Any, quantity: str) -> s.Binder:
        *number, binder = numbered
        built = cast(s.Binder, self.build(binder))
        if built.size is not None:
            self.diagnostics.error(
                "syntax",
                "a combination is made of single things, not of combinations",
                built.span,
            )
        size = s.Size(quantity, *(self.each(number) or (None,)))
        return replace(built, size=size, span=span)

    on_combination = partialmethod(_combination, quantity="any")
    on_combination_up_to = partialmethod(_combination, quantity="up_to")
    on_combination_at_least = partialmethod(_combination, quantity="at_least")
    on_combination_exactly = partialmethod(_combination, quantity="exactly")

    def on_every_after(self, span: Span, condition: Any, binder: Any) -> s.Every:
        return s.Every(self.build(binder), self.build(condition), span=span)

    def on_compare(self, span: Span, left: Any, operator: Token, right: Any) -> s.Compare:
        built = self.build(left), self.build(right)
        return s.Compare(str(operator), *built, span=span)

    def on_between(
        self, span: Span, low: Any, first: Token, middle: Any, second: Token, high: Any
    ) -> s.Expr:
        between = self.build(middle)
        left = s.Compare(str(first), self.build(low), between, span=span)
        right = s.Compare(str(second), between, self.build(high), span=span)
        if len(between.span.text) > LONGEST_BETWEEN:
            self.diagnostics.error(
                "syntax",
                "this is too long to be compared on both sides",
                between.span,
                hint="give it a name with `let`, or say it in two conditions, joined by `and`",
            )
            return left
        if first[0] != second[0]:
            self.diagnostics.error(
                "syntax",
                f"`{first}` and `{second}` look in different directions",
                self.name(first).span.to(self.name(second).span),
                hint=f"say it in two conditions, joined by `and`: `… {first} {between.span.text} "
                f"and {between.span.text} {second} …`",
            )
        return s.And(left, right, span=span)

    def on_divide(self, span: Span, left: Any, right: Any, rounding: Token) -> s.Divide:
        built = self.build(left), self.build(right)
        return s.Divide(*built, str(rounding), span=span)

    def on_chain(self, span: Span, head: Any, *rest: Any) -> s.Expr:
        return self._chain(span, self.build(head), rest)

    def _chain(self, span: Span, head: s.Expr, rest: tuple[Any, ...]) -> s.Expr:
        if not rest:
            return head
        links = tuple(
            (self.name(word), cast(s.Expr, self.build(operand)))
            for word, operand in zip(rest[0::2], rest[1::2], strict=True)
        )
        return s.Chain(head, links, span=span)

    def on_number(self, span: Span, digits: Token) -> s.Number:
        text = str(digits)
        number = int(text) if len(text) < 12 else 10**11
        if number > 2**31 - 1:
            self.diagnostics.error(
                "out-of-range",
                "numbers go up to 2,147,483,647",
                span,
            )
            number = 0
        return s.Number(number, span=span)

    def on_call(self, span: Span, name: Token, *arguments: Any) -> s.Call:
        return s.Call(self.name(name), self.each(arguments), span=span)

    def on_list(self, span: Span, *items: Any) -> s.ListOf:
        return s.ListOf(self.each(items), span=span)

    def on_counted_chain(self, span: Span, head: Token, *rest: Any) -> s.Expr:
        name = self.name(head)
        return self._chain(span, s.Word(name, span=name.span), rest)

    def on_extreme(
        self, span: Span, which: Token, value: Any, binder: Any, other: Any
    ) -> s.Extreme:
        built = self.build(value), self.build(binder), self.build(other)
        return s.Extreme(str(which), *built, span=span)

    def on_walk_over(
        self, span: Span, noun: Any, alias: Token | None, start: Any, condition: Any
    ) -> s.Walk:
        return self.on_walk(span, start, noun, alias, condition)

    def on_walk(
        self, span: Span, start: Any, noun: Any, alias: Token | None, condition: Any
    ) -> s.Walk:
        name = self.new_name(alias) if alias else None
        built = self.build(start), self.build(condition)
        return s.Walk(self.build(noun), name, *built, span=span)

    def on_region(
        self, span: Span, start: Any, steps: Any, noun: Any, alias: Token | None, condition: Any
    ) -> s.Region:
        name = self.new_name(alias) if alias else None
        built = self.build(start), self.build(steps), self.build(condition)
        return s.Region(self.build(noun), name, *built, span=span)

    def on_path_length(
        self,
        span: Span,
        which: Token,
        value: Any,
        start: Any,
        goal: Any,
        nodes: Any,
        binder: Any,
        other: Any,
    ) -> s.PathLength:
        said = self.build(value), self.build(start), self.build(goal), self.build(nodes)
        built = self.build(binder), self.build(other)
        return s.PathLength(which.startswith("longest"), *said, *built, span=span)

    def on_path_exists(self, span: Span, way: Any) -> s.PathExists:
        built = self.build(way.children[0]), self.build(way.children[1])
        return s.PathExists(*built, self.build(way.children[2]), False, span=span)

    def on_path_exists_no(self, span: Span, way: Any) -> s.PathExists:
        return replace(self.on_path_exists(span, way), negated=True)

    def on_the_largest(self, span: Span, binder: Any) -> s.The:
        built = cast(s.Binder, self.build(binder))
        assert built.size is not None
        size = replace(built.size, largest_first=True)
        return s.The(replace(built, size=size), span=span)
