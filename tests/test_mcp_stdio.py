"""`experience mcp` over stdio: driven by the official clients of Python and of npm, and line by line."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

import experience
from tests.conftest import need
from tests.provide import MCP_CLIENT
from tests.test_cli import SCRIPT, run
from tests.test_mcp import NAMES

Result = TypeVar("Result")
MODES = {"legacy": "2025-11-25", "auto": "2026-07-28"}  # how a client begins, and the revision both end up with
NPM = Path(__file__).with_name("mcp_client.mjs")


def over_stdio(project: Path, mode: str, work: Callable[[Client], Awaitable[Result]]) -> Result:
    """What a client learns from the real command in a process of its own."""
    command = StdioServerParameters(
        command=SCRIPT, args=["mcp", "--project", str(project)], env={"EXPERIENCE_HOME": str(project / "home")}
    )

    async def connected() -> Result:
        async with Client(stdio_client(command), mode=mode) as client:
            assert client.protocol_version == MODES[mode]
            return await work(client)

    return asyncio.run(connected())


async def _everything(client: Client) -> list[str]:
    """Use all ten tools once; returns what went wrong."""
    learned = await client.call_tool("memory_learn", {"content": "The port is 7333", "tags": ["web"]})
    recorded = await client.call_tool("record_experience", {"intent": "deploy the site", "solution": ["make deploy"]})
    calls = [
        ("memory_recall", {"query": "which port"}), ("memory_episode", {"event": "it broke", "outcome": "failed"}),
        ("memory_procedure", {"name": "deploy", "steps": ["test", "tag"]}), ("memory_stats", {}),
        ("memory_consolidate", {"dry_run": True}), ("manage_core_memory", {"action": "search"}),
        ("find_experiences", {"query": "deploy a site"}),
        ("memory_feedback", {"id": recorded.structured_content["id"], "score": 1}),
        ("memory_feedback", {"id": learned.structured_content["id"], "score": 0, "evidence": {"port": 80}}),
    ]  # fmt: skip
    done = [learned, recorded, *[await client.call_tool(name, given) for name, given in calls]]
    assert done[2].structured_content["memories"][0]["content"] == "The port is 7333"
    assert done[8].structured_content["experiences"][0]["solution"] == ["make deploy"]
    return [one.content[0].text for one in done if one.is_error]


@pytest.mark.parametrize("mode", MODES)
def test_every_tool_works_over_stdio_in_both_revisions(tmp_path: Path, mode: str) -> None:
    """C172–C179: the official client checks each answer against the tool's output schema."""
    assert over_stdio(tmp_path, mode, _everything) == []
    with experience.open(tmp_path, home=tmp_path / "home") as memory:
        assert {one.source for one in [*memory.memories(), *memory.list(), *memory.episodes()]} == {"agent"}
        assert {event.actor for event in memory.events.list()} == {"agent"}


def test_the_npm_client_lists_and_calls_the_tools(tmp_path: Path) -> None:
    """The official TypeScript client, in node."""
    need("the MCP client of npm", MCP_CLIENT.exists())
    command = ["node", NPM, MCP_CLIENT, SCRIPT, "mcp", "--project", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)

    assert found["tools"] == NAMES
    assert found["learned"]["content"] == "The port is 7333"
    assert [one["id"] for one in found["recalled"]["memories"]] == [found["learned"]["id"]]


def spoken(project: Path, *messages: object) -> tuple[subprocess.CompletedProcess[str], list[dict[str, Any]]]:
    """Lines to the real command, then the end of its input; what it says, line for line."""
    lines = "".join((one if isinstance(one, str) else json.dumps(one)) + "\n" for one in messages)
    done = run(project, "mcp", answer=lines)
    return done, [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_older_revisions_begin_with_a_handshake(tmp_path: Path, version: str) -> None:
    client = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    done, (answer,) = spoken(tmp_path, {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client})

    assert (done.returncode, done.stderr) == (0, "")
    assert answer["result"]["protocolVersion"] == version
    assert answer["result"]["serverInfo"]["name"] == "experience"


def test_the_newest_revision_is_discovered(tmp_path: Path) -> None:
    """No handshake; what is said stays with the one who asked."""
    said = {"protocolVersion": "2026-07-28", "clientInfo": {"name": "t", "version": "1"}, "clientCapabilities": {}}
    meta = {"_meta": {f"io.modelcontextprotocol/{name}": value for name, value in said.items()}}
    asking = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": meta}
    done, (answer,) = spoken(tmp_path, asking)

    assert (done.returncode, done.stderr) == (0, "")
    assert answer["result"]["supportedVersions"] == ["2026-07-28"]
    assert (answer["result"]["resultType"], answer["result"]["cacheScope"]) == ("complete", "private")


@pytest.mark.parametrize("lines", [(), ("",), ("garbage", "{}", "[1, 2]", "\x00\xff")])
def test_the_end_of_its_input_ends_it(tmp_path: Path, lines: tuple[str, ...]) -> None:
    """Exit code 0, and nothing on stdout that is not a message."""
    done, _ = spoken(tmp_path, *lines)

    assert done.returncode == 0
    assert "Traceback" not in done.stderr


def test_a_store_that_does_not_open_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / ".experience").write_text("a file in the way")
    done, said = spoken(tmp_path)

    assert (done.returncode, said) == (1, [])
    assert done.stderr.startswith("experience: ")
    assert ".experience" in done.stderr
