"""Parses line-by-line annotations of a book's sentences into marks for its lock.

    Foreword § 1-3 = flavour                     no rule, and why
    Landing § 2 = boarding boarding.guest        these rules are the same in the book of an edition
    8b95522978 = legal                           a sentence by its fingerprint
    misread Landing = LANOING                    how the text has a heading
    other words heroes.prizes = heroes           things that the book calls otherwise there
    read heroes.prizes = 2026-03-01              somebody has reviewed the rule beside its citations

A second reader annotates sentences in the same way, and for a rule states what the book does
about it (see `second_reading`):

    boarding.guest = implies

An empty right side removes an annotation. Blank lines and lines that begin with `#` are ignored,
so that a list of open sentences can be filled in and returned.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from lawspeaker.base.diagnostics import did_you_mean, with_noun
from lawspeaker.study.sources.readings import Reading
from lawspeaker.study.sources.second_reading import DOES
from lawspeaker.text.books.fingerprint import PRINT
from lawspeaker.text.books.lock import DATE, REASONS, Agreement, Marks
from lawspeaker.text.books.outline import Sentence, Text, cited_as, meant_heading
from lawspeaker.text.books.reference import BadReference, Reference, reference

Value = TypeVar("Value")
MISREAD, OTHER_WORDS, READ = "misread ", "other words ", "read "


class BadMark(ValueError):
    """An invalid line; the message is for its author."""


@dataclass(frozen=True, slots=True)
class Marking:
    """Parser of annotations for one book.

    `variant` is the edition that the book belongs to, if it is not the game's own; `rules` are
    the ids of everything that can cite; `cited` maps fingerprints to citing rules; `points` can
    be marked as reviewed, if it is the ruleset's own book.
    """

    text: Text
    variant: str
    rules: Collection[str]
    cited: Mapping[str, str]
    points: Mapping[str, Reading] = field(default_factory=dict)

    def marked(self, marks: Marks, line: str) -> Marks:
        """Applies a line to marks; raises BadMark."""
        left, equals, right = (part.strip() for part in f"{line} ".partition(" = "))
        if not line.strip() or line.lstrip().startswith("#"):
            return marks
        if not equals and line.rstrip().endswith("="):
            left, equals, right = line.rstrip()[:-1].strip(), "=", ""
        if not equals or not left:
            raise BadMark(f"{line.strip()!r} has no ` = `: write `Section § 2 = flavour`")
        if left.startswith(MISREAD):
            return replace(marks, misread=_put(marks.misread, left.removeprefix(MISREAD), right))
        if left.startswith(OTHER_WORDS):
            words = tuple(right.split())
            rule = left.removeprefix(OTHER_WORDS)
            return replace(marks, other_words=_put(marks.other_words, rule, words))
        if left.startswith(READ):
            return self.read(marks, left.removeprefix(READ).strip(), right)
        if PRINT.fullmatch(left):
            meant = [each for each in self.text.sentences if each.print == left]
            if not meant:
                raise BadMark(f"the text has no sentence {left}")
            return self.said(marks, None, meant, right.split())
        where = self.where(left, marks)
        under = self.under(where.section, marks)
        return self.said(marks, where, [under[each - 1] for each in where.numbers], right.split())

    def marked_by(self, reader: str, marks: Marks, line: str) -> Marks:
        """Applies a second reader's line to marks; raises BadMark."""
        left, equals, right = (part.strip() for part in f"{line} ".partition(" = "))
        if not line.strip() or line.lstrip().startswith("#"):
            return marks
        if not equals and line.rstrip().endswith("="):
            left, equals, right = line.rstrip()[:-1].strip(), "=", ""
        words = tuple(right.split())
        if not equals or not left:
            raise BadMark(f"{line.strip()!r} has no ` = `: write `Section § 2 = flavour`")
        if left in self.rules:
            if words and (len(words) > 1 or words[0] not in DOES):
                near = did_you_mean(right, DOES) or f"it can be {', '.join(DOES)}"
                raise BadMark(f"`{right}` is nothing that a book does about a rule; {near}")
            about = [left]
        else:
            if PRINT.fullmatch(left):
                about = [each.print for each in self.text.sentences if each.print == left]
            else:
                where = self.where(left, marks)
                under = self.under(where.section, marks)
                about = [under[each - 1].print for each in where.numbers]
            if not about:
                raise BadMark(f"the text has no sentence {left}")
            if not (len(words) == 1 and words[0] in REASONS):
                self.check_rules(words)
        said = {key: old for key, old in marks.others.get(reader, {}).items() if key not in about}
        said |= dict.fromkeys(about, words) if words else {}
        others = {key: old for key, old in marks.others.items() if key != reader}
        return replace(marks, others={**others, reader: said} if said else others)

    def check_rules(self, words: Sequence[str]) -> None:
        """Rejects words that are no rules; raises BadMark."""
        for word in words:
            if word not in self.rules:
                near = did_you_mean(word, [*REASONS, *self.rules])
                more = near or f"it can be {', '.join(REASONS)}, or rules that agree"
                raise BadMark(f"`{word}` is neither a reason nor a rule; {more}")

    def read(self, marks: Marks, rule: str, date: str) -> Marks:
        """Marks a rule as reviewed on a day, with its current fingerprints."""
        if date and not DATE.fullmatch(date):
            raise BadMark(f"`{date}` is no day: write `read {rule} = 2026-03-01`")
        if date and rule not in self.points:
            near = did_you_mean(rule, self.points)
            raise BadMark(f"`{rule}` is no point of this book" + (f"; {near}" if near else ""))
        if date and (others := self.points[rule].changed_by):
            told = f"`{rule}` is changed by {', '.join(others)}"
            raise BadMark(f"{told}: what is marked is the rule as it is without")
        now = self.points[rule].read(date) if date else None
        kept = {each: said for each, said in marks.read.items() if each != rule}
        return replace(marks, read=kept if now is None else {**kept, rule: now})

    def under(self, section: str, marks: Marks) -> tuple[Sentence, ...]:
        return self.text.under(marks.misread.get(section, section))

    def where(self, left: str, marks: Marks) -> Reference:
        """Resolves a reference to sentence numbers."""
        try:
            where = reference(left)
        except BadReference as error:
            raise BadMark(str(error)) from None
        under = self.under(where.section, marks)
        if not self.text.has(marks.misread.get(where.section, where.section)):
            near = meant_heading(where.section, self.text)
            raise BadMark(f"there is no heading “{where.section}”" + (f"; {near}" if near else ""))
        if not where.numbers and len(under) == 1:
            where = replace(where, numbers=(1,))
        told = with_noun(len(under), "sentence")
        if not where.numbers:
            raise BadMark(f"“{where.section}” has {told}: say which, after §")
        if max(where.numbers) > len(under):
            raise BadMark(f"“{where.section}” has {told}, no {max(where.numbers)}")
        return where

    def said(
        self, marks: Marks, where: Reference | None, meant: list[Sentence], words: list[str]
    ) -> Marks:
        """Replaces the annotation of some sentences."""
        prints = {each.print for each in meant}
        reasons = {key: reason for key, reason in marks.reasons.items() if key not in prints}
        agrees = [
            replace(each, where=kept)
            for each in marks.agrees
            if (kept := self.without(each.where, meant, marks)).numbers
        ]
        if len(words) == 1 and words[0] in REASONS:
            for each in meant:
                if each.print in self.cited:
                    name = cited_as(self.text, each, marks.misread)
                    by = self.cited[each.print]
                    raise BadMark(f"{name} is cited by {by}: it cannot be `{words[0]}`")
            reasons |= dict.fromkeys(prints, words[0])
        elif words:
            agrees = self.agreeing(agrees, where, words)
        return replace(marks, reasons=reasons, agrees=tuple(agrees))

    def without(self, where: Reference, meant: list[Sentence], marks: Marks) -> Reference:
        under = self.under(where.section, marks)
        left_out = {id(each) for each in meant}
        kept = [
            number
            for number in where.numbers
            if number > len(under) or id(under[number - 1]) not in left_out
        ]
        return replace(where, numbers=tuple(kept))

    def agreeing(
        self, agrees: list[Agreement], where: Reference | None, words: list[str]
    ) -> list[Agreement]:
        self.check_rules(words)
        if not self.variant:
            raise BadMark("only the book of a variant agrees; let the rules cite this one")
        if where is None:
            raise BadMark("name the section of a sentence that rules agree with")
        for word in words:
            same = (self.variant, word, where.section)
            old = [each for each in agrees if (each.variant, each.id, each.where.section) == same]
            numbers = {number for each in old for number in each.where.numbers} | {*where.numbers}
            agrees = [each for each in agrees if each not in old]
            now = replace(where, numbers=tuple(sorted(numbers)))
            agrees.append(Agreement(self.variant, word, now))
        return agrees


def _put(old: Mapping[str, Value], key: str, value: Value) -> dict[str, Value]:
    """The mapping with a new value; an empty one removes the key."""
    kept = {each: said for each, said in old.items() if each != key}
    return {**kept, key: value} if value else kept
