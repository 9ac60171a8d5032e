"""Bad input: refused with a sentence that names the field, nothing half-written; and queries are always plain text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from experience import InvalidInput, Memory

LONE = "\ud800"
INF = float("inf")
NAN = float("nan")


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


def circular() -> object:
    value: dict[str, object] = {}
    value["self"] = [value]
    return value


def fields(**changed: object) -> dict[str, Any]:
    return {"intent": "deploy the site", "solution": {"run": "make"}, **changed}


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "an empty intent": (fields(intent=""), "intent is empty"),
    "an intent of blanks": (fields(intent=" \t\n\u3000"), "intent is empty"),
    "an intent of 1 MB": (fields(intent="x" * 1_000_000), "intent has 1,000,000 characters; at most 20,000"),
    "an intent with NUL": (fields(intent="deploy\0site"), "intent contains a NUL character at position 6"),
    "an intent with half a character": (fields(intent=f"deploy {LONE}"), "intent contains a lone surrogate"),
    "an intent that is bytes": (fields(intent=b"deploy"), "intent must be text, not bytes"),
    "an intent that is nothing": (fields(intent=None), "intent must be text, not NoneType"),
    "a score of NaN": (fields(success_score=NAN), "success_score must be a number from 0 to 1, not nan"),
    "a score of infinity": (fields(success_score=INF), "success_score must be a number from 0 to 1, not inf"),
    "a score of -infinity": (fields(success_score=-INF), "success_score must be a number from 0 to 1, not -inf"),
    "a score above 1": (fields(success_score=1.1), "success_score must be a number from 0 to 1, not 1.1"),
    "a score just above 1": (fields(success_score=1.0000000000000002), "success_score must be a number from 0 to 1"),
    "a score below 0": (fields(success_score=-0.1), "success_score must be a number from 0 to 1, not -0.1"),
    "a score that is a bool": (fields(success_score=True), "success_score must be a number from 0 to 1, not True"),
    "a score that is text": (fields(success_score="1"), "success_score must be a number from 0 to 1, not '1'"),
    "a score that is nothing": (fields(success_score=None), "success_score must be a number from 0 to 1, not None"),
    "an unknown type": (fields(type="guess"), "type 'guess' is unknown; choose one of tool_chain"),
    "a type that is a list": (fields(type=["tool_chain"]), r"type \['tool_chain'\] is unknown"),
    "an unknown trust": (fields(trust="blind"), "trust 'blind' is unknown; choose one of user"),
    "an empty source": (fields(source=""), "source is empty"),
    "a source with NUL": (fields(source="a\0b"), "source contains a NUL character at position 1"),
    "a source too long": (fields(source="x" * 201), "source has 201 characters; at most 200"),
    "a solution that is a set": (fields(solution={1, 2}), "solution is not JSON: .*set"),
    "a solution that is an object": (fields(solution=object()), "solution is not JSON: .*object"),
    "a solution that is bytes": (fields(solution={"a": b"b"}), "solution is not JSON: .*bytes"),
    "a solution with NaN inside": (fields(solution={"a": [1, NAN]}), "solution is not JSON: Out of range"),
    "a solution with infinity inside": (fields(solution=[-INF]), "solution is not JSON: Out of range"),
    "a solution with a pair as a key": (fields(solution={(1, 2): 3}), "solution is not JSON: keys must be"),
    "a solution that holds itself": (fields(solution=circular()), "solution is not JSON: Circular reference"),
    "a solution too deep": (fields(solution=nested(100_000)), "solution is not JSON: .*depth"),
    "a solution too long": (fields(solution="x" * 1_000_001), "solution takes 1,000,003 characters as JSON"),
    "a solution with half a character": (fields(solution={"a": LONE}), "solution contains a lone surrogate"),
    "a number too long to write": (fields(solution=10**5000), "solution is not JSON"),
    "10,000 tags": (fields(tags=[f"tag {n}" for n in range(10_000)]), "tags has 10,000 entries; at most 50"),
    "tags as plain text": (fields(tags="web"), r"tags must be a list of words, not the text 'web'; write \['web'\]"),
    "an empty tag": (fields(tags=["web", ""]), "tags is empty"),
    "a tag that is a number": (fields(tags=["web", 1]), "tags must be text, not int"),
    "a tag with NUL": (fields(tags=["we\0b"]), "tags contains a NUL character at position 2"),
    "a tag with half a character": (fields(tags=[LONE]), "tags contains a lone surrogate at position 0"),
    "a tag too long": (fields(tags=["x" * 101]), "tags has 101 characters; at most 100"),
}
UNFIT: dict[str, tuple[dict[str, Any], str]] = {
    "an unknown field": (fields(colour="red"), "colour"),
    "no intent": ({"solution": 1}, "needs intent and solution; got solution"),
    "no solution": ({"intent": "x"}, "needs intent and solution; got intent"),
    "nothing": ({}, "needs intent and solution; got nothing"),
}
OTHERS: dict[str, tuple[Callable[[Memory, str], object], str]] = {
    "outcome: score": (lambda memory, id: memory.outcome(id, NAN), "score must be a number from 0 to 1, not nan"),
    "outcome: channel": (lambda memory, id: memory.outcome(id, 1, "rumour"), "channel 'rumour' is unknown"),
    "outcome: evidence": (lambda memory, id: memory.outcome(id, 1, evidence={1}), "evidence is not JSON"),
    "decay: nothing": (lambda memory, id: memory.apply_decay(0), "half_life_days must be a number above 0, not 0"),
    "decay: NaN": (lambda memory, id: memory.apply_decay(NAN), "half_life_days must be a number above 0, not nan"),
    "decay: bool": (lambda memory, id: memory.apply_decay(True), "half_life_days must be a number above 0"),
    "prune": (lambda memory, id: memory.prune_expired(1.5), "min_weight must be a number from 0 to 1, not 1.5"),
    "log: type": (lambda memory, id: memory.log("tool"), "event type 'tool' must read category.verb"),
    "log: category": (lambda memory, id: memory.log("pet.fed"), "event category 'pet' is unknown"),
    "log: subject": (lambda memory, id: memory.log("tool.called", LONE), "subject contains a lone surrogate"),
    "log: data": (lambda memory, id: memory.log("tool.called", it={1}), "data is not JSON"),
    "find: query": (lambda memory, id: memory.find(None), "query must be text, not NoneType"),  # type: ignore[arg-type]
    "find: tags": (lambda memory, id: memory.find("x", tags="web"), "tags must be a list of words"),
    "list: type": (lambda memory, id: memory.list(type="guess"), "type 'guess' is unknown"),
}
WORDS = "deploy the site 日本語 مرحبا שלום 🚀 ' \" ; -- naïve"
QUERIES = [
    '"', "'", '"deploy', 'deploy" OR "x', "deploy AND", "AND OR NOT NEAR", "NOT deploy", "NEAR(deploy site, 2)",
    "deploy*", "*", "^deploy", "terms:deploy", "{terms}: deploy", "- deploy", "deploy + site", "(deploy", "deploy))",
    "deploy; drop table experiences; --", "' or 1=1 --", "deploy' union select * from experiences --", "%", "_", "?",
    ":deploy", "$1 @deploy", "de\\ploy", "\\", "/* deploy */", "deploy\0site", "\0", f"deploy {LONE} site", LONE,
    "🚀", "👩‍👩‍👧 deploy", "日本語", "日", "السلام مرحبا", "שלום", "\u202edeploy", "\ufeffdeploy",
    "é\u0301\u0301 deploy", "", " ", "\n\t", "the of and", "a", "...", "!!!", "¿", "½ ² Ⅷ", "ﷺ", "deploy " * 14_000,
    " ".join(f"word{n}" for n in range(11_000)), "".join(chr(0x4E00 + n) for n in range(20_000)), "\U0010ffff",
    "x" * 100_000,
]  # fmt: skip


def state(memory: Memory) -> tuple[object, ...]:
    tables = ("experiences", "outcomes", "events", "corpora", "experiences_vocabulary")
    return (memory.stats(), *(memory.store.query(f"select * from {table}") for table in tables))


@pytest.mark.parametrize("name", BAD)
def test_an_experience_that_cannot_be_kept_is_refused_by_name(memory: Memory, name: str) -> None:
    """C131, C132, C133, C134: the message names the field; nothing was written, alone or among good ones."""
    bad, message = BAD[name]
    memory.record("bake bread", 1)
    before = state(memory)

    with pytest.raises(InvalidInput, match=message):
        memory.record(**bad)
    with pytest.raises(InvalidInput, match=message):
        memory.record_many([fields(), bad, fields()])

    assert state(memory) == before


@pytest.mark.parametrize("name", UNFIT)
def test_a_mapping_that_is_no_experience_is_refused(shared: Memory, name: str) -> None:
    unfit, message = UNFIT[name]
    before = state(shared)

    with pytest.raises(InvalidInput, match=message):
        shared.record_many([fields(), unfit])

    assert state(shared) == before


@pytest.mark.parametrize("name", OTHERS)
def test_every_verb_names_the_field_it_cannot_take(memory: Memory, name: str) -> None:
    """C134: also the scores of outcomes."""
    (verb, message), written = OTHERS[name], memory.record("bake bread", 1)
    before = state(memory)

    with pytest.raises(InvalidInput, match=message):
        verb(memory, written.id)

    assert state(memory) == before


def test_what_lies_just_within_the_bounds_is_kept(shared: Memory) -> None:
    """C133, C134: the longest intent, the deepest usual solution, scores of 0 and 1, as many tags as allowed."""
    tags = [f"{n:02}" + "x" * 98 for n in range(50)]
    written = shared.record("é" * 20_000, nested(200), success_score=0, tags=tags, source="x" * 200)
    long = shared.record("x", "y" * 999_998, success_score=1)

    assert (shared.get(written.id).tags, written.success_score) == (tuple(tags), 0.0)
    assert (shared.get(written.id).solution, shared.get(written.id).intent) == (nested(200), "é" * 20_000)
    assert (len(shared.get(long.id).solution), long.success_score) == (999_998, 1.0)


@pytest.mark.parametrize("engine", ["fts5", "bm25s"])
def test_a_query_is_plain_text_whatever_it_says(shared: Memory, engine: str) -> None:
    """C132: operators, quotes, SQL, emoji, other scripts, NUL, half characters, 100 kB: no syntax, no error."""
    written = shared.record(WORDS, {"run": "make"})
    shared.record_many([fields(intent="bake bread")] * 5)
    if engine == "bm25s":
        shared.warm()
    before = state(shared)

    for query in QUERIES:
        hits = shared.find(query)
        assert {hit.why.engine for hit in hits} <= {engine}
        if "deploy" in query:
            assert [hit.id for hit in hits] == [written.id], query[:100]

    assert state(shared) == before
    assert [shared.find(query) for query in ("", " ", "'", '"', "*", "\0", LONE, "%", "...")] == [[]] * 9


@pytest.mark.parametrize("engine", ["fts5", "bm25s"])
@pytest.mark.parametrize(
    ("intent", "query"),
    [
        ("部署网站到服务器", "部署网站"), ("東京タワーを見る", "東京タワー"), ("데이터베이스를 옮기다", "데이터베이스"),
        ("ติดตั้งเซิร์ฟเวอร์", "เซิร์ฟเวอร์"), ("猫", "猫"), ("ship it 🚀", "🚀"), ("🎉", "🎉 party"), ("نشر الموقع", "الموقع"),
        ("פרוס את האתר", "האתר"), ("развернуть сайт", "САЙТ"), ("déployer le café", "CAFE"),
        ("ﬁle ＡＢＣ", "file abc"),
    ],
)  # fmt: skip
def test_an_intent_in_any_script_is_found_again(memory: Memory, engine: str, intent: str, query: str) -> None:
    """C132: intents without spaces, from right to left, of emoji alone."""
    memory.record_many([fields(intent="bake bread")] * 5)
    written = memory.record(intent, 1)
    if engine == "bm25s":
        memory.warm()

    hits = memory.find(query)

    assert [(hit.id, hit.experience.intent, hit.why.engine) for hit in hits] == [(written.id, intent, engine)]


@pytest.mark.parametrize("limit", [0, -1, 1001, 10**30, 1.5, True, "10", None, NAN])
def test_a_limit_out_of_bounds_is_refused(memory: Memory, limit: Any) -> None:
    """C137."""
    for look in (lambda: memory.find("deploy", limit=limit), lambda: memory.find("", limit=limit)):
        with pytest.raises(InvalidInput, match="limit must be a whole number from 1 to 1,000, not"):
            look()


@pytest.mark.parametrize("limit", [0, -1, True, 2.5, 1_000_001])
def test_so_many_events_cannot_be_asked_for(memory: Memory, limit: Any) -> None:
    """C107: a limit that is none is refused instead of giving everything or nothing."""
    with pytest.raises(InvalidInput, match="limit must be a whole number from 1 to 1,000,000"):
        memory.events.list(limit=limit)


def test_a_url_that_is_no_server_makes_no_file_of_that_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for address in ("foo", "foo.db", "/tmp/foo", "libsql:foo"):
        with pytest.raises(InvalidInput, match=f"url '{address}' is no server; write libsql://host"):
            Memory(tmp_path, address)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("engine", ["fts5", "bm25s"])
def test_the_smallest_and_the_largest_limit_are_kept(memory: Memory, engine: str) -> None:
    """C137."""
    memory.record_many([fields(intent=f"deploy site number {n}") for n in range(1100)])
    if engine == "bm25s":
        memory.warm()

    for limit in (1, 999, 1000):
        hits = memory.find("deploy", limit=limit)
        assert (len(hits), len({hit.id for hit in hits}), hits[0].why.engine) == (limit, limit, engine)
