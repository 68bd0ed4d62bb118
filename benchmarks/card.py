"""Games on a graphics card: are they the same, and how fast are they played?

    python -m benchmarks.card prepare FOLDER     where Lawspeaker is installed: kernels as text, and
                                                 records of the compiled machine (--games NAME:4 …)
    python benchmarks/card.py run FOLDER         where the card is: needs NumPy, CuPy and nvcc

`run` needs nothing of Lawspeaker but what was prepared. It goes step by step and says what it found
as it goes: all kernels are compiled side by side; each plays games whose records are compared, one
by one and by a sum over many; then the chosen games are timed in several settings. A step that
fails is told, and the next one begins. Figures come once more in a table at the end.

A setting is whether addresses are `checked` or `free`, how many threads a block has, and how many
games are under way on each multiprocessor.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

GAMES = """tic_tac_toe:2 connect_four:2 othello:2 walhalla:4 walhalla+italian:4 walhalla+french:3
    voluspa:5 chess:2 draughts:2 go:2 kuhn_poker:2 liars_dice:3 little_whist:4
    walhalla+card_selling+skalds:4 voluspa+saga_of_edda:4""".split()
LOOKED_INTO = ("othello", "walhalla", "voluspa")
"""What is profiled."""
TIMED = 7
"""So many of the first ones are timed."""
SEED = 1
ONE_BY_ONE = 1000
"""So many records are compared word by word."""
BUDGET = 100_000_000
NONE = 0xFFFFFFFF
"""What a thread plays that plays nothing."""
VARIANTS = {
    "checked": ["-DCHECKED"],
    "free": [],
}
USUAL = "checked"
SETTINGS = ((128, 512), (64, 128), (128, 256), (32, 64), (128, 1024))
GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def slug(game: str) -> str:
    return game.replace("+", "_").replace(":", "_")


# ---------------------------------------------------------------- preparing


def prepare(folder: Path, games: list[str], summed: int) -> None:
    from lawspeaker import load
    from lawspeaker.machines.compiled import Instance, compile_module, formed
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
        made = card.kernel(*formed(layout, stepping=False, watching=True, sizes=sizes))
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
        self, seconds: float, records: Any, print: int, stopped: list[int], begun: int
    ) -> None:
        self.seconds, self.records, self.print, self.stopped = seconds, records, print, stopped
        self.begun = begun


class Game:
    """A game on the card, in one setting."""

    def __init__(self, folder: Path, about: dict[str, Any], cubin: Path) -> None:
        import cupy

        self.cupy, self.about = cupy, about
        module = cupy.RawModule(path=str(cubin))
        self.kernel = module.get_function("play")
        content = (folder / f"{slug(about['game'])}.tables").read_bytes()
        tables = cupy.asarray(np.frombuffer(content, np.uint8))
        module.get_global("tables").copy_from_device(tables.data, tables.nbytes)

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
        following = cupy.zeros(1, cupy.uint32)
        kept = cupy.zeros((self.about["words"], count), cupy.uint32) if records else None
        total = cupy.zeros(1, cupy.uint64)
        playing = cupy.full(threads * blocks, NONE, cupy.uint32)
        nothing = np.uint64(0)
        given = (
            *(np.uint64(SEED), np.uint32(first), np.uint32(count), np.uint32(BUDGET)),
            *(following, playing, kept if records else nothing, total if print else nothing),
        )
        start, end = cupy.cuda.Event(), cupy.cuda.Event()
        start.record()
        self.kernel((blocks,), (threads,), given)
        end.record()
        end.synchronize()
        seconds = cupy.cuda.get_elapsed_time(start, end) / 1000
        told = playing.get()
        stopped = sorted(map(int, told[told != NONE]))
        rows = kept.T.get() if kept is not None else None
        begun = min(count, int(following.get()[0]))
        return Played(seconds, rows, int(total.get()[0]), stopped, begun)


def compile_all(
    folder: Path, listed: list[dict[str, Any]], jobs: int
) -> dict[tuple[str, str], Path]:
    """Kernels by game and variant; those that cannot be made are told and left out."""
    wanted = [
        (about["game"], variant)
        for at, about in enumerate(listed)
        for variant in VARIANTS
        if at < TIMED or variant == USUAL
    ]

    def one(what: tuple[str, str]) -> tuple[tuple[str, str], Path | None, str]:
        game, variant = what
        out = folder / f"{slug(game)}.{variant.replace(' ', '.')}.cubin"
        command = ["nvcc", "-std=c++17", "-arch=native", "-O3", "-w", "-Xptxas", "-v"]
        started = time.monotonic()
        try:
            done = subprocess.run(
                [
                    *(*command, *VARIANTS[variant], "-cubin", "-o", str(out)),
                    str(folder / f"{slug(game)}.cu"),
                ],
                capture_output=True,
                text=True,
                timeout=150,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return what, None, str(error)[-100:]
        used = [line.split(":", 1)[-1] for line in done.stderr.splitlines() if "Used " in line]
        size = out.stat().st_size if out.exists() else 0
        said = f"{time.monotonic() - started:.1f} s, {size:,} bytes,"
        return (
            what,
            out if done.returncode == 0 else None,
            said + (used[-1] if used else done.stderr[-400:]),
        )

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
    right = same and alike and not many.stopped and many.begun == about["summed"]
    print(
        f"{'EQUAL' if right else 'DIFFERENT'} {about['game']} {name}: "
        f"{len(wanted)} records {'equal' if same else 'DIFFER'}, "
        f"sum over {about['summed']:,} {'equal' if alike else 'DIFFERS'}, "
        f"stopped {len(one.stopped)} {len(many.stopped)} {many.stopped[:3]}, {many.seconds:.3f} s",
        flush=True,
    )
    return right


def settings(found: dict[tuple[str, str], Path], game: str) -> Iterator[tuple[str, int, int]]:
    """The most telling ones first."""
    for at, (threads, under_way) in enumerate(SETTINGS):
        for variant in VARIANTS:
            if (game, variant) in found and (at < 2 or "checked" in variant):
                yield variant, threads, under_way


PROFILED = ("SpeedOfLight", "WarpStateStats", "MemoryWorkloadAnalysis", "InstructionStats")


def profile(folder: Path, games: list[str], found: dict[tuple[str, str], Path]) -> None:
    """What limits a launch, as NVIDIA's profiler tells it, where it is installed."""
    for game in games:
        if (game, USUAL) not in found:
            continue
        command = ["ncu", "--clock-control", "none", "--launch-skip", "1", "--launch-count", "1"]
        for section in PROFILED:
            command += ["--section", section]
        mine = [sys.executable, __file__, "once", str(folder), "--games", game]
        try:
            done = subprocess.run(
                [*command, *mine], capture_output=True, text=True, timeout=90, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            print("no profile of", game, str(error)[-200:], flush=True)
            continue
        lines = [line for line in done.stdout.splitlines() if "  " in line.strip()]
        print(f"--- profile of {game}", *lines[-90:], sep="\n", flush=True)


def once(folder: Path, game: str) -> None:
    """Two launches, of which the second is looked at."""
    listed = json.loads((folder / "games.json").read_text())
    (about,) = (each for each in listed if each["game"] == game)
    path = folder / f"{slug(game)}.{USUAL.replace(' ', '.')}.cubin"
    made = Game(folder, about, path)
    blocks = multiprocessors() * 4
    for _ in range(2):
        made.play(0, blocks * 128 * 2, 128, blocks)


def timed(made: Game, threads: int, under_way: int, seconds: float) -> tuple[float, float]:
    """Games a second, in the median, and how far the rounds lie apart. Raises RuntimeError if not
    all games were played."""
    blocks = multiprocessors() * max(1, under_way // threads)

    def took(count: int) -> float:
        done = made.play(0, count, threads, blocks)
        if done.stopped or done.begun < count:
            raise RuntimeError(f"{done.begun} of {count} games begun, stopped {done.stopped[:3]}")
        return done.seconds

    count = threads * blocks
    took(count)
    last = took(count)
    while last < seconds / 4 and count < 1 << 30:
        count *= 4
        last = took(count)
    count = max(threads * blocks, min(1 << 31, int(count * min(8.0, seconds / last))))
    rates = [count / took(count) for _ in range(3)]
    return statistics.median(rates), (max(rates) - min(rates)) / statistics.median(rates)


def run(folder: Path, jobs: int, seconds: float, most: float) -> bool:
    """Whether everything was compiled, equal and played. What was not is not timed."""
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
    right = all((about["game"], USUAL) in found for about in listed)
    for about in listed:
        for (game, variant), path in list(found.items()):
            if game != about["game"]:
                continue
            try:
                equal = compare(folder, about, Game(folder, about, path), variant)
            except Exception:
                equal = False
                print(f"FAILED {game} {variant}:", traceback.format_exc(limit=3), flush=True)
            if not equal:
                right = False
                del found[game, variant]
    print(f"--- compared after {time.monotonic() - started:.0f} s", flush=True)
    games = {about["game"]: about for about in listed[:TIMED]}
    profile(folder, [game for game in games if game.split(":")[0] in LOOKED_INTO], found)
    print(f"--- profiled after {time.monotonic() - started:.0f} s", flush=True)
    order = [(at, game, each) for game in games for at, each in enumerate(settings(found, game))]
    for _, game, (variant, threads, under_way) in sorted(order, key=lambda each: each[0]):
        if time.monotonic() - started > most:
            print("--- no time is left for more settings", flush=True)
            break
        try:
            about = games[game]
            made = Game(folder, about, found[game, variant])
            rate, spread = timed(made, threads, under_way, seconds)
            line = (
                f"{game:24} {variant:14} {threads:4} threads {under_way:5} under way "
                f"{rate / 1e6:10.3f} M games/s "
                f"{rate * about['decisions'] / 1e6:10.1f} M decisions/s ±{spread:.1%}"
            )
            print(line, flush=True)
            table.append((game, rate, line))
        except Exception:
            right = False
            print(f"FAILED {game} {variant}:", traceback.format_exc(limit=3), flush=True)
            if "illegal" in traceback.format_exc() or "launch failure" in traceback.format_exc():
                break
    print(f"--- done after {time.monotonic() - started:.0f} s; the best of each:")
    for game in games:
        best = sorted((each for each in table if each[0] == game), key=lambda each: -each[1])
        for _, _, line in best[:3]:
            print(line)
    return right


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["prepare", "run", "once"])
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
    elif given.what == "once":
        once(given.folder, given.games[0])
    elif not run(given.folder, given.jobs, given.seconds, given.most):
        sys.exit(1)


if __name__ == "__main__":
    main()
