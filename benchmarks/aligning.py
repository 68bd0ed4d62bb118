"""How well books are aligned: precision and recall against alignments made by hand.

    python -m benchmarks.aligning
    python -m benchmarks.aligning --texts ../shared/sources

The invented books in tests/sources/pairs have alignments that were written before the aligner ran
on them. Of Walhalla, whose texts are not in the repository, the citations are taken: two sentences
correspond if a rule cites both. A link is judged if one of its sentences is cited, and neither is
part of an example, since one book cites its examples more often than another.

Each pair is aligned three times: from the texts alone; with what other games and our own phrases
say in both languages; and with the translations of the game as well.

- precision: links that are right, of those that are judged
- recall: sentences of the first book with a right link, of those that have a partner
- of the second: the same for sentences of the second book
- first three: sentences of the second book with a partner among the nearest three
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.source import SourceFile
from lawspeaker.faces.cli.books import GAME_WEIGHT
from lawspeaker.meaning.compile import Opened
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compiled_with_books, open_name
from lawspeaker.outside.parallel import of_everything, of_game
from lawspeaker.study.alignment.aligning import AlignedBook, Alignment, align
from lawspeaker.study.sources.coverage import references
from lawspeaker.study.sources.splitter import split
from lawspeaker.text.books.lock import Lock
from lawspeaker.text.books.outline import Text

PAIRS = Path(__file__).parent.parent / "tests" / "sources" / "pairs"
INVENTED = (
    ("pedlars", "de", "it"),
    ("pedlars", "de", "fr"),
    ("stowaways", "en", "fr"),
    ("stowaways", "en", "de"),
)
EDITIONS = (("walhalla+italian", "it"), ("walhalla+french", "fr"))
WAYS = ("texts", "package", "game")
TRUE_STANCES = ("states", "implies", "says_otherwise", "contradicts_itself")


@dataclass(frozen=True, slots=True)
class Case:
    """Two books with the true alignment: which sentences correspond, and which links count."""

    name: str
    game: str
    first: AlignedBook
    second: AlignedBook
    same: Callable[[int, int], bool]
    counts: Callable[[int, int], bool]


@dataclass(frozen=True, slots=True)
class Measured:
    precision: float
    recall: float
    recall_second: float
    first_three: float
    judged: int

    def __str__(self) -> str:
        return (
            f"{self.precision:.2f} | {self.recall:.2f} | {self.recall_second:.2f} | "
            f"{self.first_three:.2f} | {self.judged}"
        )


def invented(game: str, first: str, second: str) -> Case:
    """A pair of invented books."""
    true = set()
    for line in (PAIRS / f"{game}-{first}-{second}.txt").read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            one, other = line.split(" = ")
            true.add((int(one) - 1, int(other) - 1))
    books = [
        AlignedBook(_text(PAIRS / f"{game}-{language}.md"), language)
        for language in (first, second)
    ]
    return Case(
        f"{game} {first}–{second}",
        game,
        books[0],
        books[1],
        lambda one, other: (one, other) in true,
        lambda one, other: True,
    )


def _text(path: Path) -> Text:
    return split(SourceFile(path.name, path.read_text(encoding="utf-8")))


def edition(name: str, language: str, texts: Path) -> Case:
    """The German book of Walhalla and one of its editions, by their citations."""
    sides = [_cited("walhalla", "de", texts), _cited(name, language, texts)]
    (one, rules, apart), (other, theirs, theirs_apart) = sides
    return Case(
        f"{name} de–{language}",
        name,
        AlignedBook(one, "de"),
        AlignedBook(other, language),
        lambda a, b: bool(rules[a] & theirs[b]),
        lambda a, b: bool(rules[a] or theirs[b]) and not (apart[a] or theirs_apart[b]),
    )


def _cited(name: str, source: str, texts: Path) -> tuple[Text, list[set[str]], list[bool]]:
    """A book; of each sentence the rules that cite it, and whether it is part of an example."""
    ignored = Diagnostics()
    opened = open_name(name, ignored, Library())
    assert opened is not None
    both = compiled_with_books(opened, ignored)
    assert both is not None
    lock = _lock(opened, source)
    book = _text(texts / lock.text.name)
    found: dict[str, set[str]] = {}
    for each in references(both[0]):
        if each.citation.source == source and each.citation.stance in TRUE_STANCES:
            for mark in (each.citation.print or "").split():
                found.setdefault(mark, set()).add(each.id)
    for agreed in lock.marks.agrees:
        for mark in lock.prints(agreed.where):
            found.setdefault(mark, set()).add(agreed.id)
    reasons = lock.marks.reasons
    return (
        book,
        [found.get(each.print, set()) for each in book.sentences],
        [reasons.get(each.print) == "example" for each in book.sentences],
    )


def _lock(opened: Opened, source: str) -> Lock:
    locks = dict(opened.book.locks)
    for variant in opened.variants:
        locks.update(variant.locks)
    return locks[source]


def known(case: Case, way: str, library: Library) -> list[tuple[str, str]]:
    """What the aligner may learn from."""
    languages = case.first.language, case.second.language
    if way == "texts":
        return []
    found = [*of_everything(*languages, library, case.game.partition("+")[0])]
    if way == "game":
        found += [*of_game(case.game, *languages, library)] * GAME_WEIGHT
    return found


def measured(case: Case, found: Alignment) -> Measured:
    links = {(a, b) for pair in found.pairs for a in pair.first for b in pair.second}
    judged = {link for link in links if case.counts(*link)}
    right = {link for link in judged if case.same(*link)}
    sizes = range(len(case.first.text.sentences)), range(len(case.second.text.sentences))
    first = {a for a in sizes[0] if any(case.same(a, b) for b in sizes[1])}
    second = {b for b in sizes[1] if any(case.same(a, b) for a in sizes[0])}
    near = sum(any(case.same(a, b) for a in found.near[1][b]) for b in second)
    return Measured(
        len(right) / max(len(judged), 1),
        len({a for a, _ in right} & first) / len(first),
        len({b for _, b in right} & second) / len(second),
        near / len(second),
        len(judged),
    )


def cases(texts: Path | None) -> Iterator[Case]:
    for each in INVENTED:
        yield invented(*each)
    for name, language in EDITIONS:
        if texts is None or not (texts / "walhalla-de-angriff.txt").is_file():
            print(f"{name}: skipped, since the texts are not there (--texts FOLDER)")
        else:
            yield edition(name, language, texts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--texts", type=Path, help="the folder with the texts of Walhalla")
    texts = parser.parse_args().texts
    print("| books | learned from | precision | recall | of the second | first three | links |")
    print("|---|---|---|---|---|---|---|")
    for case in cases(texts):
        for way in WAYS:
            found = align(case.first, case.second, known(case, way, Library()))
            print(f"| {case.name} | {way} | {measured(case, found)} |", flush=True)


if __name__ == "__main__":
    main()
