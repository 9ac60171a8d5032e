"""What an agent may not do, whatever it says: vouch for what nobody vouches for."""

from __future__ import annotations

from experience.capture.trust import UNVOUCHED
from experience.errors import Conflict
from experience.models import Experience, MemoryItem, Procedure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from experience.memory import Memory

AGENT = "agent"  # the source of every word and the channel of every outcome that comes through this door
ALL = 1_000_000


def without_release(memory: Memory, reach: object, say: Callable[[], str]) -> None:
    """Say something, and take it back where it let a memory out of quarantine; *say* returns the memory's id.

    An agent repeats what a page or a tool told it: that is not a second voice.
    """
    with (memory.user if reach == "user" else memory.store).transaction():
        held = {one.id for one in memory.memories(state="quarantined", limit=ALL)}
        id = say()
        now = memory.get(id)
        if id in held and isinstance(now, MemoryItem) and now.quarantined_at is None:
            raise Conflict(
                f"the memory {id} says this already and waits in quarantine; only a person or a verified outcome lets "
                "it out, so ask the user to look at it (`experience review list`)"
            )


def vouched(one: Experience) -> bool:
    """Whether an experience may be shown to an agent: its source is trusted, or somebody else said that it works."""
    return one.trust not in UNVOUCHED or one.verified_count > 0


def check_feedback(memory: Memory, id: str) -> None:
    """Refuse a self-report that would prove a workflow nobody vouches for."""
    one = memory.get(id)
    if isinstance(one, Procedure) and one.trust in UNVOUCHED and not one.success_count:
        raise Conflict(f"nobody vouches for the procedure {one.name!r} yet, and an agent cannot; ask the user about it")
