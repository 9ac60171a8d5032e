"""Every command of the group: each of these files adds those of one noun."""

from __future__ import annotations

from experience.cli import (
    conversations,
    demo,
    doors,
    doors_mcp,
    episodes,
    exchange,
    experiences,
    files,
    nights,
    runs,
    statements,
    upkeep,
)
from experience.cli.group import experience

__all__ = [
    "conversations", "demo", "doors", "doors_mcp", "episodes", "exchange", "experience", "experiences", "files",
    "nights", "runs", "statements", "upkeep",
]  # fmt: skip
