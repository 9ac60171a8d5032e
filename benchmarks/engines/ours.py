"""This house: the live index of a long-lived process, and the FTS path of a short-lived one."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from itertools import count, islice
from os.path import join

import experience
from benchmarks import corpus
from benchmarks.progress import tell
from experience.clock import StillClock, system_clock
from experience.search.finder import STAYS

DAYS = 60  # a store grows over time: its rows weigh differently


def open_memory(directory: str, clock: experience.StillClock | None = None) -> experience.Memory:
    """The store in *directory*, with settings of nobody."""
    return experience.open(join(directory, "ours"), home=join(directory, "home"), clock=clock)


class Live:
    """A process that stays: the index is warm."""

    def __init__(self, directory: str) -> None:
        self.memory = open_memory(directory)
        self.memory.warm()

    @staticmethod
    def build(directory: str, intents: Iterable[str], size: int) -> None:
        """Record everything in batches, the oldest two months ago."""
        batch = max(1, min(corpus.AT_ONCE, size // 10))
        clock = StillClock(system_clock() - timedelta(days=DAYS))
        with open_memory(directory, clock) as memory:
            for done, some in zip(count(batch, batch), batched_documents(intents, batch), strict=False):
                memory.record_many(some)
                clock.advance(days=DAYS * batch / size)
                tell(f"ours: {done:,} of {size:,} recorded", every=100_000, at=done)

    def prepare(self, text: str) -> str:
        return text

    def search(self, query: str) -> list[int]:
        return [hit.experience.solution["document"] for hit in self.memory.find(query)]

    def add(self, number: int, intent: str) -> None:
        self.memory.record(**corpus.experience(number, intent))


class Cold(Live):
    """A process that does not stay: its first finds go to FTS5, and each memory here makes no more than those."""

    def __init__(self, directory: str) -> None:
        self._directory, self._left = directory, 0

    def prepare(self, text: str) -> str:
        if self._left == 0:
            self.memory = open_memory(self._directory)
            self._left = STAYS
        self._left -= 1
        return text


def batched_documents(intents: Iterable[str], size: int) -> Iterable[list[dict[str, object]]]:
    """The intents as arguments of `record_many`."""
    numbered = enumerate(intents)
    while some := [corpus.experience(number, intent) for number, intent in islice(numbered, size)]:
        yield some
