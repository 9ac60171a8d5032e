"""Any life of a store, deed by deed: what is hidden stays hidden, the index is true, and nothing is lost."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

import experience
from experience import StillClock
from experience.models import MEMORY_TYPES
from tests.test_tiers import assert_in_step

SAYINGS = [
    "the deploy port is 8080", "the deploy port is 9090", "The deploy port is 8080.", "my manager is Ana",
    "my manager is Bob", "always squash commits", "never squash commits", "Do not rebase in the repo",
    "Don't rebase in the repository", "I prefer tabs", "I prefer spaces", "lint before every push", "日本語のメモ 🚀",
]  # fmt: skip
QUERY = "deploy port manager squash commits rebase repo prefer tabs spaces lint push 日本語 manual webhook"
SOURCES = ["user", "agent", "tool:shell", "web"]
EDITS: list[dict[str, Any]] = [
    {"content": "a manual webhook"}, {"tags": ["new"]}, {"scope": "a/*"}, {"type": "policy"},
    {"title": "x", "source": "agent"},
]  # fmt: skip
RANK = {"user": 0, "verified": 1, "agent": 2, "tool": 3, "external": 4}


class Life(RuleBasedStateMachine):
    """Deeds in any order, by anybody, at any time; a model of what the user alone has decided is kept beside."""

    @initialize()
    def begin(self) -> None:
        self.place = tempfile.TemporaryDirectory()
        self.clock = StillClock()
        self.memory = experience.open(self.place.name, home=f"{self.place.name}/home", clock=self.clock)
        self.forgotten: set[str] = set()
        self.known: list[str] = []  # in the order they came: ids are random

    def teardown(self) -> None:
        if hasattr(self, "memory"):
            assert self.memory.verify().whole
            assert_in_step(self.memory)
            self.memory.close()
            self.place.cleanup()

    @rule(
        text=st.sampled_from(SAYINGS), type=st.sampled_from(MEMORY_TYPES), source=st.sampled_from(SOURCES),
        scope=st.sampled_from([None, "src/**"]), reach=st.sampled_from(["project", "project", "user"]),
        tags=st.sampled_from([(), ("ops",), ("ops", "webhook")]),
    )  # fmt: skip
    def learn(self, text: str, source: str, **given: Any) -> None:
        before = {one.id: one for one in self.memory.memories(state="all")}
        one = self.memory.learn(text, source=source, **given)
        self.known += [one.id] if one.id not in before else []
        rank = RANK[one.trust] if one.id not in before else min(RANK[one.trust], RANK[before[one.id].trust])
        if source == "user":
            assert (rank, one.quarantined_at, one.archived_at, one.superseded_by) == (0, None, None, None)
        for id, was in before.items():
            if was.trust == "user" and source != "user":
                assert self.memory.get(id) == was  # nobody trusted less touches it

    @rule(pick=st.integers(0), verb=st.sampled_from(["archive", "restore", "remember", "forget"]))
    def mark(self, pick: int, verb: str) -> None:
        if self.known:
            id = self.known[pick % len(self.known)]
            deed: Callable[[str], object] = getattr(self.memory, verb)
            deed(id)
            if verb == "forget":
                self.known.remove(id)
                self.forgotten.add(id)

    @rule(pick=st.integers(0), changes=st.sampled_from(EDITS))
    def update(self, pick: int, changes: dict[str, Any]) -> None:
        if self.known:
            self.memory.update(self.known[pick % len(self.known)], **changes)

    @rule(pick=st.integers(0), score=st.sampled_from([0.0, 1.0]), channel=st.sampled_from(["test", "user", "agent"]))
    def judge(self, pick: int, score: float, channel: str) -> None:
        if self.known:
            self.memory.outcome(self.known[pick % len(self.known)], score, channel)

    @rule(days=st.sampled_from([-10, 1, 100]))
    def wait(self, days: int) -> None:
        self.clock.advance(days=days)

    @rule()
    def recall(self) -> None:
        before = {one.id: one.reinforcement_count for one in self.memory.memories(state="all")}
        found = {hit.id for hit in self.memory.recall(QUERY, limit=100)}
        after = {one.id: one.reinforcement_count for one in self.memory.memories(state="all")}
        assert after == {id: count + (id in found) for id, count in before.items()}

    @invariant()
    def nothing_is_lost_and_nothing_hidden_is_found(self) -> None:
        if not hasattr(self, "memory"):
            return
        every = {one.id: one for one in self.memory.memories(state="all", limit=1000)}
        assert every.keys() == set(self.known)
        hidden = {id for id, one in every.items() if one.quarantined_at or one.superseded_by}
        found = self.memory.recall(QUERY, limit=100, touch=False)
        assert not {hit.id for hit in found} & (hidden | self.forgotten)
        for hit in found:
            assert hit.memory == every[hit.id]
        shown = (
            self.memory.context("deploy port manager squash commits", "src/a.py").text
            + self.memory.formatted_memories()
        )
        archived = {id for id, one in every.items() if one.archived_at}
        assert not [id for id in hidden | archived | self.forgotten if f"m:{id}]" in shown]

    @invariant()
    def two_values_are_never_both_the_truth(self) -> None:
        if not hasattr(self, "memory"):
            return
        held = [
            (one.claim, one.reach, one.scope) for one in self.memory.memories(limit=1000)
            if one.claim and not one.claim.startswith("?") and one.content in SAYINGS
        ]  # fmt: skip
        assert len(held) == len(set(held))


TestLife = Life.TestCase
TestLife.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
