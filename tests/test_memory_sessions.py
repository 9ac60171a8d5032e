"""Memory sessions: what a conversation knew, what it was shown, and what shaped an answer."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

import experience
import memory_sync
from experience import Conflict, InvalidInput, Memory, NotFound, StillClock
from tests.files import sections, write

FILES = {
    "docs/walrus.md": "# Walrus\n\nThe walrus sleeps on ice.\n",
    "docs/heron.md": "The heron stands in the reeds.\n",
    "private/plan.md": "The walrus plan is secret.\n",
}


@pytest.fixture
def filled(shared: Memory) -> Memory:
    write(shared.root, FILES)
    return shared


def test_a_session_is_active_until_it_is_archived(filled: Memory, clock: StillClock) -> None:
    """C125: create → active; archive → archived; the list filters by status."""
    one = memory_sync.create_memory_session(filled, name="first talk")
    two = memory_sync.create_memory_session(filled, name="second talk")
    clock.advance(hours=1)
    done = memory_sync.archive_session(one.id)

    assert (one.status, one.name, one.archived_at) == ("active", "first talk", None)
    assert (done.status, done.archived_at) == ("archived", clock())
    assert [session.id for session in memory_sync.list_memory_sessions(filled)] == [two.id, one.id]
    assert [session.id for session in memory_sync.list_memory_sessions(filled, "active")] == [two.id]
    assert [session.id for session in memory_sync.list_memory_sessions(filled, "archived")] == [one.id]
    assert memory_sync.archive_session(one.id) == done


def test_a_session_says_which_files_it_was_given(filled: Memory) -> None:
    """C126: roots, files and hashes."""
    session = memory_sync.create_memory_session(filled, roots=["docs"])

    assert session.roots == ("docs",)
    hashes = dict(filled.store.query("select path, hash from files"))
    assert {file.path: file.hash for file in session.files} == {
        path: hashes[path] for path in ("docs/heron.md", "docs/walrus.md")
    }
    assert memory_sync.memory_session(filled, session.id) == session


def test_a_session_sees_only_its_own_roots(filled: Memory) -> None:
    """C129: another session of the same project sees other files."""
    docs = memory_sync.create_memory_session(filled, roots=["docs"])
    private = memory_sync.create_memory_session(filled, roots=["private"])

    def seen(session: memory_sync.MemorySession) -> list[str]:
        return [chunk.path for chunk in memory_sync.search(filled, "walrus heron plan", session=session).chunks]

    assert sorted(seen(docs)) == ["docs/heron.md", "docs/walrus.md"]
    assert seen(private) == ["private/plan.md"]


def test_roots_whose_names_begin_alike_are_told_apart(memory: Memory) -> None:
    """C129."""
    write(memory.root, {"doc/a.md": "walrus", "docs/b.md": "walrus", "doc_/c.md": "walrus", "do%/d.md": "walrus"})
    memory_sync.sync(memory)
    for root, path in (("doc", "doc/a.md"), ("doc_", "doc_/c.md"), ("do%", "do%/d.md")):
        session = memory_sync.create_memory_session(memory, roots=[root])
        assert [chunk.path for chunk in memory_sync.search(memory, "walrus", session=session).chunks] == [path]


def test_projects_do_not_see_each_others_sessions(filled: Memory, tmp_path: Path) -> None:
    """C129: neither the session, nor its searches, nor its files."""
    session = memory_sync.create_memory_session(filled)
    memory_sync.search(filled, "walrus", session=session, response_id="answer")
    url = filled.store.where if "://" in filled.store.where else None
    with experience.open(tmp_path / "other", url=url) as other:
        assert memory_sync.list_memory_sessions(other) == []
        assert memory_sync.audit("answer", memory=other) == []
        for look in (memory_sync.archive_session, memory_sync.replay_session):
            with pytest.raises(NotFound):
                look(session.id, memory=other)
        with pytest.raises(NotFound):
            memory_sync.search(other, "walrus", session=session.id)


def test_a_replay_shows_the_same_chunks_word_for_word(filled: Memory) -> None:
    """C127: ids, lines, hashes, texts; nothing changed, and it says so."""
    session = memory_sync.create_memory_session(filled)
    shown = [
        chunk for query in ("walrus", "heron", "walrus")
        for chunk in memory_sync.search(filled, query, session=session).chunks
    ]  # fmt: skip
    again = memory_sync.replay_session(session.id)

    def told(chunk: memory_sync.FoundChunk | memory_sync.ShownChunk) -> tuple[object, ...]:
        return chunk.id, chunk.path, chunk.start_line, chunk.end_line, chunk.hash, chunk.text

    assert [told(chunk) for chunk in again.chunks] == list(dict.fromkeys(map(told, shown)))
    assert {chunk.state for chunk in again.chunks} == {"same"}
    assert again.same
    assert (again.changed, again.removed, again.added) == ((), (), ())


def test_a_replay_says_what_changed_since(memory: Memory) -> None:
    """C127: same, moved, changed, removed; the old words are still there."""
    write(
        memory.root, {"a.md": "walrus one", "b.md": sections(8, word="heron"), "c.md": "walrus three", "d.md": "four"}
    )
    session = memory_sync.create_memory_session(memory)
    memory_sync.search(memory, "walrus", session=session)
    memory_sync.search(memory, "heron part 7 line 11", 1, session=session)
    write(memory.root, {"a.md": "other words", "b.md": "a new first line\n" + sections(8, word="heron"), "e.md": "new"})
    os.remove(Path(memory.root) / "c.md")
    again = memory_sync.replay_session(session.id)

    assert {chunk.path: chunk.state for chunk in again.chunks} == {
        "a.md": "changed",
        "b.md": "moved",
        "c.md": "removed",
    }
    assert {chunk.path: chunk.text for chunk in again.chunks}["a.md"] == "walrus one"
    assert (again.changed, again.removed, again.added) == (("a.md", "b.md"), ("c.md",), ("e.md",))
    assert not again.same


def test_a_replay_survives_an_index_made_anew(filled: Memory) -> None:
    """C127: chunks are derived; the same words in the same file get the same id again."""
    session = memory_sync.create_memory_session(filled)
    memory_sync.search(filled, "walrus", session=session)
    filled.store.execute("insert into chunks_fts (chunks_fts) values ('delete-all')")
    filled.store.execute("delete from chunks")
    filled.store.execute("delete from files")
    filled.store.execute("update corpora set rows = 0, terms = 0 where name = 'chunks'")
    memory_sync.sync(filled)

    assert {chunk.state for chunk in memory_sync.replay_session(session.id).chunks} == {"same"}


def test_the_lines_behind_an_answer_are_listed(filled: Memory, clock: StillClock) -> None:
    """C128: audit <response> lists paths and lines."""
    session = memory_sync.create_memory_session(filled, roots=["docs"])
    memory_sync.search(filled, "walrus ice", session=session, response_id="answer-1")
    memory_sync.search(filled, "heron", session=session)
    memory_sync.search(filled, "walrus", response_id="answer-1")
    shaped = memory_sync.audit("answer-1")

    assert {(one.path, one.start_line, one.end_line) for one in shaped} == {
        ("docs/walrus.md", 1, 3), ("private/plan.md", 1, 1)
    }  # fmt: skip
    assert [one.score for one in shaped] == sorted((one.score for one in shaped), reverse=True)
    assert {(one.query, one.session) for one in shaped} == {("walrus ice", session.id), ("walrus", None)}
    assert {one.at for one in shaped} == {clock()}
    assert memory_sync.audit("answer-2", memory=filled) == []


def test_a_response_can_be_named_after_its_searches(filled: Memory) -> None:
    """C128: whoever learns the id of a response only when it is written."""
    session = memory_sync.create_memory_session(filled)
    first = memory_sync.search(filled, "walrus", session=session)
    assert memory_sync.credit_response(session, "answer-1") == 1
    memory_sync.search(filled, "heron", session=session)
    assert memory_sync.credit_response(session.id, "answer-2") == 1

    assert {one.path for one in memory_sync.audit("answer-1")} == {"docs/walrus.md", "private/plan.md"}
    assert {one.path for one in memory_sync.audit("answer-2")} == {"docs/heron.md"}
    assert memory_sync.audit(str(first.search_id)) == memory_sync.audit("answer-1")


def test_a_plain_search_leaves_no_trace(filled: Memory) -> None:
    memory_sync.search(filled, "walrus")

    assert filled.store.query("select count(*) from file_searches") == [(0,)]


def test_an_archived_session_searches_no_more_but_is_replayed(filled: Memory) -> None:
    """C125."""
    session = memory_sync.create_memory_session(filled)
    memory_sync.search(filled, "walrus", session=session)
    memory_sync.archive_session(session.id)

    with pytest.raises(Conflict, match="is archived"):
        memory_sync.search(filled, "walrus", session=session)
    assert len(memory_sync.replay_session(session.id).chunks) == 2


def test_ids_are_taken_alone_or_with_their_memory_in_any_order(filled: Memory) -> None:
    session = memory_sync.create_memory_session(filled)
    memory_sync.search(filled, "walrus", session=session, response_id="answer")
    replays = [
        memory_sync.replay_session(session.id), memory_sync.replay_session(session),
        memory_sync.replay_session(session.id, filled), memory_sync.replay_session(filled, session.id),
        memory_sync.replay_session(session.id, memory=filled),
    ]  # fmt: skip

    assert len(set(map(repr, replays))) == 1
    assert memory_sync.audit("answer") == memory_sync.audit(filled, "answer")


def test_an_id_whose_memory_is_not_open_here_asks_for_it(tmp_path: Path) -> None:
    with experience.open(tmp_path) as memory:
        id = memory_sync.create_memory_session(memory).id
    del memory
    gc.collect()

    with pytest.raises(InvalidInput, match="say memory="):
        memory_sync.replay_session(id)
    with experience.open(tmp_path) as memory:
        assert memory_sync.replay_session(id, memory=memory).session.id == id


def test_secrets_in_names_and_queries_are_not_kept(memory: Memory) -> None:
    token = "ghp_" + "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4"
    session = memory_sync.create_memory_session(memory, name=f"talk about {token}")
    memory_sync.search(memory, f"where is {token} used", session=session, response_id="answer")

    kept = [
        *memory.store.query("select name from memory_sessions"),
        *memory.store.query("select query from file_searches"),
    ]
    assert token not in str(kept)
    assert all("[secret:" in str(row) for row in kept)


@pytest.mark.parametrize("status", ["open", ""])
def test_an_unknown_status_is_refused(memory: Memory, status: str) -> None:
    with pytest.raises(InvalidInput, match="status"):
        memory_sync.list_memory_sessions(memory, status)


def test_an_unknown_session_is_not_found(memory: Memory) -> None:
    with pytest.raises(NotFound):
        memory_sync.search(memory, "walrus", session="msess_unknown")
    with pytest.raises(NotFound):
        memory_sync.archive_session("msess_unknown", memory)
