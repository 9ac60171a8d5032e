"""Plain chat loops: one line before the model is asked, in OpenAI's shape and Anthropic's."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from experience import InvalidInput, Memory, StillClock
from experience.adapters.chat import Chat
from experience.fence import OPEN

RULE = "Never push to main on a Friday."
ASK = "may I push to main on a Friday?"


def user(content: Any) -> dict[str, Any]:
    return {"role": "user", "content": content}


def answer(content: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content}


def text(words: str) -> dict[str, str]:
    return {"type": "text", "text": words}


SYSTEM = {"role": "system", "content": "You help."}
CALL = answer([text("let me look"), {"type": "tool_use", "id": "t1", "name": "git", "input": {}}])
RESULT = user([{"type": "tool_result", "tool_use_id": "t1", "content": "clean"}])


@pytest.fixture
def taught(memory: Memory) -> Memory:
    memory.observe(RULE)
    return memory


def test_a_block_goes_into_the_users_message_where_nothing_stands_above(taught: Memory) -> None:
    """Anthropic's shape: no message may have another role."""
    wrapped = taught.wrap([user("hello"), answer("hi"), user(ASK)])

    assert [one["role"] for one in wrapped] == ["user", "assistant", "user"]
    assert wrapped[2]["content"].startswith(OPEN)
    assert RULE in wrapped[2]["content"]
    assert wrapped[2]["content"].endswith(f"\n\n{ASK}")


def test_a_block_is_a_message_of_its_own_where_a_system_speaks(taught: Memory) -> None:
    """OpenAI's shape: right before the user's message, so that all before it stays cached."""
    wrapped = taught.wrap([SYSTEM, user("hello"), answer("hi"), user(ASK)])

    assert [one["role"] for one in wrapped] == ["system", "user", "assistant", "system", "user"]
    assert RULE in wrapped[3]["content"]
    assert wrapped[4] == user(ASK)


def test_the_blocks_of_a_message_keep_their_order(taught: Memory) -> None:
    """Results of tools come first in a message of Anthropic's; ours goes behind them, before what the user says."""
    image = {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}
    result = {"type": "tool_result", "tool_use_id": "t1", "content": "x"}

    [wrapped] = taught.wrap([user([result, image, text(ASK)])])

    assert [part["type"] for part in wrapped["content"]] == ["tool_result", "image", "text", "text"]
    assert wrapped["content"][2]["text"].startswith(OPEN)
    parts = taught.wrap([user([{"type": "input_text", "text": ASK}])])[0]["content"]
    assert [part["type"] for part in parts] == ["input_text", "input_text"]


def test_nothing_given_is_changed(taught: Memory) -> None:
    messages = [SYSTEM, user([text(ASK)]), CALL, RESULT]
    before = copy.deepcopy(messages)

    taught.wrap(messages)

    assert messages == before


def test_the_users_last_message_is_observed_once(memory: Memory) -> None:
    messages = [user(RULE)]

    wrapped = memory.wrap(messages, session="s")
    assert [one.content for one in memory.memories()] == [RULE]
    for further in ([*messages, CALL, RESULT], [*wrapped, CALL, RESULT], wrapped):
        memory.wrap(further, session="s")

    assert [turn.content for turn in memory.shelf.episodic.last("s")] == [RULE]
    assert memory.memories()[0].reinforcement_count == 1


def test_the_same_turn_gets_the_same_bytes(taught: Memory, clock: StillClock) -> None:
    """While tools are called for one message the prefix of the prompt must not change."""
    first = taught.wrap([user(ASK)], session="s")
    clock.advance(minutes=1)
    taught.learn("never push to main on a Friday evening either", "policy")

    again = taught.wrap([user(ASK), CALL, RESULT], session="s")

    assert again[0] == first[0]
    assert taught.shelf.injections.count() == 1
    clock.advance(minutes=1)
    assert "evening" in taught.wrap([user(ASK), answer("no"), user(ASK)], session="s")[2]["content"]


def test_the_answer_before_is_logged_and_a_correction_understood(memory: Memory) -> None:
    said = "The API listens on port 8000."
    memory.wrap([user("which port?"), answer(said), user("No, the API listens on port 9000, not 8000.")], session="s")

    first = memory.shelf.episodic.last("s")[0]
    assert (first.role, first.content) == ("assistant", said)
    assert "9000" in memory.context("which port does the API listen on?").text


def test_objects_of_client_libraries_are_read(taught: Memory) -> None:
    class Message:
        def __init__(self, role: str, content: str) -> None:
            self.role, self.content = role, content

    wrapped = taught.wrap([Message("user", "hello"), Message("assistant", "hi"), Message("user", ASK)])

    assert isinstance(wrapped[1], Message)
    assert wrapped[2]["role"] == "user"
    assert RULE in wrapped[2]["content"]


@pytest.mark.parametrize("messages", [[], [SYSTEM], [user("")], [answer("hi")], [user([RESULT])], [None], [{"a": 1}]])
def test_where_nobody_asks_nothing_is_put_in(taught: Memory, messages: list[Any]) -> None:
    assert taught.wrap(messages) == messages


def test_where_nothing_matters_the_conversation_stays_as_it_is(memory: Memory) -> None:
    assert memory.wrap([user("write a poem")]) == [user("write a poem")]


def test_what_is_no_conversation_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="messages must be a list"):
        memory.wrap("hello")


def test_a_chat_in_two_lines(taught: Memory) -> None:
    chat = Chat(taught, "s")

    wrapped = chat.wrap([user(ASK)])
    chat.heard("No.")

    assert RULE in wrapped[0]["content"]
    assert [turn.role for turn in taught.shelf.episodic.last("s")] == ["user", "assistant"]
