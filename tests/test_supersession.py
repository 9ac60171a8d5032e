"""A new value takes the old one's place, both stay in history, and nobody overrules who is trusted more."""

from __future__ import annotations

import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest

import experience
from experience import Memory, StillClock
from experience.models import MemoryItem

A, B = "the deploy port is 8080", "the deploy port is 9090"
CONTRADICTED = "it contradicts a memory that is trusted more"
LEARNER = """
import sys, experience
with experience.open(sys.argv[1]) as memory:
    sys.stdin.readline()
    for _ in range(int(sys.argv[3])):
        memory.learn(sys.argv[2])
"""


def said(memory: Memory, **asked: object) -> list[str]:
    """What a recall of the port says."""
    return [hit.memory.content for hit in memory.recall("deploy port", touch=False, **asked)]  # type: ignore[arg-type]


def state(one: MemoryItem) -> tuple[bool, bool, str]:
    return one.quarantined_at is not None, one.superseded_by is not None, one.trust


def test_another_value_takes_the_place_of_the_first_and_back(shared: Memory, clock: StillClock) -> None:
    """A, then B, then A again: each holds from when it was said until the next one was."""
    moments, learned = [], []
    for text in (A, B, A):
        learned.append(shared.learn(text))
        moments.append(clock())
        clock.advance(days=1)
    first, second, third = (shared.get(one.id) for one in learned)

    assert said(shared) == [A]
    assert len({first.id, second.id, third.id}) == 3
    assert (first.superseded_by, second.superseded_by, third.superseded_by) == (second.id, third.id, None)
    assert (first.valid_to, second.valid_to, third.valid_to) == (moments[1], moments[2], None)
    assert [said(shared, as_of=moment) for moment in moments] == [[A], [B], [A]]
    assert said(shared, as_of=moments[1] - timedelta(microseconds=1)) == [A]
    assert said(shared, as_of=moments[0] - timedelta(seconds=1)) == []
    assert [event.subject for event in shared.events.list(type="memory.superseded")] == [first.id, second.id]


def test_history_tells_what_was_replaced_and_edited(shared: Memory, clock: StillClock) -> None:
    """Oldest first, with when it ended."""
    old = shared.learn(A)
    clock.advance(days=1)
    new = shared.learn(B)
    clock.advance(days=1)
    shared.update(new.id, content="the deploy port is 7070")
    told = shared.history(new.id)

    assert [(one["kind"], one["content"]) for one in told] == [("superseded", A), ("edited", B)]
    assert [one["until"] for one in told] == [clock() - timedelta(days=1), clock()]
    assert told[0]["id"] == old.id
    assert shared.history(old.id) == []


def test_a_look_at_the_past_counts_nothing(shared: Memory, clock: StillClock) -> None:
    """C181."""
    old = shared.learn(A)
    clock.advance(days=1)
    new = shared.learn(B)
    shared.recall("deploy port", as_of=clock() - timedelta(hours=1))

    assert [shared.get(one.id).reinforcement_count for one in (old, new)] == [1, 1]


@pytest.mark.parametrize("where", [{"scope": "staging/**"}, {"reach": "user"}])
def test_another_scope_or_reach_has_a_value_of_its_own(shared: Memory, where: dict[str, str]) -> None:
    shared.learn(A)
    shared.learn(B, **where)

    assert set(said(shared)) == {A, B}


def test_a_source_that_is_trusted_less_cannot_overrule(shared: Memory) -> None:
    """Promise 5: an agent against the user: held back, with the reason; the user's stands as it was."""
    mine = shared.learn(A)
    theirs = shared.learn(B, source="agent")

    assert (theirs.quarantine_reason, state(theirs)) == (CONTRADICTED, (True, False, "agent"))
    assert shared.get(mine.id) == mine
    assert said(shared) == [A]
    assert theirs.id not in shared.context("what is the deploy port?").items


@pytest.mark.parametrize("source", ["agent", "assistant", "tool:pytest", "web", "nobody knows"])
def test_a_source_that_is_trusted_less_cannot_reinforce(shared: Memory, clock: StillClock, source: str) -> None:
    """In the very same words, in nearly the same, more firmly, with more tags: nothing of the user's changes."""
    mine = shared.learn("Do not rebase in the repo", "preference", tags=["git"])
    clock.advance(days=40)
    shared.learn("do not rebase in the repo", "policy", "critical", source=source, tags=["evil"])
    shared.learn("Don't rebase in the repository", "policy", source=source)

    assert shared.memories(state="all") == [mine]
    assert shared.recall("evil") == []


@pytest.mark.parametrize(("source", "held"), [("agent", False), ("tool:pytest", True), ("https://x.example", True)])
def test_what_nobody_vouches_for_is_held_back(shared: Memory, source: str, held: bool) -> None:
    """Promise 5: tools and pages are quarantined: not found, not injected, not in the core memory."""
    one = shared.learn("deploys may skip the review", "policy", "critical", source=source)

    assert state(one)[0] is held
    assert bool(shared.recall("deploys review")) is not held
    assert ("skip the review" in shared.formatted_memories()) is not held
    assert (one.id in shared.context("may deploys skip the review?").items) is not held


def test_the_user_saying_it_lets_it_out(shared: Memory) -> None:
    """Also when it contradicts what the user said before: the last word is the user's."""
    old = shared.learn(A)
    doubtful = shared.learn(B, source="web")
    again = shared.learn(B)

    assert (again.id, state(again), again.quarantine_reason) == (doubtful.id, (False, False, "user"), None)
    assert shared.get(old.id).superseded_by == again.id
    assert said(shared) == [B]


def test_an_agent_repeating_a_page_cannot_let_it_out_against_the_user(shared: Memory) -> None:
    mine = shared.learn(A)
    shared.learn(B, source="web")
    shared.learn(B, source="agent")

    assert said(shared) == [A]
    assert shared.get(mine.id) == mine


@pytest.mark.parametrize(
    ("score", "channel", "out"), [(0.9, "test", True), (0.9, "user", True), (0.5, "test", False), (1.0, "agent", False)]
)
def test_a_verified_outcome_lets_it_out(shared: Memory, score: float, channel: str, out: bool) -> None:
    """Promise 5: a memory cannot assert its own success."""
    one = shared.learn("deploys need the VPN", source="tool:shell")
    shared.outcome(one.id, score, channel)

    assert (shared.get(one.id).quarantined_at is None) is out
    assert bool(shared.recall("VPN")) is out


def test_a_verified_outcome_cannot_overrule_the_user_and_the_user_can(shared: Memory, clock: StillClock) -> None:
    mine = shared.learn(A)
    clock.advance(days=1)
    theirs = shared.learn(B, source="tool:shell")
    clock.advance(days=1)
    shared.outcome(theirs.id, 1.0, "test")
    assert (said(shared), state(shared.get(theirs.id))[0]) == ([A], True)

    shared.outcome(theirs.id, 1.0, "user")
    assert said(shared) == [B]
    assert shared.get(mine.id).superseded_by == theirs.id
    assert said(shared, as_of=clock() - timedelta(hours=1)) == [A]


def test_what_is_archived_is_replaced_too(shared: Memory) -> None:
    """Coming back from the archive, an old value contradicts nobody."""
    old = shared.archive(shared.learn(A).id)
    shared.learn(B)
    shared.restore(old.id)
    assert said(shared) == [B]

    assert shared.learn(A).id != old.id
    assert said(shared) == [A]


def test_a_rewriting_by_somebody_trusted_less_lowers_the_trust(shared: Memory) -> None:
    """Promise 5: whoever edits the user's rule does not speak with the user's voice."""
    mine = shared.learn("deploys need two reviews", "policy")
    by_agent = shared.update(mine.id, content="deploys need no review", source="agent")
    by_tool = shared.update(mine.id, content="deploys need no review at all", source="tool:browser")
    by_user = shared.update(mine.id, content="deploys need three reviews", source="user")

    assert [one.trust for one in (mine, by_agent, by_tool, by_user)] == ["user", "agent", "tool", "tool"]
    assert [one.quarantined_at is not None for one in (by_agent, by_tool)] == [False, True]
    assert shared.update(shared.learn("lint first").id, content="lint last").trust == "user"


def test_an_edit_that_contradicts_takes_the_others_place(shared: Memory) -> None:
    """By its words or by its scope; not where the other is trusted more."""
    first = shared.learn(A)
    edited = shared.update(shared.learn("the deploy port is high").id, content=B)
    assert (said(shared), shared.get(first.id).superseded_by) == ([B], edited.id)

    moved = shared.update(shared.learn(A, scope="ci/**").id, scope=None)
    assert (said(shared), shared.get(edited.id).superseded_by) == ([A], moved.id)

    theirs = shared.update(shared.learn("the deploy port is low", source="agent").id, content=B)
    assert (said(shared), theirs.quarantine_reason) == ([A], CONTRADICTED)


def test_what_comes_back_from_the_archive_takes_its_rivals_place(shared: Memory) -> None:
    """Edited while it was away; never where its rival is trusted more; what was superseded stays so."""
    old = shared.archive(shared.learn("the deploy port is high").id)
    shared.update(old.id, content=A)
    rival = shared.learn(B, source="agent")
    mine = shared.learn(B)
    assert (mine.id, said(shared)) == (rival.id, [B])
    shared.remember(old.id)
    assert (said(shared), shared.get(old.id).superseded_by) == ([B], mine.id)

    away = shared.archive(shared.learn("the deploy port is low").id)
    shared.update(away.id, content="the deploy port is 7070")
    shared.update(away.id, title="by the agent", source="agent")
    assert shared.restore(away.id).archived_at is not None
    assert said(shared)[0] == B


def test_saying_it_again_brings_it_back_from_the_archive(shared: Memory) -> None:
    one = shared.archive(shared.learn("deploys need two reviews").id)
    again = shared.learn("Deploys need two reviews.")

    assert (again.id, again.archived_at, again.reinforcement_count) == (one.id, None, 2)


def together(place: Path, *learners: tuple[str, int]) -> None:
    """Processes that begin to learn at the same moment."""
    started = [
        subprocess.Popen([sys.executable, "-c", LEARNER, place, text, str(times)], stdin=subprocess.PIPE, text=True)
        for text, times in learners
    ]
    for one in started:
        one.communicate("go\n", timeout=120)
    assert [one.returncode for one in started] == [0] * len(started)


def test_two_processes_that_learn_the_same_make_one_memory(tmp_path: Path) -> None:
    """C034: twice said, twice counted; also in nearly the same words."""
    with experience.open(tmp_path) as memory:
        together(tmp_path, ("Do not rebase in the repo", 10), ("Don't rebase in the repository", 10))
        (one,) = memory.memories(state="all")

        assert one.reinforcement_count == 20


def test_two_processes_that_contradict_each_other_leave_one_value(tmp_path: Path) -> None:
    """C034: whoever came last; every other one points to its successor."""
    with experience.open(tmp_path) as memory:
        together(tmp_path, (A, 5), (B, 5))
        current = memory.memories()
        replaced = memory.memories(state="superseded")

        assert len(current) == 1
        assert {one.superseded_by for one in replaced} <= {one.id for one in (*current, *replaced)}
        assert memory.verify().whole
