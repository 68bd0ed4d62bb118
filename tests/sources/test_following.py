"""Citations follow their sentences: whatever is done to a text, none comes to mean another one
unless that is told."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.study.sources.following import Following, renumbered
from lawspeaker.study.sources.splitter import split
from lawspeaker.text import document
from lawspeaker.text.books.citing import CitableBooks, Citing, citations, cites_in
from lawspeaker.text.books.fingerprint import fingerprint
from lawspeaker.text.books.lock import Agreement, Lock, Marks, read_lock, written
from lawspeaker.text.books.outline import Text
from lawspeaker.text.books.reference import Reference
from lawspeaker.text.document import Mapping, Scalar

Sections = list[tuple[str, list[str]]]


def book(sections: Sections) -> Text:
    lines = [f"## {name}\n\n{' '.join(f'{each}.' for each in told)}\n" for name, told in sections]
    return split(SourceFile("book.txt", "# Book\n\n" + "\n".join(lines)))


def locked(text: Text, marks: Marks | None = None) -> Lock:
    return read_lock(SourceFile("book.lock", written(text, marks or Marks())), Diagnostics())


def cited_fingerprints(rules: str, lock: Lock) -> dict[str, set[str]]:
    """The prints of the sentences that each clause cites."""
    root = document.load(SourceFile("rules.yaml", rules), Diagnostics())
    assert isinstance(root, Mapping)
    citing = Citing(CitableBooks(("book",), {"book": lock}), Diagnostics())
    found: dict[str, set[str]] = {}
    for id, cites in cites_in(root):
        for _, each in citations(citing.cites(cites)):
            marks = each.get("print") if isinstance(each, Mapping) else None
            given = marks.value.split() if isinstance(marks, Scalar) else []
            found.setdefault(id, set()).update(given)
    return found


def followed(rules: str, old: Lock, text: Text) -> tuple[str, list[str]]:
    file = SourceFile("rules.yaml", rules)
    root = document.load(file, Diagnostics())
    assert isinstance(root, Mapping)
    following = Following(old, text, old.marks)
    now, told = renumbered(file, root, "book", ("book",), following)
    return now, [*told, *following.told()]


FORMS = (
    "{0}",
    '"{0}"',
    "[{0}]",
    "{{book: {0}}}",
    "{{section: {0}, stance: contradicts_itself}}",
    "\n      section: {0}\n      stance: implies",
    "\n      - {0}\n      - {{stance: silent}}",
    '"\\u{1:04x}{2}"',
)


def cite(form: str, where: str) -> str:
    return form.format(where, ord(where[0]), where[1:])


WORDS = [f"Word{number}" for number in range(12)]
SECTIONS = st.lists(st.lists(st.sampled_from(WORDS), max_size=6), min_size=1, max_size=3)


@st.composite
def edited(draw: st.DrawFn, sections: Sections) -> Sections:
    """The book after some sentences came, went, were changed or moved, and headings renamed."""
    told = [(name, list(sentences)) for name, sentences in sections]
    for step in range(draw(st.integers(0, 5))):
        at = draw(st.integers(0, len(told) - 1))
        here = told[at][1]
        deed = draw(st.sampled_from(("insert", "delete", "change", "move", "rename")))
        place = draw(st.integers(0, max(len(here) - 1, 0)))
        if deed == "insert":
            here.insert(place, draw(st.sampled_from([*WORDS, f"New{step}"])))
        elif deed == "rename":
            told[at] = (f"Renamed{step}", here)
        elif here:
            taken = here.pop(place)
            if deed == "change":
                here.insert(place, f"Changed{step}")
            elif deed == "move":
                other = told[draw(st.integers(0, len(told) - 1))][1]
                other.insert(draw(st.integers(0, len(other))), taken)
    return told


@pytest.mark.full
@settings(max_examples=300, deadline=None)
@given(st.data())
def test_no_citation_comes_to_mean_another_sentence_unless_it_is_told(data: st.DataObject) -> None:
    sections = [(f"Part{at}", told) for at, told in enumerate(data.draw(SECTIONS))]
    text = book(data.draw(edited(sections)))
    old = locked(book(sections))
    rules = "rules:\n"
    for at in range(3):
        name, told = data.draw(st.sampled_from(sections))
        numbers = data.draw(st.lists(st.integers(1, max(len(told), 1)), max_size=3, unique=True))
        where = f"{name} § {' '.join(map(str, numbers))}" if numbers else name
        rules += f"  clause{at}:\n    cites: {cite(data.draw(st.sampled_from(FORMS)), where)}\n"
    now, lines = followed(rules, old, text)
    before, after = cited_fingerprints(rules, old), cited_fingerprints(now, locked(text))
    for id in (id for id in before if before[id]):  # without a sentence it could mean any
        named = [
            each.print
            for line in lines
            if line.startswith("changed: ") and id in line
            for section, number in re.findall(r"^changed: (\w+) § (\d+),", line)
            for each in text.under(section)[int(number) - 1 : int(number)]
        ]
        gained, lost = after[id] - before[id], before[id] - after[id]
        assert gained <= set(named)
        assert len(lost) <= len(named)  # two may say the same now
        for gone in after[id] - {each.print for each in text.sentences}:
            assert any(line.startswith(f"gone: {gone}") and id in line for line in lines)


def test_one_sentence_comes_in_and_another_is_changed() -> None:
    old = locked(book([("Turn", ["One", "Two", "Three", "Four", "Five", "Six"])]))
    text = book([("Turn", ["New", "One", "Two", "Three", "Four", "Fifth", "Six"])])
    assert followed("rules:\n  turn:\n    cites: Turn § 1 5\n", old, text) == (
        "rules:\n  turn:\n    cites: Turn § 2 6\n",
        ["rules.yaml:3: Turn § 1 5 is § 2 6 now", "changed: Turn § 6, cited by turn"],
    )


@pytest.mark.parametrize(
    "cites, now",
    [
        ("Turn § 1-2", "{section: Turn, print: %s}"),
        ("{section: Turn § 1-2, stance: implies}", "{section: Turn, print: %s, stance: implies}"),
        ("\n          section: Turn § 1-2", "\n          section: Turn\n          print: %s"),
    ],
)
def test_what_is_gone_is_cited_by_its_print(cites: str, now: str) -> None:
    old = locked(book([("Turn", ["One", "Two", "Three"])]))
    text = book([("Turn", ["One", "Three"])])
    rules = "rules:\n  turn:\n    guards:\n      enough:\n        cites: "
    found, told = followed(rules + cites + "\n", old, text)
    prints = f"{fingerprint('One')} {fingerprint('Two')}"
    assert found == rules + now % prints + "\n"
    assert told[-1] == f"gone: {fingerprint('Two')} under “Turn”, cited by turn.enough"


def test_a_sentence_that_went_to_another_section() -> None:
    old = locked(book([("Turn", ["One", "Two"]), ("End", ["Three"])]))
    text = book([("Turn", ["One"]), ("End", ["Three", "Two"])])
    rules = "changes:\n  - set: turn.cites\n    to: Turn § 2\n"
    assert followed(rules, old, text)[0] == rules.replace("Turn § 2", "End § 2")


def test_a_heading_that_is_called_otherwise() -> None:
    old = locked(book([("Turn", ["One", "Two", "Three"]), ("End", ["Four"])]))
    text = book([("Your turn", ["One", "Two", "Third"]), ("End", ["Four"])])
    rules = "rules:\n  turn:\n    cites: [Turn § 3, {section: Turn, stance: implies}]\n"
    found, told = followed(rules, old, text)
    assert found == rules.replace("Turn", "Your turn")
    assert "renamed: “Turn” is called “Your turn” now" in told
    assert "changed: Your turn § 3, cited by turn" in told


def test_a_heading_that_was_misread_and_is_mended() -> None:
    sentences = ["One", "Two"]
    old = locked(book([("Tvrn", sentences)]), Marks(misread={"Turn": "Tvrn"}))
    rules = "rules:\n  turn:\n    cites: Turn § 2\n"
    assert followed(rules, old, book([("Turn", sentences)]))[0] == rules
    assert Following(old, book([("Turn", sentences)]), old.marks).marks.misread == {}
    worse = Following(old, book([("Tvm", sentences)]), old.marks)
    assert worse.marks.misread == {"Turn": "Tvm"}


def test_what_agrees_follows_or_is_gone() -> None:
    agrees = (Agreement("second", "turn", Reference("Turn", (1, 2, 3))),)
    old = locked(book([("Turn", ["One", "Two", "Three"]), ("End", [])]), Marks(agrees=agrees))
    text = book([("Turn", ["New", "One"]), ("End", ["Three"])])
    following = Following(old, text, old.marks)
    said = [f"{each.id} = {each.where}" for each in following.marks.agrees]
    assert said == ["turn = Turn § 2", "turn = End § 1"]
    assert list(following.told()) == [
        f"gone: {fingerprint('Two')} under “Turn”, cited by turn (agrees)"
    ]
