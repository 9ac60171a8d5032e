"""How success is learned: a self-report is a weak prior, every verified outcome counts fully."""

from __future__ import annotations

from experience.errors import InvalidInput

VERIFIED = (
    "user",
    "human",
    "test",
    "tests",
    "build",
    "ci",
    "lint",
    "exit_code",
    "git",
    "review",
    "verified",
    "feedback",
)
SELF_REPORTED = ("agent", "self")
PRIOR = 0.5  # all self-reports together weigh as much as half a verified outcome


def is_verified(channel: str) -> bool:
    """Whether somebody other than the agent itself vouches for an outcome of this channel."""
    if channel in VERIFIED:
        return True
    if channel in SELF_REPORTED:
        return False
    raise InvalidInput(f"channel {channel!r} is unknown; choose one of {', '.join(VERIFIED + SELF_REPORTED)}")


def posterior(reported_sum: float, reported_count: int, verified_sum: float, verified_count: int) -> float:
    """The success score, given every self-report and every verified outcome so far."""
    prior = reported_sum / reported_count if reported_count else PRIOR
    success = (PRIOR * prior + verified_sum) / (PRIOR + verified_count)
    return min(1.0, max(0.0, success))
