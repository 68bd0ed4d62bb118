"""Bundles a page of the server into one self-contained HTML file.

Styles and pictures are inlined, and so are the script's modules, as data. A small loader turns
these into blobs in dependency order and starts the last. So the page also runs from disk, where
browsers do not let modules import each other. A content security policy in the page allows only the
loader, by its hash, and blobs.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping
from importlib.resources import files
from posixpath import dirname, join, normpath

from lawspeaker.faces.render.page_frame import csp_hash

_IMPORT = re.compile(r"""(\bfrom\s*|\bimport\s*\(?\s*)(["'])(\.{1,2}/[^"']+)\2""")
_STYLE = re.compile(r'[ \t]*<link rel="stylesheet" href="/static/([\w/.-]+)">\n')
_MANIFEST = re.compile(r'[ \t]*<link rel="manifest"[^>]*>\n')
_SCRIPT = re.compile(r'[ \t]*<script type="module" src="/static/([\w/.-]+)"></script>\n')
_PLAIN = re.compile(r'[ \t]*<script src="/static/([\w/.-]+)"></script>\n')
_PICTURE = re.compile(r'(href|src)="/static/([\w/.-]+\.svg)"')
_HOME = re.compile(r'(<a class="home")(?: href="/")')


def static_text(name: str) -> str:
    """Reads a static file of the server."""
    return files("lawspeaker.faces.web").joinpath("static", name).read_text(encoding="utf-8")


def own_text(name: str) -> str:
    """Reads a static file for pages without a server."""
    return files(__package__).joinpath("static", name).read_text(encoding="utf-8")


def one_file(page: str, replaced: Mapping[str, str], data: Mapping[str, str], language: str) -> str:
    """Bundles a page of the server with everything it needs.

    `replaced` are texts to use instead of the server's files, by name. `data` are texts for the
    page, by the id of the element that holds them.
    """

    def text(name: str) -> str:
        return replaced[name] if name in replaced else static_text(name)

    html = text(page).replace('<html lang="en">', f'<html lang="{language}">')
    style = "".join(map(text, _STYLE.findall(html)))
    (entry,) = _SCRIPT.findall(html)
    loader = own_text("loader.js")
    plain = "".join(map(text, _PLAIN.findall(html)))
    html = _PLAIN.sub("", _SCRIPT.sub("", _STYLE.sub("", _MANIFEST.sub("", html))))
    html = _PICTURE.sub(lambda found: f'{found[1]}="{_picture(static_text(found[2]))}"', html)
    html = _HOME.sub(r"\1", html)
    texts = {"modules": json.dumps(modules(entry, replaced), ensure_ascii=False), **data}
    blocks = "".join(
        f'<script type="application/json" id="{name}">{_inert(text)}</script>\n'
        for name, text in texts.items()
    )
    head = f'<meta http-equiv="content-security-policy" content="{policy(style, plain, loader)}">\n'
    html = html.replace('<meta charset="utf-8">\n', f'<meta charset="utf-8">\n  {head}', 1)
    html = html.replace("</head>", f"<style>{style}</style>\n<script>{plain}</script>\n</head>", 1)
    return html.replace("</body>", f"{blocks}<script>{loader}</script>\n</body>", 1)


def policy(style: str, *scripts: str) -> str:
    """Returns the content security policy: only what is in the page may run."""
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {' '.join(map(csp_hash, scripts))} blob:",
            f"style-src {csp_hash(style)}",
            "img-src data:",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def modules(entry: str, replaced: Mapping[str, str]) -> list[tuple[str, str]]:
    """Returns a module and its transitive imports as names and texts, in dependency order.

    Import specifiers are rewritten to these names.
    """
    found: dict[str, str] = {}
    under_way: list[str] = []

    def add(name: str) -> None:
        if name in found:
            return
        if name in under_way:
            raise ValueError(f"{name} imports itself: {' → '.join([*under_way, name])}")
        under_way.append(name)
        text = replaced[name] if name in replaced else static_text(name)

        def named(match: re.Match[str]) -> str:
            other = normpath(join(dirname(name), match[3]))
            add(other)
            return f'{match[1]}"module:{other}"'

        found[name] = _IMPORT.sub(named, text)
        under_way.pop()

    add(entry)
    return list(found.items())


def _inert(text: str) -> str:
    """Escapes JSON so that it cannot close its script element."""
    return text.replace("<", "\\u003c")


def _picture(text: str) -> str:
    return f"data:image/svg+xml;base64,{b64encode(text.encode()).decode()}"
