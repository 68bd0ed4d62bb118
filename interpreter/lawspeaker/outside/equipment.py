"""What this computer has to offer those who play and think: an edge."""

from __future__ import annotations

from functools import cache

from lawspeaker.machines.adapter import keep_modules_in
from lawspeaker.outside.learned import LearnedShelf
from lawspeaker.outside.machines import explorer
from lawspeaker.outside.modules import Folder, cache_folder
from lawspeaker.players.bots.policies import keep_learned_on
from lawspeaker.players.bots.trials import try_out_with


@cache
def equip() -> None:
    """From here on compiled games are kept on disk, what was learned is looked for there, and bots
    that can think on a card do so where it is worth it."""
    folder = Folder(cache_folder())
    folder.forget_others()
    keep_modules_in(folder)
    keep_learned_on(LearnedShelf())
    try_out_with(explorer)
