"""Pictures that a game brings along: what is kept of a drawing (SVG) or an image (PNG).

They lie in a folder `pictures` beside the rules that name them, and travel with the rules as texts:
a PNG is written in base64. A picture is untrusted input like all rules, and it ends in pages of
other people. So nothing of it is passed on as it came: `svg` builds a drawing anew from the few
elements that only draw, and `png` an image from its points. What was left out is said to the
designer.

    naming    which files are pictures, and how large they may be
    svg, png  the two sorts
"""

from __future__ import annotations

from lawspeaker.text.pictures.naming import is_image
from lawspeaker.text.pictures.png import image
from lawspeaker.text.pictures.svg import drawing
from lawspeaker.text.pictures.taken import NoPicture, Taken

__all__ = ["NoPicture", "Taken", "taken"]


def taken(name: str, text: str) -> Taken:
    """What is kept of a picture; raises NoPicture."""
    return image(text) if is_image(name) else drawing(text)
