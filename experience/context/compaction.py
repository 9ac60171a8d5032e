"""Makes room in a conversation before its window is full, and keeps what carries facts. Pure, and without an LLM.

What comes out is: the system messages, one summary block in a message of the user, and the last messages as
they were. Two messages of the user may follow each other then, which both OpenAI and Anthropic accept.
"""

from __future__ import annotations

from experience import checks
from experience.context import digest, tokens
from experience.context.messages import MESSAGE_TOKENS, capped, paired_start, parse, total
from experience.context.windows import window_of
from experience.errors import InvalidInput
from experience.fence import without
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TypeAlias

    from experience.context.messages import Message, Parsed

    Summarise: TypeAlias = Callable[[list[Message]], str]

FULL_PERCENT = 70
FEWEST_MESSAGES = 10
KEEP = 6
TARGET = 0.5
OVER_PART = 10  # where the target is lost anyway, a tenth of it more for the facts
SYSTEM = ("system", "developer")


class MemoryStats(Value):
    """How full a conversation's window is."""

    messages: int
    tokens: int
    window: int
    percent: float  # of the window, from 0 up; above 100 it no longer fits
    needs_compaction: bool


class _Split(Value):
    """A conversation taken apart: what stays before the summary and after it, and what goes into it."""

    system: list[Parsed]
    gone: list[Parsed]
    tail: list[Parsed]

    @property
    def kept(self) -> int:
        """The tokens of what stays."""
        return total(self.system) + total(self.tail)


def stats(messages: Sequence[Mapping[str, Any]], model: str | None = None, *, window: int | None = None) -> MemoryStats:
    """How many messages and tokens there are, of which window; 4 characters a token and 10 tokens a message."""
    parsed, size = parse(messages), window_of(model, window)
    used = total(parsed)
    full = 100 * used > FULL_PERCENT * size  # whole numbers: 0.7 × 90 is not 63
    return MemoryStats(
        messages=len(parsed),
        tokens=used,
        window=size,
        percent=100 * used / size,
        needs_compaction=full and len(parsed) >= FEWEST_MESSAGES,
    )


def needs_compaction(
    messages: Sequence[Mapping[str, Any]], model: str | None = None, *, window: int | None = None
) -> bool:
    """Whether more than 70 % of the window is taken, by at least 10 messages."""
    return stats(messages, model, window=window).needs_compaction


def compact(
    messages: Sequence[Mapping[str, Any]],
    model: str | None = None,
    *,
    window: int | None = None,
    keep: int = KEEP,
    target: float = TARGET,
    summarise: Summarise | None = None,
) -> list[Message]:
    """The conversation in at most *target* of its window: system messages, one summary block, the last *keep* as is.

    What fits already, or cannot be made smaller, is returned as it is. The messages given are never changed.
    *summarise* is handed copies of the messages that go and returns the summary's text; what it raises is not caught.
    """
    if summarise is not None and not callable(summarise):
        raise InvalidInput(f"summarise must be a function of messages, not {type(summarise).__name__}")
    parsed, limit = parse(messages), int(window_of(model, window) * _share(target))
    split = _split(parsed, checks.count("keep", keep, least=0), limit)
    summary = _summary(split, total(parsed), limit, summarise) if total(parsed) > limit and split.gone else ""
    if not summary:
        return [one.message for one in parsed]
    block: Message = {"role": "user", "content": summary}
    return [*(one.message for one in split.system), block, *(one.message for one in split.tail)]


def _share(target: float) -> float:
    if checks.positive("target", target) > 1:
        raise InvalidInput(f"target must be a share of the window, above 0 and at most 1, not {target!r}")
    return target


def _split(parsed: list[Parsed], keep: int, limit: int) -> _Split:
    """Earlier blocks are set aside first: they are not among the last messages, and the new block takes them in."""
    lead = next((at for at, one in enumerate(parsed) if one.role not in SYSTEM), len(parsed))
    earlier = [one for one in parsed[lead:] if digest.is_summary(one)]
    rest = [one for one in parsed[lead:] if not digest.is_summary(one)]
    last = max(0, len(rest) - keep)
    start = paired_start(rest, last)
    system, older = parsed[:lead], rest[:start]
    tail = [*map(capped, rest[start:last]), *rest[last:]]  # those before the last ones only complete a pair
    later = _later(older, system)
    if 2 * total(later) <= limit - total(system) - total(tail):  # else what was said would find no room beside them
        system, older = [*system, *later], [one for one in older if one.role not in SYSTEM]
    return _Split(system=system, gone=[*earlier, *map(capped, older)], tail=tail)


def _later(older: list[Parsed], system: list[Parsed]) -> list[Parsed]:
    """The system messages in the midst, each once, without those that only brought what a memory had injected."""
    known = {one.words for one in system}
    found = {one.words: one for one in older if one.role in SYSTEM and one.words not in known}
    return [one for words, one in found.items() if without(words).strip()]


def _summary(split: _Split, used: int, limit: int, summarise: Summarise | None) -> str:
    """The summary block, or nothing where even the smallest would not make the conversation smaller.

    Where the messages that stay leave no room for it, the target is lost anyway: it gets a little room beyond, and says
    so, rather than let every fact go.
    """
    count = sum(digest.summarised(one) if digest.is_summary(one) else 1 for one in split.gone)
    over = split.kept + _cost(digest.block(count, "")) > limit
    least = digest.block(count, "", over=over)
    goal = min(used - 1, split.kept + _cost(least) + limit // OVER_PART) if over else limit
    room = (goal - split.kept - MESSAGE_TOKENS) * tokens.CHARACTERS - len(least) - 1
    if room < -1:
        return ""
    body = _written(split.gone, room, summarise) if summarise else ""
    return digest.block(count, body or digest.digest(digest.lines(split.gone), room), over=over)


def _cost(text: str) -> int:
    return tokens.count(text) + MESSAGE_TOKENS


def _written(gone: list[Parsed], room: int, summarise: Summarise) -> str:
    """What the caller's summariser makes of it, as much as finds room."""
    from copy import deepcopy  # only who brings a summariser pays for it

    text = summarise(deepcopy([one.message for one in gone]))
    if not isinstance(text, str):
        raise InvalidInput(f"summarise must return the summary as text, not {type(text).__name__}")
    return digest.harmless(text, room)
