"""The audit: everything that should not be in a store is found, with its rate, and nothing else is."""

from __future__ import annotations

import pytest

from experience import Memory, StillClock
from experience.capture.junk import junk
from tests.test_security import planted

GOOD = (
    "Never push to main on a Friday", "The API listens on port 8000", "I prefer tabs", "Use pnpm",
    "Run `make lint` before each commit", "Answer in Spanish", "Immer erst die Tests laufen lassen",
    "我们使用空格而不是制表符", "コミットの前にテストを実行する", "Всегда запускай тесты", "استخدم المسافات دائما",
    "สวัสดีครับ ใช้ภาษาไทย", "हमेशा परीक्षण चलाएँ", "The rate limit is 100/s (burst: 250), see docs/limits.md",
    "thanks page lives in src/thanks.tsx", "Is-odd must not be used",
)  # fmt: skip
JUNK = (
    "ok", "thanks!", "👍", "ok thanks", "yes please", "What is this?", "これは何ですか？",
    "2026-01-01 12:00:00 started", "--- a/x.py\n+++ b/x.py",
    "ERROR: connection refused", "Traceback (most recent call last):\n  File \"x.py\", line 3",
    "{}[]();;;; 123 456 789 ==> !!! 0x00", "-----------------", "$ make lint", "3 passing", "hi", "12",
)  # fmt: skip


@pytest.mark.parametrize("content", GOOD)
def test_a_statement_is_no_junk(content: str) -> None:
    assert junk(content) is None


@pytest.mark.parametrize("content", JUNK)
def test_junk_is_known_with_a_reason(content: str) -> None:
    assert junk(content)


def test_a_clean_store_has_no_findings(shared: Memory) -> None:
    for content in GOOD:
        shared.learn(content)
    shared.record("fix the login test", "freeze the clock")

    found = shared.audit()

    assert (found.memories, found.experiences) == (len(GOOD), 1)
    assert [(one.kind, one.count, one.rate, one.ids) for one in found.findings] == [
        (kind, 0, 0.0, ()) for kind in ("secrets", "duplicates", "junk", "stale", "contradictions")
    ]


def test_an_empty_store_has_rates_of_nothing(memory: Memory) -> None:
    assert all(memory.audit().rate(one.kind) == 0.0 for one in memory.audit().findings)


def test_every_kind_of_trouble_is_found_with_its_rate(memory: Memory, clock: StillClock) -> None:
    stale = memory.learn("The old build used make")
    clock.advance(days=400)
    ids = {one.content: one.id for one in (memory.learn(content) for content in GOOD[:7])}
    rows = {"duplicates": "Never push to main on a Friday", "junk": "ok thanks"}
    planned = dict(zip(rows.items(), list(ids)[1:3], strict=True))
    for (_, content), was in planned.items():  # as an older version or another program may have written it
        memory.store.execute("update memories set content = ? where id = ?", content, ids[was])
    memory.store.execute(
        "update memories set claim = 'x' where id in (?, ?)", ids["Use pnpm"], ids["Answer in Spanish"]
    )

    found = memory.audit()

    told = {one.kind: (one.count, one.rate, one.ids) for one in found.findings}
    assert found.memories == 8
    assert told["stale"] == (1, 1 / 8, (stale.id,))
    assert told["junk"] == (1, 1 / 8, (ids["I prefer tabs"],))
    assert told["duplicates"] == (1, 1 / 8, (ids["The API listens on port 8000"],))
    assert told["contradictions"] == (1, 1 / 8, (ids["Use pnpm"],))
    assert all(one.advice for one in found.findings)


@pytest.mark.parametrize(
    "statement",
    ["update memories set content = ?", "update experiences set solution = json_quote(?)",
     "update turns set content = ?",
     "update injections set prompt = ?", "update procedures set context = ?", "update episodes set event = ?"],
)  # fmt: skip
def test_a_secret_is_found_wherever_it_was_stored(memory: Memory, statement: str) -> None:
    """Also where a text came in before its kind was known; the id tells where, the finding never shows it."""
    memory.learn("Never push to main")
    memory.record("fix the login test", "freeze the clock")
    memory.procedure("release", ["tag"], context="weekly")
    memory.episode("the release went well")
    memory.observe("hello there", session="s")
    memory.context("anything")
    secret = next(iter(planted().values()))
    memory.store.execute(statement, f"the key is {secret}")

    found = next(one for one in memory.audit().findings if one.kind == "secrets")

    assert (found.count, len(found.ids), found.rate) == (1, 1, 1 / 6)
    assert secret not in repr(found)


@pytest.mark.parametrize("state", ["archived", "quarantined", "superseded"])
def test_what_is_out_of_use_is_counted_for_secrets_alone(memory: Memory, state: str) -> None:
    learned = memory.learn("What is this?", source="tool" if state == "quarantined" else "user")
    if state == "archived":
        memory.archive(learned.id)
    elif state == "superseded":
        memory.store.execute("update memories set superseded_by = 'another'")

    assert (memory.audit().memories, memory.audit().rate("junk")) == (0, 0.0)
