"""LangGraph's `BaseStore`: what its own store in memory answers, ours answers, and keeps."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import experience
from experience import InvalidInput, Memory, StillClock
from experience.adapters.langgraph_store import ItemStore, store
from tests.conftest import need

SECRET = "ghp_" + "a8Zk3Qw9Xy" * 3 + "b7Tq2L"
NAMES = ("users", "ada")


@pytest.fixture
def items(shared: Memory) -> ItemStore:
    made = ItemStore(shared)
    made.put(NAMES, "food", {"text": "likes ripe mangoes", "n": 1}, ttl=None)
    made.put(NAMES, "place", {"text": "Lisbon", "n": 2}, ttl=None)
    return made


def found(
    items: ItemStore, prefix: tuple[str, ...] = (), filter: dict[str, Any] | None = None, **more: Any
) -> list[str]:
    asked = {"query": None, "limit": 10, "offset": 0, "refresh_ttl": False, **more}
    return [one.name for one, _ in items.search(prefix, filter, asked.pop("query"), **asked)]


def test_a_value_is_kept_and_removed(items: ItemStore) -> None:
    one = items.get(NAMES, "food", refresh_ttl=False)

    assert one is not None
    assert (one.value, one.namespace) == ({"text": "likes ripe mangoes", "n": 1}, NAMES)
    items.put(NAMES, "food", None, ttl=None)
    assert items.get(NAMES, "food", refresh_ttl=False) is None


def test_a_value_outlives_the_process(tmp_path: Path) -> None:
    """C001"""
    with experience.open(tmp_path) as memory:
        ItemStore(memory).put(NAMES, "food", {"a": [1, None, "é"]}, ttl=None)
    with experience.open(tmp_path) as memory:
        one = ItemStore(memory).get(NAMES, "food", refresh_ttl=False)
        assert one is not None
        assert one.value == {"a": [1, None, "é"]}


def test_a_namespace_holds_what_is_below_it_and_nothing_beside_it(items: ItemStore) -> None:
    items.put(("users", "adam"), "x", {"n": 3}, ttl=None)
    items.put(("users", "ada", "deep"), "y", {"n": 4}, ttl=None)
    items.put(("users", 'ada","z'), "z", {"n": 5}, ttl=None)

    assert found(items, NAMES) == ["food", "place", "y"]
    assert found(items, ("users",)) == found(items) == ["food", "place", "x", "y", "z"]
    assert found(items, ("user",)) == []


@pytest.mark.parametrize(
    ("filter", "names"),
    [
        ({"n": 1}, ["food"]), ({"n": {"$ne": 1}}, ["place"]), ({"n": {"$gt": 1}}, ["place"]),
        ({"n": {"$gte": 1, "$lt": 2}}, ["food"]), ({"n": {"$lte": 2}}, ["food", "place"]),
        ({"n": {"$eq": 2}, "text": "Lisbon"}, ["place"]), ({"none": 1}, []), ({"text": {"$gt": 1}}, []),
        ({"none": {"$ne": 1}}, ["food", "place"]), ({"text": {"a": 1}}, []),
    ],
)  # fmt: skip
def test_a_filter_compares_what_it_names(items: ItemStore, filter: dict[str, Any], names: list[str]) -> None:
    assert found(items, NAMES, filter) == names


def test_words_rank_what_holds_them_first(items: ItemStore) -> None:
    assert found(items, query="which city is she in, Lisbon?") == ["place", "food"]
    assert found(items, query="a ripe mango", limit=1) == ["food"]
    assert found(items, limit=1, offset=1) == ["place"]


def test_time_runs_out_and_begins_anew(memory: Memory, clock: StillClock) -> None:
    items = ItemStore(memory)
    for name in ("short", "long"):
        items.put(NAMES, name, {}, ttl=10 if name == "short" else 30.5)

    clock.advance(minutes=9)
    assert items.get(NAMES, "short", refresh_ttl=True) is not None
    clock.advance(minutes=9)
    assert found(items, refresh_ttl=False) == ["short", "long"]
    clock.advance(minutes=1)
    assert (found(items), items.namespaces((), None, 9, 0)) == (["long"], [NAMES])
    clock.advance(minutes=12)
    assert (found(items), items.namespaces((), None, 9, 0)) == ([], [])
    before = clock() - timedelta(minutes=31)
    items.put(NAMES, "short", {}, ttl=None)
    again = items.get(NAMES, "short", refresh_ttl=True)
    assert again is not None
    assert again.created_at > before
    assert memory.store.query("select count(*) from items") == [(1,)]


@pytest.mark.parametrize("namespace", [(), ("a", ""), ("a.b",), ("langgraph", "x"), ("a", 5), ["a"], "a"])
def test_a_namespace_is_made_of_words(items: ItemStore, namespace: Any) -> None:
    with pytest.raises(InvalidInput, match="namespace"):
        items.put(namespace, "x", {}, ttl=None)


def test_bad_input_is_told_what_is_wrong(items: ItemStore) -> None:
    for value, ttl, words in (([1], None, "dictionary"), ({"a": {1}}, None, "not JSON"), ({}, -1, "ttl")):
        with pytest.raises(InvalidInput, match=words):
            items.put(NAMES, "x", value, ttl=ttl)
    with pytest.raises(InvalidInput, match="operator"):
        found(items, filter={"n": {"$in": [1]}})


def test_secrets_stay_outside(items: ItemStore) -> None:
    items.put(NAMES, "key", {"token": SECRET}, ttl=None)

    one = items.get(NAMES, "key", refresh_ttl=False)
    assert one is not None
    assert SECRET not in str(one.value)


def operations(base: Any) -> list[list[Any]]:
    """Batches that ask for everything, in every order."""
    match = base.MatchCondition
    return [
        [base.PutOp(("a", str(at % 3), "x"), f"k{at}", {"n": at, "text": f"number {at}"}) for at in range(7)],
        [base.PutOp(("b",), "k", {"n": 1}), base.GetOp(("b",), "k"), base.PutOp(("b",), "k", {"n": 2})],
        [base.PutOp(("b",), "l", {"n": 9})],
        [base.GetOp(("b",), "k"), base.GetOp(("b",), "none"), base.GetOp(("a", "0", "x"), "k3")],
        [base.SearchOp(("a",), {"n": {"$gte": 2}}, 10, 0), base.SearchOp(("a", "1")), base.SearchOp(("c",))],
        [base.SearchOp((), {"n": {"$lt": 3, "$ne": 1}}, 10, 0), base.SearchOp(("a", "2", "x"), None, 1, 1)],
        [base.ListNamespacesOp(), base.ListNamespacesOp((match("prefix", ("a",)),), 2)],
        [base.ListNamespacesOp((match("suffix", ("*", "x")),), None, 2, 1)],
        [base.ListNamespacesOp((match("prefix", ("*", "1")),)), base.ListNamespacesOp((match("suffix", ("b",)),))],
        [base.PutOp(("b",), "k", None), base.PutOp(("a", "0", "x"), "k0", {"n": 100})],
        [base.GetOp(("b",), "k"), base.GetOp(("a", "0", "x"), "k0"), base.ListNamespacesOp()],
    ]  # fmt: skip


def plain(base: Any, answer: Any) -> Any:
    """An answer without its times; a search without its order, which nobody promises."""
    if isinstance(answer, list) and answer and isinstance(answer[0], base.Item):
        return sorted((one.namespace, one.key, str(one.value), one.score) for one in answer)
    return (answer.namespace, answer.key, answer.value) if isinstance(answer, base.Item) else answer


def test_it_answers_as_the_reference_does(memory: Memory) -> None:
    """LangGraph's own store in memory and ours, batch by batch, awaited or not."""
    need("langgraph", find_spec("langgraph") is not None)
    base = import_module("langgraph.store.base")
    reference, ours = import_module("langgraph.store.memory").InMemoryStore(), store(memory)

    assert isinstance(ours, base.BaseStore)
    assert ours.supports_ttl
    for at, ops in enumerate(operations(base)):
        wanted = [plain(base, one) for one in reference.batch(ops)]
        got = asyncio.run(ours.abatch(ops)) if at % 2 else ours.batch(ops)
        assert [plain(base, one) for one in got] == wanted, at


def test_the_methods_of_the_framework_work(memory: Memory, clock: StillClock) -> None:
    need("langgraph", find_spec("langgraph") is not None)
    base, ours = import_module("langgraph.store.base"), store(memory)

    ours.put(NAMES, "food", {"text": "likes ripe mangoes"}, ttl=5)
    asyncio.run(ours.aput(NAMES, "place", {"text": "Lisbon"}))
    assert [(one.key, one.score) for one in ours.search(NAMES, query="Lisbon")] == [("place", 1.0), ("food", 0.0)]
    clock.advance(minutes=6)
    assert ours.get(NAMES, "food") is None
    assert ours.list_namespaces(prefix=("users",)) == [NAMES]
    ours.delete(NAMES, "place")
    assert asyncio.run(ours.aget(NAMES, "place")) is None
    with pytest.raises(base.InvalidNamespaceError):
        ours.put(("langgraph",), "x", {})
    with pytest.raises(InvalidInput, match="period"):
        ours.batch([base.PutOp(("a.b",), "x", {})])
    with pytest.raises(InvalidInput, match="unknown"):
        ours.batch(["nonsense"])


def test_a_batch_is_written_whole_or_not_at_all(memory: Memory) -> None:
    need("langgraph", find_spec("langgraph") is not None)
    base, ours = import_module("langgraph.store.base"), store(memory)

    with pytest.raises(InvalidInput, match="not JSON"):
        ours.batch([base.PutOp(NAMES, "a", {"n": 1}), base.PutOp(NAMES, "b", {"n": {1}})])

    assert ours.get(NAMES, "a") is None
