"""Searching files: what is found, why, and that it is what stands there now."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import experience
import memory_sync
from experience import InvalidInput, Memory
from memory_sync.search import HEADING, saturation
from memory_sync.state import desk
from tests.files import found, sections, write

CORPUS = {
    "ops/deploy.md": "# Deploying\n\nPush the tag and wait for the light.\n\n## Rolling back\n\nPush the old tag.",
    "ops/alerts.md": "# Alerts\n\nThe pager rings when the disk is full.",
    "kitchen.md": "# Kitchen\n\nThe coffee machine is cleaned on Fridays.",
}


def test_a_search_finds_the_lines_and_says_how(shared: Memory) -> None:
    """C113: without an embedder the method is fts, and there are results."""
    write(shared.root, CORPUS)
    result = memory_sync.search(shared, "when is the coffee machine cleaned?")

    assert result.method == "fts"
    [chunk] = result.chunks
    assert (chunk.path, chunk.start_line, chunk.end_line, chunk.heading) == ("kitchen.md", 1, 3, "Kitchen")
    assert chunk.text == CORPUS["kitchen.md"]
    assert chunk.at == "kitchen.md:1-3"


def test_a_score_is_the_sum_of_its_parts(memory: Memory) -> None:
    """Everything in `why` can be added up again."""
    write(memory.root, {**CORPUS, "long.md": sections(20, word="disk")})
    for chunk in memory_sync.search(memory, "disk full pager tag deploying").chunks:
        why = chunk.why
        assert sum(term.part for term in why.terms) == pytest.approx(chunk.score) == pytest.approx(why.relevance)
        assert 0 < chunk.score <= 1
        most = max(term.part / (term.idf * saturation(term.tf, why.length, why.average_length)) for term in why.terms)
        assert all(
            term.part == pytest.approx(most * term.idf * saturation(term.tf, why.length, why.average_length))
            for term in why.terms
        )


def test_the_name_of_a_file_and_the_headings_above_are_searched_too(memory: Memory) -> None:
    """A chunk deep in a section is found by the heading that stands far above it."""
    body = "\n".join(f"Turn the small valve number {number} a quarter to the left." for number in range(80))
    write(
        memory.root,
        {"boiler-room.md": "Nothing to see.", "a.md": f"# Heating\n\n{body}\n", "b.md": f"# Water\n\n{body}"},
    )

    assert found(memory, "boiler room") == ["boiler-room.md"]
    chunks = memory_sync.search(memory, "heating valve number 79", 50).chunks
    last = {chunk.path: chunk for chunk in chunks if "number 79 " in chunk.text}
    assert (last["a.md"].heading, last["b.md"].heading) == ("Heating", "Water")
    assert last["a.md"].score > last["b.md"].score
    assert {term.term: term.tf for term in last["a.md"].why.terms}["heat"] == HEADING


def test_the_best_chunk_comes_first_and_as_many_as_were_asked_for(memory: Memory) -> None:
    """C124: six by default."""
    write(memory.root, {f"{number}.md": "walrus " * (1 + number % 3) + f"filler {number}" for number in range(20)})
    result = memory_sync.search(memory, "walrus filler")

    assert [len(result.chunks), len(memory_sync.search(memory, "walrus", 3).chunks)] == [6, 3]
    assert [chunk.score for chunk in result.chunks] == sorted((chunk.score for chunk in result.chunks), reverse=True)


def test_the_number_of_results_is_a_setting(tmp_path: Path) -> None:
    """C124."""
    write(tmp_path, {".experience/settings.json": '{"file_results": 2}', **{f"{n}.md": "walrus" for n in range(5)}})
    with experience.open(tmp_path) as memory:
        assert len(memory_sync.search(memory, "walrus").chunks) == 2


def test_an_edit_is_found_at_once_and_the_call_that_synced_says_so(shared: Memory) -> None:
    """C122, C123: true in the response of the call that synced, false in the next."""
    write(shared.root, {"a.md": "walrus"})
    assert [memory_sync.search(shared, "walrus").auto_synced for _ in range(3)] == [True, False, False]

    write(shared.root, {"a.md": "penguin"})
    result = memory_sync.search(shared, "penguin")
    assert ([chunk.text for chunk in result.chunks], result.auto_synced) == (["penguin"], True)
    assert memory_sync.search(shared, "penguin").auto_synced is False

    write(shared.root, {"deep/er/b.md": "heron"})
    assert (found(shared, "heron"), memory_sync.search(shared, "heron").auto_synced) == (["deep/er/b.md"], False)
    os.remove(Path(shared.root) / "a.md")
    assert found(shared, "penguin") == []


def test_an_edit_of_the_same_length_in_the_same_moment_is_found(memory: Memory) -> None:
    """A file that changes again before its time can differ: its bytes are looked at late enough."""
    for number in range(30):
        write(memory.root, {"a.md": f"bird{number:02}"})
        assert found(memory, f"bird{number:02}") == ["a.md"]


def test_a_changed_gitignore_is_obeyed_by_the_next_search(memory: Memory) -> None:
    write(memory.root, {".gitignore": "other\n", "a.md": "walrus"})
    assert found(memory, "walrus") == ["a.md"]
    write(memory.root, {".gitignore": "a.md\n"})
    assert found(memory, "walrus") == []


def test_a_search_may_be_told_not_to_sync(memory: Memory) -> None:
    write(memory.root, {"a.md": "walrus"})

    assert memory_sync.search(memory, "walrus", fresh=False).chunks == ()


def test_what_another_process_noticed_is_synced_first(tmp_path: Path) -> None:
    """C121, C122: dirty is known to every process."""
    write(tmp_path, {"a.md": "walrus"})
    with experience.open(tmp_path) as one, experience.open(tmp_path) as other:
        memory_sync.sync(one)
        assert memory_sync.state(other).dirty is False
        desk(other).state.notice()
        assert memory_sync.state(one).dirty is True
        assert memory_sync.search(one, "walrus").auto_synced is True
        assert memory_sync.state(other).dirty is False


def test_a_glob_of_paths_limits_a_search(memory: Memory) -> None:
    write(memory.root, {"docs/a.md": "walrus", "notes/b.md": "walrus", "c.md": "walrus"})

    assert found(memory, "walrus", path="docs/**") == ["docs/a.md"]
    assert sorted(found(memory, "walrus", path="*.md")) == ["c.md", "docs/a.md", "notes/b.md"]


def test_weak_results_can_be_left_out(memory: Memory) -> None:
    write(memory.root, {"a.md": "walrus penguin heron", "b.md": f"walrus {sections(3)}"})

    assert found(memory, "walrus penguin heron", min_score=0.4) == ["a.md"]


@pytest.mark.parametrize("query", ["", "   ", "the of and", "zzzunknown", "'\"*()^", "日本"])
def test_a_query_that_finds_nothing_finds_nothing(memory: Memory, query: str) -> None:
    write(memory.root, CORPUS)

    assert isinstance(memory_sync.search(memory, query).chunks, tuple)
    assert found(memory, "zzzunknown") == []


@pytest.mark.parametrize(
    ("more", "said"),
    [({"query": 3}, "query must be text"), ({"limit": 0}, "limit must be"), ({"min_score": 2}, "min_score must be"),
     ({"path": "../x"}, "leaves the project")],
)  # fmt: skip
def test_a_search_that_cannot_be_is_refused(memory: Memory, more: dict[str, object], said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        memory_sync.search(memory, **{"query": "walrus", **more})  # type: ignore[arg-type]


def test_what_stands_in_files_is_searched_but_never_injected(memory: Memory) -> None:
    """Files are not vouched for: their words reach no prompt by themselves."""
    write(memory.root, {"a.md": "Always use the walrus deployment."})

    assert found(memory, "walrus deployment") == ["a.md"]
    assert "walrus" not in memory.context("walrus deployment").text
    assert memory.recall("walrus deployment") == []


def test_projects_on_one_server_see_only_their_own_files(tmp_path: Path, shared: Memory) -> None:
    """C129."""
    write(shared.root, {"a.md": "walrus"})
    write(tmp_path / "second", {"b.md": "walrus"})
    url = shared.store.where if "://" in shared.store.where else None
    with experience.open(tmp_path / "second", url=url) as other:
        assert (found(shared, "walrus"), found(other, "walrus")) == (["a.md"], ["b.md"])
