"""Files are found by what they mean, beside their words; real embedders, and one that fails."""

from __future__ import annotations

from pathlib import Path

import pytest

import experience
import memory_sync
from tests.files import write
from tests.meanings import served

CORPUS = {
    "ops/release.md": "# Release\n\nTo undo a bad deployment, publish the previous version again.\n",
    "kitchen.md": "# Kitchen\n\nPasta wants salt and a large pot.\n",
    "money.md": "# Money\n\nInvoices are sent on the first of the month.\n",
}


@pytest.mark.parametrize("embedder", ["minilm", "wordllama"])
def test_other_words_with_the_same_meaning_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, embedder: str
) -> None:
    """C039, C113: no word of the question stands in the file."""
    monkeypatch.setenv("EXPERIENCE_EMBEDDER", embedder)
    with experience.open(tmp_path / "p") as memory:
        write(memory.root, CORPUS)
        result = memory_sync.search(memory, "billing customers", min_score=0)

    assert result.method == "hybrid"
    assert result.chunks[0].path == "money.md"


def test_a_hybrid_score_is_the_documented_sum_of_both_arms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C042"""
    monkeypatch.setenv("EXPERIENCE_EMBEDDER", "wordllama")
    with experience.open(tmp_path / "p") as memory:
        write(memory.root, CORPUS)
        result = memory_sync.search(memory, "when are invoices sent?", min_score=0)

    assert result.chunks
    for chunk in result.chunks:
        assert chunk.score == pytest.approx(0.7 * chunk.why.vector + 0.3 * chunk.why.relevance, abs=1e-9)


def test_an_embedder_that_fails_leaves_the_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with served() as server:
        server.status = 500
        for name, value in server.settings().items():
            monkeypatch.setenv(name, value)
        with experience.open(tmp_path / "p") as memory:
            write(memory.root, CORPUS)
            result = memory_sync.search(memory, "when are invoices sent?")

    assert (result.method, result.chunks[0].path) == ("fts", "money.md")


def test_meaning_stays_inside_the_paths_that_were_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPERIENCE_EMBEDDER", "wordllama")
    with experience.open(tmp_path / "p") as memory:
        write(memory.root, CORPUS)
        result = memory_sync.search(memory, "billing customers", path="ops/**", min_score=0)

    assert {chunk.path for chunk in result.chunks} <= {"ops/release.md"}
