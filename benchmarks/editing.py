"""How long an editor waits: what the language service takes after a key was pressed.

    python -m benchmarks.editing [FILE] [--times N]

A text is changed again and again, so that nothing can be answered from memory; after each change
the answer to one question is timed, in turn with all others. Prints the median and the longest in
ms, by the clock and of the processor alone: on a busy machine only the second says something. What
is wrong is asked for after a key in code, in a sentence and in a translation, since each of them
touches other things; last comes the whole look, which finds out whether secrets are kept, too, and
is taken when nobody types. Between two keys is thrown away what is no longer needed, as the server
does it.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from lawspeaker.base.collecting import collect_now, collect_seldom
from lawspeaker.editing.colours import colours
from lawspeaker.outside.folder import FolderWorkspace
from lawspeaker.outside.language_service import LanguageService

FILE = "rules/walhalla/landing.yaml"
TRANSLATION = "languages/de.yaml"
_COMMENT = "# key {}\n"
Question = tuple[Path, str, Callable[[int], object]]
"""A file that is changed, what then stands in it, and what is asked."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", default=FILE, type=Path)
    parser.add_argument("--times", type=int, default=20)
    given = parser.parse_args()
    collect_seldom()
    folder = FolderWorkspace()
    service = LanguageService(folder)
    questions = asked(service, given.file)
    service.problems(given.file)
    taken: dict[str, list[tuple[float, float]]] = {name: [] for name in questions}
    for number in range(given.times * len(questions)):
        name = list(questions)[number % len(questions)]
        path, written, ask = questions[name]
        folder.open(path, _COMMENT.format(number) + written.replace("KEY", str(number)))
        wall, processor = perf_counter(), process_time()
        ask(number)
        taken[name].append((perf_counter() - wall, process_time() - processor))
        folder.close(path)
        collect_now()
    print(f"{'ms, of ' + str(given.times):24}      clock  longest  processor  longest")
    for name, some in taken.items():
        print(f"{name:24}", end="")
        for each in zip(*some, strict=True):
            print(f" {1000 * median(each):10.0f} {1000 * max(each):8.0f}", end="")
        print()


def asked(service: LanguageService, path: Path) -> dict[str, Question]:
    text = service.workspace.source(path).text
    # The first word of code that a line begins with, far down in the file.
    at = [found.end() for found in re.finditer(r"\bmove \w", text)][-1]

    def offset(number: int) -> int:
        return at + len(_COMMENT.format(number))

    def coloured(_: int) -> object:
        named = service.named_in(path, at_once=True)
        return list(colours(service.root(path), named))

    broken = text[: at + 1] + " (" + text[at + 1 :]
    said = re.sub(r"(says: [^\n]*)", r"\1 KEY", text, count=1)
    translation = path.parent / TRANSLATION
    found: dict[str, Question] = {
        "completion": (path, text, lambda number: service.complete(path, offset(number))),
        "completion, broken": (path, broken, lambda number: service.complete(path, offset(number))),
        "hover": (path, text, lambda number: service.hover(path, offset(number))),
        "hover, broken": (path, broken, lambda number: service.hover(path, offset(number) - 9)),
        "definition": (path, text, lambda number: service.definition(path, offset(number))),
        "colours": (path, text, coloured),
        "wrong, after code": (path, text, lambda _: service.problems(path)),
        "wrong, after a sentence": (path, said, lambda _: service.problems(path)),
    }
    if translation.is_file():
        words = service.workspace.source(translation).text
        found["wrong, translation"] = (translation, words, lambda _: service.problems(translation))
    found["the whole look"] = (path, text, lambda _: service.problems(path, played=True))
    return found


if __name__ == "__main__":
    main()
