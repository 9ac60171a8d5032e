"""Transcripts of Claude Code: a JSON object a line, some of them messages."""

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

# What only looks like the user's message: a helper's orders, the host's own notes, a summary, the result of a tool.
_NOT_THE_USERS = ("isSidechain", "isMeta", "isCompactSummary", "isVisibleInTranscriptOnly", "toolUseResult")


def looks(source: Source) -> bool:
    """Whether a file is such a transcript."""
    return source.name.endswith(".jsonl") and bool(
        re.search(r'"sessionId"\s*:', source.head) and re.search(r'"type"\s*:', source.head)
    )


def read(source: Source) -> Iterator[Record]:
    """Every message of the user and of the agent that answers them."""
    for line, found in source.objects():
        if isinstance(found, Bad):
            yield found
        elif found.get("type") in ("user", "assistant"):
            yield from _message(line, found, source.stem)


def _message(line: int, found: dict[str, Any], stem: str) -> Iterator[Record]:
    message = found.get("message")
    if not isinstance(message, dict) or not isinstance(message.get("content"), str | list):
        yield Bad(line=line, why=f"a message of the type {found['type']} without content")
        return
    text = spoken(message["content"])
    if not text or any(found.get(mark) for mark in _NOT_THE_USERS):
        return
    yield Said(
        line=line, session=str(found.get("sessionId") or stem), role=str(found["type"]), text=text,
        at=moment(found.get("timestamp")), id=str(found.get("uuid") or ""),
    )  # fmt: skip
