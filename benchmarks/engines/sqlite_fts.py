"""Raw FTS5: a plain table with the default tokenizer, every word of the query joined by OR, ordered by rank."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterable
from os.path import join

WORD = re.compile(r"[^\W_]+")  # what unicode61 takes for a word


class Fts5:
    """One virtual table in one file."""

    def __init__(self, directory: str) -> None:
        self._db = connect(join(directory, "fts5.db"))

    @staticmethod
    def build(directory: str, intents: Iterable[str], size: int) -> None:
        """Insert everything in one transaction."""
        db = connect(join(directory, "fts5.db"))
        db.execute("create virtual table documents using fts5 (intent)")
        db.execute("begin")
        db.executemany("insert into documents (rowid, intent) values (?, ?)", enumerate(intents))
        db.execute("commit")
        db.close()

    def prepare(self, text: str) -> str:
        return text

    def search(self, query: str) -> list[int]:
        match = " OR ".join(f'"{word}"' for word in dict.fromkeys(WORD.findall(query)))
        rows = self._db.execute(
            "select rowid, intent, bm25(documents) from documents where documents match ? order by rank limit 10",
            (match,),
        )
        return [row[0] for row in rows]

    def add(self, number: int, intent: str) -> None:
        self._db.execute("insert into documents (rowid, intent) values (?, ?)", (number, intent))


def connect(path: str) -> sqlite3.Connection:
    """A durable connection as this house opens it, every statement its own transaction."""
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("pragma journal_mode = wal")
    db.execute("pragma synchronous = full")
    db.execute("pragma mmap_size = 268435456")
    return db
