"""Experiences: every verb and every formula, on a file and on a server."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import experience
from experience import InvalidInput, Memory, NotFound, StillClock
from experience.ids import new_ids
from tests.conftest import Server

TYPES = ("tool_chain", "user_preference", "task_solution", "error_recovery")


def ids(hits: list[Any]) -> list[str]:
    return [hit.id for hit in hits]


def test_what_was_recorded_can_be_read_again(shared: Memory, clock: StillClock) -> None:
    """C130: record, get by id, list."""
    written = shared.record("deploy the site", {"run": "make"}, "tool_chain", 0.8, ["web", "ops"])

    assert shared.get(written.id) == written
    assert shared.list() == [written]
    assert (written.intent, written.solution, written.type) == ("deploy the site", {"run": "make"}, "tool_chain")
    assert (written.success_score, written.tags, written.created_at) == (0.8, ("web", "ops"), clock())


def test_the_list_shows_the_newest_first_by_type_and_tag(shared: Memory, clock: StillClock) -> None:
    """C130: list."""
    first = shared.record("one", 1, "tool_chain", tags=["a"])
    clock.advance(seconds=1)
    second = shared.record("two", 2, tags=["a", "b"])

    assert ids(shared.list()) == [second.id, first.id]
    assert ids(shared.list(type="tool_chain")) == [first.id]
    assert ids(shared.list(tag="b")) == [second.id]
    assert ids(shared.list(tag="a", limit=1)) == [second.id]
    assert shared.list(tag="c") == []


def test_four_types_are_accepted_and_a_fifth_is_not(shared: Memory) -> None:
    """C131."""
    assert [shared.record("x", 1, type=type).type for type in TYPES] == list(TYPES)
    with pytest.raises(InvalidInput, match="type 'guess' is unknown"):
        shared.record("x", 1, type="guess")


def test_a_solution_may_be_any_json(shared: Memory) -> None:
    """C133: object, array, string, number, bool, null round-trip."""
    solutions = [
        {"a": {"b": [1, None]}}, [], [1, "two", [3]], "", "text 日本 👩‍👩‍👧", "null", 0, -1.5e300, 0.1, 2**70, True,
        False, None, {"": ""}, {"nul": "a\0b"}, "line\nline", {"quote": "'\"\\"},
    ]  # fmt: skip
    for solution in solutions:
        found = shared.record("x", solution).solution
        assert (found, type(found)) == (solution, type(solution))


def test_a_new_experience_has_the_promised_defaults(shared: Memory) -> None:
    """C134, C135, C136: success 1.0, weight 1.0, no use yet."""
    new = shared.record("x", 1)

    assert (new.success_score, new.weight, new.use_count, new.type) == (1.0, 1.0, 0, "task_solution")


@pytest.mark.parametrize(
    ("days", "half_life", "weight"), [(30, 30, 0.5), (60, 30, 0.25), (0, 30, 1.0), (7, 14, 0.5**0.5)]
)
def test_a_weight_halves_with_every_half_life(
    shared: Memory, clock: StillClock, days: float, half_life: float, weight: float
) -> None:
    """C135, C140: 60 days at a half-life of 30 leave a quarter."""
    written = shared.record("x", 1)
    clock.advance(days=days)
    shared.apply_decay(half_life_days=half_life)

    assert shared.get(written.id).weight == pytest.approx(weight, abs=1e-8)


def test_decaying_once_or_thirty_times_gives_the_same_weight(memory: Memory, clock: StillClock) -> None:
    """C140: idempotent over the same span."""
    written = memory.record("x", 1)
    for _ in range(30):
        clock.advance(days=2)
        memory.apply_decay()
    often = memory.get(written.id).weight

    assert often == pytest.approx(0.25, abs=1e-8)
    assert memory.apply_decay() == 0
    assert memory.get(written.id).weight == often


def test_a_decay_obeys_the_half_life_it_was_given(memory: Memory, clock: StillClock) -> None:
    """C140: also right after another decay of the same moment."""
    written = memory.record("x", 1)
    clock.advance(days=30)
    memory.apply_decay(half_life_days=30)
    memory.apply_decay(half_life_days=10)

    assert memory.get(written.id).weight == pytest.approx(0.125, abs=1e-8)


def test_pruning_removes_what_weighs_less_and_keeps_the_border(shared: Memory, clock: StillClock) -> None:
    """C141: 0.049 goes, 0.05 stays; the count is returned, a tombstone is kept."""
    light, border = shared.record("light", 1), shared.record("border", 1)
    shared.store.execute("update experiences set weight = 0.049 where id = ?", light.id)
    shared.store.execute("update experiences set weight = 0.05 where id = ?", border.id)

    assert shared.prune_expired() == 1
    assert ids(shared.list()) == [border.id]
    assert [event.subject for event in shared.events.list(type="experience.pruned")] == [light.id]
    assert shared.prune_expired(min_weight=0.05) == 0
    assert shared.find("light") == []


def test_old_experiences_decay_and_are_pruned(shared: Memory, clock: StillClock) -> None:
    """C140, C141: what nobody used for 130 days weighs less than 0.05."""
    shared.record("old", 1)
    clock.advance(days=130)
    fresh = shared.record("fresh", 1)
    shared.apply_decay()

    assert (shared.prune_expired(), ids(shared.list())) == (1, [fresh.id])


def test_only_use_counts_as_use(shared: Memory, clock: StillClock) -> None:
    """C136: mark_used and outcome add one; find, get, list and stats never do."""
    written = shared.record("deploy the site", 1)
    clock.advance(days=40)
    for look in (lambda: shared.find("deploy"), lambda: shared.get(written.id), shared.list, shared.stats):
        look()
    assert (shared.get(written.id).use_count, shared.get(written.id).last_used_at) == (0, written.created_at)

    shared.apply_decay()
    used = shared.mark_used(written.id)
    assert (used.use_count, used.last_used_at, used.weight) == (1, clock(), 1.0)
    assert shared.outcome(written.id, 1.0).use_count == 2


def test_tags_rerank_and_do_not_filter(shared: Memory) -> None:
    """C137."""
    plain = shared.record("deploy the site", 1)
    tagged = shared.record("deploy the site", 2, tags=["web"])
    both = shared.record("deploy the site", 3, tags=["web", "ops"])

    assert set(ids(shared.find("deploy"))) == {plain.id, tagged.id, both.id}
    assert ids(shared.find("deploy", tags=["web", "ops"])) == [both.id, tagged.id, plain.id]
    assert [hit.why.tags for hit in shared.find("deploy", tags=["web", "ops"])] == [1.0, 0.75, 0.5]


def test_the_limit_is_kept_and_is_ten_by_default(shared: Memory) -> None:
    """C137: also under its long name."""
    shared.record_many([{"intent": f"deploy number {n}", "solution": n} for n in range(30)])

    assert [len(shared.find("deploy")), len(shared.find("deploy", limit=3))] == [10, 3]
    assert len(shared.find_similar_experiences("deploy", None, 25)) == 25


def test_only_the_intent_is_searched(shared: Memory) -> None:
    """C132, C138: the text of a solution, a tag or a source does not match."""
    shared.record("deploy the site", {"run": "kubernetes"}, tags=["harbour"], source="notebook")

    assert [shared.find(word) for word in ("kubernetes", "harbour", "notebook", "run")] == [[]] * 4
    assert len(shared.find("site")) == 1


def test_the_ranking_is_that_of_bm25(memory: Memory) -> None:
    """C138: equal to the order of FTS5's own bm25."""
    words = "alpha beta gamma delta epsilon zeta".split()
    for n in range(60):
        memory.record(" ".join(words[(n * k + k) % 6] for k in range(1, 2 + n % 7)) + f" pad{n}" * (n % 5), n)
    rows = memory.store.query(
        """
        select e.id from experiences_fts as f join experiences as e on e.key = f.rowid
        where experiences_fts match 'gamma OR pad3' order by bm25(experiences_fts), e.key desc limit 10
        """
    )

    assert ids(memory.find("gamma pad3")) == [id for (id,) in rows]


def test_why_adds_up_to_the_score(shared: Memory, clock: StillClock) -> None:
    """C138: score = relevance × weight × success × tags, and the terms' parts add up to the relevance."""
    written = shared.record("deploy the site to the site server", 1, tags=["web"])
    shared.record("bake bread", 1)
    clock.advance(days=30)
    shared.outcome(shared.record("deploy the shop", 1).id, 0.5, "test")

    hits = shared.find("deploy a site quickly", tags=["web", "ops"])

    assert len(hits) == 2
    for hit in hits:
        why = hit.why
        assert hit.score == pytest.approx(why.relevance * why.weight * why.success * why.tags, rel=1e-12)
        assert sum(term.part for term in why.terms) == pytest.approx(why.relevance, rel=1e-12)
        assert 0 < why.relevance < 1
    mine = next(hit.why for hit in hits if hit.id == written.id)
    assert [(term.term, term.tf, term.df) for term in mine.terms] == [("site", 2, 1), ("deploy", 1, 2)]
    assert (mine.weight, mine.rows, mine.length) == (pytest.approx(0.5, abs=1e-8), 3, 7)


def test_verified_outcomes_outweigh_what_an_agent_says_of_itself(shared: Memory) -> None:
    """C134: three failed tests weigh more than a self-reported 1.0."""
    written = shared.record("x", 1)
    for _ in range(3):
        shared.outcome(written.id, 0.0, "test")
    assert shared.get(written.id).success_score == pytest.approx(0.5 / 3.5)

    praised = shared.record("y", 1)
    for _ in range(50):
        shared.outcome(praised.id, 1.0, "agent")
    assert shared.outcome(praised.id, 0.0, "test").success_score == pytest.approx(0.5 / 1.5)
    assert shared.get(praised.id).verified_count == 1


def test_a_self_report_moves_the_prior_alone(memory: Memory) -> None:
    """C134: the mean of the reports while nothing is verified."""
    written = memory.record("x", 1, success_score=1.0)

    assert memory.outcome(written.id, 0.0, "agent").success_score == pytest.approx(0.5)


def test_a_fresh_lesson_outranks_an_old_one_that_says_the_same(shared: Memory, clock: StillClock) -> None:
    old = shared.record("deploy the site", 1)
    clock.advance(days=90)
    new = shared.record("deploy the site", 2)

    assert ids(shared.find("how do I deploy the site?")) == [new.id, old.id]


def test_a_proven_lesson_outranks_an_unproven_one(shared: Memory) -> None:
    proven, _, failed = (shared.record("deploy the site", n) for n in range(3))
    shared.outcome(proven.id, 1.0, "test")
    shared.outcome(failed.id, 0.0, "test")

    found = ids(shared.find("deploy the site"))

    assert (found[0], found[-1]) == (proven.id, failed.id)


def test_of_equals_the_newest_comes_first(shared: Memory) -> None:
    equals = shared.record_many([{"intent": "deploy the site", "solution": n} for n in range(5)])

    assert ids(shared.find("deploy")) == equals[::-1]


def test_another_projects_experiences_are_never_seen(
    start_server: Callable[..., Server], tmp_path: Path, clock: StillClock
) -> None:
    """Two projects on one server: neither finds, lists, counts, uses, prunes nor erases what the other wrote."""
    url = start_server().url
    with experience.open(tmp_path / "one", url, clock=clock) as one, experience.open(tmp_path / "two", url) as two:
        mine = one.record("deploy the site", 1)

        assert (two.find("deploy the site"), two.list(), two.stats()["experiences"]) == ([], [], 0)
        for verb in (two.get, two.mark_used, two.erase, lambda id: two.outcome(id, 1.0)):
            with pytest.raises(NotFound):
                verb(mine.id)
        two.apply_decay()
        assert two.prune_expired(min_weight=1.0) == 0
        assert one.get(mine.id) == mine


def test_erasing_leaves_no_byte_behind(tmp_path: Path, clock: StillClock) -> None:
    """The words of an erased experience are gone from the database, its log and its index, while it stays open."""
    with experience.open(tmp_path, clock=clock) as memory:
        kept = memory.record("deploy the harmless site", 1)
        secret = memory.record("zanzibarquux hunterpassphrase", {"key": "swordfishvalue"}, tags=["zebratag"])
        memory.outcome(secret.id, 1.0, "test", evidence="proofofzanzibar")
        memory.find("zanzibarquux")
        memory.erase(secret.id)

        left = b"".join(path.read_bytes() for path in (tmp_path / ".experience").iterdir())
        for word in (b"zanzibar", b"hunterpassphras", b"swordfish", b"zebratag"):
            assert word not in left.lower()
        assert [event.subject for event in memory.events.list(type="experience.erased")] == [secret.id]
        assert memory.verify().whole
        assert ids(memory.find("deploy")) == [kept.id]


def test_erasing_forgets_rows_and_outcomes(shared: Memory) -> None:
    written = shared.record("deploy the site", 1)
    shared.outcome(written.id, 1.0, "test")
    shared.erase(written.id)

    assert (shared.find("deploy"), shared.list(), shared.stats()["outcomes"]) == ([], [], 0)
    with pytest.raises(NotFound):
        shared.erase(written.id)


def test_many_are_recorded_all_or_none(shared: Memory) -> None:
    good = {"intent": "deploy", "solution": 1}
    assert len(set(shared.record_many([good] * 700))) == 700
    with pytest.raises(InvalidInput, match="success_score"):
        shared.record_many([good, {**good, "success_score": 2}])

    assert shared.stats()["experiences"] == 700
    assert shared.record_many([]) == []


def test_what_another_process_recorded_is_found_at_once(shared: Memory, tmp_path: Path) -> None:
    """C001: read your writes across processes, also with a live index."""
    shared.record("bake bread", 1)
    shared.warm()
    assert shared.find("deploy") == []
    code = "import sys, experience\nwith experience.open(*sys.argv[1:]) as m: print(m.record('deploy the site', 1).id)"
    where = [str(tmp_path / "project"), *([shared.store.where] if "://" in shared.store.where else [])]
    done = subprocess.run([sys.executable, "-c", code, *where], capture_output=True, text=True, check=True)

    assert ids(shared.find("deploy")) == [done.stdout.strip()]


@pytest.mark.parametrize("warm", [False, True])
def test_a_find_inside_a_transaction_sees_what_it_wrote_and_nothing_stays_of_it(shared: Memory, warm: bool) -> None:
    shared.record("bake bread", 1)
    if warm:
        shared.warm()
    with pytest.raises(RuntimeError), shared.store.transaction():
        inside = shared.record("deploy the site", 1)
        assert ids(shared.find("deploy")) == [inside.id]
        raise RuntimeError

    assert shared.find("deploy") == []
    assert len(shared.find("bread")) == 1
    outside = shared.record("deploy the shop", 1)
    assert ids(shared.find("deploy")) == [outside.id]


def test_an_outcome_of_an_unknown_experience_is_refused(shared: Memory) -> None:
    for verb in (shared.get, shared.mark_used, shared.erase, lambda id: shared.outcome(id, 1.0)):
        with pytest.raises(NotFound, match="exp_none"):
            verb("exp_none")


def test_ids_made_together_are_all_different_and_easy_to_read() -> None:
    """C130: each begins with its kind and holds no letters that look alike."""
    made = new_ids("exp_", 5_000)

    assert len(set(made)) == 5_000
    assert all(re.fullmatch("exp_[0-9a-hjkmnp-tv-z]{10}", id) for id in made)
