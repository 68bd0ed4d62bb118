"""The command that starts a server: what it says when it cannot."""

from __future__ import annotations

import builtins
import socket
from pathlib import Path
from typing import Any

import pytest
import typer

from lawspeaker.faces.cli.serve import serve


def started(capsys: pytest.CaptureFixture[str], **options: Any) -> tuple[int, str]:
    """The exit code and the complaint of a server that cannot be started."""
    given = {"host": "127.0.0.1", "port": 0, "data": None, "name": [], "open_page": False}
    with pytest.raises(typer.Exit) as ended:
        serve(**{**given, "verbose": False, **options})
    return ended.value.exit_code, capsys.readouterr().err


def test_a_port_that_is_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        code, told = started(capsys, port=port, data=tmp_path)
    assert code == 2
    assert f"port {port}" in told
    assert "--port" in told


def test_a_host_that_is_not_here(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, told = started(capsys, host="nowhere.invalid", data=tmp_path)
    assert code == 2
    assert "cannot listen at nowhere.invalid" in told


def test_a_folder_that_cannot_be_used(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    code, told = started(capsys, data=tmp_path / "file")
    assert code == 1
    assert "cannot keep tables" in told


def test_without_the_extra(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "lawspeaker.faces.web.app":
            raise ModuleNotFoundError("no", name="starlette")
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    code, told = started(capsys, data=tmp_path)
    assert code == 2
    assert "pip install 'lawspeaker[web]'" in told
