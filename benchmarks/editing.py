"""How long an editor waits: what the language service takes after a key was pressed.

    python -m benchmarks.editing [FILE] [--times N]

A text is changed again and again, so that nothing can be answered from memory; after each change
the answer to one question is timed, in turn with all others. Prints medians in ms and each of them
as a part of the whole look at the rules, which finds out whether secrets are kept, too: that part
does not depend on the machine.
"""

from __future__ import annotations

import argparse
import gc
import re
from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import perf_counter

from lawspeaker.outside.folder import Folder
from lawspeaker.outside.language_service import LanguageService

FILE = "rules/walhalla/landing.yaml"
WHOLE = "the whole look"
_COMMENT = "# key {}\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", default=FILE, type=Path)
    parser.add_argument("--times", type=int, default=20)
    given = parser.parse_args()
    gc.set_threshold(10_000)
    folder = Folder()
    service = LanguageService(folder)
    path: Path = given.file
    text = folder.source(path).text
    # The first word of code that a line begins with, far down in the file.
    at = [found.end() for found in re.finditer(r"\bmove \w", text)][-1]

    def offset(number: int) -> int:
        return at + len(_COMMENT.format(number))

    broken = text[: at + 1] + " (" + text[at + 1 :]
    questions: dict[str, tuple[str, Callable[[int], object]]] = {
        "completion": (text, lambda number: service.complete(path, offset(number))),
        "hover": (text, lambda number: service.hover(path, offset(number))),
        "definition": (text, lambda number: service.definition(path, offset(number))),
        "hover, text broken": (broken, lambda number: service.hover(path, offset(number) - 9)),
        "completion, broken": (broken, lambda number: service.complete(path, offset(number))),
        "names and types": (text, lambda _: service.problems(path)),
        WHOLE: (text, lambda _: service.problems(path, played=True)),
    }
    service.problems(path)
    taken: dict[str, list[float]] = {name: [] for name in questions}
    for number in range(given.times * len(questions)):
        name = list(questions)[number % len(questions)]
        written, ask = questions[name]
        folder.open(path, _COMMENT.format(number) + written)
        start = perf_counter()
        ask(number)
        taken[name].append(1000 * (perf_counter() - start))
    whole = median(taken[WHOLE])
    for name, some in taken.items():
        middle = median(some)
        print(f"{name:20} {middle:6.0f} ms, {middle / whole:5.2f} of {WHOLE}")


if __name__ == "__main__":
    main()
