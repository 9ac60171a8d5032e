"""A conversation: what it says, what it is told and why, how it went, and making room in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dashboard.api.route import does, looks
from experience import detect
from experience.context import compaction
from experience.desks.observing import ROLES
from experience.learning.outcomes import SELF_REPORTED, VERIFIED
from experience.verbs.arguments import ID, SESSION, anything, choice, long_text, several, share, takes, text

if TYPE_CHECKING:
    from experience import Memory

ROLE = choice(ROLES, "Who said it; only the user's words earn the user's trust.")
INJECTION = takes("injection", injection=text("The id of a block: inj_…", 200))
MESSAGES = several({"type": "object"}, "The conversation, in the shape of OpenAI or Anthropic.", 100_000)
COMPACTED = {"type": "object", "properties": {"messages": {"type": "array", "items": {"type": "object"}}}}


def _compact(_: Memory, given: dict[str, Any]) -> object:
    messages, model = given["messages"], given.get("model")
    fewer = compaction.compact(messages, model)
    return {"messages": fewer, "before": compaction.stats(messages, model), "after": compaction.stats(fewer, model)}


ROUTES = (
    does("observe", "Keep what is worth keeping of a message", takes(
        "text", "role", text=long_text("The message."), role=ROLE, session=SESSION), "list[Captured]"),
    does("detect", "Show what observe would keep; nothing is stored", takes(
        "text", "role", text=long_text("The message."), role=ROLE), "list[Captured]",
        lambda _, given: detect(**given)),
    does("context", "The block of memories and experiences for a prompt", takes(
        "prompt", prompt=long_text("What the agent is asked for."), session=SESSION,
        path=text("The file at hand, seen from the project.", 4096),
        budget={"type": "integer", "minimum": 0, "maximum": 100_000, "default": 800,
                "description": "Tokens it may take at most."},
    ), "Context"),
    looks("explain", "What was considered for a block, and why", INJECTION, "Injection",
          lambda memory, given: memory.explain(given["injection"])),
    looks("why-not", "Why one thing was left out of a block, or taken", takes(
        "injection", "id", injection=text("The id of a block: inj_…", 200), id=ID), "Considered",
        lambda memory, given: memory.why_not(given["injection"], given["id"])),
    looks("replay", "A block again, to the byte", INJECTION, "Context",
          lambda memory, given: memory.replay(given["injection"])),
    does("outcome", "Say how it went with a block, an experience, a procedure or a memory", takes(
        "id", "score", id=ID, score=share("From 0 (failed) to 1 (worked)."),
        channel=choice((*VERIFIED, *SELF_REPORTED), "Who vouches for it.", default="agent"),
        evidence=anything("What shows it: text, or any JSON."),
    ), "Injection | Experience | Procedure | MemoryItem"),
    does("compact", "Make room in a conversation", takes(
        "messages", messages=MESSAGES, model=text("Whose window it has to fit.", 200)), COMPACTED, _compact),
)  # fmt: skip
