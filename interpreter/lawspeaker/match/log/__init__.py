"""Game logs as text: data model and parser; `match.replay` replays them.

A log names its rules and pins them by digest, and holds the seed and every reply. Each reply has
fingerprints of its events (see `fingerprints`), so that a replay under changed rules finds the
first reply and clause at which the game diverges.
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
