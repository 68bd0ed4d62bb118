"""The files for containers and services: they call the server as it can be called, as nobody with
privileges, and the docs name all that is there."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from lawspeaker.faces.cli.serve import serve
from lawspeaker.faces.web.metrics import KINDS
from tests.repo.checkout import ROOT

DEPLOY = ROOT / "deploy"
CONTAINER = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
UNIT = (DEPLOY / "lawspeaker.service").read_text(encoding="utf-8")
PAGE = (ROOT / "docs/operating.md").read_text(encoding="utf-8")


def line_of(text: str, key: str) -> str:
    (found,) = re.findall(rf"^{key}[ =](.+)$", text, re.M)
    return str(found)


def calls() -> dict[str, list[str]]:
    """The words behind `lawspeaker serve`, by the file that has them."""
    begins = json.loads(line_of(CONTAINER, "ENTRYPOINT"))
    assert begins[1] == "serve"
    unit = shlex.split(line_of(UNIT, "ExecStart"))
    assert unit[1] == "serve"
    shown = re.search(r"lawspeaker (--data \S+ --name \S+)\n```", PAGE)
    assert shown is not None
    return {
        "Containerfile": begins[2:] + json.loads(line_of(CONTAINER, "CMD")),
        "compose.yaml": begins[2:] + COMPOSE["services"]["tables"]["command"],
        "lawspeaker.service": unit[2:],
        "operating.md": begins[2:] + shlex.split(shown[1]),
    }


@pytest.mark.parametrize("file, words", calls().items())
def test_the_server_can_be_called_so(file: str, words: list[str]) -> None:
    app = typer.Typer()
    app.command()(serve)
    command = typer.main.get_command(app)
    with command.make_context("serve", list(words)) as context:
        assert context.params["data"], "tables must survive the container"


def test_the_container_is_nobody_and_writes_to_its_volume_alone() -> None:
    assert int(line_of(CONTAINER, "USER").split(":")[0]) > 0
    volume = line_of(CONTAINER, "VOLUME")
    places = dict(each.split("=") for each in line_of(CONTAINER, "ENV").split())
    for name in ("HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        assert places[name].startswith(volume)
    tables = COMPOSE["services"]["tables"]
    assert tables["read_only"] is True
    assert (tables["cap_drop"], tables["tmpfs"]) == (["ALL"], ["/tmp"])
    assert [each.split(":")[1] for each in tables["volumes"]] == [volume]


def test_only_the_proxy_is_reached_from_outside() -> None:
    services = COMPOSE["services"]
    assert [name for name, each in services.items() if "ports" in each] == ["proxy"]
    assert [name for name, each in services.items() if "outside" in each["networks"]] == ["proxy"]
    assert COMPOSE["networks"]["inside"] == {"internal": True}


def test_what_a_container_is_built_of_is_there() -> None:
    for source in re.findall(r"/source/(\S+)", CONTAINER):
        assert (ROOT / source).exists(), source
    assert Path(COMPOSE["services"]["tables"]["build"]["dockerfile"]) == Path(
        "deploy/Containerfile"
    )


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_reads_the_unit(tmp_path: Path) -> None:
    """With a program and a user that are there."""
    unit = tmp_path / "lawspeaker.service"
    text = re.sub(r"/opt/lawspeaker/bin/lawspeaker", "/bin/true", UNIT)
    unit.write_text(text.replace("User=lawspeaker", "User=root"), encoding="utf-8")
    command = ["systemd-analyze", "verify", str(unit)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "lawspeaker.service" not in done.stderr, done.stderr


def test_the_docs_name_all_metrics() -> None:
    rows = re.findall(r"^\| `((?:lawspeaker|process)_\w+)` \| (.+) \|$", PAGE, re.M)
    assert rows == [(name, about) for name, (_, about) in KINDS.items()]
