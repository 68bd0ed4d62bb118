"""Rate limiting with token buckets: a burst at once, then a steady rate."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass


@dataclass(slots=True)
class Bucket:
    """A token bucket with capacity `burst`, refilled with `rate` tokens a second."""

    burst: float
    rate: float
    left: float
    at: float

    @classmethod
    def full(cls, burst: float, rate: float, now: float) -> Bucket:
        return cls(burst, rate, burst, now)

    def take(self, now: float) -> bool:
        self.left = min(self.burst, self.left + (now - self.at) * self.rate)
        self.at = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Buckets:
    """A token bucket for each client; the least recently used are evicted."""

    def __init__(self, burst: float, rate: float, most: int = 10_000) -> None:
        self.burst, self.rate, self.most = burst, rate, most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def take(self, client: str) -> bool:
        now = time.monotonic()
        bucket = self._buckets.pop(client, None) or Bucket.full(self.burst, self.rate, now)
        self._buckets[client] = bucket
        if len(self._buckets) > self.most:
            self._buckets.popitem(last=False)
        return bucket.take(now)
