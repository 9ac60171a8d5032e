"""tantivy: English stemming, any of the words, the documents fetched."""

from __future__ import annotations

import os
from collections.abc import Iterable
from os.path import join

import tantivy

from benchmarks.engines.sqlite_fts import WORD


class Rust:
    """An index in a directory, written by one thread."""

    def __init__(self, directory: str) -> None:
        self._index = tantivy.Index(schema(), path=join(directory, "tantivy"))
        self._index.reload()
        self._searcher = self._index.searcher()
        self._writer: tantivy.IndexWriter | None = None

    @staticmethod
    def build(directory: str, intents: Iterable[str], size: int) -> None:
        """Add everything and commit once."""
        os.makedirs(join(directory, "tantivy"))
        writer = tantivy.Index(schema(), path=join(directory, "tantivy")).writer(200_000_000, 1)
        for number, intent in enumerate(intents):
            writer.add_document(tantivy.Document(number=number, intent=intent))
        writer.commit()
        writer.wait_merging_threads()

    def prepare(self, text: str) -> str:
        return text

    def search(self, query: str) -> list[int]:
        parsed = self._index.parse_query(" ".join(WORD.findall(query)), ["intent"])
        hits = self._searcher.search(parsed, 10).hits
        return [self._searcher.doc(address)["number"][0] for _, address in hits]

    def add(self, number: int, intent: str) -> None:
        self._writer = self._writer or self._index.writer(50_000_000, 1)
        self._writer.add_document(tantivy.Document(number=number, intent=intent))
        self._writer.commit()
        self._index.reload()
        self._searcher = self._index.searcher()


def schema() -> tantivy.Schema:
    """The number and the intent, both stored."""
    builder = tantivy.SchemaBuilder()
    builder.add_integer_field("number", stored=True)
    builder.add_text_field("intent", stored=True, tokenizer_name="en_stem")
    return builder.build()
