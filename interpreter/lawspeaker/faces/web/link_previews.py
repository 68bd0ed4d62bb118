"""What a link shows before it is opened: a picture to point a camera at, and a line in a messenger.

Programs that show previews open links without anybody having asked them to, and may show what they
find to others. So a preview says what the one who sends an invitation says anyway: the game. The
link of a seat says nothing of its table.
"""

from __future__ import annotations

from html import escape
from io import BytesIO

ANCHOR = "</title>"


def qr_code(address: str) -> bytes:
    """An address as a picture to point a camera at, drawn as SVG."""
    import segno

    drawn = BytesIO()
    segno.make(address, error="m", micro=False).save(
        drawn, kind="svg", border=3, dark="#000", light="#fff", xmldecl=False, omitsize=True
    )
    return drawn.getvalue()


def with_preview(page: str, title: str, about: str, image: str = "") -> str:
    """A page with what messengers show of it."""
    shown = {"og:site_name": "Lawspeaker", "og:type": "website", "og:title": title}
    shown |= {"og:description": about} if about else {}
    shown |= {"og:image": image} if image else {}
    metas = [f'<meta property="{name}" content="{escape(text)}">' for name, text in shown.items()]
    metas.append('<meta name="twitter:card" content="summary">')
    if about:
        metas.append(f'<meta name="description" content="{escape(about)}">')
    return page.replace(ANCHOR, "\n  ".join([ANCHOR, *metas]), 1)
