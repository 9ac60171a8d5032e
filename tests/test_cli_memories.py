"""The commands of memories, episodes and procedures as a person would type them, each in a process of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import experience
from tests.test_cli import run


def told(where: Path, *arguments: str) -> Any:
    """What a command that goes well prints as JSON."""
    done = run(where, *arguments, "--json")
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project without a memory yet: the first thing learned makes it."""
    where = tmp_path / "site"
    where.mkdir()
    return where


def test_what_is_learned_is_recalled_in_the_next_process(project: Path) -> None:
    """C007, C172, C173"""
    made = told(project, "learn", "The staging server is called Wombat", "--tag", "ops", "--title", "Staging")
    run(project, "learn", "Tabs over spaces", "--type", "preference")

    found = told(project, "recall", "what is the name of the staging server?")

    assert (made["type"], made["priority"], made["tags"], made["title"]) == ("fact", "normal", ["ops"], "Staging")
    assert [hit["id"] for hit in found] == [made["id"]]
    assert found[0]["why"]["terms"]
    assert run(project, "recall", "staging").stdout.endswith(f"{made['id']}  fact          {made['content']}\n")


def test_learning_it_again_is_told_and_counted(project: Path) -> None:
    first = run(project, "learn", "Use pnpm, never npm", "--type", "policy")
    again = run(project, "learn", "use pnpm, never npm!", "--type", "policy")

    assert (first.stderr, again.stderr) == ("", "known already; reinforced, now 2×\n")
    assert first.stdout == again.stdout
    assert told(project, "memories")[0]["reinforcement_count"] == 2


def test_what_a_tool_says_is_quarantined_until_a_person_vouches(project: Path) -> None:
    learned = run(project, "learn", "The build needs 8 GB", "--source", "tool")
    id = learned.stdout.strip()

    assert learned.stderr.startswith("in quarantine, never injected: ")
    assert [one["id"] for one in told(project, "memories", "--state", "quarantined")] == [id]
    assert told(project, "context", "how much memory does the build need?")["items"] == []
    assert run(project, "outcome", id, "1").stdout == f"{id}  trusted as user\n"
    assert told(project, "context", "how much memory does the build need?")["items"] == [id]


def test_a_recall_counts_unless_it_only_looks(project: Path) -> None:
    """C181: a list, a get and a recall that does not touch count nothing."""
    id = run(project, "learn", "The staging server is called Wombat").stdout.strip()

    for command in ("recall wombat --no-touch", "memories", f"get {id}", f"history {id}", "scoped a.py"):
        assert run(project, *command.split()).returncode == 0
    assert told(project, "get", id)["reinforcement_count"] == 1
    for _ in range(3):
        assert run(project, "recall", "wombat").returncode == 0
    assert told(project, "get", id)["reinforcement_count"] == 4


def test_a_recall_is_narrowed_by_type_scope_budget_and_number(project: Path) -> None:
    """C173"""
    for number in range(3):
        run(project, "learn", f"Deploying step {number} takes {number} minutes of waiting", "--scope", f"s{number}/**")
    run(project, "learn", "Deploying needs a second pair of eyes", "--type", "policy", "--reach", "user")

    def found(*options: str) -> list[dict[str, Any]]:
        return [hit["memory"] for hit in told(project, "recall", "deploying", "--no-touch", *options)]

    assert len(found()) == 4
    assert [one["type"] for one in found("--type", "policy")] == ["policy"]
    assert [one["reach"] for one in found("--scope", "user")] == ["user"]
    assert [one["scope"] for one in found("--scope", "s1/deep/file.py")] == ["s1/**"]
    assert len(found("--limit", "2")) == 2
    assert len(found("--max-tokens", "22")) == 2
    assert run(project, "recall", "deploying", "--as-of", "2020-01-01").stderr == "nothing like it was learned yet\n"


def test_a_path_is_seen_from_where_it_is_typed(project: Path) -> None:
    """C186, C187"""
    id = run(project, "learn", "Views never query the database", "--scope", "src/views/**").stdout.strip()
    below = project / "src" / "views"
    below.mkdir(parents=True)

    def scoped(where: Path, path: str, *options: str) -> list[str]:
        return [one["id"] for one in told(where, "scoped", path, *options)]

    assert scoped(project, "src/views/a.py") == scoped(below, "a.py") == scoped(below, "../views/a.py") == [id]
    assert scoped(project, str(below / "a.py")) == scoped(project.parent, "src/views/a.py", "--project", "site") == [id]
    assert scoped(project, "src/a.py") == scoped(below, "../a.py") == []
    assert told(below, "context", "hello", "--path", "a.py")["items"] == [id]


def test_an_update_changes_what_is_given_and_keeps_what_was(project: Path) -> None:
    made = told(project, "learn", "The API listens on 8080", "--scope", "api/**", "--tag", "a", "--tag", "b")

    after = told(project, "update", made["id"], "--content", "The API listens on 9090", "--tag", "c")
    bare = told(project, "update", made["id"], "--scope", "", "--tag", "", "--priority", "high")

    assert (after["content"], after["tags"], after["scope"]) == ("The API listens on 9090", ["c"], "api/**")
    assert (bare["content"], bare["tags"], bare["scope"], bare["priority"]) == (after["content"], [], None, "high")
    assert "edited      The API listens on 8080" in run(project, "history", made["id"]).stdout


def test_a_new_value_replaces_the_old_one_and_both_stay_in_history(project: Path) -> None:
    old = run(project, "learn", "The API listens on port 8080").stdout.strip()
    new = run(project, "learn", "The API listens on port 9090").stdout.strip()

    assert [one["id"] for one in told(project, "memories")] == [new]
    assert f"(replaced by {new})" in run(project, "memories", "--state", "superseded").stdout
    assert [one["id"] for one in told(project, "history", new)] == [old]


def test_archive_restore_remember_and_forget(project: Path) -> None:
    """C182, C184: ids are taken as a block cites them, too."""
    id = run(project, "learn", "Releases are cut on Tuesdays").stdout.strip()

    assert run(project, "archive", f"[m:{id}]").stdout.endswith("Releases are cut on Tuesdays  (archived)\n")
    assert "(archived)" in run(project, "recall", "releases", "--no-touch").stdout
    assert told(project, "restore", f"m:{id}")["archived_at"] is None
    assert told(project, "remember", id)["accessed_at"] > told(project, "get", id)["created_at"]
    assert run(project, "forget", id).stdout == f"forgot {id}\n"
    assert run(project, "get", id).returncode == 1
    assert b"Tuesdays" not in b"".join(path.read_bytes() for path in (project / ".experience").iterdir())


def test_erase_takes_a_memory_and_refuses_what_it_cannot_erase(project: Path) -> None:
    id = run(project, "learn", "Releases are cut on Tuesdays").stdout.strip()
    procedure = run(project, "procedure", "release", "tag", "push").stdout.strip()

    asked = run(project, "erase", id, answer="n\n")

    assert "Releases are cut on Tuesdays" in asked.stderr
    assert told(project, "get", id)["content"] == "Releases are cut on Tuesdays"
    assert run(project, "erase", id, "--yes").stdout == f"erased {id}\n"
    assert "only experiences and memories" in run(project, "erase", procedure, "--yes").stderr


def test_an_episode_is_kept_with_outcome_and_tags(project: Path) -> None:
    """C174"""
    id = run(project, "episode", "the login test failed again", "--outcome", "failed", "--tag", "ci").stdout.strip()
    run(project, "episode", "the release went out", "--outcome", "worked")

    assert [one["id"] for one in told(project, "episodes", "--tag", "ci")] == [id]
    assert [one["id"] for one in told(project, "episodes", "login trouble", "--outcome", "failed")] == [id]
    assert run(project, "episodes").stdout.splitlines()[1].endswith("failed      the login test failed again")
    assert run(project, "episodes", "--tag", "none").stderr == "there is no such episode\n"


def test_a_procedure_keeps_the_order_of_its_steps_and_its_counts(project: Path) -> None:
    """C175"""
    id = run(project, "procedure", "release", "tag", "build", "push").stdout.strip()

    assert run(project, "outcome", id, "1", "--channel", "ci").stdout == f"{id}  worked 1 times, failed 0 times\n"
    again = told(project, "procedure", "release", "test", "tag", "--context", "shipping")
    assert (again["id"], again["steps"], again["success_count"]) == (id, ["test", "tag"], 1)


def test_a_source_trusted_less_is_told_that_the_steps_stay(project: Path) -> None:
    id = run(project, "procedure", "release", "tag", "push", "--source", "user").stdout.strip()

    done = run(project, "procedure", "release", "push --force", "--source", "tool")

    assert "kept the steps it has" in done.stderr
    assert told(project, "get", id)["steps"] == ["tag", "push"]


def test_the_core_memory_tells_when_to_save_and_every_entry(project: Path) -> None:
    """C026, C027"""
    run(project, "learn", "Tabs over spaces", "--type", "preference", "--reach", "user")
    run(project, "learn", "Never push on Friday", "--type", "policy")

    found = told(project, "core-memory")

    assert {entry["content"] for entry in found["entries"]} == {"Tabs over spaces", "Never push on Friday"}
    assert run(project, "core-memory").stdout == found["text"] + "\n"
    assert all(entry["content"] in found["text"] for entry in found["entries"])


def test_what_a_memory_says_cannot_command_the_terminal(project: Path) -> None:
    id = run(project, "learn", "red \x1b[31malert\x1b[0m and \u202eturned").stdout.strip()

    for command in (["get", id], ["memories"], ["recall", "red"], ["context", "red"]):
        shown = run(project, *command).stdout
        assert "alert" in shown
        assert "\x1b" not in shown
        assert "\u202e" not in shown


def test_the_audit_is_a_table_and_fails_when_secrets_are_stored(project: Path) -> None:
    """What was stored before a kind of secret was known is found later."""
    run(project, "learn", "Use pnpm")
    clean = run(project, "audit")
    with experience.open(project) as memory:
        memory.store.execute("update memories set content = ?", "the token is ghp_" + "Ab3" * 12)
    dirty = run(project, "audit")

    assert clean.returncode == 0
    assert [line.split()[0] for line in clean.stdout.splitlines()] == [
        "memories", "experiences", "secrets", "duplicates", "junk", "stale", "contradictions",
    ]  # fmt: skip
    assert dirty.returncode == 1
    assert "secrets              1  100.00%" in dirty.stdout
    assert "change the secret" in dirty.stderr
    assert "ghp_" not in dirty.stdout + dirty.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["learn", " "], 1, "content is empty"),
        (["learn", "x", "--type", "rule"], 2, "'rule' is not one of 'policy', 'workflow'"),
        (["learn", "x", "--priority", "urgent"], 2, "'urgent' is not one of 'critical', 'high'"),
        (["learn", "x", "--scope", "src/{a"], 1, "has a brace that is not closed"),
        (["learn", "x", "--scope", "../other"], 1, "leaves the project"),
        (["recall", "x", "--max-tokens", "0"], 1, "max_tokens must be a whole number"),
        (["recall", "x", "--as-of", "yesterday"], 1, "is no time"),
        (["memories", "--state", "gone"], 2, "'gone' is not one of 'current'"),
        (["get", "nosuch1"], 1, "no memory with the id 'nosuch1'"),
        (["forget", "nosuch1"], 1, "no memory with the id 'nosuch1'"),
        (["update", "nosuch1"], 1, "nothing to change: give --content"),
        (["update", "nosuch1", "--title", "x"], 1, "no memory with the id 'nosuch1'"),
        (["procedure", "release"], 2, "Missing argument 'STEP...'"),
        (["episode", ""], 1, "event is empty"),
        (["outcome", "nosuch1", "1"], 1, "no memory with the id 'nosuch1'"),
    ],
)
def test_a_mistake_gets_a_sentence_and_an_exit_code(project: Path, arguments: list[str], code: int, words: str) -> None:
    assert run(project, "init").returncode == 0

    done = run(project, *arguments)

    assert (done.returncode, done.stdout) == (code, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["recall x", "memories", "context x", "audit", "forget x", "episodes", "explain x"])
def test_what_needs_a_memory_says_that_there_is_none_and_makes_none(project: Path, command: str) -> None:
    done = run(project, *command.split())

    assert done.returncode == 1
    assert done.stderr == f"experience: there is no memory in {project} yet; `experience init` makes one\n"
    assert list(project.iterdir()) == []
