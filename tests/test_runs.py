"""The log of what an agent says and does: a log per run, in order, whole; over, it is archived and still found."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experience import Memory, StillClock
from experience.errors import Conflict, InvalidInput, NotFound
from tests.test_cli import run

SAID = [
    ("user_message", "fix the login page", None, None),
    ("model_response", "I look at the page first", None, None),
    ("tool_call", {"file_path": "login.html"}, "Read", None),
    ("tool_result", "<form>…</form>", "Read", True),
    ("tool_call", {"command": "pytest -q"}, "Bash", None),
    ("tool_result", "1 failed", "Bash", False),
    ("model_response", "the form lacked a token", None, None),
]


def a_run(memory: Memory, session: str = "s") -> str:
    """A whole run; returns its id."""
    begun = memory.episodic.start(session, "claude-code")
    for kind, content, tool, ok in SAID:
        memory.episodic.log(kind, content, session=session, tool=tool, ok=ok)
    return begun.id


def test_all_four_kinds_stand_in_the_log_in_order_and_whole(shared: Memory) -> None:
    """C067"""
    turns = shared.episodic.turns(a_run(shared))

    assert [turn.kind for turn in turns] == [kind for kind, *_ in SAID]
    assert [(turn.tool, turn.ok) for turn in turns] == [(tool, ok) for *_, tool, ok in SAID]
    assert json.loads(turns[2].content) == SAID[2][1]
    assert [turn.content for turn in turns if turn.kind == "model_response"] == [SAID[1][1], SAID[6][1]]


def test_a_new_run_begins_with_an_empty_log_and_archives_the_one_before(memory: Memory, clock: StillClock) -> None:
    """C065 C069"""
    first = a_run(memory)
    clock.advance(minutes=1)
    second = memory.episodic.start("s")

    assert memory.episodic.last(10, session="s") == memory.episodic.turns(second.id) == []
    newest, oldest = memory.episodic.runs("s")
    assert (newest.id, newest.archived_at, newest.turns) == (second.id, None, 0)
    assert (oldest.id, oldest.archived_at, oldest.turns) == (first, clock.now, len(SAID))


def test_runs_of_other_sessions_go_on(memory: Memory) -> None:
    one, other = a_run(memory, "one"), a_run(memory, "other")

    assert memory.episodic.get(one).archived_at is None
    assert memory.episodic.opened("one").id == one
    assert memory.episodic.opened("other").id == other


def test_three_steps_ago_is_the_third_from_the_end(memory: Memory) -> None:
    """C068"""
    run_id = a_run(memory)

    found = [memory.episodic.back(steps, session="s") for steps in (1, 3, 7, 8)]
    assert [turn and turn.content for turn in found] == [SAID[-1][1], '{"command":"pytest -q"}', SAID[0][1], None]
    assert memory.episodic.back(3, run=run_id) == found[1]
    assert [turn.content for turn in memory.episodic.last(2, session="s")] == [SAID[-2][1], SAID[-1][1]]


def test_an_archived_run_is_found_by_its_words(memory: Memory) -> None:
    """C070"""
    first = a_run(memory)
    memory.episodic.finish(first)

    found = memory.episodic.search("which form lacked a token?")
    assert (found[0].run, found[0].content) == (first, "the form lacked a token")
    assert [one.type for one in memory.events.list(type="task.finished")] == ["task.finished"]


def test_a_run_is_exported_as_one_json_object_a_turn_and_always_to_the_same_bytes(shared: Memory) -> None:
    """C066 C192"""
    id = a_run(shared)
    exported = shared.episodic.export(id)
    shared.episodic.start("s")

    lines = [json.loads(line) for line in exported.splitlines()]
    assert [(line["step"], line["kind"]) for line in lines] == [(at, kind) for at, (kind, *_) in enumerate(SAID, 1)]
    assert {line["run"] for line in lines} == {id}
    assert shared.episodic.export(id) == exported


def test_the_command_line_lists_shows_and_exports_runs(tmp_path: Path) -> None:
    """C066 C071"""
    with Memory(tmp_path) as memory:
        id = a_run(memory)

    assert id in run(tmp_path, "runs", "list").stdout
    shown = run(tmp_path, "runs", "show", id).stdout.splitlines()
    assert ["login" in shown[1], "pytest -q" in shown[5], "failed" in shown[6]] == [True] * 3
    assert len(run(tmp_path, "runs", "export", id).stdout.splitlines()) == len(SAID)


def test_what_is_observed_belongs_to_the_open_run_of_its_session(memory: Memory) -> None:
    begun = memory.episodic.start("s")
    memory.observe("the login page is broken", session="s")
    memory.observe("the login page works here", session="elsewhere")

    assert [(turn.kind, turn.content) for turn in memory.episodic.turns(begun.id)] == [
        ("user_message", "the login page is broken")
    ]


def test_secrets_never_reach_the_log(memory: Memory) -> None:
    key = "ghp_" + "a1B2c3D4e5F6" * 3
    memory.episodic.log("tool_call", {"command": f"curl -H 'Authorization: Bearer {key}' x"}, session="s", tool="Bash")

    assert key not in memory.episodic.last(1, session="s")[0].content


def test_a_run_that_is_over_takes_no_more_turns(memory: Memory) -> None:
    id = a_run(memory)
    memory.episodic.finish(id)
    assert memory.episodic.finish(id).archived_at is not None

    with pytest.raises(Conflict, match="is over"):
        memory.episodic.log("user_message", "one more thing", run=id)
    with pytest.raises(NotFound):
        memory.episodic.turns("run_nonsense")
    with pytest.raises(InvalidInput, match="kind 'shout' is unknown"):
        memory.episodic.log("shout", "hey")


def test_the_log_tells_the_event_log_what_kind_of_thing_happened(memory: Memory) -> None:
    """C105: tool calls, errors, user messages, task transitions and memory writes; files add ingestion runs."""
    memory.episodic.finish(a_run(memory))
    memory.learn("the login page needs a token")

    kinds = {event.type.partition(".")[0] for event in memory.events.list(limit=100)}
    assert {"tool", "error", "message", "task", "memory"} <= kinds


# What shows that something was used, helped, and taught.


def test_an_answer_that_cites_counts_as_use_of_what_its_session_was_shown(memory: Memory) -> None:
    kept = memory.learn("the login page needs a token", type="pitfall")
    worked = memory.record("repair the login page", "add the token")
    memory.context("the login page is broken, repair it", session="s")

    cites = f"I added the token [m:{kept.id}], as before [e:{worked.id}]; see [m:zzzzzzz]."
    assert memory.cited(cites, session="another") == []
    assert sorted(memory.cited(cites, session="s")) == sorted([kept.id, worked.id])

    assert memory.get(worked.id).use_count == 1
    assert memory.get(kept.id).reinforcement_count == 2


def test_a_proof_credits_the_last_block_once(memory: Memory) -> None:
    worked = memory.record("repair the login page", "add the token")
    memory.context("repair the login page", session="s")

    credited = [memory.verified("s", score, "tests") for score in (0.0, 0.0, 1.0, 1.0)]

    assert [one is not None for one in credited] == [True, False, True, False]
    assert memory.get(worked.id).verified_count == 2
    assert memory.verified("nobody", 1.0, "tests") is None


def test_a_run_with_proof_becomes_an_experience_and_one_without_does_not(memory: Memory) -> None:
    """C070: intent = the first message, solution = what was done, score = the share of checks that ended well."""
    without = memory.finish(a_run(memory, "one"))  # its only check failed: that is a proof, too
    log = memory.episodic
    begun = log.start("two")
    log.log("user_message", "make the build green", session="two")
    for command, ok in (("pytest -q", False), ("pytest -q", True), ("npm run build", False), ("ls", True)):
        log.log("tool_call", {"command": command}, session="two", tool="Bash")
        log.log("tool_result", "…", session="two", tool="Bash", ok=ok)
    made = memory.get(str(memory.finish(begun.id).experience))
    log.start("three")
    log.log("user_message", "say hello", session="three")
    silent = memory.finish(log.opened("three").id)

    assert memory.get(str(without.experience)).success_score == 0.0
    assert (made.intent, made.success_score, made.trust, made.type) == (
        "make the build green",
        0.5,
        "agent",
        "tool_chain",
    )
    assert made.solution["checks"] == {"pytest -q": True, "npm run build": False}
    assert made.solution["steps"][0] == "Bash: pytest -q (failed)"
    assert silent.experience is None
    assert memory.finish(begun.id).experience == made.id  # ending it twice teaches nothing twice


def test_pitfalls_of_the_file_and_the_command_at_hand_are_told_once_in_a_while(
    memory: Memory, clock: StillClock
) -> None:
    scoped = memory.learn("keep the old fields in this file", type="pitfall", scope="src/api/**")
    warned = memory.learn("pitfall: npm install breaks the lockfile, so run pnpm", type="pitfall")
    memory.learn("npm install prints a banner", type="fact")

    assert memory.pitfalls("", "src/api/app.py", "s").items == (scoped.id,)
    assert memory.pitfalls("npm install", None, "s").items == (warned.id,)
    assert memory.pitfalls("npm install", "src/api/app.py", "s").text == ""
    assert memory.pitfalls("npm install", None, "another").items == (warned.id,)
    clock.advance(minutes=31)
    assert memory.pitfalls("npm install", "src/api/app.py", "s").items == (scoped.id, warned.id)
    assert memory.pitfalls("", "src/web/app.py", "s").text == ""
