"""Exports of mem0: one JSON document, a list of memories or an object that holds one."""

from __future__ import annotations

import re

from experience.exchange.records import Bad, Stated, moment

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from experience.exchange.records import Record
    from experience.exchange.source import Source

_LISTS = ("results", "memories", "data")
_WORDS = ("memory", "text", "content", "data")


def looks(source: Source) -> bool:
    """Whether a file is such an export."""
    keys = r'"(?:memory|user_id|agent_id|run_id|hash|categories)"\s*:'
    return source.name.endswith(".json") and '"memory"' in source.head and len(re.findall(keys, source.head)) > 1


def read(source: Source) -> Iterator[Record]:
    """Every memory; its place in the list stands for a line."""
    document = source.document()
    if isinstance(document, dict):
        document = next((document[name] for name in _LISTS if isinstance(document.get(name), list)), document)
    if not isinstance(document, list):
        yield Bad(line=1, why=f"no list of memories under {', '.join(_LISTS)}")
        return
    for number, one in enumerate(document, 1):
        yield _stated(number, one)


def _stated(number: int, one: Any) -> Record:
    if isinstance(one, dict):
        text = next((one[name] for name in _WORDS if isinstance(one.get(name), str) and one[name].strip()), "")
        if text:
            at = moment(one.get("updated_at")) or moment(one.get("created_at"))
            return Stated(line=number, text=text, tags=_tags(one), at=at)
    return Bad(line=number, why="a memory without words")


def _tags(one: dict[str, Any]) -> tuple[str, ...]:
    metadata = one.get("metadata")
    given = one.get("categories") or (metadata.get("category") if isinstance(metadata, dict) else None) or []
    words = [given] if isinstance(given, str) else given if isinstance(given, list) else []
    return tuple(word.strip()[:100] for word in words if isinstance(word, str) and word.strip())[:10]
