"""What is never done is left out, and only that."""

from __future__ import annotations

import pytest

from lawspeaker.machines.compiled import formed
from lawspeaker.machines.middle.module import Module
from lawspeaker.machines.middle.passes import leave_needed
from lawspeaker.machines.middle.walk import operations
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.outside.loading import load
from lawspeaker.position.layout import Layout


@pytest.mark.full
def test_whole_games_need_two_thirds_of_a_module_at_most() -> None:
    _, module = formed(Layout(load("walhalla").program, 4), PLAYING)
    functions, before = len(module.functions), length(module)
    leave_needed(module, ["configure", "simulate"])
    assert len(module.functions) < functions
    assert 3 * length(module) < 2 * before


def length(module: Module) -> int:
    return sum(operations(each.body) for each in module.functions)
