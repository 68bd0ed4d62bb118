"""A visitor's session with studies: paired games, comparisons, the lab.

It needs several processes, and numeric libraries that only a server has.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, ClassVar

from lawspeaker.base.phrases import LANGUAGES
from lawspeaker.faces.web.messages import LARGEST_SEED, BadMessage
from lawspeaker.faces.web.workshop import fields, reading_desk, studies
from lawspeaker.faces.web.workshop.drafts import called, draft
from lawspeaker.faces.web.workshop.fields import Data
from lawspeaker.faces.web.workshop.laboratory import ExperimentRequest
from lawspeaker.faces.web.workshop.mixing import picks_in
from lawspeaker.faces.web.workshop.trial_positions import Tellings
from lawspeaker.faces.web.workshop.versions import GAME, original_of, put_together, versions
from lawspeaker.faces.web.workshop.visit import LONG, MOST_GAMES, MOST_PLAYERS, QUICK, Visit
from lawspeaker.outside import parallel
from lawspeaker.outside.library import Library, built_in

MOST_ROWS = 10_000
THINKING = 40
"""Maximum number of games that the bots of a review play."""
COURSES = 200
"""Maximum number of games whose positions are played out."""
DEALS = 20
"""Maximum number of deals of each step of a ladder."""
PAIRS = 1000
"""Maximum number of pairs of games of each thing that is taken away."""
LAB_BOTS = {"random": MOST_GAMES, "greedy": 500, "mc:100": 50, "tree:300": 20, "best": 20}
"""The bots of the lab, with the maximum number of games for each."""


@lru_cache(maxsize=12)
def in_both(first: str, second: str) -> tuple[tuple[str, str], ...]:
    """Returns parallel texts of the built-in games in two languages, cached."""
    return tuple(parallel.of_everything(first, second, Library(built_in(), ()), ""))


class Studying(Visit):
    async def _effect(self, data: Data) -> None:
        before, after = await self._both(data)
        players = fields.number(data, "players", MOST_PLAYERS)
        games = min(fields.number(data, "games", MOST_GAMES), MOST_GAMES)
        job = (studies.paired, before, after, players, fields.bot(data), games, 1)
        await self._tell(self.slow, "effect", data.get("id"), LONG, *job)

    # ------------------------------------------------------------ comparison

    async def _named(self, data: Data) -> Tellings:
        return await versions(self.reader, data.get("names"))

    async def _changes(self, data: Data) -> None:
        """Reports the changes of a draft one by one, for each to be weighed alone."""
        job = (studies.singled, await self._named(data), str(data.get("language", ""))[:2])
        await self._tell(self.quick, "changes", data.get("id"), QUICK, *job)

    async def _witness(self, data: Data) -> None:
        named = await self._named(data)
        spoken, shape = str(data.get("language", ""))[:2], str(data.get("shape", "wide"))[:4]
        number, telling = fields.number(data, "number", MOST_ROWS), fields.telling(data, named)
        job = (studies.witnessed, named, spoken, shape, number, telling)
        await self._tell(self.slow, "witness", data.get("id"), LONG, *job)

    async def _weigh(self, data: Data) -> None:
        named = await self._named(data)
        number, telling = fields.number(data, "number", MOST_ROWS), fields.telling(data, named)
        games, spoken = fields.number(data, "games", MOST_GAMES), str(data.get("language", ""))[:2]
        players = fields.number({"players": 0, **data}, "players", MOST_PLAYERS)
        job = (studies.weighed, named, spoken, number, telling, games, players, fields.bot(data))
        await self._tell(self.slow, "weighed", data.get("id"), LONG, *job)

    async def _balance(self, data: Data) -> None:
        """Reports the measured effect of a mix against one of its editions."""
        named = await self._named(data)
        told = data.get("picks")
        picks = picks_in(told if isinstance(told, list) else [], len(named))
        telling, games = (
            fields.number(data, "telling", len(named) - 1),
            fields.number(data, "games", MOST_GAMES),
        )
        job = (studies.balanced, named, str(data.get("language", ""))[:2], picks, telling, games)
        await self._tell(self.slow, "balanced", data.get("id"), LONG, *job)

    # ------------------------------------------------------------ the reading desk

    async def _desk(self, data: Data) -> None:
        """Performs an action at the reading desk and reports its state."""
        _, files = await self._both(data)
        texts, links = reading_desk.texts_in(data), reading_desk.links_in(data)
        job = (studies.at_desk, files, texts, links, reading_desk.act_in(data))
        await self._tell(self.quick, "desk", data.get("id"), QUICK, *job)

    async def _align(self, data: Data) -> None:
        """Aligns the sentences of two books; the texts of other games serve as a dictionary."""
        _, files = await self._both(data)
        texts = reading_desk.texts_in(data)
        first, second = fields.text(data, "first"), fields.text(data, "second")
        spoken = fields.texts(data, "languages")
        known: tuple[tuple[str, str], ...] = ()
        if len(spoken) == 2 and {*spoken} <= {*LANGUAGES} and spoken[0] != spoken[1]:
            known = await self.reader.reading(in_both, *spoken)
        job = (studies.aligned_here, files, texts, first, second, known)
        await self._tell(self.slow, "align", data.get("id"), LONG, *job)

    async def _take_home(self, data: Data) -> None:
        beside = fields.texts(data, "beside")
        job = (studies.taken_home, fields.text(data, "name"), draft(data).files, beside)
        await self._tell(self.quick, "take_home", data.get("id"), QUICK, *job)

    # ------------------------------------------------------------ the lab

    async def _wish(self, data: Data) -> ExperimentRequest:
        """Parses a request for an experiment, by rules of the catalogue or a draft of them."""
        written = draft(data)
        original = await original_of(self.reader, written.rules)
        files, name = put_together(original, written.files), written.rules
        if written.files:
            name = called(written, original, GAME)
        players, bot = fields.number(data, "players", MOST_PLAYERS), str(data.get("bot", "random"))
        if bot not in LAB_BOTS:
            raise BadMessage("bad_message", f"`bot` is one of {', '.join(LAB_BOTS)}")
        games, seed = (
            fields.number(data, "games", MOST_GAMES),
            fields.number(data, "seed", LARGEST_SEED),
        )
        most = MOST_GAMES if data.get("type") == "review" else LAB_BOTS[bot]
        spoken = str(data.get("language", ""))[:2]
        return ExperimentRequest(files, name, players, bot, max(2, min(games, most)), seed, spoken)

    async def _simulate(self, data: Data) -> None:
        wish = await self._wish(data)
        await self._tell(self.slow, "simulated", data.get("id"), LONG, studies.simulated, wish)

    async def _sweep(self, data: Data) -> None:
        job = (
            studies.swept,
            await self._wish(data),
            fields.texts(data, "vary"),
            fields.texts(data, "measure"),
        )
        await self._tell(self.slow, "swept", data.get("id"), LONG, *job)

    async def _tune(self, data: Data) -> None:
        wish = await self._wish(data)
        asked = (fields.texts(data, each) for each in ("vary", "target", "measure"))
        await self._tell(self.slow, "tuned", data.get("id"), LONG, studies.tuned, wish, *asked)

    async def _drama(self, data: Data) -> None:
        wish = await self._wish(data)
        wish = replace(wish, games=max(4, min(wish.games, COURSES)))
        await self._tell(self.slow, "dramatic", data.get("id"), LONG, studies.dramatic, wish)

    async def _variety(self, data: Data) -> None:
        wish = await self._wish(data)
        wish = replace(wish, games=max(4, min(wish.games, COURSES)))
        await self._tell(self.slow, "varied", data.get("id"), LONG, studies.varied, wish)

    async def _worth(self, data: Data) -> None:
        wish = await self._wish(data)
        wish = replace(wish, games=max(20, min(wish.games, PAIRS)))
        await self._tell(self.slow, "worthy", data.get("id"), LONG, studies.worthy, wish)

    async def _ladder(self, data: Data) -> None:
        wish = await self._wish(data)
        wish = replace(wish, bot="random", games=max(4, min(wish.games, DEALS)))
        await self._tell(self.slow, "laddered", data.get("id"), LONG, studies.laddered, wish)

    async def _review(self, data: Data) -> None:
        wish = await self._wish(data)
        thinking = min(LAB_BOTS[wish.bot], THINKING)
        await self._tell(
            self.slow, "reviewed", data.get("id"), LONG, studies.reviewed, wish, thinking
        )

    works: ClassVar[Mapping[str, Callable[[Any, Data], Awaitable[None]]]] = {
        **Visit.works,
        "effect": _effect,
        "changes": _changes,
        "witness": _witness,
        "weigh": _weigh,
        "balance": _balance,
        "desk": _desk,
        "align": _align,
        "take_home": _take_home,
        "simulate": _simulate,
        "sweep": _sweep,
        "tune": _tune,
        "drama": _drama,
        "variety": _variety,
        "ladder": _ladder,
        "worth": _worth,
        "review": _review,
    }
    lasting: ClassVar[frozenset[str]] = Visit.lasting | {
        *("effect", "witness", "weigh", "balance", "simulate", "sweep", "tune", "review"),
        *("drama", "variety", "ladder", "worth"),
    }
