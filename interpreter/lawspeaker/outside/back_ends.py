"""Installs this computer's back ends: module cache, learned policies and GPU playouts."""

from __future__ import annotations

from functools import cache

from lawspeaker.machines.adapter import keep_modules_in
from lawspeaker.outside.learned import LearnedShelf
from lawspeaker.outside.machines import explorer
from lawspeaker.outside.modules import ModuleFolder, cache_folder
from lawspeaker.players.bots.policies import keep_learned_on
from lawspeaker.players.bots.trials import try_out_with


@cache
def equip() -> None:
    """Enables the module cache, the folder of learned policies, and GPU playouts where they pay
    off.
    """
    folder = ModuleFolder(cache_folder())
    folder.forget_others()
    keep_modules_in(folder)
    keep_learned_on(LearnedShelf())
    try_out_with(explorer)
