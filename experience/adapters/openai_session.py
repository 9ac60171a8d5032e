"""A `Session` of the OpenAI Agents SDK: `Runner.run(agent, text, session=Session(memory, "id"))`.

The items are kept as they are, one row each, because the SDK wants back exactly what it gave, takes the newest one out
again and clears them all, which a log of what was said must never allow. What the user and the agent say in them is
also heard like any conversation: logged, and what is worth keeping is learned.
"""

from __future__ import annotations

import json

from experience import checks
from experience.capture.gate import suspicious
from experience.errors import InvalidInput
from experience.layers.items import Items

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeAlias

    from experience.memory import Memory

    Item: TypeAlias = dict[str, Any]

ROOM = ("openai", "sessions")
MOST = 16_000_000  # characters of one item: pictures are large
_OPAQUE = ("id", "call_id", "encrypted_content")  # the provider's own marks, which it must get back as they are
_TEXTS = ("input_text", "output_text", "text")

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


class Session:
    """The history of one conversation. Nothing of the SDK is imported: it asks for these methods and no more."""

    def __init__(self, memory: Memory, session_id: str, *, session_settings: Any = None, observe: bool = True) -> None:
        self.session_id = checks.text("session_id", session_id, most=500)
        self.session_settings = session_settings
        self._memory, self._observe = memory, observe
        self._room = (*ROOM, session_id)
        self._items = Items(memory.shelf.store, memory.shelf.project)

    async def get_items(self, limit: int | None = None) -> list[Item]:
        """The latest so many items, oldest first; all of them where nobody says how many."""
        most = getattr(self.session_settings, "limit", None) if limit is None else limit
        if most is not None and most <= 0:
            return []
        found = await _aside(lambda: self._items.newest(self._room, self._memory.now(), most))
        return [one.value for one in found]

    async def add_items(self, items: list[Item]) -> None:
        """Add to the history; all of them or none."""
        await _aside(lambda: self._add(items))

    async def pop_item(self) -> Item | None:
        """Take the latest item out, if there is one."""
        found = await _aside(lambda: self._items.pop(self._room))
        return found.value if found else None

    async def clear_session(self) -> None:
        """Forget the history; what was learned from it stays."""
        await _aside(lambda: self._items.clear(self._room))

    def _add(self, items: list[Item]) -> None:
        written = [_written(at, item) for at, item in enumerate(items)]
        now = self._memory.now()
        with self._memory.store.transaction():
            last = self._items.newest(self._room, now, 1)
            first = int(last[0].name) + 1 if last else 1
            for number, text in enumerate(written, first):
                self._items.put(self._room, f"{number:012}", text, now)
        for item in items if self._observe else ():
            words = _words(item)
            if words.strip():
                self._memory.observe(words, item["role"], self.session_id)


async def _aside(work: Callable[[], Any]) -> Any:
    """Work that waits for the disk, beside the event loop."""
    import asyncio  # whoever awaits this has it loaded

    return await asyncio.to_thread(work)


def _written(at: int, item: Item) -> str:
    """An item as JSON without its secrets."""
    try:
        text = _encode(item)
        if suspicious(text):
            text = _encode(_clean(item))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"items[{at}] is not JSON: {error}; hand over the items as the SDK makes them") from error
    if len(text) > MOST:
        raise InvalidInput(f"items[{at}] takes {len(text):,} characters; at most {MOST:,} are kept")
    return checks.encodable(f"items[{at}]", text)


def _clean(item: Item) -> Item:
    from experience.capture.secrets import scrub_json

    opaque = {name: item[name] for name in _OPAQUE if name in item}
    cleaned = scrub_json({name: None if name in opaque else value for name, value in item.items()})[0]
    return {**cleaned, **opaque}


def _words(item: Item) -> str:
    """What somebody says in an item; calls, results and thoughts say nothing."""
    if item.get("type", "message") != "message" or item.get("role") not in ("user", "assistant"):
        return ""
    content = item.get("content")
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    said = (part.get("text") for part in parts if isinstance(part, dict) and part.get("type") in _TEXTS)
    return "\n".join(text for text in said if isinstance(text, str))
