"""Compares games on a GPU with those of the CPU, and measures how fast they are played.

    python -m benchmarks.gpu prepare FOLDER     where Lawspeaker is installed: kernels, and results
                                                of the CPU
    python benchmarks/gpu.py run FOLDER         where the GPU is: needs NumPy, CuPy, and nvcc or
                                                patience
        --seconds 300                           what it may take in all
        --out OTHER                             where what was found out is put

`run` needs nothing of Lawspeaker but its own folders `interpreter/lawspeaker/outside`
(`gpu_driver`, `vectors`) and what was prepared. Its parts come in the order of what they are
worth, each in a process of its own with a time that it may take, so that one that fails costs only
itself:

    equal      records word by word, and a sum over many; all games
    sums       sums of the GPU equal those of the CPU
    turns      tables that wait for answers see and say the same as on the CPU
    speeds     whole games a second, and with sums
    scale      10 million games of Walhalla in three editions, a million of others: those of numbers
               drawn at random are compared
    many       a thousand million games of Walhalla with all sums, or as many as there is time for
    slices     long games: how long a launch takes at the most
    steps      decisions a second in environments

A short table comes last. Exit code 0: all that was compared was equal, and no part failed.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import pickle
import shutil
import statistics
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "interpreter"), str(ROOT)]

GAMES = """walhalla:4 walhalla+italian:4 walhalla+french:3 connect_four:2 tic_tac_toe:2 othello:2
    voluspa:5 chess:2 go:2 draughts:2 kuhn_poker:2 liars_dice:3 little_whist:4
    walhalla+card_selling+skalds:4 voluspa+saga_of_edda:4""".split()
EDITIONS = ("walhalla", "walhalla+italian", "walhalla+french")
SLICED = ("chess:2", "go:2")
SUMMED = ("walhalla:4", "connect_four:2", "tic_tac_toe:2")
TURNS = ("connect_four:2", "kuhn_poker:2", "walhalla:4")
SEED = 1
ONE_BY_ONE = 1000
"""So many records are compared word by word."""
THOUSAND_MILLION = 1_000_000_000
MANY, FEWER, LONG_GAMES = 10_000_000, 1_000_000, 20_000
SAMPLED = 2000
"""So many of those are drawn at random."""
BUDGET = 100_000_000
GOLDEN = np.uint64(0x9E3779B97F4A7C15)
TABLES, TURNS_COMPARED = 64, 60


def slug(game: str, use: str) -> str:
    return f"{game.replace('+', '_').replace(':', '_')}.{use}"


def scale_of(game: str) -> int:
    if game in SLICED:
        return LONG_GAMES
    return MANY if game.split(":", maxsplit=1)[0] in EDITIONS else FEWER


# ---------------------------------------------------------------- preparing


def prepare(folder: Path, games: list[str], summed: int) -> None:
    from lawspeaker import load
    from lawspeaker.machines.compiled import Instance, compile_module, formed
    from lawspeaker.machines.native import cuda
    from lawspeaker.machines.native.kernel import SLICES, WHOLE
    from lawspeaker.machines.native.memory_profile import profiled
    from lawspeaker.machines.purpose import WATCHING, Purpose
    from lawspeaker.outside.gpu_games import needed_in_turns, turns_kernel
    from lawspeaker.position.layout import Layout

    folder.mkdir(parents=True, exist_ok=True)
    listed: list[dict[str, Any]] = []

    def keep(game: str, made: Any) -> None:
        (folder / f"{slug(game, made.use)}.kernel").write_bytes(pickle.dumps(made))

    for game in games:
        name, _, players = game.partition(":")
        layout = Layout(load(name).program, int(players))
        instance = Instance(compile_module(layout, WATCHING))
        started = time.process_time()
        rows: list[Any] = []
        while sum(map(len, rows)) < summed and time.process_time() - started < 4:
            first = sum(map(len, rows))
            rows.append(words_of(instance, SEED, first, min(2000, summed - first)))
        records = np.concatenate(rows)
        drawn = np.sort(np.random.default_rng(4).integers(0, scale_of(game), SAMPLED))
        if game in SLICED:
            drawn = drawn[:: SAMPLED // 100]
        sample = np.concatenate([words_of(instance, SEED, int(at), 1) for at in drawn])
        sliced = game in SLICED
        sizes = needed_in_turns(layout) if sliced else cuda.needed(instance)
        form = formed(layout, Purpose(watching=True, in_turns=sliced), sizes)
        seen = None if sliced else profiled(layout, sizes)
        keep(game, cuda.kernel(*form, SLICES if sliced else WHOLE, seen))
        np.savez_compressed(
            folder / f"{slug(game, 'records')}.npz",
            records=records[:ONE_BY_ONE],
            drawn=drawn,
            sample=sample,
        )
        about = {"game": game, "use": SLICES if sliced else WHOLE, "summed": len(records)}
        about["hash"] = int(hashes(records).sum())
        about["decisions"] = float(records[:, instance.columns["decisions"]].mean())
        if game in SUMMED:
            np.save(folder / f"{slug(game, 'sums')}.npy", sums_of(cuda.kernel, form, layout, seen))
        if game in TURNS:
            made = turns_kernel(layout)
            keep(game, made)
            about["sides"] = layout.sides
            about["turns"] = played_through(env_on_processor(made, layout.sides))
        listed.append(about)
        print({key: value for key, value in about.items() if key != "turns"}, flush=True)
    (folder / "games.json").write_text(json.dumps(listed))
    size = sum(each.stat().st_size for each in folder.iterdir())
    print(f"{size / 2**20:.1f} MiB in {folder}")


def words_of(instance: Any, seed: int, first: int, count: int) -> Any:
    content = b"".join(instance.records(seed, first, count))
    return np.frombuffer(content, np.uint32).reshape(count, -1)


def sums_of(kernel: Any, form: Any, layout: Any, seen: Any) -> Any:
    """What some games add up to, by the same program on the CPU."""
    from lawspeaker.machines.compiled import formed
    from lawspeaker.machines.purpose import WATCHING
    from lawspeaker.outside.gpu_driver import program
    from lawspeaker.outside.native import Processor

    sizes = form[0].plan.sizes
    made = kernel(*formed(layout, WATCHING, sizes), seen=seen)
    flags = tuple("-O0" if each == "-O2" else each for each in Processor.FLAGS)
    done = program(Processor(flags=flags).load(made)).launch(
        SEED, 0, ONE_BY_ONE, BUDGET, summed=True
    )
    assert not done.odd
    return done.sums


def env_on_processor(made: Any, sides: Any) -> Any:
    from lawspeaker.outside.native import Processor
    from lawspeaker.outside.vectors import VectorEnv

    flags = tuple("-O0" if each == "-O2" else each for each in Processor.FLAGS)
    return VectorEnv(Processor(flags=flags).load(made), TABLES, sides, 16, BUDGET)


def hashes(records: Any) -> Any:
    """For each record the word that stands for it, as the kernel works it out."""
    mixed = np.arange(len(records), dtype=np.uint64)
    for column in records.T:
        mixed = (mixed ^ column.astype(np.uint64)) * GOLDEN
    return mixed ^ mixed >> np.uint64(32)


def played_through(env: Any) -> list[str]:
    """Some steps with answers that anybody can work out, and a word for all that was seen at
    each."""
    xp, found = env.xp, []
    seen = env.reset(seed=SEED)
    numbers = xp.arange(env.games)
    for step in range(TURNS_COMPARED):
        told = hashlib.sha256()
        for name in ("seats", "observations", "offered", "options", "ended", "scores", "won"):
            array = getattr(seen, name)
            host = array if isinstance(array, np.ndarray) else array.get()
            told.update(np.ascontiguousarray(host.astype(np.int32)).tobytes())
        found.append(told.hexdigest()[:16])
        assert not bool(seen.cut.any()), "a game could not go on"
        seen = env.step((7 * numbers + 13 * step) % seen.offered)
    return found


# ---------------------------------------------------------------- the GPU


class Prepared:
    """What was prepared, on the GPU."""

    def __init__(self, folder: Path) -> None:
        from lawspeaker.outside.gpu_driver import CupyDevice

        self.folder = folder
        self.device = CupyDevice()
        self.listed = json.loads((folder / "games.json").read_text())

    def about(self, game: str) -> dict[str, Any]:
        (found,) = (each for each in self.listed if each["game"] == game)
        return dict(found)

    def loaded(self, game: str, use: str) -> Any:
        made = pickle.loads((self.folder / f"{slug(game, use)}.kernel").read_bytes())
        binary = self.folder / f"{slug(game, use)}.cubin"
        return self.device.load(made, binary if binary.exists() else None)

    def program(self, game: str) -> Any:
        from lawspeaker.outside.gpu_driver import program

        return program(self.loaded(game, self.about(game)["use"]))

    def env(self, game: str, games: int, most: int) -> Any:
        from lawspeaker.outside.vectors import VectorEnv

        sides = tuple(tuple(each) for each in self.about(game)["sides"])
        return VectorEnv(self.loaded(game, "turns"), games, sides, most, BUDGET)

    def records(self, game: str) -> Any:
        return np.load(self.folder / f"{slug(game, 'records')}.npz")


def compile_all(folder: Path, jobs: int) -> None:
    """Compiles all kernels side by side, where nvcc is; else CuPy does it, one by one."""
    if shutil.which("nvcc") is None:
        return
    with ThreadPoolExecutor(jobs) as pool:
        for told in pool.map(compile_one, sorted(folder.glob("*.kernel"))):
            print(told, flush=True)


def compile_one(file: Path) -> str:
    text, out = file.with_suffix(".cu"), file.with_suffix(".cubin")
    if out.exists():
        return f"{out.name} is there"
    text.write_text(pickle.loads(file.read_bytes()).source)
    command = ["nvcc", "-std=c++17", "-arch=native", "-O3", "-w", "-DCHECKED"]
    command += ["-Xptxas", "-v", "-cubin", "-o", str(out), str(text)]
    if pickle.loads(file.read_bytes()).use == "turns":
        command += ["-Xptxas", "-O0"]  # as `driving.flags` has it
    began = time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    except subprocess.TimeoutExpired:
        return f"{file.stem}: NOT COMPILED in time"
    used = [line.split(":", 1)[-1].strip() for line in done.stderr.splitlines() if "Used " in line]
    if done.returncode:
        out.unlink(missing_ok=True)
        return f"{file.stem}: NOT COMPILED {done.stderr[-300:]}"
    took = time.monotonic() - began
    return f"{file.stem}: {took:.0f} s, {out.stat().st_size:,} bytes, {used[-1] if used else ''}"


Told = Iterator[tuple[bool, str]]
"""Lines, and whether all is well."""


def equal(gpu: Prepared, spend: Callable[[], bool], game: str) -> Told:
    for about in gpu.listed:
        if spend() and game in ("", about["game"]):
            yield guarded(about["game"], _equal, gpu, about)


def _equal(gpu: Prepared, about: dict[str, Any]) -> tuple[bool, str]:
    game, wanted = about["game"], gpu.records(about["game"])["records"]
    program = gpu.program(game)
    one = program.launch(SEED, 0, len(wanted), BUDGET)
    many = program.launch(
        SEED, 0, about["summed"], BUDGET, rows=np.zeros(0, np.int64), printed=True
    )
    same = bool((one.records == wanted).all()) and not one.stopped
    alike = many.print == about["hash"] and not many.stopped
    return same and alike, (
        f"{len(wanted):,} records {'equal' if same else 'DIFFER'}, "
        f"sum over {about['summed']:,} {'equal' if alike else 'DIFFERS'}, "
        f"longest launch {max(one.longest, many.longest):.2f} s"
    )


def sums(gpu: Prepared, spend: Callable[[], bool], game: str) -> Told:
    for each in [game] if game else SUMMED:
        if spend():
            yield guarded(each, _sums, gpu, each)


def _sums(gpu: Prepared, game: str) -> tuple[bool, str]:
    wanted = np.load(gpu.folder / f"{slug(game, 'sums')}.npy")
    done = gpu.program(game).launch(SEED, 0, ONE_BY_ONE, BUDGET, summed=True)
    same = bool((done.sums == wanted).all()) and not done.odd and not done.stopped
    return same, f"{len(wanted):,} sums over {ONE_BY_ONE:,} games {'equal' if same else 'DIFFER'}"


def turns(gpu: Prepared, spend: Callable[[], bool], game: str) -> Told:
    for each in [game] if game else TURNS:
        if spend():
            yield guarded(each, _turns, gpu, each)


def _turns(gpu: Prepared, game: str) -> tuple[bool, str]:
    found, wanted = played_through(gpu.env(game, TABLES, 16)), gpu.about(game)["turns"]
    same = found == wanted
    return same, f"{len(found)} steps of {TABLES} tables {'equal' if same else 'DIFFER'}"


def speeds(gpu: Prepared, spend: Callable[[], bool], game: str) -> Told:
    listed = [about["game"] for about in gpu.listed if about["game"] not in SLICED]
    for each in listed:
        if spend() and game in ("", each):
            yield guarded(each, timed, gpu, each, False)
    for each in SUMMED:
        if spend() and each in listed and game in ("", each):
            yield guarded(f"{each} with sums", timed, gpu, each, True)


def timed(gpu: Prepared, game: str, summed: bool) -> tuple[bool, str]:
    """Games a second, in the median of three."""
    program, nothing = gpu.program(game), np.zeros(0, np.int64)

    def took(count: int) -> float:
        given = {"summed": True} if summed else {"rows": nothing}
        done = program.launch(SEED, 0, count, BUDGET, **given)
        if done.stopped or done.begun < count:
            raise RuntimeError(f"{done.begun} of {count} games begun, stopped {done.stopped[:3]}")
        return float(done.seconds)

    count = 4 * program.loaded.threads
    for _ in range(9):  # until it is known how threads go best
        took(count)
    last = took(count)
    while last < 0.08 and count < 1 << 28:
        count, last = 4 * count, took(4 * count)
    count = max(program.loaded.threads, min(1 << 29, int(count * min(6.0, 0.4 / last))))
    rates = [count / took(count) for _ in range(3)]
    rate = statistics.median(rates)
    spread = (max(rates) - min(rates)) / rate
    made = program.loaded.made
    return True, (
        f"{rate / 1e6:,.3f} M games/s, {rate * gpu.about(game)['decisions'] / 1e6:,.0f} M "
        f"decisions/s, ±{spread:.1%}, {made.own:,} bytes a game, "
        f"{made.shared_bytes:,} in shared memory"
    )


def scale(gpu: Prepared, spend: Callable[[], bool], game: str) -> Told:
    order = sorted(gpu.listed, key=lambda about: (scale_of(about["game"]), about["game"]))
    big = [about for about in gpu.listed if scale_of(about["game"]) == MANY]
    for about in [*big, *(each for each in order if each not in big)]:
        if spend() and game in ("", about["game"]):
            yield guarded(about["game"], _scale, gpu, about, spend)


def _scale(gpu: Prepared, about: dict[str, Any], spend: Callable[[], bool]) -> tuple[bool, str]:
    game, known = about["game"], gpu.records(about["game"])
    drawn, wanted, program = known["drawn"], known["sample"], gpu.program(about["game"])
    whole, done, compared, stopped = scale_of(game), 0, 0, 0
    size = max(2048, min(500_000, (1 << 31) // (4 * program.loaded.made.words)))
    began = time.monotonic()
    while done < whole and spend():
        some = min(size, whole - done)
        inside = np.flatnonzero((drawn >= done) & (drawn < done + some))
        found = program.launch(SEED, done, some, BUDGET, rows=drawn[inside] - done)
        if len(inside) and not bool((found.records == wanted[inside]).all()):
            return False, f"records DIFFER among games {done:,} to {done + some:,}"
        done, compared, stopped = done + some, compared + len(inside), stopped + len(found.stopped)
    took = time.monotonic() - began
    return not stopped, (
        f"{done:,} games in {took:.1f} s, {compared:,} drawn at random equal, {stopped} stopped"
    )


def many(gpu: Prepared, spend: Callable[[], bool], game: str) -> Told:
    yield guarded(game or SUMMED[0], _many, gpu, game or SUMMED[0], spend)


def _many(gpu: Prepared, game: str, spend: Callable[[], bool]) -> tuple[bool, str]:
    """Launches of half a second, as `simulate` makes them."""
    program = gpu.program(game)
    done, size, longest, stopped, began = 0, 100_000, 0.0, 0, time.monotonic()
    while done < THOUSAND_MILLION and spend():
        some = min(size, THOUSAND_MILLION - done)
        found = program.launch(SEED, done, some, BUDGET, summed=True)
        done, longest = done + found.begun, max(longest, found.seconds)
        stopped += len(found.stopped) + len(found.odd)
        size = max(100_000, int(min(8 * size, some * 0.5 / max(found.seconds, 1e-6))))
    took = time.monotonic() - began
    return True, (
        f"{done:,} games with all sums in {took:.1f} s, longest launch {longest:.2f} s, "
        f"{stopped} left to the CPU"
    )


def slices(gpu: Prepared, spend: Callable[[], bool], game: str) -> Told:
    for each in [game] if game else SLICED:
        if spend():
            yield guarded(each, _slices, gpu, each)


def _slices(gpu: Prepared, game: str) -> tuple[bool, str]:
    program = gpu.program(game)
    count = program.loaded.threads  # as many as can be under way at once

    done = program.launch(SEED, 0, count, BUDGET, rows=np.zeros(0, np.int64))
    return not done.stopped, (
        f"{count:,} games in {done.seconds:.1f} s, {count / done.seconds:,.0f} games/s, longest "
        f"launch of {done.launches} {done.longest:.2f} s, {len(done.stopped)} stopped"
    )


def steps(gpu: Prepared, spend: Callable[[], bool], game: str) -> Told:
    if game == "torch":
        yield guarded("torch", _with_torch, gpu)
        return
    for each in [game] if game else TURNS:
        if spend():
            yield guarded(each, _steps, gpu, each)


def _steps(gpu: Prepared, game: str) -> tuple[bool, str]:
    xp, tables = gpu.device.cupy, 65_536 if game != "walhalla:4" else 32_768
    env = gpu.env(game, tables, 8)
    seen, cut, count = env.reset(seed=SEED), 0, 60
    luck = np.random.default_rng(1)

    def step() -> None:
        nonlocal seen
        part = xp.asarray(luck.random(tables))
        at = xp.minimum((part * seen.offered).astype(xp.int64), xp.maximum(seen.offered - 1, 0))
        seen = env.step(at)

    for _ in range(5):
        step()
        int(seen.cut.sum())  # CuPy compiles what it adds up with when it is first asked to
    xp.cuda.Device().synchronize()
    began = time.monotonic()
    for _ in range(count):
        step()
        cut += int(seen.cut.sum())
    took = time.monotonic() - began
    rate = tables * count / took / 1e6
    return True, f"{rate:,.1f} M decisions/s, {tables:,} tables, {cut} games cut off"


def _with_torch(gpu: Prepared) -> tuple[bool, str]:
    import torch

    seen = gpu.env("connect_four:2", 256, 8).reset(seed=SEED)
    taken = torch.from_dlpack(seen.observations)
    same = bool((taken.cpu().numpy() == seen.observations.get()).all())
    shared = taken.data_ptr() == seen.observations.data.ptr
    return same and shared, f"PyTorch {torch.__version__} takes {tuple(taken.shape)} over by DLPack"


def guarded(what: str, work: Callable[..., tuple[bool, str]], *given: Any) -> tuple[bool, str]:
    """A line of a part; what fails is told."""
    began = time.monotonic()
    try:
        well, told = work(*given)
    except Exception:
        well, told = False, "FAILED " + traceback.format_exc(limit=-3)
    return well, f"{what}: {told} [{time.monotonic() - began:.1f} s]"


PARTS: dict[str, Callable[..., Told]] = {
    "equal": equal,
    "sums": sums,
    "turns": turns,
    "steps": steps,
    "slices": slices,
    "scale": scale,
    "speeds": speeds,
    "many": many,
}
ORDER = {
    "equal": 0.12,
    "sums": 0.03,
    "turns": 0.04,
    "steps=kuhn_poker:2": 0.04,
    "steps=connect_four:2": 0.04,
    "steps=walhalla:4": 0.04,
    "steps=torch": 0.03,
    "slices=chess:2": 0.08,
    "slices=go:2": 0.08,
    "scale": 0.3,
    "speeds": 0.2,
    "many": 0.25,
}
"""All parts, and what of the time each may take."""
PATIENCE = 25
"""Seconds that a part may take longer: what is under way is brought to its end."""


def part(folder: Path, name: str, seconds: float) -> bool:
    """One part of a run."""
    name, _, game = name.partition("=")
    gpu, end, right = Prepared(folder), time.monotonic() + seconds, True
    for well, line in PARTS[name](gpu, lambda: time.monotonic() < end, game):
        right = right and well
        print(f"{'ok ' if well else 'NOT'} {name:8} {line}", flush=True)
    return right


def run(folder: Path, seconds: float, out: Path, jobs: int, wanted: list[str]) -> bool:
    """Each part in a process of its own: a GPU that was given a bad address is of no more use to
    whoever gave it, but to all others."""
    began = time.monotonic()
    out.mkdir(parents=True, exist_ok=True)
    compile_all(folder, jobs)
    print(f"--- compiled, {time.monotonic() - began:.0f} s in all", flush=True)
    lines: list[str] = []
    right = True
    for name in wanted or ORDER:
        share = min(began + seconds - time.monotonic(), seconds * ORDER[name])
        if share < 3:
            lines.append(f"--- {name}: no time was left")
            continue
        command = [sys.executable, __file__, "part", str(folder), "--part", name]
        command += ["--seconds", str(share)]
        well, told = _told(command, share + PATIENCE)
        right = right and well
        print(told, f"--- {name} done, {time.monotonic() - began:.0f} s in all", flush=True)
        lines += [line for line in told.splitlines() if line[:4] in ("ok  ", "NOT ")]
    (out / "result.txt").write_text("\n".join(lines) + "\n")
    print("=" * 40, *lines, sep="\n", flush=True)
    return right


def _told(command: list[str], seconds: float) -> tuple[bool, str]:
    """What a process says, and whether all went well."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired as error:
        said = error.stdout.decode() if isinstance(error.stdout, bytes) else error.stdout or ""
        return False, f"NOT {command[5]} was stopped after {seconds:.0f} s\n{said}"
    wrong = done.stderr[-1500:] if done.returncode else ""
    return done.returncode == 0, done.stdout + wrong


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("what", choices=["prepare", "run", "part"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--games", nargs="*", default=GAMES)
    parser.add_argument("--summed", type=int, default=50_000, help="games that go into a sum")
    parser.add_argument("--jobs", type=int, default=16, help="kernels compiled at a time")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--out", type=Path, default=None)
    parser.add_argument("--part", default="", help="one part of a run")
    parser.add_argument("--parts", nargs="*", default=[], help="these parts, in this order")
    given = parser.parse_args()
    if given.what == "prepare":
        prepare(given.folder, given.games, given.summed)
        return
    out = given.out or given.folder
    if given.what == "part":
        well = part(given.folder, given.part, given.seconds)
    else:
        well = run(given.folder, given.seconds, out, given.jobs, given.parts)
    if not well:
        sys.exit(1)


if __name__ == "__main__":
    main()
