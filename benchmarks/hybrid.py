"""`python -m benchmarks.hybrid`: both arms of `find` over one store, alone and together; Markdown to stdout.

The rows' vectors are made from their words (a random direction for each), so that 100,000 need no model; what a real
model takes to embed a query is measured apart.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from hashlib import sha256
from importlib.util import find_spec
from os.path import join

from benchmarks import corpus
from benchmarks.progress import tell
from benchmarks.timing import median, percentile, seconds

os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "EXPERIENCE_EMBEDDER": "minilm"}

import numpy as np

import experience
from experience.desks.vectors import EXTRAS
from experience.search import embed
from experience.search.nearest import Nearest

AT_ONCE = 10_000


class Made:
    """Vectors from words, 384 numbers each, without a model."""

    name, dimension, floor = "made-of-words", 384, 0.2

    def __init__(self) -> None:
        self._words: dict[str, np.ndarray] = {}

    def embed(self, texts: list[str]) -> np.ndarray:
        return embed.unit(np.array([np.mean([self._word(word) for word in text.split()], axis=0) for text in texts]))

    def _word(self, word: str) -> np.ndarray:
        if word not in self._words:
            seed = int(sha256(word.encode()).hexdigest()[:8], 16)
            self._words[word] = np.random.default_rng(seed).standard_normal(self.dimension).astype(np.float32)
        return self._words[word]


def main() -> None:
    """Fill a store, search it in three ways, print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hybrid", description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=200)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="hybrid-") as scratch:
        documents = join(scratch, "documents.txt")
        corpus.write_documents(documents, asked.rows)
        fill(scratch, documents, asked.rows)
        queries = [query.text for query in corpus.queries(documents, asked.rows, asked.queries)]
        print(table(measure(scratch, queries), asked.rows))


def fill(scratch: str, documents: str, rows: int) -> None:
    """A store of experiences with a vector each."""
    made = Made()
    with open(documents, encoding="utf-8") as file, experience.open(scratch, home=scratch, vectors=False) as memory:
        intents = [line.strip() for line in file][:rows]
        for start in range(0, rows, AT_ONCE):
            tell(f"{start:,} of {rows:,} rows")
            some = intents[start : start + AT_ONCE]
            memory.record_many([{"intent": text, "solution": None} for text in some])
            vectors = [embed.packed(row) for row in made.embed(some)]
            memory.shelf.vectors.put("experiences", made.name, [
                (start + at + 1, embed.content_hash(text), made.dimension, vector)
                for at, (text, vector) in enumerate(zip(some, vectors, strict=True))
            ])  # fmt: skip


def measure(scratch: str, queries: list[str]) -> dict[str, list[float]]:
    """How long each search takes, query by query."""
    made = embed._loaded["minilm", None, None, 5.0] = embed.Remembering(Made())
    found: dict[str, list[float]] = {}
    with experience.open(scratch, home=scratch, vectors=False) as memory:
        memory.warm()
        for query in queries[:20]:
            memory.find(query)
        found["keywords alone"] = [seconds(lambda: memory.find(query)) for query in queries]  # noqa: B023
    with experience.open(scratch, home=scratch) as memory:
        memory.warm()
        found["opening: vectors read into memory"] = [seconds(lambda: memory.find("warm up"))]
        made.embed(queries)
        arm = next(iter(memory._desks.vectors._arms.values()))
        vectors = made.embed(queries)
        found["vectors alone"] = [seconds(lambda: arm.near(vector, 256)) for vector in vectors]  # noqa: B023
        found["both arms, query embedded"] = [seconds(lambda: memory.find(query)) for query in queries]  # noqa: B023
        exact = Nearest(384, many=sys.maxsize)
        exact.put(arm._nearest._keys[: len(arm)].tolist(), arm._nearest._rows[: len(arm)])
        found["vectors alone, every row exactly"] = [seconds(lambda: exact.best(v, 256)) for v in vectors]  # noqa: B023
        shares = [len({*arm.near(v, 256)} & {*exact.best(v, 256)}) / 256 for v in vectors]
        tell(f"of the exact 256 nearest {sum(shares) / len(shares):.4f} are found")
    if all(map(find_spec, EXTRAS["minilm"])):
        model = embed.MiniLM()
        model.embed(queries[:5])
        found["embedding the query (MiniLM)"] = [seconds(lambda: model.embed([query])) for query in queries]  # noqa: B023
    return found


def table(found: dict[str, list[float]], rows: int) -> str:
    """The durations as Markdown, and the bars."""
    lines = [f"| {rows:,} experiences | p50 ms | p95 ms |", "|---|--:|--:|"]
    lines += [
        f"| {name} | {median(all) * 1e3:.2f} | {percentile(all, 0.95) * 1e3:.2f} |" for name, all in found.items()
    ]
    both = median(found["both arms, query embedded"])
    slower = max(median(found["keywords alone"]), median(found["vectors alone"]))
    lines.append(f"\nboth arms: {both * 1e3:.1f} ms (bar 15), {both / slower:.2f} × the slower arm (bar 2)")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
