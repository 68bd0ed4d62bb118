"""How long an editor waits: what the language service takes after a key was pressed.

    python -m benchmarks.editing [FILE] [--times N]

A word of a file is changed again and again, so that nothing can be answered from memory; after each
change the answer to one question is timed. Prints medians and the slowest of twenty, in ms.
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

    questions: dict[str, Callable[[int], object]] = {
        "completion": lambda number: service.complete(path, offset(number)),
        "hover": lambda number: service.hover(path, offset(number)),
        "definition": lambda number: service.definition(path, offset(number)),
        "names and types": lambda _: service.problems(path),
        "with secrets": lambda _: service.problems(path, played=True),
    }
    service.problems(path)
    number = 0
    for name, ask in questions.items():
        taken: list[float] = []
        for _ in range(given.times):
            number += 1
            folder.open(path, _COMMENT.format(number) + text)
            start = perf_counter()
            ask(number)
            taken.append(1000 * (perf_counter() - start))
        print(f"{name:16} {median(taken):6.0f} ms, slowest {max(taken):6.0f} ms")


if __name__ == "__main__":
    main()
