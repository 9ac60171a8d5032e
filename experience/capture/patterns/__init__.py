"""The patterns as data: what each one is called, what it captures, and sentences that show it."""

from __future__ import annotations

from experience.capture.patterns import (
    attitudes,
    bounds,
    constraints,
    corrections,
    limits,
    orders,
    reproaches,
    statements,
)
from experience.capture.patterns.shape import PRIORITY, Pattern

PATTERNS: tuple[Pattern, ...] = (  # the first that matches a sentence names what it is, the weak after all others
    *constraints.PATTERNS,
    *orders.PLAIN,
    *limits.PATTERNS,
    *bounds.PATTERNS,
    *reproaches.PATTERNS,
    *corrections.PATTERNS,
    *statements.PATTERNS,
    *orders.PATTERNS,
    *attitudes.PATTERNS,
)

__all__ = ["PATTERNS", "PRIORITY", "Pattern"]
