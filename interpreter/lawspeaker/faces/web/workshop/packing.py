"""Packs the files of a draft as a ZIP archive."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO

from lawspeaker.faces.web.workshop.drafts import Draft
from lawspeaker.text.pictures.naming import as_bytes, is_picture

DATE = (1980, 1, 1, 0, 0, 0)
"""Fixed modification time, so that equal drafts give identical archives."""


def folder_of(name: str) -> str:
    """Converts a name to a folder name."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "draft"


def packed(name: str, draft: Draft) -> bytes:
    """Returns a ZIP archive with one folder, named after the draft."""
    folder = folder_of(name)
    archive = BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as made:
        for each in draft.files:
            content = as_bytes(each.name, each.text) if is_picture(each.name) else each.text
            made.writestr(zipfile.ZipInfo(f"{folder}/{each.name}", DATE), content)
    return archive.getvalue()
