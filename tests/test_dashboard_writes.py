"""What a team lead does on the dashboard: only from its own pages, once, and told what became of it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from dashboard.app import create_app
from experience import Memory, NotFound
from tests.test_cli import run

OURS = {"Sec-Fetch-Site": "same-origin", "Origin": "http://localhost"}
HTMX = {**OURS, "HX-Request": "true"}


@pytest.fixture
def app(memory: Memory) -> Flask:
    return create_app(memory)


@pytest.fixture
def client(app: Flask) -> Iterator[FlaskClient]:
    with app.test_client() as made:
        yield made


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": "http://localhost:8000"},
        {"Sec-Fetch-Site": "none"},
    ],
)
def test_another_page_changes_nothing(client: FlaskClient, memory: Memory, headers: dict[str, str]) -> None:
    """A write from another origin, or one that does not say where it comes from, is refused."""
    made, known = memory.record("deploy the site", "x"), memory.learn("Deploy from main only.")
    held = memory.learn("The moon is made of cheese.", source="web")
    before = memory.events.count()

    for address, form in [
        (f"/experiences/{made.id}/erase", {}), (f"/experiences/{made.id}/wrong", {}),
        (f"/memories/{known.id}/forget", {}),
        (f"/memories/{known.id}/edit", {"content": "Deploy from anywhere."}), (f"/memories/{known.id}/archive", {}),
        ("/review", {"id": held.id, "decision": "approve"}), ("/nights/run", {}),
    ]:  # fmt: skip
        assert client.post(address, data=form, headers=headers).status_code == 403, address
    assert memory.events.count() == before


def test_right_and_wrong_are_a_persons_outcome(client: FlaskClient, memory: Memory) -> None:
    made = memory.record("deploy the site", "x")

    assert client.post(f"/experiences/{made.id}/wrong", headers=OURS).status_code == 303
    wrong = memory.experiences.get(made.id)
    told = client.post(f"/experiences/{made.id}/right", headers=HTMX)

    assert (wrong.success_score < 1, wrong.verified_count) == (True, 1)
    assert memory.experiences.get(made.id).verified_count == 2
    assert "Marked right" in told.text
    assert told.headers["HX-Trigger"] == "changed"


def test_what_is_erased_is_gone(client: FlaskClient, memory: Memory) -> None:
    made, known = memory.record("deploy the site", "x"), memory.learn("Deploy from main only.")

    assert client.post(f"/experiences/{made.id}/erase", headers=HTMX).headers["HX-Redirect"] == "/experiences"
    assert client.post(f"/memories/{known.id}/forget", headers=OURS).headers["Location"] == "/memories"

    for id in (made.id, known.id):
        with pytest.raises(NotFound):
            memory.get(id)


def test_an_edit_keeps_what_was_said_before(client: FlaskClient, memory: Memory) -> None:
    known = memory.learn("Deploy from main only.", type="policy")
    form = {"content": "Deploy from release only.", "type": "policy", "priority": "high", "scope": "src/**",
            "tags": "team, ops"}  # fmt: skip

    client.post(f"/memories/{known.id}/edit", data=form, headers=HTMX)
    found = memory.shelf.memories.get(known.id)

    assert (found.content, found.priority, found.scope) == ("Deploy from release only.", "high", "src/**")
    assert found.tags == ("team", "ops")
    assert "Deploy from main only." in client.get(f"/memories/{known.id}").text
    same = client.post(f"/memories/{known.id}/edit", data=form, headers=HTMX)
    assert "Nothing was different" in same.text


def test_a_bad_edit_gets_a_sentence_and_changes_nothing(client: FlaskClient, memory: Memory) -> None:
    known = memory.learn("Deploy from main only.")

    answer = client.post(f"/memories/{known.id}/edit", data={"type": "poem"}, headers=HTMX)

    assert answer.status_code == 400
    assert "poem" in answer.text
    assert memory.shelf.memories.get(known.id) == known


def test_archived_and_brought_back(client: FlaskClient, memory: Memory) -> None:
    known = memory.learn("Deploy from main only.")

    client.post(f"/memories/{known.id}/archive", headers=HTMX)
    assert memory.shelf.memories.get(known.id).archived_at is not None
    client.post(f"/memories/{known.id}/restore", headers=HTMX)
    assert memory.shelf.memories.get(known.id).archived_at is None
    assert client.post(f"/memories/{known.id}/explode", headers=HTMX).status_code == 404


def test_many_are_decided_at_once_and_every_decision_is_an_event(client: FlaskClient, memory: Memory) -> None:
    """Who decided, and what, is written down for each."""
    held = [memory.learn(f"Fact number {word}.", source="web").id for word in ("one", "two", "three")]
    form = {"id": held, "decision": "approve", "by": "Ada"}

    answer = client.post("/review", data=form, headers=HTMX)

    assert "3 approved" in answer.text
    assert memory.memories(state="quarantined") == []
    told = memory.events.list(type="memory.reviewed")
    assert {(one.subject, one.actor) for one in told} == {(id, "Ada") for id in held}


def test_who_decides_second_is_told(client: FlaskClient, memory: Memory) -> None:
    held = memory.learn("The moon is made of cheese.", source="web").id
    open_one = memory.learn("The sun is made of butter.", source="web").id
    client.post("/review", data={"id": held, "decision": "approve", "by": "Ada"}, headers=HTMX)

    answer = client.post("/review", data={"id": [held, open_one], "decision": "reject", "by": "Bob"}, headers=HTMX)

    assert "1 rejected" in answer.text
    assert "is not in quarantine (any more)" in answer.text
    assert memory.shelf.memories.get(held).archived_at is None


def test_two_rival_statements_stand_side_by_side(client: FlaskClient, memory: Memory) -> None:
    old, new = memory.learn("We cache in redis."), memory.learn("We keep copies in memcached.")
    id = memory.shelf.reviews.ask("supersession", new.id, old.id, {}, memory.now())

    shown = client.get("/review").text
    client.post("/review", data={"id": str(id), "decision": "approve"}, headers=HTMX)

    assert "We cache in redis." in shown
    assert "We keep copies in memcached." in shown
    assert memory.shelf.memories.get(old.id).superseded_by == new.id


@pytest.mark.parametrize("form", [{"decision": "approve"}, {"id": "x", "decision": "maybe"}, {"id": "x"}])
def test_a_decision_about_nothing_gets_a_sentence(client: FlaskClient, form: dict[str, str]) -> None:
    assert client.post("/review", data=form, headers=HTMX).status_code == 400


def test_a_night_is_done_and_undone(app: Flask, client: FlaskClient, memory: Memory) -> None:
    for _ in range(2):
        memory.record("deploy the site", "make deploy")

    planned = client.get("/nights/plan").text
    assert memory.runs() == []
    assert client.post("/nights/run", headers=HTMX).status_code == 200
    app.extensions["night"].wait()
    run = memory.runs()[0]

    assert "dedupe" in planned
    assert run.state == "done"
    assert len(memory.list()) == 1
    assert client.post(f"/nights/{run.id}/undo", headers=HTMX).status_code == 200
    assert len(memory.list()) == 2
    assert client.post("/nights/run_nothing/undo", headers=HTMX).status_code == 404


def test_a_store_that_is_away_is_told_and_comes_back(client: FlaskClient, memory: Memory) -> None:
    """A banner over the last figures, a page that tries again, and no trace of it once the store is back."""
    memory.record("deploy the site", "x")
    path = Path(memory.root, ".experience", "project.db")
    with sqlite3.connect(path) as raw:
        raw.execute("alter table experiences rename to elsewhere")
    raw.close()

    whole, part = client.get("/experiences"), client.get("/experiences", headers={"HX-Request": "true"})

    assert (whole.status_code, part.status_code) == (503, 503)
    assert 'http-equiv="refresh"' in whole.text
    assert "the last that was known" in part.text
    with sqlite3.connect(path) as raw:
        raw.execute("alter table elsewhere rename to experiences")
    raw.close()
    assert client.get("/experiences").status_code == 200


def test_a_locked_store_is_told_and_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading goes on while another process writes; what has to wait too long says so and can be done again."""
    monkeypatch.setenv("EXPERIENCE_TIMEOUT_S", "0.2")
    with Memory(tmp_path / "project") as known:
        made, client = known.learn("Deploy from main only."), create_app(known).test_client()
        other = sqlite3.connect(Path(known.root, ".experience", "project.db"), isolation_level=None)
        other.execute("begin immediate")

        refused = client.post(f"/memories/{made.id}/archive", headers=HTMX)
        shown = client.get(f"/memories/{made.id}").status_code
        other.execute("rollback")
        other.close()

        assert (refused.status_code, shown) == (503, 200)
        assert "banner bad" in refused.text
        assert known.shelf.memories.get(made.id).archived_at is None
        assert client.post(f"/memories/{made.id}/archive", headers=HTMX).status_code == 200


def test_with_a_token_the_pages_want_it_too(memory: Memory) -> None:
    client = create_app(memory, token="s3cret").test_client()

    refused = client.get("/")

    assert refused.status_code == 401
    assert refused.headers["WWW-Authenticate"].lower().startswith("basic")
    assert client.get("/", auth=("lead", "wrong")).status_code == 401
    assert client.get("/", auth=("lead", "s3cret")).status_code == 200
    assert client.get("/assets/htmx.js").status_code == 200


def test_the_demo_fills_an_empty_memory_and_no_other(tmp_path: Path) -> None:
    """Six weeks with nights, sessions, outcomes and things to decide; where something is stored already, a sentence."""
    done = run(tmp_path, "demo", "--project", ".", "--json")
    again = run(tmp_path, "demo", "--project", ".")

    assert done.returncode == 0, done.stderr
    assert "already" in again.stderr
    assert again.returncode == 1
    with Memory(tmp_path) as filled:
        assert len(filled.runs()) == 3
        assert len(filled.memories(state="quarantined")) == 3
        assert filled.browse_sessions()[0]
        assert filled.activity(None).success[True].outcomes > 0
        assert filled.verify().whole
