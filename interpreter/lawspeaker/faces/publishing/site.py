"""Builds a static site that plays games in any browser, also offline.

    index.html, GAME.html     start pages (prerendered: they need no Python)
    table.html, replay.html   the pages of the server, as they are
    static/                   their styles and scripts; `js/server.js` is another one
    workshop.html, workshop/  the workshop, where it is published, and what is on offer there
    published/                scripts in place of a server: workers, storage, start pages
    runtime/                  Python for the browser (`runtime`)
    python/                   this package, as far as playing needs it, what Python has in memory
                              once that is imported (may be empty), and what the workshop needs
                              besides (`archives`)
    games/                    for each game its finished program, pictures of its table, what it is
                              about, its rulebook in each language, and for each number of players
                              the compiled module by which bots think
    puzzles/                  scenarios of these games, each as a page of its own
    words/                    the words of the pages in each language
    service.js                keeps in the browser what was opened, or all of it

Pages of one's own can lie beside them in a folder, such as docs/.

A page may run nothing but these files: its content policy says so.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

from lawspeaker import ir
from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.base.phrases import LANGUAGES, phrase
from lawspeaker.faces.publishing.archives import to_play
from lawspeaker.faces.publishing.one_file import own_text
from lawspeaker.faces.publishing.opening import packed
from lawspeaker.faces.publishing.play_by_mail import needs_server
from lawspeaker.faces.publishing.precompiling import memory, precompiled
from lawspeaker.faces.publishing.public_names import public_name, stem
from lawspeaker.faces.publishing.puzzle import NoPuzzle, asked_in
from lawspeaker.faces.publishing.puzzle import page as puzzle_page
from lawspeaker.faces.publishing.runtime import LIBRARY
from lawspeaker.faces.publishing.workshop_site import as_bytes, shop
from lawspeaker.faces.web.books import RulebookMaker, brief, measured
from lawspeaker.faces.web.catalogue import agreement
from lawspeaker.faces.web.channel import SHAPES
from lawspeaker.faces.web.comparing import policy_for
from lawspeaker.faces.web.drawing import draw
from lawspeaker.faces.web.page_words import words
from lawspeaker.faces.web.scene import players
from lawspeaker.faces.web.strengths import ladder, usual
from lawspeaker.machines.compiled import compile_module
from lawspeaker.machines.compiled.host.module_cache import entry_name
from lawspeaker.machines.purpose import PLAYING
from lawspeaker.match.game import Game
from lawspeaker.outside.library import Library
from lawspeaker.outside.loading import compile_bundle
from lawspeaker.players.bots import BOTS
from lawspeaker.position.fault import TooLargeToCompile
from lawspeaker.position.layout import Layout, layout_for

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "worker-src 'self' blob:",
        "style-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
    )
)
"""The content security policy of the pages.

It allows compiling WebAssembly, which Python is; no text ever becomes a script (no `unsafe-eval`).
A worker made of a blob that imports one of these files inherits the policy; one loaded by URL would
not.
"""
SEED = 11
PACKAGE = "python/lawspeaker.zip"
MEMORY = "python/memory.gz"
OWN = tuple(
    "bench.js disk.js keeping.js mail.js offline.js compression.js python.js start.css start.js"
    " worker.js".split()
)
_ICON = '<img src="static/icon.svg" alt="" width="28" height="28">'

Tell = Callable[[str], None]


def site(
    games: Sequence[Game],
    runtime: dict[str, bytes],
    tell: Tell = lambda _: None,
    compiled: bool = True,
    library: Library | None = None,
    puzzles: Mapping[str, dict[str, Any]] | None = None,
    workshop: Sequence[str] | None = None,
    docs: Mapping[str, bytes] | None = None,
) -> Files:
    """Builds all files of a site, by path.

    `compiled` precompiles the Python modules, if possible; sources start more slowly. `puzzles` are
    scenarios of these games, by file name. `workshop` are the games that can be edited, if it is
    published. `docs` are pages to put into the folder docs. Raises Unknown if a rulebook cannot be
    made, or NoPuzzle.
    """
    library = library or Library()
    guessed = dict(puzzles or {})
    made: Files = {f"runtime/{name}": content for name, content in runtime.items()}
    made[PACKAGE], made[MEMORY] = to_play(), b""
    if workshop is not None:
        made |= shop(workshop, library)
        made["workshop.html"] = _page("workshop.html").encode()
    if compiled:
        archives = [each for each in made if each.startswith("python/") and each != MEMORY]
        for name in (f"runtime/{LIBRARY}", *archives):
            tell(name)
            made[name] = precompiled(made[name], runtime)
        tell(MEMORY)
        started = {**runtime, LIBRARY: made[f"runtime/{LIBRARY}"]}
        made[MEMORY] = memory(made[PACKAGE], started)
    made |= {f"static/{name}": content for name, content in _static()}
    made |= {f"docs/{name}": content for name, content in (docs or {}).items()}
    for name in OWN:
        made[f"published/{name}"] = own_text(name).encode()
    for language in LANGUAGES:
        told = {"language": language, "words": words(language)}
        made[f"words/{language}.json"] = as_bytes(told)
    entries = []
    modules: dict[str, dict[str, str]] = {}
    for number, game in enumerate(games, 1):
        tell(f"{game.name} ({number} of {len(games)})" if len(games) > 1 else game.name)
        entry = _entry(game, library)
        own = [name for name, each in guessed.items() if each["game"] == game.name]
        for name in own:
            each = guessed.pop(name)
            path = f"puzzles/{entry['stem']}.{stem(name)}.html"
            entry["puzzles"].append({"path": path, **asked_in(each)})
            made[path] = puzzle_page([each]).encode()
        entries.append(entry)
        made |= _game(game, entry, modules)
        made |= _about(game, entry, library)
    for name, each in guessed.items():
        raise NoPuzzle(f"{name} is a scenario of {each['game']}: publish this game, too")
    made["games/modules.json"] = as_bytes({"modules": modules})
    for page in ("table.html", "replay.html"):
        made[page] = _page(page).encode()
    made["index.html"] = _front(entries, workshop is not None, docs is not None).encode()
    offered = {public_name(name).partition("+")[0] for name in workshop or ()}
    for entry in entries:
        changed = entry["name"] if entry["name"].partition("+")[0] in offered else ""
        made[f"{entry['stem']}.html"] = _start(entry, changed).encode()
    made["site.webmanifest"] = as_bytes(_manifest(entries))
    made["service.js"] = _service(made)
    return made


Files = dict[str, bytes]


def write(made: Files, folder: Path) -> None:
    for name, content in made.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)


# -------------------------------------------------------------------- games


def _entry(game: Game, library: Library) -> dict[str, Any]:
    program = game.program
    layout = Layout(program, program.most)
    name = public_name(game.name)
    chosen = [each.partition("(")[0] for each in name.split("+")[1:]]
    titles = {note.name: dict(note.title) for note in program.variants}
    levels = ladder(game.name.partition("+")[0], library)
    return {
        "name": name,
        "stem": stem(game.name),
        "digest": program.digest,
        "title": dict(program.title) or {"en": program.name},
        "about": dict(program.about),
        "by": program.by,
        "players": list(game.players),
        "languages": list(program.languages),
        "seats": {each: players(layout, each) for each in program.languages},
        "bots": list(BOTS),
        "levels": levels,
        "usual": usual(program, levels),
        "variants": [{"name": each, "title": titles.get(each) or {"en": each}} for each in chosen],
        "puzzles": [],
        "needs_server": needs_server(program) if program.most > 1 else "alone",
    }


def _game(game: Game, entry: dict[str, Any], modules: dict[str, dict[str, str]]) -> Files:
    stem = entry["stem"]
    made = {f"games/{stem}.game": packed(_public(game, entry["name"]), entry["levels"])}
    view = game.start(seed=SEED).view(None)
    for language in game.program.languages:
        for shape in SHAPES:
            made[f"games/{stem}.{language}.{shape}.svg"] = draw(view, language, shape).encode()
    modules[stem] = {}
    for count in game.players:
        layout = layout_for(game.program, count)
        try:
            code = compile_module(layout, PLAYING).code
        except TooLargeToCompile:
            continue  # bots then choose at random, as they do elsewhere
        path = f"games/{stem}.{count}.wasm"
        made[path] = code
        modules[stem][entry_name(layout, PLAYING)] = path
    return made


def _public(game: Game, name: str) -> Game:
    """Returns the same game without local paths."""
    files = tuple(replace(each, shown="") for each in game.files)
    program: ir.Program | None = game.program
    if name != game.name:  # spans contain file names, so the rules are recompiled
        program = compile_bundle(files, Diagnostics(), name)
    assert program is not None
    assert program.digest == game.program.digest
    return Game(program, name, files)


def _about(game: Game, entry: dict[str, Any], library: Library) -> Files:
    """Builds what a server would tell of the rules: agreement, summary, and rulebook."""
    stem, program, languages = entry["stem"], game.program, entry["languages"]
    lengths = {count: measured(game, count) for count in game.players}
    binder, agreed = RulebookMaker(game, library), agreement(game.name, library)
    made: Files = {}
    for language in languages:
        html = binder.page(language)
        # `frame-ancestors` works in a header only.
        policy = policy_for(html).replace("; frame-ancestors 'none'", "")
        meta = f'<meta http-equiv="content-security-policy" content="{policy}">'
        framed = html.replace('<meta charset="utf-8">', f'<meta charset="utf-8">{meta}', 1)
        made[f"games/{stem}.{language}.book.html"] = framed.encode()
    told = {
        "game": {"name": entry["name"].partition("+")[0], "variants": entry["variants"]},
        "languages": languages,
        "rules": {each: {**agreed(each), "name": entry["name"]} for each in languages},
        "brief": {
            each: {count: brief(program, count, each, found) for count, found in lengths.items()}
            for each in languages
        },
    }
    made[f"games/{stem}.json"] = as_bytes(told)
    return made


# -------------------------------------------------------------------- pages


def _static() -> Iterator[tuple[str, bytes]]:
    """Yields the server's static files that are published."""
    root = files("lawspeaker.faces.web").joinpath("static")
    for folder in ("css", "js"):
        for each in root.joinpath(folder).iterdir():
            if each.is_file() and each.name != "server.js":
                yield f"{folder}/{each.name}", each.read_bytes()
    for each in root.iterdir():
        if each.name.startswith("icon"):
            yield each.name, each.read_bytes()
    yield "js/server.js", own_text("server.js").encode()


def _page(name: str) -> str:
    """Adapts a page of the server to the paths of a site."""
    root = files("lawspeaker.faces.web").joinpath("static")
    html = root.joinpath(name).read_text(encoding="utf-8")
    html = re.sub(r' *<link rel="manifest"[^>]*>\n', "", html)  # a site has its own
    html = html.replace('="/static/', '="static/').replace('href="/"', 'href="index.html"')
    more = '<link rel="stylesheet" href="published/start.css">'
    return html.replace(
        '<meta charset="utf-8">\n', f'<meta charset="utf-8">\n  {_head()}  {more}\n', 1
    )


def _head() -> str:
    return (
        f'<meta http-equiv="content-security-policy" content="{POLICY}">\n'
        '  <meta name="referrer" content="no-referrer">\n'
        '  <link rel="manifest" href="site.webmanifest">\n'
    )


def _framed(
    title: str, body: str, games: Sequence[dict[str, Any]], links: Mapping[str, str]
) -> str:
    """Renders the frame of a page; `links` are the URLs in its header by the names of phrases."""
    link = "\n      ".join(
        f'<a href="{escape(url)}" data-words="{name}">{escape(phrase(f"web.{name}", "en"))}</a>'
        for name, url in links.items()
    )
    data = json.dumps(games, ensure_ascii=False).replace("<", "\\u003c")
    return f"""<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  {_head()}  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>{escape(title)}</title>
  <link rel="icon" href="static/icon.svg">
  <link rel="stylesheet" href="static/css/base.css">
  <link rel="stylesheet" href="published/start.css">
  <script src="static/js/night.js"></script>
  <script src="published/disk.js" defer></script>
  <script type="module" src="published/start.js"></script>
</head>
<body class="published">
  <header class="bar">
    <a class="home" href="index.html" data-label="home">{_ICON}</a>
    <h1>{escape(title)}</h1>
    <nav>
      {link}
      <select id="language" data-label="language"></select>
    </nav>
  </header>
  <main>
    <div id="disk" class="card" role="note" hidden>
{_from_disk()}    </div>
{body}
    <p id="problem" role="alert"></p>
    <section id="kept" class="card" hidden></section>
    <section id="offline" hidden></section>
    <input id="file" type="file" accept=".json,.log,application/json" hidden>
  </main>
  <script type="application/json" id="games">{data}</script>
</body>
</html>
"""


def _from_disk() -> str:
    """Renders the remark for pages opened from a disk, where nothing else can be loaded."""
    said = ((each, phrase("web.published.from_disk", each)) for each in LANGUAGES)
    return "".join(f'      <p lang="{each}" hidden>{escape(text)}</p>\n' for each, text in said)


def _front(entries: Sequence[dict[str, Any]], shop: bool, docs: bool) -> str:
    def said(name: str) -> str:
        return f'data-words="published.{name}">{escape(phrase(f"web.published.{name}", "en"))}'

    body = (
        f"""    <h2 {said("welcome")}</h2>
    <ul class="games">
{"".join(map(_card, entries))}    </ul>"""
        if entries
        else ""
    )
    links = {}
    if shop:
        body += f"""
    <p class="card shop"><a href="workshop.html" {said("workshop")}</a></p>"""
        links["workshop.title"] = "workshop.html"
    if docs:
        links["published.docs"] = "docs/index.html"
    return _framed("Lawspeaker", body, entries, links)


def _card(entry: dict[str, Any]) -> str:
    own = entry["languages"][0]
    return f"""      <li class="card" data-game="{entry["stem"]}">
        <a class="open" href="{entry["stem"]}.html">
          <img class="picture" src="games/{entry["stem"]}.{own}.wide.svg" alt="" loading="lazy">
          <h3 class="title">{_told(entry["title"])}</h3>
          <p class="rules"></p>
          <p class="players"></p>
          <p class="about">{_told(entry["about"])}</p>
        </a>
      </li>
"""


def _start(entry: dict[str, Any], changed: str) -> str:
    """Renders the start page of a game; `changed` is its name in the workshop, if there is one."""
    own = entry["languages"][0]
    body = f"""    <div class="one" data-game="{entry["stem"]}">
      <img class="picture" src="games/{entry["stem"]}.{own}.wide.svg" alt="">
      <section class="card">
        <h2 class="title">{_told(entry["title"])}</h2>
        <p class="rules"></p>
        <p class="players"></p>
        <p class="about">{_told(entry["about"])}</p>
        <div id="start"></div>
      </section>
    </div>"""
    shop = f"workshop.html?as=house&rules={quote(changed)}" if changed else ""
    links = {"workshop.title": shop} if shop else {}
    return _framed(_told(entry["title"], plain=True), body, [entry], links)


def _told(texts: dict[str, str], plain: bool = False) -> str:
    text = ir.in_language(texts, "en")
    return text if plain else escape(text)


def _manifest(entries: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Adapts the server's manifest to the paths of a site."""
    root = files("lawspeaker.faces.web").joinpath("static")
    found = json.loads(root.joinpath("manifest.webmanifest").read_text(encoding="utf-8"))
    name = _told(entries[0]["title"], plain=True) if len(entries) == 1 else found["name"]
    icons = [{**each, "src": each["src"].removeprefix("/")} for each in found["icons"]]
    own = {"name": name, "short_name": name[:12], "id": "index.html", "start_url": "index.html"}
    return {**found, **own, "scope": "./", "icons": icons}


def _service(made: Files) -> bytes:
    """Returns the service worker with all files, their hashes and sizes, and a version that hashes
    them."""
    listed = {
        name: [hashlib.sha256(made[name]).hexdigest(), len(made[name])] for name in sorted(made)
    }
    version = hashlib.sha256(as_bytes(listed)).hexdigest()[:16]
    text = own_text("service.js").replace("@VERSION@", version)
    return text.replace('"@FILES@"', json.dumps(listed)).encode()
