"""Games on a graphics card: are they the same, and how fast are they played?

    python -m benchmarks.card prepare FOLDER     where Lawspeaker is installed: kernels as text, and
                                                 records of the compiled machine (--games NAME:4 …)
    python benchmarks/card.py run FOLDER         where the card is: needs NumPy, CuPy and nvcc

`run` needs nothing of Lawspeaker but what was prepared. It goes step by step and says what it found
as it goes: all kernels are compiled side by side; each plays games whose records are compared, one
by one and by a sum over many; then the chosen games are timed in several settings. A step that
fails is told, and the next one begins. Figures come once more in a table at the end.

A setting is where a game's own memory lies (`local`, or `spread` over the card's memory by words),
whether addresses are `checked` or `free`, how many threads a block has, and how many games are
under way on each multiprocessor.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

GAMES = """tic_tac_toe:2 connect_four:2 othello:2 walhalla:4 walhalla+italian:4 walhalla+french:3
    voluspa:5 kuhn_poker:2 liars_dice:3 little_whist:4 pig:2 nim:2 rock_paper_scissors:2
    walhalla+card_selling+skalds:4 voluspa+saga_of_edda:4""".split()
TIMED = 7
"""So many of the first ones are timed."""
SEED = 1
ONE_BY_ONE = 1000
"""So many records are compared word by word."""
BUDGET = 2_000_000
MOST_FAULTS = 1000
LAYOUTS = {"local": ["-DLOCAL"], "spread": []}
CHECKS = {"checked": ["-DCHECKED"], "free": []}
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def slug(game: str) -> str:
    return game.replace("+", "_").replace(":", "_")


# ---------------------------------------------------------------- preparing


def prepare(folder: Path, games: list[str], summed: int) -> None:
    from lawspeaker import load
    from lawspeaker.machines.compiled import Instance, compile_module
    from lawspeaker.machines.native import card
    from lawspeaker.position.layout import Layout

    folder.mkdir(parents=True, exist_ok=True)
    listed = []
    for game in games:
        name, _, players = game.partition(":")
        layout = Layout(load(name).program, int(players))
        instance = Instance(compile_module(layout, stepping=False, watching=True))
        started = time.process_time()
        rows: list[Any] = []
        while sum(map(len, rows)) < summed and time.process_time() - started < 6:
            first = sum(map(len, rows))
            content = b"".join(instance.records(SEED, first, min(5000, summed - first)))
            rows.append(
                np.frombuffer(content, np.uint32).reshape(-1, instance.compiled.record_size // 4)
            )
        records = np.concatenate(rows)
        sizes = card.needed(instance)
        made = card.kernel(compile_module(layout, stepping=False, watching=True, sizes=sizes))
        (folder / f"{slug(game)}.cu").write_text(made.source)
        (folder / f"{slug(game)}.tables").write_bytes(made.tables)
        np.save(folder / f"{slug(game)}.npy", records[:ONE_BY_ONE])
        about = {"game": game, "own": made.own, "words": made.words, "summed": len(records)}
        about["print"] = int(prints(records).sum())
        about["decisions"] = float(records[:, instance.columns["decisions"]].mean())
        listed.append(about)
        print(about, flush=True)
    (folder / "games.json").write_text(json.dumps(listed))


def prints(records: Any) -> Any:
    """For each record the word that stands for it, as the kernel works it out."""
    mixed = np.arange(len(records), dtype=np.uint64)
    for column in records.T:
        mixed = (mixed ^ column.astype(np.uint64)) * GOLDEN
    return mixed ^ mixed >> np.uint64(32)


# ---------------------------------------------------------------- the card


class Played:
    """What came of a launch."""

    def __init__(
        self, seconds: float, records: Any, print: int, faults: list[tuple[int, int]]
    ) -> None:
        self.seconds, self.records, self.print, self.faults = seconds, records, print, faults


class Game:
    """A game on the card, in one setting."""

    def __init__(self, folder: Path, about: dict[str, Any], cubin: Path, local: bool) -> None:
        import cupy

        self.cupy, self.about, self.local = cupy, about, local
        self.kernel = cupy.RawModule(path=str(cubin)).get_function("play")
        content = (folder / f"{slug(about['game'])}.tables").read_bytes()
        self.tables = cupy.asarray(np.frombuffer(content, np.uint8))
        self.memory: Any = None

    def play(
        self,
        first: int,
        count: int,
        threads: int,
        blocks: int,
        *,
        records: bool = False,
        print: bool = False,
    ) -> Played:
        cupy = self.cupy
        size = 0 if self.local else self.about["own"] * threads * blocks
        if self.memory is None or self.memory.size < size:
            self.memory = cupy.empty(max(size, 1), cupy.uint8)
        following = cupy.zeros(1, cupy.uint32)
        kept = cupy.zeros((self.about["words"], count), cupy.uint32) if records else None
        total = cupy.zeros(1, cupy.uint64)
        faults = cupy.zeros(2 + 2 * MOST_FAULTS, cupy.uint32)
        faults[1] = MOST_FAULTS
        nothing = np.uint64(0)
        given = (
            *(np.uint64(SEED), np.uint32(first), np.uint32(count), np.uint32(BUDGET)),
            *(following, self.tables, self.memory, kept if records else nothing),
            *(total if print else nothing, faults),
        )
        start, end = cupy.cuda.Event(), cupy.cuda.Event()
        start.record()
        self.kernel((blocks,), (threads,), given)
        end.record()
        end.synchronize()
        seconds = cupy.cuda.get_elapsed_time(start, end) / 1000
        told = faults.get()
        pairs = [
            (int(told[2 + 2 * at]), int(told[3 + 2 * at]))
            for at in range(min(int(told[0]), MOST_FAULTS))
        ]
        return Played(
            seconds, kept.T.get() if kept is not None else None, int(total.get()[0]), pairs
        )


def compile_all(
    folder: Path, listed: list[dict[str, Any]], jobs: int
) -> dict[tuple[str, str, str], Path]:
    """Kernels by game, layout and checks; those that cannot be made are told and left out."""
    wanted = []
    for at, about in enumerate(listed):
        for layout in LAYOUTS:
            for checks in CHECKS:
                if at < TIMED or (layout, checks) == ("local", "checked"):
                    wanted.append((about["game"], layout, checks))

    def one(what: tuple[str, str, str]) -> tuple[tuple[str, str, str], Path | None, str]:
        game, layout, checks = what
        out = folder / f"{slug(game)}.{layout}.{checks}.cubin"
        flags = [*LAYOUTS[layout], *CHECKS[checks]]
        command = ["nvcc", "-std=c++17", "-arch=native", "-O3", "-w", "-Xptxas", "-v", *flags]
        started = time.monotonic()
        try:
            done = subprocess.run(
                [*command, "-cubin", "-o", str(out), str(folder / f"{slug(game)}.cu")],
                capture_output=True, text=True, timeout=200, check=False,
            )  # fmt: skip
        except (OSError, subprocess.TimeoutExpired) as error:
            return what, None, str(error)
        used = [
            line.split(":", 1)[-1].strip() for line in done.stderr.splitlines() if "Used " in line
        ]
        said = f"{time.monotonic() - started:.1f} s, {used[-1] if used else done.stderr[-400:]}"
        return what, out if done.returncode == 0 else None, said

    found = {}
    with ThreadPoolExecutor(jobs) as pool:
        for what, path, said in pool.map(one, wanted):
            print("compiled" if path else "NOT COMPILED", *what, said, flush=True)
            if path:
                found[what] = path
    return found


def multiprocessors() -> int:
    import cupy

    return int(cupy.cuda.runtime.getDeviceProperties(0)["multiProcessorCount"])


def compare(folder: Path, about: dict[str, Any], made: Game, name: str) -> bool:
    """Whether records are those of the compiled machine."""
    wanted = np.load(folder / f"{slug(about['game'])}.npy")
    blocks = multiprocessors() * 2
    one = made.play(0, len(wanted), 64, blocks, records=True, print=True)
    same = bool((one.records == wanted).all())
    many = made.play(0, about["summed"], 128, blocks, print=True)
    alike = many.print == about["print"]
    print(
        f"{'EQUAL' if same and alike else 'DIFFERENT'} {about['game']} {name}: "
        f"{len(wanted)} records {'equal' if same else 'DIFFER'}, "
        f"sum over {about['summed']:,} {'equal' if alike else 'DIFFERS'}, "
        f"faults {len(one.faults)} {len(many.faults)} {many.faults[:3]}, {many.seconds:.3f} s",
        flush=True,
    )
    return same and alike and not many.faults


def settings(
    found: dict[tuple[str, str, str], Path], game: str
) -> Iterator[tuple[str, str, int, int]]:
    for threads, under_way in (
        (128, 512),
        (128, 1024),
        (128, 256),
        (64, 128),
        (256, 2048),
        (32, 512),
    ):
        for layout in LAYOUTS:
            for checks in CHECKS:
                main = (threads, under_way) == (128, 512)
                if (game, layout, checks) in found and (main or checks == "checked"):
                    yield layout, checks, threads, under_way


def timed(made: Game, threads: int, under_way: int, seconds: float) -> tuple[float, float]:
    """Games a second, in the median, and how far the rounds lie apart."""
    blocks = multiprocessors() * max(1, under_way // threads)
    count = threads * blocks
    took = made.play(0, count, threads, blocks).seconds
    took = made.play(0, count, threads, blocks).seconds
    while took < seconds / 4 and count < 1 << 30:
        count *= 4
        took = made.play(0, count, threads, blocks).seconds
    count = max(threads * blocks, min(1 << 31, int(count * min(8.0, seconds / took))))
    rates = [count / made.play(0, count, threads, blocks).seconds for _ in range(3)]
    return statistics.median(rates), (max(rates) - min(rates)) / statistics.median(rates)


def run(folder: Path, jobs: int, seconds: float, most: float) -> None:
    started = time.monotonic()
    listed = json.loads((folder / "games.json").read_text())
    import cupy

    device = cupy.cuda.runtime.getDeviceProperties(0)
    print(
        device["name"].decode(),
        multiprocessors(),
        "multiprocessors; CuPy",
        cupy.__version__,
        flush=True,
    )
    found = compile_all(folder, listed, jobs)
    print(f"--- compiled after {time.monotonic() - started:.0f} s", flush=True)
    table = []
    for about in listed:
        for (game, layout, checks), path in found.items():
            if game == about["game"]:
                try:
                    compare(
                        folder,
                        about,
                        Game(folder, about, path, layout == "local"),
                        f"{layout} {checks}",
                    )
                except Exception:
                    print(
                        f"FAILED {game} {layout} {checks}:",
                        traceback.format_exc(limit=3),
                        flush=True,
                    )
    print(f"--- compared after {time.monotonic() - started:.0f} s", flush=True)
    games = {about["game"]: about for about in listed[:TIMED]}
    order = [(at, game, each) for game in games for at, each in enumerate(settings(found, game))]
    for _, game, (layout, checks, threads, under_way) in sorted(order, key=lambda each: each[0]):
        if time.monotonic() - started > most:
            print("--- no time is left for more settings", flush=True)
            break
        try:
            about = games[game]
            made = Game(folder, about, found[game, layout, checks], layout == "local")
            rate, spread = timed(made, threads, under_way, seconds)
            line = (
                f"{game:24} {layout:6} {checks:7} {threads:4} threads {under_way:5} under way "
                f"{rate / 1e6:10.3f} M games/s "
                f"{rate * about['decisions'] / 1e6:10.1f} M decisions/s ±{spread:.1%}"
            )
            print(line, flush=True)
            table.append((game, rate, line))
        except Exception:
            print(f"FAILED {game} {layout} {checks}:", traceback.format_exc(limit=3), flush=True)
            if "illegal" in traceback.format_exc() or "launch failure" in traceback.format_exc():
                break
    print(f"--- done after {time.monotonic() - started:.0f} s; the best of each:")
    for game in games:
        best = sorted((each for each in table if each[0] == game), key=lambda each: -each[1])
        for _, _, line in best[:2]:
            print(line)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["prepare", "run"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", nargs="*", default=GAMES)
    parser.add_argument("--summed", type=int, default=100_000, help="games that go into a sum")
    parser.add_argument("--jobs", type=int, default=16)
    parser.add_argument("--seconds", type=float, default=0.3)
    parser.add_argument(
        "--most", type=float, default=420, help="seconds after which no step begins"
    )
    given = parser.parse_args()
    if given.what == "prepare":
        prepare(given.folder, given.games, given.summed)
    else:
        run(given.folder, given.jobs, given.seconds, given.most)


if __name__ == "__main__":
    main()
