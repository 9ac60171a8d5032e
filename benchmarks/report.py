"""The one table, and the table of bars."""

from __future__ import annotations

import platform
import sqlite3
from os import cpu_count

from benchmarks.bars import HEAD as BARS
from benchmarks.bars import bars

HEAD = ["rows", "engine", "build s", "ready s", "p50 ms", "p95 ms", "p99 ms", "p50 / ours live", "found", "queries",
    "RSS MB", "new record found after ms"]  # fmt: skip


def report(results: dict) -> str:
    """The whole run as Markdown."""
    lines = [f"| {' | '.join(HEAD)} |", f"|{'--:|' + ':--|' + '--:|' * (len(HEAD) - 2)}"]
    lines += [f"| {' | '.join(_row(results['engines'], *key))} |" for key in results["engines"]]
    lines += [
        "",
        *(f"- {engine} was left out at {size:,} rows: a query takes seconds." for engine, size in results["skipped"]),
    ]
    lines += ["", *BARS, *(bar.row() for bar in bars(results))]
    return "\n".join([*lines, "", machine()])


def machine() -> str:
    """What it ran on."""
    return (
        f"{cpu_count()} cores, {platform.system()} {platform.release()}, {platform.python_implementation()} "
        f"{platform.python_version()}, SQLite {sqlite3.sqlite_version}, OPENBLAS_NUM_THREADS=1"
    )


def _row(engines: dict, engine: str, size: int) -> list[str]:
    found = engines[engine, size]
    live = engines["ours, live", size]
    fresh = found["fresh_s"]
    return [
        f"{size:,}", engine, f"{found['build_s']:.2f}", f"{found['ready_s']:.2f}",
        *(f"{1e3 * found[name]:.2f}" for name in ("p50_s", "p95_s", "p99_s")),
        f"{found['p50_s'] / live['p50_s']:.2f}×", f"{found['found']:.0%}", str(found["queries"]),
        f"{found['rss'] / 1e6:.0f}",
        f"{1e3 * fresh:.1f}" if fresh is not None else f"{1e3 * (found['build_s'] + found['p50_s']):,.0f} (built anew)",
    ]  # fmt: skip
