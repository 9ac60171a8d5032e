"""How far an agent is trusted: its words are an agent's, its reports are its own, and it vouches for nothing."""

from __future__ import annotations

from experience.capture.trust import UNVOUCHED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from experience.models import Experience

AGENT = "agent"  # the source of every word and the channel of every outcome that comes through this door


def vouched(one: Experience) -> bool:
    """Whether an experience may be shown to an agent: its source is trusted, or somebody else said that it works."""
    return one.trust not in UNVOUCHED or one.verified_count > 0
