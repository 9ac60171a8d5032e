"""The engines beside each other. Each builds from intents into a directory and serves from there."""

from __future__ import annotations

from importlib import import_module
from typing import Protocol

ENGINES = {
    "ours, live": "ours:Live",
    "ours, FTS path": "ours:Cold",
    "FTS5, OR of all words": "sqlite_fts:Fts5",
    "bm25s.retrieve": "arrays:Arrays",
    "bm25s.tokenize + retrieve": "arrays:Manual",
    "rank_bm25": "pure_python:PurePython",
    "tantivy": "rust:Rust",
}
MOST = {"rank_bm25": 100_000}  # above this a query takes seconds


class Engine(Protocol):
    """One engine, opened on what it built; only `search` and `add` are timed."""

    def __init__(self, directory: str) -> None: ...

    def prepare(self, text: str) -> object:
        """What `search` takes, made outside the measured time."""

    def search(self, query: object) -> list[int]:
        """The numbers of the ten best documents."""

    def add(self, number: int, intent: str) -> None:
        """Store one more document, durably where the engine can, and let the next search find it."""


def engine(name: str) -> type[Engine]:
    """The class behind a name; only its own libraries are imported."""
    module, _, kind = ENGINES[name].partition(":")
    return getattr(import_module(f"benchmarks.engines.{module}"), kind)
