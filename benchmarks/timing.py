"""Durations and what is said about them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import perf_counter


def seconds(work: Callable[[], object]) -> float:
    """How long one call takes."""
    start = perf_counter()
    work()
    return perf_counter() - start


def percentile(durations: Sequence[float], share: float) -> float:
    """The duration that *share* of all do not exceed."""
    ordered = sorted(durations)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def median(durations: Sequence[float]) -> float:
    """The middle one."""
    return percentile(durations, 0.5)
