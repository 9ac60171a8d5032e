"""Histories of aider: Markdown in which the user's lines begin with `####` and those of the tool with `>`."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from experience.exchange.records import Bad, Said
from experience.exchange.spoken import spoken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from experience.exchange.records import Record
    from experience.exchange.source import Source

_START = r"# aider chat started at (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\s*$"
_ASKING = r"/(?:ask|architect|code|context)\s+"  # commands that carry words of the user; the others are for aider


def looks(source: Source) -> bool:
    """Whether a file is such a history."""
    return source.name == ".aider.chat.history.md" or bool(re.search(rf"^{_START}", source.head, re.MULTILINE))


def read(source: Source) -> Iterator[Record]:
    """Every message of the user and of the model, chat by chat."""
    # aider ends the user's lines with two blanks; a heading of the model's own looks the same but for them
    signed = bool(re.search(r"^#### .*  \r?$", source.head, re.MULTILINE))
    parts: list[str] = []
    speaker, since, session, at = "", 0, source.stem, None
    for number, line in source.lines():
        if isinstance(line, Bad):
            yield line
            continue
        start = re.match(_START, line)
        ended = speaker == "user" and not line.strip()  # two messages of the user may follow each other
        who = "" if start or ended else _speaker(line, signed=signed)
        if who != speaker:
            yield from _said(since, session, speaker, parts, at)
            parts, speaker, since = [], who, number
        if start:
            session, at = f"aider {start[1]}", _local(start[1])
        parts.append(line.removeprefix("####").strip() if who == "user" else line)
    yield from _said(since, session, speaker, parts, at)


def _speaker(line: str, *, signed: bool) -> str:
    if line.startswith("#### ") and (line.endswith("  ") or not signed):
        return "user"
    return "tool" if line.startswith(">") else "assistant"


def _said(line: int, session: str, speaker: str, parts: list[str], at: datetime | None) -> Iterator[Said]:
    text = spoken("\n".join(parts))
    if speaker == "user":
        text = re.sub(rf"^{_ASKING}", "", text)
    if speaker in ("user", "assistant") and text and not (speaker == "user" and text.startswith(("/", "!", "<blank>"))):
        yield Said(line=line, session=session, role=speaker, text=text, at=at)


def _local(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
