"""What a memory is worth right now: `activation = type_weight × decay × reinforcement_count`. Pure."""

from __future__ import annotations

from experience.layers.memories import HALF_LIFE_DAYS, TYPE_WEIGHTS
from experience.search.decay import retention

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime

    from experience.models import MemoryItem

THRESHOLD = 0.3  # below it nothing is injected for matching the prompt
STALE = 0.1  # below it a memory is archived


def parts(one: MemoryItem, now: datetime) -> dict[str, float]:
    """The three factors."""
    age_s = (now - one.accessed_at).total_seconds()
    return {
        "type_weight": TYPE_WEIGHTS[one.type],
        "decay": retention(age_s, half_life_days=HALF_LIFE_DAYS),
        "reinforcement": float(one.reinforcement_count),
    }


def activation(one: MemoryItem, now: datetime) -> float:
    """Their product."""
    factors = parts(one, now)
    return factors["type_weight"] * factors["decay"] * factors["reinforcement"]
