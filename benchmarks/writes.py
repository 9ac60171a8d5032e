"""Recording beside plain inserts of the very same rows: same columns and checks, no triggers, no index, no event."""

from __future__ import annotations

import sqlite3
from itertools import islice
from os.path import join

from benchmarks import corpus, timing
from benchmarks.progress import tell

MANY = 10_000
SINGLE = 500
ROUNDS = 3


def measure(job: dict) -> dict:
    """Rows a second: many at once into new stores, then one at a time into the last of them."""
    intents = list(corpus.read_documents(job["documents"], MANY + SINGLE))
    documents = [corpus.experience(number, intent) for number, intent in enumerate(intents)]
    many = []
    for round in range(ROUNDS):
        tell(f"record_many beside executemany, round {round + 1} of {ROUNDS}")
        ours, plain = _stores(join(job["directory"], f"writes-{round}"))
        mine = timing.seconds(lambda: ours.record_many(documents[:MANY]))  # noqa: B023  # called at once
        many.append((mine, _copy_many(ours, plain)))
    tell("record beside insert, one durable transaction each")
    single = list(islice(_singles(ours, plain, documents[MANY:]), SINGLE))
    return {
        "many_ours": MANY / timing.median([a for a, _ in many]),
        "many_plain": MANY / timing.median([b for _, b in many]),
        "one_ours": len(single) / sum(a for a, _ in single), "one_plain": len(single) / sum(b for _, b in single),
        "one_ours_p50_s": timing.median([a for a, _ in single]),
        "one_plain_p50_s": timing.median([b for _, b in single]),
    }  # fmt: skip


def _stores(directory: str) -> tuple:
    from benchmarks.engines.ours import open_memory
    from benchmarks.engines.sqlite_fts import connect

    ours = open_memory(directory)
    plain = connect(join(directory, "plain.db"))
    with sqlite3.connect(ours.store.where) as store:
        plain.execute(store.execute("select sql from sqlite_master where name = 'experiences'").fetchone()[0])
    return ours, plain


def _copy_many(ours, plain) -> float:
    rows = _rows(ours)
    marks = _marks(rows[0])

    def insert() -> None:
        plain.execute("begin immediate")
        plain.executemany(marks, rows)
        plain.execute("commit")

    return timing.seconds(insert)


def _singles(ours, plain, documents: list[dict]):
    """Turn by turn, so that a disk that is slow for a while is slow for both."""
    for document in documents:
        mine = timing.seconds(lambda: ours.record(**document))  # noqa: B023  # called at once
        row = _rows(ours, newest=1)[0]
        marks = _marks(row)

        def insert() -> None:
            plain.execute("begin immediate")
            plain.execute(marks, row)  # noqa: B023  # called at once
            plain.execute("commit")

        yield mine, timing.seconds(insert)


def _rows(ours, newest: int = -1) -> list[tuple]:
    return ours.store.query("select * from experiences order by key desc limit ?", newest)[::-1]


def _marks(row: tuple) -> str:
    return f"insert into experiences values ({', '.join('?' * len(row))})"
