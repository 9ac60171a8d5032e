"""MCP over HTTP inside `experience up`: one address, the same tools, and nobody from elsewhere."""

from __future__ import annotations

import asyncio
import json
import signal
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from mcp.client import Client

import experience
from experience import StoreUnavailable
from experience.mcp_server.bridge import Bridge
from tests.test_mcp import NAMES
from tests.test_mcp_stdio import MODES
from tests.test_up import Service

PING = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    started = Service(tmp_path_factory.mktemp("site"))
    yield started
    if started.process.poll() is None:
        started.end()


def post(address: str, body: object, **headers: str) -> tuple[int, bytes]:
    """One request as a program sends it."""
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    asking = urllib.request.Request(f"{address}mcp", data, {**JSON, **named}, method="POST")
    try:
        with urllib.request.urlopen(asking, timeout=30) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


@pytest.mark.parametrize("mode", MODES)
def test_the_official_client_lists_and_calls_the_tools(service: Service, mode: str) -> None:
    """Both revisions at the same address."""

    async def work() -> None:
        async with Client(f"{service.address}mcp", mode=mode) as client:
            assert client.protocol_version == MODES[mode]
            assert [one.name for one in (await client.list_tools()).tools] == NAMES
            learned = await client.call_tool("memory_learn", {"content": "The port is 7333"})
            found = await client.call_tool("memory_recall", {"query": "which port"})
            assert [one["id"] for one in found.structured_content["memories"]] == [learned.structured_content["id"]]
            assert (await client.call_tool("memory_recall", {"query": 5})).is_error

    asyncio.run(work())


def test_many_clients_at_once_get_their_own_answers(service: Service) -> None:
    async def work() -> list[object]:
        async def one(number: int) -> object:
            async with Client(f"{service.address}mcp") as client:
                given = {"intent": f"task number {number}", "solution": number}
                return (await client.call_tool("record_experience", given)).structured_content["solution"]

        return await asyncio.gather(*map(one, range(12)))

    assert asyncio.run(work()) == list(range(12))


@pytest.mark.parametrize(
    ("headers", "status"),
    [({}, 200), ({"Origin": "http://evil.example"}, 403), ({"Origin": "null"}, 403), ({"Host": "evil.example"}, 403),
     ({"Sec_Fetch_Site": "cross-site"}, 403), ({"Sec_Fetch_Site": "same-site"}, 403),
     ({"Content_Type": "text/plain"}, 415), ({"Content_Type": "application/x-www-form-urlencoded"}, 415)],
)  # fmt: skip
def test_no_page_of_another_origin_reaches_it(service: Service, headers: dict[str, str], status: int) -> None:
    """Nor one that points its own name at this machine; a program of this machine does."""
    found, body = post(service.address, PING, **headers)

    assert found == status
    assert ("error" in json.loads(body)) == (status != 200)


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"null", b"[" * 3000, b"\xff", b'{"jsonrpc": "2.0"}'])
def test_a_body_that_is_no_message_is_refused(service: Service, body: bytes) -> None:
    status, _ = post(service.address, body)

    assert 400 <= status < 500


def test_it_holds_no_stream_open(service: Service) -> None:
    """The server says nothing unasked: 405 is how the protocol tells a client so."""
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{service.address}mcp", timeout=10)
    refused.value.close()

    assert (refused.value.code, refused.value.headers["Allow"]) == (405, "POST")


def test_it_ends_with_the_service(tmp_path: Path) -> None:
    """Also after it was used: exit code 0, no complaint."""
    started = Service(tmp_path)
    assert post(started.address, PING)[0] == 200
    code, words = started.end(signal.SIGTERM)

    assert code == 0
    assert "Traceback" not in words
    assert f"MCP {started.address}mcp" in words


def test_with_a_token_it_wants_the_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPERIENCE_API_TOKEN", "s3cret")
    started = Service(tmp_path)
    found = [post(started.address, PING, **given)[0] for given in (
        {}, {"Authorization": "Bearer wrong"}, {"Authorization": "Bearer s3cret"})]  # fmt: skip
    _, words = started.end()

    assert found == [401, 401, 200]
    assert "s3cret" not in words


def test_a_bridge_that_ended_says_so(memory: experience.Memory) -> None:
    bridge = Bridge(memory)
    body = json.dumps(PING).encode()
    assert bridge.answer("POST", "/mcp", JSON.items(), body)[0] == 200
    bridge.close()
    bridge.close()

    with pytest.raises(StoreUnavailable, match="the service is ending"):
        bridge.answer("POST", "/mcp", JSON.items(), body)
