"""bm25s on the same terms as this house: the query's terms are ready before the clock starts, numbers come back."""

from __future__ import annotations

from collections.abc import Iterable
from os.path import join

import bm25s

from experience import analyzer


class Arrays:
    """An index scored ahead of time; a new document means building it anew."""

    def __init__(self, directory: str) -> None:
        self._index = bm25s.BM25.load(join(directory, "arrays"))

    @staticmethod
    def build(directory: str, intents: Iterable[str], size: int) -> None:
        """Score everything and write the arrays down."""
        index = bm25s.BM25(k1=1.2, b=0.75, method="lucene")
        index.index([analyzer.terms(intent) for intent in intents], show_progress=False)
        index.save(join(directory, "arrays"))

    def prepare(self, text: str) -> list[list[str]]:
        return [analyzer.query_terms(text)]

    def search(self, query: list[list[str]]) -> list[int]:
        found = self._index.retrieve(query, k=10, show_progress=False, n_threads=0)
        return found.documents[0].tolist()


class Manual(Arrays):
    """The same as its manual shows it: its own tokenizer, the query's text as it was asked."""

    def __init__(self, directory: str) -> None:
        self._index = bm25s.BM25.load(join(directory, "manual"))

    @staticmethod
    def build(directory: str, intents: Iterable[str], size: int) -> None:
        """Tokenize and score everything and write the arrays down."""
        index = bm25s.BM25()
        index.index(bm25s.tokenize(list(intents), stopwords="en", show_progress=False), show_progress=False)
        index.save(join(directory, "manual"))

    def prepare(self, text: str) -> str:
        return text

    def search(self, query: str) -> list[int]:
        tokens = bm25s.tokenize(query, stopwords="en", show_progress=False)
        return self._index.retrieve(tokens, k=10, show_progress=False).documents[0].tolist()
