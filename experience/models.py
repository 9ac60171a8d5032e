"""The nouns as values: what is stored, what is found, and why."""

from __future__ import annotations

from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import Any, TypeAlias

    Json: TypeAlias = Any  # whatever json.loads may return

EXPERIENCE_TYPES = ("tool_chain", "user_preference", "task_solution", "error_recovery")
MEMORY_TYPES = ("policy", "workflow", "pitfall", "architecture", "decision", "preference", "fact")
PRIORITIES = ("critical", "high", "medium", "normal")  # most pressing first
REACHES = ("project", "user")
TURN_KINDS = ("user_message", "model_response", "tool_call", "tool_result", "message")
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
    archived_at: datetime | None = None
    superseded_by: str | None = None
    folded_into: str | None = None


class Term(Value):
    """One query word's share in a hit: how often it stands there, how rare it is, what it adds."""

    term: str
    tf: float
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


class MemoryItem(Value):
    """One typed statement: what it says, for whom and where it holds, who vouches for it, and what became of it."""

    id: str
    reach: str
    type: str
    priority: str
    content: str
    title: str
    keywords: str  # separated by |
    scope: str | None
    tags: tuple[str, ...]
    trust: str
    source: str
    claim: str | None
    reinforcement_count: int
    created_at: datetime
    updated_at: datetime
    accessed_at: datetime
    valid_from: datetime
    valid_to: datetime | None = None
    quarantined_at: datetime | None = None
    quarantine_reason: str | None = None
    archived_at: datetime | None = None
    superseded_by: str | None = None
    folded_into: str | None = None


class MemoryWhy(Value):
    """Why a memory stands where it stands: `score = (relevance + neighbours) × decay × reinforcement`."""

    relevance: float
    neighbours: float
    decay: float
    reinforcement: float
    terms: tuple[Term, ...]
    rows: int
    length: int
    average_length: float
    engine: str


class MemoryHit(Value):
    """A memory that was found: how good a match, and why."""

    id: str
    score: float
    why: MemoryWhy
    memory: MemoryItem


class Episode(Value):
    """An event with an outcome and tags, worth remembering after the run."""

    id: str
    event: str
    outcome: str | None
    tags: tuple[str, ...]
    session: str | None
    trust: str
    source: str
    created_at: datetime


class Procedure(Value):
    """A named workflow with its steps in order, and how often it worked."""

    id: str
    name: str
    context: str
    steps: tuple[str, ...]
    success_count: int
    failure_count: int
    trust: str
    source: str
    created_at: datetime
    updated_at: datetime


class Turn(Value):
    """One message of a session, or one call of a tool and what came of it; its secrets taken out."""

    id: str
    session: str
    role: str
    content: str
    created_at: datetime
    run: str | None = None
    kind: str = "message"
    tool: str | None = None
    ok: bool | None = None


class Run(Value):
    """One piece of an agent's work in a session; its log is archived once it is over."""

    id: str
    session: str
    host: str
    started_at: datetime
    archived_at: datetime | None = None
    experience: str | None = None  # what was learned from it
    turns: int = 0


class Considered(Value):
    """One thing that was considered for a block: where from, how it scored, whether it is in, and why."""

    id: str
    kind: str
    layer: str
    taken: bool
    reason: str
    score: float
    parts: dict[str, float]
    tokens: int


class Context(Value):
    """One block for an agent's prompt: its text and tokens, what is in it, and what was considered for it."""

    text: str
    tokens: int
    items: tuple[str, ...]
    injection_id: str
    trace: tuple[Considered, ...]


class Injection(Value):
    """A block that was handed out: when, for what, with what in it and why."""

    id: str
    session: str
    prompt: str
    path: str | None
    budget: int
    tokens: int
    text: str
    items: tuple[str, ...]
    trace: tuple[Considered, ...]
    position: int
    created_at: datetime


class Captured(Value):
    """Something worth remembering in what was said: its words and place, and the pattern that saw it."""

    type: str
    text: str
    priority: str
    span: tuple[int, int]
    pattern: str
    id: str | None = None  # of the memory it became, once it is stored


class Event(Value):
    """An append-only fact: what happened, when, to what, by whom."""

    seq: int
    at: datetime
    type: str
    subject: str
    actor: str
    data: Json
    hash: str
