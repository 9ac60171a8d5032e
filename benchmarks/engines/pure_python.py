"""rank_bm25, on the same terms as this house."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from os.path import join

import numpy as np
from rank_bm25 import BM25Okapi

from experience import analyzer


class PurePython:
    """A dictionary per document; a new document means building it anew."""

    def __init__(self, directory: str) -> None:
        with open(join(directory, "rank_bm25"), "rb") as file:
            self._index = pickle.load(file)

    @staticmethod
    def build(directory: str, intents: Iterable[str], size: int) -> None:
        """Count everything and write the counts down."""
        index = BM25Okapi([analyzer.terms(intent) for intent in intents], k1=1.2)
        with open(join(directory, "rank_bm25"), "wb") as file:
            pickle.dump(index, file)

    def prepare(self, text: str) -> list[str]:
        return analyzer.query_terms(text)

    def search(self, query: list[str]) -> list[int]:
        scores = self._index.get_scores(query)
        best = np.argpartition(scores, -10)[-10:]
        return best[np.argsort(-scores[best])].tolist()
