"""QR codes and link previews.

Messengers open links without being asked and may show the content to others. So a preview contains
only what the sender of an invitation reveals anyway: the game. The link of a seat reveals nothing
about its table.
"""

from __future__ import annotations

from html import escape
from io import BytesIO

ANCHOR = "</title>"


def qr_code(address: str) -> bytes:
    """Renders a URL as a QR code in SVG."""
    import segno

    drawn = BytesIO()
    segno.make(address, error="m", micro=False).save(
        drawn, kind="svg", border=3, dark="#000", light="#fff", xmldecl=False, omitsize=True
    )
    return drawn.getvalue()


def with_preview(page: str, title: str, about: str, image: str = "") -> str:
    """Adds Open Graph metadata to a page."""
    shown = {"og:site_name": "Lawspeaker", "og:type": "website", "og:title": title}
    shown |= {"og:description": about} if about else {}
    shown |= {"og:image": image} if image else {}
    metas = [f'<meta property="{name}" content="{escape(text)}">' for name, text in shown.items()]
    metas.append('<meta name="twitter:card" content="summary">')
    if about:
        metas.append(f'<meta name="description" content="{escape(about)}">')
    return page.replace(ANCHOR, "\n  ".join([ANCHOR, *metas]), 1)
