"""Converts lark's parse tree to the nodes of `syntax`: one method per grammar rule."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from dataclasses import replace
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


class Builder:
    """Has one method per grammar rule, named after it."""

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
        method: Callable[..., Any] = getattr(self, f"on_{tree.data}")
        return method(tree, *tree.children)

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

    def on_rule(self, tree: Any, *lines: Any) -> s.Block:
        return self.each(lines)

    on_block = on_rule

    def on_let(self, tree: Any, name: Token, value: Any) -> s.Let:
        return s.Let(self.new_name(name), self.build(value), span=self.span(tree))

    on_let_line = on_let

    def on_becomes(self, tree: Any, target: Any, value: Any) -> s.Becomes:
        return s.Becomes(self.build(target), self.build(value), span=self.span(tree))

    def on_increases(self, tree: Any, target: Any, by: Any, sign: str = "+") -> s.Becomes:
        changed, span = self.build(target), self.span(tree)
        return s.Becomes(changed, s.Arithmetic(sign, changed, self.build(by), span=span), span=span)

    def on_decreases(self, tree: Any, target: Any, by: Any) -> s.Becomes:
        return self.on_increases(tree, target, by, "-")

    def on_scores(
        self, tree: Any, who: Any, points: Any, binder: Any, loses: bool = False
    ) -> s.Scores:
        span, number = self.span(tree), self.build(points)
        if binder is not None:
            number = s.SumOf(number, self.build(binder), span=span)
        return s.Scores(self.build(who), number, loses, span=span)

    def on_loses(self, tree: Any, who: Any, points: Any, binder: Any) -> s.Scores:
        return self.on_scores(tree, who, points, binder, loses=True)

    def on_move(self, tree: Any, moved: Any, to: Any) -> s.Statement:
        place, span = self.build(to), self.span(tree)
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

    def on_shuffle(self, tree: Any, place: Any) -> s.Shuffle:
        return s.Shuffle(self.build(place), span=self.span(tree))

    def on_pick(self, tree: Any, binder: Any) -> s.Pick:
        return s.Pick(self.build(binder), span=self.span(tree))

    def on_tell(self, tree: Any, told: Any, what: Any, whether: bool = False) -> s.Tell:
        who = None if told.data == "everyone" else self.build(told)
        return s.Tell(who, self.build(what), whether, span=self.span(tree))

    def on_tell_whether(self, tree: Any, told: Any, what: Any) -> s.Tell:
        return self.on_tell(tree, told, what, whether=True)

    def on_show(self, tree: Any, what: Any, told: Any) -> s.Tell:
        return replace(self.on_tell(tree, told, what), shows=True)

    def on_do(self, tree: Any, name: Token, *arguments: Any) -> s.Do:
        return s.Do(self.name(name), self.each(arguments), span=self.span(tree))

    def on_plays(
        self, tree: Any, who: Any, what: Any, window: Token | None, again: Token | None
    ) -> s.Plays:
        shown = self.name(window) if window else None
        return s.Plays(
            self.build(who), self.build(what), shown, again is not None, span=self.span(tree)
        )

    def on_remember(self, tree: Any, position: Token) -> s.Remember:
        return s.Remember(self.name(position), span=self.span(tree))

    def on_finish(self, tree: Any) -> s.Finish:
        return s.Finish(span=self.span(tree))

    def on_outcome(self, tree: Any, value: Any) -> s.Outcome:
        return s.Outcome(self.build(value), span=self.span(tree))

    def on_skip(self, tree: Any) -> s.Skip:
        return s.Skip(span=self.span(tree))

    def on_end_game(self, tree: Any) -> s.EndGame:
        return s.EndGame(span=self.span(tree))

    def on_wins(self, tree: Any, who: Any) -> s.Wins:
        return s.Wins(self.build(who), span=self.span(tree))

    def on_nobody_wins(self, tree: Any) -> s.Wins:
        return s.Wins(s.ListOf((), span=self.span(tree)), span=self.span(tree))

    def on_if_(self, tree: Any, condition: Any, then: Any, *rest: Any) -> s.If:
        branches = [(self.build(condition), self.build(then))]
        otherwise: s.Block | None = None
        for each in rest:
            if each is None:
                continue
            if each.data == "else_if":
                branches.append((self.build(each.children[0]), self.build(each.children[1])))
            else:
                otherwise = self.build(each)
        return s.If(tuple(branches), otherwise, span=self.span(tree))

    def on_for_each(self, tree: Any, binder: Any, body: Any) -> s.ForEach:
        return s.ForEach(self.build(binder), self.build(body), span=self.span(tree))

    def on_repeat(self, tree: Any, times: Any, body: Any) -> s.Repeat:
        return s.Repeat(self.build(times), self.build(body), span=self.span(tree))

    def on_repeat_until(self, tree: Any, condition: Any, most: Any, body: Any) -> s.RepeatUntil:
        return s.RepeatUntil(
            self.build(condition), self.build(most), self.build(body), span=self.span(tree)
        )

    def on_repeat_while(self, tree: Any, *parts: Any) -> s.RepeatUntil:
        return replace(self.on_repeat_until(tree, *parts), first=True)

    def on_repeat_up_to_until(
        self, tree: Any, most: Any, condition: Any, body: Any
    ) -> s.RepeatUntil:
        return replace(self.on_repeat_until(tree, condition, most, body), quietly=True)

    def on_repeat_up_to_while(self, tree: Any, *parts: Any) -> s.RepeatUntil:
        return replace(self.on_repeat_up_to_until(tree, *parts), first=True)

    def on_rank(self, tree: Any, binder: Any, key: Any, *others: Any) -> s.Rank:
        *then_by, which, body = others
        keys = (key, *(each.children[0] for each in then_by))
        return s.Rank(
            self.build(binder),
            tuple(self.build(each) for each in keys),
            str(which),
            self.build(body),
            span=self.span(tree),
        )

    def on_draw(
        self, tree: Any, count: Any, noun: Any, alias: Token | None, source: Any, to: Any, body: Any
    ) -> s.Draw:
        return s.Draw(
            self.build(count),
            self.build(noun),
            self.new_name(alias) if alias else None,
            self.build(source),
            self.build(to),
            self.build(body),
            span=self.span(tree),
        )

    def on_draw_body(self, tree: Any, otherwise: Any) -> s.Block:
        return cast(s.Block, self.build(otherwise))

    def on_offer(
        self, tree: Any, window: Token, to: Any, modal: Token | None, body: Any = None
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
            span=self.span(tree),
        )

    def on_let_offer(
        self, tree: Any, name: Token, window: Token, to: Any, modal: Token | None
    ) -> s.Offer:
        return replace(self.on_offer(tree, window, to, modal), let=self.new_name(name))

    def on_otherwise(self, tree: Any, block: Any) -> s.Block:
        return cast(s.Block, self.build(block))

    on_then = on_otherwise

    def on_cannot_happen(self, tree: Any) -> s.Block:
        return (s.CannotHappen(span=self.span(tree)),)

    # ------------------------------------------------------------ questions

    def on_ask_choose(self, tree: Any, who: Any, modal: Token, parts: Any, body: Any) -> s.Ask:
        return self._ask(tree, who, modal, None, parts, body)

    def on_ask_label(
        self, tree: Any, who: Any, modal: Token, label: Token, parts: Any, body: Any
    ) -> s.Ask:
        return self._ask(tree, who, modal, self.new_name(label), parts, body)

    def _ask(
        self, tree: Any, who: Any, modal: Token, label: s.Name | None, parts: Any, body: Any
    ) -> s.Ask:
        guards, then, otherwise = self._body(body)
        span = self.span(tree)
        only = s.Alternative(label, self.build(parts) or (), guards, then, span=span)
        one, each = self._who(who)
        first = who.data == "who_any"
        return s.Ask(one, each, modal == "must", True, (only,), otherwise, (), first, span=span)

    def on_ask_one_of(self, tree: Any, who: Any, modal: Token, body: Any) -> s.Ask:
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
        return s.Ask(one, each, must, False, *given_to, span=self.span(tree))

    def on_offers(self, tree: Any, alternative: Any) -> s.Alternative:
        return cast(s.Alternative, self.build(alternative))

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

    def on_alternative(self, tree: Any, label: Token, parts: Any, body: Any) -> s.Alternative:
        guards, then, _ = self._body(body)
        built = self.build(parts) or ()
        return s.Alternative(self.new_name(label), built, guards, then, span=self.span(tree))

    def on_guard(self, tree: Any, name: Token, condition: Any) -> s.Guard:
        return s.Guard(self.new_name(name), self.build(condition), span=self.span(tree))

    def on_enough(self, tree: Any, name: Token, part: Token, *same: Any) -> s.Guard:
        span = self.span(tree)
        enough = s.Enough(self.name(part), self.each(same), span=span)
        return s.Guard(self.new_name(name), enough, span=span)

    def on_common(self, tree: Any, guard: Any) -> s.Guard:
        return cast(s.Guard, self.build(guard))

    def on_by_case(self, tree: Any, name: Token, *cases: Any) -> s.GuardByCase:
        return s.GuardByCase(self.new_name(name), self.each(cases), span=self.span(tree))

    def on_case(self, tree: Any, *parts: Any) -> s.Case:
        *labels, condition = parts
        names = tuple(self.new_name(label) for label in labels)
        return s.Case(names, self.build(condition), span=self.span(tree))

    def on_other_case(self, tree: Any, condition: Any) -> s.Case:
        return s.Case((), self.build(condition), span=self.span(tree))

    def on_silently_common(self, tree: Any, guard: Any) -> s.Guard:
        common = self.on_common(tree, guard)
        self.diagnostics.warning(
            "silent-where",
            f"`{common.name.text}` is asked of all alternatives, though nothing says so",
            common.name.span,
            hint="write `in each case where …`; `lawspeaker format` does",
        )
        return common

    def on_parts(self, tree: Any, *parts: Any) -> tuple[s.Part, ...]:
        return self.each(parts)

    def on_part_one(self, tree: Any, binder: Any) -> s.Part:
        return self._part(tree, binder, "one")

    def on_part_any(self, tree: Any, binder: Any) -> s.Part:
        return self._part(tree, binder, "any")

    def on_part_up_to(self, tree: Any, number: Any, binder: Any) -> s.Part:
        return self._part(tree, binder, "up_to", number)

    def on_part_at_least(self, tree: Any, number: Any, binder: Any) -> s.Part:
        return self._part(tree, binder, "at_least", number)

    def on_part_exactly(self, tree: Any, number: Any, binder: Any) -> s.Part:
        return self._part(tree, binder, "exactly", number)

    def on_part_path(self, tree: Any, number: Any, binder: Any) -> s.Part:
        return self._part(tree, binder, "path", number)

    def on_part_for_each(self, tree: Any, binder: Any, receivers: Any) -> s.Part:
        return replace(self._part(tree, binder, "each"), receivers=self.build(receivers))

    def _part(self, tree: Any, binder: Any, quantity: str, number: Any = None) -> s.Part:
        """A part of an answer. A `where` on its own line is a named guard; the condition of the
        part is on its line."""
        condition = binder.children[-1]
        if condition is not None:
            whole = tree.meta.start_pos + self.by
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
        return s.Part(self.build(binder), quantity, self.build(number), span=self.span(tree))

    # ------------------------------------------------------------ values

    def on_value(self, tree: Any, *lines: Any) -> s.Value:
        *lets, result = self.each(lines)
        return s.Value(tuple(lets), result, span=self.span(tree))

    def on_header_of(self, tree: Any, name: Token, *rest: Token) -> s.Header:
        return s.Header(
            self.new_name(name),
            tuple(self.name(each) for each in rest[0::2]),
            tuple(self.new_name(each) for each in rest[1::2]),
            False,
            span=self.span(tree),
        )

    def on_header_call(self, tree: Any, name: Token, *parameters: Token) -> s.Header:
        names = tuple(self.new_name(each) for each in parameters)
        return s.Header(self.new_name(name), (), names, False, span=self.span(tree))

    def on_header_is(self, tree: Any, subject: Token, name: Token) -> s.Header:
        parameters = (self.new_name(subject),)
        return s.Header(self.new_name(name), (), parameters, True, span=self.span(tree))

    def on_binder(
        self,
        tree: Any,
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
            span=self.span(tree),
        )

    def on_named_late(
        self, tree: Any, noun: Any, source: Any, alias: Token, *rest: Any
    ) -> s.Binder:
        return self.on_binder(tree, noun, alias, source, *rest)

    def on_combination(self, tree: Any, binder: Any) -> s.Binder:
        return self._combination(tree, "any", None, binder)

    def on_combination_up_to(self, tree: Any, number: Any, binder: Any) -> s.Binder:
        return self._combination(tree, "up_to", number, binder)

    def on_combination_at_least(self, tree: Any, number: Any, binder: Any) -> s.Binder:
        return self._combination(tree, "at_least", number, binder)

    def on_combination_exactly(self, tree: Any, number: Any, binder: Any) -> s.Binder:
        return self._combination(tree, "exactly", number, binder)

    def _combination(self, tree: Any, quantity: str, number: Any, binder: Any) -> s.Binder:
        built, span = cast(s.Binder, self.build(binder)), self.span(tree)
        if built.size is not None:
            self.diagnostics.error(
                "syntax",
                "a combination is made of single things, not of combinations",
                built.span,
            )
        return replace(built, size=s.Size(quantity, self.build(number)), span=span)

    def on_noun(self, tree: Any, name: Token) -> s.Name:
        return self.name(name)

    def on_range(self, tree: Any, low: Any, high: Any) -> s.Range:
        return s.Range(self.build(low), self.build(high), span=self.span(tree))

    def on_conditional(self, tree: Any, condition: Any, then: Any, otherwise: Any) -> s.Expr:
        built = self.each((condition, then, otherwise))
        return s.Conditional(*built, span=self.span(tree))

    def on_or_(self, tree: Any, left: Any, right: Any) -> s.Or:
        return s.Or(self.build(left), self.build(right), span=self.span(tree))

    def on_and_(self, tree: Any, left: Any, right: Any) -> s.And:
        return s.And(self.build(left), self.build(right), span=self.span(tree))

    def on_not_(self, tree: Any, operand: Any) -> s.Not:
        return s.Not(self.build(operand), span=self.span(tree))

    def on_exists(self, tree: Any, binder: Any) -> s.Exists:
        return s.Exists(self.build(binder), False, span=self.span(tree))

    def on_exists_no(self, tree: Any, binder: Any) -> s.Exists:
        return s.Exists(self.build(binder), True, span=self.span(tree))

    def on_for_every(self, tree: Any, binder: Any, condition: Any) -> s.Every:
        return s.Every(self.build(binder), self.build(condition), span=self.span(tree))

    def on_every_after(self, tree: Any, condition: Any, binder: Any) -> s.Every:
        return self.on_for_every(tree, binder, condition)

    def on_supposing(self, tree: Any, piece: Any, place: Any, condition: Any) -> s.Supposing:
        return s.Supposing(*self.each((piece, place, condition)), span=self.span(tree))

    def on_supposing_done(self, tree: Any, done: Any, condition: Any) -> s.SupposingDone:
        return s.SupposingDone(*self.each((done, condition)), span=self.span(tree))

    def on_compare(self, tree: Any, left: Any, operator: Token, right: Any) -> s.Compare:
        built = self.build(left), self.build(right)
        return s.Compare(str(operator), *built, span=self.span(tree))

    def on_between(
        self, tree: Any, low: Any, first: Token, middle: Any, second: Token, high: Any
    ) -> s.Expr:
        between = self.build(middle)
        left = s.Compare(str(first), self.build(low), between, span=self.span(tree))
        right = s.Compare(str(second), between, self.build(high), span=self.span(tree))
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
        return s.And(left, right, span=self.span(tree))

    def on_is_(self, tree: Any, left: Any, right: Any) -> s.Is:
        return s.Is(self.build(left), self.build(right), False, span=self.span(tree))

    def on_is_not(self, tree: Any, left: Any, right: Any) -> s.Is:
        return s.Is(self.build(left), self.build(right), True, span=self.span(tree))

    def on_is_in(self, tree: Any, left: Any, right: Any) -> s.IsIn:
        return s.IsIn(self.build(left), self.build(right), False, span=self.span(tree))

    def on_is_not_in(self, tree: Any, left: Any, right: Any) -> s.IsIn:
        return s.IsIn(self.build(left), self.build(right), True, span=self.span(tree))

    def on_add(self, tree: Any, left: Any, right: Any) -> s.Arithmetic:
        return s.Arithmetic("+", self.build(left), self.build(right), span=self.span(tree))

    def on_subtract(self, tree: Any, left: Any, right: Any) -> s.Arithmetic:
        return s.Arithmetic("-", self.build(left), self.build(right), span=self.span(tree))

    def on_multiply(self, tree: Any, left: Any, right: Any) -> s.Arithmetic:
        return s.Arithmetic("*", self.build(left), self.build(right), span=self.span(tree))

    def on_divide(self, tree: Any, left: Any, right: Any, rounding: Token) -> s.Divide:
        built = self.build(left), self.build(right)
        return s.Divide(*built, str(rounding), span=self.span(tree))

    def on_negate(self, tree: Any, operand: Any) -> s.Negate:
        return s.Negate(self.build(operand), span=self.span(tree))

    def on_chain(self, tree: Any, head: Any, *rest: Any) -> s.Expr:
        return self._chain(tree, self.build(head), rest)

    def _chain(self, tree: Any, head: s.Expr, rest: tuple[Any, ...]) -> s.Expr:
        if not rest:
            return head
        links = tuple(
            (self.name(word), cast(s.Expr, self.build(operand)))
            for word, operand in zip(rest[0::2], rest[1::2], strict=True)
        )
        return s.Chain(head, links, span=self.span(tree))

    def on_number(self, tree: Any, digits: Token) -> s.Number:
        text = str(digits)
        number = int(text) if len(text) < 12 else 10**11
        if number > 2**31 - 1:
            self.diagnostics.error(
                "out-of-range",
                "numbers go up to 2,147,483,647",
                self.span(tree),
            )
            number = 0
        return s.Number(number, span=self.span(tree))

    def on_yes(self, tree: Any) -> s.Truth:
        return s.Truth(True, span=self.span(tree))

    def on_no(self, tree: Any) -> s.Truth:
        return s.Truth(False, span=self.span(tree))

    def on_nothing(self, tree: Any) -> s.Nothing:
        return s.Nothing(span=self.span(tree))

    def on_name(self, tree: Any, name: Token) -> s.Word:
        return s.Word(self.name(name), span=self.span(tree))

    def on_call(self, tree: Any, name: Token, *arguments: Any) -> s.Call:
        return s.Call(self.name(name), self.each(arguments), span=self.span(tree))

    def on_parens(self, tree: Any, inner: Any) -> s.Expr:
        return cast(s.Expr, self.build(inner))

    def on_list(self, tree: Any, *items: Any) -> s.ListOf:
        return s.ListOf(self.each(items), span=self.span(tree))

    def on_count(self, tree: Any, binder: Any) -> s.Count:
        return s.Count(self.build(binder), span=self.span(tree))

    def on_counted_chain(self, tree: Any, head: Token, *rest: Any) -> s.Expr:
        name = self.name(head)
        return self._chain(tree, s.Word(name, span=name.span), rest)

    def on_count_these(self, tree: Any, members: Any) -> s.CountThese:
        return s.CountThese(self.build(members), span=self.span(tree))

    def on_sum_of(self, tree: Any, value: Any, binder: Any) -> s.SumOf:
        return s.SumOf(self.build(value), self.build(binder), span=self.span(tree))

    def on_product_of(self, tree: Any, value: Any, binder: Any) -> s.SumOf:
        return replace(self.on_sum_of(tree, value, binder), product=True)

    def on_extreme(self, tree: Any, which: Token, value: Any, binder: Any, other: Any) -> s.Extreme:
        built = self.build(value), self.build(binder), self.build(other)
        return s.Extreme(str(which), *built, span=self.span(tree))

    def on_collect(self, tree: Any, value: Any, binder: Any) -> s.Collect:
        return s.Collect(self.build(value), self.build(binder), False, span=self.span(tree))

    def on_collect_different(self, tree: Any, value: Any, binder: Any) -> s.Collect:
        return s.Collect(self.build(value), self.build(binder), True, span=self.span(tree))

    def on_all(self, tree: Any, binder: Any) -> s.All:
        return s.All(self.build(binder), span=self.span(tree))

    def on_walk_over(
        self, tree: Any, noun: Any, alias: Token | None, start: Any, condition: Any
    ) -> s.Walk:
        return self.on_walk(tree, start, noun, alias, condition)

    def on_walk(
        self, tree: Any, start: Any, noun: Any, alias: Token | None, condition: Any
    ) -> s.Walk:
        name = self.new_name(alias) if alias else None
        built = self.build(start), self.build(condition)
        return s.Walk(self.build(noun), name, *built, span=self.span(tree))

    def on_region(
        self, tree: Any, start: Any, steps: Any, noun: Any, alias: Token | None, condition: Any
    ) -> s.Region:
        name = self.new_name(alias) if alias else None
        built = self.build(start), self.build(steps), self.build(condition)
        return s.Region(self.build(noun), name, *built, span=self.span(tree))

    def on_path_length(
        self,
        tree: Any,
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
        return s.PathLength(which.startswith("longest"), *said, *built, span=self.span(tree))

    def on_path_exists(self, tree: Any, way: Any) -> s.PathExists:
        built = self.build(way.children[0]), self.build(way.children[1])
        return s.PathExists(*built, self.build(way.children[2]), False, span=self.span(tree))

    def on_path_exists_no(self, tree: Any, way: Any) -> s.PathExists:
        return replace(self.on_path_exists(tree, way), negated=True)

    def on_the(self, tree: Any, binder: Any) -> s.The:
        return s.The(self.build(binder), span=self.span(tree))

    def on_the_largest(self, tree: Any, binder: Any) -> s.The:
        built = cast(s.Binder, self.build(binder))
        assert built.size is not None
        size = replace(built.size, largest_first=True)
        return s.The(replace(built, size=size), span=self.span(tree))
