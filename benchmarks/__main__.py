"""`python -m benchmarks`: every engine in its own process, then the bars; Markdown to stdout, progress to stderr."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from os.path import join

from benchmarks import cold, corpus
from benchmarks.engines import ENGINES, MOST
from benchmarks.progress import tell
from benchmarks.report import report
from benchmarks.writes import MANY, SINGLE

STORE = 100_000  # the store whose freshness and cold start are measured, or the largest there is


def main() -> None:
    """Run everything and print the table."""
    asked = arguments()
    os.environ |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    with tempfile.TemporaryDirectory(prefix="benchmarks-", ignore_cleanup_errors=True) as scratch:
        print(report(measure(asked.sizes, asked.queries, asked.keep or scratch)))


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    sizes = parser.add_argument("--sizes", default="1000,10000,100000,1000000", help="rows, separated by commas")
    parser.add_argument("--queries", type=int, default=200, help="queries asked of each engine (%(default)s)")
    parser.add_argument("--keep", help="an empty directory that keeps the stores; by default they are thrown away")
    sizes.type = lambda text: sorted({int(size) for size in text.split(",")})
    sizes.default = [1_000, 10_000, 100_000, 1_000_000]
    return parser.parse_args()


def measure(sizes: list[int], queries: int, scratch: str) -> dict:
    """Everything, smallest corpus first."""
    os.makedirs(scratch, exist_ok=True)
    documents = join(scratch, "documents.txt")
    tell(f"making {sizes[-1]:,} documents")
    corpus.write_documents(documents, max(sizes[-1], MANY + SINGLE))
    results: dict = {"engines": {}, "agreement": {}, "skipped": [], "store": STORE if STORE in sizes else sizes[-1]}
    for size in sizes:
        _measure_size(results, {"documents": documents, "size": size}, queries, join(scratch, str(size)))
    results["writes"] = work({"job": "writes", "documents": documents, "directory": scratch})
    return results


def _measure_size(results: dict, job: dict, queries: int, directory: str) -> None:
    os.makedirs(directory)
    size = job["size"]
    made = corpus.queries(job["documents"], size, queries)
    job |= {"directory": directory, "queries": join(directory, "queries.json")}
    with open(job["queries"], "w", encoding="utf-8") as file:
        json.dump([(query.text, query.source) for query in made], file)
    for name in ENGINES:
        if size > MOST.get(name, size):
            results["skipped"].append((name, size))
            continue
        built = {} if name == "ours, FTS path" else work({**job, "job": "build", "engine": name})
        if not built:  # both paths of ours read the same store
            built = {"build_s": results["engines"]["ours, live", size]["build_s"]}
        results["engines"][name, size] = built | work({**job, "job": "serve", "engine": name})
    results["agreement"][size] = work({**job, "job": "agreement"})
    if size == results["store"]:
        results["freshness"] = work({**job, "job": "freshness"})
        results["cold"] = cold.measure(directory, [query.text for query in made], directory)


def work(job: dict) -> dict:
    """Do one job in a process of its own."""
    tell(f"{job['job']} {job.get('engine', '')} {job.get('size', ''):,}" if "engine" in job else job["job"])
    command = [sys.executable, "-m", "benchmarks.worker", json.dumps(job)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if done.returncode:
        raise SystemExit(f"{job['job']} of {job.get('engine', 'ours')} failed; see above")
    return json.loads(done.stdout.splitlines()[-1])


if __name__ == "__main__":
    main()
