"""Rollouts of Codex: a JSON object a line; what the user typed stands in events, what the model read in items."""

from __future__ import annotations

import re

from experience.exchange.records import Bad, Said, moment
from experience.exchange.spoken import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from experience.exchange.records import Record
    from experience.exchange.source import Source

_TYPED = r'"type"\s*:\s*"user_message"'


def looks(source: Source) -> bool:
    """Whether a file is such a rollout, of today or of the first months."""
    first = source.head.partition("\n")[0]
    return source.name.endswith(".jsonl") and bool(
        re.search(r'"type"\s*:\s*"(?:session_meta|response_item|event_msg|turn_context)"', source.head)
        or (source.name.startswith("rollout-") and '"id"' in first and '"timestamp"' in first)
    )


def read(source: Source) -> Iterator[Record]:
    """Every message of the user and of the agent."""
    typed = any(isinstance(line, str) and re.search(_TYPED, line) for _, line in source.lines())
    session = source.stem
    for line, found in source.objects():
        if isinstance(found, Bad):
            yield found
            continue
        payload = found.get("payload", found)  # the first rollouts had no envelope
        if not isinstance(payload, dict):
            yield Bad(line=line, why=f"an entry of the type {found.get('type')} without a payload")
            continue
        if found.get("type") == "session_meta" or (line == 1 and "type" not in found):
            session = str(payload.get("id") or session)
        said = _event(payload) if found.get("type") == "event_msg" else _item(payload, typed=typed)
        if said and said[1]:
            at = moment(found.get("timestamp"))
            yield Said(line=line, session=session, role=said[0], text=said[1], at=at)


def _event(payload: dict[str, Any]) -> tuple[str, str] | None:
    """What the user typed."""
    if payload.get("type") != "user_message" or payload.get("kind") not in (None, "plain"):
        return None
    return "user", spoken(payload.get("message"))


def _item(payload: dict[str, Any], *, typed: bool) -> tuple[str, str] | None:
    """What the model read and wrote; the user's words only where no event tells them apart from the host's."""
    role = payload.get("role")
    if payload.get("type") != "message" or role not in ("user", "assistant") or (typed and role == "user"):
        return None
    return role, spoken(payload.get("content"))
