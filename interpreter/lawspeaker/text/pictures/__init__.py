"""Sanitises the pictures that a game brings along: drawings (SVG) and images (PNG).

They are in a folder `pictures` beside the rules that name them, and are transmitted with the rules
as text: a PNG in base64. A picture is untrusted input like all rules, and is shown in other
people's pages. So nothing is passed through: `svg` rebuilds a drawing from an allow-list of
elements that only draw, and `png` an image from its pixels. What was left out is reported to the
designer.

    naming    which files are pictures, and how large they may be
    svg, png  the two formats
"""

from __future__ import annotations

from lawspeaker.text.pictures.naming import is_image
from lawspeaker.text.pictures.png import image
from lawspeaker.text.pictures.svg import drawing
from lawspeaker.text.pictures.taken import CleanPicture, NoPicture

__all__ = ["CleanPicture", "NoPicture", "taken"]


def sanitised(name: str, text: str) -> CleanPicture:
    """The sanitised picture; raises NoPicture."""
    return image(text) if is_image(name) else drawing(text)
