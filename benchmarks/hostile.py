"""The processor time and memory of hostile rule files, from their text to the first question.

    python -m benchmarks.hostile
    python -m benchmarks.hostile --only "nested sum" --size 20

Each rule file of `tests/language/hostile.py` and `hostile_forms.py` is checked, started on both
machines with the most players, and compiled for playing, in a process of its own. The slowest are
printed: seconds of the processor until it is ready, that is for checking it and for the machine
that takes longest; those for each of these; MiB, and what stopped it. `--json` prints all, a line
each.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from lawspeaker.text.parse import grammar
from tests.language import hostile
from tests.language.hostile_forms import FORMS
from tests.language.hostile_worker import measure_stages

STAGES = ("check", "reference", "wasm", "playing")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="Kinds with these words in their names.")
    parser.add_argument("--size", type=int, default=100)
    parser.add_argument("--seconds", type=int, default=20, help="The most of the processor each.")
    parser.add_argument("--slowest", type=int, default=10, help="So many are printed.")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    grammar()
    kinds = {**{kind.__name__: kind for kind in hostile.KINDS}, **FORMS}
    found: list[dict[str, Any]] = []
    for name, kind in kinds.items():
        if options.only in name:
            text = kind(options.size)
            found.append(
                {"name": name, "length": len(text), **measure_stages(text, options.seconds)}
            )
            if options.json:
                print(json.dumps(found[-1]), flush=True)
    if not options.json:
        print(table(found, options.slowest))


def table(found: list[dict[str, Any]], slowest: int) -> str:
    """The slowest of some rule files, as lines of text."""
    heads = " ".join(f"{stage:>9}" for stage in ("ready", *STAGES))
    lines = [f"{'kind':32} {heads} {'MiB':>5}  stopped by"]
    for each in sorted(found, key=ready, reverse=True)[:slowest]:
        spent = (f"{each[stage]:.2f}" if stage in each else "-" for stage in STAGES)
        times = " ".join(f"{seconds:>9}" for seconds in (f"{ready(each):.2f}", *spent))
        stopped = [*each.get("refused", ()), *(each.get(f"{name}_stopped", "") for name in STAGES)]
        why = "killed" if each["killed"] else next(filter(None, stopped), each.get("error", ""))
        lines.append(f"{each['name']:32} {times} {each.get('memory', 0):5}  {why[-60:]}")
    return "\n".join(lines)


def ready(one: dict[str, Any]) -> float:
    """The seconds from the text of a rule file until it can be played."""
    check, *machines = (one.get(stage, 0.0) for stage in STAGES)
    return float(check + max(machines))


if __name__ == "__main__":
    main()
