"""One engine in a process of its own, so that its memory is its own: `python -m benchmarks.worker '<job as JSON>'`."""

from __future__ import annotations

import json
import os
import sys
from time import perf_counter

import psutil

from benchmarks import agreement, freshness, timing, writes
from benchmarks.engines import engine

WARM_UP = 10
LEAST = 20  # queries asked even of an engine that is slow
BUDGET_S = 40.0  # after this a slow engine is asked no more
FRESH = 15
UNHEARD = ("teach", "the", "kiosk", "robot", "to", "greet", "every", "visitor", "kindly")


def build(job: dict) -> dict:
    """Build the engine's index from the documents."""
    from benchmarks.corpus import read_documents

    documents = list(read_documents(job["documents"], job["size"]))
    kind = engine(job["engine"])
    return {"build_s": timing.seconds(lambda: kind.build(job["directory"], documents, job["size"]))}


def serve(job: dict) -> dict:
    """Open what was built, ask every query, weigh the process, add a few documents."""
    with open(job["queries"], encoding="utf-8") as file:
        asked = json.load(file)
    start = perf_counter()
    served = engine(job["engine"])(job["directory"])
    ready = perf_counter() - start
    for text, _ in asked[-WARM_UP:]:
        served.search(served.prepare(text))
    durations, right, of = [], 0, 0
    began = perf_counter()
    for text, source in asked:
        query = served.prepare(text)
        start = perf_counter()
        found = served.search(query)
        durations.append(perf_counter() - start)
        of += source is not None
        right += source is not None and source in found
        if perf_counter() - began > BUDGET_S and len(durations) >= LEAST:
            break
    return {
        "ready_s": ready, "queries": len(durations), "found": right / of,
        **{f"p{share}_s": timing.percentile(durations, share / 100) for share in (50, 95, 99)},
        **memory(), "fresh_s": fresh(served, job["size"]),
    }  # fmt: skip


def memory() -> dict:
    """What this process takes of the machine: all that is resident, and that without mapped files."""
    with open("/proc/self/status", encoding="ascii") as file:
        anonymous = next((int(line.split()[1]) * 1024 for line in file if line.startswith("RssAnon")), 0)
    return {"rss": psutil.Process(os.getpid()).memory_info().rss, "anonymous": anonymous}


def fresh(served: object, size: int) -> float | None:
    """How long from handing over a new document until a search brings it; None where the index is built anew."""
    if not hasattr(served, "add"):
        return None
    durations = []
    for number in range(size, size + FRESH):
        intent = " ".join(f"{word}{number}x{os.getpid()}" for word in UNHEARD)  # success must not outrank relevance
        query = served.prepare(intent)
        start = perf_counter()
        served.add(number, intent)
        found = served.search(query)
        durations.append(perf_counter() - start)
        if number not in found:
            raise SystemExit(f"{type(served).__name__} did not find document {number} it was just given")
    return timing.median(durations)


JOBS = {
    "build": build, "serve": serve, "agreement": agreement.measure, "writes": writes.measure,
    "freshness": freshness.measure,
}  # fmt: skip

if __name__ == "__main__":
    job = json.loads(sys.argv[1])
    print(json.dumps(JOBS[job["job"]](job)))
