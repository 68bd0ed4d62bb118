"""Games kept as text: what a log holds, and reading it back; `match.replay` plays it again.

A log names its rules and pins them by their digest, and holds the seed and every reply. With each
reply stand the prints of what it brought about (see `prints`), so that whoever plays it again
under changed rules learns at which reply, and by which clause, the game first comes out otherwise.
"""

from lawspeaker.base.source import RuleFile
from lawspeaker.match.log.reader import BadLog, from_json, read
from lawspeaker.match.log.record import Log, LoggedFault, LoggedReply, Result

__all__ = [
    "BadLog",
    "Log",
    "LoggedFault",
    "LoggedReply",
    "Result",
    "RuleFile",
    "from_json",
    "read",
]
