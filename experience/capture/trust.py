"""Who said it, and how far that is trusted: `user` > `verified` > `agent` > `tool` > `external`."""

from __future__ import annotations

from experience.models import TRUST

_SOURCES = {
    "user": "user", "human": "user", "person": "user", "cli": "user", "verified": "verified", "agent": "agent",
    "assistant": "agent", "model": "agent", "tool": "tool", "function": "tool", "tool_result": "tool",
}  # fmt: skip
VOUCHING = ("user", "verified")  # what they say again is let out of quarantine
UNVOUCHED = ("tool", "external")  # nothing of theirs is injected until somebody else vouches for it


def trust_of(source: str) -> str:
    """The trust that a source earns: `tool:pytest` that of a tool, an unknown source none."""
    return _SOURCES.get(source.strip().lower().partition(":")[0], "external")


def rank(trust: str) -> int:
    """The place of a trust in the order, 0 the most trusted."""
    return TRUST.index(trust)


def lowest(*trusts: str) -> str:
    """The trust of what was derived from several sources."""
    return max(trusts, key=rank)
