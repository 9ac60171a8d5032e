"""Typed memories: what one is, where it is kept, who sees it, and what is done to it by its id."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import experience
from experience import InvalidInput, Memory, NotFound, StillClock
from experience.desks.intake import Intake
from experience.ids import new_id
from experience.models import MEMORY_TYPES
from tests.conftest import Server

LONE = "\ud800"
PRIORITY = {
    "policy": "critical", "workflow": "high", "pitfall": "high", "architecture": "high", "decision": "medium",
    "preference": "medium", "fact": "normal",
}  # fmt: skip
BAD: dict[str, tuple[dict[str, Any], str]] = {
    "empty": ({"content": ""}, "content is empty"),
    "blanks": ({"content": " \n\u3000"}, "content is empty"),
    "1 MB": ({"content": "x" * 1_000_000}, "content has 1,000,000 characters; at most 20,000"),
    "NUL": ({"content": "tabs\0spaces"}, "content contains a NUL character at position 4"),
    "half a character": ({"content": f"tabs {LONE}"}, "content contains a lone surrogate at position 5"),
    "bytes": ({"content": b"tabs"}, "content must be text, not bytes"),
    "nothing": ({"content": None}, "content must be text, not NoneType"),
    "type": ({"type": "rumour"}, "type 'rumour' is unknown; choose one of policy"),
    "type: list": ({"type": ["fact"]}, r"type \['fact'\] is unknown"),
    "type: nothing": ({"type": None}, "type None is unknown"),
    "priority": ({"priority": "urgent"}, "priority 'urgent' is unknown; choose one of critical, high, medium, normal"),
    "priority: number": ({"priority": 1}, "priority 1 is unknown"),
    "reach": ({"reach": "everyone"}, "reach 'everyone' is unknown; choose one of project, user"),
    "scope: open brace": ({"scope": "src/{a"}, "scope 'src/{a' has a brace that is not closed"),
    "scope: way out": ({"scope": "../x"}, "scope '../x' leaves the project"),
    "10,000 tags": ({"tags": [f"tag {n}" for n in range(10_000)]}, "tags has 10,000 entries; at most 50"),
    "tags: text": ({"tags": "web"}, "tags must be a list of words"),
    "tags: NUL": ({"tags": ["we\0b"]}, "tags contains a NUL character"),
    "tags: too long": ({"tags": ["x" * 101]}, "tags has 101 characters"),
    "source": ({"source": ""}, "source is empty"),
    "source: half": ({"source": LONE}, "source contains a lone surrogate"),
    "context": ({"context": 5}, "context must be text, not int"),
    "title": ({"title": "x" * 201}, "title has 201 characters; at most 200"),
    "title: NUL": ({"title": "a\0"}, "title contains a NUL character"),
    "keywords: number": ({"keywords": 5}, "keywords must be words, as 'a|b' or as a list, not 5"),
    "keywords: numbers": ({"keywords": ["a", 5]}, "keywords must be words"),
    "keywords: NUL": ({"keywords": "a|\0"}, "keywords contains a NUL character"),
    "keywords: half": ({"keywords": [LONE]}, "keywords contains a lone surrogate"),
}


def tables(memory: Memory) -> list[object]:
    names = ("memories", "memory_versions", "events", "corpora", "memories_vocabulary")
    return [memory.store.query(f"select * from {name}") for name in names]


@pytest.mark.parametrize("type", MEMORY_TYPES)
def test_a_type_gives_the_priority_where_nobody_says(shared: Memory, type: str) -> None:
    """C148, C149, C150, C151, C152, C153, C154."""
    assert shared.learn("tabs, not spaces", type).priority == PRIORITY[type]
    assert shared.learn("spaces, not tabs", type, "normal").priority == "normal"


def test_everything_that_was_learned_can_be_read_again(shared: Memory, clock: StillClock) -> None:
    """C145, C172: type, scope, priority and all the rest, round trip."""
    one = shared.learn(
        "  Run the linter first  ", "workflow", "critical", "src/**/*.py", ["ci", "lint"], "project", "agent",
        "what comes before a push?", title="Linting", keywords=["ruff", "make lint"],
    )  # fmt: skip

    assert shared.get(one.id) == one
    assert shared.memories() == [one]
    assert (one.content, one.type, one.priority) == ("Run the linter first", "workflow", "critical")
    assert (one.scope, one.tags, one.reach) == ("src/**/*.py", ("ci", "lint"), "project")
    assert (one.trust, one.source, one.reinforcement_count) == ("agent", "agent", 1)
    assert (one.title, one.keywords) == ("Linting", "ruff|make lint")
    assert {one.created_at, one.updated_at, one.accessed_at, one.valid_from} == {clock()}
    assert (one.valid_to, one.archived_at, one.quarantined_at, one.superseded_by, one.folded_into) == (None,) * 5
    assert "push" not in str(one)


def test_what_a_memory_is_called_is_taken_from_what_it_says(shared: Memory) -> None:
    """C015, C021: words of the content, separated by |."""
    one = shared.learn("The PaymentGateway needs idempotency keys. Retries double charges otherwise.")

    assert one.title == "The PaymentGateway needs idempotency keys"
    words = one.keywords.split("|")
    assert "paymentgateway" in words
    assert all(word in one.content.lower() for word in words)


@pytest.mark.parametrize("name", BAD)
def test_what_cannot_be_kept_is_refused_by_its_field(memory: Memory, name: str) -> None:
    """C154: the sentence names the field; nothing is written; the same on an update."""
    bad, message = BAD[name]
    one = memory.learn("four spaces")
    before = tables(memory)
    with pytest.raises(InvalidInput, match=f"^{message}"):
        memory.learn(**{"content": "tabs, not spaces", **bad})
    assert tables(memory) == before
    if not bad.keys() & {"reach", "context", "source"}:
        with pytest.raises(InvalidInput, match=f"^{message}"):
            memory.update(one.id, **bad)
        assert tables(memory) == before


def test_odd_but_possible_content_is_kept_as_it_is(shared: Memory) -> None:
    odd = [
        "🚀",
        "日本語のメモ",
        "!!! ???",
        "x" * 20_000,
        "'; drop table memories; --",
        "</system>\x1b[31m\u202e",
        "½ ²",
    ]

    assert [shared.learn(text).content for text in odd] == odd
    assert [shared.get(one.id).content for one in shared.memories()] == [one.content for one in shared.memories()]
    assert {one.content for one in shared.memories()} == set(odd)


def test_a_secret_never_reaches_a_column(memory: Memory) -> None:
    """Content, context, title, keywords and tags all pass the one choke point."""
    key = "ghp_" + "a1B2c3D4e5F6" * 3
    memory.learn(f"push with {key}", tags=[key], context=f"use {key}", title=f"key {key}", keywords=[key])
    one = memory.memories()[0]
    memory.update(one.id, content=f"pull with {key}")

    assert key not in str(tables(memory)) + str(memory.history(one.id))


def test_an_id_has_seven_letters_and_no_two_are_alike(memory: Memory) -> None:
    """C013: 10,000 of them."""
    made = [new_id(length=7) for _ in range(10_000)]
    assert len(set(made)) == 10_000
    assert all(re.fullmatch(r"[0-9a-z]{7}", id) for id in made)
    stored = [memory.learn(f"rule number {number} of many").id for number in range(200)]

    assert len(set(stored)) == 200
    assert all(re.fullmatch(r"[0-9a-z]{7}", id) for id in stored)


def test_an_id_that_is_taken_is_drawn_again(shared: Memory, clock: StillClock) -> None:
    """C013: in a store of a million two draws in a thousand collide; nothing is lost."""
    first, desk = shared.learn("tabs, not spaces"), shared._desks.memories
    twin = desk.checked(Intake(), content="four spaces").replace(id=first.id)
    with shared.store.transaction():
        second = desk._inserted(shared.shelf, twin, clock(), Intake())

    assert second.id != first.id
    assert {one.content for one in shared.memories()} == {"tabs, not spaces", "four spaces"}


def test_a_users_memory_is_in_the_users_store_alone(tmp_path: Path) -> None:
    """C008, C010: each row in its own file."""
    with experience.open(tmp_path / "work", home=tmp_path / "home") as memory:
        assert not (tmp_path / "home" / "user.db").exists()
        mine = memory.learn("I like short answers", "preference", reach="user")
        ours = memory.learn("the API speaks JSON")

        assert memory.store.where == str(tmp_path / "work" / ".experience" / "project.db")
        assert memory.user.where == str(tmp_path / "home" / "user.db")
        assert memory.store.query("select id, reach from memories") == [(ours.id, "project")]
        assert memory.user.query("select id, reach from memories") == [(mine.id, "user")]
        assert memory.stats()["user_memories"]["memories"] == 1


def test_the_users_home_is_where_the_environment_says(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C008: by default ~/.experience."""
    monkeypatch.setenv("EXPERIENCE_HOME", str(tmp_path / "there"))
    with experience.open(tmp_path / "work") as memory:
        assert memory.user.where == str(tmp_path / "there" / "user.db")
    monkeypatch.delenv("EXPERIENCE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "me"))
    with experience.open(tmp_path / "work") as memory:
        assert memory.user.where == str(tmp_path / "me" / ".experience" / "user.db")


@pytest.mark.parametrize("where", ["files", "server"])
def test_a_project_sees_its_own_memories_and_the_users(
    tmp_path: Path, where: str, request: pytest.FixtureRequest
) -> None:
    """C009, C011: learned in A; B finds the user's and by no verb the project's."""
    start: Callable[[], Server] | None = request.getfixturevalue("start_server") if where == "server" else None
    url = start().url if start else None
    with experience.open(tmp_path / "a", url) as a, experience.open(tmp_path / "b", url) as b:
        mine = a.learn("I like short answers", "preference", "high", reach="user")
        ours = a.learn("Do not rebase in the repo of the payments team", "policy", scope="*.py")
        a.episode("the payments repo was rebased by mistake", "failure")
        made = a.procedure("release payments", ["tag", "push"])

        assert [hit.id for hit in b.recall("short answers")] == [mine.id]
        assert b.get(mine.id).content == "I like short answers"
        assert (b.recall("rebase payments repo"), b.scoped("x.py"), b.memories()) == ([], [], [b.get(mine.id)])
        assert (b.episodes(), b.episodes("payments rebased"), b.stats()["procedures"]) == ([], [], 0)
        assert "rebase" not in b.formatted_memories() + b.context("rebase the payments repo", "x.py").text
        assert b.manage_core_memory("search", query="rebase", scope="project") == []
        assert b.shelf.index("memories").matching([("rebas", 1.0, 1.0)], 10) == []
        for verb in (b.get, b.forget, b.archive, b.remember, b.history, lambda id: b.update(id, content="x")):
            with pytest.raises(NotFound, match=ours.id):
                verb(ours.id)
        with pytest.raises(NotFound):
            b.get(made.id)
        assert a.get(ours.id) == ours


def test_two_projects_may_say_the_same(start_server: Callable[..., Server], tmp_path: Path) -> None:
    """C011: neither the very same nor nearly the same words reach over; each has its own memory."""
    url = start_server().url
    with experience.open(tmp_path / "a", url) as a, experience.open(tmp_path / "b", url) as b:
        theirs = a.learn("Do not rebase in the repo of the payments team")
        near = b.learn("Don't rebase in the repository of the payments team")
        same = b.learn("the port of the API is 8080")
        other = a.learn("the port of the API is 9090")

        assert {one.id for one in b.memories()} == {near.id, same.id}
        assert [one.reinforcement_count for one in (a.get(theirs.id), near)] == [1, 1]
        assert b.get(same.id).superseded_by is None
        assert a.get(other.id).superseded_by is None


def test_saying_it_again_reinforces(shared: Memory, clock: StillClock) -> None:
    """C181: in other letters or nearly other words: one memory, the tags of both, the decay anew."""
    first = shared.learn("Do not rebase in the repo", tags=["git"])
    clock.advance(days=5)
    shared.learn("do NOT rebase  in the repo.", tags=["team"])
    again = shared.learn("Don't rebase in the repository")

    assert (again.id, again.reinforcement_count, again.tags) == (first.id, 3, ("git", "team"))
    assert (again.created_at, again.accessed_at) == (first.created_at, clock())
    assert shared.memories(state="all") == [again]
    assert [hit.id for hit in shared.recall("team", touch=False)] == [first.id]


@pytest.mark.parametrize("other", [{"scope": "docs/**"}, {"reach": "user"}])
def test_another_scope_or_reach_is_another_memory(shared: Memory, other: dict[str, str]) -> None:
    first = shared.learn("Do not rebase in the repo", scope="src/**")

    assert shared.learn("Do not rebase in the repo", **other).id != first.id
    assert shared.get(first.id).reinforcement_count == 1


def test_saying_it_more_firmly_raises_the_priority_and_never_lowers_it(shared: Memory) -> None:
    one = shared.learn("never push to main", "preference")
    firm = shared.learn("never push to main", "policy")
    shared.learn("never push to main", "fact")

    assert (one.priority, firm.priority, firm.type) == ("medium", "critical", "policy")
    assert (shared.get(one.id).priority, shared.get(one.id).type) == ("critical", "policy")


def test_an_update_changes_what_is_given_and_nothing_else(shared: Memory, clock: StillClock) -> None:
    """C022, C017: what it said before is kept; a clock that went back takes nothing back."""
    one = shared.learn("deploy with make", "workflow", tags=["ops"], scope="ci/**", title="Deploying", context="how?")
    clock.advance(hours=1)
    new = shared.update(one.id, tags=["ops", "ci"], priority="critical")

    changed = {name for name, value in one.as_dict().items() if getattr(new, name) != value}
    assert changed == {"tags", "priority", "updated_at"}
    clock.advance(days=-1)
    text = shared.update(one.id, content="deploy with ninja")
    assert (text.title, text.keywords, text.updated_at) == ("deploy with ninja", "deploy|ninja", new.updated_at)
    assert [hit.id for hit in shared.recall("ninja", touch=False)] == [one.id]
    assert shared.recall("make", touch=False) == []
    assert [(was["kind"], was["content"], was["tags"]) for was in shared.history(one.id)] == [
        ("edited", "deploy with make", ["ops", "ci"]), ("edited", "deploy with make", ["ops"])
    ]  # fmt: skip


@pytest.mark.parametrize("changes", [{}, {"trust": "user"}, {"source": "user"}, {"reinforcement_count": 99}])
def test_an_update_takes_only_what_may_change(memory: Memory, changes: dict[str, Any]) -> None:
    one = memory.learn("deploy with make")
    with pytest.raises(InvalidInput, match="update takes one or more of content, keywords, priority, scope"):
        memory.update(one.id, **changes)

    assert memory.get(one.id) == one


def test_an_unknown_id_is_an_error_for_every_verb(shared: Memory) -> None:
    """C023."""
    for verb in ("get", "forget", "archive", "restore", "remember", "history", "erase"):
        with pytest.raises(NotFound, match="no memory with the id 'unknown'"):
            getattr(shared, verb)("unknown")


def test_forgetting_leaves_no_byte_behind(tmp_path: Path) -> None:
    """Every word in every column, earlier versions, outcomes and indexes; the log keeps the id alone."""
    with experience.open(tmp_path) as memory:
        kept = memory.learn("deploys are harmless")
        one = memory.learn(
            "zanzibarquux swordfishvalue", tags=["zebratag"], scope="yaktree/**", context="wombatquestion",
            title="narwhaltitle", keywords=["ocelotword"],
        )  # fmt: skip
        memory.update(one.id, content="zanzibarquux pangolinvalue")
        memory.outcome(one.id, 1.0, "test", evidence="proofofquokka")
        memory.recall("zanzibarquux")
        memory.forget(one.id)

        left = b"".join(path.read_bytes() for path in (tmp_path / ".experience").iterdir()).lower()
        for word in (b"zanzibar", b"swordfish", b"zebratag", b"yaktree", b"wombat", b"narwhal", b"ocelot", b"pangolin",
                     b"quokka"):  # fmt: skip
            assert word not in left
        assert [event.subject for event in memory.events.list(type="memory.forgotten")] == [one.id]
        assert memory.memories(state="all") == [kept]
        assert memory.verify().whole


def test_scopes_decide_what_is_shown_for_a_file(shared: Memory) -> None:
    """C186, C187, C188: covered ones alone, by priority, then by score; also the user's."""
    weak = shared.learn("prefer const over let", "preference", scope="src/**/*.ts")
    strong = shared.learn("prefer named exports", "preference", scope="*.ts")
    rule = shared.learn("no any in TypeScript", "policy", scope="src", reach="user")
    shared.learn("black formats the code", "policy", scope="*.py")
    shared.learn("be kind", "policy")
    shared.remember(strong.id)
    shared.recall("exports")
    old = shared.archive(shared.learn("no enums", "policy", scope="src/**").id)

    assert [one.id for one in shared.scoped("src/a/b.ts")] == [rule.id, strong.id, weak.id]
    assert [one.id for one in shared.scoped(Path(shared.root) / "src" / "a" / "b.ts")] == [rule.id, strong.id, weak.id]
    assert [one.id for one in shared.scoped("src/a/b.js")] == [rule.id]
    assert (shared.scoped("../src/a.ts"), shared.scoped("/src/a.ts")) == ([], [])
    assert old.id not in [one.id for one in shared.scoped("src/a/b.ts")]


def test_the_statistics_equal_counts_in_sql(shared: Memory) -> None:
    """C176: by type, total tokens (a fourth of the characters of each), and states."""
    for number in range(3):
        shared.learn(f"fact number {number}" + "!" * number)
    shared.learn("never push to main", "policy")
    shared.archive(shared.learn("old and long " * 10).id)
    shared.learn("said by a page", source="web")
    found = shared.stats()["memories"]
    rows = shared.store.query("select type, content from memories where archived_at is null and quarantined_at is null")

    assert (found["memories"], found["by_type"]) == (4, {"fact": 3, "policy": 1})
    assert found["tokens"] == sum(-(-len(str(content)) // 4) for _, content in rows)
    assert (found["archived"], found["quarantined"], found["superseded"], found["folded"]) == (1, 1, 0, 0)
