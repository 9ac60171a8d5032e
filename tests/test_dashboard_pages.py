"""The pages of the dashboard, as a browser without scripts meets them: they show, they look alone, they escape."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient

import dashboard
import experience
from dashboard.app import create_app
from experience import Memory, StillClock

NASTY = """<script>alert("1")</script><img src=x onerror='alert(2)'>"' onmouseover=alert(3) {{ 7*7 }}"""
LISTS = ("/", "/experiences", "/memories", "/review", "/sessions", "/nights", "/playground", "/events", "/health")
FILTERED = (
    "/?days=7", "/?days=90", "/?days=all", "/experiences?q=deploy&type=tool_chain&tag=ops",
    "/experiences?sort=lightest",
    "/memories?q=deploy&priority=high", "/memories?state=all", "/memories?state=quarantined&q=moon",
    "/memories?reach=user", "/playground?prompt=deploy+the+site&path=src/app.py&budget=300", "/nights/plan",
    "/events?type=memory&q=learned", "/events?since=2020-01-01&until=2030-01-01", "/events/verify", "/health/audit",
    "/sessions?id=one",
)  # fmt: skip


@pytest.fixture
def filled(memory: Memory, clock: StillClock) -> Memory:
    """One of everything."""
    memory.record("deploy the site", {"run": "make deploy"}, tags=["ops"])
    memory.learn("Deploy from main only.", type="policy", tags=["team"])
    memory.learn("The moon is made of cheese.", source="web")
    memory.episodic.log("user_message", "deploy the site", session="one")
    block = memory.context("deploy the site", session="one")
    memory.outcome(block.injection_id, 1.0, channel="tests")
    clock.advance(days=2)
    memory.consolidate()
    return memory


@pytest.fixture
def client(filled: Memory) -> Iterator[FlaskClient]:
    with create_app(filled).test_client() as made:
        yield made


def pages(memory: Memory) -> list[str]:
    """Every address that can be looked at."""
    found = [*LISTS, *FILTERED]
    found += [f"/experiences/{one.id}" for one in memory.list()]
    found += [f"/memories/{one.id}" for one in memory.memories(state="all")]
    found += [f"/nights/{one.id}" for one in memory.runs()]
    return [*found, *(f"/events/{one.seq}" for one in memory.events.list(limit=3))]


def dump(memory: Memory) -> list[str]:
    with sqlite3.connect(Path(memory.root, ".experience", "project.db")) as raw:
        lines = list(raw.iterdump())
    raw.close()
    return lines


class Tags(HTMLParser):
    """Every element of a page, with its attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


def test_every_page_shows_whole_and_as_a_fragment(client: FlaskClient, filled: Memory) -> None:
    """One address serves both, and says so to whoever keeps copies."""
    for address in pages(filled):
        whole, part = client.get(address), client.get(address, headers={"HX-Request": "true"})

        assert (whole.status_code, part.status_code) == (200, 200), address
        assert whole.text.startswith("<!doctype html>")
        assert "<html" not in part.text
        assert whole.headers["Vary"] == part.headers["Vary"] == "HX-Request"
        restored = {"HX-Request": "true", "HX-History-Restore-Request": "true"}
        assert client.get(address, headers=restored).text.startswith("<!doctype html>")


def test_looking_writes_nothing(client: FlaskClient, filled: Memory) -> None:
    """Whatever page is looked at, the store is as it was, byte by byte of its rows."""
    before = dump(filled)

    for address in pages(filled):
        client.get(address)
        client.get(address, headers={"HX-Request": "true"})

    assert dump(filled) == before


def test_an_empty_store_says_what_to_do_next(memory: Memory) -> None:
    client = create_app(memory).test_client()

    for address in LISTS:
        assert client.get(address).status_code == 200, address
    assert "experience install claude-code" in client.get("/").text
    assert "experience learn" in client.get("/memories").text
    assert "Nothing waits for a decision" in client.get("/review").text


def test_text_is_never_markup(memory: Memory) -> None:
    """HTML and script in every field come out as the words they are."""
    made = memory.record(NASTY, {NASTY: NASTY}, tags=["<b>tag</b>"])
    known = memory.learn(NASTY, type="policy", tags=["<i>tag</i>"], title=NASTY, source="user")
    memory.learn(f"{NASTY} elsewhere", source="web")
    memory.shelf.reviews.ask("promotion", "x", "", {"name": NASTY, "steps": [NASTY]}, memory.now())
    memory.log("tool.called", subject="<u>x</u>", words=NASTY)
    memory.update(known.id, content=f"{NASTY} again")
    memory.episodic.log("user_message", NASTY, session=NASTY)
    memory.context(NASTY, session=NASTY)
    client = create_app(memory).test_client()

    asked = [*pages(memory), f"/playground?prompt={NASTY}", f"/experiences?q={NASTY}", f"/memories?q={NASTY}",
             f"/events?q={NASTY}", f"/events?type={NASTY[:50]}", f"/sessions?id={quote(NASTY)}"]  # fmt: skip
    shown = {address: client.get(address).text for address in asked}
    for address, html in shown.items():
        for tag, attributes in Tags(html).found:
            assert tag not in ("img", "b", "i", "u") or not attributes.get("src"), address
            assert tag != "script" or attributes.get("src"), address
            assert not [name for name in attributes if name.startswith("on")], address
        assert "<b>tag" not in html
        assert "<i>tag" not in html
    assert "&lt;script&gt;" in shown[f"/experiences/{made.id}"]


@pytest.mark.parametrize(
    "address",
    [
        "/nope",
        "/experiences/exp_none",
        "/memories/none",
        "/memories/exp_none",
        "/nights/run_none",
        "/events/99999",
        "/sessions?id=none",
    ],
)
def test_what_is_not_there_is_a_page_that_says_so(client: FlaskClient, address: str) -> None:
    answer = client.get(address)

    assert answer.status_code == 404
    assert "<nav" in answer.text
    assert "Nothing here" in answer.text


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("/?days=3", "choose one of 7, 30, 90, all"),
        ("/experiences?type=poem", "choose one of tool_chain"),
        ("/experiences?sort=random", "choose one of newest"),
        ("/experiences?skip=-1", "skip=50"),
        ("/memories?state=gone", "choose one of"),
        ("/memories?priority=9", "choose one of critical"),
        ("/playground?prompt=x&budget=lots", "write one from 1 to"),
        ("/events?since=yesterday", "is no time"),
        (f"/experiences?q={'x' * 501}", "shorten it"),
    ],
)
def test_a_bad_filter_gets_a_sentence(client: FlaskClient, address: str, words: str) -> None:
    whole, part = client.get(address), client.get(address, headers={"HX-Request": "true"})

    assert (whole.status_code, part.status_code) == (400, 400)
    assert words in whole.text
    assert words in part.text
    assert "<html" not in part.text


def test_no_page_asks_another_origin_for_anything(client: FlaskClient, filled: Memory) -> None:
    for address in pages(filled):
        answer = client.get(address)
        for _, attributes in Tags(answer.text).found:
            for name in ("src", "href", "action", "hx-get", "hx-post"):
                assert not (attributes.get(name) or "").startswith(("http:", "https:", "//")), address
            assert "style" not in attributes, address
        assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
        assert "unsafe" not in answer.headers["Content-Security-Policy"]


def test_the_first_visit_is_light(client: FlaskClient) -> None:
    """All of the first page and what it loads takes less than 300 KB on the way."""
    html = client.get("/").data
    scripts = [client.get(f"/assets/{name}", headers={"Accept-Encoding": "gzip"}) for name in ("htmx.js", "chart.js")]
    own = [Path(dashboard.__file__).parent.joinpath("static", name) for name in ("style.css", "page.js", "icon.svg")]

    assert all(one.headers["Content-Encoding"] == "gzip" for one in scripts)
    assert sum(len(one.data) for one in scripts) + sum(one.stat().st_size for one in own) + len(html) < 300_000
    assert client.get("/assets/htmx.js").data.startswith(b"var htmx")
    assert client.get("/assets/other.js").status_code == 404


def test_what_the_block_would_be_is_what_it_is(client: FlaskClient, filled: Memory) -> None:
    """The playground shows the very text that an agent gets for the same prompt."""
    shown = filled.preview("deploy the site", budget=500)
    given = filled.context("deploy the site", budget=500)

    assert shown.text == given.text
    assert [(one.id, one.reason) for one in shown.trace] == [(one.id, one.reason) for one in given.trace]


def test_a_day_counts_what_happened_on_it(memory: Memory, clock: StillClock) -> None:
    memory.record("deploy the site", "make deploy")
    clock.advance(days=3)
    memory.learn("Deploy from main only.")
    memory.learn("The port is 8090.")

    week, whole, one = memory.activity(7), memory.activity(None), memory.activity(1)

    assert len(week.days) == 7
    assert week.counts["recorded"] == (0, 0, 0, 1, 0, 0, 0)
    assert week.counts["captured"] == (0, 0, 0, 0, 0, 0, 2)
    assert len(whole.days) == 4
    assert one.counts["recorded"] == (0,)
    assert sum(week.weights) == 1


def test_success_is_told_apart_by_whether_an_experience_was_in_the_block(memory: Memory) -> None:
    """The outcomes of blocks with a past experience in them, against those of blocks without."""
    memory.learn("Never push to main.", type="policy")
    bare = memory.context("water the plants")
    memory.outcome(bare.injection_id, 0.0, channel="tests")
    memory.record("deploy the site", "make deploy", success_score=1.0)
    helped = memory.context("deploy the site")
    memory.outcome(helped.injection_id, 1.0, channel="tests")

    found = memory.activity(30).success

    assert (found[True].outcomes, found[True].mean) == (1, 1.0)
    assert (found[False].outcomes, found[False].mean) == (1, 0.0)


def test_a_long_list_goes_on_on_the_next_page(memory: Memory) -> None:
    memory.record_many([{"intent": f"task number {n}", "solution": "x"} for n in range(60)])
    client = create_app(memory).test_client()

    first, second = client.get("/experiences").text, client.get("/experiences?skip=50").text

    assert "task number 59" in first
    assert "task number 9<" not in first
    assert "skip=50" in first
    assert "task number 9<" in second


def test_a_memory_of_a_million_characters_is_shortened(memory: Memory) -> None:
    made = memory.record("keep a large log", "x" * 900_000)

    found = create_app(memory).test_client().get(f"/experiences/{made.id}")

    assert found.status_code == 200
    assert len(found.data) < 60_000
    assert "more characters" in found.text


def test_figures_of_an_unknown_event_are_refused(memory: Memory) -> None:
    with pytest.raises(experience.NotFound):
        memory.event(12)


def test_events_are_listed_shown_and_queried(memory: Memory) -> None:
    """C110: the page of the log has three modes: a list, one event in full, and a query by type, time and text."""
    for type in ("tool.called", "file.changed", "error.raised"):
        memory.log(type, subject="app.py", words=f"of {type}")
    client = create_app(memory).test_client()

    everything, tools = client.get("/events").text, client.get("/events?type=tool").text
    by_text, before = client.get("/events?q=of+error").text, client.get("/events?until=2000-01-01").text
    one = client.get(f"/events/{memory.events.list(type='file.changed')[0].seq}").text

    assert all(type in everything for type in ("tool.called", "file.changed", "error.raised"))
    assert ("tool.called" in tools, "file.changed" in tools) == (True, False)
    assert ("error.raised" in by_text, "tool.called" in by_text) == (True, False)
    assert "Nothing matches" in before
    assert "of file.changed" in one
    assert memory.events.list(type="file.changed")[0].hash in one


def test_a_session_can_be_read_again_with_what_it_was_told_and_why(memory: Memory, clock: StillClock) -> None:
    """C071: each turn in order, calls of tools with how they ended, and each block with its reasons and outcomes."""
    memory.record("deploy the site", "make deploy")
    log = memory.episodic.log
    log("user_message", "please deploy the site", session="talk")
    clock.advance(minutes=1)
    block = memory.context("deploy the site", session="talk")
    clock.advance(minutes=1)
    log("tool_call", {"command": "make deploy"}, session="talk", tool="shell")
    log("tool_result", "it was refused", session="talk", tool="shell", ok=False)
    memory.outcome(block.injection_id, 0.25, channel="tests")
    client = create_app(memory).test_client()

    listed, one = client.get("/sessions").text, client.get("/sessions?id=talk").text

    assert "3 messages and calls" in listed
    assert "1 blocks handed out" in listed
    order = (
        "please deploy the site",
        block.injection_id,
        "a similar task that went well",
        "make deploy&#34;",
        "refused",
    )
    places = [one.index(words) for words in order]
    assert places == sorted(places)
    assert "failed" in one
    assert "25%" in one
