"""Exports of claude-mem: one JSON document with observations, summaries of sessions and the user's prompts."""

from __future__ import annotations

import json

from experience.exchange.records import Bad, Said, Stated, moment
from experience.exchange.spoken import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from experience.exchange.records import Record
    from experience.exchange.source import Source

_TYPES = {"decision": "decision", "bugfix": "pitfall"}


def looks(source: Source) -> bool:
    """Whether a file is such an export."""
    return source.name.endswith(".json") and (
        "totalObservations" in source.head or ('"observations"' in source.head and '"prompts"' in source.head)
    )


def read(source: Source) -> Iterator[Record]:
    """Every prompt, observation and lesson; its place in its list stands for a line."""
    document = source.document()
    if not isinstance(document, dict):
        yield Bad(line=1, why="no object with observations, summaries and prompts")
        return
    for name, read_one in (("prompts", _prompt), ("observations", _observation), ("summaries", _summary)):
        found = document.get(name, [])
        for number, one in enumerate(found if isinstance(found, list) else [], 1):
            fits = read_one(number, one) if isinstance(one, dict) else None
            yield fits or Bad(line=number, why=f"nothing to keep in {name}[{number - 1}]")


def _prompt(number: int, one: dict[str, Any]) -> Record | None:
    text = spoken(one.get("prompt_text"))
    session = one.get("content_session_id") or one.get("claude_session_id") or "claude-mem"
    return Said(line=number, session=str(session), role="user", text=text, at=_at(one)) if text else None


def _observation(number: int, one: dict[str, Any]) -> Record | None:
    told = (one.get("narrative"), one.get("text"), one.get("subtitle"), "; ".join(_listed(one.get("facts"))))
    body = next((words for words in told if isinstance(words, str) and words.strip()), "")
    title = one.get("title") if isinstance(one.get("title"), str) else ""
    text = f"{title}: {body}" if title and body else title or body
    kind = _TYPES.get(str(one.get("type")), "fact")
    tags = tuple(word[:100] for word in _listed(one.get("concepts")) if word.strip())[:10]
    return Stated(line=number, text=text, type=kind, tags=tags, at=_at(one)) if text else None


def _summary(number: int, one: dict[str, Any]) -> Record | None:
    text = spoken(one.get("learned")) or spoken(one.get("completed")) or spoken(one.get("request"))
    return Stated(line=number, text=text, type="fact", at=_at(one)) if text else None


def _at(one: dict[str, Any]) -> Any:
    return moment(one.get("created_at_epoch")) or moment(one.get("created_at"))


def _listed(given: Any) -> list[str]:
    """A list of words, also one that was stored as JSON."""
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError:
            return [given]
    return [word for word in given if isinstance(word, str)] if isinstance(given, list) else []
