"""How much of a weight is left after a while."""

from __future__ import annotations

SECONDS_A_DAY = 86_400.0


def retention(age_s: float, *, half_life_days: float) -> float:
    """How much of a weight is left at *age_s* seconds, from 1 down towards 0."""
    if age_s <= 0:
        return 1.0  # machines disagree about the time; the future counts as now
    return float(0.5 ** (age_s / (half_life_days * SECONDS_A_DAY)))
