"""`python -m benchmarks.night`: the night on stores of several sizes, beside scikit-learn doing the dedupe alone.

Each store holds as many memories as experiences, two in a hundred planted near-duplicates and one in a hundred traps
that only look like duplicates. Every part runs in a process of its own, on one core; Markdown to stdout.
Durations are what a clock on the wall says; ratios are of processor time, which no neighbour on the machine changes.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from itertools import pairwise
from os.path import isdir, join
from time import perf_counter, process_time

from benchmarks import planted
from benchmarks.bars import HEAD, Bar
from benchmarks.progress import tell

SIZES = (50_000, 100_000, 200_000)
AGAINST = 20_000
RADIUS = 0.05  # cosine distance within which scikit-learn calls two texts duplicates
AT_ONCE = 5_000
PLANTED = "planted.json"  # which rows of a store were planted


def main() -> None:
    """Run everything and print the bars, or do one job of it."""
    asked = arguments()
    if asked.job:
        print(json.dumps(JOBS[asked.job](**json.loads(asked.given))))
        return
    with tempfile.TemporaryDirectory(prefix="night-", ignore_cleanup_errors=True) as scratch:
        results = measure(asked.sizes, asked.against, scratch)
    print(report(results, asked.sizes, asked.against))


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.night", description=__doc__)
    numbers = lambda text: sorted({int(size) for size in text.split(",")})  # noqa: E731
    parser.add_argument("--sizes", type=numbers, default=list(SIZES), help="memories, and as many experiences")
    parser.add_argument("--against", type=int, default=AGAINST, help="memories in the race with scikit-learn; 0: none")
    parser.add_argument("--job", help=argparse.SUPPRESS)
    parser.add_argument("--given", default="{}", help=argparse.SUPPRESS)
    return parser.parse_args()


def measure(sizes: list[int], against: int, scratch: str) -> dict:
    """The night at each size, and the race."""
    results = {}
    for size in sizes:
        directory = join(scratch, str(size))
        work("build", directory=directory, size=size)
        results[size] = work("night", directory=directory, size=size)
    if against:
        results["race"] = {who: work(who, size=against) for who in ("ours", "neighbors")}
    return results


def work(job: str, **given: object) -> dict:
    """One job in a process of its own, on one core."""
    tell(f"night: {job} {given['size']:,}")
    command = [sys.executable, "-m", "benchmarks.night", "--job", job, "--given", json.dumps(given)]
    alone = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=alone)
    if done.returncode:
        raise SystemExit(f"{job} failed; see above")
    return json.loads(done.stdout.splitlines()[-1])


def build(directory: str, size: int) -> dict:
    """A store with *size* memories and *size* experiences."""
    from experience.desks.intake import Intake

    with _opened(directory) as memory:
        said, now = planted.statements(size), memory.now()
        for start in range(0, size, AT_ONCE):
            with memory.store.transaction():
                for text in said.texts[start : start + AT_ONCE]:
                    while (
                        memory.shelf.memories.insert(memory._desks.memories.checked(Intake(), content=text), now)
                        is None
                    ):
                        pass  # its id was taken: among so many that happens
        made = planted.tasks(size)
        copied = {copy: number for number, copy, _ in (*made.same, *made.apart)}
        rows = [
            {"intent": text, "solution": {"run": f"make task-{copied.get(number, number)}"}}
            for number, text in enumerate(made.texts)
        ]
        for start in range(0, size, AT_ONCE):
            memory.record_many(rows[start : start + AT_ONCE])
    with open(join(directory, PLANTED), "w", encoding="utf-8") as file:
        json.dump({"memories": (said.same, said.apart), "experiences": (made.same, made.apart)}, file)
    return {}


def night(directory: str, size: int) -> dict:
    """The whole night, then a second one; what was found among the planted, and what was not to be found."""
    with _opened(directory) as memory:
        began, worked = perf_counter(), process_time()
        first = memory.consolidate()
        duration, work_s = perf_counter() - began, process_time() - worked
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        folds = _folds(memory, first.run)
        again = memory.consolidate()
        ids = _ids(memory, folds)
    found, merged = _counted(directory, ids)
    return {
        "duration_s": duration, "work_s": work_s, "peak": peak, "found": found, "merged": merged,
        "again": again.changed,
        "state": first.state, "steps": {one.step: one.duration_s for one in first.steps},
        "changed": {one.step: one.changed for one in first.steps},
    }  # fmt: skip


def ours(size: int) -> dict:
    """The pairs found and the time for them."""
    import sklearn.neighbors  # noqa: F401  # both use it, so neither is charged for loading it

    from jobs import twins

    texts = planted.statements(size).texts
    began = process_time()
    groups = twins.groups(texts, [0] * size)
    return {"work_s": process_time() - began, "pairs": sum(len(one) - 1 for one in groups)}


def neighbors(size: int) -> dict:
    """The same by scikit-learn's NearestNeighbors over TF-IDF, all within the radius."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.neighbors import NearestNeighbors

    texts = planted.statements(size).texts
    began = process_time()
    matrix = TfidfVectorizer().fit_transform(texts)
    near = NearestNeighbors(metric="cosine", radius=RADIUS).fit(matrix).radius_neighbors(matrix, return_distance=False)
    return {"work_s": process_time() - began, "pairs": sum(len(one) - 1 for one in near) // 2}


JOBS = {"build": build, "night": night, "ours": ours, "neighbors": neighbors}


def report(results: dict, sizes: list[int], against: int) -> str:
    """The steps as a table, then the bars."""
    lines = [f"| step (s) | {' | '.join(f'{size:,}' for size in sizes)} |", f"|:--|{'--:|' * len(sizes)}"]
    for step in (*results[sizes[0]]["steps"], "whole night"):
        took = [results[size]["steps"].get(step, results[size]["duration_s"]) for size in sizes]
        lines.append(f"| {step} | {' | '.join(f'{seconds:.2f}' for seconds in took)} |")
    return "\n".join([*lines, "", *HEAD, *(bar.row() for bar in bars(results, sizes, against))])


def bars(results: dict, sizes: list[int], against: int) -> list[Bar]:
    """Every bar that this run has figures for."""
    found = []
    for size in sizes:
        one = results[size]
        if size == 100_000:
            found += [
                Bar(name="night, 100k + 100k", value=one["duration_s"], bar=60, moonshot=25, unit="s"),
                Bar(name="its peak memory", value=one["peak"] / 1e6, bar=1000, moonshot=500, unit="MB"),
            ]
        for kind in ("memories", "experiences"):
            about = f"of planted {kind}, {size:,}"
            found += [
                Bar(
                    name=f"near-duplicates {about}, found",
                    value=100 * one["found"][kind],
                    bar=95,
                    at_least=True,
                    unit="%",
                ),
                Bar(name=f"traps {about}, merged", value=100 * one["merged"][kind], bar=1, unit="%"),
            ]
        found.append(Bar(name=f"a second run right after changes, {size:,}", value=one["again"], bar=0, unit="rows"))
    for half, whole in pairwise(sizes):
        if whole == 2 * half:
            ratio = results[whole]["work_s"] / results[half]["work_s"]
            found.append(Bar(name=f"night, {whole:,} / {half:,}, processor time", value=ratio, bar=2.3, moonshot=2.1))
    if "race" in results:
        ratio = results["race"]["neighbors"]["work_s"] / results["race"]["ours"]["work_s"]
        name = f"dedupe of {against:,}, NearestNeighbors / ours, processor time"
        found.append(Bar(name=name, value=ratio, bar=5, moonshot=20, at_least=True))
    return found


def _opened(directory: str):
    import experience

    if not isdir(directory):
        os.makedirs(directory)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    return experience.open(project=directory, home=join(directory, "home"))


def _folds(memory, run: str) -> dict[str, str]:
    """What was folded into what."""
    return {
        change.subject: change.became["folded_into"]
        for change in memory.shelf.nights.changes(run)
        if change.action == "folded"
    }


def _ids(memory, folds: dict[str, str]) -> dict[str, list[str]]:
    """For each text, in the order they came, the id of what it is now a part of."""

    def end(one: str) -> str:
        return end(folds[one]) if one in folds else one

    stayed = [(row[0], row[1]) for row in memory.shelf.memories.copies()]
    return {
        "memories": [end(id) for _, id in stayed],
        "experiences": [end(event.subject) for event in memory.events.list(type="experience.recorded")],
    }


def _counted(directory: str, ids: dict[str, list[str]]) -> tuple[dict[str, float], dict[str, float]]:
    """The shares of planted pairs and of traps that are one now."""
    with open(join(directory, PLANTED), encoding="utf-8") as file:
        made = json.load(file)
    shares = [
        {
            kind: sum(ids[kind][a] == ids[kind][b] for a, b, _ in pairs[side]) / len(pairs[side])
            for kind, pairs in made.items()
        }
        for side in (0, 1)
    ]
    return shares[0], shares[1]


if __name__ == "__main__":
    main()
