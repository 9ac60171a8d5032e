"""How often the two paths of this house say the same: the live index, which is exact, and FTS5 in a short process."""

from __future__ import annotations

import json
from itertools import islice

from experience.clock import StillClock, system_clock
from experience.search.finder import STAYS

SAME = 1e-9  # scores that differ less are equal


def measure(job: dict) -> dict:
    """The share of queries whose first hit, and whose ten hits, have the same scores on both paths."""
    from benchmarks.engines.ours import open_memory

    with open(job["queries"], encoding="utf-8") as file:
        asked = [text for text, _ in json.load(file)]
    clock, left = StillClock(system_clock()), iter(asked)  # no time passes between the two answers
    firsts = tens = 0
    with open_memory(job["directory"], clock) as live:
        live.warm()
        while some := list(islice(left, STAYS)):
            with open_memory(job["directory"], clock) as short:
                pairs = [(_scores(live, text), _scores(short, text)) for text in some]
            firsts += sum(_same(one[:1], two[:1]) for one, two in pairs)
            tens += sum(_same(one, two) for one, two in pairs)
    return {"first": firsts / len(asked), "ten": tens / len(asked)}


def _scores(memory, text: str) -> list[float]:
    return [hit.score for hit in memory.find(text)]


def _same(one: list[float], two: list[float]) -> bool:
    return len(one) == len(two) and all(abs(a - b) <= SAME * a for a, b in zip(one, two, strict=True))
