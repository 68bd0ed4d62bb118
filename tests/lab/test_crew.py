"""Work spread over processes and over a real cluster, one of whose workers dies."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import reduce
from operator import add
from pathlib import Path

import pytest
from typer.testing import CliRunner

import lawspeaker
from lawspeaker.faces.cli import app
from lawspeaker.outside import crew
from lawspeaker.outside.crew import Crew, NoCluster
from lawspeaker.outside.experiments.requests import Setting
from lawspeaker.outside.experiments.reviewing import review
from lawspeaker.outside.experiments.steps import finished
from lawspeaker.outside.rules import MatchSetup, Rules
from lawspeaker.outside.training import ROUNDS, TrainingTask, blank, training
from lawspeaker.outside.workers import sums
from lawspeaker.position.layout import Layout
from lawspeaker.study.lab.games import Games
from lawspeaker.study.lab.sweep import Swept, swept
from lawspeaker.study.lab.varying import combinations, patch, varied

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 90
LONG = 600
PATIENT = {
    "DASK_DISTRIBUTED__SCHEDULER__WORKER_TTL": "1 hour",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "300 s",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__TCP": "300 s",
}
"""A worker on a busy machine is not taken for dead; one that is killed closes its line."""


def slowly(games: Sequence[Games]) -> Swept:
    """Long enough that a worker can be killed in the middle of it."""
    time.sleep(0.2)
    return swept(games, reference=0)


def squared(number: int) -> int:
    return number * number


@pytest.mark.parametrize("workers", [1, 2])
def test_results_come_in_the_order_of_the_jobs(workers: int) -> None:
    found = Crew(workers).spread(squared, [(each,) for each in range(40)])
    assert list(found) == [each * each for each in range(40)]


def test_a_cluster_that_is_not_there_is_answered() -> None:
    with pytest.raises(NoCluster, match="there is no cluster at"):
        list(Crew(cluster="nonsense://nowhere").spread(squared, [(1,)]))


@pytest.mark.full
def test_a_cluster_without_workers_is_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew, "WORKERS_PATIENCE", 0.1)
    with ExitStack() as at_the_end:
        empty = Cluster(tmp_path, at_the_end, workers=0)
        with pytest.raises(NoCluster, match="has nobody to work: no worker has come"):
            list(Crew(cluster=empty.address).spread(squared, [(1,)]))


class Cluster:
    """A scheduler and two workers, each a process of its own, as on machines of their own."""

    def __init__(self, folder: Path, at_the_end: ExitStack, workers: int = 2) -> None:
        self.file = folder / "scheduler.json"
        self.log = at_the_end.enter_context((folder / "log").open("wb"))
        self.at_the_end = at_the_end
        self.start("scheduler", "--port", "0", "--no-dashboard", "--no-jupyter")
        self.address = self.wait_for_address()
        self.workers = [self.worker() for _ in range(workers)]
        if not workers:
            return
        from distributed import Client

        with Client(self.address, timeout=LONG) as client:
            client.wait_for_workers(workers, timeout=LONG)

    def worker(self) -> subprocess.Popen[bytes]:
        return self.start("worker", "--nthreads", "1", "--no-dashboard", "--death-timeout", "300")

    def start(self, what: str, *arguments: str) -> subprocess.Popen[bytes]:
        path = os.pathsep.join([str(ROOT / "interpreter"), str(ROOT)])
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "distributed.cli.dask_" + what),
                *("--scheduler-file", str(self.file), *arguments),
            ],
            env={**os.environ, **PATIENT, "PYTHONPATH": path},
            stdout=self.log,
            stderr=self.log,
        )

        def end() -> None:
            process.kill()
            process.wait()

        self.at_the_end.callback(end)
        return process

    def wait_for_address(self) -> str:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                return str(json.loads(self.file.read_text())["address"])
            except (OSError, ValueError):
                time.sleep(0.1)
        raise TimeoutError("the scheduler did not start")


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with ExitStack() as at_the_end:
        yield Cluster(tmp_path_factory.mktemp("cluster"), at_the_end)


def sweep(*where: str) -> object:
    result = CliRunner().invoke(
        app,
        [
            *("sweep", "walhalla", "--vary", "cards.at_start=0..1", "--games", "10"),
            *("--players", "3", "--json", *where),
        ],
    )
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


@pytest.mark.nightly
def test_a_cluster_gives_the_same_numbers_even_when_a_worker_dies(cluster: Cluster) -> None:
    game = lawspeaker.load("walhalla")
    choice = varied("cards.at_start=0..2", Layout(game.program, 3))
    rules = [
        Rules("walhalla", game.files, patch(game.program, [choice], values))
        for values in combinations([choice])
    ]

    def begun(who: Crew) -> Iterator[Swept]:
        return sums(rules, MatchSetup(("random",) * 3, 1), range(30), slowly, who)

    away = begun(Crew(cluster=cluster.address))
    first = next(away)
    cluster.workers[0].kill()
    found = reduce(add, away, first)
    assert found == reduce(add, begun(Crew(1)))
    assert found.games == 30
    assert sweep("--cluster", cluster.address) == sweep("--workers", "1")


class Counted(Crew):
    """As many hands as a cluster is thought to have, all of them this process."""

    @property
    def alone(self) -> bool:
        return True

    @property
    def hands(self) -> int:
        return Crew(cluster="somewhere").hands


@pytest.mark.nightly
def test_reviews_and_training_outlive_a_worker(cluster: Cluster) -> None:
    away, rules = Crew(cluster=cluster.address), Rules.of("nim")
    setting = Setting(rules, ("mc:4",) * 2, 1, 40, away)
    reviewed = review(setting, 6, away)
    mortal = cluster.worker()
    begun = next(step for step in reviewed if step.known is not None)
    mortal.kill()
    assert begun.done < begun.of, "others are still at work"
    here = finished(review(replace(setting, crew=Counted()), 6, Counted()))
    there = finished(reviewed)
    assert there.findings == here.findings
    assert there.evidence.thinking == here.evidence.thinking
    assert there.evidence.proofs == here.evidence.proofs

    course = TrainingTask(rules, 2, 1)
    games = 2 * away.hands * ROUNDS
    mortal = cluster.worker()
    learned = training(blank(course), away, games, 0)
    next(learned)
    mortal.kill()
    *_, last = itertools.islice(learned, 1)
    *_, alone = itertools.islice(training(blank(course), Counted(), games, 0), 2)
    assert last.rounds == alone.rounds == 2
    assert last.content == alone.content
