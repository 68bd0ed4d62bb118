"""Games kept as text: recording them, reading them back, and playing them again.

A log names its rules and pins them by their digest, and holds the seed and every reply. With each
reply stand the prints of what it brought about (see `prints`), so that whoever plays it again
under changed rules learns at which reply, and by which clause, the game first comes out otherwise.
"""

from lawspeaker.base.source import RuleFile
from lawspeaker.match.log.reader import BadLog, from_json, read
from lawspeaker.match.log.record import Log, LoggedReply, Result, record
from lawspeaker.match.log.replay import Difference, Replay, Step, replayed

__all__ = [
    "BadLog",
    "Difference",
    "Log",
    "LoggedReply",
    "Replay",
    "Result",
    "RuleFile",
    "Step",
    "from_json",
    "read",
    "record",
    "replayed",
]
