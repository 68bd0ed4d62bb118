"""What a server counts and logs: totals alone, at an address of their own, and lines of JSON."""

from __future__ import annotations

import json
import logging
import os
import re
import socket
import subprocess
import sys
from multiprocessing import get_context
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from lawspeaker.faces.web import metrics as counting
from lawspeaker.faces.web.metrics import (
    BUCKETS,
    KINDS,
    Asked,
    Metrics,
    Snapshot,
    added,
    answer,
    expose,
    written,
)
from lawspeaker.faces.web.running import JsonLines
from tests.repo.checkout import ROOT
from tests.web.conftest import House, Served
from tests.web.visitors import everyone, play_on, set_up

LINE = re.compile(r'[a-z_]+(\{[a-z]+="[^"{}]*"(,[a-z]+="[^"{}]*")*\})? [0-9.e+-]+\Z')


def value(text: str, sample: str) -> float:
    (found,) = re.findall(rf"^{re.escape(sample)} (\S+)$", text, re.M)
    return float(found)


def test_totals_are_told_and_nothing_else(house: House) -> None:
    host = set_up(house.post, "nim", ["me", "friend"])
    found = everyone(host, house.connect(host).shown)
    screens = {seat: house.connect(found[seat]) for seat in (0, 1)}
    given = play_on(screens, 2)
    house.client.get(f"/t/{host}")
    house.client.get("/nothing/here")
    house.client.request("BREW", "/")
    text = written(house.web.metrics.snapshot())
    assert value(text, "lawspeaker_replies_total") == given == 2
    assert value(text, "lawspeaker_tables_stored") == value(text, "lawspeaker_tables_open") == 1
    assert value(text, "lawspeaker_screens") >= 2
    page = 'lawspeaker_requests_total{method="GET",route="/t/{token}",status="200"}'
    assert value(text, page) == 1
    assert value(text, 'lawspeaker_requests_total{method="GET",route="-",status="404"}') == 1
    assert 'method="other"' in text
    count = value(text, "lawspeaker_request_seconds_count")
    assert count == value(text, 'lawspeaker_request_seconds_bucket{le="+Inf"}') >= 4
    hidden = (*(screen.token for screen in screens.values()), "nim", "BREW", "nothing")
    assert not [each for each in hidden if each in text]
    assert house.client.get("/metrics").status_code == 404


def test_the_text_is_what_prometheus_reads() -> None:
    metrics = Metrics(lambda: {"lawspeaker_screens": 3.0})
    metrics.answered("GET", "/", 200, 0.05)
    metrics.answered("GET", "/", 200, 50.0)
    text = written(metrics.snapshot())
    metrics.close()
    assert text.endswith("\n")
    told = [line for line in text.splitlines() if not line.startswith("#")]
    assert all(LINE.match(line) for line in told), told
    assert len(set(told)) == len(told)
    heads = re.findall(r"^# TYPE (\w+) (\w+)$", text, re.M)
    assert set(heads) <= {(name, kind) for name, (kind, _) in KINDS.items()}
    buckets = [value(text, f'lawspeaker_request_seconds_bucket{{le="{most}"}}') for most in BUCKETS]
    assert buckets == sorted(buckets)
    assert (buckets[-1], value(text, "lawspeaker_request_seconds_count")) == (1, 2)


def test_processes_are_added_up() -> None:
    one: Snapshot = {("lawspeaker_screens", ""): 2, ("lawspeaker_tables_stored", ""): 5}
    other: Snapshot = {("lawspeaker_screens", ""): 1, ("lawspeaker_tables_stored", ""): 6}
    assert added([one, {}, other]) == {
        ("lawspeaker_screens", ""): 3,
        ("lawspeaker_tables_stored", ""): 6,
    }


def test_a_process_that_does_not_answer_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "PATIENCE", 0.05)
    mine, other = get_context("spawn").Pipe()
    asked = Asked(mine)
    assert asked.snapshot() == {}
    metrics = Metrics(dict)
    answer(other, metrics)  # it answers the first question too, too late
    monkeypatch.setattr(counting, "PATIENCE", 20)
    assert asked.snapshot()["lawspeaker_processes", ""] == 1
    mine.close()
    assert asked.snapshot() == {}
    metrics.close()


def test_they_have_an_address_of_their_own() -> None:
    bound = socket.create_server(("127.0.0.1", 0))
    expose(bound, lambda: [{("lawspeaker_screens", ""): 4.0}])
    url = f"http://127.0.0.1:{bound.getsockname()[1]}"
    with urlopen(f"{url}/metrics", timeout=10) as answered:
        assert answered.headers["content-type"].startswith("text/plain; version=0.0.4")
        assert value(answered.read().decode(), "lawspeaker_screens") == 4
    with pytest.raises(HTTPError, match="404"):
        urlopen(f"{url}/", timeout=10)


def test_a_line_of_the_log_is_an_object() -> None:
    level, values = logging.WARNING, ("Größe",)
    record = logging.LogRecord("lawspeaker.web", level, "", 0, "two\nlines of %s", values, None)
    line = JsonLines().format(record)
    assert "\n" not in line
    told: dict[str, Any] = json.loads(line)
    assert (told["level"], told["message"]) == ("warning", "two\nlines of Größe")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", told["at"])


STOPPED_AT_ONCE = """
import asyncio, logging, socket
from lawspeaker.faces.web import running

def stopped(runner, coroutine):
    raise KeyboardInterrupt

asyncio.Runner.run = stopped
running.log_to_terminal(logging.WARNING, as_json=True)
running.run(None, socket.create_server(("127.0.0.1", 0)))
import warnings
warnings.warn("all of the log is JSON")
"""


def test_a_server_that_is_stopped_before_it_begins_says_nothing() -> None:
    """What Python warns of is a line of the log like others."""
    done = subprocess.run(
        [sys.executable, "-c", STOPPED_AT_ONCE],
        env={**os.environ, "PYTHONPATH": str(ROOT / "interpreter")},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    (line,) = done.stderr.splitlines()
    assert "all of the log is JSON" in json.loads(line)["message"]


@pytest.mark.full
@pytest.mark.parametrize("processes", [1, 2])
def test_a_server_logs_and_counts(tmp_path: Path, processes: int) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    options = ("--metrics", str(port), "--log", "json", "-v", "--processes", str(processes))
    served = Served(tmp_path / "data", options)
    try:
        served.get("/api/words")
        url = f"http://127.0.0.1:{port}/metrics"
        asked, text = 'requests_total{method="GET",route="/api/words",status="200"} 1\n', ""
        while asked not in text:  # it is counted just after it was answered
            with urlopen(url, timeout=60) as answered:
                text = answered.read().decode()
        assert value(text, "lawspeaker_processes") >= 1
        assert served.stop() == 0
    finally:
        served.close()
    lines = [json.loads(each) for each in served.complaints().splitlines()]
    (line,) = [each for each in lines if each.get("route") == "/api/words"]
    assert (line["status"], line["method"]) == (200, "GET")
