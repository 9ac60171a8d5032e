"""The `Session` of the OpenAI Agents SDK: what goes in comes out, the newest last; importable without the SDK."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import experience
from experience import InvalidInput, Memory
from experience.adapters.openai_session import Session
from tests.conftest import need

SECRET = "ghp_" + "a8Zk3Qw9Xy" * 3 + "b7Tq2L"
CALL = {"type": "function_call", "call_id": "call_1", "name": "look", "arguments": '{"at": "é"}'}
RESULT = {"type": "function_call_output", "call_id": "call_1", "output": "nothing"}
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAAAB" + "mZ9kQ2xW7" * 40}


def said(role: str, words: str) -> dict[str, Any]:
    return {"role": role, "content": words}


ITEMS = [said("user", "look around"), THOUGHT, CALL, RESULT, said("assistant", "there is nothing")]


def done(work: Any) -> Any:
    return asyncio.run(work)


@pytest.mark.parametrize("name", ["anthropic_memory", "openai_session", "langgraph_store", "chat"])
def test_every_adapter_can_be_imported_without_its_framework(name: str) -> None:
    code = (
        "import sys\nsys.modules.update(dict.fromkeys(('anthropic', 'agents', 'openai', 'langgraph')))\n"
        f"import experience.adapters.{name} as one\nprint(one.__doc__ is not None, 'asyncio' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert ran.stdout.split() == ["True", "False"]


def test_a_session_gives_back_what_it_was_given(shared: Memory) -> None:
    """In order, byte for byte, also what only the provider can read; the latest so many on demand."""
    session = Session(shared, "chat.1")
    done(session.add_items(ITEMS[:2]))
    done(session.add_items(ITEMS[2:]))

    assert done(session.get_items()) == ITEMS
    assert done(session.get_items(2)) == ITEMS[-2:]
    assert (done(session.get_items(0)), done(session.get_items(99))) == ([], ITEMS)


def test_the_latest_item_is_taken_out(shared: Memory) -> None:
    session = Session(shared, "a")
    done(session.add_items(ITEMS))

    assert done(session.pop_item()) == ITEMS[-1]
    done(session.add_items([RESULT]))
    assert done(session.get_items()) == [*ITEMS[:-1], RESULT]
    done(session.clear_session())
    assert (done(session.get_items()), done(session.pop_item())) == ([], None)


def test_sessions_do_not_see_each_other(shared: Memory) -> None:
    one, other, inner = Session(shared, "a"), Session(shared, "b"), Session(shared, 'a","x')
    done(one.add_items(ITEMS))
    done(inner.add_items([CALL]))

    assert done(other.get_items()) == []
    done(one.clear_session())
    assert done(inner.get_items()) == [CALL]


def test_the_history_outlives_the_process(tmp_path: Path) -> None:
    """C001"""
    with experience.open(tmp_path) as memory:
        done(Session(memory, "a").add_items(ITEMS))
    with experience.open(tmp_path) as memory:
        assert done(Session(memory, "a").get_items()) == ITEMS


def test_what_is_said_is_heard(memory: Memory) -> None:
    """What the user says is learned, what the agent says is logged; a session may be told not to."""
    rule = "Never push to main on a Friday."
    done(
        Session(memory, "a").add_items(
            [{"role": "user", "content": [{"type": "input_text", "text": rule}]}, *ITEMS[1:]]
        )
    )

    assert [one.content for one in memory.memories()] == [rule]
    assert [turn.role for turn in memory.shelf.episodic.last("a")] == ["user", "assistant"]
    done(Session(memory, "b", observe=False).add_items([said("user", "Always use tabs.")]))
    assert len(memory.memories(state="all")) == 1


def test_secrets_stay_outside_and_marks_stay_as_they_are(memory: Memory) -> None:
    session = Session(memory, "a", observe=False)
    done(session.add_items([{**THOUGHT, "summary": [{"type": "summary_text", "text": f"use {SECRET}"}]}]))

    [kept] = done(session.get_items())
    assert kept["encrypted_content"] == THOUGHT["encrypted_content"]
    assert SECRET not in str(kept)


def test_all_of_the_items_or_none(memory: Memory) -> None:
    session = Session(memory, "a")

    with pytest.raises(InvalidInput, match=r"items\[1\] is not JSON"):
        done(session.add_items([CALL, {"role": "user", "content": {1, 2}}]))

    assert done(session.get_items()) == []
    with pytest.raises(InvalidInput, match="session_id"):
        Session(memory, "")


def test_writers_at_once_lose_nothing(memory: Memory) -> None:
    """C033"""
    session = Session(memory, "a", observe=False)

    async def together() -> None:
        await asyncio.gather(
            *(session.add_items([said("user", f"{at}"), said("assistant", f"{at}")]) for at in range(20))
        )

    done(together())
    found = done(session.get_items())
    assert sorted(int(one["content"]) for one in found[::2]) == list(range(20))
    assert [one["content"] for one in found[::2]] == [one["content"] for one in found[1::2]]


def test_it_is_a_session_to_the_sdk(memory: Memory) -> None:
    """The SDK's own check of its protocol, and its settings."""
    need("openai-agents", find_spec("agents") is not None)
    kinds = import_module("agents.memory")
    session = Session(
        memory, "a", session_settings=import_module("agents.memory.session_settings").SessionSettings(limit=2)
    )
    done(session.add_items(ITEMS))

    assert isinstance(session, kinds.Session)
    assert done(session.get_items()) == ITEMS[-2:]
    assert done(session.get_items(3)) == ITEMS[-3:]
