"""Recalling: what is found, how it is ranked and why, what a recall counts, and what a look leaves alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from math import log
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from experience import InvalidInput, Memory, StillClock, analyzer
from experience.context.tokens import count
from experience.layers.memories import strength
from experience.search.recall import CONTEXT, DAMPING, K1, NEIGHBOUR, B
from tests.test_bad_input import LONE, QUERIES


def ids(found: list[Any]) -> list[str]:
    return [one.id for one in found]


def dump(memory: Memory) -> list[object]:
    """Every row of every table of both stores."""
    found: list[object] = []
    for store in (memory.store, memory.user):
        tables = [str(name) for (name,) in store.query("select name from sqlite_master where type = 'table'")]
        found += [(name, store.query(f"select * from {name}")) for name in sorted(tables)]
    return found


def fill(memory: Memory) -> None:
    """Memories of every state on both shelves."""
    memory.learn("deploys go out on Tuesdays", "decision", scope="ci/**", tags=["ops"])
    memory.learn("deploys need two reviews", "policy")
    memory.learn("I deploy from the laptop", "preference", reach="user")
    memory.archive(memory.learn("deploys were done by hand").id)
    memory.learn("deploys may be skipped", source="web")
    memory.learn("the deploy port is 8080")
    memory.learn("the deploy port is 9090")


def test_a_look_changes_nothing_at_all(shared: Memory) -> None:
    """C181: `touch=False`, scoped, list, stats, history and audit leave every table as it was, events included."""
    fill(shared)
    shared.manage_core_memory("search", query="deploy")
    before = dump(shared)
    looks = (
        lambda: shared.recall("deploy port", touch=False), lambda: shared.recall("deploy", type="fact", touch=False),
        lambda: shared.recall("deploy", as_of=datetime(2026, 2, 1, tzinfo=UTC)), lambda: shared.scoped("ci/a.yml"),
        shared.memories, shared.stats, shared.audit, shared.formatted_memories, shared.verify,
        lambda: shared.history(shared.memories()[0].id), lambda: shared.manage_core_memory("search"),
        lambda: shared.search_memory("deploy"), lambda: shared.recall("nothing of the kind whatsoever"),
    )  # fmt: skip
    for look in looks:
        assert look() is not None
        assert dump(shared) == before


def test_a_look_makes_no_store_for_the_user(memory: Memory) -> None:
    memory.recall("deploy")
    memory.formatted_memories()

    assert memory.stats()["user_memories"] is None


def test_every_recall_counts_once(shared: Memory, clock: StillClock) -> None:
    """C181: three recalls, three more; what was not found is not counted."""
    one, other = shared.learn("deploys go out on Tuesdays"), shared.learn("lint before every push")
    clock.advance(days=3)
    for _ in range(3):
        shared.recall("deploys on Tuesdays")

    assert (shared.get(one.id).reinforcement_count, shared.get(one.id).accessed_at) == (4, clock())
    assert (shared.get(other.id).reinforcement_count, shared.get(other.id).accessed_at) == (1, other.created_at)
    assert len(shared.events.list(type="memory.recalled")) == 3


@pytest.mark.parametrize(("days", "left"), [(0, 1.0), (90, 0.5), (180, 0.25), (45, 0.5**0.5), (-30, 1.0)])
def test_a_score_halves_every_90_days_without_access(
    shared: Memory, clock: StillClock, days: float, left: float
) -> None:
    """C180: a clock that went backwards gives no more than the whole."""
    shared.learn("deploys go out on Tuesdays")
    whole = shared.recall("deploys", touch=False)[0]
    clock.advance(days=days)
    found = shared.recall("deploys", touch=False)[0]

    assert (whole.why.decay, found.why.decay) == (1.0, pytest.approx(left))
    assert found.score == pytest.approx(whole.score * left)


def test_an_access_on_day_89_starts_the_clock_anew(shared: Memory, clock: StillClock) -> None:
    """C180."""
    one = shared.learn("deploys go out on Tuesdays")
    clock.advance(days=89)
    shared.recall("deploys")
    clock.advance(days=90)

    assert shared.recall("deploys", touch=False)[0].why.decay == pytest.approx(0.5)
    assert shared.get(one.id).accessed_at == clock() - timedelta(days=90)


def test_remembering_makes_it_whole_again(shared: Memory, clock: StillClock) -> None:
    """C182: a quarter, then all of it; also brings an archived one back."""
    one = shared.archive(shared.learn("deploys go out on Tuesdays").id)
    clock.advance(days=180)
    assert shared.recall("deploys", touch=False)[0].why.decay == pytest.approx(0.25)
    kept = shared.remember(one.id)

    assert shared.recall("deploys", touch=False)[0].why.decay == 1.0
    assert (kept.archived_at, kept.reinforcement_count, kept.accessed_at) == (None, 1, clock())


def test_a_clock_that_went_backwards_takes_nothing_away(shared: Memory, clock: StillClock) -> None:
    """C180, C181: the count goes up, the last access stays where it was."""
    one = shared.learn("deploys go out on Tuesdays")
    clock.advance(days=-365)
    shared.recall("deploys")
    shared.remember(one.id)
    again = shared.learn("deploys go out on Tuesdays")

    assert (again.reinforcement_count, again.accessed_at) == (3, one.accessed_at)
    assert shared.verify().whole


def test_the_kept_strength_is_that_of_the_formula(shared: Memory, clock: StillClock) -> None:
    """C188: after every deed that moves it."""
    one = shared.learn("deploys go out on Tuesdays")
    for deed in (
        lambda: shared.recall("deploys"), lambda: shared.learn("deploys go out on Tuesdays"),
        lambda: shared.learn("deploys go out on Tuesdays", "policy"), lambda: shared.update(one.id, type="pitfall"),
        lambda: shared.archive(one.id), lambda: shared.restore(one.id), lambda: shared.remember(one.id),
    ):  # fmt: skip
        clock.advance(days=7)
        deed()
        now = shared.get(one.id)
        kept = shared.store.query("select strength from memories where id = ?", one.id)[0][0]
        assert kept == pytest.approx(strength(now.type, now.reinforcement_count, now.accessed_at))


def test_an_archived_memory_is_found_and_flagged_and_never_injected(shared: Memory, clock: StillClock) -> None:
    """C184, C185: archiving twice is harmless."""
    one = shared.learn("deploys go out on Tuesdays", "policy")
    at = shared.archive(one.id).archived_at
    clock.advance(days=1)
    shared.archive(one.id)
    hit = shared.recall("when do deploys go out?", touch=False)[0]

    assert (hit.id, hit.memory.archived_at, at) == (one.id, at, clock() - timedelta(days=1))
    assert one.id not in shared.context("when do deploys go out on Tuesdays?").items
    shared.restore(one.id)
    assert one.id in shared.context("when do deploys go out on Tuesdays?").items


def test_the_hidden_are_found_by_nobody(shared: Memory) -> None:
    """What is quarantined or superseded stands in its own list alone."""
    doubtful = shared.learn("deploys may be skipped", source="tool:browser")
    old, new = shared.learn("the deploy port is 8080"), shared.learn("the deploy port is 9090")

    assert set(ids(shared.recall("deploys port skipped"))) == {new.id}
    assert ids(shared.memories(state="quarantined")) == [doubtful.id]
    assert ids(shared.memories(state="superseded")) == [old.id]
    assert ids(shared.memories()) == [new.id]
    assert len(shared.memories(state="all")) == 3


def test_type_and_scope_filter(shared: Memory) -> None:
    """C173: by type; by shelf; by glob; by path, relative or not."""
    ts = shared.learn("deploy bundles are small", "policy", scope="src/**/*.ts")
    py = shared.learn("deploy scripts are typed", scope="*.py")
    mine = shared.learn("I deploy on Tuesdays", "preference", reach="user")

    assert set(ids(shared.recall("deploy"))) == {ts.id, py.id, mine.id}
    assert ids(shared.recall("deploy", type="policy")) == [ts.id]
    assert ids(shared.recall("deploy", scope="user")) == [mine.id]
    assert set(ids(shared.recall("deploy", scope="project"))) == {ts.id, py.id}
    assert ids(shared.recall("deploy", scope="src/**/*.ts")) == [ts.id]
    assert ids(shared.recall("deploy", scope="src/a/b.ts")) == [ts.id]
    assert ids(shared.recall("deploy", scope=f"{shared.root}/tools/a.py")) == [py.id]
    assert shared.recall("deploy", scope="src/a/b.rs") == []


def test_a_budget_of_tokens_is_never_exceeded(shared: Memory) -> None:
    """C173: 50 means at most 50; what does not fit makes room for what does."""
    for size in (120, 80, 60, 20, 10):
        shared.learn("deploy " + "carefully " * (size // 10) + str(size))
    found = shared.recall("deploy carefully", max_tokens=50)

    assert 0 < sum(count(hit.memory.content) for hit in found) <= 50
    assert shared.recall("deploy", max_tokens=1) == []
    assert len(shared.recall("deploy", limit=2)) == 2


def test_words_of_tags_and_scope_and_of_the_message_before_are_searched(shared: Memory) -> None:
    """C189: a word only in the tags, only in the scope, only in the context: found."""
    one = shared.learn("use the blue queue", tags=["kafka"], scope="infra/rabbit/*.{yml,toml}", context="which broker?")

    for word in ("queue", "kafka", "rabbit", "infra", "toml", "broker"):
        assert ids(shared.recall(word, touch=False)) == [one.id]
    assert shared.recall("postgres") == []


@pytest.mark.parametrize("query", QUERIES)
def test_any_query_is_plain_text(memory: Memory, query: str) -> None:
    memory.learn("deploy the site: 日本語 🚀")

    found = memory.recall(query, touch=False)
    assert bool(found) == bool(set(analyzer.query_terms(query)) & set(analyzer.terms("deploy the site: 日本語 🚀")))
    assert memory.recall(query) is not None


@pytest.mark.parametrize(
    ("asked", "message"),
    [({"query": None}, "query must be text, not NoneType"), ({"query": 5}, "query must be text, not int"),
     ({"type": "rumour"}, "type 'rumour' is unknown"), ({"scope": "src/{a"}, "scope 'src/{a' has a brace"),
     ({"scope": 5}, "scope must be a glob"), ({"scope": "/etc"}, "leaves the project"),
     ({"scope": LONE}, "scope must be"), ({"limit": 0}, "limit must be a whole number from 1 to 1,000, not 0"),
     ({"limit": "ten"}, "limit must be a whole number"), ({"max_tokens": 0}, "max_tokens must be a whole number"),
     ({"max_tokens": -5}, "max_tokens must be a whole number"), ({"as_of": "yesterday"}, "as_of must be a datetime"),
     ({"as_of": datetime(2026, 1, 1)}, "as_of must be a datetime with a time zone")],
)  # fmt: skip
def test_a_bad_question_is_refused_by_its_field(memory: Memory, asked: dict[str, Any], message: str) -> None:
    memory.learn("deploys go out on Tuesdays")
    before = dump(memory)
    with pytest.raises(InvalidInput, match=message):
        memory.recall(**{"query": "deploys", **asked})

    assert dump(memory) == before


def test_a_score_adds_up_by_hand(shared: Memory, clock: StillClock) -> None:
    """C049, C050, C051: every part from the stored texts alone: tf, df, N, lengths, the neighbour, decay, count."""
    said = ["the cache is flushed by deploys", "deploys deploys deploys", "lint runs first", "tea at four o'clock"]
    shared.learn(said[0])
    answer = shared.learn("the cache and the queue are flushed", context=said[0])
    for text in said[1:]:
        shared.learn(text)
    shared.learn("the cache and the queue are flushed")
    clock.advance(days=30)
    hit = next(hit for hit in shared.recall("cache deploys zebra", touch=False) if hit.id == answer.id)

    rows = shared.store.query("select terms, tag_terms, scope_terms, context_terms from memories")
    columns = [[str(column).split() for column in row] for row in rows]
    documents = [[word for column in row for word in column] for row in columns]
    average = sum(map(len, documents)) / len(documents)

    def idf(term: str) -> float:
        df = sum(term in words for words in documents)
        return log(1 + (len(documents) - df + 0.5) / (df + 0.5))

    def relevance(row: list[list[str]]) -> float:
        total = 0.0
        for term in ("cach", "deploy"):
            tf = sum(column.count(term) for column in row[:3]) + CONTEXT * row[3].count(term)
            total += idf(term) * tf / (tf + K1 * (1 - B + B * sum(map(len, row)) / average))
        return total / sum(map(idf, ("cach", "deploy", "zebra")))

    assert hit.why.relevance == pytest.approx(relevance(columns[1]))
    assert hit.why.neighbours == pytest.approx(NEIGHBOUR * relevance(columns[0]))
    assert hit.why.decay == pytest.approx(0.5 ** (30 / 90))
    assert hit.why.reinforcement == pytest.approx(1 + DAMPING * log(2))
    assert hit.score == pytest.approx((hit.why.relevance + hit.why.neighbours) * hit.why.decay * hit.why.reinforcement)
    assert sum(term.part for term in hit.why.terms) == pytest.approx(hit.why.relevance)
    assert {term.term: (term.tf, term.df) for term in hit.why.terms} == {"cach": (1.5, 2), "deploy": (0.5, 3)}
    assert (hit.why.rows, hit.why.length) == (5, len(documents[1]))


def test_three_occurrences_outweigh_one(shared: Memory) -> None:
    """C050: of the same length, the same word."""
    once = shared.learn("deploy alpha beta gamma delta")
    thrice = shared.learn("deploy deploy deploy epsilon zeta")

    assert ids(shared.recall("deploy", touch=False)) == [thrice.id, once.id]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.lists(st.sampled_from("deploy cache port lint tea".split()), min_size=1, max_size=8), max_size=12),
    st.lists(st.sampled_from("deploy cache port zebra".split()), min_size=1, max_size=3),
)
def test_relevance_stays_between_0_and_1(memory: Memory, texts: list[list[str]], query: list[str]) -> None:
    """C052: over random corpora; what stands first scores no less than what follows."""
    for words in texts:
        memory.learn(" ".join(words))
    found = memory.recall(" ".join(query), limit=100, touch=False)

    assert all(0 <= hit.why.relevance < 1 for hit in found)
    scores = [hit.score for hit in found]
    assert scores == sorted(scores, reverse=True)
