"""The shapes a conversation comes in, OpenAI's and Anthropic's: checked, weighed and paired, never changed in place.

Each message is read once into flat pieces, so that nothing outside of this module knows the two shapes.
"""

from __future__ import annotations

import json

from experience import checks
from experience.context import tokens
from experience.errors import InvalidInput
from experience.values import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from typing import Any, TypeAlias

    Message: TypeAlias = dict[str, Any]

MESSAGE_TOKENS = 10  # what a message costs besides its words
MEDIA_TOKENS = 1_600  # an image of the largest size that is not scaled down; the words of a file are not known here
RESULT_TOKENS = 2_000  # what is left of a tool's result once it is capped
CUT = "[experience:"  # how the marker begins that says how much was cut

ROLES = ("system", "developer", "user", "assistant", "tool", "function")
_TEXTS = {"text": "text", "input_text": "text", "output_text": "text", "refusal": "refusal", "thinking": "thinking"}
_BESIDES = (("reasoning_content", "thinking"), ("refusal", "text"))  # what OpenAI's shape says beside the content
_MEDIA = frozenset(("image", "image_url", "input_image", "input_audio", "document", "file", "input_file"))
# What the provider runs itself stands, call and result, in one message; it is weighed whole and not read.
_CLOSED = frozenset(
    """redacted_thinking server_tool_use web_search_tool_result web_fetch_tool_result code_execution_tool_result
    bash_code_execution_tool_result text_editor_code_execution_tool_result tool_search_tool_result tool_reference
    mcp_tool_use mcp_tool_result search_result container_upload""".split()
)
_INSIDE = (*_TEXTS, *sorted(_MEDIA | _CLOSED))  # of a result: no call, and no other result
BLOCKS = (*_INSIDE, "tool_use", "tool_result")


class Piece(Value):
    """A part of a message: its kind (text, thinking, call, result, failed, closed), its words and its weight."""

    kind: str
    text: str
    characters: int
    id: str = ""  # pairs a call with its result


class Parsed(Value):
    """A message and what it is made of."""

    message: Message
    role: str
    pieces: tuple[Piece, ...]

    @property
    def tokens(self) -> int:
        """What it costs: 4 characters a token, and 10 tokens more."""
        return tokens.of_characters(sum(piece.characters for piece in self.pieces)) + MESSAGE_TOKENS

    @property
    def calls(self) -> set[str]:
        """The ids of the tool calls it makes."""
        return {piece.id for piece in self.pieces if piece.kind == "call"}

    @property
    def results(self) -> set[str]:
        """The ids of the tool calls it answers."""
        return {piece.id for piece in self.pieces if piece.kind in ("result", "failed")}

    @property
    def words(self) -> str:
        """All of its text, one piece a line."""
        return "\n".join(piece.text for piece in self.pieces)


def parse(messages: Sequence[Mapping[str, Any]]) -> list[Parsed]:
    """Every message in its pieces; what is wrong with one is said with its index and field."""
    if not isinstance(messages, list | tuple):
        raise InvalidInput(f"messages must be a list of messages, not {type(messages).__name__}")
    return [_parsed(message, f"messages[{index}]") for index, message in enumerate(messages)]


def total(parsed: Sequence[Parsed]) -> int:
    """The tokens of these messages together."""
    return sum(one.tokens for one in parsed)


def paired_start(parsed: Sequence[Parsed], start: int) -> int:
    """Where to begin, at *start* or before, so that no tool result is parted from its call."""
    called: dict[str, int] = {}
    needs = []
    for index, one in enumerate(parsed):
        called.update(dict.fromkeys(one.calls, index))
        needs.append(min((called.get(id, index) for id in one.results), default=index))
    for index in range(len(parsed) - 1, -1, -1):
        if index >= start:
            start = min(start, needs[index])
    return start


def capped(one: Parsed) -> Parsed:
    """The message with every tool result in it cut to 2000 tokens; one that needs no cut is returned as it is."""
    message, content = one.message, one.message.get("content")
    if one.role in ("tool", "function"):
        short = _short(content)
    elif isinstance(content, list):
        blocks = [_short_block(block) for block in content]
        short = content if all(new is old for new, old in zip(blocks, content, strict=True)) else blocks
    else:
        return one
    return one if short is content else _parsed({**message, "content": short}, "message")


def _parsed(message: object, where: str) -> Parsed:
    if not isinstance(message, dict):
        raise InvalidInput(f"{where} must be an object with role and content, not {type(message).__name__}")
    if "role" not in message:
        raise InvalidInput(f"{where}.role is missing; it is one of {', '.join(ROLES)}")
    role = checks.one_of(f"{where}.role", message["role"], ROLES)
    if role in ("tool", "function"):
        return Parsed(message=message, role=role, pieces=(_answer(message, where),))
    calls = _calls(message, where) if role == "assistant" else []
    said = [_text(message[key], kind, f"{where}.{key}") for key, kind in _BESIDES if message.get(key) is not None]
    if message.get("content") is None and not (calls or said):
        raise InvalidInput(f"{where}.content is missing; it is text or a list of blocks")
    return Parsed(message=message, role=role, pieces=(*said, *_content(message, where), *calls))


def _content(holder: Message, where: str, *, blocks: Collection[str] = BLOCKS) -> list[Piece]:
    content = holder.get("content")
    if content is None:
        return []
    if isinstance(content, str):
        return [_text(content, "text", f"{where}.content")]
    if not isinstance(content, list):
        raise InvalidInput(f"{where}.content must be text or a list of blocks, not {type(content).__name__}")
    return [_block(block, f"{where}.content[{index}]", blocks) for index, block in enumerate(content)]


def _block(block: object, where: str, blocks: Collection[str]) -> Piece:
    if not isinstance(block, dict):
        raise InvalidInput(f"{where} must be an object with a type, not {type(block).__name__}")
    kind = checks.one_of(f"{where}.type", block.get("type"), blocks)
    if kind in _TEXTS:
        field = _TEXTS[kind]
        return _text(block.get(field), "thinking" if kind == "thinking" else "text", f"{where}.{field}")
    if kind == "tool_use":
        return _call(block, "input", block.get("id"), where, f"{where}.id")
    if kind == "tool_result":
        return _result(block, block.get("tool_use_id"), f"{where}.tool_use_id", where)
    if kind in _MEDIA and not _readable(block):
        return Piece(kind="closed", text=f"[{kind}]", characters=MEDIA_TOKENS * tokens.CHARACTERS)
    return Piece(kind="closed", text=f"[{kind}]", characters=len(_json(block, where)))


def _readable(block: Message) -> bool:
    """Whether a document holds its words in plain sight."""
    source = block.get("source")
    return isinstance(source, dict) and source.get("type") in ("text", "content")


def _text(value: object, kind: str, where: str) -> Piece:
    if not isinstance(value, str):
        raise InvalidInput(f"{where} must be text, not {type(value).__name__}")
    return Piece(kind=kind, text=value, characters=len(value))


def _call(named: Message, field: str, id: object, where: str, where_id: str) -> Piece:
    name, given = _text(named.get("name"), "call", f"{where}.name").text, named.get(field, "")
    arguments = given if isinstance(given, str) else _json(given, f"{where}.{field}")
    return Piece(
        kind="call",
        text=f"called {name}({arguments})",
        characters=len(name) + len(arguments),
        id=_text(id, "call", where_id).text,
    )


def _calls(message: Message, where: str) -> list[Piece]:
    """OpenAI's tool calls, also the single `function_call` of its first years, which is paired by name."""
    found, old = message.get("tool_calls"), message.get("function_call")
    if not isinstance(found, list | None):
        raise InvalidInput(f"{where}.tool_calls must be a list, not {type(found).__name__}")
    pieces = [_tool_call(call, f"{where}.tool_calls[{index}]") for index, call in enumerate(found or ())]
    if old is not None:
        where = f"{where}.function_call"
        if not isinstance(old, dict):
            raise InvalidInput(f"{where} must be an object with a name and arguments, not {type(old).__name__}")
        pieces.append(_call(old, "arguments", f"function {old.get('name')}", where, where))
    return pieces


def _tool_call(call: object, where: str) -> Piece:
    for kind, field in (("function", "arguments"), ("custom", "input")):
        if isinstance(call, dict) and isinstance(body := call.get(kind), dict):
            return _call(body, field, call.get("id"), f"{where}.{kind}", f"{where}.id")
    raise InvalidInput(f"{where} must be an object with an id and a function")


def _answer(message: Message, where: str) -> Piece:
    """The one piece of a message that is a tool's result."""
    if message.get("content") is None:
        raise InvalidInput(f"{where}.content is missing; it is text or a list of blocks")
    if message["role"] == "function":
        name = _text(message.get("name"), "result", f"{where}.name").text
        return _result(message, f"function {name}", f"{where}.name", where)
    return _result(message, message.get("tool_call_id"), f"{where}.tool_call_id", where)


def _result(holder: Message, id: object, field: str, where: str) -> Piece:
    inside = _content(holder, where, blocks=_INSIDE)
    return Piece(
        kind="failed" if holder.get("is_error") is True else "result",
        text="\n".join(piece.text for piece in inside),
        characters=sum(piece.characters for piece in inside),
        id=_text(id, "result", field).text,
    )


def _json(value: object, where: str) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"{where} is not JSON: {error}") from error


def _short_block(block: dict[str, Any]) -> dict[str, Any]:
    content = block.get("content")
    short = _short(content) if block["type"] == "tool_result" else content
    return block if short is content else {**block, "content": short}


def _short(content: Any) -> Any:
    pieces = _content({"content": content}, "message")
    if sum(piece.characters for piece in pieces) <= RESULT_TOKENS * tokens.CHARACTERS:
        return content
    text = cut("\n".join(piece.text for piece in pieces))
    return text if isinstance(content, str) else [{"type": "text", "text": text}]


def cut(text: str, most: int = RESULT_TOKENS) -> str:
    """The beginning and the end of a long text, where results and errors stand, and in between how much is missing."""
    room = most * tokens.CHARACTERS
    if len(text) <= room:
        return text
    head, tail = (room - 80) * 2 // 3, (room - 80) // 3  # 80: the marker, whatever its numbers
    gone = tokens.of_characters(len(text) - head - tail)
    return f"{text[:head]}\n{CUT} {gone:,} of {tokens.count(text):,} tokens cut here]\n{text[-tail:]}"
