"""What `check` says of rules: what was said before if nothing has changed, else by checking them.

An edge. The code that checks is imported only where rules have to be checked.
"""

from __future__ import annotations

from lawspeaker.base.diagnostics import Diagnostics
from lawspeaker.outside import programs
from lawspeaker.outside.library import SIGN, Library
from lawspeaker.outside.programs import Verdict


def checked(
    name: str, diagnostics: Diagnostics, library: Library | None = None
) -> Verdict | None:
    """The verdict on the rules of a name, None if they have errors; what is wrong goes into the
    diagnostics."""
    library = library or Library()
    known = None if SIGN in name else programs.verdict(name, library)
    if known is not None:
        diagnostics.extend(known.warnings)
        return known
    from lawspeaker.outside.loading import compile_name

    program = compile_name(name, diagnostics, library)
    return None if program is None else Verdict.of(program, tuple(diagnostics))
