"""`python -m benchmarks.files`: keeping a tree of Markdown in memory, beside what plain Python needs for the same.

The tree is made from a seed. Durations are what a clock on the wall says, ours and the plain ones taken in turns; the
best of each is compared, so that a busy neighbour on the machine spoils neither. Markdown to stdout.
"""

from __future__ import annotations

import argparse
import os
import sqlite3
import tempfile
import time
from hashlib import sha256
from itertools import accumulate
from os.path import join
from random import Random

import experience
import memory_sync
from benchmarks.bars import HEAD, Bar
from benchmarks.progress import tell
from benchmarks.report import machine
from benchmarks.timing import median, percentile, seconds
from benchmarks.words import NOUNS, TOOLS, TRAITS, VERBS
from memory_sync.chunk import pieces

SEED = 20261118
TURNS = 3
EDITS, SAVES, QUERIES = 200, 12, 200
FUNCTION = "the a of to in and is for it that with as on be at by this from or an are was which can not".split()
SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe ro su ta ve wi xo yu za bre cli dro fla gri sto tra ple".split()


def main() -> None:
    """Measure everything and print the bars."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.files", description=__doc__)
    parser.add_argument("--files", type=int, default=10_000, help="Markdown files of 6 KB in the tree (%(default)s)")
    parser.add_argument("--turns", type=int, default=TURNS, help="how often each is measured (%(default)s)")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="files-", ignore_cleanup_errors=True) as scratch:
        os.environ["EXPERIENCE_HOME"] = join(scratch, "home")
        tree = join(scratch, "tree")
        tell(f"writing {asked.files:,} files")
        megabytes = write_tree(tree, asked.files) / 1e6
        bars = [*syncing(tree, scratch, asked.files, megabytes, asked.turns), *editing(scratch), *watching(scratch)]
    print("\n".join([*HEAD, *(bar.row() for bar in bars), "", machine()]))


class Writer:
    """Writes Markdown: sections of paragraphs, a list or a block of code here and there; common words and rare ones."""

    def __init__(self) -> None:
        self._random = Random(SEED)
        rare = sorted({"".join(self._random.choices(SYLLABLES, k=self._random.randint(2, 4))) for _ in range(30_000)})
        common = [*NOUNS, *VERBS, *TOOLS, *TRAITS, *rare[::15]]
        self._words = [*FUNCTION, *self._random.sample(common, len(common)), *rare]
        self._weights = list(accumulate(1 / (place + 10) for place in range(len(self._words))))

    def document(self, size: int) -> str:
        """About *size* characters."""
        lines = [f"# {self._said(3)}", ""]
        while sum(map(len, lines)) + len(lines) < size:
            lines += [f"## {self._said(3)}", ""]
            for _ in range(self._random.randint(1, 4)):
                lines += [*self._paragraph(), ""]
            if self._random.random() < 0.3:
                lines += ["```sh", f"make {self._said(2)}", f"cd src/{self._said(1)} && ls -la", "```", ""]
        return "\n".join(lines) + "\n"

    def _paragraph(self) -> list[str]:
        return [
            f"{self._said(14)}{mark}" for mark in self._random.choices(("", ",", "."), k=self._random.randint(2, 6))
        ]

    def _said(self, count: int) -> str:
        return " ".join(self._random.choices(self._words, cum_weights=self._weights, k=count))


def write_tree(tree: str, files: int) -> int:
    """The files, in 500 directories; returns how many characters they have."""
    writer, size = Writer(), 0
    for number in range(files):
        directory = join(tree, f"area-{number % 20}", f"topic-{number // 20 % 25}")
        os.makedirs(directory, exist_ok=True)
        text = writer.document(5_800)
        size += len(text)
        with open(join(directory, f"note-{number}.md"), "w", encoding="utf-8") as file:
            file.write(text)
    return size


def syncing(tree: str, scratch: str, files: int, megabytes: float, turns: int) -> list[Bar]:
    """A first sync, one with nothing to do, and a search in what it made."""
    plain, ours, still, looked = [], [], [], []
    for turn in range(turns):
        tell(f"first sync, turn {turn + 1} of {turns}")
        plain.append(seconds(lambda turn=turn: plainly(tree, join(scratch, f"plain-{turn}.db"))))
        memory = experience.open(join(scratch, f"project-{turn}"))
        ours.append(seconds(lambda memory=memory: memory_sync.sync(memory, [tree])))
        memory_sync.sync(memory)
        for _ in range(5):
            looked.append(seconds(lambda: look(tree)))
            still.append(seconds(lambda memory=memory: memory_sync.sync(memory)))
        if turn < turns - 1:
            memory.close()
    found = searching(memory)
    memory.close()
    return [
        Bar(
            name=f"first sync of {files:,} files, {megabytes:.0f} MB, / reading, hashing, raw FTS5 "
            f"({min(ours):.1f} beside {min(plain):.1f} s)",
            value=min(ours) / min(plain), bar=3, moonshot=2,
        ),
        Bar(
            name="sync with nothing changed / scandir + stat "
            f"({1e3 * min(still):.0f} beside {1e3 * min(looked):.0f} ms)",
            value=min(still) / min(looked), bar=1.5,
        ),
        *found,
    ]  # fmt: skip


def plainly(tree: str, database: str) -> None:
    """Read and hash every file, and put the very same chunks into a plain FTS5 table, in one transaction."""
    store = sqlite3.connect(database, isolation_level=None)
    store.execute("pragma journal_mode = wal")
    store.execute("create virtual table chunks using fts5 (path unindexed, text)")
    store.execute("begin")
    for directory, _, names in os.walk(tree):
        for name in names:
            with open(join(directory, name), "rb") as file:
                found = file.read()
            sha256(found).hexdigest()
            text = found.decode()
            parts = [text[max(0, start - 320) : start + 900] for start in range(0, len(text), 900)]
            store.executemany("insert into chunks values (?, ?)", [(name, part) for part in parts])
    store.execute("commit")
    store.close()


def look(tree: str) -> int:
    """The size of every file, as cheaply as Python can ask for it."""
    size, waiting = 0, [tree]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    waiting.append(entry.path)
                else:
                    size += entry.stat(follow_symlinks=False).st_size
    return size


def searching(memory: experience.Memory) -> list[Bar]:
    """How long a search takes, files being fresh."""
    random, writer = Random(SEED), Writer()
    chunks = memory_sync.state(memory).chunks
    queries = [writer._said(random.randint(2, 5)) for _ in range(QUERIES)]
    memory_sync.search(memory, queries[0])
    durations = [seconds(lambda query=query: memory_sync.search(memory, query)) for query in queries]
    name = f"search p50, {chunks:,} chunks, by words (p95 {1e3 * percentile(durations, 0.95):.1f} ms)"
    return [Bar(name=name, value=1e3 * median(durations), bar=15, moonshot=5, unit="ms")]


def editing(scratch: str) -> list[Bar]:
    """How many chunks are indexed again when one line of a file of a hundred chunks changes."""
    tell("editing lines")
    random, text = Random(SEED), Writer().document(95_000)
    lines = text.split("\n")
    before = {part for _, _, part, _ in pieces(lines)}
    counts = []
    for _ in range(EDITS):
        edited, at = list(lines), random.choice([at for at, line in enumerate(lines) if line[:1].isalpha()])
        edited[at] += " and a few words more"
        counts.append(sum(part not in before for _, _, part, _ in pieces(edited)))
    with experience.open(join(scratch, "edited")) as memory:
        path = join(memory.root, "long.md")
        save(path, text)
        memory_sync.sync(memory)
        save(path, text.replace(lines[500], f"{lines[500]} and more", 1))
        indexed = memory_sync.sync(memory).chunks_indexed
    name = f"chunks indexed again after an edit of a line, of {len(before)} (mean {sum(counts) / len(counts):.1f})"
    return [Bar(name=name, value=max(*counts, indexed), bar=3, unit="")]


def watching(scratch: str) -> list[Bar]:
    """How long after a file is saved a search finds it, beyond the debounce."""
    tell("watching")
    late = []
    with experience.open(join(scratch, "watched")) as memory, memory_sync.watch(memory):
        debounce_s = memory.settings["debounce_ms"] / 1000
        for number in range(SAVES):
            save(join(memory.root, f"{number % 3}.md"), f"saved{number}")
            start = time.perf_counter()
            while not memory_sync.search(memory, f"saved{number}", fresh=False).chunks:
                time.sleep(0.002)
            late.append(time.perf_counter() - start - debounce_s)
    name = f"saved → found beyond the debounce, the latest of {SAVES} (p50 {1e3 * median(late):.0f} ms)"
    return [Bar(name=name, value=1e3 * max(late), bar=100, unit="ms")]


def save(path: str, text: str) -> None:
    """Save a file as a person would."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
