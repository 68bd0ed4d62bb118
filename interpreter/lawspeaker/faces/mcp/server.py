"""`lawspeaker mcp`: the tools of the server, over standard input and output.

The docstring of a tool is its description for the model. A tool validates what it is asked, has the
work done in a confined process, and answers in text. What goes wrong is an error of the tool, which
the model reads. Only this process writes files, and only below its folder.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import aclosing, asynccontextmanager
from pathlib import Path
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

from lawspeaker import __version__
from lawspeaker.faces.mcp import jobs
from lawspeaker.faces.mcp.enclosure import Enclosure, NotAllowed
from lawspeaker.faces.mcp.jobs import Answer
from lawspeaker.faces.web.messages import LARGEST_SEED
from lawspeaker.faces.web.workshop.studying import (
    COURSES,
    DEALS,
    LAB_BOTS,
    PAIRS,
    THINKING,
)
from lawspeaker.faces.web.workshop.trial_positions import LONGEST
from lawspeaker.faces.web.workshop.visit import LONG, MOST_GAMES, MOST_PLAYERS, QUICK
from lawspeaker.faces.web.workshop.worker_pool import Job, Stopped, WorkerPool
from lawspeaker.outside.manual import index

PROCESSES = 2
MOST_FOUND = 4
"""Number of sections of the manual that are shown for some words."""
LONGEST_SECTION = 6_000
LONGEST_PAGE = 30_000
LONGEST_ASKED = 300
INSTRUCTIONS = """\
Lawspeaker is a language for the rules of tabletop games, and an interpreter that plays them. A game
is a folder NAME with a file game.yaml; a variant is a file variants/NAME/VARIANT.yaml. GAME+VARIANT
names both together.

To write a game: look up the manual ("first game", "questions", "pieces", or a recipe such as
"auction"), write the file, check it, and mend it until check finds no error. explain tells more of
a code. Then play a few replies, write scenarios as tests, simulate, and review. compare tells what
changed between two versions.

All paths are relative to the folder of this server."""


class Workers:
    """Runs jobs for one folder in a worker pool."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pool = WorkerPool(PROCESSES, reads=[folder])

    async def ask(self, job: Job, *given: Any, seconds: float = QUICK) -> Answer:
        """Runs a job and returns its answer; raises ToolError if it was stopped."""
        try:
            async with aclosing(
                self.pool.run(job, str(self.folder), *given, seconds=seconds)
            ) as found:
                async for each in found:
                    answer: Answer = each
                    return answer
        except Stopped as stopped:
            raise ToolError(stopped.message) from None
        raise ToolError("there is no answer")


def server(folder: Path, writable: bool = True) -> MCPServer[Any]:
    """Makes the server for a folder."""
    workers = Workers(folder)
    tools = Tools(Enclosure(folder, writable), workers)

    @asynccontextmanager
    async def running(_: MCPServer[Any]) -> AsyncIterator[None]:
        try:
            yield
        finally:
            workers.pool.close()

    made: MCPServer[Any] = MCPServer(
        "lawspeaker",
        title="Lawspeaker",
        instructions=INSTRUCTIONS,
        version=__version__,
        lifespan=running,
        log_level="WARNING",
    )
    for tool in tools.reading:
        hints = ToolAnnotations(read_only_hint=True, open_world_hint=False)
        made.add_tool(tool, annotations=hints, structured_output=False)
    for tool in tools.writing if writable else ():
        hints = ToolAnnotations(destructive_hint=True, idempotent_hint=True, open_world_hint=False)
        made.add_tool(tool, annotations=hints, structured_output=False)
    return made


class Tools:
    """The tools; their names are those of the methods."""

    def __init__(self, enclosure: Enclosure, workers: Workers) -> None:
        self.enclosure = enclosure
        self.workers = workers

    @property
    def reading(self) -> Sequence[Callable[..., Any]]:
        return (
            *(self.list_games, self.list_files, self.read_file, self.check, self.explain),
            *(self.manual, self.run_scenarios, self.play, self.simulate, self.compare),
            *(self.review, self.worth, self.drama, self.variety, self.ladder),
        )

    @property
    def writing(self) -> Sequence[Callable[..., Any]]:
        return (self.write_file, self.format)

    # ------------------------------------------------------------ files

    async def list_games(self) -> str:
        """List the games and variants of the folder, and the games of the package."""
        return _good(await self.workers.ask(jobs.listed))

    async def list_files(self) -> str:
        """List the files of rules, variants and scenarios in the folder."""
        found = [
            path.relative_to(self.enclosure.folder).as_posix() for path in self.enclosure.files()
        ]
        return "\n".join(found) or "there are no files of rules here yet"

    async def read_file(self, path: str) -> str:
        """Read a file of rules. `path` is relative to the folder."""
        try:
            return self.enclosure.read(path)
        except NotAllowed as error:
            raise ToolError(str(error)) from None

    async def write_file(self, path: str, text: str) -> str:
        """Write a file of rules, a variant or a scenario, and tell what check finds in it.

        `path` is relative to the folder, as in shop/game.yaml, variants/shop/storm.yaml or
        shop/scenarios/first_turn.yaml. `text` is the whole new text.
        """
        try:
            new = self.enclosure.write(path, text)
        except NotAllowed as error:
            raise ToolError(str(error)) from None
        found = await self.workers.ask(jobs.checked, path)
        return f"{path}: {'written' if new else 'overwritten'}\n\n{found.text}"

    async def format(self, path: str) -> str:
        """Bring a file of rules into its canonical layout. Only spaces and quotes change."""
        try:
            self.enclosure.read(path)
            found = await self.workers.ask(jobs.tidied, (path,))
            for name, text in found.files.items():
                self.enclosure.write(name, text)
        except NotAllowed as error:
            raise ToolError(str(error)) from None
        if not found.good:
            raise ToolError(found.text)
        return f"{path}: {'formatted' if found.files else 'is in canonical layout'}"

    # ------------------------------------------------------------ rules

    async def check(self, name: str) -> str:
        """Check rules: names, types, totals, what is hidden, translations.

        `name` is a game (shop), a game with variants (shop+storm), a file, or a folder for all
        games and variants in it. Each message has a place, a code and a hint.
        """
        # Errors are what was asked for, so they are no error of the tool.
        return (await self.workers.ask(jobs.checked, self._rules(name))).text

    async def explain(self, what: str, game: str = "") -> str:
        """Explain a code of the checker (unknown-name), or a clause or guard of a game.

        For a clause (landing) or a guard (landing.not_his_own) name the game.
        """
        if len(what) > LONGEST_ASKED:
            raise ToolError("that is too long for a code or an id")
        named = self._rules(game) if game else ""
        return _good(await self.workers.ask(jobs.explained_there, what, named))

    async def manual(self, words: str) -> str:
        """Look up the manual of the rules language and the recipes for common mechanisms.

        `words` are words to search for ("secret bids", "draw cards", "majority"), or the name of a
        page or section, as answers give them (questions, boards#networks, recipes).
        """
        found = index()
        wanted = words.strip()[:LONGEST_ASKED]
        exact = [each for each in found.sections if each.key == wanted]
        if exact and "#" not in wanted:
            page = [each for each in found.sections if each.key.partition("#")[0] == wanted]
            text = "\n\n".join(f"## {each.title}\n\n{each.text}" for each in page)
            return _cut(text, LONGEST_PAGE)
        best = exact or found.search(wanted, 3 * MOST_FOUND)
        if not best:
            pages = dict.fromkeys(each.key.partition("#")[0] for each in found.sections)
            raise ToolError(f"the manual has nothing on that; its pages: {', '.join(pages)}")
        told = [
            f"## {each.title} ({each.key})\n\n{_cut(each.text, LONGEST_SECTION)}"
            for each in best[:MOST_FOUND]
        ]
        if more := best[MOST_FOUND:]:
            told.append("See also: " + ", ".join(each.key for each in more))
        return "\n\n".join(told)

    async def run_scenarios(self, path: str) -> str:
        """Run scenarios, which are tests of rules: those in a file or folder, or of a game's
        folder. The answer tells which hold, and what is wrong with the others."""
        self._path(path)
        return (await self.workers.ask(jobs.run, path)).text

    # ------------------------------------------------------------ games

    async def play(
        self,
        name: str,
        replies: list[str] | None = None,
        players: int = 0,
        seed: int = 1,
        why_not: str = "",
    ) -> str:
        """Show the position of a game after some replies: the table, what happened, the options.

        `replies` are all replies from the start, each the text of an option; a player who is asked
        alone or first answers. The same seed gives the same luck. `why_not` is the text of a
        choice that is not offered: the rule that forbids it is told. Without `players`, the fewest.
        """
        given = list(replies or ())
        if len(given) > LONGEST or any(len(each) > LONGEST_ASKED for each in [*given, why_not]):
            raise ToolError(f"at most {LONGEST:,} replies, each a short text")
        _number("players", players, 0, MOST_PLAYERS)
        _number("seed", seed, 0, LARGEST_SEED)
        job = (jobs.played, self._rules(name), players, seed, tuple(given), why_not)
        return _good(await self.workers.ask(*job))

    async def simulate(
        self, name: str, games: int = 200, bots: str = "random", players: int = 0, seed: int = 1
    ) -> str:
        """Play many games between bots: wins and points by seat, length, what rules do.

        `bots` is random, greedy, mc:100 or tree:300, for all seats. Without `players`, the most.
        """
        self._lab(games, bots, players, seed)
        job = (jobs.simulated, self._rules(name), players, bots, games, seed)
        return _good(await self.workers.ask(*job, seconds=LONG))

    async def review(
        self,
        name: str,
        games: int = 200,
        bots: str = "greedy",
        thinking: int = 20,
        players: int = 0,
        seed: int = 1,
    ) -> str:
        """Tell what is wrong or odd about a game: seats that win more, games without end, rules,
        cards and options that never matter, and more, each with figures.

        Random players play `games` games, `bots` (greedy, mc:100, tree:300) play `thinking`.
        """
        self._lab(games, "random", players, seed)
        if bots == "random":
            raise ToolError("a review needs players who think: greedy, mc:100 or tree:300")
        self._lab(thinking, bots, players, seed)
        _number("games", games, 20, MOST_GAMES)
        _number("thinking", thinking, 1, THINKING)
        job = (jobs.reviewed, self._rules(name), players, bots, games, thinking, seed)
        return _good(await self.workers.ask(*job, seconds=LONG))

    async def worth(
        self,
        name: str,
        games: int = 200,
        bots: str = "random",
        players: int = 0,
        seat: str = "",
        seed: int = 1,
    ) -> str:
        """Measure what each card, place, option and rule is worth: one seat does without it in
        `games` pairs of games, and wins and scores less. Cards with a cost are compared by cost.

        `seat` is a player, the first one if left out; `bots` is random, greedy, mc:100 or tree:300.
        """
        self._lab(games, bots, players, seed, PAIRS)
        job = (jobs.weighed, self._rules(name), players, bots, games, seed, seat[:LONGEST_ASKED])
        return _good(await self.workers.ask(*job, seconds=LONG))

    async def drama(
        self, name: str, games: int = 40, bots: str = "random", players: int = 0, seed: int = 1
    ) -> str:
        """Measure when games are decided: how long they stay open, changes of the lead, comebacks,
        leaders who run away, kingmaking. Each position is played out many times.

        `bots` is random, greedy, mc:100 or tree:300, for all seats.
        """
        self._lab(games, bots, players, seed, COURSES)
        _number("games", games, 4, COURSES)
        job = (jobs.dramatic, self._rules(name), players, bots, games, seed)
        return _good(await self.workers.ask(*job, seconds=LONG))

    async def variety(
        self, name: str, games: int = 20, bots: str = "greedy", players: int = 0, seed: int = 1
    ) -> str:
        """Measure how different games are, and name questions that are no choice, since all good
        players answer alike.

        `bots` is greedy, mc:100 or tree:300; they play, and are asked what they would choose.
        """
        self._lab(games, bots, players, seed, COURSES)
        _number("games", games, 4, COURSES)
        job = (jobs.varied, self._rules(name), players, bots, games, seed)
        return _good(await self.workers.ask(*job, seconds=LONG))

    async def ladder(self, name: str, deals: int = 6, players: int = 0, seed: int = 1) -> str:
        """Measure how much there is to learn: random, greedy, mc:50 and mc:200 play, each against
        the one below it, `deals` deals from every side.
        """
        self._lab(1, "random", players, seed)
        _number("deals", deals, 4, DEALS)
        job = (jobs.climbed, self._rules(name), players, deals, seed)
        return _good(await self.workers.ask(*job, seconds=LONG))

    async def compare(
        self,
        names: list[str],
        witness: bool = False,
        effect: int = 0,
        players: int = 0,
        seed: int = 1,
    ) -> str:
        """Compare versions of a game, the first with all others: what differs, and what books say.

        `names` are games with variants, as in [shop, shop+storm]. With `witness`, also a position
        in which each difference shows; with `effect`, so many paired games by random players.
        """
        if not 2 <= len(names) <= 6:
            raise ToolError("two to six versions of one game are compared")
        self._lab(max(effect, 1), "random", players, seed)
        named = tuple(self._rules(name) for name in names)
        job = (jobs.compared, named, witness, effect, players, seed)
        return _good(await self.workers.ask(*job, seconds=LONG if witness or effect else QUICK))

    # ------------------------------------------------------------ what is asked

    def _rules(self, name: str) -> str:
        try:
            return self.enclosure.rules(name)
        except NotAllowed as error:
            raise ToolError(str(error)) from None

    def _path(self, name: str) -> Path:
        try:
            return self.enclosure.path(name)
        except NotAllowed as error:
            raise ToolError(str(error)) from None

    def _lab(self, games: int, bots: str, players: int, seed: int, most: int = MOST_GAMES) -> None:
        """Checks the parameters of many games; each bot has a maximum number of them."""
        if bots not in LAB_BOTS:
            raise ToolError(f"`bots` is one of {', '.join(LAB_BOTS)}")
        _number(f"games with {bots}", games, 1, min(most, LAB_BOTS[bots]))
        _number("players", players, 0, MOST_PLAYERS)
        _number("seed", seed, 0, LARGEST_SEED)


def _number(what: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ToolError(f"{what}: a whole number from {least:,} to {most:,}")


def _good(answer: Answer) -> str:
    if not answer.good:
        raise ToolError(answer.text)
    return answer.text


def _cut(text: str, longest: int) -> str:
    if len(text) <= longest:
        return text
    return text[:longest].rpartition("\n")[0] + "\n\n(cut here: name a section to read on)"
