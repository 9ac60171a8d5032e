"""The nouns of part one as values: what is stored, what is found, and why."""

from __future__ import annotations

from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any, TypeAlias

    Json: TypeAlias = Any  # whatever json.loads may return

EXPERIENCE_TYPES = ("tool_chain", "user_preference", "task_solution", "error_recovery")
TRUST = ("user", "verified", "agent", "tool", "external")  # most trusted first


class Experience(Value):
    """What was tried for an intent, how well it went, and how much it is worth today."""

    id: str
    type: str
    intent: str
    solution: Json
    success_score: float
    weight: float
    use_count: int
    tags: tuple[str, ...]
    trust: str
    source: str
    verified_count: int
    created_at: datetime
    last_used_at: datetime


class Term(Value):
    """One query word's share in a hit: how often it stands there, how rare it is, what it adds."""

    term: str
    tf: int
    df: int
    idf: float
    part: float


class Why(Value):
    """Why a hit stands where it stands: `score = relevance × weight × success × tags`."""

    relevance: float
    weight: float
    success: float
    tags: float
    terms: tuple[Term, ...]
    rows: int
    length: int
    average_length: float
    engine: str


class Hit(Value):
    """Something found: what, how good a match, and why."""

    id: str
    score: float
    why: Why
    experience: Experience


class Event(Value):
    """An append-only fact: what happened, when, to what, by whom."""

    seq: int
    at: datetime
    type: str
    subject: str
    actor: str
    data: Json
    hash: str
