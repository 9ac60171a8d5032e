"""What is wrong with a file that comes in: counted and named, never a crash, and nothing of it believed."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import experience
from experience import InvalidInput, Memory
from experience.exchange.kinds import KINDS, reader
from experience.exchange.source import MOST_LINE, Source
from tests.transcripts import ORDER, RULE, claude, lines, states, written

File = Callable[[str, str], Path]
SECRET = "ghp_" + "a8Zk3Qw9Xy" * 3 + "b7Tq2L"


@pytest.fixture
def file(tmp_path: Path) -> File:
    return partial(written, tmp_path)


def test_what_is_broken_is_counted_and_named(memory: Memory, file: File) -> None:
    good = json.dumps(claude("user", RULE))
    broken = '{"type": "user", \r\n[1, 2]\r\n\r\n{"type":"user"}'
    text = f"\ufeff{json.dumps(claude('user', ORDER))}\r\n{broken}\r\n{'[' * 9999}\r\n{good}"
    done = memory.import_from(file("5e55.jsonl", text))

    assert [(one.file, one.line) for one in done.complaints] == [("5e55.jsonl", at) for at in (2, 3, 5, 6)]
    assert done.bad == 4
    assert states(memory)["current"] == sorted((ORDER, RULE))


def test_a_huge_line_is_passed_over(memory: Memory, tmp_path: Path) -> None:
    path = tmp_path / "huge.jsonl"
    with path.open("w", encoding="utf-8") as out:
        out.write(json.dumps(claude("user", RULE)) + "\n")
        out.write("x" * (2 * MOST_LINE + 5) + "\n")
        out.write(json.dumps(claude("user", ORDER)))

    done = memory.import_from(path)

    assert [(one.line, "longer" in one.why) for one in done.complaints] == [(2, True)]
    assert states(memory)["current"] == sorted((ORDER, RULE))


def test_secrets_stay_outside(memory: Memory, file: File) -> None:
    path = file("a.jsonl", lines(claude("user", f"Never print {SECRET} anywhere.")))
    memory.import_from(path)
    memory.import_from(file("mem0.json", json.dumps([{"memory": f"the key is {SECRET}", "user_id": "u"}])))

    memory.store.sweep()
    raw = b"".join(one.read_bytes() for one in Path(memory.root).rglob("*") if one.is_file())
    assert SECRET.encode() not in raw
    assert len(memory.memories(state="all")) == 2


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.txt", "hello there", "none of the known formats"), ("a.jsonl", '{"a": 1}\n', "none of the known formats"),
        ("a.json", '{"totalObservations": 1, ', "not JSON"), ("b.jsonl", "\0\1\2", "UTF-8"),
        ("new.jsonl", '{"experience-export": 2}\n', "upgrade"), ("old.jsonl", '{"experience-export": "x"}\n', "begin"),
    ],
)  # fmt: skip
def test_a_file_of_no_known_kind_is_refused(name: str, text: str, words: str, memory: Memory, file: File) -> None:
    with pytest.raises(InvalidInput, match=words):
        memory.import_from(file(name, text))

    assert memory.memories(state="all") == []


def test_what_is_asked_for_must_be_there(memory: Memory, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="cannot be read"):
        memory.import_from(tmp_path / "missing.jsonl")
    with pytest.raises(InvalidInput, match="choose one of"):
        memory.import_from(tmp_path, "nonsense")
    with pytest.raises(InvalidInput, match="trust"):
        memory.import_from(tmp_path, trust="verified")


def exported(*rows: dict[str, Any], count: int | None = None) -> str:
    return lines({"experience-export": 1}, *rows, {"kind": "end", "rows": len(rows) if count is None else count})


EPISODE = {
    "id": "ep_1", "event": "the build broke", "outcome": None, "tags": ["ci"], "session": None, "trust": "user",
    "source": "user", "created_at": "2025-06-01T10:00:00.000000Z",
}  # fmt: skip


@pytest.mark.parametrize(
    "broken",
    [
        {"event": None}, {"event": ""}, {"tags": "ci"}, {"tags": [1]}, {"trust": "god"}, {"created_at": "yesterday"},
        {"created_at": 5}, {"event": "a\0b"}, {"event": "\ud800"}, {"more": 1}, {"id": ["x"]},
    ],
)  # fmt: skip
def test_a_row_that_does_not_fit_is_left_out(broken: dict[str, Any], shared: Memory, file: File) -> None:
    """The rows around it come in, on a file and on a server."""
    rows = [EPISODE, {**EPISODE, "id": "ep_2", **broken}, {**EPISODE, "id": "ep_3"}]
    done = shared.import_from(file("x.jsonl", exported(*({"kind": "episode", "row": row} for row in rows))))

    assert ([one.line for one in done.complaints], done.added) == ([3], {"episode": 2})
    assert len(shared.episodes()) == 2


def test_a_file_that_ends_too_early_is_told_about(memory: Memory, file: File) -> None:
    done = memory.import_from(
        file("x.jsonl", exported({"kind": "episode", "row": EPISODE}, {"kind": "odd", "row": {}}, count=7))
    )

    assert done.added == {"episode": 1}
    assert [one.why.split(":")[0].split(";")[0] for one in done.complaints] == [
        "the kind 'odd' is unknown", "the export ends too early",
    ]  # fmt: skip


def test_another_stores_export_is_trusted_no_more_than_it_is_said_to_be(
    memory: Memory, tmp_path: Path, file: File
) -> None:
    with experience.open(tmp_path / "theirs") as theirs:
        theirs.learn(RULE, "policy")
        theirs.record("deploy", "push")
        text = "".join(theirs.export_lines())

    memory.import_from(file("theirs.jsonl", text), trust="external")

    assert states(memory) == {"current": [], "quarantined": [RULE]}
    assert {one.trust for one in memory.list()} == {"external"}
    assert memory.context("deploy on a Friday").text == ""


WILD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3), max_leaves=8,
)  # fmt: skip
FIELDS = st.sampled_from(
    "type message content role text payload timestamp sessionId uuid id memory results observations prompts "
    "prompt_text facts concepts created_at_epoch metadata categories kind row title".split()
)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.dictionaries(FIELDS, WILD, max_size=6), max_size=4), st.text(max_size=200))
def test_no_reader_fails_whatever_it_is_given(
    tmp_path_factory: pytest.TempPathFactory, objects: list[Any], text: str
) -> None:
    """Each reader yields records or one sentence that says what is wrong."""
    path = tmp_path_factory.mktemp("wild") / "wild.jsonl"
    wild = [
        *objects,
        *({"type": "user", "message": one} for one in objects),
        *({"type": "response_item", "payload": one} for one in objects),
    ]
    for body in (lines(*wild), json.dumps({"observations": objects, "prompts": objects}), json.dumps(objects), text):
        path.write_text(body.replace("\0", ""), encoding="utf-8", errors="replace")
        for kind in KINDS:
            try:
                found = list(reader(kind).read(Source(str(path))))
            except InvalidInput:
                continue
            assert all(one.line >= 0 for one in found)
