"""The HTTP API: what the command line does, for programs, and who may ask."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from werkzeug.test import Client, TestResponse

import experience
from dashboard.app import create_app
from experience import Memory, StillClock

SENTENCE = 4  # words, at least
ADDRESSES = ["/api/stats", "/api/openapi.json", "/api/health", "/api/nowhere", "/mcp"]


class Api:
    """A caller of the API of one hall."""

    def __init__(self, memory: Memory, token: str | None = None) -> None:
        self.client: Client = create_app(memory, token=token).test_client()

    def get(self, name: str, /, **given: Any) -> Any:
        return told(self.client.get(f"/api/{name}", query_string=given))

    def post(self, name: str, /, **given: Any) -> Any:
        return told(self.client.post(f"/api/{name}", json=given))

    def refused(self, name: str, /, **given: Any) -> tuple[int, str]:
        """The status and the sentence."""
        answer = self.client.post(f"/api/{name}", json=given)
        return answer.status_code, error(answer)


def told(answer: TestResponse) -> Any:
    assert answer.status_code == 200, answer.text
    assert answer.mimetype == "application/json"
    return json.loads(answer.data)


def error(answer: TestResponse) -> str:
    """The one sentence of an error."""
    (words,) = json.loads(answer.data).values()
    assert len(words.split()) >= SENTENCE
    assert answer.mimetype == "application/json"
    return str(words)


@pytest.fixture
def api(memory: Memory) -> Api:
    return Api(memory)


def test_record_find_and_say_how_it_went(api: Api) -> None:
    """C003, C004: as on the command line; a search, a list and a look count as no use."""
    steps = {"steps": ["freeze the clock"]}
    made = api.post("record", intent="fix the flaky login test", solution=steps, tags=["tests"])
    api.post("record", intent="deploy the site", solution="make deploy", success_score=0.5)
    (hit,) = api.get("find", query="login test fails sometimes", tags=["tests"], limit=1)

    assert (hit["id"], hit["experience"]["solution"]) == (made["id"], steps)
    assert hit["why"]["terms"]
    assert [one["intent"] for one in api.get("list", tag="tests")] == ["fix the flaky login test"]
    assert api.get("get", id=made["id"])["use_count"] == 0
    assert api.post("outcome", id=made["id"], score=1, channel="tests", evidence={"passed": 12})["use_count"] == 1


def test_a_memory_from_learning_to_forgetting(api: Api, memory: Memory) -> None:
    made = api.post("learn", content="The port is 7333", type="fact", scope="src/**", priority="high", tags=["web"])
    told_again = api.post("learn", content="The port is 7333", scope="src/**")
    assert (told_again["id"], told_again["reinforcement_count"]) == (made["id"], 2)
    assert [hit["id"] for hit in api.post("recall", query="port", type="fact", max_tokens=50)] == [made["id"]]
    assert [one["id"] for one in api.get("scoped", path="src/app.py")] == [made["id"]]
    assert api.post("update", id=made["id"], content="The port is 7334", scope="")["scope"] is None
    assert [one["content"] for one in api.get("history", id=made["id"])] == ["The port is 7333"]
    assert api.post("archive", id=made["id"])["archived_at"]
    assert [one["id"] for one in api.get("memories", state="archived")] == [made["id"]]
    assert api.post("restore", id=made["id"])["archived_at"] is None
    assert api.post("remember", id=made["id"])["id"] == made["id"]
    assert api.post("forget", id=made["id"]) == {"forgotten": made["id"]}
    assert memory.memories(state="all") == []


def test_recalling_counts_and_looking_does_not(api: Api) -> None:
    made = api.post("learn", content="The port is 7333")
    api.post("recall", query="port", touch=False)
    assert api.get("get", id=made["id"])["reinforcement_count"] == 1
    api.post("recall", query="port")
    assert api.get("get", id=made["id"])["reinforcement_count"] == 2


def test_what_was_true_then(api: Api, clock: StillClock) -> None:
    api.post("learn", content="The port is 80", source="user")
    before = clock().isoformat()
    clock.advance(days=2)
    api.post("learn", content="The port is 7333", source="user")

    assert [hit["memory"]["content"] for hit in api.post("recall", query="port", as_of=before)] == ["The port is 80"]
    assert api.refused("recall", query="port", as_of="yesterday")[0] == 400


def test_a_conversation(api: Api) -> None:
    """Observe, context, explain, why-not, replay."""
    (kept,) = api.post("observe", text="I prefer tabs over spaces", role="user", session="s1")
    block = api.post("context", prompt="format the file with tabs", session="s1", budget=400)
    explained = api.get("explain", injection=block["injection_id"])

    assert api.post("detect", text="I prefer tabs over spaces", role="user")[0]["type"] == kept["type"] == "preference"
    assert kept["id"] in block["items"]
    assert api.get("replay", injection=block["injection_id"])["text"] == block["text"] == explained["text"]
    assert api.get("why-not", injection=block["injection_id"], id=kept["id"])["taken"] is True
    assert api.post("outcome", id=block["injection_id"], score=1)["id"] == block["injection_id"]


def test_making_room_in_a_conversation(api: Api) -> None:
    messages = [{"role": "user", "content": f"message {number} " + "word " * 4000} for number in range(40)]
    found = api.post("compact", messages=messages, model="gpt-3.5-turbo")

    assert found["messages"][-1] == messages[-1]
    assert found["after"]["tokens"] < found["before"]["tokens"]
    assert found["before"]["needs_compaction"] is True


def test_episodes_and_procedures(api: Api) -> None:
    api.post("episode", event="the deploy failed", outcome="failed", tags=["deploy"], session="s1")
    api.post("episode", event="the tests passed")
    made = api.post("procedure", name="release", steps=["test", "tag"], context="every Monday")

    assert [one["event"] for one in api.get("episodes", tag="deploy")] == ["the deploy failed"]
    assert [one["event"] for one in api.get("episodes", query="tests")] == ["the tests passed"]
    assert [one["steps"] for one in api.get("procedures")] == [["test", "tag"]] == [made["steps"]]


def test_what_agents_did(api: Api, memory: Memory) -> None:
    run = memory.episodic.start("s1")
    memory.episodic.log("user_message", "fix the parser", run=run.id)

    assert [one["id"] for one in api.get("runs/list", session="s1")] == [run.id]
    assert [one["content"] for one in api.get("runs/show", run=run.id)["log"]] == ["fix the parser"]
    assert [one["content"] for one in api.get("runs/search", query="parser")] == ["fix the parser"]
    assert "fix the parser" in api.get("runs/export", run=run.id)["lines"]


def test_files_and_the_sessions_that_saw_them(api: Api, memory: Memory) -> None:
    Path(memory.root, "deploy.md").write_text("# Deploying\n\nRun make deploy, then check the health page.\n")
    assert api.post("sync")["added"] == 1
    session = api.post("sessions/create", name="ship it")
    found = api.post("search", query="deploying", session=session["id"], response_id="answer-1")

    assert [one["path"] for one in found["chunks"]] == ["deploy.md"]
    assert [one["path"] for one in api.get("sessions/audit", response_id="answer-1")] == ["deploy.md"]
    assert [one["path"] for one in api.get("sessions/replay", session=session["id"])["chunks"]] == ["deploy.md"]
    assert api.post("sessions/archive", session=session["id"])["status"] == "archived"
    assert [one["id"] for one in api.get("sessions/list", status="archived")] == [session["id"]]


def test_the_night_and_undoing_it(api: Api, clock: StillClock) -> None:
    made = api.post("learn", content="The mirror answers slowly")
    clock.advance(days=400)
    plan = api.post("consolidate", dry_run=True)
    assert ["archive", made["id"]] in [[one["step"], one["subject"]] for one in plan["changes"]]
    assert api.get("get", id=made["id"])["archived_at"] is None
    done = api.post("consolidate", only="archive")
    assert api.get("get", id=made["id"])["archived_at"]

    assert [one["id"] for one in api.get("jobs/history")] == [done["run"]]
    assert [one["subject"] for one in api.get("jobs/show", run=done["run"])["changes"]] == [made["id"]]
    assert "archive" in api.get("jobs/list")["steps"]
    assert api.post("undo", run=done["run"])["restored"] == 1
    assert api.get("get", id=made["id"])["archived_at"] is None


def test_a_person_decides(api: Api) -> None:
    """What a tool said waits; the caller names who decides."""
    held, other = (api.post("learn", content=f"The mirror {what}", source="tool")["id"] for what in ("is slow", "lies"))
    assert {one["id"] for one in api.get("review/list")["quarantined"]} == {held, other}
    assert api.post("review/approve", id=held, by="Ada")["quarantined_at"] is None
    assert api.post("review/reject", id=other, by="Ada")["archived_at"]
    assert api.refused("review/approve", id=held, by="Bob")[0] == 409


def test_the_core_memory(api: Api) -> None:
    given = {"content": "the API speaks JSON", "category": "Knowledge", "title": "API", "scope": "project"}
    (made,) = api.post("core-memory", action="add", **given)
    assert api.post("core-memory", action="search", query="JSON") == [made]
    found = api.get("core-memory")
    assert found["entries"] == [made]
    assert "the API speaks JSON" in found["text"]
    assert api.post("core-memory", action="delete", id=made["id"]) == [made]


def test_the_whole_store(api: Api, memory: Memory) -> None:
    made = api.post("record", intent="deploy", solution=1)
    assert api.get("stats")["experiences"] == 1
    assert api.get("audit")["experiences"] == 1
    assert [one["subject"] for one in api.get("events", type="experience", where=["type=task_solution"])] == [
        made["id"]
    ]
    assert api.get("events", until="2020-01-01") == []
    assert api.get("verify")["whole"] is True
    assert {"name": "port", "value": 7333, "source": "default"}.items() <= api.get("settings")[-1].items()
    assert api.post("reindex")["indexed"] == 1
    assert api.post("erase", id=made["id"]) == {"erased": made["id"]}
    assert memory.list() == []


def test_what_nobody_signs_is_an_agents(api: Api) -> None:
    """A caller may say whose words they are; one that says nothing speaks for an agent, and vouches for nothing."""
    assert api.post("learn", content="The port is 7333")["trust"] == "agent"
    assert api.post("learn", content="Tabs are used", source="user")["trust"] == "user"
    assert api.post("record", intent="x", solution=1)["trust"] == "agent"
    held = api.post("learn", content="The mirror is slow", source="tool")
    assert api.post("outcome", id=held["id"], score=1)["quarantined_at"]
    assert api.post("outcome", id=held["id"], score=1, channel="tests")["quarantined_at"] is None


@pytest.mark.parametrize(
    ("name", "given", "status", "words"),
    [("learn", {"content": "x", "colour": "red"}, 400, "learn does not take colour"),
     ("learn", {}, 400, "learn needs content"), ("learn", {"content": 5}, 400, "content must be text, not 5"),
     ("learn", {"content": "x\0"}, 400, "NUL"), ("learn", {"content": None}, 400, "content must be text, not null"),
     ("outcome", {"id": "exp_nothere", "score": 1}, 404, "no experience with the id"),
     ("outcome", {"id": "exp_nothere", "score": 2}, 400, "score must be a number from 0 to 1"),
     ("outcome", {"id": "x", "score": 1, "channel": "me"}, 400, "channel 'me' is unknown"),
     ("forget", {"id": "nothere"}, 404, "no memory"), ("undo", {"run": "run_nothere"}, 404, "no run"),
     ("observe", {"text": "I prefer tabs"}, 400, "observe needs role"),
     ("consolidate", {"only": "sing"}, 400, "sing")],
)  # fmt: skip
def test_bad_input_gets_a_sentence(api: Api, name: str, given: dict[str, Any], status: int, words: str) -> None:
    found, sentence = api.refused(name, **given)

    assert (found, words in sentence) == (status, True), sentence


@pytest.mark.parametrize("address", ["/api/nowhere", "/api/", "/api", "/api/get/it"])
def test_an_address_that_is_none(api: Api, address: str) -> None:
    answer = api.client.get(address)

    assert (answer.status_code, "/api/openapi.json" in error(answer)) == (404, True)


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "GET", "OPTIONS"])
def test_a_method_that_is_none(api: Api, method: str) -> None:
    answer = api.client.open("/api/record", method=method)

    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    error(answer)


@pytest.mark.parametrize("kind", [None, "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_only_json_is_taken(api: Api, memory: Memory, kind: str | None) -> None:
    """What a form of another page can send is none of them."""
    answer = api.client.post("/api/record", data=b'{"intent": "x", "solution": 1}', content_type=kind)

    assert (answer.status_code, memory.list()) == (415, [])
    assert "Content-Type: application/json" in error(answer)


def test_a_body_that_is_too_large(api: Api) -> None:
    answer = api.client.post("/api/observe", data=b" " * 8_000_001, content_type="application/json")

    assert (answer.status_code, "at most 8 MB" in error(answer)) == (413, True)


def test_a_store_that_is_gone(tmp_path: Path) -> None:
    with experience.open(tmp_path) as memory:
        api = Api(memory)
    assert api.refused("record", intent="x", solution=1)[0] == 503


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("headers", [
    {"Origin": "https://evil.example"}, {"Origin": "null"}, {"Origin": "http://localhost:3000"},
    {"Origin": "https://localhost"}, {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"},
    {"Host": "evil.example"}, {"Host": "127.0.0.1.evil.example"}, {"Host": "evil.example:80"},
])  # fmt: skip
def test_a_page_of_another_origin_cannot_reach_it(api: Api, address: str, headers: dict[str, str]) -> None:
    """Whether or not there is such an address; no header invites it to read along."""
    for method in ("GET", "POST", "OPTIONS"):
        answer = api.client.open(address, method=method, headers=headers, json={})
        assert answer.status_code == 403
        assert not [name for name, _ in answer.headers if name.lower().startswith("access-control")]


@pytest.mark.parametrize("headers", [
    {"Origin": "http://localhost"}, {"Sec-Fetch-Site": "same-origin"}, {"Sec-Fetch-Site": "none"},
    {"Host": "127.0.0.1:7333", "Origin": "http://127.0.0.1:7333"}, {"Host": "[::1]:7333"},
])  # fmt: skip
def test_a_page_of_ours_and_a_program_of_this_machine_can(api: Api, headers: dict[str, str]) -> None:
    assert api.client.get("/api/stats", headers=headers).status_code == 200


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Api]:
    where = tmp_path_factory.mktemp("locked")
    with experience.open(where, home=where) as memory:
        yield Api(memory, token="s3cret")


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("given", [
    None, "", "Bearer", "Bearer ", "Bearer wrong", "Bearer s3cre", "Bearer s3crets", "Basic s3cret", "s3cret",
    "Bearer s3cret s3cret", "Bearer \xff", "Bearer " + "s3cret" * 1000,
])  # fmt: skip
def test_without_the_token_there_is_no_answer(locked: Api, address: str, given: str | None) -> None:
    """401 with a sentence, whether or not there is such an address."""
    answer = locked.client.get(address, headers={} if given is None else {"Authorization": given})

    assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
    assert "s3cret" not in error(answer)


@pytest.mark.parametrize("given", ["Bearer s3cret", "bearer s3cret", "Bearer  s3cret "])
def test_with_the_token_there_is(locked: Api, given: str) -> None:
    assert told(locked.client.get("/api/stats", headers={"Authorization": given}))["experiences"] == 0
