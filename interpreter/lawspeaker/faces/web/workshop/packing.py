"""The files of a draft as an archive, to be kept elsewhere or brought back."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO

from lawspeaker.faces.web.workshop.drafts import Draft
from lawspeaker.text.pictures.naming import as_bytes, is_picture

DATE = (1980, 1, 1, 0, 0, 0)
"""The same draft is the same archive, whenever it is packed."""


def folder_of(name: str) -> str:
    """A name as folders have them."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "draft"


def packed(name: str, draft: Draft) -> bytes:
    """A zip with one folder, named after the draft."""
    folder = folder_of(name)
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        for each in draft.files:
            content = as_bytes(each.name, each.text) if is_picture(each.name) else each.text
            made.writestr(zipfile.ZipInfo(f"{folder}/{each.name}", DATE), content)
    return archive.getvalue()
