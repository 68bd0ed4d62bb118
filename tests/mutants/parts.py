"""Parts of the interpreter that are mutated, each with the tests that should detect it.

So many mutants of a part are drawn; None stands for all of them. Functions are first mutated in
tests that are loaded already (`waiting`). A mutant that survives there is checked by types, then
tried on a mutated file.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.mutants.blocks import PACKAGE, Blocks
from tests.mutants.copies import Copy
from tests.mutants.coverage import FULL, Map, files_in
from tests.mutants.draw import Mutant
from tests.mutants.order import limit
from tests.mutants.trial import Outcome, Trials, types
from tests.mutants.waiting import Waiting


@dataclass(frozen=True, slots=True)
class Part:
    name: str
    files: str
    """In the package, with blanks between them; * stands for anything."""
    tests: str
    """Files and folders in the folder of the tests."""
    count: int | None

    def modules(self, root: Path) -> list[Path]:
        """The files, as paths from the root."""
        found = [file for each in self.files.split() for file in (root / PACKAGE).glob(each)]
        return sorted(file.relative_to(root) for file in found)

    def test_files(self, root: Path) -> list[str]:
        return files_in(root, [f"tests/{each}" for each in self.tests.split()])


class PartTrials:
    def __init__(self, blocks: Blocks, known: Map, files: list[str]) -> None:
        self.files = files
        self.trials = Trials(blocks, known.of(files))
        self.waiting: dict[Copy, Waiting] = {}

    def tried(self, copy: Copy, mutant: Mutant) -> Outcome:
        if copy not in self.waiting:
            self.waiting[copy] = Waiting(copy, self.files)
        limits = {test.id: limit(test.seconds) for test in self.trials.order(mutant, FULL)}
        outcome = self.trials.noted(mutant, self.waiting[copy].tried(mutant, limits))
        if outcome.by:
            return outcome
        with copy.mutated({mutant.file: mutant.after}):
            outcome = types(copy, mutant.file)
            return outcome if outcome.by else self.trials.covering(copy, mutant, FULL, None)

    def __enter__(self) -> PartTrials:
        return self

    def __exit__(self, *error: object) -> None:
        for each in self.waiting.values():
            each.close()


PARTS = (
    Part(
        "privacy",
        "meaning/secrets/*.py",
        "secrets/test_cases.py secrets/test_made_known.py secrets/test_private.py "
        "secrets/test_played_cases.py "
        "language/test_bad.py language/test_good.py "
        "language/test_secret_bounds.py language/test_hostile.py docs/test_language.py",
        None,
    ),
    Part(
        "views",
        "match/view.py match/events.py match/determinization.py",
        "reference/test_views.py terminal/test_story.py match/test_telling.py playthroughs "
        "properties/test_views.py properties/test_imagine.py properties/test_secrets.py "
        "compiled/test_worlds.py",
        20,
    ),
    Part("undo", "match/undo.py", "undo match/test_telling.py", 15),
    Part(
        "position",
        "position/rng.py position/state.py",
        "reference/test_luck.py reference/test_chance.py reference/test_playing.py "
        "properties/test_luck.py properties/test_keeping.py playthroughs",
        15,
    ),
    Part(
        "reference",
        "machines/reference/*.py",
        "reference language/test_good.py match playthroughs properties/test_examples.py "
        "scenarios/test_bad.py scenarios/test_coverage.py",
        30,
    ),
    Part(
        "compiled",
        "machines/compiled/*/*.py",
        "compiled/test_conformance.py compiled/test_games.py compiled/test_running_through.py "
        "compiled/test_growing.py compiled/test_everywhere.py compiled/test_search.py "
        "compiled/test_expressions.py compiled/test_strictness.py compiled/test_worlds.py "
        "compiled/test_binary.py compiled/test_module_cache.py "
        "compiled/test_side_by_side.py compiled/test_cost.py compiled/test_subsets.py "
        "compiled/test_numbers.py compiled/test_rooms.py "
        "lab/test_simulate.py",
        30,
    ),
    Part(
        "planned",
        "machines/planned/*.py",
        "planned compiled/test_running_through.py compiled/test_everywhere.py",
        12,
    ),
    Part("middle", "machines/middle/*.py", "middle compiled/test_running_through.py", 12),
    Part(
        "tables",
        "faces/web/store.py faces/web/tables.py faces/web/security.py faces/web/agreement.py",
        "web/test_store.py web/test_damage.py web/test_privacy.py web/test_requests.py "
        "web/test_together.py web/test_playing.py web/test_resuming.py web/test_serving.py",
        25,
    ),
    Part("log", "match/log/*.py match/replay.py", "log", 12),
    Part("sources", "study/sources/*.py", "sources", 12),
    Part("format", "text/format/*.py", "format", 12),
)
